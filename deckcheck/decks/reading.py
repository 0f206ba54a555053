"""What the lines of a list mean in a game: headings, cards, and what is not meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import is_misspelt
from deckcheck.decks.findings import (
    BARE_TITLE,
    BELOW_DASHES,
    EMPTY_HEADER,
    IMPOSSIBLE_COUNT,
    LATE_HEADER,
    LOOKS_LIKE_A_DIFF,
    UNREADABLE_LINE,
)
from deckcheck.decks.lines import (
    CardLine,
    LineDefect,
    bracketed,
    parse_card_line,
    parse_described_line,
)
from deckcheck.decks.marks import OWN_SIGN, Aside, marked
from deckcheck.decks.model import (
    Below,
    DeckSource,
    Entry,
    Header,
    Heading,
    Line,
    RawDeck,
    section_title,
)
from deckcheck.decks.words import (
    HEADERS,
    header_key,
    is_reserves,
    is_section,
    is_set_aside,
    section_of,
    title_of,
)
from deckcheck.findings import Finding, Related, Rule, Span, on_line
from deckcheck.messages import plural, quote

MAX_LINE = 500

DECORATION = "*_=~> \t"
"""What makes a title one in emails and Markdown, around it."""

SHORTEST_TITLE = 3
"""How many letters the name of a deck has at least."""

SUGGESTED = 100
"""How many unknown cards get suggestions; with more, something else is wrong."""

LONGEST_ASIDE = 120
"""How many characters of a comment, or of what is crossed out, may be a card."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A deck whose lines are told apart; names of cards are not looked up yet.

    `asides` are the lines that are not meant, comments among them. `headings` are those
    in words of the player's own, `sections` the first heading of each title in lower
    case. `unreadable` are lines that hold a card nobody can read, and `unread` counts
    them. `removed` are the entries behind a `-` where others have a `+`.
    """

    source: DeckSource
    span: Span
    headers: Mapping[str, tuple[Header, ...]]
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]
    asides: tuple[Line, ...] = ()
    headings: tuple[Heading, ...] = ()
    sections: Mapping[str, Span] = field(default_factory=dict)
    unreadable: tuple[Line, ...] = ()
    unread: int = 0
    removed: tuple[Entry, ...] = ()


def read_deck(raw: RawDeck, database: CardDatabase | None) -> Reading:
    """Tell the lines of a deck apart, by the names and counts of its game.

    Where the game is not known, every line without a mark is a heading or a card.
    """
    reader = _Reader(raw, database)
    for line in raw.lines:
        reader.take(line)
    if reader.dashes is not None:
        reader.settle_dashes(reader.dashes)
    if database is not None:
        reader.settle_title()
        reader.settle_headers()
        reader.settle_headings(database)
        reader.settle_counts(database)
    return reader.reading()


class _Unreadable(NamedTuple):
    """A card line that nobody can read, and why."""

    line: Line
    defect: LineDefect
    heading: Heading | None


class _Reader:
    """Gathers what the lines of a deck mean; what is wrong is said at the end."""

    def __init__(self, raw: RawDeck, database: CardDatabase | None) -> None:
        self.raw = raw
        self.database = database
        is_described = database is not None and database.has_numbers
        self.parse = parse_described_line if is_described else parse_card_line
        self.headers = raw.headers
        self.entries: list[Entry] = []
        self.unreadable: list[_Unreadable] = []
        self.asides: list[Line] = []
        self.partial: list[Line] = []
        self.findings = list(raw.findings)
        self.sections: dict[str, Span] = {}
        self.own: list[Heading] = []
        self.empty: list[Heading] = []
        # The heading above, the item of a list above that is not meant, a line `--`.
        self.heading: Heading | None = None
        self.over: Line | None = None
        self.dashes: Span | None = None
        self.unread = raw.unread
        self.place: Span | None = None

    @property
    def set_aside(self) -> Heading | None:
        """The heading above, if what stands below it is not meant."""
        heading = self.heading
        return heading if heading and heading.below is Below.NOTHING else None

    # Line by line: each is a header, a comment, a heading, not meant, or a card.

    def take(self, line: Line) -> None:
        """Take the next line."""
        if line.aside is Aside.COMMENT and line.heading is None:
            self.take_comment(line)
        elif line.header is not None:
            self.asides += [line] if line.aside else []
        elif len(line.text) > MAX_LINE:
            message = f"Line of {len(line.text):,} characters"
            message += f", at most {MAX_LINE} allowed"
            self.unread += 1
            place = line.part(0, MAX_LINE)
            self.report(UNREADABLE_LINE, place, message, "Write one card per line")
        elif line.is_partial:
            self.partial.append(line)
        elif (heading := line.heading or heading_of(line)) is not None:
            self.begin(heading, line)
        elif (aside := self.aside_of(line)) is not None:
            self.asides.append(aside)
        else:
            self.take_card(line)

    def take_comment(self, line: Line) -> None:
        """Take a comment, which may be a heading after all."""
        if line.sign == "--" and not line.text:
            number, column = line.span.start
            self.dashes = self.dashes or on_line(number, column - 2, column)
        title = title_of(line.text).lower()
        if is_set_aside(line.text, exactly=True):
            self.heading = Heading("", line.span, Below.NOTHING, is_comment=True)
            self.over = None
        elif is_section(title) and self.set_aside and self.set_aside.is_comment:
            self.heading = Heading("", line.span, Below.CARDS)
        elif header_key(title) in ("leader", "faction") and not self.set_aside:
            self.heading = Heading(title, line.span, Below.CARDS)
            self.sections.setdefault(title, line.span)
        elif line.text:
            self.asides.append(_counted(replace(line, sign=line.sign[:1])))

    def begin(self, heading: Heading, line: Line) -> None:
        """Begin what stands below a heading."""
        title = heading.title.lower()
        is_beside = heading.below is Below.CARDS and self.set_aside is not None
        if not (is_beside and title in self.sections):
            self.heading, self.over = heading, None
        if heading.below is Below.NOTHING:
            if title and not is_set_aside(line.text, exactly=True):
                # There may be a card in it.
                self.asides.append(replace(line, aside=Aside.HEADING, heading=heading))
            return
        if title:
            self.sections.setdefault(title, heading.span)
        self.own += [heading] if heading.below is Below.OWN else []
        self.empty += [heading] if heading.below is Below.VALUE else []

    def aside_of(self, line: Line) -> Line | None:
        """A line that is not meant: by its marks, its tag, its heading; None if it is.

        The item of a list that is not meant is the heading of those nested in it.
        """
        kind, heading, place = line.aside, self.set_aside, None
        if kind is None:
            place = _card_beside(line.text)
            if place or heading or is_set_aside(line.remark, exactly=True):
                kind = Aside.HEADING
        if self.over is not None and line.indent <= self.over.indent:
            self.over = None
        if kind is None and self.over is not None:
            kind, heading = Aside.HEADING, Heading("", self.over.span, Below.NOTHING)
        elif kind in (Aside.STRUCK, Aside.UNTICKED) and self.over is None:
            self.over = line
        if kind is None:
            return None
        start, end = place or (0, len(line.text))
        line = replace(line, text=line.text[start:end], span=line.part(start, end))
        heading = heading if kind is Aside.HEADING else None
        return _counted(replace(line, aside=kind, heading=heading))

    def take_card(self, line: Line) -> None:
        """Take a line that can be nothing but a card."""
        card = CardLine(line.count or 1, line.text, 0, len(line.text))
        read = self.parse(line.text) if line.count is None else card
        if isinstance(read, LineDefect):
            self.unreadable.append(_Unreadable(line, read, self.heading))
            return
        span = line.part(read.start, read.end) if line.count is None else line.span
        entry = Entry(read.name, read.count, span, line, self.heading)
        if entry.in_reserves and self.database and not self.database.game.reserves:
            text = f"{entry.count} {entry.name}"
            aside = replace(line, text=text, span=span, aside=Aside.HEADING)
            self.asides.append(replace(aside, heading=self.heading))
            return
        self.entries.append(entry)
        if line.remark and line.count is None:
            said = replace(line, text=line.remark, aside=Aside.COMMENT, sign=OWN_SIGN)
            self.asides.append(said)

    # What only all lines tell together.

    def settle_dashes(self, dashes: Span) -> None:
        """Tell a signature below a line `--` from cards."""
        below = [entry for entry in self.entries if entry.span > dashes]
        database = self.database
        if database is None:
            return
        if any(is_card(entry.name, database) for entry in below):
            message = f"{plural(len(below), 'line')} below `--`: these cards count"
            help = "Remove the `--`, or write `---` between two decks"
            self.report(BELOW_DASHES, dashes, message, help)
            return
        self.entries = [entry for entry in self.entries if entry.span < dashes]
        self.unreadable = [one for one in self.unreadable if one.line.span < dashes]
        self.findings = [one for one in self.findings if one.span < dashes]
        self.empty = [one for one in self.empty if one.span < dashes]

    def settle_title(self) -> None:
        """Take a first line that is not a card for the name of the deck."""
        line = self.raw.title
        if line is None or "name" in self.headers or not self.is_title(line.text):
            return
        own = [entry for entry in self.entries if entry.line is line and entry.is_bare]
        is_quoted = line.aside is Aside.QUOTED and not has_count(line.text)
        if not (own or is_quoted) or self.entries == own != []:
            return
        name = line.text.strip(DECORATION) or line.text
        self.headers = {"name": (Header(name, line.span),), **self.headers}
        self.entries = [entry for entry in self.entries if entry not in own]
        self.asides = [aside for aside in self.asides if aside.span != line.span]
        message = "The first line is not a card: "
        message += f"{quote(name)} is taken for the name"
        help = f"Write {quote(f'Name: {name}')}, or the card that is meant"
        self.report(BARE_TITLE, line.span, message, help)
        self.place = line.span

    def settle_headers(self) -> None:
        """Take a leader or a faction that stands on the line below its heading."""
        database = self.database
        assert database is not None
        done: set[Span] = set()
        for entry in list(self.entries):
            heading = entry.heading
            if heading is None or heading.span in done:
                continue
            title = heading.title.lower()
            if self.sections.get(title) != heading.span:
                continue
            done.add(heading.span)
            key = header_key(title) or header_key(title.partition(" ")[0])
            if key not in ("leader", "faction") or key in self.headers:
                continue
            find = database.find_leader if key == "leader" else database.find_faction
            lookup, card = find(entry.name), database.find_card(entry.name)
            is_like_a_card = card.ids or card.suggestions
            is_meant = lookup.ids or (lookup.suggestions and not is_like_a_card)
            if is_meant and entry.count == 1:
                self.headers[key] = (Header(entry.name, entry.span),)
                self.entries.remove(entry)
                self.empty = [one for one in self.empty if one != heading]

    def settle_headings(self, database: CardDatabase) -> None:
        """Take lines such as `Finishers` for headings.

        Such a line has no count where the line below it has one, is nearly no card, and
        begins a block of lines.
        """
        kinds = {section_title(kind).lower() for kind in database.game.kinds}
        self.own = [one for one in self.own if one.title.lower() not in kinds]
        lines = [entry for entry in self.entries if entry.line.count is None]
        if sum(entry.is_bare for entry in lines) in (0, len(lines)):
            return
        entries: list[Entry] = []
        before: Entry | None = None
        below: Heading | None = None
        for entry, after in pairwise([*self.entries, None]):
            assert entry is not None
            line, title = entry.span.start.line, title_of(entry.name)
            is_first = before is None or line > before.span.start.line + 1
            is_above = after is not None and after.span.start.line == line + 1
            longest = 2 if before is None else 3
            is_heading = (
                is_first and is_above and after and not after.is_bare
                and entry.is_bare and after.line.count is None
                and len(title.split()) <= longest and self.is_title(title)
            )  # fmt: skip
            if is_heading:
                kind = Below.RESERVES if entry.in_reserves else Below.OWN
                below = Heading(title, entry.line.span, kind)
                self.own.append(below)
            else:
                if before is not None and entry.heading != before.heading:
                    below = None
                entries.append(replace(entry, heading=below) if below else entry)
            before = entry
        self.entries = entries

    def settle_counts(self, database: CardDatabase) -> None:
        """Read the numbers of lines such as `Ballista (6)`, judged by the whole deck.

        They are strengths, when most are those of their cards and one of these could be
        no count; copies, when most are not. When all could be either, nobody knows.
        """
        doubted = [
            (one, read)
            for one in self.unreadable
            if not database.has_numbers and (read := bracketed(one.line.text))
        ]
        ids = (database.find_card(read.name, suggest=False).id for _, read in doubted)
        cards = [database.cards.get(id or "") for id in ids]
        numbers = [
            (read.count, card)
            for (_, read), card in zip(doubted, cards, strict=True)
            if card is not None and card.strength is not None
        ]
        fitting = [(n, card) for n, card in numbers if n == card.strength]
        are_strengths = 2 * len(fitting) > len(numbers)
        if are_strengths and all(n <= card.copies for n, card in fitting):
            return
        for (one, read), card in zip(doubted, cards, strict=True):
            is_unit = card is None or card.strength is not None
            count = 1 if are_strengths and is_unit else read.count
            span = one.line.part(0, len(read.name))
            self.entries.append(Entry(read.name, count, span, one.line, one.heading))
            self.unreadable.remove(one)
        self.entries.sort(key=lambda entry: entry.span.start)

    def is_title(self, name: str) -> bool:
        """Whether words are those of a title, and nearly no card, leader or faction."""
        database = self.database
        if database is None or database.description is not None or ":" in name:
            return False
        if sum(map(str.isalpha, name)) < SHORTEST_TITLE:
            return False
        if header_meant(name, database) is not None:
            return False
        return not is_card(name, database)

    # What is wrong, once everything is decided.

    def reading(self) -> Reading:
        """The deck with all findings about its lines."""
        signs: dict[str, Line] = {}
        for line in [e.line for e in self.entries] + [x.line for x in self.unreadable]:
            if (sign := _sign(line)) is not None:
                signs[sign] = min(signs.get(sign, line), line, key=lambda x: x.span)
        is_diff = len(signs) == 2
        removed = (entry for entry in self.entries if _sign(entry.line) == "-")
        self.say_wrong_lines()
        self.say_wrong_headers()
        if is_diff:
            message = "Lines with `-` and lines with `+`: this looks like a diff"
            help = "Keep the lines that are meant; all of them count"
            added = Related(signs["+"].span, "and here with `+`")
            self.report(LOOKS_LIKE_A_DIFF, signs["-"].span, message, help, added)
        return Reading(
            self.raw.source,
            self.place or self.raw.span,
            self.headers,
            tuple(self.entries),
            tuple(self.findings),
            tuple(self.asides),
            tuple(self.own),
            self.sections,
            tuple(one.line for one in self.unreadable),
            self.unread + len(self.unreadable) + len(self.partial),
            tuple(removed) if is_diff else (),
        )

    def say_wrong_lines(self) -> None:
        """Report lines of which not everything can be read."""
        for line, defect, _ in self.unreadable:
            rule = IMPOSSIBLE_COUNT if defect.about_count else UNREADABLE_LINE
            span = line.part(defect.start, defect.end)
            self.report(rule, span, defect.message, defect.help)
        if self.partial:
            first, *others = self.partial
            of = f"each of {len(self.partial)} lines" if others else "the line"
            message = f"A part of {of} is crossed out or hidden"
            related = [Related(line.span, "also this line") for line in others]
            help = "Write what is meant, and nothing else"
            self.report(UNREADABLE_LINE, first.span, message, help, *related)

    def say_wrong_headers(self) -> None:
        """Report headers without a value, and those below the first card."""
        for heading in self.empty:
            label = HEADERS[heading.title]
            message = f"Header `{label}` has no value"
            help = f"Write it after the colon, or remove the `{label}` line"
            self.report(EMPTY_HEADER, heading.span, message, help)
        cards = {id(entry.line) for entry in self.entries if ":" not in entry.name}
        is_below = False
        for line in self.raw.lines:
            is_below = is_below or id(line) in cards
            if is_below and line.header is not None and line.aside is None:
                message = f"Header `{HEADERS[line.key]}` comes after the first card"
                help = "Move it above the cards, or write `---` before a second deck"
                self.report(LATE_HEADER, line.span, message, help)

    def report(
        self, rule: Rule, span: Span, message: str, help: str, *related: Related
    ) -> None:
        """Add a finding."""
        path = self.raw.source.path
        self.findings.append(rule.at(path, span, message, help=help, related=related))


def place_of(headers: Mapping[str, tuple[Header, ...]]) -> Span | None:
    """Where findings about a whole deck point: its name, or the next header."""
    first = map(headers.get, ("name", "leader", "faction", "format"))
    return next((header[0].span for header in first if header), None)


# What a line is, by its words alone.


def heading_of(line: Line) -> Heading | None:
    """The heading that a line is, None for anything else."""
    text = line.text
    if line.count is not None or line.aside is Aside.QUOTED:
        return None
    if line.aside is not None:
        # Any heading that is crossed out or not ticked, a usual one with any mark.
        is_off = line.aside in (Aside.STRUCK, Aside.UNTICKED)
        is_heading = text[-1] == ":" or section_of(text) is not None
        is_heading = is_heading and not has_count(text.rstrip(": "))
        sets_aside = is_set_aside(text) or (is_heading and is_off)
        return Heading("", line.span, Below.NOTHING) if sets_aside else None
    section = section_of(text)
    if section is None and is_reserves(title_of(text)):
        section = title_of(text).lower()
    if section is not None:
        below = Below.RESERVES if is_reserves(section) else Below.CARDS
        return Heading(section, line.span, below)
    if is_set_aside(text, exactly=text[0].isdigit()) and _card_beside(text) is None:
        return Heading(text, line.span, Below.NOTHING)
    title = text[:-1].rstrip() if text[-1] == ":" else ""
    is_own = title and not has_count(title)
    return Heading(title, line.span, Below.OWN) if is_own else None


def has_count(text: str) -> bool:
    """Whether a line says how many copies it means, or tries to."""
    return bool(text) and parse_card_line(text) != CardLine(1, text, 0, len(text))


_INLINE = re.compile(
    r"[(\[{<]?(?P<title>[^:\t()\[\]{}<>]{1,40})(?::|\t|[)\]}>]:?)\s*(?P<card>.+)"
)
_TAGGED = re.compile(
    r"(?P<card>.*\S)\s*(?:[(\[{<](?P<tag>[^()\[\]{}<>]+)(?:\{.*)?[)\]}>]"
    r"|(?:\s[-\u2013\u2014:#*!]+|[,;\t])\s*(?P<said>[^-\u2013\u2014:#*!,;\t]+)\*?)"
)
_DOUBTED = re.compile(r"(?P<card>.*\w.*?)\s*[(\[]?\?+[)\]]?")


def _card_beside(text: str) -> tuple[int, int] | None:
    """Where the card stands in `Sideboard: Decoy`, `Decoy [Maybe]`, `Decoy?`."""
    inline = _INLINE.fullmatch(text)
    if inline is not None and is_set_aside(inline["title"], exactly=True):
        return inline.span("card") if any(map(str.isalpha, inline["card"])) else None
    tagged = _DOUBTED.fullmatch(text) or _TAGGED.fullmatch(text)
    if tagged is None or is_set_aside(tagged["card"]):
        return None
    said = tagged.groupdict().get("tag") or tagged.groupdict().get("said") or "maybe"
    return tagged.span("card") if is_set_aside(said, exactly=True) else None


_SIGNS = {"-": "-", "\u2212": "-", "\u2796": "-", "+": "+", "\u2795": "+"}
"""Signs in front of a card that diffs have, minus and plus in other writings too."""


def _sign(line: Line) -> str | None:
    return _SIGNS.get(line.sign or line.text[:1])


def _counted(line: Line) -> Line:
    """What is not meant, with the count that stands apart from it."""
    if line.count is None or has_count(line.text):
        return line
    return replace(line, text=f"{line.count} {line.text}")


# What a line is, by the names of a game.

_WORDED = re.compile(r"(?P<word>\w+)\s*[-=\u2013\u2014]?\s+(?P<value>.+)")
_SEPARATOR = re.compile(r"\s*[,;]\s*")


def header_meant(name: str, database: CardDatabase) -> tuple[str, list[str]] | None:
    """The header that an unknown card is, and what it may say: `Leader Foltest`.

    The word in front may be missing. None for anything else.
    """
    worded = _WORDED.fullmatch(name)
    key = header_key(worded["word"]) if worded is not None else None
    value = worded["value"] if worded and key in ("leader", "faction") else name
    if key != "leader":
        faction = database.find_faction(value, suggest=False).id
        if faction is not None:
            return "faction", [database.factions[faction].name]
    leaders = database.find_leader(value, suggest=False).ids
    names = [database.leaders[id].full_name for id in leaders]
    return ("leader", names) if names and key != "faction" else None


def several_cards(text: str, database: CardDatabase) -> list[str]:
    """The line of each card in `3 Ballista, 2 Catapult; Decoy`; none for others."""
    parts = [part for part in _SEPARATOR.split(text) if part]
    lines = [parse_card_line(part) for part in parts]
    is_each = (
        isinstance(line, CardLine)
        and database.find_card(line.name, suggest=False).id is not None
        for line in lines
    )
    return parts if len(parts) > 1 and all(is_each) else []


def is_card(name: str, database: CardDatabase, *, is_exact: bool = False) -> bool:
    """Whether words are a card of the game or, unless `is_exact`, a misspelt one."""
    if database.description is not None:
        return isinstance(database.description.read(name), str)
    lookup = database.find_card(name, suggest=not is_exact)
    if lookup.ids or database.removed(name) is not None:
        return True
    return not is_exact and is_misspelt(name, lookup.suggestions)


# What is not meant: which cards it is, and how the deck reads with them.


def cards_aside(
    asides: Sequence[Line], database: CardDatabase
) -> Iterator[tuple[Line, list[Entry]]]:
    """The cards of each line that is not meant; none where it is something else.

    A misspelt card is one too, but not in a comment, nor among very many lines.
    """
    are_many = len(asides) > SUGGESTED
    parse = parse_described_line if database.has_numbers else parse_card_line
    for aside in asides:
        marks = marked(aside.text)
        bare = aside.text[marks.start : marks.end].strip("# \t")
        text = " ".join(bare.split())
        entries = []
        if text and len(text) <= LONGEST_ASIDE and aside.header is None:
            is_exact = are_many or aside.aside is Aside.COMMENT
            for part in several_cards(text, database) or [text]:
                card = parse(part)
                if isinstance(card, CardLine) and is_card(
                    card.name, database, is_exact=is_exact
                ):
                    entries.append(Entry(card.name, card.count, aside.span, aside))
        yield aside, entries


def other_readings(
    reading: Reading, database: CardDatabase
) -> Iterator[tuple[Line, Reading]]:
    """The deck as it is if what is left out counts: each kind of it, then all.

    With the first line that it is about.
    """
    asides = [
        (aside, entries)
        for aside, entries in cards_aside(reading.asides, database)
        if (entries or aside.header) and aside.sign != OWN_SIGN
    ]
    kinds = list(dict.fromkeys(aside.aside for aside, _ in asides))
    for chosen in [[kind] for kind in kinds] + ([kinds] if len(kinds) > 1 else []):
        taken = [pair for pair in asides if pair[0].aside in chosen]
        yield taken[0][0], _with(reading, taken)
    if reading.removed:
        first = reading.removed[0]
        entries = tuple(e for e in reading.entries if e not in reading.removed)
        removed = replace(
            first.line, text=first.name, span=first.span, aside=Aside.REMOVED
        )
        yield removed, replace(reading, entries=entries, asides=(), removed=())


def _with(reading: Reading, taken: Iterable[tuple[Line, list[Entry]]]) -> Reading:
    entries, headers = [*reading.entries], dict(reading.headers)
    for aside, new in taken:
        entries += new
        if aside.header is not None:
            headers[aside.key] = (*headers.get(aside.key, ()), aside.header)
    ordered = tuple(sorted(entries, key=lambda entry: entry.span.start))
    return replace(reading, entries=ordered, headers=headers, asides=())
