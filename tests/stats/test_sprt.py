"""The sequential probability ratio test: published values and plain sense."""

from __future__ import annotations

import pytest

from deckcheck.stats import EloScale, Sprt, SprtDecision, elo_of, score_of

DRAWISH = (759, 1_863, 880)  # lost, drawn, won


def test_single_games_agree_with_a_published_value() -> None:
    assert Sprt(0, 5).ratio(DRAWISH) == pytest.approx(2.95, abs=0.005)


@pytest.mark.parametrize(
    ("pairs", "elo", "ratio"),
    [
        ((379, 10_170, 21_828, 10_640, 343), (0, 2), 2.946),
        ((365, 16_618, 36_229, 16_974, 390), (0, 2), 2.250),
    ],
)
def test_mirrored_pairs_agree_with_published_values(
    pairs: tuple[int, ...], elo: tuple[float, float], ratio: float
) -> None:
    """The second one: Fastchess, pull request 426."""
    test = Sprt(*elo, scale=EloScale.NORMALISED)

    assert test.ratio(pairs) == pytest.approx(ratio, abs=1e-3)


def test_the_other_side_sees_the_opposite() -> None:
    seen, mirrored = Sprt(-3, 7).ratio(DRAWISH), Sprt(-7, 3).ratio(DRAWISH[::-1])

    assert seen == pytest.approx(-mirrored)


def test_accepts_at_the_bounds_of_wald() -> None:
    test = Sprt(0, 5, alpha=0.05, beta=0.1)

    assert test.bounds == pytest.approx((-2.2513, 2.8904), abs=1e-4)


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((0, 0, 0, 0, 0), SprtDecision.GOING),
        ((20, 40, 80, 40, 20), SprtDecision.GOING),
        ((0, 0, 0, 0, 200), SprtDecision.HIGHER),
        ((200, 0, 0, 0, 0), SprtDecision.LOWER),
    ],
)
def test_comes_to_a_verdict(counts: tuple[int, ...], verdict: SprtDecision) -> None:
    assert Sprt(0, 20).verdict(counts) is verdict


@pytest.mark.parametrize("scale", list(EloScale))
@pytest.mark.parametrize("counts", [(78, 0, 0, 0, 0), (0, 0, 500, 0, 0)])
def test_one_sided_results_have_a_ratio(
    scale: EloScale, counts: tuple[int, ...]
) -> None:
    assert abs(Sprt(-100, 100, scale=scale).ratio(counts)) < 1_000


def test_elo_and_score_are_each_others_reverse() -> None:
    assert elo_of(score_of(37.5)) == pytest.approx(37.5)
    assert score_of(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize("wrong", [(5, 0), (5, 5)])
def test_refuses_bounds_in_the_wrong_order(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="not less"):
        Sprt(*wrong)


@pytest.mark.parametrize("alpha", [0, 0.5, 2])
def test_refuses_chances_that_are_none(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        Sprt(0, 5, alpha=alpha)
