"""`deckcheck convert`: the same deck in another way of writing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli.options.shared import (
    CardDb,
    Color,
    OutputFile,
    OwnCards,
    SilentGame,
    converter_for,
)
from deckcheck.cli.printing import print_file, style_of, tell, tell_painted
from deckcheck.cli.writing import write_file
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import plural, printable, quote

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase, Root
    from deckcheck.decks import DeckText
    from deckcheck.decks.writers import Sheet
    from deckcheck.findings import Finding

Way = Literal["text", "yaml", "json", "csv", "code", "gwent-classic"]
Target = Literal["text", "yaml", "json", "csv", "code", "gwent-classic", "sheet"]


def convert(
    deck: Annotated[
        str,
        typer.Argument(
            metavar="DECK",
            help="A file, a share code, or - for standard input.",
            show_default=False,
        ),
    ],
    *,
    to: Annotated[
        Target | None,
        typer.Option(
            "--to",
            "-t",
            help="Notation to write the deck in; by default the suffix of --output "
            "decides. `sheet` is an HTML page to print and to count the deck "
            "by.",
        ),
    ] = None,
    source: Annotated[
        Way | None,
        typer.Option(
            "--from",
            help="Notation to read the deck in; by default its suffix and content "
            "decide.",
        ),
    ] = None,
    output: OutputFile = None,
    force: Annotated[
        bool, typer.Option("--force", help="Let --output replace the deck itself.")
    ] = False,
    game: SilentGame = None,
    format: OwnCards = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> int:
    """Write decks as text, YAML, JSON, CSV, share codes, gwent-classic files or sheets.

    Exit code 0: written; 1: the deck cannot be read; 2: it cannot be written that way.
    """
    from deckcheck.decks.converting import is_broken
    from deckcheck.decks.reader import WAYS
    from deckcheck.decks.writers import write_decks

    way = to or (WAYS.get(output.suffix.lower()) if output else None)
    if way is None:
        raise UsageError("Nothing says how to write the deck", "Pass `--to`")
    converter = converter_for(game, format, card_db)
    text = _open(deck)
    lost = _comments(text)
    is_source = output is not None and _is_same(deck, output)
    if is_source and not force:
        raise _would_replace(output, lost)
    sheets, db, findings = converter.sheets(converter.read(text, source))
    if is_broken(findings):
        report_broken(findings, color)
        return 1
    if way == "sheet":
        page = _printed(sheets, db, card_db)
        if output is None:
            print_file(page)
        else:
            write_file(output, page, replaces_input=is_source)
        return 0
    written = write_decks(way, sheets, db)
    if output is None:
        print_file(written.text)
    else:
        write_file(output, written.text, replaces_input=is_source)
    if written.lost or lost:
        tell(f"note: {way} cannot hold {_listed([*written.lost, *lost])}")
    return 0


def _printed(sheets: Sequence[Sheet], db: CardDatabase, card_db: Root) -> str:
    """The decks as a page to print, with the limits of their format if it is known."""
    from deckcheck.events.table_sheets import deck_sheets, write_sheets
    from deckcheck.formats import load_format

    names = {
        name.lower() for sheet in sheets for name in sheet.headers.get("format", ())
    }
    fmt = None
    with contextlib.suppress(UsageError):
        fmt = load_format(names.pop(), card_db) if len(names) == 1 else None
    return write_sheets(deck_sheets(sheets, db, fmt), "Deck sheets")


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _comments(source: DeckText) -> list[str]:
    """The comments of a deck, which no way of converting keeps, in words."""
    from deckcheck.decks.ignoring import comments_of

    number = len(comments_of(source.text, source.path))
    return [plural(number, "comment")] if number else []


def _is_same(deck: str, output: Path) -> bool:
    """Whether the deck that is read is the file to write."""
    try:
        return os.path.samefile(deck, output)
    except (OSError, ValueError):
        return False


def _would_replace(output: Path | None, lost: Sequence[str]) -> UsageError:
    """The misuse of replacing the deck that is read by what it is converted to."""
    end = f" and lose {_listed(lost)}" if lost else ""
    return UsageError(
        f"Writing {quote(str(output))} would replace the deck itself{end}",
        "Choose another file or pass `--force`; `deckcheck fmt` keeps comments",
    )


def report_broken(findings: tuple[Finding, ...], color: str) -> None:
    """Say on standard error why decks cannot be written anew."""
    style = style_of(color, is_error=True)
    for finding in findings:
        start = finding.span.start
        place = f"{printable(finding.path)}:{start.line}:{start.column}"
        kind = style.severity(finding.severity, f"{finding.severity}[{finding.code}]")
        tell_painted(f"{place}: {kind} {finding.name}: {printable(finding.message)}")
        if finding.help:
            tell(f"help: {finding.help}")


def _open(deck: str) -> DeckText:
    from deckcheck.decks import find_deck_files, read_found

    if os.path.isdir(deck):
        raise UsageError(f"{quote(deck)} is a folder: convert one file at a time")
    deck_files = find_deck_files([deck])
    if len(deck_files) > 1:
        raise UsageError(
            f"{quote(deck)} is {len(deck_files)} files, convert one at a time"
        )
    return read_found(deck_files[0])
