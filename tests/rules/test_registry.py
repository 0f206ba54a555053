"""The texts and examples of all rules."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.decks import decode_deck
from deckcheck.findings import Rule
from deckcheck.formats.rules import VOCABULARY
from deckcheck.rules import (
    ALL_RULES,
    DECK_RULES,
    explain,
    explanations,
    in_words,
    shown_deck,
)
from deckcheck.validation import Validator
from tools.pages import FAMILIES

# The examples of findings about events: built as they say, and judged.

DECKS = card_db_root().parent / "decks" / "gwent" / "standard"

LIST = re.compile(r"^# lists/(?P<name>[^:\n]+)(?:: (?P<how>.+))?$", re.MULTILINE)
LATE = re.compile(r"^# collected late: (?P<list>.+)$", re.MULTILINE)
LATER = re.compile(r"^# after the seal: (?P<what>.+)$", re.MULTILINE)


def _change_cards(root: Path) -> None:
    cards = root / "gwent" / "cards.yaml"
    text = cards.read_text(encoding="utf-8")
    assert "strength: 15" in text
    cards.write_text(text.replace("strength: 15", "strength: 14"), encoding="utf-8")


def _replace_format(event: Path) -> None:
    text = event.read_text(encoding="utf-8")
    event.write_text(text.replace("standard", "advanced"), encoding="utf-8")


CHANGES: dict[str, Callable[[Path], object]] = {
    "lists/ben_ito.deck has changed": lambda folder: (
        (folder / "lists/ben_ito.deck").open("a", encoding="utf-8").write("# late\n")
    ),
    "lists/Ben Ito.txt is new": lambda folder: shutil.copy(
        folder / "lists/ben_ito.deck", folder / "lists/Ben Ito.txt"
    ),
    "lists/ben_ito.deck is gone": lambda folder: (
        folder / "lists/ben_ito.deck"
    ).unlink(),
    "format has changed to gwent/advanced": lambda folder: _replace_format(
        folder / "event.toml"
    ),
    "card data has changed": lambda folder: _change_cards(folder / "db"),
    "the salts are not named": lambda folder: None,
}


def found_in(example: str, folder: Path) -> set[str]:
    """The findings about the event that an example describes."""
    (folder / "lists").mkdir()
    shutil.copytree(card_db_root() / "gwent", folder / "db" / "gwent")
    (folder / "event.toml").write_text(example, encoding="utf-8")
    texts = [deck.read_text(encoding="utf-8") for deck in sorted(DECKS.glob("*.deck"))]
    for match, text in zip(LIST.finditer(example), texts, strict=False):
        how = match["how"]
        shown = {
            None: text,
            "two decks": f"{text}---\n{texts[-1]}",
            "the cards of anna_nowak.deck": f"# A copy.\n{texts[0]}",
            "by Anna Nowak": f"Player: Anna Nowak\n{text}",
        }[how]
        (folder / "lists" / match["name"]).write_text(shown, encoding="utf-8")
    if late := LATE.search(example):
        (folder / "inbox.csv").write_text(
            'time,player,list\n2025-12-05 22:00,Ben Ito,"'
            + texts[1].replace('"', '""')
            + '"\n',
            encoding="utf-8",
        )
        (folder / late["list"]).unlink()
        main(["collect", "inbox.csv", "event.toml"])
    words = ["event", "event.toml", "-qq"]
    later = [match["what"] for match in LATER.finditer(example)]
    if later:
        assert main([*words, "--seal", "seal.json", "--salts", "salts.json"]) == 0
        words += ["--verify", "seal.json"]
    if later and later != ["the salts are not named"]:
        words += ["--salts", "salts.json"]
    for what in later:
        CHANGES[what](folder)
    main([*words, "--card-db", "db", "--output-format", "jsonl:found"])
    lines = (folder / "found").read_text(encoding="utf-8").splitlines()
    return {json.loads(line)["name"] for line in lines}


EVENT_RULES = [rule for rule in ALL_RULES if rule.about == "event"]


@pytest.mark.parametrize("rule", EVENT_RULES, ids=lambda rule: rule.name)
def test_the_bad_event_has_the_finding(rule: Rule, here: Path) -> None:

    assert rule.name in found_in(explain(rule).bad, here)


def test_the_good_event_has_none(here: Path) -> None:
    [good] = {explain(rule).good for rule in EVENT_RULES}

    assert found_in(good, here) == set()


# The examples of findings about plans: played as they say.


def plan_rule_texts_found_in(plan: str) -> list[str]:
    Path("plan.toml").write_text(plan)
    main(["expect", "plan.toml", "-q", "--output-format", "gitlab:found.json"])
    return [each["check_name"] for each in json.loads(Path("found.json").read_text())]


PLAN_RULES = [rule for rule in ALL_RULES if rule.about == "plan"]


@pytest.mark.parametrize("rule", PLAN_RULES, ids=lambda rule: rule.name)
def test_the_bad_plan_has_the_finding_and_the_good_one_has_not(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("nr_siege_masters", "mo_swarm"):
        shutil.copy(DECKS / f"{name}.deck", tmp_path)
    monkeypatch.chdir(tmp_path)

    assert plan_rule_texts_found_in(explain(rule).bad) == [rule.name]
    assert plan_rule_texts_found_in(explain(rule).good) == []


# The texts of findings: complete, and true of their own examples.

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


@pytest.fixture(scope="module")
def rule_texts_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
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


SHOWN_ELSEWHERE = {
    "removed-card": "tests/formats/test_sets.py",
    "missing-format": "tests/validation/test_validator.py",
}
"""Findings that no single deck of the standard format has."""


def test_the_bad_deck_has_the_finding_and_the_good_one_has_not(
    rule_texts_root: Path,
) -> None:
    for rule in DECK_RULES:
        shown = explain(rule)
        if rule.name == "ambiguous-card":
            assert "No two cards of Gwent" in shown.what, rule.name
        elif rule.name in {"failed-reading", "same-cards"}:
            # Shown in tests/validation/test_validator.py.
            assert (shown.bad, shown.good) == ("", ""), rule.name
        elif rule.name in SHOWN_ELSEWHERE:
            assert "The example below stands for" in " ".join(shown.what.split())
        else:
            assert rule.name in names_in(shown.bad, rule, rule_texts_root), rule.name
        assert rule.name not in names_in(shown.good, rule, rule_texts_root), rule.name


def test_names_codes_and_texts_are_well_formed() -> None:
    for rule in ALL_RULES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name), rule
        assert re.fullmatch(r"D[A-Z]\d{3}", rule.code), rule
        assert rule.code[:2] in dict(FAMILIES), rule
        assert not rule.summary.endswith("."), rule
        assert explain(rule).what.endswith("."), rule
        assert explain(rule).why.endswith("."), rule
    assert len({rule.name for rule in ALL_RULES}) == len(ALL_RULES)
    assert len({rule.code for rule in ALL_RULES}) == len(ALL_RULES)


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.name)
def test_an_explanation_fits_a_screen(rule: Rule) -> None:
    """With its heading it has at most 24 lines; of the example what differs."""
    *texts, example = in_words(rule)
    bad, good = explain(rule).bad, explain(rule).good

    assert len("\n\n".join([*texts, example]).splitlines()) <= 22
    if bad:
        mended = {line.strip() for line in good.splitlines()}
        added = [line for line in example.splitlines() if line.startswith("    + ")]
        gone = [line for line in example.splitlines() if line.startswith("    - ")]
        assert added or gone
        assert all(line[6:].strip() in mended for line in added if "more" not in line)


def test_every_explanation_is_that_of_a_finding() -> None:
    named = {name for family, _ in FAMILIES for name in explanations(family)}

    assert named - {"all"} == {rule.name for rule in ALL_RULES}


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
