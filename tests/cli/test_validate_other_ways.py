"""`deckcheck validate` reads share codes, gwent-classic's files and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
DECK = Path(__file__).parents[2] / "decks" / "gwent" / "standard" / "mo_swarm.deck"
STANDARD = ("--format", "gwent/standard")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(way: str, capsys: Captured) -> str:
    assert main(["convert", str(DECK), "--to", way]) == 0
    return capsys.readouterr().out


def test_a_code_as_an_argument(capsys: Captured) -> None:
    code = written("code", capsys).strip()

    assert main(["validate", code]) == 0
    assert capsys.readouterr().out.startswith("1 deck checked, 1 legal\ngwent/standard")


@pytest.mark.parametrize("name", ["codes.code", "codes.txt", "codes"])
def test_codes_in_a_file(capsys: Captured, folder: Path, name: str) -> None:
    (folder / name).write_text(written("code", capsys) * 2)

    assert main(["validate", name]) == 0
    assert capsys.readouterr().out.startswith("2 decks checked, 2 legal")


def test_a_damaged_code_is_a_finding(capsys: Captured) -> None:
    code = written("code", capsys).strip()

    assert main(["validate", code[:-1], "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith(
        f"DC1_…{code[-7:-1]}:1:{len(code)}: error[DP201] "
        "malformed-document: Share code is damaged"
    )


def test_a_code_of_an_unknown_game_is_a_finding(capsys: Captured) -> None:
    from deckcheck.decks.codes import ShareCode, encode

    code = encode(ShareCode("chess/blitz", 1, {1: 1}))
    assert main(["validate", code, "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith(
        f"DC1_…{code[-6:]}:1:1: error[DP107] unknown-format: "
        "The code names the unknown format `chess/blitz`"
    )


@pytest.mark.parametrize(
    ("way", "name"), [("gwent-classic", "a.json"), ("csv", "a.csv")]
)
def test_other_files_of_a_folder(
    capsys: Captured, folder: Path, way: str, name: str
) -> None:
    (folder / name).write_text(written(way, capsys), encoding="utf-8")
    assert main(["validate", ".", *STANDARD]) == 0
    assert capsys.readouterr().out.startswith("1 deck checked, 1 legal\n")


def test_a_table_that_is_no_deck_is_a_finding(capsys: Captured, folder: Path) -> None:
    (folder / "prices.csv").write_text("item,price\n1,2\n")

    assert main(["validate", ".", *STANDARD]) == 1
    out = capsys.readouterr().out
    assert "error[DP202] malformed-deck: The table has no column `card`\n" in out
    assert "`--exclude` leaves out a table that is no deck\n" in out

    (folder / "a.deck").write_text("Leader: The Siegemaster\n")
    assert main(["validate", ".", *STANDARD, "--exclude", "*.csv"]) == 1
    assert "\nLeft out: 1 excluded\n" in capsys.readouterr().out


def test_other_commands_read_them_too(capsys: Captured, folder: Path) -> None:
    (folder / "a.json").write_text(written("gwent-classic", capsys))

    assert main(["formats", "--for", "a.json"]) == 0
    assert "gwent/standard" in capsys.readouterr().out
