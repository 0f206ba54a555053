"""`validate` and `rule`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.configuration import warn_of_ignored
from deckcheck.cli.invocation import config_of, invocation_of
from deckcheck.cli.options import (
    AsOf,
    CardDb,
    Checkout,
    FormatName,
    OutputFile,
    Rules,
    make_converter,
    outputs_option,
    quiet_option,
)
from deckcheck.cli.output import (
    changed_lines,
    check_places,
    counting,
    files_of,
    in_checkout,
    printed_to,
    read_outputs,
    say,
    show_changes,
    style_of,
    tell,
    tell_notes,
    without_collector,
    write_file,
    write_outputs,
)
from deckcheck.cli.settings import Color
from deckcheck.files import (
    PathPatterns,
    escape_brackets,
    note_read,
    read_input,
    usable,
)
from deckcheck.findings import UsageError
from deckcheck.messages import line_start, plural, printable, quote, suggestion

if TYPE_CHECKING:
    from deckcheck.decks import DeckFile
    from deckcheck.decks.files import LeftOut
    from deckcheck.decks.rewriting import Converter
    from deckcheck.findings import Rule
    from deckcheck.terminal import Style
    from deckcheck.validation import DeckReport, Validation


# `deckcheck validate`: check decks against the rules of a format


def validate(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files, folders, globs, share codes, or - for standard input.",
        ),
    ] = None,
    *,
    format: FormatName = None,
    as_of: AsOf = None,
    rule: Rules = None,
    output_format: Annotated[
        list[str] | None,
        outputs_option(
            completing.outputs("reporters:REPORTERS"),
            "findings: full (default), concise, line, json, jsonl, github, gitlab, "
            "sarif, junit, markdown or rdjson",
        ),
    ] = None,
    output: OutputFile = None,
    statistics: Annotated[
        bool, typer.Option(help="Count findings instead of showing them.")
    ] = False,
    fail_on: Annotated[
        Literal["error", "warning", "note"],
        typer.Option(help="Lowest severity that gives exit code 1."),
    ] = "error",
    exit_zero: Annotated[
        bool, typer.Option(help="Exit with 0 even if there are findings.")
    ] = False,
    no_suppress: Annotated[
        bool,
        typer.Option(
            help="Report findings even where a comment in the deck suppresses them."
        ),
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Report only findings absent from this file, or worse than there, "
            "matched by finding, deck and card.",
        ),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write all findings to this file, for --baseline, and report none.",
        ),
    ] = None,
    files_from: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Also check the paths in a file, a line each. - is standard input.",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="Leave out paths that match, such as drafts or old/*.txt. Can be "
            "given several times.",
        ),
    ] = None,
    force_exclude: Annotated[
        bool,
        typer.Option(
            help="With --exclude: leave out matching files even if they are named on "
            "the command line."
        ),
    ] = False,
    show_files: Annotated[
        bool, typer.Option(help="List the files that would be checked, and exit.")
    ] = False,
    fix: Annotated[
        bool,
        typer.Option(
            help="First repair text decks, and show the changes: names with a single "
            '"Did you mean", a leader without its colon, late headers, repeated lines.'
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option(help="Only show the changes of --fix, and exit.")
    ] = False,
    stdin_filename: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Name for standard input, such as mine.yaml, whose suffix gives its "
            "notation.",
        ),
    ] = None,
    checkout: Checkout = None,
    color: Color = "auto",
    quiet: Annotated[
        int, quiet_option("Print findings only, or nothing if given twice.")
    ] = 0,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Show how files and formats are chosen."),
    ] = False,
    card_db: CardDb = None,
) -> int:
    """Check decks against the rules of a format.

    All findings of all decks are reported together. Exit code 0: every deck is legal,
    1: findings, 2: the command could not be carried out.
    """

    output = in_checkout(checkout, output)
    excluded = PathPatterns(exclude or ())
    files, left_out = chosen_files(
        paths or (),
        files_from=files_from,
        stdin_filename=stdin_filename,
        excluded=excluded,
        force_exclude=force_exclude,
        quiet=quiet > 0,
        checkout=checkout,
    )
    if invocation_of(ctx).is_typed("exclude"):
        tell_notes(_find_idle_patterns(excluded, paths or ()), quiet=quiet > 0)
    if show_files:
        if files:
            with printed_to(output):
                say("\n".join(line_start(deck_file.path) for deck_file in files))
        return 0
    from deckcheck.reporters import REPORTERS

    outputs = read_outputs(output_format or (), REPORTERS, output, checkout)
    if statistics:
        outputs = counting(outputs, output)
    if fix or diff:
        converter = make_converter(None, format, card_db)
        if diff:
            with printed_to(output):
                return int(show_fixes(files, converter, style_of(color, output)))
        check_places(files_of(outputs))
        fix_files(files, converter, quiet=quiet > 0)
    settings = config_of(ctx)
    with without_collector():
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
        run = validator.check_files(files, left_out).sort_reports()
        run = replace(run, folder=checkout)
        if settings is not None:
            run = replace(run, reports=tuple(settings.weigh(run.reports)))
    tell_notes(run.notes, quiet=quiet > 0)
    if verbose:
        _tell_choices(run, format)
    run = _apply_baseline(run, baseline, write_baseline)
    warn_of_ignored(checkout, outputs, card_db or ())
    code = 0 if exit_zero else int(_has_failed(run, fail_on))
    write_outputs(run, outputs, color, quiet, dict(REPORTERS)["markdown"])
    return code


def _apply_baseline(
    run: Validation, known: Path | None, written: Path | None
) -> Validation:
    """Return the run without the findings of a baseline, after writing it if asked."""
    if known is None and written is None:
        return run
    from deckcheck.reporters import baseline

    if written is not None:
        text = baseline.format_baseline(run, written)
        write_file(written, text, replaces_input=written == known)
        known = written
    assert known is not None
    return baseline.without_known(run, baseline.read_baseline(known), known)


def _has_failed(run: Validation, fail_on: str) -> bool:
    weights = ("error", "warning", "note")
    failing = weights[: weights.index(fail_on) + 1]
    return any(f.severity in failing for report in run.reports for f in report.findings)


def _explain_format_choice(report: DeckReport, option: str | None) -> str:
    """Return what chose the format of a deck."""
    if option is not None:
        return "the option"
    is_stated = report.deck is not None and "format" in report.deck.headers
    return "its header" if is_stated else "the configuration"


def _tell_choices(run: Validation, option: str | None) -> None:
    files = {report.source.path for report in run.reports}
    decks = plural(len(run.reports), "deck")
    tell(f"{decks} in {plural(len(files), 'file')}")
    for report in run.reports:
        reason = _explain_format_choice(report, option)
        chosen = (
            f"format {report.format.id} from {reason}" if report.format else "no format"
        )
        deck = f" deck {report.source.index + 1}" if report.source.index else ""
        tell(f"{report.source.path}{deck}: {chosen}")


# The files that `deckcheck validate` checks: arguments, lists of names, exclusions


MAX_BYTES = 2**24


def chosen_files(
    paths: Sequence[str],
    *,
    files_from: str | None,
    stdin_filename: str | None,
    excluded: PathPatterns,
    force_exclude: bool,
    quiet: bool,
    checkout: Path | None,
) -> tuple[list[DeckFile], LeftOut]:
    """Return the files to check, each once, and counts of other files.

    `paths` are in `checkout`. Without `quiet`, notes name the files left out. Outputs
    may not replace the files. Raises UsageError when no deck is named or found.
    """
    from deckcheck.decks.files import LeftOut, find_deck_files, restrict_to_checkout

    targets = named_targets(paths, files_from)
    if not targets and files_from is None:
        raise UsageError(
            "No decks given", "Name files or folders, or `-` for standard input"
        )
    if not targets:
        raise UsageError(f"{quote(files_from or '')} lists no file")
    if stdin_filename is not None and "-" not in targets:
        message = "`--stdin-filename` requires standard input"
        raise UsageError(message, "Name `-` to read a deck from it")
    left_out = LeftOut()
    with contextlib.chdir(checkout or os.curdir):
        files = find_deck_files(
            targets,
            stdin_filename,
            excluded,
            exclude_named=force_exclude,
            left_out=left_out,
        )
        files = files if checkout is None else restrict_to_checkout(files)
    for deck_file in files:
        if deck_file.file is not None:
            note_read(deck_file.file)
    tell_notes(left_out.notes, quiet=quiet)
    if not files and not quiet:
        tell("No deck is checked: all named decks are excluded")
    return files, left_out


def _find_idle_patterns(
    excluded: PathPatterns, targets: Sequence[str]
) -> Iterator[str]:
    """Yield a sentence for each pattern of `--exclude` that excludes nothing."""
    files = [target for target in targets if os.path.isfile(target)]
    for pattern in excluded.idle:
        typed = quote(f"--exclude {pattern}")
        matches = PathPatterns([pattern]).match
        if any(matches(file) is not None for file in files):
            yield (
                f"{typed} excludes nothing: files that you name are checked without "
                "`--force-exclude`"
            )
        elif pattern.startswith("!"):
            yield f"{typed} excludes nothing: `!` has no meaning in a pattern"
        elif escape_brackets(pattern) != pattern:
            yield f"{typed} excludes nothing: a bracket in a name is written `[[]`"
        else:
            yield f"{typed} excludes nothing"


def named_targets(paths: Sequence[str], files_from: str | None) -> list[str]:
    """Return the names on the command line, and in a list of names."""
    return [*paths, *_read_list(files_from, paths)]


def _read_list(source: str | None, paths: Sequence[str]) -> list[str]:
    """Return the names in a list, separated by lines or by NUL as of `find -print0`."""
    if source is None:
        return []
    if source == "-" and "-" in paths:
        help = "Give either as a file"
        raise UsageError("Standard input cannot be both a deck and a list", help)
    with usable("read", source):
        if source == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            data = read_input(source, MAX_BYTES + 1)
    text = data.decode("utf-8-sig", errors="surrogateescape")
    if len(data) > MAX_BYTES:
        raise UsageError(f"{quote(source)} is too large for a list of files")
    names = text.split("\0") if "\0" in text else text.replace("\r\n", "\n").split("\n")
    return [name for name in names if name.strip()]


# `deckcheck validate --fix`: repair files before they are checked


def fix_files(files: Sequence[DeckFile], converter: Converter, *, quiet: bool) -> None:
    """Repair text decks. Unless `quiet` print the changes, and why names stay.

    Standard input and other notations are skipped. Raises UsageError for a file that
    cannot be written.
    """
    changed = 0
    for file, path, old, new, reasons in _repair_decks(files, converter):
        if old != new:
            write_file(file, new, replaces_input=True)
            changed += 1
        if not quiet:
            for line in (*changed_lines(path, old, new, context=0), *reasons):
                tell(printable(line))
    if not quiet:
        tell(f"{plural(changed, 'file')} fixed")


def show_fixes(files: Sequence[DeckFile], converter: Converter, style: Style) -> bool:
    """Print the repairs of text decks, and report whether there is any."""
    changed = False
    for _, path, old, new, reasons in _repair_decks(files, converter):
        if old != new:
            show_changes(path, old, new, style)
            changed = True
        for reason in reasons:
            tell(printable(reason))
    return changed


def _repair_decks(
    files: Sequence[DeckFile], converter: Converter
) -> Iterator[tuple[Path, str, str, str, list[str]]]:
    """Yield each text deck to repair: its file, the path to show, both texts, reasons.

    The reasons explain why misspelt names stay.
    """
    from deckcheck.decks import read_deck_file
    from deckcheck.decks.reader import NOTATION_BY_SUFFIX
    from deckcheck.decks.rewriting import explain_unrepaired, fix_text

    for deck_file in files:
        notation = NOTATION_BY_SUFFIX.get(
            PurePath(deck_file.path).suffix.lower(), "text"
        )
        if deck_file.file is None or notation != "text":
            continue
        source = read_deck_file(deck_file.file, deck_file.path)
        if source.finding is not None:
            continue
        raws = converter.read_decks(source, "text")
        database = converter.find_database(raws)
        fixed = fix_text(source.text, raws, database)
        reasons = explain_unrepaired(raws, database)
        if fixed != source.text or reasons:
            yield deck_file.file, deck_file.path, source.text, fixed, reasons


# `deckcheck rule`: explain a kind of finding, or list them all


def rule(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|CODE]",
            autocompletion=completing.rules,
            help="Name or code of a finding, such as too-many-copies or DL103. "
            "Default: list all.",
        ),
    ] = None,
    *,
    output: OutputFile = None,
    color: Color = "auto",
) -> None:
    """Explain a finding: its meaning, the reason, and a deck with and without it."""
    from deckcheck.rules import ALL_RULES

    with printed_to(output):
        if name is not None:
            _explain(_find(name, ALL_RULES), style_of(color, output))
            return
        width = max(len(listed.name) for listed in ALL_RULES)
        for listed in ALL_RULES:
            say(f"{listed.code}  {listed.name:{width}}  {listed.summary}")


def _find(name: str, rules: tuple[Rule, ...]) -> Rule:
    for candidate in rules:
        if name.lower() in (candidate.name, candidate.code.lower()):
            return candidate
    from deckcheck.cards.names import MAX_SUGGESTIONS, closest

    names: list[str] = []
    for candidate in rules:
        names += [candidate.name, candidate.code]
    with_word = [each for each in names if name.lower() in each.split("-")]
    near = with_word[:MAX_SUGGESTIONS] or closest(name, names, limit=1)
    help = suggestion(near, "`deckcheck rule` lists them all")
    raise UsageError(f"Unknown finding {quote(name)}", help)


def _explain(explained: Rule, style: Style) -> None:
    from deckcheck.rules import in_words

    head = f"{explained.name} ({explained.code}, {explained.severity})"
    say(head, lambda text: style.severity(explained.severity, text))
    say("\n" + "\n\n".join(in_words(explained)))
