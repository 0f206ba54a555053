"""Lineups of a run: which decks belong together, and which lineups meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from deckcheck.findings import UsageError
from deckcheck.findings.words import plural, quote
from deckcheck.formats import Format
from deckcheck.sim.matches.selection import SELECTIONS, check_selection
from deckcheck.sim.tables.entrants import Entrant, by_file, unique_names

FEWEST = 2


@dataclass(frozen=True, slots=True)
class Lineup:
    """The decks that a player brings to a tournament, and how they are chosen."""

    name: str
    entrants: tuple[Entrant, ...]
    selection: str

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies: one word if all decks are played alike."""
        return tuple(dict.fromkeys(entrant.policy for entrant in self.entrants))

    def played_by(self, policy: str) -> Lineup:
        """The same lineup, its decks in the hands of one player."""
        entrants = (replace(entrant, policy=policy) for entrant in self.entrants)
        return replace(self, entrants=tuple(entrants))


def line_up(
    fmt: Format, entrants: Sequence[Entrant], selections: Sequence[str]
) -> list[Lineup]:
    """Return the lineups of `entrants`: the decks of each file are one.

    A lineup is called by the `Player` of its first deck, else by its file, and lineups
    of the same name by both. `selections` is one way to choose for all, or one for
    each. Raises UsageError when there are not two lineups or the numbers do not fit.
    """
    files = len(by_file(entrants))
    if files < FEWEST:
        raise UsageError(
            f"Found {plural(files, 'lineup')}, needs at least {FEWEST}",
            "Name another file, or this one twice to let the lineup meet itself",
        )
    return lineups_of(fmt, entrants, _ways(selections or SELECTIONS[:1], files))


def lineups_of(
    fmt: Format, entrants: Sequence[Entrant], ways: Sequence[str]
) -> list[Lineup]:
    """As `line_up`, of any number of files, with a way to choose for each."""
    files = by_file(entrants)
    for decks in files:
        _check(fmt, decks)
    paths = [decks[0].deck.source.path for decks in files]
    names = unique_names([_name(decks) for decks in files], paths, ())
    return [
        Lineup(name, tuple(decks), way)
        for name, decks, way in zip(names, files, ways, strict=True)
    ]


def _check(fmt: Format, decks: Sequence[Entrant]) -> None:
    """Refuse a lineup that has too few decks to win with."""
    if len(decks) < FEWEST:
        path = quote(decks[0].deck.source.path)
        raise UsageError(
            f"Found {plural(len(decks), 'deck')} in {path}, "
            f"a lineup of {fmt.id} has {fmt.seating.min_decks}",
            "Write the decks of a lineup into one file, with a line `---` between two",
        )


def _ways(selections: Sequence[str], lineups: int) -> list[str]:
    ways = [check_selection(name) for name in selections]
    if len(ways) == 1:
        return ways * lineups
    if len(ways) == lineups:
        return ways
    raise UsageError(
        f"Found {plural(len(ways), 'selection')} for {plural(lineups, 'lineup')}",
        "Name one for all lineups, or one for each in order",
    )


def _name(decks: Sequence[Entrant]) -> str:
    deck = decks[0].deck
    headers = deck.headers.get("player", ())
    if headers:
        return headers[0].value
    return PurePath(deck.source.path).stem.replace("_", " ")
