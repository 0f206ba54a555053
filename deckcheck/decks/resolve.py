"""Resolves names as written to cards, leader and faction."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.models import LeaderRecord
from deckcheck.cards.names import as_latin, foreign_letters
from deckcheck.decks.findings import (
    AMBIGUOUS_CARD,
    AMBIGUOUS_LEADER,
    CARD_AS_HEADING,
    LEFT_OUT,
    OWN_HEADING,
    REMOVED_CARD,
    REPEATED_CARD,
    UNKNOWN_CARD,
    UNKNOWN_FACTION,
    UNKNOWN_HEADER,
    UNKNOWN_LEADER,
    UNPUBLISHED_CARD,
)
from deckcheck.decks.model import Deck, DeckEntry, Entry, part_of
from deckcheck.decks.reading import Reading
from deckcheck.decks.words import header_key, header_words
from deckcheck.findings import Finding, Related, Rule, Span, in_order
from deckcheck.messages import choice, nearest, plural, quote, suggestion

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description

SUGGESTED = 100
"""How many unknown cards get suggestions; with more, something else is wrong."""

SHORTEST_TITLE = 3
"""How many letters the name of a deck has at least."""

_YAML = (".yaml", ".yml")


def resolve(
    reading: Reading, database: CardDatabase
) -> tuple[Deck, tuple[Finding, ...]]:
    """Look up every name of a deck that was read for the game of `database`.

    What does not resolve is a finding, is left out of the deck and counts in its
    `unread`. The faction may be left out where a leader implies it. The findings of
    reading are not repeated.
    """
    resolver = _Resolver(reading, database)
    faction = resolver.faction()
    leader = resolver.leader(faction)
    if faction is None and leader is not None and "faction" not in reading.headers:
        faction = database.leaders[leader].faction
    entries = resolver.cards(in_reserves=False)
    reserves = resolver.cards(in_reserves=True)
    resolver.headings()
    resolver.left_out()
    name, format = reading.headers.get("name"), reading.headers.get("format")
    deck = Deck(
        source=reading.source,
        name=name[0].value if name else _file_name(reading),
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


def names_meant(reading: Reading, database: CardDatabase) -> dict[Span, str]:
    """The names to write instead of unknown ones, where a single one is suggested."""
    resolver = _Resolver(reading, database)
    resolver.leader(resolver.faction())
    for in_reserves in (False, True):
        resolver.cards(in_reserves=in_reserves)
    return resolver.meant


def _file_name(reading: Reading) -> str:
    """What to call a deck without a name: `swarm`, `swarm 2` for its second deck."""
    stem = PurePath(reading.source.path).stem
    return f"{stem} {reading.source.index + 1}" if reading.source.index else stem


class _Resolver:
    def __init__(self, reading: Reading, database: CardDatabase) -> None:
        self.reading = reading
        self.database = database
        self.findings: list[Finding] = []
        self.meant: dict[Span, str] = {}
        self.unknowns = 0
        copies = (card.copies for card in database.cards.values())
        self.unread = reading.unread * max(copies) if reading.unread else 0

    def faction(self) -> str | None:
        """The faction that the header names."""
        [header, *_] = self.reading.headers.get("faction") or [None]
        if header is None:
            return None
        lookup = self.database.find_faction(header.value)
        neutral = self.database.game.neutral
        if lookup.id is not None and lookup.id != neutral:
            return lookup.id
        names = [faction.name for faction in self.database.factions.values()]
        if neutral is not None:
            names.remove(self.database.factions[neutral].name)
        if lookup.id is not None:
            said = quote(header.value)
            message = f"{said} cards fit every deck and are not a faction"
        else:
            message = f"Unknown faction {quote(header.value)}"
        help = self.did_you_mean(header.span, lookup.suggestions)
        if help is None:
            game = self.database.game.name
            none = f"{game} has no factions: remove the line"
            help = f"Factions are {choice(names)}" if names else none
        self.report(UNKNOWN_FACTION, header.span, message, help)
        return None

    def leader(self, faction: str | None) -> str | None:
        """The first leader that the headers name."""
        leaders = []
        for header in self.reading.headers.get("leader", ()):
            lookup = self.database.find_leader(header.value, faction)
            if not lookup.ids and faction is not None:
                # A leader of another faction is known, and for the format to judge.
                lookup = self.database.find_leader(header.value)
            if lookup.id is not None:
                leaders.append(lookup.id)
                self.published(self.database.leaders[lookup.id], header.span)
            elif lookup.candidates:
                count = len(lookup.candidates)
                message = f"{quote(header.value)} is the name of {count} leaders"
                help = f"Write {choice(self._led(faction, lookup.candidates))}"
                self.report(AMBIGUOUS_LEADER, header.span, message, help)
            else:
                message = f"Unknown leader {quote(header.value)}"
                near = self.did_you_mean(header.span, lookup.suggestions)
                if not self.database.leaders:
                    near = f"{self.database.game.name} has no leaders: remove the line"
                self.report(UNKNOWN_LEADER, header.span, message, near)
        return leaders[0] if leaders else None

    def _led(self, faction: str | None, candidates: Sequence[str]) -> list[str]:
        """The leaders to write: those meant, or of the faction if all lead another."""
        meant = [self.database.leaders[id] for id in candidates]
        if faction is not None and all(leader.faction != faction for leader in meant):
            every = self.database.leaders.values()
            meant = [leader for leader in every if leader.faction == faction]
        return [leader.full_name for leader in meant]

    def cards(self, *, in_reserves: bool) -> tuple[DeckEntry, ...]:
        """Every card line of the deck, or of its reserves, whose name is a card."""
        resolved: list[DeckEntry] = []
        database = self.database
        entries = [
            entry
            for entry in self.reading.entries
            if in_reserves == (entry.in_reserves and database.game.reserves)
        ]
        for entry in entries:
            if database.description is not None:
                self.described(entry, database.description, resolved)
                continue
            is_told = self.unknowns < SUGGESTED
            lookup = database.find_card(entry.name, suggest=is_told)
            if lookup.id is not None:
                resolved.append(DeckEntry(lookup.id, entry.count, entry.span))
                self.published(database.cards[lookup.id], entry.span)
            elif lookup.candidates:
                names = [database.cards[id].name for id in lookup.candidates]
                message = f"{quote(entry.name)} is the name of {len(names)} cards"
                self.unread += entry.count
                help = f"Write {choice(names)}"
                self.report(AMBIGUOUS_CARD, entry.span, message, help)
            elif (gone := database.find_removal(entry.name)) is not None:
                message = f"{quote(gone.name)} is removed by the set {quote(gone.set)}"
                self.report(REMOVED_CARD, entry.span, message, "Choose another card")
            else:
                near = lookup.suggestions if is_told else ()
                self.unknown(entry, near, is_first=not resolved)
        self.repeated(resolved)
        return tuple(resolved)

    def headings(self) -> None:
        """Report cards that end in a colon, and so would count nowhere."""
        for heading in self.reading.headings:
            card = self.database.find_card(heading.title, suggest=False).id
            if card is not None:
                name = quote(self.database.cards[card].name)
                message = f"The heading is the name of a card: {name}"
                help = f"Write {name} without the colon, or a comment, `#`"
                self.unread += 1
                self.report(CARD_AS_HEADING, heading.span, message, help)
        self.own_headings()

    def own_headings(self) -> None:
        """Say of headings that are none of the usual ones that their cards count."""
        for heading in self.reading.headings:
            below = (e.count for e in self.reading.entries if e.heading == heading)
            copies = sum(below)
            if copies and not any(f.span == heading.span for f in self.findings):
                cards = "1 card counts" if copies == 1 else f"{copies} cards count"
                message = f"{quote(heading.title)} is a heading: {cards} below it"
                help = "Write `Sideboard` if they are not part of the deck"
                self.report(OWN_HEADING, heading.span, message, help)

    def left_out(self) -> None:
        """Say which cards are left out, below one heading at once."""
        for heading, group in groupby(self.reading.aside, lambda entry: entry.heading):
            assert heading is not None
            first, *others = group
            more = f" and {plural(len(others), 'line')} below" if others else ""
            verb = "are" if others else "is"
            message = f"{quote(first.line.text)}{more} {verb} left out"
            help = "Remove what is not meant, or the heading above it"
            related = [Related(entry.span, "left out") for entry in (first, *others)]
            self.report(LEFT_OUT, heading.span, message, help, *related)

    def published(self, record: Card | LeaderRecord, span: Span) -> None:
        """Note a card or a leader that is public by name only."""
        if not record.known:
            message = f"What {quote(record.name)} does is not public"
            help = "A set in a format of your own can give its true values"
            self.report(UNPUBLISHED_CARD, span, message, help)

    def described(
        self, entry: Entry, description: Description, resolved: list[DeckEntry]
    ) -> None:
        """A card in words: each word that does not fit is a finding."""
        words = description.read(entry.name)
        if isinstance(words, str):
            resolved.append(DeckEntry(words, entry.count, entry.span))
        elif ":" in entry.name:
            self.unknown(entry, (), is_first=not resolved)
        else:
            self.unread += entry.count
            self.did_you_mean(entry.span, description.find(entry.name).suggestions)
            for wrong in words:
                span = part_of(entry.span, entry.name, wrong.start, wrong.end)
                self.report(UNKNOWN_CARD, span, wrong.message, wrong.help)

    def unknown(
        self, entry: Entry, suggestions: tuple[str, ...], is_first: bool
    ) -> None:
        """A name that is not a card: a misspelt header, or a misspelt card."""
        self.unknowns += 1
        key, colon, value = entry.name.partition(":")
        is_card = self.database.find_card(key, suggest=False).id is not None
        if colon and value and entry.count == 1 and is_first and not is_card:
            headers = nearest(key.strip(), header_words())
            if headers or not suggestions:
                message = f"Unknown header {quote(key)}"
                help = suggestion(headers, "Write it as a comment, `# ...`")
                self.report(UNKNOWN_HEADER, entry.span, message, help)
                return
        self.unread += entry.count
        message = f"Unknown card {quote(entry.name)}"
        latin = self.database.find_card(as_latin(entry.name), suggest=False).id
        if latin is not None and foreign_letters(entry.name):
            message += f": {foreign_letters(entry.name)}"
            suggestions = (self.database.cards[latin].name,)
        remedy = self.as_header(entry.name)
        remedy = remedy or self.did_you_mean(entry.span, suggestions)
        if ":" in entry.name:
            # It may be a misspelt header.
            self.meant.pop(entry.span, None)
        if entry.name.endswith(":"):
            title = quote(f"# {entry.name.rstrip(': ')}")
            remedy = f"Remove the colon, or write {title} if this is a heading"
        is_title = sum(map(str.isalpha, entry.name)) >= SHORTEST_TITLE
        is_only = is_first and entry.count == self.unknowns == 1
        if remedy is None and is_only and is_title:
            remedy = f"Write {quote(f'Name: {entry.name}')} if this is the deck's name"
        self.report(UNKNOWN_CARD, entry.span, message, remedy)

    def as_header(self, name: str) -> str | None:
        """What to do with a leader or a faction among the cards."""
        meant = header_meant(name, self.database)
        if meant is None:
            return None
        key, names = meant
        lines = choice([self.key(key.capitalize(), name)[1:-1] for name in names])
        return f"A {key} is not a card: write {lines} above the cards"

    def key(self, label: str, value: str) -> str:
        """A header as one writes it where the deck is: a line, or a key."""
        suffix = PurePath(self.reading.source.path).suffix.lower()
        if suffix == ".json":
            return quote(f'"{label.lower()}": "{value}"')
        return quote(f"{label.lower() if suffix in _YAML else label}: {value}")

    def repeated(self, entries: Iterable[DeckEntry]) -> None:
        """Report cards that are on several lines."""
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
            help = f"Write {plural(copies, 'copy')} on one line, if all are meant"
            self.report(REPEATED_CARD, of_card[-1].span, message, help, *related)

    def did_you_mean(self, span: Span, names: Sequence[str]) -> str | None:
        """The question after a name, and what is meant if only one name is like it."""
        if len(names) == 1:
            self.meant[span] = names[0]
        return suggestion(names)

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


_WORDED = re.compile(r"(?P<word>\w+)\s*[-=\u2013\u2014]?\s+(?P<value>.+)")


def header_meant(name: str, database: CardDatabase) -> tuple[str, list[str]] | None:
    """The header that an unknown card is, and what it may say: `Leader Foltest`.

    The word in front may be missing. None for anything else.
    """
    worded = _WORDED.fullmatch(name)
    key = header_key(worded["word"]) if worded is not None else None
    value = worded["value"] if worded and key in ("leader", "faction") else name
    if key != "leader":
        faction = database.find_faction(value, suggest=False).id
        if faction is not None:
            return "faction", [database.factions[faction].name]
    leaders = database.find_leader(value, suggest=False).ids
    names = [database.leaders[id].full_name for id in leaders]
    return ("leader", names) if names and key != "faction" else None
