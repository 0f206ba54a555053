"""Players meet with many decks, in game pairs of games at one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from time import process_time

import numpy as np

from deckcheck import parse, read
from deckcheck.decks import Deck
from deckcheck.formats import Format, database_of, load_format
from deckcheck.generating import Generator
from deckcheck.playing.kernel import GameOutcome, Ints, ListedGame
from deckcheck.playing.table import Table, play_listed, seat, set_table
from deckcheck.stats import Estimate, mean_score, mean_score_interval
from deckcheck.validation import Validator

__all__ = ["Meeting", "all_pairs", "meet", "random_pairs", "sample_decks"]

ROOT = Path(__file__).resolve().parents[2]
FORMAT = "gwent/standard"
PAIR = 2
AT_ONCE = 16  # pairs of games in one call
HALF_POINTS = 5  # a pair brings 0 to 4


@dataclass(frozen=True)
class Meeting:
    """What player `a` came to against `b`.

    `counts[i]` says in how many pairs of games `a` got `i` half-points, `by_deck` the
    sum of half-points and the pairs of each deck of `a`, `seconds` is time of one core.
    """

    a: str
    b: str
    counts: tuple[int, ...]
    by_deck: Ints
    seconds: float

    @property
    def pairs(self) -> int:
        """The game pairs played."""
        return sum(self.counts)

    @property
    def score(self) -> Estimate:
        """The share of `a`, 0 to 1."""
        interval = mean_score_interval(self.counts)
        return Estimate(mean_score(self.counts), interval, PAIR * self.pairs)

    @property
    def variance(self) -> float:
        """The variance of the score."""
        shares = np.repeat(np.arange(HALF_POINTS) / (HALF_POINTS - 1), self.counts)
        return float(shares.var()) / max(len(shares) - 1, 1)

    @property
    def rate(self) -> float:
        """Games per second."""
        return PAIR * self.pairs / max(self.seconds, 1e-9)


@cache
def sample_decks() -> tuple[Deck, ...]:
    """The sample decks of the format."""
    return tuple(read(ROOT / "decks" / FORMAT))


def all_pairs(seed: int, count: int) -> list[tuple[int, int]]:
    """`count` ordered pairs of sample decks: all of them in turn, shuffled."""
    decks = range(len(sample_decks()))
    pairs = [(a, b) for a in decks for b in decks]
    Random(seed).shuffle(pairs)
    return [pairs[i % len(pairs)] for i in range(count)]


def random_pairs(seed: int, count: int) -> list[Deck]:
    """Return `2 * count` random legal decks, of the generator of `generate`."""
    generator = Generator(load_format(FORMAT), Validator(FORMAT))
    return [parse(generator.draw_file(seed, number)) for number in range(PAIR * count)]


def meet(
    a: str,
    b: str,
    decks: Sequence[Deck],
    pairs: Sequence[tuple[int, int]],
    seed: int,
) -> Meeting:
    """Let `a` play the first deck of each pair against `b` with the second.

    Each pair is played twice, with either beginning.
    """
    table = _table(a, b, decks, sorted(set(pairs)))
    place = {pair: i for i, pair in enumerate(sorted(set(pairs)))}
    games = np.zeros((PAIR * len(pairs), len(ListedGame)), np.int64)
    games[:, ListedGame.CONTEXT] = np.repeat([place[pair] for pair in pairs], PAIR)
    games[:, ListedGame.COUNTER] = np.repeat(np.arange(len(pairs)), PAIR)
    games[:, ListedGame.BEGINNER] = np.tile(np.arange(PAIR), len(pairs))
    play_listed(table, seed, games[:1])
    start = process_time()
    parts = [
        play_listed(table, seed, games[first : first + PAIR * AT_ONCE])
        for first in range(0, len(games), PAIR * AT_ONCE)
    ]
    seconds = process_time() - start
    shares = _half_points(np.concatenate(parts))
    by_deck = np.zeros((len(decks), 2), np.int64)
    for (deck, _), share in zip(pairs, shares.tolist(), strict=True):
        by_deck[deck] += (share, 1)
    counts = np.bincount(shares, minlength=HALF_POINTS)
    return Meeting(a, b, tuple(counts.tolist()), by_deck, seconds)


def _half_points(outcomes: Ints) -> Ints:
    """What the first seat got in each pair of games."""
    first, second = outcomes[:, GameOutcome.PLACE], outcomes[:, GameOutcome.PLACE + 1]
    points: Ints = 1 + np.sign(second - first)
    return points[0::2] + points[1::2]


def _table(
    a: str, b: str, decks: Sequence[Deck], pairs: Sequence[tuple[int, int]]
) -> Table:
    """One table with a context for each pair of decks."""
    fmt: Format = load_format(FORMAT)
    tables = [
        set_table(fmt, database_of(fmt), [seat(decks[i], a), seat(decks[j], b)])
        for i, j in pairs
    ]
    contexts = tuple(context for table in tables for context in table.contexts)
    return replace(tables[0], contexts=contexts)
