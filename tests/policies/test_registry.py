"""Players as users name them."""

from __future__ import annotations

import pytest

from deckcheck.findings import UsageError
from deckcheck.policies.registry import PLAYERS, Policy, read_policy


@pytest.mark.parametrize("name", PLAYERS)
def test_a_name_is_enough(name: str) -> None:
    assert read_policy(name) == PLAYERS[name]


@pytest.mark.parametrize(
    ("text", "budget"), [("search", 256), ("search:1", 1), ("search:1000", 1000)]
)
def test_a_budget_stands_behind_the_name(text: str, budget: int) -> None:
    assert read_policy(text) == PLAYERS["search"]._replace(budget=budget)
    assert read_policy(text).policy == Policy.SEARCH


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("serach", "unknown policy `serach`", "did you mean `search`?"),
        ("", "unknown policy ``", "choose one of random, "),
        ("heuristic:5", "`heuristic` has no budget", "write `heuristic`"),
        ("random:", "`random` has no budget", "write `random`"),
        (
            "search:",
            "the budget of `search` is ``, must be",
            "on trial for a move: `search:256`",
        ),
        ("search:0", "is `0`, must be a number from 1 to 1,000,000", "`search:256`"),
        ("search:-1", "is `-1`, must be", "games it may play on trial"),
        ("search:abc", "is `abc`, must be", "games it may play on trial"),
        ("search:1_0", "is `1_0`, must be", "games it may play on trial"),
        ("search:٣", "is `٣`, must be", "games it may play on trial"),
        ("search:1000001", "is `1000001`, must be", "games it may play on trial"),
        ("search:" + "9" * 5000, "must be a number", "games it may play on trial"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str, remedy: str) -> None:
    with pytest.raises(UsageError) as error:
        read_policy(text)

    assert message in str(error.value)
    assert error.value.help is not None
    assert remedy in error.value.help
