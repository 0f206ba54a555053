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

SCORE = "score interval of pairs (Wilson 1927, Tango 1998)"
SUM = "score interval of a weighted sum (Agresti and Ryu 2010)"
STUDENT = "Student's t, and where few changed, at least a score interval (Wilson 1927)"
TOGETHER = "; simultaneous (Bonferroni 1936)"
BEST = "; no correction for the best (Gutmann and Maymin 1987)"
RATIO = "difference of ratios, linearised (Wolter 2007)"
CHANCE = "less what chance makes, by a bootstrap (Efron and Tibshirani 1993)"
LEVELS = "levels of decks and players together, without bias (Firth 1993)"

METHODS: dict[Kind, str] = {
    ("simulate", "win rate"): SCORE,
    ("simulate", "win rate by who begins"): (
        "score interval of games; two that a deck chose to begin count as one"
    ),
    ("simulate", "mean over opponents"): SUM,
    ("simulate", "ahead of all others"): "difference of two means" + BEST,
    ("simulate", "place"): "differences of means" + TOGETHER,
    ("simulate", "mean at checkpoints"): (
        "confidence sequences by betting (Waudby-Smith and Ramdas 2024, "
        "Orabona and Jun 2024)"
    ),
    ("simulate", "lead accepted by `--sprt`"): (
        "sequential test of pairs (Wald 1945, Van den Bergh 2021)"
    ),
    ("simulate", "solo, win rate"): "score interval of games (Wilson 1927)",
    ("simulate", "solo, mean place"): "as at a table",
    ("simulate", "solo, mean points"): "as at a table",
    ("simulate", "best at the table"): "difference of correlated shares (Zou 2007)",
    ("simulate", "mean place at a table"): (
        "proportion of as many sets as vary as much (Korn and Graubard 1998)"
    ),
    ("simulate", "mean points at a table"): (
        "Student's t with two more sets (Gosset 1908, Agresti and Coull 1998)"
    ),
    (
        "simulate",
        "win share at a table",
    ): "score interval of sets (Agresti and Ryu 2010)",
    ("simulate", "win share by turn at a table"): "the same over the games of a turn",
    ("simulate", "match win rate"): "score interval of pairs of matches (Tango 1998)",
    ("simulate", "deck in matches"): "score interval; both games of a pair are one",
    ("simulate", "who chooses first in a game"): "as a deck in matches",
    ("expect", "decision on a mean"): SUM + TOGETHER,
    ("meta", "more than any other"): "difference of two sums" + BEST,
    ("meta", "against a field"): SUM,
    ("meta", "ratings"): (
        "Bradley and Terry 1952 with a score test (Boos 1992) of those "
        "that wins and losses connect (Ford 1957)"
    ),
    ("meta", "what ratings miss"): CHANCE,
    ("meta", "cycles"): f"curl of log-odds (Jiang and others 2011), {CHANCE}",
    ("meta", "best counter"): SCORE + TOGETHER,
    ("meta", "three that beat each other"): SCORE + TOGETHER,
    ("meta", "levels of decks and players"): "means of ratings, with a score test",
    ("meta", "parts of decks and players"): f"squared ratings, {CHANCE}",
    ("meta", "decks in real games"): LEVELS,
    ("meta", "players in real games"): LEVELS,
    ("meta", "matchups in real games"): LEVELS,
    ("meta", "matchups that agree with a run"): "difference of two rates (Zou 2007)",
    ("meta", "favourites of a run"): "difference of two means (Zou 2007)",
    ("solve", "most that a deck gains"): SUM + TOGETHER,
    ("solve", "match win rate of the chosen lineup"): f"{SUM}, in fresh matches",
    ("solve", "all match win rates against a mix"): SUM + TOGETHER,
    ("balance", "rates of all decks"): SUM + TOGETHER,
    ("balance", "card above its peers"): (
        "difference to the peers, errors of one deck added (Zou and Donner 2008)"
    ),
    ("impact", "impact of a card"): STUDENT,
    ("impact", "gain by another card"): STUDENT,
    ("impact", "the card to cut"): "one trial chooses, a fresh one tells",
    ("impact", "impacts in a race"): (
        "mean at every checkpoint (Waudby-Smith and others 2024)" + TOGETHER
    ),
    ("impact", "gain from a redraw"): RATIO,
    ("impact", "gains from all redraws"): RATIO + TOGETHER,
    ("impact", "observed difference"): RATIO,
    ("impact", "observed and sure"): (
        "false discovery rate (Benjamini and Hochberg 1995)"
    ),
    ("compare", "difference"): "score interval of paired differences (Tango 1998)",
    ("compare", "verdicts of 15 rows"): "the same" + TOGETHER,
    ("tune", "gain in validation games"): "as in `compare`, in fresh games",
    ("tune", "better in validation games"): "as in `compare`, in fresh games",
    ("tune", "gains of all changes"): "as in `compare`" + TOGETHER,
    ("build", "win rate in validation games"): f"{SUM}, in fresh games",
    ("report", "change, same shuffles"): "sums over 128 groups of pairs (Wolter 2007)",
    ("report", "change, other seeds"): "difference of two sums (Agresti and Ryu 2010)",
    ("report", "all changes of matchups"): "both" + TOGETHER,
    ("report", "all changes of decks"): "both" + TOGETHER,
    ("report", "all changes over runs"): "both" + TOGETHER,
    ("report", "all kinds of losses"): "score intervals of shares" + TOGETHER,
    ("report", "all signs of losses"): (
        "difference of two shares (Miettinen and Nurminen 1985)" + TOGETHER
    ),
}
"""How each kind of figure is made; docstrings of deckcheck cite the sources in full."""


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
    """The cases of each kind of figure, in the order of `METHODS`.

    Raises ValueError for a kind without a method.
    """
    kinds: dict[Kind, list[Case]] = {}
    for case in cases:
        kinds.setdefault((case.command, case.figure), []).append(case)
    if unknown := sorted(kinds.keys() - METHODS.keys()):
        raise ValueError(f"METHODS of tools/coverage/table.py lacks {unknown}")
    return {kind: kinds[kind] for kind in METHODS if kind in kinds}


def row_of(line: Line) -> str:
    """A line of the table in Markdown."""
    case = line.case
    figures = (100 * case.level, 100 * line.share, 100 * line.error)
    nominal, true, error = (f"{figure:.{i > 0:d}f}" for i, figure in enumerate(figures))
    method = METHODS[case.command, case.figure]
    cells = (case.command, case.figure, method, nominal, true, error, case.situation)
    return f"| {' | '.join(cells)} |"


def with_rows(page: str, rows: Mapping[Kind, str]) -> str:
    """The text of the page with these rows in its table, and the others as they were.

    Rows of kinds without a method go. Raises ValueError where the page has no table.
    """
    before, head, rest = page.partition(HEAD)
    if not head:
        raise ValueError(f"{NUMBERS.name} has no table that begins with\n{HEAD}")
    table, blank, after = rest.partition("\n\n")
    old = {_kind_of(row): row for row in table.splitlines()}
    new = {**old, **rows}
    shown = "\n".join(new[kind] for kind in METHODS if kind in new)
    return f"{before}{head}{shown}{blank}{after}"


def _kind_of(row: str) -> Kind:
    command, figure = row.strip("| ").split(" | ")[:2]
    return command, figure
