"""Tables of two at which the cards differ: all else is as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import deckcheck
from deckcheck.cards import load_database
from deckcheck.formats import load_format
from deckcheck.playing.table import DUEL_STREAMS, Table, seat, set_table
from deckcheck.playing.versions import Retuned, retuned

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    """A deck against two others that differ in one card."""
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    swarm, *others = deckcheck.read(
        STANDARD / "mo_swarm.deck",
        STANDARD / "nr_siege_masters.deck",
        ROOT / "examples" / "compare" / "third_decoy_out.deck",
    )
    seats = [[seat(deck, "random") for deck in (swarm, other)] for other in others]
    return [set_table(fmt, database, each, streams=DUEL_STREAMS) for each in seats]


@pytest.fixture
def found(tables: list[Table]) -> Retuned:
    base, other = tables
    return retuned(base, [other], stream=3)


def test_common_cards_lie_in_the_same_places(found: Retuned) -> None:
    own, other = (
        table.read_contexts()["deck"][0]
        for table in (found.table, found._with(found.patches[0]))
    )

    assert (own != other).sum(axis=1).tolist() == [0, 1]


def test_a_version_is_the_table_with_these_cards(
    tables: list[Table], found: Retuned
) -> None:
    expected = tables[1].read_contexts()[0]
    version = found._with(found.patches[0]).read_contexts()[0]

    assert sorted(version["deck"][1]) == sorted(expected["deck"][1])
    version["deck"] = expected["deck"]
    assert version.tobytes() == expected.tobytes()


def test_games_come_from_its_stream(tables: list[Table], found: Retuned) -> None:
    """The job says nothing: the same games again, in a later step of a search."""
    tally = found.play(5, 1, 0, 10)

    np.testing.assert_array_equal(found.play(5, 2, 0, 10), tally)
    other = retuned(*tables[:1], tables[1:], stream=4).play(5, 1, 0, 10)
    assert other[0, 0] != tally[0, 0]
