"""Card databases: loaded, translated and queried."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from helpers.changes import single_changes
from hypothesis import given, settings
from hypothesis import strategies as st

from deckcheck.cards import (
    Card,
    CardDatabase,
    DatabaseError,
    GameOption,
    game_ids,
    load_database,
)
from deckcheck.cards.models import GameRecord, LeaderRecord
from deckcheck.cards.searching import (
    find_cards,
    find_leaders,
    find_records,
    make_card_filter,
)
from deckcheck.documents.readers import read_yaml
from deckcheck.findings import UsageError
from deckcheck.formats import FormatError, load_format

# The database as a whole: fingerprint, cache, records.

Tiny = Callable[..., Path]


def test_digest_ignores_comments_and_order_of_keys(
    tiny: Tiny, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tiny()
    before = load_database("tiny", root)
    file = root / "tiny" / "cards.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text("# a comment\n" + text, encoding="utf-8")
    copy = root.rename(tmp_path_factory.mktemp("copy") / "db")

    assert load_database("tiny", copy).fingerprint == before.fingerprint
    assert len(before.fingerprint) == 12


@pytest.mark.parametrize("id", game_ids())
def test_whatever_changes_in_the_data_changes_the_fingerprint(id: str) -> None:
    """Each field of cards, of leaders and of the game, but those about input."""
    database = load_database(id)
    game, cards, leaders = database.game, database.cards, database.leaders

    def fingerprint(
        game: GameRecord, cards: list[Card], leaders: list[LeaderRecord]
    ) -> str:
        named = ({record.id: record for record in some} for some in (cards, leaders))
        return CardDatabase(game, *named, database.root, database.sources).full_digest

    counted = {field.name for field in fields(game) if field.compare}
    for at, new in single_changes(game):
        is_other = fingerprint(new, [], []) != fingerprint(game, [], [])
        assert is_other == (at[0] in counted), at
    for card in [*cards.values()][::25]:
        before = fingerprint(game, [card], [])
        assert not [
            a for a, c in single_changes(card) if fingerprint(game, [c], []) == before
        ]
    for leader in [*leaders.values()][::5]:
        before = fingerprint(game, [], [leader])
        others = single_changes(leader)
        assert not [at for at, new in others if fingerprint(game, [], [new]) == before]


def test_a_game_has_nothing_of_which_it_says_nothing(tiny: Tiny) -> None:
    game = load_database("tiny", tiny()).game

    said = (game.reserves, game.replaceable, game.attributes, game.single, game.bounds)
    assert not any(said)
    assert {id: load_database(id).game.reserves for id in game_ids()} == {
        **dict.fromkeys(game_ids(), False),
        "sg_gwint": True,
    }


def test_options_keep_numbers_and_switches_apart() -> None:
    number = GameOption(name="gems", minimum=0, maximum=5, statement="tiny 1")
    switch = GameOption(name="summons", values=(False, True), statement="tiny 1")

    assert all(map(number.allows, (0, 5)))
    assert not any(map(number.allows, (6, True, "2")))
    assert all(map(switch.allows, (True, False)))
    assert not any(map(switch.allows, (1, "true")))
    assert number.describe() == "0 to 5"
    assert switch.describe() == "`false` or `true`"


# Whatever the files of a database hold, nothing but a DatabaseError comes out.

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "unit", ""]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "muster", "target"]), inner, max_size=2)
    ),
    max_leaves=3,
)
GAME = """\
{id: g, name: G, edition: e, factions: [{id: a, name: A}], neutral: a, kinds: [unit],
unit_kinds: [unit], rows: [a], abilities: [muster], provenances: [a],
parameters: [{ability: muster, may: [target]}],
options: [{name: gems, minimum: 1, maximum: 3, statement: g 1}]}
"""
CARD = """\
{id: a, number: 1, name: A, faction: a, kind: unit, rows: [a], strength: 1,
abilities: [muster: {target: a}], copies: 1, provenance: a}
"""
FORMAT = """\
{title: F, snapshot: 2025-10, options: {gems: 1}, constraints: {a: {rule: count,
kinds: [unit], min: 1, max: 2, statement: g 1}}}
"""
FIELDS = [*read_yaml(CARD).data, "aliases", "deckable", "colour"]  # type: ignore[misc]
folders = count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any")


def write(folder: Path, cards: object, format: object) -> Path:
    root = folder / str(next(folders))
    (root / "g" / "formats").mkdir(parents=True)
    (root / "g" / "game.yaml").write_text(GAME, encoding="utf-8")
    (root / "g" / "leaders.yaml").write_text("[]", encoding="utf-8")
    (root / "g" / "cards.yaml").write_text(json.dumps(cards), encoding="utf-8")
    file = root / "g" / "formats" / "f.yaml"
    file.write_text(json.dumps(format), encoding="utf-8")
    return root


def data(text: str) -> dict[str, object]:
    result = read_yaml(text).data
    assert isinstance(result, dict)
    return result


def test_the_samples_are_sound(folder: Path) -> None:
    root = write(folder, [data(CARD)], data(FORMAT))

    assert load_format("g/f", root).options == {"gems": 1}


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=2), VALUES)
def test_cards(folder: Path, changes: dict[str, object], other: object) -> None:
    root = write(folder, [{**data(CARD), **changes}, other], data(FORMAT))

    with pytest.raises(DatabaseError):
        load_database("g", root)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["title", "snapshot", "options", "extends", "constraints"]),
        VALUES | st.dictionaries(st.just("a"), VALUES, min_size=1),
        min_size=1,
        max_size=2,
    )
)
def test_formats(folder: Path, changes: dict[str, object]) -> None:
    root = write(folder, [data(CARD)], {**data(FORMAT), **changes})

    with suppress(FormatError):
        assert load_format("g/f", root).id == "g/f"


# Choosing cards by what is printed on them.

DB = load_database("gwent")


def chosen(**words: Any) -> set[str]:
    wanted = make_card_filter(DB, **words)
    return {card.id for card in DB.cards.values() if wanted.matches(card)}


def test_no_filter_keeps_every_card() -> None:
    assert chosen() == set(DB.cards)


def test_words_of_filters() -> None:
    expected = {c.id for c in DB.cards.values() if c.faction == "nilfgaard"}
    for word in ("nilfgaard", "NG", "Nilfgaardian Empire"):
        assert chosen(factions=[word]) == expected, word
    # Words of one filter add up, and filters cut.
    both = chosen(kinds=["special", "weather"])
    assert both == chosen(kinds=["special"]) | chosen(kinds=["weather"])
    spies, realms = chosen(abilities=["spy"]), chosen(factions=["NR"])
    assert chosen(abilities=["spy"], factions=["NR"]) == spies & realms
    assert chosen(abilities=["Tight Bond"]) == chosen(abilities=["tight_bond"])


def test_ranges_include_their_ends() -> None:
    for text, low, high in (
        *(("5", 5, 5), ("5..10", 5, 10), ("5..", 5, 99), ("..4", 0, 4)),
        (" 1 .. 2 ", 1, 2),
    ):
        expected = {
            card.id
            for card in DB.cards.values()
            if card.strength is not None and low <= card.strength <= high
        }
        assert chosen(strength=text) == expected != set(), text


def test_unknown_words_are_misuse() -> None:
    for key, word, help in (
        ("factions", "nilfgard", "Did you mean `Nilfgaard`?"),
        ("rows", "clos", "Did you mean `close`?"),
        ("abilities", "spi", "Did you mean `spy`?"),
        (*("kinds", "zzz"), "Known: `unit`, `hero`, `special`, `weather` and `leader`"),
    ):
        words: Any = {key: [word]}
        with pytest.raises(UsageError) as caught:
            make_card_filter(DB, **words)
        assert caught.value.message.endswith(f" `{word}`"), word
        assert caught.value.help == help, word
    for text in ("", "..", "five", "3 4", "-1", "1..2..3", "99999", "9..3"):
        with pytest.raises(UsageError, match="strength"):
            make_card_filter(DB, strength=text)
    with pytest.raises(UsageError) as caught:
        make_card_filter(load_database("gwen_t"), factions=["monsters"])
    assert caught.value.help == "Gwen't has no factions"


def test_a_whole_name_wins_over_parts() -> None:
    assert [card.id for card in find_cards(DB, "decoy")] == ["decoy"]
    assert len(find_cards(DB, "crone")) == 3
    assert len(find_leaders(DB, "foltest")) == 5
    assert find_cards(DB, "--") == []


def test_names_of_cards_and_leaders() -> None:
    [card], leaders = find_records(DB, "Kambi")
    assert card.id == "kambi"
    assert leaders == []

    matching_cards, [leader] = find_records(DB, "the siegemaster")
    assert (matching_cards, leader.id) == ([], "foltest_the_siegemaster")

    assert [x.name for x in find_records(DB, "foltest")[1]] == ["Foltest"] * 5


def test_an_unknown_name_is_misuse() -> None:
    with pytest.raises(UsageError, match="Unknown card or leader `trebuchett`"):
        find_records(DB, "trebuchett")


# Names in other languages, looked at when no English name fits.

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


TRANSLATED = {
    "Assediante Kaedweniano": "kaedweni_siege_expert",
    "morsa del gelo": "biting_frost",
    "Misérable Fantassin": "poor_fucking_infantry",
    "KLIRRENDE KALTE": "biting_frost",
    "pozoga": "scorch",
    "Balista": "ballista",
    "Návnada": "decoy",
    "Incinerar": "scorch",
    "казнь": "scorch",
}


def test_names_in_other_languages(db: CardDatabase) -> None:
    assert {text: db.find_card(text).id for text in TRANSLATED} == TRANSLATED
    for text in ("Foltest, L'Espugnatore", "Zdobywca", "Der Belagerer"):
        assert db.find_leader(text).id == "foltest_the_siegemaster", text
    found = db.find_leader("Фольтест")
    assert (found.id, len(found.candidates)) == (None, 5)
    for text in ("Mostri", "Monstres", "Monster", "potwory", "Чудовища"):
        assert db.find_faction(text).id == "monsters", text
    # A misspelt name gets the name of its language.
    assert db.find_card("Soldato Malconco").suggestions == ("Soldato Malconcio",)


def test_every_translated_name_leads_to_its_record(db: CardDatabase) -> None:
    files = [*(db.root / "gwent" / "names").glob("*.yaml")]
    assert files
    for file in files:
        content = data(file.read_text(encoding="utf-8"))
        for section, find in (("cards", db.find_card), ("leaders", db.find_leader)):
            translated: Any = content.get(section, {})
            for id, names in translated.items():
                for name in [names] if isinstance(names, str) else names:
                    assert id in find(name).ids, (file.stem, name)


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
