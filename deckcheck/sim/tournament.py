"""A tournament of matches, and chances of players in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from deckcheck.engine.registry import load_game
from deckcheck.files import read_input
from deckcheck.findings import UsageError
from deckcheck.messages import option, quote
from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import Table
from deckcheck.sim.cross_checking import make_duel_format
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.jobs import Job
from deckcheck.sim.matches import (
    Lineup,
    MatchResult,
    SimulatedLineup,
    all_at_one,
    derive_number,
    line_up,
    match_job,
    read_matches,
)
from deckcheck.sim.seating import (
    KnownChances,
    Pairing,
    SeatCache,
    SeatedTable,
    Setting,
    count_challenging_files,
    pair_up,
    seat_duel,
)
from deckcheck.sim.selection import Chances, MatchRules, Plans, match_value, solve
from deckcheck.sim.standings import Matchup
from deckcheck.sim.table_results import make_table_result

# The chances of decks against each other: measured with the engine, or read.

MAX_BYTES = 2**28

Known = Mapping[tuple[str, str], Chances]
"""The chances of a deck against another, both by name, seen from the first."""


def find_chances(matchups: Iterable[Matchup]) -> dict[tuple[str, str], Chances]:
    """Return the chances that a finished simulation found, from both sides."""
    return _view_from_both((m.a, m.b, m.wins_a, m.draws, m.wins_b) for m in matchups)


def read_chances(file: Path) -> KnownChances:
    """Return the chances in the JSON of a finished `simulate`.

    Raises UsageError for a file that cannot be read or holds no matchups.
    """
    name = quote(str(file))
    try:
        document = json.loads(read_input(file, MAX_BYTES))
    except (ValueError, RecursionError):
        raise UsageError(f"{name} is not JSON", _CHANCES_HELP) from None
    try:
        matchups = _view_from_both(_read_chances(document["matchups"]))
    except (LookupError, TypeError, ValueError):
        raise UsageError(f"{name} holds no matchups", _CHANCES_HELP) from None
    rates = ((a, b, rates.win, rates.draw) for (a, b), rates in matchups.items())
    return KnownChances(str(file), tuple(rates))


def recall_chances(chances: KnownChances) -> Known:
    """Return chances that were read before, by names of decks."""
    return {(a, b): Chances(win, draw) for a, b, win, draw in chances.chances}


_CHANCES_HELP = "`deckcheck simulate DECK... --output-format json` writes such a file"


def _read_chances(matchups: Any) -> Iterator[tuple[str, str, int, int, int]]:
    for matchup in matchups:
        a, b = str(matchup["a"]), str(matchup["b"])
        won, drawn, lost = (int(matchup[key]) for key in ("wins_a", "draws", "wins_b"))
        if min(won, drawn, lost) < 0 or won + drawn + lost == 0:
            raise ValueError(a, b)
        yield a, b, won, drawn, lost


def _view_from_both(
    matchups: Iterable[tuple[str, str, int, int, int]],
) -> dict[tuple[str, str], Chances]:
    chances = {}
    for a, b, won, drawn, lost in matchups:
        games = won + drawn + lost
        chances[a, b] = Chances(won / games, drawn / games)
        chances[b, a] = Chances(lost / games, drawn / games)
    return chances


def chances_between(matchups: Known, a: Lineup, b: Lineup) -> list[list[Chances]]:
    """Return the chances of each deck of `a` against each of `b`.

    Decks go by their name in the run, or else by the name in their file. Raises
    UsageError for two decks without known chances.
    """
    table = []
    for ours in a.entrants:
        row = []
        for theirs in b.entrants:
            pairs = ((ours.name, theirs.name), (ours.deck.name, theirs.deck.name))
            chances = [matchups[pair] for pair in pairs if pair in matchups]
            if not chances:
                names = f"{quote(ours.deck.name)} against {quote(theirs.deck.name)}"
                raise UsageError(
                    f"No win rates are known for {names}",
                    f"Leave out {option('matchups')} to have them measured",
                )
            row.append(chances[0])
        table.append(row)
    return table


# The jobs of a tournament: decks measured against each other, then matches.

MIN_MEASURED_GAMES, MAX_MEASURED_GAMES = 1_000, 4_000
MATCHES_PER_MEASURED_GAME = 3
"""A choice of decks needs fewer games than the win rate of a lineup."""
USUAL_MATCH_GAMES = 2.5
"""The games of a match, which two of three win."""
SEED_SHIFT = 2  # random numbers have 64 bits, seeds 62


@dataclass(frozen=True)
class Tournament:
    """Lineups that meet, where the decks of each file are a lineup.

    The request's `games` are the matches for each pair of lineups, rounded up to
    game pairs.
    """

    setting: Setting
    entrants: Sequence[Entrant]

    @cached_property
    def lineups(self) -> list[Lineup]:
        """The lineups. Raises UsageError as `line_up` does."""
        request = self.setting.request
        return line_up(self.setting.format, self.entrants, request.selections)

    @cached_property
    def rules(self) -> MatchRules:
        """The rules between the games of a match, which the game has."""
        fmt = self.setting.format
        rules: MatchRules = load_game(fmt.game).match_rules(fmt)
        return rules

    @cached_property
    def duels(self) -> list[tuple[Pairing, list[SeatedTable]]]:
        """Each deck of a lineup against each of another, row by row."""
        setting = replace(self.setting, format=make_duel_format(self.setting.format))
        duels: list[tuple[Pairing, list[SeatedTable]]] = []
        number, seats = 0, SeatCache()
        challengers = count_challenging_files(self.setting, self.entrants)
        for pairing in pair_up(len(self.lineups), False, challengers):
            tables = []
            for a in self.lineups[pairing.a].entrants:
                for b in self.lineups[pairing.b].entrants:
                    tables.append(seat_duel(setting, number, a, b, seats))
                    number += 1
            duels.append((pairing, tables))
        return duels

    @property
    def places(self) -> list[SeatedTable]:
        """The tables of all duels."""
        return [table for _, duels in self.duels for table in duels]

    @property
    def tables(self) -> list[Table]:
        """A table of each kind of duel, and of two lineups, for compiling.

        The code to compile depends on the players alone.
        """
        kinds: dict[frozenset[str], Table] = {}
        for _, duels in self.duels:
            for seated in duels:
                kinds.setdefault(frozenset(seated.policies), seated.table)
            players = frozenset().union(*(seated.policies for seated in duels))
            tables = [seated.table for seated in duels]
            kinds.setdefault(players, all_at_one(tables))
        return [*kinds.values()]

    @property
    def pairs(self) -> int:
        """How many game pairs of matches each pair of lineups plays."""
        return (self.setting.request.games + 1) // 2

    @property
    def wants_chances(self) -> bool:
        """Whether chances are wanted: to choose by them, or to compare with."""
        ways = {lineup.selection for lineup in self.lineups}
        return "optimal" in ways or self.setting.request.matchups is not None

    @property
    def measuring_seed(self) -> int:
        """The seed of the games that measure, which share no shuffles with matches."""
        return derive_number(self.setting.request.seed) >> SEED_SHIFT

    def measuring_jobs(self) -> list[Job]:
        """Return duels of every deck with the decks of other lineups, if needed.

        There are a third as many games of each as there are matches, at least
        MIN_MEASURED_GAMES unless there are fewer matches, and at most
        MAX_MEASURED_GAMES.
        """
        if not self.wants_chances or self.setting.request.matchups is not None:
            return []
        wanted = max(MIN_MEASURED_GAMES // 2, self.pairs // MATCHES_PER_MEASURED_GAME)
        pairs = min(self.pairs, wanted, MAX_MEASURED_GAMES // 2)
        return [
            Job(
                duel.number,
                f"measuring {' against '.join(duel.entrants)}",
                duel.table,
                duel.policies,
                pairs,
                names=duel.entrants,
            )
            for duel in self.places
        ]

    def make_matchups(self, tallies: Mapping[int, Ints]) -> tuple[Matchup, ...]:
        """Return the results of the duels of `measuring_jobs`."""
        matchups = []
        for duel in self.places:
            if duel.number in tallies:
                table = make_table_result(duel.entrants, tallies[duel.number])
                matchups.append(Matchup(table))
        return tuple(matchups)

    def plans(self, measured: Sequence[Matchup]) -> dict[int, Plans]:
        """Return the best choices of each pairing. Raises UsageError for unknown
        chances.
        """
        if not self.wants_chances:
            return {}
        before = self.setting.request.matchups
        chances = find_chances(measured) if before is None else recall_chances(before)
        plans: dict[int, Plans] = {}
        for pairing, _ in self.duels:
            between = chances_between(chances, *self._list_sides(pairing))
            plans[pairing.number] = solve(between, self.rules)
        return plans

    def jobs(self, plans: Mapping[int, Plans]) -> list[Job]:
        """Return the matches of every lineup with every other lineup."""
        return [
            match_job(
                pairing.number,
                self._list_sides(pairing),
                [duel.table for duel in duels],
                plans.get(pairing.number, {}),
                rules=self.rules,
                pairs=self.pairs,
            )
            for pairing, duels in self.duels
        ]

    def make_results(
        self,
        tallies: Mapping[int, Ints],
        plans: Mapping[int, Plans],
        *,
        anytime: bool,
    ) -> tuple[MatchResult, ...]:
        """Return the result of the matches, as far as they were played."""
        matches = []
        for pairing, _ in self.duels:
            if pairing.number not in tallies:
                continue
            plan = plans.get(pairing.number)
            value = match_value(plan, self.rules) if plan else None
            sides = self._list_sides(pairing)
            matches.append(
                read_matches(*sides, tallies[pairing.number], value, anytime=anytime)
            )
        return tuple(matches)

    def simulated_lineups(self) -> tuple[SimulatedLineup, ...]:
        """Return the lineups in the form of a result."""
        return tuple(
            SimulatedLineup(x.name, tuple(e.name for e in x.entrants), x.selection)
            for x in self.lineups
        )

    def _list_sides(self, pairing: Pairing) -> tuple[Lineup, Lineup]:
        return self.lineups[pairing.a], self.lineups[pairing.b]
