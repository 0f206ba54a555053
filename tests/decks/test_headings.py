"""Headings, and cards that look like one: none may count nowhere without a word."""

from __future__ import annotations

import pytest

from deckcheck.cards import game_ids, load_database
from deckcheck.decks import Deck, DeckText, counted, parse_decks, resolve
from deckcheck.decks.model import _SECTIONS, header_words
from deckcheck.findings import Finding

HEAD = "Leader: Foltest, The Siegemaster\n\n"


def resolved(text: str) -> tuple[Deck, tuple[Finding, ...]]:
    db = load_database("gwent")
    [raw] = parse_decks(DeckText("siege.deck", text))
    raw = counted(raw, db)
    deck, findings = resolve(raw, db)
    return deck, (*raw.findings, *findings)


@pytest.mark.parametrize(
    "line",
    ["3 Scorch:", "3x Scorch :", "x3 Scorch:", "(3) Scorch:", "３ Scorch："],
)
def test_a_line_with_a_count_is_no_heading(line: str) -> None:
    deck, findings = resolved(f"{HEAD}Units (8):\n{line}\n2 Ballista\n")

    assert dict(deck.counts()) == {"scorch": 3, "ballista": 2}
    assert findings == ()


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("Scorch x2:", "`# Scorch x2`"),
        ("Row 1:", "`# Row 1`"),
        ("My spies (3):", "`# My spies (3)`"),
    ],
)
def test_nor_is_one_with_a_count_behind(line: str, help: str) -> None:
    deck, [finding] = resolved(f"{HEAD}{line}\n2 Ballista\n")

    assert finding.name == "unknown-card"
    assert finding.help == (f"Remove the colon, or write {help} if this is a heading")
    assert deck.unread > 0


@pytest.mark.parametrize(
    ("line", "severity", "message"),
    [
        ("Scorch:", "error", "is the name of a card: `Scorch`"),
        ("biting frost :", "error", "is the name of a card: `Biting Frost`"),
        ("Klirrende Kälte:", "error", "is the name of a card: `Biting Frost`"),
        ("Scorhc:", "warning", "is nearly the name of a card: `Scorch`"),
    ],
)
def test_the_name_of_a_card_is_no_heading_without_a_finding(
    line: str, severity: str, message: str
) -> None:
    deck, [finding] = resolved(f"{HEAD}{line}\n2 Ballista\n")

    assert (finding.name, finding.severity) == ("card-as-heading", severity)
    assert finding.message == f"The heading {message}"
    assert finding.span.start.line == HEAD.count("\n") + 1
    assert dict(deck.counts()) == {"ballista": 2}


@pytest.mark.parametrize(
    "title", ["My spies", "Decoys", "Vampires", "Healers", "Siege", "Einheiten"]
)
def test_what_is_like_no_card_is_a_heading(title: str) -> None:
    assert resolved(f"{HEAD}{title}:\n2 Ballista\n")[1] == ()


@pytest.mark.parametrize("game", game_ids())
def test_no_word_of_headings_and_headers_is_a_card(game: str) -> None:
    """Else a card could be read as one of these, and counted nowhere."""
    db = load_database(game)
    words = {*_SECTIONS, *(word.lower() for word in header_words())}

    assert not [word for word in words if db.find_card(word, suggest=False).id]


def test_the_name_of_a_card_before_a_colon_is_no_header() -> None:
    _, [finding] = resolved("Scorch: all of them\n2 Ballista\n")

    assert (finding.name, finding.severity) == ("unknown-card", "error")
