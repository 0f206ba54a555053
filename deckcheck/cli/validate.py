"""`validate` (and --fix, --watch) and `rule`."""

from __future__ import annotations

import contextlib
import glob
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.options import (
    AsOf,
    CardDb,
    Checkout,
    FormatName,
    OutputFile,
    Rules,
    converter_for,
    outputs_option,
    quiet_option,
)
from deckcheck.cli.output import (
    INTERRUPTED,
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
    tell_misuse,
    tell_notes,
    without_collector,
    write_file,
    write_outputs,
)
from deckcheck.cli.settings import Color, config_of, invocation_of, tell_ignored
from deckcheck.files import (
    PathPatterns,
    escape_brackets,
    note_read,
    note_reads,
    read_input,
    usable,
)
from deckcheck.findings import UsageError
from deckcheck.messages import choice, line_start, plural, printable, quote, suggestion

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
            help="Report only findings that are not in this file, or worse than there, "
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
            help="Also check the paths in a file, one per line; - is standard input.",
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
            help="First repair text decks, and say what changes: names with a single "
            '"Did you mean", a leader without its colon, late headers, repeated lines.'
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option(help="Only show what --fix would change, and exit.")
    ] = False,
    stdin_filename: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Name to give standard input, such as mine.yaml; its suffix says "
            "how the deck is written.",
        ),
    ] = None,
    checkout: Checkout = None,
    color: Color = "auto",
    quiet: Annotated[
        int, quiet_option("Print findings only; given twice, nothing at all.")
    ] = 0,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Say how files and formats were chosen."),
    ] = False,
    card_db: CardDb = None,
    watch: Annotated[
        bool, typer.Option(help="Check again whenever a deck changes, until Ctrl-C.")
    ] = False,
) -> int:
    """Check decks against the rules of a format.

    All findings of all decks are reported in one run. Exit code 0: every deck is
    legal; 1: findings; 2: the command could not be carried out.
    """

    output = in_checkout(checkout, output)

    def check() -> int:
        excluded = PathPatterns(exclude or ())
        names = paths or (), files_from, stdin_filename, excluded, force_exclude
        files, left_out = chosen_files(*names, quiet=quiet > 0, checkout=checkout)
        if invocation_of(ctx).is_typed("exclude"):
            tell_notes(_idle_patterns(excluded, paths or ()), quiet=quiet > 0)
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
            converter = converter_for(None, format, card_db)
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
            run = validator.check_files(files, left_out).sorted()
            run = replace(run, folder=checkout)
            if settings is not None:
                run = replace(run, reports=tuple(settings.weigh(run.reports)))
        tell_notes(run.notes, quiet=quiet > 0)
        if verbose:
            _tell_choices(run, format)
        run = _compared(run, baseline, write_baseline)
        tell_ignored(checkout, outputs, card_db or ())
        code = 0 if exit_zero else int(_fails(run, fail_on))
        write_outputs(run, outputs, color, quiet, dict(REPORTERS)["markdown"])
        return code

    if not watch:
        return check()

    return keep_checking(check, named_targets(paths or (), files_from), format)


def _compared(run: Validation, known: Path | None, written: Path | None) -> Validation:
    """The run without what a baseline has, or what is written as one now."""
    if known is None and written is None:
        return run
    from deckcheck.reporters import machine

    if written is not None:
        text = machine.format_baseline(run, written)
        write_file(written, text, replaces_input=written == known)
        known = written
    assert known is not None
    return machine.without_known(run, machine.read_baseline(known), known)


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


# The files that `deckcheck validate` checks: arguments, lists of names, exclusions


MAX_BYTES = 2**24


def chosen_files(
    paths: Sequence[str],
    files_from: str | None,
    stdin_filename: str | None,
    excluded: PathPatterns,
    force_exclude: bool,
    *,
    quiet: bool = False,
    checkout: Path | None = None,
) -> tuple[list[DeckFile], LeftOut]:
    """The files to check, each once, and what is left out; `paths` lie in `checkout`.

    There are none only when what was named is excluded.

    Which files are left out is said unless `quiet`. No output may replace the others.
    Raises UsageError when nothing is asked for, found, or left.
    """
    from deckcheck.decks.files import LeftOut, find_deck_files, of_checkout

    targets = named_targets(paths, files_from)
    if not targets and files_from is None:
        raise UsageError(
            "No decks given", "Name files or folders, or `-` for standard input"
        )
    if not targets:
        raise UsageError(f"{quote(files_from or '')} lists no file")
    if stdin_filename is not None and "-" not in targets:
        message = "`--stdin-filename` goes with standard input only"
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
        files = files if checkout is None else of_checkout(files)
    for deck_file in files:
        if deck_file.file is not None:
            note_read(deck_file.file)
    tell_notes(left_out.notes, quiet=quiet)
    if not files and not quiet:
        tell("No deck is checked, because all named ones are excluded")
    return files, left_out


def _idle_patterns(excluded: PathPatterns, targets: Sequence[str]) -> Iterator[str]:
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
    """What is named on the command line, and in a list of names."""
    return [*paths, *_listed(files_from, paths)]


def _listed(source: str | None, paths: Sequence[str]) -> list[str]:
    """The names in a list: a line each, or separated by NUL as `find -print0` does."""
    if source is None:
        return []
    if source == "-" and "-" in paths:
        help = "Give one of them as a file"
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


def fix_files(
    files: Sequence[DeckFile], converter: Converter, *, quiet: bool = False
) -> None:
    """Repair text decks; unless `quiet` print what has changed, and why names stay.

    Standard input and decks that are not text are skipped. Raises UsageError for a
    file that cannot be written.
    """
    changed = 0
    for file, path, old, new, reasons in _fixed(files, converter):
        if old != new:
            write_file(file, new, replaces_input=True)
            changed += 1
        if not quiet:
            for line in (*changed_lines(path, old, new, context=0), *reasons):
                tell(printable(line))
    if not quiet:
        tell(f"{plural(changed, 'file')} fixed")


def show_fixes(files: Sequence[DeckFile], converter: Converter, style: Style) -> bool:
    """Print how text decks would be repaired; whether there is anything to repair."""
    changed = False
    for _, path, old, new, reasons in _fixed(files, converter):
        if old != new:
            show_changes(path, old, new, style)
            changed = True
        for reason in reasons:
            tell(printable(reason))
    return changed


def _fixed(
    files: Sequence[DeckFile], converter: Converter
) -> Iterator[tuple[Path, str, str, str, list[str]]]:
    """Yield each text deck to repair: its file, the path to show, both texts, reasons.

    The reasons are those for which misspelt names stay.
    """
    from deckcheck.decks import read_deck_file
    from deckcheck.decks.reader import WAYS
    from deckcheck.decks.rewriting import explain_unrepaired, fix_text

    for deck_file in files:
        way = WAYS.get(PurePath(deck_file.path).suffix.lower(), "text")
        if deck_file.file is None or way != "text":
            continue
        source = read_deck_file(deck_file.file, deck_file.path)
        if source.finding is not None:
            continue
        raws = converter.read(source, "text")
        database = converter.find_database(raws)
        fixed = fix_text(source.text, raws, database)
        reasons = explain_unrepaired(raws, database)
        if fixed != source.text or reasons:
            yield deck_file.file, deck_file.path, source.text, fixed, reasons


# `validate --watch`: check again whenever a deck changes


_MOST_NAMED = 3


def keep_checking(
    check: Callable[[], int],
    targets: Sequence[str],
    format: str | None = None,
) -> int:
    """Run `check`, and again after each change, until Ctrl-C; the exit code is 130.

    `targets` are the decks, folders and globs to watch; `format` is watched too when it
    is a file. A later run that fails is reported, and the next change awaited. Raises
    UsageError without watchfiles, for standard input, and for whatever is wrong with
    the first run.
    """
    watch = _watcher()
    if "-" in targets:
        raise UsageError("Standard input cannot be watched", "Name files or folders")
    own = [format] if format is not None and os.path.isfile(format) else []
    wanted = _Wanted([*targets, *own])
    try:
        with note_reads():
            check()
        tell("Watching for changes, Ctrl-C stops")
        for changes in watch(*wanted.folders, watch_filter=wanted):
            tell(_summary(path for _, path in changes))
            _check_again(check)
    except KeyboardInterrupt:
        return INTERRUPTED
    return INTERRUPTED


def _watcher() -> Any:
    try:
        from watchfiles import watch
    except ImportError:
        help = "Install it: pip install watchfiles"
        raise UsageError("`--watch` needs the package `watchfiles`", help) from None
    return watch


class _Wanted:
    """Which changes matter: decks of folders and globs, and what is named."""

    def __init__(self, targets: Iterable[str]) -> None:
        self.named: set[str] = set()
        self.searched: set[str] = set()
        for target in targets:
            path = os.path.realpath(target)
            if os.path.isdir(path):
                self.searched.add(path)
            elif glob.has_magic(target) and not os.path.exists(path):
                self.searched.add(_fixed_part(path))
            else:
                self.named.add(path)

    @property
    def folders(self) -> list[str]:
        """What to watch; editors replace files, so that a file alone would get lost."""
        parents = {os.path.dirname(path) for path in self.named}
        return sorted(path for path in parents | self.searched if os.path.isdir(path))

    def __call__(self, _change: object, path: str) -> bool:
        from deckcheck.decks.files import SUFFIXES

        if path in self.named:
            return True
        folder, name = os.path.split(path)
        is_deck = name.lower().endswith(SUFFIXES) and not name.startswith(".")
        return is_deck and any(
            Path(folder).is_relative_to(searched) for searched in self.searched
        )


def _fixed_part(pattern: str) -> str:
    """The folder of a glob that no wildcard is in."""
    while glob.has_magic(pattern):
        pattern = os.path.dirname(pattern)
    return pattern


def _check_again(check: Callable[[], int]) -> None:
    try:
        with note_reads():
            check()
    except UsageError as error:
        tell_misuse(error.message, error.help)


def _summary(paths: Iterable[str]) -> str:
    from deckcheck.decks.files import shown_path

    names = sorted({printable(shown_path(path)) for path in paths})
    if len(names) > _MOST_NAMED:
        return f"\n{plural(len(names), 'file')} changed"
    return f"\n{choice(names, 'and')} changed"


# `deckcheck rule`: explain a kind of finding, or list them all


def rule(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|CODE]",
            autocompletion=completing.rules,
            help="Name or code of a finding, such as too-many-copies or DL103; by "
            "default all are listed.",
        ),
    ] = None,
    *,
    output: OutputFile = None,
    color: Color = "auto",
) -> None:
    """Explain a finding: what it means, why, and a deck with and without it."""
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

    names = [word for candidate in rules for word in (candidate.name, candidate.code)]
    near = [rule_name for rule_name in names if name.lower() in rule_name.split("-")][
        :MAX_SUGGESTIONS
    ]
    near = near or closest(name, names, limit=1)
    help = suggestion(near, "`deckcheck rule` lists them all")
    raise UsageError(f"Unknown finding {quote(name)}", help)


def _explain(explained: Rule, style: Style) -> None:
    from deckcheck.rules import in_words

    head = f"{explained.name} ({explained.code}, {explained.severity})"
    say(head, lambda text: style.severity(explained.severity, text))
    say("\n" + "\n\n".join(in_words(explained)))
