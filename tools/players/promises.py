"""Let a searching bot check what `tune` and `build` promise of their decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from pathlib import Path
from statistics import mean, variance
from typing import Any

import numpy as np

import deckcheck
from deckcheck import read
from deckcheck.decks import Deck
from deckcheck.sim.bot_errors import NORMAL_MARGIN, BotErrorFigure
from deckcheck.sim.figures import Figure
from deckcheck.sim.workers import usable_cores
from deckcheck.stats import Estimate, Verdict
from deckcheck.studies.duels import OpponentEntry
from deckcheck.studies.search.result import FoundDeck
from tools.players.families import FORMAT, ROOT, draw_decks

JUDGE = "search:64"
JUDGE_GAMES = 100
"""Games of each deck against each deck of the reference field, by the judge."""
DECKS_SEED = 403
"""Added to the seed of the games, it is the seed of the random decks."""
PROMISE_COUNT = 10
"""How many random decks `tune` changes by each seed, and how many `build` finds."""
SEED_COUNT = 2
"""How many seeds have such promises, beginning with the seed of the command. With the
first seed `tune` changes each sample deck too."""
PLAY_OPTIONS: dict[str, Any] = {"cross_check": "none", "jobs": usable_cores()}
FIGURES = (BotErrorFigure.GAIN, BotErrorFigure.WIN_RATE)
TRIED_ERRORS = np.linspace(0, 0.6, 1201)
"""The errors of the bot whose likelihoods are compared."""


@dataclass(frozen=True)
class CheckedPromise:
    """A gain or a win rate, in fresh games by the bot of a search, and by the judge."""

    deck: str
    figure: BotErrorFigure
    promised: Estimate
    judged: Estimate
    excesses: tuple[float, ...]
    """How much more was promised against each faction, -1 to 1."""

    @property
    def excess(self) -> float:
        """How much more was promised than the judge finds, -1 to 1."""
        return self.promised.value - self.judged.value

    @property
    def scale(self) -> float:
        """The size of an error of 1: the gain, or the whole of a win rate."""
        return self.promised.value if self.figure is BotErrorFigure.GAIN else 1.0

    @property
    def noise(self) -> float:
        """The variance of the excess by the numbers of games."""
        margins = get_margin(self.promised), get_margin(self.judged)
        return (hypot(*margins) / NORMAL_MARGIN) ** 2

    def is_kept(self, bot_error: float = 0.0) -> bool:
        """Report whether both agree within their margins and the error of the bot."""
        deviation = hypot(sqrt(self.noise), bot_error * self.scale)
        return abs(self.excess) <= NORMAL_MARGIN * deviation

    def __str__(self) -> str:
        cells = [self.deck, self.figure.value]
        for estimate in (self.promised, self.judged):
            margin = get_margin(estimate)
            cells.append(f"{100 * estimate.value:.1f} ± {100 * margin:.1f}")
        cells.append("yes" if self.is_kept() else "no")
        return " | ".join(cells)


def get_margin(estimate: Estimate) -> float:
    """Return half of the length of an interval."""
    return (estimate.interval.high - estimate.interval.low) / 2


def check_promises(seed: int, folder: Path) -> Iterator[str]:
    """Yield a table of promises, how many are kept, and the errors of the bot.

    Games are kept in `folder`. `deckcheck.sim.bot_errors` has the errors.
    """
    yield f"| deck | figure | promised | by `{JUDGE}` | kept |"
    yield "|---|---|---:|---:|---|"
    promises = []
    for promise in list_promises(seed, folder):
        promises.append(promise)
        yield f"| {promise} |"
    yield ""
    yield (
        "| figure | promises | kept | with bot error | mean excess | at most | "
        "bot error in % | spread |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for figure in FIGURES:
        yield write_summary(figure, [p for p in promises if p.figure == figure])


def write_summary(figure: BotErrorFigure, promises: Sequence[CheckedPromise]) -> str:
    """Return a row about all promises of a figure.

    The error in a gain is a share of the gain.
    """
    excesses = [100 * promise.excess for promise in promises]
    error, low, high = (100 * end for end in measure_error(promises))
    cells = [
        figure.value,
        str(len(promises)),
        str(sum(promise.is_kept() for promise in promises)),
        str(count_kept_with_bot_error(promises)),
        f"{mean(excesses):+.1f}",
        f"{max(map(abs, excesses)):.1f}",
        f"{error:.1f} ({low:.1f} to {high:.1f})",
        f"{100 * measure_spread(promises):.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def group_by_deck(
    promises: Iterable[CheckedPromise],
) -> dict[str, list[CheckedPromise]]:
    """Return the promises of each deck. What `build` finds of a faction is one deck."""
    groups: dict[str, list[CheckedPromise]] = {}
    for promise in promises:
        groups.setdefault(promise.deck, []).append(promise)
    return groups


def count_kept_with_bot_error(promises: Sequence[CheckedPromise]) -> int:
    """Return how many promises are kept with the error of the bot.

    The error for each deck is measured in all other decks.
    """
    count = 0
    for deck, group in group_by_deck(promises).items():
        error, _, _ = measure_error([p for p in promises if p.deck != deck])
        count += sum(promise.is_kept(error) for promise in group)
    return count


def measure_error(promises: Sequence[CheckedPromise]) -> tuple[float, float, float]:
    """Return the error of the bot in these promises, with its 95% interval.

    It is the standard deviation, 0 to 1 and as a share of the scale, that makes the
    excesses most likely if they are normal. The promises of a deck have one error in
    common. The interval has all errors that are not much less likely: its limit is that
    of a likelihood ratio (Wilks, 1938), enlarged because the decks are few.
    """
    groups = group_by_deck(promises).values()
    excesses = np.array([mean(p.excess for p in group) for group in groups])
    noises = np.array([mean(p.noise for p in group) / len(group) for group in groups])
    scales = np.array([mean(p.scale for p in group) for group in groups])
    variances = noises + np.outer(TRIED_ERRORS, scales) ** 2
    likelihoods = -(np.log(variances) + excesses**2 / variances).sum(axis=1) / 2
    limit = NORMAL_MARGIN**2 / 2 * (1 + 2 / len(groups))
    likely = TRIED_ERRORS[likelihoods >= likelihoods.max() - limit]
    error = TRIED_ERRORS[likelihoods.argmax()]
    return float(error), float(likely[0]), float(likely[-1])


def measure_spread(promises: Sequence[CheckedPromise]) -> float:
    """Return the standard deviation of the errors of a promise against the factions.

    It is without the part by the numbers of games, 0 to 1.
    """
    squares = []
    for promise in promises:
        # The variance of a mean of n factions is 1/n of the variance against one.
        noise = len(promise.excesses) * promise.noise
        squares.append(variance(promise.excesses) - noise)
    return sqrt(max(0.0, mean(squares)))


def list_promises(seed: int, folder: Path) -> Iterator[CheckedPromise]:
    """Yield gains of sample decks and random decks, and win rates of built decks."""
    for each_seed in range(seed, seed + SEED_COUNT):
        run = folder / f"promise {JUDGE} {JUDGE_GAMES} {each_seed}"
        if each_seed == seed:
            samples = list(read(ROOT / "decks" / FORMAT))
            yield from check_gains(samples, each_seed, run / "tune samples")
        bases = draw_decks((), DECKS_SEED + each_seed, PROMISE_COUNT)
        yield from check_gains(bases, each_seed, run / "tune")
        factions = [str(base.faction) for base in bases]
        yield from check_win_rates(factions, each_seed, run / "build")


def check_gains(
    bases: Sequence[Deck], seed: int, run: Path
) -> Iterator[CheckedPromise]:
    """Yield what `tune` promises of each deck, if its gain is clear."""
    for number, base in enumerate(bases):
        found = deckcheck.tune(base, seed=seed + 2 * number, **PLAY_OPTIONS)
        if found.claims and found.claims[0].verdict is Verdict.BETTER:
            yield check_promise(found, [base], seed + 1, run / str(number))


def check_win_rates(
    factions: Sequence[str], seed: int, run: Path
) -> Iterator[CheckedPromise]:
    """Yield what `build` promises of the deck that it finds for each faction."""
    for number, faction in enumerate(factions):
        found = deckcheck.build(
            FORMAT, factions=[faction], seed=seed + 2 * number, **PLAY_OPTIONS
        )
        yield check_promise(found, [], seed + 1, run / str(number))


def check_promise(
    found: FoundDeck, base: list[Deck], seed: int, run: Path
) -> CheckedPromise:
    """Return what was promised of a deck, and what the judge finds in its games.

    With a `base` it is the gain, without one the win rate against the reference field.
    """
    assert found.validation is not None
    deck = deckcheck.parse(found.text)
    judged = deckcheck.simulate(
        *base,
        deck,
        against="reference",
        format=FORMAT,
        games=JUDGE_GAMES,
        policies=JUDGE,
        seed=seed,
        run=run,
        **PLAY_OPTIONS,
    )
    if base:
        by_judge = judged.lead(deck.name, base[0].name)
    else:
        rate = judged.standings()[0]
        by_judge = Estimate(rate.win_rate, rate.interval, rate.games)
    factions = {each.name: each.faction for each in judged.decks}
    excesses: dict[str | None, list[float]] = {}
    for entry in found.validation.opponents:
        judged_rate = judged.matchup(deck.name, entry.name).win_rate_a
        if base:
            judged_rate -= judged.matchup(base[0].name, entry.name).win_rate_a
        excess = get_promised(entry).value - judged_rate
        excesses.setdefault(factions[entry.name], []).append(excess)
    fresh = get_promised(found.validation.field)
    return CheckedPromise(
        deck.name,
        BotErrorFigure.GAIN if base else BotErrorFigure.WIN_RATE,
        Estimate(fresh.value, fresh.interval, found.validation.games),
        by_judge,
        tuple(map(mean, excesses.values())),
    )


def get_promised(entry: OpponentEntry) -> Figure:
    """Return the gain over a base, or the win rate of a deck without a base."""
    return entry.differences[0] if entry.differences else entry.win_rates[-1]
