"""Every leader: effect, choices, moves."""

from __future__ import annotations

from deckcheck.engine.gwent.abilities import deploy, fetch_from_deck, play_special
from deckcheck.engine.gwent.board import (
    KNOWN_TO_ALL,
    KNOWN_TO_NOBODY,
    SCORCH_THRESHOLD,
    WEATHER_ABILITIES,
    add_to_hand,
    any_weather,
    card_in_deck,
    clear_weather,
    enemy_side,
    has_many_sides,
    is_weather,
    known_mark,
    opponent,
    opponents,
    play_weather,
    players,
    remove_from_row,
    rescore,
    row_has_unit,
    scorch_enemies,
    scorch_row,
    sides,
    strength_if_laid,
    unit_strength,
)
from deckcheck.engine.gwent.codes import (
    CHOOSE,
    Ability,
    Kind,
    Leader,
    Phase,
    RandomPick,
    Slot,
)
from deckcheck.engine.jit import Card, Context, Move, Player, Row, Side, State, jit
from deckcheck.engine.primitives import (
    ROW_BIT,
    WHO_BIT,
    LeaderState,
    RowName,
    add,
    add_hand,
    add_once,
    copies,
    discard,
    largest,
    move_card,
    move_row,
    move_who,
    pick,
    remove_from_discard,
    remove_from_hand,
    shuffle_deck,
    sort,
)
from deckcheck.engine.registry import Carried, UnplayedCode

# -----------------------------------------------------------------------------
# Passive leaders, and leaders that are ready, passive or void at the start (rules 1.9)
#
# White Flame is here. The marks of the others take effect where they are read: spies
# and weather in `board`, revival in `abilities`, the opening card in `rounds`.


@jit
def set_up_leaders(s: State, x: Context) -> None:
    """Make leaders ready or passive. White Flame voids others (1.9.5).

    If only one of several is voided (4.7.2), the player chooses later: `next_voider`.
    """
    s.voiding = 0
    for player in range(players(s, x)):
        s.leader[player] = x.leader[player]
        s.leader_state[player] = LeaderState.READY
        if x.passive[player]:
            s.leader_state[player] = LeaderState.PASSIVE
    for player in range(players(s, x)):
        if x.leader[player] == Leader.CANCEL_ENEMY_LEADER:
            if not chooses_whom_to_void(s, x, player):
                void_leaders(s, x, player)
    note_passive_leaders(s, x)


@jit
def chooses_whom_to_void(s: State, x: Context, player: Player) -> bool:
    """Report whether White Flame voids a single leader of several (4.7.2, 5.5.8)."""
    return (
        not x.flame_voids_all
        and not x.flame_voids_opponents
        and opponents(s, x, player) > 1
    )


@jit
def void_leaders(s: State, x: Context, player: Player) -> None:
    """Void all other leaders, or by option only the opponents'."""
    for other in range(players(s, x)):
        is_partner = other != player and x.side[other] == x.side[player]
        if other != player and (x.flame_voids_all or not is_partner):
            s.leader_state[other] = LeaderState.VOID


@jit
def next_voider(s: State, x: Context) -> Player:
    """Return the next player, from the coin on, to void a leader, or -1."""
    count = players(s, x)
    while s.voiding < count:
        player = (x.coin + s.voiding) % count
        s.voiding += 1
        if x.leader[player] == Leader.CANCEL_ENEMY_LEADER:
            if chooses_whom_to_void(s, x, player):
                return player
    return -1


@jit
def void_leader(s: State, x: Context, who: Player) -> None:
    """Void the leader of the player `who`, active or passive, by White Flame."""
    s.leader_state[who] = LeaderState.VOID
    note_passive_leaders(s, x)


@jit
def note_passive_leaders(s: State, x: Context) -> None:
    """Set the marks of the passive leaders in force."""
    s.double_spies = 0
    s.random_revival = 0
    for player in range(players(s, x)):
        s.half_weather[x.side[player]] = 0
        s.extra_card[player] = 0
    for player in range(players(s, x)):
        if s.leader_state[player] == LeaderState.PASSIVE:
            leader = s.leader[player]
            if leader == Leader.DOUBLE_SPIES:
                s.double_spies = 1
            elif leader == Leader.RANDOM_REVIVE:
                s.random_revival = 1
            elif leader == Leader.HALF_WEATHER:
                s.half_weather[x.side[player]] = 1
            elif leader == Leader.EXTRA_OPENING_CARD:
                s.extra_card[player] = 1
            elif leader != Leader.CANCEL_ENEMY_LEADER:
                raise UnplayedCode("passive leader")


# -----------------------------------------------------------------------------
# Leaders who sound a horn in a row of their own side (rules 1.9.2)


@jit
def horn_row(leader: int) -> Row:
    """Return the row a horn leader doubles, -1 for a leader of another kind."""
    if leader == Leader.HORN_OWN_CLOSE:
        return RowName.CLOSE.value
    if leader == Leader.HORN_OWN_RANGED:
        return RowName.RANGED.value
    if leader == Leader.HORN_OWN_SIEGE:
        return RowName.SIEGE.value
    return -1


@jit
def horn_has_effect(s: State, x: Context, player: Player, row: Row) -> bool:
    """Report whether the row is free: "No effect if that row already has a horn"."""
    return s.slot[x.side[player], row] != Slot.HORN


# -----------------------------------------------------------------------------
# Leaders who scorch an enemy row (rules 1.9.2)


@jit
def scorched_row(leader: int) -> Row:
    """Return the enemy row a scorching leader burns, -1 for another kind."""
    if leader == Leader.SCORCH_ENEMY_CLOSE:
        return RowName.CLOSE.value
    if leader == Leader.SCORCH_ENEMY_RANGED:
        return RowName.RANGED.value
    if leader == Leader.SCORCH_ENEMY_SIEGE:
        return RowName.SIEGE.value
    return -1


@jit
def would_burn(s: State, x: Context, side: Side, row: Row) -> bool:
    """Report whether a row scorch would destroy a unit in this row."""
    return s.total[side, row] >= SCORCH_THRESHOLD and row_has_unit(s, x, side, row)


@jit
def scorch_has_effect(s: State, x: Context, player: Player, row: Row) -> bool:
    """Report whether a row scorch would destroy a unit on an enemy side."""
    for side in range(sides(s, x)):
        if side != x.side[player] and would_burn(s, x, side, row):
            return True
    return False


# -----------------------------------------------------------------------------
# The leader who looks into a hand (rules 1.9.2)

CARDS_PEEKED = 3
JUST_SEEN = 1 << 8  # a mark in `seen` above the sides, while cards are picked


@jit
def enemy_holds_cards(s: State, x: Context, player: Player) -> bool:
    """Report whether an opponent has a card in hand."""
    for other in range(players(s, x)):
        if x.side[other] != x.side[player] and s.n_hand[other] > 0:
            return True
    return False


@jit
def peek(s: State, x: Context, player: Player, target: Player) -> None:
    """Show three random cards of a hand, or all if there are fewer, to `player`."""
    mark = known_mark(s, x, player)
    if s.n_hand[target] <= CARDS_PEEKED:
        for i in range(s.n_hand[target]):
            s.seen[target, i] |= mark
        return
    for _ in range(CARDS_PEEKED):
        count = 0
        for i in range(s.n_hand[target]):
            if not s.seen[target, i] & JUST_SEEN:
                x.pool[count] = s.hand[target, i]
                count += 1
        index = pick(s, x, count, RandomPick.SEEN.value, player, 1)
        mark_seen(s, target, x.pool[index])
    for i in range(s.n_hand[target]):
        if s.seen[target, i] & JUST_SEEN:
            s.seen[target, i] = (s.seen[target, i] ^ JUST_SEEN) | mark


@jit
def mark_seen(s: State, target: Player, card: Card) -> None:
    """Mark a copy of `card` in the hand, but not a copy seen a moment ago."""
    for i in range(s.n_hand[target]):
        if s.hand[target, i] == card and not s.seen[target, i] & JUST_SEEN:
            s.seen[target, i] |= JUST_SEEN
            return


# -----------------------------------------------------------------------------
# Hope of the Aen Seidhe: agile units move between their rows (rules 1.9.2)


@jit
def moves_side(x: Context, player: Player, side: Side) -> bool:
    """Report whether the leader of `player` moves the units of this side."""
    return side == x.side[player] or x.hope_moves_both_sides


@jit
def optimise_agile_rows(s: State, x: Context, player: Player) -> None:
    """Move the agile units of the player's own side, by option of all sides."""
    for side in range(sides(s, x)):
        if moves_side(x, player, side):
            move_agile_units(s, x, side)


@jit
def move_agile_units(s: State, x: Context, side: Side) -> None:
    """Move each agile unit to its strongest row. Equal rows change nothing.

    The close row moves first, and no unit moves twice.
    """
    close = RowName.CLOSE.value
    ranged = RowName.RANGED.value
    ranged_count = s.n_row[side, ranged]
    move_agile_row(s, x, side, close, ranged, s.n_row[side, close])
    move_agile_row(s, x, side, ranged, close, ranged_count)


@jit
def move_agile_row(
    s: State, x: Context, side: Side, here: Row, there: Row, count: int
) -> None:
    """Try the first `count` units of the row `here` in the row `there`."""
    i = 0
    for _ in range(count):
        if should_move(s, x, side, here, there, i):
            card = remove_from_row(s, side, here, i)
            s.row[side, there, s.n_row[side, there]] = card
            s.n_row[side, there] += 1
        else:
            i += 1
    rescore(s, x, side, here)
    rescore(s, x, side, there)


@jit
def should_move(
    s: State, x: Context, side: Side, here: Row, there: Row, index: int
) -> bool:
    """Report whether the unit is agile and would be stronger in the row `there`."""
    card = s.row[side, here, index]
    if x.kind[card] != Kind.UNIT or not x.ability[card] & Ability.AGILE:
        return False
    elsewhere = strength_if_laid(s, x, side, there, card)
    return elsewhere > unit_strength(s, x, side, here, index)


@jit
def any_agile_move(s: State, x: Context, player: Player) -> bool:
    """Report whether the leader of `player` would move a unit."""
    for side in range(sides(s, x)):
        if moves_side(x, player, side):
            for here in range(RowName.SIEGE.value):
                for i in range(s.n_row[side, here]):
                    if should_move(s, x, side, here, 1 - here, i):
                        return True
    return False


# -----------------------------------------------------------------------------
# Leaders who fetch weather from the deck, and who clear it (rules 1.9.2)


@jit
def fetched_weather(leader: int) -> int:
    """Return the weather ability a leader fetches, 0 for another kind."""
    if leader == Leader.PLAY_FROST_FROM_DECK:
        return Ability.WEATHER_FROST.value
    if leader == Leader.PLAY_FOG_FROM_DECK:
        return Ability.WEATHER_FOG.value
    if leader == Leader.PLAY_RAIN_FROM_DECK:
        return Ability.WEATHER_RAIN.value
    if leader == Leader.PLAY_STORM_FROM_DECK:
        return Ability.WEATHER_STORM.value
    if leader == Leader.PLAY_ANY_WEATHER_FROM_DECK:
        return WEATHER_ABILITIES
    return 0


@jit
def fetch_weather(s: State, x: Context, player: Player, weather: int) -> None:
    """Play the topmost card of the deck with one of these weather abilities."""
    card = card_in_deck(s, x, player, weather)
    if card:
        fetch_from_deck(s, x, player, card)
        play_weather(s, x, player, card)


# -----------------------------------------------------------------------------
# Leaders who pick cards other than weather out of their deck (rules 1.9.2)

CARDS_DISCARDED = 2


@jit
def offer_next(s: State, player: Player) -> None:
    """Offer the next card to discard, else the card of the deck."""
    if s.to_discard > 0:
        s.phase = Phase.DISCARD_TWO
    elif s.n_deck[player] > 0:
        s.phase = Phase.FROM_DECK


@jit
def list_deck_moves(s: State, x: Context, player: Player, weather_only: bool) -> int:
    """List each different card, or weather card, of the deck."""
    count = 0
    for i in range(s.n_deck[player]):
        if not weather_only or is_weather(x, s.deck[player, i]):
            count = add_once(x, count, CHOOSE | s.deck[player, i])
    sort(x.moves, count)
    return count


# Arnjolf: a copy from the deck of a tight-bond unit on the player's own side


@jit
def has_bond(x: Context, card: Card) -> bool:
    """Report whether the card is a unit with tight bond."""
    return x.kind[card] == Kind.UNIT and x.ability[card] & Ability.TIGHT_BOND != 0


@jit
def bond_copy_in_deck(s: State, x: Context, player: Player, card: Card) -> bool:
    """Report whether Arnjolf could fetch a copy of a unit."""
    return has_bond(x, card) and copies(s.deck[player], s.n_deck[player], card) > 0


@jit
def any_bond_copy(s: State, x: Context, player: Player) -> bool:
    """Report whether Arnjolf has a card to fetch."""
    side = x.side[player]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if bond_copy_in_deck(s, x, player, s.row[side, row, i]):
                return True
    return False


@jit
def list_bond_copy_moves(s: State, x: Context, player: Player) -> int:
    """List each different unit on the player's side with a copy in the deck.

    By option any unit with tight bond may be chosen, without effect (1.9.8).
    """
    count = 0
    side = x.side[player]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            is_bond = x.any_bond_chosen and has_bond(x, card)
            if is_bond or bond_copy_in_deck(s, x, player, card):
                count = add_once(x, count, CHOOSE | row << ROW_BIT | card)
    return count


@jit
def play_bond_copy(s: State, x: Context, player: Player, move: Move) -> None:
    """Play the copy beside the chosen unit, if any."""
    if not bond_copy_in_deck(s, x, player, move_card(move)):
        return
    fetch_from_deck(s, x, player, move_card(move))
    deploy(s, x, player, move_card(move), move_row(move))


# The Cripple: a Mardroeme card of the deck


@jit
def mardroeme_in_deck(s: State, x: Context, player: Player) -> Card:
    """Return a Mardroeme special of the deck, or 0 (Ermion is a unit)."""
    for i in range(s.n_deck[player] - 1, -1, -1):
        card = s.deck[player, i]
        if x.kind[card] == Kind.SPECIAL and x.ability[card] & Ability.MARDROEME:
            return card
    return 0


@jit
def can_lay_mardroeme(s: State, x: Context, player: Player) -> bool:
    """Report whether the deck has a Mardroeme special and a row has a free slot."""
    if not mardroeme_in_deck(s, x, player):
        return False
    for row in range(s.slot.shape[1]):
        if s.slot[x.side[player], row] == Slot.EMPTY:
            return True
    return False


@jit
def list_mardroeme_moves(s: State, x: Context, player: Player) -> int:
    """List the card for each row without a special beside it."""
    count = 0
    for row in range(s.slot.shape[1]):
        if s.slot[x.side[player], row] == Slot.EMPTY:
            card = mardroeme_in_deck(s, x, player)
            count = add(x, count, CHOOSE | row << ROW_BIT | card)
    return count


# -----------------------------------------------------------------------------
# Leaders who reach into discard piles (rules 1.9.2)


@jit
def enemy_pile_has_card(s: State, x: Context, player: Player) -> bool:
    """Report whether The Relentless may take a card of an enemy pile."""
    for enemy in range(sides(s, x)):
        if enemy != x.side[player]:
            for i in range(s.n_discard[enemy]):
                if x.kind[s.discard[enemy, i]] != Kind.HERO:
                    return True
    return False


@jit
def list_enemy_discard_moves(s: State, x: Context, player: Player) -> int:
    """List each card that The Relentless may take, with its owner."""
    count = 0
    for other in range(players(s, x)):
        enemy = x.side[other]
        if enemy != x.side[player]:
            who = other << WHO_BIT if has_many_sides(s, x) else 0
            for i in range(s.n_discard[enemy]):
                if x.kind[s.discard[enemy, i]] != Kind.HERO:
                    count = add_once(x, count, CHOOSE | who | s.discard[enemy, i])
    return count


@jit
def take_from_enemy_discard(s: State, x: Context, player: Player, move: Move) -> None:
    """Take the chosen card into the hand, where everybody knows it."""
    if has_many_sides(s, x):
        enemy = x.side[move_who(move)]
    else:
        enemy = enemy_side(s, x, x.side[player])
    remove_from_discard(s, enemy, move_card(move))
    add_to_hand(s, player, move_card(move), KNOWN_TO_ALL)


@jit
def reshuffle_discards(s: State, x: Context) -> None:
    """Shuffle all discard piles back into the decks, by Crach.

    In a scripted game the pile goes below the deck, its top card first.
    """
    for player in range(players(s, x)):
        put_below_deck(s, x, player)
    for side in range(sides(s, x)):
        s.n_discard[side] = 0
    for player in range(players(s, x)):
        shuffle_deck(s, x, player)


@jit
def put_below_deck(s: State, x: Context, player: Player) -> None:
    """Put the player's cards of the pile below the deck."""
    side = x.side[player]
    count = 0
    for i in range(s.n_discard[side]):
        count += is_players_card(s, x, player, s.discard[side, i])
    for i in range(s.n_deck[player] - 1, -1, -1):
        s.deck[player, i + count] = s.deck[player, i]
    s.n_deck[player] += count
    count = 0
    for i in range(s.n_discard[side]):
        if is_players_card(s, x, player, s.discard[side, i]):
            s.deck[player, count] = s.discard[side, i]
            count += 1


@jit
def is_players_card(s: State, x: Context, player: Player, card: Card) -> bool:
    """Report whether a card of a pile that partners share is the player's (5.6.8).

    It belongs to the partner with its colour, else to the first partner.
    """
    keeper = -1
    for other in range(players(s, x)):
        if x.side[other] == x.side[player]:
            if keeper < 0 or x.colour[card] == x.own_colour[other]:
                keeper = other
    return keeper == player


# -----------------------------------------------------------------------------
# The target of a leader against "the opponent", at a table (rules 4.7.2, 5.6.8)


@jit
def may_be_aimed_at(s: State, x: Context, player: Player, who: Player) -> bool:
    """Report whether the leader may target this opponent."""
    side = x.side[who]
    if side == x.side[player] or not x.leader_wants_target:
        return side != x.side[player]
    row = scorched_row(s.leader[player])
    return would_burn(s, x, side, row) if row >= 0 else s.n_hand[who] > 0


@jit
def offer_opponents(s: State, x: Context, player: Player) -> None:
    """Ask the player to choose an opponent, if there is a choice."""
    for who in range(players(s, x)):
        if may_be_aimed_at(s, x, player, who):
            s.phase = Phase.OPPONENT


@jit
def list_opponent_moves(s: State, x: Context, player: Player) -> int:
    """List each opponent at whom the leader may be aimed."""
    count = 0
    for who in range(players(s, x)):
        if may_be_aimed_at(s, x, player, who):
            count = add(x, count, CHOOSE | who << WHO_BIT)
    return count


# -----------------------------------------------------------------------------
# The functions that use a leader, and report whether it would change anything


# The leaders that ask for a choice, if they have an effect, and its phase.
CHOICE_PHASES = (
    (int(Leader.PLAY_ANY_WEATHER_FROM_DECK), int(Phase.WEATHER_FROM_DECK)),
    (int(Leader.TAKE_FROM_ENEMY_DISCARD), int(Phase.ENEMY_DISCARD)),
    (int(Leader.RESTORE_OWN_DISCARD), int(Phase.OWN_DISCARD)),
    (int(Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK), int(Phase.BOND_COPY)),
    (int(Leader.PLAY_MARDROEME_FROM_DECK), int(Phase.MARDROEME_ROW)),
)


@jit
def use_leader(s: State, x: Context, player: Player) -> None:
    """Use the active leader of `player`. Some leaders ask for a choice afterwards."""
    s.leader_state[player] = LeaderState.USED
    leader = s.leader[player]
    for asking, phase in CHOICE_PHASES:
        if leader == asking:
            if leader_has_effect(s, x, player):
                s.phase = phase
            return
    if leader == Leader.PEEK_THREE_HAND_CARDS:
        # Of several opponents the player chooses one (4.7.2)
        if opponents(s, x, player) > 1:
            offer_opponents(s, x, player)
        else:
            peek(s, x, player, opponent(s, x, player))
    elif leader == Leader.OPTIMISE_AGILE_ROWS:
        optimise_agile_rows(s, x, player)
    elif leader == Leader.DISCARD_TWO_PICK_ONE:
        # "Discard two cards", or as many as there are, "then choose one of the deck"
        s.to_discard = min(CARDS_DISCARDED, s.n_hand[player])
        offer_next(s, player)
    elif not use_at_once(s, x, player, leader):
        raise UnplayedCode("leader")


@jit
def use_at_once(s: State, x: Context, player: Player, leader: int) -> bool:
    """Use a leader common to players and the automa. False for other leaders."""
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        fetch_weather(s, x, player, weather)
    elif horn >= 0:
        if horn_has_effect(s, x, player, horn):
            s.leader_horn[x.side[player], horn] = 1
            rescore(s, x, x.side[player], horn)
    elif scorched >= 0 and has_many_sides(s, x) and not x.leader_scorches_all:
        # Of several opponents the player chooses one (4.7.2)
        offer_opponents(s, x, player)
    elif scorched >= 0:
        scorch_enemies(s, x, player, scorched)
    elif leader == Leader.CLEAR_WEATHER:
        clear_weather(s, x)
    elif leader == Leader.RESHUFFLE_DISCARDS:
        reshuffle_discards(s, x)
    else:
        return False
    return True


@jit
def leader_has_effect(s: State, x: Context, player: Player) -> bool:
    """Report whether using the leader now changes anything (1.9.9)."""
    leader = s.leader[player]
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        return card_in_deck(s, x, player, weather) != 0
    if horn >= 0:
        return horn_has_effect(s, x, player, horn)
    if scorched >= 0:
        return scorch_has_effect(s, x, player, scorched)
    if leader == Leader.CLEAR_WEATHER:
        return any_weather(s)
    if leader == Leader.PEEK_THREE_HAND_CARDS:
        return enemy_holds_cards(s, x, player)
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        return enemy_pile_has_card(s, x, player)
    if leader == Leader.RESTORE_OWN_DISCARD:
        return s.n_discard[x.side[player]] > 0
    if leader == Leader.DISCARD_TWO_PICK_ONE:
        return s.n_hand[player] > 0 or s.n_deck[player] > 0
    if leader == Leader.RESHUFFLE_DISCARDS:
        return largest(s.n_discard, sides(s, x)) > 0
    if leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        return any_bond_copy(s, x, player)
    if leader == Leader.PLAY_MARDROEME_FROM_DECK:
        return can_lay_mardroeme(s, x, player)
    if leader == Leader.OPTIMISE_AGILE_ROWS:
        return any_agile_move(s, x, player)
    raise UnplayedCode("leader")


# -----------------------------------------------------------------------------
# Choices that leaders give their player: the moves, and their effects


@jit
def list_leader_choices(s: State, x: Context, player: Player) -> int:
    """List the choices that a leader offers and return the number of moves."""
    phase = s.phase
    if phase == Phase.ENEMY_DISCARD:
        return list_enemy_discard_moves(s, x, player)
    if phase == Phase.OWN_DISCARD:
        count = 0
        side = x.side[player]
        for i in range(s.n_discard[side]):
            count = add_once(x, count, CHOOSE | s.discard[side, i])
        return count
    if phase == Phase.DISCARD_TWO or phase == Phase.AUTOMA_DISCARD:
        return add_hand(s, x, player, CHOOSE, 0)
    if phase == Phase.FROM_DECK or phase == Phase.WEATHER_FROM_DECK:
        return list_deck_moves(s, x, player, phase == Phase.WEATHER_FROM_DECK)
    if phase == Phase.BOND_COPY:
        return list_bond_copy_moves(s, x, player)
    if phase == Phase.MARDROEME_ROW:
        return list_mardroeme_moves(s, x, player)
    if phase == Phase.OPPONENT:
        return list_opponent_moves(s, x, player)
    raise UnplayedCode("choice")


@jit
def choose_for_leader(
    s: State, x: Context, player: Player, phase: int, move: Move
) -> None:
    """Carry out the choice of this phase."""
    card = move_card(move)
    if phase == Phase.ENEMY_DISCARD:
        take_from_enemy_discard(s, x, player, move)
    elif phase == Phase.OWN_DISCARD:
        # "Take it to your hand", where everybody knows it
        remove_from_discard(s, x.side[player], card)
        add_to_hand(s, player, card, KNOWN_TO_ALL)
    elif phase == Phase.DISCARD_TWO:
        remove_from_hand(s, player, card)
        discard(s, x.side[player], card)
        s.to_discard -= 1
        offer_next(s, player)
    elif phase == Phase.FROM_DECK:
        fetch_from_deck(s, x, player, card)
        add_to_hand(s, player, card, KNOWN_TO_NOBODY)
    elif phase == Phase.WEATHER_FROM_DECK:
        fetch_from_deck(s, x, player, card)
        play_weather(s, x, player, card)
    elif phase == Phase.BOND_COPY:
        play_bond_copy(s, x, player, move)
    elif phase == Phase.MARDROEME_ROW:
        fetch_from_deck(s, x, player, card)
        play_special(s, x, player, card, move_row(move))
    elif phase == Phase.OPPONENT and scorched_row(s.leader[player]) >= 0:
        scorch_row(s, x, x.side[move_who(move)], scorched_row(s.leader[player]))
    elif phase == Phase.OPPONENT:
        peek(s, x, player, move_who(move))
    else:
        raise UnplayedCode("choice")


# -----------------------------------------------------------------------------
# The leaders, each with the function that has a branch for it
#
# Loading refuses a leader missing here, or not named in its function. `automa` has the
# leaders that the automa uses in another way.

PASSIVE_LEADERS: dict[Leader, Carried] = {
    Leader.CANCEL_ENEMY_LEADER: note_passive_leaders,
    Leader.DOUBLE_SPIES: note_passive_leaders,
    Leader.EXTRA_OPENING_CARD: note_passive_leaders,
    Leader.HALF_WEATHER: note_passive_leaders,
    Leader.RANDOM_REVIVE: note_passive_leaders,
}
"""The leaders that are always in force."""
LEADERS_AT_ONCE: dict[Leader, Carried] = {
    Leader.CLEAR_WEATHER: use_at_once,
    Leader.HORN_OWN_CLOSE: horn_row,
    Leader.HORN_OWN_RANGED: horn_row,
    Leader.HORN_OWN_SIEGE: horn_row,
    Leader.PLAY_FOG_FROM_DECK: fetched_weather,
    Leader.PLAY_FROST_FROM_DECK: fetched_weather,
    Leader.PLAY_RAIN_FROM_DECK: fetched_weather,
    Leader.PLAY_STORM_FROM_DECK: fetched_weather,
    Leader.RESHUFFLE_DISCARDS: use_at_once,
    Leader.SCORCH_ENEMY_CLOSE: scorched_row,
    Leader.SCORCH_ENEMY_RANGED: scorched_row,
    Leader.SCORCH_ENEMY_SIEGE: scorched_row,
}
"""The leaders used in a turn that do the same for a player and for the automa."""
ACTIVE_LEADERS: dict[Leader, Carried] = LEADERS_AT_ONCE | {
    Leader.DISCARD_TWO_PICK_ONE: use_leader,
    Leader.OPTIMISE_AGILE_ROWS: use_leader,
    Leader.PEEK_THREE_HAND_CARDS: use_leader,
    Leader.PLAY_ANY_WEATHER_FROM_DECK: dict(CHOICE_PHASES),
    Leader.PLAY_MARDROEME_FROM_DECK: dict(CHOICE_PHASES),
    Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK: dict(CHOICE_PHASES),
    Leader.RESTORE_OWN_DISCARD: dict(CHOICE_PHASES),
    Leader.TAKE_FROM_ENEMY_DISCARD: dict(CHOICE_PHASES),
}
"""The leaders that are used in a turn."""
LEADERS = PASSIVE_LEADERS | ACTIVE_LEADERS
