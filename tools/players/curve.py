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
from dataclasses import dataclass
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
from tools.players.families import BUILT_FAMILIES, FORMAT, read_family

PILOTS = ("learned", "search:256")
"""The bots of which the better one plays a deck in the reference."""
OPPONENT = "heuristic"
"""The bot that measures the strength of the others."""
CURVE = ("heuristic", "learned", "learned-3", "learned-1", "search:64")
TABLE_REFERENCE = "search:64"
"""The reference where games are not duels of Gwent, and take longer."""
MIN_GAMES = 20
"""Games of each matchup by a slow bot."""
FIRST_PILOT_GAMES = 2_000
"""Games of each matchup by the first pilot alone."""
TRIAL_GAMES, FRESH_GAMES = 90, 150
"""Games of each matchup by the second pilot, and more if it may be the better one."""
FORMULA_LEVEL, UNSEEN_ERRORS = 0.98, 1.4
"""The level in the formula of an interval, and the gain of a second pilot, in standard
errors, by which it may be better than seen. So intervals of 95% cover 93 to 100% of
known truths."""

ROOT = Path(__file__).resolve().parents[2]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MatchupTable:
    """The win rates of all matchups as a bot plays them, 0 to 1, and their variances.

    Each matchup stands once, with the rate of its earlier deck.
    """

    rates: Floats
    variances: Floats
    missed: float = 0.0
    """Of a reference, the mean square of differences that it may not have."""


TablePair = tuple[MatchupTable, MatchupTable]
"""The table of a bot, and the reference."""


def count_games(bot: str, games: int) -> int:
    """Return the games of a matchup that take as long as `games` by rules of thumb."""
    return max(MIN_GAMES, games // policy_cost(bot, rates_moves=True))


def play_family(
    decks: Sequence[Deck],
    bots: str | Sequence[str],
    games: int,
    seed: int,
    *,
    run: Path | None = None,
    against: Sequence[Deck] = (),
) -> MatchupTable:
    """Let each pair of decks play this number of games, kept in the folder `run`.

    `bots` is the bot of all decks, or has a bot for each deck. With `against`, other
    decks, they meet these and not each other.
    """
    result = deckcheck.simulate(
        *decks,
        against=[*against],
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
class Pilots:
    """What decks win as the second of PILOTS plays them against the first."""

    first: MatchupTable
    """The table in which the first pilot plays all decks."""
    rates: Floats
    """The win rate of the second pilot with the deck of the row against the deck of the
    column, 0 to 1. A deck does not meet itself: `nan`."""
    variances: Floats

    @property
    def gains(self) -> Floats:
        """How much more the second pilot wins, -1 to 1, as `rates`."""
        by_first = np.full_like(self.rates, np.nan)
        rows, columns = np.triu_indices(len(self.rates), 1)
        by_first[rows, columns] = self.first.rates
        by_first[columns, rows] = 1 - self.first.rates
        return self.rates - by_first

    def choose_seconds(self) -> npt.NDArray[np.bool_]:
        """Return whether the second pilot is the better one for the deck of the row.

        It has to win more by a standard error: between pilots who win as much with a
        deck, a difference in a matchup is no error. The games against the deck of the
        column have no part in the choice, so they are not better than others for having
        led to it.
        """
        gains, variances = np.nan_to_num(self.gains), np.nan_to_num(self.variances)
        others = gains.sum(axis=1, keepdims=True) - gains
        error = np.sqrt(variances.sum(axis=1, keepdims=True) - variances)
        return np.asarray(others > error)

    @property
    def missed(self) -> float:
        """The mean square of differences by gains that are likely not to be seen."""
        means = np.nanmean(self.variances, axis=1) / (len(self.variances) - 1)
        chosen = self.choose_seconds().mean(axis=1)
        return 2 * UNSEEN_ERRORS**2 * float((means * (1 - chosen)).mean())

    def compare(self, table: MatchupTable | None = None) -> TablePair:
        """Return the table of a bot, or of the first pilot, beside the reference.

        In the reference the better pilot plays each deck. Where that is the second for
        both decks of a matchup, what each of them gains is added. The variances are
        those of the difference between both tables.
        """
        rows, columns = np.triu_indices(len(self.rates), 1)
        rates, variances = self.first.rates.copy(), np.zeros(len(rows))
        # How often the games of the first pilot count in the difference.
        uses = np.full(len(rows), 0 if table is None else -1)
        seconds, gains = self.choose_seconds(), self.gains
        for cells, sign in (((rows, columns), 1), ((columns, rows), -1)):
            rates += np.where(seconds[cells], sign * gains[cells], 0.0)
            variances += np.where(seconds[cells], self.variances[cells], 0.0)
            uses += seconds[cells]
        variances += uses**2 * self.first.variances
        if table is None:
            table = MatchupTable(self.first.rates, np.zeros(len(rows)))
        return table, MatchupTable(rates, variances, self.missed)


def play_pilots(
    decks: Sequence[Deck], seed: int, folder: Path, factor: int = 1
) -> Pilots:
    """Let the second pilot play each deck against all others, as the first plays them.

    It plays `factor` times TRIAL_GAMES, and as many times FRESH_GAMES where it has won
    more than the first. All are kept in `folder`.
    """
    trial_games, fresh_games = factor * TRIAL_GAMES, factor * FRESH_GAMES
    first = play_family(decks, PILOTS[0], FIRST_PILOT_GAMES, seed)
    rates, variances = np.full((2, len(decks), len(decks)), np.nan)
    pilots = Pilots(first, rates, variances)
    for number, deck in enumerate(decks):
        others = [*decks[:number], *decks[number + 1 :]]
        bots = [PILOTS[1]] + [PILOTS[0]] * len(others)
        met = np.arange(len(decks)) != number
        run = folder / f"deck {number + 1}"
        trial = play_family([deck], bots, trial_games, seed, run=run, against=others)
        rates[number, met], variances[number, met] = trial.rates, trial.variances
        if np.nanmean(pilots.gains[number]) > 0:
            run = folder / f"deck {number + 1}, fresh"
            fresh = play_family(
                [deck], bots, fresh_games, seed + 1, run=run, against=others
            )
            share = trial_games / (trial_games + fresh_games)
            rates[number, met] += (1 - share) * (fresh.rates - trial.rates)
            variances[number, met] *= share**2
            variances[number, met] += (1 - share) ** 2 * fresh.variances
    return pilots


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
    The rest is averaged over matchups, whose scatter gives the interval, with a level
    that makes up for the skew of squares.
    """
    squares = (table.rates - reference.rates) ** 2
    squares -= table.variances + reference.variances
    mean = float(squares.mean())
    error = float(squares.std(ddof=1)) / len(squares) ** 0.5
    reach = student_quantile(FORMULA_LEVEL, len(squares) - 1) * error
    ends = mean, mean - reach, mean + reach + reference.missed
    distance, low, high = (float(np.sqrt(max(0.0, end))) for end in ends)
    return distance, Interval(low, high)


def join_tables(earlier: TablePair | None, later: TablePair) -> TablePair:
    """Return pairs of tables as a pair with the matchups of both."""
    if earlier is None:
        return later
    one, other = (
        MatchupTable(
            np.concatenate([first.rates, second.rates]),
            np.concatenate([first.variances, second.variances]),
            np.average(
                [first.missed, second.missed],
                weights=[len(first.rates), len(second.rates)],
            ),
        )
        for first, second in zip(earlier, later, strict=True)
    )
    return one, other


def write_distance(table: MatchupTable, reference: MatchupTable) -> str:
    """Write two cells: the distance in points, and the largest observed difference."""
    distance, (low, high) = measure_distance(table, reference)
    largest = float(np.abs(table.rates - reference.rates).max())
    interval = f"{100 * low:.1f} to {100 * high:.1f}"
    return f"{100 * distance:.1f} ({interval}) | {100 * largest:.0f}"


# -----------------------------------------------------------------------------
# Duels of Gwent, by families of decks


def measure_families(
    games: int, seed: int, folder: Path, families: Sequence[str], factor: int
) -> Iterator[str]:
    """Yield a table for each family, with a row for each bot.

    The games of the reference, `factor` times the usual number, are kept in `folder`
    and not played again. At the end stand the distances for decks that people built and
    for all others, as far as their families are measured, and the gains of the second
    pilot by faction. `deckcheck.sim.bot_errors` has the distances by all families.
    """
    joint: dict[tuple[str, str], TablePair] = {}
    gains: dict[str, list[tuple[float, float]]] = {}
    labels = " and ".join(map(policy_label, PILOTS))
    for family in families:
        decks = read_family(family)
        kept = folder / f"{family} {labels} {seed} {factor}"
        pilots = play_pilots(decks, seed + 1, kept, factor)
        for number, deck in enumerate(decks):
            rows = pilots.gains[number], pilots.variances[number]
            gain, noise = (float(np.nanmean(row)) for row in rows)
            by_faction = gains.setdefault(str(deck.faction), [])
            by_faction.append((gain, noise / (len(decks) - 1)))
        yield f"| {family} | points from the best | at most | against `{OPPONENT}` |"
        yield "|---|---:|---:|---:|"
        for bot in CURVE:
            bot_games = count_games(bot, games)
            table = None
            if bot != PILOTS[0]:
                table = play_family(decks, bot, bot_games, seed)
            tables = pilots.compare(table)
            kind = "like known decks" if family in BUILT_FAMILIES else "unlike them"
            joint[kind, bot] = join_tables(joint.get((kind, bot)), tables)
            strength = ""
            if bot != OPPONENT:
                meetings = max(MIN_GAMES, bot_games // len(decks))
                share, margin = measure_strength(decks, bot, meetings, seed)
                strength = f"{100 * share:.1f} ± {100 * margin:.1f}%"
            yield f"| `{bot}` | {write_distance(*tables)} | {strength} |"
        share = 100 * pilots.choose_seconds().mean()
        yield f"| `{PILOTS[1]}`, the better pilot of {share:.0f}% of the decks | | | |"
        yield ""
    for (kind, bot), tables in joint.items():
        yield f"| decks {kind} | `{bot}` | {write_distance(*tables)} |"
    yield ""
    for faction, pairs in sorted(gains.items()):
        mean, noise = np.array(pairs).mean(axis=0)
        margin = student_quantile(0.95, len(pairs)) * (noise / len(pairs)) ** 0.5
        yield f"| {faction} | {len(pairs)} | {100 * mean:+.1f} ± {100 * margin:.1f} |"


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
