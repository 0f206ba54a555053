"""The chances of decks against each other: measured with the engine, or read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from deckcheck.findings import UsageError
from deckcheck.findings.files import open_file
from deckcheck.findings.options import option
from deckcheck.findings.words import quote
from deckcheck.sim.matches.lineups import Lineup
from deckcheck.sim.matches.selection import Chances
from deckcheck.sim.results.played import Matchup
from deckcheck.sim.tables.seating import KnownChances

MAX_BYTES = 2**28

Known = Mapping[tuple[str, str], Chances]
"""The chances of a deck against another, both by name, seen from the first."""


def chances_of(matchups: Iterable[Matchup]) -> dict[tuple[str, str], Chances]:
    """Return the chances that a finished simulation found, from both sides."""
    chances = {}
    for m in matchups:
        chances[m.a, m.b] = _shares(m.wins_a, m.draws, m.wins_b)
        chances[m.b, m.a] = _shares(m.wins_b, m.draws, m.wins_a)
    return chances


def read_chances(file: Path) -> KnownChances:
    """Return the chances in the JSON of a finished `simulate`.

    Raises UsageError for a file that cannot be read or holds no matchups.
    """
    name = quote(str(file))
    try:
        with open_file(file) as stream:
            document = json.loads(stream.read(MAX_BYTES))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"Cannot read {name}: {reason}") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{name} is not JSON", _HELP) from None
    try:
        matchups = _read(document["matchups"])
    except (LookupError, TypeError, ValueError):
        raise UsageError(f"{name} holds no matchups", _HELP) from None
    rates = ((a, b, rates.win, rates.draw) for (a, b), rates in matchups.items())
    return KnownChances(str(file), tuple(rates))


def recalled(chances: KnownChances) -> Known:
    """Return chances that were read before, by names of decks."""
    return {(a, b): Chances(win, draw) for a, b, win, draw in chances.chances}


_HELP = "`deckcheck simulate DECK... --output-format json` writes such a file"


def _read(matchups: Any) -> dict[tuple[str, str], Chances]:
    chances = {}
    for matchup in matchups:
        a, b = str(matchup["a"]), str(matchup["b"])
        won, drawn, lost = (int(matchup[key]) for key in ("wins_a", "draws", "wins_b"))
        if min(won, drawn, lost) < 0 or won + drawn + lost == 0:
            raise ValueError(a, b)
        chances[a, b] = _shares(won, drawn, lost)
        chances[b, a] = _shares(lost, drawn, won)
    return chances


def _shares(won: int, drawn: int, lost: int) -> Chances:
    games = won + drawn + lost
    return Chances(won / games, drawn / games)


def chances_between(matchups: Known, a: Lineup, b: Lineup) -> list[list[Chances]]:
    """Return the chances of each deck of `a` against each of `b`.

    Decks go by their name in the run, or else by the one in their file. Raises
    UsageError for two decks of which nothing is known.
    """
    table = []
    for one in a.entrants:
        row = []
        for other in b.entrants:
            pairs = (
                (one.name, other.name),
                (one.deck.name, other.deck.name),
            )
            chances = [matchups[pair] for pair in pairs if pair in matchups]
            if not chances:
                names = f"{quote(one.deck.name)} against {quote(other.deck.name)}"
                raise UsageError(
                    f"No chances are known for {names}",
                    f"Leave out {option('matchups')} to have them measured",
                )
            row.append(chances[0])
        table.append(row)
    return table
