"""Rules across the decks of one file (DX)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from deckcheck.findings import Rule
from deckcheck.formats.model import CONDITION
from deckcheck.formats.rules.case import (
    Clause,
    DeckFinding,
    JointCase,
    Legality,
    faction_span,
)
from deckcheck.messages import plural, quote

WRONG_NUMBER_OF_DECKS = Rule(
    "DX101",
    "wrong-number-of-decks",
    "A file holds too few or too many decks for its format",
)


def check_wrong_number_of_decks(case: JointCase) -> Iterator[DeckFinding]:
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
    yield case.report(
        WRONG_NUMBER_OF_DECKS, at, case.decks[at].span, message, help, notes=notes
    )


REPEATED_FACTION = Rule(
    "DX102", "repeated-faction", "Two decks of a lineup or a team have the same faction"
)


def check_repeated_faction(case: JointCase) -> Iterator[DeckFinding]:
    """Compare the factions of the decks with each other."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, deck in enumerate(case.decks):
        if deck.faction is not None:
            places[deck.faction].append(at)
    for faction, same in places.items():
        first, *again = same
        name = case.database.factions[faction].name
        for number, at in enumerate(again, start=2):
            message = f"{plural(number, f'{name} deck')} in a {case.noun}, 1 allowed"
            help = f"Choose a faction other than {name} for this deck"
            spans = [faction_span(deck) or deck.span for deck in case.decks]
            related = [case.also(first, spans[first])]
            place = spans[at]
            yield case.report(
                REPEATED_FACTION, at, place, message, help, related=related
            )


SHARED_CARD = Rule(
    "DX103",
    "shared-card",
    "Two decks of a lineup hold a card that only one of them may hold",
)


def check_shared_card(case: JointCase) -> Iterator[DeckFinding]:
    """Look for cards that fit the constraint in more than one deck."""
    places = defaultdict(list)
    for at, deck in enumerate(case.decks):
        firsts = {card.id: entry for entry, card in reversed([*case.entries(deck)])}
        for id, entry in firsts.items():
            places[id].append((at, entry.span))
    for id, holders in places.items():
        first, *again = holders
        name = quote(case.database.cards[id].name)
        for number, (at, span) in enumerate(again, start=2):
            decks = plural(number, "deck")
            message = f"{name} is in {decks} of a {case.noun}, 1 allowed"
            help = f"Keep {name} in one deck and replace it here"
            related = [case.also(*first)]
            yield case.report(SHARED_CARD, at, span, message, help, related=related)


# The words of format files that these rules serve.


def _number_of_decks(clause: Clause) -> str:
    seating = clause.fmt.seating
    low, high = seating.min_decks, seating.max_decks
    decks = plural(low, "deck") if low == high else f"{low} to {high} decks"
    decks = f"{decks} in one {seating.holds}"
    return f"{decks}, or a single deck" if seating.single_deck and low > 1 else decks


LEGALITIES = (
    Legality(
        word="number_of_decks",
        meaning="As many decks in a file as `seating` says.",
        sentence=_number_of_decks,
        joint_checks={WRONG_NUMBER_OF_DECKS: check_wrong_number_of_decks},
    ),
    Legality(
        word="distinct_factions",
        meaning="Every deck of a file of another faction.",
        sentence=lambda clause: (
            f"Every deck of a {clause.fmt.seating.holds} of another faction"
        ),
        joint_checks={REPEATED_FACTION: check_repeated_faction},
    ),
    Legality(
        word="no_shared_cards",
        meaning="No card that fits the condition in two decks of a file.",
        optional=CONDITION,
        sentence=lambda clause: (
            f"No two decks of a {clause.fmt.seating.holds} share {clause.cards}"
        ),
        joint_checks={SHARED_CARD: check_shared_card},
    ),
)
