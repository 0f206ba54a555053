"""A simulation from decks to result."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from deckcheck.cards import CardDatabase
from deckcheck.engine.jit import announce_compilation, mark_warm
from deckcheck.engine.match import play_block, prepare
from deckcheck.findings import UsageError
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.sim.blocks import Match
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.executors import Executor
from deckcheck.sim.pairings import pair_up
from deckcheck.sim.result import SimulatedDeck, SimulationResult
from deckcheck.sim.run import Played, Watch, play_matches, warm_up
from deckcheck.sim.totals import checksum_of, matchup_of

__all__ = ["LARGEST_SEED", "Simulation"]

LARGEST_SEED = 2**62 - 1
MOST_GAMES = 2**32
MOST_JOBS = 1024
PLAYS = ("duel",)
"""The ways for decks to meet, `seating.play` of a format, that can be simulated."""


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
        if self.format.seating.play not in PLAYS:
            raise UsageError(f"`{self.format.id}` cannot be simulated")
        _check_range("games", self.games, 1, MOST_GAMES)
        _check_range("seed", self.seed, 0, LARGEST_SEED)
        if len(self.entrants) < (1 if self.mirror else 2):
            found = plural(len(self.entrants), "deck")
            raise UsageError(
                f"Found {found}, needed are 2 or more",
                "Name another deck, or let this one meet itself with `--mirror`",
            )

    @property
    def pairs(self) -> int:
        """How many mirrored pairs each matchup is played."""
        return (self.games + 1) // 2

    def matches(self) -> list[Match]:
        """Return the pairings with their tables; raises EngineError for a bad deck."""
        return [
            Match(
                pairing,
                prepare(self.format, self.database, [a.deck, b.deck], policies),
                policies,
                self.pairs,
            )
            for pairing in pair_up(len(self.entrants), self.mirror)
            for a, b in [(self.entrants[pairing.a], self.entrants[pairing.b])]
            for policies in [(a.policy, b.policy)]
        ]

    def run(
        self,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        block_pairs: int | None = None,
        watch: Watch | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
    ) -> SimulationResult:
        """Play all games and return what came out; see `play_matches`.

        The engine is loaded, or compiled, within `while_compiling`.
        """
        _check_range("jobs", jobs, 1, MOST_JOBS)
        matches = self.matches()
        with while_compiling or nullcontext():
            announce_compilation(self.format.game)
            warm_up(matches, self.seed, play_block)
            mark_warm(self.format.game)
        played = play_matches(
            matches,
            self.seed,
            play_block,
            jobs=jobs,
            executor=executor,
            block_pairs=block_pairs,
            watch=watch,
        )
        return self._result(matches, played)

    def _result(self, matches: Sequence[Match], played: Played) -> SimulationResult:
        names = [entrant.name for entrant in self.entrants]
        return SimulationResult(
            format=self.format.id,
            snapshot=self.format.snapshot,
            decks=tuple(_simulated(entrant) for entrant in self.entrants),
            games=2 * self.pairs,
            seed=self.seed,
            matchups=tuple(
                matchup_of(names[p.a], names[p.b], played.tallies[p.number])
                for p in (match.pairing for match in matches)
            ),
            checksum=checksum_of(played.tallies.values()),
            digest=self.format.digest,
            seconds=played.seconds,
            jobs=played.jobs,
        )


def _simulated(entrant: Entrant) -> SimulatedDeck:
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
        raise UsageError(f"`{what}` is {value}, allowed are {lowest} to {highest}")
