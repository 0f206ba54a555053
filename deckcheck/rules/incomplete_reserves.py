"""incomplete-reserves: listed reserves lack what a card of the deck brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from deckcheck.findings import Finding, Rule, Severity
from deckcheck.findings.words import plural, quote
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DL108",
    name="incomplete-reserves",
    severity=Severity.WARNING,
    summary="The reserves lack cards that a card of the deck brings",
    what="""\
Some cards bring others from the reserves: Odim his Darknesses, the Cow the Bovine
Defence Force. A deck that lists its reserves has no others, so a card whose companions
are not listed brings nothing. The deck is legal all the same.""",
    why="""\
sg_gwint 1.18: a deck lists what reserves it likes, and an ability that finds no card
does nothing; it is more likely that a line was forgotten.""",
    bad="""\
Format: sg_gwint/approximation
Leader: King Foltest

Odim

Reserves:
Gossip
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
    """Compare what each card of the deck brings with what the reserves list."""
    deck, cards = case.deck, case.db.cards
    if not deck.reserves or deck.unread:
        return
    listed = deck.reserve_counts()
    asked: Counter[str] = Counter()
    for entry, card in case.entries():
        for ability in card.abilities:
            target = cards.get(ability.target or "")
            if target is None or target.deckable:
                continue
            amount = (ability.amount or 1) * entry.count
            asked[target.id] = min(asked[target.id] + amount, target.copies)
            missing = asked[target.id] - listed[target.id]
            if missing > 0:
                name = quote(target.name)
                message = (
                    f"{quote(card.name)} brings {plural(amount, 'copy')} of {name}, "
                    f"{listed[target.id]} in the reserves"
                )
                help = f"Add {plural(missing, 'copy')} of {name} below `Reserves:`"
                yield case.report(RULE, entry.span, message, help)


LEGALITY = Legality(RULE, "complete_reserves", check)
