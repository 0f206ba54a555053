"""How often players blunder, as tables in Markdown, and their worst moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from deckcheck.stats.intervals import student_quantile
from tools.blunders.judging import Verdict, judge
from tools.blunders.kinds import Kind, in_words, kind_of
from tools.blunders.positions import Blunder, Position, decisions, open_position

KEPT = 20  # the worst moves of a player


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision of a player, and what the judge says."""

    game: int
    position: Position
    made: int
    kind: Kind
    verdict: Verdict


def judge_player(player: str, seed: int, count: int) -> Iterator[Judged]:
    """Judge `count` decisions of a player, one after the other."""
    for number, (game, position, made) in enumerate(
        islice(decisions(player, seed), count)
    ):
        states, x = open_position(position)
        kind = kind_of(states[0], x, made)
        yield Judged(game, position, made, kind, judge(position, made, seed + number))


def rate(values: Sequence[float], games: Sequence[int]) -> tuple[float, float]:
    """The mean of `values`, and half its 95 % interval.

    Decisions of the same game depend on each other, so the interval is that of a ratio
    of sums over `games`; of a single game nothing is known but its mean.
    """
    mean = sum(values) / len(values)
    errors: dict[int, float] = {}
    for value, game in zip(values, games, strict=True):
        errors[game] = errors.get(game, 0.0) + value - mean
    count = len(errors)
    if count < 2:
        return mean, 0.0
    variance = sum(error**2 for error in errors.values()) * count / (count - 1)
    return mean, student_quantile(0.95, count - 1) * variance**0.5 / len(values)


def by_player(found: Mapping[str, Sequence[Judged]]) -> Iterator[str]:
    """Blunders and costs of each player."""
    yield "| | decisions | blunders in 1,000 | mean cost in points |"
    yield "|---|---:|---:|---:|"
    for player, rows in found.items():
        games = [row.game for row in rows]
        bad, reach = rate([row.verdict.is_blunder for row in rows], games)
        cost, cost_reach = rate([row.verdict.cost for row in rows], games)
        yield (
            f"| `{player}` | {len(rows):,} | {1000 * bad:.0f} ± {1000 * reach:.0f} "
            f"| {100 * cost:.1f} ± {100 * cost_reach:.1f} |"
        )


def by_kind(found: Mapping[str, Sequence[Judged]]) -> Iterator[str]:
    """The blunders of each player by the kind of move, and its mean cost."""
    yield "| | " + " | ".join(f"`{player}`" for player in found) + " |"
    yield "|---|" + "---:|" * len(found)
    for kind in Kind:
        cells = [
            _cell([row for row in rows if row.kind == kind]) for rows in found.values()
        ]
        yield f"| {kind} | " + " | ".join(cells) + " |"


def _cell(rows: Sequence[Judged]) -> str:
    if not rows:
        return ""
    bad = sum(row.verdict.is_blunder for row in rows)
    cost = 100 * sum(row.verdict.cost for row in rows) / len(rows)
    return f"{bad} of {len(rows):,}, {round(cost, 1) + 0.0:.1f}"  # never -0.0


def worst(player: str, rows: Sequence[Judged]) -> list[Blunder]:
    """The moves of a player that cost most."""
    bad = [row for row in rows if row.verdict.is_blunder]
    bad.sort(key=lambda row: -row.verdict.confirmed)
    return [
        Blunder(
            player,
            str(row.kind),
            in_words(row.made),
            in_words(row.verdict.best),
            round(row.verdict.confirmed, 3),
            round(row.verdict.error, 3),
            (row.made, row.verdict.best),
            row.position,
        )
        for row in bad[:KEPT]
    ]
