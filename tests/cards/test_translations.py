"""Names in other languages, looked at when no English name fits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import CardDatabase, DatabaseError, load_database

Translated = Callable[..., CardDatabase]


@pytest.fixture(scope="module")
def db() -> CardDatabase:
    return load_database("gwent")


@pytest.fixture
def translated(tiny: Callable[..., Path]) -> Translated:
    """The tiny game with names in some languages, by the names of their files."""

    def load(**languages: str) -> CardDatabase:
        root = tiny()
        (root / "tiny" / "names").mkdir()
        for code, text in languages.items():
            file = root / "tiny" / "names" / f"{code}.yaml"
            file.write_text(f"language: {code}\n{text}\n", encoding="utf-8")
        return load_database("tiny", root)

    return load


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("Assediante Kaedweniano", "kaedweni_siege_expert"),
        ("morsa del gelo", "biting_frost"),
        ("Misérable Fantassin", "poor_fucking_infantry"),
        ("KLIRRENDE KALTE", "biting_frost"),
        ("pozoga", "scorch"),
        ("Balista", "ballista"),
        ("Návnada", "decoy"),
        ("Incinerar", "scorch"),
        ("казнь", "scorch"),
    ],
)
def test_cards(db: CardDatabase, text: str, id: str) -> None:
    assert db.find_card(text).id == id


@pytest.mark.parametrize(
    "text", ["Foltest, L'Espugnatore", "Zdobywca", "Der Belagerer"]
)
def test_leaders_by_name_and_title_or_title(db: CardDatabase, text: str) -> None:
    assert db.find_leader(text).id == "foltest_the_siegemaster"


def test_the_name_of_several_leaders_is_ambiguous(db: CardDatabase) -> None:
    found = db.find_leader("Фольтест")

    assert found.id is None
    assert len(found.candidates) == 5


@pytest.mark.parametrize(
    "text", ["Mostri", "Monstres", "Monster", "potwory", "Чудовища"]
)
def test_factions(db: CardDatabase, text: str) -> None:
    assert db.find_faction(text).id == "monsters"


def test_a_misspelt_name_gets_the_name_of_its_language(db: CardDatabase) -> None:
    assert db.find_card("Soldato Malconco").suggestions == ("Soldato Malconcio",)


def test_a_name_of_two_cards_in_two_languages_is_ambiguous(
    translated: Translated,
) -> None:
    db = translated(it="cards: {archer: Corno}", es="cards: {horn: Corno}")

    assert sorted(db.find_card("corno").candidates) == ["archer", "horn"]


@pytest.mark.parametrize(
    ("text", "defect"),
    [
        ("cards: {archr: Arciere}", ": unknown id `archr`"),
        ("cards: {archer: '?'}", "`?` has no letters or digits"),
        ("cards: {archer: Corno, horn: Corno}", "`Corno` is also a name of `archer`"),
        ("cards: {archer: War Horn}", "`War Horn` is English for `horn`"),
        ("cards: {archer: archer}", "`archer` is the English name already"),
        ("units: {}", "unknown key `units`"),
        ("cards: [", "it.yaml:3:1"),
    ],
)
def test_defects(translated: Translated, text: str, defect: str) -> None:
    db = translated(it=text)

    with pytest.raises(DatabaseError) as caught:
        db.find_card("Arciere")
    head, line = caught.value.message.splitlines()
    assert head == "names of `tiny` has 1 defect"
    assert defect in line
    assert "db/tiny/names/it.yaml:" in line


def test_english_names_ask_for_no_other_language(translated: Translated) -> None:
    db = translated(it="broken: [")

    assert db.find_card("Archer").id == "archer"


def test_the_plain_german_word_finds_the_catapult() -> None:
    assert load_database("gwent").find_card("Katapult").id == "catapult"
