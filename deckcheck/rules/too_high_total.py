"""too-high-total: the cards of a deck add up to more than its format allows."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.crossing import crossing
from deckcheck.rules.totals import total, weights

RULE = Rule(
    code="DL105",
    name="too-high-total",
    summary="The values of a deck's cards add up to more than its format allows",
    what="""\
A format may limit the sum of a value printed on cards: in `gwent/advanced` the strength
of all unit cards, heroes included, adds up to at most 130. The finding points at the
line that goes over the limit.""",
    why="gwent 2.6: the strength of all unit cards together is at most 130.",
    bad="""\
Format: gwent/advanced
Leader: Foltest, The Siegemaster

Geralt of Rivia
Cirilla Fiona Elen Riannon
Vernon Roche
John Natalis
Esterad Thyssen
Philippa Eilhart
2 Catapult
3 Crinfrid Reavers Dragon Hunter
2 Ballista
2 Trebuchet
Siege Tower
""",
    good="""\
Format: gwent/advanced
Leader: Foltest, The Siegemaster

Geralt of Rivia
Cirilla Fiona Elen Riannon
Vernon Roche
John Natalis
Esterad Thyssen
Philippa Eilhart
2 Catapult
3 Crinfrid Reavers Dragon Hunter
Ballista
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the sum of the constraint's `attribute` with its `max`."""
    maximum = case.limit("max")
    if maximum is None:
        return
    sum_of_deck = total(case)
    if sum_of_deck <= maximum:
        return
    attribute = str(case.constraint.settings["attribute"])
    crossed = crossing(weights(case), maximum)
    message = f"Total {attribute} {sum_of_deck}, at most {maximum} allowed"
    help = f"Remove or replace cards to lower the total by {sum_of_deck - maximum}"
    yield case.report(RULE, crossed.span, message, help)


LEGALITY = Legality(RULE, "sum", check)
