"""Deck selection in a tournament match: at random, in order, or best.

The best choice is found by backward induction. Both sides see all decks and all that
has happened, and they choose one after the other, so a match is a game of perfect
information once the chances of each deck against each other are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from deckcheck.findings import UsageError
from deckcheck.findings.words import choice, quote

SELECTIONS = ("optimal", "random", "fixed")
"""The ways to choose decks, the default first."""

EVEN = 0.5


class MatchState(Protocol):
    """How a match stands before a game; hashable, made by the rules of the game."""

    @property
    def first(self) -> int:
        """The side that chooses first."""


class MatchRules(Protocol):
    """The rules between the games of a match, which belong to the game that is played.

    Sides are 0 and 1, decks are numbered from 0 within their lineup.
    """

    def begin(self, coin: int) -> MatchState:
        """The state before game 1, when the coin falls for a side."""

    def open_decks(self, state: MatchState, side: int, decks: int) -> list[int]:
        """Which of its decks a side may choose, in the order of the lineup."""

    def after_game(
        self, state: MatchState, winner: int, decks: tuple[int, int]
    ) -> MatchState:
        """The state after a game of `decks`; `winner` is a side, -1 for a draw."""

    def winner_of(self, state: MatchState) -> int | None:
        """The side that has won the match, None as long as it goes on."""


class Chances(NamedTuple):
    """How likely the side named first wins a game, and how likely a draw is."""

    win: float
    draw: float


Rates = Sequence[Sequence[Chances]]
"""The chances of each deck of side 0 (rows) against each of side 1 (columns)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The best choices in one state of a match, and what they are worth to side 0.

    `first` is the choice of the side that chooses first, `replies[deck]` that of the
    other side to each deck; None for decks that cannot be chosen.
    """

    value: float
    first: int
    replies: tuple[int | None, ...]


Plans: TypeAlias = Mapping[MatchState, Plan]
"""The best choices in every state of a match."""


def check_selection(name: str) -> str:
    """Return the name of a way to choose decks; UsageError for any other."""
    if name not in SELECTIONS:
        ways = choice(SELECTIONS, "and")
        raise UsageError(f"Unknown selection {quote(name)}", f"Selections are {ways}")
    return name


def solve(rates: Rates, rules: MatchRules) -> dict[MatchState, Plan]:
    """The best choices in every state of a match, both sides playing for the match."""
    solver = _Solver(rates, rules)
    for coin in range(2):
        solver.value(rules.begin(coin))
    return solver.plans


def match_value(plans: Plans, rules: MatchRules) -> float:
    """How likely side 0 wins a match if both choose best; a drawn match counts half."""
    return sum(plans[rules.begin(coin)].value for coin in range(2)) / 2


class _Solver:
    """Goes backwards from the ends of a match; values are those of side 0."""

    def __init__(self, rates: Rates, rules: MatchRules) -> None:
        self.rates = rates
        self.rules = rules
        self.sizes = (len(rates), len(rates[0]))
        self.plans: dict[MatchState, Plan] = {}

    def value(self, state: MatchState) -> float:
        """What a state is worth."""
        winner = self.rules.winner_of(state)
        if winner is not None:
            return float(winner == 0)
        if state not in self.plans:
            self.plans[state] = self.plan(state)
        return self.plans[state].value

    def plan(self, state: MatchState) -> Plan:
        """The best choice of one side, given the best replies of the other."""
        first, second = state.first, 1 - state.first
        replies: list[int | None] = [None] * self.sizes[first]
        options = []
        for deck in self.rules.open_decks(state, first, self.sizes[first]):
            answers = []
            for other in self.rules.open_decks(state, second, self.sizes[second]):
                decks = (deck, other) if first == 0 else (other, deck)
                answers.append((self.worth(state, decks), other))
            value, replies[deck] = _best(answers, second)
            options.append((value, deck))
        value, choice_of_first = _best(options, first)
        return Plan(value, choice_of_first, tuple(replies))

    def worth(self, state: MatchState, decks: tuple[int, int]) -> float:
        """What a pair of decks is worth.

        After a draw the same choice returns, or the same game. A choice is better than
        the state's value `v` with the draw in it exactly when it is better without:
        `w + d v > v` if and only if `w / (1 - d) > v`. So draws drop out.
        """
        win, draw = self.rates[decks[0]][decks[1]]
        decided = 1 - draw
        if decided <= 0:
            return EVEN
        chance = min(1.0, win / decided)
        won = self.value(self.rules.after_game(state, 0, decks))
        lost = self.value(self.rules.after_game(state, 1, decks))
        return chance * won + (1 - chance) * lost


def _best(options: Sequence[tuple[float, int]], side: int) -> tuple[float, int]:
    """The option that is best for a side; of equal ones the first in the file."""
    best: Callable[..., tuple[float, int]] = max if side == 0 else min
    return best(options, key=lambda option: option[0])


def choices(
    selection: str,
    rules: MatchRules,
    state: MatchState,
    side: int,
    decks: int,
    *,
    opposing: int | None,
    plans: Plans,
) -> list[int]:
    """The decks of which a side takes one at random: all that are open, or only one.

    `opposing` is the deck that the other side has chosen already, None if this side
    chooses first.
    """
    open_ones = rules.open_decks(state, side, decks)
    if selection == "random":
        return open_ones
    if selection == "optimal" and len(open_ones) > 1:
        plan = plans[state]
        reply = plan.first if opposing is None else plan.replies[opposing]
        assert reply is not None
        return [reply]
    return open_ones[:1]
