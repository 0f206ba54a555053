"""Resolves names as written to cards, leader and faction."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from deckcheck.cards import Card, CardDatabase, normalise
from deckcheck.cards.models import LeaderRecord
from deckcheck.cards.names import as_latin, foreign_letters
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
)
from deckcheck.decks.marks import OWN_SIGN, Aside
from deckcheck.decks.model import Deck, DeckEntry, Entry, Heading, Line, part_of
from deckcheck.decks.reading import (
    SHORTEST_TITLE,
    SUGGESTED,
    Reading,
    cards_aside,
    header_meant,
    several_cards,
)
from deckcheck.decks.words import header_words, is_section
from deckcheck.findings import Finding, Related, Rule, Severity, Span, in_order
from deckcheck.messages import choice, nearest, plural, quote, suggestion

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description

HEADING_LIKENESS = 0.8
"""Least likeness, up to 1, of a heading that may be a misspelt card."""

# Names as other programs have them: ids, and tags after a name.

FOREIGN_IDS = 3
"""From how many ids on they are of another program, and not misspelt."""

_FOREIGN_ID = re.compile(r"[a-z]{2,4}_[a-z0-9_]+")
_TAGS = re.compile(
    r"(?:\s*(?:\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|<[^<>]*>|\*[^*]+\*|\^[^^]+\^"
    r"|#\S+|!\w+))+$"
)
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
    resolver.asides()
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
        foreign = [
            entry
            for entry in entries
            if _FOREIGN_ID.fullmatch(entry.name)
            and database.find_card(entry.name, suggest=False).id is None
        ]
        foreign = foreign if len(foreign) >= FOREIGN_IDS else []
        for entry in entries:
            if database.description is not None:
                self.described(entry, database.description, resolved)
                continue
            is_told = self.unknowns < SUGGESTED
            lookup = database.find_card(entry.name, suggest=is_told)
            if lookup.id is not None:
                own = entry.heading if entry.heading in self.reading.headings else None
                resolved.append(DeckEntry(lookup.id, entry.count, entry.span, own))
                self.published(database.cards[lookup.id], entry.span)
            elif lookup.candidates:
                names = [database.cards[id].name for id in lookup.candidates]
                message = f"{quote(entry.name)} is the name of {len(names)} cards"
                self.unread += entry.count
                help = f"Write {choice(names)}"
                self.report(AMBIGUOUS_CARD, entry.span, message, help)
            elif (gone := database.removed(entry.name)) is not None:
                message = f"{quote(gone.name)} is removed by the set {quote(gone.set)}"
                self.report(REMOVED_CARD, entry.span, message, "Choose another card")
            elif entry not in foreign:
                near = lookup.suggestions if is_told else ()
                self.unknown(entry, near, is_first=not resolved)
        if foreign:
            self.foreign_ids(foreign)
        self.repeated(resolved)
        return tuple(resolved)

    def headings(self) -> None:
        """Report cards that end in a colon, and so would count nowhere.

        What is nearly the name of a card is a warning: it may be a heading after all.
        """
        for title, span in self.reading.sections.items():
            if is_section(title):
                continue
            lookup = self.database.find_card(title)
            names = tuple(self.database.cards[id].name for id in lookup.ids)
            near = () if names else tuple(_nearly(title, lookup.suggestions))
            if not names and not near:
                continue
            shown = choice(names or near)
            nearly = "" if names else "nearly "
            message = f"The heading is {nearly}the name of a card: {shown}"
            help = f"Write {shown} without the colon, or the heading as a comment, `#`"
            self.unread += not near
            weight = Severity.WARNING if near else None
            self.report(CARD_AS_HEADING, span, message, help, severity=weight)
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

    def asides(self) -> None:
        """Say which cards are left out; those below one heading at once, and quotes."""
        asides = [
            aside
            for aside, cards in cards_aside(self.reading.asides, self.database)
            if aside.aside not in (Aside.COMMENT, Aside.QUOTED) or aside.header or cards
        ]
        for (kind, _, heading), group in groupby(asides, key=_together):
            first, *others = group
            text = " ".join(first.text.split())
            if kind is Aside.COMMENT:
                message = f"{quote(text)} is read as a comment"
                help = "Write it on a line of its own, without the sign, if it is meant"
                # Of another program's sign nobody can be sure.
                weight = None if first.sign == OWN_SIGN else Severity.WARNING
                self.report(COMMENTED_CARD, first.span, message, help, severity=weight)
                continue
            more = f" and {plural(len(others), 'line')} below" if others else ""
            verb = "are" if others else "is"
            message = f"{quote(text)}{more} {verb} left out: {kind}"
            related = [Related(x.span, "also left out") for x in others]
            if heading is not None:
                related = [Related(first.span, "left out"), *related]
            help = "Remove what is not meant, or the mark of what is meant"
            place = heading.span if heading is not None else first.span
            self.report(LEFT_OUT, place, message, help, *related)

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
        from html import unescape

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
        remedy = self.as_header(entry.name) or self.as_several(entry)
        latin, bare = as_latin(entry.name), _TAGS.sub("", unescape(entry.name))
        for name in (latin, bare):
            meant = self.database.find_card(name, suggest=False).id
            if name != entry.name and meant is not None:
                suggestions = (self.database.cards[meant].name,)
                foreign = foreign_letters(entry.name) if name == latin else ""
                message += f": {foreign}" if foreign else ""
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

    def foreign_ids(self, entries: Sequence[Entry]) -> None:
        """Say once of all ids of another program that these are no names of ours."""
        self.unread += sum(entry.count for entry in entries)
        first, *others = entries
        more = f" and {plural(len(others), 'more id')}" if others else ""
        verb = "are ids" if others else "is an id"
        message = f"{quote(first.name)}{more} {verb} of another program"
        related = [Related(entry.span, "also such an id") for entry in others]
        help = "Write the names of the cards, as that program shows them"
        self.report(UNKNOWN_CARD, first.span, message, help, *related)

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

    def as_several(self, entry: Entry) -> str | None:
        """What to do with several cards on a line."""
        count = f"{entry.count} " if entry.count > 1 else ""
        parts = several_cards(f"{count}{entry.name}", self.database)
        if not parts:
            return None
        suffix = PurePath(self.reading.source.path).suffix.lower()
        if suffix in (*_YAML, ".json"):
            return f"Write an item for each card: {choice(parts, 'and')}"
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
        severity: Severity | None = None,
    ) -> None:
        finding = rule.at(
            self.reading.source.path, span, message,
            help=help, related=related, severity=severity,
        )  # fmt: skip
        self.findings.append(finding)


def _together(aside: Line) -> tuple[Aside | None, int, Heading | None]:
    """What lines that are left out have in common where one finding is enough."""
    is_alone = aside.heading is None and aside.aside is not Aside.QUOTED
    return aside.aside, id(aside) if is_alone else 0, aside.heading


def _nearly(title: str, names: Iterable[str]) -> Iterator[str]:
    """The names that a heading is a misspelling of, and not the plural."""
    from difflib import SequenceMatcher

    heading = normalise(title)
    for name in names:
        card = normalise(name)
        likeness = SequenceMatcher(None, heading, card).ratio()
        if likeness >= HEADING_LIKENESS and heading != f"{card}s":
            yield name
