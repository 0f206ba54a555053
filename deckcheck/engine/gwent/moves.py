"""Applying a move, readings of the state, hidden information."""

from __future__ import annotations

from deckcheck.engine.gwent.abilities import deploy, play_special, revive, send_spy
from deckcheck.engine.gwent.board import (
    KNOWN_TO_ALL,
    add_to_hand,
    arrive_summons,
    call_summons,
    has_many_sides,
    knows,
    play_weather,
    players,
    rescore,
)
from deckcheck.engine.gwent.codes import PASS, Ability, Kind, Phase, Verb
from deckcheck.engine.gwent.leaders import choose_for_leader, use_leader, void_leader
from deckcheck.engine.gwent.rounds import (
    begin_game,
    choose_starter,
    keep_hand,
    pass_round,
    redraw,
    settle,
    table_place,
)
from deckcheck.engine.jit import Card, Context, Move, Player, Row, State, entry, jit
from deckcheck.engine.primitives import (
    extend_history,
    mix,
    move_card,
    move_row,
    move_verb,
    move_who,
    remove_from_hand,
    renew_chance,
)
from deckcheck.engine.registry import UnplayedCode

# -----------------------------------------------------------------------------
# Carrying out a move


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a move. The caller makes sure that it is legal."""
    player = s.turn
    verb = move_verb(move)
    s.turns += 1
    s.history = extend_history(s.history, move)
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
    """Replace a unit by the Decoy and take it into the hand (1.6.9)."""
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


# -----------------------------------------------------------------------------
# Functions of the contract that duels, tables and solo games share


@entry
def is_over(s: State) -> bool:
    """Report whether a side has lost its gems, or the last round ended (1.4.6, 4.4)."""
    return s.phase == Phase.OVER


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """Return 2 for each player of the winning side, 0 for others, 1 for a draw.

    It is a draw if both sides lost the last gem (1.4.6), and for players at a table
    who share the first place (4.7.6).
    """
    if has_many_sides(s, x):
        if table_place(s, x, player) > 1:
            return 0
        return 2 if is_first_alone(s, x, player) else 1
    if s.winner < 0:
        return 1
    return 2 if s.winner == x.side[player] else 0


@jit
def is_first_alone(s: State, x: Context, player: Player) -> bool:
    """Report whether no other player at a table shares first place."""
    for other in range(players(s, x)):
        if other != player and table_place(s, x, other) == 1:
            return False
    return True


@entry
def cards_left(s: State, x: Context, entrant: int) -> int:
    """Return the cards in the hands of a player or team, 0 for the automa."""
    cards = 0
    for player in range(players(s, x)):
        if x.side[player] == entrant:
            cards += s.n_hand[player]
    return cards


@entry
def pass_move(s: State, x: Context) -> Move:
    """Return the move that passes, or -1 while a choice is open."""
    return PASS if s.phase == Phase.PLAY else -1


# -----------------------------------------------------------------------------
# Hidden information: the opponent's hand, and the order of the decks
#
# Both decklists are taken as known, as at tournaments with open lists, but not the
# cards in hand.


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal all cards that `player` cannot see again, at random from `x.rng`.

    Known hand cards stay. The future chance of the game is new as well.
    """
    for other in range(players(s, x)):
        unseen = 0
        # "they may look at each other's hands" (5.2)
        if x.side[other] != x.side[player]:
            unseen = take_unseen(s, x, player, other)
        for i in range(s.n_deck[other]):
            x.pool[unseen + i] = s.deck[other, i]
        mix(x.pool, unseen + s.n_deck[other], x.rng)
        for i in range(unseen):
            s.hand[other, i] = x.pool[i]
        for i in range(s.n_deck[other]):
            s.deck[other, i] = x.pool[unseen + i]
        if unseen > 0:
            sort_hand(s, other)
    renew_chance(s, x)


@jit
def take_unseen(s: State, x: Context, player: Player, other: Player) -> int:
    """Take the hand cards that `player` does not know into `x.pool`. Return how many.

    The first places of the hand are left for them.
    """
    unseen = 0
    for i in range(s.n_hand[other]):
        if not knows(s, x, player, other, i):
            x.pool[unseen] = s.hand[other, i]
            s.hand[other, i] = 0
            unseen += 1
    sort_hand(s, other)
    return unseen


@jit
def sort_hand(s: State, other: Player) -> None:
    """Sort a hand by card, and equal cards by who saw them."""
    for i in range(1, s.n_hand[other]):
        card = s.hand[other, i]
        seen = s.seen[other, i]
        j = i
        while j > 0 and is_card_behind(s, other, j - 1, card, seen):
            s.hand[other, j] = s.hand[other, j - 1]
            s.seen[other, j] = s.seen[other, j - 1]
            j -= 1
        s.hand[other, j] = card
        s.seen[other, j] = seen


@jit
def is_card_behind(s: State, other: Player, index: int, card: Card, seen: int) -> bool:
    """Report whether a hand card comes behind `card` with the mark `seen`."""
    if s.hand[other, index] == card:
        return s.seen[other, index] > seen
    return s.hand[other, index] > card
