"""`deckcheck fmt`: text decks in canonical form."""

from __future__ import annotations

from pathlib import Path, PurePath
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
from deckcheck.cli.printing import print_file, say, style_of, tell, tell_notes
from deckcheck.cli.writing import printed_to, show_changes, write_file
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import plural, printable, quote

if TYPE_CHECKING:
    from deckcheck.decks import DeckFile
    from deckcheck.decks.converting import Converter


def fmt(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Text decks, folders, globs, or - for standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Write nothing; exit with 1 if a file would change."
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would change.")
    ] = False,
    output: OutputFile = None,
    game: SilentGame = None,
    format: OwnCards = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> int:
    """Write text decks in canonical form, comments included.

    Exit code 0: written, or nothing to change; 1: with --check or --diff a file would
    change, or a deck cannot be read and is left as it is; 2: misuse.
    """
    from deckcheck.decks import LeftOut, find_deck_files

    if not paths:
        raise UsageError(
            "No decks given", "Name files or folders, or `-` for standard input"
        )
    converter = converter_for(game, format, card_db)
    left_out = LeftOut()
    found_files = find_deck_files(paths, left_out=left_out)
    tell_notes(left_out.notes)
    files = [deck_file for deck_file in found_files if _is_text(deck_file, paths)]
    only_shows = check or diff
    if output is not None and not only_shows and len(files) != 1:
        message = f"`--output` takes one deck, found {plural(len(files), 'file')}"
        raise UsageError(message, "Leave it out to rewrite the files themselves")
    shown: Literal["diff", "name"] | None = (
        "diff" if diff else "name" if check else None
    )
    changed = broken = 0
    with printed_to(output if only_shows else None):
        for deck_file in files:
            change = _format(deck_file, converter, shown, output, color)
            broken += change is None
            changed += bool(change)
    verb = "would change" if only_shows else "changed"
    done = f"{plural(len(files), 'file')}, {changed} {verb}"
    tell(done + (f", {broken} cannot be read" if broken else ""))
    return int(broken > 0 or (changed > 0 and only_shows))


def _is_text(deck_file: DeckFile, paths: list[str]) -> bool:
    """Whether a file is a text deck; one that is named and is not is misuse."""
    from deckcheck.decks.reader import WAYS

    if WAYS.get(PurePath(deck_file.path).suffix.lower(), "text") == "text":
        return True
    if str(deck_file.file) in paths:
        help = "Convert it with `deckcheck convert --to text`"
        raise UsageError(f"{quote(deck_file.path)} is not a text deck", help)
    return False


def _format(
    deck_file: DeckFile,
    converter: Converter,
    shown: Literal["diff", "name"] | None,
    output: Path | None,
    color: str,
) -> bool | None:
    """Whether a file changes, None when it cannot be read."""
    from deckcheck.cli.convert import report_broken
    from deckcheck.decks import read_found
    from deckcheck.decks.converting import is_broken
    from deckcheck.decks.formatting import format_text

    source = read_found(deck_file)
    raws = converter.read(source, "text")
    _, db, findings = converter.sheets(raws)
    if is_broken(findings):
        report_broken(findings, color)
        return None
    text = format_text(source.text, raws, db)
    changes = text != source.text
    if shown == "diff":
        show_changes(source.path, source.text, text, style_of(color, output))
    elif shown == "name":
        if changes:
            say(f"would change {printable(deck_file.path)}")
    elif output is not None:
        write_file(output, text)
    elif deck_file.file is None:
        print_file(text)
    elif changes:
        write_file(deck_file.file, text, replaces_input=True)
    return changes
