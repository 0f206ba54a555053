"""Options as declared, and their values from words, variables and files."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeAlias,
    Union,
    get_args,
    get_origin,
)

import typer

from deckcheck.cli.output import Output, say, tell
from deckcheck.files import file_fault, list_read_files, relative_path
from deckcheck.findings import UsageError
from deckcheck.messages import choice, list_first, nearest, quote

if TYPE_CHECKING:
    from deckcheck.config import Configuration, Option


# Options and arguments declared once, as the parameters of a command


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
    default: Any = None
    choices: tuple[str, ...] = ()
    is_many: bool = False
    """Whether there are several values."""
    is_counted: bool = False
    """Whether it is a flag whose number counts."""
    is_option: bool = True
    is_required: bool = False
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
        first = self.info.default
        names = (first,) if isinstance(first, str) else ()
        return (*names, *(self.info.param_decls or ()))

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
        shown = f"<{'|'.join(self.choices) or self.kind.__name__}>"
        plain = shown if self.is_option else self.name.upper()
        return self.info.metavar or ("" if self.is_flag else plain)

    @property
    def words(self) -> tuple[str, ...] | None:
        """The only words that it takes, before a colon where it may have a file."""
        if self.metavar == OUTPUT_METAVAR:
            return tuple(self.info.autocompletion())
        return self.choices or None

    def wrong(self, message: object) -> str:
        """Return a sentence about a wrong value."""
        name = " / ".join(map(quote, self.opts or (self.metavar,)))
        return f"Invalid value for {name}: {message}"

    def value(self, given: Any) -> Any:
        """Return a value of the command for a value from anywhere.

        Raises ValueError with the allowed values.
        """
        if self.is_many:
            return [self._convert_one(value) for value in given]
        return self._convert_one(given)

    def _convert_one(self, given: Any) -> Any:
        if self.choices:
            if given not in self.choices:
                raise ValueError(f"{quote(str(given))}, choose {choice(self.choices)}")
            return given
        if self.kind is bool:
            return given if isinstance(given, bool) else _read_flag(given)
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
        """Return the parameter that typer parses: text, a list of texts, or a flag."""
        kind: Any = list[str] | None if self.is_many else str | None
        default: Any = None
        more: dict[str, Any] = {"autocompletion": self._find_completion()}
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

    def _find_completion(self) -> Callable[..., Any] | None:
        function: Callable[..., Any] | None = self.info.autocompletion
        return (lambda: [*self.choices]) if self.choices else function


class WrongValuesError(UsageError):
    """Values of the command line, the environment or a file that mean nothing."""


def read_settings(command: Callable[..., object]) -> tuple[CliOption, ...]:
    """Return the options and arguments of a command, in the order of its parameters."""
    parameters = signature(command, eval_str=True).parameters.values()
    return tuple(
        _make_option(parameter)
        for parameter in parameters
        if parameter.annotation is not typer.Context
    )


def _make_option(parameter: Parameter) -> CliOption:
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
    return CliOption(
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


def _read_flag(word: Any) -> bool:
    """Return the flag that a variable of the environment means."""
    text = str(word).strip().lower()
    if text in _TRUE_WORDS or text in _FALSE_WORDS:
        return text in _TRUE_WORDS
    raise ValueError(f"{quote(str(word))}, choose `1` or `0`")


def convert_values(
    settings: Sequence[CliOption], given: dict[str, tuple[Any, str]]
) -> dict[str, Any]:
    """Return the values of all settings, with defaults for settings not `given`.

    `given` has the values with their places in words. Raises WrongValuesError with all
    errors.
    """
    values = {}
    wrong = []
    for setting in settings:
        if setting.name not in given:
            if setting.is_required:
                wrong.append(f"Missing argument {quote(setting.metavar)}")
            values[setting.name] = setting.default
            continue
        text, origin = given[setting.name]
        try:
            values[setting.name] = setting.value(text)
        except ValueError as error:
            wrong.append(f"{setting.wrong(error)}{origin}")
    if wrong:
        raise WrongValuesError("\n".join(wrong))
    return values


# Options that take every path up to the next option, as a shell's `*` lists them


MAX_SHOWN = 3


def spell_out(words: Sequence[str], settings: Sequence[CliOption]) -> Iterator[str]:
    """Yield the words of a command with its option before each path of the option.

    `--against=PATH` names that path alone, and after `--` nothing is an option.
    """
    options = {name for s in settings if s.takes_paths for name in s.opts}
    option, is_bare = None, False
    for index, word in enumerate(words):
        if word in options:
            if option is not None and is_bare:
                yield option
            option, is_bare = word, True
        elif word.startswith("-") and word != "-":
            if option is not None and is_bare:
                yield option
            if word == "--":
                yield from words[index:]
                return
            option = None
            yield word
        elif option is not None:
            yield from (option, word)
            is_bare = False
        else:
            yield word
    if option is not None and is_bare:
        yield option


def nothing_named(noun: str, help: str, field: Sequence[str] | None) -> UsageError:
    """Return the error for a command without its `noun`, perhaps after `--against`."""
    message = f"No {noun} given"
    if not field:
        return UsageError(message, help)
    shown = list_first(field, MAX_SHOWN)
    return UsageError(
        f"{message}: `--against` takes every path up to the next option, here {shown}",
        f"{help} before `--against`",
    )


# Finds the configuration file of a folder


PYPROJECT = "pyproject.toml"
_CONFIG_FILES = ("deckcheck.toml", ".deckcheck.toml")


def find_config(folder: str) -> Path | None:
    """Return the nearest configuration, in `folder` or above, or None.

    In a folder `deckcheck.toml` has priority over `.deckcheck.toml`, and both over a
    `pyproject.toml` with a table `[tool.deckcheck]`. Raises UsageError if it cannot be
    read, for example a broken link, because its content might decide the verdict.
    """
    while True:
        for name in _CONFIG_FILES:
            file = os.path.join(folder, name)
            if _is_there(file):
                return Path(file)
        file = os.path.join(folder, PYPROJECT)
        if _is_there(file) and _has_table(file):
            return Path(file)
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _is_there(file: str) -> bool:
    """Report whether a configuration exists. A folder of the name does not count."""
    if not os.path.lexists(file) or (os.path.isdir(file) and not os.path.islink(file)):
        return False
    fault = file_fault(file)
    if fault is None and not os.access(file, os.R_OK):
        fault = "cannot be read: permission denied"
    if fault is not None:
        is_link = os.path.islink(file)
        reason = f"is a link that leads nowhere, or {fault}" if is_link else fault
        message = f"Configuration {quote(relative_path(file))} {reason}"
        raise UsageError(message, "Correct or remove it, or pass `--isolated`")
    return True


def _has_table(file: str) -> bool:
    """Report whether a `pyproject.toml` is about deckcheck. Most are not."""
    with open(file, "rb") as stream:
        content = stream.read()
    if b"deckcheck" not in content:
        return False
    import tomllib

    try:
        data = tomllib.loads(content.decode())
    except (ValueError, RecursionError):
        # A broken file may belong to another program, which will report it.
        return b"[tool.deckcheck" in content
    tool = data.get("tool")
    return isinstance(tool, dict) and "deckcheck" in tool


# The files of a checkout that would have judged, had they been asked


MAX_NAMED_SETTINGS = 5


def tell_ignored(
    checkout: Path | None, outputs: Sequence[Output[Any]], card_dbs: Iterable[Path]
) -> None:
    """Warn of files in `checkout` that differ although judging lists ignores them."""
    if checkout is None:
        return
    names = list_read_files()
    added = [*_list_card_files(checkout, card_dbs)]
    ignored = find_config(str(checkout))
    if ignored is not None and ignored.parent == checkout:
        added.append(ignored)
    names |= {relative_path(file, checkout) for file in added}
    differing = [
        name
        for name in sorted(names)
        if not Path(name).absolute().is_relative_to(checkout.absolute())
        and _read_content(Path(name)) != _read_content(checkout / name)
    ]
    if not differing:
        return
    shown = list_first(differing, MAX_NAMED_SETTINGS)
    verb = "differs" if len(differing) == 1 else "differ"
    message = f"{shown} {verb} in the checkout, which does not count: lists are judged"
    message += " by the files that are already there"
    if any(output.name == "github" and output.file is None for output in outputs):
        say(f"::warning title=Changes of the judge::{message.replace('%', '%25')}")
    else:
        tell(f"warning: {message}")


def _list_card_files(checkout: Path, card_dbs: Iterable[Path]) -> Iterator[Path]:
    """Yield the files of a checkout in folders of card databases."""
    for folder in card_dbs:
        yield from (checkout / relative_path(folder)).rglob("*.yaml")


def _read_content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


# A call of a command: the value and the origin of each setting


Every: TypeAlias = Callable[[], list[CliOption]]
"""Imports all commands for their options, which takes a while."""

TYPED = "command line"
ENVIRONMENT = "environment"
FILE = "file"
DEFAULT = "default"

# Options of a single run, which a project cannot prescribe.
NOT_IN_FILES = frozenset(
    """
    config isolated show-settings help watch check checkout write-baseline diff
    files-from show-files stdin-filename force for format from history
    new-format to letters matchups output pairings sheets table against
    every-policy gauntlet plan scheduler game-number games-table margin moves
    pairing side losses sample adaptive alpha beta elo sprt until-width reseal
    reveal run salts seal shard verdicts verify verify-list ability at-least
    faction group kind row strength changes change-leader cross-check
    cross-check-games deck keep bound card decks hand mine redraws rounds start
    hands with
    """.split()
)


@dataclass(frozen=True, slots=True)
class Invocation:
    """The values of a command by the names of its parameters, with their origins."""

    command: str
    settings: tuple[CliOption, ...]
    values: Mapping[str, Any]
    origins: Mapping[str, str]
    config: Configuration | None

    def typed_again(self, names: Collection[str] | None = None) -> list[str]:
        """Return the options of these names, or all options, as typed."""
        words = []
        for setting in self.settings:
            is_meant = names is None or setting.name in names
            if setting.is_option and is_meant and self.is_typed(setting.name):
                words += _write_option(setting, self.values[setting.name])
        return words

    def command_again(self, *arguments: str) -> str:
        """Return the typed command with its options and these arguments."""
        return shlex.join(["deckcheck", self.command, *arguments, *self.typed_again()])

    def find_typed(self, names: Collection[str]) -> CliOption | None:
        """Return the first typed setting of these names."""
        typed = (s for s in self.settings if s.name in names and self.is_typed(s.name))
        return next(typed, None)

    def is_typed(self, name: str) -> bool:
        """Report whether a setting was given on the command line."""
        return self.origins.get(name) == TYPED


def invocation_of(ctx: typer.Context) -> Invocation:
    """Return the invocation of the running command."""
    assert isinstance(ctx.obj, Invocation)
    return ctx.obj


def config_of(ctx: typer.Context) -> Configuration | None:
    """Return the configuration of the running command, or None without a file."""
    return invocation_of(ctx).config


def invoke(
    command: str,
    settings: tuple[CliOption, ...],
    raw: Mapping[str, Any],
    every: Every,
) -> Invocation:
    """Find the value of each setting. `raw` has the texts that typer parsed.

    `every` imports all commands and returns their options. Raises UsageError with all
    errors, and for a configuration that cannot be read.
    """
    # typer gives flags, counts and lists where nothing was typed, too.
    typed = {n: value for n, value in raw.items() if value not in (None, False, [], ())}
    _warn_about_variables(settings, every)
    config = _read_config(settings, typed, every)
    given: dict[str, tuple[Any, str]] = {}
    origins: dict[str, str] = {}
    for setting in settings:
        found = _find_value(setting, typed, config, every)
        if found is not None:
            value, origins[setting.name], origin = found
            given[setting.name] = value, origin
    values = convert_values(settings, given)
    return Invocation(command, settings, values, origins, config)


def _find_value(
    setting: CliOption,
    typed: Mapping[str, Any],
    config: Configuration | None,
    every: Every,
) -> tuple[Any, str, str] | None:
    """Return the value of a setting, its origin, and its place in words, if given."""
    if setting.name in typed:
        return typed[setting.name], TYPED, ""
    if not setting.is_option:
        return None
    value = _select_usable(setting, os.environ.get(setting.variable) or None, every)
    if value is not None:
        return value, ENVIRONMENT, f", in the variable {setting.variable}"
    entry = config.options.get(setting.key) if config else None
    if entry is not None:
        value = _select_usable(setting, entry.value, every)
        if value is not None:
            return value, FILE, f", in {entry.place}"
    return None


def _select_usable(setting: CliOption, value: Any, every: Every) -> Any:
    """Return the part of a value for all commands that an option can use.

    Words that another command has for its option of that name are left out: `sarif` is
    an output of `validate` and not of `cards`. A word that no command has stays, and is
    an error later.
    """
    if value is None:
        return None
    if setting.is_many and isinstance(value, str):
        value = _split(value)
    allowed = setting.words
    if allowed is None:
        return value
    given = _split(value) if isinstance(value, str) else list(value)
    has_files = setting.metavar == OUTPUT_METAVAR
    words = [v for v in given if (v.partition(":")[0] if has_files else v) in allowed]
    if len(words) < len(given):
        option = file_options(every()).get(setting.key)
        names = [value.partition(":")[0] for value in given]
        if option is None or not all(map(option.allows, names)):
            return value
    if not words:
        return None
    return words if setting.is_many else words[-1]


def _split(value: str) -> list[str]:
    """Split the value of an option with several values at each `;`."""
    return [word.strip() for word in value.split(";") if word.strip()]


def file_options(every: Iterable[CliOption]) -> dict[str, Option]:
    """Return the options that a file may set, by key.

    `every` has the options of all commands.
    """
    from deckcheck.cards.storage import BUILT_IN
    from deckcheck.config import Option
    from deckcheck.formats.adhoc import check_rule

    by_key: dict[str, list[CliOption]] = {}
    for setting in every:
        if setting.key not in NOT_IN_FILES:
            by_key.setdefault(setting.key, []).append(setting)
    # A file may set everything that any command takes, and each command uses its part.
    options = {}
    for key, same in by_key.items():
        lows = [0 if setting.is_counted else setting.info.min for setting in same]
        highs = [setting.info.max for setting in same]
        options[key] = Option(
            key=key,
            kind=same[0].kind,
            is_many=any(setting.is_many for setting in same),
            is_pattern=key == "exclude",
            words=tuple(
                partial(_list_words, setting)
                for setting in same
                if setting.metavar == OUTPUT_METAVAR or setting.choices
            ),
            has_files=any(setting.metavar == OUTPUT_METAVAR for setting in same),
            names=(BUILT_IN,) if key == "card-db" else (),
            help=same[0].info.help or "",
            least=None if None in lows else min(lows),
            most=None if None in highs else max(highs),
            check=check_rule if key == "rule" else None,
        )
    return options


def _list_words(setting: CliOption) -> Sequence[str]:
    return setting.words or ()


def _warn_about_variables(settings: Sequence[CliOption], every: Every) -> None:
    """Warn about variables without an option of any command."""
    named = [name for name in os.environ if name.startswith(VARIABLE_PREFIX)]
    known = {setting.variable for setting in settings if setting.is_option}
    if known.issuperset(named):
        return
    variables = sorted({setting.variable for setting in every()})
    for name in sorted(set(named).difference(variables)):
        # The common prefix makes no variable more likely.
        words = [variable.removeprefix(VARIABLE_PREFIX) for variable in variables]
        near = nearest(name.removeprefix(VARIABLE_PREFIX), words)
        help = f", did you mean {quote(VARIABLE_PREFIX + near[0])}?" if near else ""
        tell(f"warning: Variable {quote(name)} means nothing{help}")


def _read_config(
    settings: Sequence[CliOption], typed: Mapping[str, Any], every: Every
) -> Configuration | None:
    """Return the configuration according to `--config` and `--isolated`."""
    by_name = {setting.name: setting for setting in settings}
    given = {}
    for name in ("config", "isolated"):
        found = _find_value(by_name[name], typed, None, every)
        if found is not None:
            value, _, origin = found
            given[name] = value, origin
    values = convert_values([by_name["config"], by_name["isolated"]], given)
    file = values["config"]
    is_isolated = values["isolated"]
    if is_isolated and file is not None:
        # The command line wins over the environment.
        named = [name for name in ("config", "isolated") if name in typed]
        if len(named) != 1:
            message = "`--isolated` and `--config` cannot be used together"
            raise UsageError(message, "Give either")
        is_isolated = named == ["isolated"]
    return None if is_isolated else _load(file, every)


def _load(given: Path | None, every: Every) -> Configuration | None:
    if given is not None and not os.path.exists(given):
        from deckcheck.decks.files import missing

        raise missing(given, "configuration")
    fault = None if given is None else file_fault(given)
    if fault is not None:
        raise UsageError(f"Configuration {quote(str(given))} {fault}")
    file = given or find_config(os.getcwd())
    if file is None:
        return None
    from deckcheck.config import load_settings

    return load_settings(file, list(file_options(every()).values()))


def _write_option(setting: CliOption, value: Any) -> list[str]:
    """Return an option as typed: a flag, a counted flag, or values."""
    option = max(setting.opts, key=len)
    if isinstance(value, list):
        return [word for element in value for word in (option, str(element))]
    if setting.is_counted:
        return [option] * int(value)
    return [option] if value is True else [option, str(value)]


Color = Annotated[
    Literal["auto", "always", "never"], typer.Option(help="When to use colours.")
]
