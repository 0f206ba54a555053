"""The cards of the dealt hand that are better sent back, or kept."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from helpers.outputs import assert_tidy, closed_schema, other_types

import deckcheck
from deckcheck.cards import load_database
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.playing.redraws import RedrawSum as Moment
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.study import Interrupted
from deckcheck.specs import RedrawsSpec
from deckcheck.stats import Interval
from deckcheck.studies.redraws import (
    FreshRedraws,
    Redraw,
    RedrawsResult,
    redraw_of,
    redraws_report,
    redraws_study,
    to_send_back,
)
from deckcheck.studies.swaps import MeasuredEffect
from deckcheck.validation import validate_files

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
SIEGE, SWARM, SHIPS = (
    STANDARD / f"{name}.deck"
    for name in ("nr_siege_masters", "mo_swarm", "sk_longships")
)
GWEN_T = sorted((ROOT / "decks" / "gwen_t" / "pool").glob("*.deck"))
HAND = (
    "Ballista, 2 Catapult, Scorch, clear weather, Roach, Thaler, Decoy, Trebuchet, "
    '"John Natalis"'
)


def redraws(deck: Path = SIEGE, **settings: Any) -> RedrawsResult:
    usual = {"against": [SWARM, SHIPS], "games": 400, "confirm": None}
    return deckcheck.redraws(deck, **{**usual, **settings})


@pytest.fixture(scope="module")
def result() -> RedrawsResult:
    return redraws()


def test_a_card_that_should_be_kept_is_named(result: RedrawsResult) -> None:
    """A spy that draws two cards, and a hero that clears a row, are worth a card."""
    [deck] = deckcheck.read(SIEGE)
    keeps = {card.name for card in result.to_keep}

    assert {card.figures.card for card in result.cards} == set(deck.counts())
    assert {"Thaler", "Mysterious Elf", "Villentretenmerth"} <= keeps
    assert not keeps & {card.name for card in result.to_send_back}
    most = result.to_keep[0]
    assert f"{len(keeps)} cards should be kept, above all `{most.name}`: -" in (
        result.answer
    )
    for card in result.cards:
        figures = card.figures
        low, high = figures.gain.interval
        assert low <= figures.gain.value <= high
        gain = figures.sent.value - figures.kept.value
        assert figures.gain.value == pytest.approx(gain)
        assert 0 <= figures.by_player <= figures.games
    # Heroes are never sent back by the player; a card for one opponent mostly is.
    shares = {card.name: card.figures.share for card in result.cards}
    assert shares["Geralt of Rivia"] == 0
    assert shares["Clear Weather"] > 0.5


def test_each_version_has_the_games_that_were_asked_for(result: RedrawsResult) -> None:
    """A single card is dealt in 10 of 29 hands, so more hands than these are dealt."""
    single = [c.figures.games for c in result.cards if c.copies == 1]

    assert result.games == 1160
    assert np.mean(single) == pytest.approx(400, rel=0.1)


def test_what_chose_is_not_what_is_told(result: RedrawsResult) -> None:
    [fresh] = result.fresh
    chosen = to_send_back([card.figures for card in result.cards])
    best = result.ranked[0].figures

    assert tuple(r.card for r in fresh.redraws if r.card) == chosen
    assert chosen[0] == best.card
    assert fresh.gain(best.card) != best.gain


def test_the_same_question_has_the_same_answer(result: RedrawsResult) -> None:
    again = redraws()

    assert (again.checksum, again.cards) == (result.checksum, result.cards)
    assert redraws(seed=2, games=40).checksum != redraws(games=40).checksum


def test_opponents_count_by_their_weights() -> None:
    weights = {"The swarm": 3, "Longships of Skellige": 0}
    result = redraws(games=40, weights=weights)
    alone = redraws(games=40, against=SWARM)

    assert result.shares == (("The swarm", 1.0),)
    assert result.checksum == alone.checksum


def test_a_certain_hand_is_compared_with_keeping_it() -> None:
    result = redraws(hand=HAND, games=200)
    kept = {card.figures.kept for card in result.cards}
    own = result.own

    assert sorted(result.hand)[:3] == ["Ballista", "Catapult", "Catapult"]
    assert len(result.cards) == 9
    assert len(kept) == 1
    assert {card.figures.games for card in result.cards} == {200} == {own.games}
    assert own.kept in kept
    assert own.gain.value > 0
    assert "compared with keeping the whole hand" in result.answer
    names = HAND.replace('"', "").split(", ")
    assert redraws(hand=names, games=200).checksum == result.checksum


def test_a_hand_may_be_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_text("# game three\n" + HAND.replace(", ", "\n"))

    assert redraws(hand=file, games=20).hand == redraws(hand=HAND, games=20).hand


@pytest.mark.parametrize(
    ("hand", "message", "help"),
    [
        ("Roach", "`hand` has 1 card, `Siege masters` is dealt 10", "the whole hand"),
        ("Nekker", "`Siege masters` does not have `Nekker`", "Name cards of the deck"),
        ("Roche", "`hand`: `Siege masters` does not have `Vernon Roche`", ""),
        ("Witches", "`hand`: no card is called `Witches`", ""),
        ("lost.txt", "`hand`: no such file `lost.txt`", "one on a line"),
        ("4 Catapult", "4 copies of `Catapult`, the deck has 2", "cards of the deck"),
        ("0 Roach", "Count `0`", ""),
    ],
)
def test_a_hand_that_cannot_be_dealt(hand: str, message: str, help: str) -> None:
    with pytest.raises(UsageError) as refused:
        redraws(hand=hand)

    assert message in refused.value.message
    assert help in (refused.value.help or "")


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


def test_an_interrupt_tells_what_is_known(result: RedrawsResult) -> None:
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    [own] = validate_files([str(SIEGE)]).reports
    field = list(validate_files([str(SWARM), str(SHIPS)]).reports)
    question = RedrawsSpec(1, ("heuristic",), 400)
    study = redraws_study(fmt, database, [own], field, question)
    seen: list[Progress] = []
    whole = study.run(watch=seen.append, block_sets=100)

    assert whole.to_dict()["cards"] == result.to_dict()["cards"]
    played = [progress.games for progress in seen]
    assert played == sorted(played)
    results = []
    for calls in (1, 3, len(seen) - 1):
        left = [calls]

        def stop(_: Progress, left: list[int] = left) -> None:
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt

        with pytest.raises(Interrupted) as stopped:
            study.run(watch=stop, block_sets=100)
        results.append(stopped.value.result)

    assert results[0] is None
    for known in results[1:]:
        assert isinstance(known, RedrawsResult)
        assert not known.complete
        assert "that test the cards to send back were not" in known.answer
        jsonschema.validate(known.to_dict(), closed_schema("redraws"))
    assert results[1].games < results[2].games == result.games


def test_rows_say_what_the_document_says(result: RedrawsResult) -> None:
    rows = assert_tidy(result, "gain_sent").set_index(["metric", "card"])
    document = result.to_dict()

    jsonschema.validate(document, closed_schema("redraws"))
    assert other_types(document) == set()
    for card in document["cards"]:
        row = rows.loc["gain_sent", card["name"]]
        assert row["value"] == card["gain"]["difference"]
        assert [row["low"], row["high"]] == card["gain"]["interval"]
        assert rows.loc["sent_back", card["name"]]["value"] == card["share"]
        for way in ("kept", "sent"):
            rate = rows.loc[f"win_rate_{way}", card["name"]]
            assert rate["value"] == card[way]["win_rate"]
    [fresh] = document["fresh"]
    for card in fresh["cards"]:
        row = rows.loc["gain_sent_fresh", card["name"]]
        assert row["value"] == card["difference"]


def with_gains(
    result: RedrawsResult,
    first: tuple[float, float],
    *fresh: tuple[float, float],
    **more: Any,
) -> RedrawsResult:
    """A result of one card, with these ends in the first trial and in fresh games."""

    def gained(figures: Redraw, ends: tuple[float, float]) -> Redraw:
        return replace(figures, gain=MeasuredEffect(sum(ends) / 2, Interval(*ends)))

    [card] = [card for card in result.cards if card.name == "Roach"]
    parts = tuple(
        FreshRedraws(policy, (gained(card.figures, ends),))
        for policy, ends in zip(("heuristic", "learned"), fresh, strict=False)
    )
    card = replace(card, figures=gained(card.figures, first))
    return replace(result, cards=(card,), fresh=parts, **more)


@pytest.mark.parametrize(
    ("first", "fresh", "answer"),
    [
        (
            (0.01, 0.05),
            [(0.02, 0.04), (-0.01, 0.03)],
            "Send back `Roach`: +3.0 points (2.0 to 4.0) played by rules of thumb, "
            "+1.0 points (-1.0 to 3.0) by the stronger player `learned 1`",
        ),
        (
            (0.01, 0.05),
            [(0.02, 0.04), (-0.04, -0.01)],
            "It is not clear whether to send back `Roach`: +3.0 points (2.0 to 4.0) "
            "played by rules of thumb, -2.5 points (-4.0 to -1.0) by the stronger "
            "player `learned 1`; in the games that chose it +3.0 points (1.0 to 5.0)",
        ),
        (
            (0.01, 0.05),
            [(-0.01, 0.03)],
            "It is not clear whether to send back `Roach`: +1.0 points (-1.0 to 3.0) "
            "played by rules of thumb; in the games that chose it +3.0 points (1.0 to "
            "5.0)",
        ),
        (
            (-0.01, 0.05),
            [(-0.01, 0.03)],
            "It is not clear whether to send back `Roach`: +1.0 points (-1.0 to 3.0) "
            "played by rules of thumb; about 1,700 games would make it clear",
        ),
        (
            (-0.01, 0.05),
            [(0.02, 0.04)],
            "Send back `Roach`: +3.0 points (2.0 to 4.0) played by rules of thumb",
        ),
        (
            (-0.05, -0.01),
            [(-0.04, -0.02)],
            "Send nothing back: even the best, `Roach`, loses: -3.0 points (-4.0 to "
            "-2.0) played by rules of thumb. 1 card should be kept, `Roach`: -3.0 "
            "points (-5.0 to -1.0) if it is sent back",
        ),
        (
            (0.01, 0.05),
            [],
            "The games that test the cards to send back were not played",
        ),
    ],
)
def test_the_answer_says_what_is_clear(
    result: RedrawsResult, first: Any, fresh: Any, answer: str
) -> None:
    assert with_gains(result, first, *fresh).answer == answer


@pytest.mark.parametrize(
    ("first", "fresh", "answer"),
    [
        (
            (-0.01, 0.05),
            (0.02, 0.04),
            "Send back `Roach` first: +3.0 points (2.0 to 4.0) played by rules of ",
        ),
        (
            (-0.01, 0.05),
            (-0.01, 0.03),
            "It is not clear whether to send back `Roach` first: +1.0 points (",
        ),
        (
            (-0.05, -0.01),
            (-0.03, 0.01),
            "Keep this hand: even the best, `Roach` first, loses: -3.0 points (-5.0",
        ),
    ],
)
def test_the_answer_for_a_hand(
    result: RedrawsResult,
    first: tuple[float, float],
    fresh: tuple[float, float],
    answer: str,
) -> None:
    """One card of ten is chosen: fresh games alone tell whether it is a gain."""
    told = with_gains(result, first, fresh, hand=("Roach",)).answer

    assert told.startswith(answer)
    assert ", compared with keeping the whole hand" in told


def test_a_report_has_all_of_it(result: RedrawsResult) -> None:
    report = redraws_report(result)
    gains, fresh = report.tables

    assert [row[0] for row in gains.rows] == [card.name for card in result.ranked]
    assert len(fresh.rows) == len(result.fresh[0].redraws) - 1
    assert report.answers == (f"{result.answer}.",)


def test_figures_are_those_of_the_sets() -> None:
    """Means over the games that dealt a card, which come in pairs or alone."""
    n = np.tile([2, 2, 1, 2, 2, 1], 50)
    k = np.tile([0, 2, 2, 4, 3, 0], 50)
    r = np.tile([2, 2, 1, 4, 4, 2], 50)
    columns = [n, k, r, n * n, n * k, n * r, k * k, k * r, r * r]
    moments = [len(n), 150, *(int(column.sum()) for column in columns)]
    figures = redraw_of("roach", moments, together=1)

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
    wider = redraw_of("roach", moments, together=20).gain.interval
    assert wider.high - wider.low > 1.5 * (high - low)
