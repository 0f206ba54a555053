"""The values of a command, from the command line, variables and files."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from deckcheck.cli.configuration import ListAllOptions, file_options, load_config
from deckcheck.cli.output import say, tell
from deckcheck.cli.settings import (
    OUTPUT_METAVAR,
    VARIABLE_PREFIX,
    CliOption,
    GivenValue,
    convert_values,
)
from deckcheck.findings import UsageError
from deckcheck.messages import nearest, printable, quote

if TYPE_CHECKING:
    from deckcheck.config import Configuration, ConfigValue

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
    typed = {}
    for name, value in raw.items():
        # typer gives empty values of flags, counts and lists that were not typed.
        if value not in (None, False, [], ()):
            typed[name] = value
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
    if config is not None and setting.key in config.options:
        entry = config.options[setting.key]
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
        message = f"warning: Variable {quote(name)} means nothing"
        if near:
            message += f", did you mean {quote(VARIABLE_PREFIX + near[0])}?"
        tell(message)


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
    if is_isolated:
        return None
    return load_config(file, list_all_options)


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
    if value is True:
        return [option]
    return [option, str(value)]


# `--show-settings`: every setting of a command, and where it comes from.

_NOT_SHOWN = frozenset({"config", "isolated", "show-settings"})


def show_settings(invocation: Invocation) -> None:
    """Print every setting as a file would write it, and where it comes from."""
    from deckcheck.decks.files import shown_path

    config = invocation.config
    files = () if config is None else config.files
    for file in files:
        say(f"# configuration {printable(shown_path(file))}")
    if not files:
        say("# no configuration")
    entries = {} if config is None else config.options
    for setting in invocation.settings:
        if setting.is_option and setting.key not in _NOT_SHOWN:
            say(_describe_setting(invocation, setting, entries.get(setting.key)))
    if config is None:
        return
    if config.default_format:
        say(_describe_entry("default-format", config.default_format))
    if config.formats:
        say("\n[formats]")
        for path, entry in config.formats.items():
            say(_describe_entry(_write_toml(shown_path(path)), entry))
    if config.severity:
        say("\n[severity]")
        for name, entry in config.severity.items():
            say(_describe_entry(name, entry))


def _describe_setting(
    invocation: Invocation, setting: CliOption, entry: ConfigValue | None
) -> str:
    key = setting.key
    value = invocation.values[setting.name]
    origin = invocation.origins.get(setting.name, DEFAULT)
    if origin == FILE and entry is not None:
        return _describe_entry(key, entry)
    if value is None and setting.is_many:
        value = []
    if value is None:
        return f"# {key} is not set"
    if origin == TYPED:
        origin = f"option --{key}"
    elif origin == ENVIRONMENT:
        origin = f"variable {setting.variable}"
    return f"{key} = {_write_toml(value)}  # {origin}"


def _describe_entry(key: str, entry: ConfigValue) -> str:
    return f"{key} = {_write_toml(entry.written)}  # {entry.place}"


def _write_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_write_toml(item) for item in value)}]"
    import json

    return json.dumps(str(value), ensure_ascii=False)
