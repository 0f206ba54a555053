"""The parts of a report: units, columns, cells, facts, warnings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import TypeAlias

from deckcheck.cards.models import describe_changes
from deckcheck.messages import game_count, option, plural
from deckcheck.policies.registry import is_weaker, policy_in_words, policy_label
from deckcheck.sim import REFERENCE
from deckcheck.sim.entrants import is_crossed
from deckcheck.sim.figures import Figure
from deckcheck.sim.standings import ResultHeader, SimulatedDeck
from deckcheck.stats import Interval, Verdict, agreed, games_needed, verdict_of

# Numbers as readers see them: rates in %, differences in points, counts


UNKNOWN = "-"


@dataclass(frozen=True, slots=True)
class Unit:
    """How numbers read: `factor` times as large, with `digits` decimals and `suffix`.

    Of `signed` ones numbers above 0 have a plus; the ends of an interval never do.
    """

    factor: int = 1
    digits: int = 0
    signed: bool = False
    suffix: str = ""

    def number(self, value: float | None) -> str:
        """Return a number, or `-` where there is none."""
        if value is None or not isfinite(value):
            return UNKNOWN
        return (
            f"{self._rounded(value):{'+' * self.signed},.{self.digits}f}{self.suffix}"
        )

    def ends(self, interval: Interval | None, joint: str = " to ") -> str:
        """Return the ends of an interval, without the unit: `30.1 to 32.3`.

        Where one is infinite it is `below 32.3` or `above 30.1`.
        """
        if interval is None or interval == (-inf, inf):
            return UNKNOWN
        ends = [
            f"{self._rounded(end):,.{self.digits}f}"
            for end in interval
            if isfinite(end)
        ]
        word = "below " if interval.low == -inf else "above "
        return joint.join(ends) if len(ends) > 1 else f"{word}{ends[0]}"

    def _rounded(self, value: float) -> float:
        """As large as it is shown; never -0."""
        return round(self.factor * value, self.digits) + 0.0


COUNT = Unit()
CHANGE = Unit(signed=True)
MEAN = Unit(digits=2)
PERCENT = Unit(100, 1, suffix=" %")
IN_PERCENT = Unit(100, 1)
"""For columns and titles that say that their numbers are in %."""
POINTS = Unit(100, 1, signed=True)
"""Differences of rates, 100 times as large."""


count = COUNT.number
"""A whole number with commas."""

percent = PERCENT.number
"""A rate as `31.2 %`."""

ranged = PERCENT.ends
"""An interval of a rate, or of a difference, as `30.1 to 32.3`."""

points = POINTS.number
"""A difference of rates in points, `+1.9`."""


def difference_text(figure: Figure) -> str:
    """Return a difference of rates with its interval, `+1.9 points (0.7 to 3.1)`."""
    return f"{points(figure.value)} points ({ranged(figure.interval)})"


def rate_text(rate: Figure) -> str:
    """Return a rate with its interval, `31.2 % (30.1 to 32.3)`."""
    return f"{percent(rate.value)} ({ranged(rate.interval)})"


PlayedFigure: TypeAlias = tuple[str, Figure]
"""A policy, and a difference in its games."""


def by_players(figures: Sequence[PlayedFigure]) -> str:
    """Return a difference as each player came to it: `+1.9 points (0.7 to 3.1)`."""
    return said_by([(policy, difference_text(figure)) for policy, figure in figures])


def said_by(texts: Sequence[tuple[str, str]]) -> str:
    """Return texts with the policy whose games each is about, `31 % played by ...`."""
    first = texts[0][0]
    words = [
        f"{text} played by {policy_in_words(policy, first if i else None)}"
        for i, (policy, text) in enumerate(texts)
    ]
    return ", and ".join(words)


def whose_play(policies: Iterable[str]) -> str:
    """Return the end of a sentence, `; played by rules of thumb`; none for several."""
    players = {policy_in_words(policy) for policy in policies}
    return f"; played by {players.pop()}" if len(players) == 1 else ""


def verdict_by_players(figures: Sequence[PlayedFigure]) -> Verdict:
    """Return what the first player makes of a difference, unless another disagrees.

    A weaker one is not asked.
    """
    first = figures[0][0]
    asked = [figure for by, figure in figures if not is_weaker(by, first)]
    return agreed(*(verdict_of(figure.interval) for figure in asked))


def more_games(
    figure: Figure, games: int, margin: float = 0.0, even: float = 0.0
) -> str:
    """Return how many games would make a figure clear, for the end of a sentence."""
    needed = games_needed(figure.value, figure.interval, games, margin, even)
    return f"; about {count(needed)} games would make it clear" if needed else ""


# The tables of reports: columns with a unit, and cells that keep their values


Cell: TypeAlias = str | float | Interval | Figure | None
"""Text is shown as it is, numbers in the unit of their column, None as `-`."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; one without a `unit` holds words.

    One with an `interval` holds measured values and is shown as two columns, the second
    of that name, whose ends are joined by `joint`. In another one a measured rate of 0
    or 100 % has its interval with it, except for one that is `bare`.
    """

    name: str
    unit: Unit | None = None
    interval: str | None = None
    joint: str = " to "
    bare: bool = False

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns that are shown."""
        return (self.name,) if self.interval is None else (self.name, self.interval)

    def texts(self, cell: Cell) -> tuple[str, ...]:
        """The texts that a cell shows, one for each of `heads`."""
        if self.interval is None:
            return (self._text(cell) + self._edge(cell),)
        if isinstance(cell, Figure):
            return self._text(cell), self._text(cell.interval)
        return (self._text(cell),) * 2

    def _edge(self, cell: Cell) -> str:
        """The interval of a rate that is at an end, in brackets."""
        is_rate = not self.bare and self.unit in (PERCENT, IN_PERCENT)
        if is_rate and isinstance(cell, Figure) and cell.value in (0.0, 1.0):
            return f" ({ranged(cell.interval)})"
        return ""

    def _text(self, cell: Cell) -> str:
        if cell is None:
            return UNKNOWN
        if isinstance(cell, str):
            return cell
        unit = self.unit or Unit()
        if isinstance(cell, Interval):
            return unit.ends(cell, self.joint)
        return unit.number(cell.value if isinstance(cell, Figure) else cell)


IN_FIGURES = ("figures", "In figures")
ON_PAGE, IN_TEXT = "page", "text"


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table; the cells of its first column name the rows.

    The columns of a `matrix` may be laid out in several parts. The rows of a `ranked`
    one are numbered. First cells that are `whole` are never cut. `note` stands below.
    A drawing marks `even`; differences are even at 0. It has a ring at the value of the
    column `before`, if there is one. On a page it stands in a `section` under that
    address and heading, with another title if it has a `caption`; one that is for a
    page or a text `only` stands nowhere else.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    matrix: bool = False
    ranked: bool = False
    note: str | None = None
    whole: bool = False
    even: float | None = 0.5
    before: str = ""
    section: tuple[str, str] = IN_FIGURES
    caption: str = ""
    only: str = ""

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of all columns that are shown."""
        return tuple(head for column in self.columns for head in column.heads)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The texts of all rows, one for each of `heads`."""
        return tuple(texts_of(self.columns, row) for row in self.rows)

    @property
    def is_number(self) -> tuple[bool, ...]:
        """Whether each of the columns that are shown holds numbers."""
        return tuple(c.unit is not None for c in self.columns for _ in c.heads)

    @property
    def places(self) -> tuple[str, ...]:
        """What stands before the name of each row."""
        if not self.ranked:
            return ("",) * len(self.rows)
        digits = len(str(len(self.rows)))
        return tuple(f"{n:>{digits}}  " for n in range(1, len(self.rows) + 1))


WIN_RATE = Column("win rate", PERCENT, "95 % interval")
GAIN = Column("points", POINTS, "95 % interval")
DIFFERENCE = Column("difference", POINTS, "interval")
"""Columns that many tables have: a win rate, a difference of two, and a change."""


def texts_of(columns: Sequence[Column], row: Sequence[Cell]) -> tuple[str, ...]:
    """Return the texts of the cells of a row."""
    pairs = zip(columns, row, strict=True)
    return tuple(text for column, cell in pairs for text in column.texts(cell))


def words(*names: str) -> tuple[Column, ...]:
    """Return columns of words."""
    return tuple(map(Column, names))


def numbers(unit: Unit, *names: str) -> tuple[Column, ...]:
    """Return columns of numbers of one unit."""
    return tuple(Column(name, unit) for name in names)


# Sections of every report of a simulation: tables, warnings, facts of the run


ALONE = f"by nobody, unless {option('confirm')} names a player"
"""Where rules of thumb alone know how games are played."""
LEANING = "lean to the lead that was accepted, since a lucky streak ends a test"


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a simulation, before it is laid out.

    `facts` are pairs of a word and what it says, shown last; `answers` are sentences,
    shown first. `title` is that of a page, which says the `limits`, too.
    """

    tables: tuple[ReportTable, ...]
    warnings: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    answers: tuple[str, ...] = ()
    title: str = ""
    limits: tuple[str, ...] = ()

    def for_output(self, name: str) -> Report:
        """The report with the tables that belong `ON_PAGE`, or `IN_TEXT`."""
        shown = tuple(table for table in self.tables if table.only in ("", name))
        return replace(self, tables=shown)


def run_facts(
    run: ResultHeader, policies: str, games: str
) -> tuple[tuple[str, str], ...]:
    """Return how the games were played, `policies` and `games` in words."""
    return (
        ("format", f"{run.format}, snapshot {run.month}"),
        *(("cards", line) for line in describe_changes(run.changes)),
        ("policies", policies),
        *_reference(run),
        ("games", games),
        *_stopping(run),
        ("seed", str(run.seed)),
        ("checksum", run.checksum),
        ("digest", run.digest),
        *_speed(run),
        *((("again", ALONE),) if run.nobody_knows else ()),
    )


def study_report(
    result: ResultHeader,
    games: str,
    tables: Iterable[ReportTable],
    facts: Iterable[tuple[str, str]] = (),
    *,
    last: Iterable[tuple[str, str]] = (),
    title: str = "",
    limits: tuple[str, ...] = (),
) -> Report:
    """Return the report of a study: its answer, its tables that have rows, and facts.

    `games` says in words which were played, `facts` of the study stand below that, and
    those that come `last` below all. `title` and `limits` are those of a page.
    """
    policies = policies_of([deck.policy for deck in result.decks])
    run = run_facts(result, policies, games)
    below = 1 + [name for name, _ in run].index("games")
    return Report(
        tuple(table for table in tables if table.rows),
        warnings_of(result),
        (*run[:below], *facts, *run[below:], *last),
        (f"{result.answer}.",),
        title,
        limits,
    )


def again_facts(again: ResultHeader | None) -> tuple[tuple[str, str], ...]:
    """Say who played how many of the games again, if somebody did."""
    if again is None:
        return ()
    games = f"the first {count(again.games_played)} games"
    return (
        ("again", f"{policies_of(again.players)}, {games}, checksum {again.checksum}"),
    )


def _reference(run: ResultHeader) -> tuple[tuple[str, str], ...]:
    """Say of which format the reference field was, if that was met."""
    paths = (deck.path.partition(":") for deck in run.decks)
    ids = dict.fromkeys(id for word, _, id in paths if word == REFERENCE and id)
    return (("field", f"reference field of {', '.join(ids)}"),) if ids else ()


def _stopping(run: ResultHeader) -> tuple[tuple[str, str], ...]:
    """What ended the run, and what its intervals are worth, if it was looked at."""
    if run.stopped is None:
        return ()
    ratios = [table.log_likelihood_ratio for table in run.stopped.decisions]
    return (
        ("stops", run.stopped.rule),
        ("stopped", run.stopped.summary),
        ("intervals", "hold at every look, and so whenever the run is stopped"),
        *((("win rates", LEANING),) if any(r is not None for r in ratios) else ()),
    )


def _speed(run: ResultHeader) -> tuple[tuple[str, str], ...]:
    """How fast the games were played, where that is known."""
    if run.games_per_second is None:
        return ()
    processes = "1 process" if run.jobs == 1 else f"{run.jobs} processes"
    return (("speed", f"{count(round(run.games_per_second))} games/s, {processes}"),)


def shares_fact(shares: Sequence[tuple[str, float]]) -> tuple[tuple[str, str], ...]:
    """Return how common each opponent is, where they are not equally so."""
    told = [f"{name} {percent(share)}" for name, share in shares if share]
    return (("weights", ", ".join(told)),) if told else ()


def games_each(run: ResultHeader, games: int, *, is_same: bool = True) -> str:
    """Return `200 games each`, or `up to 200 games each` where some have fewer."""
    most = "" if is_same and run.complete and run.stopped is None else "up to "
    return f"{most}{game_count(games)} each"


def warnings_of(run: ResultHeader) -> tuple[str, ...]:
    """Return a sentence for all that is not as it was asked for.

    That is a run that is not complete, a deck that played although it is illegal, and
    a player in whose place the heuristic played.
    """
    unfinished = "not all games were played that were asked for"
    return (
        *(() if run.complete else (unfinished,)),
        *(
            f"`{deck.name}` is illegal in {run.format} "
            f"({plural(deck.findings, 'error')}) and played because of --allow-illegal"
            for deck in run.illegal
        ),
        *(
            f"`{name}` does not know {run.format}: the heuristic played in its place"
            for name in run.stand_ins
        ),
    )


def policies_of_decks(decks: Sequence[SimulatedDeck]) -> str:
    """Return who played each deck in order, or that all of them played all decks."""
    names = [deck.policy for deck in decks]
    if not is_crossed([(deck.path, deck.index, deck.policy) for deck in decks]):
        return policies_of(names)
    return f"{', '.join(map(policy_label, dict.fromkeys(names)))}, each with every deck"


def policies_of(names: Sequence[str]) -> str:
    """Return who played, with versions: once if all are the same player."""
    shown = names[:1] if len(set(names)) == 1 else names
    return ", ".join(policy_label(name) for name in shown)
