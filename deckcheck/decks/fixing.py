"""Safe repairs of a text deck: never of its contents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from deckcheck.cards import CardDatabase, Lookup, normalise
from deckcheck.decks.cardlines import MAX_COUNT
from deckcheck.decks.counting import counted
from deckcheck.decks.lines import read_comments, read_lines
from deckcheck.decks.model import CardText, RawDeck
from deckcheck.decks.reading import BARE_TITLE
from deckcheck.decks.several import several_cards
from deckcheck.decks.titles import DECORATION
from deckcheck.decks.writers.text import card_line
from deckcheck.findings import Span

SURE = 85
"""Least likeness, from 0 to 100, of a name and the only one suggested for it."""

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")


def fix_text(text: str, raws: Sequence[RawDeck], db: CardDatabase) -> str:
    """`text` with misspelt names corrected, headers moved up and lines merged.

    A title gets its `Name:`, and several cards on a line get a line each.

    A name is corrected where a single suggestion is nearly the same. A deck in which a
    header appears twice keeps its headers where they are, as two decks may have run
    together. Lines with a comment at their end are not merged. All else stays as it is.
    """
    lines: dict[int, str | None] = dict(enumerate(_LINES.findall(text), start=1))
    bare = {line.number: line.span() for line in read_lines(text)}
    commented = {c.number for c in read_comments(text) if not c.is_alone}
    for raw in (counted(raw, db) for raw in raws):
        names = _corrected(raw, db)
        merged, gone = _merged(raw, names, db, commented)
        for span, name in names.items():
            _replace(lines, span, name)
        for text_of_line, parts in _several(raw, db):
            _replace(lines, text_of_line.span, "\n".join(parts))
        for finding in raw.findings:
            if finding.name == BARE_TITLE.name:
                _name(lines, finding.span, raw.headers["name"][0].value)
        for line, said in merged.items():
            _replace(lines, bare[line], said)
        for line in gone:
            lines[line] = None
        _move_headers(raw, lines)
    return "".join(line for line in lines.values() if line is not None)


def _name(lines: dict[int, str | None], span: Span, title: str) -> None:
    """Make a title the name of the deck, without what decorates it."""
    number, line = span.start.line, lines[span.start.line] or ""
    before = line[: span.start.column - 1].strip(DECORATION)
    after = line[span.end.column - 1 :]
    end = after[len(after.rstrip("\r\n")) :]
    comment = after.strip().strip(DECORATION)
    rest = f" {comment}" if comment else ""
    lines[number] = f"{before}Name: {title}{rest}{end}"


def _replace(lines: dict[int, str | None], span: Span, new: str) -> None:
    number, old = span.start.line, lines[span.start.line] or ""
    start, end = span.start.column - 1, span.end.column - 1
    lines[number] = old[:start] + new + old[end:]


def _corrected(raw: RawDeck, db: CardDatabase) -> dict[Span, str]:
    """The names to correct, by their places."""
    corrections = {}
    for span, text, lookup in _names(raw, db):
        name = _sure(text, lookup)
        if name is not None:
            corrections[span] = name
    return corrections


def _names(raw: RawDeck, db: CardDatabase) -> Iterator[tuple[Span, str, Lookup]]:
    for entry in raw.entries:
        # With a colon it may be a misspelt header.
        if ":" not in entry.name:
            yield entry.span, entry.name, db.find_card(entry.name)
    for header in raw.headers.get("leader", ()):
        yield header.span, header.value, db.find_leader(header.value)
    for header in raw.headers.get("faction", ()):
        yield header.span, header.value, db.find_faction(header.value)


def _sure(text: str, lookup: Lookup) -> str | None:
    if lookup.id is not None or len(lookup.suggestions) != 1:
        return None
    from rapidfuzz import fuzz

    name = lookup.suggestions[0]
    is_sure = fuzz.ratio(normalise(text), normalise(name)) >= SURE
    return name if is_sure else None


def _several(
    raw: RawDeck, db: CardDatabase
) -> Iterator[tuple[CardText, Sequence[str]]]:
    """The lines with several cards, and the line that each card gets."""
    for text in raw.texts:
        name = text.entry.name if text.entry is not None else text.text
        if db.find_card(name, suggest=False).id is None:
            parts = several_cards(text.text, db)
            if parts:
                yield text, parts


def _merged(
    raw: RawDeck, names: dict[Span, str], db: CardDatabase, commented: set[int]
) -> tuple[dict[int, str], set[int]]:
    """New first lines of the cards with several lines, and the lines to remove."""
    entries = defaultdict(list)
    for entry in raw.entries:
        card = db.find_card(names.get(entry.span, entry.name)).id
        if card is not None and entry.span.start.line not in commented:
            entries[card].append(entry)
    merged, gone = {}, set()
    for same in entries.values():
        total = sum(entry.count for entry in same)
        if len(same) > 1 and total <= MAX_COUNT:
            first, *others = same
            name = names.get(first.span, first.name)
            merged[first.span.start.line] = card_line(name, total, db)
            gone |= {entry.span.start.line for entry in others}
            names.pop(first.span, None)
    return merged, gone


def _move_headers(raw: RawDeck, lines: dict[int, str | None]) -> None:
    if any(finding.name == "duplicate-header" for finding in raw.findings):
        return
    late = [f.span.start.line for f in raw.findings if f.name == "late-header"]
    kept = [e.span.start.line for e in raw.entries if ":" not in e.name]
    if not late or not kept:
        return
    first = min(kept)
    end = "\r\n" if (lines[first] or "").endswith("\r\n") else "\n"
    moved = [(lines[line] or "").rstrip("\r\n") + end for line in late]
    for line in late:
        lines[line] = None
    lines[first] = "".join(moved) + (lines[first] or "")
