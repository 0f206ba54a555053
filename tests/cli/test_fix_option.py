"""`deckcheck validate --fix` and `--diff`."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
SAMPLE = (
    Path(__file__).parents[2] / "decks" / "gwent" / "standard" / "nr_siege_masters.deck"
)


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    text = SAMPLE.read_text(encoding="utf-8")
    assert "Trebuchet" in text
    (tmp_path / "a.deck").write_text(
        text.replace("Trebuchet", "Trebuchett"), encoding="utf-8"
    )
    return tmp_path / "a.deck"


def test_a_fixed_deck_is_checked_as_it_is_then(deck: Path, capsys: Captured) -> None:
    assert main(["validate", "a.deck", "-qq"]) == 1

    assert main(["validate", "a.deck", "--fix"]) == 0
    assert capsys.readouterr().err == "1 file fixed\n"
    assert deck.read_bytes() == SAMPLE.read_bytes()


@pytest.mark.parametrize("args", [["--diff"], ["--fix", "--diff"]])
def test_diff_only_shows(deck: Path, capsys: Captured, args: list[str]) -> None:
    before = deck.read_bytes()

    assert main(["validate", "a.deck", *args]) == 1
    out = capsys.readouterr().out
    assert "Trebuchett\n" in out
    assert "Trebuchet\n" in out
    assert deck.read_bytes() == before

    assert main(["validate", str(SAMPLE), "--diff"]) == 0


def test_other_files_are_passed_over(deck: Path, capsys: Captured) -> None:
    text = '{"format": "gwent/standard", "cards": {"Trebuchett": 1}}'
    deck.with_suffix(".json").write_text(text, encoding="utf-8")

    assert main(["validate", "a.json", "--fix"]) == 1
    assert deck.with_suffix(".json").read_text(encoding="utf-8") == text
    assert capsys.readouterr().err == "0 files fixed\n"


def test_misuse_is_told_before_anything_is_written(deck: Path) -> None:
    before = deck.read_bytes()

    assert main(["validate", "a.deck", "--fix", "--output-format", "pdf"]) == 2
    assert deck.read_bytes() == before
