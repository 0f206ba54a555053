"""The error of the bot that stands beside the results."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deckcheck import parse, read
from deckcheck.decks import Deck
from deckcheck.decks.codes import ShareCode, encode
from deckcheck.formats import database_of, load_format
from deckcheck.policies.registry import policy_label
from deckcheck.sim.bot_errors import (
    FACTION_COUNT,
    KNOWN_DECKS,
    WIN_RATE_ERRORS,
    BotError,
    BotErrorFigure,
    compare_with_known_decks,
    find_bot_error,
    find_gain_error,
    find_win_rate_error,
)
from deckcheck.sim.gathering import load_reference_field
from deckcheck.stats import Interval

GAINS = 0.05, 0.1
LEARNED, HEURISTIC = policy_label("learned"), policy_label("heuristic")
DATABASE = database_of(load_format("gwent/standard"))
BUILT = [
    *read(Path("decks/gwent/standard")),
    *read(Path("decks/gwent/advanced"), Path("decks/gwent/tournament")),
]


def encode_cards(deck: Deck) -> str:
    cards = {DATABASE.cards[id].number: n for id, n in deck.counts().items()}
    return encode(ShareCode("gwent", DATABASE.leaders[deck.leader].number, cards))


def test_known_decks_are_the_decks_of_the_repository() -> None:
    codes = dict.fromkeys(map(encode_cards, BUILT))
    assert KNOWN_DECKS.read_text("ascii").split() == list(codes)


def test_the_deck_least_like_a_known_deck_decides() -> None:
    half = parse(
        "format: gwent/standard\nfaction: monsters\nleader: eredin_bringer_of_death\n"
        "1 Ghoul\n1 Toad\n"
    )
    known = BUILT[0]
    shares = [
        compare_with_known_decks(decks, DATABASE)
        for decks in ([known], [half], [known, half])
    ]
    assert shares == [1, 0.5, 0.5]


@pytest.mark.parametrize(
    ("question", "decks"),
    [
        (("gwent", "duel", LEARNED, 0.6), "decks like the sample decks"),
        (("gwent", "duel", LEARNED, 0.59), "decks unlike the sample decks"),
        (("gwent", "duel", HEURISTIC, 1.0), "decks like the sample decks"),
        (("sg_gwint", "duel", LEARNED, None), "sample decks"),
        (("gwent", "solo", HEURISTIC, 1.0), "sample decks"),
        (("gwent", "duel", "search-2:64", 1.0), None),
        (("gwent", "duel", LEARNED, None), None),
        (("gwen_t", "duel", HEURISTIC, None), None),
    ],
)
def test_the_error_is_that_of_bot_game_and_decks(
    question: Any, decks: str | None
) -> None:
    error = find_bot_error(*question)
    assert (None if error is None else error.decks) == decks


def test_the_error_of_a_gain_grows_with_the_gain() -> None:
    small, large = (find_gain_error("gwent", "duel", LEARNED, gain) for gain in GAINS)
    assert small is not None
    assert large is not None
    assert 2 * small.points == pytest.approx(large.points)
    assert 0 < large.low < large.points < large.high < 100 * GAINS[1]
    assert find_gain_error("gwent", "table", LEARNED, 0.1) is None
    assert find_gain_error("sg_gwint", "duel", LEARNED, 0.1) is None
    assert find_gain_error("gwent", "duel", HEURISTIC, 0.1) is None


def test_the_error_of_a_win_rate_is_larger_against_few_factions() -> None:
    for bot, play in ((HEURISTIC, "duel"), (LEARNED, "table")):
        assert find_win_rate_error("gwent", play, bot, [1.0]) is None
    errors = []
    for shares in ([0.2] * 5, [0.9, 0.1], [1.0]):
        error = find_win_rate_error("gwent", "duel", LEARNED, shares)
        assert error is not None
        assert error.low < error.points < error.high
        errors.append(error.points)
    points, *_, spread = WIN_RATE_ERRORS["gwent", "duel", LEARNED]
    assert errors[0] == points
    # Against one faction the spread of a mean of five is that of one.
    square = (errors[2] ** 2 - errors[0] ** 2) / (1 - 1 / 5)
    assert square**0.5 == pytest.approx(spread)
    assert errors == sorted(errors)


def test_the_reference_field_has_every_faction_as_often() -> None:
    field = load_reference_field(load_format("gwent/standard"))
    factions = Counter(report.deck.faction for report in field.decks)
    assert len(factions) == FACTION_COUNT
    assert len(set(factions.values())) == 1


@pytest.mark.parametrize(
    ("figure", "value", "ends"),
    [
        (BotErrorFigure.WIN_RATE, 0.99, (0.8922, 1.0)),
        (BotErrorFigure.WIN_RATE, 0.01, (0.0, 0.1078)),
        (BotErrorFigure.GAIN, 0.01, (-0.0878, 0.1078)),
    ],
)
def test_no_rate_leaves_its_range(
    figure: BotErrorFigure, value: float, ends: tuple[float, float]
) -> None:
    error = BotError(5.0, 4.0, 6.0, "built decks", figure)
    widened = error.widen(value, Interval(value - 0.002, value + 0.002))
    assert widened == pytest.approx(ends, abs=1e-3)
