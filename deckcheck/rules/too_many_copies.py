"""too-many-copies: a deck has more copies of a card than there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from deckcheck.decks import DeckEntry
from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import plural, quote
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.crossing import crossing, others

__all__ = ["LEGALITY"]

RULE = Rule(
    code="DL103",
    name="too-many-copies",
    summary="A deck has more copies of a card than there are",
    what="""\
Of each card a player has a fixed number of copies, which the card database gives. Lines
with the same card are added up.""",
    why="""\
gwent 1.1.5: there is no upper limit on units, but a deck is bounded by the copies that
exist.""",
    bad="""\
Leader: Foltest, The Siegemaster

3 Ballista
""",
    good="""\
Leader: Foltest, The Siegemaster

2 Ballista
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the copies of each card with the number on the card."""
    lines: dict[str, list[DeckEntry]] = defaultdict(list)
    for entry, card in case.entries():
        lines[card.id].append(entry)
    for id, entries in lines.items():
        card = case.db.cards[id]
        found = sum(entry.count for entry in entries)
        if found <= card.copies:
            continue
        crossed = crossing(((entry, entry.count) for entry in entries), card.copies)
        name = quote(card.name)
        message = f"{plural(found, 'copy')} of {name}, at most {card.copies} allowed"
        help = f"Remove {plural(found - card.copies, 'copy')} of {name}"
        related = others(entries, crossed)
        yield case.report(RULE, crossed.span, message, help, related=related)


LEGALITY = Legality(RULE, "copies", check)
