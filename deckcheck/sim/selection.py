"""How a player of a tournament match chooses decks: at random, in order, or best.

The best choice is found by backward induction. Both sides see all decks and all that
has happened, and they choose one after the other, so a match is a game of perfect
information once the chances of each deck against each other are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from deckcheck.findings import UsageError
from deckcheck.findings.words import choice, quote
from deckcheck.sim.lineup_rules import Stand, after_game, begin, open_decks, winner_of

__all__ = [
    "SELECTIONS",
    "Chances",
    "Plan",
    "check_selection",
    "choose",
    "match_value",
    "random_number",
    "solve",
]

SELECTIONS = ("optimal", "random", "fixed")
"""The ways to choose decks, the default first."""

EVEN = 0.5
_MASK = (1 << 64) - 1


class Chances(NamedTuple):
    """How likely the side named first wins a game, and how likely a draw is."""

    win: float
    draw: float


Rates = Sequence[Sequence[Chances]]
"""The chances of each deck of side 0 (rows) against each of side 1 (columns)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The best choices at one stand, and what they are worth to side 0.

    `first` is the choice of the side that chooses first, `replies[deck]` that of the
    other side to each deck; None for decks that cannot be chosen.
    """

    value: float
    first: int
    replies: tuple[int | None, ...]


def check_selection(name: str) -> str:
    """Return the name of a way to choose decks; UsageError for any other."""
    if name not in SELECTIONS:
        known = choice(SELECTIONS, "and")
        raise UsageError(f"Unknown selection {quote(name)}", f"Selections are {known}")
    return name


def solve(rates: Rates) -> dict[Stand, Plan]:
    """The best choices at every stand of a match, both sides playing for the match."""
    plans: dict[Stand, Plan] = {}
    for coin in range(2):
        _solve(begin(coin), rates, plans)
    return plans


def match_value(plans: Mapping[Stand, Plan]) -> float:
    """How likely side 0 wins a match if both choose best; a drawn match counts half."""
    return sum(plans[begin(coin)].value for coin in range(2)) / 2


def _solve(stand: Stand, rates: Rates, plans: dict[Stand, Plan]) -> float:
    winner = winner_of(stand)
    if winner is not None:
        return float(winner == 0)
    if stand not in plans:
        plans[stand] = _plan(stand, rates, plans)
    return plans[stand].value


def _plan(stand: Stand, rates: Rates, plans: dict[Stand, Plan]) -> Plan:
    sizes = (len(rates), len(rates[0]))
    first, second = stand.first, 1 - stand.first
    worth = partial(_worth, stand, rates, plans)
    best: tuple[float, int] | None = None
    replies: list[int | None] = [None] * sizes[first]
    for deck in open_decks(stand, first, sizes[first]):
        answers = [
            (worth(deck, other) if first == 0 else worth(other, deck), other)
            for other in open_decks(stand, second, sizes[second])
        ]
        value, replies[deck] = _best(answers, second)
        known = [] if best is None else [best]
        best = _best([*known, (value, deck)], first)
    assert best is not None
    return Plan(best[0], best[1], tuple(replies))


def _best(options: Sequence[tuple[float, int]], side: int) -> tuple[float, int]:
    """The option that is best for a side; of equal ones the first in the file."""
    best: Callable[..., tuple[float, int]] = max if side == 0 else min
    return best(options, key=lambda option: option[0])


def _worth(
    stand: Stand, rates: Rates, plans: dict[Stand, Plan], a: int, b: int
) -> float:
    """What a pair of decks is worth to side 0.

    After a draw the same stand returns. A choice is better than the stand's value `v`
    with the draw in it exactly when it is better without: `w + d v > v` if and only if
    `w / (1 - d) > v`. So draws drop out of the comparison.
    """
    win, draw = rates[a][b]
    decided = 1 - draw
    if decided <= 0:
        return EVEN
    chance = min(1.0, win / decided)
    won = _solve(after_game(stand, 0, a), rates, plans)
    lost = _solve(after_game(stand, 1, b), rates, plans)
    return chance * won + (1 - chance) * lost


def choose(
    selection: str,
    stand: Stand,
    side: int,
    decks: int,
    *,
    opposing: int | None,
    number: int,
    plans: Mapping[Stand, Plan],
) -> int:
    """The deck that a side chooses.

    `opposing` is the deck that the other side has chosen already, None if this side
    chooses first; `number` is a random one for this choice.
    """
    if selection == "optimal":
        plan = plans[stand]
        reply = plan.first if opposing is None else plan.replies[opposing]
        assert reply is not None
        return reply
    known = open_decks(stand, side, decks)
    return known[number % len(known)] if selection == "random" else known[0]


def random_number(*words: int) -> int:
    """A random whole number that depends on `words` alone, below 2 ** 64.

    Source: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014), applied to
    each word in turn.
    """
    state = 0
    for word in words:
        state = (state ^ word) + 0x9E3779B97F4A7C15 & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state
