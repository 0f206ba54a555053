"""Carrying out a move; how moves are encoded is in `encoding`."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Ability, Kind, Phase, Verb
from deckcheck.engine.games.gwent.rules.abilities import deploy, revive, send_spy
from deckcheck.engine.games.gwent.rules.encoding import (
    move_card,
    move_row,
    move_verb,
    move_who,
)
from deckcheck.engine.games.gwent.rules.leader_setup import void_leader
from deckcheck.engine.games.gwent.rules.leaders import use_leader, use_on_opponent
from deckcheck.engine.games.gwent.rules.rounds import pass_round, settle
from deckcheck.engine.games.gwent.rules.scoring import rescore
from deckcheck.engine.games.gwent.rules.seats import enemy_side, has_many_sides
from deckcheck.engine.games.gwent.rules.setup import (
    begin_game,
    choose_starter,
    keep_hand,
    redraw,
)
from deckcheck.engine.games.gwent.rules.side_deck import arrive_summons, call_summons
from deckcheck.engine.games.gwent.rules.specials import (
    fetch_from_deck,
    play_special,
    play_weather,
)
from deckcheck.engine.games.gwent.rules.zones import (
    add_to_hand,
    discard,
    remove_from_deck,
    remove_from_discard,
    remove_from_hand,
    shuffle_deck,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Card, Context, Move, Player, Row, State

__all__ = ["apply_move"]

HISTORY_MASK = 0xFFFFFFFF


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a legal move; that it is legal is the caller's duty."""
    player = s.turn
    card = move_card(move)
    row = move_row(move)
    verb = move_verb(move)
    s.turns += 1
    s.history = (s.history * 31 + move + 1) & HISTORY_MASK
    if verb == Verb.PLAY:
        play_card(s, x, player, card, row)
    elif verb == Verb.PASS:
        pass_round(s, x, player)
    elif verb == Verb.LEADER:
        use_leader(s, x, player)
    elif verb == Verb.CHOOSE:
        choose(s, x, player, card, row, move_who(move))
    elif verb == Verb.REDRAW:
        redraw(s, x, player, card)
    elif verb == Verb.KEEP_HAND:
        keep_hand(s, x, player)
    elif verb == Verb.START:
        choose_starter(s, x, move_who(move))
    else:
        void_leader(s, x, move_who(move))
        begin_game(s, x)
    if verb <= Verb.CHOOSE:
        settle(s, x)


@jit
def play_card(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Play a hand card."""
    remove_from_hand(s, player, card)
    if x.kind[card] <= Kind.HERO:
        deploy(s, x, player, card, row)
    elif x.kind[card] == Kind.WEATHER:
        play_weather(s, x, player, card)
    else:
        play_special(s, x, player, card, row)


@jit
def choose(
    s: State, x: Context, player: Player, card: Card, row: Row, who: Player
) -> None:
    """Answer the open choice."""
    phase = s.phase
    side = x.side[player]
    s.phase = Phase.PLAY
    if phase == Phase.MEDIC:
        revive(s, x, player, card, row)
    elif phase == Phase.DECOY:
        swap_decoy(s, x, player, card, row)
    elif phase == Phase.ENEMY_DISCARD:
        enemy = x.side[who] if has_many_sides(s, x) else enemy_side(s, x, side)
        remove_from_discard(s, enemy, card)
        add_to_hand(s, player, card, 1)
    elif phase == Phase.OWN_DISCARD:
        remove_from_discard(s, side, card)
        add_to_hand(s, player, card, 1)
    elif phase == Phase.DISCARD_TWO:
        remove_from_hand(s, player, card)
        discard(s, side, card)
        s.to_discard -= 1
        if s.to_discard > 0:
            s.phase = Phase.DISCARD_TWO
        elif s.n_deck[player] > 0:
            s.phase = Phase.FROM_DECK
    elif phase == Phase.FROM_DECK:
        remove_from_deck(s, player, card)
        shuffle_deck(s, x, player)
        add_to_hand(s, player, card, 0)
    elif phase == Phase.WEATHER_FROM_DECK:
        fetch_from_deck(s, x, player, card)
        play_weather(s, x, player, card)
    elif phase == Phase.BOND_COPY:
        fetch_from_deck(s, x, player, card)
        deploy(s, x, player, card, row)
    elif phase == Phase.MARDROEME_ROW:
        fetch_from_deck(s, x, player, card)
        play_special(s, x, player, card, row)
    elif phase == Phase.RECIPIENT:
        send_spy(s, x, x.side[who])
    elif phase == Phase.OPPONENT:
        use_on_opponent(s, x, player, who)


@jit
def swap_decoy(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Put the Decoy in the place of a unit and take that into the hand (1.6.9)."""
    side = x.side[player]
    index = 0
    while s.row[side, row, index] != card:
        index += 1
    s.row[side, row, index] = s.picked
    s.picked = 0
    add_to_hand(s, player, card, 1)
    if x.decoyed_summoner_summons and x.ability[card] & Ability.SUMMON_AVENGER:
        call_summons(s, side, row, card)
    rescore(s, x, side, row)
    arrive_summons(s, x)
