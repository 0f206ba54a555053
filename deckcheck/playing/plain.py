"""Records in which uncompiled games are played.

Those of numpy look each field up anew, in Python, which takes most of the time of a
game. These find the places of all fields once; they share the memory of the array.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Structured = npt.NDArray[np.void]
PLACE = "array and index"


class Records:
    """The records of an array with one dimension, by their index."""

    def __init__(self, array: Structured) -> None:
        self._array = array.view(np.ndarray)
        self._made: dict[int, PlainRecord] = {}

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: int) -> PlainRecord:
        record = self._made.get(index)
        if record is None:
            if not 0 <= index < len(self):
                raise IndexError("index is out of bounds")
            made = _record_type(self._array.dtype)(self._array, index)
            record = self._made[index] = made
        return record

    def __setitem__(self, index: int, record: PlainRecord) -> None:
        """Copy a record to the place of another one."""
        array, at = record.__dict__[PLACE]
        self._array[index] = array[at]


class PlainRecord:
    """A record at its place in an array: numbers, arrays, and records within it.

    What it knows besides its fields has names with blanks, which no field has.
    """

    dtype: np.dtype[np.void]

    def __init__(self, array: Structured, index: int) -> None:
        own = self.__dict__
        own.update({"dtype": array.dtype, PLACE: (array, index)})
        for name in array.dtype.names or ():
            field = array[name]
            if field.dtype.names is None:
                is_number = field.ndim == 1
                cells = field[index : index + 1] if is_number else field[index]
                own[_cell(name) if is_number else name] = cells
            elif field.ndim == 1:
                own[name] = _record_type(field.dtype)(field, index)
            else:
                own[name] = Records(field[index])

    def __setattr__(self, name: str, value: object) -> None:
        array, index = self.__dict__[PLACE]
        array[name][index] = value


@cache
def _record_type(dtype: np.dtype[np.void]) -> type[PlainRecord]:
    """The class of such records: its properties are their numbers."""
    numbers = {
        name: property(_reader(_cell(name)))
        for name in dtype.names or ()
        if not dtype[name].shape and dtype[name].names is None
    }
    return type("PlainRecord", (PlainRecord,), numbers)


def _cell(name: str) -> str:
    """Where the array of one cell is that holds a number."""
    return f"cell of {name}"


def _reader(cell: str) -> Callable[[PlainRecord], Any]:
    return lambda record: record.__dict__[cell][0]
