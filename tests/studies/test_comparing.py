"""Comparisons with the real engine: what they find, and that nothing else matters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deckcheck
from deckcheck.cards import load_database
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.sim.workers import WorkerProcesses
from deckcheck.studies.compare import (
    ComparisonResult,
    cards_tables,
    comparison_of,
    comparison_report,
)
from deckcheck.studies.duels import DifferenceVerdict, looks
from deckcheck.studies.specs import CompareSpec
from deckcheck.validation import validate_files

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
OLD = STANDARD / "nr_siege_masters.deck"
NEW = ROOT / "examples" / "compare" / "third_decoy_out.deck"
SCORCH = ROOT / "examples" / "compare" / "second_scorch.deck"
FIELD = [STANDARD / "mo_swarm.deck", STANDARD / "sk_longships.deck"]


def compare(*versions: Path, **settings: Any) -> ComparisonResult:
    settings = {"against": FIELD, "policies": "sane_random", **settings}
    return deckcheck.compare(*versions, **settings)


def test_a_deck_and_its_copy_do_alike(tmp_path: Path) -> None:
    copy = tmp_path / "copy.deck"
    copy.write_text(OLD.read_text().replace("Name: Siege masters", "Name: Copy"))
    result = compare(OLD, copy, margin=2)
    [difference] = result.field.differences

    assert difference.value == 0
    assert difference.verdict is DifferenceVerdict.SAME
    assert difference.saved is None
    assert result.looks > 0
    assert result.answer == "`Copy` and `Siege masters` are the same deck"


def test_a_fixed_number_of_games() -> None:
    result = compare(OLD, NEW, games=99)

    assert result.looks == 0
    assert result.games == 100
    assert result.games_played == 400
    rates = [against.win_rates for against in result.opponents]
    for version in range(2):
        mean = sum(rate[version].value for rate in rates) / 2
        assert result.field.win_rates[version].value == pytest.approx(mean)
    old, new = (rate.value for rate in result.field.win_rates)
    assert result.field.differences[0].value == pytest.approx(new - old)


@pytest.mark.parametrize(("margin", "is_first"), [(5, False), (99, True)])
def test_intervals_that_were_looked_at_hold_at_every_look(
    margin: float, is_first: bool
) -> None:
    """They are wider than those of as many games that nobody looked at."""
    looked = compare(OLD, SCORCH, margin=margin)
    fixed = compare(OLD, SCORCH, games=looked.games)

    assert looked.looks > 0
    assert (looked.looks == 1) is is_first
    assert looked.checksum == fixed.checksum
    assert looked.is_clear
    pairs = zip(
        (looked.field, *looked.opponents), (fixed.field, *fixed.opponents), strict=True
    )
    for one, other in pairs:
        rates = zip(one.win_rates, other.win_rates, strict=True)
        differences = zip(one.differences, other.differences, strict=True)
        for wide, narrow in [*rates, *differences]:
            assert wide.value == narrow.value
            assert wide.interval.low < narrow.interval.low
            assert narrow.interval.high < wide.interval.high


def test_the_order_of_versions_turns_the_sign() -> None:
    there, back = compare(OLD, NEW, games=200), compare(NEW, OLD, games=200)

    assert there.field.differences[0].value == -back.field.differences[0].value
    assert there.checksum == back.checksum


@pytest.mark.parametrize("block_sets", [16, 1000])
def test_blocks_change_nothing(block_sets: int) -> None:
    decks, field = (
        validate_files([str(path) for path in paths]).reports
        for paths in ((OLD, NEW), FIELD)
    )
    fmt, question = (
        load_format("gwent/standard"),
        CompareSpec(1, ("sane_random",), margin=5),
    )
    comparison = comparison_of(fmt, load_database("gwent"), decks, field, question)
    result = comparison.run()
    again = comparison.run(block_sets=block_sets)

    assert (again.checksum, again.looks) == (result.checksum, result.looks)
    assert again.opponents == result.opponents


@pytest.mark.slow
def test_workers_change_nothing() -> None:
    result = compare(OLD, NEW, SCORCH, margin=3)
    workers = WorkerProcesses(2)
    try:
        again = compare(OLD, NEW, SCORCH, margin=3, jobs=2, executor=workers)
    finally:
        workers.stop()

    assert (again.checksum, again.looks) == (result.checksum, result.looks)
    assert again.field == result.field


def test_several_versions_are_ranked() -> None:
    result = compare(OLD, NEW, SCORCH, games=400)

    assert len(result.field.differences) == 3
    ranked = [result.field.win_rates[place].value for place in result.ranking]
    assert ranked == sorted(ranked, reverse=True)
    # Three intervals that hold together are wider than one alone.
    alone = compare(OLD, NEW, games=400).field.differences[0].interval
    together = result.difference(0, 1).interval
    assert together.low < alone.low < alone.high < together.high


def test_what_differs_comes_first(tmp_path: Path) -> None:
    """Cards that go, cards that come, and other leaders."""
    other = tmp_path / "other.deck"
    text = NEW.read_text().replace("The Siegemaster", "Lord Commander of the North")
    other.write_text(text)
    result = compare(OLD, other, games=4)
    [table] = cards_tables(result)

    assert table.title == "Out of Siege masters and into Siege, 2 Decoys"
    assert table.rows == (
        ("Leader: Foltest, The Siegemaster", -1),
        ("Leader: Foltest, Lord Commander of the North", 1),
        ("Decoy", -1),
        ("Sabrina Glevissig", 1),
    )
    assert comparison_report(result).tables[0] == table


def test_of_several_versions_the_copies_are_counted() -> None:
    [table] = cards_tables(compare(OLD, NEW, OLD, games=4))

    assert table.rows == (("Decoy", 3, 2, 3), ("Sabrina Glevissig", 0, 1, 0))
    assert cards_tables(compare(OLD, OLD, games=4)) == []


def test_looks_grow_by_a_quarter() -> None:
    assert [*looks(4, 150)] == [64, 80, 100, 125, 150]
    assert [*looks(1000, 3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("decks", "settings", "message"),
    [
        ([OLD], {}, "Found 1 version, needs at least 2"),
        ([OLD, NEW], {"margin": 0}, "`margin` is 0, must be 0.01 to 100"),
        ([OLD, NEW], {"games": 0}, "`games` is 0, must be 1 to"),
        ([OLD, NEW], {"policies": ["random"] * 3}, "3 policies given, expected one"),
        ([OLD, NEW], {"margin": "1"}, "`margin` got a value of type `str`"),
        ([OLD, NEW], {"format": "gwent/solo"}, "cannot be measured in `gwent/solo`"),
    ],
)
def test_misuse(decks: list[Path], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(deckcheck.UsageError, match=message):
        compare(*decks, **{"allow_illegal": True, **settings})


def test_a_number_of_workers_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError, match="`jobs` is 0, must be 1 to"):
        deckcheck.compare(OLD, NEW, against=OLD, games=2, jobs=0)
