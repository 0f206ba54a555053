"""How a player of a tournament match chooses decks: at random, in order, or best.

The best choice is found by backward induction. Both sides see all decks and all that
has happened, and they choose one after the other, so a match is a game of perfect
information once the chances of each deck against each other are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deckcheck.findings import UsageError
from deckcheck.findings.words import choice, quote
from deckcheck.sim.lineup_rules import (
    MatchRules,
    Stand,
    after_game,
    begin,
    open_decks,
    winner_of,
)

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

DEFAULT_RULES = MatchRules()
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


def solve(rates: Rates, rules: MatchRules = DEFAULT_RULES) -> dict[Stand, Plan]:
    """The best choices at every stand of a match, both sides playing for the match."""
    solver = _Solver(rates, rules)
    for coin in range(2):
        solver.value(begin(coin))
    return solver.plans


def match_value(plans: Mapping[Stand, Plan]) -> float:
    """How likely side 0 wins a match if both choose best; a drawn match counts half."""
    return sum(plans[begin(coin)].value for coin in range(2)) / 2


class _Solver:
    """Goes backwards from the ends of a match; values are those of side 0."""

    def __init__(self, rates: Rates, rules: MatchRules) -> None:
        self.rates = rates
        self.rules = rules
        self.sizes = (len(rates), len(rates[0]))
        self.plans: dict[Stand, Plan] = {}

    def value(self, stand: Stand) -> float:
        """What a stand is worth."""
        winner = winner_of(stand)
        if winner is not None:
            return float(winner == 0)
        if stand not in self.plans:
            self.plans[stand] = self.plan(stand)
        return self.plans[stand].value

    def plan(self, stand: Stand) -> Plan:
        """The best choice of one side, given the best replies of the other."""
        first, second = stand.first, 1 - stand.first
        replies: list[int | None] = [None] * self.sizes[first]
        options = []
        for deck in open_decks(stand, first, self.sizes[first]):
            answers = []
            for other in open_decks(stand, second, self.sizes[second]):
                decks = (deck, other) if first == 0 else (other, deck)
                answers.append((self.worth(stand, decks), other))
            value, replies[deck] = _best(answers, second)
            options.append((value, deck))
        value, choice_of_first = _best(options, first)
        return Plan(value, choice_of_first, tuple(replies))

    def worth(self, stand: Stand, decks: tuple[int, int]) -> float:
        """What a pair of decks is worth.

        After a draw the same choice returns, or the same game. A choice is better than
        the stand's value `v` with the draw in it exactly when it is better without:
        `w + d v > v` if and only if `w / (1 - d) > v`. So draws drop out.
        """
        win, draw = self.rates[decks[0]][decks[1]]
        decided = 1 - draw
        if decided <= 0:
            return EVEN
        chance = min(1.0, win / decided)
        won = self.value(after_game(stand, 0, decks, self.rules))
        lost = self.value(after_game(stand, 1, decks, self.rules))
        return chance * won + (1 - chance) * lost


def _best(options: Sequence[tuple[float, int]], side: int) -> tuple[float, int]:
    """The option that is best for a side; of equal ones the first in the file."""
    best: Callable[..., tuple[float, int]] = max if side == 0 else min
    return best(options, key=lambda option: option[0])


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
    known = open_decks(stand, side, decks)
    if selection == "optimal" and len(known) > 1:
        plan = plans[stand]
        reply = plan.first if opposing is None else plan.replies[opposing]
        assert reply is not None
        return reply
    return known[number % len(known)] if selection == "random" else known[0]


def random_number(*words: int, start: int = 0) -> int:
    """A random whole number that depends on `words` alone, below 2 ** 64.

    `start` is the number of words that come before these. Source: the finaliser of
    SplitMix64 (G. Steele, D. Lea, C. Flood, 2014), applied to each word in turn.
    """
    state = start
    for word in words:
        state = ((state ^ word) + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state
