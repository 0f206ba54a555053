"""Text decks: headers, sections, headings and comments."""

import pytest

from deckcheck.cards import game_ids, load_database
from deckcheck.decks import Deck, DeckText, Reading, parse_decks, read_deck, resolve
from deckcheck.decks.text import parse_text
from deckcheck.decks.words import _BELOW_BY_WORDS, header_words
from deckcheck.findings import Finding, Position, Span

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


def test_what_is_like_no_card_is_a_heading() -> None:
    for title in ("My spies", "Decoys", "Vampires", "Healers", "Siege", "Einheiten"):
        deck, findings = resolved(f"{HEAD}{title}:\n2 Ballista\n")
        assert dict(deck.counts()) == {"ballista": 2}, title
        is_usual = title in ("Siege", "Einheiten")
        expected = [] if is_usual else ["own-heading"]
        assert [each.name for each in findings] == expected, title


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


def test_positions_are_characters_counted_from_one() -> None:
    deck = one("Name: \u00e9\u00e8\r\n\t3x  Catapult  # here\r\n")

    assert deck.headers["name"][0].span == Span(Position(1, 7), Position(1, 9))
    assert deck.entries[0].span == Span(Position(2, 6), Position(2, 14))


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


def test_section_lines_hold_no_card() -> None:
    for line in (
        *("Units:", "Specials (5)", "Special cards (5):", "Specials: 5", "Weather"),
        *("Heroes - none:", "Anything at all:", "close combat (10)"),
    ):
        deck = one(f"{line}\nBallista\n")
        assert (cards(deck), deck.findings) == ([(1, "Ballista")], ()), line
        assert len(deck.sections) == 1, line


def test_decks_are_parted_by_lines_of_dashes() -> None:
    decks = parse_text("---\nName: A\nX\n---\n\n-----\n# none\n---\nName: B\n", "a")

    assert [deck.headers["name"][0].value for deck in decks] == ["A", "B"]
    assert [deck.source.index for deck in decks] == [0, 1]
    assert decks[1].span.start == Position(9, 7)
    # A text without any line is no deck.
    assert parse_text("\n  \n# only a comment\n// and another\n---\n", "a") == []


def test_a_header_given_twice_is_reported_and_the_first_one_first() -> None:
    deck = one("Name: A\nName: B\nBallista\n")

    assert names(deck) == ["duplicate-header"]
    assert deck.findings[0].span.start == Position(2, 1)
    assert deck.findings[0].related[0].span.start == Position(1, 7)
    assert [header.value for header in deck.headers["name"]] == ["A", "B"]


def test_unreadable_lines_count_nowhere_but_are_known() -> None:
    deck = one("-3 Ballista\n3 Ballista x2\nCatapult\nBallista (2)\n" + "x" * 501)

    assert names(deck) == ["impossible-count", *["unreadable-line"] * 3]
    assert (cards(deck), deck.unread_lines) == ([(1, "Catapult")], 4)


def test_the_count_is_what_a_bad_count_points_at() -> None:
    [finding] = one("  2147483648x Ballista\n").findings

    assert finding.span == Span(Position(1, 3), Position(1, 13))


def test_findings_of_the_whole_deck_point_at_its_name_else_its_first_line() -> None:
    assert one("# c\nName: X\nLeader: Y\n").span.start == Position(2, 7)
    assert one("# c\nLeader: Y\n").span.start == Position(2, 9)
    assert one("\n\n  Ballista\n").span.start == Position(3, 3)
