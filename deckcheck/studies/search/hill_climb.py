"""Improves a deck by single changes, as a landscape values them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from deckcheck.studies.search.measuring import Floats
from deckcheck.studies.search.model import Encoding, Landscape
from deckcheck.studies.search.space import Candidate, DeckSpace

Places = npt.NDArray[np.int64]

MOST_STEPS = 200
LEAST_GAIN = 1e-4
"""Gains below this many points are none."""

TRIED = 400
"""How many changes are tried for a legal one before a deck is called the top."""


def climb(
    space: DeckSpace, encoding: Encoding, landscape: Landscape, start: Candidate
) -> Candidate:
    """The top that is reached by always taking the legal change that gains most."""
    best_row = start
    for _ in range(MOST_STEPS):
        moves = moves_by_gain(space, encoding, landscape, best_row)
        better = (to for gain, to in moves if gain > LEAST_GAIN)
        tried = (to for _, to in zip(range(TRIED), better, strict=False))
        best = next((to for to in tried if space.holds(to)), None)
        if best is None:
            break
        best_row = best
    return best_row


def moves_by_gain(
    space: DeckSpace, encoding: Encoding, landscape: Landscape, start: Candidate
) -> Iterator[tuple[float, Candidate]]:
    """All single changes of a candidate with what they gain, the best first.

    A card exchanged, added or taken out, or another leader; legal or not, but no more
    changes away from the base than the space allows.
    """
    counts = np.array(start.counts)
    starts = np.array(encoding.starts)
    out = np.flatnonzero(counts > np.array(space.least))
    into = np.flatnonzero(counts < np.array(space.most))
    leader = encoding.leader(start.leader)
    first = encoding.width - len(encoding.leaders)
    # A last place that is worth nothing stands for no card at all.
    none = encoding.width
    row = encoding.row(start)
    slope = np.append(landscape.slope(row), 0.0)
    pairs = np.zeros((none + 1, none + 1))
    pairs[:none, :none] = landscape.pairs
    gone = np.append(starts[out] + counts[out] - 1, none)
    come = np.append(starts[into] + counts[into], none)
    gains = _gains(slope, pairs, gone, come)
    gains[_too_far(space, counts, out, into)] = -np.inf
    others = np.setdiff1d(np.arange(first, encoding.width), [leader])
    of_leaders = _gains(slope, pairs, np.array([leader]), others)
    flat = np.concatenate([gains.ravel(), of_leaders.ravel()])
    for place in np.argsort(-flat, kind="stable").tolist():
        if flat[place] == -np.inf:
            break
        if place >= gains.size:
            name = encoding.leaders[int(others[place - gains.size]) - first]
            yield float(flat[place]), Candidate(name, start.counts)
            continue
        i, j = divmod(place, len(come))
        moved = counts.copy()
        if i < len(out):
            moved[out[i]] -= 1
        if j < len(into):
            moved[into[j]] += 1
        if not (i < len(out) and j < len(into) and out[i] == into[j]):
            yield float(flat[place]), Candidate(start.leader, tuple(moved.tolist()))


def _too_far(
    space: DeckSpace, counts: Places, out: Places, into: Places
) -> npt.NDArray[np.bool_]:
    """Which exchanges lead more changes away from the base than are allowed.

    A row for each card that goes, a column for each that comes; the last ones are for
    none.
    """
    if space.base is None or space.changes is None:
        return np.zeros((len(out) + 1, len(into) + 1), np.bool_)
    more = counts - np.array(space.base.counts)
    added = np.maximum(more, 0).sum()
    removed = np.maximum(-more, 0).sum()
    goes, comes = np.append(more[out], 0), np.append(more[into], 0)
    is_gone = np.append(np.ones(len(out), np.int64), 0)
    is_come = np.append(np.ones(len(into), np.int64), 0)
    then_added = added - is_gone * (goes > 0)
    then_removed = removed + is_gone * (goes <= 0)
    added_by = is_come * (comes >= 0)
    removed_by = -is_come * (comes < 0)
    most = np.maximum(
        then_added[:, None] + added_by, then_removed[:, None] + removed_by
    )
    too_far: npt.NDArray[np.bool_] = most > space.changes
    return too_far


def _gains(slope: Floats, pairs: Floats, gone: Places, come: Places) -> Floats:
    """What it gains when one place empties and another fills, for all of these."""
    own = np.diag(pairs)
    minus = own[gone] - slope[gone]
    plus = own[come] + slope[come]
    gains: Floats = minus[:, None] + plus[None, :] - 2 * pairs[np.ix_(gone, come)]
    return gains
