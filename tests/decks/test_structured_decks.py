"""Decks as YAML and JSON."""

from __future__ import annotations

import json

import pytest

from deckcheck.decks import DeckText, RawDeck, parse_decks
from deckcheck.findings import Position, Span


def read(text: str, path: str = "a.yaml") -> list[RawDeck]:
    return parse_decks(DeckText(path, text))


def one(text: str, path: str = "a.yaml") -> RawDeck:
    decks = read(text, path)
    assert len(decks) == 1
    return decks[0]


def cards(deck: RawDeck) -> list[tuple[int, str]]:
    return [(entry.count, entry.name) for entry in deck.entries]


def names(deck: RawDeck) -> list[str]:
    return [finding.name for finding in deck.findings]


YAML = """\
name: Siege masters
format: gwent/advanced
faction: Northern Realms
leader: Foltest, The Siegemaster
cards:
  Blue Stripes Commando: 3
  "Gaunter O'Dimm: Darkness": 1
"""


def test_a_yaml_deck() -> None:
    deck = one(YAML)

    assert deck.headers["leader"][0].value == "Foltest, The Siegemaster"
    assert deck.headers["leader"][0].span.start == Position(4, 9)
    assert cards(deck) == [
        (3, "Blue Stripes Commando"),
        (1, "Gaunter O'Dimm: Darkness"),
    ]
    assert deck.entries[0].span == Span(Position(6, 3), Position(6, 24))
    assert deck.span.start == Position(1, 7)
    assert deck.findings == ()


def test_the_same_deck_as_json() -> None:
    content = {
        "name": "Siege masters",
        "cards": {"Blue Stripes Commando": 3, "Ballista": 2},
    }

    deck = one(json.dumps(content, indent=1), "a.json")

    assert deck.headers["name"][0].value == "Siege masters"
    assert cards(deck) == [(3, "Blue Stripes Commando"), (2, "Ballista")]


def test_cards_may_be_a_list_of_lines() -> None:
    deck = one("cards:\n- 3 Ballista\n- Catapult x2\n- Geralt of Rivia\n")

    assert cards(deck) == [(3, "Ballista"), (2, "Catapult"), (1, "Geralt of Rivia")]


def test_several_decks_share_the_headers_beside_them() -> None:
    decks = read(
        "format: gwent/standard\n"
        "decks:\n"
        "- {name: A, cards: {Ballista: 1}}\n"
        "- {name: B, format: gwent/advanced}\n"
    )

    assert [deck.headers["name"][0].value for deck in decks] == ["A", "B"]
    formats = [deck.headers["format"][0].value for deck in decks]
    assert formats == ["gwent/standard", "gwent/advanced"]
    assert [deck.source.index for deck in decks] == [0, 1]


def test_several_leaders_are_left_to_the_format() -> None:
    deck = one("leader: [Foltest, Eredin]\n")

    assert [header.value for header in deck.headers["leader"]] == ["Foltest", "Eredin"]


def test_numbers_are_text_in_headers() -> None:
    assert one("name: 2025\n").headers["name"][0].value == "2025"


@pytest.mark.parametrize(
    "count", ["0", "-3", "1.5", "2147483648", "two", "", "true", "'3x'"]
)
def test_an_impossible_count_is_reported_and_counts_nowhere(count: str) -> None:
    deck = one(f"cards:\n  Ballista: {count}\n")

    assert names(deck) == ["impossible-count"]
    assert deck.entries == ()
    assert deck.unread == 1


@pytest.mark.parametrize(
    "text",
    [
        "- Ballista\n",
        "just text\n",
        "42\n",
        "decks: Ballista\n",
        "decks: []\n",
        "decks:\n- Ballista\n",
        "cards: Ballista\n",
        "cards:\n  Units: {Ballista: 2}\n",
        "cards:\n- [Ballista]\n",
        "cards:\n- 3\n",
        "name: [A, B]\ncards: {Ballista: 1}\n",
    ],
)
def test_another_shape_is_reported(text: str) -> None:
    assert names(one(text)) == ["malformed-deck"]


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("cards:\n  Ballista: 1\n  Ballista: 2\n", "a.yaml", 3),
        ("cards: &x\n  Ballista: 1\n", "a.yml", 1),
        ("name: A\n cards:\n", "a.yaml", 2),
        ('{"name": "A",\n "name": "B"}', "a.json", 2),
        ('{"name": "A"', "a.json", 1),
        ("a: " + "[" * 5000, "a.yaml", 1),
        ("[" * 100_000, "a.json", 1),
    ],
)
def test_what_is_no_document_is_reported_at_its_line(
    text: str, path: str, line: int
) -> None:
    deck = one(text, path)

    assert names(deck) == ["malformed-document"]
    assert deck.findings[0].span.start.line == line


def test_unknown_keys_are_reported_at_the_key() -> None:
    deck = one("name: A\nsideboard: 15\ncards: {Ballista: 1}\n")

    assert names(deck) == ["unknown-header"]
    assert deck.findings[0].span == Span(Position(2, 1), Position(2, 10))


def test_a_key_without_a_value_is_reported() -> None:
    deck = one("leader:\ncards: {Ballista: 1}\n")

    assert names(deck) == ["empty-header"]
    assert deck.headers == {}


@pytest.mark.parametrize("text", ["", "# nothing\n", "{}\n"])
def test_an_empty_document_holds_no_deck(text: str) -> None:
    assert names(one(text)) == ["empty-deck"]
