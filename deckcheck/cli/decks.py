"""`convert`, `fmt`, `generate`, `stats`, `diff`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.invocation import config_of
from deckcheck.cli.options import (
    AsOf,
    CardDb,
    Decks,
    FormatName,
    OutputFile,
    OwnCards,
    Rules,
    SilentGame,
    converter_for,
    quiet_option,
)
from deckcheck.cli.output import (
    CLEAN,
    FINDINGS,
    check_places,
    columns,
    print_file,
    print_json,
    printed_to,
    say,
    say_table,
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
from deckcheck.markup import tool
from deckcheck.messages import list_first, plural, printable, quote
from deckcheck.sim import MAX_SEED

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase, Root
    from deckcheck.decks import DeckFile, DeckText
    from deckcheck.decks.model import Sheet
    from deckcheck.decks.rewriting import Converter
    from deckcheck.findings import Finding
    from deckcheck.studies.deck_difference import DeckDifference, DifferencesDocument
    from deckcheck.studies.deck_stats import DeckStats, StatsDocument
    from deckcheck.terminal import Style
    from deckcheck.validation import DeckReport, Validator


# `deckcheck convert`: the same deck in another way of writing


Way = Literal["text", "yaml", "json", "csv", "code", "gwent-classic"]
Target = Literal["text", "yaml", "json", "csv", "code", "gwent-classic", "sheet"]


def convert(
    deck: Annotated[
        str,
        typer.Argument(
            metavar="DECK", help="A file, a share code, or - for standard input."
        ),
    ],
    *,
    to: Annotated[
        Target | None,
        typer.Option(
            "--to",
            "-t",
            help="Notation to write the deck in. Default: by the suffix of --output. "
            "`sheet` is an HTML page to print and to count the deck by.",
        ),
    ] = None,
    source: Annotated[
        Way | None,
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

    notation = to or (NOTATION_BY_SUFFIX.get(output.suffix.lower()) if output else None)
    if notation is None:
        raise UsageError("No notation to write the deck in", "Pass `--to`")
    converter = converter_for(game, format, card_db)
    text = _open(deck)
    comments = len(list_comments(text.text, text.path))
    lost = [plural(comments, "comment")] if comments else []
    is_source = output is not None and _is_same(deck, output)
    if is_source and not force:
        raise _replacing_error(output, lost)
    sheets, database, findings = converter.sheets(converter.read_decks(text, source))
    if is_broken(findings):
        report_broken(findings, color)
        return 1
    if notation == "sheet":
        written, lost = _lay_out_sheets(sheets, database, card_db), []
    else:
        made = write_decks(notation, sheets, database)
        written, lost = made.text, [*made.lost, *lost]
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
    with contextlib.suppress(UsageError):
        fmt = load_format(names.pop(), card_db) if len(names) == 1 else None
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
    converter = converter_for(game, format, card_db)
    left_out = LeftOut()
    found_files = find_deck_files(paths, left_out=left_out)
    tell_notes(left_out.notes)
    files = [deck_file for deck_file in found_files if _is_text(deck_file, paths)]
    only_shows = check or diff
    if output is not None and not only_shows and len(files) != 1:
        message = f"`--output` takes a single deck, found {plural(len(files), 'file')}"
        raise UsageError(message, "Leave it out to rewrite the files themselves")
    shown: Literal["diff", "name"] | None = "name" if check else None
    if diff:
        shown = "diff"
    changed = broken = 0
    with printed_to(output if only_shows else None):
        for deck_file in files:
            change = _format(deck_file, converter, shown, output, color)
            if change is None:
                broken += 1
            elif change:
                changed += 1
    verb = "would change" if only_shows else "changed"
    counts = [plural(len(files), "file"), f"{changed} {verb}"]
    if broken:
        counts.append(f"{broken} cannot be read")
    others = len(found_files) - len(files)
    if others:
        counts.append(f"{plural(others, 'other file')} left out")
    tell(", ".join(counts))
    return int(broken > 0 or (changed > 0 and only_shows))


def _is_text(deck_file: DeckFile, paths: list[str]) -> bool:
    """Report whether a file is a text deck. Raises UsageError for other named files."""
    from deckcheck.decks import read_found
    from deckcheck.decks.reader import NOTATION_BY_SUFFIX, guess_notation

    suffix = PurePath(deck_file.path).suffix.lower()
    is_text = NOTATION_BY_SUFFIX.get(suffix, "text") == "text"
    # A share code may be in a file with any suffix. Standard input is read once.
    if is_text and deck_file.file is not None:
        is_text = guess_notation(read_found(deck_file)) != "code"
    if is_text:
        return True
    if str(deck_file.file) in paths:
        raise _not_text_error(deck_file)
    return False


def _not_text_error(deck_file: DeckFile) -> UsageError:
    help = "Convert it with `deckcheck convert --to text`"
    return UsageError(f"{quote(deck_file.path)} is not a text deck", help)


def _format(
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
    there = [file for file in files if os.path.lexists(file)]
    if there:
        verb = "exists" if len(there) == 1 else "exist"
        raise UsageError(
            f"{list_first(list(map(str, there)), 1)} already {verb}",
            "Choose another place or another seed",
        )
    if files == [output]:
        check_places(files)
        return files
    with usable("write", output):
        output.mkdir(parents=True, exist_ok=True)
    return files


# `deckcheck stats`: a deck in figures, without playing a game

MAX_HANDS = 1_000


def stats(
    ctx: typer.Context,
    decks: Decks = None,
    *,
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CARDS",
            autocompletion=completing.cards,
            help="Show the probability of drawing these cards: 'Scorch', 'medic' or, "
            "counted together, 'Decoy, spy'. Can be given several times. Default: "
            "each kind, ability and card.",
        ),
    ] = None,
    at_least: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="Show the probability of drawing at least this many cards of a group.",
        ),
    ] = 1,
    hands: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            max=MAX_HANDS,
            help="Also deal this many hands, and redraw as the heuristic does.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=0,
            max=MAX_SEED,
            help="With --hands: deal other hands for another seed.",
            show_default="1",
        ),
    ] = None,
    format: FormatName = None,
    as_of: AsOf = None,
    rule: Rules = None,
    output_format: Annotated[
        Literal["table", "json"], typer.Option(help="How the numbers are written.")
    ] = "table",
    output: OutputFile = None,
    color: Color = "auto",
    card_db: CardDb = None,
    quiet: Annotated[int, quiet_option("Print no notes.")] = 0,
) -> int:
    """Show the composition of a deck and its opening hands, without playing.

    Chances are exact: they are counted, not simulated. Exit code 1 when a deck cannot
    be read. An illegal deck is shown all the same.
    """
    if seed is not None and hands is None:
        raise UsageError(
            "`--seed` goes with `--hands` only", "Pass `--hands 5` to deal hands"
        )
    from deckcheck.studies.deck_stats import compute_deck_stats

    if not decks:
        raise UsageError("No decks given", "Name files or folders")
    validator = _make_validator(ctx, format, card_db, rule, as_of)
    reports = _check_decks(validator, decks, quiet=bool(quiet))
    readable = [report for report in reports if _can_be_read(report)]
    deck_stats = []
    for report in readable:
        deck_stats.append(compute_deck_stats(report, group or (), at_least, card_db))
    seed = 1 if seed is None else seed
    if hands is not None:
        deck_stats = _add_hands(deck_stats, hands, seed, card_db)
    style = style_of(color, output)
    with printed_to(output):
        if output_format == "json":
            document: StatsDocument = {
                "schema_version": 1,
                "tool": tool(),
                "at_least": at_least,
                "seed": None if hands is None else seed,
                "decks": [stats_of_deck.to_dict() for stats_of_deck in deck_stats],
            }
            print_json(document)
        else:
            for number, stats_of_deck in enumerate(deck_stats):
                if number:
                    say()
                _show(stats_of_deck, at_least, style)
                _show_hands(stats_of_deck, seed)
    _tell_verdicts(reports, quiet=bool(quiet))
    return CLEAN if len(deck_stats) == len(reports) else FINDINGS


def _make_validator(
    ctx: typer.Context,
    format: str | None,
    card_db: Root,
    rule: list[str] | None,
    as_of: str | None,
) -> Validator:
    """Return the validator of these options and of the configuration."""
    from deckcheck.validation import Validator

    settings = config_of(ctx)
    fallback = settings.formats_by_path() if settings else None
    return Validator(format, card_db, fallback=fallback, rules=rule or (), as_of=as_of)


def _check_decks(
    validator: Validator, decks: Sequence[str], *, quiet: bool
) -> tuple[DeckReport, ...]:
    """Return the reports of all decks of files and folders."""
    from deckcheck.decks import LeftOut, find_deck_files

    left_out = LeftOut()
    files = find_deck_files(decks, left_out=left_out)
    tell_notes(left_out.notes, quiet=quiet)
    return validator.check_files(files).reports


def _can_be_read(report: DeckReport) -> bool:
    deck = report.deck
    return deck is not None and report.format is not None and bool(deck.entries)


def _tell_verdicts(reports: Sequence[DeckReport], *, quiet: bool) -> None:
    """Print which decks could not be shown, and which are illegal."""
    without_format: set[str] = set()
    for report in reports:
        path = report.source.path
        where = quote(path)
        missing = [each for each in report.findings if each.name == "missing-format"]
        if missing and path not in without_format:
            without_format.add(path)
            tell(f"error: {where} names no format")
            tell(f"help: {missing[0].help}")
        elif not missing and not _can_be_read(report):
            tell(f"error: {where} holds no deck that could be read")
            tell("help: `deckcheck validate` shows why")
        elif report.format is not None and not report.legal and not quiet:
            tell(f"note: {where} is illegal in {report.format.id}, see `validate`")


def _show(stats: DeckStats, at_least: int, style: Style) -> None:
    from deckcheck.studies.deck_stats import list_deck_facts, odds_rows

    report = stats.report
    parts = stats.composition
    assert report.deck is not None
    assert report.format is not None
    about = f"{report.format.id} ({report.format.month})"
    say(f"{report.deck.name}, {about}", style.strong)
    say()
    say(columns(list(list_deck_facts(stats))))
    if parts.weather:
        say()
        rows = [
            (
                exposure.weather,
                plural(exposure.cards, "unit"),
                f"strength {exposure.strength}",
            )
            for exposure in parts.weather
        ]
        say_table([("exposed to", "", ""), *rows], style)
    if stats.odds:
        say()
        say_table(odds_rows(stats, at_least), style)


def _add_hands(
    deck_stats: Sequence[DeckStats], hands: int, seed: int, card_db: Root
) -> list[DeckStats]:
    """Return the figures of decks with hands of each."""
    from deckcheck.studies.sample_hands import deal_hands

    with_hands: list[DeckStats] = []
    for stats in deck_stats:
        dealt = deal_hands(stats, hands, seed, card_db)
        with_hands.append(replace(stats, hands=tuple(dealt)))
    return with_hands


def _show_hands(stats: DeckStats, seed: int) -> None:
    if not stats.hands:
        return
    from deckcheck.report.outputs import measure_width
    from deckcheck.studies.sample_hands import describe_hands

    say()
    for line in describe_hands(stats, seed, measure_width(sys.stdout)):
        say(line)


# `deckcheck diff`: the changes from a list to another, without playing


def diff(
    ctx: typer.Context,
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD", help="The old deck: a file, a share code, or - for input."
        ),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new deck.")],
    *,
    format: FormatName = None,
    as_of: AsOf = None,
    rule: Rules = None,
    output_format: Annotated[
        Literal["table", "json", "markdown"],
        typer.Option(help="How the difference is written."),
    ] = "table",
    output: OutputFile = None,
    card_db: CardDb = None,
    quiet: Annotated[int, quiet_option("Print no notes.")] = 0,
) -> int:
    """Show the changes from a list to another, without playing.

    Cards out and in, the leader, counts and strength, and the findings gone and new.
    `compare` finds out by games which deck is better. Exit code 0 with any changes, and
    1 when a deck cannot be read.
    """
    from deckcheck.report.outputs import USUAL_WIDTH, measure_width
    from deckcheck.studies.deck_difference import compare_reports

    validator = _make_validator(ctx, format, card_db, rule, as_of)
    before = _check_decks(validator, [old], quiet=bool(quiet))
    after = _check_decks(validator, [new], quiet=bool(quiet))
    unreadable = [r for r in (*before, *after) if not _can_be_read(r)]
    if unreadable:
        _tell_verdicts(unreadable, quiet=bool(quiet))
        return FINDINGS
    differences = compare_reports(before, after, card_db)
    room = measure_width(sys.stdout) if output is None else USUAL_WIDTH
    with printed_to(output):
        _show_differences(differences, output_format, room)
    return CLEAN


def _show_differences(
    differences: Sequence[DeckDifference], output_format: str, room: int
) -> None:
    from deckcheck.report.outputs import as_markdown
    from deckcheck.report.text import as_text
    from deckcheck.studies.deck_difference import difference_report

    if output_format == "json":
        document: DifferencesDocument = {
            "schema_version": 1,
            "tool": tool(),
            "decks": [difference.to_dict() for difference in differences],
        }
        print_json(document)
        return
    texts: list[str] = []
    for difference in differences:
        report = difference_report(difference)
        if output_format == "markdown":
            texts.append(as_markdown(report))
        else:
            texts.append(as_text(report, room, whole=True))
    print_file("\n".join(texts))
