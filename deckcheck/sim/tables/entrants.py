"""The decks of a run, each with a policy and a unique name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import PurePath
from typing import TypeAlias

from deckcheck.decks import Deck, DeckSource
from deckcheck.findings.errors import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.words import plural
from deckcheck.sim.results.played import SimulatedDeck


@dataclass(frozen=True, slots=True)
class Entrant:
    """A deck that takes part: its name in the run, its player, its errors."""

    deck: Deck
    name: str
    policy: str
    findings: int = 0

    @property
    def simulated(self) -> SimulatedDeck:
        """What a result says of it."""
        return SimulatedDeck(
            name=self.name,
            path=self.deck.source.path,
            index=self.deck.source.index,
            faction=self.deck.faction,
            leader=self.deck.leader,
            policy=self.policy,
            findings=self.findings,
        )


def assign_policies(policies: Sequence[str], decks: int) -> list[str]:
    """Return a policy for each deck: one for all, or one for each in order.

    Raises UsageError when the numbers do not fit.
    """
    if len(policies) == 1:
        return list(policies) * decks
    if len(policies) == decks:
        return list(policies)
    raise UsageError(
        f"{plural(len(policies), 'policy')} given for {plural(decks, 'deck')}",
        "Name one policy for all decks, or one for each deck in order; with "
        f"{option('every-policy')} each of them plays each deck",
    )


def by_file(entrants: Sequence[Entrant]) -> list[list[Entrant]]:
    """Return the entrants of each file, in order; a file named twice is two."""
    numbers = file_numbers([entrant.deck.source for entrant in entrants])
    files: list[list[Entrant]] = [[] for _ in range(max(numbers, default=-1) + 1)]
    for entrant, number in zip(entrants, numbers, strict=True):
        files[number].append(entrant)
    return files


def file_numbers(sources: Sequence[DeckSource]) -> list[int]:
    """Return the number of each deck's file, counted from 0; see `by_file`."""
    numbers: list[int] = []
    for i, source in enumerate(sources):
        begins = i == 0 or source.index == 0 or source.path != sources[i - 1].path
        numbers.append((numbers[-1] if numbers else -1) + begins)
    return numbers


def distinct_names(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the entrants with names that tell them apart.

    Decks of the same name get their file added, those of one file their place in it,
    and one deck that several play the policy; see `unique_names`.
    """
    names = [" ".join(entrant.name.split()) or "deck" for entrant in entrants]
    sources = [entrant.deck.source for entrant in entrants]
    names_told = unique_names(
        names,
        [source.path for source in sources],
        (
            [f"deck {source.index + 1}" for source in sources],
            [entrant.policy for entrant in entrants],
        ),
    )
    return [replace(e, name=n) for e, n in zip(entrants, names_told, strict=True)]


TWO = 2

Source: TypeAlias = tuple[str, int, str]
"""The file of a deck, its place there, and the policy that plays it."""


def is_crossed(sources: Sequence[Source]) -> bool:
    """Return whether there are several decks and policies, and all pairs of them."""
    decks = {(path, index) for path, index, _ in sources}
    policies = {policy for _, _, policy in sources}
    if min(len(decks), len(policies)) < TWO:
        return False
    return len(set(sources)) == len(sources) == len(decks) * len(policies)


def without_policy(name: str, policy: str) -> str:
    """Return the name of a deck that several play without the policy's."""
    for mark in (f" ({policy})", f", {policy})"):
        if name.endswith(mark):
            return name.removesuffix(mark) + (")" if mark[0] == "," else "")
    return name


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
        places = [i for i, entrant_name in enumerate(names) if entrant_name == name]
        files = short_paths([paths[i] for i in places])
        columns = [files, *([mark[i] for i in places] for mark in marks)]
        for i, columns_told in zip(places, _needed(columns), strict=True):
            result[i] = f"{name} ({', '.join(columns_told)})" if columns_told else name
    return _numbered(result)


def _needed(columns: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The rows of those columns that each tell more rows apart than the ones before."""
    rows: list[tuple[str, ...]] = [()] * len(columns[0])
    for column in columns:
        longer = [(*row, cell) for row, cell in zip(rows, column, strict=True)]
        if len(set(longer)) > len(set(rows)):
            rows = longer
    return rows


def short_paths(paths: Sequence[str]) -> list[str]:
    """Return the ends of the paths, just long enough to differ where the paths do."""
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
