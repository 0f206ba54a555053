"""Records in which uncompiled games are played.

numpy's records look each field up again, in Python, which takes most of the time of a
game. These find the places of all fields once. They share the memory of the array.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Structured = npt.NDArray[np.void]
_ARRAY_AND_INDEX = "array and index"


class Records:
    """The records of an array with one dimension, by their index."""

    def __init__(self, array: Structured) -> None:
        self._array = array.view(np.ndarray)
        self._made: dict[int, PlainRecord] = {}

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: int) -> Any:
        record = self._made.get(index)
        if record is None:
            if not 0 <= index < len(self):
                raise IndexError("index is out of bounds")
            record = _record_type(self._array.dtype)(self._array, index)
            self._made[index] = record
        return record

    def __setitem__(self, index: int, record: PlainRecord) -> None:
        """Copy a record to an index."""
        array, source = record.__dict__[_ARRAY_AND_INDEX]
        self._array[index] = array[source]


class PlainRecord:
    """A record at its place in an array: numbers, arrays, and records within it.

    Attributes besides its fields have names with blanks, which no field has.
    """

    dtype: np.dtype[np.void]

    def __init__(self, array: Structured, index: int) -> None:
        fields = self.__dict__
        fields.update({"dtype": array.dtype, _ARRAY_AND_INDEX: (array, index)})
        for name in array.dtype.names or ():
            field = array[name]
            if field.dtype.names is None:
                is_number = field.ndim == 1
                cells = field[index : index + 1] if is_number else field[index]
                fields[_cell(name) if is_number else name] = cells
            elif field.ndim == 1:
                fields[name] = _record_type(field.dtype)(field, index)
            else:
                fields[name] = Records(field[index])

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlainRecord):
            return NotImplemented
        sides = [each.__dict__[_ARRAY_AND_INDEX] for each in (self, other)]
        mine, theirs = (array[index] for array, index in sides)
        return bool(mine == theirs)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: object) -> None:
        setattr(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        array, index = self.__dict__[_ARRAY_AND_INDEX]
        array[name][index] = value


@cache
def _record_type(dtype: np.dtype[np.void]) -> type[PlainRecord]:
    """Return the class of records of a type, with a property for each number."""
    numbers = {}
    for name in dtype.names or ():
        if not dtype[name].shape and dtype[name].names is None:
            numbers[name] = property(_make_reader(_cell(name)))
    return type("PlainRecord", (PlainRecord,), numbers)


def _cell(name: str) -> str:
    """Return the name of the attribute with the one-cell array of a number."""
    return f"cell of {name}"


def _make_reader(cell: str) -> Callable[[PlainRecord], Any]:
    """Return a function that reads the number in a one-cell array."""
    return lambda record: record.__dict__[cell][0]
