"""Load formats: checked formats from the cache, else from files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import cast

from deckcheck.cards import CardDatabase, card_db_folders, load_database
from deckcheck.cards.models import CARD_RECORDS
from deckcheck.cards.storage import CacheEntry, Root, join_folders
from deckcheck.files import file_fault, similar_file
from deckcheck.formats.model import (
    FORMAT_RECORDS,
    LATEST,
    Format,
    FormatError,
    SnapshotError,
    begins_later,
    check_date,
    file_like,
    first_day,
    format_ids,
    is_file_name,
    own_id,
    read_today,
    some_format_ids,
    split_id,
    suggest_formats,
)
from deckcheck.messages import option, plural, quote


def load_format(id: str, root: Root = None, as_of: str | None = None) -> Format:
    """Load a format with its ancestors. Built-in formats are cached per process.

    `id` is the id of a built-in format, or the path of a format file (`./league.yaml`),
    with or without a snapshot: `gwent/advanced@2025-10`. Without a snapshot, `as_of` is
    the date to judge by (`2025-10-31`, or `latest`), by default today. Before the first
    snapshot is in force, the first snapshot applies. `root` has the folders of card
    databases, see `card_db_folders`.

    Raises FormatError for an unknown id, with a suggestion, for a missing file, and for
    all defects of its files at once, SnapshotError for an unknown snapshot, and
    DatabaseError for defects in the cards of its game.
    """
    folders = tuple(folder.resolve() for folder in card_db_folders(root))
    name, snapshot = split_id(id)
    date = check_date(as_of) if as_of is not None else None
    load = _load_cached if is_file_name(name) else _load
    fault = file_fault(name) if is_file_name(name) else None
    if fault is not None:
        help = similar_file(name) or "Check the path"
        raise FormatError(f"format file {quote(name)} {fault}", help)
    fmt = load(name, folders, snapshot, date)
    if as_of is not None or snapshot is not None or not begins_later(fmt):
        return fmt
    try:
        return load(name, folders, None, read_today())
    except SnapshotError as error:
        return load(name, folders, error.first, None)


def load_formats(root: Root, as_of: str | None) -> list[Format]:
    """Return every built-in format in force at a date, by default today, by id.

    Raises SnapshotError for a date before all snapshots, UsageError without any format,
    and FormatError and DatabaseError for defects.
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
    formats: Iterable[Format], root: Root, as_of: str | None
) -> Iterator[str]:
    """Yield a sentence for each format with a snapshot later than today, or `as_of`.

    A later snapshot never judges, and never waits, without a word.
    """
    for fmt in formats:
        name = split_id(fmt.id)[0]
        if begins_later(fmt):
            yield (
                f"{quote(fmt.id)} is judged by its snapshot {fmt.snapshot}, which is "
                "not in force yet"
            )
            continue
        is_pinned = as_of is None and fmt.snapshot != load_format(name, root).snapshot
        latest = load_format(name, root, LATEST)
        if is_pinned or first_day(latest.snapshot) <= first_day(fmt.snapshot):
            continue
        # Without the rules of the command line, which no snapshot has.
        current = load_format(f"{name}@{fmt.snapshot}", root)
        in_force = ", which is in force today" if as_of is None else ""
        yield (
            f"{quote(fmt.id)} is judged by its snapshot {fmt.snapshot}{in_force}. "
            f"Snapshot {latest.snapshot} {_describe_changes(current, latest)}. "
            f"Judge by it with {option('as-of', LATEST)}"
        )


MAX_LISTED_CHANGES = 3


def _describe_changes(old: Format, new: Format) -> str:
    """Return a phrase with the changes between two snapshots of a format."""
    from deckcheck.formats.wording import compare_formats

    phrases = []
    for change in compare_formats(old, new):
        subject = f"{change.about} {quote(change.name)}"
        if change.old is None:
            phrases.append(f"adds {subject} ({change.new})")
        elif change.new is None:
            phrases.append(f"removes {subject} ({change.old})")
        else:
            phrases.append(f"changes {subject} from ({change.old}) to ({change.new})")
    hidden = len(phrases) - MAX_LISTED_CHANGES
    if hidden > 0:
        more = f"changes {plural(hidden, 'more thing')}"
        phrases = [*phrases[:MAX_LISTED_CHANGES], more]
    *first, last = phrases or ["changes nothing that judges"]
    return f"{', '.join(first)} and {last}" if first else last


def database_of(fmt: Format, root: Root = None) -> CardDatabase:
    """Return the cards of a format: the cards of its game, changed by its sets."""
    return load_database(fmt.game, root).with_changes(fmt.changes)


@lru_cache(maxsize=64)
def _load(
    id: str, root: tuple[Path, ...], snapshot: str | None, as_of: str | None
) -> Format:
    ids = format_ids(root)
    if id not in ids:
        none = f"No folder has formats: {join_folders(root)}"
        help = file_like(id) or (suggest_formats(id, ids) if ids else none)
        raise FormatError(f"unknown format {quote(id)}", help)
    return _load_cached(id, root, snapshot, as_of)


def _load_cached(
    id: str, root: tuple[Path, ...], snapshot: str | None, as_of: str | None
) -> Format:
    """Return the format from the cache, or read its files and cache it."""
    name = id
    if is_file_name(id):
        # Its name depends on the working folder.
        name = f"{own_id(Path(id))} {os.path.abspath(id)}"
    name = f"format {name} {snapshot} {as_of} {os.pathsep.join(map(str, root))}"
    entry = CacheEntry(name, (*FORMAT_RECORDS, *CARD_RECORDS))
    fmt = entry.recall()
    if fmt is None:
        from deckcheck.formats.reading import read_format

        fmt, sources = read_format(id, root, snapshot, as_of)
        entry.keep(fmt, sources)
    return cast(Format, fmt)
