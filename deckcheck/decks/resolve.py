"""Resolves names as written to cards, leader and faction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.models import Leader
from deckcheck.cards.names import normalise
from deckcheck.decks.counting import part_of
from deckcheck.decks.headers import header_words, is_section
from deckcheck.decks.lookalikes import as_latin, foreign_letters
from deckcheck.decks.model import Deck, DeckEntry, Header, RawDeck, RawEntry
from deckcheck.decks.naming import (
    AMBIGUOUS_CARD,
    AMBIGUOUS_LEADER,
    REMOVED_CARD,
    REPEATED_CARD,
    UNKNOWN_CARD,
    UNKNOWN_FACTION,
    UNKNOWN_LEADER,
    UNPUBLISHED_CARD,
)
from deckcheck.decks.reading import CARD_AS_HEADING, UNKNOWN_HEADER
from deckcheck.decks.several import several_cards
from deckcheck.decks.titles import SHORTEST_TITLE
from deckcheck.findings import Finding, Related, Rule, Severity, Span, in_order
from deckcheck.findings.words import choice, nearest, plural, quote

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description

SUGGESTED = 100
"""How many unknown cards get suggestions; with more, something else is wrong."""

HEADING_LIKENESS = 0.8
"""Least likeness, up to 1, of a heading that may be a misspelt card."""


def resolve(raw: RawDeck, db: CardDatabase) -> tuple[Deck, tuple[Finding, ...]]:
    """Look up every name of a deck.

    `raw` comes from `counted` where the game was not known when it was read. What does
    not resolve is a finding, is left out of the deck and counts in its `unread`. The
    faction may be left out where a leader implies it. The findings of reading are not
    repeated.
    """
    resolver = _Resolver(raw, db)
    faction = resolver.faction()
    leader = resolver.leader(faction)
    if faction is None and leader is not None and "faction" not in raw.headers:
        faction = db.leaders[leader].faction
    entries = resolver.cards(in_reserves=False)
    reserves = resolver.cards(in_reserves=True)
    resolver.headings()
    name = _first(raw, "name")
    format = _first(raw, "format")
    deck = Deck(
        source=raw.source,
        name=name.value if name else _file_name(raw),
        format=format.value if format else None,
        faction=faction,
        leader=leader,
        entries=entries,
        span=raw.span,
        headers=raw.headers,
        sections=raw.sections,
        unread=resolver.unread,
        reserves=reserves,
    )
    return deck, in_order(resolver.findings)


def _first(raw: RawDeck, key: str) -> Header | None:
    headers = raw.headers.get(key, ())
    return headers[0] if headers else None


def _file_name(raw: RawDeck) -> str:
    """What to call a deck without a name: `swarm`, `swarm 2` for its second deck."""
    stem = PurePath(raw.source.path).stem
    return f"{stem} {raw.source.index + 1}" if raw.source.index else stem


class _Resolver:
    def __init__(self, raw: RawDeck, db: CardDatabase) -> None:
        self.raw = raw
        self.db = db
        self.findings: list[Finding] = []
        self.unknowns = 0
        most = max(card.copies for card in db.cards.values()) if raw.unread else 0
        self.unread = raw.unread * most

    def faction(self) -> str | None:
        """The faction that the header names."""
        header = _first(self.raw, "faction")
        if header is None:
            return None
        lookup = self.db.find_faction(header.value)
        neutral = self.db.game.neutral
        if lookup.id is not None and lookup.id != neutral:
            return lookup.id
        names = [faction.name for faction in self.db.factions.values()]
        if neutral is not None:
            names.remove(self.db.factions[neutral].name)
        if lookup.id is not None:
            message = (
                f"{quote(header.value)} cards fit every deck and are not a faction"
            )
        else:
            message = f"Unknown faction {quote(header.value)}"
        help = _did_you_mean(lookup.suggestions)
        if help is None:
            game = self.db.game.name
            none = f"{game} has no factions: remove the line"
            help = f"Factions are {choice(names)}" if names else none
        self.report(UNKNOWN_FACTION, header.span, message, help)
        return None

    def leader(self, faction: str | None) -> str | None:
        """The first leader that the headers name."""
        leaders = []
        for header in self.raw.headers.get("leader", ()):
            lookup = self.db.find_leader(header.value, faction)
            if lookup.id is None and not lookup.candidates and faction is not None:
                # A leader of another faction is known, and for the format to judge.
                lookup = self.db.find_leader(header.value)
            if lookup.id is not None:
                leaders.append(lookup.id)
                self.published(self.db.leaders[lookup.id], header.span)
            elif lookup.candidates:
                names = [self.db.leaders[id].full_name for id in lookup.candidates]
                message = f"{quote(header.value)} is the name of {len(names)} leaders"
                help = f"Write {choice(names)}"
                self.report(AMBIGUOUS_LEADER, header.span, message, help)
            else:
                message = f"Unknown leader {quote(header.value)}"
                near = _did_you_mean(lookup.suggestions)
                if not self.db.leaders:
                    near = f"{self.db.game.name} has no leaders: remove the line"
                self.report(UNKNOWN_LEADER, header.span, message, near)
        return leaders[0] if leaders else None

    def cards(self, *, in_reserves: bool) -> tuple[DeckEntry, ...]:
        """Every card line of the deck, or of its reserves, whose name is a card."""
        entries: list[DeckEntry] = []
        for raw in self.raw.entries:
            if in_reserves != (raw.in_reserves and self.db.game.reserves):
                continue
            if self.db.description is not None:
                self.described(raw, self.db.description, entries)
                continue
            is_told = self.unknowns < SUGGESTED
            lookup = self.db.find_card(raw.name, suggest=is_told)
            if lookup.id is not None:
                entries.append(DeckEntry(lookup.id, raw.count, raw.span))
                self.published(self.db.cards[lookup.id], raw.span)
            elif lookup.candidates:
                names = [self.db.cards[id].name for id in lookup.candidates]
                message = f"{quote(raw.name)} is the name of {len(names)} cards"
                self.unread += raw.count
                help = f"Write {choice(names)}"
                self.report(AMBIGUOUS_CARD, raw.span, message, help)
            elif (gone := self.db.removed(raw.name)) is not None:
                message = f"{quote(gone.name)} is removed by the set {quote(gone.set)}"
                help = "Choose another card"
                self.report(REMOVED_CARD, raw.span, message, help)
            else:
                near = lookup.suggestions if is_told else ()
                self.unknown(raw, near, is_first=not entries)
        self.repeated(entries)
        return tuple(entries)

    def headings(self) -> None:
        """Report cards that end in a colon, and so would count nowhere.

        What is nearly the name of a card is a warning: it may be a heading after all.
        """
        for title, span in self.raw.sections.items():
            if is_section(title):
                continue
            lookup = self.db.find_card(title)
            ids = (lookup.id,) if lookup.id is not None else lookup.candidates
            names = tuple(self.db.cards[id].name for id in ids)
            near = () if names else tuple(_nearly(title, lookup.suggestions))
            if not names and not near:
                continue
            shown = choice(names or near)
            nearly = "" if names else "nearly "
            message = f"The heading is {nearly}the name of a card: {shown}"
            help = f"Write {shown} without the colon, or the heading as a comment, `#`"
            finding = CARD_AS_HEADING.at(self.raw.source.path, span, message, help=help)
            if near:
                finding = replace(finding, severity=Severity.WARNING)
            else:
                self.unread += 1
            self.findings.append(finding)

    def published(self, record: Card | Leader, span: Span) -> None:
        """Note a card or a leader of whom only the name is public."""
        if not record.known:
            message = f"What {quote(record.name)} does is not public"
            help = "A set in a format of your own can give its true values"
            self.report(UNPUBLISHED_CARD, span, message, help)

    def described(
        self, raw: RawEntry, description: Description, entries: list[DeckEntry]
    ) -> None:
        """A card in words: each word that does not fit is a finding."""
        words = description.read(raw.name)
        if isinstance(words, str):
            entries.append(DeckEntry(words, raw.count, raw.span))
        elif ":" in raw.name:
            self.unknown(raw, (), is_first=not entries)
        else:
            self.unread += raw.count
            for wrong in words:
                span = part_of(raw.span, raw.name, wrong.start, wrong.end)
                self.report(UNKNOWN_CARD, span, wrong.message, wrong.help)

    def unknown(
        self, raw: RawEntry, suggestions: tuple[str, ...], is_first: bool
    ) -> None:
        """A name that is not a card: a misspelt header, or a misspelt card."""
        self.unknowns += 1
        key, colon, value = raw.name.partition(":")
        is_card = self.db.find_card(key, suggest=False).id is not None
        if colon and value and raw.count == 1 and is_first and not is_card:
            headers = nearest(key.strip(), header_words())
            if headers or not suggestions:
                message = f"Unknown header {quote(key)}"
                help = _did_you_mean(headers) or "Write it as a comment, `# ...`"
                self.report(UNKNOWN_HEADER, raw.span, message, help)
                return
        self.unread += raw.count
        message = f"Unknown card {quote(raw.name)}"
        remedy = self.as_header(raw.name) or self.as_several(raw)
        latin = as_latin(raw.name)
        if latin != raw.name and (meant := self.db.find_card(latin, suggest=False).id):
            message += f": {foreign_letters(raw.name)}"
            suggestions = (self.db.cards[meant].name,)
        remedy = remedy or _did_you_mean(suggestions)
        if raw.name.endswith(":"):
            title = quote(f"# {raw.name.rstrip(': ')}")
            remedy = f"Remove the colon, or write {title} if this is a heading"
        is_title = sum(map(str.isalpha, raw.name)) >= SHORTEST_TITLE
        is_only = is_first and raw.count == self.unknowns == 1
        if remedy is None and is_only and is_title:
            remedy = f"Write {quote(f'Name: {raw.name}')} if this is the deck's name"
        self.report(UNKNOWN_CARD, raw.span, message, remedy)

    def as_header(self, name: str) -> str | None:
        """What to do with a leader or a faction among the cards."""
        faction = self.db.find_faction(name).id
        if faction is not None:
            name = self.db.factions[faction].name
            return f"A faction is not a card: write `Faction: {name}` above the cards"
        lookup = self.db.find_leader(name, suggest=False)
        names = [self.db.leaders[id].full_name for id in (lookup.id,) if id]
        names = names or [self.db.leaders[id].full_name for id in lookup.candidates]
        if not names:
            return None
        lines = choice([f"Leader: {name}" for name in names])
        return f"A leader is not a card: write {lines} above the cards"

    def as_several(self, raw: RawEntry) -> str | None:
        """What to do with several cards on a line."""
        count = f"{raw.count} " if raw.count > 1 else ""
        parts = several_cards(f"{count}{raw.name}", self.db)
        if not parts:
            return None
        return f"Write a line for each card: {choice(parts, 'and')}"

    def repeated(self, entries: Iterable[DeckEntry]) -> None:
        """Report cards that are on several lines."""
        lines: dict[str, list[DeckEntry]] = defaultdict(list)
        for entry in entries:
            lines[entry.card].append(entry)
        for card, of_card in lines.items():
            if len(of_card) < 2:
                continue
            copies = sum(entry.count for entry in of_card)
            name = quote(self.db.cards[card].name)
            message = f"{name} is on {len(of_card)} lines"
            related = [Related(entry.span, "also here") for entry in of_card[:-1]]
            help = f"Write {plural(copies, 'copy')} on one line, if all are meant"
            self.report(REPEATED_CARD, of_card[-1].span, message, help, *related)

    def report(
        self, rule: Rule, span: Span, message: str, help: str | None, *related: Related
    ) -> None:
        path = self.raw.source.path
        self.findings.append(rule.at(path, span, message, help=help, related=related))


def _nearly(title: str, names: Iterable[str]) -> Iterator[str]:
    """The names that a heading is a misspelling of, and not the plural."""
    from difflib import SequenceMatcher

    heading = normalise(title)
    for name in names:
        card = normalise(name)
        likeness = SequenceMatcher(None, heading, card).ratio()
        if likeness >= HEADING_LIKENESS and heading != f"{card}s":
            yield name


def _did_you_mean(names: Iterable[str]) -> str | None:
    names = tuple(names)
    return f"Did you mean {choice(names)}?" if names else None
