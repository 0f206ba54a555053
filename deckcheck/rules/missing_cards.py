"""missing-cards: a deck that must hold a whole faction lacks some of its cards."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import plural, quote
from deckcheck.formats.whole import is_left_to_the_tool, whole_faction
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DL106",
    name="missing-cards",
    summary="A deck that must hold a whole faction lacks some of its cards",
    what="""\
In `gwent/solo` a deck consists of all cards of a faction and all neutral cards; of the
weather cards only Clear Weather belongs to it. You need not list them: a file with a
faction and a leader is enough, and the cards are filled in. A file that lists cards
must list them all.""",
    why="gwent 6.1.2: all cards of the faction form one deck.",
    bad="""\
Format: gwent/solo
Leader: Foltest, The Siegemaster

2 Ballista
""",
    good="""\
Format: gwent/solo
Leader: Foltest, The Siegemaster
""",
)

_SHOWN = 3


def check(case: Case) -> Iterator[Finding]:
    """Compare the cards of the deck with those of its faction."""
    deck = case.deck
    if deck.faction is None or is_left_to_the_tool(deck):
        return
    whole = whole_faction(case.db, deck.faction, case.constraint.condition)
    missing = whole - deck.counts()
    if missing.total() <= deck.unread:
        return
    name = case.db.factions[deck.faction].name
    message = (
        f"{whole.total() - missing.total()} of {plural(whole.total(), 'card')} "
        f"of {name} listed, all or none required"
    )
    names = [quote(case.db.cards[id].name) for id in missing]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    help = (
        f"Remove all cards to have them filled in, or add {', '.join(names[:_SHOWN])}"
    )
    note = case.unread_note()
    yield case.report(RULE, case.place, message, help + more, notes=note)


LEGALITY = Legality(RULE, "whole_faction", check)
