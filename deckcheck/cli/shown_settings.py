"""`--show-settings`: every setting of a command, and where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from deckcheck.cli.printing import say
from deckcheck.cli.settable import options_of
from deckcheck.cli.values import option_key

if TYPE_CHECKING:
    from deckcheck.config.settings import Entry, Settings


_NOT_SHOWN = frozenset({"config", "isolated", "show-settings"})


def show_settings(ctx: typer.Context, settings: Settings | None) -> None:
    """Print every setting as a file would write it, and where it comes from."""
    from deckcheck.decks.discovery import shown_path

    files = settings.files if settings else ()
    for file in files:
        say(f"# configuration {shown_path(file)}")
    if not files:
        say("# no configuration")
    entries = settings.options if settings else {}
    for param in options_of(ctx):
        if option_key(param) not in _NOT_SHOWN:
            say(_line(ctx, param, entries.get(option_key(param))))
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
    key, value = option_key(param), ctx.params.get(param.name)
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
