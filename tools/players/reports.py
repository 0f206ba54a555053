"""The tables about players, in Markdown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from deckcheck.policies.registry import read_policy
from deckcheck.stats import Estimate
from deckcheck.stats.ratings import RatedPairing, bradley_terry
from tools.players.meeting import (
    Meeting,
    all_pairs,
    meet,
    random_pairs,
    sample_decks,
)

__all__ = ["POOL", "budgets", "cross", "decks"]

POOL = (
    "random",
    "sane_random",
    "heuristic-1",
    "heuristic",
    "learned-1",
    "learned",
    "search:256",
)
BUDGETS = (16, 64, 256, 1024)
RIVALS = ("heuristic-1", "learned")
SLOWNESS = 64  # playouts for which a pair of games counts as many


def cross(pairs: int, seed: int, at_random: bool) -> Iterator[str]:
    """Everybody against everybody, and a rating of each."""
    met = {
        (a, b): _meeting(a, b, pairs, seed, at_random) for a, b in combinations(POOL, 2)
    }
    yield "| | " + " | ".join(_name(b) for b in POOL[:-1]) + " |"
    yield "|---|" + "---:|" * (len(POOL) - 1)
    for i, a in reversed(list(enumerate(POOL))):
        if i:
            cells = [_percent(met[b, a].score.opposite()) for b in POOL[:i]]
            blank = [""] * (len(POOL) - 1 - i)
            yield f"| {_name(a)} | " + " | ".join(cells + blank) + " |"
    yield ""
    yield "| | rating | games |"
    yield "|---|---:|---:|"
    for a, rating in sorted(_ratings(met).items(), key=lambda each: -each[1].value):
        reach = (rating.interval.high - rating.interval.low) / 2
        yield f"| {_name(a)} | {rating.value:+.0f} ± {reach:.0f} | {rating.games:,} |"


def budgets(pairs: int, seed: int) -> Iterator[str]:
    """How the strength of `search` grows with its budget."""
    yield "| | " + " | ".join(f"against {_name(b)}" for b in RIVALS) + " | games/s |"
    yield "|---|" + "---:|" * (len(RIVALS) + 1)
    for budget in BUDGETS:
        a = f"search:{budget}"
        met = [_meeting(a, b, pairs, seed, False) for b in RIVALS]
        own = _meeting(a, a, max(pairs // 32, 2), seed, False)
        cells = [_percent(each.score) for each in met]
        yield f"| {_name(a)} | " + " | ".join(cells) + f" | {own.rate:.1f} |"


def decks(players: Sequence[str], pairs: int, seed: int) -> Iterator[str]:
    """How the sample decks do when everybody plays as one of `players` does."""
    rates = {}
    for player in players:
        met = _meeting(player, player, pairs, seed, False)
        rates[player] = met.by_deck[:, 0] / (4 * met.by_deck[:, 1])
    yield "| | " + " | ".join(_name(player) for player in players) + " |"
    yield "|---|" + "---:|" * len(players)
    for number in np.argsort(-rates[players[0]]):
        cells = [f"{100 * rates[player][number]:.1f}%" for player in players]
        yield f"| {sample_decks()[number].name} | " + " | ".join(cells) + " |"
    for one, other in combinations(players, 2):
        apart = 100 * float(np.sqrt(np.mean((rates[one] - rates[other]) ** 2)))
        alike = float(np.corrcoef(rates[one], rates[other])[0, 1])
        yield ""
        yield (
            f"{_name(one)} and {_name(other)}: {apart:.1f} points apart "
            f"(root mean square), correlation {alike:.2f}."
        )


def _meeting(a: str, b: str, pairs: int, seed: int, at_random: bool) -> Meeting:
    """Fewer pairs where somebody searches."""
    slow = sum(read_policy(name).budget for name in (a, b)) / SLOWNESS
    pairs = max(int(pairs / max(slow, 1)), 2)
    if at_random:
        sheets = random_pairs(seed, pairs)
        order = [(2 * i, 2 * i + 1) for i in range(pairs)]
    else:
        sheets, order = list(sample_decks()), all_pairs(seed, pairs)
    met = meet(a, b, sheets, order, seed)
    told = f"{a} against {b}: {_percent(met.score)}, {met.rate:.1f} games/s"
    print(told, file=sys.stderr, flush=True)
    return met


def _ratings(met: Mapping[tuple[str, str], Meeting]) -> dict[str, Estimate]:
    found = [
        RatedPairing(
            POOL.index(a),
            POOL.index(b),
            each.score.value,
            each.variance,
            2 * each.pairs,
        )
        for (a, b), each in met.items()
    ]
    return dict(zip(POOL, bradley_terry(len(POOL), found).ratings, strict=True))


def _name(player: str) -> str:
    spec, _, rest = player.partition(" ")
    return f"`{spec}` {rest}".strip()


def _percent(score: Estimate) -> str:
    reach = 50 * (score.interval.high - score.interval.low)
    return f"{100 * score.value:.1f} ± {reach:.1f}"
