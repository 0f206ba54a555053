"""Let a searching bot check what `tune` and `build` promise of their decks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

import deckcheck
from deckcheck.decks import Deck
from deckcheck.sim.workers import usable_cores
from deckcheck.stats.combinations import Estimate
from deckcheck.studies.search.result import FoundDeck
from tools.players.families import FORMAT, draw_decks

JUDGE = "search:64"
JUDGE_GAMES = 100
"""Games of each deck against each deck of the reference field, by the judge."""
RANDOM_SEED = 404
PROMISE_COUNT = 10
"""How many random decks `tune` changes, and how many decks `build` finds."""


@dataclass(frozen=True)
class Promise:
    """A win rate or a gain, in fresh games by the bot of a search, and by the judge."""

    deck: str
    promised: Estimate
    judged: Estimate

    @property
    def excess(self) -> float:
        """How much more was promised than the judge finds, -1 to 1."""
        return self.promised.value - self.judged.value

    @property
    def is_kept(self) -> bool:
        """Whether both agree within the margins of both."""
        return abs(self.excess) <= hypot(*map(get_margin, (self.promised, self.judged)))

    def __str__(self) -> str:
        figures = [
            f"{100 * estimate.value:.1f} ± {100 * get_margin(estimate):.1f}"
            for estimate in (self.promised, self.judged)
        ]
        return " | ".join([self.deck, *figures, "yes" if self.is_kept else "no"])


def get_margin(estimate: Estimate) -> float:
    """Return half of the length of an interval."""
    return (estimate.interval.high - estimate.interval.low) / 2


def check_promises(seed: int, folder: Path) -> Iterator[str]:
    """Yield a table of promises, and how many are kept. Games are kept in `folder`."""
    yield f"| deck | promised | by `{JUDGE}` | kept |"
    yield "|---|---:|---:|---|"
    promises = []
    for promise in list_promises(seed, folder):
        promises.append(promise)
        yield f"| {promise} |"
    kept = sum(promise.is_kept for promise in promises)
    mean = 100 * sum(promise.excess for promise in promises) / len(promises)
    yield f"{kept} of {len(promises)} are kept. The mean excess is {mean:+.1f} points."


def list_promises(seed: int, folder: Path) -> Iterator[Promise]:
    """Yield the gain of each deck by `tune`, and the win rate of each by `build`.

    `tune` begins with random decks, `build` with their factions. Where `tune` finds
    nothing better it promises nothing.
    """
    how: dict[str, Any] = {"cross_check": "none", "jobs": usable_cores()}
    for number, base in enumerate(draw_decks((), RANDOM_SEED, PROMISE_COUNT)):
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
    if base:
        gain = fresh.differences[0]
        promised = Estimate(gain.value, gain.interval, found.validation.games)
        return Promise(deck.name, promised, judged.lead(deck.name, base[0].name))
    rate = judged.standings()[0]
    return Promise(
        deck.name,
        fresh.win_rates[-1],
        Estimate(rate.win_rate, rate.interval, rate.games),
    )
