"""Measure how far the win rates by a bot are from those by a reference.

Its strength against rules of thumb is beside it.

The decks of a family meet each other, played by the same bot on both sides. The
distance is the root mean square of the differences between win rates, in percentage
points, over all matchups, without the part that is due to the number of games.

In duels of Gwent no bot plays all decks best. So in the reference each deck is played
by the one of `PILOTS` that wins more with it against the other decks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import deckcheck
from deckcheck import SimulationResult
from deckcheck.decks import Deck
from deckcheck.policies.registry import policy_cost, policy_label
from deckcheck.sim.workers import usable_cores
from deckcheck.stats import Interval
from deckcheck.stats.intervals import student_quantile
from tools.players.families import BUILT_FAMILIES, FAMILIES, FORMAT, read_family

PILOTS = ("learned", "search:256")
"""The bots of which the better one plays a deck in the reference."""
OPPONENT = "heuristic"
"""The bot that measures the strength of the others."""
CURVE = ("heuristic", "learned", "learned-3", "learned-1", "search:64")
TABLE_REFERENCE = "search:64"
"""The reference where games are not duels of Gwent, and take longer."""
MIN_GAMES, REFERENCE_GAMES = 20, 50
"""Games of each matchup by a slow bot, and by the reference."""

ROOT = Path(__file__).resolve().parents[2]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MatchupTable:
    """The win rates of all matchups as a bot plays them, 0 to 1, and their variances.

    Each matchup stands once, with the rate of its earlier deck.
    """

    rates: Floats
    variances: Floats

    def join(self, other: MatchupTable) -> MatchupTable:
        """Return a table with the matchups of both."""
        return MatchupTable(
            np.concatenate([self.rates, other.rates]),
            np.concatenate([self.variances, other.variances]),
        )


def count_games(bot: str, games: int) -> int:
    """Return the games of a matchup that take as long as `games` by rules of thumb."""
    return max(MIN_GAMES, games // policy_cost(bot, rates_moves=True))


def play_family(
    decks: Sequence[Deck],
    bots: str | Sequence[str],
    games: int,
    seed: int,
    run: Path | None = None,
) -> MatchupTable:
    """Let each pair of decks play this number of games, kept in the folder `run`.

    `bots` is the bot of all decks, or has a bot for each deck.
    """
    result = deckcheck.simulate(
        *decks,
        format=FORMAT,
        games=games,
        policies=bots,
        cross_check="none",
        seed=seed,
        run=run,
        jobs=usable_cores(),
    )
    return make_table([result])


@dataclass(frozen=True)
class PilotTable:
    """The win rates of all matchups as each pair of pilots plays them.

    Both arrays have a row and a column for each deck as the first pilot plays it, then
    for each deck as the second pilot does, and the rates are those of the row. Decks do
    not meet themselves as the same pilot plays them: these entries are `nan`.
    """

    rates: Floats
    variances: Floats
    pilots: int
    """The number of pilots."""

    @property
    def decks(self) -> int:
        """The number of decks."""
        return len(self.rates) // self.pilots

    def choose_pilot(self, deck: int, opponent: int) -> int:
        """Return the pilot that wins most with a deck, without a look at one opponent.

        The games against that opponent have no part in the choice, so they are not
        better than others for having led to it.
        """
        rates = self.rates.reshape(self.pilots, self.decks, self.pilots, self.decks)
        rates = np.delete(rates, opponent, axis=3)[:, deck]
        return int(np.nanmean(rates, axis=(1, 2)).argmax())

    def make_reference(self) -> tuple[MatchupTable, list[tuple[int, int]]]:
        """Return the table in which the better pilot plays each deck, and who plays.

        The second value has the pilots of both decks for each matchup.
        """
        chosen = [
            (self.choose_pilot(one, other), self.choose_pilot(other, one))
            for one, other in combinations(range(self.decks), 2)
        ]
        return self._select(chosen), chosen

    def select_pilot(self, pilot: int) -> MatchupTable:
        """Return the table in which one pilot plays all decks."""
        return self._select([(pilot, pilot)] * (self.decks * (self.decks - 1) // 2))

    def _select(self, pilots: Sequence[tuple[int, int]]) -> MatchupTable:
        """Return the matchups of all pairs of decks as pairs of pilots play them."""
        decks = np.array([*combinations(range(self.decks), 2)])
        rows, columns = (np.array(pilots) * self.decks + decks).T
        return MatchupTable(self.rates[rows, columns], self.variances[rows, columns])


def play_pilots(
    decks: Sequence[Deck], pilots: Sequence[str], games: int, seed: int, run: Path
) -> PilotTable:
    """Let each deck meet each other, by each pair of pilots, kept in the folder `run`.

    Every matchup has this number of games.
    """
    seats = []
    for pilot in pilots:
        seats += [replace(deck, name=f"{deck.name} ({pilot})") for deck in decks]
    bots = [pilot for pilot in pilots for _ in decks]
    table = play_family(seats, bots, games, seed, run)
    rates = np.full((len(seats), len(seats)), np.nan)
    variances = rates.copy()
    rows, columns = np.triu_indices(len(seats), 1)
    rates[rows, columns], rates[columns, rows] = table.rates, 1 - table.rates
    variances[rows, columns] = variances[columns, rows] = table.variances
    return PilotTable(rates, variances, len(pilots))


def make_table(results: Sequence[SimulationResult]) -> MatchupTable:
    """Collect the shares of all seats but the last seat, which has the rest."""
    seats = [
        performance
        for result in results
        for table in result.tables
        for performance in table.performances[:-1]
    ]
    variances = [seat.variance / (sum(seat.scores) - 1) for seat in seats]
    return MatchupTable(
        np.array([seat.share.value for seat in seats]), np.array(variances)
    )


def measure_strength(
    decks: Sequence[Deck], bot: str, games: int, seed: int
) -> tuple[float, float]:
    """Return the share that a bot wins against OPPONENT, and its margin for 95%.

    Each deck meets each other deck, played by either bot.
    """
    results = [
        deckcheck.simulate(
            *pair,
            format=FORMAT,
            games=games,
            policies=[bot, OPPONENT],
            cross_check="none",
            seed=seed,
        )
        for pair in permutations(decks, 2)
    ]
    table = make_table(results)
    error = float(np.sqrt(table.variances.sum())) / len(results)
    return float(table.rates.mean()), student_quantile(0.95, len(results)) * error


def measure_distance(
    table: MatchupTable, reference: MatchupTable
) -> tuple[float, Interval]:
    """Return the root mean square of the true differences, with its 95% interval.

    Both are from 0 to 1, and the tables must be of different games. The square of an
    observed difference is too large by the variances of both rates, which are known.
    The rest is averaged over matchups, whose scatter gives the interval.
    """
    squares = (table.rates - reference.rates) ** 2
    squares -= table.variances + reference.variances
    mean = float(squares.mean())
    error = float(squares.std(ddof=1)) / len(squares) ** 0.5
    reach = student_quantile(0.95, len(squares) - 1) * error
    low, high = (float(np.sqrt(max(0.0, mean + by))) for by in (-reach, reach))
    return float(np.sqrt(max(0.0, mean))), Interval(low, high)


def drop_same_games(
    table: MatchupTable,
    reference: MatchupTable,
    chosen: Sequence[tuple[int, int]],
    pilot: int,
) -> tuple[MatchupTable, MatchupTable]:
    """Return both tables without noise where they hold the same games of a pilot."""
    same = (np.array(chosen) == pilot).all(axis=1)
    tables = [
        MatchupTable(part.rates, np.where(same, 0.0, part.variances))
        for part in (table, reference)
    ]
    return tables[0], tables[1]


def write_distance(table: MatchupTable, reference: MatchupTable) -> str:
    """Write two cells: the distance in points, and the largest observed difference."""
    distance, (low, high) = measure_distance(table, reference)
    largest = float(np.abs(table.rates - reference.rates).max())
    interval = f"{100 * low:.1f} to {100 * high:.1f}"
    return f"{100 * distance:.1f} ({interval}) | {100 * largest:.0f}"


# -----------------------------------------------------------------------------
# Duels of Gwent, by families of decks


def measure_families(games: int, seed: int, folder: Path) -> Iterator[str]:
    """Yield a table for each family, with a row for each bot.

    The first rows are the pilots of the reference in its own games, with their shares
    of its seats. These games are kept in `folder` and not played again. At the end
    stand the distances for decks that people built and for all others, which are those
    of `deckcheck.sim.bot_errors`.
    """
    joint: dict[tuple[str, str], tuple[MatchupTable, MatchupTable]] = {}
    labels = " and ".join(map(policy_label, PILOTS))
    for family in FAMILIES:
        decks = read_family(family)
        run = folder / f"{family} {labels} {REFERENCE_GAMES} {seed}"
        pilots = play_pilots(decks, PILOTS, REFERENCE_GAMES, seed + 1, run)
        reference, chosen = pilots.make_reference()
        yield f"| {family} | points from the best | at most | against `{OPPONENT}` |"
        yield "|---|---:|---:|---:|"
        yield from compare_pilots(pilots, reference, chosen)
        for bot in CURVE:
            bot_games = count_games(bot, games)
            table = play_family(decks, bot, bot_games, seed)
            kind = "like known decks" if family in BUILT_FAMILIES else "unlike them"
            both = table, reference
            if (kind, bot) in joint:
                earlier, earlier_reference = joint[kind, bot]
                both = earlier.join(table), earlier_reference.join(reference)
            joint[kind, bot] = both
            strength = ""
            if bot != OPPONENT:
                meetings = max(MIN_GAMES, bot_games // len(decks))
                share, margin = measure_strength(decks, bot, meetings, seed)
                strength = f"{100 * share:.1f} ± {100 * margin:.1f}%"
            yield f"| `{bot}` | {write_distance(table, reference)} | {strength} |"
        yield ""
    for (kind, bot), tables in joint.items():
        yield f"| decks {kind} | `{bot}` | {write_distance(*tables)} |"


def compare_pilots(
    pilots: PilotTable, reference: MatchupTable, chosen: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """Yield a row for each pilot of a reference, if it played all decks alone."""
    for number, pilot in enumerate(PILOTS):
        share = float((np.array(chosen) == number).mean())
        tables = pilots.select_pilot(number), reference
        cells = write_distance(*drop_same_games(*tables, chosen, number))
        yield f"| `{pilot}`, {100 * share:.0f}% of the seats | {cells} | |"


# -----------------------------------------------------------------------------
# The other ways to play that a bot can search in


class Field(NamedTuple):
    """Runs of sample decks in a format that is not a duel of Gwent."""

    name: str
    format: str
    runs: Sequence[Sequence[str]]
    games: int
    """The games of each run by the reference."""

    def play(self, bot: str, games: int, seed: int) -> list[SimulationResult]:
        """Let each run be played by the same bot in all seats."""
        how: dict[str, Any] = {"format": self.format, "policies": bot}
        how |= {"games": games, "seed": seed, "cross_check": "none"}
        return [deckcheck.simulate(*run, **how) for run in self.runs]


def list_fields() -> list[Field]:
    """Return a small field of each of the other ways to play."""
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


def measure_fields(games: int, seed: int) -> Iterator[str]:
    """Yield the rows of a table: the same distance in other ways to play."""
    yield f"| | shares | bot | points from `{TABLE_REFERENCE}` | at most |"
    yield "|---|---:|---|---:|---:|"
    for field in list_fields():
        reference = make_table(field.play(TABLE_REFERENCE, field.games, seed + 1))
        for bot in ("heuristic", "learned"):
            results = field.play(bot, games, seed)
            if results[0].stand_ins:
                continue
            table = make_table(results)
            cells = f"{len(table.rates)} | `{bot}` | {write_distance(table, reference)}"
            yield f"| {field.name} | {cells} |"
