"""Names that tell the entrants of a run apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import PurePath

from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.findings.words import choice, nearest, quote
from deckcheck.sim.played import SimulatedDeck

__all__ = ["name_among", "tell_apart"]


def tell_apart(
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


def name_among(known: Sequence[SimulatedDeck], deck: object) -> str:
    """What a run calls a deck, which is given by that name or as a deck.

    Raises UsageError for a deck that did not take part, or did so several times.
    """
    names = [each.name for each in known]
    if isinstance(deck, SimulatedDeck):
        deck = deck.name
    if isinstance(deck, Deck):
        place = (deck.source.path, deck.source.index)
        names = [each.name for each in known if (each.path, each.index) == place]
        if len(names) == 1:
            return names[0]
        # Decks of texts have no file that tells them apart.
        names = names or [each.name for each in known]
        deck = deck.name
    if not isinstance(deck, str):
        kind = type(deck).__name__
        raise UsageError(f"Got a value of type `{kind}`, expected a deck or its name")
    if deck not in names:
        near = nearest(deck, names, limit=3)
        help = f"Did you mean {choice(near)}?" if near else f"Decks are {choice(names)}"
        raise UsageError(f"No deck of this run is called {quote(deck)}", help)
    return deck


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
