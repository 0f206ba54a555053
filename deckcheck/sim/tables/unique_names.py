"""Names that tell the entrants of a run apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import PurePath


def unique_names(
    names: Sequence[str], paths: Sequence[str], marks: Sequence[Sequence[str]]
) -> list[str]:
    """Return the names, with what tells them apart behind those that are the same.

    That is the file, as much of its path as it takes, then each of the `marks` that
    helps: `Siege (anna.deck)`. What is still the same gets a number, in order.
    """
    repeated = _repeated(names)
    result = list(names)
    for name in repeated:
        places = [i for i, each in enumerate(names) if each == name]
        files = _short_paths([paths[i] for i in places])
        columns = [files, *([mark[i] for i in places] for mark in marks)]
        for i, told in zip(places, _needed(columns), strict=True):
            result[i] = f"{name} ({', '.join(told)})" if told else name
    return _numbered(result)


def _needed(columns: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The rows of those columns that each tell more rows apart than the ones before."""
    rows: list[tuple[str, ...]] = [()] * len(columns[0])
    for column in columns:
        longer = [(*row, cell) for row, cell in zip(rows, column, strict=True)]
        if len(set(longer)) > len(set(rows)):
            rows = longer
    return rows


def _short_paths(paths: Sequence[str]) -> list[str]:
    """The ends of the paths, just long enough to differ where the paths do."""
    parts = [PurePath(path).parts for path in paths]
    for length in range(1, max(map(len, parts)) + 1):
        ends = [str(PurePath(*part[-length:]).as_posix()) for part in parts]
        if len(set(ends)) == len(set(paths)):
            return ends
    return list(paths)


def _repeated(names: Sequence[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


def _numbered(names: Sequence[str]) -> list[str]:
    repeated = _repeated(names)
    taken = set(names)
    result = []
    for name in names:
        own = _first_free(name, taken) if name in repeated else name
        taken.add(own)
        result.append(own)
    return result


def _first_free(name: str, taken: set[str]) -> str:
    numbers = (f"{name} ({number})" for number in count(1))
    return next(candidate for candidate in numbers if candidate not in taken)
