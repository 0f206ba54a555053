"""Resolves names as written to cards, leader and faction."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from deckcheck.cards import Card, CardDatabase, normalise
from deckcheck.cards.models import LeaderRecord
from deckcheck.cards.names import as_latin, foreign_letters, is_misspelt
from deckcheck.decks.asides import OWN_SIGN, Aside, marked, title_of
from deckcheck.decks.findings import (
    AMBIGUOUS_CARD,
    AMBIGUOUS_LEADER,
    BARE_TITLE,
    BELOW_DASHES,
    CARD_AS_HEADING,
    COMMENTED_CARD,
    IMPOSSIBLE_COUNT,
    LATE_HEADER,
    LEFT_OUT,
    OWN_HEADING,
    REMOVED_CARD,
    REPEATED_CARD,
    UNKNOWN_CARD,
    UNKNOWN_FACTION,
    UNKNOWN_HEADER,
    UNKNOWN_LEADER,
    UNPUBLISHED_CARD,
    UNREADABLE_LINE,
)
from deckcheck.decks.lines import (
    CardLine,
    bracketed,
    parse_card_line,
    parse_described_line,
)
from deckcheck.decks.model import (
    CardText,
    Deck,
    DeckEntry,
    Header,
    RawAside,
    RawDeck,
    RawEntry,
    header_key,
    header_words,
    is_section,
    section_title,
)
from deckcheck.findings import Finding, Related, Rule, Severity, Span, in_order, on_line
from deckcheck.messages import choice, nearest, plural, quote, suggestion

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description


# The first line of a text deck that is its name, though it does not say so.

DECORATION = "*_=~> \t"
"""What makes a title one in emails and Markdown, around it."""

SHORTEST_TITLE = 3
"""How many letters the name of a deck has at least."""


def titled(raw: RawDeck, database: CardDatabase) -> RawDeck:
    """The deck named by its first line, where that is not a card; and a finding.

    A line that names a leader or a faction, or nearly a card, is left to `resolve`.
    """
    entry = raw.title
    if entry is None or raw.entries == (entry,) or "name" in raw.headers:
        return raw
    if not _is_title(entry, database):
        return raw
    name = entry.name.strip(DECORATION) or entry.name
    message = f"The first line is not a card: {quote(name)} is taken for the name"
    help = f"Write {quote(f'Name: {name}')}, or the card that is meant"
    finding = BARE_TITLE.at(raw.source.path, entry.span, message, help=help)
    rest = (other.span.start for other in raw.entries if other is not entry)
    first = min(rest, default=None)
    # Headers below the title do not come after the first card.
    kept = [
        finding
        for finding in raw.findings
        if finding.name != LATE_HEADER.name or (first and finding.span.start > first)
    ]
    return _without(
        raw,
        [entry],
        headers={"name": (Header(name, entry.span),), **raw.headers},
        findings=(*kept, finding),
        asides=tuple(aside for aside in raw.asides if aside.span != entry.span),
        span=entry.span,
        title=None,
    )


def _is_title(entry: RawEntry, database: CardDatabase) -> bool:
    if database.description is not None or ":" in entry.name:
        return False
    if header_meant(entry.name, database) is not None:
        return False
    if sum(map(str.isalpha, entry.name)) < SHORTEST_TITLE:
        return False
    card = database.find_card(entry.name)
    if card.ids or database.removed(entry.name) is not None:
        return False
    return not is_misspelt(entry.name, card.suggestions)


# Headers without a colon.

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


# Names as other programs have them: ids, and tags after a name.

FOREIGN_IDS = 3
"""From how many ids on they are of another program, and not misspelt."""

_FOREIGN_ID = re.compile(r"[a-z]{2,4}_[a-z0-9_]+")
_TAGS = re.compile(
    r"(?:\s*(?:\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|<[^<>]*>|\*[^*]+\*|\^[^^]+\^"
    r"|#\S+|!\w+))+$"
)
_YAML = (".yaml", ".yml")

# Several cards on one line, as in `3 Ballista, 2 Catapult; Decoy`.

_SEPARATOR = re.compile(r"\s*[,;]\s*")


def several_cards(text: str, database: CardDatabase) -> list[str]:
    """The line of each card, where every part of a line is one; else nothing."""
    parts = [part for part in _SEPARATOR.split(text) if part]
    lines = [parse_card_line(part) for part in parts]
    is_card = (
        isinstance(line, CardLine)
        and database.find_card(line.name, suggest=False).id is not None
        for line in lines
    )
    return parts if len(parts) > 1 and all(is_card) else []


# What is not meant, once the game is known: which of these lines are cards.


def aside_entries(
    aside: RawAside, database: CardDatabase, *, is_exact: bool = False
) -> list[RawEntry]:
    """The cards of a line that is not meant; none where it is something else.

    A misspelt card is one too, but not in a comment, nor if all shall be `is_exact`.
    """
    if aside.header is not None:
        return []
    marks = marked(aside.text)
    text = " ".join(aside.text[marks.start : marks.end].strip("# \t").split())
    if not text or len(text) > LONGEST_ASIDE:
        return []
    parse = parse_described_line if database.has_numbers else parse_card_line
    lines = [parse(part) for part in several_cards(text, database) or [text]]
    is_exact = is_exact or aside.kind is Aside.COMMENT
    return [
        RawEntry(line.name, line.count, aside.span)
        for line in lines
        if isinstance(line, CardLine)
        and _is_card(line.name, database, is_exact=is_exact)
    ]


def _is_card(name: str, database: CardDatabase, *, is_exact: bool) -> bool:
    if database.description is not None:
        return isinstance(database.description.read(name), str)
    lookup = database.find_card(name, suggest=not is_exact)
    if lookup.ids or database.removed(name) is not None:
        return True
    return not is_exact and is_misspelt(name, lookup.suggestions)


def other_readings(
    raw: RawDeck, database: CardDatabase
) -> Iterator[tuple[RawAside, RawDeck]]:
    """The deck as it is if what is left out counts: each kind of it, then all.

    With the first line that it is about. `raw` comes from `counted`.
    """
    are_many = len(raw.asides) > SUGGESTED
    asides = [
        (aside, aside_entries(aside, database, is_exact=are_many))
        for aside in raw.asides
    ]
    asides = [
        (aside, entries)
        for aside, entries in asides
        if (entries or aside.header) and aside.sign != OWN_SIGN
    ]
    kinds = list(dict.fromkeys(aside.kind for aside, _ in asides))
    choices = [{kind} for kind in kinds] + ([set(kinds)] if len(kinds) > 1 else [])
    for chosen in choices:
        taken = [(aside, new) for aside, new in asides if aside.kind in chosen]
        yield taken[0][0], _with_asides(raw, taken)
    if raw.removed:
        gone = set(map(id, raw.removed))
        entries = tuple(entry for entry in raw.entries if id(entry) not in gone)
        first = raw.removed[0]
        removed = RawAside(Aside.REMOVED, first.name, first.span)
        yield removed, replace(raw, entries=entries, removed=())


def _with_asides(
    raw: RawDeck, taken: Sequence[tuple[RawAside, list[RawEntry]]]
) -> RawDeck:
    entries = [*raw.entries, *(entry for _, new in taken for entry in new)]
    headers = dict(raw.headers)
    for aside, _ in taken:
        if aside.header is not None:
            header = Header(aside.text, aside.span)
            headers[aside.header] = (*headers.get(aside.header, ()), header)
    ordered = tuple(sorted(entries, key=lambda entry: entry.span.start))
    return replace(raw, entries=ordered, headers=headers, asides=())


def _without(raw: RawDeck, gone: Collection[RawEntry], **changes: Any) -> RawDeck:
    """The deck without some of its entries, which are not read again."""
    ids = set(map(id, gone))
    return replace(
        raw,
        entries=tuple(entry for entry in raw.entries if id(entry) not in ids),
        texts=tuple(text for text in raw.texts if id(text.entry) not in ids),
        **changes,
    )


def _without_reserves(raw: RawDeck) -> RawDeck:
    """The deck where the game has no reserves: what is listed as such is set aside."""
    beside = [entry for entry in raw.entries if entry.in_reserves]
    asides = (
        RawAside(Aside.HEADING, f"{entry.count} {entry.name}", entry.span, entry.below)
        for entry in beside
    )
    return _without(raw, beside, asides=(*raw.asides, *asides)) if beside else raw


def _signed(raw: RawDeck, database: CardDatabase, dashes: Span) -> RawDeck:
    """The deck where a line `--` has been read: a signature, or a word about it."""
    below = [entry for entry in raw.entries if entry.span.start > dashes.start]
    wrong = [finding for finding in raw.findings if finding.span.start > dashes.start]
    if any(_is_card(entry.name, database, is_exact=False) for entry in below):
        message = f"{plural(len(below), 'line')} below `--`: these cards count"
        help = "Remove the `--`, or write `---` between two decks"
        finding = BELOW_DASHES.at(raw.source.path, dashes, message, help=help)
        return replace(raw, findings=(*raw.findings, finding), below_dashes=None)
    unread = [text for text in raw.texts if text.finding in wrong]
    return _without(
        raw,
        below,
        findings=tuple(finding for finding in raw.findings if finding not in wrong),
        unread=raw.unread - len(unread),
        below_dashes=None,
    )


def _led(raw: RawDeck, database: CardDatabase) -> RawDeck:
    """The deck with a leader or a faction that stands on the line below its heading."""
    keys = {
        span: header_key(title) or header_key(title.partition(" ")[0])
        for title, span in raw.sections.items()
    }
    for entry in raw.entries:
        key = keys.pop(entry.below, None) if entry.below is not None else None
        if key not in ("leader", "faction") or key in raw.headers or entry.count > 1:
            continue
        find = database.find_leader if key == "leader" else database.find_faction
        lookup, card = find(entry.name), database.find_card(entry.name)
        is_like_a_card = card.ids or card.suggestions
        if lookup.ids or (lookup.suggestions and not is_like_a_card):
            headers = {**raw.headers, key: (Header(entry.name, entry.span),)}
            findings = tuple(f for f in raw.findings if f.span != entry.below)
            raw = _without(raw, [entry], headers=headers, findings=findings)
    return raw


def _without_kinds(raw: RawDeck, database: CardDatabase) -> RawDeck:
    """The deck without headings of one's own that are those of a kind of cards."""
    kinds = {section_title(kind).lower() for kind in database.game.kinds}
    own = {span: x for span, x in raw.headings.items() if x.lower() not in kinds}
    return replace(raw, headings=own)


def _headed(raw: RawDeck, database: CardDatabase) -> RawDeck:
    """The deck with lines such as `Finishers` as headings.

    Such a line has no count where the line below it has one, is nearly no card, and
    begins a block of lines.
    """
    whole = {id(text.entry): text for text in raw.texts if text.entry is not None}
    bare = {key for key, text in whole.items() if text.is_bare}
    if len(bare) in (0, len(whole)):
        return raw
    headings, titles, entries = dict(raw.headings), [], []
    below = before = None
    for entry, after in pairwise([*raw.entries, None]):
        assert entry is not None
        is_first = before is None or entry.span.start.line > before.span.start.line + 1
        line = entry.span.start.line
        is_above = after is not None and after.span.start.line == line + 1
        title = title_of(entry.name)
        if (
            is_first and is_above and id(entry) in bare and id(after) not in bare
            and len(title.split()) <= (2 if before is None else 3)
            and _is_title(replace(entry, name=title), database)
        ):  # fmt: skip
            below = whole[id(entry)].span
            headings[below] = title
            titles.append(entry)
        elif before is not None and entry.below != before.below:
            below = None
        entries.append(entry if below is None else replace(entry, below=below))
        before = entry
    if not titles:
        return raw
    news = {id(old): new for old, new in zip(raw.entries, entries, strict=True)}
    gone = [news[id(entry)] for entry in titles]
    texts = tuple(
        replace(text, entry=news.get(id(text.entry), text.entry)) for text in raw.texts
    )
    read = replace(raw, entries=tuple(entries), texts=texts, headings=headings)
    return _without(read, gone)


# Counts of cards once the game is known: `3 fire` may be a card, or three of one.


def counted(raw: RawDeck, database: CardDatabase) -> RawDeck:
    """The deck as the game of `database` reads it; the same deck for most games.

    Where cards are described and may start with a number, a count has its `x`. The
    numbers of lines such as `Ballista (6)` are copies or strengths, see `_bracketed`.
    A first line that is not a card is the name.
    """
    if raw.below_dashes is not None:
        raw = _signed(raw, database, raw.below_dashes)
    if not database.game.reserves:
        raw = _without_reserves(raw)
    if raw.title is not None:
        raw = titled(raw, database)
    if raw.sections:
        raw = _led(raw, database)
    if raw.headings:
        raw = _without_kinds(raw, database)
    raw = _headed(raw, database)
    if database.has_numbers:
        path = raw.source.path
        return _replaced(raw, [(text, _read_again(text, path)) for text in raw.texts])
    if raw.unread:
        return _replaced(raw, _bracketed(raw, database))
    return raw


def _replaced(raw: RawDeck, pairs: Sequence[tuple[CardText, CardText]]) -> RawDeck:
    """The deck with other readings of some of its texts."""
    if not pairs:
        return raw
    news = {id(old): new for old, new in pairs}
    gone = {id(old.entry or old.finding) for old, _ in pairs}
    entries = [entry for entry in raw.entries if id(entry) not in gone]
    findings = [finding for finding in raw.findings if id(finding) not in gone]
    entries += [new.entry for _, new in pairs if new.entry is not None]
    wrong = [new.finding for _, new in pairs if new.finding is not None]
    were_wrong = sum(old.finding is not None for old, _ in pairs)
    return replace(
        raw,
        entries=tuple(sorted(entries, key=lambda entry: entry.span.start)),
        findings=(*findings, *wrong),
        unread=raw.unread - were_wrong + len(wrong),
        texts=tuple(news.get(id(text), text) for text in raw.texts),
    )


def _bracketed(raw: RawDeck, database: CardDatabase) -> list[tuple[CardText, CardText]]:
    """What the numbers of lines such as `Ballista (6)` mean, judged by the whole deck.

    Strengths, when most of the numbers are those of their cards and one of these could
    be no count; copies, when most are not. Nothing, when all could be either.
    """
    texts = [
        (text, read)
        for text in raw.texts
        if text.finding is not None and (read := bracketed(text.text)) is not None
    ]
    cards = [
        database.cards.get(database.find_card(read.name, suggest=False).id or "")
        for _, read in texts
    ]
    counts = [
        (read.count, card)
        for (_, read), card in zip(texts, cards, strict=True)
        if card is not None and card.strength is not None
    ]
    fitting = [(number, card) for number, card in counts if number == card.strength]
    are_strengths = 2 * len(fitting) > len(counts)
    if are_strengths and all(number <= card.copies for number, card in fitting):
        return []
    pairs = []
    for (text, read), card in zip(texts, cards, strict=True):
        is_unit = card is None or card.strength is not None
        count = 1 if are_strengths and is_unit else read.count
        span = part_of(text.span, text.text, 0, len(read.name))
        entry = RawEntry(read.name, count, span, text.in_reserves)
        pairs.append((text, CardText(text.text, text.span, entry)))
    return pairs


def part_of(span: Span, text: str, start: int, end: int) -> Span:
    """The place of `text[start:end]`, where `span` covers `text` or its quotes too.

    All of `span` where the text is written differently there.
    """
    width = span.end.column - span.start.column
    shift, odd = divmod(width - len(text), 2)
    if span.start.line != span.end.line or odd or shift not in (0, 1):
        return span
    column = span.start.column + shift
    return on_line(span.start.line, column + start, column + end)


def _read_again(text: CardText, path: str) -> CardText:
    bare = text.text.strip()
    shift = len(text.text) - len(text.text.lstrip())
    line = parse_described_line(bare)
    span = part_of(text.span, text.text, line.start + shift, line.end + shift)
    if isinstance(line, CardLine):
        entry = RawEntry(line.name, line.count, span)
        return replace(text, entry=entry, finding=None)
    rule = IMPOSSIBLE_COUNT if line.about_count else UNREADABLE_LINE
    finding: Finding = rule.at(path, span, line.message, help=line.help)
    return replace(text, entry=None, finding=finding)


# Resolves names as written to cards, leader and faction.

SUGGESTED = 100
"""How many unknown cards get suggestions; with more, something else is wrong."""

LONGEST_ASIDE = 120
"""How many characters of a comment, or of what is crossed out, may be a card."""

HEADING_LIKENESS = 0.8
"""Least likeness, up to 1, of a heading that may be a misspelt card."""


def resolve(raw: RawDeck, database: CardDatabase) -> tuple[Deck, tuple[Finding, ...]]:
    """Look up every name of a deck.

    `raw` comes from `counted` where the game was not known when it was read. What does
    not resolve is a finding, is left out of the deck and counts in its `unread`. The
    faction may be left out where a leader implies it. The findings of reading are not
    repeated.
    """
    resolver = _Resolver(raw, database)
    faction = resolver.faction()
    leader = resolver.leader(faction)
    if faction is None and leader is not None and "faction" not in raw.headers:
        faction = database.leaders[leader].faction
    entries = resolver.cards(in_reserves=False)
    reserves = resolver.cards(in_reserves=True)
    resolver.headings()
    resolver.asides()
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


def names_meant(raw: RawDeck, database: CardDatabase) -> dict[Span, str]:
    """The names to write instead of unknown ones, where a single one is suggested."""
    resolver = _Resolver(raw, database)
    resolver.leader(resolver.faction())
    for in_reserves in (False, True):
        resolver.cards(in_reserves=in_reserves)
    return resolver.meant


def _first(raw: RawDeck, key: str) -> Header | None:
    headers = raw.headers.get(key, ())
    return headers[0] if headers else None


def _file_name(raw: RawDeck) -> str:
    """What to call a deck without a name: `swarm`, `swarm 2` for its second deck."""
    stem = PurePath(raw.source.path).stem
    return f"{stem} {raw.source.index + 1}" if raw.source.index else stem


class _Resolver:
    def __init__(self, raw: RawDeck, database: CardDatabase) -> None:
        self.raw = raw
        self.database = database
        self.findings: list[Finding] = []
        self.meant: dict[Span, str] = {}
        self.unknowns = 0
        most = max(card.copies for card in database.cards.values()) if raw.unread else 0
        self.unread = raw.unread * most

    def faction(self) -> str | None:
        """The faction that the header names."""
        header = _first(self.raw, "faction")
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
        for header in self.raw.headers.get("leader", ()):
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
        entries: list[DeckEntry] = []
        foreign = [
            raw
            for raw in self.raw.entries
            if in_reserves == (raw.in_reserves and self.database.game.reserves)
            and _FOREIGN_ID.fullmatch(raw.name)
            and self.database.find_card(raw.name, suggest=False).id is None
        ]
        for raw in self.raw.entries:
            if in_reserves != (raw.in_reserves and self.database.game.reserves):
                continue
            if self.database.description is not None:
                self.described(raw, self.database.description, entries)
                continue
            is_told = self.unknowns < SUGGESTED
            lookup = self.database.find_card(raw.name, suggest=is_told)
            if lookup.id is not None:
                below = raw.below if raw.below in self.raw.headings else None
                entries.append(DeckEntry(lookup.id, raw.count, raw.span, below))
                self.published(self.database.cards[lookup.id], raw.span)
            elif lookup.candidates:
                names = [self.database.cards[id].name for id in lookup.candidates]
                message = f"{quote(raw.name)} is the name of {len(names)} cards"
                self.unread += raw.count
                help = f"Write {choice(names)}"
                self.report(AMBIGUOUS_CARD, raw.span, message, help)
            elif (gone := self.database.removed(raw.name)) is not None:
                message = f"{quote(gone.name)} is removed by the set {quote(gone.set)}"
                help = "Choose another card"
                self.report(REMOVED_CARD, raw.span, message, help)
            else:
                near = lookup.suggestions if is_told else ()
                if len(foreign) >= FOREIGN_IDS and raw in foreign:
                    continue
                self.unknown(raw, near, is_first=not entries)
        if len(foreign) >= FOREIGN_IDS:
            self.foreign_ids(foreign)
        self.repeated(entries)
        return tuple(entries)

    def headings(self) -> None:
        """Report cards that end in a colon, and so would count nowhere.

        What is nearly the name of a card is a warning: it may be a heading after all.
        """
        for title, span in self.raw.sections.items():
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
        for span, title in self.raw.headings.items():
            below = (entry for entry in self.raw.entries if entry.below == span)
            copies = sum(entry.count for entry in below)
            if copies and not any(f.span == span for f in self.findings):
                cards = "1 card counts" if copies == 1 else f"{copies} cards count"
                message = f"{quote(title)} is a heading: {cards} below it"
                help = "Write `Sideboard` if they are not part of the deck"
                self.report(OWN_HEADING, span, message, help)

    def asides(self) -> None:
        """Say which cards are left out; those below one heading at once, and quotes."""
        are_many = len(self.raw.asides) > SUGGESTED
        asides = [
            aside
            for aside in self.raw.asides
            if aside.kind not in (Aside.COMMENT, Aside.QUOTED)
            or aside.header is not None
            or aside_entries(aside, self.database, is_exact=are_many)
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
            self.report(LEFT_OUT, heading or first.span, message, help, *related)

    def published(self, record: Card | LeaderRecord, span: Span) -> None:
        """Note a card or a leader that is public by name only."""
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
            self.did_you_mean(raw.span, description.find(raw.name).suggestions)
            for wrong in words:
                span = part_of(raw.span, raw.name, wrong.start, wrong.end)
                self.report(UNKNOWN_CARD, span, wrong.message, wrong.help)

    def unknown(
        self, raw: RawEntry, suggestions: tuple[str, ...], is_first: bool
    ) -> None:
        """A name that is not a card: a misspelt header, or a misspelt card."""
        from html import unescape

        self.unknowns += 1
        key, colon, value = raw.name.partition(":")
        is_card = self.database.find_card(key, suggest=False).id is not None
        if colon and value and raw.count == 1 and is_first and not is_card:
            headers = nearest(key.strip(), header_words())
            if headers or not suggestions:
                message = f"Unknown header {quote(key)}"
                help = suggestion(headers, "Write it as a comment, `# ...`")
                self.report(UNKNOWN_HEADER, raw.span, message, help)
                return
        self.unread += raw.count
        message = f"Unknown card {quote(raw.name)}"
        remedy = self.as_header(raw.name) or self.as_several(raw)
        latin, bare = as_latin(raw.name), _TAGS.sub("", unescape(raw.name))
        for name in (latin, bare):
            meant = self.database.find_card(name, suggest=False).id
            if name != raw.name and meant is not None:
                suggestions = (self.database.cards[meant].name,)
                foreign = foreign_letters(raw.name) if name == latin else ""
                message += f": {foreign}" if foreign else ""
        remedy = remedy or self.did_you_mean(raw.span, suggestions)
        if ":" in raw.name:
            # It may be a misspelt header.
            self.meant.pop(raw.span, None)
        if raw.name.endswith(":"):
            title = quote(f"# {raw.name.rstrip(': ')}")
            remedy = f"Remove the colon, or write {title} if this is a heading"
        is_title = sum(map(str.isalpha, raw.name)) >= SHORTEST_TITLE
        is_only = is_first and raw.count == self.unknowns == 1
        if remedy is None and is_only and is_title:
            remedy = f"Write {quote(f'Name: {raw.name}')} if this is the deck's name"
        self.report(UNKNOWN_CARD, raw.span, message, remedy)

    def foreign_ids(self, raws: Sequence[RawEntry]) -> None:
        """Say once of all ids of another program that these are no names of ours."""
        self.unread += sum(raw.count for raw in raws)
        first, *others = raws
        more = f" and {plural(len(others), 'more id')}" if others else ""
        verb = "are ids" if others else "is an id"
        message = f"{quote(first.name)}{more} {verb} of another program"
        related = [Related(raw.span, "also such an id") for raw in others]
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
        suffix = PurePath(self.raw.source.path).suffix.lower()
        if suffix == ".json":
            return quote(f'"{label.lower()}": "{value}"')
        return quote(f"{label.lower() if suffix in _YAML else label}: {value}")

    def as_several(self, raw: RawEntry) -> str | None:
        """What to do with several cards on a line."""
        count = f"{raw.count} " if raw.count > 1 else ""
        parts = several_cards(f"{count}{raw.name}", self.database)
        if not parts:
            return None
        suffix = PurePath(self.raw.source.path).suffix.lower()
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
            self.raw.source.path, span, message,
            help=help, related=related, severity=severity,
        )  # fmt: skip
        self.findings.append(finding)


def _together(aside: RawAside) -> tuple[Aside, int, Span | None]:
    """What lines that are left out have in common where one finding is enough."""
    is_alone = aside.heading is None and aside.kind is not Aside.QUOTED
    return aside.kind, id(aside) if is_alone else 0, aside.heading


def _nearly(title: str, names: Iterable[str]) -> Iterator[str]:
    """The names that a heading is a misspelling of, and not the plural."""
    from difflib import SequenceMatcher

    heading = normalise(title)
    for name in names:
        card = normalise(name)
        likeness = SequenceMatcher(None, heading, card).ratio()
        if likeness >= HEADING_LIKENESS and heading != f"{card}s":
            yield name
