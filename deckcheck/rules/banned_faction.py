"""banned-faction: a deck is of a faction that its format bans."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.findings.words import quote
from deckcheck.formats.vocabulary import Condition
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DB104",
    name="banned-faction",
    summary="A deck is of a faction that its format bans",
    what="""\
A format may ban all cards of a faction, and then no deck can be of it. The example
below bans Skellige.""",
    why="""\
A faction may be announced before it can be played, or be left out for a season.""",
    bad="""\
Format: gwent/league
Faction: Skellige

Olaf
""",
    good="""\
Format: gwent/league
Faction: Monsters

Fiend
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the faction of the deck with those that are banned as a whole."""
    banned = case.constraint.condition
    if banned != Condition(factions=banned.factions):
        return
    faction = case.deck.faction
    if faction is not None and faction in banned.factions:
        headers = case.deck.headers
        header = (*headers.get("faction", ()), *headers.get("leader", ()))[0]
        name = case.db.factions[faction].name
        help = "Choose another faction"
        yield case.report(RULE, header.span, f"{quote(name)} is banned", help)


LEGALITY = Legality(RULE, "banned", check)
