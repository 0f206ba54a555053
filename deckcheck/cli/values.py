"""The words of the command line as values, without pydantic.

typer converts every option with pydantic, which takes longer to import than a deck
takes to check. Types that are not listed here are left to typer.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar, get_args

from typer import BadParameter

from deckcheck.findings.words import choice, quote

OUTPUT = "FORMAT[:FILE]"
"""How help shows an option for outputs, which may go to files."""

VARIABLE = "DECKCHECK_"
"""How the variables begin that stand for options."""

P = TypeVar("P")

_WRONG = "deckcheck.values.wrong"
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off")


def convert_plainly(params: list[P]) -> list[P]:
    """Let each of the parameters of a typer command convert its value with `_Value`."""
    for param in params:
        _convert_plainly(param)
    return params


def _convert_plainly(param: Any) -> None:
    described = param.type_descriptor
    kinds = get_args(described.annotation) if described.is_list else ()
    kind = kinds[0] if kinds else described.annotation
    if described.is_choice or kind in (str, int, float, bool, Path):
        value = _Value(kind, described.choices, param)
        param.get_runtime_param = value.itself
    if param.param_type_name == "argument" and param.metavar:
        # Its help says what it takes; `<list[str]>` is for programmers.
        param.display_type_rich = _nothing


def wrong_values(ctx: Any) -> list[BadParameter]:
    """The values of the command line that could not be converted, in their order."""
    found: list[BadParameter] = ctx.meta.get(_WRONG, [])
    return found


def plainly(error: Any) -> str:
    """What typer says of a wrong word, with our quotes and without a full stop."""
    message = error.format_message().partition(" (Possible options")[0].rstrip(".")
    return re.sub(r"'([^']*)'", r"`\1`", message.partition(". Choose from:")[0])


def option_key(param: Any) -> str:
    """The long name of an option, by which files and variables call it: `fail-on`."""
    longest: str = max(param.opts, key=len)
    return longest.lstrip("-")


def has_words(param: Any) -> bool:
    """Whether an option takes certain words only."""
    return param.metavar == OUTPUT or bool(param.type_descriptor.choices)


def words_of(param: Any) -> tuple[str, ...]:
    """The only words that an option takes, before a colon where it may have a file."""
    if param.metavar == OUTPUT:
        return tuple(param.type_descriptor.parameter_info.autocompletion())
    return tuple(param.type_descriptor.choices)


def _nothing(ctx: Any) -> str:
    return ""


def _origin(param: Any, ctx: Any) -> str:
    """Where a value comes from that was not typed."""
    source = ctx.get_parameter_source(param.name) if ctx else None
    if source is not None and source.name == "ENVIRONMENT":
        return f", in the variable {param.envvar}"
    if source is not None and source.name == "DEFAULT_MAP":
        from deckcheck.cli.loaded import settings_of

        settings = settings_of(ctx)
        assert settings is not None
        return f", in {settings.options[option_key(param)].place}"
    return ""


class _Value:
    """Converts one parameter: a word, a number, a path, one of some choices.

    What cannot be converted is kept for `wrong_values`, so that all of it is told.
    """

    def __init__(self, kind: Any, choices: tuple[Any, ...] | None, limits: Any) -> None:
        self.kind = kind
        self.choices = choices
        self.low, self.high = limits.min, limits.max

    def itself(self) -> _Value:
        """What typer asks a parameter for."""
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value, or every value where the parameter takes several."""
        is_many = param.multiple or param.nargs == -1
        if value is None:
            return () if is_many else None
        try:
            if is_many:
                return [self.convert(word) for word in value]
            return self.convert(value)
        except ValueError as error:
            message = f"{error}{_origin(param, ctx)}"
            wrong = BadParameter(message, ctx=ctx, param=param)
            if ctx is None or ctx.resilient_parsing:
                raise wrong from None
            ctx.meta.setdefault(_WRONG, []).append(wrong)
            return () if is_many else None

    def convert(self, value: Any) -> Any:
        """One value; raises ValueError with what is allowed."""
        if self.choices is not None:
            if value not in self.choices:
                allowed = choice([str(option) for option in self.choices])
                raise ValueError(f"{quote(str(value))}, choose {allowed}")
            return value
        if self.kind is bool and isinstance(value, str):
            return self.truth(value)
        if self.kind in (int, float):
            return self.number(value)
        return value if isinstance(value, self.kind) else self.kind(value)

    def truth(self, value: str) -> bool:
        """A flag that comes from a variable of the environment."""
        word = value.strip().lower()
        if word in _YES or word in _NO:
            return word in _YES
        raise ValueError(f"{quote(value)}, choose `1` or `0`")

    def number(self, value: Any) -> int | float:
        """A number within the limits of the parameter."""
        try:
            number: int | float = self.kind(value)
        except ValueError:
            noun = "whole number" if self.kind is int else "number"
            raise ValueError(f"{quote(str(value))} is not a {noun}") from None
        low, high = self.low, self.high
        if not (low is None or number >= low) or not (high is None or number <= high):
            allowed = f"from {low}" if high is None else f"from {low} to {high}"
            raise ValueError(f"{number}, {allowed} allowed")
        return number
