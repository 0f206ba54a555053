"""`deckcheck event`: a whole tournament in one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).resolve().parents[2] / "decks" / "gwent"
FILE = """\
name = "Winter cup"
date = "2025-12-06"
format = "gwent/standard"
lists = "lists"
players = ["Anna Nowák", "Ben"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An event without problems."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists").mkdir()
    for player, deck in (("anna-nowak", "mo_swarm"), ("ben", "nr_siege_masters")):
        text = (DECKS / "standard" / f"{deck}.deck").read_text(encoding="utf-8")
        (tmp_path / "lists" / f"{player}.deck").write_text(text, encoding="utf-8")
    (tmp_path / "event.toml").write_text(FILE, encoding="utf-8")
    return tmp_path


def test_a_sound_event_is_summed_up(capsys: Captured) -> None:
    assert main(["event", "event.toml"]) == 0

    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out == (
        "# Winter cup\n\n2025-12-06, gwent/standard (2025-10)\n\n"
        "| player | deck | verdict |\n|---|---|---|\n"
        "| Anna Nowák | The swarm | legal |\n| Ben | Siege masters | legal |\n\n"
        "2 lists, 2 legal\n"
    )


@pytest.mark.parametrize(
    ("players", "problem"),
    [
        (
            '["Anna Nowak", "Ben",\n "Cleo"]',
            "event.toml:6:2: player `Cleo` has no list\n",
        ),
        ('["Ben"]', "lists/anna-nowak.deck: the list belongs to no player\n"),
        (
            '["Anna Nowick", "Ben"]',
            "lists/anna-nowak.deck: the list belongs to no player, "
            "did you mean `Anna Nowick`?\n"
            "event.toml:5:12: player `Anna Nowick` has no list\n",
        ),
        (
            '["Anna Nowak", "Ben", "anna nowák"]',
            "event.toml:5:33: player `anna nowák` is registered since line 5\n",
        ),
    ],
)
def test_players_and_lists_must_fit(
    capsys: Captured, folder: Path, players: str, problem: str
) -> None:
    text = FILE.replace('["Anna Nowák", "Ben"]', players)
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml"]) == 1
    assert capsys.readouterr().err == problem


def test_identical_and_illegal_lists_show(capsys: Captured, folder: Path) -> None:
    deck = (DECKS / "broken" / "too-few-units.deck").read_text(encoding="utf-8")
    for player in ("anna-nowak", "ben"):
        (folder / "lists" / f"{player}.deck").write_text(deck, encoding="utf-8")

    assert main(["event", "event.toml", "--seal", "seal.json"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "note: Lists are identical: `Anna Nowák` and `Ben`"
    assert lines[2].startswith("lists/ben.deck:14:1: too-few-cards: 21 unit cards")
    assert not (folder / "seal.json").exists()


def test_a_list_may_be_a_lineup(capsys: Captured, folder: Path) -> None:
    lineups = sorted((DECKS / "tournament").glob("*.deck"))[:2]
    for player, lineup in zip(("anna-nowak", "ben"), lineups, strict=True):
        text = lineup.read_text(encoding="utf-8")
        (folder / "lists" / f"{player}.deck").write_text(text, encoding="utf-8")
    text = FILE.replace("standard", "tournament")
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml"]) == 0
    out = capsys.readouterr().out
    assert "| Teeth in the mist, Black sun rising, Royal siege train | legal |" in out
    assert out.endswith("2 lists, 2 legal\n")


def test_a_lineup_is_judged_as_a_whole(capsys: Captured, folder: Path) -> None:
    lineup = (DECKS / "broken" / "lineup-of-two-decks.deck").read_text(encoding="utf-8")
    for player in ("anna-nowak", "ben"):
        (folder / "lists" / f"{player}.deck").write_text(lineup, encoding="utf-8")
    text = FILE.replace("standard", "tournament")
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml"]) == 1
    captured = capsys.readouterr()
    assert "| Ben | Chain of command, Bears and ships | illegal |" in captured.out
    assert "Found 2 decks, a tournament lineup holds 3" in captured.err
    assert "Lists are identical: `Anna Nowák` and `Ben`" in captured.err


def test_two_decks_in_a_file_are_two_lists(capsys: Captured, folder: Path) -> None:
    file = folder / "lists" / "ben.deck"
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}---\n{text}", encoding="utf-8")

    assert main(["event", "event.toml"]) == 1
    assert capsys.readouterr().err == (
        "lists/ben.deck: player `Ben` has 2 decks, a list is one\n"
    )


def test_identical_lists_do_not_hinder_a_seal(capsys: Captured, folder: Path) -> None:
    deck = (folder / "lists" / "ben.deck").read_text(encoding="utf-8")
    (folder / "lists" / "anna-nowak.deck").write_text(deck, encoding="utf-8")

    assert main(["event", "event.toml", "--seal", "seal.json"]) == 0
    assert "note: Lists are identical" in capsys.readouterr().err
    assert (folder / "seal.json").exists()


def test_a_seal_shows_later_changes(capsys: Captured, folder: Path) -> None:
    assert main(["event", "event.toml", "--seal", "seal.json"]) == 0
    assert main(["event", "event.toml", "--verify", "seal.json"]) == 0
    with (folder / "lists" / "ben.deck").open("a", encoding="utf-8") as deck:
        deck.write("# late\n")
    capsys.readouterr()

    assert main(["event", "event.toml", "--verify", "seal.json"]) == 1
    assert capsys.readouterr().err == "`ben.deck` has changed since the seal\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "event.toml:1:8: Invalid value\n"),
        (FILE + "colour = 1\n", "event.toml:6:1: unknown key `colour`\n"),
        (FILE.replace('"lists"', "3"), "event.toml:4:9: expected text, found `3`\n"),
        (FILE.replace('date = "2025-12-06"', ""), "event.toml:1:1: `date` is missing"),
        (FILE.replace("-12-06", "-13-06"), "event.toml:2:8: there is no day `2025-13"),
        (FILE.replace('"Ben"', "7"), "event.toml:5:26: expected text, found `7`\n"),
        (
            FILE.replace('["Anna Nowák", "Ben"]', "[]"),
            "event.toml:5:11: no player is registered\n",
        ),
        (FILE.replace("gwent/", ""), "event.toml:3:10: unknown format `standard`\n"),
        (
            FILE.replace('"lists"', '"nowhere"'),
            "event.toml:4:9: the folder `nowhere` d",
        ),
    ],
)
def test_misuse(capsys: Captured, folder: Path, text: str, message: str) -> None:
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml"]) == 2
    assert message in capsys.readouterr().err


def test_all_defects_show_at_once(capsys: Captured, folder: Path) -> None:
    text = FILE.replace('"lists"', "3").replace("name", "nmae")
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "error: Event file `event.toml` has 3 defects",
        "event.toml:1:1: unknown key `nmae`, did you mean `name`?",
        "event.toml:1:1: `name` is missing",
        "event.toml:4:9: expected text, found `3`",
    ]


def test_a_date_needs_no_quotes(capsys: Captured, folder: Path) -> None:
    text = FILE.replace('"2025-12-06"', "2025-12-06")
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml"]) == 0
    assert "\n2025-12-06, gwent/standard" in capsys.readouterr().out


def test_an_event_may_last_several_days(capsys: Captured, folder: Path) -> None:
    text = FILE.replace('"2025-12-06"', '"6 and 7 December"')
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml"]) == 0
    assert "\n6 and 7 December, gwent/standard" in capsys.readouterr().out


def test_a_second_list_of_a_player_is_a_problem(capsys: Captured, folder: Path) -> None:
    deck = (folder / "lists" / "ben.deck").read_text(encoding="utf-8")
    (folder / "lists" / "Ben.txt").write_text(deck, encoding="utf-8")

    assert main(["event", "event.toml"]) == 1
    assert capsys.readouterr().err == (
        "lists/ben.deck: player `Ben` has the list `lists/Ben.txt` too\n"
    )


def test_a_seal_must_be_one(capsys: Captured) -> None:
    assert main(["event", "event.toml", "--verify", "event.toml"]) == 2
    assert capsys.readouterr().err == "error: `event.toml` is no seal\n"
