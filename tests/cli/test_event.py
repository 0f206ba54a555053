"""`deckcheck event`: a whole tournament in one file."""

from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).parents[2] / "decks" / "gwent"
BROKEN = DECKS.parents[1] / "examples" / "broken" / "gwent"
FILE = """\
name = "Winter cup"
date = "2025-12-06"
format = "gwent/standard"
lists = "lists"
players = ["Anna Nowák", "Ben"]
"""


def problems(*options: str, code: int = 1) -> list[str]:
    """The findings of the event, a line each, without the summary."""
    words = ["event", "event.toml", "--output-format", "concise:found", "-qq"]
    assert main([*words, *options]) == code
    return Path("found").read_text(encoding="utf-8").splitlines()


def edit(*changes: str) -> None:
    """Change words of the event, each into the next one."""
    text = FILE
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    Path("event.toml").write_text(text, encoding="utf-8")


def put(player: str, text: str) -> None:
    """Make a text the list of a player."""
    Path("lists", f"{player}.deck").write_text(text, encoding="utf-8")


def as_page(capsys: Captured, code: int = 0) -> str:
    words = ("event", "event.toml", "--output-format", "markdown", "--reveal")
    return stdout_of(capsys, *words, code=code)


@pytest.fixture(autouse=True)
def folder(here: Path) -> Path:
    """An event without problems."""
    (here / "lists").mkdir()
    for player, deck in (("anna-nowak", "mo_swarm"), ("ben", "nr_siege_masters")):
        text = (DECKS / "standard" / f"{deck}.deck").read_text(encoding="utf-8")
        (here / "lists" / f"{player}.deck").write_text(text, encoding="utf-8")
    (here / "event.toml").write_text(FILE, encoding="utf-8")
    return here


def test_before_the_first_list_every_player_lacks_one(folder: Path) -> None:
    for file in (folder / "lists").iterdir():
        file.unlink()

    assert ["missing-list" in line for line in problems()] == [True, True]


def test_a_list_may_be_a_lineup(capsys: Captured) -> None:
    lineups = sorted((DECKS / "tournament").glob("*.deck"))[:2]
    for player, lineup in zip(("anna-nowak", "ben"), lineups, strict=True):
        put(player, lineup.read_text(encoding="utf-8"))
    edit("standard", "tournament")

    out = as_page(capsys)
    assert "| Teeth in the mist, Black sun rising, Royal siege train | legal |" in out
    assert "\n2 players, 2 lists, 2 legal\n" in out
    assert "- 3 decks in one lineup\n" in out


def test_a_lineup_is_judged_as_a_whole(capsys: Captured) -> None:
    lineup = (BROKEN / "lineup-of-two-decks.deck").read_text(encoding="utf-8")
    for player in ("anna-nowak", "ben"):
        put(player, lineup)
    edit("standard", "tournament")

    out = as_page(capsys, code=1)
    assert "| Ben | Chain of command, Bears and ships | illegal |" in out
    assert "Found 2 decks, a tournament lineup holds 3" in out
    assert "identical-lists" in out


def test_a_second_list_of_a_player_is_a_problem(capsys: Captured, folder: Path) -> None:
    deck = (folder / "lists" / "ben.deck").read_text(encoding="utf-8")
    (folder / "lists" / "Ben.txt").write_text(deck, encoding="utf-8")

    assert problems() == [
        "lists/ben.deck:1:1: error[DE104] several-lists: "
        "Player `Ben` also has the list `lists/Ben.txt`"
    ]
    assert "| several lists |\n" in as_page(capsys, code=1)


def test_a_file_name_breaks_no_line(capsys: Captured, folder: Path) -> None:
    deck = (folder / "lists" / "ben.deck").read_text(encoding="utf-8")
    put("x\n::error::\x1b[31m\u202e", deck)

    for output in ("full", "concise", "github", "markdown", "html"):
        words = ["--output-format", output, "--reveal"]
        out = stdout_of(capsys, "event", "event.toml", *words, code=1)
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert not any(line.startswith("::error::") for line in out.splitlines())
    assert problems()[0].startswith(r"lists/x\n::error::\x1b[31m\u202e.deck:1:1: error")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "event.toml:1:8: Invalid value\n"),
        (FILE + "colour = 1\n", "event.toml:6:1: unknown key `colour`\n"),
        (FILE.replace('"lists"', "3"), "event.toml:4:9: expected text, found `3`\n"),
        (FILE.replace('date = "2025-12-06"', ""), "event.toml:1:1: `date` is missing"),
        (FILE.replace("-12-06", "-13-06"), "event.toml:2:8: there is no such day as"),
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
def test_misuse(capsys: Captured, text: str, message: str) -> None:
    Path("event.toml").write_text(text, encoding="utf-8")

    assert message in stderr_of(capsys, "event", "event.toml")
