"""Games are those of before: who changes them on purpose says so in the CHANGELOG.

`python -m helpers.pinned` in `tests` pins those of `pinned_games.csv` anew.
"""

import pytest
from helpers.boards import COMBINED
from helpers.pinned import COLUMNS, games, pins_of, read_pins
from helpers.samples import SAMPLES

from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head

PLAYED = {
    "gwent/standard, 2, decks (0, 7)": "02d1a3b8ca62",
    "gwent/standard, 2, decks (3, 12)": "048647cddeac",
    "gwent/standard, 2, decks (16, 5)": "02819f74bec2",
    "gwent/standard, 2, decks (9, 18)": "06730d43c6a6",
    "gwent/free_for_all, 3, decks (0, 7, 13)": "00de570e1344",
    "gwent/two_vs_two, 4, decks (0, 7, 13, 4)": "038b81ad1540",
    "gwen_t/pool, 2, decks (0, 3)": "0250c40dda0a",
    "gwen_t/pool, 3, decks (4, 1, 2)": "e68eaaa4ee82",
    "gwen_t/pool, 4, decks (0, 1, 0, 1)": "a7e4bd5f6a14",
    "gwen_t/pool, 5, decks (4, 3, 2, 1, 0)": "d09874d81d6f",
    "gwen_t/pool, 2, random decks": "063d37ac25ca",
    "gwen_t/pool, 6, random decks": "286377c9aac5",
    "gwen_t/pool, 3, decks (2, 3, 4) with options": "d67c7298a60e",
    "sg_gwint/approximation, 2, decks (0, 1)": "03a7c9063429",
    "sg_gwint/approximation, 2, decks (2, 3)": "041417f3a430",
    "sg_gwint/approximation, 2, decks (4, 2)": "04f1714c4619",
    "sg_gwint/approximation, 2, decks (0, 0)": "012fc5dc093f",
    "sg_gwint/approximation, 2, decks (1, 4) with options": "010d942add28",
    "deckmaster/standard, 2, decks (0, 0)": "0158209d07c0",
    "deckmaster/standard, 2, decks (3, 3)": "063c9502205e",
    "deckmaster/standard, 2, random decks": "01a5f4ad7278",
    "deckmaster/standard, 2, decks (2, 2) with options": "01d071dcbe4e",
}
"""Checksums of a set of each, by rules of thumb."""


def in_short(sample):
    """A sample by its name, without the values of options."""
    name, _, options = str(sample).partition(", " + next(iter(sample.options), "?"))
    return f"{name} with options" if options else name


@pytest.mark.parametrize("name", PLAYED)
def test_rules_and_rules_of_thumb_are_those_of_before(name):
    (sample,) = [sample for sample in SAMPLES if in_short(sample) == name]
    tally = sample.table("heuristic").play(11, 0, 0, 1)

    assert f"{int(tally[0, Head.CHECKSUM]):012x}" == PLAYED[name]


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
