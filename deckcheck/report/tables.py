"""The parts of a report: units, columns, cells, facts, warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import TypeAlias

from deckcheck.cards.models import describe_changes
from deckcheck.messages import game_count, option, plural, quote, sentence
from deckcheck.policies.registry import policy_in_words, policy_label
from deckcheck.sim import REFERENCE
from deckcheck.sim.figures import Claim, Figure
from deckcheck.sim.naming import is_crossed
from deckcheck.sim.result_header import ResultHeader, SimulatedDeck
from deckcheck.stats import Interval, Verdict, games_needed

# Numbers as readers see them: rates in %, differences in points, counts.

UNKNOWN_CELL = "-"


@dataclass(frozen=True, slots=True)
class Unit:
    """The way to write numbers."""

    factor: int = 1
    """The factor that numbers are multiplied by."""
    digits: int = 0
    """The digits after the point."""
    signed: bool = False
    """Whether positive numbers have a plus. The ends of intervals never have."""
    suffix: str = ""
    """The text after a number."""

    def number(self, value: float | None) -> str:
        """Return a number, or `-` for None."""
        if value is None or not isfinite(value):
            return UNKNOWN_CELL
        return f"{self._round(value):{'+' * self.signed},.{self.digits}f}{self.suffix}"

    def ends(self, interval: Interval | None, joint: str = " to ") -> str:
        """Return the ends of an interval, without the unit: `30.1 to 32.3`.

        An interval with an infinite end is `below 32.3` or `above 30.1`.
        """
        if interval is None or interval == (-inf, inf):
            return UNKNOWN_CELL
        if interval.low == -inf:
            return f"below {self._format_end(interval.high)}"
        if interval.high == inf:
            return f"above {self._format_end(interval.low)}"
        return self._format_end(interval.low) + joint + self._format_end(interval.high)

    def _format_end(self, end: float) -> str:
        return f"{self._round(end):,.{self.digits}f}"

    def _round(self, value: float) -> float:
        """Return a value as large as it is shown, and never -0."""
        return round(self.factor * value, self.digits) + 0.0


COUNT = Unit()
CHANGE = Unit(signed=True)
MEAN = Unit(digits=2)
PERCENT = Unit(100, 1, suffix="%")
IN_PERCENT = Unit(100, 1)
"""The suffix of columns and titles with numbers in %."""
POINTS = Unit(100, 1, signed=True)
"""Differences of rates, 100 times as large."""


count = COUNT.number
"""A whole number with commas."""

percent = PERCENT.number
"""A rate as `31.2%`."""

ranged = PERCENT.ends
"""An interval of a rate, or of a difference, as `30.1 to 32.3`."""

points = POINTS.number
"""A difference of rates in points, `+1.9`."""


def difference_text(figure: Figure) -> str:
    """Return a difference of rates with its interval, `+1.9 points (0.7 to 3.1)`."""
    return f"{points(figure.value)} points ({ranged(figure.interval)})"


def rate_text(rate: Figure) -> str:
    """Return a rate with its interval, `31.2% (30.1 to 32.3)`."""
    return f"{percent(rate.value)} ({ranged(rate.interval)})"


def rate_with_level(rate: Figure) -> str:
    """Return a rate with its interval, `31.2% (95% CI 30.1 to 32.3)`."""
    return f"{percent(rate.value)} (95% CI {ranged(rate.interval)})"


def difference_with_level(figure: Figure) -> str:
    """Return a difference as `+1.9 percentage points (95% CI 0.7 to 3.1)`."""
    interval = ranged(figure.interval)
    return f"{points(figure.value)} percentage points (95% CI {interval})"


def size_with_level(figure: Figure) -> str:
    """Return a gain without its sign, `1.9 percentage points (95% CI 0.7 to 3.1)`."""
    interval = ranged(figure.interval)
    return f"{IN_PERCENT.number(figure.value)} percentage points (95% CI {interval})"


def describe_pilot(policy: str) -> str:
    """Return the sentence that names the bot of all decks.

    >>> describe_pilot("heuristic")
    'All decks were piloted by `heuristic-3`.'
    """
    return f"All decks were piloted by {policy_in_words(policy)}."


def cross_check_sentences(claims: Sequence[Claim]) -> Iterator[str]:
    """Yield the result of a second bot, if `claims` has a second claim, by that bot."""
    if len(claims) < 2:
        return
    first, second = claims[:2]
    name = policy_in_words(second.by, first.by)
    result = f"{points(second.figure.value)} ({ranged(second.figure.interval)})"
    if second.verdict is Verdict.INCONCLUSIVE:
        yield f"With {name}, the difference is not clear: {result}."
    elif second.verdict is first.verdict:
        yield f"{sentence(name)} agrees: {result}."
    elif second.verdict is first.verdict.opposite:
        yield f"{sentence(name)} disagrees: {result}."
    else:
        yield f"With {name}, the difference is {result}."


MANY_TIMES = 20
"""How many times the games played an advice may ask for without a word on it."""

PlayedFigure: TypeAlias = tuple[str, Figure]
"""A policy, and a difference in its games."""


def advise_games(
    figure: Figure,
    games: int | None,
    margin: float = 0.0,
    even: float = 0.0,
    place: str = "",
) -> str:
    """Return the sentence about an unclear figure, with the games to try.

    `games` is the number of played games, in the unit of the option, or None. `place`
    is where to give that option, such as ` in both runs`.

    >>> from deckcheck.stats import Estimate, Interval
    >>> advise_games(Estimate(0.04, Interval(-0.01, 0.09), 400), 100)
    'Too few games to tell; try `--games 320`.'
    """
    needed = games_needed(figure.value, figure.interval, games or 0, margin, even)
    if not games or not needed or needed <= games:
        return "Too few games to tell."
    if needed > MANY_TIMES * games:
        return (
            f"Too few games to tell: about {needed:,} are needed "
            f"({option('games', needed)}{place})."
        )
    return f"Too few games to tell; try {option('games', needed)}{place}."


# The tables of reports: columns with a unit, and cells that keep their values.

Cell: TypeAlias = str | float | Interval | Figure | None
"""Text is shown as it is, numbers in the unit of their column, None as `-`."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    unit: Unit | None = None
    """The unit of numbers, or None for words."""
    interval: str | None = None
    """The head of the second column of a measured value, with its interval."""
    joint: str = " to "
    """The text between the ends of an interval."""
    bare: bool = False
    """Whether a rate of 0 or 100% has no interval with it."""

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns that are shown."""
        if self.interval is None:
            return (self.name,)
        return self.name, self.interval

    def texts(self, cell: Cell) -> tuple[str, ...]:
        """Return the texts of a cell, a text for each of `heads`."""
        if self.interval is None:
            return (self._show_cell(cell) + self._show_edge(cell),)
        if isinstance(cell, Figure):
            return self._show_cell(cell), self._show_cell(cell.interval)
        text = self._show_cell(cell)
        return text, text

    def _show_edge(self, cell: Cell) -> str:
        """Return the interval of a rate of 0 or 100%, in brackets."""
        is_rate = not self.bare and self.unit in (PERCENT, IN_PERCENT)
        if is_rate and isinstance(cell, Figure) and cell.value in (0.0, 1.0):
            return f" ({ranged(cell.interval)})"
        return ""

    def _show_cell(self, cell: Cell) -> str:
        if cell is None:
            return UNKNOWN_CELL
        if isinstance(cell, str):
            return cell
        unit = self.unit or Unit()
        if isinstance(cell, Interval):
            return unit.ends(cell, self.joint)
        if isinstance(cell, Figure):
            return unit.number(cell.value)
        return unit.number(cell)


IN_FIGURES = ("figures", "In numbers")
ON_PAGE = "page"
IN_TEXT = "text"


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table. The cells of its first column name the rows."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    matrix: bool = False
    """Whether the columns may be laid out in several parts."""
    ranked: bool = False
    """Whether the rows are numbered."""
    note: str | None = None
    """A note below the table."""
    whole: bool = False
    """Whether first cells are never cut."""
    uncut: bool = False
    """Whether a screen shows all rows."""
    both_ends: bool = False
    """Whether a screen shows the last rows as well as the first rows."""
    ranks: tuple[int, ...] = ()
    """The numbers of ranked rows, if rows are left out."""
    even: float | None = 0.5
    """The value that a drawing marks as even. Differences are even at 0."""
    before: str = ""
    """The column whose value has a ring in a drawing."""
    section: tuple[str, str] = IN_FIGURES
    """The address and heading of the section on a page."""
    caption: str = ""
    """The title on a page, if it differs."""
    only: str = ""
    """The kind of output that alone has the table, a page or a text."""

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of all columns that are shown."""
        return tuple(head for column in self.columns for head in column.heads)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The texts of all rows, one for each of `heads`."""
        return tuple(cell_texts(self.columns, row) for row in self.rows)

    @property
    def is_number(self) -> tuple[bool, ...]:
        """Whether each of the columns that are shown holds numbers."""
        flags: list[bool] = []
        for column in self.columns:
            flags += [column.unit is not None] * len(column.heads)
        return tuple(flags)

    @property
    def places(self) -> tuple[str, ...]:
        """The prefix of the name of each row."""
        if not self.ranked:
            return ("",) * len(self.rows)
        ranks = self.ranks or range(1, len(self.rows) + 1)
        digits = len(str(max(ranks, default=0)))
        return tuple(f"{rank:>{digits}}  " for rank in ranks)

    def shorten(self, most: int, text: str) -> ReportTable:
        """Return the table for a screen.

        It has `most` rows, and the rows that `text` names in backticks.
        """
        if self.uncut or len(self.rows) <= most:
            return self
        last_rows = most // 2 if self.both_ends else 0
        rows, ranks = [], []
        for index, row in enumerate(self.rows):
            is_first = index < most - last_rows
            is_last = index >= len(self.rows) - last_rows
            if is_first or is_last or quote(str(row[0])) in text:
                rows.append(row)
                ranks.append(index + 1)
        return replace(self, rows=tuple(rows), ranks=tuple(ranks))


WIN_RATE = Column("win rate", PERCENT, "95% interval")
GAIN_COLUMN = Column("points", POINTS, "95% interval")
DIFFERENCE_COLUMN = Column("difference", POINTS, "interval")
"""Columns that many tables have: a win rate, a difference of two, and a change."""


def cell_texts(columns: Sequence[Column], row: Sequence[Cell]) -> tuple[str, ...]:
    """Return the texts of the cells of a row."""
    texts: list[str] = []
    for column, cell in zip(columns, row, strict=True):
        texts += column.texts(cell)
    return tuple(texts)


def words(*names: str) -> tuple[Column, ...]:
    """Return columns of words."""
    return tuple(map(Column, names))


def numbers(unit: Unit, *names: str) -> tuple[Column, ...]:
    """Return columns of numbers of the same unit."""
    return tuple(Column(name, unit) for name in names)


# Sections of every report of a simulation: tables, warnings, facts of the run.

Fact: TypeAlias = tuple[str, str]
"""A word, and its value for the run."""

NO_CROSS_CHECK = f"none; {option('cross-check')} names a bot"
"""The fact of a second bot where the heuristic alone knows the game."""
RATES_LEAN = "lean to the lead that was accepted, since a lucky streak ends a test"


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a simulation, before it is laid out."""

    tables: tuple[ReportTable, ...]
    warnings: tuple[str, ...]
    facts: tuple[Fact, ...]
    """The facts of the run, shown last."""
    answers: tuple[str, ...] = ()
    """Sentences, shown first."""
    title: str = ""
    """The title of a page."""
    limits: tuple[str, ...] = ()
    """The limits of the result, for a page."""

    def for_output(self, name: str) -> Report:
        """Return the report with the tables for an output."""
        shown = tuple(table for table in self.tables if table.only in ("", name))
        return replace(self, tables=shown)


def run_facts(run: ResultHeader, policies: str, games: str) -> tuple[Fact, ...]:
    """Return how the games were played, `policies` and `games` in words."""
    facts = [("format", f"{run.format}, snapshot {run.month}")]
    for line in describe_changes(run.changes):
        facts.append(("cards", line))
    facts.append(("policies", policies))
    facts += _list_bot_error_fact(run)
    facts += _list_field_fact(run)
    facts.append(("games", games))
    facts += _list_stopping_facts(run)
    facts.append(("seed", str(run.seed)))
    facts.append(("checksum", run.checksum))
    facts.append(("rules", f"fingerprint {run.fingerprint}"))
    facts += _list_speed_fact(run)
    if run.only_heuristic_knows:
        facts.append(("cross-check", NO_CROSS_CHECK))
    return tuple(facts)


def study_report(
    result: ResultHeader,
    games: str,
    tables: Iterable[ReportTable],
    facts: Iterable[Fact] = (),
    *,
    last: Iterable[Fact] = (),
    title: str,
    limits: tuple[str, ...] = (),
) -> Report:
    """Return the report of a study: its answer, its tables with rows, and facts.

    `games` describes the played games, `facts` follow it, and the facts in
    `last` end the report. `title` and `limits` are for a page.
    """
    policies = describe_policies([deck.policy for deck in result.decks])
    all_facts: list[Fact] = []
    for name, fact in run_facts(result, policies, games):
        all_facts.append((name, fact))
        if name == "games":
            all_facts += facts
    return Report(
        tables=tuple(table for table in tables if table.rows),
        warnings=list_warnings(result),
        facts=(*all_facts, *last),
        answers=(result.answer,),
        title=title,
        limits=limits,
    )


def list_replayed_facts(again: ResultHeader | None) -> tuple[Fact, ...]:
    """Return the facts of games that a second bot replayed, if there are any."""
    if again is None:
        return ()
    players = describe_policies(again.players)
    games = f"the first {count(again.games_played)} games"
    return (("cross-check", f"{players}, {games}, checksum {again.checksum}"),)


def _list_bot_error_fact(run: ResultHeader) -> tuple[Fact, ...]:
    error = run.bot_error
    if error is None:
        return ()
    return (("bot error", str(error)),)


def _list_field_fact(run: ResultHeader) -> tuple[Fact, ...]:
    """Return the fact of the format of the reference field, if it was used."""
    formats: list[str] = []
    for deck in run.decks:
        word, _, format = deck.path.partition(":")
        if word == REFERENCE and format and format not in formats:
            formats.append(format)
    if not formats:
        return ()
    return (("field", f"reference field of {', '.join(formats)}"),)


def _list_stopping_facts(run: ResultHeader) -> tuple[Fact, ...]:
    """Return the result of a stopping rule, and the kind of its intervals."""
    if run.stopped is None:
        return ()
    facts = [
        ("stops", run.stopped.rule),
        ("stopped", run.stopped.summary),
        ("intervals", "valid at every checkpoint, whenever the run is stopped"),
    ]
    if any(table.log_likelihood_ratio is not None for table in run.stopped.decisions):
        facts.append(("win rates", RATES_LEAN))
    return tuple(facts)


def _list_speed_fact(run: ResultHeader) -> tuple[Fact, ...]:
    """Return the fact of the speed of the games, if it is known."""
    if run.games_per_second is None or run.jobs is None:
        return ()
    workers = plural(run.jobs, "worker")
    return (("speed", f"{count(round(run.games_per_second))} games/s, {workers}"),)


def list_shares_fact(shares: Sequence[tuple[str, float]]) -> tuple[Fact, ...]:
    """Return the fact of how common each opponent is, if shares differ."""
    texts = [f"{name} {percent(share)}" for name, share in shares if share]
    if not texts:
        return ()
    return (("weights", ", ".join(texts)),)


def games_each(run: ResultHeader, games: int, *, is_same: bool = True) -> str:
    """Return `200 games each`, or `up to 200 games each` where some have fewer."""
    if is_same and run.complete and run.stopped is None:
        return f"{game_count(games)} each"
    return f"up to {game_count(games)} each"


def list_warnings(run: ResultHeader) -> tuple[str, ...]:
    """Return a sentence for each deviation from the request.

    A run may be incomplete, an illegal deck may have played, and the heuristic may have
    played in place of another player.
    """
    warnings: list[str] = []
    if not run.complete:
        warnings.append("not all games were played that were asked for")
    for deck in run.illegal:
        errors = plural(deck.findings, "error")
        warnings.append(
            f"`{deck.name}` is illegal in {run.format} ({errors}) and played because "
            "of --allow-illegal"
        )
    for name in run.stand_ins:
        warnings.append(
            f"`{name}` does not know {run.format}: the heuristic played in its place"
        )
    return tuple(warnings)


def describe_deck_policies(decks: Sequence[SimulatedDeck]) -> str:
    """Return the player of each deck in order, or of all decks."""
    names = [deck.policy for deck in decks]
    if not is_crossed([(deck.path, deck.index, deck.policy) for deck in decks]):
        return describe_policies(names)
    return f"{', '.join(map(policy_label, dict.fromkeys(names)))}, each with every deck"


def describe_policies(names: Sequence[str]) -> str:
    """Return the players with their versions, a common player once."""
    if len(set(names)) == 1:
        return policy_label(names[0])
    return ", ".join(map(policy_label, names))
