"""`deckcheck simulate` with rules for one run and by dates, as `validate` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).parents[2] / "decks" / "gwent"
SWARM = str(DECKS / "standard" / "mo_swarm.deck")
SIEGE = str(DECKS / "standard" / "nr_siege_masters.deck")


def test_a_rule_makes_a_deck_illegal(capsys: Captured) -> None:
    assert main(["simulate", SWARM, SIEGE, "--rule", "max specials 6"]) == 1

    shown = capsys.readouterr()
    assert "7 special cards, at most 6 allowed" in shown.out
    assert "from --rule `max specials 6`" in shown.out
    assert shown.err.startswith("No game was played")


def test_a_wrong_rule_is_misuse(capsys: Captured) -> None:
    assert main(["simulate", SWARM, SIEGE, "--rule", "max specails 4"]) == 2
    assert capsys.readouterr().err.startswith(
        "error: `--rule` column 5: unknown word `specails`\n"
    )


def test_a_date_before_the_first_snapshot_is_misuse(capsys: Captured) -> None:
    assert main(["simulate", SWARM, SIEGE, "--as-of", "2025-09"]) == 2
    assert "gwent/standard" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["validate", "simulate"])
def test_both_commands_offer_them_alike(command: str, capsys: Captured) -> None:
    assert main([command, "--help"]) == 0

    shown = " ".join(capsys.readouterr().out.split())
    assert "Use the formats as they were on this date" in shown
    assert "Add a rule to the format for this run: 'max specials 4'" in shown
