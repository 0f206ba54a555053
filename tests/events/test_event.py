"""Events: their files, the names of players, and lists that a transcript cannot hold.

Dates, owners and lineups are in transcripts.
"""

import os
import random
import shutil
from pathlib import Path

import pytest
from helpers.commands import stderr_of
from helpers.events import check_event, edit, list_problems, make_zip, read
from helpers.findings import validate_text

from deckcheck.events.event import may_name, sort_key
from deckcheck.events.matching import _find_identical

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"

# Files of events.

WITH_LINE = {
    'language = "xx"': "unknown language `xx`, languages are `cs`, `de`,",
    'languages = {"Ben Ito" = "no"}': "unknown language `no`",
    'languages = {"Ben Itto" = "de"}': "no player `Ben Itto` is registered, did",
    'late = "perhaps"': "event.toml:6:8: ",
    'late = "refuse"': "event.toml:6:8: `late` needs a deadline with a time zone",
    'deadline = "2025-12-04, 20:00"\nlate = "refuse"': "event.toml:6:12: `late`",
    'deadline = "2025-12-04 20:00 Mars"\nlate = "refuse"': "needs a deadline",
    'dropped = ["Ben"]': "event.toml:6:12: no player `Ben` is registered",
    'replaced = {"Ben" = "Cleo"}': "no player `Ben` is registered",
    'replaced = {"Ben Ito" = "anna nowak"}': "is registered already",
    'ids = {"Ben Ito" = "Anna Nowák"}': "is the id or the name of another",
    'addresses = {"Cleo" = "c@example.org"}': "no player `Cleo` is registered",
    'deadline = "2025-12-07"': "`2025-12-07` is after the event",
    'deadline = "2025-02-30"': "there is no such day as `2025-02-30`",
    "colour = 1": "event.toml:6:1: unknown key `colour`",
    "name = ": "event.toml:6:8: Invalid value",
}
"""Lines that an event cannot have, and the words about each."""

WITHOUT_WORDS = {
    ('"lists"', "3"): "event.toml:4:9: expected text, found `3`",
    ('"lists"', '"nowhere"'): "event.toml:4:9: the folder `nowhere` d",
    ('date = "2025-12-06"', ""): "event.toml:1:1: `date` is missing",
    ('"Ben Ito"', "7"): "event.toml:5:26: expected text, found `7`",
    ('["Anna Nowák", "Ben Ito"]', "[]"): "event.toml:5:11: no player is registered",
    ("gwent/", ""): "event.toml:3:10: unknown format `standard`",
}
"""Words of an event, others instead, and the words about each change."""


def test_defects_of_an_event_file(cup: Path, capsys: Captured) -> None:
    event, whole = cup / "event.toml", read("event.toml")
    texts = {f"{whole}{line}\n": said for line, said in WITH_LINE.items()}
    texts |= {whole.replace(*words): said for words, said in WITHOUT_WORDS.items()}
    for text, said in texts.items():
        event.write_text(text, encoding="utf-8")
        assert said in stderr_of(capsys, "event", "event.toml"), text


def test_may_name_a_player(cup: Path) -> None:
    for text in ("Ben Ito", "ito, ben", "Ben", "Ben Ito (Osaka)", "BÉN ITO"):
        assert may_name(text, "Ben Ito"), text
    for text in ("Benny", "Anna Nowák", "Ben Nowák"):
        assert not may_name(text, "Ben Ito"), text
    # A list may name its player so.
    deck = read("lists/ben_ito.deck")
    text = f"Player: Ben Ito (Osaka)\n{deck}"
    Path("lists/ben_ito.deck").write_text(text, encoding="utf-8")
    assert list_problems(code=0) == []


def test_sort_key_has_letters_before_accents_and_words_before_longer_words() -> None:
    expected = [
        *("Åke Aas", "ake berg", "Anna-Lena Ek", "Anna Nowak", "Anna Nowák"),
        *("Annabel Abt", "Łukasz", "Luke", "Ørsted", "Óscar", "Oskar", "Straße"),
        *("Strasser", "Zoë", "Žofie", "Ωmega"),
    ]
    shuffled = random.Random(1).sample(expected, len(expected))

    assert sorted(shuffled, key=sort_key) == expected


# Lists of bytes, links, and letters that come back.


FILES_OF_BYTES = {
    "Ben Itö.zip": (
        make_zip(**{"ben.deck": "Leader: The Siegemaster\n"}),
        "File looks like a ZIP archive, a spreadsheet or a word processor's document,",
    ),
    "ben_ito.JPG": (b"\xff\xd8\xff\xe0" + bytes(100), "File looks like a JPEG image,"),
    "ben-ito.png": (b"\x89PNG\r\n\x1a\n" + bytes(200), "File looks like a PNG image,"),
    "ben_ito": (b"", "File holds no deck"),
}


@pytest.mark.parametrize("name", FILES_OF_BYTES)
def test_a_file_named_like_a_player_is_the_list_of_that_player(
    cup: Path, name: str
) -> None:
    data, message = FILES_OF_BYTES[name]
    (cup / "lists" / "ben_ito.deck").unlink()
    (cup / "lists" / name).write_bytes(data)

    [line, *more] = list_problems()
    assert line.startswith(f"lists/{name}:1:1: error[DP")
    assert message in line
    assert "missing-list" not in "".join(more)
    check_event("--letters", "letters", "-q", code=1)
    letter = read("letters/ben_ito.txt")
    assert "Your list is not accepted: 1 problem.\n" in letter
    assert "No list has arrived" not in letter


def test_a_letter_and_a_dangling_link_are_no_lists(cup: Path) -> None:
    check_event("--letters", "letters")
    (cup / "lists" / "ben_ito.deck").unlink()
    shutil.copy("letters/ben_ito.txt", "lists/ben_ito.txt")
    assert "Cannot be read as a deck: a letter of deckcheck" in list_problems()[0]

    Path("lists/ben_ito.txt").unlink()
    os.symlink("gone.deck", cup / "lists" / "ben_ito.deck")
    assert "Cannot be read as a deck: it does not exist" in list_problems()[0]


def test_the_event_itself_is_no_other_file(cup: Path) -> None:
    for file in (cup / "lists").iterdir():
        file.rename(cup / file.name)
    edit("event.toml", '"lists"', '"."')

    assert "Not checked" not in "".join(list_problems(code=0))


def test_a_file_name_breaks_no_line(cup: Path, capsys: Captured) -> None:
    shutil.copy("lists/ben_ito.deck", "lists/x\n::error::\x1b[31m\u202e.deck")

    for output in ("full", "concise", "github", "markdown", "html"):
        check_event("--output-format", output, "--reveal", code=1)
        out = capsys.readouterr().out
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert not any(line.startswith("::error::") for line in out.splitlines())
    assert list_problems()[0].startswith(r"lists/x\n::error::\x1b[31m\u202e.deck:1:1:")


def test_find_identical_names_the_deck_of_a_lineup() -> None:
    swarm, siege, ships = (
        (DECKS / f"{name}.deck").read_text(encoding="utf-8")
        for name in ("mo_swarm", "nr_siege_masters", "sk_longships")
    )
    lists = {
        "Anna": [validate_text(f"{swarm}---\n{siege}", "anna.deck").reports],
        "Ben": [validate_text(f"{ships}---\n{siege}", "ben.deck").reports],
        "Cleo": [validate_text(ships + "Unheard of\n", "cleo.deck").reports],
    }
    told = {
        player: found.findings[0].message for player, found in _find_identical(lists)
    }

    same = "has the same cards and leaders as that of"
    assert told == {
        "Ben": f"Deck 2 of the list {same} `Anna`",
        "Cleo": f"The list {same} `Ben`",
    }
