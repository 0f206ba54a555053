"""Options of a command from variables and from the configuration file.

Whatever the command line does not give comes from `DECKCHECK_...` in the environment,
else from the file, else it is the default.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from deckcheck.cli.printing import say
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import quote

if TYPE_CHECKING:
    from deckcheck.config.option import Option
    from deckcheck.config.settings import Entry, Settings

__all__ = ["configure", "file_options", "settings_of", "show_settings"]

# What says how to run once, not how a project wants its decks checked.
_NOT_IN_FILES = {
    "config",
    "files_from",
    "format",
    "help",
    "isolated",
    "paths",
    "show_files",
    "show_settings",
    "stdin_filename",
    "watch",
}
_NOT_SHOWN = {"config", "help", "isolated", "paths", "show_files", "show_settings"}
_GIVEN = "deckcheck.config.given"
_SETTINGS = "deckcheck.config.settings"


def configure(ctx: typer.Context, param: typer.CallbackParam, value: Any) -> Any:
    """Read the configuration once both `--config` and `--isolated` are known."""
    given = ctx.meta.setdefault(_GIVEN, {})
    given[param.name] = value
    if len(given) == 2 and not ctx.resilient_parsing:
        settings = _load(ctx, given["config"], given["isolated"])
        if settings is not None:
            ctx.meta[_SETTINGS] = settings
            names = {option.key: name for name, option in file_options(ctx)}
            ctx.default_map = {
                names[key]: entry.value for key, entry in settings.options.items()
            }
    return value


def settings_of(ctx: typer.Context) -> Settings | None:
    """The configuration of this run, None without a file."""
    settings: Settings | None = ctx.meta.get(_SETTINGS)
    return settings


def _load(ctx: typer.Context, config: Path | None, isolated: bool) -> Settings | None:
    if isolated and config is not None:
        # What is typed wins over the environment.
        named = [name for name in ("config", "isolated") if _is_typed(ctx, name)]
        if len(named) != 1:
            message = "`--isolated` and `--config` cannot be used together"
            raise UsageError(message, "Give one of the two")
        isolated = named == ["isolated"]
    if isolated:
        return None
    from deckcheck.config.discovery import find_config

    if config is not None and not os.path.isfile(config):
        raise UsageError(f"Configuration {quote(str(config))} does not exist")
    file = config or find_config(os.getcwd())
    if file is None:
        return None
    from deckcheck.config.settings import load_settings

    return load_settings(file, [option for _, option in file_options(ctx)])


def _is_typed(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def file_options(ctx: typer.Context) -> Iterator[tuple[str, Option]]:
    """The options that a file may set, by parameter."""
    from deckcheck.config.option import Option

    for param in _params(ctx):
        if param.name in _NOT_IN_FILES:
            continue
        value = param.get_runtime_param()
        yield (
            param.name,
            Option(
                key=_key(param.name),
                kind=value.kind,
                is_many=param.multiple,
                is_pattern=param.name == "exclude",
                choices=tuple(value.choices or ()),
                help=param.help or "",
            ),
        )


def _params(ctx: typer.Context) -> Iterable[Any]:
    return ctx.command.get_params(ctx)


def _key(name: str) -> str:
    return name.replace("_", "-")


def show_settings(ctx: typer.Context) -> None:
    """Print every setting as a file would write it, and where it comes from."""
    from deckcheck.decks.discovery import shown_path

    settings = settings_of(ctx)
    files = settings.files if settings else ()
    for file in files:
        say(f"# configuration {shown_path(file)}")
    if not files:
        say("# no configuration")
    entries = settings.options if settings else {}
    for param in _params(ctx):
        if param.name not in _NOT_SHOWN:
            say(_line(ctx, param, entries.get(_key(param.name))))
    if settings is None:
        return
    if settings.default_format:
        say(_entry("default-format", settings.default_format))
    for title, table in (
        ("formats", settings.formats),
        ("severity", settings.severity),
    ):
        if table:
            say("")
            say(f"[{title}]")
        for key, entry in table.items():
            shown = shown_path(key) if title == "formats" else key
            say(_entry(_toml(shown) if title == "formats" else shown, entry))


def _line(ctx: typer.Context, param: Any, entry: Entry | None) -> str:
    source = ctx.get_parameter_source(param.name)
    key, value = _key(param.name), ctx.params.get(param.name)
    name = source.name if source is not None else "DEFAULT"
    if name == "DEFAULT_MAP" and entry is not None:
        return _entry(key, entry)
    origin = {
        "COMMANDLINE": f"option --{key}",
        "ENVIRONMENT": f"variable {param.envvar}",
    }.get(name, "default")
    if value is None:
        return f"# {key} is not set"
    return f"{key} = {_toml(value)}  # {origin}"


def _entry(key: str, entry: Entry) -> str:
    return f"{key} = {_toml(entry.written)}  # {entry.place}"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    import json

    return json.dumps(str(value), ensure_ascii=False)
