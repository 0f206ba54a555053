"""too-many-points: the cards of a deck are worth more points than its format allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from deckcheck.decks import DeckEntry
from deckcheck.findings import Finding, Related, Rule
from deckcheck.findings.words import plural, quote
from deckcheck.rules.case import Case, Legality
from deckcheck.rules.crossing import crossing

RULE = Rule(
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


def check(case: Case) -> Iterator[Finding]:
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
    yield case.report(RULE, crossed.span, message, help, related=related, notes=notes)


def _priced(
    case: Case, entry: DeckEntry, weight: int, points: Mapping[str, int]
) -> str:
    """A line with its points, and those of a copy where there are several."""
    name = quote(case.db.cards[entry.card].name)
    copies = f" ({entry.count} of {points[entry.card]})" if entry.count > 1 else ""
    return f"{name} {weight}{copies}"


LEGALITY = Legality(RULE, "points", check)
