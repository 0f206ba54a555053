"""A simulation of tournament matches, from lineups to result."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.match import Table, play_block, prepare
from deckcheck.engine.tally import TALLY_SIZE
from deckcheck.formats import Format, Seating
from deckcheck.sim.blocks import Match
from deckcheck.sim.chances import chances_between, chances_of, read_chances
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.executors import Executor
from deckcheck.sim.lineup_play import LineupTable, play_match_block
from deckcheck.sim.lineup_result import LineupResult, SimulatedLineup
from deckcheck.sim.lineup_rules import Stand, match_rules
from deckcheck.sim.lineup_totals import checksum_of, match_rate_of, played_match
from deckcheck.sim.lineups import Lineup, line_up
from deckcheck.sim.pairings import Pairing, pair_up
from deckcheck.sim.result import Matchup
from deckcheck.sim.run import Played, Watch, compile_and_play
from deckcheck.sim.selection import Plan, random_number, solve
from deckcheck.sim.simulation import check_games, check_jobs, simulated
from deckcheck.sim.totals import matchup_of, win_rate_of
from deckcheck.stats import Estimate

__all__ = ["LineupSimulation"]

MOST_MEASURED = 4_000
SEED_SHIFT = 2  # random numbers have 64 bits, seeds 62

Plans = Mapping[Stand, Plan]


@dataclass(frozen=True)
class LineupSimulation:
    """Tournament matches that are to be simulated; `run` does it.

    `entrants` are the decks of all lineups, each file one; `games` is the number of
    matches for each pair of lineups, rounded up to mirrored pairs. `selections` says
    how decks are chosen: once for all lineups, or once for each. `matchups` is the
    JSON of a finished run to choose by; without it, `optimal` measures the decks
    first, in as many games as there are matches, at most MOST_MEASURED.
    """

    format: Format
    database: CardDatabase
    entrants: tuple[Entrant, ...]
    games: int
    seed: int
    selections: tuple[str, ...] = ()
    matchups: Path | None = None

    def __post_init__(self) -> None:
        check_games(self.games, self.seed)

    @cached_property
    def lineups(self) -> list[Lineup]:
        """The lineups; raises UsageError as `line_up` does."""
        return line_up(self.format, self.entrants, self.selections)

    @property
    def engine(self) -> str:
        """The part of the engine that has to be compiled: that of a duel."""
        return self.format.game

    @property
    def unit(self) -> str:
        """What matches come in."""
        return "mirrored pairs"

    @property
    def games_each(self) -> int:
        """The matches of each pair of lineups."""
        return 2 * self.pairs

    @property
    def pairs(self) -> int:
        """How many mirrored pairs of matches each pair of lineups plays."""
        return (self.games + 1) // 2

    def pairings(self) -> list[Pairing]:
        """Which lineups meet."""
        return pair_up(len(self.lineups))

    def rate_of(self, tally: Any) -> Estimate:
        """Return the rate of the first named: of matches, or of games when measured."""
        return win_rate_of(tally) if len(tally) == TALLY_SIZE else match_rate_of(tally)

    def run(
        self,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        block_sets: int | None = None,
        watch: Watch | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
    ) -> LineupResult:
        """Measure what has to be known, play all matches, return what came out."""
        check_jobs(jobs)
        options: dict[str, Any] = {"jobs": jobs, "executor": executor}
        options |= {"block_sets": block_sets, "watch": watch}
        tables = {p.number: self._tables(p) for p in self.pairings()}
        wanted = self._wanted()
        measured: tuple[Matchup, ...] = ()
        seconds = 0.0
        if wanted and self.matchups is None:
            measured, seconds = self._measure(tables, while_compiling, options)
            while_compiling = None
        plans = self._plans(measured) if wanted else {}
        matches = [
            self._match(p, tables[p.number], plans.get(p.number, {}))
            for p in self.pairings()
        ]
        options["while_compiling"] = while_compiling
        played = compile_and_play(
            self.engine, matches, self.seed, play_match_block, **options
        )
        played = replace(played, seconds=seconds + played.seconds)
        return self._result(played, plans, measured)

    def _wanted(self) -> bool:
        """Whether chances are wanted: to choose by them, or to compare with."""
        ways = {lineup.selection for lineup in self.lineups}
        return "optimal" in ways or self.matchups is not None

    def _sides(self, pairing: Pairing) -> tuple[Lineup, Lineup]:
        return self.lineups[pairing.a], self.lineups[pairing.b]

    def _tables(self, pairing: Pairing) -> list[Table]:
        """Each deck of one lineup against each of the other, row by row."""
        duel = replace(self.format, seating=Seating())
        a, b = self._sides(pairing)
        return [
            prepare(
                *(duel, self.database),
                [one.deck, other.deck],
                (one.policy, other.policy),
            )
            for one in a.entrants
            for other in b.entrants
        ]

    def _measure(
        self,
        tables: Mapping[int, list[Table]],
        while_compiling: AbstractContextManager[object] | None,
        options: Mapping[str, Any],
    ) -> tuple[tuple[Matchup, ...], float]:
        """Play every deck against every deck of another lineup, in games apart."""
        pairs = min(self.pairs, MOST_MEASURED // 2)
        matches: list[Match] = []
        names: list[tuple[str, str]] = []
        for pairing in self.pairings():
            decks = product(*(side.entrants for side in self._sides(pairing)))
            for (one, other), table in zip(decks, tables[pairing.number], strict=True):
                label = f"measuring {one.name} against {other.name}"
                policies = (one.policy, other.policy)
                matches.append(Match(len(matches), label, table, policies, pairs))
                names.append((one.name, other.name))
        played = compile_and_play(
            self.engine,
            matches,
            random_number(self.seed) >> SEED_SHIFT,
            play_block,
            while_compiling=while_compiling,
            **options,
        )
        found = (
            matchup_of(a, b, played.tallies[number])
            for number, (a, b) in enumerate(names)
        )
        return tuple(found), played.seconds

    def _plans(self, measured: tuple[Matchup, ...]) -> dict[int, Plans]:
        """The best choices of each pairing; raises UsageError for unknown chances."""
        file = self.matchups
        known = chances_of(measured) if file is None else read_chances(file)
        return {
            pairing.number: solve(
                chances_between(known, *self._sides(pairing)), match_rules(self.format)
            )
            for pairing in self.pairings()
        }

    def _match(self, pairing: Pairing, tables: list[Table], plans: Plans) -> Match:
        a, b = self._sides(pairing)
        contexts = tuple(context for table in tables for context in table.contexts)
        return Match(
            pairing.number,
            f"{a.name} against {b.name}",
            LineupTable(
                replace(tables[0], contexts=contexts),
                (len(a.entrants), len(b.entrants)),
                (a.selection, b.selection),
                plans,
                match_rules(self.format),
            ),
            ("match", *a.policies, *b.policies),
            self.pairs,
            noun="matches",
        )

    def _result(
        self,
        played: Played,
        plans: Mapping[int, Plans],
        measured: tuple[Matchup, ...],
    ) -> LineupResult:
        return LineupResult(
            format=self.format.id,
            snapshot=self.format.snapshot,
            decks=tuple(simulated(entrant) for entrant in self.entrants),
            lineups=tuple(
                SimulatedLineup(x.name, tuple(e.name for e in x.entrants), x.selection)
                for x in self.lineups
            ),
            games=self.games_each,
            seed=self.seed,
            matches=tuple(
                played_match(
                    *self._sides(p), played.tallies[p.number], plans.get(p.number)
                )
                for p in self.pairings()
            ),
            matchups=measured,
            chances_from=None if self.matchups is None else str(self.matchups),
            checksum=checksum_of(played.tallies.values()),
            digest=self.format.digest,
            seconds=played.seconds,
            jobs=played.jobs,
        )
