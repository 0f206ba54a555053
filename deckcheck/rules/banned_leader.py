"""banned-leader: a deck has a leader that its format bans."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import quote
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DB103",
    name="banned-leader",
    summary="A deck has a leader that its format bans",
    what="""\
A format may ban leaders by name. None of the built-in formats does; a league may, in
its own format file or with `--rule`. The example below bans Eredin, Bringer of
Death.""",
    why="""\
When one leader wins too often, every deck of the faction ends up with it.""",
    bad="""\
Format: gwent/league
Leader: Eredin, Bringer of Death

Scorch
""",
    good="""\
Format: gwent/league
Leader: Eredin, The Treacherous

Scorch
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the leader with those that the constraint names."""
    deck, db = case.deck, case.db
    if deck.leader in case.constraint.leaders:
        leader = db.leaders[deck.leader]
        others = [
            other.full_name
            for other in db.leaders.values()
            if other.faction == leader.faction
            and other.id not in case.constraint.leaders
        ]
        notes = [f"Leaders that remain: {'; '.join(others)}"] if others else []
        yield case.report(
            RULE,
            deck.headers["leader"][0].span,
            f"{quote(leader.full_name)} is banned",
            "Choose another leader",
            notes=notes,
        )


LEGALITY = Legality(RULE, "banned", check)
