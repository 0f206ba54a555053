"""Options as declared, and their values converted from words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import typer

from deckcheck.findings import UsageError
from deckcheck.messages import choice, list_first, quote

# Options and arguments declared once, as the parameters of a command.

OUTPUT_METAVAR = "FORMAT[:FILE]"
"""How help shows an option for outputs, which may go to files."""

PATHS_METAVAR = "PATH..."
"""How help shows an option that takes every path up to the next option."""

VARIABLE_PREFIX = "DECKCHECK_"
"""The prefix of variables for options."""

_TRUE_WORDS = ("1", "true", "yes", "on")
_FALSE_WORDS = ("0", "false", "no", "off")


EXPLAINED_IF_MISSING = "required"
"""The `show_default` of arguments whose absence a command explains itself."""


@dataclass(frozen=True, slots=True)
class CliOption:
    """An option or an argument."""

    name: str
    kind: type
    """The type of a single value."""
    info: Any
    """The declaration that `typer.Option` or `typer.Argument` made."""
    default: Any
    choices: tuple[str, ...]
    is_many: bool
    """Whether there are several values."""
    is_counted: bool
    """Whether it is a flag whose number counts."""
    is_option: bool
    is_required: bool
    """Whether it has no default."""

    @property
    def is_needed(self) -> bool:
        """Whether help calls it required."""
        return self.is_required or self.info.show_default == EXPLAINED_IF_MISSING

    @property
    def opts(self) -> tuple[str, ...]:
        """The ways to type it, such as `--games` and `-n`, or none for an argument."""
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
        """The given names. In annotations typer keeps the first apart."""
        names: tuple[str, ...] = tuple(self.info.param_decls or ())
        if isinstance(self.info.default, str):
            return (self.info.default, *names)
        return names

    @property
    def variable(self) -> str:
        """The variable of the environment for it."""
        return VARIABLE_PREFIX + self.key.replace("-", "_").upper()

    @property
    def is_flag(self) -> bool:
        """Whether it takes no value."""
        return self.is_option and (self.kind is bool or self.is_counted)

    @property
    def takes_paths(self) -> bool:
        """Whether it takes every path up to the next option."""
        return self.is_option and self.is_many and self.metavar == PATHS_METAVAR

    @property
    def metavar(self) -> str:
        """The placeholder of a value in help."""
        if self.info.metavar:
            return str(self.info.metavar)
        if self.is_flag:
            return ""
        if not self.is_option:
            return self.name.upper()
        return f"<{'|'.join(self.choices) or self.kind.__name__}>"

    @property
    def words(self) -> tuple[str, ...] | None:
        """The only words that it takes, before a colon where it may have a file."""
        if self.metavar == OUTPUT_METAVAR:
            return tuple(self.info.autocompletion())
        return self.choices or None

    def describe_fault(self, message: object) -> str:
        """Return a sentence about a wrong value."""
        name = " / ".join(map(quote, self.opts or (self.metavar,)))
        return f"Invalid value for {name}: {message}"

    def convert(self, given: Any) -> Any:
        """Return the value that the command takes for a text, a list or a flag.

        Raises ValueError with the allowed values.
        """
        if self.is_many:
            return [self._convert_one(value) for value in given]
        return self._convert_one(given)

    def _convert_one(self, given: Any) -> Any:
        if self.choices and given not in self.choices:
            raise ValueError(f"{quote(str(given))}, choose {choice(self.choices)}")
        if self.kind in (int, float):
            return self._convert_number(given)
        if isinstance(given, self.kind):
            return given
        if self.kind is bool:
            return _read_flag(given)
        return self.kind(given)

    def _convert_number(self, given: Any) -> int | float:
        try:
            number: int | float = self.kind(given)
        except ValueError:
            noun = "whole number" if self.kind is int else "number"
            raise ValueError(f"{quote(str(given))} is not a {noun}") from None
        low, high = self.info.min, self.info.max
        is_high_enough = low is None or number >= low
        is_low_enough = high is None or number <= high
        if is_high_enough and is_low_enough:
            return number
        if high is None:
            raise ValueError(f"{number}, from {low} allowed")
        raise ValueError(f"{number}, from {low} to {high} allowed")

    def make_parameter(self) -> Parameter:
        """Return the parameter that typer parses: text, a list of texts, or a flag."""
        kind: Any = str | None
        default: Any = None
        more: dict[str, Any] = {"autocompletion": self._find_completion()}
        if self.is_counted:
            kind, default, more = int, 0, {"count": True}
        elif self.is_flag:
            kind, default, more = bool, False, {"count": False}
        elif self.is_many:
            kind = list[str] | None
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

    def _find_completion(self) -> Callable[..., Any] | None:
        if self.choices:
            return lambda: list(self.choices)
        function: Callable[..., Any] | None = self.info.autocompletion
        return function


class WrongValuesError(UsageError):
    """Values of the command line, the environment or a file that mean nothing."""


def read_settings(command: Callable[..., object]) -> tuple[CliOption, ...]:
    """Return the options and arguments of a command, in the order of its parameters."""
    parameters = signature(command, eval_str=True).parameters.values()
    settings = []
    for parameter in parameters:
        if parameter.annotation is not typer.Context:
            settings.append(_make_option(parameter))
    return tuple(settings)


def _make_option(parameter: Parameter) -> CliOption:
    kind, info = get_args(parameter.annotation)
    if get_origin(kind) in (Union, UnionType):
        (kind,) = set(get_args(kind)) - {NoneType}
    is_many = get_origin(kind) is list
    if is_many:
        (kind,) = get_args(kind)
    choices = ()
    if get_origin(kind) is Literal:
        choices, kind = get_args(kind), str
    is_required = parameter.default is Parameter.empty
    return CliOption(
        name=parameter.name,
        kind=kind,
        info=info,
        default=None if is_required else parameter.default,
        choices=choices,
        is_many=is_many,
        is_counted=bool(getattr(info, "count", False)),
        is_option=hasattr(info, "count"),
        is_required=is_required,
    )


def _read_flag(word: Any) -> bool:
    """Return the flag that a variable of the environment means."""
    text = str(word).strip().lower()
    if text in _TRUE_WORDS or text in _FALSE_WORDS:
        return text in _TRUE_WORDS
    raise ValueError(f"{quote(str(word))}, choose `1` or `0`")


class GivenValue(NamedTuple):
    """A value that is not the default of its setting."""

    value: Any
    origin: str
    """Where it is from: the command line, the environment or a file."""
    place: str = ""
    """The end of an error about it, such as `, in deckcheck.toml:2`."""


def convert_values(
    settings: Sequence[CliOption], given: Mapping[str, GivenValue]
) -> dict[str, Any]:
    """Return the values of all settings, with defaults for settings not `given`.

    Raises WrongValuesError with all errors.
    """
    values = {}
    faults = []
    for setting in settings:
        if setting.name not in given:
            if setting.is_required:
                faults.append(f"Missing argument {quote(setting.metavar)}")
            values[setting.name] = setting.default
            continue
        value = given[setting.name]
        try:
            values[setting.name] = setting.convert(value.value)
        except ValueError as error:
            faults.append(f"{setting.describe_fault(error)}{value.place}")
    if faults:
        raise WrongValuesError("\n".join(faults))
    return values


# Options that take every path up to the next option, as a shell's `*` lists them.

MAX_LISTED_PATHS = 3


def spell_out(words: Sequence[str], settings: Sequence[CliOption]) -> Iterator[str]:
    """Yield the words of a command with its option before each path of the option.

    `--against=PATH` names that path alone, and after `--` nothing is an option.
    """
    options: set[str] = set()
    for setting in settings:
        if setting.takes_paths:
            options.update(setting.opts)
    option = None  # the option whose paths are read
    is_bare = False  # whether it had no path yet
    for index, word in enumerate(words):
        is_option = word.startswith("-") and word != "-"
        if option is not None and is_bare and is_option:
            yield option
        if word == "--":
            yield from words[index:]
            return
        if word in options:
            option, is_bare = word, True
        elif is_option:
            option = None
            yield word
        elif option is not None:
            is_bare = False
            yield option
            yield word
        else:
            yield word
    if option is not None and is_bare:
        yield option


def nothing_named(noun: str, help: str, field: Sequence[str] | None) -> UsageError:
    """Return the error for a command without its `noun`, such as a deck.

    The paths of `field` are named, since `--against` may have taken the deck, too.
    """
    message = f"No {noun} given"
    if not field:
        return UsageError(message, help)
    shown = list_first(field, MAX_LISTED_PATHS)
    return UsageError(
        f"{message}: `--against` takes every path up to the next option, here {shown}",
        f"{help} before `--against`",
    )


Color = Annotated[
    Literal["auto", "always", "never"], typer.Option(help="When to use colours.")
]
