"""Let a searching bot check what `tune` and `build` promise of their decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from statistics import NormalDist, mean
from typing import Any

import deckcheck
from deckcheck.decks import Deck
from deckcheck.sim.bot_errors import BotErrorFigure
from deckcheck.sim.workers import usable_cores
from deckcheck.stats.combinations import Estimate
from deckcheck.studies.search.result import FoundDeck
from tools.players.families import FORMAT, draw_decks

JUDGE = "search:64"
JUDGE_GAMES = 100
"""Games of each deck against each deck of the reference field, by the judge."""
NORMAL_MARGIN = NormalDist().inv_cdf(0.975)
"""Half of the length of a 95% interval, in standard errors."""
DECKS_SEED = 403
"""Added to the seed of the games, it is the seed of the random decks."""
PROMISE_COUNT = 10
"""How many random decks `tune` changes by each seed, and how many `build` finds."""
SEED_COUNT = 2
"""How many seeds have promises, from that of the command on."""


@dataclass(frozen=True)
class Promise:
    """A win rate or a gain, in fresh games by the bot of a search, and by the judge."""

    deck: str
    promised: Estimate
    judged: Estimate
    figure: BotErrorFigure
    bot_error: float
    """The error of the bot that stands beside the promise, 0 to 1."""

    @property
    def excess(self) -> float:
        """How much more was promised than the judge finds, -1 to 1."""
        return self.promised.value - self.judged.value

    def is_kept(self, *, with_bot_error: bool) -> bool:
        """Report whether both agree within their margins, which the error widens."""
        margins = [get_margin(self.promised), get_margin(self.judged)]
        if with_bot_error:
            margins.append(NORMAL_MARGIN * self.bot_error)
        return abs(self.excess) <= hypot(*margins)

    def __str__(self) -> str:
        cells = [self.deck]
        for estimate in (self.promised, self.judged):
            margin = get_margin(estimate)
            cells.append(f"{100 * estimate.value:.1f} ± {100 * margin:.1f}")
        for with_bot_error in (False, True):
            kept = self.is_kept(with_bot_error=with_bot_error)
            cells.append("yes" if kept else "no")
        return " | ".join(cells)


def get_margin(estimate: Estimate) -> float:
    """Return half of the length of an interval."""
    return (estimate.interval.high - estimate.interval.low) / 2


def check_promises(seed: int, folder: Path) -> Iterator[str]:
    """Yield a table of promises, how many are kept, and the errors of the bot.

    Games are kept in `folder`. `deckcheck.sim.bot_errors` has the errors.
    """
    yield f"| deck | promised | by `{JUDGE}` | kept | with the error of the bot |"
    yield "|---|---:|---:|---|---|"
    promises = []
    for each_seed in range(seed, seed + SEED_COUNT):
        for promise in list_promises(each_seed, folder):
            promises.append(promise)
            yield f"| {promise} |"
    alone, widened = (
        sum(promise.is_kept(with_bot_error=with_bot_error) for promise in promises)
        for with_bot_error in (False, True)
    )
    yield (
        f"{alone} of {len(promises)} are kept within their intervals, {widened} with "
        "the error of the bot."
    )
    yield ""
    yield "| figure | mean excess | error of the bot | at most |"
    yield "|---|---:|---:|---:|"
    for figure in (BotErrorFigure.GAIN, BotErrorFigure.WIN_RATE):
        yield measure_error(figure, [p for p in promises if p.figure == figure])


def measure_error(figure: BotErrorFigure, promises: Sequence[Promise]) -> str:
    """Return a row of a table: how far promises of this figure are from the judge's.

    The mean square of the excesses is without the part by the numbers of games. Its
    interval holds if the excesses are about normal.
    """
    excesses = [promise.excess for promise in promises]
    square = mean(excess**2 for excess in excesses)
    noise = mean(
        (get_margin(estimate) / NORMAL_MARGIN) ** 2
        for promise in promises
        for estimate in (promise.promised, promise.judged)
    )
    # The quantiles of chi square by Wilson and Hilferty (1931).
    spread = 2 / (9 * len(promises))
    shares = [1.0]
    for sign in (1, -1):
        shares.append((1 - spread + sign * NORMAL_MARGIN * spread**0.5) ** 3)
    error, low, high = (
        100 * max(0.0, square / share - 2 * noise) ** 0.5 for share in shares
    )
    largest = 100 * max(map(abs, excesses))
    return (
        f"| {figure} | {100 * mean(excesses):+.1f} | {error:.1f} ({low:.1f} to "
        f"{high:.1f}) | {largest:.1f} |"
    )


def list_promises(seed: int, folder: Path) -> Iterator[Promise]:
    """Yield the gain of each deck by `tune`, and the win rate of each by `build`.

    `tune` begins with random decks, `build` with their factions. Where `tune` finds
    nothing better it promises nothing.
    """
    how: dict[str, Any] = {"cross_check": "none", "jobs": usable_cores()}
    for number, base in enumerate(draw_decks((), DECKS_SEED + seed, PROMISE_COUNT)):
        kept = folder / f"promise {JUDGE} {JUDGE_GAMES} {seed}"
        how["seed"] = seed + 2 * number
        found = deckcheck.tune(base, **how)
        if found.is_new:
            yield check_promise(found, [base], seed + 1, kept / f"tune {number}")
        found = deckcheck.build(FORMAT, factions=[str(base.faction)], **how)
        yield check_promise(found, [], seed + 1, kept / f"build {number}")


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
    fresh = found.validation.field
    promised: Estimate = fresh.win_rates[-1]
    if base:
        gain = fresh.differences[0]
        promised = Estimate(gain.value, gain.interval, found.validation.games)
        by_judge = judged.lead(deck.name, base[0].name)
    else:
        rate = judged.standings()[0]
        by_judge = Estimate(rate.win_rate, rate.interval, rate.games)
    figure, error = found.bot_error_figure, found.bot_error
    # Of a new version of a bot, the error is not measured yet.
    points = error.points if error is not None and error.figure == figure else 0.0
    return Promise(deck.name, promised, by_judge, figure, points / 100)
