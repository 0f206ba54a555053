"""Share codes and gwent-classic files, which hold numbers in place of names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from deckcheck.cards import CardDatabase
from deckcheck.decks.cardlines import check_count
from deckcheck.decks.gwent_classic import FACTIONS, load_index
from deckcheck.decks.model import DeckSource, Header, RawDeck, RawEntry
from deckcheck.decks.reading import (
    EMPTY_DECK,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_FORMAT,
)
from deckcheck.decks.sharecode import ShareCodeError, decode
from deckcheck.findings import Finding, Position, Span
from deckcheck.findings.documents import (
    Document,
    DocumentError,
    Location,
    show,
)
from deckcheck.findings.documents.json_reader import read_json
from deckcheck.findings.words import printable, quote, sentence

__all__ = ["read_codes", "read_gwent_classic"]

_START = Span(Position(1, 1), Position(1, 1))


def read_codes(
    text: str, path: str, open_game: Callable[[str], CardDatabase | None]
) -> list[RawDeck]:
    """Read one share code a line; at least one deck, what is wrong is a finding.

    `open_game` gives the database for the format that a code names.
    """
    decks: list[RawDeck] = []
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        code = line.strip()
        if code:
            start = Position(number, len(line) - len(line.lstrip()) + 1)
            decks.append(_read_code(code, start, len(decks), path, open_game))
    return decks or [_nothing(path, 0, EMPTY_DECK.at(path, _START, "No share code"))]


def _read_code(
    code: str,
    start: Position,
    index: int,
    path: str,
    open_game: Callable[[str], CardDatabase | None],
) -> RawDeck:
    span = Span(start, Position(start.line, start.column + len(code)))
    try:
        content = decode(code)
    except ShareCodeError as error:
        column = start.column + error.position - 1
        place = Position(start.line, column)
        wrong = Span(place, Position(start.line, column + 1))
        help = "Copy the whole code again"
        finding = MALFORMED_DOCUMENT.at(path, wrong, error.message, help=help)
        return _nothing(path, index, finding)
    db = open_game(content.format)
    if db is None:
        message = f"The code names the unknown format {quote(content.format)}"
        help = "It may come from a newer deckcheck"
        finding = UNKNOWN_FORMAT.at(path, span, message, help=help)
        return _nothing(path, index, finding)
    cards = {card.number: card.id for card in db.cards.values()}
    leaders = {leader.number: leader.id for leader in db.leaders.values()}
    headers = {}
    if content.format and content.format != db.game.id:
        headers["format"] = (Header(content.format, span),)
    strange = [number for number in content.cards if number not in cards]
    if content.leader in leaders:
        headers["leader"] = (Header(leaders[content.leader], span),)
    elif content.leader:
        strange.insert(0, content.leader)
    help = "It may come from a newer deckcheck"
    findings = [
        MALFORMED_DECK.at(path, span, f"`{db.game.id}` has no number {n}", help=help)
        for n in strange
    ]
    entries = [
        RawEntry(cards[number], count, span)
        for number, count in content.cards.items()
        if number in cards
    ]
    source = DeckSource(path, index)
    return RawDeck(source, headers, tuple(entries), tuple(findings), span)


def read_gwent_classic(text: str, path: str, db: CardDatabase) -> list[RawDeck]:
    """Read the file of gwent-classic's download; what is wrong is a finding."""
    try:
        document = read_json(text)
    except DocumentError as error:
        message = printable(sentence(error.message))
        finding = MALFORMED_DOCUMENT.at(path, error.span, message, help=error.help)
        return [_nothing(path, 0, finding)]
    return [_Classic(document, path, db).read()]


class _Classic:
    def __init__(self, document: Document, path: str, db: CardDatabase) -> None:
        self.document = document
        self.path = path
        self.index = load_index(db)
        self.findings: list[Finding] = []

    def read(self) -> RawDeck:
        data = self.document.data
        headers, entries = {}, []
        if isinstance(data, dict) and isinstance(data.get("cards"), list):
            faction = FACTIONS.get(str(data.get("faction")))
            if faction is None:
                self.refuse(("faction",), "no faction of gwent-classic")
            else:
                headers["faction"] = self.header(faction, "faction")
            leader = self.find("leader", data.get("leader"), ("leader",))
            if leader is not None:
                headers["leader"] = self.header(leader, "leader")
            found = (self.entry(n, pair) for n, pair in enumerate(data["cards"]))
            entries = _merged(entry for entry in found if entry is not None)
        else:
            self.refuse((), "no deck of gwent-classic")
        return RawDeck(
            source=DeckSource(self.path),
            headers=headers,
            entries=tuple(entries),
            findings=tuple(self.findings),
            span=self.document.span(),
        )

    def header(self, value: str, key: str) -> tuple[Header, ...]:
        return (Header(value, self.document.span((key,))),)

    def entry(self, place: int, pair: object) -> RawEntry | None:
        at = ("cards", place)
        if not isinstance(pair, list) or len(pair) != 2:
            self.refuse(at, "a card is a pair of number and count")
            return None
        card = self.find("card", pair[0], (*at, 0))
        count = check_count(str(pair[1]))
        if isinstance(count, str):
            self.refuse((*at, 1), count)
        elif card is not None:
            return RawEntry(card, count, self.document.span(at))
        return None

    def find(self, kind: str, number: object, at: Location) -> str | None:
        # JSON's numbers may come as text there; true is no number.
        text = str(number)
        known = self.index.ids[kind]
        id = (
            known.get(int(text))
            if text.isascii() and text.isdecimal() and len(text) < 6
            else None
        )
        if id is None:
            self.refuse(at, f"gwent-classic has no {kind} number {show(number)}")
        return id

    def refuse(self, at: Location, message: str) -> None:
        span = self.document.span(at)
        self.findings.append(MALFORMED_DECK.at(self.path, span, sentence(message)))


def _merged(entries: Iterable[RawEntry]) -> list[RawEntry]:
    """One entry for each card: gwent-classic has several numbers for some."""
    first: dict[str, RawEntry] = {}
    for entry in entries:
        old = first.get(entry.name)
        count = entry.count + old.count if old else entry.count
        first[entry.name] = RawEntry(entry.name, count, (old or entry).span)
    return list(first.values())


def _nothing(path: str, index: int, finding: Finding) -> RawDeck:
    source = DeckSource(path, index)
    return RawDeck(source, {}, (), (finding,), finding.span, unread=1)
