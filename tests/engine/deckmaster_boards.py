"""Boards of Deckmaster in words, for the tests of its engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from deckcheck.cards import load_database
from deckcheck.engine.contract import set_up
from deckcheck.engine.deckmaster.state import ARROW_BITS, Element, Status, card_code
from deckcheck.engine.registry import Seat
from deckcheck.formats import load_format
from deckcheck.playing.table import Table, new_states, open_table, set_table
from deckcheck.policies.registry import policy_number

DATABASE = load_database("deckmaster")
FORMAT = load_format("deckmaster/standard")


def seated(
    cards: dict[str, int] | None = None,
    policies: Sequence[str] = ("random", "random"),
    **options: Any,
) -> Table:
    """Two players with one deck, or with a random one in every game."""
    fmt = replace(FORMAT, options={**FORMAT.options, **options})
    seats = [Seat(cards, policy_number(name)) for name in policies]
    return set_table(fmt, DATABASE, seats)


@cache
def bare_table(options: tuple[tuple[str, Any], ...]) -> Table:
    """A table to lay positions out at."""
    return seated(**dict(options))


def opened(table: Table, states: int = 2) -> tuple[Any, Any]:
    """States and context of a table that no other test uses."""
    _, contexts = open_table(table)
    return new_states("deckmaster", "two", states), contexts[0]


def parts(text: str) -> tuple[int, int, int, int]:
    """Power, element, arrows and status of `4 ice left right frozen`."""
    power, *words = text.split()
    element = sum(Element[w.upper()] for w in words if w.upper() in Element.__members__)
    status = sum(Status[w.upper()] for w in words if w.upper() in Status.__members__)
    arrows = sum(ARROW_BITS[word] for word in words if word in ARROW_BITS)
    return int(power), element, arrows, status


def laid_out(
    board: Sequence[str], deck: Sequence[str], **options: Any
) -> tuple[Any, Any]:
    """A position: nine spaces row by row, the deck with its top card first."""
    states, x = opened(bare_table(tuple(options.items())))
    s = states[0]
    set_up(s, x)
    for space, text in enumerate(board):
        if text:
            power, element, arrows, status = parts(text)
            s.card[space] = card_code(min(power, 5), element, arrows)
            s.arrows[space] = arrows
            s.power[space] = power
            s.status[space] = status
            s.empty &= ~(1 << space)
            s.poisoned |= int(status == Status.POISONED) << space
    s.n_deck = len(deck)
    for place, text in enumerate(reversed(deck)):
        s.deck[place] = card_code(*parts(text)[:3])
    return s, x


def on(s: Any, space: int) -> str:
    """What lies on a space, in the words of `laid_out`, empty for nothing."""
    if s.card[space] == 0:
        return ""
    element, arrows = divmod(int(s.card[space] - 1) % 64, 16)
    words = [str(s.power[space])]
    words += [Element(element).name.lower()] * bool(element)
    words += [word for word, bit in ARROW_BITS.items() if arrows & bit]
    words += [Status(s.status[space]).name.lower()] * bool(s.status[space])
    return " ".join(words)
