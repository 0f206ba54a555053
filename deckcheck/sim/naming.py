"""Unique names for decks of the same name, and short paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import TypeAlias

from deckcheck.sim.figures import ALL


def make_unique(
    names: Sequence[str], paths: Sequence[str], marks: Sequence[Sequence[str]]
) -> list[str]:
    """Return the names, with additions to names that are the same.

    The addition is the end of the path of the file, then each of the `marks` that
    helps: `Siege (anna.deck)`. Names that are still equal get a number, in order. The
    name `(all)`, which tables use as a word, gets its file, too.
    """
    unique_names = list(names)
    for index, name in enumerate(names):
        if name.strip().lower() == ALL:
            unique_names[index] = f"{name} ({PurePath(paths[index]).name})"
    for repeated in _find_repeated(names):
        indices = [index for index, name in enumerate(names) if name == repeated]
        columns = [shorten_paths([paths[index] for index in indices])]
        for mark in marks:
            columns.append([mark[index] for index in indices])
        for index, cells in zip(indices, _pick_distinguishing(columns), strict=True):
            addition = f" ({', '.join(cells)})" if cells else ""
            unique_names[index] = repeated + addition
    return _number_repeated(unique_names)


def _pick_distinguishing(columns: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the rows, without columns that distinguish no more rows."""
    rows: list[tuple[str, ...]] = [()] * len(columns[0])
    for column in columns:
        longer = [(*row, cell) for row, cell in zip(rows, column, strict=True)]
        if len(set(longer)) > len(set(rows)):
            rows = longer
    return rows


def shorten_paths(paths: Sequence[str]) -> list[str]:
    """Return the ends of the paths, just long enough to differ where the paths do."""
    parts = [PurePath(path).parts for path in paths]
    for length in range(1, max(map(len, parts)) + 1):
        ends = [str(PurePath(*part[-length:]).as_posix()) for part in parts]
        if len(set(ends)) == len(set(paths)):
            return ends
    return list(paths)


def _find_repeated(names: Sequence[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


def _number_repeated(names: Sequence[str]) -> list[str]:
    """Return the names, with the first free number after each repeated name."""
    repeated = _find_repeated(names)
    taken = set(names)
    unique_names = []
    for name in names:
        unique_name = name
        if name in repeated:
            number = 1
            while f"{name} ({number})" in taken:
                number += 1
            unique_name = f"{name} ({number})"
        taken.add(unique_name)
        unique_names.append(unique_name)
    return unique_names


PlayedSource: TypeAlias = tuple[str, int, str]
"""The file of a deck, its place there, and the policy that plays it."""


def is_crossed(sources: Sequence[PlayedSource]) -> bool:
    """Report whether there are several decks and policies, and all pairs of them.

    >>> both = [("a.deck", 0, "random"), ("b.deck", 0, "random")]
    >>> is_crossed([*both, ("a.deck", 0, "learned"), ("b.deck", 0, "learned")])
    True
    >>> is_crossed(both), is_crossed([*both, ("a.deck", 0, "learned")])
    (False, False)
    >>> is_crossed([("a.deck", 0, "random"), ("a.deck", 0, "learned")])
    False
    """
    decks = {(path, index) for path, index, _ in sources}
    policies = {policy for _, _, policy in sources}
    if min(len(decks), len(policies)) < 2:
        return False
    return len(set(sources)) == len(sources) == len(decks) * len(policies)


def remove_policy(name: str, policy: str) -> str:
    """Return the name of a deck without the policy that `make_unique` added, if any."""
    for mark in (f" ({policy})", f", {policy})"):
        if name.endswith(mark):
            return name.removesuffix(mark) + (")" if mark[0] == "," else "")
    return name
