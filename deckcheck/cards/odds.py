"""Hints of a game for figures that are read off a deck unplayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deckcheck.cards.words import Identifier, Number
from deckcheck.findings.fields import CLOSED


@dataclass(frozen=True, slots=True)
class Weather:
    """The rows that an ability covers with weather, unless its card names them."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    rows: tuple[Identifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """How many cards an ability draws, unless its card or leader says it."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    cards: Number | None = None


@dataclass(frozen=True, slots=True)
class Odds:
    """What the figures of a deck depend on that `deckcheck stats` gives.

    Weather and scorch pass over cards of the `untouchable` kinds, weather over those
    with an ability of `weatherproof` too. `draws` are abilities of cards, `opening`
    those of leaders for the first hand. A redrawn card is shuffled into the deck, or
    laid `under` it.
    """

    __pydantic_config__ = CLOSED

    untouchable: tuple[Identifier, ...] = ()
    weatherproof: tuple[Identifier, ...] = ()
    weather: tuple[Weather, ...] = ()
    draws: tuple[Draw, ...] = ()
    opening: tuple[Draw, ...] = ()
    redrawn: Literal["shuffled", "under"] = "shuffled"
