"""The error of the bot that stands beside the results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deckcheck import parse, read
from deckcheck.decks import Deck
from deckcheck.decks.codes import ShareCode, encode
from deckcheck.formats import database_of, load_format
from deckcheck.policies.registry import policy_label
from deckcheck.sim.bot_errors import (
    KNOWN_DECKS,
    BotErrorFigure,
    compare_with_known_decks,
    find_bot_error,
)

LEARNED, HEURISTIC = policy_label("learned"), policy_label("heuristic")
GAIN, WIN_RATE = BotErrorFigure.GAIN, BotErrorFigure.WIN_RATE
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
        (("gwent", "duel", LEARNED, 1.0, GAIN), "tuned decks"),
        (("gwent", "duel", LEARNED, 1.0, WIN_RATE), "built decks"),
        (("gwent", "duel", HEURISTIC, 1.0, GAIN), "decks like the sample decks"),
        (("sg_gwint", "duel", LEARNED, None, GAIN), "sample decks"),
        (("gwent", "solo", HEURISTIC, 1.0), "sample decks"),
        (("gwent", "duel", "search-2:64", 1.0), None),
        (("gwent", "duel", LEARNED, None), None),
        (("gwen_t", "duel", HEURISTIC, None), None),
    ],
)
def test_the_error_is_that_of_bot_game_figure_and_decks(
    question: Any, decks: str | None
) -> None:
    error = find_bot_error(*question)
    assert (None if error is None else error.decks) == decks
