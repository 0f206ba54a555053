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
    """The code of the ability."""
    rows: tuple[Identifier, ...] = ()
    """The rows that it covers."""


@dataclass(frozen=True, slots=True)
class Draw:
    """How many cards an ability draws."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    """The code of the ability."""
    cards: Number | None = None
    """The number of cards, unless the card or leader says it."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What the figures of a deck depend on that `deckcheck stats` gives."""

    __pydantic_config__ = CLOSED

    untouchable: tuple[Identifier, ...] = ()
    """The kinds of cards that weather and scorch pass over."""
    weatherproof: tuple[Identifier, ...] = ()
    """The abilities of cards that weather passes over, too."""
    weather: tuple[Weather, ...] = ()
    """The abilities that bring weather."""
    draws: tuple[Draw, ...] = ()
    """The abilities of cards that draw cards."""
    opening: tuple[Draw, ...] = ()
    """The abilities of leaders that change the first hand."""
    redrawn: Literal["shuffled", "under"] = "shuffled"
    """Whether a redrawn card is shuffled into the deck or laid under it."""
