"""The field that a format comes with: its decks, and who meets them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import deckcheck
from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.sim.entrants import reference_field

ROOT = Path(__file__).resolve().parents[2]
SIEGE = str(ROOT / "decks" / "gwent" / "standard" / "nr_siege_masters.deck")
FIELDS = {
    f"{file.parent.parent.name}/{file.stem}": file
    for file in sorted(card_db_root().glob("*/fields/*.deck"))
}
LEAGUE = "title: League\nextends: gwent/standard\nconstraints:\n"
FEW = ("--policy", "sane_random", "-j", "1", "--output-format", "json")


def test_formats_that_have_one() -> None:
    assert set(FIELDS) == {
        "gwen_t/pool",
        "gwent/advanced",
        "gwent/standard",
        "sg_gwint/approximation",
    }


@pytest.mark.parametrize("format", FIELDS)
def test_its_decks_are_legal_and_of_every_faction(format: str) -> None:
    field = reference_field(load_format(format))

    assert (field.format, field.forbidden) == (format, ())
    decks = [report.deck for report in field.decks]
    assert len({deck.name for deck in decks if deck}) == len(decks) >= 3
    assert len({frozenset(deck.counts().items()) for deck in decks if deck}) >= 3
    factions = Counter(deck.faction for deck in decks if deck)
    samples = deckcheck.read(ROOT / "decks" / format)
    assert set(factions) >= {deck.faction for deck in samples}
    assert min(factions.values()) >= 2


def test_a_format_has_that_of_the_one_it_extends(tmp_path: Path) -> None:
    whole = reference_field(load_format("gwent/standard"))
    card = "commanders_horn"
    horns = [r.deck.name for r in whole.decks if r.deck and r.deck.counts()[card]]
    assert 0 < len(horns) < len(whole.decks)
    league = tmp_path / "league.yaml"
    league.write_text(f"{LEAGUE}  bans: {{rule: banned, cards: [{card}]}}\n")

    field = reference_field(load_format(str(league)))

    assert field.format == "gwent/standard"
    assert list(field.forbidden) == horns
    assert len(field.decks) + len(horns) == len(whole.decks)
    assert all(report.format.id.endswith("league.yaml") for report in field.decks)
    assert f"`{horns[0]}`" in field.note


def test_rules_that_forbid_all_of_it(tmp_path: Path) -> None:
    league = tmp_path / "league.yaml"
    league.write_text(f"{LEAGUE}  few: {{rule: count, min: 70}}\n")

    with pytest.raises(UsageError, match="forbids all 10 decks of the reference field"):
        reference_field(load_format(str(league)))


@pytest.mark.parametrize(
    "format",
    ["deckmaster/standard", "gwent/tournament", "gwent/solo", "sg_gwint/2.1"],
)
def test_formats_without_one(format: str) -> None:
    with pytest.raises(UsageError, match=f"`{format}` has no reference field"):
        reference_field(load_format(format))


def test_a_study_without_a_field_meets_it_and_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    decks = [r.deck for r in reference_field(load_format("gwent/standard")).decks]
    names = [deck.name for deck in decks if deck]

    assert main(["compare", SIEGE, SIEGE, "-n", "20", *FEW]) == 0
    said = capsys.readouterr()
    assert [o["name"] for o in json.loads(said.out)["opponents"]] == names
    assert "note: The field is the reference field of `gwent/standard`" in said.err

    assert main(["compare", SIEGE, SIEGE, "-n", "20", *FEW[:-2]]) == 0
    said = capsys.readouterr().out
    assert "field     reference field of gwent/standard\n" in said
    assert main(["compare", SIEGE, SIEGE, "--against", SIEGE, *FEW[:-2]]) == 0
    assert "reference field" not in capsys.readouterr().out

    result = deckcheck.compare(SIEGE, SIEGE, policies="sane_random", games=20)
    assert [o.opponent for o in result.opponents] == names


def test_it_is_a_field_among_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    swarm = SIEGE.replace("nr_siege_masters", "mo_swarm")
    words = ["simulate", SIEGE, "--against", "reference", swarm, "-n", "2", *FEW]

    assert main(words) == 0
    matchups = json.loads(capsys.readouterr().out)["matchups"]
    assert len(matchups) == 11
    result = deckcheck.simulate(
        SIEGE, against=["reference", swarm], games=2, policies="sane_random"
    )
    assert len(result.matchups) == 11


def test_a_file_of_that_name_may_be_meant(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reference").mkdir()

    assert main(["simulate", SIEGE, "--against", "reference", "-n", "2", *FEW]) == 2
    assert "Write `./reference` for yours" in capsys.readouterr().err


def test_plans_name_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "siege.deck").write_bytes(Path(SIEGE).read_bytes())
    plan = tmp_path / "plan.toml"
    head = 'games = 2\npolicies = ["sane_random"]\n'
    text = 'decks = ["siege.deck"]\nagainst = ["reference"]\n'
    plan.write_text(f"[experiments.one]\n{head}{text}")
    words = ["simulate", "--plan", "plan.toml", "-j", "1", "--output-format", "json"]

    assert main(words) == 0
    [one] = json.loads(capsys.readouterr().out)["experiments"]
    assert len(one["result"]["matchups"]) == 10
    (tmp_path / "reference").mkdir()
    assert main(words) == 2
    assert "Write `./reference` for yours" in capsys.readouterr().err
