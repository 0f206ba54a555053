"""SG Gwint: a position as a vector of whole numbers, the view of `learned`.

It mirrors `engine/gwent/features.py`, so a change may concern both.
"""

from __future__ import annotations

from enum import IntEnum

from deckcheck.engine.features import (
    GAIN_FIGURES,
    GAIN_GROUPS,
    RACE_FEATURES,
    GainFigure,
    Gains,
    Heap,
    Lane,
    average_pair,
    average_unit,
    clear_sums,
    count_card,
    duel_stage,
    expect_enemy,
    flag,
    note_gain,
    put,
    put_all_gains,
    put_edge,
    put_heaps,
    put_race,
    read_scorched,
)
from deckcheck.engine.jit import (
    Card,
    Context,
    Move,
    Player,
    Row,
    Side,
    State,
    Workspace,
    jit,
)
from deckcheck.engine.primitives import (
    ROW_COUNT,
    LeaderState,
    move_card,
    move_verb,
    side_total,
)
from deckcheck.engine.sg_gwint.board import (
    SCORCH_THRESHOLD,
    apply_weather,
    can_fetch,
    can_return,
    copies_in_row,
    is_immune,
    is_unit,
    may_stay,
    row_effects,
    row_weather,
    under_mardroeme,
    unit_strength,
)
from deckcheck.engine.sg_gwint.codes import Ability, FactionAbility, Leader, Phase, Verb
from deckcheck.engine.sg_gwint.heuristic import CARD_WORTH, counted_lead
from deckcheck.engine.sg_gwint.moves import is_seen
from deckcheck.engine.sg_gwint.rounds import RETURN_ROUND

# -----------------------------------------------------------------------------
# The role of a card. Every card has one


class Role(IntEnum):
    """The use of a card, by the ability that matters most for its play.

    Units without an ability to use come first, and specials last.
    """

    SHIELDED = 0
    CLOSE = 1
    RANGED = 2
    SIEGE = 3
    AGILE = 4
    SPY = 5
    MEDIC = 6
    MUSTER = 7
    BOND = 8
    MORALE = 9
    LAGER_UNIT = 10
    SCORCH_UNIT = 11
    BRINGER = 12  # units that bring reserves, at once or when they are destroyed
    TURNING = 13  # units that transform, or make others transform
    GROWING = 14  # units that devour or reinforce
    MOVER = 15  # of units and weather, of a hand, or of an opponent's spirits
    LASTING = 16  # units that stay or return
    DECOY = 17
    LAGER = 18
    SCORCH = 19
    FROST = 20
    FOG = 21
    RAIN = 22
    STORM = 23  # weather on several rows
    CLEAR = 24
    MARDROEME = 25
    TRICK = 26  # any other special, and tokens


ROLE_COUNT = len(Role)
HEAP_FIGURES = ROLE_COUNT + len(Lane)
"""Numbers that describe a heap of cards: how many of each role, strength by lane."""


# -----------------------------------------------------------------------------
# The rows of the board, read once for every question about them


@jit
def read_rows(s: State, x: Context, q: Workspace) -> None:
    """Sum up every row, and the losses by Scorch, in the workspace."""
    best = 0
    for side in range(2):
        q.pending[side] = 0
        q.staying[side] = 0
        q.saved[side] = 0
        q.turning[side] = 0
        q.strongest[side] = 0
        for row in range(s.n_row.shape[1]):
            read_row(s, x, q, side, row)
            q.strongest[side] = max(q.strongest[side], q.best[side, row])
        best = max(best, q.strongest[side])
    read_scorched(q, 2, best)


@jit
def read_row(s: State, x: Context, q: Workspace, side: Side, row: Row) -> None:
    """Sum up the units of a row without a shield, and their possible changes."""
    boost, lagers = row_effects(s, x, side, row)
    weather = row_weather(s, x, side, row)
    q.boost[side, row] = boost
    q.lagered[side, row] = lagers > 0
    q.weathered[side, row] = weather
    q.best[side, row] = 0
    q.burnt[side, row] = 0
    turns = under_mardroeme(s, x, side, row)
    q.turned[side, row] = turns
    units, printed, plain, immune, faded = 0, 0, 0, 0, 0  # sums over the row
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if x.shield[card] or not is_unit(x, card):
            continue
        ability = x.ability[card]
        extra = s.extra[side, row, i]
        value = x.strength[card]
        printed += value + extra
        if ability & Ability.TIGHT_BOND:
            value *= copies_in_row(s, x, side, row, card)
        value = max(value + extra + boost, 0)
        is_safe = is_immune(s, x, side, ability)
        units += 1
        plain += value
        immune += value if is_safe else 0
        faded += value if is_safe else apply_weather(x, value)
        strength = strength_now(x, q, side, row, value, is_safe)
        note_unit(s, x, q, side, row, i, strength)
    if_clear = 2 * plain if lagers else plain
    in_weather = plain + immune if lagers else faded
    now = in_weather if weather else if_clear
    with_lager = plain + immune if weather else 2 * plain
    q.units[side, row] = units
    q.printed[side, row] = printed
    q.now[side, row] = now
    q.fade[side, row] = if_clear - in_weather
    q.lift[side, row] = with_lager - now


@jit
def strength_now(
    x: Context, q: Workspace, side: Side, row: Row, value: int, is_safe: bool
) -> int:
    """Return a unit's strength after weather and lager, from `value` before both."""
    if q.weathered[side, row]:
        if q.lagered[side, row]:
            return 2 * value if is_safe else value
        return value if is_safe else apply_weather(x, value)
    return 2 * value if q.lagered[side, row] else value


@jit
def note_unit(
    s: State, x: Context, q: Workspace, side: Side, row: Row, i: int, strength: int
) -> None:
    """Note a unit's effect on Scorch, Decoys and units still to be played."""
    card = s.row[side, row, i]
    ability = x.ability[card]
    if strength > q.best[side, row]:
        q.best[side, row] = strength
        q.burnt[side, row] = 0
    if strength == q.best[side, row]:
        q.burnt[side, row] += strength
    q.saved[side] = max(q.saved[side], x.worth[card] - strength)
    if ability & Ability.GUARDIAN:
        q.pending[side] += x.strength[x.summoned[card]]
    if ability & Ability.TRANSFORM:
        q.turning[side] += x.strength[x.becomes[card]] - x.strength[card]
    if may_stay(s, x, side, row, i):
        q.staying[side] += x.strength[card] + s.extra[side, row, i]


# -----------------------------------------------------------------------------
# Estimates of the gain of a card played now, from the sums of rows

LATER_DIVISOR = 2  # strength in another round is worth a half


@jit
def row_scorch(s: State, q: Workspace, side: Player, row: Row) -> int:
    """Return the strength that a scorch of this row would destroy."""
    return q.burnt[side, row] if s.total[side, row] >= SCORCH_THRESHOLD else 0


@jit
def weather_swing(q: Workspace, player: Player, row: Row) -> int:
    """Return the enemy's loss by weather on the row, less the player's."""
    swing = 0
    if not q.weathered[1 - player, row]:
        swing += q.fade[1 - player, row]
    if not q.weathered[player, row]:
        swing -= q.fade[player, row]
    return swing


@jit
def rows_swing(x: Context, q: Workspace, player: Player, card: Card) -> int:
    """Return the swing of a weather card over all rows on which it works."""
    swing = 0
    for row in range(ROW_COUNT):
        if x.rows[card] >> row & 1:
            swing += weather_swing(q, player, row)
    return swing


@jit
def clear_swing(q: Workspace, player: Player) -> int:
    """Return the player's gain by clearing all weather, less the enemy's."""
    swing = 0
    for row in range(ROW_COUNT):
        if q.weathered[player, row]:
            swing += q.fade[player, row]
        if q.weathered[1 - player, row]:
            swing -= q.fade[1 - player, row]
    return swing


@jit
def best_lager(s: State, q: Workspace, player: Player) -> int:
    """Return the strength that a lager in the best free slot would bring."""
    best = 0
    for row in range(ROW_COUNT):
        if s.slot[player, row] == 0:
            best = max(best, q.lift[player, row])
    return best


@jit
def scorch_swing(q: Workspace, player: Player) -> int:
    """Return the enemy's loss by Scorch, less the player's."""
    return q.scorched[1 - player] - q.scorched[player]


@jit
def laid_strength(
    s: State, x: Context, q: Workspace, player: Player, row: Row, card: Card
) -> int:
    """Return the strength of a unit in the row without its abilities."""
    value = max(x.strength[card] + q.boost[player, row], 0)
    is_safe = is_immune(s, x, player, x.ability[card])
    return strength_now(x, q, player, row, value, is_safe)


@jit
def best_row(s: State, x: Context, q: Workspace, player: Player, card: Card) -> Row:
    """Return the row in which a unit counts most."""
    best, most = 0, -1
    for row in range(ROW_COUNT):
        if x.rows[card] >> row & 1:
            value = laid_strength(s, x, q, player, row, card)
            if value > most:
                best, most = row, value
    return best


@jit
def gain(s: State, x: Context, q: Workspace, player: Player, card: Card) -> int:
    """Return about how much the player's lead grows by the card."""
    role = x.role[card]
    if role == Role.SHIELDED:
        return x.strength[card]
    if role >= Role.DECOY:
        return special_gain(s, x, q, player, card, role)
    row = best_row(s, x, q, player, card)
    value = x.strength[card]
    if not x.shield[card]:
        value = laid_strength(s, x, q, player, row, card)
    if role <= Role.AGILE or role == Role.LASTING:
        return value
    return ability_gain(s, x, q, player, card, role, row, value)


@jit
def ability_gain(
    s: State,
    x: Context,
    q: Workspace,
    player: Player,
    card: Card,
    role: int,
    row: Row,
    value: int,
) -> int:
    """Return the gain of a unit with an ability, laid with `value` in a row."""
    enemy = 1 - player
    if role == Role.SPY:
        return max(value, 2 * CARD_WORTH - value) if s.n_deck[player] > 0 else value
    if role == Role.MEDIC:
        return value + q.revival[player]
    if role == Role.MUSTER:
        return value + q.called[player, x.calls[card]]
    if role == Role.BOND:
        return value * (2 * copies_in_row(s, x, player, row, card) + 1)
    if role == Role.MORALE:
        return value + q.units[player, row] + 1
    if role == Role.LAGER_UNIT:
        return 2 * value + q.lift[player, row]
    if role == Role.SCORCH_UNIT:
        return value + unit_scorch(s, x, q, player, card, row)
    if role == Role.BRINGER:
        return value + brought_strength(x, card)
    if role == Role.TURNING:
        if not q.turned[player, row]:
            return value
        return max(value, x.strength[x.becomes[card]])
    # GROWING and MOVER are left.
    if x.ability[card] & Ability.DEMOTIVATION:
        return value + min(q.units[enemy, row], q.now[enemy, row])
    return value + x.reinforces[card]


@jit
def brought_strength(x: Context, card: Card) -> int:
    """Return the strength of the reserves that a unit brings, now or later."""
    later = 0
    if x.ability[card] & Ability.GUARDIAN:
        later = x.strength[x.summoned[card]] // LATER_DIVISOR
    return x.strength[x.brings[card]] * x.brought[card] + later


@jit
def unit_scorch(
    s: State, x: Context, q: Workspace, player: Player, card: Card, row: Row
) -> int:
    """Return the strength that a unit would destroy."""
    ability = x.ability[card]
    if ability & Ability.SCORCH:
        return scorch_swing(q, player)
    if ability & Ability.DESTROY_UNIT:
        return q.strongest[1 - player]
    return row_scorch(s, q, 1 - player, row)


@jit
def special_gain(
    s: State, x: Context, q: Workspace, player: Player, card: Card, role: int
) -> int:
    """Return about how much the player's lead grows by a special."""
    if role == Role.DECOY:
        return q.saved[player]
    if role == Role.LAGER:
        return best_lager(s, q, player)
    if role == Role.SCORCH:
        return scorch_swing(q, player)
    if role == Role.CLEAR:
        return clear_swing(q, player)
    if role == Role.MARDROEME:
        return q.turning[player]
    if role == Role.TRICK:
        return x.adds[card]
    return rows_swing(x, q, player, card)


# -----------------------------------------------------------------------------
# Hands, decks and graveyards as numbers, as far as the player knows them


@jit
def clear_heaps(q: Workspace) -> None:
    """Make all heaps empty, and all their sums zero."""
    clear_sums(q)
    q.exposed, q.doubled, q.bonded = 0, 0, 0
    q.known, q.known_worth = 0, 0
    for side in range(2):
        q.fetched[side] = 0


@jit
def is_open(s: State, player: Player, viewer: Player, i: int) -> bool:
    """Report whether the viewer knows this card of a hand."""
    return player == viewer or s.seen[player, i] != 0


@jit
def sum_families(
    s: State, x: Context, q: Workspace, player: Player, viewer: Player
) -> None:
    """Add up by family the strength that a muster may find in the deck.

    An enemy's muster may find every card that the viewer does not know in the hand.
    """
    if s.picked > 0:
        forget(x, q, player, s.picked)
    for i in range(s.n_hand[player]):
        forget(x, q, player, s.hand[player, i])
    for i in range(s.n_deck[player]):
        forget(x, q, player, s.deck[player, i])
    for i in range(s.n_hand[player]):
        if not is_open(s, player, viewer, i):
            call_card(x, q, player, s.hand[player, i])
    for i in range(s.n_deck[player]):
        call_card(x, q, player, s.deck[player, i])


@jit
def forget(x: Context, q: Workspace, player: Player, card: Card) -> None:
    """Make the sums for a card zero."""
    q.called[player, x.family[card]] = 0
    q.called[player, x.calls[card]] = 0


@jit
def call_card(x: Context, q: Workspace, player: Player, card: Card) -> None:
    """Add the strength of a card to its family."""
    if not x.shield[card]:
        q.called[player, x.family[card]] += x.strength[card]


@jit
def read_own_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Fill the heaps and the gains of the player's own hand and deck."""
    family, last, copies = 0, 0, 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        count_card(x, q, Heap.OWN_HAND.value, card, ROLE_COUNT)
        q.exposed += s.seen[player, i] != 0
        copies = copies + 1 if card == last else 0
        last = card
        # The second card of a muster family brings nothing more.
        if x.role[card] == Role.MUSTER and x.calls[card] == x.family[card]:
            if x.family[card] == family:
                q.doubled += 1
            family = x.family[card]
        elif x.role[card] == Role.BOND:
            q.bonded += 2 * copies * x.strength[card]
        note_gain(q, Gains.OWN_NOW.value, gain(s, x, q, player, card))
        note_gain(q, Gains.OWN_WORTH.value, worth(x, q, player, card))
    for i in range(s.n_deck[player]):
        card = s.deck[player, i]
        count_card(x, q, Heap.OWN_DECK.value, card, ROLE_COUNT)
        note_fetched(s, x, q, player, card)


@jit
def worth(x: Context, q: Workspace, player: Player, card: Card) -> int:
    """Return the general worth of a card, with the family that it calls."""
    if x.ability[card] & Ability.MUSTER:
        return x.worth[card] + q.called[player, x.calls[card]]
    return x.worth[card]


@jit
def note_fetched(
    s: State, x: Context, q: Workspace, player: Player, card: Card
) -> None:
    """Note the best card that a leader could take from the deck."""
    if can_fetch(x, player, card):
        brought = gain(s, x, q, player, card)
        q.fetched[player] = max(q.fetched[player], brought)


@jit
def read_enemy_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Fill the heaps and the gains of the enemy's known and unseen cards.

    Cards known to be under the deck are left out.
    """
    enemy = 1 - player
    q.unseen = 0
    for i in range(s.n_hand[enemy]):
        card = s.hand[enemy, i]
        if s.seen[enemy, i]:
            count_card(x, q, Heap.KNOWN.value, card, ROLE_COUNT)
            note_gain(q, Gains.KNOWN_NOW.value, gain(s, x, q, enemy, card))
            q.known += 1
            q.known_worth += worth(x, q, enemy, card)
        else:
            read_unseen(s, x, q, enemy, card)
    for i in range(s.n_deck[enemy]):
        if not is_seen(s, enemy, i):
            read_unseen(s, x, q, enemy, s.deck[enemy, i])


@jit
def read_unseen(s: State, x: Context, q: Workspace, enemy: Player, card: Card) -> None:
    """Count a card in the enemy's hand or deck."""
    q.unseen += 1
    count_card(x, q, Heap.UNSEEN.value, card, ROLE_COUNT)
    note_gain(q, Gains.UNSEEN_NOW.value, gain(s, x, q, enemy, card))
    note_gain(q, Gains.UNSEEN_WORTH.value, worth(x, q, enemy, card))
    note_fetched(s, x, q, enemy, card)


@jit
def read_discards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Find the units that may return from the graveyard, and the best of them."""
    units, total, best, second = 0, 0, 0, 0
    for i in range(s.n_discard[player]):
        card = s.discard[player, i]
        if not can_return(x, card):
            continue
        units += 1
        total += x.strength[card]
        value = x.worth[card]
        second = max(second, min(best, value))
        best = max(best, value)
    q.dead[player] = units
    q.dead_strength[player] = total
    q.revival[player] = best
    q.second_revival[player] = second


# -----------------------------------------------------------------------------
# Features of a seat that everybody can see

FACTION_COUNT = len(FactionAbility)
LEADER_COUNT = len(Leader)
ROW_FEATURES = 13  # lines of `put_row`
SIDE_FEATURES = 13  # lines of `put_side`
MEANS_FEATURES = 13  # lines of `put_means`
SEAT_FEATURES = (
    ROW_COUNT * ROW_FEATURES
    + SIDE_FEATURES
    + MEANS_FEATURES
    + FACTION_COUNT
    + LEADER_COUNT
)
"""How many features a seat has."""


@jit
def put_seat(s: State, x: Context, q: Workspace, seat: Player, index: int) -> int:
    """Write a seat's rows, side, graveyard, hand, lives and leader."""
    for row in range(ROW_COUNT):
        index = put_row(s, q, seat, row, index)
    index = put_side(s, q, seat, index)
    index = put_means(s, x, q, seat, index)
    for i in range(FACTION_COUNT + LEADER_COUNT):
        q.features[index + i] = 0
    q.features[index + x.faction_ability[seat]] = 1
    if s.leader_state[seat] != LeaderState.USED:
        q.features[index + FACTION_COUNT + x.leader[seat]] = 1
    return index + FACTION_COUNT + LEADER_COUNT


@jit
def put_row(s: State, q: Workspace, seat: Player, row: Row, index: int) -> int:
    """Write the strength and units of a row, and their possible changes."""
    index = put(q, index, s.total[seat, row])
    index = put(q, index, q.units[seat, row])
    index = put(q, index, q.printed[seat, row])
    index = put(q, index, q.now[seat, row])
    index = put(q, index, q.fade[seat, row])
    index = put(q, index, q.boost[seat, row])
    index = put(q, index, q.lagered[seat, row])
    index = put(q, index, q.weathered[seat, row])
    index = put(q, index, q.turned[seat, row])
    index = flag(q, index, s.slot[seat, row] == 0)
    index = put(q, index, q.lift[seat, row])
    index = put(q, index, row_scorch(s, q, seat, row))
    return put(q, index, weather_swing(q, seat, row))


@jit
def put_side(s: State, q: Workspace, seat: Player, index: int) -> int:
    """Write the targets of Scorch and Decoys on the side and of medics below it."""
    index = put(q, index, side_total(s, seat))
    index = put(q, index, q.scorched[seat])
    index = put(q, index, q.strongest[seat])
    index = put(q, index, q.saved[seat])
    index = put(q, index, q.pending[seat])
    index = put(q, index, q.staying[seat])
    index = put(q, index, q.turning[seat])
    index = put(q, index, best_lager(s, q, seat))
    index = put(q, index, clear_swing(q, seat))
    index = put(q, index, q.dead[seat])
    index = put(q, index, q.dead_strength[seat])
    index = put(q, index, q.revival[seat])
    return put(q, index, q.second_revival[seat])


@jit
def put_means(s: State, x: Context, q: Workspace, seat: Player, index: int) -> int:
    """Write the remaining cards, lives and redraws, and faction and leader."""
    index = put(q, index, s.n_hand[seat])
    index = put(q, index, s.n_deck[seat])
    index = put(q, index, s.lives[seat])
    index = put(q, index, s.passed[seat])
    ability = x.faction_ability[seat]
    keeps = ability == FactionAbility.KEEP_ONE_UNIT
    index = put(q, index, average_unit(q, seat) if keeps else 0)
    returns = ability == FactionAbility.PLAY_TWO_UNITS and s.round_no < RETURN_ROUND
    index = put(q, index, average_pair(q, seat) if returns else 0)
    index = put(q, index, s.redraws[seat])
    index = flag(q, index, s.leader_state[seat] == LeaderState.READY)
    index = put(q, index, leader_gain(s, x, q, seat))
    index = put(q, index, s.n_linked[seat])
    index = put(q, index, s.choice_spent[seat])
    index = put(q, index, s.chooser[seat])
    return flag(q, index, s.starter == seat)


@jit
def leader_gain(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """Return about how much the leader would gain now."""
    if s.leader_state[seat] != LeaderState.READY:
        return 0
    leader = x.leader[seat]
    if leader == Leader.WEATHER:
        return rows_swing(x, q, seat, x.leader_card[seat])
    if leader == Leader.CLEAR_WEATHER:
        return clear_swing(q, seat)
    if leader == Leader.SCORCH:
        return scorch_swing(q, seat)
    if leader == Leader.DRAW_CARDS:
        return CARD_WORTH * min(x.leader_amount[seat], s.n_deck[seat])
    return q.fetched[seat]


# -----------------------------------------------------------------------------
# The gain of an open choice for its player


@jit
def choice_gain(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return about how much the lead of the player who makes the open choice grows."""
    phase = s.phase
    if phase == Phase.LAND or phase == Phase.KLEPNA:
        return gain(s, x, q, player, s.picked)
    if phase == Phase.MEDIC:
        return q.revival[player]
    if phase == Phase.DECOY:
        return q.saved[player]
    if phase == Phase.REINFORCE:
        return x.reinforces[s.picked]
    if phase == Phase.ATTACH:
        return x.adds[s.picked]
    if phase == Phase.DESTROY:
        return q.strongest[1 - player]
    if phase == Phase.MOVE_TO:
        return best_shift(s, x, q, player)
    if phase == Phase.EXCHANGE:
        return -CARD_WORTH
    if phase == Phase.FROM_DECK:
        return q.fetched[player]
    return 0


@jit
def best_shift(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the gain of moving the chosen unit to the better of two rows."""
    side, row = s.picked_side, s.picked_row
    card = s.row[side, row, s.picked_index]
    now = unit_strength(s, x, side, row, s.picked_index)
    sign = 1 if side == player else -1
    # A floor kept from training: the gain by an enemy's unit may be lower.
    best = -2 * now
    for to in range(ROW_COUNT):
        if to != row:
            moved = laid_strength(s, x, q, side, to, card)
            moved += s.extra[side, row, s.picked_index]
            best = max(best, sign * (moved - now))
    return best


# -----------------------------------------------------------------------------
# Moves that need a closer look before their outcome can be valued

DRAW_WORLDS = 4  # worlds in which a move that draws cards is tried
DRAWING_ABILITIES = int(Ability.SPY | Ability.EXCHANGE)


@jit
def within_turn(s: State) -> bool:
    """Report whether the choice to be made belongs to the previous move."""
    return s.phase > Phase.PLAY and s.phase != Phase.OVER


@jit
def possible_worlds(s: State, x: Context, move: Move) -> int:
    """Return the number of worlds to try a move in: several if it draws cards."""
    verb = move_verb(move)
    if s.phase < Phase.PLAY:
        return DRAW_WORLDS
    if verb == Verb.PASS and s.passed[1 - s.turn]:
        # The next round begins with new cards.
        return DRAW_WORLDS
    if verb == Verb.PLAY and x.ability[move_card(move)] & DRAWING_ABILITIES:
        return DRAW_WORLDS
    if verb == Verb.LEADER and x.leader[s.turn] == Leader.DRAW_CARDS:
        return DRAW_WORLDS
    return 1


# -----------------------------------------------------------------------------
# The view of a duel from one seat as whole numbers: the input of a learned value
#
# Nothing here reads a hidden card. The enemy's hand and deck count only together, both
# lists being open, and the order of decks never counts.

HEAP_FEATURES = len(Heap) * HEAP_FIGURES
GAIN_FEATURES = GAIN_GROUPS * GAIN_FIGURES
SHARED_FEATURES = 35  # the choice, lines of `put_table`, features of `put_edge`
FEATURES = (
    HEAP_FEATURES + 2 * SEAT_FEATURES + GAIN_FEATURES + SHARED_FEATURES + RACE_FEATURES
)


@jit
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write the view of `player` to `q.features` and return the stage of the game."""
    look(s, x, q, player)
    enemy = 1 - player
    index = put_heaps(q, ROLE_COUNT, 0)
    index = put_seat(s, x, q, player, index)
    index = put_seat(s, x, q, enemy, index)
    index = put_all_gains(q, index)
    index = put_table(s, q, player, index)
    chosen = choice_gain(s, x, q, s.turn)
    if s.turn != player:
        chosen = -chosen
    index = put(q, index, chosen)
    put_race(s, q, player, enemy, counted_lead(s, x, player) + chosen, index)
    return duel_stage(s.lives, s.passed, player, enemy)


@jit
def look(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Sum up rows, graveyards, hands and decks."""
    clear_heaps(q)
    read_rows(s, x, q)
    for side in range(2):
        sum_families(s, x, q, side, player)
        read_discards(s, x, q, side)
    read_own_cards(s, x, q, player)
    read_enemy_cards(s, x, q, player)
    q.unknown = s.n_hand[1 - player] - q.known
    expect_enemy(q)


@jit
def put_table(s: State, q: Workspace, player: Player, index: int) -> int:
    """Write turn and round, and the knowledge of hands."""
    enemy = 1 - player
    deciding = within_turn(s)
    index = flag(q, index, s.active == player and s.phase == Phase.PLAY)
    index = flag(q, index, deciding and s.turn == player)
    index = flag(q, index, deciding and s.turn == enemy)
    index = flag(q, index, s.phase == Phase.REDRAW)
    index = flag(q, index, s.phase == Phase.STARTER or s.phase == Phase.CLAIM)
    index = flag(q, index, s.phase < Phase.PLAY and s.turn == player)
    index = flag(q, index, s.must_play != 0)
    index = flag(q, index, s.round_no == 1)
    index = flag(q, index, s.round_no == 2)
    index = flag(q, index, s.round_no >= 3)
    index = put(q, index, s.tied)
    index = flag(q, index, s.last_winner == player)
    index = flag(q, index, s.last_winner == enemy)
    index = flag(q, index, s.first == player)
    index = put(q, index, s.n_sky)
    index = put(q, index, q.exposed)
    index = put(q, index, q.known)
    index = put(q, index, q.doubled)
    index = put(q, index, q.bonded)
    index = put(q, index, q.known_worth)
    index = put(q, index, q.expected_worth)
    own_worth = q.gains[Gains.OWN_WORTH.value, GainFigure.SUM.value]
    index = put(q, index, own_worth + q.bonded - q.expected_worth)
    index = put(q, index, own_worth - CARD_WORTH * s.n_hand[player])
    index = put(q, index, q.expected_worth - CARD_WORTH * s.n_hand[enemy])
    index = put(q, index, scorch_swing(q, player))
    return put_edge(s, q, player, enemy, index)
