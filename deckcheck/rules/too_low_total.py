"""too-low-total: the cards of a deck add up to less than its format requires."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.totals import total

RULE = Rule(
    code="DL104",
    name="too-low-total",
    summary="The values of a deck's cards add up to less than its format requires",
    what="""\
A format may require a minimum for the sum of a value printed on cards, such as their
strength. None of the built-in formats does; a league may. The example below requires a
total strength of 20. While some cards could not be read, nothing is reported.""",
    why="A league for strong decks can say so in its format.",
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
    sum_of_deck = total(case)
    if sum_of_deck >= minimum:
        return
    attribute = str(case.constraint.settings["attribute"])
    message = f"Total {attribute} {sum_of_deck}, at least {minimum} required"
    help = f"Add or replace cards to raise the total by {minimum - sum_of_deck}"
    yield case.report(RULE, case.place, message, help)


LEGALITY = Legality(RULE, "sum", check)
