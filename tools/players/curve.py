"""How far the win rates of a player are from those of a reference, against its speed.

Every deck of a field meets every other one, played by the same player on both sides.
The distance is the root mean square of the differences between win rates, in points,
over all matchups, without the part that is due to the number of games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt

import deckcheck
from deckcheck import SimulationResult
from deckcheck.decks import Deck
from deckcheck.policies.registry import policy_cost
from deckcheck.sim.workers import usable_cores
from deckcheck.stats import Interval
from deckcheck.stats.intervals import student_quantile

REFERENCE = "search:256"
CURVE = ("heuristic-1", "heuristic", "learned", "learned-2", "learned-1", "search:64")
OTHER_REFERENCE = "search:64"
"""Where games are not duels of Gwent, and take longer."""
FEWEST, OF_REFERENCE = 20, 50
"""Games of each matchup, of a player however slow it is."""

ROOT = Path(__file__).resolve().parents[2]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MatchupTable:
    """The win rates of all matchups as a player plays them, and their variances."""

    player: str
    rates: Floats
    variances: Floats
    games_per_second: float


def played(
    decks: Sequence[Deck], player: str, games: int, seed: int, fewest: int = FEWEST
) -> MatchupTable:
    """Let each pair of decks play; `games` are those of each matchup by rules of thumb.

    Slower players play fewer, so that each takes about as long.
    """
    games = max(fewest, games // policy_cost(player, rates_moves=True))
    how: dict[str, Any] = {"policies": [player], "seed": seed, "cross_check": "none"}
    deckcheck.simulate(*decks[:2], games=2, jobs=1, **how)
    start = process_time()
    alone = deckcheck.simulate(*decks[:2], games=games, jobs=1, **how)
    seconds = process_time() - start
    result = deckcheck.simulate(*decks, games=games, jobs=usable_cores(), **how)
    return _table(player, [result], alone.games_played / seconds)


def _table(
    player: str, results: Sequence[SimulationResult], games_per_second: float = 0.0
) -> MatchupTable:
    """Of all seats but the last one at each table, which has what is left."""
    own = [
        performance
        for result in results
        for table in result.tables
        for performance in table.performances[:-1]
    ]
    return MatchupTable(
        player,
        np.array([performance.share.value for performance in own]),
        np.array([each.variance / (sum(each.scores) - 1) for each in own]),
        games_per_second,
    )


def distance(own: MatchupTable, reference: MatchupTable) -> tuple[float, Interval]:
    """The root mean square of the true differences, with its 95% interval, 0 to 1.

    Both tables must be of games of their own. The square of an observed difference is
    too large by the variances of both rates, which are known; what is left is averaged
    over matchups, whose scatter gives the interval.
    """
    squares = (own.rates - reference.rates) ** 2 - own.variances - reference.variances
    mean = float(squares.mean())
    error = float(squares.std(ddof=1)) / len(squares) ** 0.5
    reach = student_quantile(0.95, len(squares) - 1) * error
    low, high = (float(np.sqrt(max(0.0, mean + by))) for by in (-reach, reach))
    return float(np.sqrt(max(0.0, mean))), Interval(low, high)


class Field(NamedTuple):
    """What is not a duel of Gwent: runs of decks, and games of the reference each."""

    name: str
    format: str
    runs: Sequence[Sequence[str]]
    games: int

    def results(self, player: str, games: int, seed: int) -> list[SimulationResult]:
        """Let each run be played by the same player in all seats."""
        how: dict[str, Any] = {"policies": [player], "format": self.format}
        how |= {"games": games, "seed": seed, "cross_check": "none"}
        how["jobs"] = usable_cores()
        return [deckcheck.simulate(*decks, **how) for decks in self.runs]


def other_fields() -> list[Field]:
    """Small fields of the other ways to play that a player can search in."""
    duels, solo, teams, decks = (
        sorted(map(str, (ROOT / "decks" / folder).glob("*.deck")))
        for folder in (
            "sg_gwint/approximation",
            "gwent/solo",
            "gwent/two_vs_two",
            "gwent/standard",
        )
    )
    threes = [*combinations(decks[::3], 3)]
    return [
        Field("SG Gwint", "sg_gwint/approximation", [duels], 80),
        Field("Gwent, solo", "gwent/solo", [solo], 400),
        Field("Gwent, three at a table", "gwent/free_for_all", threes, 90),
        Field("Gwent, two against two", "gwent/two_vs_two", [teams], 240),
    ]


def others(games: int, seed: int) -> Iterator[str]:
    """The same distance in other ways to play, of each player that knows them."""
    yield f"| | shares | player | points from `{OTHER_REFERENCE}` | at most |"
    yield "|---|---:|---|---:|---:|"
    for field in other_fields():
        reference = _table("", field.results(OTHER_REFERENCE, field.games, seed + 1))
        for player in ("heuristic", "learned"):
            played = field.results(player, games, seed)
            if played[0].stand_ins:
                continue
            own = _table(player, played)
            apart, (low, high) = distance(own, reference)
            most = float(np.abs(own.rates - reference.rates).max())
            yield (
                f"| {field.name} | {len(own.rates)} | `{player}` | {100 * apart:.1f} "
                f"({100 * low:.1f} to {100 * high:.1f}) | {100 * most:.0f} |"
            )


class Place(NamedTuple):
    """Where a player lies in the drawing."""

    player: str
    games_per_second: float
    distance: float  # in points
    interval: Interval


def curve(
    decks: Sequence[Deck], games: int, seed: int, places: list[Place]
) -> Iterator[str]:
    """A row for each player: its distance from the reference, and its speed.

    What was measured is added to `places`.
    """
    reference = played(decks, REFERENCE, games, seed + 1, OF_REFERENCE)
    yield f"| | points from `{REFERENCE}` | at most | games/s |"
    yield "|---|---:|---:|---:|"
    for player in CURVE:
        own = played(decks, player, games, seed)
        apart, (low, high) = distance(own, reference)
        most = float(np.abs(own.rates - reference.rates).max())
        ends = Interval(100 * low, 100 * high)
        places.append(Place(player, own.games_per_second, 100 * apart, ends))
        yield (
            f"| `{player}` | {100 * apart:.1f} ({100 * low:.1f} to {100 * high:.1f}) | "
            f"{100 * most:.0f} | {own.games_per_second:,.0f} |"
        )


def draw(fields: Mapping[str, Sequence[Place]], file: Path) -> None:
    """Write a drawing: distance against speed, each field of decks in a colour."""
    figure, axes = plt.subplots(figsize=(7, 4.2))
    for name, places in fields.items():
        speeds = [place.games_per_second for place in places]
        apart = [place.distance for place in places]
        reaches = [
            [place.distance - place.interval.low for place in places],
            [place.interval.high - place.distance for place in places],
        ]
        axes.errorbar(speeds, apart, reaches, fmt="o", capsize=3, label=name)
    for player, speed, distance, _ in next(iter(fields.values())):
        axes.annotate(
            player, (speed, distance), xytext=(6, 6), textcoords="offset points"
        )
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("games a second, one core")
    axes.set_ylabel(f"points from {REFERENCE}, root mean square")
    axes.legend()
    figure.tight_layout()
    figure.savefig(file, dpi=120, metadata={"Software": None})
