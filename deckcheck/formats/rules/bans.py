"""Cards, leaders and factions that a format bans or restricts (DB, DC103)."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Finding, Rule
from deckcheck.formats.model import CONDITION, Condition, Constraint
from deckcheck.formats.rules.case import (
    Case,
    Clause,
    Legality,
    faction_span,
    held_too_often,
)
from deckcheck.messages import plural, quote

BANNED_CARD = Rule("DB101", "banned-card", "A deck holds a card that its format bans")


def check_banned_card(case: Case) -> Iterator[Finding]:
    """Look for cards that fit the constraint; each line is a finding."""
    if case.constraint.condition.is_empty:
        return
    for entry, card in case.entries():
        name = quote(card.name)
        message = f"{plural(entry.count, 'copy')} of {name}, which is banned"
        help = f"Remove {plural(entry.count, 'copy')} of {name}"
        yield case.report(BANNED_CARD, entry.span, message, help)


RESTRICTED_CARD = Rule(
    "DB102",
    "restricted-card",
    "A deck has more copies of a card than its format allows",
)


def check_restricted_card(case: Case) -> Iterator[Finding]:
    """Compare the copies of each card with the constraint's `max`."""
    maximum = case.constraint.number("max") or 0
    for card, count, line, related in held_too_often(case.entries(), lambda _: maximum):
        name = quote(card.name)
        message = f"{plural(count, 'copy')} of {name}, restricted to {maximum}"
        help = f"Remove {plural(count - maximum, 'copy')} of {name}"
        yield case.report(RESTRICTED_CARD, line.span, message, help, related=related)


BANNED_LEADER = Rule(
    "DB103", "banned-leader", "A deck has a leader that its format bans"
)


def check_banned_leader(case: Case) -> Iterator[Finding]:
    """Compare the leader with those that the constraint names."""
    deck, database = case.deck, case.database
    if deck.leader in case.constraint.leaders:
        leader = database.leaders[deck.leader]
        others = [
            other.full_name
            for other in database.leaders.values()
            if other.faction == leader.faction
            and other.id not in case.constraint.leaders
        ]
        notes = [f"Leaders that remain: {'; '.join(others)}"] if others else []
        yield case.report(
            BANNED_LEADER,
            deck.headers["leader"][0].span,
            f"{quote(leader.full_name)} is banned",
            "Choose another leader",
            notes=notes,
        )


BANNED_FACTION = Rule(
    "DB104", "banned-faction", "A deck is of a faction that its format bans"
)


def check_banned_faction(case: Case) -> Iterator[Finding]:
    """Compare the faction of the deck with those that are banned as a whole."""
    banned = case.constraint.condition
    if banned != Condition(factions=banned.factions):
        return
    faction = case.deck.faction
    if faction is not None and faction in banned.factions:
        span = faction_span(case.deck) or case.deck.span
        name = case.database.factions[faction].name
        help = "Choose another faction"
        yield case.report(BANNED_FACTION, span, f"{quote(name)} is banned", help)


UNDECKABLE_CARD = Rule(
    "DC103",
    "undeckable-card",
    "A deck holds a card that only other cards bring into play",
)


def check_undeckable_card(case: Case) -> Iterator[Finding]:
    """Look for cards that are not deckable."""
    for entry in case.deck.entries:
        card = case.database.cards[entry.card]
        if not card.deckable:
            name = quote(card.name)
            message = f"{plural(entry.count, 'copy')} of {name}, none allowed in a deck"
            help = "Remove it: another card brings it into play from the side deck"
            if case.database.game.reserves:
                help = "List it below `Reserves:`, outside the deck"
            yield case.report(UNDECKABLE_CARD, entry.span, message, help)


# The words of format files that these rules serve.


def _banned(clause: Clause) -> str:
    banned = [clause.database.leaders[id].full_name for id in clause.constraint.leaders]
    if not clause.constraint.condition.is_empty:
        banned = [clause.cards, *banned]
    return f"Banned: {'; '.join(banned)}"


def _maximum(constraint: Constraint) -> int:
    return constraint.number("max") or 0


LEGALITIES = (
    Legality(
        word="banned",
        meaning="No card that fits the condition, and none of these leaders.",
        any_of=(*CONDITION, "leaders"),
        sentence=_banned,
        checks={
            BANNED_CARD: check_banned_card,
            BANNED_LEADER: check_banned_leader,
            BANNED_FACTION: check_banned_faction,
        },
        copies=lambda constraint: 0,
    ),
    Legality(
        word="restricted",
        meaning="No card that fits the condition more often than `max`.",
        required=("max",),
        any_of=CONDITION,
        sentence=lambda clause: (
            f"At most {plural(_maximum(clause.constraint), 'copy')} of each of these: "
            f"{clause.cards}"
        ),
        checks={RESTRICTED_CARD: check_restricted_card},
        weigh=lambda constraint, card: 1,
        copies=_maximum,
    ),
    Legality(
        word="deckable",
        meaning="No card that comes into play by other cards only.",
        sentence=lambda clause: "No card that only other cards bring into play",
        checks={UNDECKABLE_CARD: check_undeckable_card},
    ),
)
