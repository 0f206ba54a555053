"""Formats in files of the user's own: bans, restrictions, limits, options."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deckcheck.findings import UsageError
from deckcheck.formats import FormatError, load_format
from deckcheck.sim.entrants import common_format, gather, judge_again
from deckcheck.validation import Validator, validate_text

HEAD = "title: League\nextends: gwent/standard\n"
LEAGUE = """\
title: League
extends: gwent/standard
constraints:
  specials: {max: 6}
  bans: {rule: banned, cards: [Scorch, Villentretenmerth]}
  limits: {rule: restricted, cards: [decoy], max: 1}
options: {gems: 3}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, text: str, name: str = "league.yaml") -> str:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return f"./{name}"


def defects(path: str) -> list[str]:
    with pytest.raises(FormatError) as caught:
        load_format(path)
    return caught.value.message.splitlines()[1:]


def test_a_file_extends_one_of_ours(folder: Path) -> None:
    fmt = load_format(write(folder, LEAGUE))
    constraints = {c.name: c for c in fmt.constraints}

    assert (fmt.id, fmt.name, fmt.game) == ("league.yaml", "league", "gwent")
    assert (fmt.snapshot, fmt.options["gems"]) == ("2025-10", 3)
    assert constraints["bans"].condition.cards == ("scorch", "villentretenmerth")
    assert constraints["specials"].settings["max"] == 6
    assert constraints["units"].origin == "gwent/formats/standard.yaml"


def test_a_changed_limit_no_longer_cites_the_rulebook(folder: Path) -> None:
    constraints = {c.name: c for c in load_format(write(folder, LEAGUE)).constraints}

    assert constraints["units"].statement == "gwent 1.1.3"
    assert constraints["specials"].statement == ""
    assert constraints["specials"].origin == "league.yaml"


def test_a_file_extends_another_from_its_own_folder(folder: Path) -> None:
    write(folder, LEAGUE, "season/base.yaml")
    text = "title: Cup\nextends: base.yaml\nconstraints:\n  bans:\n"
    fmt = load_format(write(folder, text, "season/cup.yaml"))

    names = {c.name: c.origin for c in fmt.constraints}
    assert "bans" not in names
    assert names["limits"] == "season/base.yaml"


def test_a_changed_file_is_read_again(folder: Path) -> None:
    before = load_format(write(folder, LEAGUE))
    after = load_format(write(folder, LEAGUE.replace("max: 6", "max: 7")))

    assert before.digest != after.digest


def test_findings_name_the_file(folder: Path) -> None:
    run = validate_text(
        "Leader: The Siegemaster\n\n2 Scorch\n2 Decoy\n",
        format=write(folder, LEAGUE),
    )
    found = {f.name: f for f in run.findings if f.code.startswith("DB")}

    assert found["banned-card"].message == "2 copies of `Scorch`, which is banned"
    assert found["restricted-card"].message == "2 copies of `Decoy`, restricted to 1"
    assert found["banned-card"].notes == (
        "Rule `bans` of league.yaml (2025-10), from league.yaml",
    )


def test_simulations_take_it_too(folder: Path) -> None:
    deck = folder / "Upper.deck"
    deck.write_text("Leader: The Siegemaster\n\nScorch\n", encoding="utf-8")
    (report,), _ = gather([str(deck)], write(folder, LEAGUE, "Upper.yaml"))

    assert report.deck is not None
    again = judge_again(report.deck, Validator("./Upper.yaml"))
    assert common_format([report, again]).options["gems"] == 3


def test_decks_of_several_formats_are_refused_by_name(folder: Path) -> None:
    decks = folder.parent / "two"
    decks.mkdir()
    for format in ("standard", "advanced"):
        text = f"Format: gwent/{format}\nLeader: The Siegemaster\n\nScorch\n"
        (decks / f"{format}.deck").write_text(text, encoding="utf-8")
    reports = list(gather([str(decks)], None)[0])

    with pytest.raises(UsageError) as info:
        common_format(reports)
    assert info.value.message == (
        "Decks are of 2 formats: `gwent/advanced@2025-10` and `gwent/standard@2025-10`"
    )


def ban(words: str) -> str:
    return f"constraints:\n  x: {{rule: banned, {words}}}"


def limit(words: str) -> str:
    return f"constraints:\n  x: {{rule: restricted, {words}}}"


@pytest.mark.parametrize(
    ("text", "defect"),
    [
        ("", "1:1: the file changes nothing but the title"),
        ("constraints:\n  specials: {max: 10}", "4:19: `max: 10` changes nothing"),
        ("options: {gems: 2}", "3:17: `gems: 2` changes nothing"),
        (
            ban("cards: [Scorhc]"),
            "4:29: unknown card `Scorhc`, did you mean `Scorch`",
        ),
        (ban("cards: [3]"), "4:29: expected text, found `3`"),
        (ban("cards: [scorch, Scorch]"), "4:37: `Scorch` is given twice"),
        (ban("cards: [Hemdall]"), "4:3: `x` changes nothing, it fits no card of"),
        (
            ban("cards: [Hemdall, Scorch]"),
            "4:29: `Hemdall` changes nothing, the card is never allowed in a deck",
        ),
        (
            ban("kinds: [weather], abilities: [spy]"),
            "4:3: `x` changes nothing, it fits no card of a deck",
        ),
        (ban("cards: [Scorch], max: 1"), "4:38: unknown key `max`"),
        ("constraints:\n  x: {rule: banned}", "4:3: `kinds` or `abilities` or"),
        (limit("cards: [Decoy]"), "4:3: `max` is missing"),
        (
            limit("cards: [Decoy], max: 3"),
            "4:33: `Decoy` changes nothing, at most 3 can be in a deck",
        ),
        (
            ban('leaders: ["Folest, The Siegemaster"]'),
            "4:31: unknown leader `Folest, The Siegemaster`, did you mean `Foltest, ",
        ),
        (ban("leaders: [Foltest]"), "4:31: unknown leader `Foltest`, it may be `folt"),
        (
            ban("leaders: [The Siegemaster, the siegemaster]"),
            "4:48: `Foltest, The Siegemaster` is given twice",
        ),
        (
            ban("leaders: [The Siegemaster]")
            + "\n  y: {rule: banned, leaders: [The Siegemaster]}",
            "5:31: `Foltest, The Siegemaster` changes nothing, `x` bans the leader",
        ),
        (limit("cards: [Decoy], max: 1, leaders: []"), "4:49: unknown key `leaders`"),
        (
            ban("cards: [Decoy]") + "\n  y: {rule: restricted, cards: [Decoy], max: 1}",
            "5:33: `Decoy` changes nothing, `x` bans the card already",
        ),
    ],
)
def test_defects_are_at_their_place(folder: Path, text: str, defect: str) -> None:
    (found,) = defects(write(folder, f"{HEAD}{text}\n"))

    assert found.startswith(f"league.yaml:{defect}")


def test_unknown_names_hide_nothing(folder: Path) -> None:
    text = ban("cards: [Scorhc, Ciri, 3]") + "\n  units: {max: 1}\noptions: {gems: 9}"

    places = [line.split(": ")[0] for line in defects(write(folder, HEAD + text))]
    assert places == [f"league.yaml:{at}" for at in ("4:29", "4:43", "5:3", "6:17")]


def test_nothing_is_said_of_bans_with_unknown_names(folder: Path) -> None:
    """One card stands for all of them, and would be banned twice."""
    found = defects(write(folder, HEAD + ban("cards: [Scorhc, Decoi]")))

    assert [line.split(", ")[0].split(": ", 1)[1] for line in found] == [
        "unknown card `Scorhc`",
        "unknown card `Decoi`",
    ]


@pytest.mark.parametrize(
    ("extends", "defect"),
    [
        ("", "1:1: `extends` is missing, known formats are `"),
        ("extends: standard", "2:10: unknown format `standard`, did you mean"),
        ("extends: nowhere.yaml", "2:10: `nowhere.yaml` does not exist"),
        ("extends: pipe.yaml", "2:10: `pipe.yaml` is a named pipe, not a file"),
        ("extends: league.yaml", "2:10: `league.yaml` inherits from itself"),
    ],
)
def test_bad_parents(folder: Path, extends: str, defect: str) -> None:
    os.mkfifo(folder / "pipe.yaml")
    text = f"title: League\n{extends}\noptions: {{gems: 3}}\n"
    (found,) = defects(write(folder, text))

    assert found.startswith(f"league.yaml:{defect}")


def test_what_is_no_file_is_misuse(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    for name, kind in (("pipe.yaml", "a named pipe"), ("folder.yaml", "a folder")):
        (folder / "folder.yaml").mkdir(exist_ok=True)
        with pytest.raises(FormatError) as caught:
            load_format(str(folder / name))
        assert caught.value.message.endswith(f"is {kind}, not a file")


def test_a_file_that_does_not_exist_is_misuse() -> None:
    with pytest.raises(FormatError) as caught:
        load_format("./nowhere.yaml")

    assert caught.value.message == "format file `./nowhere.yaml` does not exist"


def test_a_misspelt_format_file_is_suggested(folder: Path) -> None:
    write(folder, LEAGUE)

    with pytest.raises(FormatError) as caught:
        load_format("./leage.yaml")
    assert caught.value.help == "Did you mean `./league.yaml`?"


def test_a_set_is_no_format(folder: Path) -> None:
    text = "cards:\n- {id: scorch, copies: 2}\n"

    assert defects(write(folder, text)) == [
        "league.yaml:1:1: this is a set of cards, not a format: name it under `sets` "
        "of a format"
    ]


def test_a_format_file_without_its_suffix_is_suggested(folder: Path) -> None:
    write(folder, LEAGUE)

    for name in ("league", "./league"):
        with pytest.raises(FormatError) as caught:
            load_format(name)
        assert caught.value.help == f"Did you mean the file `{name}.yaml`?"
