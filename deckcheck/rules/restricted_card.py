"""restricted-card: a deck has more copies of a card than its format allows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from deckcheck.decks import DeckEntry
from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import plural, quote
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.crossing import crossing, others

RULE = Rule(
    code="DB102",
    name="restricted-card",
    summary="A deck has more copies of a card than its format allows",
    what="""\
A format may allow fewer copies of a card than exist. None of the built-in formats does;
a league may, in its own format file or with `--rule`. The example below allows 1 Decoy.
The limit applies to each named card on its own.""",
    why="""\
Some cards are fine once and too strong three times. A limit is milder than a ban.""",
    bad="""\
Format: gwent/league
Leader: Foltest, The Siegemaster

2 Decoy
""",
    good="""\
Format: gwent/league
Leader: Foltest, The Siegemaster

1 Decoy
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the copies of each card with the constraint's `max`."""
    maximum = case.limit("max") or 0
    lines: dict[str, list[DeckEntry]] = defaultdict(list)
    for entry, card in case.entries():
        lines[card.id].append(entry)
    for id, entries in lines.items():
        count = sum(entry.count for entry in entries)
        if count <= maximum:
            continue
        crossed = crossing(((entry, entry.count) for entry in entries), maximum)
        name = quote(case.db.cards[id].name)
        message = f"{plural(count, 'copy')} of {name}, restricted to {maximum}"
        help = f"Remove {plural(count - maximum, 'copy')} of {name}"
        related = others(entries, crossed)
        yield case.report(RULE, crossed.span, message, help, related=related)


LEGALITY = Legality(RULE, "restricted", check)
