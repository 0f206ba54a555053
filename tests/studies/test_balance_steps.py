"""Changes of single cards within bounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import deckcheck
from deckcheck.formats import database_of, load_format
from deckcheck.rules import judge
from deckcheck.studies.balance.targets import (
    StrengthStep,
    between,
    changed_cards,
    deck_within,
    in_order,
    measured,
    steps_of,
)

ROOT = Path(__file__).parents[2]
FORMAT = load_format("gwent/standard")
DATABASE = database_of(FORMAT)
DECOY, CATAPULT = DATABASE.cards["decoy"], DATABASE.cards["catapult"]


def test_steps_stay_within_the_bounds() -> None:
    found = steps_of(CATAPULT, 2, None, limits=True)

    assert CATAPULT.strength == 8
    assert [s.by for s in found if s.what == "strength"] == [-2, -1, 1, 2]
    fewer = [s.by for s in found if s.what == "copies"]
    assert fewer == [1 - n for n in range(CATAPULT.copies, 1, -1)]
    assert steps_of(DECOY, 2, None, limits=False) == []
    assert {s.by for s in steps_of(CATAPULT, 9, 9, limits=False)} == {*range(-7, 0), 1}


def test_a_limit_falls_to_one_copy_and_no_further() -> None:
    found = steps_of(replace(CATAPULT, copies=2), 0, None, limits=True)

    assert [(s.what, s.by) for s in found] == [("copies", -1)]
    assert steps_of(replace(CATAPULT, copies=1), 0, None, limits=True) == []


def test_few_steps_in_each_direction_are_played() -> None:
    found = measured(steps_of(CATAPULT, 7, None, limits=False))
    assert [step.by for step in found] == [-2, -5, -7, 2, 5, 7]
    assert [s.by for s in measured(steps_of(CATAPULT, 1, None, limits=False))] == [
        -1,
        1,
    ]


def test_what_lies_between_is_in_proportion() -> None:
    known = {-4: -8.0, -2: -2.0, 3: 6.0}

    assert [between(by, known) for by in (-4, -3, -2, -1, 1, 3)] == [
        -8,
        -5,
        -2,
        -1,
        2,
        6,
    ]
    with pytest.raises(ValueError, match="5 lies outside"):
        between(5, known)


def test_cards_are_changed_and_nothing_else() -> None:
    steps = (
        StrengthStep("catapult", "strength", -3),
        StrengthStep("catapult", "copies", -1),
    )
    found = changed_cards(DATABASE, steps)

    assert found.cards["catapult"].strength == 5
    assert found.cards["catapult"].copies == CATAPULT.copies - 1
    assert list(found.cards) == list(DATABASE.cards)
    unlike = [id for id in found.cards if found.cards[id] != DATABASE.cards[id]]
    assert unlike == ["catapult"]
    assert changed_cards(DATABASE, ()) is DATABASE


def test_a_deck_gets_a_legal_card_for_each_copy_too_many() -> None:
    [deck] = deckcheck.read(ROOT / "decks/gwent/standard/nr_siege_masters.deck")
    step = StrengthStep("catapult", "copies", 1 - CATAPULT.copies)
    database = changed_cards(DATABASE, (step,))
    found = deck_within(deck, FORMAT, database, ["catapult"])

    assert deck.counts()["catapult"] > 1
    assert found is not None
    assert found.counts()["catapult"] == 1
    assert sum(found.counts().values()) == sum(deck.counts().values())
    assert judge(deck, FORMAT, database)
    assert not judge(found, FORMAT, database)
    assert deck_within(deck, FORMAT, DATABASE, ["catapult"]) is deck


def test_steps_are_in_the_order_of_the_cards() -> None:
    steps = [
        StrengthStep("b", "strength", 1),
        StrengthStep("a", "strength", 2),
        StrengthStep("a", "copies", -1),
    ]
    assert [s.by for s in in_order(steps, ["a", "b"])] == [-1, 2, 1]
