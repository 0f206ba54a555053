"""Gwent: seats and hands, rows and strengths, weather, the side deck and Scorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from deckcheck.engine.gwent.codes import Ability, Kind, Slot, Weather
from deckcheck.engine.jit import (
    Card,
    Context,
    Player,
    Row,
    Side,
    State,
    Workspace,
    dispatch,
    jit,
)
from deckcheck.engine.primitives import (
    ROW_BIT,
    WHO_BIT,
    RowName,
    discard,
    move_card,
    move_row,
    move_who,
    side_total,
)
from deckcheck.engine.registry import UnplayedCode

# -----------------------------------------------------------------------------
# The seats of the table: numbers of players and sides, opponents and partners
#
# In the record for two players the numbers are literals, so that compiled loops over
# players and sides are unrolled. In the record for up to five they are in the context.

TWO_PLAYERS = 2
Function = TypeVar("Function", bound=Callable[..., Any])


def by_record(two: Function, many: Function) -> Function:
    """Return `two` for a record of two players and `many` for larger records.

    The choice is made at compile time, so the other function is never compiled there.
    """

    def call(s: State, *rest: Any) -> Any:
        return (two if s.leader.shape[0] == TWO_PLAYERS else many)(s, *rest)

    def implementation(s: Any, *rest: Any) -> Callable[..., Any]:
        chosen: Any = two if s.fields["leader"].type.shape[0] == TWO_PLAYERS else many
        return cast(Callable[..., Any], chosen.py_func)

    dispatch(call, implementation)
    return cast(Function, call)


@jit
def players(s: State, x: Context) -> int:
    """Return the number of players."""
    return TWO_PLAYERS if s.leader.shape[0] == TWO_PLAYERS else x.n_players


@jit
def sides(s: State, x: Context) -> int:
    """Return the number of sides of the board."""
    return TWO_PLAYERS if s.n_row.shape[0] == TWO_PLAYERS else x.n_sides


@jit
def has_many_sides(s: State, x: Context) -> bool:
    """Report whether it is a free-for-all: more than two sides."""
    return sides(s, x) > TWO_PLAYERS


@jit
def enemy_side(s: State, x: Context, side: Side) -> Side:
    """Return the only enemy side of the board, or -1 if there are several."""
    return 1 - side if sides(s, x) == TWO_PLAYERS else -1


@jit
def opponent(s: State, x: Context, player: Player) -> Player:
    """Return the only opponent of a player, or -1 if there are several."""
    return 1 - player if players(s, x) == TWO_PLAYERS else -1


@jit
def opponents(s: State, x: Context, player: Player) -> int:
    """Return the number of opponents of a player."""
    if players(s, x) == TWO_PLAYERS:
        return 1
    count = 0
    for other in range(players(s, x)):
        count += x.side[other] != x.side[player]
    return count


@jit
def partner(s: State, x: Context, player: Player) -> Player:
    """Return the other player of the side, or the player if alone."""
    for other in range(players(s, x)):
        if other != player and x.side[other] == x.side[player]:
            return other
    return player


@jit
def note_member(s: State, x: Context, starter: Player) -> None:
    """Start a round with a player, so that the partner starts next (5.6.7)."""
    s.next_member[x.side[starter]] = partner(s, x, starter)


@jit
def starting_member(s: State, x: Context, side: Side) -> Player:
    """Return the player who starts the next round for a side (5.6.7)."""
    if s.next_member[side] >= 0 and not x.same_member_starts:
        return s.next_member[side]
    for player in range(players(s, x)):
        if x.side[player] == side:
            return player
    return -1


@jit
def others_passed(s: State, x: Context, side: Side) -> bool:
    """Report whether all opponents of a side have passed."""
    for other in range(players(s, x)):
        if x.side[other] != side and not s.passed[other]:
            return False
    return True


# -----------------------------------------------------------------------------
# Moving cards between hand, deck, discard pile and rows, shuffles and random picks
#
# Nothing here knows a rule.

# The numbers in a script of player 0 and of row 0. Each further player or row has one
# less.
PLAYER_ANSWER = -1
ROW_ANSWER = -11

# The marks in `seen` of a hand card that nobody or everybody knows, or a bit for each
# side that knows it.
KNOWN_TO_NOBODY = 0
KNOWN_TO_ALL = 1
KNOWN_TO_SIDE = 2  # the bit of side 0


@jit
def known_mark(s: State, x: Context, player: Player) -> int:
    """Return the mark in `seen` for a card that only the side of `player` knows.

    In a game of two only the opponent could be meant, so it is known to all.
    """
    if players(s, x) == TWO_PLAYERS:
        return KNOWN_TO_ALL
    return KNOWN_TO_SIDE << x.side[player]


@jit
def knows(s: State, x: Context, player: Player, other: Player, index: int) -> bool:
    """Report whether `player` knows the hand card of `other` at this index."""
    return s.seen[other, index] & (KNOWN_TO_ALL | known_mark(s, x, player)) != 0


@jit
def add_to_hand(s: State, player: Player, card: Card, seen: int) -> None:
    """Put `card` into the hand, in order. `seen` marks who knows it."""
    i = s.n_hand[player]
    while i > 0 and s.hand[player, i - 1] > card:
        s.hand[player, i] = s.hand[player, i - 1]
        s.seen[player, i] = s.seen[player, i - 1]
        i -= 1
    s.hand[player, i] = card
    s.seen[player, i] = seen
    s.n_hand[player] += 1


@jit
def draw_cards(s: State, player: Player, count: int) -> None:
    """Draw `count` cards, or fewer when the deck is short (rules 1.6.5)."""
    for _ in range(min(count, s.n_deck[player])):
        s.n_deck[player] -= 1
        add_to_hand(s, player, s.deck[player, s.n_deck[player]], KNOWN_TO_NOBODY)


@jit
def card_in_deck(s: State, x: Context, player: Player, ability: int) -> Card:
    """Return the topmost deck card with any of these abilities, or 0."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        if x.ability[s.deck[player, i]] & ability:
            return s.deck[player, i]
    return 0


# -----------------------------------------------------------------------------
# A bonus that only one record type knows, decided when a function is compiled
#
# Records without the field compile as if the rule did not exist.


def agile_bonus(s: State, side: Side) -> int:
    """Return the bonus of each agile unit of the side (rules 6.7.9), else 0."""
    return s.agile_bonus[side] if "agile_bonus" in s.dtype.names else 0


def record_bonus(s: State, side: Side) -> int:
    """Return the bonus where the record has a field for it."""
    return s.agile_bonus[side]


def no_bonus(s: State, side: Side) -> int:
    """Return 0, a constant, for a record without the field."""
    return 0


dispatch(
    agile_bonus,
    lambda s, side: record_bonus if "agile_bonus" in s.fields else no_bonus,
)


# -----------------------------------------------------------------------------
# Strength of cards and rows (rules 1.5)

CHANGES_NEIGHBOURS = int(
    Ability.TIGHT_BOND | Ability.MORALE_BOOST | Ability.COMMANDERS_HORN
)


@jit
def row_weather(s: State, row: Row) -> bool:
    """Report whether frost, fog, rain or storm hits the row (rules 1.6.12)."""
    if row == RowName.CLOSE:
        return s.weather[Weather.FROST.value] != 0
    if row == RowName.RANGED:
        return s.weather[Weather.FOG.value] != 0 or s.weather[Weather.STORM.value] != 0
    return s.weather[Weather.RAIN.value] != 0 or s.weather[Weather.STORM.value] != 0


@jit
def row_has_horn(s: State, side: Side, row: Row) -> bool:
    """Report whether a horn special or a leader's horn covers the whole row."""
    return s.slot[side, row] == Slot.HORN or s.leader_horn[side, row] != 0


@jit
def apply_weather(s: State, x: Context, side: Side, base: int) -> int:
    """Return a printed strength after weather (rules 1.5.1, King Bran 1.9.3)."""
    if s.half_weather[side]:
        if x.bran_rounds_result_down:
            return max(base // 2, min(base, 1))
        return base - base // 2
    # "a base of 0 stays 0"
    return 1 if x.zero_becomes_one else min(base, 1)


@jit
def copies_in_row(s: State, side: Side, row: Row, card: Card) -> int:
    """Count the cards of this name in the row."""
    count = 0
    for i in range(s.n_row[side, row]):
        if s.row[side, row, i] == card:
            count += 1
    return count


@jit
def strength_in_row(
    s: State, x: Context, side: Side, row: Row, card: Card, morale: int, horns: int
) -> int:
    """Return the current strength of a card of the row, by the steps of 1.5.

    `morale` and `horns` count the cards of the row with these abilities, the card
    itself included.
    """
    # "Heroes always count their printed strength"; a decoy counts 0.
    if x.kind[card] != Kind.UNIT:
        return x.strength[card] if x.kind[card] == Kind.HERO else 0
    ability = x.ability[card]
    value = x.strength[card]
    if row_weather(s, row):
        value = apply_weather(s, x, side, value)
    if s.double_spies and ability & Ability.SPY:
        value *= 2
    if ability & Ability.TIGHT_BOND:
        value *= copies_in_row(s, side, row, card)
    # "+1 for each morale card in the row other than itself"
    value += morale - (ability & Ability.MORALE_BOOST != 0)
    if ability & Ability.AGILE:
        value += agile_bonus(s, side)
    # "A row is never doubled twice": by a special, a leader or another unit, once.
    if row_has_horn(s, side, row) or horns > (ability & Ability.COMMANDERS_HORN != 0):
        value *= 2
    return value


@jit
def count_in_row(s: State, x: Context, side: Side, row: Row, ability: int) -> int:
    """Count the cards of the row with this ability."""
    count = 0
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & ability:
            count += 1
    return count


@jit
def unit_strength(s: State, x: Context, side: Side, row: Row, index: int) -> int:
    """Return the current strength of the card at `index` of a row."""
    morale = count_in_row(s, x, side, row, Ability.MORALE_BOOST.value)
    horns = count_in_row(s, x, side, row, Ability.COMMANDERS_HORN.value)
    return strength_in_row(s, x, side, row, s.row[side, row, index], morale, horns)


@jit
def strength_if_laid(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Return the strength that a card would have at the end of a row."""
    last = s.n_row[side, row]
    s.row[side, row, last] = card
    s.n_row[side, row] += 1
    value = unit_strength(s, x, side, row, last)
    s.n_row[side, row] -= 1
    return value


@jit
def rescore(s: State, x: Context, side: Side, row: Row) -> None:
    """Bring the total of a row up to date, and its counts of boosts and horns."""
    printed = 0
    abilities = 0  # of all cards of the row together
    morale = 0
    horns = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        ability = x.ability[card]
        abilities |= ability
        printed += x.strength[card]
        morale += ability & Ability.MORALE_BOOST != 0
        horns += ability & Ability.COMMANDERS_HORN != 0
    s.morale[side, row] = morale
    s.horns[side, row] = horns
    if (
        abilities & CHANGES_NEIGHBOURS
        or s.double_spies
        or agile_bonus(s, side)
        or row_weather(s, row)
        or row_has_horn(s, side, row)
    ):
        total = 0
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            total += strength_in_row(s, x, side, row, card, morale, horns)
        s.total[side, row] = total
    else:
        # Nothing changes a strength: specials such as a Decoy are printed 0.
        s.total[side, row] = printed


@jit
def rescore_all(s: State, x: Context) -> None:
    """Bring the totals of every row up to date."""
    for side in range(sides(s, x)):
        for row in range(s.n_row.shape[1]):
            rescore(s, x, side, row)


# -----------------------------------------------------------------------------
# Places on the board: where a card lands, laying it down, taking it away


@jit
def landing_side(s: State, x: Context, player: Player, card: Card) -> Side:
    """Return the side a unit of `player` lands on: spies go across (1.6.5).

    It is -1 for a spy whose player chooses among several opponents (rules 4.6.1).
    """
    if x.ability[card] & Ability.SPY:
        return enemy_side(s, x, x.side[player])
    return x.side[player]


@jit
def may_lie_in(x: Context, card: Card, row: Row) -> bool:
    """Report whether the card may be played to the row."""
    return x.rows[card] >> row & 1 != 0


@jit
def row_has_unit(s: State, x: Context, side: Side, row: Row) -> bool:
    """Report whether a non-hero unit is in the row."""
    for i in range(s.n_row[side, row]):
        if x.kind[s.row[side, row, i]] == Kind.UNIT:
            return True
    return False


@jit
def only_row(x: Context, card: Card) -> Row:
    """Return the first row to which a card may be played."""
    if may_lie_in(x, card, RowName.CLOSE.value):
        return RowName.CLOSE.value
    if may_lie_in(x, card, RowName.RANGED.value):
        return RowName.RANGED.value
    return RowName.SIEGE.value


@jit
def place(s: State, x: Context, side: Side, row: Row, card: Card) -> None:
    """Put a card at the end of a row."""
    s.row[side, row, s.n_row[side, row]] = card
    s.n_row[side, row] += 1
    rescore(s, x, side, row)


@jit
def remove_from_row(s: State, side: Side, row: Row, index: int) -> Card:
    """Take the card at `index` out of a row and return it. Totals are not updated."""
    card = s.row[side, row, index]
    s.n_row[side, row] -= 1
    for i in range(index, s.n_row[side, row]):
        s.row[side, row, i] = s.row[side, row, i + 1]
    return card


# -----------------------------------------------------------------------------
# Weather cards and what ends them (rules 1.6.12)

WEATHER_ABILITIES = int(
    Ability.WEATHER_FROST
    | Ability.WEATHER_FOG
    | Ability.WEATHER_RAIN
    | Ability.WEATHER_STORM
    | Ability.WEATHER_CLEAR
)
"""A weather card has exactly one of these abilities."""


@jit
def weather_index(ability: int) -> int:
    """Return the `Weather` that an ability brings."""
    if ability & Ability.WEATHER_FROST:
        return Weather.FROST.value
    if ability & Ability.WEATHER_FOG:
        return Weather.FOG.value
    if ability & Ability.WEATHER_RAIN:
        return Weather.RAIN.value
    if ability & Ability.WEATHER_STORM:
        return Weather.STORM.value
    if ability & Ability.WEATHER_CLEAR:
        return Weather.CLEAR.value
    raise UnplayedCode("weather")


@jit
def is_weather(x: Context, card: Card) -> bool:
    """Report whether the card is a weather card, Clear Weather included."""
    return x.ability[card] & WEATHER_ABILITIES != 0


@jit
def any_weather(s: State) -> bool:
    """Report whether a weather card is on the board."""
    for index in range(s.weather.shape[0]):
        if s.weather[index]:
            return True
    return False


@jit
def play_weather(s: State, x: Context, player: Player, card: Card) -> None:
    """Put a weather card on the board. A second copy of a kind is discarded at once."""
    index = weather_index(x.ability[card])
    if index == Weather.CLEAR:
        clear_weather(s, x)
        discard(s, x.side[player], card)
    elif s.weather[index]:
        discard(s, x.side[player], card)
    else:
        s.weather[index] = 1 + player
        s.weather_card[index] = card
        rescore_all(s, x)


@jit
def clear_weather(s: State, x: Context) -> None:
    """Move all weather cards to the piles of the players who played them."""
    for index in range(s.weather.shape[0]):
        if s.weather[index]:
            discard(s, x.side[s.weather[index] - 1], s.weather_card[index])
            s.weather[index] = 0
    rescore_all(s, x)


# -----------------------------------------------------------------------------
# Cards that leave the board, and the side-deck cards that come for them
#
# Avengers are summoned when a card is discarded (rules 1.6.11), Berserkers turn where a
# Mardroeme works (rules 1.6.10).


@jit
def leave_board(s: State, x: Context, side: Side, row: Row, card: Card) -> None:
    """Move a card of a row to the discard pile of its side."""
    if x.summoned_card_vanishes and x.side_index[card] >= 0:
        s.n_removed += 1
    else:
        discard(s, side, card)
    if x.ability[card] & Ability.SUMMON_AVENGER:
        call_summons(s, side, row, card)


@jit
def call_summons(s: State, side: Side, row: Row, card: Card) -> None:
    """Note that the card summoned by `card` comes to `side`."""
    s.summons[s.n_summons, 0] = side
    s.summons[s.n_summons, 1] = row
    s.summons[s.n_summons, 2] = card
    s.n_summons += 1


@jit
def arrive_summons(s: State, x: Context) -> None:
    """Put summoned cards from the side deck into their printed row."""
    for i in range(s.n_summons):
        side = s.summons[i, 0]
        caller = s.summons[i, 2]
        card = take_from_side_deck(s, x, side, x.summoned[caller], caller)
        if card:
            row = s.summons[i, 1] if x.summoned_joins_row else only_row(x, card)
            place(s, x, side, row, card)
    s.n_summons = 0


@jit
def take_from_side_deck(
    s: State, x: Context, side: Side, card: Card, cause: int
) -> Card:
    """Take `card` out of a side deck of that side and return it, or 0.

    If two partners both have it, it comes from the partner with the colour of `cause`.
    """
    index = x.side_index[card]
    if index < 0:
        return 0
    giver = -1
    for player in range(players(s, x)):
        if x.side[player] == side and s.side_deck[player, index] > 0:
            if giver < 0 or x.colour[cause] == x.own_colour[player]:
                giver = player
    if giver < 0:
        return 0
    s.side_deck[giver, index] -= 1
    return x.side_card[giver, index]


@jit
def row_has_mardroeme(s: State, x: Context, side: Side, row: Row) -> bool:
    """Report whether a special or a unit puts Mardroeme on the row."""
    if s.slot[side, row] == Slot.MARDROEME:
        return True
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.MARDROEME:
            return True
    return False


@jit
def turn_berserkers(s: State, x: Context, side: Side, row: Row) -> None:
    """Turn every Berserker of a row on which a Mardroeme works."""
    if not row_has_mardroeme(s, x, side, row):
        return
    for i in range(s.n_row[side, row] - 1, -1, -1):
        card = s.row[side, row, i]
        if x.ability[card] & Ability.BERSERKER:
            after = take_from_side_deck(s, x, side, x.becomes[card], card)
            if after:
                s.row[side, row, i] = after
                s.n_removed += 1
            elif x.berserker_leaves:
                remove_from_row(s, side, row, i)
                s.n_removed += 1
    rescore(s, x, side, row)


# -----------------------------------------------------------------------------
# Destruction of the strongest units: on the board, or in one row (rules 1.6.8)

SCORCH_THRESHOLD = 10
NOWHERE = -1  # as side, row and index of a spared card: no card is spared


@jit
def scorch_board(
    s: State, x: Context, spare_side: Side, spare_row: Row, spare: int
) -> None:
    """Destroy the strongest units of the whole board, except for a spared card.

    The card at index `spare` of a row neither dies nor counts.
    """
    best = -1
    for side in range(sides(s, x)):
        skip = spare if side == spare_side else NOWHERE
        best = max(best, strongest_on_side(s, x, side, spare_row, skip))
    victims = 0
    for side in range(sides(s, x)):
        skip = spare if side == spare_side else NOWHERE
        victims = mark_on_side(s, x, side, best, spare_row, skip, victims)
    destroy_marked(s, x, victims)


@jit
def scorch_by_unit(s: State, x: Context, card: Card, row: Row, side: Side) -> None:
    """Scorch as the Clan Dimun Pirate: "it never destroys itself and is left out".

    At a table it may by option scorch each opponent separately (4.6.2).
    """
    if x.pirate_scorches_each:
        for other in range(sides(s, x)):
            if other != side:
                scorch_side(s, x, other)
        return
    scorch_board(s, x, side, row, spared_unit(s, x, card, row, side))


@jit
def spared_unit(s: State, x: Context, card: Card, row: Row, side: Side) -> int:
    """Return the index of the Pirate in its row, NOWHERE if it may hit itself."""
    index = NOWHERE
    if not x.pirate_hits_itself:
        for i in range(s.n_row[side, row]):
            if s.row[side, row, i] == card:
                index = i
    return index


@jit
def scorch_side(s: State, x: Context, side: Side) -> None:
    """Destroy the strongest units of a side."""
    best = strongest_on_side(s, x, side, NOWHERE, NOWHERE)
    destroy_marked(s, x, mark_on_side(s, x, side, best, NOWHERE, NOWHERE, 0))


@jit
def scorch_enemies(s: State, x: Context, player: Player, row: Row) -> None:
    """Scorch a row of every enemy side separately (rules 4.6.2)."""
    for side in range(sides(s, x)):
        if side != x.side[player]:
            scorch_row(s, x, side, row)


@jit
def scorch_row(s: State, x: Context, side: Side, row: Row) -> None:
    """Destroy the strongest units of a row that totals 10 or more with heroes."""
    if s.total[side, row] >= SCORCH_THRESHOLD:
        best = strongest_unit(s, x, side, row, NOWHERE)
        destroy_marked(s, x, mark_victims(s, x, side, row, best, NOWHERE, 0))


@jit
def strongest_unit(s: State, x: Context, side: Side, row: Row, skip: int) -> int:
    """Return the highest strength of a non-hero unit in the row, -1 without any."""
    best = -1
    for i in range(s.n_row[side, row]):
        if i != skip and x.kind[s.row[side, row, i]] == Kind.UNIT:
            best = max(best, unit_strength(s, x, side, row, i))
    return best


@jit
def strongest_on_side(
    s: State, x: Context, side: Side, spare_row: Row, skip: int
) -> int:
    """Return the highest strength on a side except for index `skip` of a row."""
    best = -1
    for row in range(s.n_row.shape[1]):
        left_out = skip if row == spare_row else NOWHERE
        best = max(best, strongest_unit(s, x, side, row, left_out))
    return best


@jit
def mark_victims(
    s: State, x: Context, side: Side, row: Row, strength: int, skip: int, marked: int
) -> int:
    """Append the units of exactly this strength to `x.pool` and return its length.

    A number holds side, row and index of a unit, as in a move.
    """
    for i in range(s.n_row[side, row]):
        if i != skip and x.kind[s.row[side, row, i]] == Kind.UNIT:
            if unit_strength(s, x, side, row, i) == strength:
                x.pool[marked] = side << WHO_BIT | row << ROW_BIT | i
                marked += 1
    return marked


@jit
def mark_on_side(
    s: State,
    x: Context,
    side: Side,
    strength: int,
    spare_row: Row,
    skip: int,
    marked: int,
) -> int:
    """Mark the strongest units of a side except for index `skip` of a row."""
    for row in range(s.n_row.shape[1]):
        left_out = skip if row == spare_row else NOWHERE
        marked = mark_victims(s, x, side, row, strength, left_out, marked)
    return marked


@jit
def destroy_marked(s: State, x: Context, marked: int) -> None:
    """Remove all victims together (rules 1.8.2), then summon their cards."""
    if marked == 0:
        return
    for i in range(marked - 1, -1, -1):
        side = move_who(x.pool[i])
        row = move_row(x.pool[i])
        card = remove_from_row(s, side, row, move_card(x.pool[i]))
        leave_board(s, x, side, row, card)
    rescore_all(s, x)
    arrive_summons(s, x)


# -----------------------------------------------------------------------------
# The rival of a seat: in a duel the opponent, at a table the strongest
#
# A seat sees a duel with the rival. `put_others` adds the rest of a table.

# Opponents are compared by whether they are in the round, by total, by cards in hand.
STILL_IN = 1 << 20  # more than any total
BY_TOTAL = 1 << 8  # more than any hand


@jit
def find_side(s: State, x: Context, player: Player) -> Side:
    """Return the side of a player. In a duel both have the same number."""
    return player if s.leader.shape[0] == TWO_PLAYERS else x.side[player]


@jit
def rival(s: State, q: Workspace, player: Player) -> Player:
    """Return the player with whom a player is compared."""
    return 1 - player if s.leader.shape[0] == TWO_PLAYERS else q.rival[player]


@jit
def is_read(s: State, x: Context, q: Workspace, player: Player, seat: Player) -> bool:
    """Report whether a seat's cards are valued: own, a partner's or the rival's."""
    if s.leader.shape[0] == TWO_PLAYERS:
        return True
    return seat == q.rival[player] or x.side[seat] == x.side[player]


@jit
def rate_opponent(s: State, x: Context, other: Player) -> int:
    """Return how strong an opponent is: in the round, by total, then by cards."""
    weight = side_total(s, x.side[other]) * BY_TOTAL + s.n_hand[other]
    return weight if s.passed[other] else weight + STILL_IN


@jit
def choose_rivals(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Choose the rival at a table: the strongest opponent who is still in the round.

    The rival of each opponent is `player`.
    """
    best, best_weight = player, -1
    for step in range(1, players(s, x)):
        other = (player + step) % players(s, x)
        if x.side[other] != x.side[player]:
            weight = rate_opponent(s, x, other)
            if weight > best_weight:
                best, best_weight = other, weight
    for other in range(players(s, x)):
        q.rival[other] = best if x.side[other] == x.side[player] else player
