"""The meaning of the lines of a list in a game: headers, headings and cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import (
    DOUBTFUL_LINE,
    EMPTY_HEADER,
    IMPOSSIBLE_COUNT,
    LATE_HEADER,
    SURROUNDING_PROSE,
    UNREADABLE_LINE,
)
from deckcheck.decks.lines import (
    MAX_LINE,
    CardLine,
    LineDefect,
    parse_card_line,
    parse_described_line,
)
from deckcheck.decks.model import (
    DeckSource,
    Entry,
    Header,
    Heading,
    Line,
    RawDeck,
    section_title,
)
from deckcheck.decks.notation import Notation
from deckcheck.decks.words import HEADERS, Below, read_titles
from deckcheck.findings import START, Finding, Related, Rule, Span
from deckcheck.messages import plural, quote


@dataclass(frozen=True, slots=True)
class Reading:
    """A deck with the meaning of its lines, before the names of cards are looked up."""

    source: DeckSource
    span: Span
    headers: Mapping[str, tuple[Header, ...]]
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]
    aside: tuple[Entry, ...]
    """The cards below a heading such as `Sideboard`."""
    headings: tuple[Heading, ...]
    """The headings in the player's own words."""
    sections: Mapping[str, Span] = field(default_factory=dict)
    """The first heading of each title in lower case."""
    unread_lines: int = 0
    """The number of lines with an unreadable card, as in `RawDeck`."""
    totals: tuple[Heading, ...] = ()
    """Stated numbers of cards, of the deck or below a heading."""
    comments: tuple[Line, ...] = ()
    """Comments on a line of their own."""


def read_deck(raw: RawDeck, database: CardDatabase | None) -> Reading:
    """Return the meaning of the lines of a deck.

    `database` is None if its game is unknown.
    """
    reader = _Reader(raw, database)
    lines: Sequence[Line] = raw.lines
    if database is not None:
        notation = Notation(database)
        lines = notation.read_lines(lines)
        reader.report_prose(notation.prose)
    for line in lines:
        reader.take(line)
    reader.report_doubts()
    return Reading(
        source=raw.source,
        span=raw.span,
        headers=raw.headers,
        entries=tuple(reader.entries),
        findings=tuple(reader.findings),
        aside=tuple(reader.aside),
        headings=tuple(reader.own_headings),
        sections=reader.sections,
        unread_lines=reader.unread_lines,
        totals=tuple(reader.totals),
        comments=tuple(reader.comments),
    )


class _Reader:
    """Gathers the lines of a deck by their meaning."""

    def __init__(self, raw: RawDeck, database: CardDatabase | None) -> None:
        self.parse: Callable[[str], CardLine | LineDefect] = parse_card_line
        self.has_reserves = True
        self.kinds: set[str] = set()
        if database is not None:
            if database.has_numbers:
                self.parse = parse_described_line
            self.has_reserves = database.game.reserves
            self.kinds = {section_title(kind).lower() for kind in database.game.kinds}
        self.path = raw.source.path
        self.start = raw.lines[0].span.start if raw.lines else START.start
        self.entries: list[Entry] = []
        self.aside: list[Entry] = []
        self.doubtful: list[Line] = []
        self.findings = list(raw.findings)
        self.sections: dict[str, Span] = {}
        self.own_headings: list[Heading] = []
        self.totals: list[Heading] = []
        self.comments: list[Line] = []
        self.heading: Heading | None = None
        self.unread_lines = raw.unread_lines

    def take(self, line: Line) -> None:
        """Take the next line."""
        if line.is_comment:
            self.comments.append(line)
            return
        is_long = len(line.text) > MAX_LINE
        headings = () if is_long else read_headings(line)
        if line.header is not None:
            # A name with a colon may be a header of another program.
            if any(":" not in entry.name for entry in self.entries):
                message = f"Header `{HEADERS[line.key]}` comes after the first card"
                help = "Move it above the cards, or write `---` before a second deck"
                self.report(LATE_HEADER, line.span, message, help)
        elif is_long:
            message = f"Line of {len(line.text):,} characters"
            message += f", at most {MAX_LINE} allowed"
            self.unread_lines += 1
            span = line.part(0, MAX_LINE)
            self.report(UNREADABLE_LINE, span, message, "Write one card per line")
        elif line.doubt:
            self.doubtful.append(line)
        elif headings:
            self.begin(headings)
        else:
            self.take_card(line)

    def begin(self, headings: Sequence[Heading]) -> None:
        """Begin the part below a heading, or keep the totals that a line states."""
        self.totals += (each for each in headings if each.number is not None)
        heading = headings[0]
        if heading.below is Below.TOTAL:
            return
        self.heading = heading
        title = heading.title.lower()
        if title:
            self.sections.setdefault(title, heading.span)
        if heading.below is Below.VALUE:
            label = HEADERS[heading.title]
            message = f"Header `{label}` has no value"
            help = f"Write it after the colon, or remove the `{label}` line"
            self.report(EMPTY_HEADER, heading.span, message, help)
        elif heading.below is Below.CUSTOM and title not in self.kinds:
            self.own_headings.append(heading)

    def take_card(self, line: Line) -> None:
        """Take a line that can be nothing but a card."""
        heading = self.heading
        below = heading.below if heading is not None else Below.CARDS
        is_aside = below is Below.ASIDE
        if below is Below.RESERVES and not self.has_reserves:
            is_aside = True
        if line.count is not None:
            entry = Entry(line.text, line.count or 1, line.span, line, heading)
        else:
            card = self.parse(line.text)
            span = line.part(card.start, card.end)
            if isinstance(card, LineDefect):
                if not is_aside:
                    rule = IMPOSSIBLE_COUNT if card.about_count else UNREADABLE_LINE
                    self.unread_lines += 1
                    self.report(rule, span, card.message, card.help)
                return
            entry = Entry(card.name, card.count, span, line, heading)
        if is_aside:
            self.aside.append(entry)
        else:
            self.entries.append(entry)

    def report_prose(self, blocks: Sequence[Sequence[Line]]) -> None:
        """Report lines before and after the list that name no card."""
        for first, *others in blocks:
            subject = f"{quote(first.text)} is"
            if others:
                more = plural(len(others), "more line")
                subject = f"{quote(first.text)} and {more} are"
            message = f"{subject} left out: no card is named"
            help = "Write it as a comment, `# ...`, or name the card"
            if not others and first.span.start == self.start:
                header = quote(f"Name: {first.text}")
                help = f"Write {header} if this is the deck's name"
            related = [Related(line.span, "left out") for line in others]
            self.report(SURROUNDING_PROSE, first.span, message, help, *related)

    def report_doubts(self) -> None:
        """Report the lines that may not be meant."""
        if not self.doubtful:
            return
        self.unread_lines += len(self.doubtful)
        first, *others = self.doubtful
        message = f"{quote(first.text)} may not be meant: {quote(first.doubt)}"
        if others:
            message += f", as {plural(len(others), 'more line')}"
        related = [Related(line.span, "may not be meant") for line in others]
        help = "Write the cards of the deck alone, without such marks"
        self.report(DOUBTFUL_LINE, first.span, message, help, *related)

    def report(
        self, rule: Rule, span: Span, message: str, help: str, *related: Related
    ) -> None:
        """Add a finding."""
        finding = rule.at(self.path, span, message, help=help, related=related)
        self.findings.append(finding)


def read_headings(line: Line) -> tuple[Heading, ...]:
    """Return the heading that a line is, or the totals that it states."""
    if line.heading is not None:
        return (line.heading,)
    if line.count is not None:
        return ()
    headings = []
    for words, below, number in read_titles(line.text):
        headings.append(Heading(words, line.span, below, number))
    if headings:
        return tuple(headings)
    if not line.text.endswith(":"):
        return ()
    title = line.text[:-1].rstrip()
    if not title or parse_card_line(title) != CardLine(1, title, 0, len(title)):
        return ()
    return (Heading(title, line.span, Below.CUSTOM),)
