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
        parameter.name: parameter.annotation
        for parameter in own.parameters.values()
        if is_dataclass(parameter.annotation)
    }
    parameters: list[Parameter] = []
    for parameter in own.parameters.values():
        option_group = groups.get(parameter.name)
        parameters += [parameter] if option_group is None else _options(option_group)

    @wraps(command)
    def run(**values: Any) -> int:
        for name, group in groups.items():
            given = {field.name: values.pop(field.name) for field in fields(group)}
            values[name] = group(**given)
        return command(**values)

    vars(run)["__signature__"] = own.replace(parameters=parameters)
    return run


def _options(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    group_fields = {
        field_of_group.name: field_of_group for field_of_group in fields(group)
    }
    for kind in group.__mro__:
        for name in vars(kind).get("__annotations__", ()):
            if name in group_fields:
                yield _parameter(group_fields.pop(name), hints[name])


def _parameter(field: Field[Any], annotation: Any) -> Parameter:
    assert field.default is not MISSING
    return Parameter(
        field.name,
        Parameter.KEYWORD_ONLY,
        default=field.default,
        annotation=annotation,
    )
