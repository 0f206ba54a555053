"""Single cards swapped in the same games: legal swaps, effects, races."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from statistics import fmean
from typing import Annotated, NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck, DeckEntry
from deckcheck.engine.registry import load_game
from deckcheck.findings import Severity
from deckcheck.formats import Format
from deckcheck.playing.kernel import Head, Ints
from deckcheck.playing.table import seat
from deckcheck.playing.versions import (
    ROTATION,
    Contrast,
    Versions,
    seat_version,
    with_swapped_decks,
)
from deckcheck.rules import judge
from deckcheck.sim.documents import EffectDocument
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import effect
from deckcheck.sim.records import EFFECT_BESIDE, SHOWN_EFFECT
from deckcheck.stats import Interval, anytime_mean_interval
from deckcheck.stats.intervals import (
    DEFAULT_LEVEL,
    bounded_interval,
    joint_level,
)

# The cards that may replace one of a deck, by the rules of its format


@dataclass(frozen=True, slots=True)
class Swap:
    """One copy of a card out, one of another in; both by id."""

    out: str
    into: str

    def of(self, deck: Deck) -> Deck:
        """Return the deck with the swap made."""
        counts = deck.counts()
        counts[self.out] -= 1
        counts[self.into] += 1
        span = deck.entries[0].span
        entries = (DeckEntry(id, n, span) for id, n in counts.items() if n)
        return replace(deck, entries=tuple(entries))


def legal_swaps(deck: Deck, fmt: Format, database: CardDatabase) -> list[Swap]:
    """Return every swap that leaves the deck as legal as it was.

    Cards of the deck come in its own order, others in the order of the database.
    """
    cards = [c for c in database.cards.values() if c.deckable and c.known]
    if deck.faction is not None:
        factions = (deck.faction, database.game.neutral)
        cards = [card for card in cards if card.faction in factions]
    faults = _count_faults(deck, fmt, database)
    swaps = (
        Swap(out, card.id) for out in deck.counts() for card in cards if card.id != out
    )
    return [s for s in swaps if _count_faults(s.of(deck), fmt, database) <= faults]


def average_cards(
    deck: Deck, swaps: Sequence[Swap], database: CardDatabase, count: int
) -> list[str]:
    """`count` cards that stand for an average one of the deck's faction.

    They are those cards of the faction that may take the place of most cards of the
    deck, in the order of their strength, and evenly spread over that order. Where
    the faction has none, or there are no factions, any cards are taken.
    """
    fits = Counter(swap.into for swap in swaps)
    most = max(fits.values(), default=0)
    usual = [database.cards[id] for id, times in fits.items() if 2 * times > most]
    faction_cards = [card for card in usual if card.faction == deck.faction] or usual
    ordered = sorted(faction_cards, key=lambda card: (card.strength or 0, card.number))
    if len(ordered) <= count:
        return [card.id for card in ordered]
    step = len(ordered) / count
    return [ordered[int((i + 0.5) * step)].id for i in range(count)]


def _count_faults(deck: Deck, fmt: Format, database: CardDatabase) -> int:
    findings = judge(deck, fmt, database)
    return sum(finding.severity is Severity.ERROR for finding in findings)


# Swaps that are tried in the same games, and the effect of each


HALF_POINTS = 2 * ROTATION

RACED_SETS = 400
"""About how many sets of a version are usual when a race ends."""


@dataclass(frozen=True, slots=True)
class MeasuredEffect:
    """A difference of win rates, from -1 to 1, and its 95% interval."""

    value: float
    interval: Interval

    def as_data(self) -> EffectDocument:
        """Return the effect for documents."""
        return effect(self)


Effect = Annotated[MeasuredEffect, SHOWN_EFFECT]
EffectBeside = Annotated[MeasuredEffect, EFFECT_BESIDE]
"""How it stands in a record: as a mapping, or as keys of that."""


@dataclass(frozen=True)
class Trial:
    """Swaps to be tried, and for some cards those whose mean is their impact."""

    swaps: tuple[Swap, ...]
    means: Mapping[str, tuple[Swap, ...]]

    @classmethod
    def of(
        cls, means: Mapping[str, tuple[Swap, ...]], swaps: Iterable[Swap] = ()
    ) -> Trial:
        """Return a trial of these swaps, and of the swaps that `means` need."""
        every = chain(swaps, *means.values())
        return cls(tuple(dict.fromkeys(every)), means)

    def table(
        self, fmt: Format, database: CardDatabase, own: Entrant, opponent: Entrant
    ) -> Versions:
        """Return the table of an opponent and a deck, as it is and after each swap."""
        deck = own.deck
        table = seat_version(
            fmt,
            database,
            seat(opponent.deck, opponent.policy),
            seat(deck, own.policy),
        )
        decks = [deck, *(swap.of(deck) for swap in self.swaps)]
        numbers = load_game(fmt.game).card_numbers(database)
        counts = [dict(deck.counts()) for deck in decks]
        return with_swapped_decks(table, numbers, counts, self.contrasts)

    @property
    def contrasts(self) -> list[Contrast]:
        """What each swap gains, then what each card is worth."""
        columns = {swap: 1 + i for i, swap in enumerate(self.swaps)}
        gains: list[Contrast] = [((columns[s], 1), (0, -1)) for s in self.swaps]
        impacts: list[Contrast] = [
            ((0, len(swaps)), *((columns[swap], -1) for swap in swaps))
            for swaps in self.means.values()
        ]
        return gains + impacts


def choose_means(
    cards: Iterable[str], average: Sequence[str], swaps: Iterable[Swap]
) -> dict[str, tuple[Swap, ...]]:
    """Return the swaps of each card for the `average` cards, if `swaps` has them."""
    legal = set(swaps)
    wanted = {card: [Swap(card, into) for into in average] for card in cards}
    means = {
        card: tuple(swap for swap in wanted_swaps if swap in legal)
        for card, wanted_swaps in wanted.items()
    }
    return {card: legal_swaps for card, legal_swaps in means.items() if legal_swaps}


class EffectSums(NamedTuple):
    """The sets of a difference with an opponent, its sum and the sum of its squares."""

    sets: int
    total: float
    squares: float

    def plus(self, other: EffectSums) -> EffectSums:
        """Return the sums of these sets and others."""
        pairs = zip(self, other, strict=True)
        sets, total, squares = (a + b for a, b in pairs)
        return EffectSums(int(sets), total, squares)


@dataclass(frozen=True)
class TriedSwaps:
    """The tallies of a trial, one for each opponent with the same number of sets.

    `weights` are those of the opponents, in any unit; () for all alike.
    """

    trial: Trial
    tables: Sequence[Versions]
    tallies: Sequence[Ints]
    weights: Sequence[float] = ()

    @property
    def sets(self) -> int:
        """The number of sets with each opponent."""
        return int(self.tallies[0][0, Head.SETS])

    def gain(self, swap: Swap) -> MeasuredEffect:
        """Return the gain of the deck from a swap, over the field."""
        return measure_effect(self.sums(swap), self.weights)

    def impact(self, card: str) -> MeasuredEffect:
        """Return how much better the deck is with a card than with an average one."""
        return measure_effect(self.sums(card), self.weights)

    def impact_against(self, card: str, opponent: int) -> MeasuredEffect:
        """Return the same against one opponent."""
        return measure_effect([self.sums(card)[opponent]])

    def sums(self, tried: Swap | str) -> list[EffectSums]:
        """Return the sums of a swap's gain, or of a card's worth, by opponent."""
        trial = self.trial
        column, times = len(trial.swaps), 1
        if isinstance(tried, Swap):
            column = trial.swaps.index(tried)
        else:
            column += list(trial.means).index(tried)
            times = len(trial.means[tried])
        scale = times * HALF_POINTS
        rows = []
        for table, tally in zip(self.tables, self.tallies, strict=True):
            total, squares = table.sums(tally)[:, column].tolist()
            sets = int(tally[0, Head.SETS])
            rows.append(EffectSums(sets, total / scale, squares / scale**2))
        return rows


def measure_effect(
    rows: Sequence[EffectSums],
    weights: Sequence[float] = (),
    together: int | None = None,
) -> MeasuredEffect:
    """Return the mean of a difference over opponents, by weights if there are any.

    Its variance is that within the sets of each opponent, where there are several;
    among single sets with each, differences between opponents count as chance. The
    interval is for games whose number was fixed. With `together` it holds at every
    checkpoint, jointly with as many intervals in all (Bonferroni).
    """
    weights = weights or [1.0] * len(rows)
    shares = [weight / sum(weights) for weight in weights]
    means = [row.total / row.sets for row in rows]
    value = fmean(means, shares)
    count = sum(row.sets for row in rows)
    if max(row.sets for row in rows) == 1:
        freedom = count - 1
        spread = sum(
            share**2 * (mean - value) ** 2
            for share, mean in zip(shares, means, strict=True)
        )
        variance = spread * count / max(1, freedom)
    else:
        freedom = sum(row.sets - 1 for row in rows)
        variance = sum(
            share**2 * (squares - total**2 / sets) / max(1, sets - 1) / sets
            for share, (sets, total, squares) in zip(shares, rows, strict=True)
        )
    level = DEFAULT_LEVEL if together is None else joint_level(together)
    interval = bounded_interval(value, variance * count, count, freedom, level=level)
    if together is not None and freedom > 0:
        squares = variance * count * (count - 1) + value**2 * count
        low, high = anytime_mean_interval(
            value * count, squares, count, level=level, best_at=RACED_SETS
        )
        low = max(-1.0, min(low, interval.low))
        interval = Interval(low, min(1.0, max(high, interval.high)))
    return MeasuredEffect(value, interval)


# Swaps raced against each other: those that are clearly not the best drop out


@dataclass(frozen=True)
class Race:
    """Successive elimination of cards by their impact, and of swaps by their gain.

    In each round the deck as it is and after each open swap play the same fresh games.
    A card stays open until another card is clearly worth less, a swap for `hole` until
    another one clearly gains more: by intervals that hold after every round, jointly
    for all cards and for all of these swaps. So what is open depends on tallies alone.
    A race that is not `adaptive` has one round of a number of games that is fixed.

    Source: E. Even-Dar, S. Mannor and Y. Mansour (2006), Action elimination and
    stopping conditions for the multi-armed bandit and reinforcement learning problems,
    Journal of Machine Learning Research 7.
    """

    trial: Trial
    hole: str
    adaptive: bool
    rounds: tuple[TriedSwaps, ...] = ()

    @property
    def swaps(self) -> list[Swap]:
        """The swaps that race, those for `hole`."""
        return [swap for swap in self.trial.swaps if swap.out == self.hole]

    def gain(self, swap: Swap) -> MeasuredEffect:
        """Return the gain of the deck from one of `swaps` in all rounds."""
        return self._measure(self.sums(swap), len(self.swaps))

    def impact(self, card: str) -> MeasuredEffect:
        """Return how much better the deck is with a card, in all rounds."""
        return self._measure(self.sums(card), len(self.trial.means))

    def impact_against(self, card: str, opponent: int) -> MeasuredEffect:
        """Return the same against one opponent; its interval is individual."""
        return self._measure([self.sums(card)[opponent]], 1)

    def sums(self, tried: Swap | str) -> list[EffectSums]:
        """Return the sums of all rounds in which it was tried, by opponent."""
        rows: list[EffectSums] = []
        for played in self.rounds:
            trial = played.trial
            if tried in (trial.swaps if isinstance(tried, Swap) else trial.means):
                sums = played.sums(tried)
                pairs = zip(rows, sums, strict=True)
                rows = [old.plus(new) for old, new in pairs] if rows else sums
        return rows

    @cached_property
    def open(self) -> Trial:
        """The swaps and the cards that are still open."""
        if not self.rounds:
            return self.trial
        last = self.rounds[-1].trial
        impacts = {card: self.impact(card).interval for card in last.means}
        least = min((impact.high for impact in impacts.values()), default=0.0)
        cards = [card for card, impact in impacts.items() if impact.low <= least]
        raced = [swap for swap in last.swaps if swap.out == self.hole]
        gains = {swap: self.gain(swap).interval for swap in raced}
        most = max((gain.low for gain in gains.values()), default=0.0)
        swaps = [swap for swap, gain in gains.items() if gain.high >= most]
        return Trial.of({card: last.means[card] for card in cards}, swaps)

    def after(self, tried: TriedSwaps) -> Race:
        """Return the race after one more round."""
        return replace(self, rounds=(*self.rounds, tried))

    def _measure(self, rows: Sequence[EffectSums], together: int) -> MeasuredEffect:
        weights = self.rounds[0].weights if len(rows) > 1 else ()
        return measure_effect(rows, weights, together if self.adaptive else None)
