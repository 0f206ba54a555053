"""The bytes of a deck file, turned into text, or into a finding that says why not."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from deckcheck.decks.discovery import DeckFile
from deckcheck.decks.encodings import encoding_of
from deckcheck.decks.reading import (
    BINARY_FILE,
    NOT_A_DECK,
    OVERSIZED_FILE,
    UNDECODABLE_FILE,
)
from deckcheck.findings import Finding, Position, Span, UsageError
from deckcheck.findings.files import open_file
from deckcheck.findings.words import quote

MAX_BYTES = 2**20
MAX_LINES = 10_000

_WRITE = "Write the deck as text, YAML or JSON"
_TYPE = "Write the list as text: a picture cannot be read"
_UNPACK = "Unpack it, or save the document as text"
_LOOKS = (
    (b"\x89PNG", "a PNG image", _TYPE),
    (b"\xff\xd8\xff", "a JPEG image", _TYPE),
    (b"GIF8", "a GIF image", _TYPE),
    (b"%PDF", "a PDF document", "Copy its text, and save that as the list"),
    (
        b"PK\x03\x04",
        "a ZIP archive, a spreadsheet or a word processor's document",
        _UNPACK,
    ),
    (b"\xd0\xcf\x11\xe0", "an old office document", "Save the document as text"),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\x7fELF", "a program", _WRITE),
    (b"MZ", "a program", _WRITE),
    (b"SQLite format 3", "a database", _WRITE),
)
_SHORTEST_MAGIC = 4
"""From how many bytes on they cannot be the first letters of a deck."""

_START = Span(Position(1, 1), Position(1, 1))
_SAVE = "Save it as UTF-8 text"


@dataclass(frozen=True, slots=True)
class DeckText:
    """A file as text.

    With a `finding` it cannot be read: `text` is then only what can be shown of it.
    """

    path: str
    text: str
    finding: Finding | None = None


def read_deck_file(file: Path | None, path: str) -> DeckText:
    """Read a deck file, or standard input when `file` is None.

    `path` is how the file is called in findings; see `read_bytes`.
    """
    data, size = read_bytes(file, path)
    return decode_deck(data, path, size)


def read_bytes(file: Path | None, path: str) -> tuple[bytes, int]:
    """The bytes of a file, or of standard input, and the size of the file.

    No more than MAX_BYTES + 1 bytes are ever read. Raises UsageError when the system
    does not let us read.
    """
    try:
        if file is None:
            data, size = sys.stdin.buffer.read(MAX_BYTES + 1), 0
        else:
            with open_file(file) as stream:
                data = stream.read(MAX_BYTES + 1)
                size = os.fstat(stream.fileno()).st_size
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        help = "Pass `-` and feed it on standard input" if "pipe" in reason else None
        raise UsageError(f"Cannot read {quote(path)}: {reason}", help) from error
    return data, size


def read_found(deck_file: DeckFile) -> DeckText:
    """Read what `find_deck_files` found; see `read_deck_file`."""
    if deck_file.text is not None:
        return DeckText(deck_file.path, deck_file.text)
    if deck_file.fault is not None:
        message = f"Cannot be read as a deck: it {deck_file.fault}"
        help = "Put the list here as a file"
        finding = NOT_A_DECK.at(deck_file.path, _START, message, help=help)
        return DeckText(deck_file.path, "", finding)
    return read_deck_file(deck_file.file, deck_file.path)


def decode_deck(data: bytes, path: str, size: int = 0) -> DeckText:
    """Decode UTF-8, or what a byte order mark announces; never raises.

    `size` is the size of the whole file where `data` is only the start of it.
    """
    if len(data) > MAX_BYTES:
        shown_size = f"{size:,}" if size > MAX_BYTES else f"more than {MAX_BYTES:,}"
        return _oversized(path, f"File has {shown_size} bytes, {MAX_BYTES:,} allowed")
    if any(len(m) >= _SHORTEST_MAGIC and data.startswith(m) for m, *_ in _LOOKS):
        return _binary(data, "utf-8", path)
    encoding, start = encoding_of(data)
    return _decoded(data[start:], encoding, path)


def _decoded(data: bytes, encoding: str, path: str) -> DeckText:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8" and not _is_binary(data):
            return _undecodable(data, error.start, path)
        return _binary(data, encoding, path)
    if "\0" in text:
        return _binary(data, encoding, path)
    lines = text.count("\n") + text.count("\r") - text.count("\r\n") + 1
    if lines > MAX_LINES:
        message = f"File has {lines:,} lines, {MAX_LINES:,} allowed"
        return _oversized(path, message)
    return DeckText(path, text)


def _is_binary(data: bytes) -> bool:
    """Whether the first bytes have what Windows-1252 and the like never have."""
    head = data[:1024]
    if any(head.startswith(magic) for magic, *_ in _LOOKS):
        return True
    strange = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return b"\0" in data or strange * 20 > len(head)


def _oversized(path: str, message: str) -> DeckText:
    help = "Pass a decklist; several decks of one file are separated by a line `---`"
    return DeckText(path, "", OVERSIZED_FILE.at(path, _START, message, help=help))


def _binary(data: bytes, encoding: str, path: str) -> DeckText:
    recognised = (
        (what, help) for magic, what, help in _LOOKS if data.startswith(magic)
    )
    looks, help = next(recognised, (None, _WRITE))
    if looks is None and encoding != "utf-8":
        looks, help = f"damaged {encoding[:6].upper()} text", _SAVE
    elif looks is None and _looks_like_utf16(data):
        looks, help = "UTF-16 text without a byte order mark", _SAVE
    message = f"File looks like {looks or 'binary data'}, not like a decklist"
    return DeckText(path, "", BINARY_FILE.at(path, _START, message, help=help))


def _looks_like_utf16(data: bytes) -> bool:
    """Whether every other byte is mostly zero, as in UTF-16 of Latin letters."""
    head = data[:1024]
    half = len(head) // 2
    odd, even = head[1::2].count(0), head[::2].count(0)
    return half > 0 and max(odd, even) * 10 > half * 7 and min(odd, even) * 10 < half


def _undecodable(data: bytes, offset: int, path: str) -> DeckText:
    lines = re.split(r"\r\n|\n|\r", data[:offset].decode("utf-8"))
    line, column = len(lines), len(lines[-1]) + 1
    span = Span(Position(line, column), Position(line, column + 1))
    meant = bytes(data[offset : offset + 1]).decode("cp1252", errors="replace")
    message = f"Byte 0x{data[offset]:02x} is not UTF-8"
    notes = [] if meant == "\ufffd" else [f"In Windows-1252 it would be `{meant}`"]
    finding = UNDECODABLE_FILE.at(path, span, message, notes=notes, help=_SAVE)
    return DeckText(path, data.decode("utf-8", errors="replace"), finding)
