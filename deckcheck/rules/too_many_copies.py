"""too-many-copies: a deck has more copies of a card than there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from deckcheck.cards.models import Card
from deckcheck.decks import DeckEntry
from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import plural, quote
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.crossing import crossing, others

RULE = Rule(
    code="DL103",
    name="too-many-copies",
    summary="A deck has more copies of a card than there are",
    what="""\
Of each card a player has a fixed number of copies, which the card database gives. Lines
with the same card are added up. It holds for the deck, and where a deck lists reserves
for the cards in them that no deck holds.""",
    why="""\
gwent 1.1.5: there is no upper limit on units, but a deck is bounded by the copies that
exist. sg_gwint 1.11: the reserves hold each card as often as the set prints it.""",
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
    return _excess(case, case.entries(), "")


def check_reserves(case: Case) -> Iterator[Finding]:
    """The same for the reserves."""
    return _excess(case, case.reserves(), " in the reserves")


def _excess(
    case: Case, held: Iterable[tuple[DeckEntry, Card]], place: str
) -> Iterator[Finding]:
    lines: dict[str, list[DeckEntry]] = defaultdict(list)
    for entry, card in held:
        lines[card.id].append(entry)
    for id, entries in lines.items():
        card = case.db.cards[id]
        count = sum(entry.count for entry in entries)
        if count <= card.copies:
            continue
        crossed = crossing(((entry, entry.count) for entry in entries), card.copies)
        name = quote(card.name)
        copies = f"{plural(count, 'copy')} of {name}{place}"
        message = f"{copies}, at most {card.copies} allowed"
        help = f"Remove {plural(count - card.copies, 'copy')} of {name}"
        related = others(entries, crossed)
        yield case.report(RULE, crossed.span, message, help, related=related)


LEGALITY = Legality(RULE, "copies", check)
IN_RESERVES = Legality(RULE, "reserves", check_reserves)
