"""banned-card: a deck holds a card that its format bans."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import plural, quote
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DB101",
    name="banned-card",
    summary="A deck holds a card that its format bans",
    what="""\
A format may ban cards, by name or by what is printed on them: the solo formats of Gwent
ban all weather but Clear Weather. A league may ban more, in its own format file or with
`--rule`. The example below bans Scorch.""",
    why="""\
gwent 6.1.3 and 6.3.1: no weather but Clear Weather in a deck against the automa.
Leagues have bans of their own, which a deck built for another league may break.""",
    bad="""\
Format: gwent/league
Leader: Foltest, The Siegemaster

Scorch
""",
    good="""\
Format: gwent/league
Leader: Foltest, The Siegemaster

Commander's Horn
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Look for cards that fit the constraint; each line is a finding."""
    if case.constraint.condition.is_empty:
        return
    for entry, card in case.entries():
        name = quote(card.name)
        message = f"{plural(entry.count, 'copy')} of {name}, which is banned"
        help = f"Remove {plural(entry.count, 'copy')} of {name}"
        yield case.report(RULE, entry.span, message, help)


LEGALITY = Legality(RULE, "banned", check)
