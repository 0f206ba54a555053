"""shared-card: two decks of a lineup hold a card that only one of them may hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from deckcheck.findings import Rule
from deckcheck.findings.words import plural, quote
from deckcheck.rules.joint import DeckFinding, JointCase, JointLegality

RULE = Rule(
    code="DX103",
    name="shared-card",
    summary="Two decks of a lineup hold a card that only one of them may hold",
    what="""\
No hero may be in two decks of a `gwent/tournament` lineup. As each deck has a different
faction, this is about neutral heroes. The finding points at the later deck and names
the line of the earlier one.""",
    why="""\
gwent 3.2: no hero may be in more than one of a player's decks.""",
    bad="""\
Format: gwent/tournament
Leader: Foltest, The Siegemaster

Geralt of Rivia
---
Leader: Eredin, The Treacherous

Geralt of Rivia
---
Leader: Crach an Craite

Kambi
""",
    good="""\
Format: gwent/tournament
Leader: Foltest, The Siegemaster

Geralt of Rivia
---
Leader: Eredin, The Treacherous

Cirilla Fiona Elen Riannon
---
Leader: Crach an Craite

Kambi
""",
)


def check(case: JointCase) -> Iterator[DeckFinding]:
    """Look for cards that fit the constraint in more than one deck."""
    places = defaultdict(list)
    for at, deck in enumerate(case.decks):
        firsts = {card.id: entry for entry, card in reversed([*case.entries(deck)])}
        for id, entry in firsts.items():
            places[id].append((at, entry.span))
    for id, holders in places.items():
        first, *again = holders
        name = quote(case.db.cards[id].name)
        for number, (at, span) in enumerate(again, start=2):
            decks = plural(number, "deck")
            message = f"{name} is in {decks} of a {case.noun}, 1 allowed"
            help = f"Keep {name} in one deck and replace it here"
            related = [case.also(*first)]
            yield case.report(RULE, at, span, message, help, related=related)


LEGALITY = JointLegality(RULE, "no_shared_cards", check)
