"""Which files are decks, and their bytes turned into text."""

from __future__ import annotations

import codecs
import contextlib
import glob
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.decks.findings import (
    BINARY_FILE,
    NOT_A_DECK,
    OVERSIZED_FILE,
    UNDECODABLE_FILE,
)
from deckcheck.files import (
    PathPatterns,
    file_fault,
    is_direct,
    nothing_matches,
    open_file,
    similar_file,
    unusable,
)
from deckcheck.findings import START, Finding, UsageError, on_line, split_lines
from deckcheck.messages import option, printable, quote, sentence

if TYPE_CHECKING:
    from deckcheck.cards.documents import LeftOutDocument


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


# Files of deckcheck's own, which are not decks.
#
# A document names its tool at the beginning, a letter has its checksum at the end, and
# formats, sets and scenarios have keys that no deck has.

HEAD_BYTES = 65_536
"""The number of bytes at the start of a file that are looked at."""

LETTER_SIGN = "Checksum of this letter: "
CHECKSUM_DIGITS = 16

OUTPUT_KIND = "an output of deckcheck"
LETTER_KIND = "a letter of deckcheck"
DATA_KIND = "a format, a set of cards or a scenario"
SETTINGS_KIND = "a configuration or an event"

_TOOL_NAME = r'"name"\s*:\s*"deckcheck"'
_OUR_JSON = re.compile(
    r"\{\s*(?:"
    # Documents and runs, which name the engine too.
    r'"schema_version"\s*:\s*\d+\s*,\s*"tool"\s*:\s*\{\s*'
    rf'(?:{_TOOL_NAME}|"version"\s*:\s*"[^"]*"\s*,\s*"engine"\s*:)'
    # SARIF and Reviewdog's format have places of their own for it.
    r'|"\$schema"\s*:\s*"[^"]*"\s*,\s*"version"\s*:\s*"[^"]*"\s*,\s*"runs"\s*:\s*\[\s*'
    rf'\{{\s*"tool"\s*:\s*\{{\s*"driver"\s*:\s*\{{\s*{_TOOL_NAME}'
    rf'|"source"\s*:\s*\{{\s*{_TOOL_NAME}'
    r'|"\$schema"\s*:\s*"[^"]*json-schema\.org/)'
)

_YAML_KEY = re.compile(r"^([A-Za-z_-]+)\s*:", re.MULTILINE)
_CARD_RECORD = re.compile(
    r"^[ \t]*- id[ \t]*:[^\n]*\n(?:[ \t]+\w+[ \t]*:[^\n]*\n){0,9}?"
    r"[ \t]+(?:kind|ability)[ \t]*:",
    re.MULTILINE,
)
_OF_DECKS = frozenset({"decks", "faction", "leader", "name"})
_OF_DATA = frozenset(
    {"constraints", "extends", "history", "change", "remove", "expect", "moves"}
)


def checksum(text: str) -> str:
    """Return the checksum in the last line of a letter over the lines above."""
    data = text.encode("utf-8", errors="backslashreplace")
    return sha256(data).hexdigest()[:CHECKSUM_DIGITS]


def own_kind(text: str, path: str) -> str | None:
    """Return the kind of a file of deckcheck's own, by its text and suffix, else None.

    A text without a file, such as `<stdin>`, is always a deck.
    """
    name = path.lower()
    if name.endswith(".toml"):
        return SETTINGS_KIND
    if name.startswith("<"):
        return None
    shown = text.lstrip("\ufeff \t\r\n")
    if _OUR_JSON.match(shown):
        return OUTPUT_KIND
    if _is_letter(text):
        return LETTER_KIND
    return DATA_KIND if name.endswith((".yaml", ".yml")) and _is_data(shown) else None


def own_fault(text: str, path: str) -> tuple[str, str] | None:
    """Return the kind of a file of deckcheck's own, and a remedy, else None."""
    kind = own_kind(text, path)
    help = f"Name a deck, or leave the file out with {option('exclude')}"
    return None if kind is None else (kind, help)


def _is_letter(text: str) -> bool:
    """Report whether a text is a letter as it was written, and nothing else."""
    above, sign, last = text.rpartition(LETTER_SIGN)
    return bool(sign) and last.rstrip() == checksum(above)


def _is_data(text: str) -> bool:
    """Report whether YAML has keys of ours, and none of a deck."""
    keys = set(_YAML_KEY.findall(text))
    if keys & _OF_DECKS:
        return False
    if "cards" in keys or "leaders" in keys or not keys:
        return _CARD_RECORD.search(text) is not None
    return bool(keys & _OF_DATA)


# Files in folders of decks that are not decks: counted in every summary

MAX_SHOWN_SUFFIXES = 12


@dataclass(slots=True)
class LeftOut:
    """The files of folders that are not decks, by reason."""

    others: Counter[str] = field(default_factory=Counter)
    """Files without the suffix of a deck, by their suffix in lower case or empty."""
    recognised: int = 0
    """Files of deckcheck's own, and files that this run is writing."""
    excluded: int = 0
    """Files that a pattern leaves out."""
    notes: list[str] = field(default_factory=list)
    """A sentence for each recognised file."""

    def add_others(self, files: Iterable[str]) -> None:
        """Count files without the suffix of a deck."""
        self.others.update(os.path.splitext(file)[1].lower() for file in files)

    def add_recognised(self, note: str) -> None:
        """Count a file of deckcheck's own, which `note` names."""
        self.recognised += 1
        self.notes.append(note)

    def __bool__(self) -> bool:
        return bool(self.others or self.recognised or self.excluded)

    def __str__(self) -> str:
        """Return `2 .jpg, 1 .zip, 3 excluded, 1 of deckcheck's own`, or nothing."""
        suffixes = sorted(self.others.items(), key=lambda pair: (-pair[1], pair[0]))
        parts = []
        for suffix, number in suffixes[:MAX_SHOWN_SUFFIXES]:
            parts.append(f"{number} {printable(suffix) or 'without suffix'}")
        others = sum(number for _, number in suffixes[MAX_SHOWN_SUFFIXES:])
        if others:
            parts.append(f"{others} of other kinds")
        if self.excluded:
            parts.append(f"{self.excluded} excluded")
        if self.recognised:
            parts.append(f"{self.recognised} of deckcheck's own")
        return ", ".join(parts)

    def as_data(self) -> LeftOutDocument:
        """Return the counts as JSON has them."""
        return {
            "others": dict(sorted(self.others.items())),
            "own": self.recognised,
            "excluded": self.excluded,
        }


# The files to check: named files, folders, globs, standard input

DECK_SUFFIXES = (".deck", ".txt", ".yaml", ".yml", ".json", ".csv", ".code")
CODE_END = 6
LOOKED_AT = (".txt", ".yaml", ".yml", ".json")
"""The suffixes of decks that files of deckcheck's own may have too."""

_WHOLE_CODE = re.compile(r"DC[0-9]+_\S*")
CODE_WITHIN = re.compile(r"(?<![A-Za-z0-9_])DC[0-9]+_[A-Za-z0-9_-]{8,}")
"""A share code in a sentence or an address."""


@dataclass(frozen=True, slots=True)
class DeckFile:
    """A deck to read."""

    file: Path | None
    """The file. None for standard input, and with a `text` or a `fault`."""
    path: str
    """The path that findings show."""
    text: str | None = None
    """A share code that was named in place of a file."""
    fault: str | None = None
    """The reason why an entry of a folder cannot be read as a deck."""


def find_deck_files(
    targets: Sequence[str],
    stdin_filename: str | None = None,
    exclude: PathPatterns | None = None,
    *,
    exclude_named: bool = False,
    left_out: LeftOut | None = None,
) -> list[DeckFile]:
    """Return the files that `targets` name, each once, in the order of the targets.

    A named file is taken with any suffix. Folders are searched to any depth for the
    known suffixes and sorted. Hidden names and linked folders are passed over. A link
    that leads out of the folder is not followed, and has a `fault`. Files of
    deckcheck's own are not decks, nor is the file behind standard output or error. `-`
    is standard input, called `stdin_filename` in findings. A share code, alone or in a
    sentence, is a deck with a short form of the code as its path. Files that match
    `exclude` are left out, named files only with `exclude_named`. `left_out` counts all
    that is left out.

    Raises UsageError for a name that does not exist, for a target without any file, and
    when nothing is left to read.
    """
    deck_files: dict[str, DeckFile] = {}
    left_out = LeftOut() if left_out is None else left_out
    others: set[str] = set()
    passed: set[str] = set()
    in_folders = 0
    written = _find_outputs()
    named = {os.path.abspath(target) for target in targets if _is_file(target)}
    for target in targets:
        if target == "-":
            name = stdin_filename or "<stdin>"
            if not (exclude_named and _is_in(exclude, stdin_filename)):
                deck_files.setdefault(target, DeckFile(None, name))
            continue
        code = None if os.path.lexists(target) else _find_code(target)
        if code is not None:
            deck_files.setdefault(code, DeckFile(None, _shorten_code(code), code))
            continue
        for file in _expand(target, others):
            absolute = os.path.abspath(file)
            is_named = absolute in named
            if absolute in deck_files or absolute in passed:
                continue
            if (exclude_named or not is_named) and _is_in(exclude, absolute):
                left_out.excluded += 1
                in_folders += not is_named
            elif not _is_written(file, written, left_out):
                folder = None if is_named else target
                deck_file = _take_file(file, left_out, folder)
                if deck_file is not None:
                    deck_files[absolute] = deck_file
                    continue
            passed.add(absolute)
    left_out.add_others(other for other in others if not _is_in(exclude, other))
    if not deck_files:
        _check_left_out(left_out, in_folders)
    return list(deck_files.values())


def _check_left_out(left_out: LeftOut, in_folders: int) -> None:
    """Raise UsageError where files were named and all are left out."""
    if in_folders:
        help = (
            "Change the patterns of excluded files, or name a file to check it anyway"
        )
        raise UsageError("Every deck is excluded", help)
    if left_out.notes:
        raise UsageError(f"Nothing is left to read: {left_out.notes[0]}", "Name a deck")


def _find_code(target: str) -> str | None:
    """Return the share code that a target is, or holds in a sentence or an address."""
    if _WHOLE_CODE.fullmatch(target):
        return target
    if len(target.split()) == 1 and not _ADDRESS_START.match(target):
        return None
    code = CODE_WITHIN.search(target)
    return None if code is None else code[0]


def _shorten_code(code: str) -> str:
    """Return a short name for the deck of a share code: `DC1_…S7JOg`.

    The last characters are the checksum, and so differ whenever the decks do.
    """
    version, _, rest = code.partition("_")
    return code if len(rest) <= CODE_END else f"{version}_…{rest[-CODE_END:]}"


def lists_in(
    folder: str, is_list: Callable[[str], bool], left_out: LeftOut
) -> tuple[list[DeckFile], list[str]]:
    """Return the decks of a folder, and the paths of files with other suffixes.

    A file for which `is_list` holds is always a deck.
    """
    written = _find_outputs()
    lists = []
    others = []
    for file in _walk(folder):
        if is_list(file):
            lists.append(_make_deck_file(file, folder))
        elif _is_written(file, written, left_out):
            continue
        elif not _is_deck(file):
            others.append(file)
        elif (taken := _take_file(file, left_out, folder)) is not None:
            lists.append(taken)
    left_out.add_others(others)
    return lists, others


def of_checkout(found: Iterable[DeckFile]) -> list[DeckFile]:
    """Return decks of the working folder, an untrusted checkout, with absolute paths.

    A link may lead to any file: it is not a deck. Raises UsageError for a file outside
    of the folder.
    """
    decks = list(found)
    for index, deck in enumerate(decks):
        if deck.file is None:
            continue
        if not Path(os.path.abspath(deck.file)).is_relative_to(os.getcwd()):
            message = f"{quote(deck.path)} is outside of the checkout"
            raise UsageError(message, "Name paths inside the checkout")
        decks[index] = replace(deck, file=deck.file.absolute())
        if not is_direct(deck.file):
            decks[index] = replace(
                deck, file=None, fault="is a link, or in a linked folder"
            )
    return decks


def _find_outputs() -> set[tuple[int, int]]:
    """Return the files behind standard output and error, by device and inode."""
    files = set()
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            status = os.fstat(stream)
            if stat.S_ISREG(status.st_mode):
                files.add((status.st_dev, status.st_ino))
    return files


def _is_written(file: str, written: set[tuple[int, int]], left_out: LeftOut) -> bool:
    """Report whether this run is writing a file: `... > results.json`."""
    if not written:
        return False
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(file)
        if (status.st_dev, status.st_ino) in written:
            left_out.add_recognised(
                f"{quote(shown_path(file))} is an output of this run"
            )
            return True
    return False


def _take_file(file: str, left_out: LeftOut, folder: str | None) -> DeckFile | None:
    """Return a file as a deck, unless it is deckcheck's own file in a folder or glob.

    A file that the user named has no `folder`, and is always taken.
    """
    if folder is None:
        return DeckFile(Path(file), shown_path(file))
    deck_file = _make_deck_file(file, folder)
    if deck_file.fault is None and file.lower().endswith(LOOKED_AT):
        kind = own_kind(_read_head(file), file)
        if kind is not None:
            left_out.add_recognised(f"{quote(shown_path(file))} is left out: {kind}")
            return None
    return deck_file


def _make_deck_file(file: str, folder: str) -> DeckFile:
    is_out = _leads_out(file, folder)
    fault = "is a link out of the folder" if is_out else file_fault(file)
    return DeckFile(None if fault else Path(file), shown_path(file), fault=fault)


def _leads_out(file: str, folder: str) -> bool:
    """Report whether a file of a folder is a link to a place outside of the folder.

    Otherwise a list in a pull request could make CI print any file of the machine.
    """
    if not os.path.islink(file) or not os.path.isdir(folder):
        return False
    inside = os.path.join(os.path.realpath(folder), "")
    return not os.path.join(os.path.realpath(file), "").startswith(inside)


def _is_deck(file: str) -> bool:
    """Report whether a file has the suffix of a deck, or is a link to a folder."""
    return file.lower().endswith(DECK_SUFFIXES) or os.path.isdir(file)


def _is_in(patterns: PathPatterns | None, path: str | None) -> bool:
    if patterns is None or path is None:
        return False
    return patterns.match(path) is not None


def shown_path(file: str | Path) -> str:
    """Return a path with `/`, relative to the working folder when inside it."""
    absolute = os.path.abspath(file)
    folder = os.path.join(os.getcwd(), "")
    inside = absolute.startswith(folder)
    shown = absolute[len(folder) :] if inside else os.fspath(file)
    return shown.replace(os.sep, "/")


def _is_file(target: str) -> bool:
    """Report whether a file exists. Pipes and dangling links count too."""
    return os.path.lexists(target) and not os.path.isdir(target)


def _expand(target: str, others: set[str]) -> list[str]:
    try:
        if os.path.isdir(target):
            return _list_folder(target, others)
        if os.path.lexists(target):
            return [target]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"Cannot read {quote(target)}: {reason.lower()}") from error
    if not glob.has_magic(target):
        raise missing(target)
    return _list_matches(target, others)


def _list_folder(folder: str, others: set[str]) -> list[str]:
    files = _list_decks(folder, others)
    if not files:
        beside = LeftOut()
        beside.add_others(_walk(folder))
        held = f", but {beside}" if beside else ""
        endings = ", ".join(DECK_SUFFIXES)
        raise UsageError(
            f"Folder {quote(folder)} holds no deck{held}",
            f"Decks end in {endings}. Name a file to check it anyway",
        )
    return files


def _list_decks(folder: str, others: set[str]) -> list[str]:
    """Return the decks of a folder, sorted, and add all other files to `others`."""
    files = _walk(folder)
    others.update(os.path.abspath(file) for file in files if not _is_deck(file))
    return list(filter(_is_deck, files))


def _walk(folder: str) -> list[str]:
    """Return the files of a folder, sorted, without hidden names."""

    def refuse(error: OSError) -> None:
        raise unusable("read", str(error.filename), error)

    files = []
    for root, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = (os.path.join(root, name) for name in folders)
        files += [link for link in links if _leads_out(link, folder)]
        shown = (name for name in names if not name.startswith("."))
        files += [os.path.join(root, name) for name in shown]
    return sorted(files, key=lambda file: file.split(os.sep))


def _read_head(file: str) -> str:
    """Return the first lines of a file, nothing if it cannot be read."""
    try:
        with open_file(file, is_input=False) as stream:
            data = stream.read(HEAD_BYTES)
    except OSError:
        return ""
    encoding, start = find_encoding(data)
    return data[start:].decode(encoding, errors="replace")


def _list_matches(pattern: str, others: set[str]) -> list[str]:
    files: list[str] = []
    for name in sorted(glob.iglob(pattern, recursive=True)):
        files.extend(_list_decks(name, others) if os.path.isdir(name) else [name])
    if not files:
        raise nothing_matches(pattern)
    return files


_ADDRESS_START = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def missing(path: str | Path, kind: str = "") -> UsageError:
    """Return the error about a missing file, with the most similar file.

    `kind` is the kind of file, such as `event file`.
    """
    if _ADDRESS_START.match(str(path)):
        message = f"{quote(str(path))} is an address, not a file"
        help = "Save the list as a file, or pass `-` and feed it on standard input"
        return UsageError(message, help)
    name = quote(shown_path(path))
    message = sentence(f"{kind} {name} does not exist".strip())
    help = "Check the path"
    if str(path) == "reference":
        field = option("against", "reference")
        help = f"The reference field of a format goes with {field}"
    return UsageError(message, similar_file(path) or help)


# The bytes of a deck file, turned into text or into a finding

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


def read_found(deck_file: DeckFile) -> DeckText:
    """Read a deck of `find_deck_files`. Raises UsageError like `read_bytes`."""
    if deck_file.text is not None:
        return DeckText(deck_file.path, deck_file.text)
    if deck_file.fault is not None:
        message = f"Cannot be read as a deck: it {deck_file.fault}"
        help = "Put the list here as a file"
        finding = NOT_A_DECK.at(deck_file.path, START, message, help=help)
        return DeckText(deck_file.path, "", finding)
    return read_deck_file(deck_file.file, deck_file.path)


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
    if (fault := own_fault(head, path)) is not None:
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
