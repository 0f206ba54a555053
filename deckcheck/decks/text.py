"""Text decks, which players write by hand: read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from deckcheck.cards import CardDatabase
from deckcheck.decks.asides import (
    OWN_SIGN,
    Aside,
    begins_original,
    is_attribution,
    is_set_aside,
    marked,
    title_of,
)
from deckcheck.decks.findings import (
    ALL_MARKED,
    DUPLICATE_HEADER,
    EMPTY_HEADER,
    IMPOSSIBLE_COUNT,
    LATE_HEADER,
    LOOKS_LIKE_A_DIFF,
    UNREADABLE_LINE,
)
from deckcheck.decks.lines import (
    CardLine,
    DeckLine,
    LineDefect,
    list_lines,
    may_be_list,
    parse_card_line,
    read_lines,
    unlisted,
)
from deckcheck.decks.model import (
    HEADERS,
    ONCE,
    CardText,
    DeckSource,
    Header,
    HeaderLine,
    RawAside,
    RawDeck,
    RawEntry,
    Sheet,
    WrittenDeck,
    card_order,
    header_key,
    header_of,
    is_reserves,
    is_section,
    section_of,
    sections,
)
from deckcheck.findings import START, Finding, Related, Rule, Span, UsageError
from deckcheck.messages import quote

MAX_LINE = 500

SEPARATOR = re.compile(r"-{3,}")


def parse_text(text: str, path: str) -> list[RawDeck]:
    """Read every deck of a text; none for a text without any line of a deck.

    Never raises: what cannot be read is a finding of its deck.
    """
    decks: list[RawDeck] = []
    is_listed = may_be_list(text)
    for chunk in _chunks(_replies(list(list_lines(text)))):
        reader = _TextReader(DeckSource(path, len(decks)))
        lines = reader.settled(unlisted(chunk) if is_listed else chunk)
        if all(line.aside is Aside.COMMENT for line in lines):
            continue
        for line in lines:
            reader.take(line)
        decks.append(reader.finish())
    return decks


def _chunks(lines: Iterable[DeckLine]) -> Iterator[list[DeckLine]]:
    """The lines of each deck; separators at the ends or in a row separate nothing."""
    chunk: list[DeckLine] = []
    is_begun = False
    for line in lines:
        if not SEPARATOR.fullmatch(line.text):
            chunk.append(line)
            is_begun = is_begun or line.aside is not Aside.COMMENT
        elif is_begun:
            yield chunk
            chunk, is_begun = [], False
    if is_begun:
        yield chunk


def _replies(lines: Sequence[DeckLine]) -> Iterator[DeckLine]:
    """The lines of a text; those above a quote, and a mail below, are quoted too.

    So is all below `On Monday Anna wrote:` without signs, where cards stand above it.
    """
    is_original = was_said = was_card = False
    for line, after in zip_longest(lines, lines[1:]):
        below = after.text if after is not None else ""
        is_original = is_original or begins_original(line.text, below)
        is_said = was_said or is_attribution(line.text, below)
        was_said = is_said and line.text[-1] != ":"
        is_free = line.aside is None
        is_quoted = is_free and (is_original or is_said)
        yield replace(line, aside=Aside.QUOTED) if is_quoted else line
        was_card = was_card or (is_free and line.text[0].isdigit())
        is_bare = after is not None and marked(below).aside is not Aside.QUOTED
        is_original |= is_said and not was_said and was_card and is_bare


def _mark_of_all(lines: list[DeckLine]) -> Aside | None:
    """The mark that all cards have, which then is no more than a bullet.

    That is a list of boxes none of which is ticked, one in a spoiler, and one that is
    quoted as a whole, with nothing that says whose it was.
    """
    kinds = {line.aside for line in lines if _may_be_card(line)}
    if len(kinds) != 1 or not kinds <= {Aside.QUOTED, Aside.UNTICKED, Aside.SPOILER}:
        return None
    if any(is_attribution(line.text) or begins_original(line.text) for line in lines):
        return None
    return kinds.pop()


def _may_be_card(line: DeckLine) -> bool:
    if line.aside is Aside.COMMENT:
        return False
    is_heading = line.text[-1] == ":" or section_of(line.text) is not None
    return not is_heading and header_of(line.text) is None


def _has_count(text: str) -> bool:
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


class DeckReader:
    """Gathers one deck, whatever it is written in: cards, and what is not meant."""

    def __init__(self, source: DeckSource) -> None:
        self.source = source
        self.headers: dict[str, tuple[Header, ...]] = {}
        self.sections: dict[str, Span] = {}
        self.headings: dict[Span, str] = {}
        self.entries: list[RawEntry] = []
        self.texts: list[CardText] = []
        self.asides: list[RawAside] = []
        self.findings: list[Finding] = []
        self.unread = 0
        self.in_reserves = False
        # The heading above: any one, one that sets aside, whether it is a comment.
        self.below: Span | None = None
        self.over: DeckLine | None = None
        self.set_aside: Span | None = None
        self.is_set_aside_by_comment = False
        self.dashes: Span | None = None
        # Lines of which a part is crossed out, first signs as diffs have them.
        self.partial: list[Span] = []
        self.signs: dict[str, Span] = {}
        self.behind_minus: list[RawEntry] = []

    def settled(self, lines: list[DeckLine]) -> list[DeckLine]:
        """The lines, without a mark that all cards have; that they count is said."""
        mark = _mark_of_all(lines)
        if mark is None:
            return lines
        first = next(line for line in lines if line.aside is mark)
        help = "Remove what is not meant, or the marks of all"
        self.report(ALL_MARKED, first.span(), f"All cards are {mark}: they count", help)
        return [replace(x, aside=None) if x.aside is mark else x for x in lines]

    def take_line(self, line: DeckLine) -> None:
        """Read a line that is no header: a heading, a card, or what is not meant."""
        if line.aside is Aside.COMMENT:
            self.take_comment(line)
        elif len(line.text) > MAX_LINE:
            message = f"Line of {len(line.text):,} characters"
            message += f", at most {MAX_LINE} allowed"
            self.unread += 1
            help = "Write one card per line"
            self.report(UNREADABLE_LINE, line.span(0, MAX_LINE), message, help)
        elif line.is_partial:
            self.partial.append(line.span())
        elif not self.take_heading(line):
            aside = self.aside_of(line)
            if aside is not None:
                self.asides.append(aside)
            else:
                self.take_card(line)

    def take_comment(self, line: DeckLine) -> None:
        """Read a comment, which may be a heading after all."""
        if line.sign == "--" and not line.text:
            self.dashes = self.dashes or line.span(-len(line.sign))
        title = title_of(line.text).lower()
        if is_set_aside(line.text, exactly=True):
            self.begin(line.span(), sets_aside=True, by_comment=True)
        elif self.is_set_aside_by_comment and is_section(title):
            self.begin(line.span())
        elif header_key(title) in ("leader", "faction") and self.set_aside is None:
            self.sections.setdefault(title, line.span())
            self.below = line.span()
        elif line.text:
            span, sign = line.span(), line.sign[0]
            self.asides.append(RawAside(Aside.COMMENT, line.text, span, None, sign))

    def begin(
        self, span: Span, *, sets_aside: bool = False, by_comment: bool = False
    ) -> None:
        """Begin what stands below a heading."""
        self.below = span
        self.over = None
        self.set_aside = span if sets_aside else None
        self.is_set_aside_by_comment = by_comment
        self.in_reserves = False

    def take_heading(self, line: DeckLine) -> bool:
        """Whether a line is a heading; what stands below it depends on that."""
        text = line.text
        if line.aside is not None:
            return line.aside is not Aside.QUOTED and self.take_marked_heading(line)
        section = section_of(text)
        if section is None and is_reserves(title_of(text)):
            section = title_of(text).lower()
        is_beside = is_set_aside(text, exactly=text[0].isdigit())
        is_beside = is_beside and _card_beside(text) is None
        if section is None and is_beside:
            self.begin(line.span(), sets_aside=True)
            if not is_set_aside(text, exactly=True):
                # There may be a card in it.
                span = line.span()
                self.asides.append(RawAside(Aside.HEADING, text, span, span))
            return True
        if section is not None:
            if self.set_aside is None or section not in self.sections:
                self.begin(line.span())
                self.in_reserves = is_reserves(section)
            self.sections.setdefault(section, line.span())
            return True
        title = text[:-1].rstrip() if text[-1] == ":" else ""
        if not title or _has_count(title):
            return False
        self.sections.setdefault(title.lower(), line.span())
        self.begin(line.span())
        self.headings[line.span()] = title
        return True

    def take_marked_heading(self, line: DeckLine) -> bool:
        """Whether a line with a mark is a heading that sets aside what is below it.

        Any heading is that is crossed out or not ticked, a usual one with any mark.
        """
        text = line.text
        is_heading = text[-1] == ":" or section_of(text) is not None
        is_heading = is_heading and not _has_count(text.rstrip(": "))
        is_off = line.aside in (Aside.STRUCK, Aside.UNTICKED)
        sets_aside = is_set_aside(text) or (is_heading and is_off)
        if sets_aside:
            self.begin(line.span(), sets_aside=True)
        return sets_aside

    def aside_of(self, line: DeckLine) -> RawAside | None:
        """What a line is if it is not meant: by its marks, its tag, its heading.

        The item of a list that is not meant is the heading of those nested in it.
        """
        text, kind, heading = line.text, line.aside, self.set_aside
        start, end = 0, len(text)
        if kind is None:
            beside = _card_beside(text)
            start, end = beside or (start, end)
            if beside or heading is not None or is_set_aside(line.remark, exactly=True):
                kind = Aside.HEADING
        if self.over is not None and line.indent <= self.over.indent:
            self.over = None
        if kind is None and self.over is not None:
            kind, heading = Aside.HEADING, self.over.span()
        elif kind in (Aside.STRUCK, Aside.UNTICKED) and self.over is None:
            self.over = line
        if kind is None:
            return None
        span = line.span(start, end)
        heading = heading if kind is Aside.HEADING else None
        return RawAside(kind, text[start:end], span, heading)

    def take_card(self, line: DeckLine) -> None:
        """Read a line that can be nothing but a card."""
        card = parse_card_line(line.text)
        if isinstance(card, LineDefect):
            self.take_defect(line, card)
            return
        span = line.span(card.start, card.end)
        entry = RawEntry(card.name, card.count, span, self.in_reserves, self.below)
        self.entries.append(entry)
        self.texts.append(CardText(line.text, line.span(), entry))
        self.note_sign(line, entry)
        if line.remark:
            aside = RawAside(Aside.COMMENT, line.remark, line.span(), None, OWN_SIGN)
            self.asides.append(aside)

    def note_sign(self, line: DeckLine, entry: RawEntry | None) -> None:
        """Note a sign in front of a card as diffs have them."""
        sign = _SIGNS.get(line.sign or line.text[0])
        if sign is not None:
            self.signs.setdefault(sign, line.span())
        if sign == "-" and entry is not None:
            self.behind_minus.append(entry)

    def take_named(
        self, name: str, count: int, span: Span, beside: Aside | None = None
    ) -> None:
        """Take a card whose count is separate; `beside` is what sets it aside."""
        if len(name) > MAX_LINE:
            self.take_line(DeckLine(1, 1, name, place=span))
            return
        lines = unlisted(list(list_lines(name))) or [DeckLine(1, 1, name)]
        line = replace(lines[0], aside=beside or lines[0].aside, place=span)
        if line.is_partial:
            self.take_line(line)
            return
        aside = self.aside_of(line)
        if aside is None:
            entry = RawEntry(name, count, span, self.in_reserves, self.below)
            self.entries.append(entry)
            self.note_sign(line, entry)
        else:
            sign = line.sign[:1] if aside.kind is Aside.COMMENT else ""
            is_counted = _has_count(aside.text)
            text = aside.text if is_counted else f"{count} {aside.text}"
            self.asides.append(replace(aside, text=text, sign=sign))

    def take_defect(self, line: DeckLine, defect: LineDefect) -> None:
        """Report a line that cannot be read."""
        rule = IMPOSSIBLE_COUNT if defect.about_count else UNREADABLE_LINE
        self.unread += 1
        self.note_sign(line, None)
        span = line.span(defect.start, defect.end)
        self.report(rule, span, defect.message, defect.help)
        finding, beside = self.findings[-1], self.in_reserves
        self.texts.append(CardText(line.text, line.span(), None, finding, beside))

    def report(
        self, rule: Rule, span: Span, message: str, help: str | None, *related: Related
    ) -> None:
        """Add a finding."""
        path = self.source.path
        self.findings.append(rule.at(path, span, message, help=help, related=related))

    def head(self) -> Span | None:
        """Where findings about the whole deck point: its name, or the next header."""
        headers = map(self.headers.get, ("name", "leader", "faction", "format"))
        return next((header[0].span for header in headers if header), None)

    def deck(self, span: Span, title: RawEntry | None = None) -> RawDeck:
        """The deck; `span` is where findings about all of it point."""
        if len(self.signs) == 2:
            message = "Lines with `-` and lines with `+`: this looks like a diff"
            help = "Keep the lines that are meant; all of them count"
            added = Related(self.signs["+"], "and here with `+`")
            self.report(LOOKS_LIKE_A_DIFF, self.signs["-"], message, help, added)
        if self.partial:
            first, *others = self.partial
            self.unread += len(self.partial)
            of = f"each of {len(self.partial)} lines" if others else "the line"
            message = f"A part of {of} is crossed out or hidden"
            related = [Related(span, "also this line") for span in others]
            help = "Write what is meant, and nothing else"
            self.report(UNREADABLE_LINE, first, message, help, *related)
        return RawDeck(
            source=self.source,
            headers=self.headers,
            entries=tuple(self.entries),
            findings=tuple(self.findings),
            span=span,
            sections=self.sections,
            unread=self.unread,
            texts=tuple(self.texts),
            title=title,
            asides=tuple(self.asides),
            headings=self.headings,
            removed=tuple(self.behind_minus) if len(self.signs) == 2 else (),
            below_dashes=self.dashes,
        )


class _TextReader(DeckReader):
    """Gathers one deck, line by line."""

    def __init__(self, source: DeckSource) -> None:
        super().__init__(source)
        self.first: Span | None = None
        self.title: RawEntry | None = None

    def take(self, line: DeckLine) -> None:
        """Read one line."""
        if line.aside is Aside.COMMENT:
            self.take_line(line)
            return
        if self.first is None:
            self.first = line.span(0, min(len(line.text), MAX_LINE))
        is_short = len(line.text) <= MAX_LINE
        header = header_of(line.text) if is_short and ":" in line.text else None
        if header is None or line.is_partial:
            self.take_first(line) if self.first == line.span() else self.take_line(line)
        elif line.aside is not None:
            span = line.span(header.start)
            aside = RawAside(line.aside, header.value, span, header=header.key)
            self.asides.append(aside)
        else:
            self.take_header(line, header)

    def take_first(self, line: DeckLine) -> None:
        """Read the first line, which may be the name of the deck."""
        self.take_line(line)
        if line.aside is Aside.QUOTED and not _has_count(line.text):
            self.title = RawEntry(line.text, 1, line.span())
        elif self.entries and self.entries[0].name == line.text:
            self.title = self.entries[0]

    def take_header(self, line: DeckLine, header_read: HeaderLine) -> None:
        key, value, start = header_read
        label = HEADERS[key]
        if not value:
            message = f"Header `{label}` has no value"
            help = f"Write it after the colon, or remove the `{label}` line"
            self.report(EMPTY_HEADER, line.span(), message, help)
            self.sections.setdefault(key, line.span())
            self.begin(line.span())
            return
        header = Header(value, line.span(start))
        headers = (*self.headers.get(key, ()), header)
        self.headers[key] = headers
        if key in ONCE and len(headers) > 1:
            first = Related(headers[0].span, "first given here")
            help = "Keep one of them, or write `---` between two decks"
            message = f"Header `{label}` appears again, 1 allowed"
            self.report(DUPLICATE_HEADER, line.span(), message, help, first)
        if any(":" not in entry.name for entry in self.entries):
            message = f"Header `{label}` comes after the first card"
            help = "Move it above the cards, or write `---` before a second deck"
            self.report(LATE_HEADER, line.span(), message, help)

    def finish(self) -> RawDeck:
        """The deck; findings about all of it point at a header, or its first line."""
        return self.deck(self.head() or self.first or START, self.title)


# Text decks in canonical form: headers, then one section for each kind of card.

RESERVES = "Reserves:"


def write_text(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Decks as text, with a line `---` between two."""
    return WrittenDeck("\n---\n\n".join(_write(sheet, database) for sheet in sheets))


def _write(sheet: Sheet, database: CardDatabase) -> str:
    heads = [
        header_line(key, value)
        for key, values in sheet.headers.items()
        for value in values
    ]
    reserves = sorted(sheet.reserves, key=lambda id: card_order(id, database))
    parts = [(f"{part.title}:", part.cards) for part in sections(sheet.cards, database)]
    parts.append((RESERVES, tuple((id, sheet.reserves[id]) for id in reserves)))
    lines = laid_out(heads, (
        (title, [card_line(database.cards[id].name, n, database) for id, n in cards])
        for title, cards in parts
    ))  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def laid_out(
    heads: Sequence[str], parts: Iterable[tuple[str, Sequence[str]]]
) -> list[str]:
    """The lines of a deck: its headers, then each part below its title."""
    lines = [*heads]
    for title, cards in parts:
        if cards:
            lines += ["", title, *cards] if lines else [title, *cards]
    return lines


def header_line(key: str, value: str) -> str:
    """`Name: Siege masters`; UsageError for a value that reads as something else."""
    line = f"{HEADERS[key]}: {value}"
    read = [one.text for one in read_lines(line)]
    if read != [line] or len(line) > MAX_LINE or value != value.strip():
        raise UsageError(
            f"A text deck cannot hold the header `{HEADERS[key]}` {quote(value)}",
            "It is long, has several lines or reads as a comment: write it differently",
        )
    return line


def card_line(name: str, count: int, database: CardDatabase) -> str:
    """`2 Ballista`; one card is its bare name, unless that reads as a section.

    `2x 5 ice`, where cards are described and may start with a number.
    """
    if database.has_numbers:
        return name if count == 1 else f"{count}x {name}"
    return name if count == 1 and section_of(name) is None else f"{count} {name}"
