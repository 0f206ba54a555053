"""`--letters`: a text for each player, and no file of anybody else lost."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

from deckcheck import __version__
from deckcheck.cli import main
from deckcheck.events import check_event
from deckcheck.events.letters import _WORDS, is_untouched, letters
from deckcheck.rules import EVENT_RULES

Captured = pytest.CaptureFixture[str]
DECK = """\
  Name: Siege masters
  Faction: Northern Realms
  Leader: Foltest, The Siegemaster
  Units (15)
    2 Ballista
    2 Catapult
    1 Dun Banner Medic
    2 Kaedweni Siege Expert
    1 Prince Stennis
    1 Roach
    1 Siege Tower
    1 Sigismund Dijkstra
    1 Thaler
    2 Trebuchet
    1 Villentretenmerth
  Heroes (7)
    1 Cirilla Fiona Elen Riannon
    1 Esterad Thyssen
    1 Geralt of Rivia
    1 John Natalis
    1 Mysterious Elf
    1 Philippa Eilhart
    1 Yennefer of Vengerberg
  Specials (5)
    1 Commander's Horn
    3 Decoy
    1 Scorch
  Weather (2)
    2 Clear Weather
"""
SALTS = ("--salts", "salts.json")


def run(*words: str, code: int = 0) -> None:
    assert main(["event", "event.toml", "--letters", "letters", *words]) == code


def letter(name: str) -> str:
    return (Path("letters") / name).read_text(encoding="utf-8")


def test_an_accepted_list(cup: Path, capsys: Captured) -> None:
    run()

    data = Path("lists/ben_ito.deck").read_bytes()
    text = letter("ben_ito.txt")
    assert re.sub("[0-9a-f]{12,}", "...", text) == (
        "Winter cup, 2025-12-06\n"
        "Ben Ito\n\n"
        "Format: Gwent, standard (gwent/standard, 2025-10)\n"
        "Digest of rules and cards: ...\n"
        f"Checked by deckcheck {__version__}\n"
        "List: ben_ito.deck\n"
        "SHA-256: ...\n\n"
        "Your list is accepted.\n\n"
        "What happens next:\n"
        "- Another list that you send before the event takes the place of this one.\n"
        "- Ask the organiser about lists that arrive later.\n"
        "- Compare the deck below with the cards you bring: a judge compares both at\n"
        "  the table.\n\n"
        "Your deck as it was read, 29 cards:\n"
        f"{DECK}\n"
        "Checksum of this letter: ...\n"
    )
    assert f"SHA-256: {sha256(data).hexdigest()}\n" in text
    assert capsys.readouterr().err == "2 letters written to `letters`\n"


def test_an_illegal_list(troubled: Path) -> None:
    run(code=1)

    text = letter("ben_ito.txt")
    assert "\nYour list is not accepted: 1 problem.\n\n1. Line " in text
    assert ": 5 copies of `Ballista`, at most 2 allowed\n   > 5 Ballista\n" in text
    assert "   Rule `copies` of gwent/standard (2025-10), gwent 1.1.5, from\n" in text
    assert "\n   What to do: Remove 3 copies of `Ballista`\n" in text
    assert "\nWhat is legal:\n- Cards of one faction and neutral cards only\n" in text
    assert max(map(len, text.splitlines())) <= 76


def test_the_letter_of_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).resolve().parents[2]
    monkeypatch.chdir(root / "examples" / "troubled-tournament")
    made = letters(check_event(Path("event.toml")))["ben_ito.txt"]
    page = (root / "docs" / "how-to" / "run-an-event.md").read_text(encoding="utf-8")
    [shown] = re.findall("```\n(Spring cup.*?)```", page, re.DOTALL)

    hashes = "[0-9a-f]{12,}"
    assert re.sub(hashes, "...", shown) == re.sub(hashes, "...", made)


def test_a_missing_list(troubled: Path) -> None:
    run(code=1)

    text = letter("cleo.txt")
    assert (
        "\nNo list has arrived.\n\n1. The organiser has no list of yours\n"
        "   What to do: Send your list to the organiser\n"
    ) in text


def test_a_letter_tells_nothing_of_others(cup: Path) -> None:
    same = Path("lists/anna-nowak.deck").read_text(encoding="utf-8")
    Path("lists/ben_ito.deck").write_text(same, encoding="utf-8")
    run()

    assert "Anna" not in letter("ben_ito.txt")
    assert "\nYour list is accepted.\n" in letter("ben_ito.txt")


def test_a_list_that_changed_since_the_seal(cup: Path) -> None:
    assert main(["event", "event.toml", "--seal", "seal.json", *SALTS, "-q"]) == 0
    with Path("lists/ben_ito.deck").open("a", encoding="utf-8") as deck:
        deck.write("# late\n")
    run("--verify", "seal.json", *SALTS, code=1)

    text = letter("ben_ito.txt")
    assert "\n1. The list has changed since the seal of 20" in text
    assert (
        "What to do: If this is not the list you sent in time, tell the organiser\n"
        in text
    )
    assert "\nYour list is accepted.\n" in letter("anna_nowak.txt")


def test_our_own_letters_are_renewed(troubled: Path) -> None:
    run(code=1)
    before = letter("cleo.txt")
    Path("lists/dora.deck").rename("lists/cleo.deck")
    run(code=1)

    assert "No list has arrived" in before
    assert "Your list is accepted" in letter("cleo.txt")


@pytest.mark.parametrize("change", ["Dear Ben,\n\n{}", "{}Yours, Cleo\n", "", "{}{}"])
def test_files_of_others_stay(cup: Path, capsys: Captured, change: str) -> None:
    run()
    file = Path("letters/ben_ito.txt")
    changed = change.replace("{}", file.read_text(encoding="utf-8"))
    file.write_text(changed, encoding="utf-8")
    Path("letters/anna_nowak.txt").unlink()
    capsys.readouterr()

    run(code=2)
    assert capsys.readouterr().err == (
        "error: No letter is written, for `letters` holds `ben_ito.txt`, which "
        "deckcheck did not write or somebody has changed\n"
        "help: Move these files away, or name another folder\n"
    )
    assert file.read_text(encoding="utf-8") == changed
    assert not Path("letters/anna_nowak.txt").exists()


def test_links_are_not_followed(cup: Path, capsys: Captured) -> None:
    run()
    Path("letters/ben_ito.txt").rename("elsewhere.txt")
    Path("letters/ben_ito.txt").symlink_to(Path("elsewhere.txt").absolute())

    run(code=2)
    assert "holds `ben_ito.txt`" in capsys.readouterr().err


def test_letters_lie_outside_of_the_lists(cup: Path, capsys: Captured) -> None:
    assert main(["event", "event.toml", "--letters", "lists/letters"]) == 2
    assert "would be taken for a list" in capsys.readouterr().err
    assert not Path("lists/letters").exists()


def test_a_folder_that_cannot_be_made(cup: Path, capsys: Captured) -> None:
    assert main(["event", "event.toml", "--letters", "event.toml"]) == 2
    assert "Cannot write `event.toml`" in capsys.readouterr().err


def test_every_player_has_a_file_of_a_safe_name(cup: Path) -> None:
    players = ["../../etc", "CON", "!!!", "a/b\\\\c", "Ωmega", "x" * 190 + "a"]
    players += ["x" * 199 + "b"]
    text = (cup / "event.toml").read_text(encoding="utf-8")
    listed = ", ".join(f'"{player}"' for player in players)
    text = re.sub(r"players = .*", lambda _: f"players = [{listed}]", text)
    (cup / "event.toml").write_text(text, encoding="utf-8")
    made = letters(check_event(Path("event.toml")))

    assert len(made) == len(players)
    assert {"etc.txt", "con_.txt", "player_21_21_21.txt", "a_b_c.txt"} < set(made)
    assert all(re.fullmatch(r"\w+\.txt", name) for name in made)
    assert all(map(is_untouched, made.values()))


def test_remedies_are_for_the_player(cup: Path) -> None:
    assert main(["event", "event.toml", "--seal", "seal.json", *SALTS, "-q"]) == 0
    deck = Path("lists/ben_ito.deck").read_text(encoding="utf-8")
    Path("lists/Ben Ito.txt").write_text(f"{deck}---\n{deck}", encoding="utf-8")
    Path("lists/anna-nowak.deck").unlink()
    run("--verify", "seal.json", *SALTS, code=1)

    ben, anna = letter("ben_ito.txt"), letter("anna_nowak.txt")
    told = re.findall("What to do: (.*)", f"{ben}{anna}")
    assert set(told) == {
        "Ask the organiser whether the list still counts",
        "Send the organiser a list with the one deck you play",
        "Send your list to the organiser again, unchanged",
        "Send your list to the organiser",
        "Tell the organiser which one you play",
    }
    assert "Player `" not in ben + anna


def test_every_finding_of_an_event_is_told_to_players_or_to_none() -> None:
    about_all = {
        *[
            "DE101",
            "DE102",
            "DE103",
            "DE106",
            "DE107",
            "DE109",
            "DE207",
            "DE204",
            "DE205",
            "DE206",
        ]
    }
    told = set(_WORDS) | about_all

    assert told == {rule.code for rule in EVENT_RULES}
