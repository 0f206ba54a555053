"""Which files are decks: named files, and files of folders."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.decks.decoding import DeckText, find_encoding, read_deck_file
from deckcheck.decks.findings import (
    NOT_A_DECK,
)
from deckcheck.decks.generated_files import HEAD_BYTES, find_generated_kind
from deckcheck.files import (
    PathPatterns,
    file_fault,
    is_direct,
    nothing_matches,
    open_file,
    similar_file,
    unusable,
)
from deckcheck.findings import START, UsageError
from deckcheck.messages import option, printable, quote, sentence

if TYPE_CHECKING:
    from deckcheck.cards.documents import LeftOutDocument


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
CODE_SUFFIX_LENGTH = 6
"""The last characters of a share code that its short name shows."""
INSPECTED_SUFFIXES = (".txt", ".yaml", ".yml", ".json")
"""The suffixes of decks that files of deckcheck's own may have too."""

_WHOLE_CODE = re.compile(r"DC[0-9]+_\S*")
CODE_WITHIN = re.compile(r"(?<![A-Za-z0-9_])DC[0-9]+_[A-Za-z0-9_-]{8,}")
"""A share code in a sentence or an address."""
_ADDRESS_START = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


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
    if left_out is None:
        left_out = LeftOut()
    named = set()
    for target in targets:
        # Pipes and dangling links count as files too.
        if os.path.lexists(target) and not os.path.isdir(target):
            named.add(os.path.abspath(target))
    search = _FileSearch(named, exclude, exclude_named, left_out)
    for target in targets:
        if target == "-":
            if not (exclude_named and _is_in(exclude, stdin_filename)):
                name = stdin_filename or "<stdin>"
                search.deck_files.setdefault(target, DeckFile(None, name))
            continue
        code = None if os.path.lexists(target) else _find_code(target)
        if code is None:
            search.add_target(target)
        else:
            deck = DeckFile(None, _shorten_code(code), code)
            search.deck_files.setdefault(code, deck)
    return search.finish()


class _FileSearch:
    """The search of `find_deck_files` for the files of its targets."""

    def __init__(
        self,
        named: set[str],
        exclude: PathPatterns | None,
        exclude_named: bool,
        left_out: LeftOut,
    ) -> None:
        """Begin a search. `named` has the absolute paths of named files."""
        self.named = named
        self.exclude = exclude
        self.exclude_named = exclude_named
        self.left_out = left_out
        self.written = _find_outputs()
        self.deck_files: dict[str, DeckFile] = {}
        """The decks by their absolute paths or codes."""
        self.passed: set[str] = set()
        """The absolute paths of all files so far that are left out."""
        self.others: set[str] = set()
        """The absolute paths of files in folders without the suffix of a deck."""
        self.has_excluded_unnamed = False

    def add_target(self, target: str) -> None:
        """Add the files of a target: of a folder or glob, or the file itself."""
        for file in _expand(target, self.others):
            absolute = os.path.abspath(file)
            if absolute in self.deck_files or absolute in self.passed:
                continue
            deck_file = self.choose_file(file, absolute, target)
            if deck_file is None:
                self.passed.add(absolute)
            else:
                self.deck_files[absolute] = deck_file

    def choose_file(self, file: str, absolute: str, target: str) -> DeckFile | None:
        """Return a file as a deck, None if it is left out, which is counted."""
        is_named = absolute in self.named
        may_exclude = self.exclude_named or not is_named
        if may_exclude and _is_in(self.exclude, absolute):
            self.left_out.excluded += 1
            if not is_named:
                self.has_excluded_unnamed = True
            return None
        if _is_written(file, self.written, self.left_out):
            return None
        return _take_file(file, self.left_out, None if is_named else target)

    def finish(self) -> list[DeckFile]:
        """Return the decks. Raises UsageError where all are left out."""
        shown = [o for o in self.others if not _is_in(self.exclude, o)]
        self.left_out.add_others(shown)
        if not self.deck_files and self.has_excluded_unnamed:
            raise UsageError(
                "Every deck is excluded",
                "Change the patterns of excluded files, or name a file to check it "
                "anyway",
            )
        if not self.deck_files and self.left_out.notes:
            note = self.left_out.notes[0]
            raise UsageError(f"Nothing is left to read: {note}", "Name a deck")
        return list(self.deck_files.values())


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

    The last characters are the checksum, so they differ whenever the decks do.
    """
    version, _, rest = code.partition("_")
    if len(rest) <= CODE_SUFFIX_LENGTH:
        return code
    return f"{version}_…{rest[-CODE_SUFFIX_LENGTH:]}"


def find_event_lists(
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


def restrict_to_checkout(found: Iterable[DeckFile]) -> list[DeckFile]:
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
            fault = "is a link, or in a linked folder"
            decks[index] = replace(deck, file=None, fault=fault)
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
            name = quote(shown_path(file))
            left_out.add_recognised(f"{name} is an output of this run")
            return True
    return False


def _take_file(file: str, left_out: LeftOut, folder: str | None) -> DeckFile | None:
    """Return a file as a deck, unless it is deckcheck's own file in a folder or glob.

    A file that the user named has no `folder`, and is always taken.
    """
    if folder is None:
        return DeckFile(Path(file), shown_path(file))
    deck_file = _make_deck_file(file, folder)
    if deck_file.fault is None and file.lower().endswith(INSPECTED_SUFFIXES):
        kind = find_generated_kind(_read_head(file), file)
        if kind is not None:
            left_out.add_recognised(f"{quote(shown_path(file))} is left out: {kind}")
            return None
    return deck_file


def _make_deck_file(file: str, folder: str) -> DeckFile:
    fault: str | None = "is a link out of the folder"
    if not _leads_out(file, folder):
        fault = file_fault(file)
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
    shown = os.fspath(file)
    if absolute.startswith(folder):
        shown = absolute.removeprefix(folder)
    return shown.replace(os.sep, "/")


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
