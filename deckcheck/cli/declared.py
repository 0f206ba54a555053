"""Options and arguments as the parameters of a command declare them, once for all.

Help, the command line, variables of the environment, the configuration file and
`--show-settings` read these declarations, and so do tests. typer gets all values as
text, and what turns text into a value is here: typer would import pydantic for it,
which takes longer than a deck takes to check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer

from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, quote

OUTPUT = "FORMAT[:FILE]"
"""How help shows an option for outputs, which may go to files."""

PATHS = "PATH..."
"""How help shows an option that takes every path up to the next option."""

VARIABLE = "DECKCHECK_"
"""How the variables begin that stand for options."""

_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off")


NEEDED = "required"
"""The `show_default` of arguments whose absence a command explains itself."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An option or an argument: `info` is what `typer.Option` or `Argument` was told.

    `kind` is the type of one value; there are several where it `is_many`, and a number
    of flags where it `is_counted`. `is_required` has no default.
    """

    name: str
    kind: type
    info: Any
    default: Any = None
    choices: tuple[str, ...] = ()
    is_many: bool = False
    is_counted: bool = False
    is_option: bool = True
    is_required: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether help calls it required."""
        return self.is_required or self.info.show_default == NEEDED

    @property
    def opts(self) -> tuple[str, ...]:
        """How it is typed: `--games` and `-n`; nothing for an argument."""
        if not self.is_option:
            return ()
        return self._names or (f"--{self.key}",)

    @property
    def key(self) -> str:
        """The long name, by which files and variables call it: `fail-on`."""
        names = self._names or (self.name.replace("_", "-"),)
        return max(names, key=len).lstrip("-")

    @property
    def _names(self) -> tuple[str, ...]:
        """The names that are given; in annotations typer keeps the first apart."""
        first = self.info.default
        names = (first,) if isinstance(first, str) else ()
        return (*names, *(self.info.param_decls or ()))

    @property
    def variable(self) -> str:
        """The variable of the environment that stands for it."""
        return VARIABLE + self.key.replace("-", "_").upper()

    @property
    def is_flag(self) -> bool:
        """Whether it takes no value."""
        return self.is_option and (self.kind is bool or self.is_counted)

    @property
    def takes_paths(self) -> bool:
        """Whether it takes every path up to the next option."""
        return self.is_option and self.is_many and self.metavar == PATHS

    @property
    def metavar(self) -> str:
        """What help shows in place of a value."""
        shown = f"<{'|'.join(self.choices) or self.kind.__name__}>"
        plain = shown if self.is_option else self.name.upper()
        return self.info.metavar or ("" if self.is_flag else plain)

    @property
    def words(self) -> tuple[str, ...] | None:
        """The only words that it takes, before a colon where it may have a file."""
        if self.metavar == OUTPUT:
            return tuple(self.info.autocompletion())
        return self.choices or None

    def typed_as(self) -> tuple[str, ...]:
        """How messages call it."""
        return self.opts or (self.metavar,)

    def wrong(self, message: object) -> str:
        """What is wrong with a value of it, as a sentence."""
        name = " / ".join(quote(kind) for kind in self.typed_as())
        return f"Invalid value for {name}: {message}"

    def value(self, given: Any) -> Any:
        """What was typed, or written elsewhere, as a value of the command.

        Raises ValueError with what is allowed.
        """
        if self.is_many:
            return [self._one(value) for value in given]
        return self._one(given)

    def _one(self, given: Any) -> Any:
        if self.choices:
            if given not in self.choices:
                raise ValueError(f"{quote(str(given))}, choose {choice(self.choices)}")
            return given
        if self.kind is bool:
            return given if isinstance(given, bool) else _truth(given)
        if self.kind in (int, float):
            return self._number(given)
        return given if isinstance(given, self.kind) else self.kind(given)

    def _number(self, given: Any) -> int | float:
        try:
            number: int | float = self.kind(given)
        except ValueError:
            noun = "whole number" if self.kind is int else "number"
            raise ValueError(f"{quote(str(given))} is not a {noun}") from None
        low, high = self.info.min, self.info.max
        if not (low is None or number >= low) or not (high is None or number <= high):
            allowed = f"from {low}" if high is None else f"from {low} to {high}"
            raise ValueError(f"{number}, {allowed} allowed")
        return number

    def parameter(self) -> Parameter:
        """The parameter that typer parses: text, a list of texts, or a flag."""
        kind: Any = list[str] | None if self.is_many else str | None
        default: Any = None
        more: dict[str, Any] = {"autocompletion": self._completion()}
        if self.is_flag:
            kind, default = (int, 0) if self.is_counted else (bool, False)
            more = {"count": self.is_counted}
        declare: Callable[..., Any] = typer.Option
        if not self.is_option:
            declare = typer.Argument
        info = declare(*self.opts, metavar=self.metavar or None, **more)
        return Parameter(
            self.name,
            Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[kind, info],
        )

    def _completion(self) -> Callable[..., Any] | None:
        words = self.choices
        if not words:
            function: Callable[..., Any] | None = self.info.autocompletion
            return function

        def offered() -> list[str]:
            return [*words]

        return offered


class WrongValuesError(UsageError):
    """Values of the command line, the environment or a file that mean nothing."""


def settings_of(command: Callable[..., object]) -> tuple[Setting, ...]:
    """The options and arguments of a command, in the order of its parameters."""
    parameters = signature(command, eval_str=True).parameters.values()
    return tuple(
        _setting(parameter)
        for parameter in parameters
        if parameter.annotation is not typer.Context
    )


def _setting(parameter: Parameter) -> Setting:
    annotated, info = get_args(parameter.annotation)
    kinds = [annotated]
    if get_origin(annotated) in (Union, UnionType):
        kinds = [
            argument for argument in get_args(annotated) if argument is not NoneType
        ]
    (kind,) = kinds
    is_many = get_origin(kind) is list
    if is_many:
        (kind,) = get_args(kind)
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    is_required = parameter.default is Parameter.empty
    return Setting(
        name=parameter.name,
        kind=str if choices else kind,
        info=info,
        default=None if is_required else parameter.default,
        choices=choices,
        is_many=is_many,
        is_counted=bool(getattr(info, "count", False)),
        is_option=hasattr(info, "count"),
        is_required=is_required,
    )


def _truth(word: Any) -> bool:
    """A flag that comes from a variable of the environment."""
    text = str(word).strip().lower()
    if text in _YES or text in _NO:
        return text in _YES
    raise ValueError(f"{quote(str(word))}, choose `1` or `0`")


def values_of(
    settings: Sequence[Setting], given: dict[str, tuple[Any, str]]
) -> dict[str, Any]:
    """The values of all settings; what is not `given` has its default.

    `given` has what was typed or written, and where, in words. Raises WrongValuesError
    with everything that is wrong.
    """
    values, wrong = {}, []
    for setting in settings:
        if setting.name not in given:
            if setting.is_required:
                wrong.append(f"Missing argument {quote(setting.metavar)}")
            values[setting.name] = setting.default
            continue
        text, place = given[setting.name]
        try:
            values[setting.name] = setting.value(text)
        except ValueError as error:
            wrong.append(f"{setting.wrong(error)}{place}")
    if wrong:
        raise WrongValuesError("\n".join(wrong))
    return values


def path_of(value: object) -> Path | None:
    """A value as a path, for what is completed before values are converted."""
    return Path(value) if isinstance(value, str) else None
