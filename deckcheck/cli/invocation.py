"""One call of a command: the value of each setting, and where it comes from.

Whatever the command line does not give comes from `DECKCHECK_...` in the environment,
else from the configuration file, else it is the default.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import typer

from deckcheck.cli.declared import OUTPUT, VARIABLE, Setting, values_of
from deckcheck.cli.printing import tell
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import file_fault
from deckcheck.findings.words import nearest, quote

if TYPE_CHECKING:
    from deckcheck.config.option import Option
    from deckcheck.config.settings import Settings

Every: TypeAlias = Callable[[], list[Setting]]
"""Imports all commands, for their options; it takes a while."""

TYPED, ENVIRONMENT, FILE, DEFAULT = "command line", "environment", "file", "default"

# What says how to run once, not how a project wants its decks treated.
NOT_IN_FILES = frozenset(
    (
        *("config", "isolated", "show-settings", "help", "watch"),
        *("check", "diff", "files-from", "show-files", "stdin-filename", "force"),
        *(
            "for",
            "format",
            "from",
            "history",
            "new-format",
            "to",
            "letters",
            "matchups",
            "output",
            "sheets",
        ),
        *("against", "every-policy", "gauntlet", "plan", "scheduler"),
        *("game-number", "games-table", "margin", "moves", "pairing", "side"),
        *("losses", "sample"),
        *("adaptive", "alpha", "beta", "elo", "sprt", "until-width"),
        *("reseal", "reveal", "run", "salts", "seal", "shard", "verify"),
        *("ability", "at-least", "faction", "group", "kind", "row", "strength"),
        *("changes", "change-leader", "confirm", "confirm-games", "deck", "keep"),
        *("bound", "decks", "hand", "redraws", "rounds", "start"),
    )
)


@dataclass(frozen=True, slots=True)
class Invocation:
    """The values of a command by the names of its parameters, with their origins."""

    command: str
    settings: tuple[Setting, ...]
    values: Mapping[str, Any]
    origins: Mapping[str, str]
    config: Settings | None

    def typed_again(self, names: Collection[str] | None = None) -> list[str]:
        """The options of these names, or all, that were typed, as they were typed."""
        words = []
        for setting in self.settings:
            is_meant = names is None or setting.name in names
            if setting.is_option and is_meant and self.is_typed(setting.name):
                words += _typed(setting, self.values[setting.name])
        return words

    def command_again(self, *arguments: str) -> str:
        """The command that was typed, with its options and these arguments."""
        return shlex.join(["deckcheck", self.command, *arguments, *self.typed_again()])

    def is_typed(self, name: str) -> bool:
        """Whether a setting was given on the command line."""
        return self.origins.get(name) == TYPED


def invocation_of(ctx: typer.Context) -> Invocation:
    """The call of the command that runs."""
    assert isinstance(ctx.obj, Invocation)
    return ctx.obj


def config_of(ctx: typer.Context) -> Settings | None:
    """The configuration of the command that runs, None without a file."""
    return invocation_of(ctx).config


def invoke(
    command: str,
    settings: tuple[Setting, ...],
    raw: Mapping[str, Any],
    every: Every,
) -> Invocation:
    """Find the value of each setting; `raw` has the texts that typer parsed.

    `every` imports all commands and has their options. Raises UsageError with
    everything that is wrong, and for a configuration that cannot be read.
    """
    typed = {name: value for name, value in raw.items() if _is_given(value)}
    _warn_of_variables(settings, every)
    config = _config(settings, typed, every)
    given: dict[str, tuple[Any, str]] = {}
    origins: dict[str, str] = {}
    for setting in settings:
        read_value = _given(setting, typed, config, every)
        if read_value is not None:
            value, origins[setting.name], place = read_value
            given[setting.name] = value, place
    return Invocation(command, settings, values_of(settings, given), origins, config)


def _is_given(value: object) -> bool:
    """Whether typer found something: it gives flags, counts and lists if not, too."""
    return value is not None and value is not False and value not in (0, [], ())


def _given(
    setting: Setting, typed: Mapping[str, Any], config: Settings | None, every: Every
) -> tuple[Any, str, str] | None:
    """What is given for a setting: the value, its origin, and the place in words."""
    if setting.name in typed:
        return typed[setting.name], TYPED, ""
    if not setting.is_option:
        return None
    value = _usable(setting, _from_environment(setting), every)
    if value is not None:
        return value, ENVIRONMENT, f", in the variable {setting.variable}"
    entry = config.options.get(setting.key) if config else None
    if entry is not None:
        value = _usable(setting, entry.value, every)
        if value is not None:
            return value, FILE, f", in {entry.place}"
    return None


def _from_environment(setting: Setting) -> Any:
    text = os.environ.get(setting.variable)
    if not text:
        return None
    return _split(text) if setting.is_many else text


def _usable(setting: Setting, value: Any, every: Every) -> Any:
    """What an option can use of a value that is meant for all commands.

    Words that another command has for its option of that name are left out: `sarif` is
    an output of `validate` and none of `cards`. A word that none has stays, and is an
    error later.
    """
    if value is None:
        return None
    if setting.is_many and isinstance(value, str):
        value = _split(value)
    words = setting.words
    if words is None:
        return value
    given = _split(value) if isinstance(value, str) else list(value)
    has_files = setting.metavar == OUTPUT
    own = [value for value in given if _name(value, has_files) in words]
    if len(own) < len(given):
        option = file_options(every())[setting.key]
        if not all(option.allows(value.partition(":")[0]) for value in given):
            return value
    return (own or None) if setting.is_many else (own[-1] if own else None)


def _name(word: str, has_files: bool) -> str:
    return word.partition(":")[0] if has_files else word


def _split(value: str) -> list[str]:
    """The values of an option that can be given several times: `drafts; old/*`."""
    return [word.strip() for word in value.split(";") if word.strip()]


def file_options(every: Iterable[Setting]) -> dict[str, Option]:
    """The options that a file may set, by key; `every` has those of all commands."""
    from deckcheck.cards.root import BUILT_IN
    from deckcheck.config.option import Option
    from deckcheck.formats.adhoc import check_rule

    options: dict[str, Option] = {}
    for setting in every:
        key = setting.key
        if key in NOT_IN_FILES:
            continue
        has_words = setting.metavar == OUTPUT or bool(setting.choices)
        option = Option(
            key=key,
            kind=setting.kind,
            is_many=setting.is_many,
            is_pattern=key == "exclude",
            words=(partial(_words, setting),) if has_words else (),
            has_files=setting.metavar == OUTPUT,
            names=(BUILT_IN,) if key == "card-db" else (),
            help=setting.info.help or "",
            least=setting.info.min if not setting.is_counted else 0,
            most=setting.info.max,
            check=check_rule if key == "rule" else None,
        )
        options[key] = options[key].joined(option) if key in options else option
    return options


def _words(setting: Setting) -> Sequence[str]:
    return setting.words or ()


def _warn_of_variables(settings: Sequence[Setting], every: Every) -> None:
    """Say which variables stand for no option of any command."""
    named = [name for name in os.environ if name.startswith(VARIABLE)]
    if {setting.variable for setting in settings if setting.is_option}.issuperset(
        named
    ):
        return
    variables = sorted({setting.variable for setting in every()})
    for name in sorted(set(named).difference(variables)):
        # What all variables begin with makes none of them more likely.
        words = [variable.removeprefix(VARIABLE) for variable in variables]
        near = nearest(name.removeprefix(VARIABLE), words)
        help = f", did you mean {quote(VARIABLE + near[0])}?" if near else ""
        tell(f"warning: Variable {quote(name)} means nothing{help}")


def _config(
    settings: Sequence[Setting], typed: Mapping[str, Any], every: Every
) -> Settings | None:
    """The configuration that `--config` and `--isolated` leave."""
    own = {setting.name: setting for setting in settings}
    given = {}
    for name in ("config", "isolated"):
        read_value = _given(own[name], typed, None, every)
        if read_value is not None:
            value, _, place = read_value
            given[name] = value, place
    values = values_of([own["config"], own["isolated"]], given)
    file, is_isolated = values["config"], values["isolated"]
    if is_isolated and file is not None:
        # What is typed wins over the environment.
        named = [name for name in ("config", "isolated") if name in typed]
        if len(named) != 1:
            message = "`--isolated` and `--config` cannot be used together"
            raise UsageError(message, "Give one of the two")
        is_isolated = named == ["isolated"]
    return None if is_isolated else _load(file, every)


def _load(given: Path | None, every: Every) -> Settings | None:
    from deckcheck.config.discovery import find_config

    if given is not None and not os.path.exists(given):
        from deckcheck.decks.discovery import missing

        raise missing(given, "configuration")
    fault = None if given is None else file_fault(given)
    if fault is not None:
        raise UsageError(f"Configuration {quote(str(given))} {fault}")
    file = given or find_config(os.getcwd())
    if file is None:
        return None
    from deckcheck.config.settings import load_settings

    return load_settings(file, list(file_options(every()).values()))


def _typed(setting: Setting, value: Any) -> list[str]:
    """An option as it was typed: a flag, one that is counted, or one with values."""
    option = max(setting.opts, key=len)
    if isinstance(value, list):
        return [word for element in value for word in (option, str(element))]
    if setting.is_counted:
        return [option] * int(value)
    return [option] if value is True else [option, str(value)]
