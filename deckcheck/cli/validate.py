"""`deckcheck validate`: check decks against the rules of a format."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.invocation import config_of
from deckcheck.cli.options.files import (
    Diff,
    Excluded,
    FilesFrom,
    Fix,
    ForceExclude,
    ShowFiles,
    StdinFilename,
)
from deckcheck.cli.options.shared import (
    AsOf,
    CardDb,
    Color,
    FailOn,
    FormatName,
    OutputFile,
    Rules,
    converter_for,
)
from deckcheck.cli.printing import say, style_of, tell
from deckcheck.cli.writing import check_places, printed_to
from deckcheck.findings.words import plural, printable

if TYPE_CHECKING:
    from deckcheck.validation import DeckReport, Validation


def validate(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files, folders, globs, share codes, or - for standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    format: FormatName = None,
    as_of: AsOf = None,
    rule: Rules = None,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.outputs,
            help="How to write findings: full (default), concise, json, jsonl, "
            "github, gitlab, sarif, junit, markdown or rdjson; FORMAT:FILE writes a "
            "file. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    statistics: Annotated[
        bool,
        typer.Option("--statistics", help="Count findings instead of showing them."),
    ] = False,
    fail_on: FailOn = "error",
    exit_zero: Annotated[
        bool,
        typer.Option("--exit-zero", help="Exit with 0 even if there are findings."),
    ] = False,
    no_suppress: Annotated[
        bool,
        typer.Option(
            "--no-suppress",
            help="Report findings even where a comment in the deck suppresses them.",
        ),
    ] = False,
    files_from: FilesFrom = None,
    exclude: Excluded = None,
    force_exclude: ForceExclude = False,
    show_files: ShowFiles = False,
    fix: Fix = False,
    diff: Diff = False,
    stdin_filename: StdinFilename = None,
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
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Say how files and formats were chosen."),
    ] = False,
    card_db: CardDb = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Check again whenever a deck changes, until Ctrl-C."
        ),
    ] = False,
) -> int:
    """Check decks against the rules of a format.

    All findings of all decks are reported in one run. Exit code 0: every deck is
    legal; 1: findings; 2: the command could not be carried out.
    """

    from deckcheck.cli.inputs import chosen_files, named_targets
    from deckcheck.cli.outputs import counting, files_of, read_outputs, write_outputs

    def check() -> int:
        names = paths or (), files_from, stdin_filename, exclude or (), force_exclude
        files, left_out = chosen_files(*names, quiet=quiet > 0)
        if show_files:
            if files:
                with printed_to(output):
                    say("\n".join(printable(deck_file.path) for deck_file in files))
            return 0
        from deckcheck.reporters import REPORTERS

        outputs = read_outputs(output_format or (), REPORTERS, output)
        if statistics:
            outputs = counting(outputs, output)
        if fix or diff:
            from deckcheck.cli.fixing import fix_files, show_fixes

            converter = converter_for(None, format, card_db)
            if diff:
                with printed_to(output):
                    return int(show_fixes(files, converter, style_of(color, output)))
            check_places(files_of(outputs))
            fix_files(files, converter, quiet=quiet > 0)
        settings = config_of(ctx)
        with _without_collector():
            from deckcheck.validation import Validator

            validator = Validator(
                format,
                card_db,
                suppressions=not no_suppress,
                rules=rule or (),
                as_of=as_of,
                fallback=settings.formats_by_path() if settings else None,
                keeps_cards=False,
            )
            run = validator.check_files(files, left_out).sorted()
            if settings is not None:
                run = replace(run, reports=tuple(settings.weigh(run.reports)))
        if verbose:
            _tell_choices(run, format)
        code = 0 if exit_zero else int(_fails(run, fail_on))
        write_outputs(run, outputs, color, quiet, dict(REPORTERS)["markdown"])
        return code

    if not watch:
        return check()
    from deckcheck.cli.watching import keep_checking

    return keep_checking(check, named_targets(paths or (), files_from), format)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the search for cycles: decks have none, and it takes its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _fails(run: Validation, fail_on: str) -> bool:
    weights = ("error", "warning", "note")
    failing = weights[: weights.index(fail_on) + 1]
    return any(f.severity in failing for report in run.reports for f in report.findings)


def _reason(report: DeckReport, option: str | None) -> str:
    if option is not None:
        return "the option"
    is_stated = report.deck is not None and "format" in report.deck.headers
    return "its header" if is_stated else "the configuration"


def _tell_choices(run: Validation, option: str | None) -> None:
    files = {report.source.path for report in run.reports}
    decks = plural(len(run.reports), "deck")
    tell(f"{decks} in {plural(len(files), 'file')}")
    for report in run.reports:
        reason = _reason(report, option)
        chosen = (
            f"format {report.format.id} from {reason}" if report.format else "no format"
        )
        deck = f" deck {report.source.index + 1}" if report.source.index else ""
        tell(f"{report.source.path}{deck}: {chosen}")
