"""Decks written anew: converted, formatted, repaired."""

import json

import pytest

from deckcheck.decks import DeckText
from deckcheck.decks.lines import read_comments
from deckcheck.decks.model import Sheet, WrittenDeck
from deckcheck.decks.rewriting import (
    WRITERS,
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
    sheets, _, findings = converter.sheets(converter.read(DeckText("x", text), way))
    assert not is_broken(findings), findings
    return sheets


def written(text: str, way: str) -> WrittenDeck:
    converter = Converter()
    sheets, db, _ = converter.sheets(converter.read(DeckText("x", text), "text"))
    return write_decks(way, sheets, db)


def test_gwent_classic_comes_back_without_name_and_format() -> None:
    text = HEAD + "2 Trebuchet\n3 Decoy\nThaler\n"
    out = written(text, "gwent-classic")

    assert sheets_of(out.text, "gwent-classic")[0].cards == sheets_of(text)[0].cards
    assert out.lost == ("`Name`", "`Format`")


def test_numbers_of_one_card_are_read_as_one_entry() -> None:
    text = written(HEAD + "2 Trebuchet\n3 Decoy\n", "gwent-classic").text
    [raw] = Converter().read(DeckText("x.json", text))

    assert sorted((line.text, line.count) for line in raw.lines if line.count) == [
        ("decoy", 3),
        ("trebuchet", 2),
    ]


def test_cards_with_several_numbers_are_spread_over_them() -> None:
    content = json.loads(written(HEAD + "2 Trebuchet\n3 Decoy\n", "gwent-classic").text)

    assert content["faction"] == "realms"
    assert sorted(count for _, count in content["cards"]) == [1, 1, 3]


@pytest.mark.parametrize("way", [*KEEPING_ALL, "code"])
def test_several_decks(way: str) -> None:
    text = f"{HEAD}Thaler\n---\n{HEAD.replace('A', 'B')}2 Ballista\n"

    cards = [sheet.cards for sheet in sheets_of(written(text, way).text, way)]
    assert cards == [{"thaler": 1}, {"ballista": 2}]


@pytest.mark.parametrize("way", [way for way, _ in WRITERS])
def test_every_way_ends_in_one_line_end(way: str) -> None:
    text = written(HEAD + "Thaler\n", way).text

    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize(
    "value",
    ["no", "1.10", "a: b", "[x]", "Deck #2", "Ä, \"q\" 'z'", "=1+1", "'=x", "-3", "'x"],
)
@pytest.mark.parametrize("way", KEEPING_ALL)
def test_names_that_look_like_something_else(value: str, way: str) -> None:
    text = HEAD.replace("A", value, 1) + "Thaler\n"

    assert sheets_of(written(text, way).text, way)[0].headers["name"] == (value,)


def test_a_spreadsheet_finds_no_formula_in_a_deck() -> None:
    text = written(HEAD.replace("A", "=1+1", 1) + "Thaler\n", "csv").text

    assert text.splitlines()[1].startswith("1,'=1+1,gwent/standard,")


@pytest.mark.parametrize(
    ("text", "way", "message"),
    [
        ("Leader: Arnjolf\nOlaf\n", "gwent-classic", ":1:9: .* has no leader"),
        ("Thaler\n", "gwent-classic", "A gwent-classic deck has a leader"),
        (
            HEAD + "Thaler\nRoach\n",
            "gwent-classic",
            f":{HEAD.count(chr(10)) + 2}:1: gwent-classic has no card `Roach`",
        ),
        (HEAD + "Thaler\n---\nDecoy\n", "gwent-classic", "holds 1 deck, 2 found"),
        (HEAD, "csv", "has no card"),
        (HEAD + "Leader: The Steel-Forged\nThaler\n", "csv", "holds one `leader`"),
        (HEAD + "Leader: The Steel-Forged\nThaler\n", "code", "holds one `leader`"),
        ("Note: a\nNote: b\nThaler\n", "yaml", "holds one `note`"),
    ],
)
def test_what_cannot_be_expressed(text: str, way: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        written(text, way)


def test_a_text_deck_cannot_hold_a_comment_in_a_name() -> None:
    converter = Converter()
    text = '{"name": "a // b", "cards": {"Thaler": 1}}'
    sheets, db, _ = converter.sheets(converter.read(DeckText("x", text), "json"))

    with pytest.raises(UsageError, match="cannot hold the header `Name`"):
        write_decks("text", sheets, db)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "No deck of gwent-classic"),
        ("{", "Expected a key"),
        ('{"cards": [], "leader": 24, "faction": "x"}', "No faction of"),
        ('{"cards": [], "leader": true, "faction": "realms"}', "no leader number"),
        ('{"cards": [[9999, 1]], "leader": 24, "faction": "realms"}', "no card number"),
        ('{"cards": [[1, 0]], "leader": 24, "faction": "realms"}', "Count `0`"),
        ('{"cards": [3], "leader": 24, "faction": "realms"}', "A card is a pair"),
    ],
)
def test_broken_files_of_gwent_classic(text: str, message: str) -> None:
    converter = Converter()
    raws = converter.read(DeckText("x.json", text), "gwent-classic")

    assert any(message in f.message for f in raws[0].findings), raws[0].findings


def test_a_broken_code_points_at_the_character() -> None:
    converter = Converter()
    [raw] = converter.read(DeckText("x", "\n  DC1_AA!A\n"), "code")

    [finding] = raw.findings
    assert (finding.span.start.line, finding.span.start.column) == (2, 9)


def test_a_code_of_unknown_cards() -> None:
    from deckcheck.decks.codes import ShareCode, encode

    code = encode(ShareCode("gwent/standard", 99, {5000: 1}))
    [raw] = Converter().read(DeckText("x", code))

    assert [f.message for f in raw.findings] == [
        "`gwent` has no number `99` or `5000`",
    ]


# Safe repairs of text decks.


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
        ("Thaler\nBallsta\n2 Decoy\n", "Thaler\nBallista\n2 Decoy\n"),
        ("2 spe_horn  # x\n", "2 spe_horn  # x\n"),
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
        "Leader Foltest\nThaler\n",
        "Leader Siegemaster\nThaler\nLeader Steel-Forged\n",
        "Leader: Siegemaster\nThaler\nFoltest, The Steel-Forged\n",
        "Neutral\nThaler\n",
        "Decoy\n- 1 Thaler\n+ 1 Thaler\n",
        "2 Siegemaster\nThaler\n",
        "",
    ],
)
def test_what_is_not_sure_stays(text: str) -> None:
    assert fixed(text) == text


# The canonical text deck.


def formatted(text: str) -> str:
    converter = Converter()
    raws = converter.read(DeckText("x.deck", text))
    _, db, findings = converter.sheets(raws)
    assert not is_broken(findings), findings
    return format_text(text, raws, db)


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
        "# top\nLeader: Siegemaster # mine\n# engines\nTrebuchet // two\n"
        "// best\nBallista\n# end \uff01\n"
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


def test_comments_of_reserves_stay_with_them() -> None:
    text = (
        "Format: sg_gwint/approximation\nFaction: Skellige\nScorch # f\n# far\n"
        "Reserves:\n# spell\nGossip # g\nOdim's Darkness\n# late\nGossip\n"
        "Scorch # r\n# end\n"
    )

    assert formatted(text) == (
        "Format: sg_gwint/approximation\nFaction: Skellige Isles\n\nSpecials:\n"
        "Scorch  # f\n\nReserves:\n# far\n# spell\n# late\n2 Gossip  # g\n"
        "Odim's Darkness\nScorch  # r\n\n# end\n"
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
