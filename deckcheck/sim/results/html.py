"""The HTML of a simulation in a notebook."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.cards.changes import change_lines
from deckcheck.findings.html_text import html_table
from deckcheck.sim.results.figures import Row
from deckcheck.sim.results.played import ResultHeader

COLUMNS = {
    "duel": ("a", "b", "games", "win_rate_a", "low", "high"),
    "match": ("match", "lineup", "deck", "games", "win_rate", "low", "high"),
}
OTHER = ("table", "seat", "games", "win_share", "low", "high", "place_mean")
RATES = ("win_rate_a", "win_rate", "win_share", "low", "high")


def result_html(run: ResultHeader, rows: Sequence[Row]) -> str:
    """The main columns of the flat rows of a result, and how they came about."""
    columns = COLUMNS.get(run.play, OTHER)
    cells = [[_shown(name, row[name]) for name in columns] for row in rows]
    about = f"{run.format} ({run.month}), digest {run.digest}"
    played = f"{run.games_played:,} games, seed {run.seed}, checksum {run.checksum}"
    heads = [name.replace("_", " ") for name in columns]
    return html_table(heads, cells, [about, *change_lines(run.changes), played])


def _shown(column: str, value: str | float | None) -> str:
    if isinstance(value, str) or value is None:
        return value or ""
    if column in RATES:
        return f"{100 * value:.1f} %"
    return f"{value:.2f}" if isinstance(value, float) else f"{value:,}"
