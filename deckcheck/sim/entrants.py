"""The decks of a run, each with a player and a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from deckcheck.decks import Deck, DeckSource
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import plural

__all__ = ["Entrant", "assign_policies", "by_file", "distinct_names", "file_numbers"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A deck that takes part: its name in the run, its player, its errors."""

    deck: Deck
    name: str
    policy: str
    findings: int = 0


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
        "Name one policy for all decks, or one for each deck in order",
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

    Decks of the same name get their policy added when that tells them apart, else a
    number in the order they were given.
    """
    names = [" ".join(entrant.name.split()) or "deck" for entrant in entrants]
    if _repeated(names):
        with_policy = [
            f"{name} ({entrant.policy})" if name in _repeated(names) else name
            for name, entrant in zip(names, entrants, strict=True)
        ]
        names = _numbered(names) if _repeated(with_policy) else with_policy
    return [replace(e, name=n) for e, n in zip(entrants, names, strict=True)]


def _repeated(names: Sequence[str]) -> set[str]:
    return {name for name, times in Counter(names).items() if times > 1}


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
