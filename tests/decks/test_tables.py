"""CSV decks."""

from __future__ import annotations

import pytest

from deckcheck.decks import DeckText, RawDeck, parse_decks
from deckcheck.findings import Position


def parsed(text: str) -> list[RawDeck]:
    return parse_decks(DeckText("list.csv", text))


def test_a_table_of_counts_and_cards() -> None:
    [deck] = parsed("count,card\n2,Ballista\n1,Geralt of Rivia\n")

    assert [(e.count, e.name) for e in deck.entries] == [
        (2, "Ballista"),
        (1, "Geralt of Rivia"),
    ]
    assert deck.entries[0].span.start == Position(2, 3)
    assert deck.findings == ()


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_what_parts_the_values(mark: str) -> None:
    [deck] = parsed(f"card{mark}count\r\nBallista{mark}2\r\n")

    assert [(e.count, e.name) for e in deck.entries] == [(2, "Ballista")]


def test_cards_without_counts_are_one_each() -> None:
    assert [e.count for e in parsed("card\nBallista\n")[0].entries] == [1]


def test_headers_stand_in_columns() -> None:
    [deck] = parsed('Card,Leader\nBallista,"Foltest, The Siegemaster"\n')

    assert deck.headers["leader"][0].value == "Foltest, The Siegemaster"


@pytest.mark.parametrize("column", ["deck", "name"])
def test_several_decks(column: str) -> None:
    decks = parsed(f"{column},card\nA,Ballista\nB,Catapult\nA,Thaler\n")

    assert [[e.name for e in deck.entries] for deck in decks] == [
        ["Ballista", "Thaler"],
        ["Catapult"],
    ]
    assert [deck.source.index for deck in decks] == [0, 1]


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        ("", "empty-deck", (1, 1)),
        ("card,count\n", "empty-deck", (1, 1)),
        (";\n", "empty-deck", (1, 1)),
        ("a,b\n1,2\n", "malformed-deck", (1, 1)),
        ("count,card\n0,Ballista\n", "impossible-count", (2, 1)),
        ("count,card\n,Ballista\n", "impossible-count", (2, 1)),
        ("count,card\n2,\n", "malformed-deck", (2, 1)),
        ("card,colour\nBallista,blue\n", "unknown-header", (1, 6)),
        ("card,leader\nX,A\nY,B\n", "duplicate-header", (3, 3)),
        ("card\n" + "x" * 200_000 + "\n", "malformed-document", (1, 1)),
    ],
)
def test_findings(text: str, name: str, place: tuple[int, int]) -> None:
    [finding] = parsed(text)[0].findings

    assert finding.name == name
    assert finding.span.start == Position(*place)


def test_a_row_cut_short_lacks_its_card() -> None:
    [deck] = parsed("count,card\n2\n")

    assert [f.name for f in deck.findings] == ["malformed-deck"]
    assert deck.unread == 1


def test_what_is_guarded_against_spreadsheets_is_read_as_it_was() -> None:
    [deck] = parsed("name,count,card\n'=1+1,-2,'@Ballista\n'=1+1,1,'tis\n")

    assert deck.headers["name"][0].value == "=1+1"
    assert [entry.name for entry in deck.entries] == ["'tis"]
    assert [finding.name for finding in deck.findings] == ["impossible-count"]
