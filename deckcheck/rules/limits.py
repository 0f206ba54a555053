"""Limits: how many cards, copies and points a deck holds (DL)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from deckcheck.cards.models import Card
from deckcheck.decks import DeckEntry
from deckcheck.decks.model import is_reserves
from deckcheck.findings import Finding, Related, Rule, Severity
from deckcheck.formats.model import is_left_to_the_tool, whole_faction
from deckcheck.messages import choice, plural, quote
from deckcheck.rules.case import Case, Legality, crossing, others, total, weights

# too-few-cards: a deck has too few cards of a required kind.

TOO_FEW_CARDS = Rule(
    code="DL101",
    name="too-few-cards",
    summary="A deck has too few cards of a required kind",
    what="""\
A format may require a number of cards that meet a condition. `gwent/standard` requires
at least 22 units; heroes count as units. Cards that may not be in a deck do not count.
Unreadable lines and unknown names are findings of their own: while they could fill the
gap, nothing is reported here.""",
    why="gwent 1.1.3: at least 22 unit cards, heroes included.",
    bad="""\
Leader: Foltest, The Siegemaster

2 Ballista
2 Trebuchet
""",
    good="""\
Leader: Foltest, The Siegemaster

3 Blue Stripes Commando
3 Crinfrid Reavers Dragon Hunter
3 Kaedweni Siege Expert
2 Ballista
2 Catapult
2 Trebuchet
2 Redanian Foot Soldier
Siege Tower
Dethmold
Keira Metz
Ves
Vernon Roche
""",
)


def check_too_few_cards(case: Case) -> Iterator[Finding]:
    """Compare the number of cards with the constraint's `min`."""
    minimum = case.limit("min")
    if minimum is None:
        return
    count = sum(entry.count for entry, _ in case.entries())
    if count + case.deck.unread >= minimum:
        return
    message = f"{plural(count, case.noun)}, at least {minimum} required"
    help = f"Add {plural(minimum - count, case.noun)}"
    yield case.report(
        TOO_FEW_CARDS, case.place, message, help, notes=case.unread_note()
    )


TOO_FEW_CARDS_LEGALITY = Legality(TOO_FEW_CARDS, "count", check_too_few_cards)


# too-many-cards: a deck has more cards of a kind than its format allows.

TOO_MANY_CARDS = Rule(
    code="DL102",
    name="too-many-cards",
    summary="A deck has more cards of a kind than its format allows",
    what="""\
A format may limit the number of cards that meet a condition: `gwent/standard` allows 10
special cards, weather included; `gwent/advanced` allows 5 special cards, 2 spies and 2
medics, heroes included. The finding points at the line that goes over the limit and
names the other lines that count.""",
    why="""\
gwent 1.1.4: at most 10 special cards, weather cards are special cards. gwent 2.3 to
2.5: at most 5 special cards, 2 spy cards, 2 medic cards.""",
    bad="""\
Leader: Foltest, The Siegemaster

3 Decoy
3 Scorch
3 Commander's Horn
3 Clear Weather
""",
    good="""\
Leader: Foltest, The Siegemaster

3 Decoy
3 Scorch
3 Commander's Horn
1 Clear Weather
""",
)


def check_too_many_cards(case: Case) -> Iterator[Finding]:
    """Compare the number of cards with the constraint's `max`."""
    maximum = case.limit("max")
    if maximum is None:
        return
    entries = [entry for entry, _ in case.entries()]
    count = sum(entry.count for entry in entries)
    if count <= maximum:
        return
    crossed = crossing(((entry, entry.count) for entry in entries), maximum)
    message = f"{plural(count, case.noun)}, at most {maximum} allowed"
    help = f"Remove {plural(count - maximum, case.noun)}"
    related = others(entries, crossed)
    yield case.report(TOO_MANY_CARDS, crossed.span, message, help, related=related)


TOO_MANY_CARDS_LEGALITY = Legality(TOO_MANY_CARDS, "count", check_too_many_cards)


# too-many-copies: a deck has more copies of a card than there are.

TOO_MANY_COPIES = Rule(
    code="DL103",
    name="too-many-copies",
    summary="A deck has more copies of a card than there are",
    what="""\
Of each card a player has a fixed number of copies, which the card database gives. Lines
with the same card are added up. It holds for the deck, and where a deck lists reserves
for the cards in them that no deck holds.""",
    why="""\
gwent 1.1.5: there is no upper limit on units, but a deck is bounded by the copies that
exist. sg_gwint 1.11: the reserves hold each card as often as the set prints it.""",
    bad="""\
Leader: Foltest, The Siegemaster

3 Ballista
""",
    good="""\
Leader: Foltest, The Siegemaster

2 Ballista
""",
)


def check_too_many_copies(case: Case) -> Iterator[Finding]:
    """Compare the copies of each card with the number on the card."""
    return _excess(case, case.entries(), "")


def check_too_many_copies_in_reserves(case: Case) -> Iterator[Finding]:
    """The same for the reserves."""
    return _excess(case, case.reserves(), " in the reserves")


def _excess(
    case: Case, held: Iterable[tuple[DeckEntry, Card]], place: str
) -> Iterator[Finding]:
    lines: dict[str, list[DeckEntry]] = defaultdict(list)
    for entry, card in held:
        lines[card.id].append(entry)
    for id, entries in lines.items():
        card = case.db.cards[id]
        count = sum(entry.count for entry in entries)
        if count <= card.copies:
            continue
        crossed = crossing(((entry, entry.count) for entry in entries), card.copies)
        name = quote(card.name)
        copies = f"{plural(count, 'copy')} of {name}{place}"
        message = f"{copies}, at most {card.copies} allowed"
        help = f"Remove {plural(count - card.copies, 'copy')} of {name}"
        related = others(entries, crossed)
        yield case.report(TOO_MANY_COPIES, crossed.span, message, help, related=related)


TOO_MANY_COPIES_LEGALITY = Legality(TOO_MANY_COPIES, "copies", check_too_many_copies)
TOO_MANY_COPIES_IN_RESERVES = Legality(
    TOO_MANY_COPIES, "reserves", check_too_many_copies_in_reserves
)


# too-low-total: the cards of a deck add up to less than its format requires.

TOO_LOW_TOTAL = Rule(
    code="DL104",
    name="too-low-total",
    summary="The values of a deck's cards add up to less than its format requires",
    what="""\
A format may require a minimum for the sum of a value printed on cards, such as their
strength. None of the built-in formats does; a league may. The example below requires a
total strength of 20. While some cards could not be read, nothing is reported.""",
    why="A league for strong decks can say so in its format.",
    bad="""\
Format: gwent/strong
Leader: Foltest, The Siegemaster

2 Redanian Foot Soldier
""",
    good="""\
Format: gwent/strong
Leader: Foltest, The Siegemaster

2 Catapult
Vernon Roche
""",
)


def check_too_low_total(case: Case) -> Iterator[Finding]:
    """Compare the sum of the constraint's `attribute` with its `min`."""
    minimum = case.limit("min")
    if minimum is None or case.deck.unread:
        return
    sum_of_deck = total(case)
    if sum_of_deck >= minimum:
        return
    attribute = str(case.constraint.settings["attribute"])
    message = f"Total {attribute} {sum_of_deck}, at least {minimum} required"
    help = f"Add or replace cards to raise the total by {minimum - sum_of_deck}"
    yield case.report(TOO_LOW_TOTAL, case.place, message, help)


TOO_LOW_TOTAL_LEGALITY = Legality(TOO_LOW_TOTAL, "sum", check_too_low_total)


# too-high-total: the cards of a deck add up to more than its format allows.

TOO_HIGH_TOTAL = Rule(
    code="DL105",
    name="too-high-total",
    summary="The values of a deck's cards add up to more than its format allows",
    what="""\
A format may limit the sum of a value printed on cards: in `gwent/advanced` the strength
of all unit cards, heroes included, adds up to at most 130. The finding points at the
line that goes over the limit.""",
    why="gwent 2.6: the strength of all unit cards together is at most 130.",
    bad="""\
Format: gwent/advanced
Leader: Foltest, The Siegemaster

Geralt of Rivia
Cirilla Fiona Elen Riannon
Vernon Roche
John Natalis
Esterad Thyssen
Philippa Eilhart
2 Catapult
3 Crinfrid Reavers Dragon Hunter
2 Ballista
2 Trebuchet
Siege Tower
""",
    good="""\
Format: gwent/advanced
Leader: Foltest, The Siegemaster

Geralt of Rivia
Cirilla Fiona Elen Riannon
Vernon Roche
John Natalis
Esterad Thyssen
Philippa Eilhart
2 Catapult
3 Crinfrid Reavers Dragon Hunter
Ballista
""",
)


def check_too_high_total(case: Case) -> Iterator[Finding]:
    """Compare the sum of the constraint's `attribute` with its `max`."""
    maximum = case.limit("max")
    if maximum is None:
        return
    sum_of_deck = total(case)
    if sum_of_deck <= maximum:
        return
    attribute = str(case.constraint.settings["attribute"])
    crossed = crossing(weights(case), maximum)
    message = f"Total {attribute} {sum_of_deck}, at most {maximum} allowed"
    help = f"Remove or replace cards to lower the total by {sum_of_deck - maximum}"
    yield case.report(TOO_HIGH_TOTAL, crossed.span, message, help)


TOO_HIGH_TOTAL_LEGALITY = Legality(TOO_HIGH_TOTAL, "sum", check_too_high_total)


# missing-cards: a deck that must hold a whole faction lacks some of its cards.

MISSING_CARDS = Rule(
    code="DL106",
    name="missing-cards",
    summary="A deck that must hold a whole faction lacks some of its cards",
    what="""\
In `gwent/solo` a deck consists of all cards of a faction and all neutral cards; of the
weather cards only Clear Weather belongs to it. You need not list them: a file with a
faction and a leader is enough, and the cards are filled in. A file that lists cards
must list them all.""",
    why="gwent 6.1.2: all cards of the faction form one deck.",
    bad="""\
Format: gwent/solo
Leader: Foltest, The Siegemaster

2 Ballista
""",
    good="""\
Format: gwent/solo
Leader: Foltest, The Siegemaster
""",
)

_SHOWN = 3


def check_missing_cards(case: Case) -> Iterator[Finding]:
    """Compare the cards of the deck with those of its faction."""
    deck = case.deck
    if deck.faction is None or is_left_to_the_tool(deck):
        return
    whole = whole_faction(case.db, deck.faction, case.constraint.condition)
    missing = whole - deck.counts()
    if missing.total() <= deck.unread:
        return
    name = case.db.factions[deck.faction].name
    message = (
        f"{whole.total() - missing.total()} of {plural(whole.total(), 'card')} "
        f"of {name} listed, all or none required"
    )
    names = [quote(case.db.cards[id].name) for id in missing]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    help = (
        f"Remove all cards to have them filled in, or add {', '.join(names[:_SHOWN])}"
    )
    note = case.unread_note()
    yield case.report(MISSING_CARDS, case.place, message, help + more, notes=note)


MISSING_CARDS_LEGALITY = Legality(MISSING_CARDS, "whole_faction", check_missing_cards)


# missing-reserve: listed reserves lack a card that every match needs.

MISSING_RESERVE = Rule(
    code="DL107",
    name="missing-reserve",
    summary="The reserves lack a card that every match needs",
    what="""\
A deck that lists its reserves has no others. In SG Gwint the card Gossip (Klepna) must
be among them. A deck that lists none has all of them.""",
    why="""\
sg_gwint 2.7: the starting player lays Klepna from the reserves, and before the coin is
tossed nobody knows who that is.""",
    bad="""\
Format: sg_gwint/approximation
Leader: King Foltest

Odim

Reserves:
3 Odim's Darkness
""",
    good="""\
Format: sg_gwint/approximation
Leader: King Foltest

Odim

Reserves:
Gossip
3 Odim's Darkness
""",
)


def check_missing_reserve(case: Case) -> Iterator[Finding]:
    """Look for a card that fits the condition among the reserves."""
    deck, condition = case.deck, case.constraint.condition
    if not deck.reserves or deck.unread:
        return
    if any(condition.matches(card) for _, card in case.reserves()):
        return
    fitting = [card for card in case.db.cards.values() if condition.matches(card)]
    if not fitting:
        return
    names = choice([card.name for card in fitting])
    message = f"{plural(0, 'copy')} of {names} in the reserves, at least 1 required"
    help = "Add it, or leave the reserves out to have all that the faction has"
    headings = [at for title, at in deck.sections.items() if is_reserves(title)]
    span = headings[0] if headings else deck.reserves[0].span
    yield case.report(MISSING_RESERVE, span, message, help)


MISSING_RESERVE_LEGALITY = Legality(
    MISSING_RESERVE, "required_reserves", check_missing_reserve
)


# incomplete-reserves: listed reserves lack what a card of the deck brings.

INCOMPLETE_RESERVES = Rule(
    code="DL108",
    name="incomplete-reserves",
    severity=Severity.WARNING,
    summary="The reserves lack cards that a card of the deck brings",
    what="""\
Some cards bring others from the reserves: Odim his Darknesses, the Cow the Bovine
Defence Force. A deck that lists its reserves has no others, so a card whose companions
are not listed brings nothing. The deck is legal all the same.""",
    why="""\
sg_gwint 1.18: a deck lists what reserves it likes, and an ability that finds no card
does nothing; it is more likely that a line was forgotten.""",
    bad="""\
Format: sg_gwint/approximation
Leader: King Foltest

Odim

Reserves:
Gossip
""",
    good="""\
Format: sg_gwint/approximation
Leader: King Foltest

Odim

Reserves:
Gossip
3 Odim's Darkness
""",
)


def check_incomplete_reserves(case: Case) -> Iterator[Finding]:
    """Compare what each card of the deck brings with what the reserves list."""
    deck, cards = case.deck, case.db.cards
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


INCOMPLETE_RESERVES_LEGALITY = Legality(
    INCOMPLETE_RESERVES, "complete_reserves", check_incomplete_reserves
)


# too-many-points: the cards of a deck are worth more points than its format allows.

TOO_MANY_POINTS = Rule(
    code="DL109",
    name="too-many-points",
    summary="The cards of a deck are worth more points than its format allows",
    what="""\
A league may give cards points, and a deck a limit to their sum: strong cards are not
banned, but nobody can have all of them. Every copy counts, and a card that is not
listed is worth nothing. The finding adds the points up, points at the line that goes
over the limit, and names the others that count. In the example below Geralt of Rivia
is worth 8 points, Cirilla Fiona Elen Riannon 8 and Decoy 3, and at most 20 are
allowed.""",
    why="House rules of leagues: a card has a price, where a ban would be too much.",
    bad="""\
Format: gwent/points
Leader: Foltest, The Siegemaster

Geralt of Rivia
Cirilla Fiona Elen Riannon
2 Decoy
""",
    good="""\
Format: gwent/points
Leader: Foltest, The Siegemaster

Geralt of Rivia
Cirilla Fiona Elen Riannon
1 Decoy
""",
)


def check_too_many_points(case: Case) -> Iterator[Finding]:
    """Compare the points of all cards with the constraint's `max`."""
    points, maximum = case.constraint.settings.get("points"), case.limit("max")
    if not isinstance(points, Mapping) or maximum is None:
        return
    weighed = [
        (entry, points[entry.card] * entry.count)
        for entry, _ in case.entries()
        if points.get(entry.card)
    ]
    total = sum(weight for _, weight in weighed)
    if total <= maximum:
        return
    crossed = crossing(weighed, maximum)
    parts = " + ".join(str(weight) for _, weight in weighed)
    sum_of = f"{parts} = " if len(weighed) > 1 else ""
    message = f"{sum_of}{plural(total, 'point')}, at most {maximum} allowed"
    help = f"Remove cards that are worth {plural(total - maximum, 'point')} or more"
    related = [
        Related(entry.span, plural(weight, "point"))
        for entry, weight in weighed
        if entry is not crossed
    ]
    notes = [f"Points: {', '.join(_priced(case, *pair, points) for pair in weighed)}"]
    yield case.report(
        TOO_MANY_POINTS, crossed.span, message, help, related=related, notes=notes
    )


def _priced(
    case: Case, entry: DeckEntry, weight: int, points: Mapping[str, int]
) -> str:
    """A line with its points, and those of a copy where there are several."""
    name = quote(case.db.cards[entry.card].name)
    copies = f" ({entry.count} of {points[entry.card]})" if entry.count > 1 else ""
    return f"{name} {weight}{copies}"


TOO_MANY_POINTS_LEGALITY = Legality(TOO_MANY_POINTS, "points", check_too_many_points)
