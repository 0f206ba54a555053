"""A model of the worth of cards, learned from many measured decks.

A deck is a row of zeros and ones: its leader, and for each card whether it has a first
copy, a second one and so on. Its win rate is taken to be a sum over these, and over
every two of them, whose terms are normally distributed before anything is measured
(Bayesian linear regression, Rasmussen and Williams, Gaussian Processes for Machine
Learning, 2006, chapter 2, there by its kernel). What the sum cannot express is a
deviation of each deck of its own. Everything is in points, that is percent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from deckcheck.studies.search.measuring import Floats
from deckcheck.studies.search.space import Candidate, DeckSpace

CARD, COPY, LEADER = 2.0, 0.7, 2.0
"""What a card is worth for every copy, what a copy differs by, and a leader."""

PAIR = 0.2
"""What two copies of cards are worth together beyond each alone."""

OWN, ROUND, MEAN = 0.7, 1.5, 20.0
"""The deviation of a deck, of the shuffles of a round, and of the mean."""

SMALLEST, LARGEST = 1 / 4, 16
"""Between these all scales lie."""

MOST_SCALED = 1_500
"""Beyond this many decks the scale is known, and would take long to find."""

DIGITS = 6
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


@dataclass(frozen=True, slots=True)
class Encoding:
    """Where the copies of each card, and then the leaders, stand in a row."""

    leaders: tuple[str | None, ...]
    starts: tuple[int, ...]
    width: int

    @classmethod
    def of(cls, space: DeckSpace) -> Encoding:
        """The encoding of the decks of a space."""
        *starts, copies = accumulate(space.most, initial=0)
        return cls(space.leaders, tuple(starts), copies + len(space.leaders))

    def leader(self, leader: str | None) -> int:
        """The place of a leader."""
        return self.width - len(self.leaders) + self.leaders.index(leader)

    def row(self, candidate: Candidate) -> Floats:
        """The row of a candidate."""
        row = np.zeros(self.width)
        for start, count in zip(self.starts, candidate.counts, strict=True):
            row[start : start + count] = 1
        row[self.leader(candidate.leader)] = 1
        return row

    def prior(self) -> Floats:
        """The covariance of what the places are worth."""
        copies = self.width - len(self.leaders)
        card_of = np.zeros(copies, np.int64)
        card_of[list(self.starts)[1:]] += 1
        same = np.equal.outer(np.cumsum(card_of), np.cumsum(card_of))
        covariance = np.zeros((self.width, self.width))
        covariance[:copies, :copies] = CARD**2 * same + COPY**2 * np.eye(copies)
        covariance[copies:, copies:] = LEADER**2 * np.eye(len(self.leaders))
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
        """What the next bit of each place is worth at a row."""
        slope: Floats = self.places + 2 * self.pairs @ (row - self.centre)
        return slope

    def towards(self, other: Landscape, share: float) -> Landscape:
        """The landscape that lies so far on the way to another one."""
        places = self.places + share * (other.places - self.places)
        pairs = self.pairs + share * (other.pairs - self.pairs)
        return Landscape(self.centre, places.round(DIGITS), pairs.round(DIGITS))

    def height(self, row: Floats) -> float:
        """The win rate at a row, relative to that at the centre."""
        apart = row - self.centre
        return float(self.places @ apart + apart @ self.pairs @ apart)


@dataclass(frozen=True, slots=True)
class Scale:
    """How many times larger effects are than usual: of cards, pairs, single decks."""

    cards: float = 1.0
    pairs: float = 1.0
    own: float = 1.0

    def others(self) -> Iterator[Scale]:
        """Scales with one of the three twice as large, or half as large."""
        for name in ("cards", "pairs", "own"):
            for factor in (0.5, 2.0):
                value = factor * getattr(self, name)
                if SMALLEST <= value <= LARGEST:
                    yield replace(self, **{name: value})


class WinRates:
    """The win rates of the decks of a space, as far as they are known.

    How large effects are is taken from the data: `scale` is the likeliest of the one
    before and its neighbours (type II maximum likelihood, ibid., chapter 5).
    """

    def __init__(
        self, space: DeckSpace, seen: Sequence[Observation], scale: Scale | None = None
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
        self._other = ROUND**2 * same_round + np.diag(self._noise)
        self.scale = self._likeliest(scale or Scale())
        self._prior = self.scale.cards**2 * self.encoding.prior()
        self._pair = PAIR * self.scale.pairs
        self._own = OWN * self.scale.own
        self._shared = self._kernel(self.scale)
        self._whole = self._shared + self._other
        self._number = number
        self._weights: Floats = np.linalg.solve(self._whole, self._rates)

    def _kernel(self, scale: Scale) -> Floats:
        """What the rates of every two decks have in common, but for the shuffles."""
        kernel: Floats = (
            scale.cards**2 * self._linear
            + (scale.pairs * PAIR) ** 2 * self._paired
            + (scale.own * OWN) ** 2 * self._same_deck
            + MEAN**2
        )
        return kernel

    def _likeliest(self, scale: Scale) -> Scale:
        if len(self._seen) > MOST_SCALED:
            return scale
        scales = [scale, *scale.others()]
        chances = [self._likelihood(scale_tried) for scale_tried in scales]
        return scales[chances.index(max(chances))]

    def _likelihood(self, scale: Scale) -> float:
        """The logarithm of how likely a scale makes the data, but for a constant."""
        root = np.linalg.cholesky(self._kernel(scale) + self._other)
        rest = np.linalg.solve(root, self._rates)
        likelihood = -0.5 * float(rest @ rest) - float(np.log(np.diag(root)).sum())
        return round(likelihood, DIGITS)

    def draws(self, count: int, seed: int) -> list[Landscape]:
        """The likely landscape, then `count` others that are possible too.

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
            self._landscape(places[:, i], pairs[i], weights[:, i])
            for i in range(count + 1)
        ]

    def _landscape(self, places: Floats, pairs: Floats, weights: Floats) -> Landscape:
        """Places and pairs that were made up, corrected by decks with these weights."""
        landscape = places + self._prior @ (self._rows.T @ weights)
        both = pairs + self._pair**2 * (self._rows.T * weights) @ self._rows
        return Landscape(self.centre, landscape.round(DIGITS), both.round(DIGITS))

    def expected(self) -> dict[Candidate, float]:
        """The likely win rate of each deck that was measured, in points.

        That is between what was measured and what its cards let expect.
        """
        expected = self._level + self._shared @ self._weights
        pairs = zip(self._seen, expected.round(DIGITS).tolist(), strict=True)
        return {row.candidate: rate for row, rate in pairs}

    def rate(self, candidate: Candidate) -> float:
        """The same of any deck of the space, measured or not."""
        row = self.encoding.row(candidate) - self.centre
        shared = self._rows @ (self._prior @ row) + MEAN**2
        shared += (self._pair * (self._rows @ row)) ** 2
        number = self._number.get(candidate)
        shared += self._own**2 * (self._decks == number if number is not None else 0)
        return round(float(self._level + shared @ self._weights), DIGITS)
