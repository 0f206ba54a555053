"""`convert`, `fmt` and `generate`: decks written."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.options import (
    AsOf,
    CardDb,
    OutputFile,
    OwnCards,
    Rules,
    SilentGame,
    make_converter,
)
from deckcheck.cli.output import (
    check_places,
    print_file,
    printed_to,
    say,
    show_changes,
    style_of,
    tell,
    tell_notes,
    tell_painted,
    write_file,
)
from deckcheck.cli.settings import Color
from deckcheck.files import usable
from deckcheck.findings import UsageError
from deckcheck.messages import list_first, plural, printable, quote

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase, Root
    from deckcheck.decks import DeckFile, DeckText
    from deckcheck.decks.model import Sheet
    from deckcheck.decks.rewriting import Converter
    from deckcheck.findings import Finding


# `deckcheck convert`: the same deck in another way of writing


Notation = Literal["text", "yaml", "json", "csv", "code", "gwent-classic"]
TargetNotation = Literal[
    "text", "yaml", "json", "csv", "code", "gwent-classic", "sheet"
]


def convert(
    deck: Annotated[
        str,
        typer.Argument(
            metavar="DECK", help="A file, a share code, or - for standard input."
        ),
    ],
    *,
    to: Annotated[
        TargetNotation | None,
        typer.Option(
            "--to",
            "-t",
            help="Notation to write the deck in. Default: by the suffix of --output. "
            "`sheet` is an HTML page to print and to count the deck by.",
        ),
    ] = None,
    source: Annotated[
        Notation | None,
        typer.Option(
            "--from",
            help="Notation to read the deck in. Default: by its suffix and content.",
        ),
    ] = None,
    output: OutputFile = None,
    force: Annotated[
        bool, typer.Option(help="Let --output replace the deck itself.")
    ] = False,
    game: SilentGame = None,
    format: OwnCards = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> int:
    """Write decks as text, YAML, JSON, CSV, share codes, gwent-classic files or sheets.

    Exit code 0: written, 1: the deck cannot be read, 2: it cannot be written that way.
    """
    from deckcheck.decks.reader import NOTATION_BY_SUFFIX
    from deckcheck.decks.rewriting import is_broken, write_decks
    from deckcheck.validation.suppression import list_comments

    notation: str | None = to
    if notation is None and output is not None:
        notation = NOTATION_BY_SUFFIX.get(output.suffix.lower())
    if notation is None:
        raise UsageError("No notation to write the deck in", "Pass `--to`")
    converter = make_converter(game, format, card_db)
    text = _open(deck)
    count = len(list_comments(text.text, text.path))
    comments = [plural(count, "comment")] if count else []
    is_source = output is not None and _is_same(deck, output)
    if is_source and not force:
        raise _replacing_error(output, comments)
    sheets, database, findings = converter.sheets(converter.read_decks(text, source))
    if is_broken(findings):
        report_broken(findings, color)
        return 1
    if notation == "sheet":
        written = _lay_out_sheets(sheets, database, card_db)
        lost = []
    else:
        made = write_decks(notation, sheets, database)
        written = made.text
        lost = [*made.lost, *comments]
    if output is None:
        print_file(written)
    else:
        write_file(output, written, replaces_input=is_source)
    if lost:
        tell(f"note: {notation} cannot hold {_join_words(lost)}")
    return 0


def _lay_out_sheets(
    sheets: Sequence[Sheet], database: CardDatabase, card_db: Root
) -> str:
    """Return the page of decks to print, with the limits of a known format."""
    from deckcheck.events.table_sheets import deck_sheets, write_sheets
    from deckcheck.formats import load_format

    names: set[str] = set()
    for sheet in sheets:
        names |= {name.lower() for name in sheet.headers.get("format", ())}
    fmt = None
    if len(names) == 1:
        with contextlib.suppress(UsageError):
            fmt = load_format(names.pop(), card_db)
    return write_sheets(deck_sheets(sheets, database, fmt), "Deck sheets")


def _join_words(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _is_same(deck: str, output: Path) -> bool:
    """Report whether the deck is the file to write."""
    try:
        return os.path.samefile(deck, output)
    except (OSError, ValueError):
        return False


def _replacing_error(output: Path | None, lost: Sequence[str]) -> UsageError:
    """Return the error about replacing the deck by its conversion."""
    end = f" and lose {_join_words(lost)}" if lost else ""
    return UsageError(
        f"Writing {quote(str(output))} would replace the deck itself{end}",
        "Choose another file or pass `--force`. `deckcheck fmt` keeps comments",
    )


def report_broken(findings: tuple[Finding, ...], color: str) -> None:
    """Print the findings of decks that cannot be written on standard error."""
    style = style_of(color, is_error=True)
    for finding in findings:
        kind = style.severity(finding.severity, finding.kind)
        text = f"{finding.name}: {printable(finding.message)}"
        tell_painted(f"{printable(finding.place)}: {kind} {text}")
        if finding.help:
            tell(f"help: {finding.help}")


def _open(deck: str) -> DeckText:
    from deckcheck.decks import find_deck_files, read_found

    if os.path.isdir(deck):
        raise UsageError(f"{quote(deck)} is a folder: convert a single file")
    deck_files = find_deck_files([deck])
    if len(deck_files) > 1:
        raise UsageError(
            f"{quote(deck)} is {len(deck_files)} files: convert a single file"
        )
    return read_found(deck_files[0])


# `deckcheck fmt`: text decks in canonical form


def fmt(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH", help="Text decks, folders, globs, or - for standard input."
        ),
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option(help="Only exit with 1 if a file would change.")
    ] = False,
    diff: Annotated[bool, typer.Option(help="Only show the changes.")] = False,
    output: OutputFile = None,
    game: SilentGame = None,
    format: OwnCards = None,
    color: Color = "auto",
    card_db: CardDb = None,
) -> int:
    """Write text decks in canonical form, comments included.

    Exit code 0: written, or nothing to change, 1: a deck cannot be read, or a file
    would change with --check or --diff, 2: a usage error.
    """
    from deckcheck.decks import LeftOut, find_deck_files

    if not paths:
        raise UsageError(
            "No decks given", "Name files or folders, or `-` for standard input"
        )
    converter = make_converter(game, format, card_db)
    left_out = LeftOut()
    found_files = find_deck_files(paths, left_out=left_out)
    tell_notes(left_out.notes)
    named = set(map(os.path.abspath, paths))
    files = [deck_file for deck_file in found_files if _is_text(deck_file, named)]
    only_shows = check or diff
    if output is not None and not only_shows and len(files) != 1:
        message = f"`--output` takes a single deck, found {plural(len(files), 'file')}"
        raise UsageError(message, "Leave it out to rewrite the files themselves")
    shown: Literal["diff", "name"] | None = None
    if diff:
        shown = "diff"
    elif check:
        shown = "name"
    changed = 0
    broken = 0
    with printed_to(output if only_shows else None):
        for deck_file in files:
            change = _format_file(deck_file, converter, shown, output, color)
            if change is None:
                broken += 1
            elif change:
                changed += 1
    verb = "would change" if only_shows else "changed"
    counts = [plural(len(files), "file"), f"{changed} {verb}"]
    if broken:
        counts.append(f"{broken} cannot be read")
    skipped = len(found_files) - len(files)
    if skipped:
        counts.append(f"{plural(skipped, 'other file')} left out")
    tell(", ".join(counts))
    return int(broken > 0 or (changed > 0 and only_shows))


def _is_text(deck_file: DeckFile, named: set[str]) -> bool:
    """Report whether a file is a text deck. Raises UsageError for other named files.

    `named` has the absolute paths of the named files.
    """
    from deckcheck.decks import read_found
    from deckcheck.decks.reader import NOTATION_BY_SUFFIX, guess_notation

    suffix = PurePath(deck_file.path).suffix.lower()
    is_text = NOTATION_BY_SUFFIX.get(suffix, "text") == "text"
    # A share code may be in a file with any suffix. Standard input is read once.
    if is_text and deck_file.file is not None:
        is_text = guess_notation(read_found(deck_file)) != "code"
    if is_text:
        return True
    if deck_file.file is not None and os.path.abspath(deck_file.file) in named:
        raise _not_text_error(deck_file)
    return False


def _not_text_error(deck_file: DeckFile) -> UsageError:
    help = "Convert it with `deckcheck convert --to text`"
    return UsageError(f"{quote(deck_file.path)} is not a text deck", help)


def _format_file(
    deck_file: DeckFile,
    converter: Converter,
    shown: Literal["diff", "name"] | None,
    output: Path | None,
    color: str,
) -> bool | None:
    """Format a file. Return whether it changes, None when it cannot be read."""
    from deckcheck.decks import read_found
    from deckcheck.decks.reader import guess_notation
    from deckcheck.decks.rewriting import format_text, is_broken

    source = read_found(deck_file)
    if guess_notation(source) == "code":
        raise _not_text_error(deck_file)
    raws = converter.read_decks(source, "text")
    _, database, findings = converter.sheets(raws)
    if is_broken(findings, keeps_text=True):
        report_broken(findings, color)
        return None
    text = format_text(source.text, raws, database)
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


# `deckcheck generate`: random legal decks of a format


MAX_GENERATED_FILES = 100_000


def generate(
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT",
            autocompletion=completing.formats,
            help="Format of the decks, such as gwent/standard or ./league.yaml.",
        ),
    ],
    *,
    seed: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            min=0,
            help="Seed of the random choices, such as 7: the same seed gives the same "
            "decks.",
        ),
    ] = 1,
    count: Annotated[
        int,
        typer.Option(
            "--count",
            "-n",
            metavar="NUMBER",
            min=1,
            max=MAX_GENERATED_FILES,
            help="Number of files to write.",
        ),
    ] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Folder to write to, or a file such as new.deck for a single deck. "
            "Default: print a single deck.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Set an option of play that random decks depend on, such as "
            "arrow_model=by_value. Can be given several times.",
        ),
    ] = None,
    rule: Rules = None,
    as_of: AsOf = None,
    card_db: CardDb = None,
) -> None:
    """Write random legal decks of a format.

    Each file holds a deck, a lineup, a team or a table, by the format. Its content
    depends only on format, seed and the number of the file. Nothing is overwritten.
    """
    from deckcheck.generating import Generator, with_options
    from deckcheck.validation import Validator

    if count > 1 and (output is None or _is_file_name(output)):
        help = "Pass `--output FOLDER`"
        raise UsageError(f"No folder given for {count:,} files", help)
    validator = Validator(format, card_db, rules=rule or (), as_of=as_of)
    fmt = with_options(validator.load(format), option or [], card_db)
    generator = Generator(fmt, validator)
    if output is None:
        print_file(generator.draw_file(seed, 1))
        return
    files = _name_files(output, seed, count)
    for number, file in enumerate(files, start=1):
        write_file(file, generator.draw_file(seed, number))
    held = plural(count, fmt.seating.holds)
    tell(f"{held} of {fmt.id} written to {printable(str(output))}")


def _is_file_name(output: Path) -> bool:
    """Report whether `--output` names the file of a text deck, not a folder."""
    from deckcheck.decks.reader import NOTATION_BY_SUFFIX

    notation = NOTATION_BY_SUFFIX.get(output.suffix.lower())
    return notation == "text" and not os.path.isdir(output)


def _name_files(output: Path, seed: int, count: int) -> list[Path]:
    """Return the files to write, in a new folder. Raises UsageError if any exists.

    The name of a file depends on seed and number alone, not on the count.
    """
    files = [output / f"random_{seed}_{n:04}.deck" for n in range(1, count + 1)]
    if _is_file_name(output):
        files = [output]
    existing = [file for file in files if os.path.lexists(file)]
    if existing:
        verb = "exists" if len(existing) == 1 else "exist"
        raise UsageError(
            f"{list_first(list(map(str, existing)), 1)} already {verb}",
            "Choose another place or another seed",
        )
    if files == [output]:
        check_places(files)
        return files
    with usable("write", output):
        output.mkdir(parents=True, exist_ok=True)
    return files
