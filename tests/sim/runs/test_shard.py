"""Shards: every set in one of them, and nonsense refused."""

from __future__ import annotations

import pytest

from deckcheck.findings import UsageError
from deckcheck.sim.run_directory import gaps
from deckcheck.sim.run_files import Shard, read_shard


@pytest.mark.parametrize("shards", [1, 2, 7, 8, 100])
@pytest.mark.parametrize("sets", [0, 1, 7, 5_000])
def test_every_set_is_in_one_shard(shards: int, sets: int) -> None:
    parts = [Shard(number + 1, shards).of(range(sets)) for number in range(shards)]

    assert [each for part in parts for each in part] == list(range(sets))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_reads_what_it_prints() -> None:
    assert str(read_shard(" 3/8 ")) == "3/8"


@pytest.mark.parametrize(
    "text", ["", "3", "0/8", "9/8", "3/0", "-1/2", "a/b", "1/99999"]
)
def test_refuses_what_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="is no shard"):
        read_shard(text)


@pytest.mark.parametrize(
    ("played", "missing"),
    [
        ([], [range(10, 20)]),
        ([range(30)], []),
        ([range(5), range(12, 14)], [range(10, 12), range(14, 20)]),
        ([range(8, 12), range(19, 25)], [range(12, 19)]),
        ([range(30, 40)], [range(10, 20)]),
    ],
)
def test_finds_gaps(played: list[range], missing: list[range]) -> None:
    assert gaps(range(10, 20), played) == missing
