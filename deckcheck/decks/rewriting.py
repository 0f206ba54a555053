"""Convert, format and repair decks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module

from deckcheck.cards import CardDatabase, Root, load_database
from deckcheck.cards.storage import some_game_ids
from deckcheck.decks.decoding import DeckText
from deckcheck.decks.findings import LEFT_OUT, SURROUNDING_PROSE
from deckcheck.decks.lines import MAX_COUNT, list_lines, read_comments
from deckcheck.decks.model import (
    Deck,
    DeckEntry,
    Header,
    RawDeck,
    Sheet,
    WrittenDeck,
    canonical,
    card_order,
    make_sheet,
    section_title,
)
from deckcheck.decks.reader import format_headers, parse_decks
from deckcheck.decks.reading import Reading, read_deck
from deckcheck.decks.resolve import find_repairs, guess_game, resolve
from deckcheck.decks.text import (
    DECK_SEPARATOR,
    RESERVES_TITLE,
    card_line,
    header_line,
    lay_out_deck,
)
from deckcheck.decks.words import HEADERS
from deckcheck.findings import (
    LINE_END,
    Finding,
    Severity,
    UsageError,
    in_order,
    split_lines,
)
from deckcheck.messages import choice, option, quote

# Writers: decks as text, YAML, JSON, CSV, share codes and gwent-classic files

WRITERS: tuple[tuple[str, str], ...] = (
    ("text", "text"),
    ("yaml", "structured"),
    ("json", "structured"),
    ("csv", "tables"),
    ("code", "codes"),
    ("gwent-classic", "codes"),
)
"""The ways to write a deck, and their modules with `write_<way>(sheets, database)`."""


def write_decks(
    way: str, sheets: Sequence[Sheet], database: CardDatabase
) -> WrittenDeck:
    """Write decks in a way of `WRITERS`.

    Parts that the way cannot hold are left out and listed in `lost`. Raises UsageError
    where the deck would be another without them.
    """
    module = import_module(f"deckcheck.decks.{dict(WRITERS)[way]}")
    write = getattr(module, f"write_{way.replace('-', '_')}")
    written: WrittenDeck = write(sheets, database)
    return written


class Converter:
    """Reads decks of a game, or of the games that they name, and converts them.

    `game` is an id or None, `root` the folder of card databases. `league_cards` is the
    database of a league, which takes precedence. `of_format` returns the cards of a
    format with sets, None for an unknown format. `named` is a format without its game,
    such as `standard`: the game follows from the cards of the decks.
    """

    def __init__(
        self,
        game: str | None = None,
        root: Root = None,
        league_cards: CardDatabase | None = None,
        of_format: Callable[[str], CardDatabase | None] | None = None,
        named: str | None = None,
    ) -> None:
        """Open the game. Raises UsageError for an unknown game, or without any game."""
        self.games = some_game_ids(root)
        self.game = game if game is None else load_database(game, root).game.id
        self.root = root
        self.league_cards = league_cards
        self.of_format = of_format
        self.named = named

    def read_decks(self, source: DeckText, way: str | None = None) -> list[RawDeck]:
        """Read every deck of a text. Without a `way`, guess it."""
        return parse_decks(source, way, lambda format: [self.database(format)])

    def sheets(
        self, raws: Sequence[RawDeck]
    ) -> tuple[list[Sheet], CardDatabase, tuple[Finding, ...]]:
        """Return the decks in canonical spelling, their database, and the findings.

        Where an error is among the findings, cards may be missing from the decks.
        Raises UsageError for decks of two games.
        """
        database = self.find_database(raws)
        findings: list[Finding] = []
        sheets = []
        for raw in raws:
            reading = read_deck(raw, database)
            deck, named = resolve(reading, database)
            findings += [*reading.findings, *named]
            sheets.append(make_sheet(deck, database))
        return sheets, database, in_order(findings)

    def find_database(self, raws: Sequence[RawDeck]) -> CardDatabase:
        """Return the cards of the only game of decks. Raises UsageError for two."""
        readable = []
        for raw, format in zip(raws, format_headers(raws), strict=True):
            if raw.lines or not is_broken(raw.findings):
                readable.append((raw, format))
        if not readable:
            # Any game does: no unreadable deck is written.
            return self.league_cards or self.database(self.games[0])
        databases: dict[str, CardDatabase] = {}
        for raw, format in readable:
            database = self._choose_database(raw, format)
            databases[database.game.id] = database
        if len(databases) != 1:
            decks = quote(raws[0].source.path)
            games = choice([*databases])
            raise UsageError(f"The decks of {decks} are for several games: {games}")
        return next(iter(databases.values()))

    def _choose_database(self, raw: RawDeck, format: Header | None) -> CardDatabase:
        if self.named is not None and self.of_format is not None:
            game = self._guess_database(raw).game.id
            database = self.of_format(f"{game}/{self.named}")
            if database is None:
                path = quote(raw.source.path)
                name = quote(self.named)
                help = f"Pass {option('format')} with a format of `{game}`"
                raise UsageError(f"`{game}`, the game of {path}, has no {name}", help)
            return database
        if format is not None:
            return self.database(format.value.strip().lower())
        if self.game or self.league_cards:
            return self.database("")
        return self._guess_database(raw)

    def _guess_database(self, raw: RawDeck) -> CardDatabase:
        """Return the cards of the game that alone knows most names of a deck."""
        databases = [load_database(id, self.root) for id in self.games]
        return guess_game(raw, databases) or self.database("", raw.source.path)

    def database(self, format: str, path: str | None = None) -> CardDatabase:
        """Return the card database for a format, an id of a game, or nothing known."""
        if self.league_cards is not None:
            return self.league_cards
        game = self.game or format.partition("/")[0]
        if self.game is None and game not in self.games:
            if len(self.games) != 1:
                help = f"Write a `Format` line, or pass {option('format')}"
                deck = "The deck" if path is None else quote(path)
                raise UsageError(f"{deck} does not name its game", help)
            game = self.games[0]
        if self.of_format and not self.game and (cards := self.of_format(format)):
            return cards
        return load_database(game, self.root)


def is_broken(findings: Sequence[Finding], *, keeps_text: bool = False) -> bool:
    """Report whether a deck would lose something in writing.

    In the same notation (`keeps_text`), that includes the prose around the list.
    """
    lost = ["unknown-header", LEFT_OUT.name]
    if keeps_text:
        lost.append(SURROUNDING_PROSE.name)
    return any(x.severity is Severity.ERROR or x.name in lost for x in findings)


# The canonical text deck: the same deck and comments, in one order and spelling


@dataclass(slots=True)
class _Notes:
    """Comments beside and above lines, and at both ends of a deck."""

    beside: dict[int, str] = field(default_factory=dict)
    above: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    top: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    end: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class _CardLine:
    name: str
    kind: str
    count: int
    above: list[str]
    beside: str
    database: CardDatabase

    def lines(self) -> list[str]:
        shown = card_line(self.name, self.count, self.database)
        return [*self.above, _add_comment(shown, self.beside)]


def format_text(text: str, raws: Sequence[RawDeck], database: CardDatabase) -> str:
    """Return `text` in canonical form. `raws` are its decks, read without any error.

    A comment stays beside its line, above the next line, or at the end of its deck.
    Lines end as before where all end alike. Raises UsageError for a header that the
    canonical form cannot hold.
    """
    decks = [resolve(read_deck(raw, database), database)[0] for raw in raws]
    notes = _place_comments(text, decks)
    texts = []
    for index, deck in enumerate(decks):
        texts.append("\n".join(_format_deck(deck, index, notes, database)))
    formatted = "\n\n---\n\n".join(texts) + "\n"
    is_windows = "\r\n" in text and text.count("\r\n") == text.count("\n")
    return formatted.replace("\n", "\r\n") if is_windows else formatted


def _place_comments(text: str, decks: Sequence[Deck]) -> _Notes:
    """Return where each comment goes."""
    notes = _Notes()
    owners: dict[int, int] = {}
    for index, deck in enumerate(decks):
        owners |= dict.fromkeys(_iterate_lines(deck), index)
    separators: set[int] = set()
    for line in list_lines(text):
        if DECK_SEPARATOR.fullmatch(line.text):
            separators.add(line.span.start.line)
    lines = dict(enumerate(split_lines(text), start=1))
    # As it is written: the reader folds full-width letters.
    comments: dict[int, str] = {}
    for comment in read_comments(text):
        number, column = comment.span.start
        comments[number] = lines[number][column - 1 :].strip()
    waiting: list[str] = []
    last = None
    for number in sorted({*owners, *separators, *comments}):
        if number in owners:
            if owners[number] != last:
                last = owners[number]
                notes.top[last] += waiting
            else:
                notes.above[number] += waiting
            waiting = []
            notes.beside[number] = comments.get(number, "")
        elif number in comments:
            waiting.append(comments[number])
        elif last is not None:
            notes.end[last] += waiting
            waiting = []
    if last is None:
        notes.top[0] += waiting
    else:
        notes.end[last] += waiting
    return notes


def _iterate_lines(deck: Deck) -> Iterable[int]:
    """Yield the numbers of the lines that the canonical form keeps."""
    for headers in deck.headers.values():
        for header in headers:
            yield header.span.start.line
    for entry in (*deck.entries, *deck.reserves):
        yield entry.span.start.line


def _format_deck(
    deck: Deck, index: int, notes: _Notes, database: CardDatabase
) -> list[str]:
    heads = _format_headers(deck, notes, database)
    cards = _merge_lines(deck.entries, notes, database)
    top = notes.top[index]
    if cards and not heads:
        # Comments above the first card would go below its heading.
        top = top + cards[0].above
        cards[0].above = []
    parts: dict[str, list[str]] = defaultdict(list)
    for card in cards:
        parts[f"{section_title(card.kind)}:"] += card.lines()
    for card in _merge_lines(deck.reserves, notes, database):
        parts[RESERVES_TITLE] += card.lines()
    lines = lay_out_deck([*top, *heads], parts.items())
    end = notes.end[index]
    if end:
        lines += ["", *end]
    return lines


def _format_headers(deck: Deck, notes: _Notes, database: CardDatabase) -> list[str]:
    lines = []
    for key in HEADERS:
        for header in deck.headers.get(key, ()):
            number = header.span.start.line
            value = canonical(key, header.value, deck.faction, database)
            shown = _add_comment(header_line(key, value), notes.beside.get(number, ""))
            lines += [*notes.above[number], shown]
    return lines


def _merge_lines(
    entries: Iterable[DeckEntry], notes: _Notes, database: CardDatabase
) -> list[_CardLine]:
    """Merge the lines of each card, in order, unless each has a comment beside it."""
    first: dict[str, _CardLine] = {}
    lines: list[_CardLine] = []
    for entry in sorted(entries, key=lambda entry: card_order(entry.card, database)):
        number = entry.span.start.line
        card = database.cards[entry.card]
        above, beside = notes.above[number], notes.beside.get(number, "")
        line = _CardLine(card.name, card.kind, entry.count, above, beside, database)
        old = first.setdefault(card.id, line)
        is_apart = (old.beside and beside) or old.count + entry.count > MAX_COUNT
        if old is line or is_apart:
            lines.append(line)
            continue
        old.count += entry.count
        old.above += above
        old.beside = old.beside or beside
    return lines


def _add_comment(line: str, comment: str) -> str:
    return f"{line}  {comment}" if comment else line


# Repairs of a text deck, where a single name is near

_LINE_FORM = re.compile(rf".*?(?:{LINE_END.pattern}|\Z)", re.DOTALL)


def fix_text(text: str, raws: Sequence[RawDeck], database: CardDatabase) -> str:
    """Return `text` with the unknown names corrected that a single name is near.

    Late headers move above the first card, unless a header appears twice: two decks may
    have run together.
    """
    lines: dict[int, str | None] = dict(enumerate(_LINE_FORM.findall(text), start=1))
    for reading in (read_deck(raw, database) for raw in raws):
        for span, name in find_repairs(reading, database)[0].items():
            number = span.start.line
            start = span.start.column
            end = span.end.column
            line = lines[number] or ""
            lines[number] = line[: start - 1] + name + line[end - 1 :]
        _move_headers(reading, lines)
    return "".join(line for line in lines.values() if line is not None)


def explain_unrepaired(raws: Sequence[RawDeck], database: CardDatabase) -> list[str]:
    """Return a line for each misspelt name that `fix_text` leaves as it is, and why."""
    lines = []
    for raw in raws:
        _, unrepaired = find_repairs(read_deck(raw, database), database)
        for span, reason in sorted(unrepaired.items()):
            position = f"{raw.source.path}:{span.start.line}:{span.start.column}"
            lines.append(f"{position}: {reason}")
    return lines


def _move_headers(reading: Reading, lines: dict[int, str | None]) -> None:
    """Move late headers above the first card."""
    names = {finding.name for finding in reading.findings}
    if "duplicate-header" in names or "late-header" not in names:
        return
    first = min(e.span.start.line for e in reading.entries if ":" not in e.name)
    first_card = lines[first] or ""
    line_end = "\r\n" if first_card.endswith("\r\n") else "\n"
    headers = []
    for finding in reading.findings:
        if finding.name == "late-header":
            number = finding.span.start.line
            headers.append((lines[number] or "").rstrip("\r\n") + line_end)
            lines[number] = None
    lines[first] = "".join(headers) + first_card
