"""Read the decks of a file or text, whichever notation it is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple

from deckcheck.cards import CardDatabase, Root, game_ids, load_database
from deckcheck.decks.decoding import DeckText
from deckcheck.decks.files import CODE_WITHIN
from deckcheck.decks.findings import EMPTY_DECK, NOT_A_DECK
from deckcheck.decks.generated_files import LETTER_SIGN, describe_generated_file
from deckcheck.decks.lines import MAX_LINE, list_lines
from deckcheck.decks.model import Header, RawDeck
from deckcheck.decks.text import parse_text
from deckcheck.decks.words import column_role, read_header
from deckcheck.findings import START
from deckcheck.messages import quote

# The notation of a text without a file, and so without a suffix to name it

# Text decks have such a line too, as a heading: entries below it are not indented.
_YAML_START = re.compile(
    r"^(cards|decks)[ \t]*:[ \t]*([\[{]|\r?\n([ \t]+\S|- +[^\n:]+:[ \t]))", re.M
)


def guess_by_content(text: str) -> str:
    """Return the notation: `json`, `yaml`, `csv`, or else `text`."""
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start == "{" or (start == "[" and _is_json(text)):
        return "json"
    if _YAML_START.search(text):
        return "yaml"
    return "csv" if _has_heads(text) else "text"


def _has_heads(text: str) -> bool:
    """Report whether a text begins with the heads of a table with a column of cards."""
    first, _, rest = text.lstrip("\ufeff \t\r\n").partition("\n")
    if first.lower().startswith("sep="):
        first = rest.partition("\n")[0]
    heads = re.split("[,;\t]", first[:MAX_LINE])
    roles = [column_role(head.strip(' "\r')) for head in heads]
    return "card" in roles and len(heads) > 1


def _is_json(text: str) -> bool:
    """Report whether a text that begins with `[` is not a list with boxes to tick."""
    import json

    try:
        json.loads(text)
    except RecursionError:
        # The reader of JSON reports that it is nested too deeply.
        return True
    except ValueError:
        return False
    return True


# Texts that are not decks, and how to make a deck of them

_LIST_ALONE = "Keep the lines of the list alone, or take the file away"
_LEVEL_CODE = r"(?:error|warning|note)\[D[A-Z]\d{3}\] "


class _OtherFormat(NamedTuple):
    """A format of texts that are not decks."""

    first: str
    """The first character. It saves matching the pattern with every deck."""
    pattern: str
    """The start of a text, as a regular expression."""
    kind: str
    remedy: str


_OTHER_FORMATS = (
    _OtherFormat(
        "<",
        r"(?i)<(?:!doctype html|!--|/?(?:a|b|body|br|code|div|h[1-6]|head|html|li|meta"
        r"|ol|p|pre|script|span|style|strong|table|tbody|td|title|tr|ul)\b)",
        "HTML",
        "Copy the text of the page, and save it as text",
    ),
    _OtherFormat(
        "<",
        r"<(?:[!?]|/?[A-Za-z])",
        "XML",
        "Write the cards as text, a line each",
    ),
    _OtherFormat("{", r"\{\\rtf", "RTF, of a word processor", "Save it as plain text"),
    _OtherFormat(
        "",
        rf"{_LEVEL_CODE}|[^\n]*:\d+:\d+: {_LEVEL_CODE}|(?:## )?\d+ decks? checked\b",
        "a report of deckcheck",
        _LIST_ALONE,
    ),
)
_BRACKETED_CODE = re.compile(r"<DC[0-9]+_")

_MISNAMED_FORMATS = {"json": "JSON in a file for text"}


def find_other_format(text: str, path: str, notation: str) -> tuple[str, str] | None:
    """Return the kind of a text that is not a deck, and a remedy. None for a deck.

    `notation` is a value of `NOTATION_BY_SUFFIX`, to read it by otherwise.
    """
    if (fault := describe_generated_file(text, path)) is not None:
        return fault
    start = text.lstrip("\ufeff \t\r\n")
    other_formats = () if _BRACKETED_CODE.match(start) else _OTHER_FORMATS
    for other in other_formats:
        if start.startswith(other.first) and re.match(other.pattern, start):
            return other.kind, other.remedy
    if LETTER_SIGN in text:
        return "it contains a letter of deckcheck", _LIST_ALONE
    if notation == "text" and start.startswith(("{", "[")):
        suffix = guess_by_content(text)
        if suffix in _MISNAMED_FORMATS:
            name = f"{PurePath(path).stem}.{suffix}"
            return _MISNAMED_FORMATS[suffix], f"Call the file {quote(name)}"
    return None


# Decks of a file or text

NOTATION_BY_SUFFIX = {
    ".deck": "text",
    ".txt": "text",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".csv": "csv",
    ".code": "code",
}
"""The notation that the suffix of a file implies."""

OpenGame = Callable[[str], Sequence[CardDatabase]]

_CODE_START = re.compile(r"\s*DC[0-9]+_")
_CLASSIC_CARDS = re.compile(r'"cards"\s*:\s*\[\s*\[')


def guess_notation(source: DeckText) -> str:
    """Return the notation of a deck, by the suffix of its path and by its content.

    A text without a file, such as `<stdin>`, is guessed by its content alone.
    """
    if _CODE_START.match(source.text) or _holds_codes(source.text):
        return "code"
    if source.path.startswith("<"):
        notation = guess_by_content(source.text)
    else:
        notation = NOTATION_BY_SUFFIX.get(PurePath(source.path).suffix.lower(), "text")
    if notation == "json" and _CLASSIC_CARDS.search(source.text):
        return "gwent-classic"
    return notation


def _holds_codes(text: str) -> bool:
    """Report whether a text has a share code in a sentence, and no line of a deck."""
    if "DC" not in text or not CODE_WITHIN.search(text):
        return False
    lines = [line.text for line in list_lines(text)]
    return not any(read_header(line) or line[0].isdigit() for line in lines)


def open_known_game(format: str, root: Root = None) -> list[CardDatabase]:
    """Load the card database for the id of a format or a game, without any sets."""
    game = format.partition("/")[0]
    return [load_database(game, root)] if game in game_ids(root) else []


def parse_decks(
    source: DeckText, notation: str | None = None, open_game: OpenGame = open_known_game
) -> list[RawDeck]:
    """Return the decks of a text, at least one deck, with faults as findings.

    `notation` is a value of NOTATION_BY_SUFFIX or `gwent-classic`, by default the
    result of `guess_notation`. Names are not looked up yet. Numbers of cards are, in
    the databases that `open_game` returns for the id of a format or game.
    """
    if source.finding is not None:
        return [RawDeck.unreadable(source.finding)]
    chosen = notation or guess_notation(source)
    fault = None
    if notation in (None, "text"):
        fault = find_other_format(source.text, source.path, chosen)
    if fault is not None:
        kind, help = fault
        message = f"Cannot be read as a deck: {kind}"
        finding = NOT_A_DECK.at(source.path, START, message, help=help)
        return [RawDeck.unreadable(finding)]
    decks = _parse(source, chosen, open_game)
    if decks:
        return decks
    help = "Write a `Leader` line, and each card on a line"
    finding = EMPTY_DECK.at(source.path, START, "File holds no deck", help=help)
    return [RawDeck.unreadable(finding)]


def format_headers(raws: Iterable[RawDeck]) -> list[Header | None]:
    """Return the header that names the format of each deck of a file.

    A deck without a format has the format of the deck before it, as in a lineup.
    """
    headers: list[Header | None] = []
    last = None
    for raw in raws:
        named = raw.headers.get("format")
        if named:
            last = named[0]
        headers.append(last)
    return headers


def _parse(source: DeckText, notation: str, open_game: OpenGame) -> list[RawDeck]:
    """Return the decks of a text by its notation."""
    text = source.text
    path = source.path
    if notation == "text":
        return parse_text(text, path)
    # Rare notations are imported when needed: most decks are text.
    if notation == "code":
        from deckcheck.decks.codes import read_codes

        return read_codes(text, path, open_game)
    if notation == "gwent-classic" and (gwent := open_game("gwent")):
        from deckcheck.decks.codes import read_gwent_classic

        return read_gwent_classic(text, path, gwent[0])
    if notation == "csv":
        from deckcheck.decks.tables import parse_csv

        return parse_csv(text, path)
    from deckcheck.decks.structured import parse_structured
    from deckcheck.documents.readers import read_json, read_yaml

    if notation == "yaml":
        return parse_structured(read_yaml, text, path)
    return parse_structured(read_json, text, path)
