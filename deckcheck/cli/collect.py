"""`deckcheck collect`: lists as they arrive become the folder of lists of an event."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.options.shared import CardDb, EventAsOf, OutputFile
from deckcheck.cli.printing import say, tell
from deckcheck.cli.writing import printed_to, unwritable, write_bytes
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import plural, printable, quote

if TYPE_CHECKING:
    from deckcheck.events import Event
    from deckcheck.events.intake.collecting import Arrival, Collection

CLEAN, FINDINGS = 0, 1
ORIGINALS = "originals"


def collect(
    inbox: Annotated[
        Path,
        typer.Argument(
            metavar="INBOX",
            help="Folder of mails, attachments and exports of forms, or one such file.",
            show_default=False,
        ),
    ],
    event: Annotated[
        Path,
        typer.Argument(
            metavar="EVENT",
            help="The event file, such as event.toml.",
            show_default=False,
        ),
    ],
    *,
    output: OutputFile = None,
    as_of: EventAsOf = None,
    card_db: CardDb = None,
) -> int:
    """Turn mails, archives, spreadsheets and pages into the lists of an event.

    Exit code 0: every list has its player and is legal; 1: something is left for
    you to do; 2: the command could not be carried out.
    """
    from deckcheck.events import check_event
    from deckcheck.events.dating import Dating
    from deckcheck.events.file import open_event
    from deckcheck.events.intake import collecting
    from deckcheck.events.intake.ledger import LEDGER, read_ledger
    from deckcheck.formats import database_of

    if not os.path.lexists(inbox):
        raise UsageError(f"There is no {quote(str(inbox))}", "Name the folder of mails")
    file, source = open_event(event)
    lists, kept = event.parent / file.lists, event.parent / ORIGINALS
    _check_folders(inbox, lists, kept)
    fmt = Dating(event, file, source, card_db, as_of).validator()[1]
    db = database_of(fmt, card_db)
    collection = collecting.collect(inbox, file, db, lists, read_ledger(kept))
    if not collection.arrivals:
        raise UsageError(f"Nothing lies in {quote(str(inbox))}", "Name another folder")
    _keep_originals(dict(collecting.originals(inbox)), kept)
    _write(collection, lists)
    write_bytes(kept / LEDGER, collection.ledger.as_json().encode("utf-8"))
    checked = check_event(event, card_db, as_of)
    with printed_to(output):
        for line in _report(collection, checked):
            say(line)
    if any(arrival.is_wrong for arrival in collection.arrivals) or not checked.is_sound:
        tell(f"`deckcheck event {printable(str(event))}` says what is wrong with lists")
        return FINDINGS
    return CLEAN


def _check_folders(inbox: Path, lists: Path, kept: Path) -> None:
    """Refuse to read what this command writes."""
    place = Path(os.path.realpath(inbox))
    for folder in (lists, kept):
        other = Path(os.path.realpath(folder))
        if place.is_relative_to(other) or (
            inbox.is_dir() and other.is_relative_to(place)
        ):
            raise UsageError(
                f"{quote(str(inbox))} and {quote(str(folder))} lie in each other",
                "Put what arrives into a folder of its own",
            )


def _keep_originals(files: Mapping[str, Path], kept: Path) -> None:
    """Copy what arrived; another file of the same name is kept as well."""
    for path, file in files.items():
        if file.is_symlink():
            continue
        data = file.read_bytes()
        target = kept / path
        if target.exists() and target.read_bytes() != data:
            mark = sha256(data).hexdigest()[:8]
            target = target.with_name(f"{target.stem}.{mark}{target.suffix}")
        _write_new(target, data)


def _write(collection: Collection, lists: Path) -> None:
    for path in collection.removed:
        (lists / path).unlink()
    for path, data in collection.writes.items():
        _write_new(lists / path, data)
    lists.mkdir(parents=True, exist_ok=True)


def _write_new(file: Path, data: bytes) -> None:
    """Write a file unless it has these bytes already; its folder is made."""
    try:
        if file.is_file() and file.read_bytes() == data:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(str(file), error) from error
    write_bytes(file, data)


def _report(collection: Collection, event: Event) -> Iterator[str]:
    """A line for each list that arrived, what was done to it, and its verdict."""
    verdicts = _verdicts(event)
    for arrival in collection.arrivals:
        yield _line(arrival, event, verdicts)
        for remark in arrival.piece.remarks:
            yield f"  {printable(remark)}"
    for path in collection.removed:
        yield f"removed {quote(f'{event.file.lists}/{path}')}: another list arrived"
    yield ""
    missing = [player.title for player in event.players if not player.lists]
    unplaced = sum(a.owner.player is None for a in collection.arrivals)
    counts = [plural(len(collection.arrivals), "list") + " arrived"]
    counts += [f"{unplaced} of no player"] if unplaced else []
    counts += [f"{len(missing)} missing"] if missing else []
    yield ", ".join(counts)
    for name in missing:
        yield f"  no list of {quote(name)}"


def _line(arrival: Arrival, event: Event, verdicts: Mapping[str, int]) -> str:
    """`mail.eml: list.txt -> lists/ben_ito.deck, new, Ben Ito by the sender: legal`."""
    player, reason = arrival.owner
    whose = f"{player} {reason}" if player else f"of no player, {reason}"
    place = printable(arrival.piece.place)
    if arrival.file is None:
        return printable(f"{place}: {whose}: {arrival.done}")
    file = f"{event.file.lists}/{arrival.file}"
    errors = verdicts.get(file)
    if errors is None:
        verdict = "no list that can be read"
    else:
        verdict = plural(errors, "error") if errors else "legal"
    return printable(f"{place} -> {file}, {arrival.done}, {whose}: {verdict}")


def _verdicts(event: Event) -> dict[str, int]:
    """The number of errors of each list, by its path below the folder of the event.

    A file that was not judged, such as a picture of no player, has none.
    """
    from deckcheck.findings import Severity

    names = {file.path: f"{event.file.lists}/{file.name}" for file in event.files}
    counts = dict.fromkeys(names.values(), 0)
    for finding in event.run.findings:
        if finding.severity is Severity.ERROR and finding.path in names:
            counts[names[finding.path]] += 1
    return counts
