"""too-few-cards: a deck has too few cards of a required kind."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import plural
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DL101",
    name="too-few-cards",
    summary="A deck has too few cards of a required kind",
    what="""\
A format may require a number of cards that meet a condition. `gwent/standard` requires
at least 22 units; heroes count as units. Cards that may not be in a deck do not count.
Unreadable lines and unknown names are findings of their own: while they could fill the
gap, nothing is reported here.""",
    why="gwent 1.1.3: at least 22 unit cards, heroes included.",
    bad="""\
Leader: Foltest, The Siegemaster

2 Ballista
2 Trebuchet
""",
    good="""\
Leader: Foltest, The Siegemaster

3 Blue Stripes Commando
3 Crinfrid Reavers Dragon Hunter
3 Kaedweni Siege Expert
2 Ballista
2 Catapult
2 Trebuchet
2 Redanian Foot Soldier
Siege Tower
Dethmold
Keira Metz
Ves
Vernon Roche
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the number of cards with the constraint's `min`."""
    minimum = case.limit("min")
    if minimum is None:
        return
    count = sum(entry.count for entry, _ in case.entries())
    if count + case.deck.unread >= minimum:
        return
    message = f"{plural(count, case.noun)}, at least {minimum} required"
    help = f"Add {plural(minimum - count, case.noun)}"
    yield case.report(RULE, case.place, message, help, notes=case.unread_note())


LEGALITY = Legality(RULE, "count", check)
