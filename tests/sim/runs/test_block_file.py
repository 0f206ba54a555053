"""The blocks of a run: added to a file, read again, and never lost twice."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from deckcheck.findings import UsageError
from deckcheck.sim.errors import UnrecordedError
from deckcheck.sim.run_directory import BLOCKS, BlockFile, Key, Line, written

JOB = Key("games", 3)


def line(first: int, end: int, part: str = "games") -> Line:
    return Line(part, 3, range(first, end), np.array([end - first, first], np.int64))


def filled(folder: Path, *lines: Line) -> BlockFile:
    file = BlockFile(folder)
    file.open_to_add()
    for each in lines:
        file.add([each])
    file.close()
    return file


def test_closes_its_file(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    filled(tmp_path, line(0, 10))

    assert len(os.listdir("/proc/self/fd")) == before


def test_sums_what_was_added(tmp_path: Path) -> None:
    filled(tmp_path, line(10, 20), line(0, 10), line(0, 5, "measuring"))
    file = BlockFile(tmp_path)
    tally = file.tally(JOB, 20)

    assert file.sets(JOB) == [range(10), range(10, 20)]
    assert tally is not None
    assert tally.tolist() == [20, 10]
    assert file.jobs() == [JOB, Key("measuring", 3)]


def test_sums_a_part_of_it(tmp_path: Path) -> None:
    file = filled(tmp_path, line(10, 20), line(0, 10), line(20, 30))
    tally = file.tally(JOB, 20)

    assert tally is not None
    assert tally.tolist() == [20, 10]


def test_knows_nothing_of_other_jobs(tmp_path: Path) -> None:
    file = filled(tmp_path, line(0, 10))

    assert file.sets(Key("games", 4)) == []
    assert file.tally(Key("games", 4), 10) is None
    assert file.jobs() == [JOB]


@pytest.mark.parametrize("kept", [1, 20, -1])
def test_a_torn_line_is_dropped(tmp_path: Path, kept: int) -> None:
    filled(tmp_path, line(0, 10))
    whole = (tmp_path / BLOCKS).read_bytes()
    (tmp_path / BLOCKS).write_bytes(whole + whole[:kept])

    assert BlockFile(tmp_path).sets(JOB) == [range(10)]
    filled(tmp_path, line(10, 20))
    assert BlockFile(tmp_path).sets(JOB) == [range(10), range(10, 20)]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    filled(tmp_path, line(0, 10), line(10, 20))
    file = tmp_path / BLOCKS
    file.write_bytes(b"#" + file.read_bytes())

    with pytest.raises(UsageError, match=r"blocks\.jsonl:1: this line is damaged\."):
        BlockFile(tmp_path)


def test_damaged_lines_are_dropped_and_no_others(tmp_path: Path) -> None:
    filled(tmp_path, *(line(first, first + 10) for first in range(0, 50, 10)))
    file = tmp_path / BLOCKS
    lines = file.read_bytes().splitlines(keepends=True)
    bad = [b"#" + lines[1], lines[0], lines[2], lines[3][:-1] + lines[4]]
    file.write_bytes(b"".join([lines[0], *bad, lines[4], lines[3][:9]]))

    with pytest.raises(UsageError) as caught:
        BlockFile(tmp_path)
    assert f"{file}:2: this line is damaged, and 2 lines more" in caught.value.message
    assert BlockFile(tmp_path, mends=True).drop_wrong() == 3
    assert file.read_bytes() == b"".join([lines[0], lines[2], lines[4]])
    assert BlockFile(tmp_path, mends=True).drop_wrong() == 0
    assert [each.name for each in tmp_path.iterdir()] == [BLOCKS]


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / BLOCKS).mkdir()

    with pytest.raises(UsageError, match=r"Cannot read .*: a folder, not a file"):
        BlockFile(tmp_path)


def test_lines_that_change_while_they_are_read_are_named(tmp_path: Path) -> None:
    filled(tmp_path, line(0, 10), line(10, 20))
    file = BlockFile(tmp_path)
    (tmp_path / BLOCKS).write_bytes(b"")

    with pytest.raises(UsageError, match=r"blocks\.jsonl:1: this line is damaged"):
        file.tally(JOB, 10)


def test_no_set_counts_twice(tmp_path: Path) -> None:
    filled(tmp_path, line(0, 10), line(20, 30))
    whole = (tmp_path / BLOCKS).read_bytes()
    filled(tmp_path, line(5, 15))

    with pytest.raises(UsageError, match=r":3: sets 5 to 9 of table 3 are in line 1 "):
        BlockFile(tmp_path)
    (tmp_path / BLOCKS).write_bytes(whole)
    assert BlockFile(tmp_path).sets(JOB) == [range(10), range(20, 30)]


def test_a_full_disk_loses_nothing_but_the_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = filled(tmp_path, line(0, 10))
    write = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return write(handle, data[:-10])

    file.open_to_add()
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(UnrecordedError) as caught:
        file.add([line(10, 20)])
    file.close()

    assert "no space left on device" in caught.value.message
    assert f"`deckcheck resume {tmp_path}` goes on" in caught.value.help
    assert (tmp_path / BLOCKS).read_bytes().endswith(b"\n")
    assert BlockFile(tmp_path).sets(JOB) == [range(10)]


def test_blocks_that_count_other_things_are_not_added_up(tmp_path: Path) -> None:
    file = filled(tmp_path, line(0, 10))
    file.open_to_add()
    other = Line("games", 3, range(10, 20), np.array([1, 2, 3], np.int64))

    with pytest.raises(UsageError, match="that count other things"):
        file.add([other])
    file.close()
    # Nothing was written, so that what was there can still be read.
    assert BlockFile(tmp_path).sets(JOB) == [range(10)]
    (tmp_path / BLOCKS).open("ab").write(written(other))
    with pytest.raises(UsageError, match=r"\.jsonl:2: this line counts other things"):
        BlockFile(tmp_path)
