"""Writing the letters of an event into a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from deckcheck.cli.writing import unwritable, write_file
from deckcheck.events.letters import is_untouched
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, quote

_SHOWN = 3


def write_letters(folder: Path, letters: Mapping[str, str]) -> None:
    """Write every letter, each whole or not at all; the folder is made if need be.

    A file that is there stays, unless it is a letter as it was written. Then nothing
    is written at all, and UsageError says so.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = list(_foreign(folder, letters))
    except OSError as error:
        raise unwritable(str(folder), error) from error
    if foreign:
        more = len(foreign) - _SHOWN
        names = choice(foreign[:_SHOWN], "and") + (
            f" and {more} more" if more > 0 else ""
        )
        raise UsageError(
            f"No letter is written, for {quote(str(folder))} holds {names}, which "
            "deckcheck did not write or somebody has changed",
            "Move these files away, or name another folder",
        )
    for name, text in letters.items():
        write_file(folder / name, text)


def _foreign(folder: Path, letters: Mapping[str, str]) -> Iterator[str]:
    for name in letters:
        file = folder / name
        if os.path.islink(file) or (os.path.exists(file) and not os.path.isfile(file)):
            yield name
        elif os.path.exists(file):
            text = file.read_bytes().decode("utf-8", errors="replace")
            if not is_untouched(text):
                yield name
