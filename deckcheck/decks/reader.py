"""From a file, or a text, to its decks as read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePath

from deckcheck.decks.discovery import shown_path
from deckcheck.decks.files import DeckText, read_deck_file
from deckcheck.decks.model import DeckSource, Header, RawDeck
from deckcheck.decks.reading import EMPTY_DECK
from deckcheck.decks.text import parse_text
from deckcheck.findings import Finding, Position, Span

__all__ = ["format_headers", "parse_decks", "read_decks"]

_START = Span(Position(1, 1), Position(1, 1))


def read_decks(path: str | Path) -> list[RawDeck]:
    """Read every deck of one file; see `parse_decks`.

    Raises UsageError when the file cannot be opened. A file that is no text, or too
    large, gives one deck without cards whose finding says so.
    """
    return parse_decks(read_deck_file(Path(path), shown_path(Path(path))))


def parse_decks(source: DeckText, suffix: str | None = None) -> list[RawDeck]:
    """Read every deck of a text, at least one; the suffix of its path tells the syntax.

    `.yaml`, `.yml` and `.json` are documents, `.csv` is a table, everything else a text
    deck; `suffix` stands in for that of the path. Names are not looked at yet. Never
    raises: what cannot be read is a finding of its deck.
    """
    if source.finding is not None:
        return [_without_cards(source.path, source.finding)]
    decks = _parse(source, suffix or PurePath(source.path).suffix.lower())
    if decks:
        return decks
    help = "Write a `Leader` line and the cards, one line each"
    finding = EMPTY_DECK.at(source.path, _START, "File holds no deck", help=help)
    return [_without_cards(source.path, finding)]


def format_headers(raws: Iterable[RawDeck]) -> list[Header | None]:
    """The header that names the format of each deck of a file.

    A deck without one is of the format of the deck before it: a lineup says it once.
    """
    found: list[Header | None] = []
    for raw in raws:
        own = raw.headers.get("format")
        found.append(own[0] if own else found[-1] if found else None)
    return found


def _parse(source: DeckText, suffix: str) -> list[RawDeck]:
    if suffix == ".csv":
        from deckcheck.decks.tables import parse_csv

        return parse_csv(source.text, source.path)
    if suffix not in (".yaml", ".yml", ".json"):
        return parse_text(source.text, source.path)
    # PyYAML takes its time to import, and most decks are text.
    from deckcheck.decks.structured import parse_structured

    if suffix == ".json":
        from deckcheck.findings.documents.json_reader import read_json

        return parse_structured(read_json, source.text, source.path)
    from deckcheck.findings.documents import read_yaml

    return parse_structured(read_yaml, source.text, source.path)


def _without_cards(path: str, finding: Finding) -> RawDeck:
    return RawDeck(DeckSource(path), {}, (), (finding,), finding.span)
