"""Text decks: headers, sections, headings and comments."""

import pytest

from deckcheck.cards import game_ids, load_database
from deckcheck.decks import Deck, DeckText, Reading, parse_decks, read_deck, resolve
from deckcheck.decks.text import parse_text
from deckcheck.decks.words import _BELOW_HEADING, header_words
from deckcheck.findings import Finding, Position, Span

# Headings, and cards that look like one: none may count nowhere without a word.

HEAD = "Leader: Foltest, The Siegemaster\n\n"


def resolved(text: str) -> tuple[Deck, tuple[Finding, ...]]:
    db = load_database("gwent")
    [raw] = parse_decks(DeckText("siege.deck", text))
    reading = read_deck(raw, db)
    deck, findings = resolve(reading, db)
    return deck, (*reading.findings, *findings)


@pytest.mark.parametrize(
    "line",
    ["3 Scorch:", "3x Scorch :", "x3 Scorch:", "(3) Scorch:", "３ Scorch："],
)
def test_a_line_with_a_count_is_no_heading(line: str) -> None:
    deck, findings = resolved(f"{HEAD}Units (5):\n{line}\n2 Ballista\n")

    assert dict(deck.counts()) == {"scorch": 3, "ballista": 2}
    assert findings == ()


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("Scorch x2:", "`# Scorch x2`"),
        ("Row 1:", "`# Row 1`"),
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
    deck, findings = resolved(f"{HEAD}{title}:\n2 Ballista\n")

    assert dict(deck.counts()) == {"ballista": 2}
    is_usual = title in ("Siege", "Einheiten")
    assert [each.name for each in findings] == ([] if is_usual else ["own-heading"])


@pytest.mark.parametrize("game", game_ids())
def test_no_word_of_headings_and_headers_is_a_card(game: str) -> None:
    """Else a card could be read as one of these, and counted nowhere."""
    db = load_database(game)
    words = {*_BELOW_HEADING, *(word.lower() for word in header_words())}

    assert not [word for word in words if db.find_card(word, suggest=False).id]


def test_the_name_of_a_card_before_a_colon_is_no_header() -> None:
    _, [finding] = resolved("Scorch: all of them\n2 Ballista\n")

    assert (finding.name, finding.severity) == ("unknown-card", "error")


# Text decks: headers, sections, comments, separators, positions.


def one(text: str) -> Reading:
    [deck] = parse_text(text, "a.deck")
    return read_deck(deck, None)


def cards(deck: Reading) -> list[tuple[int, str]]:
    return [(entry.count, entry.name) for entry in deck.entries]


def names(deck: Reading) -> list[str]:
    return [finding.name for finding in deck.findings]


def test_the_deck_of_the_documentation() -> None:
    deck = one(
        "# comment            // comment too\n"
        "Name: Siege masters\n"
        "Format: gwent/advanced\n"
        "Faction: Northern Realms\n"
        "Leader: Foltest, The Siegemaster\n"
        "\n"
        "3 Blue Stripes Commando\n"
        "2x Catapult\n"
        "Ballista x2\n"
        "Geralt of Rivia\n"
    )

    assert {key: found[0].value for key, found in deck.headers.items()} == {
        "name": "Siege masters",
        "format": "gwent/advanced",
        "faction": "Northern Realms",
        "leader": "Foltest, The Siegemaster",
    }
    assert cards(deck) == [
        (3, "Blue Stripes Commando"),
        (2, "Catapult"),
        (2, "Ballista"),
        (1, "Geralt of Rivia"),
    ]
    assert deck.findings == ()


def test_positions_are_characters_counted_from_one() -> None:
    deck = one("Name: \u00e9\u00e8\r\n\t3x  Catapult  # here\r\n")

    assert deck.headers["name"][0].span == Span(Position(1, 7), Position(1, 9))
    assert deck.entries[0].span == Span(Position(2, 6), Position(2, 14))


@pytest.mark.parametrize(
    "end", ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"]
)
def test_lines_may_end_in_any_way(end: str) -> None:
    deck = one(end.join(["Name: X", "", "2 Catapult", "3 Ballista"]))

    assert cards(deck) == [(2, "Catapult"), (3, "Ballista")]
    assert [entry.span.start for entry in deck.entries] == [(3, 3), (4, 3)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ballista # the best", "Ballista"),
        ("Ballista\t# the best", "Ballista"),
        ("Ballista // the best", "Ballista"),
        ("Ballista  #best", "Ballista"),
        ("Ballista # expect: unknown-card", "Ballista"),
        ("Ballista # deckcheck: ignore[too-many-copies]", "Ballista"),
        ("Fire//Ice", "Fire//Ice"),
        ("C#minor", "C#minor"),
    ],
)
def test_comments_start_after_a_space(line: str, expected: str) -> None:
    assert [entry.name for entry in one(line).entries] == [expected]


@pytest.mark.parametrize(
    ("text", "headers", "found"),
    [
        # What belongs to a value, and is no comment.
        ("Name: Deck #2\nRoach", {"name": ["Deck #2"]}, []),
        ("Source: https://example.org\nX", {"source": ["https://example.org"]}, []),
        ("LEADER : A\nfaction:B\n", {"leader": ["A"], "faction": ["B"]}, []),
        ("Crone: Brewess\n2 Vampire: Bruxa\n", {}, []),
        # The format says how many leaders there may be.
        ("Leader: A\nLeader: B\n", {"leader": ["A", "B"]}, []),
        ("Leader:   # later\nRoach\n", {}, ["empty-header"]),
        ("Roach\nLeader: A\n", {"leader": ["A"]}, ["late-header"]),
        ("Leadr: A\nFormat: x\nRoach\n", {"format": ["x"]}, []),
    ],
)
def test_headers(text: str, headers: dict[str, list[str]], found: list[str]) -> None:
    deck = one(text)

    assert {
        key: [header.value for header in given] for key, given in deck.headers.items()
    } == headers
    assert names(deck) == found


def test_full_width_forms_and_odd_spaces_are_read() -> None:
    text = "\ufeff\uff2e\uff41\uff4d\uff45\uff1aX\n\uff13\uff58\u3000Catapult\u200b\n"

    deck = one(text)

    assert deck.headers["name"][0].value == "X"
    assert cards(deck) == [(3, "Catapult")]
    assert deck.entries[0].span.start == Position(2, 4)


@pytest.mark.parametrize(
    "line",
    [
        "Units:",
        "Specials (5)",
        "Special cards (5):",
        "Specials: 5",
        "Weather",
        "Heroes - none:",
        "Anything at all:",
        "close combat (10)",
    ],
)
def test_section_lines_hold_no_card(line: str) -> None:
    deck = one(f"{line}\nBallista\n")

    assert cards(deck) == [(1, "Ballista")]
    assert deck.findings == ()
    assert len(deck.sections) == 1


def test_a_section_is_remembered_by_its_title() -> None:
    deck = one("Name: X\nUnits (22)\nBallista\n")

    assert deck.sections == {"units": Span(Position(2, 1), Position(2, 11))}


def test_a_card_with_its_count_in_brackets_is_no_section() -> None:
    deck = one("Ballista (2)")

    assert names(deck) == ["unreadable-line"]
    assert deck.unread == 1


def test_decks_are_parted_by_lines_of_dashes() -> None:
    decks = parse_text("---\nName: A\nX\n---\n\n-----\n# none\n---\nName: B\n", "a")

    assert [deck.headers["name"][0].value for deck in decks] == ["A", "B"]
    assert [deck.source.index for deck in decks] == [0, 1]
    assert decks[1].span.start == Position(9, 7)


def test_a_text_without_any_line_is_no_deck() -> None:
    assert parse_text("\n  \n# only a comment\n// and another\n---\n", "a") == []


def test_a_header_given_twice_is_reported_and_the_first_one_first() -> None:
    deck = one("Name: A\nName: B\nBallista\n")

    assert names(deck) == ["duplicate-header"]
    assert deck.findings[0].span.start == Position(2, 1)
    assert deck.findings[0].related[0].span.start == Position(1, 7)
    assert [header.value for header in deck.headers["name"]] == ["A", "B"]


def test_unreadable_lines_count_nowhere_but_are_known() -> None:
    deck = one("-3 Ballista\n3 Ballista x2\nCatapult\n")

    assert names(deck) == ["impossible-count", "unreadable-line"]
    assert cards(deck) == [(1, "Catapult")]
    assert deck.unread == 2


def test_the_count_is_what_a_bad_count_points_at() -> None:
    [finding] = one("  2147483648x Ballista\n").findings

    assert finding.span == Span(Position(1, 3), Position(1, 13))


def test_a_very_long_line_is_unreadable() -> None:
    deck = one("Ballista\n" + "x" * 501)

    assert names(deck) == ["unreadable-line"]
    assert "501 characters, at most 500 allowed" in deck.findings[0].message


def test_findings_of_the_whole_deck_point_at_its_name_else_its_first_line() -> None:
    assert one("# c\nName: X\nLeader: Y\n").span.start == Position(2, 7)
    assert one("# c\nLeader: Y\n").span.start == Position(2, 9)
    assert one("\n\n  Ballista\n").span.start == Position(3, 3)
