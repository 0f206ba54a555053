"""How far the figures by a bot are from those by the best bots known.

An interval holds the sampling error alone. `python -m tools.players` measures the error
of the bot, in families of decks: how well a bot plays depends on the decks, and least
is known of decks unlike those that people build. With `--promises` it measures the
error for decks that a search finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from math import hypot, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.codes import decode
from deckcheck.stats import Interval

__all__ = [
    "ERROR_MARGIN",
    "BotError",
    "BotErrorFigure",
    "compare_with_known_decks",
    "find_bot_error",
]

KNOWN_DECKS = Path(__file__).parent / "known_decks.txt"
"""Share codes of decks that people built: the sample decks of `gwent/standard`, and the
lists of lineups and tournaments."""

KNOWN_GAME = "gwent"
LIKE_KNOWN_DECKS = 0.6
"""A deck with this share of its cards in one known deck is like the known decks. Known
decks have at least 0.61 in another one, random decks at most 0.52, tuned decks at most
0.68, lopsided decks at most 0.62."""

REFERENCE_FIELD_SIZE = 10
"""The opponents of the decks whose gains and win rates were measured."""
ERROR_MARGIN = NormalDist().inv_cdf(0.975)
"""Half of the length of a 95% interval of a normal error, in root mean squares."""


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
    spread: float = 0.0
    """The standard deviation of a deck's errors against its opponents, in percentage
    points. 0 for a matchup.
    """

    def widen(
        self, value: float, interval: Interval, shares: Sequence[float]
    ) -> Interval:
        """Return the interval of a `value` of this figure that holds both errors.

        `interval` holds the sampling error, and the error of the bot is about normal
        and independent of it. All are win rates or their differences, 0 to 1. `shares`
        has the share of each opponent. The error is larger against few opponents.

        >>> figure = BotErrorFigure.WIN_RATE
        >>> error = BotError(2.0, 1.0, 3.0, "built decks", figure, spread=4.0)
        >>> for shares in ([0.1] * 10, [1.0]):
        ...     low, high = error.widen(0.6, Interval(0.58, 0.62), shares)
        ...     print(f"{low:.3f} to {high:.3f}")
        0.556 to 0.644
        0.514 to 0.686
        """
        concentration = sum(share**2 for share in shares) - 1 / REFERENCE_FIELD_SIZE
        error = sqrt(self.points**2 + self.spread**2 * concentration) / 100
        low = value - hypot(value - interval.low, ERROR_MARGIN * error)
        high = value + hypot(interval.high - value, ERROR_MARGIN * error)
        least = -1.0 if self.figure is BotErrorFigure.GAIN else 0.0
        return Interval(max(least, low), min(1.0, high))

    def __str__(self) -> str:
        interval = f"95% CI {self.low:.1f} to {self.high:.1f}"
        words = f"about {self.points:.1f} percentage points ({interval})"
        match self.figure:
            case BotErrorFigure.MATCHUP:
                return f"{words} in a matchup of {self.decks}"
            case BotErrorFigure.GAIN:
                return (
                    f"{words} in the gain of {self.decks} against the reference field"
                )
            case BotErrorFigure.WIN_RATE:
                return (
                    f"{words} in the win rate of {self.decks} against the reference "
                    "field"
                )


SAMPLES = "sample decks"
LIKE, UNLIKE = "decks like the sample decks", "decks unlike the sample decks"

DUEL_ERRORS: Mapping[str, tuple[BotError, BotError]] = {
    "learned-6": (BotError(3.4, 0.0, 5.3, LIKE), BotError(2.1, 0.5, 3.8, UNLIKE)),
    "heuristic-3": (BotError(6.6, 5.5, 7.9, LIKE), BotError(6.0, 4.6, 7.6, UNLIKE)),
}
"""From the better of `learned` and `search:256` for each deck, for decks that are like
the known decks, and for others."""

FOUND_DECK_ERRORS: Mapping[str, tuple[BotError, BotError]] = {
    "learned-6": (
        BotError(2.6, 1.8, 3.8, "tuned decks", BotErrorFigure.GAIN, spread=1.6),
        BotError(1.8, 1.0, 3.1, "built decks", BotErrorFigure.WIN_RATE, spread=4.1),
    ),
}
"""From `search:64`, for decks that the bot found against the reference field."""

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
    game: str,
    play: str,
    bot: str,
    known_share: float | None,
    figure: BotErrorFigure = BotErrorFigure.MATCHUP,
) -> BotError | None:
    """Return the measured error of a bot, or None where it was not measured.

    `play` is the word of the format's seating, and `known_share` the result of
    `compare_with_known_decks`. Where the error of a `figure` was not measured, the
    error of a matchup is returned.

    >>> str(find_bot_error("gwent", "solo", "heuristic-3", None))
    'about 7.5 percentage points (95% CI 5.1 to 9.2) in a matchup of sample decks'
    """
    if (game, play) != (KNOWN_GAME, "duel"):
        return OTHER_ERRORS.get((game, play, bot))
    for error in FOUND_DECK_ERRORS.get(bot, ()):
        if error.figure == figure:
            return error
    if bot not in DUEL_ERRORS or known_share is None:
        return None
    like, unlike = DUEL_ERRORS[bot]
    return like if known_share >= LIKE_KNOWN_DECKS else unlike


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
