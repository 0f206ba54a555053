"""From the tally of a pairing to its matchup, with intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from deckcheck.engine.tally import CHECKSUM_MASK, Field
from deckcheck.sim.result import Matchup, Split
from deckcheck.stats import Estimate, mean_score, mean_score_interval

__all__ = ["checksum_of", "matchup_of", "win_rate_of"]

PAIR_SCORES = 5


def win_rate_of(tally: Any) -> Estimate:
    """Return the win rate of deck a with its interval, from its mirrored pairs."""
    pairs = _pairs(tally)
    return Estimate(mean_score(pairs), mean_score_interval(pairs), 2 * sum(pairs))


def matchup_of(a: str, b: str, tally: Any) -> Matchup:
    """Return the matchup of decks `a` and `b` that `tally` counts."""
    rate = win_rate_of(tally)
    a_starts, b_starts = _split(tally, 0), _split(tally, 1)
    return Matchup(
        a=a,
        b=b,
        games=rate.games,
        wins_a=a_starts.wins_a + b_starts.wins_a,
        wins_b=a_starts.wins_b + b_starts.wins_b,
        draws=a_starts.draws + b_starts.draws,
        win_rate_a=rate.value,
        interval=rate.interval,
        a_starts=a_starts,
        b_starts=b_starts,
        pairs=_pairs(tally),
        rounds_mean=int(tally[Field.ROUNDS]) / rate.games,
        cards_left_a_mean=int(tally[Field.CARDS_LEFT_A]) / rate.games,
        cards_left_b_mean=int(tally[Field.CARDS_LEFT_B]) / rate.games,
        turns_mean=int(tally[Field.TURNS]) / rate.games,
    )


def checksum_of(tallies: Iterable[Any]) -> str:
    """Return the checksum over all games as 12 hex digits; order does not matter."""
    total = sum(int(tally[Field.CHECKSUM]) for tally in tallies)
    return f"{total & CHECKSUM_MASK:012x}"


def _pairs(tally: Any) -> tuple[int, int, int, int, int]:
    first = Field.PAIR_SCORE
    lost, one, two, three, won = (int(n) for n in tally[first : first + PAIR_SCORES])
    return lost, one, two, three, won


def _split(tally: Any, start: int) -> Split:
    wins, losses, draws, games = (
        int(tally[field + start])
        for field in (Field.WINS_A, Field.WINS_B, Field.DRAWS, Field.GAMES)
    )
    counts = (losses, draws, wins)
    if games == 0:
        return Split(0, 0, 0, 0, None, None)
    if games == sum(int(tally[Field.GAMES + i]) for i in range(2)):
        interval = mean_score_interval(_pairs(tally))
    else:
        share = _independent_share(games, int(tally[Field.PAIRS_APART]))
        interval = mean_score_interval([share * n for n in counts])
    return Split(games, wins, losses, draws, mean_score(counts), interval)


def _independent_share(games: int, apart: int) -> float:
    """Return which share of `games` may count as independent.

    A deck that chooses who begins may begin both games of a pair. These are then
    counted as if they always ended alike, the worst case; `apart` games stand alone.
    """
    together = (games - apart) // 2
    return games / (4 * together + apart)
