"""SG Gwint: the course of a match, with its set-up, redraws, turns and rounds."""

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
    LeaderState,
    copy_deck,
    may_redraw,
    move_card,
    pick,
    remove_from_discard,
    side_total,
)
from deckcheck.engine.sg_gwint.abilities import land, resolve
from deckcheck.engine.sg_gwint.board import (
    add_to_hand,
    bury,
    bury_below,
    can_return,
    clear_sky,
    draw_cards,
    is_unit,
    lift,
    may_stay,
    put_under_deck,
    remove_from_hand,
    rescore_all,
    shuffle_deck,
    stack_up,
    summon_for,
    take_from_reserves,
    toss,
)
from deckcheck.engine.sg_gwint.codes import (
    Ability,
    FactionAbility,
    Phase,
    RandomPick,
    Stage,
)

# -----------------------------------------------------------------------------
# Before the first turn (rules 2): announcements, hands, redraws, coin, Klepna


@jit
def lay_out(s: State, x: Context) -> None:
    """Set up a new match on an empty board, with decks in the order of the lists."""
    s.phase = Phase.PLAY
    s.stage = Stage.ANNOUNCING
    s.round_no = 1
    s.first = -1
    s.winner = -1
    s.last_winner = -1
    s.tied = 0
    s.turn_over = 0
    s.must_play = 0
    s.asked = 0
    s.picked = 0
    s.acting = 0
    s.n_stack = 0
    s.n_below = 0
    s.n_lagers = 0
    s.n_moved = 0
    s.n_sky = 0
    s.sky_rows = 0
    s.n_removed = 0
    s.last_ident = 0
    s.tossed = 0
    for player in range(2):
        lay_out_seat(s, x, player)


@jit
def lay_out_seat(s: State, x: Context, player: Player) -> None:
    """Set up the lives, leader, deck and reserves of a player."""
    s.lives[player] = x.lives
    s.passed[player] = 0
    s.chooser[player] = 0
    s.choice_spent[player] = 0
    s.returning[player] = 0
    s.leader_state[player] = LeaderState.READY
    if x.passive[player]:
        s.leader_state[player] = LeaderState.PASSIVE
    s.n_linked[player] = x.n_linked[player]
    for i in range(x.n_linked[player]):
        s.linked[player, i] = x.linked[player, i]
    s.n_hand[player] = 0
    s.n_discard[player] = 0
    s.n_under[player] = 0
    copy_deck(s, x, player)
    for i in range(x.n_reserves):
        s.reserves[player, i] = x.reserves[player, i]
    for row in range(s.n_row.shape[1]):
        s.n_row[player, row] = 0
        s.slot[player, row] = 0
        s.total[player, row] = 0


@jit
def announce(s: State, x: Context) -> None:
    """Ask each Scoia'tael player whether they will choose who starts (2.1)."""
    while s.asked < 2:
        player = s.asked
        s.asked += 1
        if x.faction_ability[player] == FactionAbility.CHOOSE_STARTER:
            s.phase = Phase.ANNOUNCE
            s.turn = player
            return
    s.stage = Stage.TOSSING if x.short_setup else Stage.DEALING


@jit
def deal(s: State, x: Context) -> None:
    """Shuffle and draw (2.2). Both games of a game pair have the same shuffles."""
    for player in range(2):
        shuffle_deck(s, x, player)
        more_cards = x.leader_amount[player] * x.passive[player]
        draw_cards(s, x, player, x.hand_size + more_cards)
        s.redraws[player] = x.redraws
    s.stage = Stage.REDRAWING


@jit
def offer_redraws(s: State, x: Context) -> None:
    """Let the players redraw in the order of seats (2.11)."""
    for player in range(2):
        if may_redraw(s, player):
            s.phase = Phase.REDRAW
            s.turn = player
            return
    s.asked = 0
    if s.round_no > 1:
        s.stage = Stage.CLAIMING
    elif x.short_setup:
        s.stage = Stage.TURNS
    else:
        s.stage = Stage.TOSSING


@jit
def redraw(s: State, x: Context, player: Player, card: Card) -> None:
    """Put a card on the bottom of the deck and draw the top card (2.4)."""
    seen = remove_from_hand(s, player, card)
    put_under_deck(s, player, card, seen)
    draw_cards(s, x, player, 1)
    s.redraws[player] -= 1


@entry
def redrawn_card(s: State, move: Move) -> Card:
    """Return the dealt card that a move redraws, 0 for a kept hand, else -1.

    Redraws of later rounds do not count.
    """
    return move_card(move) if s.phase == Phase.REDRAW and s.round_no == 1 else -1


@jit
def choose_starter(s: State, x: Context) -> None:
    """Let the only player who announced it choose who starts, else the coin (2.6)."""
    s.tossed = 1
    if s.chooser[0] != s.chooser[1]:
        s.turn = 0 if s.chooser[0] else 1
        s.phase = Phase.STARTER
    elif x.coin_winner_starts:
        start_with(s, s.coin)
    else:
        s.turn = s.coin
        s.phase = Phase.STARTER


@jit
def start_with(s: State, player: Player) -> None:
    """Let `player` start the round, and begin the next stage."""
    s.starter = player
    s.active = player
    if s.round_no > 1:
        s.stage = Stage.RETURNING
        return
    s.first = player
    s.stage = Stage.OPENING


@jit
def open_match(s: State, x: Context) -> None:
    """Let the starting player lay Klepna into any row of their side (2.7)."""
    klepna = x.opening_card[s.starter]
    s.stage = Stage.DEALING if x.short_setup else Stage.TURNS
    if klepna and take_from_reserves(s, x, klepna):
        s.picked = klepna
        s.turn = s.starter
        s.phase = Phase.KLEPNA


@jit
def lay_klepna(s: State, x: Context, player: Player, row: Row) -> None:
    """Play Klepna, which is a turn only by option (2.8)."""
    land(s, x, player, s.picked, player, row, 0)
    s.picked = 0
    if x.klepna_takes_turn:
        s.active = 1 - player


# -----------------------------------------------------------------------------
# The end of a round: which units stay, and where the other cards go (rules 6.6)

REINFORCEMENT_TOKENS = int(Ability.REINFORCEMENT_TOKEN)
# Tenacity does not keep "tokens or attachments" (9.2).
LOOSE_ABILITIES = int(Ability.REINFORCEMENT_TOKEN | Ability.ATTACH)
COUNT_ALL = -1


@jit
def clean_up(s: State, x: Context, winner: int) -> None:
    """Keep the survivor and tenacious cards and remove the rest of the board."""
    for side in range(2):
        survivor_id = choose_survivor(s, x, side)
        for row in range(s.n_row.shape[1]):
            clear_row(s, x, side, row, survivor_id, winner)
    for side in range(2):
        for row in range(s.slot.shape[1]):
            if s.slot[side, row]:
                bury(s, x, s.slot[side, row])
                s.slot[side, row] = 0
    # "Until the end of the round" (9.6): a unit that stays doubles no more.
    s.n_lagers = 0
    clear_sky(s, x)
    rescore_all(s, x)


@jit
def choose_survivor(s: State, x: Context, side: Side) -> int:
    """Return the random unit of a Monsters side that stays (7.1), or 0."""
    if x.faction_ability[side] != FactionAbility.KEEP_ONE_UNIT:
        return 0
    count = list_candidates(s, x, side, COUNT_ALL)
    if count == 0:
        return 0
    index = pick(s, x, count, RandomPick.KEPT.value, side, 1)
    return list_candidates(s, x, side, index)


@jit
def list_candidates(s: State, x: Context, side: Side, wanted: int) -> int:
    """List the units that may stay in `x.pool` and return their number.

    If `wanted` is an index and not `COUNT_ALL`, return the unit at this index instead.
    """
    count = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if is_unit(x, card) and not x.shield[card]:
                if count == wanted:
                    return s.ident[side, row, i]
                x.pool[count] = card
                count += 1
    return count


@jit
def clear_row(
    s: State, x: Context, side: Side, row: Row, survivor_id: int, winner: int
) -> None:
    """Remove all cards of a row except the survivor and units with tenacity."""
    i = 0
    while i < s.n_row[side, row]:
        card = s.row[side, row, i]
        ident = s.ident[side, row, i]
        if ident == survivor_id:
            # "It keeps what lies under it, except for reinforcements" (7.4)
            s.extra[side, row, i] -= bury_below(s, x, ident, REINFORCEMENT_TOKENS)
            i += 1
        elif may_stay(s, x, side, row, i):
            s.stayed[side, row, i] = 1
            s.extra[side, row, i] -= bury_below(s, x, ident, LOOSE_ABILITIES)
            i += 1
        else:
            lift(s, side, row, i)
            bury_below(s, x, ident, 0)
            leave(s, x, card, side, winner)


@jit
def leave(s: State, x: Context, card: Card, side: Side, winner: int) -> None:
    """Move a card of a side to its owner's graveyard, or to the hand (10.12)."""
    owner = x.owner[card]
    returns = x.ability[card] & Ability.RETURN_ON_LOSS and winner != owner
    # By option a shield also stops this text of its own card (4.10).
    if returns and not (x.shield[card] and x.shielded_go):
        add_to_hand(s, x, owner, card, 1)
        return
    bury(s, x, card)
    # "Also at the end of a round" (9.9)
    summon_for(s, x, card, side)


# -----------------------------------------------------------------------------
# Turns, and the end of a round and of the match (rules 3 and 6)

RETURN_ROUND = 3


@jit
def settle(s: State, x: Context) -> None:
    """Go on until a player has to decide, or the match is over."""
    while True:
        resolve(s, x)
        if s.phase != Phase.PLAY:
            return
        if s.stage != Stage.TURNS:
            advance(s, x)
        elif s.turn_over:
            advance_turn(s, x)
        else:
            s.turn = s.active
            return


@jit
def advance(s: State, x: Context) -> None:
    """Take a step between turns (2.10, 6.11)."""
    stage = s.stage
    if stage == Stage.ANNOUNCING:
        announce(s, x)
    elif stage == Stage.DEALING:
        deal(s, x)
    elif stage == Stage.REDRAWING:
        offer_redraws(s, x)
    elif stage == Stage.TOSSING:
        choose_starter(s, x)
    elif stage == Stage.OPENING:
        open_match(s, x)
    elif stage == Stage.AFTERMATH:
        s.stage = Stage.DRAWING
    elif stage == Stage.DRAWING:
        draw_for_round(s, x)
    elif stage == Stage.CLAIMING:
        claim_start(s, x)
    else:
        return_skellige(s, x)


@jit
def advance_turn(s: State, x: Context) -> None:
    """Give the turn to the next player, or end the round (3.6, 3.7)."""
    s.turn_over = 0
    s.must_play = 0
    if s.passed[0] and s.passed[1]:
        end_round(s, x)
    elif not s.passed[1 - s.active]:
        s.active = 1 - s.active


@jit
def wins_ties(x: Context, player: Player) -> bool:
    """Report whether Nilfgaard plays against another faction and so wins ties."""
    return (
        x.faction_ability[player] == FactionAbility.WIN_TIES
        and x.faction_ability[1 - player] != FactionAbility.WIN_TIES
    )


@jit
def round_winner(s: State, x: Context) -> Side:
    """Return the side with the higher total, or -1 (6.1). Ties follow 7.6."""
    first = side_total(s, 0)
    second = side_total(s, 1)
    if first != second:
        return 0 if first > second else 1
    if wins_ties(x, 0):
        return 0
    return 1 if wins_ties(x, 1) else -1


@jit
def end_round(s: State, x: Context) -> None:
    """Compare totals, take lives, end the match or remove the cards (6.1 to 6.6)."""
    winner = round_winner(s, x)
    for player in range(2):
        if player != winner:
            s.lives[player] -= 1
    if winner < 0 and (s.tied or s.lives[0] + s.lives[1] == 0):
        overall_draw(s, x)
        return
    if s.lives[0] == 0 or s.lives[1] == 0:
        s.phase = Phase.OVER
        s.winner = 0 if s.lives[0] > 0 else 1
        return
    s.tied = winner < 0
    s.last_winner = winner
    clean_up(s, x, winner)
    s.round_no += 1
    s.stage = Stage.AFTERMATH


@jit
def overall_draw(s: State, x: Context) -> None:
    """End the match in a draw, or by option replay it (6.3, 6.4)."""
    if s.replays == 0:
        s.phase = Phase.OVER
        s.winner = -1
        return
    s.replays -= 1
    lay_out(s, x)
    toss(s, x)
    s.tossed = 0


@jit
def draw_for_round(s: State, x: Context) -> None:
    """Let both players draw, and the Northern Realms one card more after a win.

    The rules are 6.9 and 7.10.
    """
    for player in range(2):
        count = x.cards_per_round
        draws_more = x.faction_ability[player] == FactionAbility.DRAW_AFTER_WIN
        if draws_more and player == s.last_winner:
            count += 1
        draw_cards(s, x, player, count)
        s.redraws[player] = x.redraws_per_round
        s.passed[player] = 0
    if s.tied and not (x.other_starts_after_tie or x.same_starts_after_tie):
        # "After a tie a coin is tossed again" (6.8)
        toss(s, x)
    s.stage = Stage.REDRAWING


@jit
def claim_start(s: State, x: Context) -> None:
    """Ask Scoia'tael players, the loser first, whether they choose who starts (7.9).

    Without them rules 6.7 and 6.8 decide.
    """
    first = s.coin if s.tied else 1 - s.last_winner
    while s.asked < 2:
        player = first if s.asked == 0 else 1 - first
        s.asked += 1
        may_choose = x.faction_ability[player] == FactionAbility.CHOOSE_STARTER
        if may_choose and not s.choice_spent[player]:
            s.phase = Phase.CLAIM
            s.turn = player
            return
    if not s.tied:
        start_with(s, s.last_winner)
    elif x.same_starts_after_tie:
        start_with(s, s.starter)
    elif x.other_starts_after_tie:
        start_with(s, 1 - s.starter)
    elif x.coin_winner_starts:
        start_with(s, s.coin)
    else:
        s.phase = Phase.STARTER
        s.turn = s.coin


@jit
def return_skellige(s: State, x: Context) -> None:
    """Return Skellige's units at the start of round 3, the starter's first (7.11)."""
    # `s.asked` holds RETURN_ROUND once it is known who returns units.
    if s.asked != RETURN_ROUND:
        s.asked = RETURN_ROUND
        is_time = s.round_no == RETURN_ROUND
        for player in range(2):
            returns = x.faction_ability[player] == FactionAbility.PLAY_TWO_UNITS
            s.returning[player] = is_time and returns
    for step in range(2):
        player = s.starter if step == 0 else 1 - s.starter
        if s.returning[player]:
            s.returning[player] = 0
            return_units(s, x, player)
            return
    s.stage = Stage.TURNS


@jit
def return_units(s: State, x: Context, player: Player) -> None:
    """Draw two units and play both "as if from hand", in that order."""
    first = draw_returning(s, x, player)
    second = draw_returning(s, x, player)
    # The card on top of the stack comes first.
    if second:
        stack_up(s, second, player, 0, 0)
    if first:
        stack_up(s, first, player, 0, 0)


@jit
def draw_returning(s: State, x: Context, player: Player) -> Card:
    """Draw a random unit from the graveyard and return it, or 0."""
    count = 0
    for i in range(s.n_discard[player]):
        if can_return(x, s.discard[player, i]):
            x.pool[count] = s.discard[player, i]
            count += 1
    if count == 0:
        return 0
    card = x.pool[pick(s, x, count, RandomPick.RETURNING.value, player, 1)]
    remove_from_discard(s, player, card)
    return card
