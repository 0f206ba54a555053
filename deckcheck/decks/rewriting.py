"""Decks written anew: converted, formatted, repaired."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import groupby, starmap

from deckcheck.cards import CardDatabase, Lookup, Root, load_database
from deckcheck.cards.storage import some_game_ids
from deckcheck.decks.files import DeckText
from deckcheck.decks.findings import (
    BARE_TITLE,
    BELOW_DASHES,
    COMMENTED_CARD,
    LEFT_OUT,
    LOOKS_LIKE_A_DIFF,
)
from deckcheck.decks.lines import MAX_COUNT, read_comments, read_lines
from deckcheck.decks.marks import OWN_SIGN, Aside
from deckcheck.decks.model import (
    Deck,
    DeckEntry,
    Header,
    Heading,
    Line,
    RawDeck,
    Sheet,
    WrittenDeck,
    canonical,
    card_order,
    section_title,
    sheet_of,
)
from deckcheck.decks.reader import format_headers, parse_decks
from deckcheck.decks.reading import (
    DECORATION,
    Reading,
    header_meant,
    read_deck,
    several_cards,
)
from deckcheck.decks.resolve import names_meant, resolve
from deckcheck.decks.text import RESERVES, SEPARATOR, card_line, header_line, laid_out
from deckcheck.decks.words import HEADERS
from deckcheck.findings import (
    LINE_END,
    Finding,
    Severity,
    Span,
    UsageError,
    in_order,
    split_lines,
)
from deckcheck.messages import choice, option, quote

# Writers: decks as text, YAML, JSON, CSV, share codes and gwent-classic files.

WRITERS: tuple[tuple[str, str], ...] = (
    ("text", "text"),
    ("yaml", "structured"),
    ("json", "structured"),
    ("csv", "structured"),
    ("code", "codes"),
    ("gwent-classic", "codes"),
)
"""The ways to write a deck, and their modules with `write_<way>(sheets, database)`."""


def write_decks(
    way: str, sheets: Sequence[Sheet], database: CardDatabase
) -> WrittenDeck:
    """Write decks in one of WRITERS.

    What the way cannot hold is left out and listed in `lost`; UsageError where leaving
    it out would make another deck of it.
    """
    module = import_module(f"deckcheck.decks.{dict(WRITERS)[way]}")
    write = getattr(module, f"write_{way.replace('-', '_')}")
    written: WrittenDeck = write(sheets, database)
    return written


class Converter:
    """Reads decks of one game, or of the game that each names, and writes them.

    `game` is an id or None, `root` the folder of card databases. `own` is a database
    that counts instead, with the cards of a league's own. `of_format` gives the cards
    of a format that has sets, None for what is no format.
    """

    def __init__(
        self,
        game: str | None = None,
        root: Root = None,
        own: CardDatabase | None = None,
        of_format: Callable[[str], CardDatabase | None] | None = None,
    ) -> None:
        """Raises UsageError for an unknown game, and where there is none."""
        self.games = some_game_ids(root)
        self.game = game if game is None else load_database(game, root).game.id
        self.root = root
        self.own = own
        self.of_format = of_format

    def read(self, source: DeckText, way: str | None = None) -> list[RawDeck]:
        """Every deck of a text; without `way` its suffix and its content decide."""
        return parse_decks(source, way, lambda format: [self.database(format)])

    def sheets(
        self, raws: Sequence[RawDeck]
    ) -> tuple[list[Sheet], CardDatabase, tuple[Finding, ...]]:
        """The decks in canonical spelling, their database, and what is wrong.

        Where an error is among the findings, cards may be missing from the decks.
        Raises UsageError for decks of two games.
        """
        database = self._database_of_all(raws)
        findings: list[Finding] = []
        sheets = []
        for raw in raws:
            reading = read_deck(raw, database)
            deck, named = resolve(reading, database)
            findings += [*reading.findings, *named, *_lost(reading, named)]
            sheets.append(sheet_of(deck, database))
        return sheets, database, in_order(findings)

    def _database_of_all(self, raws: Sequence[RawDeck]) -> CardDatabase:
        pairs = zip(raws, format_headers(raws), strict=True)
        readable = [pair for pair in pairs if not _is_unreadable(pair[0])]
        if not readable:
            # Any game does: nothing is written of what nobody can read.
            return self.own or self.database(self.games[0])
        databases = {
            database.game.id: database
            for database in starmap(self._database_of, readable)
        }
        if len(databases) != 1:
            decks, games = quote(raws[0].source.path), choice([*databases])
            raise UsageError(f"The decks of {decks} are for several games: {games}")
        return next(iter(databases.values()))

    def _database_of(self, raw: RawDeck, format: Header | None) -> CardDatabase:
        if format or self.game or self.own:
            return self.database(format.value.strip().lower() if format else "")
        return self._database_by_cards(raw)

    def _database_by_cards(self, raw: RawDeck) -> CardDatabase:
        """The game that alone knows most of the names, for a deck without a format."""
        databases = [load_database(id, self.root) for id in self.games]
        counts = [_known_names(raw, database) for database in databases]
        best = max(counts, default=0)
        if best == 0 or counts.count(best) > 1:
            return self.database("", raw.source.path)
        return databases[counts.index(best)]

    def database(self, format: str, path: str | None = None) -> CardDatabase:
        """The card database for a format, an id of a game, or nothing known."""
        if self.own is not None:
            return self.own
        game = self.game or format.partition("/")[0]
        if self.game is None and game not in self.games:
            if len(self.games) != 1:
                help = f"Write a `Format` line, or pass {option('format')}"
                deck = "The deck" if path is None else quote(path)
                raise UsageError(f"{deck} does not say which game it is for", help)
            game = self.games[0]
        if self.of_format and not self.game and (own := self.of_format(format)):
            return own
        return load_database(game, self.root)


def _is_unreadable(raw: RawDeck) -> bool:
    """Whether nothing of a deck could be read."""
    return not raw.lines and is_broken(raw.findings)


def _known_names(raw: RawDeck, database: CardDatabase) -> int:
    """How well a game knows the cards and leaders of a deck."""
    entries, leaders = read_deck(raw, database).entries, raw.headers.get("leader", ())
    lookups = [
        *(database.find_card(entry.name) for entry in entries),
        *(database.find_leader(leader.value) for leader in leaders),
    ]
    unknown = {record.id for record in database.cards.values() if not record.known}
    unknown |= {record.id for record in database.leaders.values() if not record.known}
    return sum(_likeness(lookup, unknown) for lookup in lookups)


def _likeness(lookup: Lookup, unknown: Collection[str]) -> int:
    """3 for a name of the game, 2 for one without values, 1 for what is like a name."""
    if lookup.id in unknown:
        return 2
    return 3 if lookup.ids else int(bool(lookup.suggestions))


def _lost(reading: Reading, named: Iterable[Finding]) -> Iterator[Finding]:
    """A finding for what is left out and is not a card, where no other one says so."""
    lost = (x for x in reading.asides if x.aside is not Aside.COMMENT or x.sign == "<")
    aside = next(lost, None)
    if aside is not None and all(finding.name != LEFT_OUT.name for finding in named):
        message = f"{quote(aside.text)} is left out: {aside.aside}"
        help = "Remove it, or the mark that leaves it out"
        yield LEFT_OUT.at(reading.source.path, aside.span, message, help=help)


def is_broken(findings: Sequence[Finding], *, keeps_lines: bool = False) -> bool:
    """Whether a deck written from what was read would lose something.

    That is also what is left out and may be meant, unless its lines are kept.
    """
    lost = {"unknown-header", LOOKS_LIKE_A_DIFF.name, BELOW_DASHES.name}
    lost |= set() if keeps_lines else {LEFT_OUT.name}
    doubtful = (COMMENTED_CARD.name, Severity.WARNING)
    return any(
        finding.severity is Severity.ERROR
        or finding.name in lost
        or (not keeps_lines and (finding.name, finding.severity) == doubtful)
        for finding in findings
    )


# The canonical text deck: the same deck and comments, in one order and spelling.


@dataclass(slots=True)
class _Notes:
    """Comments by the line they are beside or above, and at both ends of a deck.

    What is not meant is kept like a comment, below a heading as the `last` of a deck.
    """

    beside: dict[int, str] = field(default_factory=dict)
    above: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    top: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    end: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    last: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class _CardLine:
    name: str
    count: int
    above: list[str]
    beside: str
    database: CardDatabase

    def lines(self) -> list[str]:
        shown = card_line(self.name, self.count, self.database)
        return [*self.above, _with(shown, self.beside)]


def format_text(
    text: str, raws: Sequence[RawDeck], database: CardDatabase
) -> str | None:
    """`text` in canonical form; `raws` are its decks, read without any error.

    A comment stays beside its line, or above the line that follows it; those above
    the first line stay at the top of their deck, those below the last at its end. So
    does a line that is not meant; what a heading sets aside comes last, as it stands.
    None where that would read differently. Raises UsageError for a header that its
    canonical form would not hold.
    """
    readings = [read_deck(raw, database) for raw in raws]
    decks = [resolve(reading, database)[0] for reading in readings]
    notes = _notes(text, decks, readings)
    written = [
        _deck(deck, number, notes, database, reading.headings)
        for number, (deck, reading) in enumerate(zip(decks, readings, strict=True))
    ]
    new = "\n\n---\n\n".join("\n".join(lines) for lines in written) + "\n"
    if not any(map(_asides, readings)):
        return new
    source = DeckText(raws[0].source.path, new)
    again = [read_deck(raw, database) for raw in parse_decks(source, "text")]
    read = [resolve(reading, database)[0].counts() for reading in again]
    is_same = read == [deck.counts() for deck in decks]
    is_same = is_same and [*map(_asides, again)] == [*map(_asides, readings)]
    return new if is_same else None


def _asides(reading: Reading) -> Counter[tuple[Aside | None, str]]:
    """What a deck does not mean, except for comments, which are kept anyway."""
    asides = (aside for aside in reading.asides if aside.sign != OWN_SIGN)
    return Counter((aside.aside, aside.text) for aside in asides)


def _notes(text: str, decks: Sequence[Deck], readings: Sequence[Reading]) -> _Notes:
    """Where each line goes that says nothing of the deck."""
    notes = _Notes()
    owners = {line: n for n, deck in enumerate(decks) for line in _lines(deck)}
    parts = {x.span.start.line for x in read_lines(text) if SEPARATOR.fullmatch(x.text)}
    lines = dict(enumerate(split_lines(text), start=1))
    # As it is written: the reader folds full-width letters.
    starts = (comment.span.start for comment in read_comments(text))
    said = {at: lines[at][column - 1 :].strip() for at, column in starts}
    for number, reading in enumerate(readings):
        asides = [x for x in reading.asides if x.span.start.line not in owners]
        said |= {(at := x.span.start.line): lines[at].rstrip() for x in asides}
        blocks = {
            x.heading.span.start.line: x.span.start.line for x in asides if x.heading
        }
        for first, last in sorted(blocks.items()):
            # Headers below the heading hold all the same, and move up.
            block = [at for at in range(first, last + 1) if at not in owners]
            notes.last[number] += ["", *(lines[at].rstrip() for at in block)]
            said = {at: line for at, line in said.items() if at not in block}
    waiting: list[str] = []
    deck = None
    for at in sorted({*owners, *parts, *said}):
        if at in owners:
            is_first, deck = owners[at] != deck, owners[at]
            (notes.top[deck] if is_first else notes.above[at]).extend(waiting)
            waiting = []
            notes.beside[at] = said.get(at, "")
        elif at in said:
            waiting.append(said[at])
        elif deck is not None:
            notes.end[deck] += waiting
            waiting = []
    (notes.top[0] if deck is None else notes.end[deck]).extend(waiting)
    return notes


def _lines(deck: Deck) -> Iterable[int]:
    """The lines of a deck that its canonical form has too."""
    for headers in deck.headers.values():
        yield from (header.span.start.line for header in headers)
    entries = (*deck.entries, *deck.reserves)
    yield from (entry.span.start.line for entry in entries)


def _deck(
    deck: Deck,
    number: int,
    notes: _Notes,
    database: CardDatabase,
    headings: Sequence[Heading],
) -> list[str]:
    heads = _headers(deck, notes, database)
    cards = _merged_lines([e for e in deck.entries if e.below is None], notes, database)
    top = notes.top[number]
    if cards and not heads:
        # There the first card is the first line, below whatever is at the top.
        first = next(iter(cards.values()))[0]
        top, first.above = top + first.above, []
    kinds = groupby(cards, key=lambda id: database.cards[id].kind)
    parts = [
        (f"{section_title(kind)}:", [line for id in ids for line in cards[id]])
        for kind, ids in kinds
    ]
    beside = [
        *((f"{own.title}:", [e for e in deck.entries if e.below == own])
          for own in headings),
        (RESERVES, deck.reserves),
    ]  # fmt: skip
    for title, entries in beside:
        merged = _merged_lines(entries, notes, database)
        parts.append((title, [line for of_card in merged.values() for line in of_card]))
    lines = laid_out(
        [*top, *heads],
        ((title, [x for line in part for x in line.lines()]) for title, part in parts),
    )
    end = notes.end[number]
    lines += ["", *end] if end else []
    # A deck of which nothing is meant begins with what is not.
    return [*lines, *notes.last[number][not lines :]]


def _headers(deck: Deck, notes: _Notes, database: CardDatabase) -> list[str]:
    lines = []
    for key in HEADERS:
        for header in deck.headers.get(key, ()):
            at = header.span.start.line
            value = canonical(key, header.value, deck.faction, database)
            shown = _with(header_line(key, value), notes.beside.get(at, ""))
            lines += [*notes.above[at], shown]
    return lines


def _merged_lines(
    entries: Iterable[DeckEntry], notes: _Notes, database: CardDatabase
) -> dict[str, list[_CardLine]]:
    """One line for each card, in order; several where each has a comment beside it."""
    lines: dict[str, list[_CardLine]] = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: card_order(entry.card, database)):
        at = entry.span.start.line
        above, beside = notes.above[at], notes.beside.get(at, "")
        merged_line = lines[entry.card]
        first = merged_line[0] if merged_line else None
        total = entry.count + (first.count if first else 0)
        if first is None or (first.beside and beside) or total > MAX_COUNT:
            name = database.cards[entry.card].name
            line = _CardLine(name, entry.count, above, beside, database)
            merged_line.append(line)
        else:
            first.count = total
            first.above += above
            first.beside = first.beside or beside
    return lines


def _with(line: str, comment: str) -> str:
    return f"{line}  {comment}" if comment else line


# Repairs of a text deck, where only one is suggested.

_LINES = re.compile(rf".*?(?:{LINE_END.pattern}|\Z)", re.DOTALL)


def fix_text(text: str, raws: Sequence[RawDeck], database: CardDatabase) -> str:
    """`text` with unknown names corrected, headers moved up and lines merged.

    A name is corrected where a single one is suggested. A title gets its `Name:`, a
    leader or a faction among the cards its `Leader:` or `Faction:`, and several cards
    on a line get a line each. A deck in which a header appears twice keeps its headers
    where they are, as two decks may have run together. Lines with a comment at their
    end are not merged. All else stays as it is.
    """
    lines: dict[int, str | None] = dict(enumerate(_LINES.findall(text), start=1))
    bare = {line.span.start.line: line.span for line in read_lines(text)}
    commented = {c.span.start.line for c in read_comments(text) if c.remark}
    for reading in (read_deck(raw, database) for raw in raws):
        names = names_meant(reading, database)
        headers = _headers_meant(reading, database)
        merged, gone = _merged_fixes(reading, names, database, commented)
        for span, name in (names | headers).items():
            _replace(lines, span, name)
        for line, parts in _several(reading, database):
            _replace(lines, line.span, "\n".join(parts))
        for finding in reading.findings:
            if finding.name == BARE_TITLE.name:
                _name(lines, finding.span, reading.headers["name"][0].value)
        for at, said in merged.items():
            _replace(lines, bare[at], said)
        for at in gone:
            lines[at] = None
        _move_headers(reading, lines, {span.start.line for span in headers})
    return "".join(line for line in lines.values() if line is not None)


def _name(lines: dict[int, str | None], span: Span, title: str) -> None:
    """Make a title the name of the deck, without what decorates it."""
    number, line = span.start.line, lines[span.start.line] or ""
    before = line[: span.start.column - 1].strip(DECORATION)
    after = line[span.end.column - 1 :]
    end = after[len(after.rstrip("\r\n")) :]
    comment = after.strip().strip(DECORATION)
    rest = f" {comment}" if comment else ""
    lines[number] = f"{before}Name: {title}{rest}{end}"


def _replace(lines: dict[int, str | None], span: Span, new: str) -> None:
    number, old = span.start.line, lines[span.start.line] or ""
    start, end = span.start.column - 1, span.end.column - 1
    lines[number] = old[:start] + new + old[end:]


def _headers_meant(reading: Reading, database: CardDatabase) -> dict[Span, str]:
    """The lines that are a leader or a faction among the cards, as headers."""
    found: dict[str, dict[Span, str]] = defaultdict(dict)
    neutral = database.factions.get(database.game.neutral or "")
    for entry in reading.entries:
        if entry.count > 1 or database.find_card(entry.name, suggest=False).ids:
            continue
        key, names = header_meant(entry.name, database) or ("", [])
        if len(names) == 1 and not (neutral and names == [neutral.name]):
            found[key][entry.line.span] = header_line(key, names[0])
    alone = (found[key] for key in found if key not in reading.headers)
    return {span: line for of in alone if len(of) == 1 for span, line in of.items()}


def _several(
    reading: Reading, database: CardDatabase
) -> Iterator[tuple[Line, Sequence[str]]]:
    """The lines with several cards, and the line that each card gets."""
    names = [(entry.line, entry.name) for entry in reading.entries]
    names += [(line, line.text) for line in reading.unreadable]
    for line, name in names:
        if database.find_card(name, suggest=False).id is None:
            parts = several_cards(line.text, database)
            if parts:
                yield line, parts


def _merged_fixes(
    reading: Reading,
    names: dict[Span, str],
    database: CardDatabase,
    commented: set[int],
) -> tuple[dict[int, str], set[int]]:
    """New first lines of the cards with several lines, and the lines to remove."""
    entries = defaultdict(list)
    # Of a diff nobody knows which of its lines are meant.
    for entry in reading.entries if not reading.removed else ():
        card = database.find_card(names.get(entry.span, entry.name)).id
        if card is not None and entry.span.start.line not in commented:
            own = entry.heading if entry.heading in reading.headings else None
            entries[card, own, entry.in_reserves].append(entry)
    merged, gone = {}, set()
    for same in entries.values():
        total = sum(entry.count for entry in same)
        if len(same) > 1 and total <= MAX_COUNT:
            first, *others = same
            name = names.get(first.span, first.name)
            merged[first.span.start.line] = card_line(name, total, database)
            gone |= {entry.span.start.line for entry in others}
            names.pop(first.span, None)
    return merged, gone


def _move_headers(
    reading: Reading, lines: dict[int, str | None], new: Collection[int]
) -> None:
    """Move late headers above the first card, also `new` ones, by their lines."""
    if any(finding.name == "duplicate-header" for finding in reading.findings):
        return
    late = [f.span.start.line for f in reading.findings if f.name == "late-header"]
    cards = {e.span.start.line for e in reading.entries if ":" not in e.name}
    first = min(cards.difference(new), default=None)
    if first is None:
        return
    late += [line for line in new if line > first]
    end = "\r\n" if (lines[first] or "").endswith("\r\n") else "\n"
    moved = [(lines[line] or "").rstrip("\r\n") + end for line in late]
    for line in late:
        lines[line] = None
    lines[first] = "".join(moved) + (lines[first] or "")
