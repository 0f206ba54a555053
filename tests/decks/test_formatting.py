"""The canonical text deck."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from deckcheck.decks import DeckText
from deckcheck.decks.lines import read_comments
from deckcheck.decks.model import Sheet
from deckcheck.decks.rewriting import Converter, format_text, is_broken

ROOT = Path(__file__).parents[2]


def read(text: str) -> tuple[list[Sheet], bool]:
    converter = Converter("gwent")
    sheets, _, findings = converter.sheets(converter.read(DeckText("x.deck", text)))
    return sheets, is_broken(findings)


def formatted(text: str) -> str:
    converter = Converter()
    raws = converter.read(DeckText("x.deck", text))
    _, db, findings = converter.sheets(raws)
    assert not is_broken(findings), findings
    return format_text(text, raws, db)


def sound_decks() -> list[Path]:
    found = sorted((ROOT / "decks" / "gwent").glob("*/*.deck"))
    return [
        deck
        for deck in found
        if b"\0" not in deck.read_bytes()
        and not read(deck.read_text(encoding="utf-8", errors="replace"))[1]
    ]


@pytest.mark.parametrize("deck", sound_decks(), ids=lambda deck: deck.stem)
def test_sample_decks(deck: Path) -> None:
    text = deck.read_text(encoding="utf-8")
    once = formatted(text)

    assert formatted(once) == once
    assert read(once) == read(text)
    assert Counter(c.text.strip() for c in read_comments(once)) == Counter(
        c.text.strip() for c in read_comments(text)
    )


def test_headers_sections_names_and_order() -> None:
    text = "LEADER: siegemaster\nscorch\n2 BALLISTA\n\nGeralt x1\nname:  A\nThaler\n"

    assert formatted(text) == (
        "Name: A\n"
        "Leader: Foltest, The Siegemaster\n"
        "\n"
        "Units:\n"
        "2 Ballista\n"
        "Thaler\n"
        "\n"
        "Heroes:\n"
        "Geralt of Rivia\n"
        "\n"
        "Specials:\n"
        "Scorch\n"
    )


def test_comments_stay_where_they_belong() -> None:
    text = (
        "# top\r\nLeader: Siegemaster # mine\r\n# engines\r\nTrebuchet // two\r\n"
        "// best\r\nBallista\r\n# end \uff01\r\n"
    )

    assert formatted(text) == (
        "# top\nLeader: Foltest, The Siegemaster  # mine\n\nUnits:\n"
        "// best\nBallista\n# engines\nTrebuchet  // two\n\n# end \uff01\n"
    )


def test_lines_of_one_card_are_merged_unless_each_has_a_comment() -> None:
    text = (
        "Name: A\nThaler\nBallista\n# why\n2 Ballista # b\n"
        "Trebuchet # c\nTrebuchet # d\n"
    )

    assert formatted(text) == (
        "Name: A\n\nUnits:\n# why\n3 Ballista  # b\nThaler\n"
        "Trebuchet  # c\nTrebuchet  # d\n"
    )


def test_several_decks_keep_their_comments() -> None:
    text = "# a\nName: A\nThaler\n# of A\n---\n# of B\nName: B\nDecoy\n# end\n"

    assert formatted(text) == (
        "# a\nName: A\n\nUnits:\nThaler\n\n# of A\n\n---\n\n"
        "# of B\nName: B\n\nSpecials:\nDecoy\n\n# end\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "# a\nUnits:\n# b\nThaler\nBallista\n",
        "Thaler\n# b\nBallista\n",
        "# only\n\n\nThaler # x\n# y",
        "---\n# a\n---\nThaler\n---\n# b\n",
        "Units: # u\nThaler\nFaction:\nNote: x\nNote: y\n",
        "Leader: Siegemaster # deckcheck: ignore[x]\nLeader: Steel-Forged\nDecoy\n",
        "700 Decoy\n700 Decoy\n",
    ],
)
def test_formatting_twice_changes_nothing(text: str) -> None:
    once = formatted(text)

    assert formatted(once) == once
    assert len(list(read_comments(once))) == len(list(read_comments(text)))
