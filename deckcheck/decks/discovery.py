"""The files to check: named files, folders, globs, standard input."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deckcheck.decks.encodings import encoding_of
from deckcheck.decks.left_out import LeftOut
from deckcheck.decks.patterns import PathPatterns
from deckcheck.findings import UsageError
from deckcheck.findings.files import file_fault, open_file, similar_file
from deckcheck.findings.options import option
from deckcheck.findings.words import quote, sentence

SUFFIXES = (".deck", ".txt", ".yaml", ".yml", ".json", ".csv", ".code")
CODE_END = 6
LOOKED_AT = (".txt", ".yaml", ".yml", ".json")
"""The suffixes of decks that files of deckcheck's own may have too."""

_CODE = re.compile(r"DC[0-9]+_\S*")


@dataclass(frozen=True, slots=True)
class DeckFile:
    """A file to read: None for standard input, and the path that findings show.

    `text` is a share code that was named itself; then there is no file either. Nor is
    there where `fault` says why what a folder has, called like a deck, is none.
    """

    file: Path | None
    path: str
    text: str | None = None
    fault: str | None = None


def find_deck_files(
    targets: Sequence[str],
    stdin_filename: str | None = None,
    exclude: PathPatterns | None = None,
    *,
    exclude_named: bool = False,
    left_out: LeftOut | None = None,
) -> list[DeckFile]:
    """The files that `targets` name, each once, in the order of the targets.

    A named file is taken whatever its suffix. Folders are searched to any depth for
    the known suffixes, sorted, hidden names left out, linked folders not entered; what
    says itself that it is a file of deckcheck's own is no deck. Neither is the file
    that standard output or standard error goes to, wherever it is named. `-` is
    standard input, called `stdin_filename` in findings. A share code stands for itself,
    and its path is a short form of it. What `exclude` matches is left out, a named file
    only with `exclude_named`. All that is left out is counted in `left_out`. Raises
    UsageError for a name that does not exist, for a target that gives no file, and when
    all files of folders and globs are excluded and nothing else is left.
    """
    deck_files: dict[str, DeckFile] = {}
    left_out = LeftOut() if left_out is None else left_out
    others: set[str] = set()
    passed: set[str] = set()
    in_folders = 0
    written = _written_now()
    for target in targets:
        if target == "-":
            name = stdin_filename or "<stdin>"
            if not (exclude_named and _is_in(exclude, stdin_filename)):
                deck_files.setdefault(target, DeckFile(None, name))
            continue
        if _CODE.fullmatch(target) and not os.path.lexists(target):
            deck_files.setdefault(target, DeckFile(None, _short_code(target), target))
            continue
        files = _expand(target, others)
        is_named = files == [target]
        for file in files:
            absolute = os.path.abspath(file)
            if absolute in deck_files or absolute in passed:
                continue
            if (exclude_named or not is_named) and _is_in(exclude, absolute):
                left_out.excluded += 1
                in_folders += not is_named
            elif _is_written(file, written, left_out):
                pass
            elif is_named:
                deck_files[absolute] = DeckFile(Path(file), shown_path(file))
                continue
            elif (taken := _taken(file, left_out)) is not None:
                deck_files[absolute] = taken
                continue
            passed.add(absolute)
    left_out.add_others(other for other in others if not _is_in(exclude, other))
    if in_folders and not deck_files:
        help = "Change what is excluded, or name a file to check it anyway"
        raise UsageError("Every deck is excluded", help)
    if not deck_files and left_out.notes:
        raise UsageError(f"Nothing is left to read: {left_out.notes[0]}", "Name a deck")
    return list(deck_files.values())


def _short_code(code: str) -> str:
    """What to call a deck that is named by its code: `DC1_…S7JOg`.

    The last characters are of the checksum, and so differ whenever the decks do.
    """
    version, _, rest = code.partition("_")
    return code if len(rest) <= CODE_END else f"{version}_…{rest[-CODE_END:]}"


def lists_in(
    folder: str, is_list: Callable[[str], bool], left_out: LeftOut
) -> tuple[list[DeckFile], list[str]]:
    """The decks of a folder, and the paths of what is called unlike one; perhaps none.

    A file for which `is_list` holds is taken for a deck whatever it is.
    """
    written = _written_now()
    lists, others = [], []
    for file in _walk(folder):
        if is_list(file):
            lists.append(_deck_file(file))
        elif _is_written(file, written, left_out):
            continue
        elif not _is_deck(file):
            others.append(file)
        elif (taken := _taken(file, left_out)) is not None:
            lists.append(taken)
    left_out.add_others(others)
    return lists, others


def _written_now() -> set[tuple[int, int]]:
    """The files that standard output and standard error go to, by device and inode."""
    files = set()
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            status = os.fstat(stream)
            if stat.S_ISREG(status.st_mode):
                files.add((status.st_dev, status.st_ino))
    return files


def _is_written(file: str, written: set[tuple[int, int]], left_out: LeftOut) -> bool:
    """Whether this run is writing a file: `... > results.json`."""
    if not written:
        return False
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(file)
        if (status.st_dev, status.st_ino) in written:
            left_out.add_own(f"{quote(shown_path(file))} is what this run writes to")
            return True
    return False


def _taken(file: str, left_out: LeftOut) -> DeckFile | None:
    """What a folder or a glob holds, as a deck; None for a file of deckcheck's own."""
    if file_fault(file) is None and file.lower().endswith(LOOKED_AT):
        from deckcheck.decks.recognising import own_kind

        kind = own_kind(_head(file), file)
        if kind is not None:
            left_out.add_own(f"{quote(shown_path(file))} is left out: {kind}")
            return None
    return _deck_file(file)


def _deck_file(file: str) -> DeckFile:
    fault = file_fault(file)
    is_file = fault is None
    return DeckFile(Path(file) if is_file else None, shown_path(file), fault=fault)


def _is_deck(file: str) -> bool:
    """Whether a file is called like a deck."""
    return file.lower().endswith(SUFFIXES)


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


def _expand(target: str, others: set[str]) -> list[str]:
    try:
        if os.path.isdir(target):
            return _in_folder(target, others)
        if os.path.lexists(target):
            return [target]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"Cannot read {quote(target)}: {reason.lower()}") from error
    if not glob.has_magic(target):
        raise missing(target)
    return _matching(target, others)


def _in_folder(folder: str, others: set[str]) -> list[str]:
    files = _decks(folder, others)
    if not files:
        beside = LeftOut()
        beside.add_others(_walk(folder))
        held = f", but {beside}" if beside else ""
        endings = ", ".join(SUFFIXES)
        raise UsageError(
            f"Folder {quote(folder)} holds no deck{held}",
            f"Decks end in {endings}; name a file to check it anyway",
        )
    return files


def _decks(folder: str, others: set[str]) -> list[str]:
    """The decks of a folder, sorted; `others` gets the paths of the other files."""
    files = _walk(folder)
    others.update(os.path.abspath(file) for file in files if not _is_deck(file))
    return list(filter(_is_deck, files))


def _walk(folder: str) -> list[str]:
    """The files of a folder, sorted, without those whose name is hidden."""

    def refuse(error: OSError) -> None:
        reason = (error.strerror or "unreadable").lower()
        raise UsageError(f"Cannot read {quote(str(error.filename))}: {reason}")

    files = []
    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [
            os.path.join(place, name) for name in names if not name.startswith(".")
        ]
    return sorted(files, key=lambda file: file.split(os.sep))


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


def _matching(pattern: str, others: set[str]) -> list[str]:
    files: list[str] = []
    for name in sorted(glob.iglob(pattern, recursive=True)):
        files.extend(_decks(name, others) if os.path.isdir(name) else [name])
    if not files:
        raise UsageError(f"Nothing matches {quote(pattern)}", "Check the pattern")
    return files


def missing(path: str | Path, what: str = "") -> UsageError:
    """The error about a file that does not exist, with the one that may be meant.

    `what` is what it should be, such as `event file`.
    """
    name = quote(shown_path(path))
    message = sentence(f"{what} {name} does not exist".strip())
    help = "Check the path"
    if str(path) == "reference":
        field = option("against", "reference")
        help = f"The reference field of a format goes with {field}"
    return UsageError(message, similar_file(path) or help)
