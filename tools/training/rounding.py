"""The weights as whole numbers, and their file."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from deckcheck.policies.players import UNIT_BITS, WEIGHT_BITS
from deckcheck.policies.workspace import VALUE_ARRAYS
from tools.training.fitting import Floats

__all__ = ["fingerprint", "rounded", "save"]

Whole = dict[str, Any]


def rounded(weights: dict[str, Floats], scale: Floats) -> Whole:
    """Weights for the features as they are, in steps of 2 ** -`WEIGHT_BITS`.

    A bias of a later layer is added to products of weights and units.
    """
    found = {}
    for name in VALUE_ARRAYS:
        exact = weights[name].astype(np.float64)
        if name == "first":
            exact = exact / scale[:, None]
        bits = _bits(name)
        kind = np.int32 if bits == WEIGHT_BITS else np.int64
        found[name] = np.rint(exact * (1 << bits)).astype(kind)
    return found


def _bits(name: str) -> int:
    late = name in ("second_bias", "last_bias")
    return WEIGHT_BITS + UNIT_BITS if late else WEIGHT_BITS


def save(path: Path, weights: Whole) -> str:
    """Write the file of the weights; returns its fingerprint."""
    np.savez_compressed(path, **weights)
    return fingerprint(path)


def fingerprint(path: Path) -> str:
    """A hash over the weights of a file, in 16 digits."""
    found = sha256()
    with np.load(path) as weights:
        for name in weights.files:
            found.update(np.ascontiguousarray(weights[name]).tobytes())
    return found.hexdigest()[:16]
