"""Deck selection in a tournament match: at random, in order, or best.

The best choice is found by backward induction. Both sides see all decks and all that
has happened, and they choose one after the other, so a match is a game of perfect
information once the chances of each deck against each other are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.findings import UsageError
from deckcheck.messages import choice, quote

SELECTIONS = ("optimal", "random", "fixed")
"""The ways to choose decks, the default first."""

EVEN_RATE = 0.5

Values: TypeAlias = npt.NDArray[np.float64]
Decks: TypeAlias = npt.NDArray[np.int64]


class MatchState(Protocol):
    """The state of a match before a game, hashable, made by the rules of the game."""

    @property
    def first(self) -> int:
        """The side that chooses first."""


class MatchRules(Protocol):
    """The rules between the games of a match, which each game of cards defines.

    Sides are 0 and 1, decks are numbered from 0 within their lineup.
    """

    def begin(self, coin: int) -> MatchState:
        """Return the state before game 1, after the coin fell for a side."""

    def open_decks(self, state: MatchState, side: int, decks: int) -> list[int]:
        """Return the decks that a side may choose, in the order of the lineup."""

    def after_game(
        self, state: MatchState, winner: int, decks: tuple[int, int]
    ) -> MatchState:
        """Return the state after a game of `decks`. `winner` is a side, -1 for a
        draw.
        """

    def find_winner(self, state: MatchState) -> int | None:
        """Return the side that has won the match, or None if it is not over."""


class Chances(NamedTuple):
    """How likely the side named first wins a game, and how likely a draw is."""

    win: float
    draw: float


Rates = Sequence[Sequence[Chances]]
"""The chances of each deck of side 0 (rows) against each of side 1 (columns)."""


@dataclass(frozen=True, slots=True)
class SelectionPlan:
    """The best choices in a state of a match."""

    value: float
    """The value of the state for side 0."""
    first: int
    """The choice of the side that chooses first."""
    replies: tuple[int | None, ...]
    """The reply to each deck of that side, None for decks that cannot be chosen."""


Plans: TypeAlias = Mapping[MatchState, SelectionPlan]
"""The best choices in every state of a match."""


def check_selection(name: str) -> str:
    """Return the name of a way to choose decks. Raises UsageError for any other."""
    if name not in SELECTIONS:
        ways = choice(SELECTIONS, "and")
        raise UsageError(f"Unknown selection {quote(name)}", f"Selections are {ways}")
    return name


def decided_rates(rates: Rates) -> Values:
    """Return how likely each deck of side 0 wins a decided game, row by row.

    NaN if all games are drawn.
    """
    wins = np.array([[cell.win for cell in row] for row in rates])
    rest = 1 - np.array([[cell.draw for cell in row] for row in rates])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(rest > 0, np.minimum(1.0, wins / rest), np.nan)


def solve(rates: Rates, rules: MatchRules) -> dict[MatchState, SelectionPlan]:
    """Return the best choices in every state of a match, with both sides playing for
    it.
    """
    return solve_decided(decided_rates(rates), rules)


def solve_decided(
    chances: Values, rules: MatchRules
) -> dict[MatchState, SelectionPlan]:
    """Return as `solve`, from the chances in decided games, see `decided_rates`."""
    induction = _Induction(chances[None], rules)
    for coin in range(2):
        induction.value(rules.begin(coin))
    return {
        state: induction.plan(state, best) for state, best in induction.best.items()
    }


def match_value(plans: Plans, rules: MatchRules) -> float:
    """Return how likely side 0 wins a match if both choose best. A draw counts half."""
    return sum(plans[rules.begin(coin)].value for coin in range(2)) / 2


def match_values(chances: Values, rules: MatchRules) -> Values:
    """Return `match_value` of many matches, with `chances[i]` of `decided_rates`."""
    induction = _Induction(chances, rules)
    first, second = (induction.value(rules.begin(coin)) for coin in range(2))
    return (first + second) / 2


@dataclass(frozen=True, slots=True)
class _Best:
    """The best choices in a state of several matches, see `SelectionPlan`."""

    value: Values
    first: Decks
    replies: dict[int, Decks]


class _Induction:
    """Backward induction from the ends of matches. Values are for side 0."""

    def __init__(self, chances: Values, rules: MatchRules) -> None:
        self.chances = chances
        self.rules = rules
        self.sizes = chances.shape[1:]
        self.best: dict[MatchState, _Best] = {}

    def value(self, state: MatchState) -> Values:
        """Return the value of a state in each match."""
        winner = self.rules.find_winner(state)
        if winner is not None:
            return np.full(len(self.chances), float(winner == 0))
        if state not in self.best:
            self.best[state] = self.choose(state)
        return self.best[state].value

    def choose(self, state: MatchState) -> _Best:
        """Return the best choice of a side, given the best replies of the opponent."""
        first, second = state.first, 1 - state.first
        open_decks = self.rules.open_decks(state, first, self.sizes[first])
        others = self.rules.open_decks(state, second, self.sizes[second])
        replies, values = {}, []
        for deck in open_decks:
            pairs = [(deck, other) if first == 0 else (other, deck) for other in others]
            answers = np.stack([self.worth(state, pair) for pair in pairs])
            value, replies[deck] = _find_best(answers, others, second)
            values.append(value)
        return _Best(*_find_best(np.stack(values), open_decks, first), replies)

    def worth(self, state: MatchState, decks: tuple[int, int]) -> Values:
        """Return the value of a pair of decks.

        After a draw the same choice returns, or the same game. A choice is better than
        the state's value `v` with the draw in it exactly when it is better without: `w
        + d v > v` if and only if `w / (1 - d) > v`. So draws drop out.
        """
        chance = self.chances[:, decks[0], decks[1]]
        won = self.value(self.rules.after_game(state, 0, decks))
        lost = self.value(self.rules.after_game(state, 1, decks))
        return np.where(np.isnan(chance), EVEN_RATE, chance * won + (1 - chance) * lost)

    def plan(self, state: MatchState, best: _Best) -> SelectionPlan:
        """Return the best choices of the only match."""
        replies: list[int | None] = [None] * self.sizes[state.first]
        for deck, decks in best.replies.items():
            replies[deck] = int(decks[0])
        return SelectionPlan(float(best.value[0]), int(best.first[0]), tuple(replies))


def _find_best(values: Values, decks: Sequence[int], side: int) -> tuple[Values, Decks]:
    """Return the values that are best for a side, and their decks.

    `values` has a row for each deck. Among equal decks the first in the file counts.
    """
    index = values.argmax(axis=0) if side == 0 else values.argmin(axis=0)
    return np.take_along_axis(values, index[None], axis=0)[0], np.array(decks)[index]


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
    """Return the decks from which a side picks at random: all open decks, or a single
    one.

    `opposing` is the deck that the opponent has chosen already, None if this side
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
