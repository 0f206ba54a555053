"""Which files to check: named files, folders, globs, standard input."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deckcheck.decks.encodings import encoding_of
from deckcheck.decks.patterns import PathPatterns
from deckcheck.findings import UsageError
from deckcheck.findings.files import file_fault, open_file
from deckcheck.findings.words import nearest, quote, sentence

__all__ = ["SUFFIXES", "DeckFile", "decks_in", "find_deck_files", "shown_path"]

SUFFIXES = (".deck", ".txt", ".yaml", ".yml", ".json", ".code")
TABLE = ".csv"
CODE_END = 6
LOOKED_AT = (".txt", ".yaml", ".yml", ".json")

_CODE = re.compile(r"DC[0-9]+_\S*")


@dataclass(frozen=True, slots=True)
class DeckFile:
    """A file to read: None for standard input, and the path that findings show.

    `text` is a share code that was named itself; then there is no file either.
    """

    file: Path | None
    path: str
    text: str | None = None


def find_deck_files(
    targets: Sequence[str],
    stdin_filename: str | None = None,
    exclude: PathPatterns | None = None,
    *,
    exclude_named: bool = False,
    notes: list[str] | None = None,
) -> list[DeckFile]:
    """The files that `targets` name, each once, in the order of the targets.

    A named file is taken whatever its suffix. Folders are searched to any depth for
    the known suffixes, sorted, hidden names left out, linked folders not entered; a
    table (`.csv`) in it is taken when it has a column `card`, and files of deckcheck's
    own, such as its reports, are left out. So is the file that standard output or
    standard error goes to, wherever it is named; `notes` gets a sentence for each.
    `-` is standard input, called `stdin_filename` in findings. A share code stands for
    itself, and its path is a short form of it. What `exclude` matches is left out, a
    named file only with `exclude_named`. Raises UsageError for a name that does not
    exist, for a target that gives no file, and when all files of folders and globs are
    excluded and nothing else is left.
    """
    found: dict[str, DeckFile] = {}
    left_out = 0
    notes = [] if notes is None else notes
    written = _written_now()
    for target in targets:
        if target == "-":
            name = stdin_filename or "<stdin>"
            if not (exclude_named and _is_in(exclude, stdin_filename)):
                found.setdefault(target, DeckFile(None, name))
            continue
        if _CODE.fullmatch(target) and not os.path.lexists(target):
            found.setdefault(target, DeckFile(None, _short_code(target), target))
            continue
        files = _expand(target)
        is_named = files == [target]
        for file in _without_written(files, written, notes):
            absolute = os.path.abspath(file)
            if absolute in found:
                continue
            if (exclude_named or not is_named) and _is_in(exclude, absolute):
                left_out += not is_named
            elif is_named or _is_taken(file, notes):
                found[absolute] = DeckFile(Path(file), shown_path(file))
    if left_out and not found:
        help = "Change what is excluded, or name a file to check it anyway"
        raise UsageError("Every deck is excluded", help)
    if not found and notes:
        raise UsageError(f"Nothing is left to read: {notes[0]}", "Name a deck")
    return list(found.values())


def _short_code(code: str) -> str:
    """What to call a deck that is named by its code: `DC1_…S7JOg`.

    The last characters are of the checksum, and so differ whenever the decks do.
    """
    version, _, rest = code.partition("_")
    return code if len(rest) <= CODE_END else f"{version}_…{rest[-CODE_END:]}"


def decks_in(folder: str, notes: list[str] | None = None) -> list[DeckFile]:
    """The decks of a folder, as `find_deck_files` finds them; it may hold none."""
    notes = [] if notes is None else notes
    files = _without_written(_walk(folder), _written_now(), notes)
    return [
        DeckFile(Path(file), shown_path(file))
        for file in files
        if _is_taken(file, notes)
    ]


def _written_now() -> set[tuple[int, int]]:
    """The files that standard output and standard error go to, by device and inode."""
    files = set()
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            status = os.fstat(stream)
            if stat.S_ISREG(status.st_mode):
                files.add((status.st_dev, status.st_ino))
    return files


def _without_written(
    files: list[str], written: set[tuple[int, int]], notes: list[str]
) -> list[str]:
    """The files without those that this run is writing: `... > results.json`."""
    if not written:
        return files
    kept = []
    for file in files:
        with contextlib.suppress(OSError, ValueError):
            status = os.stat(file)
            if (status.st_dev, status.st_ino) in written:
                notes.append(f"{quote(shown_path(file))} is what this run writes to")
                continue
        kept.append(file)
    return kept


def _is_taken(file: str, notes: list[str]) -> bool:
    """Whether what a folder holds is a file, and none of deckcheck's own files."""
    fault = file_fault(file)
    if fault is not None:
        notes.append(f"{quote(shown_path(file))} is left out: it {fault}")
        return False
    if not file.lower().endswith(LOOKED_AT):
        return True
    from deckcheck.decks.recognising import not_a_deck

    kind = not_a_deck(_head(file), file)
    if kind is not None:
        notes.append(f"{quote(shown_path(file))} is left out: {kind}")
    return kind is None


def _is_in(patterns: PathPatterns | None, path: str | None) -> bool:
    return (
        patterns is not None and path is not None and patterns.match(path) is not None
    )


def shown_path(file: str | Path) -> str:
    """`file` with forward slashes, relative to the working folder when inside it."""
    absolute = os.path.abspath(file)
    folder = os.path.join(os.getcwd(), "")
    inside = absolute.startswith(folder)
    shown = absolute[len(folder) :] if inside else os.fspath(file)
    return shown.replace(os.sep, "/")


def _expand(target: str) -> list[str]:
    try:
        if os.path.isdir(target):
            return _in_folder(target)
        if os.path.lexists(target):
            return [target]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"Cannot read {quote(target)}: {reason.lower()}") from error
    if not glob.has_magic(target):
        raise missing(target)
    return _matching(target)


def _in_folder(folder: str) -> list[str]:
    files = _walk(folder)
    if not files:
        endings = ", ".join((*SUFFIXES, TABLE))
        raise UsageError(
            f"Folder {quote(folder)} holds no deck",
            f"Decks end in {endings}; name a file to check it anyway",
        )
    return files


def _walk(folder: str) -> list[str]:
    """The decks of a folder, sorted."""

    def refuse(error: OSError) -> None:
        reason = (error.strerror or "unreadable").lower()
        raise UsageError(f"Cannot read {quote(str(error.filename))}: {reason}")

    files = []
    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = os.path.join(place, name)
            if not name.startswith(".") and _is_deck(file):
                files.append(file)
    return sorted(files, key=lambda file: file.split(os.sep))


def _is_deck(file: str) -> bool:
    """Whether a file of a folder is meant as a deck; tables are looked at."""
    name = file.lower()
    if not name.endswith(TABLE) or file_fault(file) is not None:
        return name.endswith((*SUFFIXES, TABLE))
    from deckcheck.decks.tables import is_deck_table

    return is_deck_table(_head(file))


def _head(file: str) -> str:
    """The first lines of a file, nothing if it cannot be read."""
    from deckcheck.decks.recognising import HEAD

    try:
        with open_file(file, is_input=False) as stream:
            data = stream.read(HEAD)
    except OSError:
        return ""
    encoding, start = encoding_of(data)
    return data[start:].decode(encoding, errors="replace")


def _matching(pattern: str) -> list[str]:
    files: list[str] = []
    for name in sorted(glob.iglob(pattern, recursive=True)):
        files.extend(_walk(name) if os.path.isdir(name) else [name])
    if not files:
        raise UsageError(f"Nothing matches {quote(pattern)}", "Check the pattern")
    return files


def missing(path: str | Path, what: str = "") -> UsageError:
    """The error about a file that does not exist, with the one that may be meant.

    `what` is what it should be, such as `event file`.
    """
    name = quote(shown_path(path))
    message = sentence(f"{what} {name} does not exist".strip())
    return UsageError(message, _similar(str(path)) or "Check the path")


def _similar(target: str) -> str | None:
    """A hint when the folder of `target` has a file of nearly that name."""
    folder, name = os.path.split(target)
    try:
        names = sorted(os.listdir(folder or "."))
    except (OSError, ValueError):
        return None
    for near in nearest(name, names):
        return f"Did you mean {quote(shown_path(os.path.join(folder, near)))}?"
    return None
