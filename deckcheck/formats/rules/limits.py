"""Limits: how many cards, copies and points a deck holds, and which (DL, DB, DC103)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from deckcheck.cards.models import Card, Condition
from deckcheck.decks import DeckEntry
from deckcheck.findings import Finding, Related, Rule
from deckcheck.formats.model import CONDITION_KEYS, Constraint
from deckcheck.formats.rules.case import (
    Case,
    Clause,
    Legality,
    crossing,
    faction_span,
    held_too_often,
    is_named,
    others,
    weigh_lines,
)
from deckcheck.messages import plural, quote

TOO_FEW_CARDS = Rule(
    "DL101", "too-few-cards", "A deck has too few cards of a required kind"
)


def check_too_few_cards(case: Case) -> Iterator[Finding]:
    """Yield a finding if the deck has fewer cards than the constraint's `min`."""
    minimum = case.constraint.number("min")
    if minimum is None:
        return
    count = sum(entry.count for entry, _ in case.entries())
    if count + case.deck.unread >= minimum:
        return
    message = f"{plural(count, case.noun)}, at least {minimum} required"
    missing = minimum - count
    help = f"Add {plural(missing, case.noun)}"
    note = case.unread_note()
    yield case.report(
        TOO_FEW_CARDS, case.place, message, help, notes=note, excess=missing
    )


TOO_MANY_CARDS = Rule(
    "DL102", "too-many-cards", "A deck has more cards of a kind than its format allows"
)


def check_too_many_cards(case: Case) -> Iterator[Finding]:
    """Yield a finding if the deck has more cards than the constraint's `max`."""
    maximum = case.constraint.number("max")
    if maximum is None:
        return
    entries = [entry for entry, _ in case.entries()]
    count = sum(entry.count for entry in entries)
    if count <= maximum:
        return
    crossed = crossing(((entry, entry.count) for entry in entries), maximum)
    message = f"{plural(count, case.noun)}, at most {maximum} allowed"
    excess = count - maximum
    help = f"Remove {plural(excess, case.noun)}"
    related = others(entries, crossed)
    yield case.report(
        TOO_MANY_CARDS, crossed.span, message, help, related=related, excess=excess
    )


TOO_MANY_COPIES = Rule(
    "DL103", "too-many-copies", "A deck has more copies of a card than there are"
)


def check_too_many_copies(case: Case) -> Iterator[Finding]:
    """Compare the copies of each card with the number on the card."""
    return find_too_many_copies(case, case.entries(), "")


def find_too_many_copies(
    case: Case, held: Iterable[tuple[DeckEntry, Card]], place: str
) -> Iterator[Finding]:
    """Compare the copies of each card held in a place with the number on the card."""
    for card, count, line, related in held_too_often(held, lambda card: card.copies):
        name = quote(card.name)
        copies = f"{plural(count, 'copy')} of {name}{place}"
        message = f"{copies}, at most {card.copies} allowed"
        excess = count - card.copies
        help = f"Remove {plural(excess, 'copy')} of {name}"
        yield case.report(
            TOO_MANY_COPIES, line.span, message, help, related=related, excess=excess
        )


TOO_LOW_TOTAL = Rule(
    "DL104",
    "too-low-total",
    "The values of a deck's cards add up to less than its format requires",
)


def _read_attribute(constraint: Constraint, card: Card) -> int:
    """Return the value of a card that a constraint adds up, or 0."""
    value = getattr(card, str(constraint.settings["attribute"]), None)
    return value if isinstance(value, int) else 0


def check_too_low_total(case: Case) -> Iterator[Finding]:
    """Yield a finding if the constraint's `attribute` adds up to too little."""
    minimum = case.constraint.number("min")
    if minimum is None or case.deck.unread:
        return
    sum_of_deck = sum(weight for _, weight in weigh_lines(case, _read_attribute))
    if sum_of_deck >= minimum:
        return
    attribute = str(case.constraint.settings["attribute"])
    message = f"Total {attribute} {sum_of_deck}, at least {minimum} required"
    missing = minimum - sum_of_deck
    help = f"Add or replace cards to raise the total by {missing}"
    yield case.report(TOO_LOW_TOTAL, case.place, message, help, excess=missing)


TOO_HIGH_TOTAL = Rule(
    "DL105",
    "too-high-total",
    "The values of a deck's cards add up to more than its format allows",
)


def check_too_high_total(case: Case) -> Iterator[Finding]:
    """Yield a finding if the constraint's `attribute` adds up to too much."""
    maximum = case.constraint.number("max")
    if maximum is None:
        return
    lines = weigh_lines(case, _read_attribute)
    sum_of_deck = sum(weight for _, weight in lines)
    if sum_of_deck <= maximum:
        return
    attribute = str(case.constraint.settings["attribute"])
    crossed = crossing(lines, maximum)
    message = f"Total {attribute} {sum_of_deck}, at most {maximum} allowed"
    excess = sum_of_deck - maximum
    help = f"Remove or replace cards to lower the total by {excess}"
    yield case.report(TOO_HIGH_TOTAL, crossed.span, message, help, excess=excess)


TOO_MANY_POINTS = Rule(
    "DL109",
    "too-many-points",
    "The cards of a deck are worth more points than its format allows",
)


def check_too_many_points(case: Case) -> Iterator[Finding]:
    """Compare the points of all cards with the constraint's `max`."""
    maximum = case.constraint.number("max")
    if maximum is None:
        return
    lines = weigh_lines(case, _weigh_card)
    total = sum(weight for _, weight in lines)
    if total <= maximum:
        return
    crossed = crossing(lines, maximum)
    parts = " + ".join(str(weight) for _, weight in lines)
    sum_of = f"{parts} = " if len(lines) > 1 else ""
    message = f"{sum_of}{plural(total, 'point')}, at most {maximum} allowed"
    excess = total - maximum
    help = f"Remove cards that are worth {plural(excess, 'point')} or more"
    rest = ((entry, weight) for entry, weight in lines if entry is not crossed)
    related = [Related(entry.span, plural(weight, "point")) for entry, weight in rest]
    notes = [f"Points: {', '.join(_show_price(case, *pair) for pair in lines)}"]
    yield case.report(
        TOO_MANY_POINTS,
        crossed.span,
        message,
        help,
        related=related,
        notes=notes,
        excess=excess,
    )


def _show_price(case: Case, entry: DeckEntry, weight: int) -> str:
    """Return a line with its points, and the points of a copy if there are several."""
    name = quote(case.database.cards[entry.card].name)
    each = weight // entry.count
    copies = f" ({entry.count} of {each})" if entry.count > 1 else ""
    return f"{name} {weight}{copies}"


def _read_points(constraint: Constraint) -> Mapping[str, int]:
    points = constraint.settings["points"]
    assert isinstance(points, Mapping)
    return points


def _weigh_card(constraint: Constraint, card: Card) -> int:
    return _read_points(constraint).get(card.id, 0)


def _list_prices(clause: Clause) -> str:
    """Return the limit with the points of each card. A set may have removed a card."""
    database = clause.database
    names = {id: card.name for id, card in database.removals.items()}
    names |= {id: card.name for id, card in database.cards.items()}
    points = _read_points(clause.constraint)
    cards = (f"{names[id]} {worth}" for id, worth in points.items())
    most = plural(clause.constraint.number("max") or 0, "point")
    return f"At most {most} in all: {', '.join(cards)}"


BANNED_CARD = Rule("DB101", "banned-card", "A deck holds a card that its format bans")


def check_banned_card(case: Case) -> Iterator[Finding]:
    """Look for cards that fit the constraint. Each line is a finding."""
    if case.constraint.condition.is_empty:
        return
    for entry, card in case.entries():
        name = quote(card.name)
        message = f"{plural(entry.count, 'copy')} of {name}, which is banned"
        help = f"Remove {plural(entry.count, 'copy')} of {name}"
        yield case.report(BANNED_CARD, entry.span, message, help, excess=entry.count)


RESTRICTED_CARD = Rule(
    "DB102",
    "restricted-card",
    "A deck has more copies of a card than its format allows",
)


def check_restricted_card(case: Case) -> Iterator[Finding]:
    """Yield a finding for each card with more copies than the constraint's `max`."""
    maximum = case.constraint.number("max") or 0
    for card, count, line, related in held_too_often(case.entries(), lambda _: maximum):
        name = quote(card.name)
        message = f"{plural(count, 'copy')} of {name}, restricted to {maximum}"
        excess = count - maximum
        help = f"Remove {plural(excess, 'copy')} of {name}"
        yield case.report(
            RESTRICTED_CARD, line.span, message, help, related=related, excess=excess
        )


BANNED_LEADER = Rule(
    "DB103", "banned-leader", "A deck has a leader that its format bans"
)


def check_banned_leader(case: Case) -> Iterator[Finding]:
    """Yield a finding if the constraint names the leader."""
    deck = case.deck
    database = case.database
    if deck.leader in case.constraint.leaders:
        leader = database.leaders[deck.leader]
        span = deck.headers["leader"][0].span
        remaining = []
        for other in database.leaders.values():
            is_banned = other.id in case.constraint.leaders
            if other.faction == leader.faction and not is_banned:
                remaining.append(other.full_name)
        notes = [f"Leaders that remain: {'; '.join(remaining)}"] if remaining else []
        message = f"{quote(leader.full_name)} is banned"
        help = "Choose another leader"
        yield case.report(BANNED_LEADER, span, message, help, notes=notes)


BANNED_FACTION = Rule(
    "DB104", "banned-faction", "A deck is of a faction that its format bans"
)


def check_banned_faction(case: Case) -> Iterator[Finding]:
    """Yield a finding if the faction of the deck is banned."""
    banned = case.constraint.condition
    if banned != Condition(factions=banned.factions):
        return
    faction = case.deck.faction
    if faction is not None and faction in banned.factions:
        span = faction_span(case.deck) or case.deck.span
        message = f"{quote(case.faction_name(faction))} is banned"
        yield case.report(BANNED_FACTION, span, message, "Choose another faction")


UNDECKABLE_CARD = Rule(
    "DC103",
    "undeckable-card",
    "A deck holds a card that only other cards bring into play",
)


def check_undeckable_card(case: Case) -> Iterator[Finding]:
    """Yield a finding for each card that no deck may hold."""
    for entry in case.deck.entries:
        card = case.database.cards[entry.card]
        if not card.deckable:
            name = quote(card.name)
            message = f"{plural(entry.count, 'copy')} of {name}, none allowed in a deck"
            help = "Remove it: another card brings it into play from the side deck"
            if case.database.game.reserves:
                help = "List it below `Reserves:`, outside the deck"
            yield case.report(
                UNDECKABLE_CARD, entry.span, message, help, excess=entry.count
            )


# The words of format files that these rules serve


def _describe_ban(clause: Clause) -> str:
    banned = [clause.database.leaders[id].full_name for id in clause.constraint.leaders]
    if not clause.constraint.condition.is_empty:
        banned = [clause.cards, *banned]
    return f"Banned: {'; '.join(banned)}"


def _read_maximum(constraint: Constraint) -> int:
    return constraint.number("max") or 0


LEGALITIES = (
    Legality(
        word="count",
        meaning="How many cards that fit the condition a deck holds; every copy "
        "counts.",
        any_of=("min", "max"),
        optional=CONDITION_KEYS,
        sentence=lambda clause: f"{clause.range.capitalize()} {clause.cards}",
        checks={
            TOO_FEW_CARDS: check_too_few_cards,
            TOO_MANY_CARDS: check_too_many_cards,
        },
        weigh=lambda constraint, card: 1,
        is_drawn=True,
        touches=lambda constraint, card: (
            "max" in constraint.settings and is_named(constraint, card)
        ),
    ),
    Legality(
        word="sum",
        meaning="The total of an attribute over all copies of cards that fit the "
        "condition.",
        required=("attribute",),
        any_of=("min", "max"),
        optional=CONDITION_KEYS,
        sentence=lambda clause: (
            f"Total {clause.constraint.settings['attribute']} of {clause.cards}: "
            f"{clause.range}"
        ),
        checks={
            TOO_LOW_TOTAL: check_too_low_total,
            TOO_HIGH_TOTAL: check_too_high_total,
        },
        weigh=_read_attribute,
        touches=lambda constraint, card: False,
    ),
    Legality(
        word="points",
        meaning="The points of all copies of the cards that `points` lists, at most "
        "`max`.",
        required=("points", "max"),
        sentence=_list_prices,
        checks={TOO_MANY_POINTS: check_too_many_points},
        weigh=_weigh_card,
        touches=lambda constraint, card: _weigh_card(constraint, card) > 0,
    ),
    Legality(
        word="copies",
        meaning="No card more often than its own `copies`.",
        sentence=lambda clause: "No more copies of a card than the game has",
        checks={TOO_MANY_COPIES: check_too_many_copies},
    ),
    Legality(
        word="banned",
        meaning="No card that fits the condition, and no listed leader.",
        any_of=(*CONDITION_KEYS, "leaders"),
        sentence=_describe_ban,
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
        any_of=CONDITION_KEYS,
        sentence=lambda clause: (
            f"At most {plural(_read_maximum(clause.constraint), 'copy')} of each of "
            f"these: {clause.cards}"
        ),
        checks={RESTRICTED_CARD: check_restricted_card},
        weigh=lambda constraint, card: 1,
        copies=_read_maximum,
    ),
    Legality(
        word="deckable",
        meaning="No card that comes into play by other cards only.",
        sentence=lambda clause: "No card that only other cards bring into play",
        checks={UNDECKABLE_CARD: check_undeckable_card},
    ),
)
