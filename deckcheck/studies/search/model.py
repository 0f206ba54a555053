"""A model of the worth of cards, learned from many measured decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from deckcheck.studies.search.space import Candidate, DeckSpace
from deckcheck.studies.validation_games import Floats

# A model of the worth of cards, learned from many measured decks


CARD_SCALE, COPY_SCALE, LEADER_SCALE = 2.0, 0.7, 2.0
"""What a card is worth for every copy, what a copy differs by, and a leader."""

PAIR_SCALE = 0.2
"""What two copies of cards are worth together beyond each alone."""

DECK_SCALE, ROUND_SCALE, MEAN_SCALE = 0.7, 1.5, 20.0
"""The deviation of a deck, of the shuffles of a round, and of the mean."""

SMALLEST_SCALE, LARGEST_SCALE = 1 / 4, 16
"""Between these all scales lie."""

MOST_SCALED = 500
"""Beyond this many decks the scale is known, and would take long to find."""

WEIGHT_DIGITS = 6
"""To which weights are rounded, so that the order of sums decides nothing."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A candidate was measured: its win rate in points, and the variance of that.

    Candidates of one `round` had the same shuffles.
    """

    candidate: Candidate
    rate: float
    variance: float
    round: int


Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """Where the copies of each card, and then the leaders, stand in a row."""

    leaders: tuple[str | None, ...]
    starts: tuple[int, ...]
    width: int
    cards: Places
    """The index of the card of each place of a copy."""
    copies: Places
    """The number of copies that a deck holds at least if its bit of a place is set."""

    @classmethod
    def of(cls, space: DeckSpace) -> Encoding:
        """Return the encoding of the decks of a space."""
        *starts, copies = accumulate(space.most, initial=0)
        cards = np.repeat(np.arange(len(space.most)), space.most)
        numbers = 1 + np.arange(copies) - np.array(starts, np.int64)[cards]
        width = copies + len(space.leaders)
        return cls(space.leaders, tuple(starts), width, cards, numbers)

    def leader(self, leader: str | None) -> int:
        """Return the index of a leader."""
        return self.width - len(self.leaders) + self.leaders.index(leader)

    def row(self, candidate: Candidate) -> Floats:
        """Return the row of a candidate."""
        row = np.zeros(self.width)
        counts = np.array(candidate.counts)
        row[: len(self.copies)] = counts[self.cards] >= self.copies
        row[self.leader(candidate.leader)] = 1
        return row

    def prior(self) -> Floats:
        """Return the covariance of the values of all places."""
        copies = self.width - len(self.leaders)
        card_of = np.zeros(copies, np.int64)
        card_of[list(self.starts)[1:]] += 1
        same = np.equal.outer(np.cumsum(card_of), np.cumsum(card_of))
        covariance = np.zeros((self.width, self.width))
        covariance[:copies, :copies] = CARD_SCALE**2 * same + COPY_SCALE**2 * np.eye(
            copies
        )
        covariance[copies:, copies:] = LEADER_SCALE**2 * np.eye(len(self.leaders))
        return covariance


@dataclass(frozen=True, slots=True)
class Landscape:
    """Win rates as a function of the row: what places and pairs of them are worth.

    `pairs` is symmetric; rows are taken relative to `centre`.
    """

    centre: Floats
    places: Floats
    pairs: Floats

    def slope(self, row: Floats) -> Floats:
        """Return the value of the next bit of each place at a row."""
        slope: Floats = self.places + 2 * self.pairs @ (row - self.centre)
        return slope

    def towards(self, other: Landscape, share: float) -> Landscape:
        """Return the landscape between this and another landscape."""
        places = self.places + share * (other.places - self.places)
        pairs = self.pairs + share * (other.pairs - self.pairs)
        return Landscape(
            self.centre, places.round(WEIGHT_DIGITS), pairs.round(WEIGHT_DIGITS)
        )

    def height(self, row: Floats) -> float:
        """Return the win rate at a row, relative to the centre."""
        apart = row - self.centre
        return float(self.places @ apart + apart @ self.pairs @ apart)


@dataclass(frozen=True, slots=True)
class ModelScale:
    """How many times larger effects are than usual: of cards, pairs, single decks."""

    cards: float = 1.0
    pairs: float = 1.0
    own: float = 1.0

    def others(self) -> Iterator[ModelScale]:
        """Yield scales with one of the three twice as large, or half as large."""
        for name in ("cards", "pairs", "own"):
            for factor in (0.5, 2.0):
                value = factor * getattr(self, name)
                if SMALLEST_SCALE <= value <= LARGEST_SCALE:
                    yield replace(self, **{name: value})


class WinRates:
    """The win rates of the decks of a space, as far as they are known.

    How large effects are is taken from the data: `scale` is the likeliest of the one
    before and its neighbours (type II maximum likelihood, ibid., chapter 5).
    """

    def __init__(
        self,
        space: DeckSpace,
        seen: Sequence[Observation],
        scale: ModelScale | None = None,
    ) -> None:
        """Learn from what was `seen`, at least one deck; `scale` is that of before."""
        self.encoding = Encoding.of(space)
        self._seen = seen
        rows = np.array(
            [self.encoding.row(observation.candidate) for observation in seen]
        )
        self.centre: Floats = rows.mean(axis=0)
        self._rows = rows - self.centre
        rates = np.array([observation.rate for observation in seen])
        self._level = float(rates.mean())
        self._rates = rates - self._level
        self._noise = np.array([observation.variance for observation in seen])
        number = {observation.candidate: i for i, observation in enumerate(seen)}
        decks = np.array([number[observation.candidate] for observation in seen])
        self._decks = decks
        rounds = np.array([observation.round for observation in seen])
        self._linear = self._rows @ self.encoding.prior() @ self._rows.T
        self._paired = (self._rows @ self._rows.T) ** 2
        self._same_deck = np.equal.outer(decks, decks)
        same_round = np.equal.outer(rounds, rounds)
        self._other = ROUND_SCALE**2 * same_round + np.diag(self._noise)
        self.scale = self._fit_scale(scale or ModelScale())
        self._prior = self.scale.cards**2 * self.encoding.prior()
        self._pair = PAIR_SCALE * self.scale.pairs
        self._own = DECK_SCALE * self.scale.own
        self._shared = self._compute_kernel(self.scale)
        self._whole = self._shared + self._other
        self._number = number
        self._weights: Floats = np.linalg.solve(self._whole, self._rates)

    def _compute_kernel(self, scale: ModelScale) -> Floats:
        """Return the covariance of the rates of each pair of decks, without the
        shuffles.
        """
        kernel: Floats = (
            scale.cards**2 * self._linear
            + (scale.pairs * PAIR_SCALE) ** 2 * self._paired
            + (scale.own * DECK_SCALE) ** 2 * self._same_deck
            + MEAN_SCALE**2
        )
        return kernel

    def _fit_scale(self, scale: ModelScale) -> ModelScale:
        if len(self._seen) > MOST_SCALED:
            return scale
        return max([scale, *scale.others()], key=self._compute_likelihood)

    def _compute_likelihood(self, scale: ModelScale) -> float:
        """Return the log-likelihood of a scale, up to a constant."""
        root = np.linalg.cholesky(self._compute_kernel(scale) + self._other)
        rest = np.linalg.solve(root, self._rates)
        likelihood = -0.5 * float(rest @ rest) - float(np.log(np.diag(root)).sum())
        return round(likelihood, WEIGHT_DIGITS)

    def draws(self, count: int, seed: int) -> list[Landscape]:
        """Return the likely landscape, then `count` other possible landscapes.

        These are drawn from what is known, by Matheron's rule: one is made up, and then
        corrected by what it misses in the decks that were measured.
        """
        chance = np.random.default_rng(seed)
        width, decks = self.encoding.width, len(self._rates)
        root = np.linalg.cholesky(self._prior + 1e-9 * np.eye(width))
        places = root @ chance.standard_normal((width, count))
        pairs = self._pair * chance.standard_normal((count, width, width))
        pairs = (pairs + pairs.transpose(0, 2, 1)) / 2
        made_up = self._rows @ places
        made_up += np.einsum(
            "np,kpq,nq->nk", self._rows, pairs, self._rows, optimize=True
        )
        spread = np.sqrt(self._noise + self._own**2)[:, None]
        made_up += spread * chance.standard_normal((decks, count))
        missed = np.column_stack([self._rates, self._rates[:, None] - made_up])
        weights = np.linalg.solve(self._whole, missed)
        places = np.column_stack([np.zeros(width), places])
        pairs = np.concatenate([np.zeros((1, width, width)), pairs])
        return [
            self._make_landscape(places[:, i], pairs[i], weights[:, i])
            for i in range(count + 1)
        ]

    def _make_landscape(
        self, places: Floats, pairs: Floats, weights: Floats
    ) -> Landscape:
        """Correct places and pairs that were made up by decks with these weights."""
        landscape = places + self._prior @ (self._rows.T @ weights)
        both = pairs + self._pair**2 * (self._rows.T * weights) @ self._rows
        return Landscape(
            self.centre, landscape.round(WEIGHT_DIGITS), both.round(WEIGHT_DIGITS)
        )

    def expected(self) -> dict[Candidate, float]:
        """Return the likely win rate of each measured deck, in points.

        That is between what was measured and what its cards let expect.
        """
        expected = self._level + self._shared @ self._weights
        pairs = zip(self._seen, expected.round(WEIGHT_DIGITS).tolist(), strict=True)
        return {row.candidate: rate for row, rate in pairs}

    def rate(self, candidate: Candidate) -> float:
        """Return the likely win rate of any deck of the space."""
        row = self.encoding.row(candidate) - self.centre
        shared = self._rows @ (self._prior @ row) + MEAN_SCALE**2
        shared += (self._pair * (self._rows @ row)) ** 2
        number = self._number.get(candidate)
        shared += self._own**2 * (self._decks == number if number is not None else 0)
        return round(float(self._level + shared @ self._weights), WEIGHT_DIGITS)
