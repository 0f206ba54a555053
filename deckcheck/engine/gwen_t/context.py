"""Gwen't: the context record of a game, from the card database and a format."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.engine.gwen_t.state import (
    CONTEXT,
    MAX_DECK,
    MAX_KINDS,
    MAX_PLAYERS,
    NUMBER_OPTIONS,
    OPTION_FLAGS,
    WEATHER_ROWS,
    Effect,
    Kind,
)
from deckcheck.engine.jit import Context
from deckcheck.engine.primitives import RowName
from deckcheck.engine.registry import (
    EngineError,
    Seat,
    card_numbers,
    check_options,
    check_words,
    fill_options,
    number_cards,
)
from deckcheck.formats import Format

MAX_STRENGTH = 1000  # 48 bonds of this strength still fit a cell


def find_variant(fmt: Format, players: int) -> str:
    """Return the variant, a key of `RECORD_TYPES`, in which `fmt` is played."""
    return "table"


def check_vocabulary(database: CardDatabase) -> None:
    """Refuse words and cards of the database that the engine does not know.

    Raises EngineError, so that no card is ever played as a blank.
    """
    check_words("Gwen't", "ability", Effect, database.game.abilities)
    check_words("Gwen't", "kind", Kind, database.game.kinds)
    check_words("Gwen't", "row", RowName, database.game.rows)
    check_options("Gwen't", database.game.options, NUMBER_OPTIONS, OPTION_FLAGS)
    if len(database.cards) >= MAX_KINDS:
        raise EngineError(
            f"the Gwen't engine plays at most {MAX_KINDS - 1} different cards"
        )
    for card in database.cards.values():
        check_card(card)


def check_card(card: Card) -> None:
    """Refuse a card beyond the rules of the game."""
    if len(card.abilities) > 1:
        fault = "more than one ability"
    elif len(card.rows) > 1:
        fault = "more than one row"
    elif (card.strength or 0) > MAX_STRENGTH:
        fault = f"a strength above {MAX_STRENGTH}"
    elif (card.kind == "weather") != (find_effect(card) in WEATHER_ROWS):
        fault = "an ability that its kind cannot have"
    else:
        return
    raise EngineError(f"the Gwen't engine plays no card with {fault}: `{card.name}`")


def find_effect(card: Card) -> Effect:
    """Return the effect of a card."""
    return Effect[card.abilities[0].code.upper()] if card.abilities else Effect.NONE


def fill_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """Return the context of a game: cards, options and a seat for each player."""
    if not 2 <= len(seats) <= MAX_PLAYERS:
        raise EngineError(f"Gwen't is for 2 to {MAX_PLAYERS} players, not {len(seats)}")
    context = make_card_table(database).copy()
    x = context[0]
    fill_options(x, fmt.options, NUMBER_OPTIONS, OPTION_FLAGS)
    x.players = len(seats)
    for player, seat in enumerate(seats):
        fill_seat(x, database, player, seat)
    return context


@lru_cache(maxsize=8)
def make_card_table(database: CardDatabase) -> np.recarray:
    """Return a context with the card table and nothing else, which callers copy."""
    check_vocabulary(database)
    context = np.zeros(1, CONTEXT).view(np.recarray)
    fill_cards(context[0], database)
    return context


def fill_cards(x: Context, database: CardDatabase) -> None:
    """Fill the card table."""
    x.n_cards = len(database.cards)
    for i, card in enumerate(database.cards.values(), 1):
        effect = find_effect(card)
        x.kind[i] = Kind[card.kind.upper()]
        x.effect[i] = effect
        x.strength[i] = card.strength or 0
        x.copies[i] = card.copies if card.deckable else 0
        if effect in WEATHER_ROWS:
            x.effect_row[i] = WEATHER_ROWS[effect]
        else:
            x.row[i] = x.effect_row[i] = RowName[card.rows[0].upper()]
        # An effect acts on a row of its own "unless another row is given" (rules 5.3)
        if card.abilities and card.abilities[0].row:
            x.effect_row[i] = RowName[card.abilities[0].row.upper()]


def fill_seat(x: Context, database: CardDatabase, player: int, seat: Seat) -> None:
    """Give a seat its deck, or note that it wants random decks."""
    x.policy[player] = seat.policy
    x.budget[player] = seat.budget
    if seat.cards is None:
        pool = int(x.copies.sum())
        if x.deck_size > pool:
            raise EngineError(
                f"a random deck of {x.deck_size} cards needs more than "
                f"the {pool} cards of the pool"
            )
        x.random_deck[player] = 1
        return
    cards = number_cards(seat, card_numbers(database), MAX_DECK, "Gwen't")
    x.n_deck[player] = len(cards)
    x.deck[player, : len(cards)] = cards
