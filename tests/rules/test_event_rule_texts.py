"""The examples of findings about events: built as they say, and judged."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.findings import Rule
from deckcheck.rules import EVENT_RULES

DECKS = card_db_root().parent / "decks" / "gwent" / "standard"

LIST = re.compile(r"^# lists/(?P<name>[^:\n]+)(?:: (?P<how>.+))?$", re.MULTILINE)
LATER = re.compile(r"^# after the seal: (?P<what>.+)$", re.MULTILINE)


def _set_tool(seal: Path) -> None:
    content = json.loads(seal.read_text(encoding="utf-8"))
    content["seals"][-1]["tool"] = "0.1.9"
    seal.write_text(json.dumps(content), encoding="utf-8")


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
    "deckcheck has changed": lambda folder: _set_tool(folder / "seal.json"),
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


@pytest.mark.parametrize("rule", EVENT_RULES, ids=lambda rule: rule.name)
def test_the_bad_event_has_the_finding(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert rule.name in found_in(rule.bad, tmp_path)


def test_the_good_event_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    [good] = {rule.good for rule in EVENT_RULES}

    assert found_in(good, tmp_path) == set()


def test_a_rule_about_events_says_so() -> None:
    assert {rule.about for rule in EVENT_RULES} == {"event"}
    assert {rule.code[:2] for rule in EVENT_RULES} == {"DE"}
