"""Points of cards: in formats, their snapshots and differences, and in messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import deckcheck
from deckcheck.cli import main
from deckcheck.formats import load_format

Captured = pytest.CaptureFixture[str]
LEAGUE = """\
title: Points league
extends: gwent/standard
snapshot: 2026-01
constraints:
  points:
    rule: points
    points: {Geralt of Rivia: 8, Decoy: 3, Ciri: 8}
    max: 20
history:
  - snapshot: 2026-03
    constraints:
      points: {points: {Decoy: 4, Scorch: 2, Ciri: null}}
  - snapshot: 2026-04
    sets: [spring.yaml]
"""
SET = "change:\n  Catapult: {strength: 10}\nremove: [Thaler]\n"
DECK = "Leader: Foltest, The Siegemaster\n\nGeralt of Rivia\n2 Decoy\nCiri\nThaler\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("league.yaml").write_text(LEAGUE, encoding="utf-8")
    Path("spring.yaml").write_text(SET, encoding="utf-8")


def points(snapshot: str) -> object:
    fmt = load_format(f"./league.yaml@{snapshot}")
    [constraint] = [each for each in fmt.constraints if each.rule == "points"]
    return dict(constraint.settings["points"])  # type: ignore[call-overload]


def test_points_by_snapshot() -> None:
    ciri = "cirilla_fiona_elen_riannon"
    assert points("2026-01") == {"geralt_of_rivia": 8, "decoy": 3, ciri: 8}
    assert points("2026-03") == {"geralt_of_rivia": 8, "decoy": 4, "scorch": 2}


def test_the_message_adds_the_points_up() -> None:
    run = deckcheck.validate(text=DECK, format="./league.yaml@2026-01")
    [found] = [f for f in run.findings if f.name == "too-many-points"]

    assert found.message == "8 + 6 + 8 = 22 points, at most 20 allowed"
    assert found.span.start.line == 5
    assert found.help == "Remove cards that are worth 2 points or more"
    assert found.notes[0] == (
        "Points: `Geralt of Rivia` 8, `Decoy` 6 (2 of 3), "
        "`Cirilla Fiona Elen Riannon` 8"
    )
    assert [each.message for each in found.related] == ["8 points", "6 points"]
    later = deckcheck.validate(text=DECK, format="./league.yaml@2026-03")
    assert "too-many-points" not in {f.name for f in later.findings}


def test_the_limit_itself_is_allowed() -> None:
    Path("league.yaml").write_text(LEAGUE.replace("max: 20", "max: 22"))
    run = deckcheck.validate(text=DECK, format="./league.yaml@2026-01")

    assert "too-many-points" not in {f.name for f in run.findings}


def test_one_card_alone() -> None:
    Path("league.yaml").write_text(LEAGUE.replace("max: 20", "max: 7"))
    text = DECK.replace("2 Decoy\nCiri\n", "")
    run = deckcheck.validate(text=text, format="./league.yaml@2026-01")

    [found] = [f for f in run.findings if f.name == "too-many-points"]
    assert found.message == "8 points, at most 7 allowed"


def test_differences_of_snapshots(capsys: Captured) -> None:
    words = ["./league.yaml@2026-01", "./league.yaml@2026-03"]
    main(["formats", "diff", *words])

    out = capsys.readouterr().out
    assert "- points, points geralt_of_rivia 8 and decoy 3 and cirilla_" in out
    assert "+ points, points geralt_of_rivia 8 and decoy 4 and scorch 2, max 20" in out


def test_a_set_that_counts_from_a_date_on(capsys: Captured) -> None:
    before = deckcheck.validate(text=DECK, format="./league.yaml", as_of="2026-03-31")
    after = deckcheck.validate(text=DECK, format="./league.yaml", as_of="2026-04-01")

    assert "removed-card" not in {f.name for f in before.findings}
    assert "removed-card" in {f.name for f in after.findings}
    assert [c.about for c in before.changes] == []
    assert {c.name for c in after.changes} == {"Catapult", "Thaler"}
    main(["formats", "diff", "./league.yaml@2026-03", "./league.yaml@2026-04"])
    assert "card Catapult\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Decoy: 3",
            "Decoi: 3",
            "league.yaml:7:34: unknown card `Decoi`, did you mean",
        ),
        ("Decoy: 4", "Decoy: 0", "`0` is too small, the minimum is 1"),
        ("Decoy: 3", "Geralt of rivia: 3", "`Geralt of rivia` is given twice"),
        ("Decoy: 4", "Decoy: 3", "`decoy` changes nothing, it is so already"),
        ("Ciri: null}", "Thaler: null}", "`thaler` changes nothing, it is so already"),
        ("    max: 20\n", "", "`max` is missing"),
        ("[spring.yaml]", "[gone.yaml]", "league.yaml:14:12: `gone.yaml` does not"),
        ("    sets: [spring.yaml]\n", "", "the snapshot `2026-04` changes nothing"),
    ],
)
def test_defects(capsys: Captured, old: str, new: str, message: str) -> None:
    assert LEAGUE.count(old) == 1
    Path("league.yaml").write_text(LEAGUE.replace(old, new), encoding="utf-8")
    Path("a.deck").write_text(DECK)

    assert main(["validate", "a.deck", "--format", "./league.yaml"]) == 2
    assert message in capsys.readouterr().err


def test_random_decks_keep_within_the_points(capsys: Captured) -> None:
    words = ["--seed", "3", "--number", "20", "-o", "decks"]
    assert main(["generate", "./league.yaml", *words]) in (0, 2)
    main(["generate", "./league.yaml", "--seed", "3"])
    Path("a.deck").write_text(capsys.readouterr().out, encoding="utf-8")

    assert main(["validate", "a.deck", "--format", "./league.yaml"]) == 0


def test_a_run_as_plain_data_is_what_json_prints(capsys: Captured) -> None:
    Path("a.deck").write_text(DECK)
    main(["validate", "a.deck", "--format", "./league.yaml", "--output-format", "json"])
    printed = json.loads(capsys.readouterr().out)
    run = deckcheck.validate("a.deck", format="./league.yaml")

    assert run.to_dict() == printed
    assert run.reports[0].to_dict() == printed["decks"][0]
