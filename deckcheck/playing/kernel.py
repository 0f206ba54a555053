"""The compiled loops that play many games, count them, and watch or force redraws."""

from __future__ import annotations

from enum import IntEnum
from math import lcm
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.engine.contract import (
    apply_move,
    cards_left,
    count_hand,
    count_unplayed,
    deal_hand,
    find_seat,
    is_over,
    legal_moves,
    place,
    points,
    redrawn_card,
    rounds_played,
    score_margin,
    set_up,
    to_move,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import GameDoesNotEnd
from deckcheck.policies.players import choose_move

# -----------------------------------------------------------------------------
# The tally of a block of sets: counts and sums, mergeable by +
#
# A tally is a two-dimensional int64 array. Its first row has the cells of `Head`. Then
# follow a row for each entrant, a row for each seat, and a row for each entrant in each
# seat, all with the cells of `SeatColumns`. A win is worth `count_shares` shares, split
# evenly among the entrants in first place: half-points in a duel.

CHECKSUM_MASK = (1 << 48) - 1

Ints: TypeAlias = npt.NDArray[np.int64]


class Head(IntEnum):
    """The cells of the first row."""

    CHECKSUM = 0  # sum of the hashes of the games, 48 bits
    SETS = 1
    GAMES = 2
    ROUNDS = 3  # sum over games
    TURNS = 4  # sum over games of the moves made
    DRAWS = 5  # games in which all entrants share the first place


class SeatColumns(IntEnum):
    """The cells of all further rows: the results of an entrant, or of a seat.

    Squares are sums over sets. The rows of an entrant in a seat count and square over
    games.
    """

    GAMES = 0
    GAMES_SQUARED = 1  # sum over sets of the squared number of games
    WINS = 2  # first places of its own
    SHARED = 3  # first places shared with others
    PLACES = 4  # sum of the places
    POINTS = 5  # sum of the points
    CARDS_LEFT = 6  # sum of the cards left in hand
    PLACES_SQUARED = 7
    POINTS_SQUARED = 8
    SHARES = 9  # from here: how often the sum of shares was 0, 1, 2, ...


def count_shares(entrants: int) -> int:
    """Return the shares that a win is worth, so that every even split is whole."""
    return lcm(*range(1, entrants + 1))


def new_tally(entrants: int, rotation: int) -> Ints:
    """Return an empty tally for sets of `rotation` games."""
    rows = 1 + 2 * entrants + entrants * entrants
    columns = SeatColumns.SHARES + count_shares(entrants) * rotation + 1
    return np.zeros((rows, columns), np.int64)


# -----------------------------------------------------------------------------
# Playing games: the compiled loop over moves and over a list of games
#
# The games of a list are independent, so they may be the sets of a table, the next
# games of many tournament matches, or a single game played again.

MAX_TURNS = 10_000


class ListedGame(IntEnum):
    """The columns of a game to be played."""

    CONTEXT = 0  # the index of the context
    STREAM = 1  # random stream of chance. The players' streams follow, by beginner
    COUNTER = 2  # the place in these streams
    BEGINNER = 3  # the seat that wins the coin toss


class GameOutcome(IntEnum):
    """The columns of a finished game.

    From PLACE on there are four blocks with a column for each entrant: places, points,
    seats (0 began), and cards left in hand. See `ENTRANT_BLOCKS`.
    """

    ROUNDS = 0
    TURNS = 1  # moves made
    HISTORY = 2  # hash over all moves
    LEAD = 3  # of player 0 on the board, at the end
    PLACE = 4


ENTRANT_BLOCKS = 4


@jit
def play_game(s: Any, x: Any, p: Any, moves: Any, trial: Any, game: Any) -> Any:
    """Play a game from start to end. `p` is the workspace of the players.

    `moves` gets as many of its moves as have room. `trial` is the `HandTrial` of a list
    of games, of which this one has the number `game`.
    """
    set_up(s, x)
    is_open = False
    while not is_over(s):
        player = to_move(s)
        count = legal_moves(s, x)
        if player == trial.player and redrawn_card(s, x.moves[0]) >= 0:
            if trial.redrawn[game, 0] == 0:
                begin_redraws(s, x, trial, game)
                continue  # with the moves of the hand that was dealt
            count = keep_allowed(s, x, trial, game, count)
        move = choose_move(s, x, p, x.policy[player], count)
        if s.turns < moves.shape[0]:
            moves[s.turns] = move
        if trial.player < 0:
            make_move(s, x, move)
        else:
            is_open = make_watched_move(s, x, move, trial, game, is_open)
    if trial.player >= 0:
        note_last_hand(s, trial, game, is_open)


@entry
def start_game(
    s: Any, x: Any, seed: Any, stream: Any, counter: Any, beginner: Any
) -> Any:
    """Seed all chance of a game. `beginner` is the seat that wins the coin toss."""
    seed_generator(s.rng, seed, stream, counter)
    seed_generator(x.rng, seed, stream + 1 + beginner, counter)
    x.coin = beginner


@jit
def start_listed(s: Any, x: Any, seed: Any, games: Any, i: Any, current: Any) -> Any:
    """Seed all chance of game `i` of a list, and write its number to `current[0]`."""
    current[0] = i
    stream = games[i, ListedGame.STREAM.value]
    counter = games[i, ListedGame.COUNTER.value]
    start_game(s, x, seed, stream, counter, games[i, ListedGame.BEGINNER.value])


@jit
def make_move(s: Any, x: Any, move: Any) -> Any:
    """Carry out a move, and raise an error if the game does not end."""
    apply_move(s, x, move)
    if s.turns > MAX_TURNS:
        raise GameDoesNotEnd("the game does not end")


@entry
def play_games(
    states: Any,
    contexts: Any,
    workspaces: Any,
    seed: Any,
    games: Any,
    outcomes: Any,
    moves: Any,
    trial: Any,
    current: Any,
) -> Any:
    """Play each of `games` (see `ListedGame`) and write its outcome to `outcomes`.

    `current[0]` always holds the number of the game being played, for the report of a
    crash. `moves` gets as many moves of the last game as have room. `trial` is a
    `HandTrial`.
    """
    s = states[0]
    p = workspaces[0]
    for i in range(games.shape[0]):
        x = contexts[games[i, ListedGame.CONTEXT.value]]
        start_listed(s, x, seed, games, i, current)
        play_game(s, x, p, moves, trial, i)
        note_outcome(s, x, outcomes, i)


@jit
def note_outcome(s: Any, x: Any, outcomes: Any, i: Any) -> Any:
    """Write an ended game to row `i` of `outcomes`."""
    outcomes[i, GameOutcome.ROUNDS.value] = rounds_played(s)
    outcomes[i, GameOutcome.TURNS.value] = s.turns
    outcomes[i, GameOutcome.HISTORY.value] = s.history
    outcomes[i, GameOutcome.LEAD.value] = score_margin(s, x, 0)
    entrants = (outcomes.shape[1] - GameOutcome.PLACE) // ENTRANT_BLOCKS
    for entrant in range(entrants):
        column = GameOutcome.PLACE + entrant
        outcomes[i, column] = place(s, x, entrant)
        outcomes[i, column + entrants] = points(s, x, entrant)
        outcomes[i, column + 2 * entrants] = find_seat(s, x, entrant)
        outcomes[i, column + 3 * entrants] = cards_left(s, x, entrant)


# -----------------------------------------------------------------------------
# The compiled loop that counts the outcomes of games into the tally of their sets
#
# It is the same for all games, since outcomes are numbers (see `GameOutcome`). So it is
# compiled once.

HASH_FACTOR = 2654435761  # Knuth's multiplicative hash, below 2**32


@entry
def count_sets(
    outcomes: Any,
    who: Any,
    numbers: Any,
    rotation: Any,
    full: Any,
    tally: Any,
    sums: Any,
) -> Any:
    """Add whole sets of `rotation` games, set by set, to `tally`.

    `who[game, i]` is the entrant that the game calls `i`, `numbers[game]` is mixed into
    its hash, and a win is worth `full` shares. `sums` is a working array in the shape
    of the tally, zero before and after.
    """
    entrants = who.shape[1]
    for game in range(outcomes.shape[0]):
        count_game(outcomes, game, numbers[game], entrants, tally)
        winners = count_winners(outcomes, game, entrants, tally)
        for i in range(entrants):
            place = outcomes[game, GameOutcome.PLACE.value + i]
            won = full // winners if place == 1 else 0
            entrant = who[game, i]
            seat = outcomes[game, GameOutcome.PLACE.value + 2 * entrants + i]
            entrant_row = 1 + entrant
            seat_row = 1 + entrants + seat
            joint_row = 1 + entrants * (2 + entrant) + seat
            count_entrant(outcomes, game, i, won, full, entrant_row, tally, sums)
            count_entrant(outcomes, game, i, won, full, seat_row, tally, sums)
            count_entrant(outcomes, game, i, won, full, joint_row, tally, sums)
        if (game + 1) % rotation == 0:
            count_set(tally, sums, entrants)


@jit
def count_game(outcomes: Any, game: Any, number: Any, entrants: Any, tally: Any) -> Any:
    """Add a finished game to the first row."""
    mixed = outcomes[game, GameOutcome.HISTORY.value] ^ (number * HASH_FACTOR)
    for i in range(entrants):
        place = outcomes[game, GameOutcome.PLACE.value + i]
        points = outcomes[game, GameOutcome.PLACE.value + entrants + i]
        mixed = (31 * mixed + 7 * points + place) & CHECKSUM_MASK
    checksum = tally[0, Head.CHECKSUM.value] + mixed
    tally[0, Head.CHECKSUM.value] = checksum & CHECKSUM_MASK
    tally[0, Head.GAMES.value] += 1
    tally[0, Head.ROUNDS.value] += outcomes[game, GameOutcome.ROUNDS.value]
    tally[0, Head.TURNS.value] += outcomes[game, GameOutcome.TURNS.value]


@jit
def count_winners(outcomes: Any, game: Any, entrants: Any, tally: Any) -> Any:
    """Return how many entrants share the first place. If all do, the game is drawn."""
    winners = 0
    for i in range(entrants):
        if outcomes[game, GameOutcome.PLACE.value + i] == 1:
            winners += 1
    if winners == entrants:
        tally[0, Head.DRAWS.value] += 1
    return winners


@jit
def count_entrant(
    outcomes: Any,
    game: Any,
    i: Any,
    won: Any,
    full: Any,
    row: Any,
    tally: Any,
    sums: Any,
) -> Any:
    """Count an ended game in a row: of an entrant, of its seat, or of both together."""
    entrants = (outcomes.shape[1] - GameOutcome.PLACE) // ENTRANT_BLOCKS
    column = GameOutcome.PLACE + i
    place = outcomes[game, column]
    points = outcomes[game, column + entrants]
    tally[row, SeatColumns.GAMES.value] += 1
    if won == full:
        tally[row, SeatColumns.WINS.value] += 1
    elif won > 0:
        tally[row, SeatColumns.SHARED.value] += 1
    tally[row, SeatColumns.PLACES.value] += place
    tally[row, SeatColumns.POINTS.value] += points
    tally[row, SeatColumns.CARDS_LEFT.value] += outcomes[game, column + 3 * entrants]
    sums[row, SeatColumns.GAMES.value] += 1
    sums[row, SeatColumns.PLACES.value] += place
    sums[row, SeatColumns.POINTS.value] += points
    sums[row, SeatColumns.SHARES.value] += won
    if row > 2 * entrants:
        tally[row, SeatColumns.PLACES_SQUARED.value] += place * place
        tally[row, SeatColumns.POINTS_SQUARED.value] += points * points
        tally[row, SeatColumns.SHARES.value + won] += 1


@jit
def count_set(tally: Any, sums: Any, entrants: Any) -> Any:
    """Add the sums of a set, which counts as a single observation."""
    tally[0, Head.SETS.value] += 1
    for row in range(1, tally.shape[0]):
        games = sums[row, SeatColumns.GAMES.value]
        tally[row, SeatColumns.GAMES_SQUARED.value] += games * games
        if row <= 2 * entrants:
            places = sums[row, SeatColumns.PLACES.value]
            points = sums[row, SeatColumns.POINTS.value]
            shares = sums[row, SeatColumns.SHARES.value]
            tally[row, SeatColumns.PLACES_SQUARED.value] += places * places
            tally[row, SeatColumns.POINTS_SQUARED.value] += points * points
            tally[row, SeatColumns.SHARES.value + shares] += 1
        sums[row, SeatColumns.GAMES.value] = 0
        sums[row, SeatColumns.PLACES.value] = 0
        sums[row, SeatColumns.POINTS.value] = 0
        sums[row, SeatColumns.SHARES.value] = 0


# -----------------------------------------------------------------------------
# The hand of a player, which may be watched, and whose redraws may be forced

NOT_DEALT = -1


class Seen(IntEnum):
    """The ways in which a game may see a card, as columns."""

    OPENING = 0  # in the hand before the first move that is not a redraw
    DRAWN = 1  # added to the hand later
    PLAYED = 2  # taken out of the hand by a move of the player
    HELD = 3  # in hand at the end


class Way(IntEnum):
    """The ways in which the player has to redraw."""

    OWN = 0  # by the player's own choice
    KEPT = 1  # by the player's choice, but never a certain card
    FIRST = 2  # a certain card first, then by the player's choice
    ONLY = 3  # certain cards in their order, and no others


class HandTrial(NamedTuple):
    """The hand that is watched in a list of games, and its forced redraws.

    The cards that are watched have slots: `slots[card]` is the slot, -1 for none.
    """

    player: int
    """The seat whose hand is watched. With -1 no hand is, and all else is empty."""
    way: int
    """The `Way` in which the player redraws."""
    cards: Ints
    """The certain cards of some ways."""
    hand: Ints
    """The cards that are dealt to the player, or none for a hand by chance."""
    slots: Ints
    """The slot of each card, by its number."""
    seen: Ints
    """`[game, slot, Seen]`: whether the game saw the card in this way."""
    dealt: Ints
    """`[game, slot]`: the copies in the hand before redraws."""
    redrawn: Ints
    """`[game, 0]` is 1 plus the number of redraws, 0 if the player could make none, and
    NOT_DEALT if hands have another size in this game. The redrawn cards follow in their
    order, and zeros."""
    held: Ints
    """The copies before a move, and after it: two rows with a cell for each slot."""


@jit
def make_watched_move(
    s: Any, x: Any, move: Any, trial: Any, game: Any, is_open: Any
) -> Any:
    """Carry out a move, and note changes of the watched hand.

    Returns whether the player's hand is open. It is from the first change on that is
    not a redraw.
    """
    player = trial.player
    is_own = to_move(s) == player
    redrawn = trial.redrawn[game]
    if is_own and redrawn[0] > 0 and redrawn_card(s, move) > 0:
        redrawn[redrawn[0]] = redrawn_card(s, move)
        redrawn[0] += 1
    count_hand(s, player, trial.slots, trial.held[0])
    hand, deck = count_unplayed(s, player)
    make_move(s, x, move)
    count_hand(s, player, trial.slots, trial.held[1])
    hand_after, deck_after = count_unplayed(s, player)
    # A redraw leaves hand and deck as large as before.
    is_changed = hand_after != hand or deck_after != deck
    if is_own and is_changed and not is_open:
        is_open = True
        note_held(trial.seen[game], trial.held[0], Seen.OPENING.value)
    if is_open:
        note_changes(trial.seen[game], trial.held, is_own)
    return is_open


@jit
def note_last_hand(s: Any, trial: Any, game: Any, is_open: Any) -> Any:
    """Note the cards that are held at the end."""
    held = trial.held[0]
    count_hand(s, trial.player, trial.slots, held)
    note_held(trial.seen[game], held, Seen.HELD.value)
    if not is_open:
        note_held(trial.seen[game], held, Seen.OPENING.value)


@jit
def note_held(seen: Any, held: Any, way: Any) -> Any:
    """Note the cards in hand."""
    for slot in range(held.shape[0]):
        if held[slot] > 0:
            seen[slot, way] = 1


@jit
def note_changes(seen: Any, held: Any, is_own: Any) -> Any:
    """Note cards added to the hand, and cards taken out by a move of the player."""
    for slot in range(held.shape[1]):
        if held[1, slot] > held[0, slot]:
            seen[slot, Seen.DRAWN.value] = 1
        elif held[1, slot] < held[0, slot] and is_own:
            seen[slot, Seen.PLAYED.value] = 1


@jit
def begin_redraws(s: Any, x: Any, trial: Any, game: Any) -> Any:
    """Deal the player the wanted hand, if any, and note its cards."""
    if trial.hand.shape[0] not in (0, count_unplayed(s, trial.player)[0]):
        trial.redrawn[game, 0] = NOT_DEALT
        return
    trial.redrawn[game, 0] = 1
    if trial.hand.shape[0] > 0:
        deal_hand(s, x, trial.player, trial.hand)
    count_hand(s, trial.player, trial.slots, trial.dealt[game])


@jit
def keep_allowed(s: Any, x: Any, trial: Any, game: Any, count: Any) -> Any:
    """Keep the redraws in `x.moves` that the way allows, and return how many."""
    made = trial.redrawn[game, 0] - 1
    if made < 0:
        return count
    wanted = trial.cards[made] if made < trial.cards.shape[0] else 0
    is_forced = trial.way == Way.ONLY or (trial.way == Way.FIRST and made == 0)
    left = 0
    for i in range(count):
        card = redrawn_card(s, x.moves[i])
        if is_forced and card != wanted:
            continue
        if trial.way == Way.KEPT and card == trial.cards[0]:
            continue
        x.moves[left] = x.moves[i]
        left += 1
    return left
