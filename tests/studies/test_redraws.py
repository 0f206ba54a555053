"""The cards of the dealt hand that are better redrawn, or kept."""

from collections import Counter
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.findings import validate_files
from helpers.outputs import assert_tidy, check_document, other_types
from helpers.results import SHIPS, SIEGE, SWARM

import deckcheck
from deckcheck.cards import load_database
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.playing.redraws import RedrawSum as Moment
from deckcheck.report.tables import difference_with_level, size_with_level
from deckcheck.sim.figures import DEPENDS_ON_PLAYER
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.study import Interrupted
from deckcheck.specs import RedrawsSpec
from deckcheck.stats import Interval
from deckcheck.studies.redraws import make_fresh, redraws_study
from deckcheck.studies.redraws_result import Redraw, RedrawsResult, measure_redraw
from deckcheck.studies.swaps import MeasuredEffect

ROOT = Path(__file__).parents[2]
GWEN_T = sorted((ROOT / "decks" / "gwen_t" / "pool").glob("*.deck"))
HAND = (
    "Ballista, 2 Catapult, Scorch, clear weather, Roach, Thaler, Decoy, Trebuchet, "
    '"John Natalis"'
)

OWN_FORMAT = """\
title: Own
snapshot: "2026-01"
extends: gwent/standard
options:
  redraws: {}
"""


def redraws(deck: Path = SIEGE, **settings: Any) -> RedrawsResult:
    usual = {"policies": "heuristic", "games": 400, "cross_check": None}
    return deckcheck.redraws(deck, **{"against": [SWARM, SHIPS], **usual, **settings})


@pytest.fixture(scope="module")
def result() -> RedrawsResult:
    return redraws()


def test_a_card_that_should_be_kept_is_named(result: RedrawsResult) -> None:
    """A spy that draws two cards, and a hero that clears a row, are worth a card."""
    [deck] = deckcheck.read(SIEGE)
    keeps = {redraw.name for redraw in result.to_keep}

    assert {r.ids for r in result.redraws} == {(card,) for card in deck.counts()}
    assert {"Thaler", "Mysterious Elf", "Villentretenmerth"} <= keeps
    assert not keeps & {redraw.name for redraw in result.to_redraw}
    most = result.to_keep[0].name
    above = difference_with_level(result.to_keep[0].gain)
    sentence = f"Keep {len(keeps)} cards, above all `{most}`: {above} if it is redrawn."
    assert result.answer.endswith(sentence)
    for figures in result.redraws:
        low, high = figures.gain.interval
        assert low <= figures.gain.value <= high
        gain = figures.redrawn.value - figures.kept.value
        assert figures.gain.value == pytest.approx(gain)
        assert 0 <= figures.by_player <= figures.games
    # The player hardly ever redraws heroes, and often a card for one opponent.
    assert other_types(result.to_dict()) == set()
    rows = assert_tidy(result, "gain_redrawn").set_index(["metric", "card"])
    shares = {redraw.name: redraw.share for redraw in result.redraws}
    redrawn = rows.loc["redrawn", "Roach"]["value"]
    assert redrawn == pytest.approx(shares["Roach"], abs=1e-6)
    assert shares["Geralt of Rivia"] < 0.01
    assert shares["Clear Weather"] > 0.3


@pytest.fixture(scope="module")
def of_hand() -> RedrawsResult:
    return redraws(hand=HAND, games=200)


def test_a_certain_hand_is_compared_with_keeping_it(of_hand: RedrawsResult) -> None:
    own = of_hand.own

    assert sorted(of_hand.hand)[:3] == ["Ballista", "Catapult", "Catapult"]
    assert {r.kept for r in of_hand.redraws} == {own.kept}
    assert {r.games for r in of_hand.redraws} == {200} == {own.games}
    assert own.gain.value > 0
    assert "than with the whole hand kept" in of_hand.answer
    names = HAND.replace('"', "").split(", ")
    by_name = redraws(hand=names, games=4)
    assert by_name.checksum == redraws(hand=HAND, games=4).checksum


def test_a_hand_has_an_answer_for_all_its_redraws(of_hand: RedrawsResult) -> None:
    """Nine cards, one of them twice: 9 choices of one, 37 of two; the best is told."""
    sizes = Counter(len(redraw.ids) for redraw in of_hand.redraws)
    [best] = of_hand.to_redraw

    assert sizes == {1: 9, 2: 37}
    assert ("catapult", "catapult") in {redraw.ids for redraw in of_hand.redraws}
    assert len(best.ids) == 2
    first, second = best.names
    assert of_hand.answer.startswith(f"Redraw `{first}` and `{second}`: the deck")
    document = of_hand.to_dict()
    check_document("redraws", document)
    assert {"ids": list(best.ids), "names": [first, second]}.items() <= (
        document["fresh"][0]["redraws"][0].items()
    )


@pytest.mark.parametrize(("number", "choices"), [(1, 9), (3, 37 + 9 + 92)])
def test_a_format_may_have_another_number_of_redraws(
    tmp_path: Path, number: int, choices: int
) -> None:
    """Of 3 there are 84 without a pair of Catapults, and 8 with it."""
    own = tmp_path / "own.yaml"
    own.write_text(OWN_FORMAT.format(number))
    result = redraws(hand=HAND, games=4, format=own)

    assert len(result.redraws) == choices
    assert max(len(redraw.ids) for redraw in result.redraws) == number


def test_a_hand_may_be_in_a_file(tmp_path: Path) -> None:
    hand = redraws(hand=HAND, games=2).hand
    # A path is a file, whatever its name.
    for file in (tmp_path / "hand.txt", tmp_path / "hand, of game three"):
        file.write_text("# game three\n" + HAND.replace(", ", "\n"))
        assert redraws(hand=file, games=2).hand == hand


def test_a_hand_that_cannot_be_dealt() -> None:
    for hand, message in (
        ("Roach", "`hand` has 1 card, `Siege masters` is dealt 10"),
        ("4 Catapult", "4 copies of `Catapult`, the deck has 2"),
    ):
        with pytest.raises(UsageError, match=message):
            redraws(hand=hand)


def test_where_nobody_redraws() -> None:
    with pytest.raises(UsageError, match="There are no redraws in `gwen_t/pool`"):
        redraws(GWEN_T[0], against=GWEN_T[1])


def test_a_deck_that_is_all_in_hand(tmp_path: Path) -> None:
    few = tmp_path / "few.deck"
    few.write_text(
        "Format: gwent/standard\nName: Few\nLeader: Foltest, The Siegemaster\n\n"
        "10 Ballista\n"
    )
    with pytest.raises(UsageError, match="`Few` is dealt all of its 10 cards"):
        redraws(few, allow_illegal=True)


def test_an_interrupt_tells_what_is_known_and_blocks_change_nothing() -> None:
    result = redraws(games=40)
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    [own] = validate_files([str(SIEGE)]).reports
    field = list(validate_files([str(SWARM), str(SHIPS)]).reports)
    question = RedrawsSpec(seed=1, policies=("heuristic",), games=40)
    study = redraws_study(fmt, database, [own], field, question)
    seen: list[Progress] = []
    whole = study.run(watch=seen.append, block_sets=10)

    assert (whole.checksum, whole.redraws) == (result.checksum, result.redraws)
    assert redraws(seed=2, games=40).checksum != result.checksum
    played = [progress.games for progress in seen]
    assert played == sorted(played)
    # How many games a set will have is reckoned before, for all and for some choices.
    assert 0.8 < seen[-1].games / whole.games_played < 1.2
    results = []
    for calls in (1, 3, len(seen) - 1):
        left = [calls]

        def stop(_: Progress, left: list[int] = left) -> None:
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt

        with pytest.raises(Interrupted) as stopped:
            study.run(watch=stop, block_sets=10)
        results.append(stopped.value.result)

    assert results[0] is None
    for known in results[1:]:
        assert isinstance(known, RedrawsResult)
        assert not known.complete
        assert known.answer.startswith("It is too early to recommend a redraw")
        check_document("redraws", known.to_dict())
    assert results[1].games < results[2].games == result.games


def with_gains(
    result: RedrawsResult,
    first: tuple[float, float],
    *fresh: tuple[float, float],
    **more: Any,
) -> RedrawsResult:
    """A result of one card, with these ends in the first trial and in fresh games."""

    def gained(figures: Redraw, ends: tuple[float, float]) -> Redraw:
        return replace(figures, gain=MeasuredEffect(sum(ends) / 2, Interval(*ends)))

    [roach] = [redraw for redraw in result.redraws if redraw.ids == ("roach",)]
    parts = tuple(
        make_fresh(policy, [gained(roach, ends)])
        for policy, ends in zip(("heuristic", "learned"), fresh, strict=False)
    )
    redraws = (gained(roach, first),)
    return replace(result, redraws=redraws, fresh=parts, **more)


CLEAR, UNCLEAR, LOSS = (0.02, 0.04), (-0.01, 0.03), (-0.04, -0.02)
ANSWERS = (
    # The ends of the gain in the first trial, and in the fresh games of each bot.
    ((0.01, 0.05), [CLEAR, UNCLEAR], "Redraw `Roach`: the deck then wins {size} more."),
    (
        *((0.01, 0.05), [CLEAR, (-0.04, -0.01)]),
        f"{DEPENDS_ON_PLAYER} Whether to redraw `Roach` depends on the bot: {{gain}}.",
    ),
    (
        *((0.01, 0.05), [UNCLEAR]),
        "No clear gain from redrawing `Roach`: {gain}. The gain was clear only in the "
        "games that chose it: +3.0 percentage points (95% CI 1.0 to 5.0).",
    ),
    (
        *((-0.01, 0.05), [UNCLEAR]),
        "No clear gain from redrawing `Roach`: {gain}. Too few games to tell; try "
        "`--games 3200`.",
    ),
    (
        *((-0.05, -0.01), [LOSS]),
        "Redraw nothing: even the best redraw, `Roach`, makes it worse: {gain}. All "
        "decks were piloted by `heuristic-3`. Keep `Roach`: -3.0 percentage points "
        "(95% CI -5.0 to -1.0) if it is redrawn.",
    ),
)
ANSWERS_OF_A_HAND = (
    (
        CLEAR,
        "Redraw `Roach` and no other card: the deck then wins {size} more than with "
        "the whole hand kept.",
    ),
    (UNCLEAR, "No clear gain from redrawing `Roach` and no other card: {gain}."),
    (
        LOSS,
        "Keep this hand: even the best redraw, `Roach` and no other card, makes it "
        "worse: {gain}.",
    ),
)


def test_the_answer_says_what_is_clear(result: RedrawsResult) -> None:
    """Fresh games alone tell it; of a hand, one card of ten was chosen by the first."""
    of_hand = [((-0.01, 0.05), [ends], text) for ends, text in ANSWERS_OF_A_HAND]
    for hand, answers in (((), ANSWERS), (("Roach",), of_hand)):
        for first, fresh, text in answers:
            found = with_gains(result, first, *fresh, hand=hand)
            effect = found.fresh[0].redraws[0].gain
            gain, size = difference_with_level(effect), size_with_level(effect)
            assert found.answer.startswith(text.format(gain=gain, size=size)), text

    early = with_gains(result, (0.01, 0.05)).answer
    assert early.endswith("a redraw: no fresh games have tested the redraws.")


def test_figures_are_those_of_the_sets() -> None:
    """Means over the games that dealt a card, which come in pairs or alone."""
    n = np.tile([2, 2, 1, 2, 2, 1], 50)
    k = np.tile([0, 2, 2, 4, 3, 0], 50)
    r = np.tile([2, 2, 1, 4, 4, 2], 50)
    columns = [n, k, r, n * n, n * k, n * r, k * k, k * r, r * r]
    moments = [len(n), 150, *(int(column.sum()) for column in columns)]
    figures = measure_redraw(Redraw, ("roach",), ("Roach",), moments, together=1)

    games = n.sum()
    gain = (r - k).sum() / (2 * games)
    assert len(moments) == len(Moment)
    assert (figures.games, figures.share) == (games, 0.3)
    assert figures.gain.value == pytest.approx(gain)
    assert figures.kept.value == pytest.approx(k.sum() / (2 * games))
    residuals = (r - k) - 2 * gain * n
    variance = (residuals**2).sum() / (2 * games) ** 2 * len(n) / (len(n) - 1)
    low, high = figures.gain.interval
    assert (high - low) / 2 == pytest.approx(1.968 * sqrt(variance), rel=1e-3)
    wider = measure_redraw(
        Redraw, ("roach",), ("Roach",), moments, together=20
    ).gain.interval
    assert wider.high - wider.low > 1.5 * (high - low)
