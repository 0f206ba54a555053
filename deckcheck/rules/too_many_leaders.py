"""too-many-leaders: a deck names more leaders than its format allows."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Related, Rule
from deckcheck.findings.words import plural
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DF105",
    name="too-many-leaders",
    summary="A deck names more leaders than its format allows",
    what="The deck has several `Leader` headers. The first one sets the faction.",
    why="gwent 1.1.2: exactly 1 leader.",
    bad="""\
Leader: Foltest, The Siegemaster
Leader: Foltest, Son of Medell

2 Ballista
""",
    good="""\
Leader: Foltest, The Siegemaster

2 Ballista
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Count the leader headers."""
    allowed = case.limit("count")
    headers = case.deck.headers.get("leader", ())
    if allowed is None or len(headers) <= allowed:
        return
    extra = headers[allowed]
    related = [
        Related(header.span, "also a leader")
        for header in headers
        if header is not extra
    ]
    message = f"{plural(len(headers), 'leader')}, exactly {allowed} allowed"
    help = f"Keep {allowed}, or write `---` between two decks"
    yield case.report(RULE, extra.span, message, help, related=related)


LEGALITY = Legality(RULE, "leader", check)
