"""Resolves names as written to cards, leader and faction."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from deckcheck.cards import Card, CardDatabase, Lookup
from deckcheck.cards.models import LeaderRecord
from deckcheck.cards.names import as_latin, foreign_letters, normalise
from deckcheck.decks.files import CODE_WITHIN
from deckcheck.decks.findings import (
    AMBIGUOUS_CARD,
    AMBIGUOUS_LEADER,
    CARD_AS_HEADING,
    COMMENTED_CARD,
    LEFT_OUT,
    OWN_HEADING,
    REMOVED_CARD,
    REPEATED_CARD,
    UNKNOWN_CARD,
    UNKNOWN_FACTION,
    UNKNOWN_HEADER,
    UNKNOWN_LEADER,
    UNPUBLISHED_CARD,
    WRONG_TOTAL,
)
from deckcheck.decks.lines import (
    CardLine,
    LineDefect,
    clean_line,
    has_digit,
    parse_card_line,
)
from deckcheck.decks.model import (
    Deck,
    DeckEntry,
    Entry,
    Header,
    Heading,
    RawDeck,
    locate_part,
)
from deckcheck.decks.reading import Reading, read_deck
from deckcheck.decks.spelling import (
    has_number,
    is_near,
    names_card,
    near_cards,
)
from deckcheck.decks.vocabulary import DECK_TITLES, KIND_WORDS
from deckcheck.decks.words import Below, header_key, header_words
from deckcheck.findings import Finding, Related, Rule, Span, in_order
from deckcheck.messages import choice, nearest, plural, quote, suggestion

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description

MAX_SUGGESTED_CARDS = 100
"""The most unknown cards with suggestions. With more, something else is wrong."""

MIN_NAME_LETTERS = 3
"""The fewest letters of the name of a deck."""

_YAML_SUFFIXES = (".yaml", ".yml")


def guess_game(raw: RawDeck, databases: Sequence[CardDatabase]) -> CardDatabase | None:
    """Return the cards of the only game that fits the names of a deck best, or None."""
    ratings = [_rate_names(raw, database) for database in databases]
    best = max(ratings, default=0)
    if best == 0 or ratings.count(best) > 1:
        return None
    return databases[ratings.index(best)]


def _rate_names(raw: RawDeck, database: CardDatabase) -> int:
    """Return how well a game fits the names of cards and leaders of a deck.

    A known name counts 3, or 2 if the card has no values, and a similar name 1.
    """
    cards = {entry.name for entry in read_deck(raw, database).entries}
    leaders = {leader.value for leader in raw.headers.get("leader", ())}
    lookups: list[Lookup] = []
    for number, name in enumerate(sorted(cards)):
        suggest = number < MAX_SUGGESTED_CARDS
        lookups.append(database.find_card(name, suggest=suggest))
    lookups += [database.find_leader(name) for name in sorted(leaders)]
    unknown = {record.id for record in database.cards.values() if not record.known}
    unknown |= {record.id for record in database.leaders.values() if not record.known}
    rating = 0
    for lookup in lookups:
        if lookup.ids:
            rating += 2 if lookup.id in unknown else 3
        elif lookup.suggestions:
            rating += 1
    return rating


def resolve(
    reading: Reading, database: CardDatabase
) -> tuple[Deck, tuple[Finding, ...]]:
    """Look up every name of a deck that was read for the game of `database`.

    Names that do not resolve are findings, and count as `unread` in the deck. A leader
    implies the faction where none is named. The findings of reading are not repeated.
    """
    resolver = _Resolver(reading, database)
    faction = resolver.find_faction()
    leader = resolver.find_leader(faction)
    if faction is None and leader is not None and "faction" not in reading.headers:
        faction = database.leaders[leader].faction
    entries = resolver.resolve_cards(in_reserves=False)
    reserves = resolver.resolve_cards(in_reserves=True)
    resolver.report_card_headings()
    resolver.report_own_headings()
    resolver.report_left_out()
    resolver.report_commented_cards()
    if not resolver.unread:
        resolver.report_totals(entries)
    name = reading.headers.get("name")
    format = reading.headers.get("format")
    deck = Deck(
        source=reading.source,
        name=name[0].value if name else _name_by_file(reading),
        format=format[0].value if format else None,
        faction=faction,
        leader=leader,
        entries=entries,
        span=reading.span,
        headers=reading.headers,
        sections=reading.sections,
        unread=resolver.unread,
        reserves=reserves,
    )
    return deck, in_order(resolver.findings)


def find_repairs(
    reading: Reading, database: CardDatabase
) -> tuple[dict[Span, str], dict[Span, str]]:
    """Return the corrections of misspelt names, and why others stay, by place."""
    resolver = _Resolver(reading, database)
    faction = resolver.find_faction()
    leader = resolver.find_leader(faction)
    if faction is None and leader is not None:
        faction = database.leaders[leader].faction
    resolver.resolve_cards(in_reserves=False)
    resolver.resolve_cards(in_reserves=True)
    repairs = resolver.repairs
    unrepaired: dict[Span, str] = {}
    for entry in resolver.misspelt:
        name, reason = resolver.repair(entry, faction)
        if name is not None:
            repairs[entry.span] = name
        else:
            line = quote(entry.line.text)
            unrepaired[entry.span] = f"{line} stays as it is: {reason}"
    return repairs, unrepaired


def _name_by_file(reading: Reading) -> str:
    """Return a name by the file: `swarm`, `swarm 2` for its second deck."""
    stem = PurePath(reading.source.path).stem
    return f"{stem} {reading.source.index + 1}" if reading.source.index else stem


class _Resolver:
    def __init__(self, reading: Reading, database: CardDatabase) -> None:
        self.reading = reading
        self.database = database
        self.findings: list[Finding] = []
        self.repairs: dict[Span, str] = {}
        self.misspelt: list[Entry] = []
        self.known: set[Span] = set()
        self.unknowns = 0
        copies = (card.copies for card in database.cards.values())
        self.unread = reading.unread_lines * max(copies, default=0)

    def find_faction(self) -> str | None:
        """Return the faction that the header names."""
        [header, *_] = self.reading.headers.get("faction") or [None]
        if header is None:
            return None
        lookup = self.database.find_faction(header.value)
        if lookup.id is None:
            message = f"Unknown faction {quote(header.value)}"
        elif lookup.id == self.database.game.neutral:
            value = quote(header.value)
            message = f"{value} cards fit every deck and are not a faction"
        else:
            return lookup.id
        self.repair_header(header, lookup.suggestions)
        help = suggestion(lookup.suggestions) or self.list_factions()
        self.report(UNKNOWN_FACTION, header.span, message, help)
        return None

    def list_factions(self) -> str:
        """Return a sentence with the factions that a deck may have."""
        game = self.database.game
        names = []
        for id, faction in self.database.factions.items():
            if id != game.neutral:
                names.append(faction.name)
        if not names:
            return f"{game.name} has no factions: remove the line"
        return f"Factions are {choice(names)}"

    def find_leader(self, faction: str | None) -> str | None:
        """Return the first leader that the headers name."""
        leaders = []
        for header in self.reading.headers.get("leader", ()):
            lookup = self.database.find_leader(header.value, faction)
            if not lookup.ids and faction is not None:
                # A leader of another faction is known, and for the format to judge.
                lookup = self.database.find_leader(header.value)
            if lookup.id is not None:
                leaders.append(lookup.id)
                self.report_unpublished(self.database.leaders[lookup.id], header.span)
            elif lookup.candidates:
                count = len(lookup.candidates)
                message = f"{quote(header.value)} is the name of {count} leaders"
                names = self._choose_leaders(faction, lookup.candidates)
                help = f"Write {choice(names)}"
                self.report(AMBIGUOUS_LEADER, header.span, message, help)
            else:
                message = f"Unknown leader {quote(header.value)}"
                near = suggestion(lookup.suggestions)
                self.repair_header(header, lookup.suggestions)
                if not self.database.leaders:
                    near = f"{self.database.game.name} has no leaders: remove the line"
                self.report(UNKNOWN_LEADER, header.span, message, near)
        return leaders[0] if leaders else None

    def _choose_leaders(
        self, faction: str | None, candidates: Sequence[str]
    ) -> list[str]:
        """Return the names of the candidates, or of all leaders of the deck's faction.

        The latter where each candidate leads another faction.
        """
        meant = [self.database.leaders[id] for id in candidates]
        if faction is not None and all(leader.faction != faction for leader in meant):
            every = self.database.leaders.values()
            meant = [leader for leader in every if leader.faction == faction]
        return [leader.full_name for leader in meant]

    def resolve_cards(self, *, in_reserves: bool) -> tuple[DeckEntry, ...]:
        """Return the card lines of the deck, or of its reserves, that name a card."""
        resolved: list[DeckEntry] = []
        database = self.database
        for entry in self.reading.entries:
            if in_reserves != (entry.in_reserves and database.game.reserves):
                continue
            if database.description is not None:
                self.resolve_described(entry, database.description, resolved)
                continue
            gets_suggestions = self.unknowns < MAX_SUGGESTED_CARDS
            lookup = database.find_card(entry.name, suggest=gets_suggestions)
            if lookup.id is not None:
                resolved.append(DeckEntry(lookup.id, entry.count, entry.span))
                self.known.add(entry.span)
                self.report_unpublished(database.cards[lookup.id], entry.span)
            elif lookup.candidates:
                names = [database.cards[id].name for id in lookup.candidates]
                message = f"{quote(entry.name)} is the name of {len(names)} cards"
                self.unread += entry.count
                help = f"Write {choice(names)}"
                self.report(AMBIGUOUS_CARD, entry.span, message, help)
            elif (removed := database.find_removal(entry.name)) is not None:
                name = quote(removed.name)
                message = f"{name} is removed by the set {quote(removed.set)}"
                self.report(REMOVED_CARD, entry.span, message, "Choose another card")
            else:
                # A cached lookup may have suggestions from another deck.
                near = lookup.suggestions if gets_suggestions else ()
                self.report_unknown(entry, near, is_first=not resolved)
        self.report_repeated(resolved)
        return tuple(resolved)

    def report_card_headings(self) -> None:
        """Report cards that end in a colon, and so would count nowhere."""
        for heading in self.reading.headings:
            card = self.database.find_card(heading.title, suggest=False).id
            if card is not None:
                name = quote(self.database.cards[card].name)
                message = f"The heading is the name of a card: {name}"
                help = f"Write {name} without the colon, or a comment, `#`"
                self.unread += 1
                self.report(CARD_AS_HEADING, heading.span, message, help)

    def report_own_headings(self) -> None:
        """Report that the cards below headings of the player's own count."""
        for heading in self.reading.headings:
            copies = 0
            for entry in self.reading.entries:
                if entry.heading == heading:
                    copies += entry.count
            is_reported = any(f.span == heading.span for f in self.findings)
            if copies and not is_reported:
                cards = "1 card counts" if copies == 1 else f"{copies} cards count"
                message = f"{quote(heading.title)} is a heading: {cards} below it"
                help = "Write `Sideboard` if they are not part of the deck"
                self.report(OWN_HEADING, heading.span, message, help)

    def report_left_out(self) -> None:
        """Report the cards left out, all below a heading at once."""
        for heading, group in groupby(self.reading.aside, lambda entry: entry.heading):
            assert heading is not None
            first, *others = group
            message = f"{quote(first.line.text)} is left out"
            if others:
                lines = plural(len(others), "line")
                message = f"{quote(first.line.text)} and {lines} below are left out"
            help = "Remove the cards you don't play, or the heading above them"
            related = [Related(entry.span, "left out") for entry in (first, *others)]
            self.report(LEFT_OUT, heading.span, message, help, *related)

    def report_unpublished(self, record: Card | LeaderRecord, span: Span) -> None:
        """Report a card or a leader without public values."""
        if not record.known:
            message = f"The values of {quote(record.name)} are not public"
            help = "A set in your own format can add them"
            self.report(UNPUBLISHED_CARD, span, message, help)

    def resolve_described(
        self, entry: Entry, description: Description, resolved: list[DeckEntry]
    ) -> None:
        """Resolve a card in words, and report each word that does not fit."""
        words = description.read(entry.name)
        if isinstance(words, str):
            resolved.append(DeckEntry(words, entry.count, entry.span))
        elif ":" in entry.name:
            self.report_unknown(entry, (), is_first=not resolved)
        else:
            self.unread += entry.count
            names = description.find(entry.name).suggestions
            if len(names) == 1 and is_near(entry.name, names[0]):
                self.repairs[entry.span] = names[0]
            for wrong in words:
                span = locate_part(entry.span, entry.name, wrong.start, wrong.end)
                self.report(UNKNOWN_CARD, span, wrong.message, wrong.help)

    def report_unknown(
        self, entry: Entry, suggestions: tuple[str, ...], is_first: bool
    ) -> None:
        """Report an unknown name: a misspelt header, or a misspelt card."""
        self.unknowns += 1
        if is_first and self.report_unknown_header(entry, suggestions):
            return
        self.unread += entry.count
        message = f"Unknown card {quote(entry.name)}"
        latin = self.database.find_card(as_latin(entry.name), suggest=False).id
        if latin is not None and foreign_letters(entry.name):
            message += f": {foreign_letters(entry.name)}"
            suggestions = (self.database.cards[latin].name,)
        if suggestions:
            self.misspelt.append(entry)
        remedy = self.find_remedy(entry, suggestions, is_first)
        self.report(UNKNOWN_CARD, entry.span, message, remedy)

    def report_unknown_header(self, entry: Entry, suggestions: tuple[str, ...]) -> bool:
        """Report a line above the cards as a misspelt header, if it looks like one."""
        key, _, value = entry.name.partition(":")
        if not value or entry.count != 1:
            return False
        headers = nearest(key.strip(), header_words())
        is_header = bool(headers) or not suggestions
        if not is_header or self.holds_card(entry.name, is_key_near=bool(headers)):
            return False
        message = f"Unknown header {quote(key)}"
        help = suggestion(headers, "Write it as a comment, `# ...`")
        self.report(UNKNOWN_HEADER, entry.span, message, help)
        return True

    def find_remedy(
        self, entry: Entry, suggestions: tuple[str, ...], is_first: bool
    ) -> str | None:
        """Return what to do about an unknown card, or None if nothing is likely."""
        if entry.name.endswith(":"):
            title = quote(f"# {entry.name.rstrip(': ')}")
            return f"Remove the colon, or write {title} if this is a heading"
        if CODE_WITHIN.match(entry.name):
            return "This is a share code: remove all other lines of the list"
        if "/" in entry.name:
            return "Write each card that is meant on its own line"
        remedy = self.suggest_header(entry.name) or suggestion(suggestions)
        if remedy is not None or not is_first or self.unknowns > 1:
            return remedy
        remedy = self.suggest_leader(entry.name)
        is_title = sum(map(str.isalpha, entry.name)) >= MIN_NAME_LETTERS
        if remedy is None and entry.count == 1 and is_title:
            return f"Write {quote(f'Name: {entry.name}')} if this is the deck's name"
        return remedy

    def suggest_leader(self, name: str) -> str | None:
        """Return the remedy for a misspelt leader, whose line has no key."""
        lines = []
        for leader in self.database.find_leader(name).suggestions:
            lines.append(self.write_header("Leader", leader))
        if not lines:
            return None
        return f"Did you mean a leader? Write {choice(lines)} above the cards"

    def suggest_header(self, name: str) -> str | None:
        """Return the remedy for a leader or a faction among the cards."""
        meant = header_meant(name, self.database)
        if meant is None:
            return None
        key, names = meant
        lines = [self.write_header(key.capitalize(), name) for name in names]
        return f"A {key} is not a card: write {choice(lines)} above the cards"

    def write_header(self, label: str, value: str) -> str:
        """Return a header as the deck is written: a line, or a key."""
        suffix = PurePath(self.reading.source.path).suffix.lower()
        if suffix == ".json":
            return f'"{label.lower()}": "{value}"'
        if suffix in _YAML_SUFFIXES:
            return f"{label.lower()}: {value}"
        return f"{label}: {value}"

    def report_repeated(self, entries: Iterable[DeckEntry]) -> None:
        """Report cards on several lines."""
        lines: dict[str, list[DeckEntry]] = defaultdict(list)
        for entry in entries:
            lines[entry.card].append(entry)
        for card, of_card in lines.items():
            if len(of_card) < 2:
                continue
            copies = sum(entry.count for entry in of_card)
            name = quote(self.database.cards[card].name)
            message = f"{name} is on {len(of_card)} lines"
            related = [Related(entry.span, "also here") for entry in of_card[:-1]]
            help = f"Write {plural(copies, 'copy')} on a single line, if all are meant"
            self.report(REPEATED_CARD, of_card[-1].span, message, help, *related)

    def holds_card(self, text: str, *, is_key_near: bool) -> bool:
        """Report whether a part of a line is a card, or a card is in it with a number.

        Such a line is not a header: `Anna: 9 Biting Frost`. Behind a misspelt key of a
        header, a bare name may be its value.
        """
        has_number = any(map(str.isdigit, text))
        for part in _PART_SIGN.split(text):
            card = parse_card_line(part.strip()) if part.strip() else None
            name = card.name if isinstance(card, CardLine) else ""
            is_meant = not is_key_near or name != part.strip()
            if name and is_meant and self.database.find_card(name, suggest=False).ids:
                return True
            if has_number and names_card(part, self.database):
                return True
        return False

    def repair_header(self, header: Header, names: Sequence[str]) -> None:
        """Keep the correction of the value of a header, if a single name is near."""
        near = [name for name in names if is_near(header.value, name)]
        if len(near) == 1:
            self.repairs[header.span] = near[0]

    def repair(self, entry: Entry, faction: str | None) -> tuple[str | None, str]:
        """Return the correction of a misspelt card, or None and why there is none."""
        cards = self.database.cards
        neutral = self.database.game.neutral
        near = near_cards(entry.name, self.database, only_whole=True)
        fitting = (faction, neutral, None)
        pool = [id for id in cards if id in near]
        if faction is not None:
            pool = [id for id in pool if cards[id].faction in fitting]
        if not near and has_number(entry.name):
            return None, "a number in it may be a count"
        if ":" in entry.name or not near:
            return None, "no card has a name like this within two letters"
        if not pool:
            return None, "the similar card belongs to another faction"
        if len(pool) > 1:
            return None, f"it may be {choice([cards[id].name for id in pool])}"
        has_count = entry.line.count is not None or entry.line.text != entry.name
        if not has_count and not self.is_among_cards(entry):
            return None, "no count shows that it is a card, nor the lines around it"
        return cards[pool[0]].name, ""

    def is_among_cards(self, entry: Entry) -> bool:
        """Report whether the lines around an entry are cards, or a heading above."""
        number = entry.span.start.line
        lines = {span.start.line for span in self.known}
        heading = entry.heading.span.start.line if entry.heading is not None else 0
        return number + 1 in lines and (number - 1 in lines or number - 1 == heading)

    # Comments with cards, and stated totals.

    def report_commented_cards(self) -> None:
        """Report comments and headers with the line of a card."""
        for line in self.reading.comments:
            parts = [line.text, _LEADING_NUMBER.sub("", line.text, count=1)]
            if has_digit(line.text):
                parts += _PART_SIGN.split(clean_line(line).text)
            if any(self.is_card_line(part.strip()) for part in parts if part.strip()):
                self.report_comment(line.text, line.span)
        for key in FREE_HEADERS:
            for header in self.reading.headers.get(key, ()):
                has_count = any(map(str.isdigit, header.value))
                if has_count and self.is_card_line(header.value):
                    self.report_comment(header.value, header.span)

    def is_card_line(self, text: str) -> bool:
        """Report whether a text is a card, with a count, in doubt or without."""
        card = parse_card_line(text)
        if isinstance(card, LineDefect):
            return names_card(text, self.database)
        if self.database.description is not None:
            return isinstance(self.database.description.read(card.name), str)
        return bool(self.database.find_card(card.name, suggest=False).ids)

    def report_comment(self, text: str, span: Span) -> None:
        """Report a card that counts nowhere."""
        message = f"{quote(text)} is read as a comment"
        help = "Write it on a line of its own, without the sign, if it is meant"
        self.report(COMMENTED_CARD, span, message, help)

    def report_totals(self, entries: Sequence[DeckEntry]) -> None:
        """Report each number of cards that the list states and does not have."""
        for total in self.reading.totals:
            numbers = self.count_cards(total, entries)
            if not numbers or total.number in numbers:
                continue
            stated = plural(total.number or 0, "card")
            whole = "The list" if not total.title else quote(total.title.capitalize())
            found = min(numbers, key=lambda number: abs(number - (total.number or 0)))
            message = f"{whole} states {stated}, {found} found"
            help = "Correct the number, or the cards"
            self.report(WRONG_TOTAL, total.span, message, help)

    def count_cards(self, total: Heading, entries: Sequence[DeckEntry]) -> set[int]:
        """Return the numbers of cards that a stated total may mean, none if unknown."""
        listed = [*self.reading.entries, *self.reading.aside]
        main = sum(entry.count for entry in entries)
        if not total.title:
            reserves = sum(e.count for e in self.reading.entries if e.in_reserves)
            return {main, main + reserves}
        below = sum(e.count for e in listed if e.heading == total)
        numbers = {below} if below else set()
        if total.below in (Below.RESERVES, Below.ASIDE):
            return {below}
        if normalise(total.title) in DECK_TITLES:
            return {*numbers, main}
        counts: Counter[str] = Counter()
        for entry in entries:
            counts[self.database.cards[entry.card].kind] += entry.count
        for kinds, words in KIND_WORDS:
            if normalise(total.title) in words:
                numbers |= {counts[kinds[0]], sum(counts[kind] for kind in kinds)}
        if total.title in self.database.game.kinds:
            numbers.add(counts[total.title])
        return numbers

    def report(
        self,
        rule: Rule,
        span: Span,
        message: str,
        help: str | None,
        *related: Related,
    ) -> None:
        path = self.reading.source.path
        self.findings.append(rule.at(path, span, message, help=help, related=related))


_PART_SIGN = re.compile(r"[:;,+&/|\t]|\s[-\u2013\u2014]\s")
_LEADING_NUMBER = re.compile(r"^\d{1,3}[.):]*\s+")
FREE_HEADERS = (
    "player",
    "author",
    "team",
    "event",
    "date",
    "source",
    "version",
    "note",
)
"""Headers with free text."""

_WORDED_HEADER = re.compile(r"(?P<word>\w+)(?:\s*[-=\u2013\u2014])?\s+(?P<value>\S.*)")


def header_meant(name: str, database: CardDatabase) -> tuple[str, list[str]] | None:
    """Return the key and the values of a header among the cards: `Leader Foltest`.

    The word in front may be missing. None for any other name.
    """
    key = None
    value = name
    worded = _WORDED_HEADER.fullmatch(name)
    if worded is not None:
        key = header_key(worded["word"])
        if key in ("leader", "faction"):
            value = worded["value"]
    if key != "leader":
        faction = database.find_faction(value, suggest=False).id
        if faction is not None:
            return "faction", [database.factions[faction].name]
    leaders = database.find_leader(value, suggest=False).ids
    if not leaders or key == "faction":
        return None
    return "leader", [database.leaders[id].full_name for id in leaders]
