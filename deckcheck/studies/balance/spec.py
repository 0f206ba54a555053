"""The spec of a balance: targets, bounds, and numbers of games."""

from __future__ import annotations

from dataclasses import dataclass

from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import check_range
from deckcheck.findings.words import plural
from deckcheck.sim.defaults import (
    BALANCE_CHANGES,
    BALANCE_GAMES,
    BALANCE_STRENGTH,
    LARGEST_SEED,
    MOST_GAMES,
    SEED,
)
from deckcheck.studies.balance.targets import Targets
from deckcheck.studies.search.proof import check_confirm

PROOF = 4
"""How many times the games of the search two decks play for the figures told."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What may be changed: at most so much `strength` of a card, up or down.

    With `limits` cards may be limited to fewer copies. `cards` are those that may
    change, by id, any if there are none. `changes` is how many may be made.
    """

    __pydantic_config__ = CLOSED

    strength: int = BALANCE_STRENGTH
    limits: bool = False
    cards: tuple[str, ...] = ()
    changes: int = BALANCE_CHANGES

    def __post_init__(self) -> None:
        if not self.strength and not self.limits:
            raise UsageError(
                "Nothing may be changed", "Set `strength` or `limits` in `[bounds]`"
            )

    @property
    def in_words(self) -> str:
        """What may be changed, as a report says it."""
        words = []
        if self.strength:
            words.append(f"strength by {self.strength}")
        if self.limits:
            words.append("fewer copies")
        return f"{' or '.join(words)}, {plural(self.changes, 'change')} at most"


@dataclass(frozen=True, slots=True)
class BalanceQuestion:
    """What a designer asks: `games` of each two decks, and who plays.

    `weights` say how often each deck comes, in any unit; () for all alike. `confirm` is
    another player who plays the proof again, with `confirm_games` of each deck, None
    for as many as are usual.
    """

    __pydantic_config__ = CLOSED

    targets: Targets
    bounds: Bounds
    policy: str
    games: int = BALANCE_GAMES
    seed: int = SEED
    weights: tuple[float, ...] = ()
    confirm: str | None = None
    confirm_games: int | None = None

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0, LARGEST_SEED)
        check_range("games", self.games, 2, MOST_GAMES // PROOF)
        check_confirm(self.confirm, self.confirm_games)
