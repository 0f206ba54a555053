"""Options that several commands have together: a dataclass of them, declared once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, get_type_hints


def grouped(command: Callable[..., int]) -> Callable[..., int]:
    """A command that takes the options of each dataclass among its parameters.

    They stand in place of that parameter, those of the classes it extends behind its
    own, and the command gets them as one value.
    """
    own = signature(command, eval_str=True)
    groups: dict[str, Any] = {
        each.name: each.annotation
        for each in own.parameters.values()
        if is_dataclass(each.annotation)
    }
    parameters: list[Parameter] = []
    for each in own.parameters.values():
        known = groups.get(each.name)
        parameters += [each] if known is None else _options(known)

    @wraps(command)
    def run(**values: Any) -> int:
        for name, group in groups.items():
            given = {each.name: values.pop(each.name) for each in fields(group)}
            values[name] = group(**given)
        return command(**values)

    vars(run)["__signature__"] = own.replace(parameters=parameters)
    return run


def _options(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    known = {each.name: each for each in fields(group)}
    for kind in group.__mro__:
        for name in vars(kind).get("__annotations__", ()):
            if name in known:
                yield _parameter(known.pop(name), hints[name])


def _parameter(field: Field[Any], annotation: Any) -> Parameter:
    assert field.default is not MISSING
    return Parameter(
        field.name,
        Parameter.KEYWORD_ONLY,
        default=field.default,
        annotation=annotation,
    )
