"""Counts of cards once the game is known: `3 fire` may be a card, or three of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.decks.cardlines import CardLine, bracketed, parse_described_line
from deckcheck.decks.model import CardText, RawDeck, RawEntry
from deckcheck.decks.reading import IMPOSSIBLE_COUNT, UNREADABLE_LINE
from deckcheck.findings import Finding, Position, Span


def counted(raw: RawDeck, db: CardDatabase) -> RawDeck:
    """The deck as the game of `db` reads it; the same deck for most games.

    Where cards are described and may start with a number, a count has its `x`. The
    numbers of lines such as `Ballista (6)` are copies or strengths, see `_bracketed`.
    A first line that is no card is the name.
    """
    if raw.title is not None:
        from deckcheck.decks.titles import titled

        raw = titled(raw, db)
    description = db.description
    if description is not None and description.number is not None:
        path = raw.source.path
        return _replaced(raw, [(text, _read_again(text, path)) for text in raw.texts])
    if raw.unread:
        return _replaced(raw, _bracketed(raw, db))
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


def _bracketed(raw: RawDeck, db: CardDatabase) -> list[tuple[CardText, CardText]]:
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
        db.cards.get(db.find_card(read.name, suggest=False).id or "")
        for _, read in texts
    ]
    counts = [
        (read.number, card)
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
        count = 1 if are_strengths and is_unit else read.number
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
