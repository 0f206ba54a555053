"""`deckcheck stats` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema

from deckcheck.cli import main

DECK = "decks/gwent/standard/nr_siege_masters.deck"


def test_json_fits_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "decks", "examples/broken", "--output-format", "json"]) == 1

    out, err = capsys.readouterr()
    document = json.loads(out)
    jsonschema.validate(document, closed_schema("stats"))
    assert len(document["decks"]) > 100
    # Some of the broken decks have no card that can be read.
    assert "holds no deck that could be read" in err
    assert "is illegal in" in err


def test_a_line_for_each_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", DECK, "--group", "spy", "--group", "Decoy, Scorch"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[-2:]] == ["spy", "Decoy, Scorch"]


def test_quiet_leaves_out_notes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.deck").write_text("Format: gwent/standard\n\n2 Catapult\n")
    head = '{"schema_version": 1, "tool": {"name": "deckcheck"}}'
    (tmp_path / "cards.json").write_text(head)

    assert main(["stats", str(tmp_path)]) == 0
    assert capsys.readouterr().err.count("note: ") == 2
    assert main(["stats", str(tmp_path), "-q"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "No decks given"),
        ([DECK, "--group", "Catapullt"], "Did you mean `Catapult`?"),
        ([DECK, "--at-least", "0"], "0, from 1 allowed"),
        (["nowhere.deck"], "nowhere.deck"),
    ],
)
def test_misuse(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_an_own_result_is_no_deck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "stats.json"
    arguments = ["stats", DECK, "--output-format", "json", "-o", str(result)]
    assert main(arguments) == 0
    (tmp_path / "a.deck").write_text(Path(DECK).read_text(encoding="utf-8"))

    assert main(["validate", str(tmp_path)]) == 0
    assert "1 deck checked" in capsys.readouterr().out
