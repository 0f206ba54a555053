"""Gwen't: the rules of play for cards, rows, scores, set-up, rounds and moves."""

from __future__ import annotations

from deckcheck.engine.gwen_t.state import NO_ROW, WEATHER_ROWS, Effect, Kind, Verb
from deckcheck.engine.jit import (
    Card,
    Cells,
    Context,
    Move,
    Player,
    Row,
    State,
    entry,
    jit,
)
from deckcheck.engine.primitives import (
    ROW_BIT,
    VERB_BIT,
    copy_deck,
    discard,
    draw_below,
    extend_history,
    move_row,
    shuffle_deck,
)
from deckcheck.engine.registry import Carried

# -----------------------------------------------------------------------------
# Moving cards between deck, hand and discard pile, and random decks
#
# Nothing here knows a rule of play.


@jit
def draw_cards(s: State, x: Context, player: Player, count: int) -> None:
    """Draw up to `count` cards: "hand limit 10, fewer if the deck runs out"."""
    room = x.hand_limit - s.n_hand[player]
    for _ in range(min(count, room, s.n_deck[player])):
        s.n_deck[player] -= 1
        s.hand[player, s.n_hand[player]] = s.deck[player, s.n_deck[player]]
        s.n_hand[player] += 1


@jit
def take_from_hand(s: State, player: Player, index: int) -> Card:
    """Take the hand card at `index` out and return it. The last card closes the gap."""
    card = s.hand[player, index]
    s.n_hand[player] -= 1
    s.hand[player, index] = s.hand[player, s.n_hand[player]]
    return card


@jit
def fill_pool(x: Context) -> int:
    """Write a fresh pool to `x.left` and return the number of its cards."""
    total = 0
    for card in range(1, x.n_cards + 1):
        x.left[card] = x.copies[card]
        total += x.copies[card]
    list_kinds(x)
    return total


@jit
def list_kinds(x: Context) -> None:
    """List the kinds with copies left in `x.left`."""
    x.n_kinds = 0
    for card in range(1, x.n_cards + 1):
        if x.left[card] > 0:
            x.kinds[x.n_kinds] = card
            x.n_kinds += 1


@jit
def random_card(x: Context, rng: Cells, total: int) -> Card:
    """Take a random card out of the `total` cards in `x.left` (rules 2.3 and 2.4).

    A pick of a used-up kind is repeated, so it is a pick among the other kinds.
    """
    kind = 0
    if x.weighted_sampling:
        ticket = draw_below(rng, total)
        while ticket >= x.left[x.kinds[kind]]:
            ticket -= x.left[x.kinds[kind]]
            kind += 1
    else:
        kind = draw_below(rng, x.n_kinds)
    card = x.kinds[kind]
    x.left[card] -= 1
    if x.left[card] == 0:
        x.n_kinds -= 1
        x.kinds[kind] = x.kinds[x.n_kinds]
    return card


# -----------------------------------------------------------------------------
# Cards that come into play: effects of units, and weather (rules 5)


@jit
def play_card(s: State, x: Context, player: Player, card: Card) -> None:
    """Play a unit onto the player's own side, or a weather card."""
    if x.kind[card] == Kind.UNIT:
        deploy(s, x, player, card)
    else:
        change_weather(s, x, player, card)


@jit
def deploy(s: State, x: Context, player: Player, card: Card) -> None:
    """Apply the effect of a unit to the units on the board, then add the unit.

    Weather needs no step of its own: it hides the strength shown by a row, never the
    stacked strength. By option it covers the card first, so that its effect shows
    (5.8).
    """
    effect = x.effect[card]
    strength = x.strength[card]
    row = x.row[card]
    gained = 0
    if effect == Effect.TIGHT_BOND:
        has_doubled = double_namesakes(s, x, player, x.effect_row[card], card)
        if has_doubled or x.lone_bond_doubles:
            strength *= 2
            gained = x.weather_strength
    elif effect == Effect.MORALE_BOOST:
        boost_row(s, x, player, x.effect_row[card])
    last = s.n_row[player, row]
    s.gained[player, row, last] = 0
    gain(s, x, player, row, last, gained)
    s.row[player, row, last] = card
    s.stacked[player, row, last] = strength
    s.n_row[player, row] = last + 1
    s.total[player, row] += strength


EFFECTS: dict[Effect, Carried] = {
    Effect.TIGHT_BOND: deploy,
    Effect.MORALE_BOOST: deploy,
    **dict.fromkeys(WEATHER_ROWS, WEATHER_ROWS),
}
"""The effects, each with the function or the table that has a branch for it."""


@jit
def gain(
    s: State, x: Context, player: Player, row: Row, index: int, amount: int
) -> None:
    """Add to the strength of a unit, visibly if weather covered it first (5.8)."""
    if x.covered_first and row == s.weather_row:
        s.gained[player, row, index] += amount
        s.gains[player, row] += amount


@jit
def double_namesakes(s: State, x: Context, player: Player, row: Row, card: Card) -> int:
    """Double every card of the same name in the row. Report whether there was any."""
    has_doubled = False
    for i in range(s.n_row[player, row]):
        if s.row[player, row, i] == card:
            s.total[player, row] += s.stacked[player, row, i]
            s.stacked[player, row, i] *= 2
            shown = x.weather_strength + s.gained[player, row, i]
            gain(s, x, player, row, i, shown)
            has_doubled = True
    return has_doubled


@jit
def boost_row(s: State, x: Context, player: Player, row: Row) -> None:
    """Add 1 to every card in the row."""
    for i in range(s.n_row[player, row]):
        s.stacked[player, row, i] += 1
        gain(s, x, player, row, i, 1)
    s.total[player, row] += s.n_row[player, row]


@jit
def change_weather(s: State, x: Context, player: Player, card: Card) -> None:
    """Replace the weather card."""
    lift_weather(s)
    s.weather = card
    s.weather_by = player
    s.weather_row = x.effect_row[card]


@jit
def lift_weather(s: State) -> None:
    """Remove the weather card, so that every unit shows its strength."""
    for player in range(s.players):
        for row in range(s.n_row.shape[1]):
            s.gains[player, row] = 0
            for i in range(s.n_row[player, row]):
                s.gained[player, row, i] = 0
    if s.weather:
        discard(s, s.weather_by, s.weather)
    s.weather = 0
    s.weather_row = NO_ROW


# -----------------------------------------------------------------------------
# Strengths of units, and the score of a side (rules 1.3, 5.4 to 5.7)


@jit
def row_score(s: State, x: Context, player: Player, row: Row, weather_row: Row) -> int:
    """Return the visible score of a row while weather covers `weather_row`."""
    if row == weather_row:
        return s.n_row[player, row] * x.weather_strength + s.gains[player, row]
    return s.total[player, row]


@jit
def score_under(s: State, x: Context, player: Player, weather_row: Row) -> int:
    """Return the player's visible score while weather covers `weather_row`."""
    score = 0
    for row in range(s.n_row.shape[1]):
        score += row_score(s, x, player, row, weather_row)
    return score


@jit
def best_other_score(s: State, x: Context, player: Player, weather_row: Row) -> int:
    """Return the highest score among the opponents still in the game."""
    best = -1
    for i in range(s.standing):
        other = s.order[i]
        if other != player:
            best = max(best, score_under(s, x, other, weather_row))
    return best


# -----------------------------------------------------------------------------
# Turns, passing, the end of a round and of the game (rules 4)


@jit
def pass_round(s: State, player: Player) -> None:
    """Let the player pass, which is final for the round."""
    s.passed[player] = 1
    s.pass_order[s.n_passed] = player
    s.n_passed += 1


@jit
def settle(s: State, x: Context) -> None:
    """Give the turn to the next player, or end the round."""
    if s.n_passed < s.standing:
        advance_turn(s)
        return
    # A round in which nobody has a card ends as soon as it begins.
    while s.n_passed == s.standing and not s.over:
        end_round(s, x)


@jit
def advance_turn(s: State) -> None:
    """Give the turn to the next player in order who has not passed."""
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
        # "Its winner keeps their gems, everyone else loses one." (4.5)
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
    """Record all scores and return the player with the highest score, -1 for a tie."""
    winner, best = -1, -1
    for i in range(s.standing):
        player = s.order[i]
        score = score_under(s, x, player, s.weather_row)
        s.score[player] = score
        s.points[player] += score
        if score > best:
            winner, best = player, score
        elif score == best:
            winner = -1
    return winner


@jit
def remove_defeated(s: State, x: Context, left: int) -> None:
    """Give players without gems their place and put the others in order."""
    standing = 0
    for i in range(s.standing):
        player = s.pass_order[i] if x.pass_order else s.order[i]
        if s.gems[player] == 0:
            # Players defeated in the same round share the place after all who are left.
            s.place[player] = left + 1
    for i in range(s.standing):
        player = s.pass_order[i] if x.pass_order else s.order[i]
        if s.gems[player] > 0:
            s.order[standing] = player
            standing += 1
    s.standing = standing


@jit
def end_game(s: State) -> None:
    """End the game with the last player left as the winner."""
    s.over = 1
    if s.standing == 1:
        s.winner = s.order[0]
        s.place[s.winner] = 1


@jit
def clear_board(s: State) -> None:
    """Remove all units and the weather from the board."""
    for player in range(s.players):
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[player, row]):
                discard(s, player, s.row[player, row, i])
            s.n_row[player, row] = 0
            s.total[player, row] = 0
    lift_weather(s)


@jit
def begin_turns(s: State) -> None:
    """Begin a round with the first player in turn order who has a card."""
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


# -----------------------------------------------------------------------------
# Before the first turn: decks, hands and the turn order (rules 3)


@entry
def set_up(s: State, x: Context) -> None:
    """Give all players gems, decks and hands. Player `x.coin` begins.

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
    """Set up an empty board with full gems and no cards."""
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
            s.gains[player, row] = 0


@jit
def make_deck(s: State, x: Context, player: Player) -> None:
    """Make a random deck from a pool of the player's own (rules 2.2 and 2.3)."""
    left = fill_pool(x)
    for i in range(x.deck_size):
        s.deck[player, i] = random_card(x, s.rng, left - i)
    s.n_deck[player] = x.deck_size


# -----------------------------------------------------------------------------
# Moves: how they are encoded, which are legal, and what they do
#
# A move has the index in the hand, below 16, in place of a row. Each card of the hand
# is a move of its own, even a copy, so that a random move is a random card (4.2).

PASS = int(Verb.PASS) << VERB_BIT
PLAY = int(Verb.PLAY) << VERB_BIT


@entry
def legal_moves(s: State, x: Context) -> int:
    """Write the legal moves of the player to move to `x.moves` and return their number.

    The player may pass, or play a card (rules 4.1). After the game there are no moves.
    """
    if s.over:
        return 0
    x.moves[0] = PASS
    for i in range(s.n_hand[s.turn]):
        x.moves[i + 1] = PLAY | i << ROW_BIT | s.hand[s.turn, i]
    return s.n_hand[s.turn] + 1


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a move. The caller makes sure that it is legal."""
    player = s.turn
    s.turns += 1
    s.history = extend_history(s.history, move)
    if move == PASS:
        pass_round(s, player)
    else:
        play_card(s, x, player, take_from_hand(s, player, move_row(move)))
        # "A player whose hand becomes empty passes automatically."
        if s.n_hand[player] == 0:
            pass_round(s, player)
    settle(s, x)
