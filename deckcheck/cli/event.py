"""`deckcheck event`: check a whole tournament described in one file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.options.shared import CardDb, Color, EventAsOf, OutputFile
from deckcheck.cli.printing import tell, tell_notes
from deckcheck.cli.writing import check_places, unwritable, write_file
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import only_one
from deckcheck.findings.words import plural, quote

if TYPE_CHECKING:
    from deckcheck.events import Event, Salts, Sealed

CLEAN, FINDINGS = 0, 1
CLOCK = "SOURCE_DATE_EPOCH"


def event(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The event file, such as event.toml.")
    ],
    *,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.event_outputs,
            help="How to write findings: full (default), concise, json, jsonl, "
            "github, gitlab, sarif, junit or rdjson; or a page to publish: "
            "markdown or html. FORMAT:FILE writes a file. Can be given several "
            "times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    letters: Annotated[
        Path | None,
        typer.Option(
            "--letters",
            metavar="FOLDER",
            help="Write a letter to each player, ready to mail, as text files in "
            "this folder.",
        ),
    ] = None,
    sheets: Annotated[
        Path | None,
        typer.Option(
            "--sheets",
            metavar="FILE",
            help="Write an HTML file to print, with a page for each player: judges "
            "count the deck by it at the table.",
        ),
    ] = None,
    seal: Annotated[
        Path | None,
        typer.Option(
            "--seal",
            metavar="FILE",
            help="With --salts: write a seal of the event, hashes of all lists, "
            "rules and cards, to this file, such as lists.seal.json.",
        ),
    ] = None,
    reseal: Annotated[
        bool,
        typer.Option(
            "--reseal",
            help="With --seal: add a new seal to a file that already has one.",
        ),
    ] = False,
    verify: Annotated[
        Path | None,
        typer.Option(
            "--verify",
            metavar="FILE",
            help="Say what has changed since the seal in this file was written; with "
            "--salts lists are compared, too.",
        ),
    ] = None,
    salts: Annotated[
        Path | None,
        typer.Option(
            "--salts",
            metavar="FILE",
            help="File of the secret key that keeps lists from being guessed by "
            "their seals, such as salts.json. It is made if missing; never "
            "publish it.",
        ),
    ] = None,
    reveal: Annotated[
        bool,
        typer.Option(
            "--reveal",
            help="After the event: also show decks, verdicts and salts on the page "
            "to publish.",
        ),
    ] = False,
    as_of: EventAsOf = None,
    color: Color = "auto",
    quiet: Annotated[
        int,
        typer.Option(
            "--quiet",
            "-q",
            count=True,
            show_default=False,
            help="Print findings only; given twice, nothing at all.",
        ),
    ] = 0,
    card_db: CardDb = None,
) -> int:
    """Check a tournament: every player needs a legal list, and every list a player.

    Only an event without errors is sealed. Exit code 0: no errors; 1: errors; 2: the
    command could not be carried out.
    """
    from deckcheck.cli.outputs import files_of, read_outputs, write_outputs
    from deckcheck.events import check_event, check_salts, read_seals, unchanged
    from deckcheck.events import verify as verified
    from deckcheck.events.letters import letters as letters_of
    from deckcheck.events.outputs import EVENT_WRITERS

    file = only_one(file)
    outputs = read_outputs(output_format or (), EVENT_WRITERS, output)
    _check_options(seal, reseal, verify, salts)
    earlier = _earlier(seal, reseal)
    now = _now()
    sealed = None if verify is None else read_seals(verify)
    key = _key_of(salts, may_be_new=verify is None)
    checked = replace(check_event(file, card_db, as_of), salts=key, is_revealed=reveal)
    _check_places(checked, file, seal, letters, salts)
    tell_notes(checked.left_out.notes, quiet=quiet > 0)
    if sealed is not None:
        checked = verified(checked, sealed)
    elif earlier is not None:
        check_salts(key, earlier)
    texts = {} if letters is None else letters_of(checked)
    others = [
        *_others(seal if earlier is None else None, letters, texts, salts),
        *((sheets,) if sheets is not None else ()),
    ]
    check_places([*files_of(outputs), *others])
    done = _keep_key(salts, checked)
    write_outputs(checked, outputs, color, quiet, dict(EVENT_WRITERS)["markdown"])
    done += [] if sealed is None else [unchanged(checked, sealed.last)]
    if letters is not None:
        done.append(_write_letters(letters, texts))
    if sheets is not None:
        done.append(_write_sheets(sheets, checked))
    if seal is not None:
        done.append(_seal(seal, checked, earlier, now))
    for notice in done if not quiet else ():
        tell(notice)
    return CLEAN if checked.is_sound else FINDINGS


def _check_options(
    seal: Path | None, reseal: bool, verify: Path | None, salts: Path | None
) -> None:
    if seal is not None and verify is not None:
        raise UsageError("`--seal` and `--verify` cannot be used together")
    if reseal and seal is None:
        raise UsageError("`--reseal` works with `--seal FILE` only")
    if seal is not None and salts is None:
        raise UsageError(
            "`--seal` needs `--salts FILE`, which hides the lists behind their seals",
            "Name a file to keep and not to publish; it is made when it is not there",
        )


def _key_of(file: Path | None, *, may_be_new: bool) -> Salts | None:
    """The salts of a file, or new ones where there is none yet."""
    from deckcheck.events import new_salts, read_salts

    if file is None:
        return None
    return new_salts() if may_be_new and not os.path.lexists(file) else read_salts(file)


def _keep_key(file: Path | None, checked: Event) -> list[str]:
    """Write new salts before anything that is made with them, and say so."""
    from deckcheck.events import write_salts

    if file is None or checked.salts is None or os.path.lexists(file):
        return []
    try:
        write_salts(file, checked.salts, checked.file.name)
    except OSError as error:
        raise unwritable(str(file), error) from error
    return [f"Salts written to {quote(str(file))}: keep them, and publish them never"]


def _earlier(file: Path | None, reseal: bool) -> Sealed | None:
    """The seals that a file has; UsageError when they may not be added to."""
    if file is None or not os.path.lexists(file):
        return None
    from deckcheck.events import read_seals

    sealed = read_seals(file)
    if not reseal:
        raise UsageError(
            f"{quote(str(file))} already holds {sealed.last.when}",
            "Compare with `--verify`, or add a seal with `--reseal`",
        )
    return sealed


def _now() -> datetime:
    """The time, or what reproducible builds say it is."""
    seconds = os.environ.get(CLOCK)
    if not seconds:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        message = f"Variable `{CLOCK}` is not a number of seconds: {quote(seconds)}"
        raise UsageError(message, "Unset it, or give seconds since 1970") from None


def _check_places(
    checked: Event,
    file: Path,
    seal: Path | None,
    letters: Path | None,
    salts: Path | None,
) -> None:
    """Refuse to write where the next run would take it for a list."""
    from deckcheck.decks import SUFFIXES

    lists = os.path.realpath(file.parent / checked.file.lists)
    for option, place in (("--seal", seal), ("--salts", salts), ("--letters", letters)):
        if place is None:
            continue
        is_like_a_list = option == "--letters" or place.suffix.lower() in SUFFIXES
        if is_like_a_list and Path(os.path.realpath(place)).is_relative_to(lists):
            raise UsageError(
                f"{quote(str(place))} of `{option}` would be taken for a list",
                f"Choose a place outside {quote(checked.file.lists)}",
            )


def _others(
    seal: Path | None,
    letters: Path | None,
    texts: Mapping[str, str],
    salts: Path | None,
) -> Iterator[Path]:
    """The files to write besides the outputs, as far as they have a place yet."""
    if seal is not None:
        yield seal
    if salts is not None and not os.path.lexists(salts):
        yield salts
    if letters is not None and os.path.isdir(letters):
        yield from (letters / name for name in texts)


def _write_letters(folder: Path, texts: Mapping[str, str]) -> str:
    """Write the letters, and say how many."""
    from deckcheck.cli.letters import write_letters

    write_letters(folder, texts)
    return f"{plural(len(texts), 'letter')} written to {quote(str(folder))}"


def _write_sheets(file: Path, checked: Event) -> str:
    """Write the sheets for the table, and say how many."""
    from deckcheck.events.table_sheets import event_sheets, write_sheets

    pages = event_sheets(checked)
    write_file(file, write_sheets(pages, checked.file.name))
    return f"{plural(len(pages), 'sheet')} written to {quote(str(file))}"


def _seal(file: Path, checked: Event, earlier: Sealed | None, now: datetime) -> str:
    """Seal an event without errors, and say so."""
    from deckcheck.events import as_json, seal_of

    if not checked.is_sound:
        return "Nothing was sealed, because there are errors"
    before = earlier.seals if earlier is not None else ()
    sealed = as_json([*before, seal_of(checked, now)])
    write_file(file, sealed, replaces_input=bool(before))
    return f"{plural(len(checked.files), 'list')} sealed in {quote(str(file))}"
