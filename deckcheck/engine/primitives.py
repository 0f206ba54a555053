"""The parts of every game: the generator, shuffles, moves, hands and piles."""

from __future__ import annotations

from enum import IntEnum

from deckcheck.engine.jit import (
    Card,
    Cells,
    Context,
    Move,
    Player,
    Row,
    Side,
    State,
    entry,
    jit,
)

# -----------------------------------------------------------------------------
# Words of the rules that games share, as numbers


class RowName(IntEnum):
    """The three rows of a side."""

    CLOSE = 0
    RANGED = 1
    SIEGE = 2


ROW_COUNT = len(RowName)


class LeaderState(IntEnum):
    """Whether a leader can still be used."""

    READY = 0
    USED = 1
    PASSIVE = 2
    VOID = 3


# -----------------------------------------------------------------------------
# Moves as numbers: `verb << 24 | who << 16 | row << 12 | card`

CARD_MASK = 4095
ROW_BIT, ROW_MASK = 12, 15
WHO_BIT, WHO_MASK = 16, 255
VERB_BIT = 24


def encode(verb: int, card: int = 0, row: int = 0, who: int = 0) -> int:
    """Return the move as a number."""
    return verb << VERB_BIT | who << WHO_BIT | row << ROW_BIT | card


@jit
def move_verb(move: Move) -> int:
    """Return the verb of a move."""
    return move >> VERB_BIT


@jit
def move_who(move: Move) -> Player:
    """Return the player, or the side, that a move names."""
    return (move >> WHO_BIT) & WHO_MASK


@jit
def move_row(move: Move) -> Row:
    """Return the row of a move."""
    return (move >> ROW_BIT) & ROW_MASK


@jit
def move_card(move: Move) -> Card:
    """Return the card of a move, or the index of a card in its row."""
    return move & CARD_MASK


# -----------------------------------------------------------------------------
# The hash of a game's moves, by which runs are compared (their checksum)

HASH_MASK = 0xFFFFFFFF


@jit
def extend_history(history: int, move: Move) -> int:
    """Return the 32-bit hash `history`, extended by a move or another number."""
    return (history * 31 + move + 1) & HASH_MASK


# -----------------------------------------------------------------------------
# The list of moves that is written to `x.moves`


@jit
def add(x: Context, count: int, move: Move) -> int:
    """Append a move to the list and return the new length."""
    x.moves[count] = move
    return count + 1


@jit
def add_once(x: Context, count: int, move: Move) -> int:
    """Append a move, unless it is listed, and return the new length."""
    for i in range(count):
        if x.moves[i] == move:
            return count
    return add(x, count, move)


@jit
def add_hand(
    s: State, x: Context, player: Player, encoded_verb: int, count: int
) -> int:
    """Append a move for each different hand card, and return the new length.

    `encoded_verb` is a move without a card. The hand has to be sorted.
    """
    last = 0
    for i in range(s.n_hand[player]):
        if s.hand[player, i] != last:
            last = s.hand[player, i]
            count = add(x, count, encoded_verb | last)
    return count


# -----------------------------------------------------------------------------
# Chance: a small counter-seeded generator, the same compiled or not
#
# The generator is sfc32 (Chris Doty-Humphrey, PractRand 0.94): three 32-bit words and a
# counter, kept in four int64 cells so that no operation overflows in plain Python
# either. The seed of a game is a pure function of its place in the run, so results do
# not depend on workers, blocks or order.

WARM_UP = 16


@jit
def next_word(rng: Cells) -> int:
    """Return the next 32 random bits of the generator in the cells `rng[0..3]`."""
    a, b, c = rng[0], rng[1], rng[2]
    word = (a + b + rng[3]) & HASH_MASK
    rng[3] = (rng[3] + 1) & HASH_MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & HASH_MASK
    rng[2] = ((((c << 21) & HASH_MASK) | (c >> 11)) + word) & HASH_MASK
    return word


@jit
def draw_below(rng: Cells, bound: int) -> int:
    """Return a random integer from 0 to `bound` - 1. Bias is below `bound` / 2**32."""
    return (next_word(rng) * bound) >> 32


@entry
def seed_generator(rng: Cells, seed: int, stream: int, counter: int) -> None:
    """Set the generator to the start of its sequence for (seed, stream, counter).

    `seed` may use 62 bits, `stream` and `counter` 32 bits each. Different triples
    give different sequences.
    """
    rng[0] = seed & HASH_MASK
    rng[1] = (seed >> 32) & HASH_MASK
    rng[2] = stream & HASH_MASK
    rng[3] = counter & HASH_MASK
    for _ in range(WARM_UP):
        next_word(rng)


# -----------------------------------------------------------------------------
# A random order of cards that does not depend on their order before
#
# Hidden cards are dealt from such an order, so the same information gives the same
# draw, regardless of the truth.


@jit
def shuffle(cards: Cells, count: int, rng: Cells) -> None:
    """Shuffle the first `count` of `cards` by Fisher-Yates, from their given order."""
    for i in range(count - 1, 0, -1):
        j = draw_below(rng, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@jit
def sort(cells: Cells, count: int) -> None:
    """Sort the first `count` of `cells`, which hides their order."""
    for i in range(1, count):
        cell = cells[i]
        j = i
        while j > 0 and cells[j - 1] > cell:
            cells[j] = cells[j - 1]
            j -= 1
        cells[j] = cell


@jit
def mix(cards: Cells, count: int, rng: Cells) -> None:
    """Sort and shuffle the first `count` of `cards`, whose order is forgotten."""
    sort(cards, count)
    shuffle(cards, count, rng)


@jit
def renew_chance(s: State, x: Context) -> None:
    """Give a possible world a future chance of its own, from `x.rng`."""
    seed_generator(
        s.rng, draw_below(x.rng, 1 << 30), draw_below(x.rng, 1 << 30), s.turns
    )


# -----------------------------------------------------------------------------
# Random picks, which a scripted game answers with the cards of its script


@jit
def pick(
    s: State, x: Context, count: int, cause: int, player: Player, wanted: int
) -> int:
    """Return the index of a random candidate among the `count` in `x.pool`.

    `wanted` cards will be picked from them, one by one, for `player`. If all of them
    are wanted, or all are the same card, a script need not answer. A scripted game
    answers with the next card of the script.
    """
    if not x.scripted:
        return draw_below(s.rng, count)
    needed = count > wanted and not is_one_card(x, count)
    return read_answer(x, count, cause, player, 0, needed)


@jit
def read_answer(
    x: Context, count: int, cause: int, player: Player, base: int, needed: bool
) -> int:
    """Return the index of the candidate that the script names next.

    The script has the number of a card, and `base` - n for player or row n, where
    `base` is not 0. Without an answer the first candidate is taken, which is an error
    of the script if an answer is `needed`.
    """
    if not x.script_error and x.script_pos < x.n_script:
        for i in range(count):
            word = base - x.pool[i] if base else x.plain[x.pool[i]]
            if word == x.script[x.script_pos]:
                x.script_pos += 1
                return i
    if needed and not x.script_error:
        note_missing_answer(x, count, cause, player)
    return 0


@jit
def is_one_card(x: Context, count: int) -> bool:
    """Report whether all candidates are copies of the same card."""
    for i in range(1, count):
        if x.plain[x.pool[i]] != x.plain[x.pool[0]]:
            return False
    return True


@jit
def note_missing_answer(x: Context, count: int, cause: int, player: Player) -> None:
    """Keep the cause of a pick from `x.pool` for which the script has no right answer.

    `script_error` becomes 1 at the end of the script, and 2 if its answer is not among
    the candidates.
    """
    x.script_error = 1
    if x.script_pos < x.n_script:
        x.script_pos += 1
        x.script_error = 2
    x.asked[0] = cause
    x.asked[1] = player
    x.n_asked = count
    for i in range(count):
        x.asked_cards[i] = x.pool[i]


@jit
def side_total(s: State, side: Side) -> int:
    """Return the strength of all cards in the rows of a side."""
    return s.total[side, 0] + s.total[side, 1] + s.total[side, 2]


# -----------------------------------------------------------------------------
# Hands, decks and discard piles, with cards in them, in any game
#
# Nothing here knows a rule.


@jit
def copy_deck(s: State, x: Context, player: Player) -> None:
    """Copy the deck of the player without its empty places."""
    s.n_deck[player] = 0
    for i in range(x.n_deck[player]):
        if x.deck[player, i] != 0:
            s.deck[player, s.n_deck[player]] = x.deck[player, i]
            s.n_deck[player] += 1


@jit
def shuffle_deck(s: State, x: Context, player: Player) -> None:
    """Shuffle by Fisher-Yates. Scripted games keep the order."""
    if x.scripted:
        return
    if x.by_place[player]:
        shuffle_places(s, x, player)
        return
    shuffle(s.deck[player], s.n_deck[player], s.rng)


@jit
def shuffle_places(s: State, x: Context, player: Player) -> None:
    """Shuffle the places of the list, with the cards of the deck that belong there.

    So a list with empty places and a list that fills them take the same random
    numbers, and their common cards come in the same order.
    """
    places = x.n_deck[player]
    for i in range(places):
        x.places[i] = 0
    strays = 0
    for i in range(s.n_deck[player]):
        card = s.deck[player, i]
        slot = free_place(x, player, card)
        if slot < 0:
            slot = places + strays
            strays += 1
        x.places[slot] = card
    shuffle(x.places, places, s.rng)
    count = 0
    for i in range(places):
        if x.places[i] != 0:
            s.deck[player, count] = x.places[i]
            count += 1
    # Cards that the list does not have go to random places.
    for i in range(places, places + strays):
        j = draw_below(s.rng, count + 1)
        s.deck[player, count] = s.deck[player, j]
        s.deck[player, j] = x.places[i]
        count += 1


@jit
def free_place(x: Context, player: Player, card: Card) -> int:
    """Return the first free position of the list for `card`, or -1."""
    for i in range(x.n_deck[player]):
        if x.deck[player, i] == card and x.places[i] == 0:
            return i
    return -1


@jit
def may_redraw(s: State, player: Player) -> bool:
    """Report whether the player has a redraw, a card to give and a card to draw."""
    return s.redraws[player] > 0 and s.n_deck[player] > 0 and s.n_hand[player] > 0


@jit
def copies(cards: Cells, count: int, card: Card) -> int:
    """Return the number of copies of `card` among the first `count` of `cards`."""
    found = 0
    for i in range(count):
        found += cards[i] == card
    return found


@jit
def largest(cells: Cells, count: int) -> int:
    """Return the largest of the first `count` of `cells`, which are not negative."""
    best = 0
    for i in range(count):
        best = max(best, cells[i])
    return best


@jit
def index_in_hand(s: State, player: Player, card: Card) -> int:
    """Return the index of `card` in hand, if possible of a copy known to opponents."""
    index = -1
    for i in range(s.n_hand[player]):
        if s.hand[player, i] == card and (index < 0 or s.seen[player, i]):
            index = i
    return index


@jit
def take_from_hand_at(s: State, player: Player, index: int) -> Card:
    """Take the hand card at `index` out and return it."""
    card = s.hand[player, index]
    s.n_hand[player] -= 1
    for i in range(index, s.n_hand[player]):
        s.hand[player, i] = s.hand[player, i + 1]
        s.seen[player, i] = s.seen[player, i + 1]
    return card


@jit
def remove_from_hand(s: State, player: Player, card: Card) -> Card:
    """Take `card` out of the hand, if possible a copy known to opponents."""
    return take_from_hand_at(s, player, index_in_hand(s, player, card))


@jit
def remove_from_deck(s: State, player: Player, card: Card) -> int:
    """Take the topmost copy of `card` out of the deck and return how many: 0 or 1."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        if s.deck[player, i] == card:
            s.n_deck[player] -= 1
            for j in range(i, s.n_deck[player]):
                s.deck[player, j] = s.deck[player, j + 1]
            return 1
    return 0


@jit
def deal_hand(s: State, x: Context, player: Player, hand: Cells) -> None:
    """Give the player the cards of `hand`, as if the shuffle had done so."""
    for i in range(s.n_hand[player]):
        s.deck[player, s.n_deck[player]] = s.hand[player, i]
        s.n_deck[player] += 1
    for i in range(hand.shape[0]):
        remove_from_deck(s, player, hand[i])
        s.hand[player, i] = hand[i]
    shuffle_deck(s, x, player)


@jit
def add_to_deck_bottom(s: State, player: Player, card: Card) -> None:
    """Put `card` below the deck."""
    for i in range(s.n_deck[player], 0, -1):
        s.deck[player, i] = s.deck[player, i - 1]
    s.deck[player, 0] = card
    s.n_deck[player] += 1


@jit
def discard(s: State, side: Side, card: Card) -> None:
    """Put `card` on the discard pile of `side`."""
    s.discard[side, s.n_discard[side]] = card
    s.n_discard[side] += 1


@jit
def remove_from_discard(s: State, side: Side, card: Card) -> int:
    """Take the topmost copy of `card` out of the pile and return how many: 0 or 1."""
    for i in range(s.n_discard[side] - 1, -1, -1):
        if s.discard[side, i] == card:
            s.n_discard[side] -= 1
            for j in range(i, s.n_discard[side]):
                s.discard[side, j] = s.discard[side, j + 1]
            return 1
    return 0
