"""The state of an event: a word for each player, a summary for all."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.cards.changes import told
from deckcheck.events.event import Event, Group
from deckcheck.findings import Severity
from deckcheck.findings.style import Style
from deckcheck.findings.words import plural, printable
from deckcheck.reporters.base import count_severities
from deckcheck.rules.event_rules import SEVERAL_DECKS, SEVERAL_LISTS

__all__ = ["count", "summarise", "verdict_of"]

LEGAL, ILLEGAL, MISSING, SEVERAL = "legal", "illegal", "no list", "several lists"


def verdict_of(player: Group) -> str:
    """What the page says of a player's list."""
    if not player.lists:
        return MISSING
    if not all(deck.legal for deck in player.decks):
        return ILLEGAL
    several = (SEVERAL_LISTS.code, SEVERAL_DECKS.code)
    is_several = any(finding.code in several for finding in player.findings)
    return SEVERAL if is_several else LEGAL


def summarise(event: Event, style: Style) -> Iterator[str]:
    """`Winter cup: 3 players, 2 lists, ... (1 error)`, the format, and its own sets."""
    found = count_severities(event.run)
    yield f"{printable(event.file.name)}: {count(event, style)}{found}"
    fmt = event.format
    yield printable(f"{fmt.id} ({fmt.month}), digest {fmt.digest}")
    yield from map(printable, told(fmt.own_changes))


def count(event: Event, style: Style) -> str:
    """`3 players, 2 lists, 2 legal, 1 missing, 1 of no player`.

    A list of no player counts as nothing else.
    """
    lists = [decks for player in event.players for decks in player.lists]
    strays = sum(len(group.lists) for group in event.others)
    legal = sum(all(deck.legal for deck in decks) for decks in lists)
    missing = sum(not player.lists for player in event.players)
    counts = [plural(len(event.players), "player"), plural(len(lists), "list")]
    if legal:
        counts.append(style.good(f"{legal} legal"))
    for number, word in (
        (len(lists) - legal, "illegal"),
        (missing, "missing"),
        (strays, "of no player"),
    ):
        if number:
            counts.append(style.severity(Severity.ERROR, f"{number} {word}"))
    return ", ".join(counts)
