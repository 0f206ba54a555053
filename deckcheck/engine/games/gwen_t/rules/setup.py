"""Before the first turn: decks, hands and the turn order (rules 3)."""

from __future__ import annotations

from deckcheck.engine.games.gwen_t.codes import NO_ROW
from deckcheck.engine.games.gwen_t.rules.rounds import begin_turns, settle
from deckcheck.engine.games.gwen_t.rules.zones import (
    draw_cards,
    fill_pool,
    random_card,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.piles import copy_deck, shuffle_deck
from deckcheck.engine.types import Context, Player, State


@entry
def set_up(s: State, x: Context) -> None:
    """Gems, decks and hands of all players; `x.coin` begins, the others follow.

    `s.rng` must be seeded. Decks are made and shuffled in the order of the seats, so
    the games of a set have the same decks and shuffles for each beginner.
    """
    lay_out(s, x)
    for player in range(x.players):
        if x.random_deck[player]:
            make_deck(s, x, player)
        else:
            copy_deck(s, x, player)
        shuffle_deck(s, x, player)
        draw_cards(s, x, player, x.hand_size)
    begin_turns(s)
    if s.n_passed == s.standing:
        settle(s, x)


@jit
def lay_out(s: State, x: Context) -> None:
    """An empty board, full gems, nobody has a card."""
    s.players = x.players
    s.over = 0
    s.round_no = 1
    s.first = x.coin
    s.winner = -1
    s.turns = 0
    s.history = 0
    s.standing = x.players
    s.weather = 0
    s.weather_row = NO_ROW
    for player in range(x.players):
        s.order[player] = (x.coin + player) % x.players
        s.gems[player] = x.gems
        s.place[player] = 0
        s.score[player] = 0
        s.points[player] = 0
        s.n_hand[player] = 0
        s.n_deck[player] = 0
        s.n_discard[player] = 0
        for row in range(s.n_row.shape[1]):
            s.n_row[player, row] = 0
            s.total[player, row] = 0


@jit
def make_deck(s: State, x: Context, player: Player) -> None:
    """A random deck from a pool of the player's own (rules 2.2 and 2.3)."""
    left = fill_pool(x)
    for i in range(x.deck_size):
        s.deck[player, i] = random_card(x, s.rng, left - i)
    s.n_deck[player] = x.deck_size
