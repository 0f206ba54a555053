"""`deckcheck validate` by formats of one's own, by dates, with rules for one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
DECK = "Format: gwent/standard\nLeader: The Siegemaster\n\nScorch\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.deck").write_text(DECK, encoding="utf-8")
    league = (
        "title: League\nextends: gwent/standard\nconstraints:\n"
        "  units:\n  bans: {rule: banned, cards: [Scorch]}\n"
    )
    (tmp_path / "league.yaml").write_text(league, encoding="utf-8")
    return tmp_path


def test_a_format_of_ones_own(capsys: Captured) -> None:
    args = ["a.deck", "--format", "./league.yaml", "--output-format", "concise"]
    assert main(["validate", *args]) == 1

    line, *_ = capsys.readouterr().out.splitlines()
    assert line == (
        "a.deck:4:1: error[DB101] banned-card: 1 copy of `Scorch`, which is banned"
    )


def test_its_defects_are_misuse(capsys: Captured, folder: Path) -> None:
    (folder / "league.yaml").write_text("title: League\nextends: gwent/standard\n")

    assert main(["validate", "a.deck", "--format", "league.yaml"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "error: Format `league.yaml` has 1 defect",
        "league.yaml:1:1: the file changes nothing but the title",
    ]


def test_rules_are_added_to_the_format_of_the_deck(capsys: Captured) -> None:
    rules = ["--rule", "min units 0", "--rule", "ban scorch"]
    assert main(["validate", "a.deck", *rules, "-q"]) == 1

    out = capsys.readouterr().out
    assert "from --rule `ban scorch`\n" in out
    assert "too-few-cards" not in out


def test_a_wrong_rule_is_misuse(capsys: Captured) -> None:
    assert main(["validate", "a.deck", "--rule", "max specails 4"]) == 2
    assert capsys.readouterr().err == (
        "error: `--rule` column 5: unknown word `specails`\n"
        "  max specails 4\n"
        "      ^^^^^^^^\n"
        "help: Did you mean `specials`?\n"
    )


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--as-of", "2025-10-31"], 1),
        (["--as-of", "2025-09"], 2),
        (["--as-of", "yesterday"], 2),
        (["--format", "gwent/standard@2025-10"], 1),
        (["--format", "gwent/standard@2025-11"], 2),
        (["--format", "league.yaml@2025-10"], 1),
    ],
)
def test_dates_and_snapshots(args: list[str], code: int) -> None:
    assert main(["validate", "a.deck", *args]) == code
