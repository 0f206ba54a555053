"""Legal moves, applying a move, readings, hidden information."""

from __future__ import annotations

from deckcheck.engine.jit import (
    Card,
    Context,
    Move,
    Player,
    Row,
    Side,
    State,
    entry,
    jit,
)
from deckcheck.engine.primitives import (
    add,
    add_hand,
    add_once,
    draw_below,
    extend_history,
    mix,
    move_card,
    move_row,
    move_verb,
    move_who,
    remove_from_discard,
    renew_chance,
    sort,
)
from deckcheck.engine.sg_gwint.abilities import (
    ENTRY_OR_LAGER,
    fetch,
    land,
    leader_is_playable,
    move_unit,
    reinforcement,
    use_leader,
)
from deckcheck.engine.sg_gwint.board import (
    IN_SLOT,
    add_to_hand,
    bury,
    bury_below,
    can_fetch,
    can_land,
    can_return,
    destroy,
    hand_order,
    has_target,
    is_target,
    is_unit,
    lay_below,
    lead,
    lift,
    locate,
    note_sky_rows,
    remove_from_hand,
    rescore,
    stack_up,
    summon_for,
    swallow,
    take_from_reserves,
)
from deckcheck.engine.sg_gwint.codes import (
    ANNOUNCE,
    CHOOSE,
    DECLINE,
    DISCARD,
    KEEP_HAND,
    LAY,
    PASS,
    PLAY,
    REDRAW,
    START,
    USE_LEADER,
    Ability,
    Kind,
    Phase,
    Verb,
    encode_row,
)
from deckcheck.engine.sg_gwint.rounds import (
    lay_klepna,
    lay_out,
    redraw,
    settle,
    start_with,
    wins_ties,
)

# -----------------------------------------------------------------------------
# The legal moves


@entry
def legal_moves(s: State, x: Context) -> int:
    """Write the legal moves of the player to move to `x.moves` and return their number.

    The list has no repetitions and is empty only when the game is over. In a turn
    discards come last.
    """
    player = s.turn
    phase = s.phase
    if phase == Phase.PLAY:
        return list_turn_moves(s, x, player)
    if phase == Phase.REDRAW:
        return add_hand(s, x, player, REDRAW, add(x, 0, KEEP_HAND))
    if phase == Phase.OVER:
        return 0
    if phase == Phase.ANNOUNCE:
        return add(x, add(x, 0, ANNOUNCE), DECLINE)
    if phase == Phase.STARTER or phase == Phase.CLAIM:
        count = add(x, add(x, 0, START | encode_row(0, 0)), START | encode_row(1, 0))
        return count if phase == Phase.STARTER else add(x, count, DECLINE)
    if phase == Phase.EXCHANGE:
        return add_hand(s, x, player, CHOOSE, 0)
    if phase == Phase.LAND or phase == Phase.KLEPNA:
        return add_landing_moves(s, x, player, s.picked, CHOOSE | s.picked, 0)
    if phase >= Phase.DECOY and phase <= Phase.DESTROY:
        return list_targets(s, x, player, phase)
    return list_zone_moves(s, x, player, phase)


@entry
def discard_moves(s: State, x: Context, count: int) -> int:
    """Count the discards, which are the last of the `count` moves."""
    discards = 0
    if s.phase == Phase.PLAY:
        while discards < count:
            if move_verb(x.moves[count - 1 - discards]) != Verb.DISCARD:
                break
            discards += 1
    return discards


@jit
def list_zone_moves(s: State, x: Context, player: Player, phase: int) -> int:
    """List the cards to choose from in a graveyard, a deck or the sky, or the rows."""
    count = 0
    if phase == Phase.MEDIC:
        for i in range(s.n_discard[player]):
            if can_return(x, s.discard[player, i]):
                count = add_once(x, count, CHOOSE | s.discard[player, i])
    elif phase == Phase.FROM_DECK:
        for i in range(s.n_deck[player]):
            if can_fetch(x, player, s.deck[player, i]):
                count = add_once(x, count, CHOOSE | s.deck[player, i])
        sort(x.moves, count)
    elif phase == Phase.SKY:
        for i in range(s.n_sky):
            count = add(x, count, CHOOSE | s.sky[i])
    elif phase == Phase.SKY_ROW:
        for side in range(2):
            for row in range(s.slot.shape[1]):
                # "It is a row that the weather works on" (8.6)
                if x.rows[s.picked] >> row & 1:
                    count = add(x, count, CHOOSE | encode_row(side, row) | s.picked)
    elif phase == Phase.MOVE_TO:
        for row in range(s.n_row.shape[1]):
            if row != s.picked_row:
                count = add(x, count, CHOOSE | encode_row(s.picked_side, row))
    return count


@jit
def list_targets(s: State, x: Context, player: Player, phase: int) -> int:
    """List each card of the battlefield that may be chosen, and "none" if allowed."""
    count = 0
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[side, row]):
                if is_target(s, x, phase, s.acting, player, side, row, i):
                    count = add(x, count, CHOOSE | encode_row(side, row) | i)
    # "You may move" (9.15); "up to as many units" (10.3)
    if phase == Phase.RELOCATE or phase == Phase.DIPLOMACY:
        count = add(x, count, DECLINE)
    return count


@jit
def list_turn_moves(s: State, x: Context, player: Player) -> int:
    """List the moves of a turn: pass, play, lay a leader's card, discard (3.1)."""
    count = 0 if s.must_play else add(x, 0, PASS)
    first = count
    last = 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        if card != last:
            last = card
            count = add_card_moves(s, x, player, card, PLAY, count)
    plays = count - first
    if leader_is_playable(s, x, player):
        # A leader that is not a turn needs a card to follow (3.11)
        if plays > 0 or not x.free[player]:
            count = add(x, count, USE_LEADER)
    # The cards of a leader do not make a turn either (10.8)
    if plays > 0 or x.linked_alone:
        for i in range(s.n_linked[player]):
            count = add_linked_moves(s, x, player, i, count)
    if s.must_play:
        if plays > 0 and not x.discard_follows_leader:
            return count
        if plays == 0:
            count = add(x, count, PASS)
    return add_hand(s, x, player, DISCARD, count)


@jit
def add_linked_moves(
    s: State, x: Context, player: Player, index: int, count: int
) -> int:
    """Append the ways to lay a card of the leader. Equal cards count once (10.7)."""
    card = s.linked[player, index]
    for i in range(index):
        if s.linked[player, i] == card:
            return count
    return add_card_moves(s, x, player, card, LAY, count)


@jit
def add_card_moves(
    s: State, x: Context, player: Player, card: Card, encoded_verb: int, count: int
) -> int:
    """Append the ways to play a card. `encoded_verb` is a move without a card."""
    if is_unit(x, card) or x.ability[card] & IN_SLOT:
        return add_landing_moves(s, x, player, card, encoded_verb | card, count)
    # "There it cannot be played" (8.17)
    if x.kind[card] == Kind.TOKEN:
        return count
    if x.ability[card] & Ability.DECOY:
        if not has_target(s, x, Phase.DECOY.value, -1, player):
            return count
    if x.ability[card] & Ability.ATTACH:
        if not has_target(s, x, Phase.ATTACH.value, -1, player):
            return count
    return add(x, count, encoded_verb | card)


@jit
def add_landing_moves(
    s: State, x: Context, player: Player, card: Card, move: Move, count: int
) -> int:
    """Append a move for each row into which a card may be laid, own side first."""
    for step in range(2):
        side = player if step == 0 else 1 - player
        for row in range(s.n_row.shape[1]):
            if can_land(s, x, player, card, side, row):
                count = add(x, count, move | encode_row(side, row))
    return count


# -----------------------------------------------------------------------------
# Carrying out a move


@entry
def set_up(s: State, x: Context) -> None:
    """Start a match and go on to the first decision. `s.rng` must be seeded."""
    s.turns = 0
    s.history = 0
    s.n_tosses = 0
    s.replays = x.replays
    lay_out(s, x)
    s.coin = x.coin
    settle(s, x)


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a move. The caller makes sure that it is legal."""
    player = s.turn
    verb = move_verb(move)
    card = move_card(move)
    side = move_who(move)
    row = move_row(move)
    s.turns += 1
    s.history = extend_history(s.history, move)
    if verb == Verb.PLAY:
        s.turn_over = 1
        remove_from_hand(s, player, card)
        land(s, x, player, card, side, row, 0)
    elif verb == Verb.PASS:
        s.turn_over = 1
        s.passed[player] = 1
    elif verb == Verb.DISCARD:
        s.turn_over = 1
        remove_from_hand(s, player, card)
        bury(s, x, card)
    elif verb == Verb.CHOOSE:
        choose(s, x, player, card, side, row)
    elif verb == Verb.LEADER:
        use_leader(s, x, player)
    elif verb == Verb.LAY:
        remove_linked(s, player, card)
        # A leader that is not a turn is followed by a card (10.8)
        if not x.linked_alone:
            s.must_play = 1
        land(s, x, player, card, side, row, 0)
    else:
        decide(s, x, player, verb, card, side)
    settle(s, x)


@jit
def decide(
    s: State, x: Context, player: Player, verb: int, card: Card, who: Player
) -> None:
    """Carry out a decision between turns, or a declined choice."""
    phase = s.phase
    s.phase = Phase.PLAY
    if verb == Verb.REDRAW:
        redraw(s, x, player, card)
    elif verb == Verb.KEEP_HAND:
        s.redraws[player] = 0
    elif verb == Verb.ANNOUNCE:
        # The player will choose who starts round 1, and has used the ability (7.8)
        s.chooser[player] = 1
        s.choice_spent[player] = 1
    elif verb == Verb.START:
        if phase == Phase.CLAIM:
            s.choice_spent[player] = 1
        start_with(s, who)


@jit
def remove_linked(s: State, player: Player, card: Card) -> None:
    """Take a card from the leader's cards, in order to play it."""
    s.n_linked[player] -= 1
    left = s.n_linked[player]
    i = 0
    while s.linked[player, i] != card:
        i += 1
    for j in range(i, left):
        s.linked[player, j] = s.linked[player, j + 1]


@jit
def choose(
    s: State, x: Context, player: Player, card: Card, side: Side, row: Row
) -> None:
    """Answer the open choice."""
    phase = s.phase
    s.phase = Phase.PLAY
    if phase == Phase.LAND:
        land(s, x, player, card, side, row, s.picked_drop)
        s.picked = 0
    elif phase == Phase.KLEPNA:
        lay_klepna(s, x, player, row)
    elif phase == Phase.EXCHANGE:
        remove_from_hand(s, player, card)
        bury(s, x, card)
    elif phase == Phase.MEDIC:
        remove_from_discard(s, player, card)
        stack_up(s, card, player, 0, ENTRY_OR_LAGER if x.revived_are_idle else 0)
    elif phase == Phase.FROM_DECK:
        fetch(s, x, player, card)
    elif phase == Phase.SKY:
        s.picked = card
        s.phase = Phase.SKY_ROW
    elif phase == Phase.SKY_ROW:
        move_weather(s, x, side, row)
    elif phase == Phase.MOVE_TO:
        move_chosen_unit(s, x, player, row)
    else:
        affect(s, x, player, phase, side, row, card)


@jit
def affect(
    s: State, x: Context, player: Player, phase: int, side: Side, row: Row, index: int
) -> None:
    """Carry out the effect on the chosen card of the battlefield."""
    if phase == Phase.DECOY:
        take_back(s, x, player, side, row, index)
    elif phase == Phase.DEVOUR:
        devour(s, x, side, row, index)
    elif phase == Phase.REINFORCE:
        token = reinforcement(s, x, player, s.picked)
        take_from_reserves(s, x, token)
        lay_below(s, x, side, row, index, token)
    elif phase == Phase.ATTACH:
        lay_below(s, x, side, row, index, s.picked)
    elif phase == Phase.DESTROY:
        destroy(s, x, side, row, index)
    else:
        if phase != Phase.DIPLOMACY:
            s.to_move = 0
        s.phase = Phase.MOVE_TO
        s.picked_side = side
        s.picked_row = row
        s.picked_index = index


@jit
def take_back(
    s: State, x: Context, player: Player, side: Side, row: Row, index: int
) -> None:
    """Take a card back to the hand and bury the cards below it (8.11, 11.6)."""
    ident = s.ident[side, row, index]
    card = lift(s, side, row, index)
    bury_below(s, x, ident, 0)
    add_to_hand(s, x, player, card, 1)
    rescore(s, x, side, row)


@jit
def devour(s: State, x: Context, side: Side, row: Row, index: int) -> None:
    """Eat the chosen card and grow by its base strength (9.16, 9.17)."""
    eaten = s.ident[side, row, index]
    gained = s.extra[side, row, index]
    card = lift(s, side, row, index)
    gained += x.strength[card]
    swallow(s, x, s.acting, eaten, card)
    rescore(s, x, side, row)
    own_side, own_row, own_index = locate(s, s.acting)
    if not x.shield[s.row[own_side, own_row, own_index]]:
        s.extra[own_side, own_row, own_index] += gained
    rescore(s, x, own_side, own_row)
    # "A guardian that is devoured brings its card" (9.18)
    summon_for(s, x, card, side)


@jit
def move_chosen_unit(s: State, x: Context, player: Player, row: Row) -> None:
    """Move the chosen unit. Diplomacy may move another unit after it (10.3)."""
    side = s.picked_side
    index = s.picked_index
    ident = s.ident[side, s.picked_row, index]
    move_unit(s, x, side, s.picked_row, index, row)
    if s.to_move > 1:
        s.to_move -= 1
        s.moved[s.n_moved] = ident
        s.n_moved += 1
        if has_target(s, x, Phase.DIPLOMACY.value, -1, player):
            s.phase = Phase.DIPLOMACY


@jit
def move_weather(s: State, x: Context, side: Side, row: Row) -> None:
    """Move a weather card into a slot and replace the card there (8.5, 8.6)."""
    i = 0
    while s.sky[i] != s.picked:
        i += 1
    s.n_sky -= 1
    for j in range(i, s.n_sky):
        s.sky[j] = s.sky[j + 1]
    if s.slot[side, row]:
        bury(s, x, s.slot[side, row])
    s.slot[side, row] = s.picked
    s.picked = 0
    note_sky_rows(s, x)


# -----------------------------------------------------------------------------
# Functions of the contract


@entry
def is_over(s: State) -> bool:
    """Report whether a player has lost both lives, or the match is drawn."""
    return s.phase == Phase.OVER


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """Return 2 for the winner, 0 for the loser, 1 for an overall draw."""
    if s.winner < 0:
        return 1
    return 2 if s.winner == player else 0


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Return the lives left."""
    return s.lives[entrant]


@entry
def find_seat(s: State, x: Context, entrant: int) -> int:
    """Return 0 for the player who began, or at first for the winner of the coin."""
    first = x.coin if s.first < 0 else s.first
    return (entrant - first) % 2


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Return the player's strength minus the opponent's."""
    return lead(s, player)


@entry
def pass_move(s: State, x: Context) -> Move:
    """Return the move that passes, or -1 after a leader that needs a card (3.10)."""
    return PASS if s.phase == Phase.PLAY and not s.must_play else -1


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Report whether the opponent has passed and the player is ahead."""
    player = s.turn
    if s.phase != Phase.PLAY or not s.passed[1 - player]:
        return False
    ahead = lead(s, player)
    return ahead > 0 or (ahead == 0 and wins_ties(x, player))


# -----------------------------------------------------------------------------
# Hidden information: the opponent's hand, the order of the decks, the coin
#
# Both decklists are taken as known, as at tournaments with open lists, but not the
# cards in hand. Players know the cards that they have put under their deck (2.5), and
# cards seen before in the opponent's hand.


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal all cards that `player` cannot see again, at random from `x.rng`.

    The future chance of the game is new as well, even the coin until it is tossed.
    """
    other = 1 - player
    under = s.n_under[player]
    for i in range(under, s.n_deck[player]):
        x.pool[i - under] = s.deck[player, i]
    mix(x.pool, s.n_deck[player] - under, x.rng)
    for i in range(under, s.n_deck[player]):
        s.deck[player, i] = x.pool[i - under]
    redeal(s, x, other)
    if not s.tossed:
        s.coin = draw_below(x.rng, 2)
    renew_chance(s, x)


@jit
def is_seen(s: State, player: Player, i: int) -> bool:
    """Report whether the opponent knows the card at this position of the deck."""
    return i < s.n_under[player] and s.under_seen[player, i] != 0


@jit
def redeal(s: State, x: Context, player: Player) -> None:
    """Deal the cards that the opponent does not know again, to hand and deck."""
    count = 0
    for i in range(s.n_hand[player]):
        if not s.seen[player, i]:
            x.pool[count] = s.hand[player, i]
            count += 1
    for i in range(s.n_deck[player]):
        if not is_seen(s, player, i):
            x.pool[count] = s.deck[player, i]
            count += 1
    mix(x.pool, count, x.rng)
    count = 0
    for i in range(s.n_hand[player]):
        if not s.seen[player, i]:
            s.hand[player, i] = x.pool[count]
            count += 1
    for i in range(s.n_deck[player]):
        if not is_seen(s, player, i):
            s.deck[player, i] = x.pool[count]
            count += 1
    sort_hand(s, x, player)


@jit
def sort_hand(s: State, x: Context, player: Player) -> None:
    """Sort a hand by card, and put seen copies of a card last."""
    for i in range(1, s.n_hand[player]):
        card = s.hand[player, i]
        seen = s.seen[player, i]
        key = hand_key(s, x, player, i)
        j = i
        while j > 0 and hand_key(s, x, player, j - 1) > key:
            s.hand[player, j] = s.hand[player, j - 1]
            s.seen[player, j] = s.seen[player, j - 1]
            j -= 1
        s.hand[player, j] = card
        s.seen[player, j] = seen


@jit
def hand_key(s: State, x: Context, player: Player, i: int) -> int:
    """Return the sorting key of a card in a hand."""
    return 2 * hand_order(x, player, s.hand[player, i]) + s.seen[player, i]
