"""The table of `numbers.md`: each kind of figure, its method, and its worst case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from tools.coverage.cards import card_cases, redraw_cases
from tools.coverage.cases import Case, Line
from tools.coverage.duels import duel_cases, looking_cases, losing_cases
from tools.coverage.fields import field_cases, lineup_cases
from tools.coverage.matches import match_cases, table_cases
from tools.coverage.real_games import real_game_cases
from tools.coverage.versions import change_cases, version_cases

NUMBERS = Path(__file__).parents[2] / "docs" / "explanation" / "numbers.md"
HEAD = """\
| command | figure | method | nominal | true in % | error | worst case |
|---|---|---|---:|---:|---:|---|
"""

Kind: TypeAlias = tuple[str, str]
"""The command that prints a figure, and the figure."""


def read_rows(page: str) -> dict[Kind, list[str]]:
    """Return the cells of each row of the table; ValueError where a page has none."""
    _, head, rest = page.partition(HEAD)
    if not head:
        raise ValueError(f"{NUMBERS.name} has no table that begins with\n{HEAD}")
    lines = rest.partition("\n\n")[0].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines]
    return {(cells[0], cells[1]): cells for cells in rows}


METHODS = {
    kind: cells[2] for kind, cells in read_rows(NUMBERS.read_text("utf-8")).items()
}
"""How each kind of figure is made, as the page states it.

Docstrings of deckcheck cite the sources in full.
"""


def every_case() -> Iterator[Case]:
    """Yield all cases, command by command."""
    yield from duel_cases()
    yield from table_cases()
    yield from match_cases()
    yield from looking_cases()
    yield from field_cases()
    yield from real_game_cases()
    yield from lineup_cases()
    yield from card_cases()
    yield from redraw_cases()
    yield from version_cases()
    yield from change_cases()
    yield from losing_cases()


def kinds_of(cases: Iterable[Case]) -> dict[Kind, list[Case]]:
    """Return the cases of each kind of figure, in the order of the page.

    Raises ValueError for a kind that has no row there: its method is missing.
    """
    kinds: dict[Kind, list[Case]] = {}
    for case in cases:
        kinds.setdefault((case.command, case.figure), []).append(case)
    if unknown := sorted(kinds.keys() - METHODS.keys()):
        raise ValueError(f"{NUMBERS.name} lacks rows with a method for {unknown}")
    return {kind: kinds[kind] for kind in METHODS if kind in kinds}


def row_of(line: Line) -> str:
    """Return a line of the table in Markdown."""
    case = line.case
    figures = (100 * case.level, 100 * line.share, 100 * line.error)
    nominal, true, error = (f"{figure:.{i > 0:d}f}" for i, figure in enumerate(figures))
    method = METHODS[case.command, case.figure]
    cells = (case.command, case.figure, method, nominal, true, error, case.situation)
    return f"| {' | '.join(cells)} |"


def with_rows(page: str, rows: Mapping[Kind, str]) -> str:
    """Return the text of the page with these rows in place of those of their kinds."""
    for kind, cells in read_rows(page).items():
        if kind in rows:
            page = page.replace(f"| {' | '.join(cells)} |", rows[kind])
    return page
