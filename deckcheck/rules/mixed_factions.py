"""mixed-factions: a deck that names no faction holds cards of several."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from deckcheck.decks import DeckEntry
from deckcheck.findings import Finding, Related, Rule
from deckcheck.findings.words import plural
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DF108",
    name="mixed-factions",
    summary="A deck that names no faction holds cards of several",
    what="""\
Neither a `Faction` header nor a leader says which faction the deck belongs to, and its
cards come from more than one. Once the faction is known, the cards of others are
`foreign-card`.""",
    why="gwent 1.1.1: one faction per deck.",
    bad="""\
2 Ballista
Nekker
""",
    good="""\
2 Ballista
Geralt of Rivia
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the factions of the cards with each other."""
    if case.deck.faction is not None:
        return
    entries_by_faction: dict[str, list[DeckEntry]] = defaultdict(list)
    for entry in case.deck.entries:
        faction = case.db.cards[entry.card].faction
        if faction is not None and faction != case.db.game.neutral:
            entries_by_faction[faction].append(entry)
    if len(entries_by_faction) < 2:
        return
    names = {faction: case.db.factions[faction].name for faction in entries_by_faction}
    first, second, *rest = entries_by_faction
    related = [
        Related(entries_by_faction[faction][0].span, f"{names[faction]} card")
        for faction in (first, *rest)
    ]
    counts = ", ".join(
        f"{names[faction]} {sum(entry.count for entry in entries)}"
        for faction, entries in entries_by_faction.items()
    )
    message = (
        f"Cards of {plural(len(entries_by_faction), 'faction')}, 1 allowed ({counts})"
    )
    help = "Name the faction or the leader, and remove the cards of the others"
    yield case.report(
        RULE, entries_by_faction[second][0].span, message, help, related=related
    )


LEGALITY = Legality(RULE, "one_faction", check)
