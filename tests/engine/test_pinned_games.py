"""Games are those of before: who changes them on purpose says so in the CHANGELOG.

`python -m helpers.pinned` in `tests` pins those of `pinned_games.csv` anew.
"""

from zlib import crc32

import pytest
from helpers.boards import COMBINED
from helpers.pinned import COLUMNS, games, pins_of, read_pins
from helpers.samples import SAMPLES

from deckcheck.formats import load_format

PLAYED = {
    "gwent/standard, 2, decks (0, 7)": "cace1653",
    "gwent/standard, 2, decks (3, 12)": "792e8b01",
    "gwent/standard, 2, decks (16, 5)": "d45bbf2a",
    "gwent/standard, 2, decks (9, 18)": "a71d86b3",
    "gwent/free_for_all, 3, decks (0, 7, 13)": "8ccfe000",
    "gwent/two_vs_two, 4, decks (0, 7, 13, 4)": "9136fe2c",
    "gwen_t/pool, 2, decks (0, 3)": "50d462c2",
    "gwen_t/pool, 3, decks (4, 1, 2)": "8275b5a6",
    "gwen_t/pool, 4, decks (0, 1, 0, 1)": "cc13f4b5",
    "gwen_t/pool, 5, decks (4, 3, 2, 1, 0)": "eb837f1c",
    "gwen_t/pool, 2, random decks": "b078f249",
    "gwen_t/pool, 6, random decks": "5c75027c",
    "gwen_t/pool, 3, decks (2, 3, 4) with options": "9e4d5f55",
    "sg_gwint/approximation, 2, decks (0, 1)": "7760142a",
    "sg_gwint/approximation, 2, decks (2, 3)": "db174d20",
    "sg_gwint/approximation, 2, decks (4, 2)": "4ea0a3ab",
    "sg_gwint/approximation, 2, decks (0, 0)": "4687c4d4",
    "sg_gwint/approximation, 2, decks (1, 4) with options": "e28c4ee9",
    "deckmaster/standard, 2, decks (0, 0)": "fb01f591",
    "deckmaster/standard, 2, decks (3, 3)": "a8bdc2ad",
    "deckmaster/standard, 2, random decks": "ebaa4d18",
    "deckmaster/standard, 2, decks (2, 2) with options": "94d9e880",
}
"""Checksums of a set of each, by rules of thumb: of all counts and all outcomes."""


class KeptOutcomes:
    """A log that keeps the outcomes of the last games."""

    def begin(self, games, of_set):
        self.outcomes = None

    def end(self, outcomes):
        self.outcomes = outcomes


def in_short(sample):
    """A sample by its name, without the values of options."""
    name, _, options = str(sample).partition(", " + next(iter(sample.options), "?"))
    return f"{name} with options" if options else name


@pytest.mark.parametrize("name", PLAYED)
def test_rules_and_rules_of_thumb_are_those_of_before(name):
    (sample,) = [sample for sample in SAMPLES if in_short(sample) == name]
    log = KeptOutcomes()
    tally = sample.table("heuristic").play(11, 3, 0, 1, log)

    assert f"{crc32(tally.tobytes() + log.outcomes.tobytes()):08x}" == PLAYED[name]


def name_of(value):
    """A way to play after its game, by which mutants choose tests."""
    return (
        f"{load_format(COMBINED[value][0]).game}-{value}" if value in COMBINED else None
    )


def test_every_game_is_pinned():
    assert [*read_pins()] == games()


@pytest.mark.parametrize(("way", "number"), games(), ids=name_of)
def test_what_is_played_dealt_anew_and_seen_is_that_of_before(way, number):
    now = dict(zip(COLUMNS[2:], pins_of(way, number), strict=True))

    assert now == dict(zip(COLUMNS[2:], read_pins()[way, number], strict=True))
