"""The spec of `solve`: the effort of the search, and its end."""

from __future__ import annotations

from dataclasses import dataclass

from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import check_range, option
from deckcheck.sim.defaults import (
    LARGEST_SEED,
    MOST_GAMES,
    SOLVE_BOUND,
    SOLVE_GAMES,
    SOLVE_ROUNDS,
)
from deckcheck.studies.search.proof import check_confirm

PAIR = 0.01
"""The part of the games of a search that two decks play with each other."""

SEEDS = 1_000
"""How many searches there may be, each with a seed of its own."""


@dataclass(frozen=True, slots=True)
class SolveQuestion:
    """What a user asks: `games` are those of each search for an answer to the mix.

    `bound` is how many points such an answer may gain, after `rounds` of them it ends
    in any case. `factions` are those that are searched, by id, all if there are none.
    `confirm` is another player who plays the last answers again, `confirm_games` of
    each, None for as many as are usual.
    """

    __pydantic_config__ = CLOSED

    seed: int
    policy: str
    games: int = SOLVE_GAMES
    bound: float = SOLVE_BOUND
    rounds: int = SOLVE_ROUNDS
    factions: tuple[str, ...] = ()
    confirm: str | None = None
    confirm_games: int | None = None

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0, LARGEST_SEED // SEEDS)
        check_range("games", self.games, 1, MOST_GAMES)
        check_range("rounds", self.rounds, 1, SEEDS)
        if not 0 < self.bound <= 50:
            raise UsageError(
                f"{option('bound')} is {self.bound:g}, must be more than 0 and 50 at "
                "most",
                "It is how many points a deck may gain against the mix",
            )
        check_confirm(self.confirm, self.confirm_games)

    @property
    def pair_games(self) -> int:
        """How many games two decks play."""
        return max(2, round(PAIR * self.games))
