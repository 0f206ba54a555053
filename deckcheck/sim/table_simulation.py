"""A simulation of games at tables, from entrants to result."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

from deckcheck.engine.match import play_set_block
from deckcheck.sim.blocks import Match
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.executors import Executor
from deckcheck.sim.run import Watch, compile_and_play
from deckcheck.sim.simulation import check_games, check_jobs, simulated
from deckcheck.sim.table_plans import Setting, TablePlan, plan_tables
from deckcheck.sim.table_result import TableResult
from deckcheck.sim.table_totals import checksum_of, first_share_of, played_table
from deckcheck.stats import Estimate

__all__ = ["TableSimulation"]


@dataclass(frozen=True)
class TableSimulation:
    """Games at tables that are to be simulated; `run` does it.

    `games` is the number for each table, rounded up to whole sets: the same shuffles
    once with each seat beginning.
    """

    setting: Setting
    entrants: tuple[Entrant, ...]
    games: int
    seed: int

    def __post_init__(self) -> None:
        check_games(self.games, self.seed)

    @cached_property
    def plans(self) -> list[TablePlan]:
        """The tables; raises UsageError and EngineError as `plan_tables` does."""
        return plan_tables(self.setting, self.entrants)

    @property
    def rotation(self) -> int:
        """How many games make a set, at the first table."""
        return self.plans[0].table.rotation

    @property
    def engine(self) -> str:
        """The part of the engine that has to be compiled."""
        return f"{self.setting.format.game}-{self.plans[0].table.variant}"

    @property
    def unit(self) -> str:
        """What games come in."""
        return f"sets of {self.rotation}"

    @property
    def games_each(self) -> int:
        """The games of each table."""
        return self.rotation * ceil(self.games / self.rotation)

    def rate_of(self, tally: Any) -> Estimate:
        """Return the win share of the first entrant, for showing progress."""
        return first_share_of(tally)

    def matches(self) -> list[Match]:
        """Return the tables as matches."""
        return [
            Match(
                plan.number,
                " against ".join(plan.entrants),
                plan.table,
                plan.policies,
                ceil(self.games / plan.table.rotation),
                plan.table.rotation,
            )
            for plan in self.plans
        ]

    def run(
        self,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        block_sets: int | None = None,
        watch: Watch | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
    ) -> TableResult:
        """Play all games and return what came out; see `play_matches`."""
        check_jobs(jobs)
        plans, fmt = self.plans, self.setting.format
        played = compile_and_play(
            self.engine,
            self.matches(),
            self.seed,
            play_set_block,
            jobs=jobs,
            executor=executor,
            block_sets=block_sets,
            watch=watch,
            while_compiling=while_compiling,
        )
        tables = tuple(
            played_table(
                plan.entrants, plan.table.rotation, played.tallies[plan.number]
            )
            for plan in plans
        )
        return TableResult(
            format=fmt.id,
            snapshot=fmt.snapshot,
            decks=tuple(simulated(entrant) for entrant in self.entrants),
            games=tables[0].games,
            rotation=self.rotation,
            seed=self.seed,
            policies=tuple(dict.fromkeys(p for plan in plans for p in plan.policies)),
            tables=tables,
            checksum=checksum_of(played.tallies.values()),
            digest=fmt.digest,
            seconds=played.seconds,
            jobs=played.jobs,
        )
