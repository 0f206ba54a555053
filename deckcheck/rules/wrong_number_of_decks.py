"""wrong-number-of-decks: a file holds too few or too many decks for its format."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Rule
from deckcheck.findings.words import plural
from deckcheck.rules.joint import DeckFinding, JointCase, JointLegality

RULE = Rule(
    code="DX101",
    name="wrong-number-of-decks",
    summary="A file holds too few or too many decks for its format",
    what="""\
In some formats one file holds several decks, separated by a line `---`: a lineup of
`gwent/tournament` has 3, a team of `gwent/two_vs_two` 2, a table of
`gwent/free_for_all` 3 to 5. Decks of a team or a table may also have a file each. A
deck that names no format takes that of the deck before it.""",
    why="gwent 3.1: each player brings three decks. gwent 4 and 5: how many can play.",
    bad="""\
Format: gwent/tournament
Leader: Foltest, The Siegemaster

2 Ballista
---
Leader: Eredin, The Treacherous

3 Ghoul
""",
    good="""\
Format: gwent/tournament
Leader: Foltest, The Siegemaster

2 Ballista
---
Leader: Eredin, The Treacherous

3 Ghoul
---
Leader: Crach an Craite

Kambi
""",
)


def check(case: JointCase) -> Iterator[DeckFinding]:
    """Compare the number of decks with what the seating of the format says."""
    seating = case.fmt.seating
    low, high, count = seating.min_decks, seating.max_decks, len(case.decks)
    is_single = count == 1 and seating.single_deck and not case.others
    if is_single or (low <= count + case.unread and count <= high):
        return
    numbers = str(low) if low == high else f"{low} to {high}"
    format = case.fmt.name.replace("_", " ")
    message = f"Found {plural(count, 'deck')}, a {format} {case.noun} holds {numbers}"
    at = high if count > high else 0
    if count > high:
        help = f"Remove {plural(count - high, 'deck')}"
    else:
        missing = plural(low - count, "deck")
        help = f"Add {missing}, each after a line `---` or in the list `decks`"
    notes = []
    if case.others:
        notes.append(f"The file holds {plural(case.others, 'deck')} of other formats")
    yield case.report(RULE, at, case.decks[at].span, message, help, notes=notes)


LEGALITY = JointLegality(RULE, "number_of_decks", check)
