"""Every reader takes twice the time for twice the text, whatever the text is.

One pull request holds CI as long as its slowest line.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice, product
from string import ascii_lowercase
from time import process_time

import pytest

from deckcheck.cards import load_database
from deckcheck.decks import DeckText, parse_decks, read_deck, resolve
from deckcheck.decks.lines import MAX_LINE
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

SHORT_SIZE = 4_000
"""How many characters the short test reads, and then twice as many."""

SHORT_FACTOR = 3.0
"""By how much the time of a short text may grow. A cubic reader took 3.4 times."""

SHORT_SECONDS = 0.1
"""Up to this time the short test finds no fault."""

KNOWN_FAULTS = (" ", "[](", "1 ", ",")
"""Pieces that once took a reader quadratic or cubic time."""

PIECES = (
    *(" ", "\t", "(", ")", "[", "[](", "[ ", '"', "'", "1", "1 ", "1x ", ",", "|", ";"),
    *("#", "*", ".", "- ", ":", "ab ", "\u0449 ", "a\u0301", "\u5f20 ", "\u0639 "),
    *("DC1_", "&nbsp;", "<a ", "/", "\\"),
)


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


def fill_lines(piece: str, size: int, width: int) -> str:
    """Write different lines of a width, with a card before and letters after."""
    line = ("Ballista" + piece * (width // len(piece)))[: width - 4]
    ends = islice(product(ascii_lowercase, repeat=3), size // width)
    return "\n".join(line + "".join(end) for end in ends)


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


def measure_reading(
    reader: str, piece: str, size: int, times: int, width: int = MAX_LINE
) -> float:
    """Return the CPU seconds for a text of about so many characters, the least."""
    read, template = READERS[reader]
    pieces = piece * (size // len(piece))
    lines = fill_lines(piece, size, width) if "{lines}" in template else ""
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


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", KNOWN_FAULTS, ids=ascii)
def test_known_faults_take_linear_time(reader: str, piece: str) -> None:
    sizes = (SHORT_SIZE, MAX_LINE // 2), (2 * SHORT_SIZE, MAX_LINE)
    # The first text fills caches, and the machine may be busy.
    for times in (1, 3):
        seconds, twice = (
            measure_reading(reader, piece, size, times, width) for size, width in sizes
        )
        if twice <= max(SHORT_SECONDS, SHORT_FACTOR * seconds):
            break

    assert twice <= max(SHORT_SECONDS, SHORT_FACTOR * seconds)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_twice_the_text_takes_about_twice_the_time(reader: str, piece: str) -> None:
    assert_linear(reader, piece)
