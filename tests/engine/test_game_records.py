"""What games offer: the contract, and records that numba never takes for another."""

from __future__ import annotations

from itertools import permutations

import numba
import pytest

from deckcheck.engine import contract
from deckcheck.engine.registry import GAMES, load_game

OPTIONAL = (
    *("features", "suppose_plans", "possible_worlds", "within_turn", "is_endgame"),
    *("copy_to", "redrawn_card"),
)


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


@pytest.mark.parametrize("game", GAMES)
def test_a_game_offers_the_whole_contract(game: str) -> None:
    asked = {
        *(
            name
            for name in contract.__all__
            if name not in ("Game", "register", *OPTIONAL)
        ),
        *contract.Game.__annotations__,
        *(name for name in vars(contract.Game) if not name.startswith("_")),
    }

    assert asked - set(load_game(game).__all__) == set()
    assert {"RECORDS", "fill_context", "legal_moves"} <= asked


@pytest.mark.parametrize("game", GAMES)
def test_every_record_has_what_the_match_loop_needs(game: str) -> None:
    for state, context in load_game(game).RECORDS.values():
        assert {"rng", "turns", "history"} <= set(state.names)
        assert {"moves", "rng", "coin", "policy"} <= set(context.names)
