"""From decks and wishes to the kind of simulation that their format is played as."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.formats import Format
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.executors import Executor
from deckcheck.sim.gather import enter
from deckcheck.sim.lineup_simulation import LineupSimulation
from deckcheck.sim.run import Watch
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.table_plans import Setting, table_plays
from deckcheck.sim.table_simulation import TableSimulation
from deckcheck.stats import Estimate
from deckcheck.validation import DeckReport

__all__ = ["AnySimulation", "Wishes", "plan", "simulation_of"]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user asks of a simulation beside decks and format."""

    games: int
    seed: int
    policies: tuple[str, ...]
    mirror: bool = False
    opponents: tuple[str, ...] = ()
    random_decks: bool = False
    players: int | None = None
    selections: tuple[str, ...] = ()
    matchups: Path | None = None


class AnySimulation(Protocol):
    """A simulation of any kind, ready to run."""

    @property
    def engine(self) -> str:
        """The part of the engine that has to be compiled, as a word for its mark."""

    @property
    def unit(self) -> str:
        """What games come in, such as `mirrored pairs`."""

    @property
    def games_each(self) -> int:
        """The games of each matchup or table, rounded up to whole units."""

    def rate_of(self, tally: Any) -> Estimate:
        """Return the win rate of the first named, for showing progress."""

    def run(
        self,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        block_sets: int | None = None,
        watch: Watch | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
    ) -> Any:
        """Play all games and return the result."""


def plan(
    fmt: Format, database: CardDatabase, reports: Sequence[DeckReport], wishes: Wishes
) -> AnySimulation:
    """Return the simulation of the decks of `reports` as `fmt` is played.

    Raises UsageError for what does not fit the format, EngineError for a deck that
    cannot be played.
    """
    _check(fmt, reports, wishes)
    policies = _for_decks(fmt.seating.play, reports, wishes.policies)
    return simulation_of(fmt, database, enter(reports, policies), wishes)


def simulation_of(
    fmt: Format, database: CardDatabase, entrants: Sequence[Entrant], wishes: Wishes
) -> AnySimulation:
    """Return the simulation of `entrants`; raises as `plan` does."""
    if fmt.seating.play in table_plays():
        setting = Setting(
            fmt,
            database,
            wishes.opponents,
            wishes.random_decks,
            wishes.players,
            wishes.policies,
        )
        return TableSimulation(setting, tuple(entrants), wishes.games, wishes.seed)
    if fmt.seating.play == "match":
        return LineupSimulation(
            *(fmt, database, tuple(entrants), wishes.games, wishes.seed),
            *(wishes.selections, wishes.matchups),
        )
    return Simulation(
        fmt, database, tuple(entrants), wishes.games, wishes.seed, wishes.mirror
    )


def _check(fmt: Format, reports: Sequence[DeckReport], wishes: Wishes) -> None:
    """Refuse wishes that the format has no use for."""
    play = fmt.seating.play
    refused = [
        ("--mirror", wishes.mirror and play != "duel"),
        ("--select", bool(wishes.selections) and play != "match"),
        ("--matchups", wishes.matchups is not None and play != "match"),
        ("--opponent", bool(wishes.opponents) and play != "solo"),
        ("--random-decks", wishes.random_decks and play not in ("table", "shared")),
        ("--players", wishes.players is not None and not wishes.random_decks),
    ]
    for option, is_refused in refused:
        if is_refused:
            help = "Leave it out"
            if option == "--players":
                help = "It goes with `--random-decks`; decks tell their number"
            message = f"`{option}` means nothing for these games of {quote(fmt.id)}"
            raise UsageError(message, help)
    if wishes.random_decks and reports:
        raise UsageError(
            "Decks are named, and random decks asked for",
            "Leave out the decks, or `--random-decks`",
        )


def _for_decks(
    play: str, reports: Sequence[DeckReport], policies: tuple[str, ...]
) -> Sequence[str]:
    """The policies of the decks: of a file its own.

    Where a deck is shared, or random, policies are those of the players.
    """
    if play == "shared" or not reports:
        return policies[:1]
    files = list(accumulate(int(report.source.index == 0) for report in reports))
    is_each = len(files) != len(policies) == max(files, default=0)
    if play in ("teams", "match") and is_each:
        return [policies[file - 1] for file in files]
    return policies
