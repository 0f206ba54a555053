"""Observation vector of `learned`."""

from __future__ import annotations

from deckcheck.engine.features import (
    CARDS_READ,
    GAIN,
    RACE,
    STEPS,
    Lane,
    average_pair,
    average_unit,
    clear_sums,
    count_card,
    duel_stage,
    expect_enemy,
    flag,
    life_stage,
    note,
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
from deckcheck.engine.features import STAGES as DUEL_STAGES
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
    LeaderState,
    largest,
    move_card,
    move_verb,
    side_total,
)

ROLES = len(Role)
ZONE = ROLES + len(Lane)
"""Numbers that describe a heap of cards: how many of each role, strength by lane."""


# -----------------------------------------------------------------------------
# The lead, as it counts at the end of a round.


@jit
def counted_lead(s: State, x: Context, player: Player, enemy: Player) -> int:
    """Return the lead, plus one for a player who wins ties."""
    lead = side_total(s, find_side(s, x, player)) - side_total(
        s, find_side(s, x, enemy)
    )
    lead += x.faction_ability[player] == FactionAbility.WIN_TIES
    lead -= x.faction_ability[enemy] == FactionAbility.WIN_TIES
    return lead


# -----------------------------------------------------------------------------
# About what a card would bring if it were played now, from rows that were read.

DRAWN = 12  # what the two cards of a spy are worth


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
    own, enemy = find_side(s, x, player), find_side(s, x, rival(s, q, player))
    return q.fade[enemy, row] - q.fade[own, row]


@jit
def clear_swing(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the player's gain by clearing all weather, less the enemy's."""
    own, enemy = find_side(s, x, player), find_side(s, x, rival(s, q, player))
    swing = 0
    for row in range(3):
        if q.weathered[row]:
            swing += q.fade[own, row] - q.fade[enemy, row]
    return swing


@jit
def scorch_swing(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the enemy's loss by Scorch, less the player's."""
    own, enemy = find_side(s, x, player), find_side(s, x, rival(s, q, player))
    return q.scorched[enemy] - q.scorched[own]


@jit
def best_horn(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the gain of a horn beside the best free row."""
    side = find_side(s, x, player)
    best = 0
    for row in range(3):
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
    """About how much the lead of the player grows with the card.

    Most cards bring their strength alone, and this is asked of every card there is.
    """
    role = x.role[card]
    if role <= Role.AGILE:
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
        return max(value, laid_strength(s, x, q, player, 1, strength))
    return value


@jit
def ability_gain(
    s: State, x: Context, q: Workspace, player: Player, card: Card, role: int
) -> int:
    """About how much the lead grows with a unit that does more than lie there."""
    if role == Role.SPY:
        return (DRAWN if s.n_deck[player] > 0 else 0) - x.strength[card]
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
    for row in range(3):
        if ability & Ability.SCORCH_CLOSE.value << row:
            total += row_scorch(s, x, q, player, row)
    return total


@jit
def special_gain(s: State, x: Context, q: Workspace, player: Player, role: int) -> int:
    """About how much the lead grows with a special or weather card."""
    if role == Role.DECOY:
        best = 0
        side = find_side(s, x, player)
        if q.medics[side] > 0:
            best = q.revival[player]
        if q.spies[side] > 0:
            best = max(best, DRAWN - q.spy_cost[side])
        return best
    if role == Role.HORN:
        return best_horn(s, x, q, player)
    if role == Role.SCORCH:
        return scorch_swing(s, x, q, player)
    if role == Role.CLEAR:
        return clear_swing(s, x, q, player)
    if role == Role.STORM:
        swing = weather_swing(s, x, q, player, 1)
        return swing + weather_swing(s, x, q, player, 2)
    if role == Role.MARDROEME:
        return 0
    return weather_swing(s, x, q, player, role - Role.FROST.value)


# -----------------------------------------------------------------------------
# The rows of the board, read once for every question about them.


@jit
def read_rows(s: State, x: Context, q: Workspace) -> None:
    """Sum up every row, and what Scorch would take, in the workspace."""
    best = 0
    for side in range(sides(s, x)):
        q.spies[side] = 0
        q.spy_cost[side] = 0
        q.medics[side] = 0
        q.pending[side] = 0
        for row in range(3):
            read_row(s, x, q, side, row)
            best = max(best, q.best[side, row])
    read_scorched(q, sides(s, x), best)
    q.strongest = best


@jit
def read_row(s: State, x: Context, q: Workspace, side: Side, row: Row) -> None:
    """Sum up one row: units that are no heroes, and what weather would change."""
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
    """Note the gain of a Decoy on the unit, and the card its exit summons."""
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
    """About how much a unit would lose by weather, or has lost by the one there is."""
    if s.half_weather[side]:
        return strength if weather else strength // 2
    if weather:
        return strength * (base - 1)
    return strength - strength // base


# -----------------------------------------------------------------------------
# Hands, decks and discard piles as numbers, as far as the player knows them.


@jit
def sum_families(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Add up strength by family in hand and deck together.

    Only families that a muster calls are asked for.
    """
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
    """Add the strength of a card to that of its family, if a muster calls it."""
    if x.answers[card]:
        family = x.family[card]
        q.called[player, family] += x.strength[card]
        q.families[player, q.n_called[player]] = family
        q.n_called[player] += 1


@jit
def clear_heaps(q: Workspace) -> None:
    """Make all heaps empty, and what is counted of them zero."""
    clear_sums(q)
    q.exposed, q.doubled, q.bonded, q.mustered = 0, 0, 0, 0
    q.known, q.known_worth = 0, 0


@jit
def read_own_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Heaps 0 and 1: own hand, own deck; gains 0 and 1: now, and in general."""
    family, last, copies = 0, 0, 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        count_card(x, q, 0, card, ROLES)
        # Who at a table looked at a hand is "the only one who knows the cards seen".
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
        note(q, 0, gain(s, x, q, player, card))
        note(q, 1, x.worth[card])
    for i in range(s.n_deck[player]):
        count_card(x, q, 1, s.deck[player, i], ROLES)


@jit
def read_enemy_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Heap 2: cards known in the enemy's hand; heap 3: those in hand or deck.

    Gains 2 and 3 are of these two, gains 4 what the cards of heap 3 bring in general.
    """
    enemy = rival(s, q, player)
    for i in range(s.n_hand[enemy]):
        card = s.hand[enemy, i]
        if knows(s, x, player, enemy, i):
            count_card(x, q, 2, card, ROLES)
            note(q, 2, gain(s, x, q, enemy, card))
            q.known += 1
            q.known_worth += x.worth[card]
        else:
            read_unseen(s, x, q, enemy, card)
    for i in range(s.n_deck[enemy]):
        read_unseen(s, x, q, enemy, s.deck[enemy, i])


@jit
def read_unseen(s: State, x: Context, q: Workspace, enemy: Player, card: Card) -> None:
    """Count a card that is in the enemy's hand or deck."""
    count_card(x, q, 3, card, ROLES)
    note(q, 3, gain(s, x, q, enemy, card))
    note(q, 4, x.worth[card])


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
# Features of a seat that everybody can see.

FACTIONS, LEADERS = len(FactionAbility), len(Leader)
ROW, SIDE, MEANS = 11, 12, 10
SEAT = 3 * ROW + SIDE + MEANS + FACTIONS + LEADERS
"""How many features a seat has."""


@jit
def put_seat(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """Write a seat's rows, side, pile, hand, gems and leader."""
    for row in range(3):
        at = put_row(s, x, q, seat, row, at)
    at = put_side(s, x, q, seat, at)
    at = put_means(s, x, q, seat, at)
    for i in range(FACTIONS + LEADERS):
        q.features[at + i] = 0
    q.features[at + x.faction_ability[seat]] = 1
    state = s.leader_state[seat]
    if state == LeaderState.READY or state == LeaderState.PASSIVE:
        q.features[at + FACTIONS + s.leader[seat]] = 1
    return at + FACTIONS + LEADERS


@jit
def put_row(s: State, x: Context, q: Workspace, seat: Player, row: Row, at: int) -> int:
    """Strength and units of a row, and what would change them."""
    side = find_side(s, x, seat)
    at = put(q, at, s.total[side, row])
    at = put(q, at, q.units[side, row])
    at = put(q, at, q.printed[side, row])
    at = put(q, at, q.now[side, row])
    at = put(q, at, q.fade[side, row])
    at = put(q, at, q.morale[side, row])
    at = put(q, at, q.horned[side, row])
    at = flag(q, at, s.slot[side, row] == Slot.EMPTY)
    at = put(q, at, 0 if q.horned[side, row] else q.now[side, row])
    at = put(q, at, row_scorch(s, x, q, seat, row))
    return put(q, at, weather_swing(s, x, q, seat, row))


@jit
def put_side(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """Write the targets of Scorch and Decoys on the side and of medics in the pile."""
    side = find_side(s, x, seat)
    at = put(q, at, side_total(s, side))
    at = put(q, at, q.scorched[side])
    at = put(q, at, q.spies[side])
    at = put(q, at, q.spy_cost[side])
    at = put(q, at, q.medics[side])
    at = put(q, at, q.pending[side])
    at = put(q, at, best_horn(s, x, q, seat))
    at = put(q, at, q.dead[seat])
    at = put(q, at, q.dead_strength[seat])
    at = put(q, at, q.dead_spies[seat])
    at = put(q, at, q.revival[seat])
    return put(q, at, q.second_revival[seat])


@jit
def put_means(s: State, x: Context, q: Workspace, seat: Player, at: int) -> int:
    """Write the remaining cards, gems and redraws, and faction and leader."""
    at = put(q, at, s.n_hand[seat])
    at = put(q, at, s.n_deck[seat])
    at = put(q, at, s.gems[find_side(s, x, seat)])
    at = put(q, at, s.passed[seat])
    ability = x.faction_ability[seat]
    keeps = ability == FactionAbility.KEEP_ONE_UNIT
    at = put(q, at, average_unit(q, find_side(s, x, seat)) if keeps else 0)
    returns = ability == FactionAbility.RETURN_TWO_UNITS and s.round_no <= 2
    at = put(q, at, average_pair(q, seat) if returns else 0)
    at = put(q, at, s.redraws[seat])
    at = flag(q, at, s.leader_state[seat] == LeaderState.READY)
    at = put(q, at, leader_gain(s, x, q, seat))
    return put(q, at, s.half_weather[find_side(s, x, seat)])


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
# Moves that need a closer look before their outcome can be valued.

DRAWING = 4  # worlds in which a move that draws cards is tried
ENDGAME = 3  # cards in a hand
LONG_GAME = 12  # rounds; few tables have seven


@jit
def within_turn(s: State) -> bool:
    """Report whether the player is in the middle of a turn: a medic, a Decoy."""
    return s.phase != Phase.PLAY and s.phase != Phase.REDRAW


@jit
def possible_worlds(s: State, x: Context, move: Move) -> int:
    """Return the number of worlds to try a move in: several if it draws cards.

    In a free-for-all all players may pass for ever, since no round has to be won: so
    from some round on a pass is not a choice while another move is legal.
    """
    verb = move_verb(move)
    if verb == Verb.PASS and s.round_no > LONG_GAME and has_many_sides(s, x):
        return 0
    if verb == Verb.REDRAW or verb == Verb.KEEP_HAND or verb == Verb.START:
        return DRAWING
    if verb == Verb.PLAY and x.ability[move_card(move)] & Ability.SPY:
        return DRAWING
    return 1


@jit
def is_endgame(s: State, x: Context, player: Player) -> bool:
    """Report whether both hands are small and `player` knows the enemy's."""
    enemy = 1 - player
    if max(s.n_hand[player], s.n_hand[enemy]) > ENDGAME:
        return False
    for i in range(s.n_hand[enemy]):
        if not knows(s, x, player, enemy, i):
            return False
    return True


# -----------------------------------------------------------------------------
# The rest of a table: all opponents, in the order of their strength, and a partner.

PARTNER = 5  # the row of gains that are a partner's
OPPONENTS, OPPONENT = 4, 7
OTHERS = OPPONENTS * OPPONENT + 6 + 1 + len(STEPS) + GAIN + 5
"""How many features the others have."""


@jit
def put_others(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """Write the visible state of opponents and a partner. Return the next index."""
    count = line_up(s, x, q, player)
    worth, cards, most, still_in, lead = 0, 0, 0, 0, 1000
    for i in range(count):
        other = q.lined[i]
        expected = expected_worth(s, x, player, other)
        at = put_opponent(s, x, q, player, other, expected, at)
        cards += s.n_hand[other]
        most = max(most, s.n_hand[other])
        lead = min(lead, counted_lead(s, x, player, other))
        if not s.passed[other]:
            still_in += s.n_hand[other] > 0
            worth = max(worth, expected)
    for _ in range((OPPONENTS - count) * OPPONENT):
        at = put(q, at, 0)
    at = put(q, at, cards)
    at = put(q, at, most)
    at = put(q, at, s.n_hand[player] - most)
    at = put(q, at, still_in)
    at = flag(q, at, still_in == 0)
    at = put(q, at, worth)
    at = put(q, at, lead)
    at = put_steps(q, at, lead)
    return put_partner(s, x, q, player, at)


@jit
def line_up(s: State, x: Context, q: Workspace, player: Player) -> int:
    """List the opponents in `q.lined`, the strongest first; returns how many."""
    count = 0
    for step in range(1, players(s, x)):
        other = (player + step) % players(s, x)
        if x.side[other] == x.side[player]:
            continue
        i = count
        while i > 0 and rate_opponent(s, x, q.lined[i - 1]) < rate_opponent(
            s, x, other
        ):
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
    at: int,
) -> int:
    """Write the lead over an opponent, and the opponent's remaining means."""
    at = put(q, at, counted_lead(s, x, player, other))
    at = put(q, at, s.passed[other])
    at = put(q, at, s.n_hand[other])
    at = put(q, at, s.points[other])
    at = put(q, at, expected)
    at = flag(q, at, s.leader_state[other] == LeaderState.READY)
    return put(q, at, (other - player) % players(s, x))


@jit
def expected_worth(s: State, x: Context, player: Player, other: Player) -> int:
    """Return the expected worth of another player's hand, as far as known."""
    known, unknown, unseen, worth = 0, 0, s.n_deck[other], 0
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
    return known + worth * unknown // (unknown + unseen)


@jit
def put_partner(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """Write the open hand of a partner, and the partner's remaining means."""
    other = partner(s, x, player)
    if other == player:
        for _ in range(GAIN + 5):
            at = put(q, at, 0)
        return at
    for i in range(s.n_hand[other]):
        note(q, PARTNER, gain(s, x, q, other, s.hand[other, i]))
    at = put_gains(q, PARTNER, at)
    at = put(q, at, s.n_hand[other])
    at = put(q, at, s.n_deck[other])
    at = put(q, at, s.passed[other])
    at = flag(q, at, s.leader_state[other] == LeaderState.READY)
    return flag(q, at, s.turn == other)


# -----------------------------------------------------------------------------
# The view of a duel from one seat as whole numbers: the input of a learned value.
#
# Nothing here reads a hidden card: of the enemy's hand and deck only what is known of
# them together counts, both lists being open, and of decks never the order.

HEAPS, GAINS, TABLE = 4 * ZONE, CARDS_READ * GAIN, 31
FEATURES = HEAPS + 2 * SEAT + GAINS + TABLE + RACE


@jit
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write what `player` sees to `q.features`; returns the stage of the game."""
    put_duel(s, x, q, player)
    return duel_stage(s.gems, s.passed, player, 1 - player)


@jit
def put_duel(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write the features of a duel with the rival; returns the next place."""
    look(s, x, q, player)
    enemy = rival(s, q, player)
    at = put_heaps(q, ROLES, 0)
    at = put_seat(s, x, q, player, at)
    at = put_seat(s, x, q, enemy, at)
    at = put_all_gains(q, at)
    at = put_table(s, x, q, player, at)
    return put_race(s, q, player, enemy, counted_lead(s, x, player, enemy), at)


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
def put_table(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """Weather, turn and round, and what is known of hands."""
    for row in range(3):
        at = put(q, at, q.weathered[row])
    enemy = rival(s, q, player)
    own_turn = s.turn == player
    at = flag(q, at, own_turn and s.phase == Phase.PLAY)
    at = flag(q, at, s.phase == Phase.REDRAW)
    at = flag(q, at, s.round_no == 1)
    at = flag(q, at, s.round_no == 2)
    at = flag(q, at, s.round_no >= 3)
    at = flag(q, at, s.starter == player)
    at = put(q, at, s.double_spies)
    at = put(q, at, s.random_revival)
    at = put(q, at, q.exposed)
    at = put(q, at, q.known)
    at = put(q, at, q.doubled)
    at = put(q, at, q.bonded)
    at = put(q, at, q.mustered)
    at = put(q, at, q.known_worth)
    at = put(q, at, q.expected_worth)
    at = put(q, at, q.gains[1, 0] + q.bonded + q.mustered - q.expected_worth)
    at = put(q, at, horn_to_come(s, x, q, player))
    at = put(q, at, q.strongest)
    at = put(q, at, scorch_swing(s, x, q, player))
    return put_edge(s, q, player, enemy, at)


@jit
def horn_to_come(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the gain of a horn in hand for the best row, with units in hand."""
    if q.heap[0, Role.HORN.value] == 0:
        return 0
    side = find_side(s, x, player)
    best = 0
    for row in range(3):
        if s.slot[side, row] == Slot.EMPTY and not q.horned[side, row]:
            best = max(best, q.now[side, row] + q.heap[0, ROLES + row])
    return best


# -----------------------------------------------------------------------------
# The view of a table from one seat: a duel with the rival, the others, the points.

POINTS = 22
TABLE_FEATURES = FEATURES + OTHERS + POINTS
FEWEST, MOST = 3, 5  # players of a free-for-all
STAGES = DUEL_STAGES + (MOST - FEWEST + 1) * 2 * 3


@jit
def table_features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write what `player` sees to `q.features`; returns the stage of the game."""
    choose_rivals(s, x, q, player)
    at = put_duel(s, x, q, player)
    at = put_others(s, x, q, player, at)
    put_points(s, x, q, player, at)
    return stage(s, x, q, player)


@jit
def stage(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the stage: as in a duel for teams, else by players, points and passes."""
    passed = round_stage(s.passed, player, rival(s, q, player))
    if not has_many_sides(s, x):
        own = x.side[player]
        return 3 * life_stage(s.gems, own, 1 - own) + passed
    kind = 2 * (min(max(players(s, x), FEWEST), MOST) - FEWEST) + may_end(s, x)
    return DUEL_STAGES + 3 * kind + passed


@jit
def may_end(s: State, x: Context) -> bool:
    """Report whether a player is one round's points from winning the game."""
    count = players(s, x)
    return largest(s.points, count) + count - 1 >= target(s, x)


@jit
def put_points(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """Write the number of players, and points of a free-for-all, made and likely."""
    count = players(s, x)
    many = has_many_sides(s, x)
    at = flag(q, at, not many)
    for size in range(FEWEST, MOST + 1):
        at = flag(q, at, many and count == size)
    if not many:
        for _ in range(POINTS - 4):
            at = put(q, at, 0)
        return at
    now = count_beaten(s, x, player, 0)
    own, best, second, before = s.points[player] + now, 0, 0, 0
    for other in range(count):
        if other != player:
            before = max(before, s.points[other])
            points = s.points[other] + count_beaten(s, x, other, 0)
            second = max(second, min(best, points))
            best = max(best, points)
    at = put(q, at, s.points[player])
    at = put(q, at, before)
    at = put(q, at, s.points[player] - before)
    at = put(q, at, now)
    at = flag(q, at, now == count - 1)
    at = put(q, at, sure_points(s, x, player))
    at = put(q, at, own - best)
    at = put(q, at, own - second)
    at = put(q, at, target(s, x) - own)
    at = put(q, at, target(s, x) - best)
    at = flag(q, at, own >= target(s, x) and own > best)
    at = flag(q, at, best >= target(s, x) and best > own)
    at = flag(q, at, own >= target(s, x) and own == best)
    for step in range(-1, 4):
        at = flag(q, at, own - best >= step)
    return at


@jit
def sure_points(s: State, x: Context, player: Player) -> int:
    """Return the number of beaten players who have passed."""
    count = 0
    for other in range(players(s, x)):
        if other != player and s.passed[other]:
            count += scores_against(s, x, player, other)
    return count


seen = by_record(features, table_features)
"""Write features: those of a duel in its record, those of a table in the other."""
