"""Games are those of before: who changes them on purpose says so in the CHANGELOG.

`python -m helpers.pinned` in `tests` pins those of `pinned_games.csv` anew.
"""

from zlib import crc32

import pytest
from helpers.boards import COMBINED
from helpers.pinned import COLUMNS, games, pins_of, read_pins
from helpers.samples import SAMPLES

from deckcheck.engine.jit import compiled
from deckcheck.formats import load_format
from deckcheck.playing.table import GameLog

PLAYED = {
    "gwent/standard, 2, decks (0, 7)": "25f18546",
    "gwent/standard, 2, decks (3, 12)": "5231c2eb",
    "gwent/standard, 2, decks (16, 5)": "3386c2cf",
    "gwent/standard, 2, decks (9, 18)": "67c66a91",
    "gwent/free_for_all, 3, decks (0, 7, 13)": "6aa0d5b4",
    "gwent/two_vs_two, 4, decks (0, 7, 13, 4)": "bac3419b",
    "gwen_t/pool, 2, decks (0, 3)": "699af280",
    "gwen_t/pool, 3, decks (4, 1, 2)": "8dab4302",
    "gwen_t/pool, 4, decks (0, 1, 0, 1)": "4104237b",
    "gwen_t/pool, 5, decks (4, 3, 2, 1, 0)": "e2680d99",
    "gwen_t/pool, 2, random decks": "e943d197",
    "gwen_t/pool, 6, random decks": "4001f877",
    "gwen_t/pool, 3, decks (2, 3, 4) with options": "999de4d3",
    "sg_gwint/approximation, 2, decks (0, 1)": "2eee60c2",
    "sg_gwint/approximation, 2, decks (2, 3)": "4e75112a",
    "sg_gwint/approximation, 2, decks (4, 2)": "0a59d8b7",
    "sg_gwint/approximation, 2, decks (0, 0)": "5467aeee",
    "sg_gwint/approximation, 2, decks (1, 4) with options": "9a8dfdd7",
    "deckmaster/standard, 2, decks (0, 0)": "58306e45",
    "deckmaster/standard, 2, decks (3, 3)": "6e02d7db",
    "deckmaster/standard, 2, random decks": "44af03af",
    "deckmaster/standard, 2, decks (2, 2) with options": "841b8737",
}
"""Checksums of a set of each, by rules of thumb: of all counts and all outcomes."""


def in_short(sample):
    """A sample by its name, without the values of options."""
    name, _, options = str(sample).partition(", " + next(iter(sample.options), "?"))
    return f"{name} with options" if options else name


@pytest.mark.parametrize("name", PLAYED)
def test_rules_and_rules_of_thumb_are_those_of_before(name):
    (sample,) = [sample for sample in SAMPLES if in_short(sample) == name]
    log = GameLog()
    tally = sample.table("heuristic").play(11, 3, 1, 1, log)

    assert f"{crc32(tally.tobytes() + log.outcomes.tobytes()):08x}" == PLAYED[name]


def name_of(value):
    """A way to play after its game, by which mutants choose tests."""
    return (
        f"{load_format(COMBINED[value][0]).game}-{value}" if value in COMBINED else None
    )


def test_every_game_is_pinned():
    assert [*read_pins()] == games()


@pytest.mark.parametrize(("way", "number"), games(), ids=name_of)
def test_all_that_is_played_seen_and_chosen_is_that_of_before(way, number):
    now = dict(zip(COLUMNS[2:], pins_of(way, number), strict=True))
    before = dict(zip(COLUMNS[2:], read_pins()[way, number], strict=True))
    if compiled:
        del now["weighed"], before["weighed"]

    assert now == before
