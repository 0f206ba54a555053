"""foreign-leader: a deck has a leader of another faction."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Related, Rule
from deckcheck.findings.words import quote
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DF106",
    name="foreign-leader",
    summary="A deck has a leader of another faction",
    what="The `Faction` header and the leader do not match. The header counts.",
    why="gwent 1.1.2: the leader is of the deck's faction.",
    bad="""\
Faction: Northern Realms
Leader: Eredin, Bringer of Death

2 Ballista
""",
    good="""\
Faction: Northern Realms
Leader: Foltest, The Siegemaster

2 Ballista
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the faction of the leader with that of the deck."""
    deck, db = case.deck, case.db
    if case.constraint.settings.get("same_faction") is not True:
        return
    if deck.leader is None or deck.faction is None:
        return
    leader = db.leaders[deck.leader]
    if leader.faction == deck.faction:
        return
    own = db.factions[deck.faction].name
    message = (
        f"{quote(leader.full_name)} leads {db.factions[leader.faction].name}, "
        f"only leaders of {own} allowed"
    )
    names = [
        other.full_name
        for other in db.leaders.values()
        if other.faction == deck.faction
    ]
    span = deck.headers["leader"][0].span
    help = "Name a leader of the faction, or correct the faction"
    notes = [f"Leaders of {own}: {'; '.join(names)}"]
    if not names:
        help = f"Correct the faction: {case.db.game.name} has no leader of {own}"
        notes = []
    header = deck.headers["faction"][0]
    related = [Related(header.span, f"{own} here")]
    yield case.report(RULE, span, message, help, related=related, notes=notes)


LEGALITY = Legality(RULE, "leader", check)
