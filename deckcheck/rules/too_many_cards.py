"""too-many-cards: a deck has more cards of a kind than its format allows."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import plural
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.crossing import crossing, others

RULE = Rule(
    code="DL102",
    name="too-many-cards",
    summary="A deck has more cards of a kind than its format allows",
    what="""\
A format may limit the number of cards that meet a condition: `gwent/standard` allows 10
special cards, weather included; `gwent/advanced` allows 5 special cards, 2 spies and 2
medics, heroes included. The finding points at the line that goes over the limit and
names the other lines that count.""",
    why="""\
gwent 1.1.4: at most 10 special cards, weather cards are special cards. gwent 2.3 to
2.5: at most 5 special cards, 2 spy cards, 2 medic cards.""",
    bad="""\
Leader: Foltest, The Siegemaster

3 Decoy
3 Scorch
3 Commander's Horn
3 Clear Weather
""",
    good="""\
Leader: Foltest, The Siegemaster

3 Decoy
3 Scorch
3 Commander's Horn
1 Clear Weather
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the number of cards with the constraint's `max`."""
    maximum = case.limit("max")
    if maximum is None:
        return
    entries = [entry for entry, _ in case.entries()]
    count = sum(entry.count for entry in entries)
    if count <= maximum:
        return
    crossed = crossing(((entry, entry.count) for entry in entries), maximum)
    message = f"{plural(count, case.noun)}, at most {maximum} allowed"
    help = f"Remove {plural(count - maximum, case.noun)}"
    related = others(entries, crossed)
    yield case.report(RULE, crossed.span, message, help, related=related)


LEGALITY = Legality(RULE, "count", check)
