"""Values that a shell completes for options and arguments.

typer calls a function of this module for the values of a parameter and keeps the values
that begin as typed. Cards, leaders and factions complete to their ids, which need no
quotes. The shell may show their names next to them. A card or leader is found by the
beginning of its name, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from deckcheck.studies import named

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase, Root

Values = list[str] | list[tuple[str, str]]


def formats(ctx: typer.Context) -> Values:
    """Return the ids of all formats."""
    from deckcheck.formats import format_ids

    if ctx.params.get("action") == "list":
        return []
    return format_ids(_read_card_db(ctx))


def games(ctx: typer.Context) -> Values:
    """Return the ids of all games."""
    from deckcheck.cards.storage import game_ids

    return game_ids(_read_card_db(ctx))


def outputs(place: str) -> Callable[[], list[str]]:
    """Return a completion of the outputs at `module:name`: writers, or their owner."""

    def list_outputs() -> list[str]:
        found = named(place)
        writers = found.writers() if hasattr(found, "writers") else found
        return [name for name, _ in writers]

    return list_outputs


def result_outputs() -> Values:
    """Return the outputs that all studies have."""
    from deckcheck.report.outputs import PARQUET_OUTPUT, report_names

    return [*report_names(), PARQUET_OUTPUT]


def policies() -> Values:
    """Return the names of the policies."""
    from deckcheck.policies import AUTO
    from deckcheck.policies.registry import policy_names

    return [AUTO, *policy_names()]


def cross_checking() -> Values:
    """Return the policies that may replay final games."""
    return [*policies(), "none"]


def selections() -> Values:
    """Return the ways to choose decks in a tournament match."""
    from deckcheck.sim.selection import SELECTIONS

    return [*SELECTIONS]


def rules(incomplete: str) -> Values:
    """Return the names of findings, or their codes if a code is begun."""
    from deckcheck.rules import ALL_RULES

    is_code = incomplete[:1].isupper()
    return [(rule.code if is_code else rule.name, rule.summary) for rule in ALL_RULES]


def factions(ctx: typer.Context) -> Values:
    """Return the factions of the game."""
    factions: dict[str, tuple[str, str]] = {}
    for database in _load_databases(ctx):
        for faction in database.game.factions:
            factions[faction.id] = faction.id, faction.name
    return list(factions.values())


def _complete_words(field: str) -> Callable[[typer.Context], list[str]]:
    """Return a completion of the words that games have in a field, each once."""

    def list_words(ctx: typer.Context) -> list[str]:
        words: dict[str, None] = {}
        for database in _load_databases(ctx):
            words |= dict.fromkeys(getattr(database.game, field))
        return list(words)

    return list_words


kinds, rows, abilities = map(_complete_words, ("kinds", "rows", "abilities"))


class _Meant(str):
    """A word that replaces the typed word, which may begin otherwise."""

    __slots__ = ()

    def startswith(self, *_: object) -> bool:
        """Return True, so that typer offers the word."""
        return True


def cards(ctx: typer.Context, incomplete: str) -> Values:
    """Return the cards and leaders whose id or name begins as typed, in any case."""
    if ctx.params.get("action") == "list":
        return []
    from deckcheck.cards.names import normalise

    typed = normalise(incomplete)
    names: list[tuple[str, str]] = []
    for database in _load_databases(ctx):
        names += [(card.id, card.name) for card in database.cards.values()]
        names += [(leader.id, leader.full_name) for leader in database.leaders.values()]
    fitting: dict[str, tuple[str, str]] = {}
    for id, name in names:
        if any(normalise(text).startswith(typed) for text in (id, name)):
            fitting[id] = (_Meant(id), name)
    return list(fitting.values())


def _read_card_db(ctx: typer.Context) -> Root:
    """Return the folders of `--card-db` on the line, which typer has as text."""
    return tuple(map(Path, ctx.params.get("card_db") or ())) or None


def _load_databases(ctx: typer.Context) -> Iterator[CardDatabase]:
    """Yield the database of the game on the line, or else of all games."""
    from deckcheck.cards import load_database
    from deckcheck.cards.storage import game_ids

    root = _read_card_db(ctx)
    known_games = game_ids(root)
    named = (ctx.params.get("game"), (ctx.params.get("format") or "").partition("/")[0])
    chosen = [game for game in named if game in known_games]
    for game in chosen[:1] or known_games:
        yield load_database(game, root)
