"""The weights as whole numbers, and their file."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.training.fitting import Floats
from deckcheck.policies.host.learned import WEIGHTS
from deckcheck.policies.learned.network import UNIT_BITS, WEIGHT_BITS

__all__ = ["digest", "rounded", "save"]

Whole = dict[str, Any]


def rounded(weights: dict[str, Floats], scale: Floats) -> Whole:
    """Weights for the features as they are, in steps of 2 ** -`WEIGHT_BITS`.

    A bias of a later layer is added to products of weights and units.
    """
    found = {}
    for name in WEIGHTS:
        exact = weights[name].astype(np.float64)
        if name == "first":
            exact = exact / scale[:, None]
        late = name in ("second_bias", "last_bias")
        bits = WEIGHT_BITS + UNIT_BITS if late else WEIGHT_BITS
        kind = np.int64 if late else np.int32
        found[name] = np.rint(exact * (1 << bits)).astype(kind)
    return found


def save(path: Path, weights: Whole) -> str:
    """Write the file of the weights; returns its digest."""
    np.savez_compressed(path, **weights)
    return digest(path)


def digest(path: Path) -> str:
    """A hash over the weights of a file, in 16 digits."""
    found = sha256()
    with np.load(path) as weights:
        for name in WEIGHTS:
            found.update(np.ascontiguousarray(weights[name]).tobytes())
    return found.hexdigest()[:16]
