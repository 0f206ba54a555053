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


@pytest.fixture(autouse=True)
def folder(here: Path) -> Path:
    """An event without problems."""
    (here / "lists").mkdir()
    for player, deck in (("anna-nowak", "mo_swarm"), ("ben", "nr_siege_masters")):
        text = (DECKS / "standard" / f"{deck}.deck").read_text(encoding="utf-8")
        (here / "lists" / f"{player}.deck").write_text(text, encoding="utf-8")
    (here / "event.toml").write_text(FILE, encoding="utf-8")
    return here


def test_a_sound_event_is_summed_up(capsys: Captured) -> None:
    assert main(["event", "event.toml"]) == 0

    captured = capsys.readouterr()
    assert captured.err == ""
    first, second = captured.out.splitlines()
    assert first == "Winter cup: 2 players, 2 lists, 2 legal"
    assert second.startswith("gwent/standard (2025-10), digest ")


def test_the_page_as_markdown(capsys: Captured) -> None:
    assert main(["event", "event.toml", "--output-format", "markdown", "--reveal"]) == 0

    assert capsys.readouterr().out == (
        "# Winter cup\n\n2025-12-06, Gwent, standard (gwent/standard, 2025-10)\n\n"
        "| player | deck | verdict |\n|---|---|---|\n"
        "| Anna Nowák | The swarm | legal |\n| Ben | Siege masters | legal |\n\n"
        "2 players, 2 lists, 2 legal\n\n"
        "## What is legal\n\n"
        "- Cards of one faction and neutral cards only\n"
        "- 1 leader of the same faction\n"
        "- At least 22 unit and hero cards\n"
        "- At most 10 special and weather cards\n"
        "- No more copies of a card than the game has\n"
        "- No card that only other cards bring into play\n"
    )


@pytest.mark.parametrize(
    ("players", "found"),
    [
        (
            '["Anna Nowak", "Ben",\n "Cleo"]',
            ["event.toml:6:2: error[DE101] missing-list: Player `Cleo` has no list"],
        ),
        (
            '["Ben"]',
            [
                "lists/anna-nowak.deck:1:1: error[DE102] unknown-player: "
                "The list belongs to no player"
            ],
        ),
        (
            '["Anna Nowick", "Ben"]',
            [
                "event.toml:5:12: error[DE101] missing-list: "
                "Player `Anna Nowick` has no list",
                "lists/anna-nowak.deck:1:1: error[DE102] unknown-player: "
                "The list belongs to no player",
            ],
        ),
        (
            '["Anna Nowak", "Ben", "anna nowák"]',
            [
                "event.toml:5:33: error[DE103] repeated-player: "
                "Player `anna nowák` is registered since line 5"
            ],
        ),
    ],
)
def test_players_and_lists_must_fit(
    folder: Path, players: str, found: list[str]
) -> None:
    text = FILE.replace('["Anna Nowák", "Ben"]', players)
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert problems() == found


def test_a_misspelt_name_gets_a_suggestion(capsys: Captured, folder: Path) -> None:
    text = FILE.replace("Anna Nowák", "Anna Nowick")
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml"]) == 1
    assert (
        "  = help: Did you mean `Anna Nowick`? Name the file after its player, or "
        "register the player in `event.toml`\n"
    ) in capsys.readouterr().out


def test_problems_are_grouped_by_player(capsys: Captured, folder: Path) -> None:
    text = FILE.replace('"Ben"]', '"Ben", "Åke Aas", "Zoë"]')
    (folder / "event.toml").write_text(text, encoding="utf-8")
    deck = (BROKEN / "too-few-units.deck").read_text(encoding="utf-8")
    (folder / "lists" / "anna-nowak.deck").write_text(deck, encoding="utf-8")
    (folder / "lists" / "Dora.deck").write_text(deck, encoding="utf-8")

    out = stdout_of(capsys, "event", "event.toml", code=1)
    heads = [
        line for line in out.splitlines() if line[:1].isupper() and ":" not in line
    ]
    assert heads == ["Åke Aas", "Anna Nowák", "Zoë", "Lists of no player"]
    assert "  = help: Add the list as `lists/ake_aas.deck`\n" in out
    assert "  = help: Add 1 unit card\n" in out
    assert (
        "Winter cup: 4 players, 2 lists, 1 legal, 1 illegal, 2 missing, "
        "1 of no player (5 errors)\n"
    ) in out


def test_before_the_first_list_every_player_lacks_one(folder: Path) -> None:
    for file in (folder / "lists").iterdir():
        file.unlink()

    assert [line.partition("] ")[2] for line in problems()] == [
        "missing-list: Player `Anna Nowák` has no list",
        "missing-list: Player `Ben` has no list",
    ]


def test_identical_and_illegal_lists_show(folder: Path) -> None:
    deck = (BROKEN / "too-few-units.deck").read_text(encoding="utf-8")
    for player in ("anna-nowak", "ben"):
        (folder / "lists" / f"{player}.deck").write_text(deck, encoding="utf-8")

    first, second, third = problems()
    assert first.startswith(
        "lists/anna-nowak.deck:14:1: error[DL101] too-few-cards: 21"
    )
    assert second == (
        "lists/ben.deck:1:1: note[DE106] identical-lists: "
        "The list has the same cards and leaders as that of `Anna Nowák`"
    )
    assert third.startswith("lists/ben.deck:14:1: error[DL101] too-few-cards: 21 unit")


def test_a_list_may_be_a_lineup(capsys: Captured, folder: Path) -> None:
    lineups = sorted((DECKS / "tournament").glob("*.deck"))[:2]
    for player, lineup in zip(("anna-nowak", "ben"), lineups, strict=True):
        text = lineup.read_text(encoding="utf-8")
        (folder / "lists" / f"{player}.deck").write_text(text, encoding="utf-8")
    text = FILE.replace("standard", "tournament")
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml", "--output-format", "markdown", "--reveal"]) == 0
    out = capsys.readouterr().out
    assert "| Teeth in the mist, Black sun rising, Royal siege train | legal |" in out
    assert "\n2 players, 2 lists, 2 legal\n" in out
    assert "- 3 decks in one lineup\n" in out


def test_a_lineup_is_judged_as_a_whole(capsys: Captured, folder: Path) -> None:
    lineup = (BROKEN / "lineup-of-two-decks.deck").read_text(encoding="utf-8")
    for player in ("anna-nowak", "ben"):
        (folder / "lists" / f"{player}.deck").write_text(lineup, encoding="utf-8")
    text = FILE.replace("standard", "tournament")
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml", "--output-format", "markdown", "--reveal"]) == 1
    out = capsys.readouterr().out
    assert "| Ben | Chain of command, Bears and ships | illegal |" in out
    assert "Found 2 decks, a tournament lineup holds 3" in out
    assert "identical-lists" in out


def test_two_decks_in_a_file_are_two_lists(folder: Path) -> None:
    file = folder / "lists" / "ben.deck"
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}---\n{text}", encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()

    [found] = problems()
    line = int(found.split(":")[1])
    assert lines.index("---") < line - 1 == lines.index("Name: Siege masters", 5)
    assert found.endswith("several-decks: The list holds 2 decks, expected 1")


def test_a_second_list_of_a_player_is_a_problem(capsys: Captured, folder: Path) -> None:
    deck = (folder / "lists" / "ben.deck").read_text(encoding="utf-8")
    (folder / "lists" / "Ben.txt").write_text(deck, encoding="utf-8")

    assert problems() == [
        "lists/ben.deck:1:1: error[DE104] several-lists: "
        "Player `Ben` also has the list `lists/Ben.txt`"
    ]
    main(["event", "event.toml", "--output-format", "markdown", "--reveal"])
    assert "| several lists |\n" in capsys.readouterr().out


def test_a_file_name_breaks_no_line(capsys: Captured, folder: Path) -> None:
    deck = (folder / "lists" / "ben.deck").read_text(encoding="utf-8")
    name = "x\n::error::\x1b[31m\u202e.deck"
    (folder / "lists" / name).write_text(deck, encoding="utf-8")

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
def test_misuse(capsys: Captured, folder: Path, text: str, message: str) -> None:
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert message in stderr_of(capsys, "event", "event.toml")


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

    assert main(["event", "event.toml", "--output-format", "markdown", "--reveal"]) == 0
    assert "\n2025-12-06, Gwent, standard" in capsys.readouterr().out


def test_an_event_may_last_several_days(capsys: Captured, folder: Path) -> None:
    text = FILE.replace('"2025-12-06"', '"6 and 7 December"')
    (folder / "event.toml").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml", "--output-format", "markdown", "--reveal"]) == 0
    assert "\n6 and 7 December, Gwent, standard" in capsys.readouterr().out
