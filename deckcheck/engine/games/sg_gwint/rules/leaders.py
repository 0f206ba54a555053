"""Leaders (rules 3.9 to 3.13 and 10)."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.sg_gwint.codes import Leader, LeaderState, Phase
from deckcheck.engine.games.sg_gwint.rules.abilities import lay_weather
from deckcheck.engine.games.sg_gwint.rules.board import clear_sky, stack_up
from deckcheck.engine.games.sg_gwint.rules.scorch import scorch_all, strongest
from deckcheck.engine.games.sg_gwint.rules.scoring import row_weather
from deckcheck.engine.games.sg_gwint.rules.targets import has_fetch
from deckcheck.engine.games.sg_gwint.rules.zones import (
    add_to_hand,
    draw_cards,
    remove_from_deck,
)
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, State


@jit
def leader_is_playable(s: State, x: Context, player: Player) -> bool:
    """Whether the leader is unused, and the effect finds something (3.9, 3.13)."""
    leader = x.leader[player]
    if s.leader_state[player] != LeaderState.READY:
        return False
    if leader == Leader.NONE or leader == Leader.LINKED_CARDS:
        return False
    if leader == Leader.CLEAR_WEATHER:
        return any_weather(s, x)
    if leader == Leader.SCORCH:
        return any_to_burn(s, x)
    if leader == Leader.DRAW_CARDS:
        return s.n_deck[player] > 0
    if leader == Leader.WEATHER:
        return True
    return has_fetch(s, x, player)


@jit
def any_weather(s: State, x: Context) -> bool:
    """Whether weather works anywhere."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            if row_weather(s, x, side, row):
                return True
    return False


@jit
def any_to_burn(s: State, x: Context) -> bool:
    """Whether a unit without a shield lies anywhere."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            if strongest(s, x, side, row) >= 0:
                return True
    return False


@jit
def use_leader(s: State, x: Context, player: Player) -> None:
    """Play the leader; one that is no turn is followed by a card (3.10)."""
    s.leader_state[player] = LeaderState.USED
    if x.free[player]:
        s.must_play = 1
    else:
        s.turn_over = 1
    leader = x.leader[player]
    if leader == Leader.CLEAR_WEATHER:
        clear_sky(s, x)
    elif leader == Leader.SCORCH:
        scorch_all(s, x)
    elif leader == Leader.DRAW_CARDS:
        draw_cards(s, x, player, x.leader_amount[player])
    elif leader == Leader.WEATHER:
        # "Counts as a weather card" (10.10)
        lay_weather(s, x, x.leader_card[player])
    elif leader <= Leader.WEATHER_FROM_DECK:
        s.phase = Phase.FROM_DECK
    else:
        raise UnplayedCode("a leader whom no function plays")


@jit
def fetch(s: State, x: Context, player: Player, card: Card) -> None:
    """The leader takes a card of the deck: into play, or by option to the hand."""
    remove_from_deck(s, x, player, card)
    if x.pulled_to_hand and x.leader[player] == Leader.PULL_UNIT:
        add_to_hand(s, x, player, card, 1)
    else:
        stack_up(s, card, player, 0, 0)
