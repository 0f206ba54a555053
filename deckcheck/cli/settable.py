"""The options of all commands, and those of them that a file may set."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import typer

from deckcheck.cli.values import (
    OUTPUT,
    convert_plainly,
    has_words,
    option_key,
    words_of,
)

if TYPE_CHECKING:
    from deckcheck.config.option import Option

__all__ = ["all_options", "file_options", "options_of"]

# What says how to run once, not how a project wants its decks treated.
_NOT_IN_FILES = frozenset(
    (
        *("config", "isolated", "show-settings", "help", "watch"),
        *("check", "diff", "files-from", "show-files", "stdin-filename", "force"),
        *("for", "format", "from", "to", "letters", "matchups", "output"),
        *("reseal", "seal", "verify"),
        *("ability", "faction", "kind", "row", "strength"),
    )
)


@cache
def file_options() -> dict[str, Option]:
    """The options that a file may set, by key: those of all commands."""
    from deckcheck.config.option import Option

    found: dict[str, Option] = {}
    for param in all_options():
        key = option_key(param)
        if key in _NOT_IN_FILES:
            continue
        option = Option(
            key=key,
            kind=param.get_runtime_param().kind,
            is_many=param.multiple,
            is_pattern=key == "exclude",
            words=(partial(words_of, param),) if has_words(param) else (),
            has_files=param.metavar == OUTPUT,
            help=param.help or "",
        )
        found[key] = found[key].joined(option) if key in found else option
    return found


def all_options() -> Iterator[Any]:
    """The options of all commands, those of one name several times."""
    from deckcheck.cli.commands import COMMANDS, load_command

    for command in COMMANDS:
        for param in convert_plainly(load_command(command.name).params):
            if param.param_type_name == "option":
                yield param


def options_of(ctx: typer.Context) -> list[Any]:
    """The options of the command that runs, but for `--help`."""
    params: list[Any] = ctx.command.get_params(ctx)
    return [
        param
        for param in params
        if param.param_type_name == "option" and param.name != "help"
    ]
