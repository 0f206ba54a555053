"""Share codes and gwent-classic files: read and written."""

from __future__ import annotations

import csv
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from deckcheck.cards import CardDatabase
from deckcheck.decks.files import CODE_WITHIN
from deckcheck.decks.findings import (
    EMPTY_DECK,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_FORMAT,
)
from deckcheck.decks.lines import MAX_COUNT, check_count
from deckcheck.decks.model import (
    DeckSource,
    Line,
    RawDeck,
    Sheet,
    WrittenDeck,
    card_order,
    lost_headers,
    single_value,
)
from deckcheck.decks.tables import header_line
from deckcheck.documents.model import Document, DocumentError, Location
from deckcheck.documents.readers import read_json
from deckcheck.findings import (
    START,
    Finding,
    Position,
    Rule,
    Span,
    UsageError,
    on_line,
    split_lines,
)
from deckcheck.messages import (
    choice,
    describe_value,
    list_first,
    option,
    plural,
    printable,
    quote,
    sentence,
)

# Share codes: a deck as a single short word, `DC1_...`.
#
# After the prefix comes base64url, without padding, of these bytes. Numbers are
# unsigned LEB128.
#
#     length and UTF-8 text of the format's id, or of the game's id without a format,
#     and each set that the format does not bring itself, after `//`
#     number of the leader, 0 for none
#     number of different cards, then for each, by rising number: the difference from
#     the number before, and its count
#     CRC-32 of prefix and all bytes above, 4 bytes, most significant first

CODE_PREFIX = "DC1_"
MAX_LENGTH = 4000

_ANY_CODE_PREFIX = re.compile(r"DC(?P<version>\d{1,9})_")
_STRANGE_LETTER = re.compile(r"[^A-Za-z0-9_-]")
_CHECKSUM_BYTES = 4
# Neither the id of a format nor the name of a file holds it.
_SET_SEPARATOR = "//"
_MAX_NUMBER = 2**31


class ShareCodeError(ValueError):
    """A share code that cannot be read: why, and at which character, from 1."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


@dataclass(frozen=True, slots=True)
class ShareCode:
    """The content of a share code."""

    format: str
    """The id of the format, or of the game."""
    leader: int
    """The permanent number of the leader, 0 for none."""
    cards: Mapping[int, int]
    """The copies of each card by its permanent number."""
    sets: tuple[str, ...] = ()
    """The sets that add some of the cards, see `CardDatabase.sets_adding`."""


def encode(content: ShareCode) -> str:
    """Return the share code of a deck. Equal decks have equal codes."""
    text = _SET_SEPARATOR.join([content.format, *content.sets]).encode()
    data = bytearray([*_write_varint(len(text)), *text, *_write_varint(content.leader)])
    data += _write_varint(len(content.cards))
    last = 0
    for number, count in sorted(content.cards.items()):
        data += _write_varint(number - last)
        data += _write_varint(count)
        last = number
    data += _compute_checksum(bytes(data))
    return CODE_PREFIX + urlsafe_b64encode(data).decode().rstrip("=")


def decode(code: str) -> ShareCode:
    """Read a share code. Raises ShareCodeError for anything but a whole code."""
    _check_prefix(code)
    if len(code) > MAX_LENGTH:
        message = f"Share code has {len(code):,} characters, {MAX_LENGTH:,} allowed"
        raise ShareCodeError(message, MAX_LENGTH + 1)
    strange = _STRANGE_LETTER.search(code)
    if strange is not None:
        message = "Share code contains an invalid character"
        raise ShareCodeError(message, strange.start() + 1)
    body = code[len(CODE_PREFIX) :]
    data = b""
    if len(body) % 4 != 1:
        data = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    payload, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    is_whole = urlsafe_b64encode(data).decode().rstrip("=") == body
    if not is_whole or not payload or checksum != _compute_checksum(payload):
        message = "Share code is damaged or incomplete: its checksum does not match"
        raise ShareCodeError(message, len(code) + 1)
    return _Bytes(payload).content()


def _check_prefix(code: str) -> None:
    prefix = _ANY_CODE_PREFIX.match(code)
    if prefix is None:
        raise ShareCodeError(f"A share code starts with `{CODE_PREFIX}`", 1)
    if prefix[0] != CODE_PREFIX:
        version = prefix["version"]
        message = f"Share code has version {version}, only 1 can be read"
        raise ShareCodeError(message, 3)


def _compute_checksum(data: bytes) -> bytes:
    return crc32(CODE_PREFIX.encode() + data).to_bytes(_CHECKSUM_BYTES, "big")


def _write_varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


class _Bytes:
    """The bytes of a code with the right checksum, perhaps from a faulty writer."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0

    def content(self) -> ShareCode:
        try:
            text = self.take(self.number()).decode("utf-8")
        except UnicodeDecodeError:
            raise self.error("its format is not text") from None
        format, *sets = text.split(_SET_SEPARATOR)
        leader = self.number()
        cards: dict[int, int] = {}
        last = 0
        for _ in range(self.number()):
            step = self.number()
            count = self.number()
            last += step
            if not step or last > _MAX_NUMBER or not 1 <= count <= MAX_COUNT:
                raise self.error(f"{count} copies of card number {last}")
            cards[last] = count
        if self.offset != len(self.data):
            raise self.error("something follows the last card")
        return ShareCode(format, leader, cards, tuple(sets))

    def take(self, length: int) -> bytes:
        if self.offset + length > len(self.data):
            raise self.error("it ends too early")
        self.offset += length
        return self.data[self.offset - length : self.offset]

    def number(self) -> int:
        value = 0
        for shift in range(0, 35, 7):
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                if shift and not byte:
                    raise self.error("a number is not in its shortest form")
                return value
        raise self.error("a number is too large")

    def error(self, reason: str) -> ShareCodeError:
        # Three bytes are four characters.
        position = len(CODE_PREFIX) + self.offset * 4 // 3 + 1
        message = f"Share code does not describe a deck: {reason}"
        return ShareCodeError(message, position)


# The cards of the web game gwent-classic: its numbers and ours

CLASSIC_FACTIONS = {
    "realms": "northern_realms",
    "nilfgaard": "nilfgaard",
    "monsters": "monsters",
    "scoiatael": "scoiatael",
    "skellige": "skellige",
}
"""Our factions by the words of gwent-classic."""


class ClassicIndex:
    """The cards and leaders by their numbers, of which a card may have several."""

    def __init__(self, file: Path) -> None:
        self.ids: dict[str, dict[int, str]] = {"card": {}, "leader": {}}
        self.numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
        with file.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                kind = row["kind"]
                number = int(row["index"])
                id = row["id"]
                self.ids[kind][number] = id
                self.numbers[kind, id].append(number)


def load_index(database: CardDatabase) -> ClassicIndex:
    """Return the numbers of gwent-classic. Raises UsageError for other games."""
    file = database.root / database.game.id / "gwent_classic.csv"
    if not file.is_file():
        game = f"`{database.game.id}`"
        raise UsageError(f"The web game gwent-classic does not play {game}")
    return _load(file)


@lru_cache(maxsize=4)
def _load(file: Path) -> ClassicIndex:
    return ClassicIndex(file)


# Share codes and gwent-classic files, which hold numbers in place of names

_MAX_SHOWN_NUMBERS = 3


def read_codes(
    text: str, path: str, open_game: Callable[[str], Sequence[CardDatabase]]
) -> list[RawDeck]:
    """Return the decks of the share codes in a text, at least one deck.

    Without a code, each line counts as a damaged code. Faults are findings. `open_game`
    returns the databases to look up the numbers of a code in, the likeliest first, by
    the format that the code names. It returns none for an unknown format.
    """
    lines = split_lines(text)
    is_within = CODE_WITHIN.search(text) is not None
    decks: list[RawDeck] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        starts = [found.start() for found in _CODE_START.finditer(line)]
        if not starts and line.strip() and not is_within:
            starts = [len(line) - len(line.lstrip())]
        for start in starts:
            code = _cut_code(line[start:])
            position = Position(number, start + 1)
            if start + len(code) == len(line.rstrip()):
                code, joined = _join_lines(code, lines[number:][:MAX_CODE_LINES])
                number += joined
            decks.append(_read_code(code, position, len(decks), path, open_game))
    return decks or [RawDeck.unreadable(EMPTY_DECK.at(path, START, "No share code"))]


_CODE_START = re.compile(r"(?<![A-Za-z0-9_])DC[0-9]{1,9}_")
_CODE_LINE = re.compile(r"[>\s]*(?P<code>[A-Za-z0-9_-]+)(?P<end>[^A-Za-z0-9_-]*)")
MAX_CODE_LINES = 100
"""The number of lines over which a mail may break a code."""


def _cut_code(text: str) -> str:
    """Return the code that a text begins with, without a bracket or a full stop.

    A text that continues with other letters is returned up to the first space.
    """
    word = text.split(maxsplit=1)[0]
    return word.rstrip(">)]}.,;:!?\"'`*|=") or word


def _join_lines(code: str, lines: Sequence[str]) -> tuple[str, int]:
    """Return a code that goes on over lines, and the number of lines joined to it.

    The checksum settles the number. It is 0 without a whole code.
    """
    joined = code
    number = 0
    for line in lines:
        found = _CODE_LINE.fullmatch(line.rstrip())
        is_long = len(joined) > MAX_LENGTH
        if found is None or is_long or _is_whole(joined):
            break
        if _ANY_CODE_PREFIX.match(found["code"]):
            break
        joined += found["code"]
        number += 1
        if found["end"]:
            break
    return (joined, number) if _is_whole(joined) else (code, 0)


def _is_whole(code: str) -> bool:
    """Report whether a share code has the checksum that fits."""
    try:
        decode(code)
    except ShareCodeError:
        return False
    return True


def _read_code(
    code: str,
    start: Position,
    index: int,
    path: str,
    open_game: Callable[[str], Sequence[CardDatabase]],
) -> RawDeck:
    span = on_line(*start, start.column + len(code))

    def refuse(rule: Rule, message: str, help: str, fault: Span = span) -> RawDeck:
        return RawDeck.unreadable(rule.at(path, fault, message, help=help), index)

    try:
        content = decode(code)
    except ShareCodeError as error:
        column = start.column + error.position - 1
        letter = on_line(start.line, column, column + 1)
        help = "Copy the whole code again"
        return refuse(MALFORMED_DOCUMENT, error.message, help, letter)
    databases = open_game(content.format)
    if not databases:
        message = f"The code names the unknown format {quote(content.format)}"
        return refuse(UNKNOWN_FORMAT, message, "It may come from a newer deckcheck")
    candidates = map(_Numbers.of, databases)
    numbers = min(candidates, key=lambda numbers: numbers.lacks(content))
    fault = numbers.fault(content)
    if fault is not None:
        return refuse(MALFORMED_DECK, *fault)
    lines = []
    if content.format and content.format != numbers.game:
        lines.append(header_line("format", content.format, span))
    if content.leader:
        leader = numbers.leaders[content.leader]
        lines.append(header_line("leader", leader, span))
    for number, count in content.cards.items():
        lines.append(Line(numbers.cards[number], span, count=count))
    return RawDeck(DeckSource(path, index), tuple(lines), (), span)


class _Numbers(NamedTuple):
    """The cards of a database by the numbers that share codes use."""

    game: str
    cards: Mapping[int, str]
    leaders: Mapping[int, str]
    sets: Collection[str]

    @classmethod
    def of(cls, database: CardDatabase) -> _Numbers:
        return cls(
            database.game.id,
            {card.number: card.id for card in database.cards.values()},
            {leader.number: leader.id for leader in database.leaders.values()},
            {change.file_name for change in database.changes},
        )

    def lacks(self, content: ShareCode) -> tuple[int, int]:
        """Count the sets and numbers of a code that the database lacks."""
        return len(self.missing(content)), len(self.unknown(content))

    def missing(self, content: ShareCode) -> list[str]:
        """Return the sets of a code that are not loaded."""
        return [name for name in content.sets if name not in self.sets]

    def unknown(self, content: ShareCode) -> list[int]:
        """Return the numbers of neither a card nor a leader."""
        leader = content.leader
        wrong = [leader] if leader and leader not in self.leaders else []
        return wrong + [number for number in content.cards if number not in self.cards]

    def fault(self, content: ShareCode) -> tuple[str, str] | None:
        """Return why a code is not a deck here, and a remedy."""
        # A missing set comes first: other cards may have its numbers.
        missing = self.missing(content)
        if missing:
            return (
                f"The code has cards of an unknown set: {choice(missing)}",
                f"Pass {option('format')} with the format file that names the set",
            )
        unknown = self.unknown(content)
        if unknown:
            numbers = list_first(list(map(str, unknown)), _MAX_SHOWN_NUMBERS)
            return (
                f"`{self.game}` has no number {numbers}",
                f"Pass {option('format')} with the format file of the league whose "
                "cards these are, or update deckcheck",
            )
        return None


def read_gwent_classic(text: str, path: str, database: CardDatabase) -> list[RawDeck]:
    """Return the deck of a file of gwent-classic, with its faults as findings."""
    try:
        document = read_json(text)
    except DocumentError as error:
        message = printable(sentence(error.message))
        finding = MALFORMED_DOCUMENT.at(path, error.span, message, help=error.help)
        return [RawDeck.unreadable(finding)]
    return [_Classic(document, path, database).read_deck()]


class _Classic:
    def __init__(self, document: Document, path: str, database: CardDatabase) -> None:
        self.document = document
        self.path = path
        self.index = load_index(database)
        self.findings: list[Finding] = []
        self.foreign: list[tuple[Location, str]] = []

    def read_deck(self) -> RawDeck:
        data = self.document.data
        lines: list[Line] = []
        if isinstance(data, dict) and isinstance(data.get("cards"), list):
            faction = CLASSIC_FACTIONS.get(str(data.get("faction")))
            if faction is None:
                self.refuse(("faction",), "unknown faction of gwent-classic")
            else:
                lines.append(self.header("faction", faction))
            leader = self.find("leader", data.get("leader"), ("leader",))
            if leader is not None:
                lines.append(self.header("leader", leader))
            lines += self.read_cards(data["cards"])
        else:
            self.refuse((), "not a deck of gwent-classic")
        if self.foreign:
            location, id = self.foreign[0]
            ids = f"{plural(len(self.foreign), 'id')} of a newer version"
            message = f"{ids} of gwent-classic, such as {quote(id)}"
            help = "Write the deck as text: the names of the cards with their counts"
            span = self.document.span(location)
            found = MALFORMED_DECK.at(self.path, span, message, help=help)
            self.findings.append(found)
        source = DeckSource(self.path)
        deck_span = self.document.span()
        return RawDeck(source, tuple(lines), tuple(self.findings), deck_span)

    def header(self, key: str, value: str) -> Line:
        return header_line(key, value, self.document.span((key,)))

    def read_cards(self, pairs: Sequence[object]) -> Iterable[Line]:
        """Return a line for each card. A card may have several numbers there."""
        lines: dict[str, Line] = {}
        for index, pair in enumerate(pairs):
            line = self.read_card(index, pair)
            if line is not None and line.text in lines:
                first = lines[line.text]
                line = replace(first, count=(first.count or 0) + (line.count or 0))
            if line is not None:
                lines[line.text] = line
        return lines.values()

    def read_card(self, index: int, pair: object) -> Line | None:
        location = ("cards", index)
        if not isinstance(pair, list) or len(pair) != 2:
            self.refuse(location, "a card is a pair of number and count")
            return None
        card = self.find("card", pair[0], (*location, 0))
        count = check_count(str(pair[1]))
        if isinstance(count, str):
            self.refuse((*location, 1), count)
        elif card is not None:
            return Line(card, self.document.span(location), count=count)
        return None

    def find(self, kind: str, number: object, location: Location) -> str | None:
        # gwent-classic writes some numbers as text. `true` is not a number.
        text = str(number)
        id: str | None = None
        if text.isascii() and text.isdecimal() and len(text) < 6:
            id = self.index.ids[kind].get(int(text))
        if id is None and isinstance(number, str) and "_" in number:
            self.foreign.append((location, number))
        elif id is None:
            shown = describe_value(number)
            self.refuse(location, f"gwent-classic has no {kind} number {shown}")
        return id

    def refuse(self, location: Location, message: str) -> None:
        span = self.document.span(location)
        self.findings.append(MALFORMED_DECK.at(self.path, span, sentence(message)))


# Decks as share codes


def write_code(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Write the share code of each deck, on a line each.

    A deck without a format has the format of the deck before it, as in a file.
    """
    codes = []
    format = database.game.id
    for sheet in sheets:
        format = single_value(sheet, "format", "A share code") or format
        codes.append(_write_code(sheet, format, database))
    kept_keys = ["format", "leader"]
    if all(_is_faction_implied(sheet, database) for sheet in sheets):
        kept_keys.append("faction")
    text = "".join(f"{code}\n" for code in codes)
    return WrittenDeck(text, lost_headers(sheets, kept_keys))


def _is_faction_implied(sheet: Sheet, database: CardDatabase) -> bool:
    """Report whether the leader of a deck, or none, implies its faction."""
    if sheet.leader is None:
        return sheet.faction is None
    return database.leaders[sheet.leader].faction == sheet.faction


def _write_code(sheet: Sheet, format: str, database: CardDatabase) -> str:
    single_value(sheet, "leader", "A share code")
    leader = database.leaders[sheet.leader].number if sheet.leader else 0
    cards = {database.cards[id].number: count for id, count in sheet.cards.items()}
    # The id of a format implies the sets that it brings itself.
    sets = database.sets_adding(
        [*sheet.cards, *filter(None, [sheet.leader])],
        only_own=format != database.game.id,
    )
    code = encode(ShareCode(format, leader, cards, sets))
    if len(code) > MAX_LENGTH:
        raise UsageError(f"The deck is too large for a share code of {MAX_LENGTH:,}")
    return code


# Decks as the files of the web game gwent-classic


def write_gwent_classic(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Write a deck as gwent-classic downloads and uploads it.

    The copies of a card with several numbers there are spread over its numbers.
    """
    if len(sheets) != 1:
        raise UsageError(f"A gwent-classic file holds 1 deck, {len(sheets)} found")
    sheet = sheets[0]
    index = load_index(database)
    if sheet.leader is None or sheet.faction is None:
        help = "Write a line `Leader: ...` above the cards"
        message = "A gwent-classic deck has a leader, and this deck has none"
        raise UsageError(message, help)
    order = sorted(sheet.cards, key=lambda id: card_order(id, database))
    names = {("leader", sheet.leader): database.leaders[sheet.leader].full_name}
    names |= {("card", id): database.cards[id].name for id in order}
    unknown = []
    for (kind, id), name in names.items():
        if (kind, id) not in index.numbers:
            place = sheet.places.get(id, "deck")
            unknown.append(f"{place}: gwent-classic has no {kind} `{name}`")
    if unknown:
        raise UsageError(
            "\n".join(unknown),
            "Choose others, or another way to write the deck, such as "
            f"{option('to', 'text')}",
        )
    words = {id: word for word, id in CLASSIC_FACTIONS.items()}
    pairs: list[tuple[int, int]] = []
    for id in order:
        pairs += _spread(index.numbers["card", id], sheet.cards[id])
    content = {
        "faction": words[sheet.faction],
        "leader": index.numbers["leader", sheet.leader][0],
        "cards": pairs,
    }
    lost = lost_headers(sheets, ("faction", "leader"))
    return WrittenDeck(json.dumps(content, separators=(",", ":")) + "\n", lost)


def _spread(numbers: list[int], count: int) -> list[tuple[int, int]]:
    """Return the count of each number that has a part of the copies."""
    share, more = divmod(count, len(numbers))
    pairs = []
    for index, number in enumerate(numbers):
        copies = share + int(index < more)
        if copies:
            pairs.append((number, copies))
    return pairs
