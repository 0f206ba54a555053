"""What the page to publish says: a row for every player, and what is legal."""

from __future__ import annotations

from dataclasses import dataclass

from deckcheck.events.event import Event
from deckcheck.events.verdicts import verdict_of
from deckcheck.formats import database_of
from deckcheck.formats.limits import limits
from deckcheck.validation import DeckReport

__all__ = ["Row", "allowed", "format_line", "rows_of"]


@dataclass(frozen=True, slots=True)
class Row:
    """One player of the table; where there are several decks, each on a line."""

    player: str
    decks: tuple[str, ...]
    factions: tuple[str, ...]
    leaders: tuple[str, ...]
    verdict: str


def rows_of(event: Event) -> list[Row]:
    """The players by name."""
    return [
        Row(
            player.title,
            tuple(report.name or "" for report in player.decks),
            tuple(_faction(report, event) for report in player.decks),
            tuple(_leader(report, event) for report in player.decks),
            verdict_of(player),
        )
        for player in event.players
    ]


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
