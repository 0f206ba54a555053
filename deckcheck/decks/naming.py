"""The findings of names: cards (family DC), factions and leaders (family DF)."""

from __future__ import annotations

from deckcheck.findings import Rule, Severity

__all__ = [
    "AMBIGUOUS_CARD",
    "AMBIGUOUS_LEADER",
    "NAMING_RULES",
    "REPEATED_CARD",
    "UNKNOWN_CARD",
    "UNKNOWN_FACTION",
    "UNKNOWN_LEADER",
]

_HEAD = "Leader: Foltest, The Siegemaster\n\n"
_GOOD = "Faction: Northern Realms\n" + _HEAD + "2 Ballista\n"

UNKNOWN_CARD = Rule(
    code="DC101",
    name="unknown-card",
    summary="A name is not in the card database of the game",
    what="""\
Names match whatever their case, accents, quotes, dashes and spacing; ids and aliases
match too. This one matches nothing, and counts nowhere. Up to three names that look
like it are suggested.""",
    why="""\
A misspelt card must not change the sizes of a deck: a lower limit is not called missed
when the unknown cards could fill it.""",
    bad=_HEAD + "2 Ballsta\n",
    good=_GOOD,
)

AMBIGUOUS_CARD = Rule(
    code="DC102",
    name="ambiguous-card",
    summary="A name fits several cards",
    what="""\
The name is shared by several cards; the finding lists them. No two cards of Gwent have
a name in common, so the example below stands for two cards called Archer.""",
    why="Nobody but the player knows which card was meant, so none is chosen.",
    bad=_HEAD + "2 Archer\n",
    good=_GOOD,
)

REPEATED_CARD = Rule(
    code="DC104",
    name="repeated-card",
    severity=Severity.NOTE,
    summary="A card stands on several lines of one deck",
    what="The copies of all lines are added up; the deck stays as legal as it was.",
    why="A card that was meant to be another one is easily overlooked.",
    bad=_HEAD + "Ballista\nBallista\n",
    good=_GOOD,
)

UNKNOWN_FACTION = Rule(
    code="DF101",
    name="unknown-faction",
    summary="The `Faction` header names no faction a deck can have",
    what="""\
The name matches no faction of the game, or it is that of the neutral cards, which are
no faction of their own.""",
    why="gwent 1.1.1: one faction per deck.",
    bad="Faction: Northern Relams\n" + _HEAD + "2 Ballista\n",
    good=_GOOD,
)

UNKNOWN_LEADER = Rule(
    code="DF102",
    name="unknown-leader",
    summary="The `Leader` header names no leader of the game",
    what="""\
A leader is written with name and title, `Foltest, The Siegemaster`, or by either alone
where that is enough.""",
    why="gwent 1.1.2: exactly 1 leader.",
    bad="Leader: Foltest, The Siegemister\n\n2 Ballista\n",
    good=_GOOD,
)

AMBIGUOUS_LEADER = Rule(
    code="DF103",
    name="ambiguous-leader",
    summary="A name fits several leaders",
    what="`Foltest` alone is five leaders: the title tells them apart.",
    why="gwent 1.1.2: exactly 1 leader. None is chosen in the player's place.",
    bad="Leader: Foltest\n\n2 Ballista\n",
    good=_GOOD,
)

NAMING_RULES: tuple[Rule, ...] = (
    UNKNOWN_CARD,
    AMBIGUOUS_CARD,
    REPEATED_CARD,
    UNKNOWN_FACTION,
    UNKNOWN_LEADER,
    AMBIGUOUS_LEADER,
)
