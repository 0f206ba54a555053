"""`deckcheck stats`: a deck in figures, without playing a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.invocation import config_of
from deckcheck.cli.options.shared import (
    AsOf,
    CardDb,
    Color,
    FormatName,
    OutputFile,
    Rules,
)
from deckcheck.cli.printing import (
    columns,
    print_json,
    say,
    say_table,
    style_of,
    tell,
    tell_notes,
)
from deckcheck.cli.writing import printed_to
from deckcheck.findings.errors import UsageError
from deckcheck.findings.json_text import tool
from deckcheck.findings.words import plural, quote

if TYPE_CHECKING:
    from deckcheck.findings.style import Style
    from deckcheck.studies.deck_stats.document import StatsDocument
    from deckcheck.studies.deck_stats.hand_odds import Odds, Opening
    from deckcheck.studies.deck_stats.result import DeckStats
    from deckcheck.validation import DeckReport


CLEAN, FINDINGS = 0, 1
TIMES = ("", "once", "twice")


def stats(
    ctx: typer.Context,
    decks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DECK...",
            help="Files, folders, globs, share codes, or - for standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="CARDS",
            autocompletion=completing.cards,
            help="Show the chance to draw these cards: 'Scorch', 'medic' or, counted "
            "together, 'Decoy, spy'. Can be given several times; by default "
            "each kind, ability and card.",
            show_default=False,
        ),
    ] = None,
    at_least: Annotated[
        int,
        typer.Option(
            "--at-least",
            metavar="NUMBER",
            min=1,
            help="Show the chance to draw at least this many cards of a group.",
        ),
    ] = 1,
    format: FormatName = None,
    as_of: AsOf = None,
    rule: Rules = None,
    output_format: Annotated[
        Literal["table", "json"],
        typer.Option("--output-format", help="How the figures are written."),
    ] = "table",
    output: OutputFile = None,
    color: Color = "auto",
    card_db: CardDb = None,
    quiet: Annotated[
        int,
        typer.Option(
            "--quiet", "-q", count=True, help="Print no notes.", show_default=False
        ),
    ] = 0,
) -> int:
    """Show what a deck is made of and what its first hand holds, without playing.

    Chances are exact: they are counted, not simulated. Exit code 1 when a deck cannot
    be read; an illegal one is shown all the same.
    """
    from deckcheck.decks import LeftOut, find_deck_files
    from deckcheck.studies.deck_stats.result import stats_of
    from deckcheck.validation import Validator

    if not decks:
        raise UsageError("No decks given", "Name files or folders")
    left_out = LeftOut()
    files = find_deck_files(decks, left_out=left_out)
    tell_notes(left_out.notes, quiet=bool(quiet))
    settings = config_of(ctx)
    fallback = settings.formats_by_path() if settings else None
    validator = Validator(
        format, card_db, fallback=fallback, rules=rule or (), as_of=as_of
    )
    reports = validator.check_files(files).reports
    readable = [report for report in reports if _can_be_read(report)]
    deck_stats = [
        stats_of(report, group or (), at_least, card_db) for report in readable
    ]
    style = style_of(color, output)
    with printed_to(output):
        if output_format == "json":
            document: StatsDocument = {
                "schema_version": 1,
                "tool": tool(),
                "at_least": at_least,
                "decks": [stats_of_deck.to_dict() for stats_of_deck in deck_stats],
            }
            print_json(document)
        else:
            for number, stats_of_deck in enumerate(deck_stats):
                if number:
                    say()
                _show(stats_of_deck, at_least, style)
    _tell_verdicts(reports, quiet=bool(quiet))
    return CLEAN if len(deck_stats) == len(reports) else FINDINGS


def _can_be_read(report: DeckReport) -> bool:
    deck = report.deck
    return deck is not None and report.format is not None and bool(deck.entries)


def _tell_verdicts(reports: Sequence[DeckReport], *, quiet: bool) -> None:
    """Say which decks could not be shown, and which are illegal."""
    for report in reports:
        where = quote(report.source.path)
        if not _can_be_read(report):
            tell(f"error: {where} holds no deck that could be read")
            tell("help: `deckcheck validate` says why")
        elif report.format is not None and not report.legal and not quiet:
            tell(f"note: {where} is illegal in {report.format.id}; see `validate`")


def _show(stats: DeckStats, at_least: int, style: Style) -> None:
    report, parts = stats.report, stats.composition
    assert report.deck is not None
    assert report.format is not None
    about = f"{report.format.id} ({report.format.month})"
    say(f"{report.deck.name}, {about}", style.strong)
    say()
    say(columns(list(_facts(stats))))
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
        _show_odds(stats, at_least, style)


def _facts(stats: DeckStats) -> Iterator[tuple[str, str]]:
    parts = stats.composition
    kinds = f": {_counted(parts.kinds)}" if len(parts.kinds) > 1 else ""
    yield "cards", f"{parts.cards}{kinds}"
    if parts.factions:
        yield "factions", _counted(parts.factions)
    units = parts.all_units
    if units.cards:
        mean = units.strength / units.cards
        yield "strength", f"{units.strength} in {units.cards} cards, {mean:.1f} each"
    rows = (f"{name} {p.strength} ({p.cards})" for name, p in parts.rows.items())
    if parts.rows:
        yield "rows", ", ".join(rows)
    if parts.abilities:
        yield "abilities", _counted(parts.abilities)
    yield "copies", ", ".join(_times(n, cards) for n, cards in parts.copies.items())
    top = parts.strongest
    if top.cards and parts.weather:
        yield "scorch", f"{plural(top.cards, 'unit')} of {top.strength // top.cards}"
    if stats.opening is not None:
        hand = stats.opening
        strength = f"mean strength {hand.strength:.1f} (sd {hand.spread:.1f})"
        yield "first hand", f"{hand.size} cards, {strength}"


def _counted(numbers: dict[str, int]) -> str:
    return ", ".join(f"{word.replace('_', ' ')} {n}" for word, n in numbers.items())


def _times(copies: int, cards: int) -> str:
    often = TIMES[copies] if copies < len(TIMES) else f"{copies} times"
    return f"{plural(cards, 'card')} {often}"


def _show_odds(stats: DeckStats, at_least: int, style: Style) -> None:
    assert stats.opening is not None
    hand, with_draws = (
        stats.opening,
        any(hand_odds.drawn is not None for hand_odds in stats.odds),
    )
    heads = [f"at least {at_least} of", "in deck", "dealt"]
    heads += [f"{plural(hand.redraws, 'redraw')}"] if hand.redraws else []
    heads += ["and draws"] if with_draws else []
    rows = {_row(hand_odds, hand, with_draws): None for hand_odds in stats.odds}
    say_table([tuple(heads), *rows], style)


def _row(odds: Odds, hand: Opening, with_draws: bool) -> tuple[str, ...]:
    """The chances of a group; all cards that are there once make one line."""
    is_single = odds.copies == 1 and len(odds.group.cards) == 1
    row = [
        "a card that is there once" if is_single else odds.group.name,
        f"{odds.copies:7}",
        _percent(odds.opening),
    ]
    row += [_percent(odds.redrawn)] if hand.redraws else []
    row += [_percent(odds.drawn or 0.0)] if with_draws else []
    return tuple(row)


def _percent(chance: float) -> str:
    return f"{100 * chance:5.1f} %"
