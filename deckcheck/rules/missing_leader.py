"""missing-leader: a deck names no leader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from deckcheck.findings import Finding, Rule
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DF104",
    name="missing-leader",
    summary="A deck names no leader",
    what="""\
The deck has no `Leader` header. A name that is no leader's, or that of several, is
`unknown-leader` or `ambiguous-leader`.""",
    why="gwent 1.1.2: exactly 1 leader.",
    bad="""\
Faction: Northern Realms

2 Ballista
""",
    good="""\
Leader: Foltest, The Siegemaster

2 Ballista
""",
)


_IN_TEXT = "Write a line `Leader: ...` above the cards"
_IN_DOCUMENT = "Write a key `leader` at the level of `cards`"
_HELP = {
    ".csv": "Add a column `leader`, and write the leader in the first row of the deck",
    ".yaml": _IN_DOCUMENT,
    ".yml": _IN_DOCUMENT,
    ".json": _IN_DOCUMENT,
}
"""What to do, by the suffix of the file."""


def check(case: Case) -> Iterator[Finding]:
    """Look for a leader header."""
    required = case.limit("count") or 0
    if required == 0 or case.deck.headers.get("leader"):
        return
    message = f"No leader, exactly {required} required"
    help = _HELP.get(PurePath(case.deck.source.path).suffix.lower(), _IN_TEXT)
    faction = case.deck.faction
    names = [
        leader.full_name
        for leader in case.db.leaders.values()
        if leader.faction == faction
    ]
    notes = []
    if faction is not None and names:
        notes = [f"Leaders of {case.db.factions[faction].name}: {'; '.join(names)}"]
    yield case.report(RULE, case.deck.span, message, help, notes=notes)


LEGALITY = Legality(RULE, "leader", check)
