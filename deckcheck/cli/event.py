"""`event` and `collect`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.configuration import warn_of_ignored
from deckcheck.cli.options import (
    CardDb,
    Checkout,
    EventAsOf,
    OutputFile,
    outputs_option,
    quiet_option,
)
from deckcheck.cli.output import (
    CLEAN,
    FINDINGS,
    check_places,
    files_of,
    in_checkout,
    printed_to,
    read_outputs,
    say,
    tell,
    tell_notes,
    write_bytes,
    write_file,
    write_outputs,
)
from deckcheck.cli.settings import Color
from deckcheck.files import only_one, open_file, read_input, usable
from deckcheck.findings import UsageError
from deckcheck.messages import list_first, plural, printable, quote

if TYPE_CHECKING:
    from deckcheck.events import Event, Salts, Seal, SealFile
    from deckcheck.events.collecting import CollectedLists


# `deckcheck event`: check a whole tournament described in one file


def event(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The event file, such as event.toml.")
    ],
    *,
    output_format: Annotated[
        list[str] | None,
        outputs_option(
            completing.outputs("events.pages:EVENT_WRITERS"),
            "findings: full (default), concise, json, jsonl, github, gitlab, "
            "sarif, junit or rdjson, or a page to publish: markdown or html",
        ),
    ] = None,
    output: OutputFile = None,
    letters: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write a letter to each player, ready to mail, as text files in "
            "this folder.",
        ),
    ] = None,
    sheets: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write an HTML file to print, with a page for each player: judges "
            "count the deck by it at the table.",
        ),
    ] = None,
    pairings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write an HTML file to print, with the pairings of each round and "
            "space for results, and beside it a CSV file of the same name to type "
            "them into: `deckcheck meta` reads it.",
        ),
    ] = None,
    seal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --salts: write a seal of the event, hashes of all lists, "
            "rules and cards, to this file, such as lists.seal.json.",
        ),
    ] = None,
    reseal: Annotated[
        str | None,
        typer.Option(
            metavar="REASON",
            help="With --seal: add a new seal to a file of seals, for this reason, "
            "which is in the file, and public.",
        ),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Show the changes since the seal in this file was written. With "
            "--salts lists are compared, too.",
        ),
    ] = None,
    verify_list: Annotated[
        Path | None,
        typer.Option(
            metavar="LIST",
            help="For players: compare a list with the line of a letter, given as "
            "FILE. With --verify also the line with a seal.",
        ),
    ] = None,
    verdicts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a CSV file with a row for each list: player, deck, legal, "
            "codes and the first reason.",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a table of all lists, such as cup.csv, cup.xlsx or cup.html: "
            "the cards of each player, and the shares of factions and leaders.",
        ),
    ] = None,
    salts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of the secret key that keeps lists from being guessed by "
            "their seals, such as salts.json. It is made if missing. Never "
            "publish it.",
        ),
    ] = None,
    reveal: Annotated[
        bool,
        typer.Option(
            help="After the event: also show decks, verdicts and salts on the page "
            "to publish."
        ),
    ] = False,
    checkout: Checkout = None,
    as_of: EventAsOf = None,
    color: Color = "auto",
    quiet: Annotated[
        int, quiet_option("Print findings only, or nothing if given twice.")
    ] = 0,
    card_db: CardDb = None,
) -> int:
    """Check a tournament: every player needs a legal list, and every list a player.

    The event file has, each on a line, name = "Spring cup", date = "2026-03-14", format
    = "gwent/standard", lists = "lists", which is a folder, and players = ["Anna Nowak",
    "Ben Ito"]. Only an event without errors is sealed. Exit code 0: no errors, 1:
    errors, 2: the command could not be carried out.
    """
    from deckcheck.events import (
        check_event,
        check_salts,
        count_unchanged,
        make_seal,
        read_seals,
    )
    from deckcheck.events import verify as verified
    from deckcheck.events.letters import letters as write_all_letters
    from deckcheck.events.pages import EVENT_WRITERS
    from deckcheck.formats.model import read_clock

    if verify_list is not None:
        return _prove(verify_list, str(file), verify, card_db)
    file = only_one(file)
    output = in_checkout(checkout, output)
    outputs = read_outputs(output_format or (), EVENT_WRITERS, output, checkout)
    _check_options(seal, reseal, verify, salts)
    if table is not None:
        _check_table(table)
    earlier = _read_earlier_seals(seal, reseal)
    now = read_clock()
    sealed = None if verify is None else read_seals(verify)
    key = _open_salts(salts, may_be_new=verify is None)
    checked = check_event(file, card_db, as_of, checkout)
    warn_of_ignored(checkout, outputs, card_db or ())
    checked = replace(checked, salts=key, is_revealed=reveal)
    _refuse_files_among_lists(checked, file, seal, letters, salts)
    tell_notes(checked.left_out.notes, quiet=quiet > 0)
    if sealed is not None:
        checked = verified(checked, sealed)
    elif earlier is not None:
        check_salts(checked, earlier)
    texts = {} if letters is None else write_all_letters(checked)
    others = [
        *_list_other_files(seal if earlier is None else None, letters, texts, salts)
    ]
    pages = [
        (sheets, _write_sheets),
        (pairings, _write_pairings),
        (verdicts, _write_verdicts),
        (table, _write_table),
    ]
    others += [path for path, _ in pages if path is not None]
    others += _place_results(pairings)
    check_places([*files_of(outputs), *others])
    if letters is not None:
        prepare_folder(letters, texts)
    done = _keep_key(salts, checked)
    write_outputs(checked, outputs, color, quiet, dict(EVENT_WRITERS)["markdown"])
    if sealed is not None:
        done.append(count_unchanged(checked, sealed.last))
    if letters is not None:
        done.append(write_letters(letters, texts))
    for path, write in pages:
        if path is not None:
            done.append(write(path, checked))
    if seal is not None:
        done += _seal(seal, checked, earlier, make_seal(checked, now, reseal))
    if not quiet:
        for notice in done:
            tell(notice)
    return CLEAN if checked.is_sound else FINDINGS


def _check_options(
    seal: Path | None, reseal: str | None, verify: Path | None, salts: Path | None
) -> None:
    if seal is not None and verify is not None:
        raise UsageError("`--seal` and `--verify` cannot be used together")
    if reseal is not None and seal is None:
        raise UsageError("`--reseal` works with `--seal FILE` only")
    if reseal is not None and not reseal.strip():
        help = "Give it in a few words that players may read: it is in the seal"
        raise UsageError("`--reseal` needs a reason", help)
    if seal is not None and salts is None:
        raise UsageError(
            "`--seal` needs `--salts FILE`, which hides the lists behind their seals",
            "Name a file to keep and never to publish. It is made if missing",
        )


def _open_salts(file: Path | None, *, may_be_new: bool) -> Salts | None:
    """Read the salts of a file, or make new salts for a missing file."""
    from deckcheck.events import new_salts, read_salts

    if file is None:
        return None
    return new_salts() if may_be_new and not os.path.lexists(file) else read_salts(file)


def _keep_key(file: Path | None, checked: Event) -> list[str]:
    """Write new salts, before anything made with them, and return a sentence."""
    from deckcheck.events import write_salts

    if file is None or checked.salts is None or os.path.lexists(file):
        return []
    with usable("write", file):
        write_salts(file, checked.salts, checked.file.name)
    return [
        f"Salts written to {quote(str(file))}: keep this file, and never publish it"
    ]


def _read_earlier_seals(file: Path | None, reseal: str | None) -> SealFile | None:
    """Read the seals of a file. Raises UsageError when no seal may be added."""
    if file is None or not os.path.lexists(file):
        return None
    from deckcheck.events import read_seals

    sealed = read_seals(file)
    if reseal is None:
        raise UsageError(
            f"{quote(str(file))} already holds {sealed.last.when}",
            "Compare with `--verify`, or add a seal with `--reseal REASON`",
        )
    return sealed


def _refuse_files_among_lists(
    checked: Event,
    file: Path,
    seal: Path | None,
    letters: Path | None,
    salts: Path | None,
) -> None:
    """Refuse to write where the next run would take it for a list."""
    from deckcheck.decks import DECK_SUFFIXES

    lists = os.path.realpath(file.parent / checked.file.lists)
    for option, path in (("--seal", seal), ("--salts", salts), ("--letters", letters)):
        if path is None:
            continue
        is_like_a_list = option == "--letters" or path.suffix.lower() in DECK_SUFFIXES
        if is_like_a_list and Path(os.path.realpath(path)).is_relative_to(lists):
            raise UsageError(
                f"{quote(str(path))} of `{option}` would be taken for a list",
                f"Choose a place outside {quote(checked.file.lists)}",
            )


def _list_other_files(
    seal: Path | None,
    letters: Path | None,
    texts: Mapping[str, str],
    salts: Path | None,
) -> Iterator[Path]:
    """Yield the files to write besides the outputs, as far as they have a place."""
    if seal is not None:
        yield seal
    if salts is not None and not os.path.lexists(salts):
        yield salts
    if letters is not None and os.path.isdir(letters):
        yield from (letters / name for name in texts)


def _write_sheets(file: Path, checked: Event) -> str:
    """Write the sheets for the table, and return a sentence with their number."""
    from deckcheck.events.table_sheets import event_sheets, write_sheets

    pages = event_sheets(checked)
    write_file(file, write_sheets(pages, checked.file.name))
    return f"{plural(len(pages), 'sheet')} written to {quote(str(file))}"


def _place_results(pairings: Path | None) -> list[Path]:
    """Return the file to type results into.

    Raises UsageError if it exists, since it may hold results.
    """
    if pairings is None:
        return []
    if pairings.suffix.lower() in ("", ".csv"):
        help = "Name the page to print, such as rounds.html"
        raise UsageError(f"{quote(str(pairings))} has no suffix of a page", help)
    results = pairings.with_suffix(".csv")
    if os.path.lexists(results):
        raise UsageError(
            f"{quote(str(results))} already exists, and may hold results",
            "Move it away, or name another file",
        )
    return [results]


def _write_pairings(file: Path, checked: Event) -> str:
    """Write the page of all rounds and the table for results, and say how many."""
    from deckcheck.events.pairings import make_result_rows, make_round_sheets
    from deckcheck.events.table_sheets import write_sheets
    from deckcheck.markup import csv_table

    results = file.with_suffix(".csv")
    pages = make_round_sheets(checked, results.name)
    rows = list(make_result_rows(checked))
    write_file(file, write_sheets((), checked.file.name, pages))
    write_file(results, csv_table(rows))
    return (
        f"{plural(len(rows), 'pairing')} written to {quote(str(file))}, and a table of "
        f"results to {quote(str(results))}: it names decks, so keep it private"
    )


def _write_verdicts(file: Path, checked: Event) -> str:
    """Write the table of verdicts, and return a sentence with their number."""
    from deckcheck.events.pages import verdict_rows
    from deckcheck.markup import csv_table

    rows = list(verdict_rows(checked))
    write_file(file, csv_table(rows))
    return f"{plural(len(rows), 'verdict')} written to {quote(str(file))}"


def _check_table(file: Path) -> None:
    """Refuse a file that cannot hold a table, before anything is written."""
    from deckcheck.events.card_tables import check_table_file

    check_table_file(file)


def _write_table(file: Path, checked: Event) -> str:
    """Write the table of all lists, and return a sentence about it."""
    from deckcheck.events.card_tables import write_table

    write_file(file, write_table(checked, file))
    return f"Table of all lists written to {quote(str(file))}"


def _seal(
    file: Path, checked: Event, earlier: SealFile | None, new: Seal
) -> Iterator[str]:
    """Seal an event without errors, and yield sentences about all changes."""
    from deckcheck.events import seals_json
    from deckcheck.events.seals import changes_since, copies_to_keep

    if not checked.is_sound:
        yield "Nothing was sealed, because there are errors"
        return
    if earlier is not None:
        changes = list(changes_since(checked, earlier)) or ["nothing has changed"]
        yield from (f"Since {earlier.last.when}: {change}" for change in changes)
    for copy, data in copies_to_keep(checked).items():
        _write_new(copy, data)
    before = earlier.seals if earlier is not None else ()
    write_file(file, seals_json([*before, new]), replaces_input=bool(before))
    yield f"{plural(len(checked.files), 'list')} sealed in {quote(str(file))}"


def _prove(file: Path, line: str, seal: Path | None, card_db: list[Path] | None) -> int:
    """Print whether a list fits the line of a letter, and a seal."""
    from deckcheck.events import read_seals
    from deckcheck.events.seals import prove, read_proof

    proof = read_proof(line)
    last = None if seal is None else read_seals(seal).last
    data = read_input(file)
    is_same, sentence = prove(data, file.name, proof, card_db, last)
    say(sentence)
    is_sealed = True
    if last is not None:
        is_sealed = proof.list_hash in last.lists.values()
        verb = "has" if is_sealed else "does not have"
        say(f"{quote(str(seal))} {verb} its hash")
    return CLEAN if is_same and is_sealed else FINDINGS


# Writing the letters of an event into a folder


MAX_NAMED_FILES = 3


def prepare_folder(folder: Path, letters: Mapping[str, str]) -> None:
    """Make the folder for letters.

    Only unchanged letters are replaced. Raises UsageError for any other file with the
    name of a letter.
    """
    with usable("write", folder):
        folder.mkdir(parents=True, exist_ok=True)
        foreign = list(_find_foreign_files(folder, letters))
    if foreign:
        raise UsageError(
            f"No letter is written, for {quote(str(folder))} holds "
            f"{list_first(foreign, MAX_NAMED_FILES)}, which deckcheck did not write or "
            "somebody has changed",
            "Move these files away, or name another folder",
        )


def write_letters(folder: Path, letters: Mapping[str, str]) -> str:
    """Write every letter, and return a sentence with their number."""
    for name, text in letters.items():
        write_file(folder / name, text)
    return f"{plural(len(letters), 'letter')} written to {quote(str(folder))}"


def _find_foreign_files(folder: Path, letters: Mapping[str, str]) -> Iterator[str]:
    from deckcheck.events.letters import is_untouched

    for name in letters:
        file = folder / name
        if os.path.islink(file) or (os.path.exists(file) and not os.path.isfile(file)):
            yield name
        elif os.path.exists(file):
            text = file.read_bytes().decode("utf-8", errors="replace")
            if not is_untouched(text):
                yield name


# `deckcheck collect`: an inbox becomes the folder of lists of an event


def collect(
    inbox: Annotated[
        Path,
        typer.Argument(
            metavar="INBOX",
            help="Folder of emails, attachments and form exports, or such a file.",
        ),
    ],
    event: Annotated[
        Path,
        typer.Argument(metavar="EVENT", help="The event file, such as event.toml."),
    ],
    *,
    output: OutputFile = None,
    as_of: EventAsOf = None,
    card_db: CardDb = None,
) -> int:
    """Turn emails, archives, spreadsheets and pages into the lists of an event.

    Exit code 0: every list has its player and is legal, 1: something is left for you to
    do, 2: the command could not be carried out.
    """
    from deckcheck.events import check_event, collecting
    from deckcheck.events.checking import Dating
    from deckcheck.events.collecting import CollectingEvent
    from deckcheck.events.event import ORIGINALS_FOLDER, open_event
    from deckcheck.events.records import RECORDS_FILE, read_records, write_records
    from deckcheck.events.seals import read_copies
    from deckcheck.formats import database_of

    if not os.path.lexists(inbox):
        message = f"{quote(str(inbox))} does not exist"
        raise UsageError(message, "Name the folder of emails")
    file, source = open_event(event)
    lists = event.parent / file.lists
    originals = event.parent / ORIGINALS_FOLDER
    _check_folders(inbox, lists, originals)
    fmt = Dating(event, file, source, card_db, as_of).load_validator()[1]
    database = database_of(fmt, card_db)
    decks = 1 if fmt.seating.holds == "deck" else fmt.seating.max_decks
    records = read_records(originals, file.name)
    sealed = read_copies(originals)
    collecting_event = CollectingEvent(file, database, lists, decks, records, sealed)
    collection = collecting.collect(inbox, collecting_event)
    if not collection.arrivals:
        raise UsageError(f"{quote(str(inbox))} is empty", "Name another folder")
    _keep_originals(dict(collecting.list_originals(inbox)), originals)
    _write(collection, lists)
    recorded = write_records(collection.records, file.name)
    write_bytes(originals / RECORDS_FILE, recorded.encode("utf-8"))
    checked = check_event(event, card_db, as_of)
    with printed_to(output):
        for line in collecting.report_lines(collection, checked):
            say(line)
    if any(arrival.is_wrong for arrival in collection.arrivals) or not checked.is_sound:
        tell(f"`deckcheck event {printable(str(event))}` shows the faults of lists")
        return FINDINGS
    return CLEAN


def _check_folders(inbox: Path, lists: Path, originals: Path) -> None:
    """Refuse to read a folder that this command writes."""
    source = Path(os.path.realpath(inbox))
    for folder in (lists, originals):
        target = Path(os.path.realpath(folder))
        if source.is_relative_to(target) or (
            inbox.is_dir() and target.is_relative_to(source)
        ):
            raise UsageError(
                f"{quote(str(inbox))} and {quote(str(folder))} must not be the same "
                "folder or inside one another",
                "Use a folder of its own for the inbox",
            )


def _keep_originals(files: Mapping[str, Path], originals: Path) -> None:
    """Copy the inbox. Different files of the same name are all kept."""
    for path, file in files.items():
        if file.is_symlink():
            continue
        try:
            with open_file(file) as stream:
                data = stream.read()
        except OSError:
            continue  # the list of arrivals has this fault
        target = originals / path
        if target.exists() and target.read_bytes() != data:
            mark = sha256(data).hexdigest()[:8]
            target = target.with_name(f"{target.stem}.{mark}{target.suffix}")
        _write_new(target, data)


def _write(collection: CollectedLists, lists: Path) -> None:
    for path in collection.removed:
        (lists / path).unlink()
    for path, data in collection.writes.items():
        _write_new(lists / path, data)
    lists.mkdir(parents=True, exist_ok=True)


def _write_new(file: Path, data: bytes) -> None:
    """Write a file and its folder, unless the file has these bytes already."""
    with usable("write", file):
        if file.is_file() and file.read_bytes() == data:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(file, data)
