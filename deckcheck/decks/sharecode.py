"""Share codes: a deck as one short word, `DC1_...`.

After the prefix comes base64url, without padding, of these bytes; numbers are
unsigned LEB128:

    length and UTF-8 text of the format's id, or of the game's id without a format;
    behind it, each after `//`, the sets of cards that the format does not bring itself
    number of the leader, 0 for none
    number of different cards, then for each, by rising number: how much its number
    exceeds the one before, and its count
    CRC-32 of prefix and all bytes above, 4 bytes, most significant first
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

from deckcheck.decks.cardlines import MAX_COUNT

PREFIX = "DC1_"
MAX_LENGTH = 4000

_PREFIX = re.compile(r"DC(?P<version>\d{1,9})_")
_STRANGE = re.compile(r"[^A-Za-z0-9_-]")
_CHECKSUM = 4
# Neither the id of a format nor the name of a file holds it.
_SET = "//"
_MAX_NUMBER = 2**31


class ShareCodeError(ValueError):
    """A share code that cannot be read: why, and at which character, from 1."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


@dataclass(frozen=True, slots=True)
class ShareCode:
    """What a share code says: `format` is an id, or only that of the game.

    `leader` is a permanent number, 0 for none; `cards` are counts by number. `sets` are
    the names of sets that some of them are from, see `CardDatabase.sets_of`.
    """

    format: str
    leader: int
    cards: Mapping[int, int]
    sets: tuple[str, ...] = ()


def encode(content: ShareCode) -> str:
    """The share code of a deck; equal decks have equal codes."""
    text = _SET.join([content.format, *content.sets]).encode()
    data = bytearray([*_varint(len(text)), *text, *_varint(content.leader)])
    data += _varint(len(content.cards))
    last = 0
    for number, count in sorted(content.cards.items()):
        data += _varint(number - last)
        data += _varint(count)
        last = number
    data += _checksum(bytes(data))
    return PREFIX + urlsafe_b64encode(data).decode().rstrip("=")


def decode(code: str) -> ShareCode:
    """Read a share code; raises ShareCodeError for anything but a whole code."""
    _check_prefix(code)
    if len(code) > MAX_LENGTH:
        message = f"Share code has {len(code):,} characters, {MAX_LENGTH:,} allowed"
        raise ShareCodeError(message, MAX_LENGTH + 1)
    strange = _STRANGE.search(code)
    if strange is not None:
        message = "Share code contains an invalid character"
        raise ShareCodeError(message, strange.start() + 1)
    body = code[len(PREFIX) :]
    data = (
        b"" if len(body) % 4 == 1 else urlsafe_b64decode(body + "=" * (-len(body) % 4))
    )
    payload, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
    is_whole = urlsafe_b64encode(data).decode().rstrip("=") == body
    if not is_whole or not payload or checksum != _checksum(payload):
        message = "Share code is damaged or incomplete: its checksum does not match"
        raise ShareCodeError(message, len(code) + 1)
    return _Bytes(payload).content()


def _check_prefix(code: str) -> None:
    prefix = _PREFIX.match(code)
    if prefix is None:
        raise ShareCodeError(f"A share code starts with `{PREFIX}`", 1)
    if prefix[0] != PREFIX:
        version = prefix["version"]
        message = f"Share code has version {version}, only 1 can be read"
        raise ShareCodeError(message, 3)


def _checksum(data: bytes) -> bytes:
    return crc32(PREFIX.encode() + data).to_bytes(_CHECKSUM, "big")


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


class _Bytes:
    """The bytes of a code whose checksum fits; other writers may still err."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def content(self) -> ShareCode:
        try:
            format, *sets = self.take(self.number()).decode("utf-8").split(_SET)
        except UnicodeDecodeError:
            raise self.error("its format is not text") from None
        leader = self.number()
        cards: dict[int, int] = {}
        last = 0
        for _ in range(self.number()):
            step, count = self.number(), self.number()
            last += step
            if not step or last > _MAX_NUMBER or not 1 <= count <= MAX_COUNT:
                raise self.error(f"{count} copies of card number {last}")
            cards[last] = count
        if self.at != len(self.data):
            raise self.error("something follows the last card")
        return ShareCode(format, leader, cards, tuple(sets))

    def take(self, length: int) -> bytes:
        if self.at + length > len(self.data):
            raise self.error("it ends too early")
        self.at += length
        return self.data[self.at - length : self.at]

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
        position = len(PREFIX) + self.at * 4 // 3 + 1
        return ShareCodeError(
            f"Share code does not describe a deck: {reason}", position
        )
