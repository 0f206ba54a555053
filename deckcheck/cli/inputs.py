"""The files that `deckcheck validate` checks: arguments, lists of names, exclusions."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from deckcheck.cli.printing import tell, tell_notes
from deckcheck.decks.discovery import DeckFile, find_deck_files
from deckcheck.decks.left_out import LeftOut
from deckcheck.decks.patterns import PathPatterns
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import open_file
from deckcheck.findings.reads import note_read
from deckcheck.findings.words import quote

MAX_BYTES = 2**24


def chosen_files(
    paths: Sequence[str],
    files_from: str | None,
    stdin_filename: str | None,
    exclude: Sequence[str],
    force_exclude: bool,
    *,
    quiet: bool = False,
) -> tuple[list[DeckFile], LeftOut]:
    """The files to check, each once, and what is left out.

    There are none only when what was named is excluded.

    Which files are left out is said unless `quiet`. No output may replace the others.
    Raises UsageError when nothing is asked for, found, or left.
    """
    targets = named_targets(paths, files_from)
    if not targets and files_from is None:
        raise UsageError(
            "No decks given", "Name files or folders, or `-` for standard input"
        )
    if not targets:
        raise UsageError(f"{quote(files_from or '')} lists no file")
    excluded = PathPatterns(exclude)
    left_out = LeftOut()
    files = find_deck_files(
        targets,
        stdin_filename,
        excluded,
        exclude_named=force_exclude,
        left_out=left_out,
    )
    for deck_file in files:
        if deck_file.file is not None:
            note_read(deck_file.file)
    tell_notes(left_out.notes, quiet=quiet)
    if not files and not quiet:
        tell("No deck is checked, because all named ones are excluded")
    return files, left_out


def named_targets(paths: Sequence[str], files_from: str | None) -> list[str]:
    """What is named on the command line, and in a list of names."""
    return [*paths, *_listed(files_from, paths)]


def _listed(source: str | None, paths: Sequence[str]) -> list[str]:
    """The names in a list: a line each, or separated by NUL as `find -print0` does."""
    if source is None:
        return []
    if source == "-" and "-" in paths:
        help = "Give one of them as a file"
        raise UsageError("Standard input cannot be both a deck and a list", help)
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open_file(source) as stream:
                data = stream.read(MAX_BYTES + 1)
        text = data.decode("utf-8-sig", errors="surrogateescape")
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UsageError(f"Cannot read {quote(source)}: {reason}") from error
    if len(data) > MAX_BYTES:
        raise UsageError(f"{quote(source)} is too large for a list of files")
    names = text.split("\0") if "\0" in text else text.replace("\r\n", "\n").split("\n")
    return [name for name in names if name.strip()]
