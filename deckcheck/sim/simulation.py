"""A simulation from decks to result."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.match import play_block, prepare
from deckcheck.findings import UsageError
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.sim.blocks import Match
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.executors import Executor
from deckcheck.sim.pairings import Pairing, pair_up
from deckcheck.sim.result import SimulatedDeck, SimulationResult
from deckcheck.sim.run import Played, Watch, compile_and_play
from deckcheck.sim.totals import checksum_of, matchup_of, win_rate_of
from deckcheck.stats import Estimate

__all__ = ["LARGEST_SEED", "Simulation", "check_games", "check_jobs", "simulated"]

LARGEST_SEED = 2**62 - 1
MOST_GAMES = 2**32
MOST_JOBS = 1024


@dataclass(frozen=True, slots=True)
class Simulation:
    """What is to be simulated; `run` does it.

    `games` is the number for each matchup; an odd one is rounded up, because games
    come in mirrored pairs. With `mirror` each deck also meets itself.
    """

    format: Format
    database: CardDatabase
    entrants: tuple[Entrant, ...]
    games: int
    seed: int
    mirror: bool = False

    def __post_init__(self) -> None:
        if self.format.seating.play != "duel":
            raise UsageError(f"`{self.format.id}` is no duel of two decks")
        check_games(self.games, self.seed)
        if len(self.entrants) < (1 if self.mirror else 2):
            found = plural(len(self.entrants), "deck")
            raise UsageError(
                f"Found {found}, needed are 2 or more",
                "Name another deck, or let this one meet itself with `--mirror`",
            )

    @property
    def engine(self) -> str:
        """The part of the engine that has to be compiled."""
        return self.format.game

    @property
    def unit(self) -> str:
        """What games come in."""
        return "mirrored pairs"

    @property
    def games_each(self) -> int:
        """The games of each matchup."""
        return 2 * self.pairs

    def rate_of(self, tally: Any) -> Estimate:
        """Return the win rate of deck a, for showing progress."""
        return win_rate_of(tally)

    @property
    def pairs(self) -> int:
        """How many mirrored pairs each matchup is played."""
        return (self.games + 1) // 2

    def pairings(self) -> list[Pairing]:
        """Return who meets whom."""
        return pair_up(len(self.entrants), self.mirror)

    def matches(self) -> list[Match]:
        """Return the pairings with their tables; raises EngineError for a bad deck."""
        return [
            Match(
                pairing.number,
                f"{a.name} against {b.name}",
                prepare(self.format, self.database, [a.deck, b.deck], policies),
                policies,
                self.pairs,
            )
            for pairing in self.pairings()
            for a, b in [(self.entrants[pairing.a], self.entrants[pairing.b])]
            for policies in [(a.policy, b.policy)]
        ]

    def run(
        self,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        block_sets: int | None = None,
        watch: Watch | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
    ) -> SimulationResult:
        """Play all games and return what came out; see `play_matches`.

        The engine is loaded, or compiled, within `while_compiling`.
        """
        check_jobs(jobs)
        matches = self.matches()
        played = compile_and_play(
            self.engine,
            matches,
            self.seed,
            play_block,
            jobs=jobs,
            executor=executor,
            block_sets=block_sets,
            watch=watch,
            while_compiling=while_compiling,
        )
        return self._result(played)

    def _result(self, played: Played) -> SimulationResult:
        names = [entrant.name for entrant in self.entrants]
        return SimulationResult(
            format=self.format.id,
            snapshot=self.format.snapshot,
            decks=tuple(simulated(entrant) for entrant in self.entrants),
            games=self.games_each,
            seed=self.seed,
            matchups=tuple(
                matchup_of(names[p.a], names[p.b], played.tallies[p.number])
                for p in self.pairings()
            ),
            checksum=checksum_of(played.tallies.values()),
            digest=self.format.digest,
            seconds=played.seconds,
            jobs=played.jobs,
        )


def simulated(entrant: Entrant) -> SimulatedDeck:
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


def check_games(games: int, seed: int) -> None:
    """Raise UsageError for a number of games or a seed beyond reason."""
    _check_range("games", games, 1, MOST_GAMES)
    _check_range("seed", seed, 0, LARGEST_SEED)


def check_jobs(jobs: int) -> None:
    """Raise UsageError for a number of workers beyond reason."""
    _check_range("jobs", jobs, 1, MOST_JOBS)


def _check_range(what: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise UsageError(f"`{what}` is {value}, allowed are {lowest} to {highest}")
