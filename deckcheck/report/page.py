"""A report as one HTML file: forests, heatmaps, bars, limits."""

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
    percent,
    ranged,
    texts_of,
    words,
)
from deckcheck.sim.figures import Figure
from deckcheck.sim.provenance import Program, Provenance
from deckcheck.sim.standings import ResultHeader
from deckcheck.stats import Estimate, Histogram, Interval

# Histograms as parts of a page: bars, and small ones in the rows of a table


GAP = 0.08
HEIGHT = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A bin: its numbers in words, how many games it has, and their share."""

    label: str
    games: str
    share: str


@dataclass(frozen=True, slots=True)
class AxisScale:
    """Bins of `width` numbers from `first` on; the outer ones have all beyond, too.

    `ticks` are places in % with their labels, `zero` is where 0 lies, if it is inside.
    """

    first: int
    bins: int
    width: int
    ticks: tuple[tuple[float, str], ...]
    zero: float | None

    @property
    def last(self) -> int:
        """The greatest number of the last bin."""
        return self.first + self.bins * self.width - 1

    def counts(self, histogram: Histogram) -> list[int]:
        """How many of the numbers each bin has."""
        counts = [0] * self.bins
        for i, games in enumerate(histogram.counts):
            at = (histogram.first + i - self.first) // self.width
            counts[min(max(at, 0), self.bins - 1)] += games
        return counts


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars above a scale; `path` draws them in a box of `bins` by 100.

    `answer` says the main thing, `of` what the numbers are.
    """

    kind: ClassVar[str] = "bars"
    caption: str
    answer: str
    of: str
    scale: AxisScale
    bars: tuple[Bar, ...]
    path: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A row: whose numbers these are, its figures, and its bars as a path."""

    name: str
    cells: tuple[str, ...]
    path: str


@dataclass(frozen=True, slots=True)
class Outlines:
    """A table with small bars in each row, all of one scale and of one height."""

    kind: ClassVar[str] = "outlines"
    caption: str
    of: str
    columns: tuple[str, ...]
    scale: AxisScale
    rows: tuple[Outline, ...]
    note: str = ""


def path_of(counts: Sequence[float], most: float) -> str:
    """Bars of width 1 as a path; `most` would be as high as the box, 100."""
    parts = []
    for i, games in enumerate(counts):
        if games:
            top = round(HEIGHT * (1 - games / most), 1)
            parts.append(f"M{i} {HEIGHT}V{top:g}H{i + 1 - GAP:g}V{HEIGHT}")
    return "".join(parts)


# A matrix of win rates: with all its cells, or as data that a script lays out


EVEN = 0.5
DEEPEST = 62
LEGEND = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_CELLS = 900
"""Cells that are laid out one by one; those of thirty decks."""
MOST_RATES = 40_000
"""Rates that a page has as data, some 15 bytes each."""

Rates: TypeAlias = tuple[tuple[Estimate | None, ...], ...]


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """A win rate in a matrix; `depth` is how strong its colour is, 0 to 62."""

    value: float
    text: str
    hint: str
    depth: int
    wins: bool


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Win rates of the rows, `names`, against the columns, the same unless named.

    Where both are the same, the rates of one half say those of the other.
    """

    kind: ClassVar[str] = "heatmap"
    caption: str
    names: tuple[str, ...]
    rates: Rates
    note: str = ""
    columns: tuple[str, ...] = ()

    @property
    def is_large(self) -> bool:
        """Whether it is an image, and a list for one row that a reader chooses."""
        return len(self.names) * len(self.columns or self.names) > MOST_CELLS

    @property
    def rows(self) -> tuple[tuple[HeatmapCell | None, ...], ...]:
        """The cells, row by row."""
        return tuple(tuple(map(_cell_of, row)) for row in self.rates)

    @property
    def legend(self) -> tuple[HeatmapCell, ...]:
        """A cell for some rates, from 0 to 100 %."""
        return tuple(_cell(rate, f"{100 * rate:.0f}", "") for rate in LEGEND)

    @property
    def data(self) -> dict[str, object] | None:
        """What the script needs; None where even that is too much for a page.

        `rates` are those of all rows, without columns of the half above the diagonal:
        in tenths of a percent, with the ends of the interval, and games; 0 for none.
        """
        halves = [
            rate
            for at, row in enumerate(self.rates)
            for rate in (row if self.columns else row[at + 1 :])
        ]
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


def heatmap_of(table: ReportTable, note: str, columns: tuple[str, ...] = ()) -> Heatmap:
    """Return a matrix of win rates with colours; `columns` are its rows if left out."""
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


def _cell_of(rate: Estimate | None) -> HeatmapCell | None:
    """The cell of a win rate; the colour is that of the winner."""
    if rate is None:
        return None
    games = game_count(rate.games)
    hint = f"{percent(rate.value)} ({ranged(rate.interval)}), {games}"
    return _cell(rate.value, IN_PERCENT.number(rate.value), hint)


def _cell(rate: float, text: str, hint: str) -> HeatmapCell:
    depth = round(2 * DEEPEST * abs(rate - EVEN))
    return HeatmapCell(rate, text, hint, depth, rate >= EVEN)


# The parts of a page of a report, ready to be laid out; they know no game


STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
MOST_TICKS = 6
SHORT = 28
SLIM = 3
RING = "the ring is the value before"


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale of rates from `low` to `high`; `ticks` and `even` are in % of it."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    even: float | None

    def at(self, rate: float) -> float:
        """Where a rate lies, in % of the axis."""
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
    """A row of a forest: its name, its measured value, and further texts.

    `deck` is whose value it is, where rows can be filtered; one that `is_other` says
    again, from the other side, what another row says, and is shown by a filter alone.
    `before` is where the value was before a change, in % of the axis.
    """

    name: str
    value: str
    interval: str
    mark: Mark
    texts: tuple[str, ...] = ()
    place: str = ""
    deck: str = ""
    is_other: bool = False
    before: float | None = None


@dataclass(frozen=True, slots=True)
class Forest:
    """Measured values with their intervals, drawn above one axis.

    `of` is the head of the names, `measured` that of the values, `reach` that of their
    intervals; `heads` are those of the further columns, and `is_number` says which of
    them hold numbers.
    """

    kind: ClassVar[str] = "forest"
    caption: str
    of: str
    measured: str
    reach: str
    axis: Axis
    rows: tuple[Row, ...]
    heads: tuple[str, ...] = ()
    is_number: tuple[bool, ...] = ()
    note: str = ""

    @property
    def decks(self) -> tuple[str, ...]:
        """The decks by which rows can be filtered, if there are several."""
        decks = sorted({row.deck for row in self.rows if row.deck}, key=str.casefold)
        return tuple(decks) if len(decks) > 2 else ()

    @property
    def is_short(self) -> bool:
        """Whether all names fit on one line with the other columns."""
        return all(len(row.name) <= SHORT for row in self.rows)

    @property
    def has_places(self) -> bool:
        """Whether the rows have places."""
        return any(row.place for row in self.rows)


@dataclass(frozen=True, slots=True)
class Line:
    """A value over time with its intervals, in a box of 100 by 100.

    `answer` says the main thing; `marks` have a place in % each, `ticks` such places
    with what is there, and `path` joins the values.
    """

    kind: ClassVar[str] = "line"
    caption: str
    answer: str
    axis: Axis
    ticks: tuple[tuple[float, str], ...]
    marks: tuple[tuple[float, Mark], ...]

    @property
    def path(self) -> str:
        """The values, joined."""
        return "M" + "L".join(f"{at} {100 - mark.value:.2f}" for at, mark in self.marks)


@dataclass(frozen=True, slots=True)
class Figures:
    """A table without a drawing."""

    kind: ClassVar[str] = "figures"
    table: ReportTable

    @property
    def is_slim(self) -> bool:
        """Whether it has so few columns that they stay close to each other."""
        return len(self.table.columns) <= SLIM


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Words and what they say; folded away below `title` if there is one."""

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
    """A part of a page with an address of its own, `#id`.

    `link` is what leads there, its title if that is None, nothing if it is empty.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a page: first `answers`, in sentences."""

    title: str
    about: str
    answers: tuple[str, ...]
    warnings: tuple[str, ...]
    sections: tuple[Section, ...]
    digest: str


def axis_of(
    rates: Sequence[Figure], even: float | None = EVEN, *, signed: bool = False
) -> Axis:
    """Return an axis with round ends that holds all intervals, and `even`, or else 0.

    `signed` rates are differences: they may be below 0, and are shown with their sign.
    """
    ends = [end for rate in rates for end in rate.interval]
    # Where no value is even, they are shares of a whole.
    ends += [0.0 if even is None else even]
    least, most = min(ends), max(ends)
    least, most = max(-1.0 if signed else 0.0, least), min(1.0, most)
    step = next((s for s in STEPS if (most - least) / s < MOST_TICKS - 1), STEPS[-1])
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


def mark_on(axis: Axis, estimate: Figure) -> Mark:
    """Return where a value and its interval lie on an axis."""
    low, high = estimate.interval
    return Mark(axis.at(low), axis.at(estimate.value), axis.at(high))


def line_of(caption: str, answer: str, axis: Axis, rates: Mapping[str, Figure]) -> Line:
    """Return a line through rates by their names, in their order."""
    places = [round(100 * (i + 0.5) / len(rates), 2) for i in range(len(rates))]
    marks = tuple(
        (at, mark_on(axis, rate))
        for at, rate in zip(places, rates.values(), strict=True)
    )
    ticks = tuple(zip(places, rates, strict=True))
    shown = ticks if len(ticks) <= MOST_TICKS else (ticks[0], ticks[-1])
    return Line(caption, answer, axis, shown, marks)


def forest_of(
    table: ReportTable,
    *,
    axis: Axis | None = None,
    places: Sequence[str] = (),
    decks: Sequence[tuple[str, bool]] = (),
) -> Forest:
    """Return a table with the intervals of its first measured column drawn.

    The axis is that of all its values unless there is an `axis`. `decks` has whose
    value each row is, and whether that row says another one again, from the other side.
    Rows without a value are left out.
    """
    at = next(i for i, column in enumerate(table.columns) if column.interval)
    unit = table.columns[at].unit
    others = [i for i in range(1, len(table.columns)) if i != at]
    further = [table.columns[i] for i in others]
    measured = [(row, row[at]) for row in table.rows]
    drawn = [(row, value) for row, value in measured if isinstance(value, Figure)]
    before = _before(table, [row for row, _ in drawn])
    if axis is None:
        signed = unit is not None and unit.signed
        values = [value for _, value in drawn]
        values += [Estimate(b, Interval(b, b), 0) for b in before if b is not None]
        axis = axis_of(values, 0.0 if signed else table.even, signed=signed)
    rows = []
    for number, (row, value) in enumerate(drawn):
        was = before[number]
        shown, _ = table.columns[at].texts(value)
        interval = ranged(value.interval)
        texts = texts_of(further, [row[i] for i in others])
        place = places[number] if places else ""
        whose = decks[number] if decks else ("", False)
        mark = mark_on(axis, value)
        ring = None if was is None else axis.at(was)
        name = str(row[0])
        rows.append(Row(name, shown, interval, mark, texts, place, *whose, before=ring))
    return Forest(
        table.title,
        table.columns[0].name,
        table.columns[at].name,
        (table.columns[at].interval or "").replace(" % interval", " %"),
        axis,
        tuple(rows),
        tuple(head for column in further for head in column.heads),
        tuple(column.unit is not None for column in further for _ in column.heads),
        "; ".join(filter(None, (table.note, RING if table.before else ""))),
    )


def _before(table: ReportTable, rows: Sequence[Sequence[Cell]]) -> list[float | None]:
    """The values of the column `before`, None without one."""
    names = [column.name for column in table.columns]
    if table.before not in names:
        return [None] * len(rows)
    cells = [row[names.index(table.before)] for row in rows]
    return [cell if isinstance(cell, float) else None for cell in cells]


BY_COLOUR = "blue: the row wins more; orange: the column does"


def drawn_or_not(table: ReportTable) -> Forest | Heatmap | Figures:
    """Return a table with its intervals or its matrix of rates drawn, if it has any."""
    table = replace(table, title=table.caption or table.title)
    measured = [
        column
        for row in table.rows
        for column, cell in zip(table.columns, row, strict=True)
        if isinstance(cell, Figure)
    ]
    if table.matrix and measured:
        return heatmap_of(table, table.note or BY_COLOUR, table.heads[1:])
    is_drawn = any(column.interval for column in measured)
    return forest_of(table) if is_drawn else Figures(table)


# Pages of many decks: where a list ends, and where the rest of it is


MOST_ROWS = 450
"""The rows of a list: with all its lists a page stays below 2 MB."""
MOST_BLOCKS = 100
REST = "all are in the outputs json and csv"


def cut(page: Page) -> Page:
    """Return the page without the rows that nobody reads; it says how many there are.

    The first rows stay: all lists begin with what matters most.
    """
    return replace(page, sections=tuple(map(_cut_section, page.sections)))


def _cut_section(section: Section) -> Section:
    blocks = [_cut_block(block) for block in section.blocks[:MOST_BLOCKS]]
    if len(section.blocks) > MOST_BLOCKS:
        blocks.append(Notes((f"{_shown(len(section.blocks), MOST_BLOCKS)}.",)))
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
        rest = f"{_shown(len(block.notes))}."
        return Notes((*block.notes[:MOST_ROWS], rest))
    return block


def with_rest(note: str, rows: int) -> str:
    """A note below a list of which only the first of so many rows are shown."""
    rest = _shown(rows)
    return f"{rest[0].lower()}{rest[1:]}; {note}" if note else rest


def _shown(number: int, most: int = MOST_ROWS) -> str:
    return f"The first {most:,} of {number:,} are shown; {REST}"


# The conditions under which a result was played, and the limits of its claims


BY_CHANCE = ("random", "sane_random", "no_pass")
MOST_NAMED = 8
NO_BREAK = "\u00a0"


def limit_sections(
    run: ResultHeader, report: Report, tool: Program, more: Sequence[str] = ()
) -> Iterator[Section]:
    """Settings, decks, and limits: what a reader needs to judge the rest.

    `tool` is what played, `more` are limits of this kind of result.
    """
    facts = [*report.facts, ("deckcheck", f"{tool.version}, engine {tool.engine}")]
    blocks: list[Block] = [PageFacts(tuple(facts))]
    if run.provenance is not None:
        facts.append(("cards", f"digest {run.provenance.digest}"))
        blocks = [PageFacts(tuple(facts)), _options(run.provenance)]
    yield Section("settings", "How it was played", tuple(blocks))
    if run.provenance is not None:
        decks = Figures(_decks(run, run.provenance))
        lists = _lists(run, run.provenance)
        yield Section("decks", "Decks", (decks, *([lists] if lists.facts else [])))
    notes = (*limits_of_players(run.players), *more, *_limits(run))
    yield Section("limits", "What this does not say", (Notes(notes),))


def limits_of_players(policies: Sequence[str]) -> Iterator[str]:
    """What it means that these played."""
    players = [policy_label(name) for name in policies]
    yield (
        f"Programs played: {choice(players, 'and')}. A deck that is hard to play is "
        "worth more in hands that play it better."
    )
    if set(policies) & set(BY_CHANCE):
        yield (
            "Players who choose by chance say how the rules work, and little of what a "
            "deck is worth."
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
            own.faction,
            own.leader,
            own.cards,
            policy_label(deck.policy).replace(" ", NO_BREAK),
            deck.path,
        )
        for deck, own in zip(run.decks, provenance.decks, strict=True)
    )
    columns = (
        *words("deck", "faction", "leader"),
        Column("cards", COUNT),
        *words("player", "file"),
    )
    return ReportTable("The decks as they were played", columns, rows)


def _lists(run: ResultHeader, provenance: Provenance) -> PageFacts:
    """The decklists, a line for each deck."""
    pairs = zip(run.decks, provenance.decks, strict=True)
    lists = tuple(
        (deck.name, ", ".join(f"{n} {name}" for name, n in own.copies))
        for deck, own in pairs
        if own.copies
    )
    return PageFacts(lists, title="Decklists")


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
    """How sure it is what the cards of the decks can do."""
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

    `report` has the answers, unless `answers` are given, and all tables. `tool` is the
    program that played, `limits` are those of this kind of study.
    """
    return Page(
        title=title,
        about=f"{run.format} ({run.month}) · {game_count(run.games_played)}",
        answers=report.answers if answers is None else tuple(answers),
        warnings=report.warnings,
        sections=(*sections, *limit_sections(run, report, tool, limits)),
        digest=run.digest,
    )


def page_of_tables(run: ResultHeader, report: Report, tool: Program) -> Page:
    """Return the page of a study: its tables by section, drawn where that helps."""
    sections: dict[tuple[str, str], list[Block]] = {}
    for table in report.for_output(ON_PAGE).tables:
        sections.setdefault(table.section, []).append(drawn_or_not(table))
    title = report.title or f"A result of {run.format}"
    parts = [Section(*at, tuple(blocks)) for at, blocks in sections.items()]
    return page_with(title, run, report, tool, parts, limits=report.limits)


def page_of_plan(pages: Sequence[tuple[str, Page]], games: int) -> Page:
    """Return the pages of the experiments of a plan as one, by their names.

    `games` is the number of games played in all of them.
    """
    return Page(
        title=plural(len(pages), "experiment"),
        about=f"{', '.join(name for name, _ in pages)} · {game_count(games)}",
        answers=tuple(f"{name}: {a}" for name, page in pages for a in page.answers[:1]),
        warnings=tuple(f"{name}: {w}" for name, page in pages for w in page.warnings),
        sections=tuple(
            replace(
                section,
                id=f"part-{number}-{section.id}",
                title=f"{name}: {section.title}",
                link=name if section is page.sections[0] else "",
            )
            for number, (name, page) in enumerate(pages, start=1)
            for section in page.sections
        ),
        digest=", ".join(dict.fromkeys(page.digest for _, page in pages)),
    )


def written(page: Page) -> str:
    """Return a page as HTML: one file that needs no other."""
    return render(Path(__file__).with_name("page.html"), page=cut(page))
