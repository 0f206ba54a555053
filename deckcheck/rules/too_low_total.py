"""too-low-total: the cards of a deck add up to less than its format asks for."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.totals import total

__all__ = ["LEGALITY"]

RULE = Rule(
    code="DL104",
    name="too-low-total",
    summary="The figures of a deck's cards add up to less than its format asks for",
    what="""\
A format may ask for a sum of the figures printed on cards, such as a least strength.
None of the formats that come with the tool does; a league may, such as the example
below, which wants a strength of 20. Nothing is reported while cards of the deck could
not be read.""",
    why="A league that wants strong decks only can say so in its format.",
    bad="""\
Format: gwent/strong
Leader: Foltest, The Siegemaster

2 Redanian Foot Soldier
""",
    good="""\
Format: gwent/strong
Leader: Foltest, The Siegemaster

2 Catapult
Vernon Roche
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the sum of the constraint's `attribute` with its `min`."""
    minimum = case.limit("min")
    if minimum is None or case.deck.unread:
        return
    found = total(case)
    if found >= minimum:
        return
    attribute = str(case.constraint.settings["attribute"])
    message = f"{attribute.capitalize()} {found} in all, at least {minimum} required"
    help = f"Replace or add cards to gain {minimum - found} {attribute}"
    yield case.report(RULE, case.place, message, help)


LEGALITY = Legality(RULE, "sum", check)
