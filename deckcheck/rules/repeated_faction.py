"""repeated-faction: two decks of a lineup or a team have the same faction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from deckcheck.decks import Deck
from deckcheck.findings import Rule, Span
from deckcheck.findings.words import plural
from deckcheck.rules.joint import DeckFinding, JointCase, JointLegality

RULE = Rule(
    code="DX102",
    name="repeated-faction",
    summary="Two decks of a lineup or a team have the same faction",
    what="""\
The three decks of a lineup have three different factions, the two decks of a team have
two. The finding points at the line that sets the faction of the later deck, and names
that of the earlier one.""",
    why="""\
gwent 3.1: each player brings three decks of three different factions. gwent 5.2:
team-mates must have different factions.""",
    bad="""\
Format: gwent/two_vs_two
Leader: Foltest, The Siegemaster

2 Ballista
---
Leader: Foltest, Son of Medell

2 Catapult
""",
    good="""\
Format: gwent/two_vs_two
Leader: Foltest, The Siegemaster

2 Ballista
---
Leader: Eredin, The Treacherous

3 Ghoul
""",
)


def check(case: JointCase) -> Iterator[DeckFinding]:
    """Compare the factions of the decks with each other."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, deck in enumerate(case.decks):
        if deck.faction is not None:
            places[deck.faction].append(at)
    for faction, same in places.items():
        first, *again = same
        name = case.db.factions[faction].name
        for number, at in enumerate(again, start=2):
            message = f"{plural(number, f'{name} deck')} in a {case.noun}, 1 allowed"
            help = f"Choose another faction than {name} for this deck"
            related = [case.also(first, _place(case.decks[first]))]
            place = _place(case.decks[at])
            yield case.report(RULE, at, place, message, help, related=related)


def _place(deck: Deck) -> Span:
    """The line that sets the faction of a deck."""
    for key in ("faction", "leader"):
        if key in deck.headers:
            return deck.headers[key][0].span
    return deck.span


LEGALITY = JointLegality(RULE, "distinct_factions", check)
