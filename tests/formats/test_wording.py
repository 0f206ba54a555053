"""Formats in sentences, on pages and in schemas."""

import doctest
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from deckcheck.cards import load_database
from deckcheck.cards.models import Card, CardChange
from deckcheck.documents.readers import read_yaml
from deckcheck.formats import database_of, format_ids, load_format
from deckcheck.formats.wording import describe_limits, list_changed_cards
from tools.schemas import format_schema

# The limits of a format in sentences.

LEAGUE = """\
title: League
extends: gwent/standard
snapshot: 2026-01
constraints:
  units: {min: 24, max: 24}
  specials: {min: 2}
  few: {rule: restricted, cards: [decoy, scorch], max: 1}
  none: {rule: banned, cards: [villentretenmerth], leaders: [eredin_bringer_of_death]}
  far: {rule: count, rows: [siege, ranged], factions: [neutral], max: 3}
"""


def in_words(id: str) -> list[str]:
    fmt = load_format(id)
    return describe_limits(fmt, database_of(fmt))


@pytest.mark.parametrize("id", format_ids())
def test_every_format_of_ours_can_be_told(id: str) -> None:
    told = in_words(id)

    assert len(told) == len(load_format(id).constraints)
    assert not any(line.endswith(".") or "_" in line for line in told)


def test_a_single_deck_of_a_team_is_said() -> None:
    assert "2 decks in one team, or a single deck" in in_words("gwent/two_vs_two")


def test_a_league_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "league.yaml"
    file.write_text(LEAGUE, encoding="utf-8")
    told = in_words(str(file))

    assert "Exactly 24 unit and hero cards" in told
    assert "2 to 10 special and weather cards" in told
    assert "At most 1 copy of each of these: Decoy and Scorch" in told
    assert "Banned: Villentretenmerth; Eredin, Bringer of Death" in told
    assert "At most 3 Neutral cards for siege or ranged" in told


ROOT = Path(__file__).parents[2]


def test_the_python_examples_of_the_page_about_cards() -> None:
    page = ROOT / "docs" / "reference" / "card-database.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)

    assert (failed, attempted > 0) == (0, True)


# The formats on the pages pass the schema that editors get, and are read.

PAGES = [
    ROOT / "docs" / "reference" / "formats.md",
    ROOT / "docs" / "how-to" / "house-rules.md",
]
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(
        r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL
    )
    if block.startswith("title:")
]


def test_the_examples_pass_the_schema() -> None:
    schema = format_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert len(BLOCKS) >= 5
    for block in BLOCKS:
        errors = validator.iter_errors(read_yaml(block).data)
        assert [error.message for error in errors] == [], block


def test_what_is_wrong_does_not_pass() -> None:
    validator = jsonschema.Draft202012Validator(format_schema())
    rule = "title: A\nconstraints:\n  a: {rule: points, points: "
    for block in (
        "title: A\nconstraint: {}\n",
        rule + "{decoy: 0}, max: 3}\n",
        rule + "{decoy: 1}}\n",
        "title: A\nhistory:\n- {snapshot: 2026-01, constraints: {a: {rule: none}}}\n",
    ):
        assert list(validator.iter_errors(read_yaml(block).data)), block


# Cards of two formats, by the changes of the sets of each.

CATAPULT = load_database("gwent").cards["catapult"]
STRONG, STRONGER = replace(CATAPULT, strength=10), replace(CATAPULT, strength=12)
NONE: list[CardChange] = []


def change(was: Card | None, now: Card | None) -> list[CardChange]:
    return [CardChange(was, now, "set.yaml", is_own=True)]


def test_cards_that_differ() -> None:
    stronger, gone = change(CATAPULT, STRONG), change(CATAPULT, None)
    added = change(None, CATAPULT)
    for before, after, words in (
        (NONE, stronger, "strength 10, not 8"),
        (stronger, NONE, "strength 8, not 10"),
        (stronger, change(CATAPULT, STRONGER), "strength 12, not 10"),
        (stronger, stronger, None),
        *((NONE, gone, "left out"), (stronger, gone, "left out"), (gone, NONE, "new")),
        *((gone, stronger, "new"), (gone, gone, None), (NONE, added, "new")),
        *((added, NONE, "left out"), (NONE, NONE, None)),
        (added, change(None, STRONG), "strength 10, not 8"),
    ):
        lines = [] if words is None else [f"card `Catapult`: {words}"]
        assert list_changed_cards(before, after) == lines, (before, after)
