"""The sums that players who have learned make of a position."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.learned import KNOWN

from deckcheck.engine.features import (
    FEATURE_LIMIT,
    GAIN_FIGURES,
    GAIN_GROUPS,
    PARTS_PER_CARD,
    expect_enemy,
)
from deckcheck.engine.jit import compiled
from deckcheck.policies.players import (
    UNIT_LIMIT,
    add_second,
    change_first,
    sum_first,
    sum_second,
)
from deckcheck.policies.workspace import new_workspace

pytestmark = pytest.mark.skipif(
    compiled, reason="inner functions refuse calls from Python"
)


@pytest.mark.parametrize("game", KNOWN)
def test_sums_for_compiled_code_are_those_of_numpy(game: tuple[str, str]) -> None:
    q = new_workspace(*game, ["learned_1"])[0].learned_1
    chance = np.random.default_rng(1)
    number, player = len(q.features), 1
    sums = q.first_bias.copy()

    for changes in (0, 1, 4, 5, number, 7):
        places = chance.choice(number, changes, replace=False)
        q.features[places] = chance.integers(-FEATURE_LIMIT, FEATURE_LIMIT, changes)
        q.first_sum[player] = sums
        change_first(q, q, player)
        sums = q.first_sum[player].copy()
        sum_first(q, q, player)
        assert (q.first_sum[player] == sums).all()
    for stage in range(len(q.second)):
        q.unit[:] = chance.integers(0, UNIT_LIMIT, len(q.unit))
        add_second(q, stage)
        sums = q.second_sum.copy()
        sum_second(q, stage)
        assert (q.second_sum == sums).all()


@pytest.mark.parametrize("unseen", [0, 7, 20])
def test_unseen_cards_are_in_the_hand_of_the_enemy_in_proportion(unseen: int) -> None:
    """Known cards count in full, and large ones in eighths."""
    gains = np.arange(GAIN_GROUPS * GAIN_FIGURES).reshape(GAIN_GROUPS, GAIN_FIGURES)
    unknown = min(unseen, 3)
    q = SimpleNamespace(gains=gains, known_worth=5, unseen=unseen, unknown=unknown)
    expect_enemy(q)

    share = unknown / max(unseen, 1)
    assert q.expected == gains[2, 0] + int(gains[3, 0] * share)
    assert q.expected_worth == 5 + int(gains[4, 0] * share)
    assert q.expected_big == PARTS_PER_CARD * gains[2, 4] + int(
        PARTS_PER_CARD * gains[3, 4] * share
    )
