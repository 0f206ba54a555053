"""What findings say of decks."""

import re
from collections import Counter
from pathlib import Path

import pytest
from helpers.findings import validate_files, validate_text

from deckcheck.findings import Finding
from deckcheck.rules import LEGALITY_RULES

# What findings say: numbers found and allowed, the rule, what to do.

ROOT = Path(__file__).parent / "card_db"


def findings(text: str) -> tuple[Finding, ...]:
    return validate_text(text, "a.deck", root=ROOT).findings


def only(text: str) -> Finding:
    [finding] = findings(text)
    return finding


SIZED = "Name: X\nFormat: tiny/sized\nLeader: Bold\n\n"
OPEN = "Name: X\nFormat: tiny/open\nLeader: Bold\n\n"


MESSAGES = (
    (
        SIZED + "3 Archer\nKing\n",
        *("4 hero cards, at most 3 allowed", "Remove 1 hero card"),
    ),
    (
        SIZED.replace("Bold", "Sly") + "3 Pirate\nWanderer\n",
        "Total strength 14, at least 15 required",
        "Add or replace cards to raise the total by 1",
    ),
    (
        OPEN + "3 Pirate\nCaptain\nMonk\n",
        "5 cards of other factions, only North and neutral cards allowed",
        "No card of the deck belongs to North: correct the faction or the leader",
    ),
    (
        OPEN.replace("open", "whole") + "3 Archer\nKing\n",
        "4 of 12 cards of North listed, all or none required",
        "Remove all cards to have them filled in, or add `Knight`, `Thief`, "
        "`Wanderer` and 1 more",
    ),
    (
        "Format: camp/open\nFaction: North\n\nShepherd\nSheepdog\n"
        "Reserves:\nGossip\nSheep\n",
        "`Shepherd` and `Sheepdog` bring 4 copies of `Sheep`, 1 in the reserves",
        "Add 2 copies of `Sheep` below `Reserves:`",
    ),
)


def test_message_and_help() -> None:
    for deck, message, help in MESSAGES:
        finding = only(deck)
        assert (finding.message, finding.help) == (message, help), deck


def test_mixed_factions_are_counted() -> None:
    deck = OPEN.replace("Leader: Bold\n", "") + "2 Archer\nPirate\nMonk\n"

    missing, mixed = findings(deck)
    assert missing.name == "missing-leader"
    assert mixed.message == "Cards of 3 factions, 1 allowed (North 2, South 1, East 1)"
    assert [r.message for r in mixed.related] == ["North card", "East card"]


def test_a_deck_that_cannot_be_read_may_be_the_missing_one() -> None:
    text = "decks: [{name: One, format: tiny/lineup, leader: Bold}, 3]"
    run = validate_text(text, "a.yaml", root=ROOT)

    assert [finding.name for finding in run.findings] == ["malformed-deck"]


# Every deck of `decks/` gets the findings that its comments expect, and no others.

HERE = Path(__file__).parent
DECKS = sorted((HERE / "decks").glob("*.deck"))

_EXPECTED = re.compile(r"# expect: (?P<names>.+)$")


def expected_findings(deck: Path) -> Counter[tuple[int, str]]:
    """How often each finding is expected, by line and name."""
    found: Counter[tuple[int, str]] = Counter()
    for number, line in enumerate(deck.read_text("utf-8").splitlines(), start=1):
        match = _EXPECTED.search(line)
        if match is not None:
            found.update((number, name) for name in match["names"].split(", "))
    return found


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.stem)
def test_a_deck_gets_the_findings_it_expects(deck: Path) -> None:
    run = validate_files([deck], root=HERE / "card_db")

    assert expected_findings(deck) == Counter(
        (finding.span.start.line, finding.name) for finding in run.findings
    )


def test_every_legality_rule_has_a_deck() -> None:
    shown = {name for deck in DECKS for _, name in expected_findings(deck)}

    assert {rule.name for rule in LEGALITY_RULES} <= shown
