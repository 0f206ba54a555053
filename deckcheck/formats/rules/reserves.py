"""Rules of what lies beside a deck, and of whole factions (DL)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from deckcheck.decks.model import is_reserves
from deckcheck.findings import Finding, Rule, Severity
from deckcheck.formats.model import CONDITION, is_left_to_the_tool, whole_faction
from deckcheck.formats.rules.case import Case, Clause, Legality
from deckcheck.formats.rules.factions import FOREIGN_CARD, foreign
from deckcheck.formats.rules.limits import TOO_MANY_COPIES, excess
from deckcheck.messages import choice, plural, quote

MISSING_CARDS = Rule(
    "DL106",
    "missing-cards",
    "A deck that must hold a whole faction lacks some of its cards",
)

_SHOWN = 3


def check_missing_cards(case: Case) -> Iterator[Finding]:
    """Compare the cards of the deck with those of its faction."""
    deck = case.deck
    if deck.faction is None or is_left_to_the_tool(deck):
        return
    whole = whole_faction(case.database, deck.faction, case.constraint.condition)
    missing = whole - deck.counts()
    if missing.total() <= deck.unread:
        return
    name = case.database.factions[deck.faction].name
    message = (
        f"{whole.total() - missing.total()} of {plural(whole.total(), 'card')} "
        f"of {name} listed, all or none required"
    )
    names = [quote(case.database.cards[id].name) for id in missing]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    help = (
        f"Remove all cards to have them filled in, or add {', '.join(names[:_SHOWN])}"
    )
    note = case.unread_note()
    yield case.report(MISSING_CARDS, case.place, message, help + more, notes=note)


MISSING_RESERVE = Rule(
    "DL107", "missing-reserve", "The reserves lack a card that every match needs"
)


def check_missing_reserve(case: Case) -> Iterator[Finding]:
    """Look for a card that fits the condition among the reserves."""
    deck, condition = case.deck, case.constraint.condition
    if not deck.reserves or deck.unread:
        return
    if any(condition.matches(card) for _, card in case.reserves()):
        return
    fitting = [card for card in case.database.cards.values() if condition.matches(card)]
    if not fitting:
        return
    names = choice([card.name for card in fitting])
    message = f"{plural(0, 'copy')} of {names} in the reserves, at least 1 required"
    help = "Add it, or leave the reserves out to have all that the faction has"
    headings = [at for title, at in deck.sections.items() if is_reserves(title)]
    span = headings[0] if headings else deck.reserves[0].span
    yield case.report(MISSING_RESERVE, span, message, help)


INCOMPLETE_RESERVES = Rule(
    "DL108",
    "incomplete-reserves",
    "The reserves lack cards that a card of the deck brings",
    Severity.WARNING,
)


def check_incomplete_reserves(case: Case) -> Iterator[Finding]:
    """Compare what each card of the deck brings with what the reserves list."""
    deck, cards = case.deck, case.database.cards
    if not deck.reserves or deck.unread:
        return
    listed = deck.reserve_counts()
    asked: Counter[str] = Counter()
    for entry, card in case.entries():
        for ability in card.abilities:
            target = cards.get(ability.target or "")
            if target is None or target.deckable:
                continue
            amount = (ability.amount or 1) * entry.count
            asked[target.id] = min(asked[target.id] + amount, target.copies)
            missing = asked[target.id] - listed[target.id]
            if missing > 0:
                name = quote(target.name)
                message = (
                    f"{quote(card.name)} brings {plural(amount, 'copy')} of {name}, "
                    f"{listed[target.id]} in the reserves"
                )
                help = f"Add {plural(missing, 'copy')} of {name} below `Reserves:`"
                yield case.report(INCOMPLETE_RESERVES, entry.span, message, help)


# The reserves: cards of the deck's faction, no more copies than there are.


def check_too_many_copies_in_reserves(case: Case) -> Iterator[Finding]:
    """Compare the copies of each reserve card with the number on the card."""
    return excess(case, case.reserves(), " in the reserves")


def check_foreign_card_in_reserves(case: Case) -> Iterator[Finding]:
    """Compare the faction of every reserve card with that of the deck."""
    own = case.deck.faction
    for entry, card in case.reserves():
        if own is not None and card.faction not in (own, case.database.game.neutral):
            yield foreign(case, own, entry, " in the reserves")


# The words of format files that these rules serve.


def _whole_faction(clause: Clause) -> str:
    whole = "All cards of one faction and all neutral cards"
    if clause.constraint.condition.is_empty:
        return whole
    return f"{whole}, apart from {clause.cards}"


LEGALITIES = (
    Legality(
        word="reserves",
        meaning="Of the reserve cards none of another faction, none more often than "
        "its own `copies`; cards that a deck may hold count for nothing there.",
        sentence=lambda clause: (
            "Listed reserves: cards of the deck's faction and neutral ones, no more "
            "copies than the game has"
        ),
        checks={
            TOO_MANY_COPIES: check_too_many_copies_in_reserves,
            FOREIGN_CARD: check_foreign_card_in_reserves,
        },
    ),
    Legality(
        word="required_reserves",
        meaning="Listed reserves hold a card that fits the condition.",
        any_of=CONDITION,
        sentence=lambda clause: f"Listed reserves have {clause.cards}",
        checks={MISSING_RESERVE: check_missing_reserve},
    ),
    Legality(
        word="complete_reserves",
        meaning="Listed reserves hold what the cards of the deck bring; a warning if "
        "not.",
        sentence=lambda clause: (
            "Listed reserves have what the cards of the deck bring, else a warning"
        ),
        checks={INCOMPLETE_RESERVES: check_incomplete_reserves},
    ),
    Legality(
        word="whole_faction",
        meaning="Every copy of every card of the faction, without those that fit the "
        "condition. A file may leave all of them out.",
        optional=CONDITION,
        sentence=_whole_faction,
        checks={MISSING_CARDS: check_missing_cards},
    ),
)
