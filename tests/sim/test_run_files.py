"""The files of a run: blocks, lines, counts and documents."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from deckcheck.findings import UsageError
from deckcheck.playing.kernel import new_tally
from deckcheck.sim.blocks import (
    BLOCKS_FILE,
    BlockFile,
    BlockLine,
    Blocks,
    Key,
    read_line,
    write_line,
)
from deckcheck.sim.errors import UnrecordedError
from deckcheck.sim.playing_blocks import PackedTally
from deckcheck.sim.run_files import (
    begin_series,
    read_document,
    read_run_names,
    with_crc,
    without_crc,
    write_document,
)

# The blocks of a run: added to a file, read again, and never lost twice.

JOB = Key("games", 3)


START = 7
"""Where the CRCs of the run start that these lines are of."""


def line(first: int, end: int, part: str = "games") -> BlockLine:
    tally = np.array([end - first, first], np.int64)
    return BlockLine(Key(part, 3), range(first, end), PackedTally.of(tally))


def sum_of(file: BlockFile, end: int) -> list[int]:
    tally = file.tally(JOB, end)
    assert tally is not None
    return list(tally.unpack().tolist())


def filled(folder: Path, *lines: BlockLine) -> BlockFile:
    file = BlockFile(folder, START)
    file.open_to_add()
    for each in lines:
        file.add([each])
    file.close()
    return file


def test_runs_of_a_plan_have_a_folder_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    for _ in range(2):
        begin_series(folder, ["one", "two"])

    assert read_run_names(folder) == ["one", "two"]
    with pytest.raises(UsageError, match="holds other experiments: one, two"):
        begin_series(folder, ["one"])


def test_sums_what_was_added(tmp_path: Path) -> None:
    """Or a part of it, and nothing of other jobs. It closes its file."""
    before = len(os.listdir("/proc/self/fd"))
    filled(tmp_path, line(10, 20), line(0, 10), line(20, 30), line(0, 5, "measuring"))
    assert len(os.listdir("/proc/self/fd")) == before
    file = BlockFile(tmp_path, START)

    assert file.sets(JOB) == [range(10), range(10, 20), range(20, 30)]
    assert sum_of(file, 20) == [20, 10]
    assert sum_of(file, 30) == [30, 30]
    assert file.jobs() == [JOB, Key("measuring", 3)]
    assert file.sets(Key("games", 4)) == []
    assert file.tally(Key("games", 4), 10) is None


def test_a_block_replaces_all_that_share_its_sets() -> None:
    blocks = Blocks()
    blocks.add([line(10, 20), line(20, 30), line(30, 40), line(0, 25)])
    assert blocks.sets(JOB) == [range(25), range(30, 40)]


@pytest.mark.parametrize("kept", [1, 20, -1])
def test_a_torn_line_is_dropped(tmp_path: Path, kept: int) -> None:
    filled(tmp_path, line(0, 10))
    whole = (tmp_path / BLOCKS_FILE).read_bytes()
    (tmp_path / BLOCKS_FILE).write_bytes(whole + whole[:kept])

    assert BlockFile(tmp_path, START).sets(JOB) == [range(10)]
    filled(tmp_path, line(10, 20))
    assert BlockFile(tmp_path, START).sets(JOB) == [range(10), range(10, 20)]


def test_damaged_lines_are_dropped_and_no_others(tmp_path: Path) -> None:
    filled(tmp_path, *(line(first, first + 10) for first in range(0, 50, 10)))
    file = tmp_path / BLOCKS_FILE
    lines = file.read_bytes().splitlines(keepends=True)
    bad = [b"#" + lines[1], lines[0], lines[2], lines[3][:-1] + lines[4]]
    file.write_bytes(b"".join([lines[0], *bad, lines[4], lines[3][:9]]))

    with pytest.raises(UsageError) as caught:
        BlockFile(tmp_path, START)
    assert (
        f"{file}:2: this line is damaged, or is of another run, and 2 lines more"
        in caught.value.message
    )
    assert BlockFile(tmp_path, START, repairs=True).drop_faults() == 3
    assert file.read_bytes() == b"".join([lines[0], lines[2], lines[4]])
    assert BlockFile(tmp_path, START, repairs=True).drop_faults() == 0
    assert [each.name for each in tmp_path.iterdir()] == [BLOCKS_FILE]


def test_no_set_counts_twice_nor_with_other_counts(tmp_path: Path) -> None:
    filled(tmp_path, line(0, 10), line(20, 30))
    blocks = tmp_path / BLOCKS_FILE
    whole = blocks.read_bytes()
    three = PackedTally.of(np.array([1, 2, 3], np.int64))
    for bad, said in (
        (line(5, 15), r":3: sets 5 to 9 of table 3 are in"),
        (BlockLine(JOB, range(10, 20), three), r":3: this line does not count"),
    ):
        blocks.write_bytes(whole + write_line(bad, START))
        with pytest.raises(UsageError, match=said):
            BlockFile(tmp_path, START)
    blocks.write_bytes(whole)
    assert BlockFile(tmp_path, START).sets(JOB) == [range(10), range(20, 30)]
    blocks.unlink()
    blocks.mkdir()
    with pytest.raises(UsageError, match=r"Cannot read .*: a folder, not a file"):
        BlockFile(tmp_path, START)


def test_a_shorter_question_cuts_blocks_anew(tmp_path: Path) -> None:
    """And the file keeps the longer ones, which the next process finds."""
    filled(tmp_path, line(0, 10), line(10, 30), line(30, 50))
    whole = (tmp_path / BLOCKS_FILE).read_bytes()
    shorter = filled(tmp_path, line(10, 15), line(15, 20))

    assert shorter.sets(JOB) == [range(10), range(10, 15), range(15, 20), range(30, 50)]
    assert sum_of(shorter, 20) == [20, 25]
    assert (tmp_path / BLOCKS_FILE).read_bytes() == whole
    assert BlockFile(tmp_path, START).sets(JOB)[1] == range(10, 30)


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
    assert (tmp_path / BLOCKS_FILE).read_bytes().endswith(b"\n")
    assert BlockFile(tmp_path, START).sets(JOB) == [range(10)]


# Finished blocks as lines: what is written is what is read.

CELLS = st.one_of(st.just(0), st.integers(-(2**63), 2**63 - 1))


@given(
    arrays.arrays(
        np.int64, st.tuples(st.integers(1, 6), st.integers(1, 9)), elements=CELLS
    )
)
def test_what_is_written_is_read(tally: np.ndarray) -> None:
    line = BlockLine(Key("games", 7), range(64, 128), PackedTally.of(tally))
    found = read_line(write_line(line, START), START)

    assert found == line
    assert np.array_equal(found.tally.unpack(), tally)


def test_zeros_take_no_room_and_anything_else_is_refused() -> None:
    tally = new_tally(5, 5)
    tally[3, 7] = 12
    assert tally.size > 10_000
    line = BlockLine(Key("games", 1), range(1), PackedTally.of(tally))
    assert len(write_line(line, START)) < 120

    for text in (b"", b"{}", b"[]", b"null", b"[" * 100_000):
        with pytest.raises(ValueError, match="CRC"):
            read_line(text + b"\n", START)


@given(st.data())
def test_one_bit_is_noticed(data: st.DataObject) -> None:
    tally = new_tally(2, 2)
    tally[0, :3] = 6000, 0, 12000
    block = BlockLine(Key("games", 7), range(64, 128), PackedTally.of(tally))
    line = write_line(block, START)
    at = data.draw(st.integers(0, len(line) - 1))
    flipped = line[at] ^ 1 << data.draw(st.integers(0, 7))

    with pytest.raises(ValueError, match="CRC"):
        read_line(line[:at] + bytes([flipped]) + line[at + 1 :], START)


# Documents of a run: what is damaged is refused, with what to do.

CONTENT = {"experiments": ["a", "b"], "check": "Zażółć.toml"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_document(tmp_path / "plan.json", CONTENT)
    return tmp_path / "plan.json"


def test_a_document_is_read_until_a_bit_of_it_is_flipped(file: Path) -> None:
    assert read_document(file) == CONTENT
    assert [each.name for each in file.parent.iterdir()] == ["plan.json"]
    assert json.loads(file.read_bytes())["check"] == CONTENT["check"]

    whole = file.read_bytes()
    for at in range(len(whole)):
        flipped = bytes([whole[at] ^ 1 << at % 8])
        file.write_bytes(whole[:at] + flipped + whole[at + 1 :])
        with pytest.raises(UsageError, match=r"plan\.json` is damaged: its CRC is"):
            read_document(file)


def test_what_is_torn_or_no_document_is_damaged(file: Path) -> None:
    whole = file.read_bytes()
    later = json.dumps({"schema_version": 2, **CONTENT}, indent=2) + "\n"
    others = [b"[" * 100_000, b'{"a":' * 100_000, b"[]", b"3"]
    texts = [*(whole[:kept] for kept in (0, 1, 10, -1)), *others]
    texts += [with_crc(text + b"}\n") for text in others] + [with_crc(later.encode())]
    for text in texts:
        file.write_bytes(text)
        with pytest.raises(UsageError, match="is damaged") as caught:
            read_document(file)
        assert "Restore it from a copy" in caught.value.help, text[:20]


@pytest.mark.parametrize("text", [b'{"a":1}\n', b'{\n  "a": 1\n}\n'])
def test_a_crc_is_the_last_key(text: bytes) -> None:
    whole = with_crc(text)

    assert list(json.loads(whole)) == ["a", "crc"]
    assert json.loads(without_crc(whole)) == {"a": 1}
