"""The findings of names: cards (family DC), factions and leaders (family DF)."""

from __future__ import annotations

from deckcheck.findings import Rule, Severity

_HEAD = "Leader: Foltest, The Siegemaster\n\n"
_GOOD = "Faction: Northern Realms\n" + _HEAD + "2 Ballista\n"

UNKNOWN_CARD = Rule(
    code="DC101",
    name="unknown-card",
    summary="A name is not in the card database of the game",
    what="""\
Names match whatever their case, accents, quotes, dashes and spacing; ids and aliases
match too. This name matches nothing, and its line counts nowhere. Up to three similar
names are suggested.""",
    why="""\
A misspelt card should not cause a second finding: a minimum is not reported as missed
while the unknown cards could fill it.""",
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
    why="Only the player knows which card was meant, so none is chosen.",
    bad=_HEAD + "2 Archer\n",
    good=_GOOD,
)

REPEATED_CARD = Rule(
    code="DC104",
    name="repeated-card",
    severity=Severity.NOTE,
    summary="A card is on several lines of one deck",
    what="The copies on all lines are added up. This does not make a deck illegal.",
    why="One of the lines may have been meant as another card.",
    bad=_HEAD + "Ballista\nBallista\n",
    good=_GOOD,
)

REMOVED_CARD = Rule(
    code="DC105",
    name="removed-card",
    summary="A deck holds a card that a set of the format has removed",
    what="""\
The card is one of the game, but a set of cards that the format names has removed it;
the finding says which. Its line counts nowhere. The example below stands for a deck of
a format with such a set.""",
    why="A set with `remove: [Decoy]` says that its league plays without the card.",
    bad=_HEAD + "2 Decoy\n",
    good=_GOOD,
)

UNPUBLISHED_CARD = Rule(
    code="DC106",
    name="unpublished-card",
    summary="Of a card or leader only the name is public",
    what="""\
The card database knows the name, but not what the card does, because the official list
is not public. The deck is judged as far as that goes. It cannot be played. The example
below stands for such a card in the set of a league.""",
    why="A card of unknown values is never taken for a blank one.",
    bad="Format: gwent/league\n" + _HEAD + "The White Wolf\n",
    good="Format: gwent/league\n" + _HEAD + "Geralt of Rivia\n",
    severity=Severity.NOTE,
)

UNKNOWN_FACTION = Rule(
    code="DF101",
    name="unknown-faction",
    summary="The `Faction` header names an unknown faction",
    what="""\
The name matches no faction of the game, or it means the neutral cards, which fit every
deck and are not a faction of their own.""",
    why="gwent 1.1.1: one faction per deck.",
    bad="Faction: Northern Relams\n" + _HEAD + "2 Ballista\n",
    good=_GOOD,
)

UNKNOWN_LEADER = Rule(
    code="DF102",
    name="unknown-leader",
    summary="The `Leader` header names an unknown leader",
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
    what="`Foltest` alone could be any of five leaders: the title says which.",
    why="gwent 1.1.2: exactly 1 leader. None is chosen for the player.",
    bad="Leader: Foltest\n\n2 Ballista\n",
    good=_GOOD,
)

NAMING_RULES: tuple[Rule, ...] = (
    UNKNOWN_CARD,
    AMBIGUOUS_CARD,
    REPEATED_CARD,
    REMOVED_CARD,
    UNPUBLISHED_CARD,
    UNKNOWN_FACTION,
    UNKNOWN_LEADER,
    AMBIGUOUS_LEADER,
)
