"""Limits: how many cards, copies and points a deck holds (DL)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from deckcheck.cards.models import Card
from deckcheck.decks import DeckEntry
from deckcheck.findings import Finding, Related, Rule
from deckcheck.formats.model import CONDITION, Constraint
from deckcheck.formats.rules.case import (
    Case,
    Clause,
    Legality,
    crossing,
    is_named,
    others,
    weighed,
)
from deckcheck.messages import plural, quote

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
    minimum = case.constraint.number("min")
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
    maximum = case.constraint.number("max")
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
    return excess(case, case.entries(), "")


def excess(
    case: Case, held: Iterable[tuple[DeckEntry, Card]], place: str
) -> Iterator[Finding]:
    """Compare the copies of each card held in a place with the number on the card."""
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
    minimum = case.constraint.number("min")
    if minimum is None or case.deck.unread:
        return
    sum_of_deck = sum(weight for _, weight in weighed(case, _attribute))
    if sum_of_deck >= minimum:
        return
    attribute = str(case.constraint.settings["attribute"])
    message = f"Total {attribute} {sum_of_deck}, at least {minimum} required"
    help = f"Add or replace cards to raise the total by {minimum - sum_of_deck}"
    yield case.report(TOO_LOW_TOTAL, case.place, message, help)


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
    maximum = case.constraint.number("max")
    if maximum is None:
        return
    lines = weighed(case, _attribute)
    sum_of_deck = sum(weight for _, weight in lines)
    if sum_of_deck <= maximum:
        return
    attribute = str(case.constraint.settings["attribute"])
    crossed = crossing(lines, maximum)
    message = f"Total {attribute} {sum_of_deck}, at most {maximum} allowed"
    help = f"Remove or replace cards to lower the total by {sum_of_deck - maximum}"
    yield case.report(TOO_HIGH_TOTAL, crossed.span, message, help)


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
    maximum = case.constraint.number("max")
    if maximum is None:
        return
    lines = weighed(case, _worth)
    total = sum(weight for _, weight in lines)
    if total <= maximum:
        return
    crossed = crossing(lines, maximum)
    parts = " + ".join(str(weight) for _, weight in lines)
    sum_of = f"{parts} = " if len(lines) > 1 else ""
    message = f"{sum_of}{plural(total, 'point')}, at most {maximum} allowed"
    help = f"Remove cards that are worth {plural(total - maximum, 'point')} or more"
    related = [
        Related(entry.span, plural(weight, "point"))
        for entry, weight in lines
        if entry is not crossed
    ]
    notes = [f"Points: {', '.join(_priced(case, *pair) for pair in lines)}"]
    yield case.report(
        TOO_MANY_POINTS, crossed.span, message, help, related=related, notes=notes
    )


def _priced(case: Case, entry: DeckEntry, weight: int) -> str:
    """A line with its points, and those of a copy where there are several."""
    name = quote(case.db.cards[entry.card].name)
    each = weight // entry.count
    copies = f" ({entry.count} of {each})" if entry.count > 1 else ""
    return f"{name} {weight}{copies}"


def _points(constraint: Constraint) -> Mapping[str, int]:
    points = constraint.settings["points"]
    assert isinstance(points, Mapping)
    return points


def _worth(constraint: Constraint, card: Card) -> int:
    return _points(constraint).get(card.id, 0)


def _price_list(clause: Clause) -> str:
    """The limit with the points of each card; a set may have removed one."""
    db = clause.db
    cards = (
        f"{(db.cards[id] if id in db.cards else db.gone[id]).name} {worth}"
        for id, worth in _points(clause.constraint).items()
    )
    most = plural(clause.constraint.number("max") or 0, "point")
    return f"At most {most} in all: {', '.join(cards)}"


# The words of format files that these rules serve.


def _one(constraint: Constraint, card: Card) -> int:
    return 1


def _attribute(constraint: Constraint, card: Card) -> int:
    value = getattr(card, str(constraint.settings["attribute"]), None)
    return value if isinstance(value, int) else 0


def _sum(clause: Clause) -> str:
    attribute = clause.constraint.settings["attribute"]
    return f"Total {attribute} of {clause.cards}: {clause.range}"


LEGALITIES = (
    Legality(
        word="count",
        meaning="How many cards that fit the condition a deck holds; every copy "
        "counts.",
        any_of=("min", "max"),
        optional=CONDITION,
        sentence=lambda clause: f"{clause.range.capitalize()} {clause.cards}",
        checks={
            TOO_FEW_CARDS: check_too_few_cards,
            TOO_MANY_CARDS: check_too_many_cards,
        },
        weigh=_one,
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
        optional=CONDITION,
        sentence=_sum,
        checks={
            TOO_LOW_TOTAL: check_too_low_total,
            TOO_HIGH_TOTAL: check_too_high_total,
        },
        weigh=_attribute,
        touches=lambda constraint, card: False,
    ),
    Legality(
        word="points",
        meaning="The points of all copies of the cards that `points` lists, at most "
        "`max`.",
        required=("points", "max"),
        sentence=_price_list,
        checks={TOO_MANY_POINTS: check_too_many_points},
        weigh=_worth,
        touches=lambda constraint, card: _worth(constraint, card) > 0,
    ),
    Legality(
        word="copies",
        meaning="No card more often than its own `copies`.",
        sentence=lambda clause: "No more copies of a card than the game has",
        checks={TOO_MANY_COPIES: check_too_many_copies},
    ),
)
