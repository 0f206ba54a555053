"""Format files read: their defects, and those of a user's own."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.findings import MarkedText, marked_in

from deckcheck.cards import DatabaseError, card_db_root
from deckcheck.formats import FormatError, load_format
from deckcheck.sim.gathering import find_common_format, gather, judge_again
from deckcheck.validation import Validator

# Each defect of a format file is refused, at its place.

Formats = Callable[..., Path]
HEAD = "title: League\nextends: standard\n"


def defects(root: Path, id: str = "gwent/league") -> list[str]:
    with pytest.raises(FormatError) as caught:
        load_format(id, root)
    return [
        line.removeprefix("db/gwent/formats/league.yaml:")
        for line in caught.value.message.splitlines()[1:]
    ]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the database of Gwent, for formats that are written one by one."""
    root = tmp_path_factory.mktemp("formats") / "db"
    shutil.copytree(card_db_root() / "gwent", root / "gwent")
    return root


@pytest.mark.parametrize("wrong", marked_in("formats_of_the_database.yaml"), ids=str)
def test_defects(
    root: Path, monkeypatch: pytest.MonkeyPatch, wrong: MarkedText
) -> None:
    monkeypatch.chdir(root.parent)
    (root / "gwent/formats/league.yaml").write_text(wrong.text, encoding="utf-8")

    assert defects(root) == [str(wrong)]


def test_bad_parents(formats: Formats) -> None:
    root = formats(cup="title: Cup\nextends: league\n")
    other = root / "chess" / "formats" / "blitz.yaml"
    other.parent.mkdir(parents=True)
    other.write_text("title: Blitz\n", encoding="utf-8")
    cup = "db/gwent/formats/cup.yaml:2:10: `gwent/league` inherits from itself"
    for parent, defect in {
        "standrd": "2:10: unknown format `gwent/standrd`, did you mean",
        "league": "2:10: `gwent/league` inherits from itself",
        "cup": cup,
        "chess/blitz": "2:10: `chess/blitz` is a format of another game",
    }.items():
        text = f"title: League\nextends: {parent}\n"
        (root / "gwent/formats/league.yaml").write_text(text, encoding="utf-8")
        [found] = defects(root)
        assert found.startswith(defect), parent


def test_a_format_of_its_own_states_everything(formats: Formats) -> None:
    found = defects(formats(league="title: League\noptions: {gems: 1}\n"))

    assert found[0].startswith("1:1: options without a value: `hand_size`, `redraws`")
    assert found[1] == "1:1: `snapshot` is missing"


def test_broken_cards_are_a_database_error(formats: Formats) -> None:
    root = formats(league=HEAD)
    (root / "gwent" / "cards.yaml").write_text("- 1\n", encoding="utf-8")

    with pytest.raises(DatabaseError):
        load_format("gwent/league", root)


# Formats in files of the user's own: bans, restrictions, limits, options.

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
def folder(here: Path) -> Path:
    return here


def write(folder: Path, text: str, name: str = "league.yaml") -> str:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return f"./{name}"


def own_formats_defects(path: str) -> list[str]:
    with pytest.raises(FormatError) as caught:
        load_format(path)
    return caught.value.message.splitlines()[1:]


def test_a_file_extends_one_of_ours(folder: Path) -> None:
    fmt = load_format(write(folder, LEAGUE))
    constraints = {c.name: c for c in fmt.constraints}

    assert (fmt.id, fmt.name, fmt.game) == ("league.yaml", "league", "gwent")
    assert (fmt.snapshot, fmt.options["gems"]) == ("2025-10", 3)
    assert constraints["bans"].condition.cards == ("scorch", "villentretenmerth")
    units, specials = constraints["units"], constraints["specials"]
    assert (units.origin, units.statement) == (
        "gwent/formats/standard.yaml",
        "gwent 1.1.3",
    )
    # A changed limit no longer cites the rulebook.
    assert (specials.origin, specials.statement) == ("league.yaml", "")
    assert specials.settings["max"] == 6


def test_a_file_extends_another_from_its_own_folder(folder: Path) -> None:
    write(folder, LEAGUE, "season/base.yaml")
    text = "title: Cup\nextends: base.yaml\nconstraints:\n  bans:\n"
    fmt = load_format(write(folder, text, "season/cup.yaml"))

    names = {c.name: c.origin for c in fmt.constraints}
    assert "bans" not in names
    assert names["limits"] == "season/base.yaml"


def test_simulations_take_it_too(folder: Path) -> None:
    deck = folder / "Upper.deck"
    deck.write_text("Leader: The Siegemaster\n\nScorch\n", encoding="utf-8")
    (report,), _ = gather([str(deck)], write(folder, LEAGUE, "Upper.yaml"))

    assert report.deck is not None
    again = judge_again(report.deck, Validator("./Upper.yaml"), None)
    assert find_common_format([report, again]).options["gems"] == 3
    for id in (" Gwent/Solo", "./Upper.yaml"):
        named = judge_again(report.deck, Validator("standard"), id)
        assert find_common_format([named]).id == "gwent/standard", id


@pytest.mark.parametrize("wrong", marked_in("own_formats.yaml"), ids=str)
def test_defects_are_at_their_place(folder: Path, wrong: MarkedText) -> None:
    assert own_formats_defects(write(folder, wrong.text)) == [f"league.yaml:{wrong}"]


def test_what_is_no_file_is_misuse(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    league = write(folder, "title: League\nextends: pipe.yaml\n")
    defect = "league.yaml:2:10: `pipe.yaml` is a named pipe, not a file"
    assert own_formats_defects(league) == [defect]
    league = write(folder, "title: A\nextends: gwent/standard\nsets: [pipe.yaml]\n")
    defect = "league.yaml:3:8: `pipe.yaml` is a named pipe, not a file"
    assert own_formats_defects(league) == [defect]
    (folder / "folder.yaml").mkdir()
    for name, kind in (("pipe.yaml", "a named pipe"), ("folder.yaml", "a folder")):
        with pytest.raises(FormatError) as caught:
            load_format(str(folder / name))
        assert caught.value.message.endswith(f"is {kind}, not a file"), name
