"""Names and descriptions resolved to cards, leaders and factions."""

import json
from dataclasses import replace

import pytest
from helpers.findings import validate_text

from deckcheck.cards import CardDatabase, load_database
from deckcheck.decks import Deck, DeckText, parse_decks, read_deck, resolve
from deckcheck.decks.rewriting import Converter, fix_text, format_text, write_decks
from deckcheck.findings import Finding, Position, Severity
from deckcheck.validation import Validator

# Names of cards, factions and leaders.


GWENT = load_database("gwent")


def resolved(text: str, db: CardDatabase = GWENT) -> tuple[Deck, tuple[Finding, ...]]:
    [raw] = parse_decks(DeckText("decks/siege.deck", text))
    return resolve(read_deck(raw, db), db)


def only(findings: tuple[Finding, ...]) -> Finding:
    assert len(findings) == 1, findings
    return findings[0]


def test_names_match_whatever_their_spelling() -> None:
    deck, findings = resolved(
        "Faction: scoia\u2019tael\n"
        "Leader: FRANCESCA findabair the  beautiful\n"
        "eithne\n"
        "2 Dol-Blathanna archer\n"
        "gaunter_odimm_darkness\n"
        "Commander\u2019s Horn\n"
    )

    assert findings == ()
    assert deck.faction == "scoiatael"
    assert deck.leader == "francesca_the_beautiful"
    assert dict(deck.counts()) == {
        "eithne": 1,
        "dol_blathanna_archer": 2,
        "gaunter_odimm_darkness": 1,
        "commanders_horn": 1,
    }


@pytest.mark.parametrize(
    ("headers", "faction"),
    [("", "northern_realms"), ("Faction: Monsters\n", "monsters")],
)
def test_a_leader_tells_the_faction_where_nothing_else_does(
    headers: str, faction: str
) -> None:
    deck, findings = resolved(f"{headers}Leader: The Siegemaster\nRoach\n")

    assert findings == ()
    assert (deck.faction, deck.leader) == (faction, "foltest_the_siegemaster")


@pytest.mark.parametrize(
    ("text", "name", "place", "help"),
    [
        (
            "Faction: Northern Relams\nLeader: The Siegemaster\nBallista\n",
            *("unknown-faction", (1, 10), "Did you mean `Northern Realms`?"),
        ),
        (
            "Leader: Foltest\nBallista\n",
            *("ambiguous-leader", (1, 9), "`Foltest, The Siegemaster`"),
        ),
        # Of another faction: the leaders of the deck.
        (
            "Faction: Monsters\nLeader: Foltest\nKayran\n",
            *("ambiguous-leader", (2, 9), "Write `Eredin, "),
        ),
        (
            "Leader: Foltest, Siegemister\nBallista\n",
            *("unknown-leader", (1, 9), "`Foltest, The Siegemaster`"),
        ),
        (
            "Ballista\nFoltest, The Siegemaster\n",
            *("unknown-card", (2, 1), "A leader is not a card: write `Leader: Foltest"),
        ),
        ("Leadr: Foltest\nRoach\n", "unknown-header", (1, 1), "mean `Leader`?"),
        ("Nme: Foltest\nRoach\n", "unknown-header", (1, 1), "mean `Name`?"),  # not Nome
        ("Colour: blue\nRoach\n", "unknown-header", (1, 1), "as a comment, `# ...`"),
        ("Crone: Brewes\nRoach\n", "unknown-card", (1, 1), "`Crone: Brewess`"),
        # Below the first card everything is a card.
        ("Roach\nLeadr: Foltest\n", "unknown-card", (2, 1), ""),
    ],
)
def test_what_is_unknown_gets_a_suggestion_and_is_not_guessed(
    text: str, name: str, place: tuple[int, int], help: str
) -> None:
    deck, findings = resolved(text)
    finding = only(findings)

    assert (finding.name, finding.span.start) == (name, place)
    assert help in (finding.help or "")
    assert deck.unread == (name == "unknown-card")
    assert name != "unknown-faction" or deck.faction is None
    assert not name.endswith("-leader") or deck.leader is None
    assert (finding.severity is Severity.WARNING) == (name == "unknown-header")


def test_neutral_is_no_faction_of_a_deck() -> None:
    finding = only(resolved("Faction: Neutral\nBallista\n")[1])

    assert finding.name == "unknown-faction"
    assert finding.message == "`Neutral` cards fit every deck and are not a faction"
    assert "`Neutral`" not in (finding.help or "`Neutral`")


def test_an_unknown_card_counts_nowhere_and_is_remembered() -> None:
    deck, findings = resolved("3 Ballsta\n2 Catapult\n")

    finding = only(findings)
    assert finding.name == "unknown-card"
    assert finding.message == "Unknown card `Ballsta`"
    assert finding.help == "Did you mean `Ballista`?"
    assert finding.span.start == Position(1, 3)
    assert dict(deck.counts()) == {"catapult": 2}
    assert deck.unread == 3


def test_a_name_of_two_cards_lists_them() -> None:
    db = GWENT
    cards = dict(db.cards)
    for id in ("ballista", "catapult"):
        cards[id] = replace(cards[id], aliases=("Engine",))

    deck, findings = resolved(
        "2 engine\n", CardDatabase(db.game, cards, db.leaders, db.root, db.sources)
    )

    finding = only(findings)
    assert finding.name == "ambiguous-card"
    assert finding.message == "`engine` is the name of 2 cards"
    assert finding.help == "Write `Ballista` or `Catapult`"
    assert (deck.entries, deck.unread) == ((), 2)


def test_a_card_on_several_lines_is_worth_a_note() -> None:
    deck, findings = resolved("Ballista\nCatapult\nballista\n")

    finding = only(findings)
    assert finding.name == "repeated-card"
    assert finding.severity is Severity.NOTE
    assert finding.span.start == Position(3, 1)
    assert [other.span.start for other in finding.related] == [Position(1, 1)]
    assert deck.counts()["ballista"] == 2


def test_a_deck_without_a_name_is_called_as_its_file() -> None:
    raws = parse_decks(DeckText("decks/siege.deck", "Ballista\n---\nCatapult\n"))

    assert [resolve(read_deck(raw, GWENT), GWENT)[0].name for raw in raws] == [
        "siege",
        "siege 2",
    ]


def test_a_deck_of_unknown_cards_gets_a_hundred_suggestions() -> None:
    _, findings = resolved("Leader: The Siegemaster\n\n" + "Ballsta\n" * 101)

    helps = [finding.help for finding in findings]
    assert helps == ["Did you mean `Ballista`?"] * 100 + [None]


# Decks whose cards are described: counts with an `x`, and words that point at.

DB = load_database("deckmaster")
HEAD = "Format: deckmaster/standard\n"


def cards(text: str, path: str = "a.deck") -> dict[str, int]:
    """The cards of a deck by name."""
    (raw,) = parse_decks(DeckText(path, text))
    deck, findings = resolve(read_deck(raw, DB), DB)
    assert not findings, findings
    return {DB.cards[card].name: count for card, count in deck.counts().items()}


def findings(text: str, path: str = "a.deck") -> list[tuple[str, str]]:
    """Name and words pointed at of each finding but that of the size."""
    lines = text.split("\n")
    spans = [
        (found.name, *found.span)
        for found in validate_text(text, path).findings
        if found.name != "too-few-cards"
    ]
    return [
        (name, lines[start.line - 1][start.column - 1 : end.column - 1])
        for name, start, end in spans
    ]


@pytest.mark.parametrize(
    ("line", "count", "name"),
    [
        ("3 fire up left", 1, "3 fire up left"),
        ("2x 5 ice", 2, "5 ice"),
        ("2 x 5 ice", 2, "5 ice"),
        ("2\u00d7 5 ice", 2, "5 ice"),
        ("2x5 ice", 2, "5 ice"),
        ("x2 5 ice", 2, "5 ice"),
        ("5 ice x2", 2, "5 ice"),
        ("5 ice 2x", 2, "5 ice"),
        ("1 none", 1, "1 none"),
        ("1", 1, "1 none"),
        ("12x 1", 12, "1 none"),
        ("4 None Down, UP", 1, "4 up down"),
    ],
)
def test_a_count_needs_its_x(line: str, count: int, name: str) -> None:
    assert cards(HEAD + line + "\n") == {name: count}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", "format: deckmaster/standard\ncards:\n- 3 fire up\n- 2x 5 ice\n"),
        ("a.yaml", "cards:\n  3 fire up: 1\n  '5 ice': 2\n"),
        ("a.json", json.dumps({"cards": ["3 fire up", "2x 5 ice"]})),
        ("a.json", json.dumps({"cards": {"3 fire up": 1, "5 ice": 2}})),
        ("a.csv", "count,card\n1,3 fire up\n2,5 ice\n"),
        ("a.csv", "card\n3 fire up\n2x 5 ice\n"),
    ],
)
def test_documents_and_tables_say_the_same(path: str, text: str) -> None:
    assert cards(text, path) == {"3 fire up": 1, "5 ice": 2}


@pytest.mark.parametrize(
    ("line", "name", "words"),
    [
        ("Fromat: x", "unknown-header", "Fromat: x"),
        ("6 fire up", "unknown-card", "6"),
        ("2x 6 fire up", "unknown-card", "6"),
        ("3 fire ice", "unknown-card", "ice"),
        ("3 up left up", "unknown-card", "up"),
        ("3 up lfet", "unknown-card", "lfet"),
        ("fire up", "unknown-card", "fire up"),
        ("2 5 ice", "unknown-card", "5"),
        ("0x 5 ice", "impossible-count", "0"),
        ("5 ice x1.5", "impossible-count", "1.5"),
        ("3x", "unreadable-line", "3x"),
        ("3x 5 ice x2", "unreadable-line", "3x 5 ice x2"),
    ],
)
def test_each_defect_points_at_its_word(line: str, name: str, words: str) -> None:
    assert findings(HEAD + line + "\n") == [(name, words)]


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        ("a.yaml", "format: deckmaster/standard\ncards:\n- 2x 3 fier\n", "fier"),
        ("a.yaml", "format: deckmaster/standard\ncards:\n- '2x 3 fier'\n", "fier"),
        ("a.yaml", "format: deckmaster/standard\ncards:\n  3 fier: 2\n", "fier"),
        ("a.yaml", 'format: deckmaster/standard\ncards:\n  "3 fier": 2\n', "fier"),
        ("a.json", '{"format": "deckmaster/standard", "cards": ["7 up"]}', "7"),
        ("a.csv", "format,count,card\ndeckmaster/standard,2,3 fier\n", "fier"),
        ("a.csv", "format,card\ndeckmaster/standard,2x 3 fier\n", "fier"),
        # What stands there otherwise is pointed at as a whole.
        (
            *("a.json", '{"format": "deckmaster/standard", "cards": ["3 f\\u0069er"]}'),
            '"3 f\\u0069er"',
        ),
    ],
)
def test_words_are_found_in_documents_and_tables(
    path: str, text: str, word: str
) -> None:
    assert findings(text, path) == [("unknown-card", word)]


def test_wrong_cards_count_as_cards() -> None:
    names = {f.name for f in validate_text(HEAD + "29x 3 up\n6 fire\n").findings}

    assert names == {"unknown-card"}


def test_faction_and_leader_are_refused_with_a_remedy() -> None:
    found = validate_text(HEAD + "Faction: Fire\nLeader: Ice\n30x 3 up\n").findings

    assert [f.name for f in found] == ["unknown-faction", "unknown-leader"]
    assert all("remove the line" in (f.help or "") for f in found)


def test_the_canonical_text_is_stable() -> None:
    text = HEAD + "left 3 fire up  # strong\n5 ice x2\n20x 1\n"
    raws = parse_decks(DeckText("a.deck", text))
    canonical = format_text(text, raws, DB)

    assert canonical == (
        HEAD + "\nCards:\n20x 1 none\n3 fire up left  # strong\n2x 5 ice\n"
    )
    again = parse_decks(DeckText("a.deck", canonical or ""))
    assert format_text(canonical or "", again, DB) == canonical


def test_misspelt_words_are_mended() -> None:
    text = HEAD + "3 fier up\n2x 5 ice\n5 ice\n"
    raws = parse_decks(DeckText("a.deck", text))

    assert fix_text(text, raws, DB) == HEAD + "3 fire up\n2x 5 ice\n5 ice\n"


@pytest.mark.parametrize("way", ["text", "yaml", "json", "csv", "code"])
def test_every_way_of_writing_keeps_the_deck(way: str) -> None:
    converter = Converter("deckmaster")
    text = HEAD + "2x 3 fire up left\n20x 1\n5 poison down right left up\n"
    sheets, db, _ = converter.sheets(converter.read(DeckText("a.deck", text)))
    suffix = {"text": "deck", "code": "code"}.get(way, way)
    written = write_decks(way, sheets, db).text
    again, _, found = converter.sheets(
        converter.read(DeckText(f"b.{suffix}", written), way)
    )

    assert not found
    assert again[0].cards == sheets[0].cards


def test_a_deck_without_a_format_is_known_by_its_cards() -> None:
    converter = Converter()
    raws = converter.read(DeckText("a.deck", "3 fire up left\n2x 5 ice\n"))

    assert converter.sheets(raws)[1].game.id == "deckmaster"


# Headers among the cards.


def findings_of(text: str, path: str = "a.deck") -> list[Finding]:
    [report] = Validator("gwent/standard").check_file(DeckText(path, text))
    return [f for f in report.findings if f.code.startswith(("DP", "DC"))]


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("a.yaml", "`leader: Foltest, The Siegemaster`"),
        ("a.json", '`"leader": "Foltest, The Siegemaster"`'),
    ],
)
def test_the_help_fits_the_notation(path: str, key: str) -> None:
    text = json.dumps({"cards": ["Foltest, The Siegemaster"]})
    [leader] = findings_of(text, path)

    assert leader.help == f"A leader is not a card: write {key} above the cards"


def test_a_leader_below_its_heading_is_refused_with_a_remedy() -> None:
    empty, leader = findings_of("Leader:\nFoltest, The Siegemaster\n2 Ballista\n")

    assert empty.name == "empty-header"
    assert (leader.help or "").endswith(
        "write `Leader: Foltest, The Siegemaster` above the cards"
    )


@pytest.mark.parametrize("path", ["a.json", "a.yaml"])
def test_cards_as_mappings_with_a_name_and_a_count(path: str) -> None:
    cards = [{"name": "Decoy", "count": 2}, {"name": "Thaler"}]
    text = json.dumps({"leader": "siegemaster", "cards": cards})
    [report] = Validator("gwent/standard").check_file(DeckText(path, text))

    assert report.deck is not None
    assert report.deck.counts() == {"decoy": 2, "thaler": 1}
