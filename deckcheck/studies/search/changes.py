"""The single changes that lead from a deck to a better one, and the decks between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from deckcheck.studies.search.measuring import Floats
from deckcheck.studies.search.space import Candidate, DeckSpace

MOST_BETWEEN = 80
"""How many decks between a base and a better deck are measured at most."""

DIGITS = 6

Rate = Callable[[Candidate], float]


def path_to(space: DeckSpace, to: Candidate, rate: Rate) -> list[Candidate]:
    """The decks from the base to `to`, a change apart, the largest gain first.

    `rate` is what a deck is expected to win. All are legal: changes that are legal only
    together are made at once.
    """
    assert space.base is not None
    path = [space.base]
    while path[-1] != to:
        reached = [path[-1]]
        legal: list[Candidate] = []
        while not legal:
            reached = _nearer(reached, to)
            legal = [deck for deck in reached if space.holds(deck)]
        path.append(max(legal, key=rate))
    return path


def decks_between(space: DeckSpace, to: Candidate) -> list[Candidate]:
    """The base, `to`, and legal decks with some of its changes, most of them first.

    There are `MOST_BETWEEN` at most.
    """
    assert space.base is not None
    decks: dict[Candidate, None] = {}
    reached = [to]
    while reached and reached != [space.base]:
        decks |= dict.fromkeys(deck for deck in reached if space.holds(deck))
        if len(decks) >= MOST_BETWEEN:
            break
        reached = _nearer(reached, space.base)
    return [space.base, *list(decks)[: MOST_BETWEEN - 1]]


def without_idle_changes(space: DeckSpace, to: Candidate, value: Rate) -> Candidate:
    """The deck without changes that take from its `value`, the worst undone first."""
    assert space.base is not None
    best = to
    while best != space.base:
        fewer = [deck for deck in _nearer([best], space.base) if space.holds(deck)]
        next_best = max(fewer, key=value, default=best)
        if value(next_best) <= value(best):
            break
        best = next_best
    return best


def additive(decks: Sequence[Candidate], rates: Floats) -> Rate:
    """What decks win as a sum over their cards, by least squares over measured ones.

    Cards that are worth something only together share it.
    """
    rows = np.array([_row(deck, decks[0]) for deck in decks])
    ones = np.ones((len(decks), 1))
    worths, *_ = np.linalg.lstsq(np.hstack([ones, rows]), rates, rcond=1e-9)
    worths = worths.round(DIGITS)
    return lambda deck: float(worths[0] + _row(deck, decks[0]) @ worths[1:])


def _row(deck: Candidate, first: Candidate) -> Floats:
    """The copies of each card, and whether the leader is another one than the first."""
    return np.array([*deck.counts, deck.leader != first.leader], np.float64)


def _nearer(decks: Sequence[Candidate], to: Candidate) -> list[Candidate]:
    """All decks that are a change nearer to another."""
    return list(dict.fromkeys(near for deck in decks for near in _changed(deck, to)))


def _changed(deck: Candidate, to: Candidate) -> Iterator[Candidate]:
    """The decks a change nearer to another: cards exchanged as long as both are left.

    What then is left is taken out or added alone; another leader is a change by itself.
    """
    if deck.leader != to.leader:
        yield replace(deck, leader=to.leader)
    more = [new - old for old, new in zip(deck.counts, to.counts, strict=True)]
    out: list[int | None] = [place for place, n in enumerate(more) if n < 0]
    into: list[int | None] = [place for place, n in enumerate(more) if n > 0]
    left = sum(more)
    for gone in [*out, *([None] if left > 0 or not out else [])]:
        for come in [*into, *([None] if left < 0 or not into else [])]:
            if gone is None and come is None:
                continue
            counts = list(deck.counts)
            if gone is not None:
                counts[gone] -= 1
            if come is not None:
                counts[come] += 1
            yield Candidate(deck.leader, tuple(counts))
