"""The rest of a table: all opponents, in the order of their strength, and a partner."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import LeaderState
from deckcheck.engine.games.gwent.players.seeing.gains import gain
from deckcheck.engine.games.gwent.players.seeing.opposing import weight_of
from deckcheck.engine.games.gwent.players.seeing.race import counted_lead
from deckcheck.engine.games.gwent.rules.seats import partner, players
from deckcheck.engine.games.gwent.rules.zones import knows
from deckcheck.engine.jit import jit
from deckcheck.engine.seeing.heaps import GAIN, note, put_gains
from deckcheck.engine.seeing.race import STEPS, put_steps
from deckcheck.engine.seeing.writing import flag, put
from deckcheck.engine.types import Context, Player, State, Workspace

PARTNER = 5  # the row of gains that are a partner's
OPPONENTS, OPPONENT = 4, 7
OTHERS = OPPONENTS * OPPONENT + 6 + 1 + len(STEPS) + GAIN + 5
"""How many features the others have."""


@jit
def put_others(s: State, x: Context, q: Workspace, player: Player, at: int) -> int:
    """What is to be seen of opponents and of a partner; returns the next place."""
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
        while i > 0 and weight_of(s, x, q.lined[i - 1]) < weight_of(s, x, other):
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
    """The lead over an opponent, and what this one has left."""
    at = put(q, at, counted_lead(s, x, player, other))
    at = put(q, at, s.passed[other])
    at = put(q, at, s.n_hand[other])
    at = put(q, at, s.points[other])
    at = put(q, at, expected)
    at = flag(q, at, s.leader_state[other] == LeaderState.READY)
    return put(q, at, (other - player) % players(s, x))


@jit
def expected_worth(s: State, x: Context, player: Player, other: Player) -> int:
    """What the hand of another is worth in an average use, as far as it is known."""
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
    """The hand of a partner, which is open to the player, and what else is left."""
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
