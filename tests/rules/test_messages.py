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
        SIZED + "2 Knight\nArcher\n",
        *("3 unit cards, at least 4 required", "Add 1 unit card"),
    ),
    (
        SIZED + "3 Archer\nWanderer\n3 Trap\n2 War Horn\n",
        *("5 special cards, at most 2 allowed", "Remove 3 special cards"),
    ),
    (
        SIZED + "2 Knight\nArcher\n2 Thief\n",
        *("2 spy cards, at most 1 allowed", "Remove 1 spy card"),
    ),
    (
        SIZED + "3 Archer\nKing\n",
        *("4 hero cards, at most 3 allowed", "Remove 1 hero card"),
    ),
    (
        SIZED + "2 Archer\n2 Knight\nKing\n",
        "Total strength 30, at most 25 allowed",
        "Remove or replace cards to lower the total by 5",
    ),
    (
        SIZED.replace("Bold", "Sly") + "3 Pirate\nWanderer\n",
        "Total strength 14, at least 15 required",
        "Add or replace cards to raise the total by 1",
    ),
    (
        OPEN + "4 Knight\n",
        *("4 copies of `Knight`, at most 2 allowed", "Remove 2 copies of `Knight`"),
    ),
    (
        OPEN + "Shadow\n",
        "1 copy of `Shadow`, none allowed in a deck",
        "Remove it: another card brings it into play from the side deck",
    ),
    (
        OPEN + "Archer\n2 Pirate\n",
        "`Pirate` is a South card, only North and neutral cards allowed",
        "Remove 2 copies of `Pirate`",
    ),
    (
        OPEN + "3 Pirate\nCaptain\nMonk\n",
        "5 cards of other factions, only North and neutral cards allowed",
        "No card of the deck belongs to North: correct the faction or the leader",
    ),
    (
        OPEN.replace("Bold", "Bold\nLeader: Sly") + "Archer\n",
        "2 leaders, exactly 1 allowed",
        "Keep 1, or write `---` between two decks",
    ),
    (
        OPEN.replace("Leader: Bold", "Faction: North") + "Archer\n",
        "No leader, exactly 1 required",
        "Write a line `Leader: ...` above the cards",
    ),
    (
        OPEN.replace("Bold", "Sly\nFaction: North") + "Archer\n",
        "`Sly, The Small` leads South, only leaders of North allowed",
        "Name a leader of the faction, or correct the faction",
    ),
    (
        OPEN.replace("open", "whole") + "3 Archer\nKing\n",
        "4 of 12 cards of North listed, all or none required",
        "Remove all cards to have them filled in, or add `Knight`, `Thief`, "
        "`Wanderer` and 1 more",
    ),
)


def test_message_and_help() -> None:
    for deck, message, help in MESSAGES:
        finding = only(deck)
        assert (finding.message, finding.help) == (message, help), deck


def test_notes_of_findings() -> None:
    assert only(SIZED + "3 Archer\nWanderer\n3 Trap\n").notes == (
        "Rule `specials` of tiny/sized (2025-10), tiny 3.2, from "
        "tiny/formats/sized.yaml",
    )
    inherited = only(SIZED + "3 Knight\nThief\n").notes[0]
    assert "from tiny/formats/open.yaml" in inherited
    leaders = OPEN.replace("Leader: Bold", "Faction: North") + "Archer\n"
    assert only(leaders).notes[0] == "Leaders of North: Bold, The Tall"
    unread = findings(SIZED + "2 Archr\nKnight\n")
    [too_few] = [finding for finding in unread if finding.name == "too-few-cards"]
    assert too_few.notes[0] == "Lines and names that could not be read are not counted"


def test_the_other_lines_that_count_are_related() -> None:
    finding = only(SIZED + "3 Archer\nWanderer\n2 Trap\n1 War Horn\n")

    assert finding.span.start.line == 8
    assert [(r.span.start.line, r.message) for r in finding.related] == [(7, "2 here")]


def test_mixed_factions_are_counted() -> None:
    deck = OPEN.replace("Leader: Bold\n", "") + "2 Archer\nPirate\nMonk\n"

    missing, mixed = findings(deck)
    assert missing.name == "missing-leader"
    assert mixed.message == "Cards of 3 factions, 1 allowed (North 2, South 1, East 1)"
    assert [r.message for r in mixed.related] == ["North card", "East card"]


LINEUP = "Name: One\nFormat: tiny/lineup\nLeader: Bold\n\nWanderer\n"
TABLE = "Name: One\nFormat: tiny/table\nLeader: Bold\n\nArcher\n"
SECOND = "---\nName: Two\nLeader: Sly\n\nPirate\n"


def test_messages_about_decks_together() -> None:
    add = "Add 1 deck, each after a line `---` or in the list `decks`"
    for text, message, help in (
        (LINEUP, "Found 1 deck, a lineup lineup holds 2 to 3", add),
        (TABLE + SECOND, "Found 2 decks, a table table holds 3", add),
        (TABLE + 3 * SECOND, "Found 4 decks, a table table holds 3", "Remove 1 deck"),
        (
            LINEUP + SECOND.replace("Sly", "Bold").replace("Pirate", "Archer"),
            "2 North decks in a lineup, 1 allowed",
            "Choose a faction other than North for this deck",
        ),
        (
            LINEUP + SECOND.replace("Pirate", "Wanderer"),
            "`Wanderer` is in 2 decks of a lineup, 1 allowed",
            "Keep `Wanderer` in one deck and replace it here",
        ),
    ):
        finding = only(text)
        assert (finding.message, finding.help) == (message, help), text


def test_decks_that_clash_are_related() -> None:
    finding = only(LINEUP + SECOND.replace("Pirate", "Wanderer"))

    assert finding.span.start.line == 10
    (related,) = finding.related
    assert (related.span.start.line, related.message) == (5, "also in `One`")


def test_decks_of_other_formats_are_mentioned() -> None:
    text = LINEUP + SECOND.replace("Name: Two", "Name: Two\nFormat: tiny/open")
    (finding,) = findings(text)

    assert finding.notes[0] == "The file holds 1 deck of other formats"


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
