"""Share codes and gwent-classic files, which hold numbers in place of names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

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
from deckcheck.decks.sharecode import ShareCode, ShareCodeError, decode
from deckcheck.findings import Finding, Position, Span
from deckcheck.findings.documents import (
    Document,
    DocumentError,
    Location,
    show,
)
from deckcheck.findings.documents.json_reader import read_json
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, printable, quote, sentence

_START = Span(Position(1, 1), Position(1, 1))
_SHOWN = 3


def read_codes(
    text: str, path: str, open_game: Callable[[str], Sequence[CardDatabase]]
) -> list[RawDeck]:
    """Read one share code a line; at least one deck, what is wrong is a finding.

    `open_game` gives the databases that the numbers of a code may be of, for the format
    that it names, the likeliest first; none for an unknown format.
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
    open_game: Callable[[str], Sequence[CardDatabase]],
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
    databases = open_game(content.format)
    if not databases:
        message = f"The code names the unknown format {quote(content.format)}"
        help = "It may come from a newer deckcheck"
        finding = UNKNOWN_FORMAT.at(path, span, message, help=help)
        return _nothing(path, index, finding)
    numbers = min(map(_Numbers.of, databases), key=lambda digit: digit.lacks(content))
    fault = numbers.fault(content)
    if fault is not None:
        message, help = fault
        return _nothing(path, index, MALFORMED_DECK.at(path, span, message, help=help))
    headers = {}
    if content.format and content.format != numbers.game:
        headers["format"] = (Header(content.format, span),)
    if content.leader:
        headers["leader"] = (Header(numbers.leaders[content.leader], span),)
    entries = tuple(
        RawEntry(numbers.cards[number], count, span)
        for number, count in content.cards.items()
    )
    return RawDeck(DeckSource(path, index), headers, entries, (), span)


class _Numbers(NamedTuple):
    """What the numbers of a share code mean, as one database has them."""

    game: str
    cards: Mapping[int, str]
    leaders: Mapping[int, str]
    sets: Collection[str]

    @classmethod
    def of(cls, db: CardDatabase) -> _Numbers:
        return cls(
            db.game.id,
            {card.number: card.id for card in db.cards.values()},
            {leader.number: leader.id for leader in db.leaders.values()},
            {change.file_name for change in db.changes},
        )

    def lacks(self, content: ShareCode) -> tuple[int, int]:
        """How many sets and numbers of a code there are not."""
        return len(self.missing(content)), len(self.unknown(content))

    def missing(self, content: ShareCode) -> list[str]:
        return [name for name in content.sets if name not in self.sets]

    def unknown(self, content: ShareCode) -> list[int]:
        """The numbers that are no card and no leader."""
        leader = content.leader
        wrong = [leader] if leader and leader not in self.leaders else []
        return wrong + [number for number in content.cards if number not in self.cards]

    def fault(self, content: ShareCode) -> tuple[str, str] | None:
        """Why a code is no deck here, and what to do about it.

        Other cards may have the numbers of a set that is missing.
        """
        missing = self.missing(content)
        if missing:
            return (
                f"The code has cards of a set that is not loaded: {choice(missing)}",
                f"Pass {option('format')} with the format file that names the set",
            )
        unknown = self.unknown(content)
        if unknown:
            shown = [str(number) for number in unknown[:_SHOWN]]
            more = len(unknown) - len(shown)
            end = f" and {more} more" if more else ""
            return (
                f"`{self.game}` has no number {choice(shown)}{end}",
                f"Pass {option('format')} with the format file of the league whose "
                "cards these are, or update deckcheck",
            )
        return None


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
            read_entries = (self.entry(n, pair) for n, pair in enumerate(data["cards"]))
            entries = _merged(entry for entry in read_entries if entry is not None)
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
        ids = self.index.ids[kind]
        id = (
            ids.get(int(text))
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
