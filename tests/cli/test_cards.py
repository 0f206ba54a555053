"""`deckcheck cards`: lists, finds and shows."""

from __future__ import annotations

import json

import pytest

from deckcheck.cards import load_database
from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("args", [[], ["list"]])
def test_all_cards_are_listed(capsys: Captured, args: list[str]) -> None:
    assert main(["cards", *args]) == 0

    lines = capsys.readouterr().out.splitlines()
    count = len(load_database("gwent").cards)
    assert lines[0].split()[:2] == ["card", "faction"]
    assert len(lines) == count + 3
    assert lines[-1] == f"{count} cards"


def test_filters_may_leave_nothing(capsys: Captured) -> None:
    assert main(["cards", "list", "--kind", "weather", "--row", "close"]) == 0
    assert capsys.readouterr().out == "0 cards\n"


def test_json_holds_what_the_database_holds(capsys: Captured) -> None:
    assert main(["cards", "find", "kambi", "--output-format", "json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert document["schema_version"] == 1
    assert document["digest"] == load_database("gwent").digest
    (card,) = document["cards"]
    assert card["id"] == "kambi"
    assert card["abilities"][0]["target"] == "hemdall"


def test_leaders_are_found_unless_cards_are_filtered(capsys: Captured) -> None:
    assert main(["cards", "find", "foltest"]) == 0
    assert capsys.readouterr().out.endswith("\n\n5 leaders\n")

    assert main(["cards", "find", "foltest", "--kind", "unit"]) == 0
    assert capsys.readouterr().out == "0 cards\n"


def test_a_name_of_several_words_needs_no_quotes(capsys: Captured) -> None:
    assert main(["cards", "show", "geralt", "of", "rivia"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("Geralt of Rivia\n  id ")
    assert "muster (Roach)" in out


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        (
            ["kambi"],
            "\nsummon_avenger (gwent 1.6.11)\n  When it is discarded from the "
            "board, the card named comes to the same side from the side deck.\n",
        ),
        (
            ["the", "siegemaster"],
            "\nhorn_own_siege (gwent 1.9.2)\n  Horn on your siege row.\n",
        ),
        (
            ["mobilized infantry", "--game", "gwen_t"],
            "\ntight_bond (gwen_t 5.1)\n  It doubles every card of its name in its "
            "row, and itself; alone it does nothing.\n",
        ),
        (
            ["2 left", "--game", "deckmaster"],
            "\nleft (deckmaster 4.1)\n  When placed, it attacks the card to its left, "
            "if one lies there.\n",
        ),
    ],
)
def test_show_says_what_abilities_do(
    capsys: Captured, arguments: list[str], end: str
) -> None:
    assert main(["cards", "show", *arguments]) == 0

    assert capsys.readouterr().out.endswith(end)


def test_json_says_what_abilities_do(capsys: Captured) -> None:
    assert main(["cards", "find", "bruxa", "--output-format", "json"]) == 0

    texts = json.loads(capsys.readouterr().out)["texts"]
    assert [text["ability"] for text in texts] == ["muster"]


@pytest.mark.parametrize("name", ["kambi", "The Siegemaster"])
def test_show_as_json_has_one_record(capsys: Captured, name: str) -> None:
    assert main(["cards", "show", name, "--output-format", "json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert len(document["cards"]) + len(document["leaders"]) == 1


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["find"], "error: `cards find` needs a name\n"),
        (["list", "kambi"], "error: `cards list` takes no name\n"),
        (["show", "kambi", "--row", "close"], "error: `cards show` takes no filter\n"),
        (["find", "xyzzyq"], "error: Unknown card or leader `xyzzyq`\n"),
        (["list", "--game", "gwnt"], "error: Unknown game `gwnt`\n"),
    ],
)
def test_misuse(capsys: Captured, args: list[str], error: str) -> None:
    assert main(["cards", *args]) == 2
    assert capsys.readouterr().err.startswith(error)


def test_the_help_names_the_game(capsys: Captured) -> None:
    assert main(["cards", "show", "--game", "gwen_t", "zzzzzzzz"]) == 2
    assert "`deckcheck cards --game gwen_t` lists all" in capsys.readouterr().err
