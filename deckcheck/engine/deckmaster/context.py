"""Deckmaster: the context record of a game, from the card database and a format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.engine.deckmaster.state import (
    ARROW_BIT,
    ARROW_BITS,
    CONTEXT,
    MAX_DECK,
    OPTION_FLAGS,
    SPACE_COUNT,
    SPACE_SET_COUNT,
    Element,
    Status,
    card_code,
)
from deckcheck.engine.jit import Context
from deckcheck.engine.registry import EngineError, Seat, check_options, fill_options
from deckcheck.formats import Format

STANDARD_SIZE = 30  # cards in a random deck of a format that gives no size
CARD_POWERS = range(1, 6)
CARD_ATTRIBUTES = {
    # attribute: (values, minimum, how many of the values a card may have)
    "power": ((), CARD_POWERS[0], None),
    "element": (("fire", "ice", "poison"), None, 1),
    "arrow": (tuple(ARROW_BITS), None, len(ARROW_BITS)),
}
ARROW_STEPS = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}
OPPOSITE_ARROWS = {"up": "down", "left": "right", "right": "left", "down": "up"}
ATTACK_ORDERS = {
    "up_left_right_down": ("up", "left", "right", "down"),
    "up_right_down_left": ("up", "right", "down", "left"),
}
IN_TABLES: dict[str, set[str | bool]] = {
    "attack_order": set(ATTACK_ORDERS),
    "second_status": {"stays_out"},
    "arrow_model": {"by_value"},
}
"""The values, without the default, of each option that fills a table of the context."""


def find_variant(fmt: Format, players: int) -> str:
    """Return the variant, a key of `RECORD_TYPES`, in which `fmt` is played."""
    return "two"


def card_numbers(database: CardDatabase) -> dict[str, int]:
    """Return the number of each card in the engine, by id."""
    return {card.id: _card_number(card) for card in database.cards.values()}


def _card_number(card: Card) -> int:
    """Return the number of a card in the engine."""
    element = Element.NONE
    arrows = 0
    for ability in card.abilities:
        if ability.code in ARROW_BITS:
            arrows |= ARROW_BITS[ability.code]
        else:
            element = Element[ability.code.upper()]
    return card_code(card.strength or 0, element, arrows)


def check_vocabulary(database: CardDatabase) -> None:
    """Refuse attributes and options of the database that the engine does not know.

    Raises EngineError, so that no card is ever played as a blank.
    """
    game = database.game
    given = {
        attribute.name: (attribute.values, attribute.minimum, attribute.most)
        for attribute in game.attributes
    }
    for name in {**CARD_ATTRIBUTES, **given}:
        if given.get(name) != CARD_ATTRIBUTES.get(name):
            raise EngineError(
                f"the Deckmaster engine does not know the attribute `{name}` "
                "as the game has it"
            )
    for attribute in game.attributes:
        if not attribute.values and attribute.maximum != CARD_POWERS[-1]:
            raise EngineError(
                f"the Deckmaster engine plays powers up to {CARD_POWERS[-1]}, "
                f"the game has {attribute.maximum}"
            )
    check_options("Deckmaster", game.options, (), {**OPTION_FLAGS, **IN_TABLES})


def fill_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """Return the context of a game: cards, options, shared deck and two players.

    All seats share a deck, or ask for a new random deck in every game.
    """
    check_vocabulary(database)
    context = np.zeros(1, CONTEXT).view(np.recarray)
    x = context[0]
    fill_options(x, fmt.options, (), OPTION_FLAGS)
    drawn = list(random_cards(str(fmt.options["arrow_model"])))
    x.n_drawn = len(drawn)
    x.drawn[: len(drawn)] = drawn
    fill_board(x, ATTACK_ORDERS[str(fmt.options["attack_order"])])
    fill_statuses(x, stays_out=fmt.options["second_status"] == "stays_out")
    fill_deck(x, database, fmt, seats)
    for player, seat in enumerate(seats):
        x.policy[player] = seat.policy
        x.budget[player] = seat.budget
    fill_kills(x)
    return context


def random_cards(model: str) -> Iterator[int]:
    """Yield the cards that a random deck draws from, equally likely (rules 8.25).

    The model `by_number` first draws the number of arrows, 0 to 4, then the arrows. The
    model `by_value` tosses a coin for each arrow.
    """
    masks = list(range(16)) if model == "by_value" else list(_arrows_by_number())
    for power in CARD_POWERS:
        for element in Element:
            for arrows in masks:
                yield card_code(power, element, arrows)


def _arrows_by_number() -> Iterator[int]:
    """Yield twelve sets of arrows of each size, which makes sizes equally likely."""
    for size in range(5):
        sets = [sum(bits) for bits in combinations(ARROW_BITS.values(), size)]
        yield from sets * (12 // len(sets))  # there are 1, 4, 6, 4 and 1 sets


def fill_board(x: Context, order: Sequence[str]) -> None:
    """Fill in which spaces a card attacks, in the order of attacks (rules 8.1)."""
    for space in range(SPACE_COUNT):
        for arrows in range(16):
            targets = list(_find_targets(space, arrows, order))
            x.n_targets[space, arrows] = len(targets)
            for i, (target, back) in enumerate(targets):
                x.target[space, arrows, i] = target | back << ARROW_BIT
    for spaces in range(1, SPACE_SET_COUNT):
        x.lowest[spaces] = (spaces & -spaces).bit_length() - 1


def _find_targets(
    space: int, arrows: int, order: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Yield the spaces that arrows point at, each with the arrow that points back."""
    for word in order:
        down, right = ARROW_STEPS[word]
        row = space // 3 + down
        column = space % 3 + right
        if arrows & ARROW_BITS[word] and 0 <= row < 3 and 0 <= column < 3:
            yield row * 3 + column, ARROW_BITS[OPPOSITE_ARROWS[word]]


def fill_statuses(x: Context, *, stays_out: bool) -> None:
    """Fill in the status that an element gives a survivor (5.1, 5.5, 8.10)."""
    for old in Status:
        for element in Element:
            pair = {Status(element), old}
            if element == Element.NONE or old == Status(element):
                new = old
            elif pair == {Status.BURNING, Status.FROZEN}:
                new = Status.NEUTRAL
            elif stays_out and old != Status.NEUTRAL:
                new = old
            else:
                new = Status(element)
            x.becomes[old, element] = new


def deck_size(fmt: Format) -> int:
    """Return the size of a random deck: the format's minimum (rules 1.1)."""
    sizes = []
    for constraint in fmt.constraints:
        if constraint.rule == "count" and constraint.condition.is_empty:
            size = constraint.number("min")
            if size is not None:
                sizes.append(size)
    return max(sizes, default=STANDARD_SIZE)


def fill_deck(
    x: Context, database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> None:
    """Fill in the deck that both players share.

    Raises EngineError for two different decks, and for a deck that is empty or too
    large.
    """
    if len(seats) != 2 or seats[0].cards != seats[1].cards:
        raise EngineError("two players share one deck in Deckmaster")
    counts = seats[0].cards
    if counts is None:
        x.random_deck = 1
        x.n_deck = check_size(deck_size(fmt))
        return
    number = card_numbers(database)
    cards = [number[id] for id in sorted(Counter(counts).elements())]
    x.n_deck = check_size(len(cards))
    x.deck[: len(cards)] = cards


def check_size(size: int) -> int:
    """Return the size of a deck, or raise EngineError if the deck is too large."""
    if not 0 < size <= MAX_DECK:
        raise EngineError(
            f"the Deckmaster engine plays decks of 1 to {MAX_DECK} cards, "
            f"this one has {size}"
        )
    return size


def fill_kills(x: Context) -> None:
    """Count the powers 1 to 5 that destroy a card of each power in a single attack.

    A card that points back takes the difference of both powers, and at least 1.
    """
    for target in CARD_POWERS:
        for power in CARD_POWERS:
            x.kills[0, target] += power >= target
            x.kills[1, target] += max(power - target, 1) >= target
