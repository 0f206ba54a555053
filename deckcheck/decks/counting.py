"""Counts of cards once the game is known: `3 fire` may be a card, or three of one."""

from __future__ import annotations

from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.decks.cardlines import CardLine, parse_described_line
from deckcheck.decks.model import CardText, RawDeck, RawEntry
from deckcheck.decks.reading import IMPOSSIBLE_COUNT, UNREADABLE_LINE
from deckcheck.findings import Finding, Position, Span

__all__ = ["counted", "part_of"]


def counted(raw: RawDeck, db: CardDatabase) -> RawDeck:
    """The deck as the game of `db` reads it; the same deck for most games.

    Where cards are described and may start with a number, a count has its `x`.
    """
    description = db.description
    if description is None or description.number is None or not raw.texts:
        return raw
    replaced = {id(text.entry or text.finding) for text in raw.texts}
    entries = [entry for entry in raw.entries if id(entry) not in replaced]
    findings = [found for found in raw.findings if id(found) not in replaced]
    texts = [_read_again(text, raw.source.path) for text in raw.texts]
    entries += [text.entry for text in texts if text.entry is not None]
    wrong = [text.finding for text in texts if text.finding is not None]
    were_wrong = sum(text.finding is not None for text in raw.texts)
    return replace(
        raw,
        entries=tuple(entries),
        findings=(*findings, *wrong),
        unread=raw.unread - were_wrong + len(wrong),
        texts=tuple(texts),
    )


def part_of(span: Span, text: str, start: int, end: int) -> Span:
    """The place of `text[start:end]`, where `span` covers `text` or its quotes too.

    All of `span` where the text stands there in another way.
    """
    width = span.end.column - span.start.column
    shift, odd = divmod(width - len(text), 2)
    if span.start.line != span.end.line or odd or shift not in (0, 1):
        return span
    line, column = span.start.line, span.start.column + shift
    return Span(Position(line, column + start), Position(line, column + end))


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
