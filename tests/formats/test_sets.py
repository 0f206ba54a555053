"""Sets of cards that a format of a user's own adds to its game."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.formats import FormatError, database_of, load_format
from deckcheck.formats.wording import compare
from deckcheck.validation import validate_text

LEAGUE = "title: League\nextends: gwent/standard\nsets: [own.yaml]\n"
WOLF = """\
- id: white_wolf
  name: The White Wolf
  faction: neutral
  kind: hero
  rows: [close]
  strength: 15
  abilities: [medic]
  copies: 1
  aliases: [Gwynbleidd]
"""
HOUND = """\
- {id: hound, name: Hound, faction: skellige, kind: unit, rows: [close], strength: 2,
   copies: 2, abilities: [berserker: {target: big_hound}]}
- {id: big_hound, name: Big Hound, faction: skellige, kind: unit, rows: [close],
   strength: 9, copies: 2, deckable: false}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "league.yaml").write_text(LEAGUE, encoding="utf-8")
    (tmp_path / "own.yaml").write_text(WOLF + HOUND, encoding="utf-8")
    return tmp_path


def defects() -> list[str]:
    with pytest.raises(FormatError) as caught:
        load_format("league.yaml")
    return caught.value.message.splitlines()[1:]


def test_its_cards_are_found_by_any_name() -> None:
    db = database_of(load_format("league.yaml"))

    assert db.find_card("gwynbleidd").id == "white_wolf"
    assert db.find_card("Scorch").id == "scorch"
    assert db.cards["hound"].abilities[0].target == "big_hound"


def test_they_stand_behind_those_of_the_game_with_lasting_numbers() -> None:
    ours = database_of(load_format("gwent/standard"))
    db = database_of(load_format("league.yaml"))

    assert list(db.cards) == [*ours.cards, "white_wolf", "hound", "big_hound"]
    assert db.cards["white_wolf"].number == 1_035_397_838
    assert db.cards["white_wolf"].provenance == "own"


def test_decks_are_judged_with_them() -> None:
    deck = "Leader: The Siegemaster\n\nThe White Wolf\n2 Gwynbleidd\nBig Hound\nWolf\n"
    run = validate_text(deck, format="league.yaml")
    found = {(f.span.start.line, f.name) for f in run.findings}

    assert {(4, "too-many-copies"), (5, "undeckable-card")} <= found
    assert {(5, "foreign-card"), (6, "unknown-card")} <= found
    assert (3, "unknown-card") not in found


def test_they_change_the_digest_and_show_in_a_comparison() -> None:
    ours, league = load_format("gwent/standard"), load_format("league.yaml")

    assert ours.digest != league.digest
    wolf, hound, _ = compare(ours, league)
    assert wolf.new == "neutral hero, close, strength 15, medic, 1 copy"
    assert (hound.about, hound.name, hound.old) == ("card", "Hound", None)


def test_a_format_that_extends_it_has_them_and_may_ban_them(folder: Path) -> None:
    cup = (
        "title: Cup\nextends: ../league.yaml\n"
        "constraints:\n  bans: {rule: banned, cards: [Gwynbleidd]}\n"
    )
    (folder / "cup").mkdir()
    (folder / "cup" / "cup.yaml").write_text(cup, encoding="utf-8")
    fmt = load_format("cup/cup.yaml")

    assert [c.record.id for c in fmt.changes] == ["white_wolf", "hound", "big_hound"]
    assert fmt.constraints[-1].condition.cards == ("white_wolf",)


def test_decks_with_them_are_converted_and_read_back(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.deck").write_text("Leader: The Siegemaster\n\nGwynbleidd\n")
    own = ["--format", "league.yaml"]
    assert main(["convert", "a.deck", "--to", "code", *own]) == 0
    code = capsys.readouterr().out.strip()
    assert main(["convert", code, "--to", "text", *own]) == 0

    assert "\nThe White Wolf\n" in capsys.readouterr().out
    assert main(["fmt", "a.deck", *own]) == 0
    assert "\nThe White Wolf\n" in (folder / "a.deck").read_text()


@pytest.mark.parametrize(
    ("old", "new", "defect"),
    [
        ("[medic]", "[telepathy]", "own.yaml:7:15: unknown ability `telepathy`"),
        ("[medic]", "[spy: {group: a}]", "own.yaml:7:21: `spy` takes no `group`"),
        ("neutral", "neutrl", "own.yaml:3:12: unknown faction `neutrl`, did you mean"),
        ("id: white_wolf", "id: scorch", "own.yaml:1:7: id `scorch` already belongs"),
        ("id: white", "number: 1\n  id: white", "own.yaml:1:11: number `1` already be"),
        ("Gwynbleidd", "Scorch", "own.yaml:9:13: `Scorch` is also a name of `scorch`"),
        ("  strength: 15\n", "", "own.yaml:1:3: `white_wolf` is a hero without stren"),
        ("copies: 1", "copys: 1", "own.yaml:1:3: `copies` is missing"),
        (
            ": {target: big_hound}",
            "",
            "own.yaml:11:27: `berserker` needs `target`, write `berserker: {target:",
        ),
        (
            ", deckable: false",
            "",
            "own.yaml:11:27: `big_hound` can be in a deck, add `deckable: false` to it",
        ),
    ],
)
def test_defects_are_at_their_place(
    folder: Path, old: str, new: str, defect: str
) -> None:
    text = (WOLF + HOUND).replace(old, new, 1)
    (folder / "own.yaml").write_text(text, encoding="utf-8")

    assert [line[: len(defect)] for line in defects()][:1] == [defect]


@pytest.mark.parametrize(
    ("sets", "defect"),
    [
        ("[nowhere.yaml]", "league.yaml:3:8: `nowhere.yaml` does not exist"),
        ("[pipe]", "league.yaml:3:8: `pipe` is a named pipe, not a file"),
        ("[folder]", "league.yaml:3:8: `folder` is a folder, not a file"),
        ("[/dev/null]", "league.yaml:3:8: `/dev/null` is a device, not a file"),
        ("[own.yaml/x]", "league.yaml:3:8: `own.yaml/x` does not exist"),
        ("[own.yaml, ./own.yaml]", "league.yaml:3:18: the set `./own.yaml` is added"),
        ("[empty.yaml]", "empty.yaml:1:1: the set changes nothing"),
        ("[broken.yaml]", "broken.yaml:"),
        ("[blank.yaml]", "blank.yaml:1:3: `x` is a special without abilities, it doe"),
        ("own.yaml", "league.yaml:3:7: expected a list"),
    ],
)
def test_sets_that_cannot_be_added(folder: Path, sets: str, defect: str) -> None:
    blank = "- {id: x, name: X, faction: neutral, kind: special, copies: 1}\n"
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    (folder / "empty.yaml").write_text("[]\n")
    (folder / "broken.yaml").write_text("- {id: [\n")
    (folder / "blank.yaml").write_text(blank)
    (folder / "league.yaml").write_text(LEAGUE.replace("[own.yaml]", sets))

    assert [line[: len(defect)] for line in defects()][:1] == [defect]


def test_sets_of_the_database_lie_beside_its_formats(
    formats: Callable[..., Path],
) -> None:
    root = formats(cup="title: Cup\nextends: standard\nsets: [../sets/own.yaml]\n")
    with pytest.raises(FormatError, match=r"`\.\./sets/own\.yaml` does not exist"):
        load_format("gwent/cup", root)

    (root / "gwent" / "sets").mkdir()
    (root / "gwent" / "sets" / "own.yaml").write_text(WOLF, encoding="utf-8")
    fmt = load_format("gwent/cup", root)
    assert database_of(fmt, root).find_card("Gwynbleidd").id == "white_wolf"
    assert fmt.own_changes == ()


def test_sets_of_the_database_lie_nowhere_else(formats: Callable[..., Path]) -> None:
    root = formats(cup="title: Cup\nextends: standard\nsets: [own.yaml]\n")
    with pytest.raises(FormatError, match=r"`own\.yaml` is not in .*`gwent/sets`"):
        load_format("gwent/cup", root)


def test_there_are_no_sets_where_decks_write_out_their_cards(folder: Path) -> None:
    text = LEAGUE.replace("gwent/standard", "deckmaster/standard")
    (folder / "league.yaml").write_text(text, encoding="utf-8")

    found = "league.yaml:3:8: decks write out the cards of Deckmaster: it has no sets"
    assert defects() == [found]
