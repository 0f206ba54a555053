"""A finished block as a line of `blocks.jsonl`.

A tally is mostly zeros where several sit at a table, so that only the other cells are
written: how many zeros stand before each of them, and its value.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np

from deckcheck.playing.tally import Ints

__all__ = ["Line", "read_line", "written"]


class Line(NamedTuple):
    """The sets `sets` of job number `job`, of one part of a run, and their tally."""

    part: str
    job: int
    sets: range
    tally: Ints


def written(line: Line) -> bytes:
    """The line, with its end."""
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
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> Line:
    """The block of a line; raises ValueError for anything else."""
    try:
        data = json.loads(line)
        job, first, sets = (int(data[key]) for key in ("job", "first", "sets"))
        if min(job, first, sets) < 0:
            raise ValueError(sets)
        pairs = np.array(data["cells"], np.int64).reshape(-1, 2)
        tally = np.zeros(tuple(data["shape"]), np.int64)
        tally.ravel()[np.cumsum(pairs[:, 0] + 1) - 1] = pairs[:, 1]
        return Line(str(data["part"]), job, range(first, first + sets), tally)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ValueError("no block") from error
