"""The examples of findings about plans: played as they say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.findings import Rule
from deckcheck.rules import PLAN_RULES

DECKS = card_db_root().parent / "decks" / "gwent" / "standard"


def found_in(plan: str) -> list[str]:
    Path("plan.toml").write_text(plan)
    main(["expect", "plan.toml", "-q", "--output-format", "gitlab:found.json"])
    return [each["check_name"] for each in json.loads(Path("found.json").read_text())]


@pytest.mark.parametrize("rule", PLAN_RULES, ids=lambda rule: rule.name)
def test_the_bad_plan_has_the_finding_and_the_good_one_has_not(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("nr_siege_masters", "mo_swarm"):
        shutil.copy(DECKS / f"{name}.deck", tmp_path)
    monkeypatch.chdir(tmp_path)

    assert found_in(rule.bad) == [rule.name]
    assert found_in(rule.good) == []


def test_a_rule_about_plans_says_so() -> None:
    assert {rule.about for rule in PLAN_RULES} == {"plan"}
