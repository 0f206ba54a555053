"""The worth of cards, and the gain of moves."""

from __future__ import annotations

from deckcheck.engine.gwent.abilities import ON_ENTRY, SPY_DRAWS
from deckcheck.engine.gwent.board import (
    CHANGES_NEIGHBOURS,
    NOWHERE,
    SCORCH_THRESHOLD,
    WEATHER_ABILITIES,
    card_in_deck,
    has_many_sides,
    landing_side,
    may_lie_in,
    only_row,
    rescore,
    row_has_horn,
    row_has_mardroeme,
    sides,
    strength_in_row,
    weather_index,
)
from deckcheck.engine.gwent.codes import (
    PASS,
    Ability,
    Kind,
    Leader,
    Slot,
    Verb,
    Weather,
)
from deckcheck.engine.gwent.leaders import (
    any_bond_copy,
    fetched_weather,
    horn_row,
    scorched_row,
)
from deckcheck.engine.jit import Card, Context, Move, Player, Row, Side, State, jit
from deckcheck.engine.primitives import (
    LeaderState,
    RowName,
    copies,
    move_card,
    move_row,
    move_verb,
    side_total,
)
from deckcheck.engine.registry import UnplayedCode

# -----------------------------------------------------------------------------
# The worth of a card in hand in an average use, by the figures of a player

ROW_SCORCH = int(Ability.SCORCH_CLOSE | Ability.SCORCH_RANGED | Ability.SCORCH_SIEGE)


@jit
def family_strength(s: State, x: Context, player: Player, family: int) -> int:
    """Return the printed strength of a muster family in hand and deck together."""
    total = 0
    for i in range(s.n_hand[player]):
        if x.family[s.hand[player, i]] == family:
            total += x.strength[s.hand[player, i]]
    for i in range(s.n_deck[player]):
        if x.family[s.deck[player, i]] == family:
            total += x.strength[s.deck[player, i]]
    return total


@jit
def card_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the strength that a card in hand brings in an average use."""
    ability = x.ability[card]
    strength = x.strength[card]
    if x.kind[card] > Kind.HERO:
        return special_worth(x, player, ability)
    if ability & Ability.SPY:
        return SPY_DRAWS * x.figures[player].card - strength
    if ability & Ability.MUSTER:
        return muster_worth(s, x, player, card)
    if ability & Ability.TIGHT_BOND:
        more = max(copies(s.hand[player], s.n_hand[player], card) - 1, 0)
        return strength + strength * more * x.figures[player].bond // 100
    if x.kind[card] == Kind.HERO:
        strength += x.figures[player].hero
    if ability & Ability.MEDIC:
        return strength + x.figures[player].medic
    if ability & Ability.SUMMON_AVENGER:
        return strength + x.strength[x.summoned[card]]
    if ability & Ability.COMMANDERS_HORN:
        return strength + x.figures[player].horn_unit
    if ability & (Ability.SCORCH | ROW_SCORCH):
        return strength + x.figures[player].scorch_unit
    if ability & Ability.MORALE_BOOST:
        return strength + x.figures[player].morale
    if ability & (Ability.BERSERKER | Ability.MARDROEME):
        return strength + x.figures[player].berserker
    return strength


@jit
def muster_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the worth of a card together with the cards that it calls."""
    called = family_strength(s, x, player, x.calls[card])
    strength = x.strength[card]
    if x.calls[card] == x.family[card]:
        called -= strength
    return strength + called * x.figures[player].muster // 100


@jit
def special_worth(x: Context, player: Player, ability: int) -> int:
    """Return the worth of a special or weather card in an average use."""
    figures = x.figures[player]
    if ability & Ability.COMMANDERS_HORN:
        return figures.horn
    if ability & Ability.SCORCH:
        return figures.scorch
    if ability & Ability.DECOY:
        return figures.decoy
    if ability & Ability.MARDROEME:
        return figures.mardroeme
    if ability & Ability.WEATHER_CLEAR:
        return figures.clear
    if ability & WEATHER_ABILITIES:
        return figures.weather
    raise UnplayedCode("special")


# -----------------------------------------------------------------------------
# The gain by a move: how much the lead grows, exactly where the move can be tried
#
# Gains are changes of the player's own total less the enemy total. A card is tried by
# laying it down, reading the total, and taking it back, so every strength rule counts.
# Nothing here reads the opponent's hand or the order of a deck. A player knows which
# cards are still in their own deck.

HAS_EFFECT = int(ON_ENTRY | Ability.SUMMON_AVENGER)


@jit
def per_enemy(s: State, x: Context, strength: int) -> int:
    """Return the average of an enemy strength over all enemy sides."""
    return strength // (sides(s, x) - 1)


@jit
def is_not_last(s: State, x: Context, side: Side) -> bool:
    """Report whether another round is to be expected."""
    return has_many_sides(s, x) or s.gems[side] > 1


@jit
def likely_side(s: State, x: Context, player: Player, card: Card) -> Side:
    """Return the side that gets the card. Spies go to the weakest opponent."""
    side = landing_side(s, x, player, card)
    if side < 0:
        for other in range(sides(s, x)):
            if other != x.side[player]:
                if side < 0 or side_total(s, other) < side_total(s, side):
                    side = other
    return side


@jit
def lay_on_trial(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Lay a card down and return the change of the row's total."""
    before = s.total[side, row]
    s.row[side, row, s.n_row[side, row]] = card
    s.n_row[side, row] += 1
    rescore(s, x, side, row)
    return s.total[side, row] - before


@jit
def take_back(s: State, x: Context, side: Side, row: Row, gain: int) -> None:
    """Take the last card of the row back, which changed its total by `gain`."""
    s.n_row[side, row] -= 1
    s.total[side, row] -= gain
    ability = x.ability[s.row[side, row, s.n_row[side, row]]]
    s.morale[side, row] -= ability & Ability.MORALE_BOOST != 0
    s.horns[side, row] -= ability & Ability.COMMANDERS_HORN != 0


@jit
def place_gain(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Return the growth of the row when the card is laid there."""
    if x.ability[card] & CHANGES_NEIGHBOURS:
        gain = lay_on_trial(s, x, side, row, card)
        take_back(s, x, side, row, gain)
        return gain
    return strength_beside(s, x, side, row, card)


@jit
def strength_beside(s: State, x: Context, side: Side, row: Row, card: Card) -> int:
    """Return the strength of a card in the row, when all totals are up to date."""
    morale, horns = s.morale[side, row], s.horns[side, row]
    return strength_in_row(s, x, side, row, card, morale, horns)


@jit
def unit_gain(s: State, x: Context, player: Player, card: Card, row: Row) -> int:
    """Return the gain in lead when a unit is played to the row.

    Cards that it brings or draws count as well.
    """
    ability = x.ability[card]
    side = likely_side(s, x, player, card)
    gain = place_gain(s, x, side, row, card)
    if not ability & HAS_EFFECT:
        return gain
    if ability & Ability.SPY:
        return drawn_worth(s, x, player) - per_enemy(s, x, gain)
    if ability & Ability.MUSTER:
        gain += muster_gain(s, x, player, card)
    if ability & ROW_SCORCH:
        gain += enemy_scorch_gain(s, x, player, only_scorched(ability))
    if ability & Ability.SCORCH:
        change = lay_on_trial(s, x, side, row, card)
        gain += scorch_gain(s, x, player, s.n_row[side, row] - 1, row)
        take_back(s, x, side, row, change)
    if ability & Ability.MEDIC:
        gain += best_revival(s, x, player)
    if ability & Ability.SUMMON_AVENGER and is_not_last(s, x, side):
        gain += x.strength[x.summoned[card]]
    if ability & Ability.MARDROEME:
        gain += mardroeme_gain(s, x, side, row)
    if ability & Ability.BERSERKER and row_has_mardroeme(s, x, side, row):
        gain = place_gain(s, x, side, row, x.becomes[card])
    return gain


@jit
def drawn_worth(s: State, x: Context, player: Player) -> int:
    """Return the worth of the cards that a spy draws."""
    return min(SPY_DRAWS, s.n_deck[player]) * x.figures[player].card


@jit
def only_scorched(ability: int) -> Row:
    """Return the row that a row-scorching unit burns."""
    if ability & Ability.SCORCH_CLOSE:
        return RowName.CLOSE.value
    if ability & Ability.SCORCH_RANGED:
        return RowName.RANGED.value
    return RowName.SIEGE.value


@jit
def muster_gain(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the gain of the mustered cards without the mustering card."""
    family = x.calls[card]
    side = x.side[player]
    total = 0
    skipped = x.family[card] != family
    for i in range(s.n_hand[player] + s.n_deck[player]):
        if i < s.n_hand[player]:
            other = s.hand[player, i]
        else:
            other = s.deck[player, i - s.n_hand[player]]
        if x.family[other] == family:
            if other == card and not skipped:
                skipped = True
                continue
            total += place_gain(s, x, side, only_row(x, other), other)
    return total


@jit
def best_revival(s: State, x: Context, player: Player) -> int:
    """Return the gain of the best unit a medic could bring back now."""
    side = x.side[player]
    best = 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if x.kind[card] == Kind.UNIT:
            best = max(best, revival_gain(s, x, player, card, only_row(x, card)))
    return best


@jit
def revival_gain(s: State, x: Context, player: Player, card: Card, row: Row) -> int:
    """Return the gain of reviving this unit. Medics count a second revival."""
    ability = x.ability[card]
    side = likely_side(s, x, player, card)
    gain = place_gain(s, x, side, row, card)
    if ability & Ability.SPY:
        return drawn_worth(s, x, player) - per_enemy(s, x, gain)
    if ability & Ability.MEDIC:
        gain += x.figures[player].second_revival
    if ability & Ability.SUMMON_AVENGER and is_not_last(s, x, side):
        gain += x.strength[x.summoned[card]]
    if ability & ROW_SCORCH:
        gain += enemy_scorch_gain(s, x, player, only_scorched(ability))
    return gain


@jit
def row_scorch_gain(s: State, x: Context, side: Side, row: Row) -> int:
    """Return the strength that a scorch of the row would destroy."""
    if s.total[side, row] < SCORCH_THRESHOLD:
        return 0
    best = -1
    total = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if x.kind[card] == Kind.UNIT:
            strength = strength_beside(s, x, side, row, card)
            if strength > best:
                best, total = strength, 0
            if strength == best:
                total += strength
    return total


@jit
def enemy_scorch_gain(s: State, x: Context, player: Player, row: Row) -> int:
    """Return the strength that a row scorch of every enemy would destroy, per enemy."""
    total = 0
    for side in range(sides(s, x)):
        if side != x.side[player]:
            total += row_scorch_gain(s, x, side, row)
    return per_enemy(s, x, total)


@jit
def scorch_gain(
    s: State, x: Context, player: Player, spare: int, spare_row: Row
) -> int:
    """Return the enemy strength less own strength that Scorch would destroy.

    The player's own card at index `spare` of `spare_row` is left out, if any.
    """
    own_side = x.side[player]
    best = -1
    lost, won = 0, 0
    for side in range(sides(s, x)):
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[side, row]):
                if side == own_side and row == spare_row and i == spare:
                    continue
                card = s.row[side, row, i]
                if x.kind[card] == Kind.UNIT:
                    strength = strength_beside(s, x, side, row, card)
                    if strength > best:
                        best, lost, won = strength, 0, 0
                    if strength == best and side == own_side:
                        lost += strength
                    elif strength == best:
                        won += strength
    return per_enemy(s, x, won) - lost


@jit
def lead(s: State, x: Context, side: Side) -> int:
    """Return a side's total less the total of its strongest enemy."""
    best = -1
    for other in range(sides(s, x)):
        if other != side:
            best = max(best, side_total(s, other))
    return side_total(s, side) - best


@jit
def weather_gain(s: State, x: Context, player: Player, ability: int) -> int:
    """Return the gain in lead by a weather card."""
    index = weather_index(ability)
    old = s.weather[0], s.weather[1], s.weather[2], s.weather[3]
    if index != Weather.CLEAR:
        if s.weather[index]:
            return 0
        s.weather[index] = 1
    else:
        for i in range(s.weather.shape[0]):
            s.weather[i] = 0
    own_change, enemy_change = 0, 0
    for side in range(sides(s, x)):
        for row in range(s.n_row.shape[1]):
            if s.n_row[side, row] > 0 and may_change(index, row):
                before = s.total[side, row]
                rescore(s, x, side, row)
                change = s.total[side, row] - before
                s.total[side, row] = before
                if side == x.side[player]:
                    own_change += change
                else:
                    enemy_change += change
    s.weather[0], s.weather[1], s.weather[2], s.weather[3] = old
    return own_change - per_enemy(s, x, enemy_change)


@jit
def may_change(index: int, row: Row) -> bool:
    """Report whether this weather can change the row."""
    # FROST, FOG and RAIN have the numbers of their rows.
    if index == Weather.CLEAR or index == row:
        return True
    return index == Weather.STORM and row != RowName.CLOSE


@jit
def horn_gain(s: State, x: Context, side: Side, row: Row) -> int:
    """Return the gain of a horn beside the row."""
    if row_has_horn(s, side, row):
        return 0
    before = s.total[side, row]
    s.leader_horn[side, row] = 1
    rescore(s, x, side, row)
    gain = s.total[side, row] - before
    s.leader_horn[side, row] = 0
    s.total[side, row] = before
    return gain


@jit
def mardroeme_gain(s: State, x: Context, side: Side, row: Row) -> int:
    """Return the growth of the row when its Berserkers turn."""
    gain = 0
    turned = 0
    for i in range(s.n_row[side, row]):
        card = s.row[side, row, i]
        if x.ability[card] & Ability.BERSERKER:
            after = x.becomes[card]
            gain += x.strength[after] - x.strength[card]
            if x.ability[after] & Ability.TIGHT_BOND:
                gain += 2 * turned * x.strength[after]
                turned += 1
    return gain


@jit
def decoy_gain(s: State, x: Context, player: Player, row: Row, card: Card) -> int:
    """Return the gain of taking this unit back: its new effect less its strength."""
    side = x.side[player]
    lost = strength_beside(s, x, side, row, card)
    ability = x.ability[card]
    if ability & Ability.SPY:
        return SPY_DRAWS * x.figures[player].card - lost
    if ability & Ability.MEDIC:
        return x.strength[card] + best_revival(s, x, player) - lost
    if ability & ROW_SCORCH:
        scorched = enemy_scorch_gain(s, x, player, only_scorched(ability))
        return x.strength[card] + scorched - lost
    return x.strength[card] - lost


@jit
def best_decoy_gain(s: State, x: Context, player: Player) -> int:
    """Return the gain of the best target of a Decoy."""
    side = x.side[player]
    best = -100
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.kind[card] == Kind.UNIT:
                best = max(best, decoy_gain(s, x, player, row, card))
    return best


@jit
def special_gain(s: State, x: Context, player: Player, card: Card, row: Row) -> int:
    """Return the gain in lead when a special or weather card is played."""
    ability = x.ability[card]
    side = x.side[player]
    if x.kind[card] == Kind.WEATHER:
        return weather_gain(s, x, player, ability)
    if ability & Ability.DECOY:
        return best_decoy_gain(s, x, player)
    if ability & Ability.SCORCH:
        return scorch_gain(s, x, player, NOWHERE, NOWHERE)
    if ability & Ability.COMMANDERS_HORN:
        return horn_gain(s, x, side, row) if s.slot[side, row] == Slot.EMPTY else 0
    if ability & Ability.MARDROEME:
        return mardroeme_gain(s, x, side, row)
    raise UnplayedCode("special")


# -----------------------------------------------------------------------------
# Weighing moves: the gain of a move now against the worth of its card

NEVER_PLAYED = -1000  # below the gain of every move
WEATHER_COUNT = len(Weather)


@jit
def move_gain(s: State, x: Context, player: Player, move: Move) -> int:
    """Return the gain in lead with this move."""
    if move_verb(move) == Verb.LEADER:
        return leader_gain(s, x, player)
    card = move_card(move)
    if x.kind[card] <= Kind.HERO:
        return unit_gain(s, x, player, card, move_row(move))
    return special_gain(s, x, player, card, move_row(move))


@jit
def move_worth(s: State, x: Context, player: Player, move: Move) -> int:
    """Return the worth of the spent card or leader in an average use."""
    if move_verb(move) == Verb.LEADER:
        return x.figures[player].leader
    return card_worth(s, x, player, move_card(move))


@jit
def leader_gain(s: State, x: Context, player: Player) -> int:
    """Return the gain in lead with the active leader."""
    leader = s.leader[player]
    side = x.side[player]
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        return fetched_weather_gain(s, x, player, weather)
    if horn >= 0:
        return horn_gain(s, x, side, horn)
    if scorched >= 0:
        return leader_scorch_gain(s, x, player, scorched)
    if leader == Leader.CLEAR_WEATHER:
        return weather_gain(s, x, player, Ability.WEATHER_CLEAR.value)
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD or leader == Leader.RESTORE_OWN_DISCARD:
        best = 0
        for pile in range(sides(s, x)):
            if (pile == side) == (leader == Leader.RESTORE_OWN_DISCARD):
                best = max(best, best_in_pile(s, x, player, pile))
        return best if best > 0 else -x.figures[player].patient
    if leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        return x.figures[player].bond_copy if any_bond_copy(s, x, player) else 0
    if (
        leader == Leader.DISCARD_TWO_PICK_ONE
        or leader == Leader.OPTIMISE_AGILE_ROWS
        or leader == Leader.PEEK_THREE_HAND_CARDS
        or leader == Leader.PLAY_MARDROEME_FROM_DECK
        or leader == Leader.RESHUFFLE_DISCARDS
    ):
        return x.figures[player].little
    raise UnplayedCode("leader")


@jit
def leader_scorch_gain(s: State, x: Context, player: Player, row: Row) -> int:
    """Return the loss of all enemies, or the largest, by a leader's scorch."""
    if x.leader_scorches_all:
        return enemy_scorch_gain(s, x, player, row)
    best = 0
    for side in range(sides(s, x)):
        if side != x.side[player]:
            best = max(best, row_scorch_gain(s, x, side, row))
    return best


@jit
def fetched_weather_gain(s: State, x: Context, player: Player, weather: int) -> int:
    """Return the best gain of the weather cards a leader may fetch."""
    best = 0
    for kind in range(WEATHER_COUNT):
        # The abilities of weather cards are bits that follow each other.
        ability = Ability.WEATHER_FROST.value << kind
        if weather & ability and card_in_deck(s, x, player, ability):
            best = max(best, weather_gain(s, x, player, ability))
    return best


@jit
def exchange_gain(s: State, x: Context, player: Player) -> int:
    """Return the worth of the best card of the deck, less the two worst in hand."""
    best = 0
    for i in range(s.n_deck[player]):
        best = max(best, card_worth(s, x, player, s.deck[player, i]))
    worst, second = -NEVER_PLAYED, -NEVER_PLAYED
    for i in range(s.n_hand[player]):
        worth = card_worth(s, x, player, s.hand[player, i])
        if worth < worst:
            worst, second = worth, worst
        elif worth < second:
            second = worth
    return best - worst - second


@jit
def best_in_pile(s: State, x: Context, player: Player, side: Side) -> int:
    """Return the worth of the best card in a discard pile."""
    best = 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if side == x.side[player] or x.kind[card] != Kind.HERO:
            best = max(best, card_worth(s, x, player, card))
    return best


@jit
def is_spy(s: State, x: Context, player: Player, move: Move) -> bool:
    """Report whether the move plays a spy that draws."""
    return (
        move_verb(move) == Verb.PLAY
        and x.ability[move_card(move)] & Ability.SPY != 0
        and s.n_deck[player] > 0
    )


@jit
def situation(s: State, x: Context, side: Side) -> int:
    """Return 2 if the player has a last gem left plus 1 if the opponent has.

    In a free-for-all, which goes by points, it is 0.
    """
    if has_many_sides(s, x):
        return 0
    return 2 * (s.gems[side] == 1) + (s.gems[1 - side] == 1)


@jit
def units_in_hand(s: State, x: Context, player: Player, row: Row) -> int:
    """Return the printed strength in hand that a horn beside the row would double."""
    total = 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        is_spying = x.ability[card] & Ability.SPY != 0
        if x.kind[card] == Kind.UNIT and not is_spying and may_lie_in(x, card, row):
            total += x.strength[card]
    return total


@jit
def berserkers_in_hand(s: State, x: Context, player: Player, row: Row) -> int:
    """Return the strength that Berserkers in hand gain by a Mardroeme."""
    total = 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        if x.ability[card] & Ability.BERSERKER and may_lie_in(x, card, row):
            total += x.strength[x.becomes[card]] - x.strength[card]
    return total * x.figures[player].mardroeme_hand // 100


@jit
def later_gain(s: State, x: Context, player: Player, move: Move) -> int:
    """Return the later gain of a horn, a Mardroeme, or a unit under a future horn.

    An exchange of cards by a leader counts by the worth of the cards.
    """
    figures = x.figures[player]
    leader_row = horn_row(s.leader[player])
    if move_verb(move) == Verb.LEADER:
        if leader_row >= 0:
            return units_in_hand(s, x, player, leader_row) * figures.horn_hand // 100
        if s.leader[player] == Leader.DISCARD_TWO_PICK_ONE and figures.exchange:
            return exchange_gain(s, x, player) * figures.exchange // 100
        return 0
    card = move_card(move)
    row = move_row(move)
    ability = x.ability[card]
    if x.kind[card] == Kind.WEATHER:
        return later_weather_gain(s, x, player, ability)
    if x.kind[card] == Kind.SPECIAL:
        if ability & Ability.COMMANDERS_HORN:
            return units_in_hand(s, x, player, row) * figures.horn_hand // 100
        if ability & Ability.MARDROEME:
            return berserkers_in_hand(s, x, player, row)
        return 0
    if not ability & Ability.AGILE:
        return 0
    extra = figures.agile_ranged if row == RowName.RANGED else 0
    if row == leader_row and s.leader_state[player] == LeaderState.READY:
        extra += figures.agile_horn
    return extra


@jit
def later_weather_gain(s: State, x: Context, player: Player, ability: int) -> int:
    """Return the loss, as a negative number, of units in hand that weather will hit."""
    figures = x.figures[player]
    if not figures.weather_hand or ability & Ability.WEATHER_CLEAR:
        return 0
    index = weather_index(ability)
    total = 0
    for row in range(s.n_row.shape[1]):
        if may_change(index, row):
            total += units_in_hand(s, x, player, row)
    return -total * figures.weather_hand // 100


@jit
def best_play(
    s: State, x: Context, player: Player, count: int
) -> tuple[Move, int, int, int]:
    """Return the best playing move, its gain, the two best gains and the hand's worth.

    The two best gains are added up. A spy comes first: two cards for one. Otherwise
    cheap cards come before expensive cards, which wait for a use that pays. A loss of
    strength comes last.
    """
    figures = x.figures[player]
    now = situation(s, x, x.side[player])
    gain_weight = figures.gain_weight[now]
    worth_weight = figures.worth_weight[now]
    waste_weight = figures.waste_weight[now]
    best, best_value, best_gain = PASS, 100 * NEVER_PLAYED, NEVER_PLAYED
    strongest, second = 0, 0
    hand, last, worth = 0, 0, 0
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, player, move)
        second = max(second, min(strongest, gain))
        strongest = max(strongest, gain)
        if move_card(move) != last:
            last = move_card(move)
            worth = move_worth(s, x, player, move)
            hand += worth
        elif last == 0:
            worth = move_worth(s, x, player, move)
        expected = gain + later_gain(s, x, player, move)
        value = gain_weight * expected - worth_weight * worth
        value -= waste_weight * max(worth - expected, 0)
        if is_spy(s, x, player, move):
            value += figures.spy_bonus
        elif gain < 0:
            value += 10 * NEVER_PLAYED
        if value > best_value:
            best, best_value, best_gain = move, value, gain
    return best, best_gain, strongest + second, hand
