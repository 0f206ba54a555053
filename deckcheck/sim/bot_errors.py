"""How far the figures by a bot are from those by the best bots known.

An interval holds the sampling error alone, except for the promises of `tune` and
`build`. `python -m tools.players` measures the error of the bot, in families of decks:
how well a bot plays depends on the decks, and least is known of decks unlike those that
people build. With `--promises` it measures the error for decks that a search finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from math import hypot, sqrt
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.codes import decode
from deckcheck.stats import Interval
from deckcheck.stats.intervals import DEFAULT_LEVEL, normal_quantile

__all__ = [
    "FACTION_COUNT",
    "NORMAL_MARGIN",
    "BotError",
    "BotErrorFigure",
    "compare_with_known_decks",
    "find_bot_error",
    "find_gain_error",
    "find_win_rate_error",
]

KNOWN_DECKS = Path(__file__).parent / "known_decks.txt"
"""Share codes of decks that people built: the sample decks of `gwent/standard`, and the
lists of lineups and tournaments."""

KNOWN_GAME = "gwent"
LIKE_KNOWN_DECKS = 0.6
"""A deck with this share of its cards in one known deck is like the known decks. Known
decks have at least 0.61 in another one, random decks at most 0.52, tuned decks at most
0.68, lopsided decks at most 0.62."""

NORMAL_MARGIN = normal_quantile(DEFAULT_LEVEL)
"""Half of the length of a 95% interval, in standard deviations of a normal error."""


class BotErrorFigure(StrEnum):
    """A figure whose error by the bot was measured."""

    MATCHUP = "matchup"
    """The win rate of a deck against another."""
    GAIN = "gain"
    """What a deck that `tune` found wins more than its base against a field."""
    WIN_RATE = "win_rate"
    """What a deck that `build` found wins against a field."""


class BotError(NamedTuple):
    """The root mean square of the errors of a figure, with its 95% interval."""

    points: float
    """Percentage points from the reference."""
    low: float
    high: float
    decks: str
    """The decks for which it was measured, in words."""
    figure: BotErrorFigure = BotErrorFigure.MATCHUP

    def widen(self, value: float, interval: Interval) -> Interval:
        """Return the interval of a `value` of this figure that holds both errors.

        `interval` holds the sampling error, and the error of the bot is about normal
        and independent of it. All are win rates or their differences, 0 to 1.

        >>> error = BotError(3.0, 2.0, 4.0, "tuned decks", BotErrorFigure.GAIN)
        >>> low, high = error.widen(0.1, Interval(0.08, 0.12))
        >>> f"{low:.3f} to {high:.3f}"
        '0.038 to 0.162'
        """
        margin = NORMAL_MARGIN * self.points / 100
        low = value - hypot(value - interval.low, margin)
        high = value + hypot(interval.high - value, margin)
        least = -1.0 if self.figure is BotErrorFigure.GAIN else 0.0
        return Interval(max(least, low), min(1.0, high))

    def __str__(self) -> str:
        interval = f"95% CI {self.low:.1f} to {self.high:.1f}"
        words = f"about {self.points:.1f} percentage points ({interval})"
        match self.figure:
            case BotErrorFigure.MATCHUP:
                return f"{words} in a matchup of {self.decks}"
            case BotErrorFigure.GAIN:
                return f"{words} in this gain"
            case BotErrorFigure.WIN_RATE:
                return f"{words} in this win rate"


SAMPLES = "sample decks"
LIKE, UNLIKE = "decks like the sample decks", "decks unlike the sample decks"

DUEL_ERRORS: Mapping[str, tuple[BotError, BotError]] = {
    "learned-6": (BotError(2.9, 2.1, 3.8, LIKE), BotError(2.1, 0.5, 3.8, UNLIKE)),
    "heuristic-3": (BotError(6.4, 5.4, 7.4, LIKE), BotError(6.0, 4.6, 7.6, UNLIKE)),
}
"""From the better of `learned` and `search:256` for each deck, for decks that are like
the known decks, and for others."""

GAIN_ERRORS: Mapping[tuple[str, str, str], tuple[float, float, float]] = {
    ("gwent", "duel", "learned-6"): (0.17, 0.10, 0.26),
}
"""The error in the gain of a tuned deck from `search:64`, as a share of the gain, with
its interval. A change that gains little changes little for other bots as well.
"""

WIN_RATE_ERRORS: Mapping[tuple[str, str, str], tuple[float, float, float, float]] = {
    ("gwent", "duel", "learned-6"): (2.2, 1.0, 6.0, 4.1),
}
"""The error in the win rate of a built deck from `search:64`, against a field with all
factions in equal shares, with its interval. At last the standard deviation of a deck's
errors against single factions. All are in percentage points.
"""
FACTION_COUNT = 5
"""The number of factions in such a field."""

OTHER_ERRORS: Mapping[tuple[str, str, str], BotError] = {
    ("sg_gwint", "duel", "heuristic-3"): BotError(15.7, 8.5, 20.5, SAMPLES),
    ("sg_gwint", "duel", "learned-6"): BotError(8.6, 0.0, 12.5, SAMPLES),
    ("gwent", "solo", "heuristic-3"): BotError(7.5, 5.1, 9.2, SAMPLES),
    ("gwent", "table", "heuristic-3"): BotError(9.8, 5.7, 12.6, SAMPLES),
    ("gwent", "table", "learned-6"): BotError(20.2, 13.5, 25.1, SAMPLES),
    ("gwent", "teams", "heuristic-3"): BotError(19.8, 0.0, 42.1, SAMPLES),
    ("gwent", "teams", "learned-6"): BotError(8.1, 0.0, 19.9, SAMPLES),
}
"""From `search:64`, by game, way to play and bot. Other decks were not measured."""


def find_bot_error(
    game: str, play: str, bot: str, known_share: float | None
) -> BotError | None:
    """Return the error of a matchup by a bot, or None where it was not measured.

    `play` is the word of the format's seating, and `known_share` the result of
    `compare_with_known_decks`.

    >>> str(find_bot_error("gwent", "solo", "heuristic-3", None))
    'about 7.5 percentage points (95% CI 5.1 to 9.2) in a matchup of sample decks'
    """
    if (game, play) != (KNOWN_GAME, "duel"):
        return OTHER_ERRORS.get((game, play, bot))
    if bot not in DUEL_ERRORS or known_share is None:
        return None
    like, unlike = DUEL_ERRORS[bot]
    return like if known_share >= LIKE_KNOWN_DECKS else unlike


def find_gain_error(game: str, play: str, bot: str, gain: float) -> BotError | None:
    """Return the error of a tuned deck's gain, or None where it was not measured.

    `gain` is the difference of two win rates, -1 to 1.

    >>> find_gain_error("gwent", "duel", "heuristic-3", 0.1)
    """
    shares = GAIN_ERRORS.get((game, play, bot))
    if shares is None:
        return None
    points, low, high = (100 * abs(gain) * share for share in shares)
    return BotError(points, low, high, "tuned decks", BotErrorFigure.GAIN)


def find_win_rate_error(
    game: str, play: str, bot: str, shares: Iterable[float]
) -> BotError | None:
    """Return the error of a built deck's win rate, or None where it was not measured.

    `shares` has the share of each faction in the field. The errors against factions
    differ, so the error is largest against a single faction.

    >>> find_win_rate_error("gwent", "duel", "heuristic-3", [1.0])
    """
    if (game, play, bot) not in WIN_RATE_ERRORS:
        return None
    *ends, spread = WIN_RATE_ERRORS[game, play, bot]
    # In a field with all factions in equal shares the spread is part of the error.
    concentration = sum(share**2 for share in shares) - 1 / FACTION_COUNT
    added = spread**2 * concentration
    points, low, high = (sqrt(max(0.0, end**2 + added)) for end in ends)
    return BotError(points, low, high, "built decks", BotErrorFigure.WIN_RATE)


def compare_with_known_decks(
    decks: Iterable[Deck], database: CardDatabase
) -> float | None:
    """Return the share of its cards that each deck has in common with a known deck.

    It is the share with the known deck that is nearest, and of the deck that is least
    like any, 0 to 1. Returns None for games without known decks.
    """
    if database.game.id != KNOWN_GAME:
        return None
    shares = []
    for deck in decks:
        copies: Counter[int] = Counter()
        for id, count in deck.counts().items():
            if id in database.cards:
                copies[database.cards[id].number] += count
        common = max((copies & known).total() for known in read_known_decks())
        shares.append(common / max(1, copies.total()))
    return min(shares, default=None)


@cache
def read_known_decks() -> tuple[Counter[int], ...]:
    """Return the copies of each card in the known decks, by its permanent number."""
    codes = KNOWN_DECKS.read_text("ascii").split()
    return tuple(Counter(decode(code).cards) for code in codes)
