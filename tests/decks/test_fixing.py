"""Safe repairs of text decks."""

from __future__ import annotations

import pytest

from deckcheck.decks import DeckText
from deckcheck.decks.rewriting import Converter, fix_text


def fixed(text: str) -> str:
    converter = Converter()
    raws = converter.read(DeckText("x.deck", text))
    return fix_text(text, raws, converter.database("gwent"))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("2 Ballsta  # two\n", "2 Ballista  # two\n"),
        ("Leader: Foltest, The Siegemastre\nThaler\n", None),
        ("Faction: Skelige\nOlaf\n", "Faction: Skellige\nOlaf\n"),
        ("thaler\nLeader: Siegemaster\n", "Leader: Siegemaster\nthaler\n"),
        ("Decoy\r\nName: A\r\nThaler", "Name: A\r\nDecoy\r\nThaler"),
        ("Decoy\nThaler\nDecoy x2\n", "3 Decoy\nThaler\n"),
        ("Ballsta\nThaler\n2 Ballista\n", "3 Ballista\nThaler\n"),
        ("**My list**\r\nThaler\nDecoy\n", "Name: My list\r\nThaler\nDecoy\n"),
        ("> My list\nThaler\nDecoy\n", "Name: My list\nThaler\nDecoy\n"),
        ("== My list == # x\nThaler\nDecoy\n", "Name: My list # x\nThaler\nDecoy\n"),
        ("__My list__\nThaler\nDecoy\n", "Name: My list\nThaler\nDecoy\n"),
        ("# a\n\nDecoy\n---\nDecoy\nDecoy", "# a\n\nDecoy\n---\n2 Decoy\n"),
    ],
)
def test_repairs(text: str, after: str | None) -> None:
    expected = after or text.replace("Siegemastre", "Siegemaster")

    assert fixed(text) == expected
    assert fixed(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "zzzz\n",
        "Commando\n",
        "Leader: Foltest\nThaler\n",
        "Decoy # one\nDecoy # two\n",
        "Name: A\nThaler\nName: B\nDecoy\n",
        "999 Decoy\n1 Decoy\n",
        "0 Decoy\n3 Decoy x2\n- Thaler\n",
        "Lider: Foltest\nThaler\n",
        "",
    ],
)
def test_what_is_not_sure_stays(text: str) -> None:
    assert fixed(text) == text
