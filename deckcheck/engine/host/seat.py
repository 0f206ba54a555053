"""The participants of a game, as `fill_context` of every game is given them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LATEST = 0
"""The heuristic of today; 1 and so on are its earlier versions."""
BOLD, CAREFUL, SPY_AVERSE = -1, -2, -3
"""The styles in which the heuristic of today plays, besides its own."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A deck and its player, or an automa.

    `cards` counts the cards of the deck by id; None asks for a new random deck in every
    game. `policy` is the number of the player, `budget` how much it may think.
    `reserves` counts the reserve cards, None where the deck says nothing of
    them. `heuristic` is the version or the style of the heuristic, for players that go
    by it. Games without factions, leaders, reserves, an automa or such a heuristic
    ignore these.
    """

    cards: Mapping[str, int] | None
    policy: int = 0
    faction: str | None = None
    leader: str | None = None
    is_automa: bool = False
    reserves: Mapping[str, int] | None = None
    heuristic: int = LATEST
    budget: int = 0
