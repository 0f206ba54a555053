"""The result of a simulation: its run, what was played, and outputs for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from deckcheck.cards.changes import change_lines
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.findings.words import choice, nearest, plural, quote
from deckcheck.sim.results.data import (
    closing_data,
    duel_data,
    margin_width,
    match_data,
    matchup_data,
    opening_data,
    standing_data,
    table_data,
)
from deckcheck.sim.results.document import (
    Choices,
    Lineups,
    Matchups,
    SimulationDocument,
    TableDocument,
)
from deckcheck.sim.results.figures import Row
from deckcheck.sim.results.matches import MatchResult, SimulatedLineup
from deckcheck.sim.results.played import Matchup, ResultHeader, SimulatedDeck
from deckcheck.sim.results.rows import (
    match_rows,
    matchup_rows,
    standing_rows,
    table_rows,
)
from deckcheck.sim.results.standings import Standing, standings
from deckcheck.sim.results.totals import TableResult

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class SimulationResult(ResultHeader):
    """A finished simulation, of whatever kind.

    `tables` are those that were played at, in a duel one for each two decks. Of a
    tournament, `matches` has what `tables` count and more, `lineups` who took part,
    `measured` the decks against each other as they were played before to choose by,
    and `chances_from` the file that took the place of these.
    """

    tables: tuple[TableResult, ...] = ()
    matches: tuple[MatchResult, ...] = ()
    lineups: tuple[SimulatedLineup, ...] = ()
    measured: tuple[Matchup, ...] = ()
    chances_from: str | None = None

    @cached_property
    def matchups(self) -> tuple[Matchup, ...]:
        """Two decks against each other: of duels, or as a tournament measured them."""
        if self.play == "duel":
            return tuple(Matchup(table) for table in self.tables)
        return self.measured

    def matchup(
        self, a: str | Deck | SimulatedDeck, b: str | Deck | SimulatedDeck
    ) -> Matchup:
        """Return the games of decks `a` and `b`, by name or as decks.

        They are counted from the side of `a`, in whichever order the run had them.
        Raises UsageError for a deck that did not take part, and when the two did not
        meet alone.
        """
        names = [name_among(self.decks, name) for name in (a, b)]
        for matchup in self.matchups:
            if [matchup.a, matchup.b] == names:
                return matchup
            if [matchup.b, matchup.a] == names:
                return matchup.mirrored()
        met = [
            f"{quote(matchup.a)} and {quote(matchup.b)}"
            for matchup in self.matchups[:3]
        ]
        raise UsageError(
            f"{quote(names[0])} and {quote(names[1])} did not meet alone",
            f"Such did {'; '.join(met)}" if met else "See `tables` and `matches`",
        )

    def standings(self) -> list[Standing]:
        """Return the decks by mean win rate over all opponents, the best first.

        Only decks with the same opponents can be compared: where some challenged the
        others, they alone are ranked.
        """
        return list(self._standings)

    @cached_property
    def _standings(self) -> list[Standing]:
        names = self.challengers or [deck.name for deck in self.decks]
        return standings(names, self.matchups)

    def to_dict(self) -> SimulationDocument:
        """Return the result as plain data, as `--output-format json` prints it."""
        width = margin_width(self.tables)
        return {
            "schema_version": 1,
            **opening_data(self),
            **self._choices(),
            **closing_data(self),
            **self._lineups(),
            "tables": self._tables(width),
            **self._matchups(width),
        }

    def _choices(self) -> Choices:
        if self.play != "match":
            return {}
        return {
            "selections": {lineup.name: lineup.selection for lineup in self.lineups},
            "chances_from": self.chances_from,
        }

    def _lineups(self) -> Lineups:
        if self.play != "match":
            return {}
        lineups = self.lineups
        return {"lineups": [{"name": x.name, "decks": list(x.decks)} for x in lineups]}

    def _tables(self, width: int) -> list[TableDocument]:
        if self.play == "duel":
            return [duel_data(table) for table in self.tables]
        if self.play == "match":
            return [match_data(match) for match in self.matches]
        return [table_data(table, width) for table in self.tables]

    def _matchups(self, width: int) -> Matchups:
        entries: Matchups = {}
        if self.matchups or self.play == "duel":
            entries["matchups"] = [matchup_data(m, width) for m in self.matchups]
        if self.play == "duel":
            entries["standings"] = [
                standing_data(standing) for standing in self.standings()
            ]
        return entries

    def to_rows(self) -> list[Row]:
        """Return tidy rows, see `deckcheck.sim.results.tidy`: the standings of decks,
        then each matchup from both sides, or each table, in the order of play.
        """
        if self.play == "duel":
            ranked = chain.from_iterable(map(standing_rows, self.standings()))
            return [*ranked, *chain.from_iterable(map(matchup_rows, self.matchups))]
        if self.play == "match":
            return [*chain.from_iterable(map(match_rows, self.matches))]
        return [*chain.from_iterable(map(table_rows, self.tables))]

    @property
    def answer(self) -> str:
        """How many games were played of what."""
        decks = plural(len(self.decks), "deck")
        played = f"{self.games_played:,} games of {self.format} ({self.month})"
        return f"{decks}, {played}, seed {self.seed}, checksum {self.checksum}"

    def notes(self) -> list[str]:
        """What the games were played of, and how they can be repeated."""
        played = f"{self.games_played:,} games, seed {self.seed}"
        return [
            f"{self.format} ({self.month}), digest {self.digest}",
            *change_lines(self.changes),
            f"{played}, checksum {self.checksum}",
        ]

    def to_matrix(self) -> pd.DataFrame:
        """Return win rates, the deck of the row against the deck of the column."""
        from deckcheck.sim.results.frames import matrix_frame

        return matrix_frame([deck.name for deck in self.decks], self.matchups)

    def to_standings(self) -> pd.DataFrame:
        """Return the standings, one row for each deck, the best first."""
        from deckcheck.sim.results.frames import standings_frame

        return standings_frame(self.standings())


def name_among(decks: Sequence[SimulatedDeck], deck: object) -> str:
    """Return what a run calls a deck, which is given by its name or as a deck.

    Upper and lower case are alike where that leaves one deck.
    Raises UsageError for a deck that did not take part, or did so several times.
    """
    names = [deck.name for deck in decks]
    if isinstance(deck, SimulatedDeck):
        deck = deck.name
    if isinstance(deck, Deck):
        place = (deck.source.path, deck.source.index)
        names = [deck.name for deck in decks if (deck.path, deck.index) == place]
        if len(names) == 1:
            return names[0]
        # Decks of texts have no file that tells them apart.
        names = names or [deck.name for deck in decks]
        deck = deck.name
    if not isinstance(deck, str):
        kind = type(deck).__name__
        raise UsageError(f"Got a value of type `{kind}`, expected a deck or its name")
    alike = [name for name in names if name.casefold() == deck.casefold()]
    if deck not in names and len(alike) == 1:
        return alike[0]
    if deck not in names:
        near = nearest(deck, names, limit=3)
        help = f"Did you mean {choice(near)}?" if near else f"Decks are {choice(names)}"
        raise UsageError(f"No deck of this run is called {quote(deck)}", help)
    return deck
