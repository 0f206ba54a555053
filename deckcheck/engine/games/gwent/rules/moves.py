"""Carrying out a move; how moves are encoded is in `encoding`."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card, move_row, move_verb, move_who
from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Ability, Kind, Phase, Verb
from deckcheck.engine.games.gwent.rules.abilities import deploy, revive, send_spy
from deckcheck.engine.games.gwent.rules.leaders.choosing import choose_for_leader
from deckcheck.engine.games.gwent.rules.leaders.passive import void_leader
from deckcheck.engine.games.gwent.rules.leaders.using import use_leader
from deckcheck.engine.games.gwent.rules.rounds import pass_round, settle
from deckcheck.engine.games.gwent.rules.scoring import rescore
from deckcheck.engine.games.gwent.rules.setup import (
    begin_game,
    choose_starter,
    keep_hand,
    redraw,
)
from deckcheck.engine.games.gwent.rules.side_deck import arrive_summons, call_summons
from deckcheck.engine.games.gwent.rules.specials import play_special
from deckcheck.engine.games.gwent.rules.weather import play_weather
from deckcheck.engine.games.gwent.rules.zones import KNOWN_TO_ALL, add_to_hand
from deckcheck.engine.history import extended
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.piles import remove_from_hand
from deckcheck.engine.types import Card, Context, Move, Player, Row, State


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a legal move; that it is legal is the caller's duty."""
    player = s.turn
    verb = move_verb(move)
    s.turns += 1
    s.history = extended(s.history, move)
    if verb == Verb.PLAY:
        play_card(s, x, player, move_card(move), move_row(move))
    elif verb == Verb.PASS:
        pass_round(s, x, player)
    elif verb == Verb.LEADER:
        use_leader(s, x, player)
    elif verb == Verb.CHOOSE:
        choose(s, x, player, move)
    elif verb == Verb.REDRAW:
        redraw(s, x, player, move_card(move))
    elif verb == Verb.KEEP_HAND:
        keep_hand(s, x, player)
    elif verb == Verb.START:
        choose_starter(s, x, move_who(move))
    elif verb == Verb.VOID:
        void_leader(s, x, move_who(move))
        begin_game(s, x)
    else:
        raise UnplayedCode("verb")
    if verb <= Verb.CHOOSE:
        settle(s, x)


@jit
def play_card(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Play a hand card."""
    remove_from_hand(s, player, card)
    kind = x.kind[card]
    if kind == Kind.UNIT or kind == Kind.HERO:
        deploy(s, x, player, card, row)
    elif kind == Kind.WEATHER:
        play_weather(s, x, player, card)
    elif kind == Kind.SPECIAL:
        play_special(s, x, player, card, row)
    else:
        raise UnplayedCode("kind")


@jit
def choose(s: State, x: Context, player: Player, move: Move) -> None:
    """Answer the open choice."""
    phase = s.phase
    s.phase = Phase.PLAY
    if phase == Phase.MEDIC:
        revive(s, x, player, move_card(move), move_row(move))
    elif phase == Phase.DECOY:
        swap_decoy(s, x, player, move_card(move), move_row(move))
    elif phase == Phase.RECIPIENT:
        send_spy(s, x, x.side[move_who(move)])
    else:
        choose_for_leader(s, x, player, phase, move)


@jit
def swap_decoy(s: State, x: Context, player: Player, card: Card, row: Row) -> None:
    """Put the Decoy in the place of a unit and take that into the hand (1.6.9)."""
    side = x.side[player]
    index = 0
    while s.row[side, row, index] != card:
        index += 1
    s.row[side, row, index] = s.picked
    s.picked = 0
    add_to_hand(s, player, card, KNOWN_TO_ALL)
    if x.decoyed_summoner_summons and x.ability[card] & Ability.SUMMON_AVENGER:
        call_summons(s, side, row, card)
    rescore(s, x, side, row)
    arrive_summons(s, x)
