"""A simulation from decks to result, for every way to play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.formats import Format
from deckcheck.sim.blocks import Job
from deckcheck.sim.entrants import Entrant, file_numbers
from deckcheck.sim.executors import Executor
from deckcheck.sim.matches.tournament import Tournament
from deckcheck.sim.played import SimulatedDeck
from deckcheck.sim.reports import enter
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run import Played, Watch, compile_and_play
from deckcheck.sim.seating import Request, SeatedTable, Setting, seat_tables
from deckcheck.sim.totals import checksum_of, played_table
from deckcheck.validation import DeckReport

__all__ = ["LARGEST_SEED", "Simulation", "simulation_of"]

LARGEST_SEED = 2**62 - 1
MOST_GAMES = 2**32
MOST_JOBS = 1024
MATCH = "match"


@dataclass(frozen=True)
class Simulation:
    """What is to be simulated; `run` does it.

    The request's `games` is the number for each table, rounded up to whole sets: the
    same shuffles once with each seat beginning.
    """

    setting: Setting
    entrants: tuple[Entrant, ...]

    def __post_init__(self) -> None:
        _check_range("games", self.setting.request.games, 1, MOST_GAMES)
        _check_range("seed", self.setting.request.seed, 0, LARGEST_SEED)

    @cached_property
    def tables(self) -> list[SeatedTable]:
        """The tables; raises UsageError and EngineError as `seat_tables` does."""
        return seat_tables(self.setting, self.entrants)

    @cached_property
    def tournament(self) -> Tournament | None:
        """The tournament, if that is what the format is played as."""
        is_match = self.setting.format.seating.play == MATCH
        return Tournament(self.setting, self.entrants) if is_match else None

    @property
    def engines(self) -> tuple[str, ...]:
        """The parts of the engine that have to be compiled, as words for their marks.

        Tables with other extra players than others have a part of their own.
        """
        tables = (
            [each.table for each in self.tables]
            if not self.tournament
            else (self.tournament.tables)
        )
        return tuple(dict.fromkeys(table.engine for table in tables))

    @property
    def rotation(self) -> int:
        """How many games make a set, at the first table."""
        return 2 if self.tournament else self.tables[0].table.rotation

    @property
    def unit(self) -> str:
        """What games come in."""
        in_pairs = self.setting.format.seating.play in ("duel", MATCH)
        return "mirrored pairs" if in_pairs else f"sets of {self.rotation}"

    @property
    def games_each(self) -> int:
        """The games of each table, or the matches of each two lineups."""
        return self.rotation * ceil(self.setting.request.games / self.rotation)

    def jobs(self) -> list[Job]:
        """Return the tables as jobs."""
        return [
            Job(
                each.number,
                " against ".join(each.entrants),
                each.table,
                each.policies,
                ceil(self.setting.request.games / each.table.rotation),
                each.table.rotation,
                len(each.entrants),
            )
            for each in self.tables
        ]

    def run(
        self,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        block_sets: int | None = None,
        watch: Watch | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
        announces: bool = True,
    ) -> SimulationResult:
        """Play all games and return what came out; see `play_jobs`.

        The engine is loaded, or compiled, within `while_compiling`; that it has to be
        compiled is said on standard error if `announces`.
        """
        _check_range("jobs", jobs, 1, MOST_JOBS)
        options: dict[str, Any] = {"jobs": jobs, "executor": executor}
        options |= {"block_sets": block_sets, "watch": watch, "announces": announces}
        if self.tournament:
            return self._run_matches(self.tournament, while_compiling, options)
        played = self._play(self.jobs(), while_compiling, options)
        tables = tuple(
            played_table(each.entrants, played.tallies[each.number])
            for each in self.tables
        )
        policies = dict.fromkeys(p for each in self.tables for p in each.policies)
        return SimulationResult(
            **self._head(played),
            players=tuple(policies),
            games=tables[0].games,
            games_played=sum(table.games for table in tables),
            seconds=played.seconds,
            tables=tables,
        )

    def _run_matches(
        self,
        tournament: Tournament,
        while_compiling: AbstractContextManager[object] | None,
        options: Mapping[str, Any],
    ) -> SimulationResult:
        """Measure what has to be known, then play all matches."""
        seconds, tallies = 0.0, {}
        measuring = tournament.measuring_jobs()
        if measuring:
            seed = tournament.measuring_seed
            played = self._play(measuring, while_compiling, options, seed)
            seconds, tallies = played.seconds, played.tallies
            while_compiling = None
        measured = tournament.measured(tallies)
        plans = tournament.plans(measured)
        played = self._play(tournament.jobs(plans), while_compiling, options)
        matches = tournament.played(played.tallies, plans)
        file = self.setting.request.matchups
        return SimulationResult(
            **self._head(played),
            players=tuple(dict.fromkeys(e.policy for e in self.entrants)),
            games=self.games_each,
            games_played=sum(x.games for x in measured) + sum(x.games for x in matches),
            seconds=seconds + played.seconds,
            tables=tuple(match.table for match in matches),
            matches=matches,
            lineups=tournament.simulated_lineups(),
            measured=measured,
            chances_from=None if file is None else str(file),
        )

    def _play(
        self,
        work: Sequence[Job],
        while_compiling: AbstractContextManager[object] | None,
        options: Mapping[str, Any],
        seed: int | None = None,
    ) -> Played:
        return compile_and_play(
            self.engines,
            work,
            self.setting.request.seed if seed is None else seed,
            while_compiling=while_compiling,
            **options,
        )

    def _head(self, played: Played) -> dict[str, Any]:
        fmt = self.setting.format
        return {
            "format": fmt.id,
            "snapshot": fmt.snapshot,
            "month": fmt.month,
            "play": fmt.seating.play,
            "decks": tuple(_simulated(entrant) for entrant in self.entrants),
            "seed": self.setting.request.seed,
            "checksum": checksum_of(played.tallies.values()),
            "digest": fmt.digest,
            "changes": fmt.own_changes,
            "jobs": played.jobs,
        }


def simulation_of(
    fmt: Format,
    database: CardDatabase,
    reports: Sequence[DeckReport],
    request: Request,
) -> Simulation:
    """Return the simulation of the decks of `reports` as `fmt` is played.

    Raises UsageError for what does not fit the format.
    """
    _check_request(fmt, reports, request)
    entrants = enter(reports, _policies_of_decks(fmt, reports, request.policies))
    return Simulation(Setting(fmt, database, request), tuple(entrants))


def _check_request(
    fmt: Format, reports: Sequence[DeckReport], request: Request
) -> None:
    """Refuse options that do not apply to the format."""
    play = fmt.seating.play
    refused = [
        ("--mirror", request.mirror and play != "duel"),
        ("--select", bool(request.selections) and play != MATCH),
        ("--matchups", request.matchups is not None and play != MATCH),
        ("--opponent", bool(request.opponents) and play != "solo"),
        ("--random-decks", request.random_decks and play not in ("table", "shared")),
    ]
    for option, is_refused in refused:
        if is_refused:
            message = f"`{option}` does not apply to {quote(fmt.id)}"
            raise UsageError(message, "Leave it out")
    if request.players is not None and not request.random_decks:
        raise UsageError(
            "`--players` goes with `--random-decks` only",
            "Leave it out: there are as many players as decks",
        )
    if request.random_decks and reports:
        raise UsageError(
            "Both decks and `--random-decks` were given",
            "Leave out the decks, or `--random-decks`",
        )


def _policies_of_decks(
    fmt: Format, reports: Sequence[DeckReport], policies: tuple[str, ...]
) -> Sequence[str]:
    """The policies of the decks: those of a file may have one together.

    Where a deck is shared, or random, policies are those of the players.
    """
    play = fmt.seating.play
    if play == "shared" or not reports:
        return policies[:1]
    files = file_numbers([report.source for report in reports])
    is_each = len(files) != len(policies) == max(files) + 1
    if play in ("teams", MATCH) and is_each:
        return [policies[file] for file in files]
    return policies


def _simulated(entrant: Entrant) -> SimulatedDeck:
    """What a result says of a deck that took part."""
    deck = entrant.deck
    return SimulatedDeck(
        name=entrant.name,
        path=deck.source.path,
        index=deck.source.index,
        faction=deck.faction,
        leader=deck.leader,
        policy=entrant.policy,
        findings=entrant.findings,
    )


def _check_range(what: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise UsageError(f"`{what}` is {value}, must be {lowest} to {highest}")
