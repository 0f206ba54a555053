"""`deckcheck build` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]

DECKS = Path(__file__).parents[2] / "decks"
STANDARD_DECKS = DECKS / "gwent" / "standard"
SWARM = str(STANDARD_DECKS / "mo_swarm.deck")
FEW = ["--against", SWARM, "--policy", "sane_random", "-j", "1"]
STANDARD = ["build", "gwent/standard", *FEW]


def refused(capsys: Captured, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


def test_json_fits_its_schema_and_the_deck_is_legal(
    capsys: Captured, tmp_path: Path
) -> None:
    deck = tmp_path / "built.deck"
    words = ["--faction", "Skellige", "-n", "4000", "--output-format", "json"]
    assert main([*STANDARD, *words, "--deck", str(deck)]) == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("build"))
    assert document["faction"] == "skellige"
    assert document["base"] is None
    assert document["deck"] == "Skellige, built"
    assert document["text"] == deck.read_text(encoding="utf-8")
    assert document["proof"]["field"]["win_rate"]["win_rate"] > 0.5
    assert main(["validate", str(deck)]) == 0


def test_all_factions_without_one(capsys: Captured) -> None:
    assert main([*STANDARD, "-n", "2500"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert ", built` wins " in lines[0]
    assert any(line.startswith("searched  ") for line in lines)


@pytest.mark.parametrize(
    "command",
    [["build", "gwent/standard", "--faction", "Monsters"], ["tune", SWARM]],
)
def test_the_field_comes_by_its_weights(
    capsys: Captured, tmp_path: Path, command: list[str]
) -> None:
    """A name with a comma needs no quotes, and a wrong one is said with its line."""
    ships = (STANDARD_DECKS / "sk_longships.deck").read_text("utf-8")
    own = tmp_path / "built.deck"
    own.write_text(
        ships.replace("Name: Longships of Skellige", "Name: Skellige, built")
    )
    weights = tmp_path / "weights.csv"
    weights.write_text("Skellige, built,3\nThe swarm,1\n")
    words = [*command, "-n", "800", *FEW[2:], "--weights", str(weights)]
    words += ["--against", SWARM, str(own), "--output-format", "json"]
    assert main(words) == 0

    shares = json.loads(capsys.readouterr().out)["shares"]
    assert shares == {"The swarm": 0.25, "Skellige, built": 0.75}
    weights.write_text("Skellige, built,3\nThe swamp,1\n")
    said = refused(capsys, *words)
    assert "weights.csv:2: no deck of this field is called `The swamp`" in said
    assert "Did you mean `The swarm`?" in said


def test_a_game_without_factions(capsys: Captured) -> None:
    field = str(next((DECKS / "gwen_t" / "pool").glob("*.deck")))
    words = ["--against", field, "--policy", "sane_random", "-n", "800", "-j", "1"]
    assert main(["build", "gwen_t/pool", *words]) == 0

    assert capsys.readouterr().out.startswith("`Built` wins ")


def test_what_is_missing_or_wrong(capsys: Captured) -> None:
    assert "No format given" in refused(capsys, "build", *FEW)
    assert "no reference field" in refused(capsys, "build", "deckmaster/standard")
    assert "1,999 games are too few" in refused(capsys, *STANDARD, "-n", "1999")
    said = refused(capsys, *STANDARD, "--faction", "elves")
    assert "No decks of the faction `elves` in `gwent/standard`" in said
    said = refused(capsys, *STANDARD, "-f", "gwent/advanced")
    assert "Two formats given: `gwent/standard` and `gwent/advanced`" in said
    said = refused(capsys, "build", "monsters", "-f", "gwent/standard")
    assert "`monsters` is a faction, not a format" in said


def test_decks_that_are_shared_are_not_built(capsys: Captured) -> None:
    shared = str(next((DECKS / "deckmaster" / "standard").glob("*.deck")))
    said = refused(capsys, "build", "deckmaster/standard", "--against", shared)

    assert "no two meet there" in said
