"""Finished blocks as lines: what is written is what is read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from deckcheck.playing.kernel import new_tally
from deckcheck.sim.run_directory import Line, read_line, written
from deckcheck.sim.run_files import with_crc

CELLS = st.one_of(st.just(0), st.integers(-(2**63), 2**63 - 1))


@given(
    arrays.arrays(
        np.int64, st.tuples(st.integers(1, 6), st.integers(1, 9)), elements=CELLS
    )
)
def test_what_is_written_is_read(tally: np.ndarray) -> None:
    line = Line("games", 7, range(64, 128), tally)
    found = read_line(written(line))

    assert found[:3] == line[:3]
    assert np.array_equal(found.tally, tally)


def test_zeros_take_no_room() -> None:
    tally = new_tally(5, 5)
    tally[3, 7] = 12

    assert tally.size > 10_000
    assert len(written(Line("games", 1, range(1), tally))) < 120


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[2,2],"cells":[9,1]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[2,2],"cells":[-1,1]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[2,2],'
        b'"cells":[9223372036854775807,1,9223372036854775807,1]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[2,2],"cells":[[0,1]]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[2,2],"cells":[0,1.5]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[2,2],"cells":["0",1]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[400000000,1400],'
        b'"cells":[]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[4194304,4194304],'
        b'"cells":[]}',
        b'{"part":"games","job":1.5,"first":0,"sets":64,"shape":[2,2],"cells":[]}',
        b'{"part":"games","job":true,"first":0,"sets":64,"shape":[2,2],"cells":[]}',
        b'{"part":"games","job":1,"first":0,"sets":0,"shape":[2,2],"cells":[]}',
        b'{"part":"games","job":1,"first":0,"sets":1e400,"shape":[2,2],"cells":[]}',
        b'{"part":"games","job":1,"first":0,"sets":99999999999999999999,'
        b'"shape":[2,2],"cells":[]}',
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[2,2],"cells":[0]}',
        b'{"part":"games","job":1,"first":-1,"sets":4,"shape":[2,2],"cells":[]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":[-2],"cells":[]}',
        b'{"part":"games","job":1,"first":0,"sets":64,"shape":["a"],"cells":[]}',
        b'{"part":"games","job":1,"first":0,"se',
    ],
)
def test_anything_else_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match="CRC"):
        read_line(text + b"\n")
    with pytest.raises(ValueError, match="no block"):
        read_line(with_crc(text.removesuffix(b"}") + b"}\n"))


@given(st.data())
def test_one_bit_is_noticed(data: st.DataObject) -> None:
    tally = new_tally(2, 2)
    tally[0, :3] = 6000, 0, 12000
    line = written(Line("games", 7, range(64, 128), tally))
    at = data.draw(st.integers(0, len(line) - 1))
    flipped = line[at] ^ 1 << data.draw(st.integers(0, 7))

    with pytest.raises(ValueError, match="CRC"):
        read_line(line[:at] + bytes([flipped]) + line[at + 1 :])
