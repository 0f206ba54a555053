"""Gwent: a position as a vector of whole numbers, the view of `learned`.

It mirrors `engine/sg_gwint/features.py`, so a change may concern both.
"""

from __future__ import annotations

from deckcheck.engine.features import (
    DUEL_STAGES,
    GAIN_FIGURES,
    GAIN_GROUPS,
    LEAD_STEPS,
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
    life_stage,
    note_gain,
    put,
    put_all_gains,
    put_edge,
    put_gains,
    put_heaps,
    put_race,
    put_steps,
    read_scorched,
    round_stage,
)
from deckcheck.engine.gwent.board import (
    KNOWN_TO_ALL,
    SCORCH_THRESHOLD,
    by_record,
    choose_rivals,
    copies_in_row,
    find_side,
    has_many_sides,
    is_read,
    knows,
    only_row,
    partner,
    players,
    rate_opponent,
    rival,
    row_has_horn,
    row_weather,
    sides,
    strength_in_row,
)
from deckcheck.engine.gwent.codes import (
    Ability,
    FactionAbility,
    Kind,
    Leader,
    Phase,
    Role,
    Slot,
    Verb,
)
from deckcheck.engine.gwent.heuristic import count_beaten
from deckcheck.engine.gwent.leaders import horn_row, scorched_row
from deckcheck.engine.gwent.rounds import scores_against, target
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
    RowName,
    largest,
    move_card,
    move_verb,
    side_total,
)

ROLE_COUNT = len(Role)
HEAP_FIGURES = ROLE_COUNT + len(Lane)
"""Numbers that describe a heap of cards: how many of each role, strength by lane."""


# -----------------------------------------------------------------------------
# The lead, as it counts at the end of a round


@jit
def counted_lead(s: State, x: Context, player: Player, enemy: Player) -> int:
    """Return the lead, plus 1 for a player who wins ties."""
    lead = side_total(s, find_side(s, x, player))
    lead -= side_total(s, find_side(s, x, enemy))
    lead += x.faction_ability[player] == FactionAbility.WIN_TIES
    lead -= x.faction_ability[enemy] == FactionAbility.WIN_TIES
    return lead


# -----------------------------------------------------------------------------
# Estimates of the gain of a card played now, from the sums of rows

SPY_WORTH = 12  # worth of the two cards of a spy


@jit
def row_scorch(s: State, x: Context, q: Workspace, player: Player, row: Row) -> int:
    """Return the strength that a scorch of the enemy's row would destroy."""
    enemy = find_side(s, x, rival(s, q, player))
    return q.burnt[enemy, row] if s.total[enemy, row] >= SCORCH_THRESHOLD else 0


@jit
def weather_swing(s: State, x: Context, q: Workspace, player: Player, row: Row) -> int:
    """Return the enemy's loss by weather on the row, less the player's."""
    if q.weathered[row]:
        return 0
    side, enemy = find_side(s, x, player), find_side(s, x, rival(s, q, player))
    return q.fade[enemy, row] - q.fade[side, row]


@jit
def clear_swing(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the player's gain by clearing all weather, less the enemy's."""
    side, enemy = find_side(s, x, player), find_side(s, x, rival(s, q, player))
    swing = 0
    for row in range(ROW_COUNT):
        if q.weathered[row]:
            swing += q.fade[side, row] - q.fade[enemy, row]
    return swing


@jit
def scorch_swing(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the enemy's loss by Scorch, less the player's."""
    side, enemy = find_side(s, x, player), find_side(s, x, rival(s, q, player))
    return q.scorched[enemy] - q.scorched[side]


@jit
def best_horn(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the gain of a horn beside the best free row."""
    side = find_side(s, x, player)
    best = 0
    for row in range(ROW_COUNT):
        if s.slot[side, row] == Slot.EMPTY and not q.horned[side, row]:
            best = max(best, q.now[side, row])
    return best


@jit
def laid_strength(
    s: State, x: Context, q: Workspace, player: Player, row: Row, base: int
) -> int:
    """Return the strength in the row of a plain unit of this printed strength."""
    side = find_side(s, x, player)
    value = base
    if q.weathered[row]:
        value = base - base // 2 if s.half_weather[side] else min(base, 1)
    value += q.morale[side, row]
    return value * 2 if q.horned[side, row] else value


@jit
def gain(s: State, x: Context, q: Workspace, player: Player, card: Card) -> int:
    """Return about how much the player's lead grows by the card."""
    role = x.role[card]
    if role <= Role.AGILE:  # first, as most cards bring their strength alone
        return strength_gain(s, x, q, player, card)
    if role >= Role.DECOY:
        return special_gain(s, x, q, player, role)
    return ability_gain(s, x, q, player, card, role)


@jit
def strength_gain(
    s: State, x: Context, q: Workspace, player: Player, card: Card
) -> int:
    """Return the strength of the card in its best row, without its abilities."""
    strength = x.strength[card]
    if x.kind[card] != Kind.UNIT:
        return strength
    value = laid_strength(s, x, q, player, only_row(x, card), strength)
    if x.ability[card] & Ability.AGILE:
        ranged = RowName.RANGED.value
        return max(value, laid_strength(s, x, q, player, ranged, strength))
    return value


@jit
def ability_gain(
    s: State, x: Context, q: Workspace, player: Player, card: Card, role: int
) -> int:
    """Return about how much the lead grows by the ability of a unit."""
    if role == Role.SPY:
        return (SPY_WORTH if s.n_deck[player] > 0 else 0) - x.strength[card]
    row, side = only_row(x, card), find_side(s, x, player)
    value = strength_gain(s, x, q, player, card)
    if role == Role.MEDIC:
        return value + q.revival[player]
    if role == Role.MUSTER:
        called = q.called[player, x.calls[card]]
        return called if x.calls[card] == x.family[card] else value + called
    if role == Role.BOND:
        return value * (2 * copies_in_row(s, side, row, card) + 1)
    if role == Role.MORALE:
        return value + q.units[side, row]
    if role == Role.HORN_UNIT:
        return value if q.horned[side, row] else value + q.now[side, row]
    if role == Role.SCORCH_UNIT:
        return value + unit_scorch(s, x, q, player, card)
    if x.ability[card] & Ability.SUMMON_AVENGER and s.gems[side] > 1:
        return value + x.strength[x.summoned[card]]
    return value


@jit
def unit_scorch(s: State, x: Context, q: Workspace, player: Player, card: Card) -> int:
    """Return the strength that a scorching unit would destroy."""
    ability = x.ability[card]
    if ability & Ability.SCORCH:
        return scorch_swing(s, x, q, player)
    total = 0
    for row in range(ROW_COUNT):
        # SCORCH_RANGED and SCORCH_SIEGE are the next bits.
        if ability & Ability.SCORCH_CLOSE.value << row:
            total += row_scorch(s, x, q, player, row)
    return total


@jit
def special_gain(s: State, x: Context, q: Workspace, player: Player, role: int) -> int:
    """Return about how much the player's lead grows by a special or weather card."""
    if role == Role.DECOY:
        return decoy_gain(s, x, q, player)
    if role == Role.HORN:
        return best_horn(s, x, q, player)
    if role == Role.SCORCH:
        return scorch_swing(s, x, q, player)
    if role == Role.CLEAR:
        return clear_swing(s, x, q, player)
    if role == Role.STORM:
        swing = weather_swing(s, x, q, player, RowName.RANGED.value)
        return swing + weather_swing(s, x, q, player, RowName.SIEGE.value)
    if role == Role.MARDROEME:
        return 0
    # FROST, FOG and RAIN are in the order of the rows.
    return weather_swing(s, x, q, player, role - Role.FROST.value)


@jit
def decoy_gain(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return about how much a medic or a spy gains that a Decoy takes back."""
    best = 0
    side = find_side(s, x, player)
    if q.medics[side] > 0:
        best = q.revival[player]
    if q.spies[side] > 0:
        best = max(best, SPY_WORTH - q.spy_cost[side])
    return best


# -----------------------------------------------------------------------------
# The rows of the board, read once for every question about them


@jit
def read_rows(s: State, x: Context, q: Workspace) -> None:
    """Sum up every row, and the losses by Scorch, in the workspace."""
    best = 0
    for side in range(sides(s, x)):
        q.spies[side] = 0
        q.spy_cost[side] = 0
        q.medics[side] = 0
        q.pending[side] = 0
        for row in range(ROW_COUNT):
            read_row(s, x, q, side, row)
            best = max(best, q.best[side, row])
    read_scorched(q, sides(s, x), best)
    q.strongest = best


@jit
def read_row(s: State, x: Context, q: Workspace, side: Side, row: Row) -> None:
    """Sum up the non-hero units of a row, and changes by weather."""
    weather = row_weather(s, row)
    morale, horns = s.morale[side, row], s.horns[side, row]
    q.weathered[row] = weather
    q.morale[side, row] = morale
    q.horned[side, row] = row_has_horn(s, side, row) or horns > 0
    units, printed, now, fade, best, burnt = 0, 0, 0, 0, 0, 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if x.kind[card] != Kind.UNIT:
            continue
        strength = strength_in_row(s, x, side, row, card, morale, horns)
        base = x.strength[card]
        units += 1
        printed += base
        now += strength
        if base > 1:
            fade += weather_change(s, side, strength, base, weather)
        if strength > best:
            best, burnt = strength, 0
        if strength == best:
            burnt += strength
        note_ability(x, q, side, card, strength)
    q.units[side, row] = units
    q.printed[side, row] = printed
    q.now[side, row] = now
    q.fade[side, row] = fade
    q.best[side, row] = best
    q.burnt[side, row] = burnt


@jit
def note_ability(
    x: Context, q: Workspace, side: Side, card: Card, strength: int
) -> None:
    """Note a spy or medic, as a target of Decoys, and a card that its exit summons."""
    ability = x.ability[card]
    if ability & Ability.SPY:
        q.spies[side] += 1
        q.spy_cost[side] = strength
    elif ability & Ability.MEDIC:
        q.medics[side] += 1
    elif ability & Ability.SUMMON_AVENGER:
        q.pending[side] += x.strength[x.summoned[card]]


@jit
def weather_change(
    s: State, side: Side, strength: int, base: int, weather: bool
) -> int:
    """Return about how much a unit would lose, or has lost, by weather."""
    if s.half_weather[side]:
        return strength if weather else strength // 2
    if weather:
        return strength * (base - 1)
    return strength - strength // base


# -----------------------------------------------------------------------------
# Hands, decks and discard piles as numbers, as far as the player knows them


@jit
def sum_families(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Add up strength by family in hand and deck, for families that a muster calls."""
    for i in range(q.n_called[player]):
        q.called[player, q.families[player, i]] = 0
    q.n_called[player] = 0
    if not x.musters[player]:
        return
    for i in range(s.n_hand[player]):
        call_card(x, q, player, s.hand[player, i])
    for i in range(s.n_deck[player]):
        call_card(x, q, player, s.deck[player, i])


@jit
def call_card(x: Context, q: Workspace, player: Player, card: Card) -> None:
    """Add the strength of a card to its family, if a muster calls it."""
    if x.answers[card]:
        family = x.family[card]
        q.called[player, family] += x.strength[card]
        q.families[player, q.n_called[player]] = family
        q.n_called[player] += 1


@jit
def clear_heaps(q: Workspace) -> None:
    """Make all heaps empty, and all their sums zero."""
    clear_sums(q)
    q.exposed, q.doubled, q.bonded, q.mustered = 0, 0, 0, 0
    q.known, q.known_worth = 0, 0


@jit
def read_own_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Fill the heaps and the gains of the player's own hand and deck."""
    family, last, copies = 0, 0, 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        count_card(x, q, Heap.OWN_HAND.value, card, ROLE_COUNT)
        # At a table, a player who looked at a hand is "the only one who knows the
        # cards seen".
        q.exposed += s.seen[player, i] & KNOWN_TO_ALL
        copies = copies + 1 if card == last else 0
        last = card
        # The second card of a muster family brings nothing more.
        if x.role[card] == Role.MUSTER:
            if x.calls[card] == x.family[card] and x.family[card] == family:
                q.doubled += 1
                continue
            family = x.family[card]
            q.mustered += q.called[player, x.calls[card]]
        elif x.role[card] == Role.BOND:
            q.bonded += 2 * copies * x.strength[card]
        note_gain(q, Gains.OWN_NOW.value, gain(s, x, q, player, card))
        note_gain(q, Gains.OWN_WORTH.value, x.worth[card])
    for i in range(s.n_deck[player]):
        count_card(x, q, Heap.OWN_DECK.value, s.deck[player, i], ROLE_COUNT)


@jit
def read_enemy_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Fill the heaps and the gains of the enemy's known and unseen cards."""
    enemy = rival(s, q, player)
    for i in range(s.n_hand[enemy]):
        card = s.hand[enemy, i]
        if knows(s, x, player, enemy, i):
            count_card(x, q, Heap.KNOWN.value, card, ROLE_COUNT)
            note_gain(q, Gains.KNOWN_NOW.value, gain(s, x, q, enemy, card))
            q.known += 1
            q.known_worth += x.worth[card]
        else:
            read_unseen(s, x, q, enemy, card)
    for i in range(s.n_deck[enemy]):
        read_unseen(s, x, q, enemy, s.deck[enemy, i])


@jit
def read_unseen(s: State, x: Context, q: Workspace, enemy: Player, card: Card) -> None:
    """Count a card in the enemy's hand or deck."""
    count_card(x, q, Heap.UNSEEN.value, card, ROLE_COUNT)
    note_gain(q, Gains.UNSEEN_NOW.value, gain(s, x, q, enemy, card))
    note_gain(q, Gains.UNSEEN_WORTH.value, x.worth[card])


@jit
def read_discards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Find the units that a medic may revive, and the best of them."""
    side = find_side(s, x, player)
    units, total, best, second = 0, 0, 0, 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if x.kind[card] != Kind.UNIT:
            continue
        units += 1
        total += x.strength[card]
        value = gain(s, x, q, player, card)
        if x.role[card] == Role.MUSTER:
            value = x.strength[card]
        elif x.role[card] == Role.SPY:
            q.dead_spies[player] += 1
        second = max(second, min(best, value))
        best = max(best, value)
    q.dead[player] = units
    q.dead_strength[player] = total
    q.second_revival[player] = second
    q.revival[player] = best


# -----------------------------------------------------------------------------
# Features of a seat that everybody can see

FACTION_COUNT = len(FactionAbility)
LEADER_COUNT = len(Leader)
ROW_FEATURES = 11  # lines of `put_row`
SIDE_FEATURES = 12  # lines of `put_side`
MEANS_FEATURES = 10  # lines of `put_means`
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
    """Write a seat's rows, side, pile, hand, gems and leader."""
    for row in range(ROW_COUNT):
        index = put_row(s, x, q, seat, row, index)
    index = put_side(s, x, q, seat, index)
    index = put_means(s, x, q, seat, index)
    for i in range(FACTION_COUNT + LEADER_COUNT):
        q.features[index + i] = 0
    q.features[index + x.faction_ability[seat]] = 1
    state = s.leader_state[seat]
    if state == LeaderState.READY or state == LeaderState.PASSIVE:
        q.features[index + FACTION_COUNT + s.leader[seat]] = 1
    return index + FACTION_COUNT + LEADER_COUNT


@jit
def put_row(
    s: State, x: Context, q: Workspace, seat: Player, row: Row, index: int
) -> int:
    """Write the strength and units of a row, and their possible changes."""
    side = find_side(s, x, seat)
    index = put(q, index, s.total[side, row])
    index = put(q, index, q.units[side, row])
    index = put(q, index, q.printed[side, row])
    index = put(q, index, q.now[side, row])
    index = put(q, index, q.fade[side, row])
    index = put(q, index, q.morale[side, row])
    index = put(q, index, q.horned[side, row])
    index = flag(q, index, s.slot[side, row] == Slot.EMPTY)
    index = put(q, index, 0 if q.horned[side, row] else q.now[side, row])
    index = put(q, index, row_scorch(s, x, q, seat, row))
    return put(q, index, weather_swing(s, x, q, seat, row))


@jit
def put_side(s: State, x: Context, q: Workspace, seat: Player, index: int) -> int:
    """Write the targets of Scorch and Decoys on the side and of medics in the pile."""
    side = find_side(s, x, seat)
    index = put(q, index, side_total(s, side))
    index = put(q, index, q.scorched[side])
    index = put(q, index, q.spies[side])
    index = put(q, index, q.spy_cost[side])
    index = put(q, index, q.medics[side])
    index = put(q, index, q.pending[side])
    index = put(q, index, best_horn(s, x, q, seat))
    index = put(q, index, q.dead[seat])
    index = put(q, index, q.dead_strength[seat])
    index = put(q, index, q.dead_spies[seat])
    index = put(q, index, q.revival[seat])
    return put(q, index, q.second_revival[seat])


@jit
def put_means(s: State, x: Context, q: Workspace, seat: Player, index: int) -> int:
    """Write the remaining cards, gems and redraws, and faction and leader."""
    index = put(q, index, s.n_hand[seat])
    index = put(q, index, s.n_deck[seat])
    index = put(q, index, s.gems[find_side(s, x, seat)])
    index = put(q, index, s.passed[seat])
    ability = x.faction_ability[seat]
    keeps = ability == FactionAbility.KEEP_ONE_UNIT
    index = put(q, index, average_unit(q, find_side(s, x, seat)) if keeps else 0)
    returns = ability == FactionAbility.RETURN_TWO_UNITS and s.round_no <= 2
    index = put(q, index, average_pair(q, seat) if returns else 0)
    index = put(q, index, s.redraws[seat])
    index = flag(q, index, s.leader_state[seat] == LeaderState.READY)
    index = put(q, index, leader_gain(s, x, q, seat))
    return put(q, index, s.half_weather[find_side(s, x, seat)])


@jit
def leader_gain(s: State, x: Context, q: Workspace, seat: Player) -> int:
    """Return the gain of a horn or a scorch of the leader now."""
    if s.leader_state[seat] != LeaderState.READY:
        return 0
    row = horn_row(s.leader[seat])
    if row >= 0:
        side = find_side(s, x, seat)
        return 0 if q.horned[side, row] else q.now[side, row]
    row = scorched_row(s.leader[seat])
    return row_scorch(s, x, q, seat, row) if row >= 0 else 0


# -----------------------------------------------------------------------------
# Moves that need a closer look before their outcome can be valued

DRAW_WORLDS = 4  # worlds in which a move that draws cards is tried
ENDGAME_HAND = 3  # the most cards in a hand in an endgame
LONG_GAME = 12  # rounds, while few games at a table reach seven


@jit
def within_turn(s: State) -> bool:
    """Report whether the choice to be made, as of a medic, belongs to the last move."""
    return s.phase != Phase.PLAY and s.phase != Phase.REDRAW


@jit
def possible_worlds(s: State, x: Context, move: Move) -> int:
    """Return the number of worlds to try a move in: several if it draws cards.

    In a free-for-all no round has to be won, so all players could pass for ever. After
    `LONG_GAME` rounds a pass is avoided while another move is legal.
    """
    verb = move_verb(move)
    if verb == Verb.PASS and s.round_no > LONG_GAME and has_many_sides(s, x):
        return 0
    if verb == Verb.REDRAW or verb == Verb.KEEP_HAND or verb == Verb.START:
        return DRAW_WORLDS
    if verb == Verb.PLAY and x.ability[move_card(move)] & Ability.SPY:
        return DRAW_WORLDS
    return 1


@jit
def is_endgame(s: State, x: Context, player: Player) -> bool:
    """Report whether both hands are small and `player` knows the enemy's."""
    enemy = 1 - player
    if max(s.n_hand[player], s.n_hand[enemy]) > ENDGAME_HAND:
        return False
    for i in range(s.n_hand[enemy]):
        if not knows(s, x, player, enemy, i):
            return False
    return True


# -----------------------------------------------------------------------------
# The rest of a table: all opponents, in the order of their strength, and a partner

PARTNER_GAINS = GAIN_GROUPS  # the group of a partner's gains, after all others
MAX_OPPONENTS = 4
OPPONENT_FEATURES = 7  # lines of `put_opponent`
PARTNER_FEATURES = GAIN_FIGURES + 5  # and lines of `put_partner`
OTHERS_SUMS = 7  # lines of `put_others` for all opponents together
OTHERS_FEATURES = (
    MAX_OPPONENTS * OPPONENT_FEATURES + OTHERS_SUMS + len(LEAD_STEPS) + PARTNER_FEATURES
)
"""How many features the others have."""
FAR_AHEAD = 1000  # above every lead


@jit
def put_others(s: State, x: Context, q: Workspace, player: Player, index: int) -> int:
    """Write the visible state of opponents and a partner. Return the next index."""
    count = line_up(s, x, q, player)
    worth, cards, most, still_in = 0, 0, 0, 0
    lead = FAR_AHEAD
    for i in range(count):
        other = q.lined[i]
        expected = expected_worth(s, x, player, other)
        index = put_opponent(s, x, q, player, other, expected, index)
        cards += s.n_hand[other]
        most = max(most, s.n_hand[other])
        lead = min(lead, counted_lead(s, x, player, other))
        if not s.passed[other]:
            still_in += s.n_hand[other] > 0
            worth = max(worth, expected)
    for _ in range((MAX_OPPONENTS - count) * OPPONENT_FEATURES):
        index = put(q, index, 0)
    index = put(q, index, cards)
    index = put(q, index, most)
    index = put(q, index, s.n_hand[player] - most)
    index = put(q, index, still_in)
    index = flag(q, index, still_in == 0)
    index = put(q, index, worth)
    index = put(q, index, lead)
    index = put_steps(q, index, lead)
    return put_partner(s, x, q, player, index)


@jit
def line_up(s: State, x: Context, q: Workspace, player: Player) -> int:
    """List the opponents in `q.lined`, strongest first, and return how many."""
    count = 0
    for step in range(1, players(s, x)):
        other = (player + step) % players(s, x)
        if x.side[other] == x.side[player]:
            continue
        i = count
        rating = rate_opponent(s, x, other)
        while i > 0 and rate_opponent(s, x, q.lined[i - 1]) < rating:
            q.lined[i] = q.lined[i - 1]
            i -= 1
        q.lined[i] = other
        count += 1
    return count


@jit
def put_opponent(
    s: State,
    x: Context,
    q: Workspace,
    player: Player,
    other: Player,
    expected: int,
    index: int,
) -> int:
    """Write the lead over an opponent, and the opponent's remaining means."""
    index = put(q, index, counted_lead(s, x, player, other))
    index = put(q, index, s.passed[other])
    index = put(q, index, s.n_hand[other])
    index = put(q, index, s.points[other])
    index = put(q, index, expected)
    index = flag(q, index, s.leader_state[other] == LeaderState.READY)
    return put(q, index, (other - player) % players(s, x))


@jit
def expected_worth(s: State, x: Context, player: Player, other: Player) -> int:
    """Return the expected worth of another player's hand, as far as known."""
    known, unknown, worth = 0, 0, 0
    for i in range(s.n_hand[other]):
        if knows(s, x, player, other, i):
            known += x.worth[s.hand[other, i]]
        else:
            unknown += 1
            worth += x.worth[s.hand[other, i]]
    if unknown == 0:
        return known
    for i in range(s.n_deck[other]):
        worth += x.worth[s.deck[other, i]]
    return known + worth * unknown // (unknown + s.n_deck[other])


@jit
def put_partner(s: State, x: Context, q: Workspace, player: Player, index: int) -> int:
    """Write the open hand of a partner, and the partner's remaining means."""
    other = partner(s, x, player)
    if other == player:
        for _ in range(PARTNER_FEATURES):
            index = put(q, index, 0)
        return index
    for i in range(s.n_hand[other]):
        note_gain(q, PARTNER_GAINS, gain(s, x, q, other, s.hand[other, i]))
    index = put_gains(q, PARTNER_GAINS, index)
    index = put(q, index, s.n_hand[other])
    index = put(q, index, s.n_deck[other])
    index = put(q, index, s.passed[other])
    index = flag(q, index, s.leader_state[other] == LeaderState.READY)
    return flag(q, index, s.turn == other)


# -----------------------------------------------------------------------------
# The view of a duel from one seat as whole numbers: the input of a learned value
#
# Nothing here reads a hidden card. The enemy's hand and deck count only together, both
# lists being open, and the order of decks never counts.

HEAP_FEATURES = len(Heap) * HEAP_FIGURES
GAIN_FEATURES = GAIN_GROUPS * GAIN_FIGURES
SHARED_FEATURES = 31  # lines of `put_table`, features of `put_edge`
FEATURES = (
    HEAP_FEATURES + 2 * SEAT_FEATURES + GAIN_FEATURES + SHARED_FEATURES + RACE_FEATURES
)


@jit
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write the view of `player` to `q.features` and return the stage of the game."""
    put_duel(s, x, q, player)
    return duel_stage(s.gems, s.passed, player, 1 - player)


@jit
def put_duel(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write the features of a duel with the rival and return the next index."""
    look(s, x, q, player)
    enemy = rival(s, q, player)
    index = put_heaps(q, ROLE_COUNT, 0)
    index = put_seat(s, x, q, player, index)
    index = put_seat(s, x, q, enemy, index)
    index = put_all_gains(q, index)
    index = put_table(s, x, q, player, index)
    return put_race(s, q, player, enemy, counted_lead(s, x, player, enemy), index)


@jit
def look(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Sum up rows, piles, hands and decks."""
    clear_heaps(q)
    read_rows(s, x, q)
    for seat in range(players(s, x)):
        if is_read(s, x, q, player, seat):
            q.dead_spies[seat] = 0
            q.revival[seat] = 0
            sum_families(s, x, q, seat)
            read_discards(s, x, q, seat)
    read_own_cards(s, x, q, player)
    read_enemy_cards(s, x, q, player)
    enemy = rival(s, q, player)
    q.unknown = s.n_hand[enemy] - q.known
    q.unseen = q.unknown + s.n_deck[enemy]
    expect_enemy(q)


@jit
def put_table(s: State, x: Context, q: Workspace, player: Player, index: int) -> int:
    """Write weather, turn and round, and the knowledge of hands."""
    for row in range(ROW_COUNT):
        index = put(q, index, q.weathered[row])
    enemy = rival(s, q, player)
    own_turn = s.turn == player
    index = flag(q, index, own_turn and s.phase == Phase.PLAY)
    index = flag(q, index, s.phase == Phase.REDRAW)
    index = flag(q, index, s.round_no == 1)
    index = flag(q, index, s.round_no == 2)
    index = flag(q, index, s.round_no >= 3)
    index = flag(q, index, s.starter == player)
    index = put(q, index, s.double_spies)
    index = put(q, index, s.random_revival)
    index = put(q, index, q.exposed)
    index = put(q, index, q.known)
    index = put(q, index, q.doubled)
    index = put(q, index, q.bonded)
    index = put(q, index, q.mustered)
    index = put(q, index, q.known_worth)
    index = put(q, index, q.expected_worth)
    own_worth = q.gains[Gains.OWN_WORTH.value, GainFigure.SUM.value]
    index = put(q, index, own_worth + q.bonded + q.mustered - q.expected_worth)
    index = put(q, index, horn_to_come(s, x, q, player))
    index = put(q, index, q.strongest)
    index = put(q, index, scorch_swing(s, x, q, player))
    return put_edge(s, q, player, enemy, index)


@jit
def horn_to_come(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the gain by a horn in hand for the best row, with the units in hand."""
    hand = Heap.OWN_HAND.value
    if q.heap[hand, Role.HORN.value] == 0:
        return 0
    side = find_side(s, x, player)
    best = 0
    for row in range(ROW_COUNT):
        if s.slot[side, row] == Slot.EMPTY and not q.horned[side, row]:
            best = max(best, q.now[side, row] + q.heap[hand, ROLE_COUNT + row])
    return best


# -----------------------------------------------------------------------------
# The view of a table from one seat: a duel with the rival, the others, the points

MIN_PLAYERS, MAX_PLAYERS = 3, 5  # players of a free-for-all
SIZE_COUNT = MAX_PLAYERS - MIN_PLAYERS + 1
SIZE_FLAGS = 1 + SIZE_COUNT  # for teams, and for each number of players
POINTS_FEATURES = SIZE_FLAGS + 18  # the features that only a free-for-all has
TABLE_FEATURES = FEATURES + OTHERS_FEATURES + POINTS_FEATURES
TABLE_STAGES = DUEL_STAGES + SIZE_COUNT * 2 * 3


@jit
def table_features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write the view of `player` to `q.features` and return the stage of the game."""
    choose_rivals(s, x, q, player)
    index = put_duel(s, x, q, player)
    index = put_others(s, x, q, player, index)
    put_points(s, x, q, player, index)
    return table_stage(s, x, q, player)


@jit
def table_stage(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the stage of a table: for teams as in a duel, else by size and points."""
    passed = round_stage(s.passed, player, rival(s, q, player))
    if not has_many_sides(s, x):
        side = x.side[player]
        return 3 * life_stage(s.gems, side, 1 - side) + passed
    size = min(max(players(s, x), MIN_PLAYERS), MAX_PLAYERS) - MIN_PLAYERS
    kind = 2 * size + may_end(s, x)
    return DUEL_STAGES + 3 * kind + passed


@jit
def may_end(s: State, x: Context) -> bool:
    """Report whether a player may win the game with this round."""
    count = players(s, x)
    return largest(s.points, count) + count - 1 >= target(s, x)


@jit
def put_points(s: State, x: Context, q: Workspace, player: Player, index: int) -> int:
    """Write the number of players, and points of a free-for-all, made and likely."""
    count = players(s, x)
    many = has_many_sides(s, x)
    index = flag(q, index, not many)
    for size in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        index = flag(q, index, many and count == size)
    if not many:
        for _ in range(POINTS_FEATURES - SIZE_FLAGS):
            index = put(q, index, 0)
        return index
    now = count_beaten(s, x, player, 0)
    total = s.points[player] + now
    before, best, second = 0, 0, 0  # of the others: points now, and with this round
    for other in range(count):
        if other != player:
            before = max(before, s.points[other])
            points = s.points[other] + count_beaten(s, x, other, 0)
            second = max(second, min(best, points))
            best = max(best, points)
    index = put(q, index, s.points[player])
    index = put(q, index, before)
    index = put(q, index, s.points[player] - before)
    index = put(q, index, now)
    index = flag(q, index, now == count - 1)
    index = put(q, index, sure_points(s, x, player))
    index = put(q, index, total - best)
    index = put(q, index, total - second)
    index = put(q, index, target(s, x) - total)
    index = put(q, index, target(s, x) - best)
    index = flag(q, index, total >= target(s, x) and total > best)
    index = flag(q, index, best >= target(s, x) and best > total)
    index = flag(q, index, total >= target(s, x) and total == best)
    for step in range(-1, 4):
        index = flag(q, index, total - best >= step)
    return index


@jit
def sure_points(s: State, x: Context, player: Player) -> int:
    """Return the number of beaten players who have passed."""
    count = 0
    for other in range(players(s, x)):
        if other != player and s.passed[other]:
            count += scores_against(s, x, player, other)
    return count


write_features = by_record(features, table_features)
"""Write the features of a position: of a duel, or of a table, by the record."""
