"""Turns, passing, the end of a round and of the game (rules 4)."""

from __future__ import annotations

from deckcheck.engine.games.gwen_t.rules.abilities import lift_weather
from deckcheck.engine.games.gwen_t.rules.scoring import side_score
from deckcheck.engine.games.gwen_t.rules.zones import discard, draw_cards
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import shuffle_deck
from deckcheck.engine.types import Context, Player, State


@jit
def pass_round(s: State, player: Player) -> None:
    """Passing is final for the round."""
    s.passed[player] = 1
    s.pass_order[s.n_passed] = player
    s.n_passed += 1


@jit
def settle(s: State, x: Context) -> None:
    """After a turn: the next player is to move, or the round is over."""
    if s.n_passed < s.standing:
        next_turn(s)
        return
    # A round in which nobody has a card ends as soon as it begins.
    while s.n_passed == s.standing and not s.over:
        end_round(s, x)


@jit
def next_turn(s: State) -> None:
    """The next player in turn order who has not passed is to move."""
    s.position = (s.position + 1) % s.standing
    while s.passed[s.order[s.position]]:
        s.position = (s.position + 1) % s.standing
    s.turn = s.order[s.position]


@jit
def end_round(s: State, x: Context) -> None:
    """Decide the round, take gems, and start the next round or end the game."""
    winner = round_winner(s, x)
    left = 0
    for i in range(s.standing):
        player = s.order[i]
        # "The winner keeps his gems, everyone else loses one."
        if player != winner:
            s.gems[player] -= 1
        if s.gems[player] > 0:
            left += 1
    remove_defeated(s, x, left)
    if left <= 1:
        end_game(s)
        return
    if not x.board_stays:
        clear_board(s)
    s.round_no += 1
    for i in range(s.standing):
        player = s.order[i]
        if x.reshuffle:
            shuffle_deck(s, x, player)
        draw_cards(s, x, player, x.cards_per_round)
    begin_turns(s)


@jit
def round_winner(s: State, x: Context) -> Player:
    """The player with the highest score, -1 for a tie; notes all scores."""
    winner, best = -1, -1
    for i in range(s.standing):
        player = s.order[i]
        score = side_score(s, x, player)
        s.score[player] = score
        s.points[player] += score
        if score > best:
            winner, best = player, score
        elif score == best:
            winner = -1
    return winner


@jit
def remove_defeated(s: State, x: Context, left: int) -> None:
    """Players without gems get their place; the others keep or change their order."""
    kept = 0
    for i in range(s.standing):
        player = s.pass_order[i] if x.pass_order else s.order[i]
        if s.gems[player] == 0:
            # Defeated in the same round: the same place, after all who are left.
            s.place[player] = left + 1
    for i in range(s.standing):
        player = s.pass_order[i] if x.pass_order else s.order[i]
        if s.gems[player] > 0:
            s.order[kept] = player
            kept += 1
    s.standing = kept


@jit
def end_game(s: State) -> None:
    """At most one player is left, who has won."""
    s.over = 1
    if s.standing == 1:
        s.winner = s.order[0]
        s.place[s.winner] = 1


@jit
def clear_board(s: State) -> None:
    """All units and the weather leave the board."""
    for player in range(s.players):
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[player, row]):
                discard(s, player, s.row[player, row, i])
            s.n_row[player, row] = 0
            s.total[player, row] = 0
    lift_weather(s)


@jit
def begin_turns(s: State) -> None:
    """A round begins with the first player in turn order who has a card."""
    s.n_passed = 0
    for i in range(s.standing):
        s.passed[s.order[i]] = 0
    for i in range(s.standing):
        if s.n_hand[s.order[i]] == 0:
            pass_round(s, s.order[i])
    s.position = s.standing - 1
    if s.n_passed < s.standing:
        s.position = 0
        while s.passed[s.order[s.position]]:
            s.position += 1
        s.turn = s.order[s.position]
