"""Let a searching bot check what `tune` and `build` promise of their decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from pathlib import Path
from statistics import mean, variance
from typing import Any

import deckcheck
from deckcheck import read
from deckcheck.decks import Deck
from deckcheck.sim.bot_errors import ERROR_MARGIN, BotErrorFigure
from deckcheck.sim.figures import Figure
from deckcheck.sim.workers import usable_cores
from deckcheck.stats.combinations import Estimate
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
"""How many seeds have such promises, from that of the command on. By the first of them
`tune` changes each sample deck as well."""
SEARCH_OPTIONS: dict[str, Any] = {"cross_check": "none", "jobs": usable_cores()}
FIGURES = (BotErrorFigure.GAIN, BotErrorFigure.WIN_RATE)


@dataclass(frozen=True)
class Promise:
    """A gain or a win rate, in fresh games by the bot of a search, and by the judge."""

    deck: str
    figure: BotErrorFigure
    promised: Estimate
    judged: Estimate
    excesses: tuple[float, ...]
    """How much more was promised against each opponent, -1 to 1."""

    @property
    def excess(self) -> float:
        """How much more was promised than the judge finds, -1 to 1."""
        return self.promised.value - self.judged.value

    def is_kept(self, bot_error: float = 0.0) -> bool:
        """Report whether both agree within their margins and the error of the bot.

        The error is a root mean square, 0 to 1.
        """
        margins = get_margin(self.promised), get_margin(self.judged)
        return abs(self.excess) <= hypot(*margins, ERROR_MARGIN * bot_error)

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
    by_figure = [[p for p in promises if p.figure == figure] for figure in FIGURES]
    alone = sum(promise.is_kept() for promise in promises)
    widened = sum(map(count_kept_with_bot_error, by_figure))
    yield ""
    yield (
        f"{alone} of {len(promises)} are kept within their intervals, {widened} if "
        "each interval holds the error of the bot in the others."
    )
    yield ""
    yield "| figure | promises | mean excess | error of the bot | at most | spread |"
    yield "|---|---:|---:|---:|---:|---:|"
    for figure, group in zip(FIGURES, by_figure, strict=True):
        excesses = [100 * promise.excess for promise in group]
        error, low, high = (100 * end for end in measure_error(group))
        largest = max(map(abs, excesses))
        spread = 100 * measure_spread(group)
        yield (
            f"| {figure} | {len(group)} | {mean(excesses):+.1f} | {error:.1f} "
            f"({low:.1f} to {high:.1f}) | {largest:.1f} | {spread:.1f} |"
        )


def count_kept_with_bot_error(promises: Sequence[Promise]) -> int:
    """Return how many promises are kept with the error of the bot.

    The error for each promise is that of the others, so that none widens itself.
    """
    count = 0
    for index, promise in enumerate(promises):
        others = [*promises[:index], *promises[index + 1 :]]
        count += promise.is_kept(measure_error(others)[0])
    return count


def measure_error(promises: Sequence[Promise]) -> tuple[float, float, float]:
    """Return how far promises are from the judge's figures, with the 95% interval.

    It is a root mean square, 0 to 1, without the part by the numbers of games. The
    interval holds if the excesses are about normal.
    """
    square = mean(promise.excess**2 for promise in promises)
    noise = mean(map(compute_noise, promises))
    # The quantiles of chi square by Wilson and Hilferty (1931).
    spread = 2 / (9 * len(promises))
    least, most = (
        (1 - spread + sign * ERROR_MARGIN * spread**0.5) ** 3 for sign in (-1, 1)
    )
    error, low, high = (
        max(0.0, square / share - noise) ** 0.5 for share in (1, most, least)
    )
    return error, low, high


def measure_spread(promises: Sequence[Promise]) -> float:
    """Return the standard deviation of the errors of a promise against its opponents.

    It is without the part by the numbers of games, 0 to 1.
    """
    squares = []
    for promise in promises:
        # The noise of a mean is that of each opponent, divided by their number.
        noise = len(promise.excesses) * compute_noise(promise)
        squares.append(variance(promise.excesses) - noise)
    return sqrt(max(0.0, mean(squares)))


def compute_noise(promise: Promise) -> float:
    """Return the variance of a promise's excess by the numbers of games."""
    margins = hypot(get_margin(promise.promised), get_margin(promise.judged))
    return (margins / ERROR_MARGIN) ** 2


def list_promises(seed: int, folder: Path) -> Iterator[Promise]:
    """Yield the gains of sample decks and random decks, and the win rates of others."""
    for each_seed in range(seed, seed + SEED_COUNT):
        run = folder / f"promise {JUDGE} {JUDGE_GAMES} {each_seed}"
        if each_seed == seed:
            samples = list(read(ROOT / "decks" / FORMAT))
            yield from check_gains(samples, each_seed, run / "tune samples")
        bases = draw_decks((), DECKS_SEED + each_seed, PROMISE_COUNT)
        yield from check_gains(bases, each_seed, run / "tune")
        factions = [str(base.faction) for base in bases]
        yield from check_win_rates(factions, each_seed, run / "build")


def check_gains(bases: Sequence[Deck], seed: int, run: Path) -> Iterator[Promise]:
    """Yield what `tune` promises of each deck, unless it finds nothing better."""
    for number, base in enumerate(bases):
        found = deckcheck.tune(base, seed=seed + 2 * number, **SEARCH_OPTIONS)
        if found.is_new:
            yield check_promise(found, [base], seed + 1, run / str(number))


def check_win_rates(factions: Sequence[str], seed: int, run: Path) -> Iterator[Promise]:
    """Yield what `build` promises of the deck that it finds for each faction."""
    for number, faction in enumerate(factions):
        how = SEARCH_OPTIONS | {"seed": seed + 2 * number}
        found = deckcheck.build(FORMAT, factions=[faction], **how)
        yield check_promise(found, [], seed + 1, run / str(number))


def check_promise(found: FoundDeck, base: list[Deck], seed: int, run: Path) -> Promise:
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
        cross_check="none",
        seed=seed,
        run=run,
        jobs=usable_cores(),
    )
    if base:
        by_judge = judged.lead(deck.name, base[0].name)
    else:
        rate = judged.standings()[0]
        by_judge = Estimate(rate.win_rate, rate.interval, rate.games)
    excesses = []
    for entry in found.validation.opponents:
        judged_rate = judged.matchup(deck.name, entry.name).win_rate_a
        if base:
            judged_rate -= judged.matchup(base[0].name, entry.name).win_rate_a
        excesses.append(get_promised(entry).value - judged_rate)
    fresh = get_promised(found.validation.field)
    promised = Estimate(fresh.value, fresh.interval, found.validation.games)
    return Promise(
        deck.name, found.bot_error_figure, promised, by_judge, tuple(excesses)
    )


def get_promised(entry: OpponentEntry) -> Figure:
    """Return the gain over a base, or the win rate of a deck without a base."""
    return entry.differences[0] if entry.differences else entry.win_rates[-1]
