"""The automa's turns, and the cards under its Decoys (rules 6.2 and 6.5.7)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Deed
from deckcheck.engine.games.gwent.solo.automa import play
from deckcheck.engine.games.gwent.solo.cards import CARD, chains, draw
from deckcheck.engine.games.gwent.solo.deeds import NO_ROW, note_deed
from deckcheck.engine.games.gwent.solo.rows import move_agile_units
from deckcheck.engine.games.gwent.solo.state import AUTOMA
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import discard, shuffle_deck
from deckcheck.engine.types import Context, State


@jit
def automa_turn(s: State, x: Context) -> None:
    """Play the top card; weather gives another turn at once, without limit (6.2.3).

    In its first turn after a won round Northern Realms deploys two cards (6.6.1).
    """
    if s.n_deck[AUTOMA] == 0 and x.automa_reshuffles:
        reshuffle(s, x)
    cards = 1 + s.second_card
    s.second_card = 0
    play_top_cards(s, x, cards)


@jit
def play_top_cards(s: State, x: Context, cards: int) -> None:
    """Play `count` cards from the top of the deck, and those that weather adds."""
    s.in_turn = 1
    while cards > 0:
        cards -= 1
        card = draw(s)
        if card == 0:
            note_deed(s, x, Deed.NOTHING.value, card, NO_ROW, AUTOMA)
            break
        play(s, x, CARD, card)
        if chains(x, card):
            cards += 1
        cards += s.more_turns
        s.more_turns = 0
        move_agile_units(s, x)
    s.in_turn = 0


@jit
def take_more_turns(s: State, x: Context) -> None:
    """The turns that weather gives which was drawn out of turn (6.2.9)."""
    if s.more_turns:
        cards = s.more_turns
        s.more_turns = 0
        play_top_cards(s, x, cards)


@jit
def reshuffle(s: State, x: Context) -> None:
    """The automa's discard pile becomes its deck."""
    for i in range(s.n_discard[AUTOMA]):
        s.deck[AUTOMA, i] = s.discard[AUTOMA, i]
    s.n_deck[AUTOMA] = s.n_discard[AUTOMA]
    s.n_discard[AUTOMA] = 0
    shuffle_deck(s, x, AUTOMA)


@jit
def turn_up_hidden(s: State, x: Context) -> None:
    """Cards under Decoys become active in the order in which they were laid (6.5.8)."""
    while s.n_hidden > 0:
        i = 0
        while i < s.n_hidden:
            note_deed(s, x, Deed.TURN_UP.value, s.hidden[i, 0], NO_ROW, AUTOMA)
            discard(s, AUTOMA, s.hidden[i, 1])
            play(s, x, CARD, s.hidden[i, 0])
            i += 1
        s.n_hidden = 0
        take_more_turns(s, x)
