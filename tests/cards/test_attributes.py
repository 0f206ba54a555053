"""Cards that are described by words instead of listed."""

from pathlib import Path

import pytest

from deckcheck.cards import CardDatabase, DatabaseError, load_database

GAME = """\
id: tiles
name: Tiles
edition: test
kinds: [tile]
unit_kinds: []
rows: []
abilities: [red, blue, north, east, south]
provenances: [described]
options:
  - {name: model, values: [by_number, by_value], statement: tiles 1}
attributes:
  - {name: size, minimum: 2, maximum: 12}
  - {name: colour, values: [red, blue], most: 1, nothing: grey}
  - {name: side, values: [north, east, south], most: 2, random: model}
"""


def write(root: Path, game: str) -> Path:
    (root / "tiles").mkdir()
    (root / "tiles" / "game.yaml").write_text(game, encoding="utf-8")
    return root


@pytest.fixture
def tiles(tmp_path: Path) -> CardDatabase:
    return load_database("tiles", write(tmp_path, GAME))


def wrong(db: CardDatabase, text: str) -> list[tuple[str, str]]:
    """The words that do not fit, each with what is said of it."""
    assert db.description is not None
    found = db.description.read(text)
    assert not isinstance(found, str)
    return [(text[each.start : each.end], each.message) for each in found]


def test_every_combination_is_a_card(tiles: CardDatabase) -> None:
    assert len(tiles.cards) == 11 * 3 * 7
    assert [card.number for card in tiles.cards.values()] == [*range(1, 232)]
    assert len({card.name for card in tiles.cards.values()}) == 231


def test_the_number_is_the_strength(tiles: CardDatabase) -> None:
    card = tiles.cards["size_12_red_north_south"]

    assert (card.strength, card.name) == (12, "12 red north south")
    assert tiles.cards["size_2"].name == "2 grey"
    assert tiles.cards["size_2_east"].name == "2 east"


def test_words_stand_in_any_order(tiles: CardDatabase) -> None:
    for text in (
        *("3 red north east", "east 3 NORTH red", "3, red, north, east"),
        *("size 3 colour red sides north east", "size_3_red_north_east"),
        "03 r\u00e9d north/east",
    ):
        assert tiles.find_card(text).id == "size_3_red_north_east", text


def test_every_name_and_id_leads_to_its_card(tiles: CardDatabase) -> None:
    for card in tiles.cards.values():
        assert tiles.find_card(card.name).id == card.id
        assert tiles.find_card(card.id).id == card.id


def test_the_word_that_does_not_fit_is_named(tiles: CardDatabase) -> None:
    colours = "at most 1 colour allowed"
    for text, word, message in (
        ("1 red", "1", "Size `1`, 2 to 12 allowed"),
        ("13", "13", "Size `13`, 2 to 12 allowed"),
        ("-3", "-3", "Size `-3`, 2 to 12 allowed"),
        ("2.5 red", "2.5", "Size `2.5`, 2 to 12 allowed"),
        ("9" * 5000, "9" * 5000, f"Size `{'9' * 27}...`, 2 to 12 allowed"),
        ("red", "red", "`red` has no size"),
        ("3 4 red", "4", "`3 4 red` has 2 sizes, 1 allowed"),
        ("3 red blue", "blue", f"`3 red blue` has `red` and `blue`, {colours}"),
        ("3 grey blue", "blue", f"`3 grey blue` has `grey` and `blue`, {colours}"),
        ("3 east east", "east", "`3 east east` has `east` twice"),
        (
            *("3 east north south", "south"),
            "`3 east north south` has `east` and `north` and `south`, "
            "at most 2 sides allowed",
        ),
        ("3 rde", "rde", "Unknown word `rde` in `3 rde`"),
    ):
        assert wrong(tiles, text) == [(word, message)]
    # All that is wrong is said at once.
    words = [word for word, _ in wrong(tiles, "1 green east east")]
    assert words == ["1", "green", "east"]


def test_a_misspelt_word_is_suggested_as_a_whole_card(tiles: CardDatabase) -> None:
    assert tiles.find_card("3 rde nroth").suggestions == ("3 red north",)
    assert tiles.find_card("1 rde").suggestions == ()
    assert tiles.find_card("3 xyzzy").suggestions == ()


NONSENSE = (
    ("maximum: 12", "maximum: 1", "an attribute has either"),
    ("most: 1, nothing", "most: 3, nothing", "an attribute has either"),
    ("maximum: 12", "maximum: 12, most: 1", "an attribute has either"),
    ("nothing: grey", "nothing: east", "`east` is given twice"),
    ("[red, blue]", "[red, red]", "`red` is given twice"),
    ("north, east, south]\nprov", "east, south]\nprov", "`north` is not an ability"),
    ("random: model", "random: modle", "unknown option `modle`"),
    ("maximum: 12", "maximum: 9999", "more than 5,000 different cards"),
    ("kinds: [tile]", "kinds: []", "cards need a kind and a provenance"),
    (
        "attributes:\n",
        "attributes:\n  - {name: weight, minimum: 1, maximum: 2}\n",
        "only one attribute can be a number",
    ),
)


def test_attributes_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    for number, (old, new, message) in enumerate(NONSENSE):
        assert old in GAME
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(DatabaseError, match=message):
            load_database("tiles", write(folder, GAME.replace(old, new)))
