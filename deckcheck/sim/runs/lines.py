"""A finished block as a line of `blocks.jsonl`.

A tally is mostly zeros where several sit at a table, so that only the other cells are
written: how many zeros stand before each of them, and its value.
"""

from __future__ import annotations

import json
from math import prod
from typing import NamedTuple

import numpy as np

from deckcheck.playing.tally import Ints
from deckcheck.sim.runs.documents import with_crc, without_crc

MOST_CELLS = 1 << 22
"""No tally has as many cells: such a number is damage."""
LARGEST = 1 << 62


class Line(NamedTuple):
    """The sets `sets` of job number `job`, of one part of a run, and their tally."""

    part: str
    job: int
    sets: range
    tally: Ints


def written(line: Line) -> bytes:
    """The line, with its CRC and its end."""
    cells = line.tally.ravel()
    at = np.flatnonzero(cells)
    gaps = np.diff(at, prepend=-1) - 1
    data = {
        "part": line.part,
        "job": line.job,
        "first": line.sets.start,
        "sets": len(line.sets),
        "shape": line.tally.shape,
        "cells": np.stack([gaps, cells[at]], axis=1).ravel().tolist(),
    }
    return with_crc(json.dumps(data, separators=(",", ":")).encode() + b"\n")


def read_line(line: bytes) -> Line:
    """The block of a line; raises ValueError for anything else."""
    # Nothing is believed, nor given memory, before its CRC is right.
    text = without_crc(line)
    try:
        data = json.loads(text)
        job, first, sets = (_whole(data[key], LARGEST) for key in _NUMBERS)
        shape = [_whole(size, MOST_CELLS) for size in data["shape"]]
        cells = prod(shape)
        numbers = np.array(data["cells"] or np.zeros(0, np.int64))
        if numbers.dtype.kind != "i" or numbers.ndim != 1:
            raise ValueError("cells that are no whole numbers")
        pairs = numbers.astype(np.int64).reshape(-1, 2)
        at = np.cumsum(pairs[:, 0] + 1) - 1
        if not sets or cells > MOST_CELLS or len(pairs) > cells:
            raise ValueError(sets, cells)
        if len(at) and (pairs[:, 0].min() < 0 or pairs[:, 0].max() >= cells):
            raise ValueError("a cell that is not there")
        tally = np.zeros(shape, np.int64)
        tally.ravel()[at] = pairs[:, 1]
        return Line(str(data["part"]), job, range(first, first + sets), tally)
    except _NO_BLOCK as error:
        raise ValueError("no block") from error


_NUMBERS = ("job", "first", "sets")
_NO_BLOCK = (LookupError, TypeError, ValueError, OverflowError, RecursionError)


def _whole(value: object, most: int) -> int:
    """The value, if it is a whole number from 0 to `most`."""
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(value)
    return value
