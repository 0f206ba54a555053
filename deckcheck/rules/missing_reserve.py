"""missing-reserve: listed reserves lack a card that every match needs."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.decks.headers import is_reserves
from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import choice, plural
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DL107",
    name="missing-reserve",
    summary="The reserves lack a card that every match needs",
    what="""\
A deck that lists its reserves has no others. In SG Gwint the card Gossip (Klepna) must
be among them. A deck that lists none has all of them.""",
    why="""\
sg_gwint 2.7: the starting player lays Klepna from the reserves, and before the coin is
tossed nobody knows who that is.""",
    bad="""\
Format: sg_gwint/approximation
Leader: King Foltest

Odim

Reserves:
3 Odim's Darkness
""",
    good="""\
Format: sg_gwint/approximation
Leader: King Foltest

Odim

Reserves:
Gossip
3 Odim's Darkness
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Look for a card that fits the condition among the reserves."""
    deck, condition = case.deck, case.constraint.condition
    if not deck.reserves or deck.unread:
        return
    if any(condition.matches(card) for _, card in case.reserves()):
        return
    fitting = [card for card in case.db.cards.values() if condition.matches(card)]
    if not fitting:
        return
    names = choice([card.name for card in fitting])
    message = f"{plural(0, 'copy')} of {names} in the reserves, at least 1 required"
    help = "Add it, or leave the reserves out to have all that the faction has"
    headings = [at for title, at in deck.sections.items() if is_reserves(title)]
    span = headings[0] if headings else deck.reserves[0].span
    yield case.report(RULE, span, message, help)


LEGALITY = Legality(RULE, "required_reserves", check)
