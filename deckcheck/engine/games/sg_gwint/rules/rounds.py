"""Turns, and the end of a round and of the match (rules 3 and 6)."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import FactionAbility, Lot, Phase, Stage
from deckcheck.engine.games.sg_gwint.rules.abilities import resolve
from deckcheck.engine.games.sg_gwint.rules.board import stack_up
from deckcheck.engine.games.sg_gwint.rules.clean_up import clean_up
from deckcheck.engine.games.sg_gwint.rules.scoring import side_total
from deckcheck.engine.games.sg_gwint.rules.setup import (
    announcing,
    deal,
    lay_out,
    opening,
    redrawing,
    start_with,
    tossing,
)
from deckcheck.engine.games.sg_gwint.rules.targets import can_return
from deckcheck.engine.games.sg_gwint.rules.zones import draw_cards, toss
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import remove_from_discard
from deckcheck.engine.scripted import pick
from deckcheck.engine.types import Card, Context, Player, Side, State

RETURN_ROUND = 3


@jit
def settle(s: State, x: Context) -> None:
    """Go on until a player has to decide, or the match is over."""
    while True:
        resolve(s, x)
        if s.phase != Phase.PLAY:
            return
        if s.stage != Stage.TURNS:
            advance(s, x)
        elif s.turn_over:
            next_turn(s, x)
        else:
            s.turn = s.active
            return


@jit
def advance(s: State, x: Context) -> None:
    """One step of the course between the turns (2.10, 6.11)."""
    stage = s.stage
    if stage == Stage.ANNOUNCING:
        announcing(s, x)
    elif stage == Stage.DEALING:
        deal(s, x)
    elif stage == Stage.REDRAWING:
        redrawing(s, x)
    elif stage == Stage.TOSSING:
        tossing(s, x)
    elif stage == Stage.OPENING:
        opening(s, x)
    elif stage == Stage.AFTERMATH:
        s.stage = Stage.DRAWING
    elif stage == Stage.DRAWING:
        drawing(s, x)
    elif stage == Stage.CLAIMING:
        claiming(s, x)
    else:
        returning(s, x)


@jit
def next_turn(s: State, x: Context) -> None:
    """The players alternate until both have passed (3.6, 3.7)."""
    s.turn_over = 0
    s.must_play = 0
    if s.passed[0] and s.passed[1]:
        end_round(s, x)
    elif not s.passed[1 - s.active]:
        s.active = 1 - s.active


@jit
def round_winner(s: State, x: Context) -> Side:
    """The higher total; on equal ones Nilfgaard, unless both are (6.1, 7.6); or -1."""
    first, second = side_total(s, 0), side_total(s, 1)
    if first != second:
        return 0 if first > second else 1
    is_first = x.faction_ability[0] == FactionAbility.WIN_TIES
    is_second = x.faction_ability[1] == FactionAbility.WIN_TIES
    if is_first == is_second:
        return -1
    return 0 if is_first else 1


@jit
def end_round(s: State, x: Context) -> None:
    """Total, lives, end of the match; then the cards leave (6.1 to 6.6)."""
    winner = round_winner(s, x)
    for player in range(2):
        if player != winner:
            s.lives[player] -= 1
    if winner < 0 and (s.tied or s.lives[0] + s.lives[1] == 0):
        overall_draw(s, x)
        return
    if s.lives[0] == 0 or s.lives[1] == 0:
        s.phase = Phase.OVER
        s.winner = 0 if s.lives[0] > 0 else 1
        if winner < 0 and s.lives[0] + s.lives[1] == 0:
            s.winner = -1
        return
    s.tied = winner < 0
    s.last_winner = winner
    clean_up(s, x, winner)
    s.round_no += 1
    s.stage = Stage.AFTERMATH


@jit
def overall_draw(s: State, x: Context) -> None:
    """The match ends in a draw, or by option is replayed (6.3, 6.4)."""
    if s.replays == 0:
        s.phase = Phase.OVER
        s.winner = -1
        return
    s.replays -= 1
    lay_out(s, x)
    toss(s, x)
    s.tossed = 0


@jit
def drawing(s: State, x: Context) -> None:
    """The Northern Realms draw after a win, then both draw (7.10, 6.9)."""
    for player in range(2):
        count = x.cards_per_round
        if (
            player == s.last_winner
            and x.faction_ability[player] == FactionAbility.DRAW_AFTER_WIN
        ):
            count += 1
        draw_cards(s, x, player, count)
        s.redraws[player] = x.redraws_per_round
        s.passed[player] = 0
    if s.tied and not (x.other_starts_after_tie or x.same_starts_after_tie):
        # "After a tie a coin is tossed again" (6.8)
        toss(s, x)
    s.stage = Stage.REDRAWING


@jit
def claiming(s: State, x: Context) -> None:
    """The starter: Scoia'tael may choose, the loser first (7.9); else 6.7, 6.8."""
    first = s.coin if s.tied else 1 - s.last_winner
    while s.asked < 2:
        player = first if s.asked == 0 else 1 - first
        s.asked += 1
        if (
            x.faction_ability[player] == FactionAbility.CHOOSE_STARTER
            and not s.choice_spent[player]
        ):
            s.phase = Phase.CLAIM
            s.turn = player
            return
    if not s.tied:
        start_with(s, s.last_winner)
    elif x.same_starts_after_tie:
        start_with(s, s.starter)
    elif x.other_starts_after_tie:
        start_with(s, 1 - s.starter)
    elif x.coin_winner_starts:
        start_with(s, s.coin)
    else:
        s.phase = Phase.STARTER
        s.turn = s.coin


@jit
def returning(s: State, x: Context) -> None:
    """Skellige's units return at the start of round 3, the starter's first (7.11)."""
    if s.asked != RETURN_ROUND:
        s.asked = RETURN_ROUND
        for player in range(2):
            returns = (
                s.round_no == RETURN_ROUND
                and x.faction_ability[player] == FactionAbility.PLAY_TWO_UNITS
            )
            s.returning[player] = returns
    for step in range(2):
        player = s.starter if step == 0 else 1 - s.starter
        if s.returning[player]:
            s.returning[player] = 0
            return_units(s, x, player)
            return
    s.stage = Stage.TURNS


@jit
def return_units(s: State, x: Context, player: Player) -> None:
    """Two units are drawn, then both are played "as if from hand", in that order."""
    first = draw_returning(s, x, player)
    second = draw_returning(s, x, player)
    # The card on top of the stack comes first.
    if second:
        stack_up(s, second, player, 0, 0)
    if first:
        stack_up(s, first, player, 0, 0)


@jit
def draw_returning(s: State, x: Context, player: Player) -> Card:
    """A random unit of the graveyard, which leaves it; 0 for none."""
    count = 0
    for i in range(s.n_discard[player]):
        if can_return(x, s.discard[player, i]):
            x.pool[count] = s.discard[player, i]
            count += 1
    if count == 0:
        return 0
    card = x.pool[pick(s, x, count, Lot.RETURNING.value, player, 1)]
    remove_from_discard(s, player, card)
    return card
