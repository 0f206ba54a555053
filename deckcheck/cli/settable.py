"""The options of all commands, and those of them that a file may set."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from deckcheck.cli.values import (
    OUTPUT,
    VARIABLE,
    convert_plainly,
    has_words,
    option_key,
    words_of,
)

if TYPE_CHECKING:
    from deckcheck.config.option import Option


P = TypeVar("P")

# What says how to run once, not how a project wants its decks treated.
_NOT_IN_FILES = frozenset(
    (
        *("config", "isolated", "show-settings", "help", "watch"),
        *("check", "diff", "files-from", "show-files", "stdin-filename", "force"),
        *("for", "format", "from", "to", "letters", "matchups", "output"),
        *("against", "gauntlet", "plan", "scheduler"),
        *("game-number", "games-table", "margin", "pairing"),
        *("adaptive", "alpha", "beta", "elo", "sprt", "until-width"),
        *("reseal", "reveal", "run", "salts", "seal", "shard", "verify"),
        *("ability", "at-least", "faction", "group", "kind", "row", "strength"),
        *("changes", "change-leader", "confirm", "confirm-games", "deck", "keep"),
        *("bound", "decks", "rounds", "start"),
    )
)


def file_options(ctx: typer.Context) -> dict[str, Option]:
    """The options that a file may set, by key: those of all commands."""
    return _file_options(ctx.find_root().command)


@cache
def _file_options(group: Any) -> dict[str, Option]:
    from deckcheck.cards.root import BUILT_IN
    from deckcheck.config.option import Option
    from deckcheck.formats.adhoc import check_rule

    found: dict[str, Option] = {}
    for param in _all_options(group):
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
            names=(BUILT_IN,) if key == "card-db" else (),
            help=param.help or "",
            least=param.min,
            most=param.max,
            check=check_rule if key == "rule" else None,
        )
        found[key] = found[key].joined(option) if key in found else option
    return found


def all_options(ctx: typer.Context) -> Iterator[Any]:
    """The options of all commands, those of one name several times."""
    return _all_options(ctx.find_root().command)


def _all_options(group: Any) -> Iterator[Any]:
    for name in group.list_commands(None):
        for param in convert_plainly(group.get_command(None, name).params):
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


def take_from_environment(params: list[P]) -> list[P]:
    """Let each option take what it is not given from `DECKCHECK_<NAME>`."""
    for param in params:
        _take_from_environment(param)
    return params


def _take_from_environment(param: Any) -> None:
    if param.param_type_name == "option" and param.name != "help":
        param.envvar = VARIABLE + option_key(param).replace("-", "_").upper()
        param.show_envvar = False

        def value(ctx: typer.Context) -> Any:
            found = param.resolve_envvar_value(ctx)
            if found is not None and param.multiple:
                # typer would split paths at colons.
                found = _split(found)
            return usable(param, found, ctx)

        param.value_from_envvar = value


def usable(param: Any, value: Any, ctx: typer.Context) -> Any:
    """What an option can use of a value that is meant for all commands.

    Words that another command has for its option of that name are left out: `sarif` is
    an output of `validate` and none of `cards`. A word that none has stays, and is an
    error later.
    """
    if value is None or not has_words(param):
        return value
    known = words_of(param)
    given = _split(value) if isinstance(value, str) else list(value)
    own = [word for word in given if _is_among(word, known, param)]
    if len(own) < len(given):
        option = file_options(ctx)[option_key(param)]
        if not all(option.allows(word.partition(":")[0]) for word in given):
            return value
    return (own or None) if param.multiple else (own[-1] if own else None)


def _is_among(word: str, known: tuple[str, ...], param: Any) -> bool:
    return (word.partition(":")[0] if param.metavar == OUTPUT else word) in known


def _split(value: str) -> list[str]:
    """The values of an option that can be given several times: `drafts; old/*`."""
    return [word.strip() for word in value.split(";") if word.strip()]
