"""`deckcheck formats`: lists, shows, compares, and says where a deck is legal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.formats import format_ids

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).resolve().parents[2] / "decks" / "gwent"
GENEROUS = str(DECKS / "standard" / "nr_siege_masters.deck")
BROKEN = DECKS.parents[1] / "examples" / "broken" / "gwent"
TOO_MANY = str(BROKEN / "too-many-copies.deck")
SHORT = str(BROKEN / "too-few-units.deck")


@pytest.mark.parametrize("args", [[], ["list"]])
def test_all_formats_are_listed(capsys: Captured, args: list[str]) -> None:
    assert main(["formats", *args]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["format", *format_ids()]


def test_show_names_the_file_of_each_constraint(capsys: Captured) -> None:
    assert main(["formats", "show", "gwent/advanced"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("gwent/advanced (2025-10): Gwent, advanced\n")
    (units,) = [line for line in out.splitlines() if line.startswith("  units ")]
    assert units.split("  ")[-1] == "gwent/formats/standard.yaml"


def test_show_tells_how_decks_meet(capsys: Captured) -> None:
    assert main(["formats", "show", "gwent/tournament"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert {"  play         match", "  max_decks    3"} <= set(lines)


def test_diff_tells_how_decks_meet(capsys: Captured) -> None:
    assert main(["formats", "diff", "gwent/advanced", "gwent/tournament"]) == 0

    out = capsys.readouterr().out
    assert "\nseating holds\n- deck\n+ lineup\n" in out


def test_equal_formats_do_not_differ(capsys: Captured) -> None:
    assert main(["formats", "diff", "gwent/standard", "gwent/standard"]) == 0
    assert capsys.readouterr().out.endswith("\n0 differences\n")


def test_differences_are_data_too(capsys: Captured) -> None:
    args = ["diff", "gwent/advanced", "gwent/standard", "--output-format", "json"]
    assert main(["formats", *args]) == 0

    document = json.loads(capsys.readouterr().out)
    found = {one["name"]: (one["old"], one["new"]) for one in document["differences"]}
    assert set(found) == {"specials", "spies", "medics", "strength"}
    assert found["spies"] == ("count, abilities spy, max 2", None)
    assert [fmt["id"] for fmt in document["formats"]] == args[1:3]


def test_a_deck_is_judged_by_every_format(capsys: Captured) -> None:
    assert main(["formats", "--for", GENEROUS, "--output-format", "json"]) == 0

    (deck,) = json.loads(capsys.readouterr().out)["decks"]
    assert "gwent/standard" in deck["legal"]
    assert "gwent/advanced" not in deck["legal"]
    assert [judged["format"] for judged in deck["formats"]] == [
        id for id in format_ids() if id.startswith("gwent/")
    ]


def test_a_deck_that_is_legal_nowhere_gives_1(capsys: Captured) -> None:
    assert main(["formats", "--for", TOO_MANY]) == 1
    assert "3 copies of `Ballista`, at most 2 allowed" in capsys.readouterr().out


def test_a_deck_needs_no_format_of_its_own(capsys: Captured, tmp_path: Path) -> None:
    deck = tmp_path / "deck.deck"
    text = Path(GENEROUS).read_text(encoding="utf-8")
    deck.write_text(text.replace("Format: gwent/standard\n", ""), encoding="utf-8")

    assert main(["formats", "--for", str(deck)]) == 0
    assert re.search("gwent/standard +legal\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["show"], "error: `formats show` takes one format, 0 given\n"),
        (["list", "x"], "error: `formats list` takes no format, 1 given\n"),
        (["show", "gwent/advanecd"], "error: Unknown format `gwent/advanecd`\n"),
        (
            ["show", "./nix"],
            "error: Unknown format `./nix`\nhelp: A file with a format ",
        ),
        (["show", "--for", SHORT], "error: `--for` works with `formats list` only\n"),
        (["--for", "nowhere.deck"], "error: `nowhere.deck` does not exist\n"),
    ],
)
def test_misuse(capsys: Captured, args: list[str], error: str) -> None:
    assert main(["formats", *args]) == 2
    assert capsys.readouterr().err.startswith(error)


def test_a_list_leaves_out_what_there_was_not_yet(capsys: Captured) -> None:
    assert main(["formats", "--as-of", "2020-01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["deckmaster/standard"]

    assert main(["formats", "--as-of", "2000-01"]) == 2
    error = capsys.readouterr().err.splitlines()[0]
    assert error == "error: No format has a snapshot as early as `2000-01`"


def test_a_deck_is_older_than_the_formats_of_its_game(capsys: Captured) -> None:
    assert main(["formats", "--for", GENEROUS, "--as-of", "2020-01"]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == ["  no format of its game existed then"]


def test_the_game_of_the_cards_comes_first(tmp_path: Path, capsys: Captured) -> None:
    deck = tmp_path / "a.deck"
    deck.write_text("Leader: Foltest, The Siegemaster\n\n3 Ballista\n")

    assert main(["formats", "--for", str(deck)]) == 1

    lines = capsys.readouterr().out.splitlines()
    games = [line.split("/")[0].strip() for line in lines if re.match("  [a-z]", line)]
    assert games == sorted(games, key=lambda game: game != "gwent")
    assert "  deckmaster/standard      of another game" in lines
    assert not any("Deckmaster has no leaders" in line for line in lines)


def test_a_deck_of_no_known_card_is_judged_by_all(
    tmp_path: Path, capsys: Captured
) -> None:
    deck = tmp_path / "a.deck"
    deck.write_text("3 Lightning Bolt\n")

    assert main(["formats", "--for", str(deck)]) == 1
    assert "of another game" not in capsys.readouterr().out
