"""The state of an event: a word for each player, a summary for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from deckcheck.cards.changes import change_lines
from deckcheck.events.event import Event, Group
from deckcheck.findings import Finding, Severity
from deckcheck.findings.style import Style
from deckcheck.findings.words import plural, printable
from deckcheck.reporters.base import count_severities, left_out_line
from deckcheck.rules.event_rules import OTHER_PLAYER, SEVERAL_DECKS, SEVERAL_LISTS

if TYPE_CHECKING:
    from deckcheck.events.document import PlayerVerdict

LEGAL: Final = "legal"
ILLEGAL: Final = "illegal"
MISSING: Final = "no list"
SEVERAL: Final = "several lists"
FOREIGN: Final = "of another player"
ADMITTED, NOT_ADMITTED = "admitted", "not admitted"


def is_of_another(finding: Finding) -> bool:
    """Whether a finding says that a list is of another player who is registered."""
    is_error = finding.severity is Severity.ERROR
    return is_error and finding.code == OTHER_PLAYER.code


def verdict_of(player: Group) -> PlayerVerdict:
    """What the page says of a player's list."""
    if not player.lists:
        return MISSING
    if any(map(is_of_another, player.findings)):
        return FOREIGN
    if not all(deck.legal for deck in player.decks):
        return ILLEGAL
    several = (SEVERAL_LISTS.code, SEVERAL_DECKS.code)
    is_several = any(finding.code in several for finding in player.findings)
    return SEVERAL if is_several else LEGAL


def admission_of(player: Group) -> str:
    """What the page says before the event, which tells nothing of decks."""
    if not player.lists:
        return MISSING
    errors = (f for f in player.findings if f.severity is Severity.ERROR)
    return NOT_ADMITTED if any(errors) else ADMITTED


def summarise(event: Event, style: Style) -> Iterator[str]:
    """`Winter cup: 3 players, 2 lists, ... (1 error)`, the format, and its own sets."""
    severities = count_severities(event.run)
    yield f"{printable(event.file.name)}: {count(event, style)}{severities}"
    fmt = event.format
    yield from left_out_line(event.run)
    yield printable(f"{fmt.id} ({fmt.month}), digest {fmt.digest}")
    yield from map(printable, change_lines(fmt.own_changes))


def count(event: Event, style: Style) -> str:
    """`3 players, 2 lists, 2 legal, 1 missing, 1 of no player`.

    A list of no player counts as nothing else, and neither does one of another player.
    """
    tally: Counter[str] = Counter()
    for player in event.players:
        verdict = verdict_of(player)
        for decks in player.lists:
            is_legal = all(deck.legal for deck in decks)
            own = LEGAL if is_legal else ILLEGAL
            tally[FOREIGN if verdict == FOREIGN else own] += 1
        tally["missing"] += verdict == MISSING
    number = tally[LEGAL] + tally[ILLEGAL] + tally[FOREIGN]
    tally["of no player"] = sum(len(group.lists) for group in event.others)
    counts = [plural(len(event.players), "player"), plural(number, "list")]
    if tally[LEGAL]:
        counts.append(style.good(f"{tally[LEGAL]} legal"))
    for word in (ILLEGAL, FOREIGN, "missing", "of no player"):
        if tally[word]:
            counts.append(style.severity(Severity.ERROR, f"{tally[word]} {word}"))
    return ", ".join(counts)
