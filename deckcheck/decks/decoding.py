"""The bytes of a deck, turned into text or into a finding."""

from __future__ import annotations

import codecs
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from deckcheck.decks.findings import (
    BINARY_FILE,
    NOT_A_DECK,
    OVERSIZED_FILE,
    UNDECODABLE_FILE,
)
from deckcheck.decks.generated_files import HEAD_BYTES, describe_generated_file
from deckcheck.files import (
    open_file,
    unusable,
)
from deckcheck.findings import START, Finding, on_line, split_lines

# The encoding of a deck: UTF-8, or the encoding that a byte order mark announces

# UTF-32 first: its little-endian mark starts with the mark of UTF-16.
_ENCODING_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def find_encoding(data: bytes) -> tuple[str, int]:
    """Return the encoding of a file by its first bytes, and where its text starts."""
    for mark, encoding in _ENCODING_MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    return "utf-8", 0


MAX_BYTES = 2**20
MAX_LINES = 10_000

_WRITE_TEXT = "Write the deck as text, YAML or JSON"
_TYPE_LIST = "Write the list as text: a picture cannot be read"
_UNPACK_FILE = "Unpack it, or save the document as text"
_BINARY_FORMATS = (
    (b"\x89PNG", "a PNG image", _TYPE_LIST),
    (b"\xff\xd8\xff", "a JPEG image", _TYPE_LIST),
    (b"GIF8", "a GIF image", _TYPE_LIST),
    (b"%PDF", "a PDF document", "Copy its text, and save that as the list"),
    (
        b"PK\x03\x04",
        "a ZIP archive, a spreadsheet or a word processor's document",
        _UNPACK_FILE,
    ),
    (b"\xd0\xcf\x11\xe0", "an old office document", "Save the document as text"),
    (b"\x1f\x8b", "a gzip archive", _UNPACK_FILE),
    (b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK_FILE),
    (b"Rar!", "a RAR archive", _UNPACK_FILE),
    (b"\x7fELF", "a program", _WRITE_TEXT),
    (b"MZ", "a program", _WRITE_TEXT),
    (b"SQLite format 3", "a database", _WRITE_TEXT),
)
_BINARY_MARKS = tuple(mark for mark, _, _ in _BINARY_FORMATS)
_CERTAIN_MARKS = tuple(mark for mark in _BINARY_MARKS if len(mark) >= 4)
"""The marks that are too long to be the first letters of a deck."""

_SAVE_UTF8 = "Save it as UTF-8 text"


@dataclass(frozen=True, slots=True)
class DeckText:
    """A file as text."""

    path: str
    text: str
    finding: Finding | None = None
    """The reason why the file cannot be read: `text` is then only for excerpts."""


def read_deck_file(file: Path | None, path: str) -> DeckText:
    """Read a deck file, or standard input when `file` is None.

    `path` is its name in findings. Raises UsageError like `read_bytes`.
    """
    data, size = read_bytes(file, path)
    return decode_deck(data, path, size)


def read_bytes(file: Path | None, path: str) -> tuple[bytes, int]:
    """Read the bytes of a file, or of standard input, and the size of the file.

    No more than MAX_BYTES + 1 bytes are ever read. Raises UsageError when the system
    does not let us read.
    """
    try:
        if file is None:
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
            size = 0
        else:
            with open_file(file) as stream:
                data = stream.read(MAX_BYTES + 1)
                size = os.fstat(stream.fileno()).st_size
    except OSError as error:
        is_pipe = "pipe" in (error.strerror or "").lower()
        help = "Pass `-` and feed it on standard input" if is_pipe else None
        raise unusable("read", path, error, help) from error
    return data, size


def decode_deck(data: bytes, path: str, size: int = 0) -> DeckText:
    """Decode UTF-8, or the encoding that a byte order mark announces. Never raises.

    `size` is the size of the whole file where `data` is only its start.
    """
    if len(data) > MAX_BYTES:
        shown_size = f"{size:,}" if size > MAX_BYTES else f"more than {MAX_BYTES:,}"
        message = f"File has {shown_size} bytes, {MAX_BYTES:,} allowed"
        return _refuse_size(path, data[:HEAD_BYTES].decode(errors="replace"), message)
    if data.startswith(_CERTAIN_MARKS):
        return _refuse_binary(data, "utf-8", path)
    encoding, start = find_encoding(data)
    return _decode_text(data[start:], encoding, path)


def _decode_text(data: bytes, encoding: str, path: str) -> DeckText:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8" and not _is_binary(data):
            return _refuse_encoding(data, error.start, path)
        return _refuse_binary(data, encoding, path)
    if "\0" in text:
        return _refuse_binary(data, encoding, path)
    lines = len(split_lines(text))
    if lines > MAX_LINES:
        message = f"File has {lines:,} lines, {MAX_LINES:,} allowed"
        return _refuse_size(path, text[:HEAD_BYTES], message)
    return DeckText(path, text)


def _is_binary(data: bytes) -> bool:
    """Report whether the first bytes are not text, in Windows-1252 either."""
    head = data[:1024]
    if head.startswith(_BINARY_MARKS):
        return True
    strange = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return b"\0" in data or strange * 20 > len(head)


def _refuse_size(path: str, head: str, message: str) -> DeckText:
    """Refuse a large file, by its size or as a file of deckcheck's own."""
    if (fault := describe_generated_file(head, path)) is not None:
        kind, help = fault
        message = f"Cannot be read as a deck: {kind}"
        return DeckText(path, "", NOT_A_DECK.at(path, START, message, help=help))
    help = "Pass a decklist. A line `---` separates the decks of a file"
    return DeckText(path, "", OVERSIZED_FILE.at(path, START, message, help=help))


def _refuse_binary(data: bytes, encoding: str, path: str) -> DeckText:
    looks, help = "binary data", _WRITE_TEXT
    for mark, kind, remedy in _BINARY_FORMATS:
        if data.startswith(mark):
            looks, help = kind, remedy
            break
    else:
        if encoding != "utf-8":
            looks, help = f"damaged {encoding[:6].upper()} text", _SAVE_UTF8
        elif _looks_like_utf16(data):
            looks, help = "UTF-16 text without a byte order mark", _SAVE_UTF8
    message = f"File looks like {looks}, not like a decklist"
    return DeckText(path, "", BINARY_FILE.at(path, START, message, help=help))


def _looks_like_utf16(data: bytes) -> bool:
    """Report whether every other byte is mostly zero, as in UTF-16 of Latin letters."""
    head = data[:1024]
    half = len(head) // 2
    odd, even = head[1::2].count(0), head[::2].count(0)
    return half > 0 and max(odd, even) * 10 > half * 7 and min(odd, even) * 10 < half


def _refuse_encoding(data: bytes, offset: int, path: str) -> DeckText:
    lines = split_lines(data[:offset].decode("utf-8"))
    column = len(lines[-1]) + 1
    span = on_line(len(lines), column, column + 1)
    meant = bytes(data[offset : offset + 1]).decode("cp1252", errors="replace")
    message = f"Byte 0x{data[offset]:02x} is not UTF-8"
    notes = [] if meant == "\ufffd" else [f"In Windows-1252 it would be `{meant}`"]
    finding = UNDECODABLE_FILE.at(path, span, message, notes=notes, help=_SAVE_UTF8)
    return DeckText(path, data.decode("utf-8", errors="replace"), finding)
