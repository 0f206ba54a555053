"""Letters of hostile length are read in linear time."""

import time
from pathlib import Path

import pytest

from deckcheck.cards import load_database
from deckcheck.events.recognising import ListRecogniser

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "decks/gwent/standard/nr_siege_masters.deck").read_text().splitlines()
DECK = "\n".join(line for line in LINES if line and not line.startswith("#"))


def measure_letter(unit: str, count: int) -> float:
    """Return the least CPU time of three readings of a letter, in seconds."""
    times = []
    for _ in range(3):
        recogniser = ListRecogniser(load_database("gwent"))
        recogniser.find_list(DECK)
        start = time.process_time()
        recogniser.find_list(f"{unit * count}\n{DECK}\n{unit * count}")
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize(
    "unit", ["lorem ipsum\n", "Lorem Ipsum ", "x 1 ", "--a ", "> 3 Decoy\n", "Decoy, "]
)
def test_a_letter_is_read_in_linear_time(unit: str) -> None:
    """Four times the text takes about four times as long."""
    assert measure_letter(unit, 8000) < 7 * measure_letter(unit, 2000) + 0.1
