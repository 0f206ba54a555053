"""The texts of findings: complete, and true of their own examples."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from deckcheck.cards import card_db_root
from deckcheck.decks import decode_deck
from deckcheck.findings import Rule
from deckcheck.formats.rules import VOCABULARY
from deckcheck.rules import ALL_RULES, DECK_RULES, FAMILIES, shown_deck
from deckcheck.validation import Validator

STRONG = """\
title: Strong decks
extends: standard
constraints:
  strength: {rule: sum, attribute: strength, min: 20, statement: gwent 2.6}
"""
POINTS = """\
title: Points
extends: standard
constraints:
  points:
    rule: points
    points: {geralt_of_rivia: 8, cirilla_fiona_elen_riannon: 8, decoy: 3}
    max: 20
    statement: league 4
"""
LEAGUE = """\
title: League
extends: standard
constraints:
  bans:
    rule: banned
    cards: [scorch]
    leaders: [eredin_bringer_of_death]
    statement: league 1
  limits: {rule: restricted, cards: [decoy], max: 1, statement: league 2}
  factions: {rule: banned, factions: [skellige], statement: league 3}
sets: [../sets/league_cards.yaml]
"""
NAMES = """\
- id: white_wolf
  name: The White Wolf
  faction: neutral
  kind: hero
  copies: 1
  known: false
"""


def by_name(rule: Rule) -> str:
    return rule.name


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The card database with the formats that examples speak of."""
    root = tmp_path_factory.mktemp("card_db")
    for game in ("gwent", "sg_gwint"):
        shutil.copytree(card_db_root() / game, root / game)
    (root / "gwent" / "formats" / "strong.yaml").write_text(STRONG)
    (root / "gwent" / "formats" / "league.yaml").write_text(LEAGUE)
    (root / "gwent" / "formats" / "points.yaml").write_text(POINTS)
    (root / "gwent" / "sets").mkdir()
    (root / "gwent" / "sets" / "league_cards.yaml").write_text(NAMES)
    return root


def names_in(text: str, rule: Rule, root: Path) -> set[str]:
    """The findings of an example."""
    path = "a.yaml" if rule.code.startswith("DP2") else "a.deck"
    format = None if "Format:" in text else "gwent/standard"
    source = decode_deck(text.encode("utf-8", errors="surrogateescape"), path)
    return {f.name for f in Validator(format, root).check_all([source]).findings}


@pytest.mark.parametrize("rule", DECK_RULES, ids=by_name)
def test_the_bad_deck_has_the_finding(rule: Rule, root: Path) -> None:
    if rule.name == "ambiguous-card":
        assert "No two cards of Gwent" in rule.what
    elif rule.name == "removed-card":
        # tests/formats/test_set_changes.py has such a set.
        assert "The example below stands for" in " ".join(rule.what.split())
    else:
        assert rule.name in names_in(rule.bad, rule, root)


@pytest.mark.parametrize("rule", DECK_RULES, ids=by_name)
def test_the_good_deck_has_not(rule: Rule, root: Path) -> None:
    assert rule.name not in names_in(rule.good, rule, root)


@pytest.mark.parametrize("rule", ALL_RULES, ids=by_name)
def test_names_codes_and_texts_are_well_formed(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
    assert re.fullmatch(r"D[A-Z]\d{3}", rule.code)
    assert rule.code[:2] in dict(FAMILIES)
    assert not rule.summary.endswith(".")
    assert rule.what.endswith(".")
    assert rule.why.endswith(".")


def test_names_and_codes_are_unique() -> None:
    assert len({rule.name for rule in ALL_RULES}) == len(ALL_RULES)
    assert len({rule.code for rule in ALL_RULES}) == len(ALL_RULES)


def test_a_legality_rule_has_the_name_of_its_check() -> None:
    checks = [
        pair
        for legality in VOCABULARY.values()
        for pair in (*legality.checks.items(), *legality.joint_checks.items())
    ]
    for rule, check in checks:
        name = check.__name__.removeprefix("check_").removesuffix("_in_reserves")
        assert rule.name == name.replace("_", "-")


def test_long_examples_are_cut_and_printable() -> None:
    assert shown_deck("x\n" * 100) == "x\nx\n... 98 more lines"
    assert shown_deck("a\0b\udce9\n") == "a\\x00b\\udce9"
