"""Versions that play the same games: aligned decks, and tallies that add up."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deckcheck
from deckcheck.cards import load_database
from deckcheck.formats import load_format
from deckcheck.playing.kernel import GameOutcome
from deckcheck.playing.table import DUEL_STREAMS, seat, set_table
from deckcheck.playing.versions import (
    VERSION,
    Versions,
    aligned,
    deck_of,
    scores_of,
    seat_versions,
)

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
SETS = 30


def test_cards_in_common_lie_in_the_same_places() -> None:
    old, new = aligned([[1, 2, 2, 3, 5], [2, 2, 3, 4, 5]])

    assert sorted(old) == [1, 2, 2, 3, 5]
    assert sorted(new) == [2, 2, 3, 4, 5]
    assert [(a, b) for a, b in zip(old, new, strict=True) if a != b] == [(1, 4)]


def test_other_sizes_leave_places_empty() -> None:
    old, smaller, larger = aligned([[1, 2, 3, 4], [1, 2, 4], [1, 2, 3, 4, 9, 9]])

    assert larger == [*old[:4], 9, 9]
    assert smaller == [each if each in (1, 2, 4) else 0 for each in larger]


@pytest.mark.parametrize("seed", range(30))
def test_any_decks(seed: int) -> None:
    rng = random.Random(seed)
    decks = [rng.choices(range(1, 10), k=rng.randint(8, 12)) for _ in range(3)]
    old, *others = aligned(decks)

    assert [sorted(filter(None, each)) for each in (old, *others)] == [
        sorted(deck) for deck in decks
    ]
    for deck, each in zip(decks[1:], others, strict=True):
        common = (Counter(decks[0]) & Counter(deck)).total()
        places = sum(a == b != 0 for a, b in zip(old, each, strict=True))
        assert places >= common


@pytest.fixture(scope="module")
def versions() -> Versions:
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    swarm, siege, other = deckcheck.read(
        STANDARD / "mo_swarm.deck",
        STANDARD / "nr_siege_masters.deck",
        ROOT / "examples" / "compare" / "third_decoy_out.deck",
    )
    opponent, *seats = (seat(deck, "sane_random") for deck in (swarm, siege, other))
    pairs = ((0, 1), (0, 2), (1, 2))
    return seat_versions(fmt, database, opponent, [*seats, seats[0]], pairs)


def test_a_version_plays_as_at_a_table_of_its_own(versions: Versions) -> None:
    tallies = versions.tallies(versions.play(5, 3, 0, SETS))

    for table, tally in zip(versions.tables, tallies, strict=True):
        np.testing.assert_array_equal(tally, table.play(5, 3, 0, SETS))


def test_versions_differ_where_their_cards_do(versions: Versions) -> None:
    """All else is shuffled alike, which makes the games worth comparing."""
    decks = [deck_of(table.read_contexts()[0]).tolist() for table in versions.tables]
    old, new, again = decks
    different = (Counter(old) - Counter(new)).total()

    assert old == again
    assert sum(a != b for a, b in zip(old, new, strict=True)) == different == 1


def test_joint_counts_are_those_of_the_pairs(versions: Versions) -> None:
    tally = versions.play(5, 3, 0, SETS)
    joint = versions.joint(tally)
    first, second, again = (t[1, 9:14].tolist() for t in versions.tallies(tally))

    assert joint[0, 1].sum(axis=1).tolist() == first == again
    assert joint[0, 1].sum(axis=0).tolist() == second
    assert (joint[0, 1] == joint[1, 2].T).all()
    # The last version is the first one again: it plays the very same games.
    assert (joint[0, 2] == np.diag(first)).all()


def test_blocks_add_up(versions: Versions) -> None:
    whole = versions.play(5, 3, 0, SETS)
    parts = versions.play(5, 3, 0, 7) + versions.play(5, 3, 7, SETS - 7)

    np.testing.assert_array_equal(
        versions.joint(whole)[0, 1], versions.joint(parts)[0, 1]
    )
    assert versions.checksum(whole) == versions.checksum(parts)


def test_the_first_version_is_that_of_a_plain_table(versions: Versions) -> None:
    """Nothing but the order of its deck is changed."""
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    decks = deckcheck.read(
        STANDARD / "mo_swarm.deck", STANDARD / "nr_siege_masters.deck"
    )
    seats = [seat(deck, "sane_random") for deck in decks]
    plain = set_table(fmt, database, seats, streams=DUEL_STREAMS).read_contexts()[0]
    own = versions.tables[0].read_contexts()[0]

    assert sorted(own["deck"][VERSION]) == sorted(plain["deck"][VERSION])
    own["deck"][VERSION] = plain["deck"][VERSION]
    assert own.tobytes() == plain.tobytes()


def test_a_card_fewer_changes_few_games() -> None:
    """The sets in which the card is not drawn are the same; else it is half of them.

    Measured: 80 % of the sets alike, and pairs worth 3.9 times as many games; before
    empty places were shuffled along 47 % and 1.2 times.
    """
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    swarm, siege = deckcheck.read(
        STANDARD / "mo_swarm.deck", STANDARD / "nr_siege_masters.deck"
    )
    opponent, larger = (seat(deck, "heuristic-1") for deck in (swarm, siege))
    cards = dict(larger.cards or {})
    cards["clear_weather"] -= 1
    smaller = replace(larger, cards=cards)
    table = seat_versions(fmt, database, opponent, [larger, smaller], [(0, 1)])
    joint = table.joint(table.play(5, 3, 0, 300))[0, 1]
    by = np.subtract(*np.indices(joint.shape))

    def variance(counts: Any, values: Any) -> float:
        mean = (counts * values).sum() / counts.sum()
        return float((counts * (values - mean) ** 2).sum() / counts.sum())

    apart = variance(joint.sum(0), np.arange(5)) + variance(joint.sum(1), np.arange(5))
    assert np.trace(joint) > 0.65 * joint.sum()
    assert apart > 2 * variance(joint, by)


def test_a_draw_is_a_half_point_for_both() -> None:
    """Lost, drawn, won and drawn again: places of two decks, then their points."""
    outcomes = np.zeros((4, GameOutcome.PLACE + 8), np.int64)
    outcomes[:, GameOutcome.PLACE : GameOutcome.PLACE + 2] = [
        (1, 2),
        (1, 1),
        (2, 1),
        (1, 1),
    ]
    outcomes[:, GameOutcome.PLACE + 2 : GameOutcome.PLACE + 4] = [
        (2, 0),
        (1, 1),
        (1, 2),
        (0, 0),
    ]

    assert scores_of(outcomes, by_game=True).tolist() == [0, 1, 2, 1]
    assert scores_of(outcomes).tolist() == [1, 3]
