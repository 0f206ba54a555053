"""Loads formats: what was checked before from the cache, else from files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import cast

from deckcheck.cards import CardDatabase, card_db_folders, load_database
from deckcheck.cards.models import RECORDS as CARD_RECORDS
from deckcheck.cards.storage import CacheEntry, Root, shown_folders
from deckcheck.files import file_fault, similar_file
from deckcheck.formats.model import (
    RECORDS,
    Format,
    FormatError,
    SnapshotError,
    begins_later,
    check_date,
    file_like,
    first_day,
    format_ids,
    instead_of,
    is_file_name,
    own_id,
    some_format_ids,
    split_id,
)
from deckcheck.messages import option, quote


def load_format(id: str, root: Root = None, as_of: str | None = None) -> Format:
    """Load a format with what it inherits; ours are cached per process and folder.

    `id` is that of one of our formats, or the path of a format file of the user's own
    (`./league.yaml`), with or without a snapshot: `gwent/advanced@2025-10`. Without
    one, `as_of` is the date to judge by (`2025-10-31`), and without that the last
    snapshot counts. `root` has the folders of card databases, see `card_db_folders`.

    Raises FormatError for an unknown id, with a suggestion, for a file that does not
    exist, and for defects in its files, all at once; SnapshotError for a snapshot that
    there is not; and DatabaseError for defects in the cards of its game.
    """
    folders = tuple(folder.resolve() for folder in card_db_folders(root))
    name, snapshot = split_id(id)
    date = check_date(as_of) if as_of is not None else None
    if not is_file_name(name):
        return _load(name, folders, snapshot, date)
    fault = file_fault(name)
    if fault is not None:
        help = similar_file(name) or "Check the path"
        raise FormatError(f"format file {quote(name)} {fault}", help)
    return _kept(name, folders, snapshot, date)


def formats_as_of(root: Root = None, as_of: str | None = None) -> list[Format]:
    """Every format of ours that there was at a date, by id; without one, all of them.

    Raises SnapshotError for a date at which there was none yet, UsageError if there
    are none at all, and what `load_format` raises for defects.
    """
    formats = []
    for id in some_format_ids(root):
        with suppress(SnapshotError):
            formats.append(load_format(id, root, as_of))
    if not formats:
        message = f"no format has a snapshot as early as `{as_of}`"
        raise SnapshotError(message, "`deckcheck formats` lists them with their last")
    return formats


def notes_on_dates(
    formats: Iterable[Format], root: Root = None, as_of: str | None = None
) -> Iterator[str]:
    """A sentence for each format that has a later snapshot than today, or `as_of`.

    What such a snapshot changes never judges, and is never left out, without a word.
    """
    for fmt in formats:
        if as_of is None and begins_later(fmt):
            yield (
                f"{quote(fmt.id)} is judged by its snapshot {fmt.snapshot}, "
                "which holds from then on; "
                f"{option('as-of', 'today')} judges by the one of today"
            )
        elif as_of is not None:
            last = load_format(split_id(fmt.id)[0], root)
            if first_day(last.snapshot) > first_day(fmt.snapshot):
                yield (
                    f"{quote(fmt.id)} is judged by its snapshot {fmt.snapshot}; "
                    f"another one holds from {last.snapshot} on"
                )


def database_of(fmt: Format, root: Root = None) -> CardDatabase:
    """The cards of a format: those of its game, after what its sets do to them."""
    return load_database(fmt.game, root).with_changes(fmt.changes)


@lru_cache(maxsize=64)
def _load(
    id: str, root: tuple[Path, ...], snapshot: str | None, as_of: str | None
) -> Format:
    ids = format_ids(root)
    if id not in ids:
        none = f"There is none in {shown_folders(root)}"
        help = file_like(id) or (instead_of(id, ids) if ids else none)
        raise FormatError(f"unknown format {quote(id)}", help)
    return _kept(id, root, snapshot, as_of)


def _kept(
    id: str, root: tuple[Path, ...], snapshot: str | None, as_of: str | None
) -> Format:
    """The format from the cache; else from its files, and then it is kept."""
    name = id
    if is_file_name(id):
        # What it is called depends on where we are.
        name = f"{own_id(Path(id))} {os.path.abspath(id)}"
    name = f"format {name} {snapshot} {as_of} {os.pathsep.join(map(str, root))}"
    kept = CacheEntry(name, (*RECORDS, *CARD_RECORDS))
    read = kept.recall()
    if read is None:
        from deckcheck.formats.reading import read_format

        read, sources = read_format(id, root, snapshot, as_of)
        kept.keep(read, sources)
    return cast(Format, read)
