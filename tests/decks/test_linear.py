"""Every reader takes twice the time for twice the text, whatever the text is.

One pull request holds CI as long as its slowest line.
"""

from collections.abc import Callable
from contextlib import suppress
from time import process_time

import pytest

from deckcheck.cards import load_database
from deckcheck.decks import DeckText, parse_decks, read_deck, resolve
from deckcheck.decks.rewriting import fix_text
from deckcheck.documents.model import DocumentError
from deckcheck.documents.readers import read_toml

DB = load_database("gwent")
MAX_FACTOR = 2.5
"""By how much the time may grow when the text doubles."""
MIN_SECONDS = 0.02
"""Below this, the time of a text is mostly that of the clock and the caches."""

MAX_SIZE = 128_000
"""How many characters are read: what is quick then is quick enough."""

PIECES = {
    "spaces": " ",
    "tabs": "\t",
    "round brackets": "(",
    "closing brackets": ")",
    "square brackets": "[",
    "links": "[](",
    "bracket and space": "[ ",
    "quotes": '"',
    "apostrophes": "'",
    "digits": "1",
    "digits and spaces": "1 ",
    "counts": "1x ",
    "commas": ",",
    "pipes": "|",
    "semicolons": ";",
    "hashes": "#",
    "stars": "*",
    "dots": ".",
    "dashes": "- ",
    "colons": ":",
    "letters": "ab ",
    "Cyrillic": "щ ",
    "combining": "a\u0301",
    "Chinese": "\u5f20 ",
    "Arabic": "\u0639 ",
    "codes": "DC1_",
    "ampersands": "&nbsp;",
    "less-than": "<a ",
    "slashes": "/",
    "backslashes": "\\",
}


def read_text(text: str, path: str) -> None:
    """Read a list, look its names up, and repair it."""
    raws = parse_decks(DeckText(path, text))
    for raw in raws:
        resolve(read_deck(raw, DB), DB)
    if path.endswith(".deck"):
        fix_text(text, raws, DB)


def read_document(text: str, path: str) -> None:
    """Read a document of an event or a scenario, which may be malformed."""
    with suppress(DocumentError):
        read_toml(text)


def fill_lines(piece: str, size: int) -> str:
    """Write lines as long as they may be, with a card before and a letter after."""
    line = ("Ballista" + piece * (480 // len(piece)) + "x")[:499]
    return "\n".join([line] * (size // 500 + 1))


READERS: dict[str, tuple[Callable[[str, str], None], str]] = {
    "a.deck": (read_text, "{lines}\n"),
    "b.deck": (read_text, "2 Ballista{piece}x\n"),
    "a.csv": (read_text, 'count,card\n2,"{piece}x"\n{lines}\n'),
    "a.json": (read_text, '{{"cards": ["{piece}x"]}}'),
    "a.yaml": (read_text, "cards:\n  - 2 Ballista{piece}x\n"),
    "a.code": (read_text, "DC1_{piece}x {piece}\n"),
    "event.toml": (read_document, 'name = "{piece}x"\nplayers = [{piece}]\n'),
    "a.toml": (read_document, "{piece}x = 1\n"),
}


def measure_reading(reader: str, piece: str, size: int, times: int) -> float:
    """Return the CPU seconds for a text of about so many characters, the least."""
    read, template = READERS[reader]
    pieces = piece * (size // len(piece))
    lines = fill_lines(piece, size) if "{lines}" in template else ""
    text = template.format(piece=pieces, lines=lines)
    best = float("inf")
    for _ in range(times):
        start = process_time()
        read(text, reader)
        best = min(best, process_time() - start)
    return best


def assert_linear(reader: str, piece: str) -> None:
    """Double a text until its time can be measured, and once more."""
    size = 32_000 if "{piece}" in READERS[reader][1] else 128_000
    seconds = measure_reading(reader, piece, size, 1)
    while seconds < MIN_SECONDS and size < MAX_SIZE:
        size *= 4
        seconds = measure_reading(reader, piece, size, 1)
    if seconds < MIN_SECONDS:
        return
    twice = measure_reading(reader, piece, 2 * size, 1)
    if twice > MAX_FACTOR * seconds:
        # The machine may have been busy.
        seconds = measure_reading(reader, piece, size, 5)
        twice = measure_reading(reader, piece, 2 * size, 5)
    assert twice <= MAX_FACTOR * seconds, (reader, piece, size, seconds, twice)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
def test_twice_the_text_takes_about_twice_the_time(reader: str, piece: str) -> None:
    assert_linear(reader, piece)
