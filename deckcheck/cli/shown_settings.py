"""`--show-settings`: every setting of a command, and where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.cli.declared import Setting
from deckcheck.cli.invocation import DEFAULT, ENVIRONMENT, FILE, TYPED, Invocation
from deckcheck.cli.printing import say

if TYPE_CHECKING:
    from deckcheck.config.settings import Entry


_NOT_SHOWN = frozenset({"config", "isolated", "show-settings"})


def show_settings(invocation: Invocation) -> None:
    """Print every setting as a file would write it, and where it comes from."""
    from deckcheck.decks.discovery import shown_path

    settings = invocation.config
    files = settings.files if settings else ()
    for file in files:
        say(f"# configuration {shown_path(file)}")
    if not files:
        say("# no configuration")
    entries = settings.options if settings else {}
    for setting in invocation.settings:
        if setting.is_option and setting.key not in _NOT_SHOWN:
            say(_line(invocation, setting, entries.get(setting.key)))
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


def _line(invocation: Invocation, setting: Setting, entry: Entry | None) -> str:
    key, value = setting.key, invocation.values[setting.name]
    origin = invocation.origins.get(setting.name, DEFAULT)
    if origin == FILE and entry is not None:
        return _entry(key, entry)
    if value is None and setting.is_many:
        value = []
    if value is None:
        return f"# {key} is not set"
    said = {TYPED: f"option --{key}", ENVIRONMENT: f"variable {setting.variable}"}
    return f"{key} = {_toml(value)}  # {said.get(origin, origin)}"


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
