"""Factions, leaders, reserves, and the decks of a lineup together (DF, DL, DX)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePath

from deckcheck.decks import DeckEntry
from deckcheck.decks.words import is_reserves
from deckcheck.findings import Finding, Related, Rule, Severity
from deckcheck.formats.model import CONDITION_KEYS, is_left_to_the_tool, whole_faction
from deckcheck.formats.rules.case import (
    Case,
    Clause,
    DeckFinding,
    JointCase,
    Legality,
    crossing,
    faction_span,
)
from deckcheck.formats.rules.limits import TOO_MANY_COPIES, find_too_many_copies
from deckcheck.messages import choice, plural, quote

MISSING_LEADER = Rule("DF104", "missing-leader", "A deck names no leader")


_IN_TEXT = "Write a line `Leader: ...` above the cards"
_IN_DOCUMENT = "Write a key `leader` at the level of `cards`"
_LEADER_HELP = {
    ".csv": "Add a column `leader`, and write the leader in the first row of the deck",
    ".yaml": _IN_DOCUMENT,
    ".yml": _IN_DOCUMENT,
    ".json": _IN_DOCUMENT,
}
"""The remedy by the suffix of the file."""


def check_missing_leader(case: Case) -> Iterator[Finding]:
    """Look for a leader header."""
    required = case.constraint.number("count") or 0
    if required == 0 or case.deck.headers.get("leader"):
        return
    message = f"No leader, exactly {required} required"
    help = _LEADER_HELP.get(PurePath(case.deck.source.path).suffix.lower(), _IN_TEXT)
    notes = _note_leaders(case, case.deck.faction)
    yield case.report(MISSING_LEADER, case.deck.span, message, help, notes=notes)


def _note_leaders(case: Case, faction: str | None) -> list[str]:
    """Return the note with the leaders of a faction, if it has any."""
    leaders = case.database.leaders.values()
    names = [leader.full_name for leader in leaders if leader.faction == faction]
    if faction is None or not names:
        return []
    return [f"Leaders of {case.faction_name(faction)}: {'; '.join(names)}"]


TOO_MANY_LEADERS = Rule(
    "DF105", "too-many-leaders", "A deck names more leaders than its format allows"
)


def check_too_many_leaders(case: Case) -> Iterator[Finding]:
    """Count the leader headers."""
    allowed = case.constraint.number("count")
    headers = case.deck.headers.get("leader", ())
    if allowed is None or len(headers) <= allowed:
        return
    extra = headers[allowed]
    others = (header for header in headers if header is not extra)
    related = [Related(header.span, "also a leader") for header in others]
    message = f"{plural(len(headers), 'leader')}, exactly {allowed} allowed"
    help = f"Keep {allowed}, or write `---` between two decks"
    excess = len(headers) - allowed
    yield case.report(
        TOO_MANY_LEADERS, extra.span, message, help, related=related, excess=excess
    )


FOREIGN_LEADER = Rule(
    "DF106", "foreign-leader", "A deck has a leader of another faction"
)


def check_foreign_leader(case: Case) -> Iterator[Finding]:
    """Compare the factions of the leader and the deck."""
    deck = case.deck
    database = case.database
    if case.constraint.settings.get("same_faction") is not True:
        return
    if deck.leader is None or deck.faction is None:
        return
    leader = database.leaders[deck.leader]
    if leader.faction == deck.faction:
        return
    faction = case.faction_name(deck.faction)
    message = (
        f"{quote(leader.full_name)} leads {case.faction_name(leader.faction)}, "
        f"only leaders of {faction} allowed"
    )
    span = deck.headers["leader"][0].span
    help = "Name a leader of the faction, or correct the faction"
    notes = _note_leaders(case, deck.faction)
    if not notes:
        help = f"Correct the faction: {database.game.name} has no leader of {faction}"
    header = deck.headers["faction"][0]
    related = [Related(header.span, f"{faction} here")]
    yield case.report(FOREIGN_LEADER, span, message, help, related=related, notes=notes)


FOREIGN_CARD = Rule("DF107", "foreign-card", "A deck holds a card of another faction")


def check_foreign_card(case: Case) -> Iterator[Finding]:
    """Compare the faction of every card with the faction of the deck."""
    deck_faction = case.deck.faction
    if deck_faction is None:
        return
    strange = []
    fitting = 0
    for entry in case.deck.entries:
        faction = case.database.cards[entry.card].faction
        if faction == deck_faction:
            fitting += 1
        elif faction != case.database.game.neutral:
            strange.append(entry)
    if len(strange) > 2 and not fitting:
        yield _report_all_foreign(case, deck_faction, strange)
        return
    for entry in strange:
        yield report_foreign(case, deck_faction, entry)


def report_foreign(
    case: Case, deck_faction: str, entry: DeckEntry, suffix: str = ""
) -> Finding:
    """Make the finding about a card of another faction."""
    card = case.database.cards[entry.card]
    assert card.faction is not None  # in a game with factions each card has one
    faction = case.faction_name(card.faction)
    allowed = f"only {case.faction_name(deck_faction)} and neutral cards allowed"
    message = f"{quote(card.name)} is a {faction} card, {allowed}{suffix}"
    help = f"Remove {plural(entry.count, 'copy')} of {quote(card.name)}"
    related = _point_to_header(case)
    return case.report(
        FOREIGN_CARD, entry.span, message, help, related=related, excess=entry.count
    )


def _report_all_foreign(
    case: Case, deck_faction: str, foreign: list[DeckEntry]
) -> Finding:
    count = sum(entry.count for entry in foreign)
    number = plural(count, "card")
    name = case.faction_name(deck_faction)
    span = foreign[0].span
    message = f"{number} of other factions, only {name} and neutral cards allowed"
    help = f"No card of the deck belongs to {name}: correct the faction or the leader"
    related = _point_to_header(case)
    return case.report(FOREIGN_CARD, span, message, help, related=related, excess=count)


def _point_to_header(case: Case) -> list[Related]:
    span = faction_span(case.deck)
    return [Related(span, "this sets the faction")] if span else []


MIXED_FACTIONS = Rule(
    "DF108", "mixed-factions", "A deck that names no faction holds cards of several"
)


def check_mixed_factions(case: Case) -> Iterator[Finding]:
    """Compare the factions of the cards with each other."""
    if case.deck.faction is not None:
        return
    lines: dict[str, list[DeckEntry]] = defaultdict(list)
    for entry in case.deck.entries:
        faction = case.database.cards[entry.card].faction
        if faction is not None and faction != case.database.game.neutral:
            lines[case.faction_name(faction)].append(entry)
    if len(lines) < 2:
        return
    first, second, *rest = lines
    related = [Related(lines[name][0].span, f"{name} card") for name in (first, *rest)]
    counts = []
    for name, entries in lines.items():
        counts.append(f"{name} {sum(entry.count for entry in entries)}")
    message = f"Cards of {plural(len(lines), 'faction')}, 1 allowed"
    message += f" ({', '.join(counts)})"
    help = "Name the faction or the leader, and remove the cards of the others"
    span = lines[second][0].span
    excess = len(lines) - 1
    yield case.report(
        MIXED_FACTIONS, span, message, help, related=related, excess=excess
    )


MISSING_CARDS = Rule(
    "DL106",
    "missing-cards",
    "A deck that must hold a whole faction lacks some of its cards",
)

_MAX_NAMED_CARDS = 3


def check_missing_cards(case: Case) -> Iterator[Finding]:
    """Compare the cards of the deck with the cards of its faction."""
    deck = case.deck
    if deck.faction is None or is_left_to_the_tool(deck):
        return
    whole = whole_faction(case.database, deck.faction, case.constraint.condition)
    missing = whole - deck.counts()
    if missing.total() <= deck.unread:
        return
    cards = f"{plural(whole.total(), 'card')} of {case.faction_name(deck.faction)}"
    listed = whole.total() - missing.total()
    message = f"{listed} of {cards} listed, all or none required"
    names = [quote(case.database.cards[id].name) for id in missing]
    named = ", ".join(names[:_MAX_NAMED_CARDS])
    if len(names) > _MAX_NAMED_CARDS:
        named += f" and {len(names) - _MAX_NAMED_CARDS} more"
    help = f"Remove all cards to have them filled in, or add {named}"
    note = case.unread_note()
    excess = missing.total()
    yield case.report(
        MISSING_CARDS, case.place, message, help, notes=note, excess=excess
    )


MISSING_RESERVE = Rule(
    "DL107", "missing-reserve", "The reserves lack a card that every match needs"
)


def check_missing_reserve(case: Case) -> Iterator[Finding]:
    """Look for a card that fits the condition among the reserves."""
    deck = case.deck
    condition = case.constraint.condition
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
    headings = [span for title, span in deck.sections.items() if is_reserves(title)]
    span = headings[0] if headings else deck.reserves[0].span
    yield case.report(MISSING_RESERVE, span, message, help)


INCOMPLETE_RESERVES = Rule(
    "DL108",
    "incomplete-reserves",
    "The reserves lack cards that a card of the deck brings",
    Severity.WARNING,
)


def check_incomplete_reserves(case: Case) -> Iterator[Finding]:
    """Yield a finding for each card that the deck brings and the reserves lack."""
    deck = case.deck
    cards = case.database.cards
    if not deck.reserves or deck.unread:
        return
    counts = deck.reserve_counts()
    for id, amounts in _find_brought_cards(case).items():
        listed = counts[id]
        total = sum(amount for _, amount in amounts)
        missing = min(total, cards[id].copies) - listed
        if missing <= 0:
            continue
        name = quote(cards[id].name)
        sources = [*dict.fromkeys(cards[entry.card].name for entry, _ in amounts)]
        brought = f"{plural(total, 'copy')} of {name}, {listed} in the reserves"
        message = f"{choice(sources, 'and')} bring {brought}"
        if len(sources) == 1:
            message = f"{quote(sources[0])} brings {brought}"
        help = f"Add {plural(missing, 'copy')} of {name} below `Reserves:`"
        chosen = crossing(amounts, listed)
        related = []
        for entry, amount in amounts:
            if entry is not chosen:
                related.append(Related(entry.span, f"{amount} brought here"))
        yield case.report(
            INCOMPLETE_RESERVES,
            chosen.span,
            message,
            help,
            related=related,
            excess=missing,
        )


def _find_brought_cards(case: Case) -> dict[str, list[tuple[DeckEntry, int]]]:
    """Return the lines that bring each card, with the number of copies, by its id."""
    brought: dict[str, list[tuple[DeckEntry, int]]] = defaultdict(list)
    for entry, card in case.entries():
        for ability in card.abilities:
            target = case.database.cards.get(ability.target or "")
            if target is not None and not target.deckable:
                amount = (ability.amount or 1) * entry.count
                brought[target.id].append((entry, amount))
    return brought


def check_too_many_copies_in_reserves(case: Case) -> Iterator[Finding]:
    """Compare the copies of each reserve card with the number on the card."""
    return find_too_many_copies(case, case.reserves(), " in the reserves")


def check_foreign_card_in_reserves(case: Case) -> Iterator[Finding]:
    """Compare the faction of every reserve card with the faction of the deck."""
    faction = case.deck.faction
    if faction is None:
        return
    for entry, card in case.reserves():
        if card.faction not in (faction, case.database.game.neutral):
            yield report_foreign(case, faction, entry, " in the reserves")


WRONG_NUMBER_OF_DECKS = Rule(
    "DX101",
    "wrong-number-of-decks",
    "A file holds too few or too many decks for its format",
)


def check_wrong_number_of_decks(case: JointCase) -> Iterator[DeckFinding]:
    """Compare the number of decks with the seating of the format."""
    seating = case.fmt.seating
    low = seating.min_decks
    high = seating.max_decks
    count = len(case.decks)
    is_single = count == 1 and seating.single_deck and not case.others
    if is_single or (low <= count + case.unread and count <= high):
        return
    numbers = str(low) if low == high else f"{low} to {high}"
    format = case.fmt.name.replace("_", " ")
    message = f"Found {plural(count, 'deck')}, a {format} {case.noun} holds {numbers}"
    index = 0
    if count > high:
        index = high
        excess = count - high
        help = f"Remove {plural(excess, 'deck')}"
    else:
        excess = low - count - case.unread
        decks = plural(excess, "deck")
        help = f"Add {decks}, each after a line `---` or in the list `decks`"
    notes = []
    if case.unread:
        notes.append(f"{plural(case.unread, 'more deck')} cannot be read")
    if case.others:
        notes.append(f"The file holds {plural(case.others, 'deck')} of other formats")
    span = case.decks[index].span
    yield case.report(
        WRONG_NUMBER_OF_DECKS, index, span, message, help, notes=notes, excess=excess
    )


REPEATED_FACTION = Rule(
    "DX102", "repeated-faction", "Two decks of a lineup or a team have the same faction"
)


def check_repeated_faction(case: JointCase) -> Iterator[DeckFinding]:
    """Compare the factions of the decks with each other."""
    indexes: dict[str, list[int]] = defaultdict(list)
    for index, deck in enumerate(case.decks):
        if deck.faction is not None:
            indexes[deck.faction].append(index)
    for faction, same in indexes.items():
        first, *others = same
        name = case.faction_name(faction)
        spans = [faction_span(deck) or deck.span for deck in case.decks]
        also = [case.also(first, spans[first])]
        for number, index in enumerate(others, start=2):
            message = f"{plural(number, f'{name} deck')} in a {case.noun}, 1 allowed"
            help = f"Choose a faction other than {name} for this deck"
            span = spans[index]
            yield case.report(
                REPEATED_FACTION, index, span, message, help, related=also
            )


SHARED_CARD = Rule(
    "DX103",
    "shared-card",
    "Two decks of a lineup hold a card that only a single deck may hold",
)


def check_shared_card(case: JointCase) -> Iterator[DeckFinding]:
    """Look for cards that fit the constraint in several decks."""
    places = defaultdict(list)
    for index, deck in enumerate(case.decks):
        firsts = {card.id: entry for entry, card in reversed([*case.entries(deck)])}
        for id, entry in firsts.items():
            places[id].append((index, entry.span))
    for id, holders in places.items():
        first, *others = holders
        name = quote(case.database.cards[id].name)
        for number, (index, span) in enumerate(others, start=2):
            decks = plural(number, "deck")
            message = f"{name} is in {decks} of a {case.noun}, 1 allowed"
            help = f"Keep {name} in one deck and replace it here"
            related = [case.also(*first)]
            yield case.report(SHARED_CARD, index, span, message, help, related=related)


# The words of format files that these rules serve


def _describe_leaders(clause: Clause) -> str:
    leaders = plural(clause.constraint.number("count") or 0, "leader")
    if clause.constraint.settings.get("same_faction") is True:
        leaders += " of the same faction"
    return leaders


def _describe_whole_faction(clause: Clause) -> str:
    whole = "All cards of one faction and all neutral cards"
    if clause.constraint.condition.is_empty:
        return whole
    return f"{whole}, apart from {clause.cards}"


def _describe_deck_count(clause: Clause) -> str:
    seating = clause.fmt.seating
    low, high = seating.min_decks, seating.max_decks
    decks = plural(low, "deck") if low == high else f"{low} to {high} decks"
    decks += f" in one {seating.holds}"
    if seating.single_deck and low > 1:
        decks += ", or a single deck"
    return decks


LEGALITIES = (
    Legality(
        word="one_faction",
        meaning="All cards of one faction, apart from neutral cards.",
        sentence=lambda clause: "Cards of one faction and neutral cards only",
        checks={
            FOREIGN_CARD: check_foreign_card,
            MIXED_FACTIONS: check_mixed_factions,
        },
    ),
    Legality(
        word="leader",
        meaning="How many leaders, and whether they must be of the deck's faction.",
        required=("count", "same_faction"),
        sentence=_describe_leaders,
        checks={
            MISSING_LEADER: check_missing_leader,
            TOO_MANY_LEADERS: check_too_many_leaders,
            FOREIGN_LEADER: check_foreign_leader,
        },
    ),
    Legality(
        word="reserves",
        meaning="No reserve card of another faction, and none more often than its "
        "`copies`. Cards that a deck may hold do not count there.",
        sentence=lambda clause: (
            "Listed reserves: cards of the deck's faction and neutral cards, no more "
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
        any_of=CONDITION_KEYS,
        sentence=lambda clause: f"Listed reserves have {clause.cards}",
        checks={MISSING_RESERVE: check_missing_reserve},
    ),
    Legality(
        word="complete_reserves",
        meaning="Listed reserves hold the cards that the deck brings, else a warning.",
        sentence=lambda clause: (
            "Listed reserves have the cards that the deck brings, else a warning"
        ),
        checks={INCOMPLETE_RESERVES: check_incomplete_reserves},
    ),
    Legality(
        word="whole_faction",
        meaning="Every copy of every card of the faction, without those that fit the "
        "condition. A file may leave out all cards.",
        optional=CONDITION_KEYS,
        sentence=_describe_whole_faction,
        checks={MISSING_CARDS: check_missing_cards},
    ),
    Legality(
        word="number_of_decks",
        meaning="The number of decks in a file by `seating`.",
        sentence=_describe_deck_count,
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
        optional=CONDITION_KEYS,
        sentence=lambda clause: (
            f"No two decks of a {clause.fmt.seating.holds} share {clause.cards}"
        ),
        joint_checks={SHARED_CARD: check_shared_card},
    ),
)
