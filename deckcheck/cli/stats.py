"""`stats` and `diff`: decks in figures, without playing a game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
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
    Rules,
    quiet_option,
)
from deckcheck.cli.output import (
    CLEAN,
    FINDINGS,
    columns,
    print_file,
    print_json,
    printed_to,
    say,
    say_table,
    style_of,
    tell,
    tell_notes,
)
from deckcheck.cli.settings import Color
from deckcheck.findings import UsageError
from deckcheck.markup import tool
from deckcheck.messages import plural, quote
from deckcheck.sim import MAX_SEED

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.studies.deck_difference import DeckDifference, DifferencesDocument
    from deckcheck.studies.deck_stats import DeckStats, StatsDocument
    from deckcheck.terminal import Style
    from deckcheck.validation import DeckReport, Validator


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
    from deckcheck.studies.deck_stats import list_deck_facts, make_odds_rows

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
        say_table(make_odds_rows(stats, at_least), style)


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
