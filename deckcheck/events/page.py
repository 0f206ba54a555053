"""The page to publish: a row for every player, and the rules of the event."""

from __future__ import annotations

from dataclasses import dataclass

from deckcheck.events.event import Event, Group
from deckcheck.events.verdicts import admission_of, verdict_of
from deckcheck.formats import database_of
from deckcheck.formats.limits import limits
from deckcheck.validation import DeckReport


@dataclass(frozen=True, slots=True)
class Row:
    """One player of the table; where there are several decks, each on a line.

    Before the event is revealed nothing is there of decks. `seals` and `salts` are
    those of the lists, where there are salts.
    """

    player: str
    verdict: str
    decks: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    seals: tuple[str, ...] = ()
    salts: tuple[str, ...] = ()


def rows_of(event: Event) -> list[Row]:
    """The players by name: who is admitted, or all that may be published."""
    return [_row(player, event) for player in event.players]


def _row(player: Group, event: Event) -> Row:
    files = [file for file in event.files if file.path in player.paths]
    seals = tuple(seal for file in files if (seal := event.seal(file)))
    if not event.is_revealed:
        return Row(player.title, admission_of(player), seals=seals)
    salts = event.salts
    return Row(
        player.title,
        verdict_of(player),
        tuple(report.name or "" for report in player.decks),
        tuple(_faction(report, event) for report in player.decks),
        tuple(_leader(report, event) for report in player.decks),
        seals,
        tuple(salts.of(file.name) for file in files) if salts else (),
    )


def format_line(event: Event) -> str:
    """`Gwent, standard (gwent/standard, 2025-10)`."""
    fmt = event.format
    return f"{fmt.title} ({fmt.id}, {fmt.month})"


def allowed(event: Event) -> list[str]:
    """What a legal list has to look like."""
    return limits(event.format, database_of(event.format, event.root))


def _faction(report: DeckReport, event: Event) -> str:
    if report.deck is None or report.format is None or report.deck.faction is None:
        return ""
    return database_of(report.format, event.root).factions[report.deck.faction].name


def _leader(report: DeckReport, event: Event) -> str:
    if report.deck is None or report.format is None or report.deck.leader is None:
        return ""
    return database_of(report.format, event.root).leaders[report.deck.leader].full_name
