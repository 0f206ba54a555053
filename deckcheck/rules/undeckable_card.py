"""undeckable-card: a deck holds a card that only other cards bring into play."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import plural, quote
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DC103",
    name="undeckable-card",
    summary="A deck holds a card that only other cards bring into play",
    what="""\
Cards that appear only by summoning or transformation lie in an open side deck: Bovine
Defense Force, Hemdall, Transformed Vildkaarl and Transformed Young Vildkaarl. They do
not count towards any limit of the deck.""",
    why="""\
gwent 1.1.6: cards that only appear by summoning or transformation may not be in the
deck.""",
    bad="""\
Leader: Crach an Craite

Hemdall
""",
    good="""\
Leader: Crach an Craite

Kambi
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Look for cards that are not deckable."""
    for entry in case.deck.entries:
        card = case.db.cards[entry.card]
        if not card.deckable:
            name = quote(card.name)
            message = f"{plural(entry.count, 'copy')} of {name}, none allowed in a deck"
            help = "Remove it: another card brings it into play from the side deck"
            if case.db.game.reserves:
                help = "List it below `Reserves:`, outside the deck"
            yield case.report(RULE, entry.span, message, help)


LEGALITY = Legality(RULE, "deckable", check)
