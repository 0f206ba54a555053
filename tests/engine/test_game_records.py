"""Records of different games and modes: numba must never take one for another."""

from __future__ import annotations

from itertools import permutations

import numba
import pytest

from deckcheck.engine.host.registry import GAMES, load_game


def records() -> list[tuple[str, object]]:
    return [
        (f"{game}-{variant}-{what}", dtype)
        for game in GAMES
        for variant, dtypes in load_game(game).RECORDS.items()
        for what, dtype in zip(("state", "context"), dtypes, strict=True)
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(a[1], b[1], id=f"{a[0]}-{b[0]}")
        for a, b in permutations(records(), 2)
    ],
)
def test_no_record_starts_like_another(one: object, other: object) -> None:
    """It would be a subtype: compiled code for the other would be called with it."""
    record, wider = numba.from_dtype(one), numba.from_dtype(other)

    assert record.can_convert_to(None, wider) is None
