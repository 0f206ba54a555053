"""Text decks: headers, sections, headings and comments."""

import pytest

from deckcheck.cards import game_ids, load_database
from deckcheck.decks import Deck, DeckText, Reading, parse_decks, read_deck, resolve
from deckcheck.decks.text import parse_text
from deckcheck.decks.words import _BELOW_BY_WORDS, header_words
from deckcheck.findings import Finding, Position

# Headings, and cards that look like one: none may count nowhere without a word.

HEAD = "Leader: Foltest, The Siegemaster\n\n"


def resolved(text: str) -> tuple[Deck, tuple[Finding, ...]]:
    db = load_database("gwent")
    [raw] = parse_decks(DeckText("siege.deck", text))
    reading = read_deck(raw, db)
    deck, findings = resolve(reading, db)
    return deck, (*reading.findings, *findings)


COUNTED = ("3 Scorch:", "3x Scorch :", "x3 Scorch:", "(3) Scorch:", "３ Scorch：")


def test_a_line_with_a_count_is_no_heading() -> None:
    for line in COUNTED:
        deck, findings = resolved(f"{HEAD}Units (5):\n{line}\n2 Ballista\n")
        assert dict(deck.counts()) == {"scorch": 3, "ballista": 2}, line
        assert findings == (), line


@pytest.mark.parametrize("game", game_ids())
def test_no_word_of_headings_and_headers_is_a_card(game: str) -> None:
    """Else a card could be read as one of these, and counted nowhere."""
    db = load_database(game)
    words = {*_BELOW_BY_WORDS, *(word.lower() for word in header_words())}

    assert not [word for word in words if db.find_card(word, suggest=False).id]


# Text decks: headers, sections, comments, separators, positions.


def one(text: str) -> Reading:
    [deck] = parse_text(text, "a.deck")
    return read_deck(deck, None)


def cards(deck: Reading) -> list[tuple[int, str]]:
    return [(entry.count, entry.name) for entry in deck.entries]


def names(deck: Reading) -> list[str]:
    return [finding.name for finding in deck.findings]


def test_lines_may_end_in_any_way() -> None:
    for end in ("\n", "\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"):
        deck = one(end.join(["Name: X", "", "2 Catapult", "3 Ballista"]))
        assert cards(deck) == [(2, "Catapult"), (3, "Ballista")], repr(end)
        starts = [entry.span.start for entry in deck.entries]
        assert starts == [(3, 3), (4, 3)], repr(end)


def test_comments_start_after_a_space() -> None:
    for comment in (" # best", "\t# best", " // best", "  #best", " # expect: typo"):
        [entry] = one(f"Ballista{comment}").entries
        assert entry.name == "Ballista", comment
    for name in ("Fire//Ice", "C#minor"):
        assert [entry.name for entry in one(name).entries] == [name]


def test_headers() -> None:
    for text, headers, found in (
        # What belongs to a value is not a comment.
        ("Name: Deck #2\nRoach", {"name": ["Deck #2"]}, []),
        ("Source: https://example.org\nX", {"source": ["https://example.org"]}, []),
        ("LEADER : A\nfaction:B\n", {"leader": ["A"], "faction": ["B"]}, []),
        ("Crone: Brewess\n2 Vampire: Bruxa\n", {}, []),
        # The format says how many leaders there may be.
        ("Leader: A\nLeader: B\n", {"leader": ["A", "B"]}, []),
        ("Leader:   # later\nRoach\n", {}, ["empty-header"]),
        ("Roach\nLeader: A\n", {"leader": ["A"]}, ["late-header"]),
        ("Leadr: A\nFormat: x\nRoach\n", {"format": ["x"]}, []),
    ):
        deck = one(text)
        given = {key: [h.value for h in each] for key, each in deck.headers.items()}
        assert (given, names(deck)) == (headers, found), text


def test_full_width_forms_and_odd_spaces_are_read() -> None:
    text = "\ufeff\uff2e\uff41\uff4d\uff45\uff1aX\n\uff13\uff58\u3000Catapult\u200b\n"

    deck = one(text)

    assert deck.headers["name"][0].value == "X"
    assert cards(deck) == [(3, "Catapult")]
    assert deck.entries[0].span.start == Position(2, 4)


def test_decks_are_parted_by_lines_of_dashes() -> None:
    decks = parse_text("---\nName: A\nX\n---\n\n-----\n# none\n---\nName: B\n", "a")

    assert [deck.headers["name"][0].value for deck in decks] == ["A", "B"]
    assert [deck.source.index for deck in decks] == [0, 1]
    assert decks[1].span.start == Position(9, 7)
    # A text without any line is no deck.
    assert parse_text("\n  \n# only a comment\n// and another\n---\n", "a") == []


def test_unreadable_lines_count_nowhere_but_are_known() -> None:
    deck = one("-3 Ballista\n3 Ballista x2\nCatapult\nBallista (2)\n" + "x" * 501)

    assert names(deck) == ["impossible-count", *["unreadable-line"] * 3]
    assert (cards(deck), deck.unread_lines) == ([(1, "Catapult")], 4)
