"""The values of a command: from the command line, variables and files."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from deckcheck.cli.configuration import ListAllOptions, file_options, load_config
from deckcheck.cli.output import tell
from deckcheck.cli.settings import (
    OUTPUT_METAVAR,
    VARIABLE_PREFIX,
    CliOption,
    GivenValue,
    convert_values,
)
from deckcheck.findings import UsageError
from deckcheck.messages import nearest, quote

if TYPE_CHECKING:
    from deckcheck.config import Configuration

# The origins of values

TYPED = "command line"
ENVIRONMENT = "environment"
FILE = "file"
DEFAULT = "default"


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
        """Return the first typed setting of these names, or None."""
        for setting in self.settings:
            if setting.name in names and self.is_typed(setting.name):
                return setting
        return None

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


def resolve_values(
    command: str,
    settings: tuple[CliOption, ...],
    raw: Mapping[str, Any],
    list_all_options: ListAllOptions,
) -> Invocation:
    """Return the value of each setting: typed, of a variable, a file, or the default.

    `raw` has the texts that typer parsed. Raises UsageError with all errors, and for a
    configuration that cannot be read.
    """
    # typer gives flags, counts and lists where nothing was typed, too.
    typed = {n: value for n, value in raw.items() if value not in (None, False, [], ())}
    _warn_about_variables(settings, list_all_options)
    config = _read_config(settings, typed, list_all_options)
    given: dict[str, GivenValue] = {}
    for setting in settings:
        found = _find_value(setting, typed, config, list_all_options)
        if found is not None:
            given[setting.name] = found
    values = convert_values(settings, given)
    origins = {name: found.origin for name, found in given.items()}
    return Invocation(command, settings, values, origins, config)


def _find_value(
    setting: CliOption,
    typed: Mapping[str, Any],
    config: Configuration | None,
    list_all_options: ListAllOptions,
) -> GivenValue | None:
    """Return the value of a setting from its first origin, or None for the default."""
    if setting.name in typed:
        return GivenValue(typed[setting.name], TYPED)
    if not setting.is_option:
        return None
    text = os.environ.get(setting.variable)
    if text:
        value = _select_usable(setting, text, list_all_options)
        if value is not None:
            place = f", in the variable {setting.variable}"
            return GivenValue(value, ENVIRONMENT, place)
    entry = config.options.get(setting.key) if config else None
    if entry is not None:
        value = _select_usable(setting, entry.value, list_all_options)
        if value is not None:
            return GivenValue(value, FILE, f", in {entry.place}")
    return None


def _select_usable(
    setting: CliOption, value: Any, list_all_options: ListAllOptions
) -> Any:
    """Return the part of a value that an option can use, or None if it can use none.

    Words that another command has for its option of that name are left out: `sarif` is
    an output of `validate` and not of `cards`. With a word that no command has the
    whole value is returned, and is an error later.
    """
    if setting.is_many and isinstance(value, str):
        value = _split(value)
    if setting.words is None:
        return value
    has_files = setting.metavar == OUTPUT_METAVAR
    usable, unusable = [], []
    for word in _split(value) if isinstance(value, str) else value:
        name = word.partition(":")[0] if has_files else word
        if name in setting.words:
            usable.append(word)
        else:
            unusable.append(word)
    if unusable:
        option = file_options(list_all_options()).get(setting.key)
        names = [word.partition(":")[0] for word in unusable]
        if option is None or not all(map(option.allows, names)):
            return value
    if not usable:
        return None
    return usable if setting.is_many else usable[-1]


def _split(value: str) -> list[str]:
    """Split the value of an option with several values at each `;`."""
    return [word.strip() for word in value.split(";") if word.strip()]


def _warn_about_variables(
    settings: Sequence[CliOption], list_all_options: ListAllOptions
) -> None:
    """Warn about variables without an option of any command."""
    named = [name for name in os.environ if name.startswith(VARIABLE_PREFIX)]
    known = {setting.variable for setting in settings if setting.is_option}
    if known.issuperset(named):
        return
    variables = sorted({setting.variable for setting in list_all_options()})
    for name in sorted(set(named).difference(variables)):
        # The common prefix makes no variable more likely.
        words = [variable.removeprefix(VARIABLE_PREFIX) for variable in variables]
        near = nearest(name.removeprefix(VARIABLE_PREFIX), words)
        help = f", did you mean {quote(VARIABLE_PREFIX + near[0])}?" if near else ""
        tell(f"warning: Variable {quote(name)} means nothing{help}")


def _read_config(
    settings: Sequence[CliOption],
    typed: Mapping[str, Any],
    list_all_options: ListAllOptions,
) -> Configuration | None:
    """Return the configuration according to `--config` and `--isolated`.

    Raises UsageError for both at once, and for a file that cannot be read.
    """
    by_name = {setting.name: setting for setting in settings}
    given = {}
    for name in ("config", "isolated"):
        found = _find_value(by_name[name], typed, None, list_all_options)
        if found is not None:
            given[name] = found
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
    return None if is_isolated else load_config(file, list_all_options)


def _write_option(setting: CliOption, value: Any) -> list[str]:
    """Return an option as typed: a flag, a counted flag, or values."""
    option = max(setting.opts, key=len)
    if isinstance(value, list):
        words = []
        for element in value:
            words += [option, str(element)]
        return words
    if setting.is_counted:
        return [option] * int(value)
    return [option] if value is True else [option, str(value)]
