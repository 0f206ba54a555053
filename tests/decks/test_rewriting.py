"""Decks written anew: converted, formatted, repaired."""

import json

import pytest

from deckcheck.decks import DeckText
from deckcheck.decks.lines import read_comments
from deckcheck.decks.model import Sheet, WrittenDeck
from deckcheck.decks.rewriting import (
    Converter,
    fix_text,
    format_text,
    is_broken,
    write_decks,
)
from deckcheck.findings import UsageError

# The same deck in every way of writing.

KEEPING_ALL = ("text", "yaml", "json", "csv")
HEAD = "Name: A\nFormat: gwent/standard\nLeader: Foltest, The Siegemaster\n"


def sheets_of(text: str, way: str = "text") -> list[Sheet]:
    converter = Converter()
    sheets, _, findings = converter.sheets(
        converter.read_decks(DeckText("x", text), way)
    )
    assert not is_broken(findings), findings
    return sheets


def written(text: str, way: str) -> WrittenDeck:
    converter = Converter()
    sheets, db, _ = converter.sheets(converter.read_decks(DeckText("x", text), "text"))
    return write_decks(way, sheets, db)


def test_gwent_classic_comes_back_without_name_and_format() -> None:
    text = HEAD + "2 Trebuchet\n3 Decoy\nThaler\n"
    out = written(text, "gwent-classic")

    assert sheets_of(out.text, "gwent-classic")[0].cards == sheets_of(text)[0].cards
    assert out.lost == ("`Name`", "`Format`")
    # Numbers of one card are read as one entry, and spread over its copies.
    [raw] = Converter().read_decks(DeckText("x.json", out.text))
    counts = {line.text: line.count for line in raw.lines if line.count}
    assert counts == {"trebuchet": 2, "decoy": 3, "thaler": 1}
    content = json.loads(out.text)
    assert content["faction"] == "realms"
    assert sorted(count for _, count in content["cards"]) == [1, 1, 1, 3]


def test_names_that_look_like_something_else() -> None:
    for value in (
        *("no", "1.10", "a: b", "[x]", "Deck #2", "Ä, \"q\" 'z'", "=1+1", "'=x"),
        *("-3", "'x"),
    ):
        text = HEAD.replace("A", value, 1) + "Thaler\n"
        for way in KEEPING_ALL:
            [sheet] = sheets_of(written(text, way).text, way)
            assert sheet.headers["name"][0] == value, way


def test_what_cannot_be_expressed() -> None:
    for text, way, message in (
        ("Thaler\n", "gwent-classic", "A gwent-classic deck has a leader"),
        (HEAD, "csv", "has no card"),
    ):
        with pytest.raises(UsageError, match=message):
            written(text, way)


def test_a_text_deck_cannot_hold_a_comment_in_a_name() -> None:
    converter = Converter()
    text = '{"name": "a // b", "cards": {"Thaler": 1}}'
    sheets, db, _ = converter.sheets(converter.read_decks(DeckText("x", text), "json"))

    with pytest.raises(UsageError, match="cannot hold the header `Name`"):
        write_decks("text", sheets, db)


def test_broken_files_of_gwent_classic() -> None:
    for text, message in (
        ("[]", "Not a deck of gwent-classic"),
        ("{", "Expected a key"),
    ):
        [raw] = Converter().read_decks(DeckText("x.json", text), "gwent-classic")
        assert any(message in f.message for f in raw.findings), raw.findings


# Safe repairs of text decks.


def fixed(text: str) -> str:
    converter = Converter()
    raws = converter.read_decks(DeckText("x.deck", text))
    return fix_text(text, raws, converter.database("gwent"))


REPAIRED = {
    "2 Ballsta  # two\n": "2 Ballista  # two\n",
    "Leader: Foltest, The Siegemastre\nThaler\n": "Leader: Foltest, The Siegemaster\n"
    "Thaler\n",
    "Faction: Skelige\nOlaf\n": "Faction: Skellige\nOlaf\n",
    "thaler\nLeader: Siegemaster\n": "Leader: Siegemaster\nthaler\n",
    "Decoy\r\nName: A\r\nThaler": "Name: A\r\nDecoy\r\nThaler",
    "Thaler\nBallsta\n2 Decoy\n": "Thaler\nBallista\n2 Decoy\n",
}
UNSURE = (
    *("zzzz\n", "Commando\n", "Leader: Foltest\nThaler\n", "999 Decoy\n1 Decoy\n"),
    *("Name: A\nThaler\nName: B\nDecoy\n", "Decoy # one\nDecoy # two\n"),
    *("0 Decoy\n3 Decoy x2\n- Thaler\n", "Lider: Foltest\nThaler\n"),
    *("Neutral\nThaler\n", "2 spe_horn  # x\n"),
    *("Leader Foltest\nThaler\n", "Leader Siegemaster\nThaler\nLeader Steel-Forged\n"),
    "Leader: Siegemaster\nThaler\nFoltest, The Steel-Forged\n",
    *("Decoy\n- 1 Thaler\n+ 1 Thaler\n", "2 Siegemaster\nThaler\n", ""),
)


def test_only_what_is_sure_is_repaired() -> None:
    for text in (*REPAIRED, *UNSURE):
        expected = REPAIRED.get(text, text)
        assert fixed(text) == expected, text
        assert fixed(expected) == expected, text


# The canonical text deck.


def formatted(text: str) -> str:
    converter = Converter()
    raws = converter.read_decks(DeckText("x.deck", text))
    _, db, findings = converter.sheets(raws)
    assert not is_broken(findings), findings
    return format_text(text, raws, db)


CANONICAL = {
    "headers": (
        "LEADER: siegemaster\nscorch\n2 BALLISTA\n\nGeralt x1\nname:  A\nThaler\n",
        "Name: A\nLeader: Foltest, The Siegemaster\n\nUnits:\n2 Ballista\nThaler\n\n"
        "Heroes:\nGeralt of Rivia\n\nSpecials:\nScorch\n",
    ),
    "comments": (
        "# top\nLeader: Siegemaster # mine\n# engines\nTrebuchet // two\n"
        "// best\nBallista\n# end \uff01\n",
        "# top\nLeader: Foltest, The Siegemaster  # mine\n\nUnits:\n"
        "// best\nBallista\n# engines\nTrebuchet  // two\n\n# end \uff01\n",
    ),
    "lines of one card": (
        "Name: A\nThaler\nBallista\n# why\n2 Ballista # b\n"
        "Trebuchet # c\nTrebuchet # d\n",
        "Name: A\n\nUnits:\n# why\n3 Ballista  # b\nThaler\n"
        "Trebuchet  # c\nTrebuchet  # d\n",
    ),
    "reserves": (
        "Format: sg_gwint/approximation\nFaction: Skellige\nScorch # f\n# far\n"
        "Reserves:\n# spell\nGossip # g\nOdim's Darkness\n# late\nGossip\n"
        "Scorch # r\n# end\n",
        "Format: sg_gwint/approximation\nFaction: Skellige Isles\n\nSpecials:\n"
        "Scorch  # f\n\nReserves:\n# far\n# spell\n# late\n2 Gossip  # g\n"
        "Odim's Darkness\nScorch  # r\n\n# end\n",
    ),
    "two decks": (
        "# a\nName: A\nThaler\n# of A\n---\n# of B\nName: B\nDecoy\n# end\n",
        "# a\nName: A\n\nUnits:\nThaler\n\n# of A\n\n---\n\n"
        "# of B\nName: B\n\nSpecials:\nDecoy\n\n# end\n",
    ),
}


@pytest.mark.parametrize("case", CANONICAL)
def test_the_canonical_text(case: str) -> None:
    text, expected = CANONICAL[case]

    assert formatted(text) == expected


def test_formatting_twice_changes_nothing() -> None:
    for text in (
        *("# a\nUnits:\n# b\nThaler\nBallista\n", "Thaler\n# b\nBallista\n"),
        *("# only\n\n\nThaler # x\n# y", "---\n# a\n---\nThaler\n---\n# b\n"),
        "Units: # u\nThaler\nFaction:\nNote: x\nNote: y\n",
        "Leader: Siegemaster # deckcheck: ignore[x]\nLeader: Steel-Forged\nDecoy\n",
        "700 Decoy\n700 Decoy\n",
    ):
        once = formatted(text)

        assert formatted(once) == once, text
        assert len(list(read_comments(once))) == len(list(read_comments(text))), text
