"""`validate --watch`: check again whenever a deck changes."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from deckcheck.cli.printing import tell
from deckcheck.decks.discovery import SUFFIXES, shown_path
from deckcheck.findings.errors import UsageError
from deckcheck.findings.reads import reads_noted
from deckcheck.findings.words import choice, plural, printable

INTERRUPTED = 130
_MOST_NAMED = 3


def keep_checking(
    check: Callable[[], int],
    targets: Sequence[str],
    format: str | None = None,
) -> int:
    """Run `check`, and again after each change, until Ctrl-C; the exit code is 130.

    `targets` are the decks, folders and globs to watch; `format` is watched too when it
    is a file. A later run that fails is reported, and the next change awaited. Raises
    UsageError without watchfiles, for standard input, and for whatever is wrong with
    the first run.
    """
    watch = _watcher()
    if "-" in targets:
        raise UsageError("Standard input cannot be watched", "Name files or folders")
    own = [format] if format is not None and os.path.isfile(format) else []
    wanted = _Wanted([*targets, *own])
    try:
        with reads_noted():
            check()
        tell("Watching for changes, Ctrl-C stops")
        for changes in watch(*wanted.folders, watch_filter=wanted):
            tell(_summary(path for _, path in changes))
            _check_again(check)
    except KeyboardInterrupt:
        return INTERRUPTED
    return INTERRUPTED


def _watcher() -> Any:
    try:
        from watchfiles import watch
    except ImportError:
        help = "Install it: pip install watchfiles"
        raise UsageError("`--watch` needs the package `watchfiles`", help) from None
    return watch


class _Wanted:
    """Which changes matter: decks of folders and globs, and what is named."""

    def __init__(self, targets: Iterable[str]) -> None:
        self.named: set[str] = set()
        self.searched: set[str] = set()
        for target in targets:
            path = os.path.realpath(target)
            if os.path.isdir(path):
                self.searched.add(path)
            elif glob.has_magic(target) and not os.path.exists(path):
                self.searched.add(_fixed_part(path))
            else:
                self.named.add(path)

    @property
    def folders(self) -> list[str]:
        """What to watch; editors replace files, so that a file alone would get lost."""
        parents = {os.path.dirname(path) for path in self.named}
        return sorted(path for path in parents | self.searched if os.path.isdir(path))

    def __call__(self, change: object, path: str) -> bool:
        if path in self.named:
            return True
        folder, name = os.path.split(path)
        is_deck = name.lower().endswith(SUFFIXES) and not name.startswith(".")
        return is_deck and any(
            Path(folder).is_relative_to(searched) for searched in self.searched
        )


def _fixed_part(pattern: str) -> str:
    """The folder of a glob that no wildcard is in."""
    while glob.has_magic(pattern):
        pattern = os.path.dirname(pattern)
    return pattern


def _check_again(check: Callable[[], int]) -> None:
    try:
        with reads_noted():
            check()
    except UsageError as error:
        from deckcheck.cli import tell_misuse

        tell_misuse(error.message, error.help)


def _summary(paths: Iterable[str]) -> str:
    names = sorted({printable(shown_path(path)) for path in paths})
    if len(names) > _MOST_NAMED:
        return f"\n{plural(len(names), 'file')} changed"
    return f"\n{choice(names, 'and')} changed"
