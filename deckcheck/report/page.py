"""A report as a single HTML file: forests, heatmaps, bars, limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path
from typing import ClassVar, TypeAlias

from deckcheck.messages import choice, game_count, plural, printable
from deckcheck.pages import render
from deckcheck.policies.registry import policy_label
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    ON_PAGE,
    Cell,
    Column,
    Report,
    ReportTable,
    cell_texts,
    percent,
    ranged,
    words,
)
from deckcheck.sim.figures import Figure
from deckcheck.sim.provenance import Program, Provenance
from deckcheck.sim.standings import ResultHeader
from deckcheck.stats import Estimate, Histogram, Interval

# Histograms as parts of a page: bars, and small ones in the rows of a table


BAR_GAP = 0.08
BOX_HEIGHT = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A bin: its numbers in words, how many games it has, and their share."""

    label: str
    games: str
    share: str


@dataclass(frozen=True, slots=True)
class AxisScale:
    """Bins of a histogram. The outer bins include everything beyond."""

    first: int
    """The first number of the first bin."""
    bins: int
    width: int
    """The numbers of a bin."""
    ticks: tuple[tuple[float, str], ...]
    """Places in % with their labels."""
    zero: float | None
    """The place of 0 in %, if it is inside."""

    @property
    def last(self) -> int:
        """The greatest number of the last bin."""
        return self.first + self.bins * self.width - 1

    def counts(self, histogram: Histogram) -> list[int]:
        """Return the number of values in each bin."""
        counts = [0] * self.bins
        for i, games in enumerate(histogram.counts):
            index = (histogram.first + i - self.first) // self.width
            counts[min(max(index, 0), self.bins - 1)] += games
        return counts


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars above a scale."""

    kind: ClassVar[str] = "bars"
    caption: str
    answer: str
    """The main result in words."""
    of: str
    """The meaning of the numbers."""
    scale: AxisScale
    bars: tuple[Bar, ...]
    path: str
    """The bars in a box of `bins` by 100."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A row: whose numbers these are, its figures, and its bars as a path."""

    name: str
    cells: tuple[str, ...]
    path: str


@dataclass(frozen=True, slots=True)
class Outlines:
    """A table with small bars in each row, all of the same scale and height."""

    kind: ClassVar[str] = "outlines"
    caption: str
    of: str
    columns: tuple[str, ...]
    scale: AxisScale
    rows: tuple[Outline, ...]
    note: str = ""


def draw_path(counts: Sequence[float], most: float) -> str:
    """Return bars of width 1 as a path. A bar of `most` is 100 high, as the box."""
    parts = []
    for i, games in enumerate(counts):
        if games:
            top = round(BOX_HEIGHT * (1 - games / most), 1)
            parts.append(f"M{i} {BOX_HEIGHT}V{top:g}H{i + 1 - BAR_GAP:g}V{BOX_HEIGHT}")
    return "".join(parts)


# A matrix of win rates: with all its cells, or as data that a script lays out


EVEN_RATE = 0.5
MAX_DEPTH = 62
LEGEND_RATES = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_CELLS = 900
"""The most cells that are laid out one by one, enough for thirty decks."""
MOST_RATES = 40_000
"""Rates that a page has as data, some 15 bytes each."""

Rates: TypeAlias = tuple[tuple[Estimate | None, ...], ...]


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """A win rate in a matrix."""

    value: float
    text: str
    hint: str
    depth: int
    """The strength of the colour, 0 to 62."""
    wins: bool


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Win rates of the rows, `names`, against the columns, which are the rows by
    default.

    If they are the same, each half of the rates determines the other.
    """

    kind: ClassVar[str] = "heatmap"
    caption: str
    names: tuple[str, ...]
    rates: Rates
    note: str = ""
    columns: tuple[str, ...] = ()

    @property
    def is_large(self) -> bool:
        """Whether it is an image with a list for a row that the reader chooses."""
        return len(self.names) * len(self.columns or self.names) > MOST_CELLS

    @property
    def rows(self) -> tuple[tuple[HeatmapCell | None, ...], ...]:
        """The cells, row by row."""
        return tuple(tuple(map(_make_cell, row)) for row in self.rates)

    @property
    def legend(self) -> tuple[HeatmapCell, ...]:
        """A cell for some rates, from 0 to 100%."""
        return tuple(_cell(rate, f"{100 * rate:.0f}", "") for rate in LEGEND_RATES)

    @property
    def data(self) -> dict[str, object] | None:
        """The data for the script, or None if it is too much for a page.

        `rates` are the rates of all rows in tenths of a percent, with the ends of the
        interval and games, or 0 for none. If rows and columns are the same decks, only
        the cells above the diagonal are kept.
        """
        halves: list[Estimate | None] = []
        for index, row in enumerate(self.rates):
            halves += row if self.columns else row[index + 1 :]
        if len(halves) > MOST_RATES:
            return None
        return {
            "names": list(map(printable, self.names)),
            "columns": list(map(printable, self.columns)),
            "rates": [_numbers(rate) for rate in halves],
        }


def _numbers(rate: Estimate | None) -> list[int] | int:
    if rate is None:
        return 0
    ends = (rate.value, *rate.interval)
    return [*(round(1000 * end) for end in ends), rate.games]


def draw_heatmap(
    table: ReportTable, note: str, columns: tuple[str, ...] = ()
) -> Heatmap:
    """Return a matrix of win rates with colours. `columns` are its rows if left out."""
    return Heatmap(
        table.title,
        tuple(str(row[0]) for row in table.rows),
        tuple(
            tuple(rate if isinstance(rate, Estimate) else None for rate in row[1:])
            for row in table.rows
        ),
        note,
        columns,
    )


def _make_cell(rate: Estimate | None) -> HeatmapCell | None:
    """Return the cell of a win rate in the colour of the winner."""
    if rate is None:
        return None
    games = game_count(rate.games)
    hint = f"{percent(rate.value)} ({ranged(rate.interval)}), {games}"
    return _cell(rate.value, IN_PERCENT.number(rate.value), hint)


def _cell(rate: float, text: str, hint: str) -> HeatmapCell:
    depth = round(2 * MAX_DEPTH * abs(rate - EVEN_RATE))
    return HeatmapCell(rate, text, hint, depth, rate >= EVEN_RATE)


# The parts of a page of a report, ready to be laid out, for any game


TICK_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
MOST_TICKS = 6
MAX_SHORT_NAME = 28
MAX_SLIM_WIDTH = 3
RING_LEGEND = "the ring is the value before"


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale of rates."""

    low: float
    """The rate at the left end."""
    high: float
    """The rate at the right end."""
    ticks: tuple[tuple[float, str], ...]
    """Places in % of the axis with their labels."""
    even: float | None
    """The place of an even rate in %, if there is one."""

    def at(self, rate: float) -> float:
        """Return the place of a rate in % of the axis."""
        share = (rate - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)


@dataclass(frozen=True, slots=True)
class Mark:
    """A value and the ends of its interval, in % of an axis."""

    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a forest."""

    name: str
    value: str
    """The measured value in words."""
    interval: str
    mark: Mark
    texts: tuple[str, ...] = ()
    place: str = ""
    deck: str = ""
    """The deck that has the value, where rows can be filtered."""
    is_other: bool = False
    """Whether the row repeats another row from the other side. Only a filter shows
    it.
    """
    before: float | None = None
    """The place of the value before a change, in % of the axis."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Measured values with their intervals, drawn above a common axis."""

    kind: ClassVar[str] = "forest"
    caption: str
    of: str
    """The head of the names."""
    measured: str
    """The head of the values."""
    reach: str
    """The head of the intervals."""
    axis: Axis
    rows: tuple[Row, ...]
    heads: tuple[str, ...] = ()
    """The heads of the further columns."""
    is_number: tuple[bool, ...] = ()
    """Whether each further column has numbers."""
    note: str = ""

    @property
    def decks(self) -> tuple[str, ...]:
        """The decks by which rows can be filtered, if there are several."""
        decks = sorted({row.deck for row in self.rows if row.deck}, key=str.casefold)
        return tuple(decks) if len(decks) > 2 else ()

    @property
    def is_short(self) -> bool:
        """Whether all names fit on one line with the other columns."""
        return all(len(row.name) <= MAX_SHORT_NAME for row in self.rows)

    @property
    def has_places(self) -> bool:
        """Whether the rows have places."""
        return any(row.place for row in self.rows)


@dataclass(frozen=True, slots=True)
class Line:
    """A value over time with its intervals, in a box of 100 by 100."""

    kind: ClassVar[str] = "line"
    caption: str
    answer: str
    """The main result in words."""
    axis: Axis
    ticks: tuple[tuple[float, str], ...]
    """Places in % with their labels."""
    marks: tuple[tuple[float, Mark], ...]
    """The values, each with its place in %."""

    @property
    def path(self) -> str:
        """The line that joins the values."""
        return "M" + "L".join(f"{x} {100 - mark.value:.2f}" for x, mark in self.marks)


@dataclass(frozen=True, slots=True)
class Figures:
    """A table without a drawing."""

    kind: ClassVar[str] = "figures"
    table: ReportTable

    @property
    def is_slim(self) -> bool:
        """Whether it has so few columns that they stay close to each other."""
        return len(self.table.columns) <= MAX_SLIM_WIDTH


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Words with their meanings, folded away below a `title` if any."""

    kind: ClassVar[str] = "facts"
    facts: tuple[tuple[str, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences, an item each."""

    kind: ClassVar[str] = "notes"
    notes: tuple[str, ...]


Block: TypeAlias = (
    Forest | Heatmap | Figures | Bars | Outlines | Line | PageFacts | Notes
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page with an address, `#id`."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    link: str | None = None
    """The text of the link to it: the title if None, no link if empty."""


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a page, which begins with `answers` in sentences."""

    title: str
    about: str
    answers: tuple[str, ...]
    warnings: tuple[str, ...]
    sections: tuple[Section, ...]
    fingerprint: str


def fit_axis(
    rates: Sequence[Figure], even: float | None = EVEN_RATE, *, signed: bool = False
) -> Axis:
    """Return an axis with round ends around all intervals, and around `even` or 0.

    `signed` rates are differences: they may be below 0 and are shown with their sign.
    """
    ends = [end for rate in rates for end in rate.interval]
    # Where no value is even, they are shares of a whole.
    ends += [0.0 if even is None else even]
    least, most = min(ends), max(ends)
    least, most = max(-1.0 if signed else 0.0, least), min(1.0, most)
    step = next(
        (s for s in TICK_STEPS if (most - least) / s < MOST_TICKS - 1), TICK_STEPS[-1]
    )
    first, last = floor(least / step + 1e-9), ceil(most / step - 1e-9)
    last = max(last, first + 1)
    low, high = first * step, last * step
    bare = Axis(low, high, (), None)
    sign = "+" if signed else ""
    ticks = tuple(
        (bare.at(n * step), f"{100 * n * step:{sign}.0f}" if n else "0")
        for n in range(first, last + 1)
    )
    return Axis(low, high, ticks, None if even is None else bare.at(even))


def place_mark(axis: Axis, estimate: Figure) -> Mark:
    """Return the places of a value and its interval on an axis."""
    low, high = estimate.interval
    return Mark(axis.at(low), axis.at(estimate.value), axis.at(high))


def draw_line(
    caption: str, answer: str, axis: Axis, rates: Mapping[str, Figure]
) -> Line:
    """Return a line through rates by their names, in order."""
    places = [round(100 * (i + 0.5) / len(rates), 2) for i in range(len(rates))]
    marks = tuple(
        (x, place_mark(axis, rate))
        for x, rate in zip(places, rates.values(), strict=True)
    )
    ticks = tuple(zip(places, rates, strict=True))
    shown = ticks if len(ticks) <= MOST_TICKS else (ticks[0], ticks[-1])
    return Line(caption, answer, axis, shown, marks)


def draw_forest(
    table: ReportTable,
    *,
    axis: Axis | None = None,
    places: Sequence[str] = (),
    decks: Sequence[tuple[str, bool]] = (),
) -> Forest:
    """Return a table with the intervals of its first measured column drawn.

    The axis covers all values unless there is an `axis`. `decks` has the deck of each
    row, and whether the row repeats another row from the other side. Rows without a
    value are left out.
    """
    drawn_index = next(i for i, column in enumerate(table.columns) if column.interval)
    drawn_column = table.columns[drawn_index]
    unit = drawn_column.unit
    others = [i for i in range(1, len(table.columns)) if i != drawn_index]
    further = [table.columns[i] for i in others]
    measured = [(row, row[drawn_index]) for row in table.rows]
    drawn = [(row, value) for row, value in measured if isinstance(value, Figure)]
    before = _before(table, [row for row, _ in drawn])
    if axis is None:
        signed = unit is not None and unit.signed
        values = [value for _, value in drawn]
        values += [Estimate(b, Interval(b, b), 0) for b in before if b is not None]
        axis = fit_axis(values, 0.0 if signed else table.even, signed=signed)
    rows = []
    for number, (row, value) in enumerate(drawn):
        was = before[number]
        shown, _ = drawn_column.texts(value)
        interval = ranged(value.interval)
        texts = cell_texts(further, [row[i] for i in others])
        prefix = places[number] if places else ""
        whose = decks[number] if decks else ("", False)
        mark = place_mark(axis, value)
        ring = None if was is None else axis.at(was)
        name = str(row[0])
        rows.append(
            Row(name, shown, interval, mark, texts, prefix, *whose, before=ring)
        )
    heads: list[str] = []
    is_number: list[bool] = []
    for column in further:
        heads += column.heads
        is_number += [column.unit is not None] * len(column.heads)
    return Forest(
        table.title,
        table.columns[0].name,
        drawn_column.name,
        (drawn_column.interval or "").replace("% interval", "%"),
        axis,
        tuple(rows),
        tuple(heads),
        tuple(is_number),
        "; ".join(filter(None, (table.note, RING_LEGEND if table.before else ""))),
    )


def _before(table: ReportTable, rows: Sequence[Sequence[Cell]]) -> list[float | None]:
    """Return the values of the column `before`, or None in rows without a value."""
    names = [column.name for column in table.columns]
    if table.before not in names:
        return [None] * len(rows)
    cells = [row[names.index(table.before)] for row in rows]
    return [cell if isinstance(cell, float) else None for cell in cells]


BY_COLOUR = "blue: the row wins more; orange: the column does"


def drawn_or_not(table: ReportTable) -> Forest | Heatmap | Figures:
    """Return a table with its intervals or its matrix of rates drawn, if it has any."""
    table = replace(table, title=table.caption or table.title)
    measured: list[Column] = []
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        measured += [column for column, cell in cells if isinstance(cell, Figure)]
    if table.matrix and measured:
        return draw_heatmap(table, table.note or BY_COLOUR, table.heads[1:])
    is_drawn = any(column.interval for column in measured)
    return draw_forest(table) if is_drawn else Figures(table)


# Pages of many decks: where a list ends, and where the rest of it is


MOST_ROWS = 450
"""The rows of a list: with all its lists a page stays below 2 MB."""
MOST_BLOCKS = 100
REST_NOTE = "all are in the outputs json and csv"


def shorten_page(page: Page) -> Page:
    """Return the page without rows far down, and with notes of how many were left out.

    All lists begin with the most important rows.
    """
    return replace(page, sections=tuple(map(_cut_section, page.sections)))


def _cut_section(section: Section) -> Section:
    blocks = [_cut_block(block) for block in section.blocks[:MOST_BLOCKS]]
    if len(section.blocks) > MOST_BLOCKS:
        blocks.append(Notes((f"{_count_shown(len(section.blocks), MOST_BLOCKS)}.",)))
    return replace(section, blocks=tuple(blocks))


def _cut_block(block: Block) -> Block:
    if isinstance(block, Forest) and len(block.rows) > MOST_ROWS:
        note = with_rest(block.note, len(block.rows))
        return replace(block, rows=block.rows[:MOST_ROWS], note=note)
    if isinstance(block, Outlines) and len(block.rows) > MOST_ROWS:
        note = with_rest(block.note, len(block.rows))
        return replace(block, rows=block.rows[:MOST_ROWS], note=note)
    if isinstance(block, Figures) and len(block.table.rows) > MOST_ROWS:
        table = block.table
        note = with_rest(table.note or "", len(table.rows))
        return Figures(replace(table, rows=table.rows[:MOST_ROWS], note=note))
    if isinstance(block, Notes) and len(block.notes) > MOST_ROWS:
        rest = f"{_count_shown(len(block.notes))}."
        return Notes((*block.notes[:MOST_ROWS], rest))
    return block


def with_rest(note: str, rows: int) -> str:
    """Return a note about a list of which only the first of `rows` are shown."""
    rest = _count_shown(rows)
    return f"{rest[0].lower()}{rest[1:]}; {note}" if note else rest


def _count_shown(number: int, most: int = MOST_ROWS) -> str:
    return f"The first {most:,} of {number:,} are shown; {REST_NOTE}"


# The conditions under which a result was played, and the limits of its claims


BY_CHANCE = ("random", "sane_random", "no_pass")
MOST_NAMED = 8


def limit_sections(
    run: ResultHeader, report: Report, tool: Program, more: Sequence[str] = ()
) -> Iterator[Section]:
    """Yield settings, decks and limits, which a reader needs to judge the rest.

    `tool` is the program that played, `more` are limits of this kind of result.
    """
    facts = [*report.facts, ("deckcheck", f"{tool.version}, engine {tool.engine}")]
    blocks: list[Block] = [PageFacts(tuple(facts))]
    if run.provenance is not None:
        facts.append(("cards", f"fingerprint {run.provenance.fingerprint}"))
        blocks = [PageFacts(tuple(facts)), _options(run.provenance)]
    yield Section("settings", "How it was played", tuple(blocks))
    if run.provenance is not None:
        decks = Figures(_decks(run, run.provenance))
        lists = _lists(run, run.provenance)
        yield Section("decks", "Decks", (decks, *([lists] if lists.facts else [])))
    notes = (*player_limits(run.players), *more, *_limits(run))
    yield Section("limits", "What this does not say", (Notes(notes),))


def player_limits(policies: Sequence[str]) -> Iterator[str]:
    """Yield the limits of results that these policies played."""
    players = [policy_label(name) for name in policies]
    yield (
        f"Bots played: {choice(players, 'and')}. A deck that is hard to play is "
        "worth more in hands that play it better."
    )
    if set(policies) & set(BY_CHANCE):
        yield (
            "Bots that choose at random show how the rules work, and little about how "
            "good a deck is."
        )


def _options(provenance: Provenance) -> PageFacts:
    options = tuple(
        (name.replace("_", " "), _word(v)) for name, v in provenance.options
    )
    return PageFacts(options, title=f"{plural(len(options), 'option')} of play")


def _decks(run: ResultHeader, provenance: Provenance) -> ReportTable:
    rows = tuple(
        (
            deck.name,
            changes.faction,
            changes.leader,
            changes.cards,
            policy_label(deck.policy),
            deck.path,
        )
        for deck, changes in zip(run.decks, provenance.decks, strict=True)
    )
    columns = (
        *words("deck", "faction", "leader"),
        Column("cards", COUNT),
        *words("player", "file"),
    )
    return ReportTable("The decks as they were played", columns, rows)


def _lists(run: ResultHeader, provenance: Provenance) -> PageFacts:
    """Return the decklists, a line for each deck."""
    pairs = zip(run.decks, provenance.decks, strict=True)
    lists = []
    for deck, source in pairs:
        if source.copies:
            copies = ", ".join(f"{number} {name}" for name, number in source.copies)
            lists.append((deck.name, copies))
    return PageFacts(tuple(lists), title="Decklists")


def _limits(run: ResultHeader) -> Iterator[str]:
    yield "Decks that did not take part are not known: one may beat all of these."
    yield (
        "Where the rulebook is silent, the options of play above decide. Other answers "
        "may lead to other results."
    )
    if run.provenance is not None:
        yield _sources(run.provenance)
    yield (
        "Each interval holds the true rate in 95 of 100 runs. That is said of each "
        "alone: of many intervals some miss."
    )


def _sources(provenance: Provenance) -> str:
    """Return a sentence about the reliability of the cards' data."""
    if not provenance.guessed:
        names = [source.replace("_", " ") for source in provenance.sources]
        return (
            f"What the {plural(provenance.cards, 'card')} of these decks do is taken "
            f"from sources: {choice(names, 'and')}. None is a guess."
        )
    more = len(provenance.guessed) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return (
        f"{len(provenance.guessed)} of {plural(provenance.cards, 'card')} are guesses: "
        f"{', '.join(provenance.guessed[:MOST_NAMED])}{rest}."
    )


def _word(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


# The parts that the pages of all studies share


def page_with(
    title: str,
    run: ResultHeader,
    report: Report,
    tool: Program,
    sections: Iterable[Section],
    *,
    limits: tuple[str, ...] = (),
    answers: Iterable[str] | None = None,
) -> Page:
    """Return the page of a result with these sections, its settings and limits below.

    `report` has all tables, and the answers unless `answers` are given. `tool` is the
    program that played, `limits` are the limits of this kind of study.
    """
    return Page(
        title=title,
        about=f"{run.format} ({run.month}) · {game_count(run.games_played)}",
        answers=report.answers if answers is None else tuple(answers),
        warnings=report.warnings,
        sections=(*sections, *limit_sections(run, report, tool, limits)),
        fingerprint=run.fingerprint,
    )


def make_table_page(run: ResultHeader, report: Report, tool: Program) -> Page:
    """Return the page of a study: its tables by section, drawn where that helps."""
    sections: dict[tuple[str, str], list[Block]] = {}
    for table in report.for_output(ON_PAGE).tables:
        sections.setdefault(table.section, []).append(drawn_or_not(table))
    title = report.title or f"A result of {run.format}"
    parts = [Section(*names, tuple(blocks)) for names, blocks in sections.items()]
    return page_with(title, run, report, tool, parts, limits=report.limits)


def make_plan_page(pages: Sequence[tuple[str, Page]], games: int) -> Page:
    """Return the pages of the experiments of a plan as a single page, by name.

    `games` is the number of games played in all of them.
    """
    answers: list[str] = []
    warnings: list[str] = []
    sections: list[Section] = []
    for number, (name, page) in enumerate(pages, start=1):
        answers += [f"{name}: {answer}" for answer in page.answers[:1]]
        warnings += [f"{name}: {warning}" for warning in page.warnings]
        for section in page.sections:
            id, title = f"part-{number}-{section.id}", f"{name}: {section.title}"
            link = name if section is page.sections[0] else ""
            sections.append(replace(section, id=id, title=title, link=link))
    return Page(
        title=plural(len(pages), "experiment"),
        about=f"{', '.join(name for name, _ in pages)} · {game_count(games)}",
        answers=tuple(answers),
        warnings=tuple(warnings),
        sections=tuple(sections),
        fingerprint=", ".join(dict.fromkeys(page.fingerprint for _, page in pages)),
    )


def render_page(page: Page) -> str:
    """Return a page as HTML, a single file without dependencies."""
    return render(Path(__file__).with_name("page.html"), page=shorten_page(page))
