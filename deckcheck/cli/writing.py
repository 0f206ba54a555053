"""Writing files for the user, and showing what would be written."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.cli.printing import say, tell
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import folder_fault, relative_path
from deckcheck.findings.reads import is_read
from deckcheck.findings.words import printable, quote

if TYPE_CHECKING:
    from deckcheck.findings.style import Style


DECK = ".deck"


def check_places(files: Iterable[str | Path]) -> None:
    """Refuse, before a run writes anything, files that it must not write.

    Each is a file of its own, lies in a folder that is there, and has not been read by
    this run: a result never replaces what it was made from.
    """
    places: set[str] = set()
    for file in files:
        _check_place(file)
        place = os.path.realpath(file)
        if place in places:
            name = quote(relative_path(place))
            raise UsageError(f"Two outputs go to {name}", "Give each a file of its own")
        places.add(place)


def keep_deck(file: str | Path, help: str = "Choose another file") -> None:
    """Refuse to give something else the name of a deck.

    There may be no other copy of a deck that it replaces, and later commands would read
    it as one. `help` says how the user gets a deck written.
    """
    _check_read(file)
    if Path(file).suffix.lower() != DECK:
        return
    name = quote(str(file))
    if os.path.isfile(file):
        message = f"Writing {name} would replace a deck with something else"
        raise UsageError(message, help)
    raise UsageError(f"{name} is the name of a deck, and what goes there is none", help)


def _check_read(file: str | Path) -> None:
    if is_read(file):
        message = f"Writing {quote(str(file))} would replace what this run reads"
        raise UsageError(message, "Choose another file")


def _check_place(file: str | Path) -> None:
    folder = os.path.dirname(file) or "."
    fault = folder_fault(folder)
    if fault is not None:
        message = f"Cannot write {quote(str(file))}: folder {quote(folder)} {fault}"
        raise UsageError(message, "Make the folder, or choose another one")
    if os.path.isdir(file):
        message = f"Cannot write {quote(str(file))}: it is a folder"
        raise UsageError(message, "Name a file in it")
    _check_read(file)


def write_file(
    file: str | Path, content: str | bytes, *, replaces_input: bool = False
) -> None:
    """Write a file whole or not at all; a pipe or device is written as it is.

    Raises UsageError when that fails, and for a file that this run has read, unless
    `replaces_input` says that to replace it is what was asked for.
    """
    if not replaces_input:
        _check_place(file)
    if isinstance(content, str):
        content = content.encode("utf-8", errors="backslashreplace")
    write_bytes(file, content)


def write_bytes(file: str | Path, data: bytes) -> None:
    """The same of bytes, whatever was read before."""
    target = os.path.realpath(file)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as stream:
                stream.write(data)
        else:
            _replace(target, data)
    except OSError as error:
        raise unwritable(str(file), error) from error


@contextlib.contextmanager
def printed_to(file: Path | None) -> Iterator[None]:
    """Let what is printed go to a file, whole or not at all; None changes nothing."""
    if file is None:
        yield
        return
    keep_deck(file)
    _check_place(file)
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        yield
    write_file(file, stream.getvalue())


def unwritable(file: str, error: OSError) -> UsageError:
    """The misuse of naming a file that cannot be written."""
    reason = (error.strerror or "unknown reason").lower()
    return UsageError(f"Cannot write {quote(file)}: {reason}")


def show_changes(path: str, old: str, new: str, style: Style) -> None:
    """Print the lines of a file that differ, as `diff -u` does.

    When they differ in their ends alone, a note on standard error says so.
    """
    from difflib import unified_diff

    name = printable(path)
    lines = unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
    shown = False
    for line in lines:
        paint = {"+": style.good, "-": style.bad, "@": style.frame}.get(line[0], str)
        say(line, paint)
        shown = True
    if old != new and not shown:
        tell(f"note: {name}: only line endings change")


def _replace(target: str, data: bytes) -> None:
    folder, name = os.path.split(target)
    draft = os.path.join(folder, f".{name}.{os.getpid()}.part")
    try:
        with open(draft, "xb") as stream:
            stream.write(data)
        with contextlib.suppress(FileNotFoundError):
            os.chmod(draft, os.stat(target).st_mode & 0o7777)
        os.replace(draft, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
