"""Single cards swapped in the same games: legal swaps, effects, races."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product
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
from deckcheck.stats.intervals import DEFAULT_LEVEL, bounded_interval, joint_level

# The cards that may replace one of a deck, by the rules of its format


@dataclass(frozen=True, slots=True)
class Swap:
    """One copy of a card out, one of another in; both by id."""

    out: str
    into: str

    def apply_to(self, deck: Deck) -> Deck:
        """Return the deck with the swap made."""
        counts = deck.counts()
        counts[self.out] -= 1
        counts[self.into] += 1
        span = deck.entries[0].span
        entries = [DeckEntry(id, n, span) for id, n in counts.items() if n]
        return replace(deck, entries=tuple(entries))


def list_legal_swaps(deck: Deck, fmt: Format, database: CardDatabase) -> list[Swap]:
    """Return every swap that leaves the deck as legal as it was.

    Cards of the deck come in its own order, others in the order of the database.
    """
    factions = (deck.faction, database.game.neutral)
    candidates = []
    for card in database.cards.values():
        is_allowed = deck.faction is None or card.faction in factions
        if card.deckable and card.known and is_allowed:
            candidates.append(card.id)
    faults = _count_faults(deck, fmt, database)
    swaps = []
    for out, into in product(deck.counts(), candidates):
        swap = Swap(out, into)
        if into != out and _count_faults(swap.apply_to(deck), fmt, database) <= faults:
            swaps.append(swap)
    return swaps


def choose_average_cards(
    deck: Deck, swaps: Sequence[Swap], database: CardDatabase, count: int
) -> list[str]:
    """Return `count` cards as examples of an average card of the deck's faction.

    Candidates are cards of the faction that may replace more than half of the deck's
    cards, or such cards of any faction if it has none. The examples are evenly spread
    over the candidates by strength.
    """
    places = Counter(swap.into for swap in swaps)
    most = max(places.values(), default=0)
    usual = [database.cards[id] for id, number in places.items() if 2 * number > most]
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
"""An effect as a mapping of its own, or as keys of the record that has it."""


@dataclass(frozen=True)
class Trial:
    """Swaps to be tried in the same games."""

    swaps: tuple[Swap, ...]
    means: Mapping[str, tuple[Swap, ...]]
    """The swaps whose mean loss is the impact of a card, by the card."""

    @classmethod
    def of(
        cls, means: Mapping[str, tuple[Swap, ...]], swaps: Iterable[Swap] = ()
    ) -> Trial:
        """Return a trial of these swaps, and of the swaps that `means` need."""
        all_swaps = chain(swaps, *means.values())
        return cls(tuple(dict.fromkeys(all_swaps)), means)

    def make_table(
        self, fmt: Format, database: CardDatabase, entrant: Entrant, opponent: Entrant
    ) -> Versions:
        """Return the table of an opponent and a deck, as it is and after each swap."""
        deck = entrant.deck
        opponent_seat = seat(opponent.deck, opponent.policy)
        deck_seat = seat(deck, entrant.policy)
        table = seat_version(fmt, database, opponent_seat, deck_seat)
        counts = [dict(deck.counts())]
        for swap in self.swaps:
            counts.append(dict(swap.apply_to(deck).counts()))
        numbers = load_game(fmt.game).card_numbers(database)
        return with_swapped_decks(table, numbers, counts, self.contrasts)

    @property
    def contrasts(self) -> list[Contrast]:
        """The gain of each swap, then the impact of each card.

        Version 0 is the deck as it is, the others are those after each swap.
        """
        versions = {swap: number for number, swap in enumerate(self.swaps, 1)}
        contrasts: list[Contrast] = []
        for version in versions.values():
            contrasts.append(((version, 1), (0, -1)))
        for swaps in self.means.values():
            losses = [(versions[swap], -1) for swap in swaps]
            contrasts.append(((0, len(swaps)), *losses))
        return contrasts


def choose_average_swaps(
    cards: Iterable[str], average: Sequence[str], swaps: Iterable[Swap]
) -> dict[str, tuple[Swap, ...]]:
    """Return the swaps of each card for the `average` cards, if `swaps` has them."""
    legal = set(swaps)
    swaps_by_card = {}
    for card in cards:
        average_swaps = [Swap(card, into) for into in average]
        legal_swaps = tuple(swap for swap in average_swaps if swap in legal)
        if legal_swaps:
            swaps_by_card[card] = legal_swaps
    return swaps_by_card


class EffectSums(NamedTuple):
    """The sets of a difference with an opponent, its sum and the sum of its squares."""

    sets: int
    total: float
    squares: float

    def plus(self, other: EffectSums) -> EffectSums:
        """Return the sums of these sets and others."""
        return EffectSums(
            self.sets + other.sets,
            self.total + other.total,
            self.squares + other.squares,
        )


@dataclass(frozen=True)
class TriedSwaps:
    """The tallies of a trial, with the same number of sets with each opponent."""

    trial: Trial
    tables: Sequence[Versions]
    tallies: Sequence[Ints]
    weights: Sequence[float] = ()
    """The weights of the opponents, in any unit, or empty for equal weights."""

    @property
    def sets(self) -> int:
        """The number of sets with each opponent."""
        return int(self.tallies[0][0, Head.SETS])

    def gain(self, swap: Swap) -> MeasuredEffect:
        """Return the gain of the deck from a swap, over the field."""
        return measure_effect(self.add_sets(swap), self.weights)

    def impact(self, card: str) -> MeasuredEffect:
        """Return how much better the deck is with a card than with an average one."""
        return measure_effect(self.add_sets(card), self.weights)

    def impact_against(self, card: str, opponent: int) -> MeasuredEffect:
        """Return the same against one opponent."""
        return measure_effect([self.add_sets(card)[opponent]])

    def add_sets(self, tried: Swap | str) -> list[EffectSums]:
        """Return the sums of a swap's gain, or of a card's impact, by opponent."""
        trial = self.trial
        if isinstance(tried, Swap):
            column = trial.swaps.index(tried)
            swaps = 1
        else:
            column = len(trial.swaps) + list(trial.means).index(tried)
            swaps = len(trial.means[tried])
        scale = swaps * HALF_POINTS
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

    Its variance is the variance within the sets of each opponent. Among single sets
    with each, differences between opponents count as chance. The interval is for a
    fixed number of games. With `together` it holds at every checkpoint, jointly with as
    many intervals in all (Bonferroni).
    """
    weights = weights or [1.0] * len(rows)
    shares = [weight / sum(weights) for weight in weights]
    means = [row.total / row.sets for row in rows]
    value = fmean(means, shares)
    count = sum(row.sets for row in rows)
    parts = []
    if count == len(rows):
        freedom = count - 1
        for share, mean in zip(shares, means, strict=True):
            parts.append(share**2 * (mean - value) ** 2)
        variance = sum(parts) * count / max(1, freedom)
    else:
        freedom = count - len(rows)
        for share, (sets, total, squares) in zip(shares, rows, strict=True):
            spread = share**2 * (squares - total**2 / sets)
            parts.append(spread / max(1, sets - 1) / sets)
        variance = sum(parts)
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
    another swap clearly gains more: by intervals that hold after every round, jointly
    for all cards and for all of these swaps. So the open cards depend on tallies alone.

    Source: E. Even-Dar, S. Mannor and Y. Mansour (2006), Action elimination and
    stopping conditions for the multi-armed bandit and reinforcement learning problems,
    Journal of Machine Learning Research 7.
    """

    trial: Trial
    hole: str
    """The card that the racing swaps replace."""
    adaptive: bool
    """Whether there are several rounds, or one with a fixed number of games."""
    rounds: tuple[TriedSwaps, ...] = ()

    @property
    def swaps(self) -> list[Swap]:
        """The swaps that race."""
        return [swap for swap in self.trial.swaps if swap.out == self.hole]

    def gain(self, swap: Swap) -> MeasuredEffect:
        """Return the gain of the deck from one of `swaps` in all rounds."""
        return self._measure(self.add_sets(swap), len(self.swaps))

    def impact(self, card: str) -> MeasuredEffect:
        """Return how much better the deck is with a card, in all rounds."""
        return self._measure(self.add_sets(card), len(self.trial.means))

    def impact_against(self, card: str, opponent: int) -> MeasuredEffect:
        """Return the same against one opponent; its interval is individual."""
        return self._measure([self.add_sets(card)[opponent]], 1)

    def add_sets(self, tried: Swap | str) -> list[EffectSums]:
        """Return the sums of all rounds in which it was tried, by opponent."""
        rows: list[EffectSums] = []
        for played in self.rounds:
            if tried not in played.trial.swaps and tried not in played.trial.means:
                continue
            sums = played.add_sets(tried)
            if rows:
                sums = [old.plus(new) for old, new in zip(rows, sums, strict=True)]
            rows = sums
        return rows

    @cached_property
    def open(self) -> Trial:
        """The swaps and the cards that are still open."""
        if not self.rounds:
            return self.trial
        last = self.rounds[-1].trial
        impacts = {card: self.impact(card).interval for card in last.means}
        least = min((impact.high for impact in impacts.values()), default=0.0)
        means = {}
        for card, impact in impacts.items():
            if impact.low <= least:
                means[card] = last.means[card]
        gains = {}
        for swap in last.swaps:
            if swap.out == self.hole:
                gains[swap] = self.gain(swap).interval
        most = max((gain.low for gain in gains.values()), default=0.0)
        swaps = [swap for swap, gain in gains.items() if gain.high >= most]
        return Trial.of(means, swaps)

    def after(self, tried: TriedSwaps) -> Race:
        """Return the race after one more round."""
        return replace(self, rounds=(*self.rounds, tried))

    def _measure(self, rows: Sequence[EffectSums], together: int) -> MeasuredEffect:
        weights: Sequence[float] = ()
        if len(rows) > 1:
            weights = self.rounds[0].weights
        if self.adaptive:
            return measure_effect(rows, weights, together)
        return measure_effect(rows, weights)
