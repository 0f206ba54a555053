"""foreign-card: a deck holds a card of another faction."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.decks import DeckEntry
from deckcheck.findings import Finding, Related, Rule
from deckcheck.findings.words import plural, quote
from deckcheck.rules.case import Case, Legality

RULE = Rule(
    code="DF107",
    name="foreign-card",
    summary="A deck holds a card of another faction",
    what="""\
Every card must belong to the deck's faction or be neutral. The `Faction` header says
which faction that is, or else the leader. When not a single card belongs to it, the
deck gets one finding, because then the header is probably wrong. Where a deck lists
reserves, the same holds for the cards in them that no deck holds.""",
    why="""\
gwent 1.1.1: one faction per deck; neutral cards exist for each faction. sg_gwint 1.11:
the reserves hold cards of the deck's faction and neutral ones.""",
    bad="""\
Leader: Foltest, The Siegemaster

2 Ballista
Nekker
""",
    good="""\
Leader: Foltest, The Siegemaster

2 Ballista
Geralt of Rivia
""",
)


def check(case: Case) -> Iterator[Finding]:
    """Compare the faction of every card with that of the deck."""
    own = case.deck.faction
    if own is None:
        return
    fitting = (own, case.db.game.neutral)
    foreign: list[DeckEntry] = []
    has_own = False
    for entry in case.deck.entries:
        faction = case.db.cards[entry.card].faction
        has_own = has_own or faction == own
        if faction not in fitting:
            foreign.append(entry)
    if has_own or len(foreign) < 3:
        for entry in foreign:
            yield _of_one(case, own, entry)
    else:
        yield _of_all(case, own, foreign)


def check_reserves(case: Case) -> Iterator[Finding]:
    """Compare the faction of every reserve card with that of the deck."""
    own = case.deck.faction
    for entry, card in case.reserves():
        if own is not None and card.faction not in (own, case.db.game.neutral):
            yield _of_one(case, own, entry, " in the reserves")


def _of_one(case: Case, own: str, entry: DeckEntry, place: str = "") -> Finding:
    card = case.db.cards[entry.card]
    names = {id: faction.name for id, faction in case.db.factions.items()}
    message = (
        f"{quote(card.name)} is a {names.get(card.faction or '')} card, "
        f"only {names[own]} and neutral cards allowed{place}"
    )
    help = f"Remove {plural(entry.count, 'copy')} of {quote(card.name)}"
    return case.report(RULE, entry.span, message, help, related=_header(case))


def _of_all(case: Case, own: str, foreign: list[DeckEntry]) -> Finding:
    number = plural(sum(entry.count for entry in foreign), "card")
    name = case.db.factions[own].name
    message = f"{number} of other factions, only {name} and neutral cards allowed"
    help = f"No card of the deck belongs to {name}: correct the faction or the leader"
    return case.report(RULE, foreign[0].span, message, help, related=_header(case))


def _header(case: Case) -> list[Related]:
    """The line that says what the faction of the deck is."""
    for key in ("faction", "leader"):
        if key in case.deck.headers:
            span = case.deck.headers[key][0].span
            return [Related(span, "this sets the faction")]
    return []


LEGALITY = Legality(RULE, "one_faction", check)
IN_RESERVES = Legality(RULE, "reserves", check_reserves)
