"""The pool of Gwen't against what is known of it, and a game without factions."""

from __future__ import annotations

from collections import Counter

import pytest

from deckcheck import validate
from deckcheck.cards import CardDatabase, load_database
from deckcheck.decks import DeckText
from deckcheck.decks.rewriting import Converter
from deckcheck.formats import load_format


@pytest.fixture(scope="module")
def db() -> CardDatabase:
    return load_database("gwen_t")


def test_the_pool_has_36_cards_of_14_kinds(db: CardDatabase) -> None:
    """Statement 2.1."""
    kinds = Counter(card.kind for card in db.cards.values())
    copies = Counter[str]()
    for card in db.cards.values():
        copies.update({card.rows[0] if card.rows else "weather": card.copies})

    assert kinds == {"unit": 10, "weather": 4}
    assert copies == {"close": 11, "ranged": 9, "siege": 9, "weather": 7}


def test_one_card_acts_on_another_row_than_its_own(db: CardDatabase) -> None:
    """Statement 5.3."""
    elsewhere = [
        (card.id, ability.code, ability.row)
        for card in db.cards.values()
        for ability in card.abilities
        if ability.row is not None
    ]

    assert elsewhere == [("close_air_support_wing", "morale_boost", "close")]


def test_there_are_no_factions_and_no_leaders(db: CardDatabase) -> None:
    assert db.factions == {}
    assert db.leaders == {}
    assert {card.faction for card in db.cards.values()} == {None}


def test_the_format_wants_25_cards() -> None:
    """Statement 2.5; the number is a limit that a format may change."""
    fmt = load_format("gwen_t/pool")
    limits = {entry.name: dict(entry.settings) for entry in fmt.constraints}

    assert limits == {"cards": {"min": 25, "max": 25}, "copies": {}}


def test_a_format_may_want_another_number(tmp_path) -> None:
    small = tmp_path / "small.yaml"
    small.write_text(
        "title: Small decks\nextends: gwen_t/pool\n"
        "constraints:\n  cards: {min: 3, max: 3}\n",
        encoding="utf-8",
    )
    deck = tmp_path / "a.deck"
    deck.write_text("3 Rocket\n", encoding="utf-8")

    assert validate(str(deck), format=str(small)).legal
    assert not validate(str(deck), format="gwen_t/pool").legal


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("2 Rocket\nWinter\n", "gwen_t"),
        ("2 Grenadeer Division\n", "gwen_t"),
        ("Ves\n", "gwent"),
    ],
)
def test_a_deck_without_a_format_is_of_the_game_that_knows_its_cards(
    text: str, game: str
) -> None:
    converter = Converter()
    _, found, _ = converter.sheets(converter.read(DeckText("a.deck", text)))

    assert found.game.id == game
