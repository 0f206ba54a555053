"""The first line of a text deck that is its name, though it does not say so."""

from __future__ import annotations

from dataclasses import replace

from deckcheck.cards import CardDatabase, normalise
from deckcheck.decks.model import Header, RawDeck, RawEntry
from deckcheck.decks.reading import BARE_TITLE, LATE_HEADER
from deckcheck.findings.words import quote

DECORATION = "*_=~> \t"
"""What makes a title one in mails and Markdown, around it."""

SHORTEST_TITLE = 3
"""How many letters the name of a deck has at least."""

MISSPELT = 75
"""From what likeness on, up to 100, a first line is a misspelt card."""


def titled(raw: RawDeck, db: CardDatabase) -> RawDeck:
    """The deck with its first line as its name, where that is no card; and a finding.

    A line that names a leader or a faction, or nearly a card, is left to `resolve`.
    """
    entry = raw.title
    is_alone = len(raw.entries) == 1
    if entry is None or is_alone or "name" in raw.headers or not _is_title(entry, db):
        return raw
    name = entry.name.strip(DECORATION) or entry.name
    message = f"The first line is no card: {quote(name)} is taken for the name"
    help = f"Write {quote(f'Name: {name}')}, or the card that is meant"
    finding = BARE_TITLE.at(raw.source.path, entry.span, message, help=help)
    entries = tuple(
        entry_of_deck for entry_of_deck in raw.entries if entry_of_deck is not entry
    )
    first = min((entry.span.start for entry in entries), default=None)
    # Headers below the title do not come after the first card.
    kept = [
        finding
        for finding in raw.findings
        if finding.name != LATE_HEADER.name or (first and finding.span.start > first)
    ]
    return replace(
        raw,
        headers={"name": (Header(name, entry.span),), **raw.headers},
        entries=entries,
        findings=(*kept, finding),
        texts=tuple(text for text in raw.texts if text.entry is not entry),
        span=entry.span,
        title=None,
    )


def _is_title(entry: RawEntry, db: CardDatabase) -> bool:
    if db.description is not None or ":" in entry.name:
        return False
    if sum(map(str.isalpha, entry.name)) < SHORTEST_TITLE:
        return False
    card = db.find_card(entry.name)
    leader = db.find_leader(entry.name, suggest=False)
    faction = db.find_faction(entry.name)
    names = (card, leader, faction)
    if any(name.id is not None or name.candidates for name in names):
        return False
    return db.removed(entry.name) is None and not _is_misspelt(
        entry.name, card.suggestions
    )


def _is_misspelt(name: str, suggestions: tuple[str, ...]) -> bool:
    if not suggestions:
        return False
    from rapidfuzz import fuzz

    own = normalise(name)
    return any(
        fuzz.ratio(own, normalise(suggestion)) >= MISSPELT for suggestion in suggestions
    )
