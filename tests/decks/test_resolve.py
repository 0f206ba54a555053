"""Names and descriptions resolved to cards, leaders and factions."""

import json
from dataclasses import replace

import pytest

from deckcheck.cards import CardDatabase, load_database
from deckcheck.decks import Deck, DeckText, counted, parse_decks, resolve
from deckcheck.decks.rewriting import Converter, fix_text, format_text, write_decks
from deckcheck.findings import Finding, Position, Severity
from deckcheck.validation import Validator, validate_text

# Names of cards, factions and leaders.


@pytest.fixture(scope="module")
def db() -> CardDatabase:
    return load_database("gwent")


def resolved(text: str, db: CardDatabase) -> tuple[Deck, tuple[Finding, ...]]:
    [raw] = parse_decks(DeckText("decks/siege.deck", text))
    return resolve(raw, db)


def only(findings: tuple[Finding, ...]) -> Finding:
    assert len(findings) == 1, findings
    return findings[0]


def test_names_match_whatever_their_spelling(db: CardDatabase) -> None:
    deck, findings = resolved(
        "Faction: scoia\u2019tael\n"
        "Leader: FRANCESCA findabair the  beautiful\n"
        "eithne\n"
        "2 Dol-Blathanna archer\n"
        "gaunter_odimm_darkness\n"
        "Commander\u2019s Horn\n",
        db,
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


def test_a_leader_tells_the_faction(db: CardDatabase) -> None:
    deck, findings = resolved("Leader: The Siegemaster\nBallista\n", db)

    assert deck.faction == "northern_realms"
    assert findings == ()


def test_a_faction_that_cannot_be_read_is_not_guessed(db: CardDatabase) -> None:
    deck, findings = resolved(
        "Faction: Northern Relams\nLeader: The Siegemaster\nBallista\n", db
    )

    finding = only(findings)
    assert finding.name == "unknown-faction"
    assert finding.help == "Did you mean `Northern Realms`?"
    assert deck.faction is None


def test_neutral_is_no_faction_of_a_deck(db: CardDatabase) -> None:
    finding = only(resolved("Faction: Neutral\nBallista\n", db)[1])

    assert finding.name == "unknown-faction"
    assert finding.message == "`Neutral` cards fit every deck and are not a faction"
    assert finding.help is not None
    assert "`Neutral`" not in finding.help


def test_a_shared_name_lists_the_leaders_of_that_name(db: CardDatabase) -> None:
    deck, findings = resolved("Leader: Foltest\nBallista\n", db)

    finding = only(findings)
    assert finding.name == "ambiguous-leader"
    assert finding.span.start == Position(1, 9)
    assert finding.help is not None
    assert "`Foltest, The Siegemaster`" in finding.help
    assert deck.leader is None


def test_a_shared_name_of_another_faction_lists_the_leaders_of_the_deck(
    db: CardDatabase,
) -> None:
    finding = only(resolved("Faction: Monsters\nLeader: Foltest\nKayran\n", db)[1])

    assert finding.name == "ambiguous-leader"
    assert finding.help is not None
    assert "`Eredin, Bringer of Death`" in finding.help
    assert "Foltest" not in finding.help


def test_a_leader_of_another_faction_is_known(db: CardDatabase) -> None:
    deck, findings = resolved("Faction: Monsters\nLeader: The Siegemaster\nKayran", db)

    assert findings == ()
    assert (deck.faction, deck.leader) == ("monsters", "foltest_the_siegemaster")


def test_an_unknown_leader_gets_suggestions(db: CardDatabase) -> None:
    finding = only(resolved("Leader: Foltest, Siegemister\nBallista\n", db)[1])

    assert finding.name == "unknown-leader"
    assert finding.help is not None
    assert "`Foltest, The Siegemaster`" in finding.help


def test_an_unknown_card_counts_nowhere_and_is_remembered(db: CardDatabase) -> None:
    deck, findings = resolved("3 Ballsta\n2 Catapult\n", db)

    finding = only(findings)
    assert finding.name == "unknown-card"
    assert finding.message == "Unknown card `Ballsta`"
    assert finding.help == "Did you mean `Ballista`?"
    assert finding.span.start == Position(1, 3)
    assert dict(deck.counts()) == {"catapult": 2}
    assert deck.unread == 3


def test_a_name_of_two_cards_lists_them(db: CardDatabase) -> None:
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


def test_a_leader_among_the_cards_is_told_apart(db: CardDatabase) -> None:
    finding = only(resolved("Ballista\nFoltest, The Siegemaster\n", db)[1])

    assert finding.help == (
        "A leader is not a card: "
        "write `Leader: Foltest, The Siegemaster` above the cards"
    )


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("Leadr: Foltest", "Did you mean `Leader`?"),
        ("Fromat: gwent/standard", "Did you mean `Format`?"),
        ("Colour: blue sleeves", "Write it as a comment, `# ...`"),
    ],
)
def test_a_misspelt_header_is_no_card(db: CardDatabase, line: str, help: str) -> None:
    deck, findings = resolved(f"{line}\nBallista\n", db)

    finding = only(findings)
    assert finding.name == "unknown-header"
    assert finding.severity is Severity.WARNING
    assert finding.help == help
    assert deck.unread == 0


def test_a_misspelt_card_with_a_colon_is_no_header(db: CardDatabase) -> None:
    finding = only(resolved("Crone: Brewes\nBallista\n", db)[1])

    assert finding.name == "unknown-card"
    assert finding.help is not None
    assert "`Crone: Brewess`" in finding.help


def test_below_the_first_card_everything_is_a_card(db: CardDatabase) -> None:
    finding = only(resolved("Ballista\nLeadr: Foltest\n", db)[1])

    assert finding.name == "unknown-card"


def test_a_card_on_several_lines_is_worth_a_note(db: CardDatabase) -> None:
    deck, findings = resolved("Ballista\nCatapult\nballista\n", db)

    finding = only(findings)
    assert finding.name == "repeated-card"
    assert finding.severity is Severity.NOTE
    assert finding.span.start == Position(3, 1)
    assert [other.span.start for other in finding.related] == [Position(1, 1)]
    assert deck.counts()["ballista"] == 2


def test_a_deck_without_a_name_is_called_as_its_file(db: CardDatabase) -> None:
    raws = parse_decks(DeckText("decks/siege.deck", "Ballista\n---\nCatapult\n"))

    assert [resolve(raw, db)[0].name for raw in raws] == ["siege", "siege 2"]


def test_a_deck_of_unknown_cards_gets_a_hundred_suggestions(db: CardDatabase) -> None:
    _, findings = resolved("Leader: The Siegemaster\n\n" + "Ballsta\n" * 101, db)

    helps = [finding.help for finding in findings]
    assert helps == ["Did you mean `Ballista`?"] * 100 + [None]


# Decks whose cards are described: counts with an `x`, and words that point at.

DB = load_database("deckmaster")
HEAD = "Format: deckmaster/standard\n"


def cards(text: str, path: str = "a.deck") -> dict[str, int]:
    """The cards of a deck by name."""
    (raw,) = parse_decks(DeckText(path, text))
    deck, findings = resolve(counted(raw, DB), DB)
    assert not findings, findings
    return {DB.cards[card].name: count for card, count in deck.counts().items()}


def findings(text: str, path: str = "a.deck") -> list[tuple[str, str, str]]:
    """Name, words pointed at and message of each finding but that of the size."""
    lines = text.split("\n")
    return [
        (
            found.name,
            lines[found.span.start.line - 1][
                found.span.start.column - 1 : found.span.end.column - 1
            ],
            found.message,
        )
        for found in validate_text(text, path).findings
        if found.name != "too-few-cards"
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
    found = findings(HEAD + line + "\n")

    assert [(which, at) for which, at, _ in found] == [(name, words)]


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
    ],
)
def test_words_are_found_in_documents_and_tables(
    path: str, text: str, word: str
) -> None:
    assert [(name, at) for name, at, _ in findings(text, path)] == [
        ("unknown-card", word)
    ]


def test_a_text_that_stands_there_otherwise_is_pointed_at_as_a_whole() -> None:
    text = '{"format": "deckmaster/standard", "cards": ["2x 3 f\\u0069er"]}'

    assert [at for _, at, _ in findings(text, "a.json")] == ['"2x 3 f\\u0069er"']


def test_wrong_cards_count_as_cards() -> None:
    names = {f.name for f in validate_text(HEAD + "29x 3 up\n6 fire\n").findings}

    assert names == {"unknown-card"}


def test_a_misspelt_header_among_descriptions_is_no_card() -> None:
    assert [name for name, _, _ in findings("Fromat: x\n" + HEAD + "30x 3 up\n")] == [
        "unknown-header"
    ]


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


def test_misspelt_words_are_mended_and_lines_merged() -> None:
    text = HEAD + "3 fier up\n2x 5 ice\n5 ice\n"
    raws = parse_decks(DeckText("a.deck", text))

    assert fix_text(text, raws, DB) == HEAD + "3 fire up\n3x 5 ice\n"


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


# Names as other programs write them.


def findings_of(text: str, path: str = "a.deck") -> list[Finding]:
    [report] = Validator("gwent/standard").check_file(DeckText(path, text))
    return [f for f in report.findings if f.code.startswith(("DP", "DC"))]


def test_ids_of_another_program_are_one_finding() -> None:
    lines = [*(f"1 spe_card{n}" for n in range(20)), "2 neu_geralt", "Ballsta"]
    first, typo = findings_of("\n".join(lines))

    assert first.message == "`spe_card0` and 20 more ids are ids of another program"
    assert first.help == "Write the names of the cards, as that program shows them"
    assert typo.help == "Did you mean `Ballista`?"


@pytest.mark.parametrize(
    "tags", ["[Ramp]", "*F*", "^Have,#fff^", "(KTK) [Ramp]", "{noDeck}", "<foil>"]
)
def test_tags_behind_a_name_get_one_suggestion(tags: str) -> None:
    [finding] = findings_of(f"2 Ballista {tags}\n")

    assert finding.message == f"Unknown card `Ballista {tags}`"
    assert finding.help == "Did you mean `Ballista`?"


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("a.yaml", "`leader: Foltest, The Siegemaster`"),
        ("a.json", '`"leader": "Foltest, The Siegemaster"`'),
    ],
)
def test_the_help_fits_the_notation(path: str, key: str) -> None:
    text = json.dumps({"cards": ["Foltest, The Siegemaster", "2 Ballista, 1 Decoy"]})
    leader, several = findings_of(text, path)

    assert leader.help == f"A leader is not a card: write {key} above the cards"
    assert several.help == "Write an item for each card: `2 Ballista` and `1 Decoy`"


@pytest.mark.parametrize(
    "heading",
    [
        *("Leader", "Leader:", "Anführer:", "Leader card", "## Leader"),
        "Faction:\nNorthern Realms\nLeader:",
    ],
)
def test_a_leader_on_the_line_below_its_heading(heading: str) -> None:
    text = f"{heading}\nFoltest, The Siegemaster\n\nUnits\n2 Ballista\n"
    [report] = Validator("gwent/standard").check_file(DeckText("a.deck", text))

    assert report.deck is not None
    assert report.deck.leader is not None
    assert [f.name for f in report.findings] == ["too-few-cards"]


@pytest.mark.parametrize("line", ["Leader:\n{}", "Leader\n{}", "Leader: {}"])
def test_a_misspelt_leader_below_its_heading_is_a_leader(line: str) -> None:
    text = f"{line.format('Foltest, The Siegemastr')}\n\nUnits\n2 Ballista\n"
    [report] = Validator("gwent/standard").check_file(DeckText("a.deck", text))
    unknown = next(f for f in report.findings if f.name == "unknown-leader")

    assert unknown.help == "Did you mean `Foltest, The Siegemaster`?"


def test_a_card_below_an_empty_header_is_no_leader() -> None:
    text = "Leader:\nBallsta\n2 Ballista\n"
    [report] = Validator("gwent/standard").check_file(DeckText("a.deck", text))
    names = {f.name for f in report.findings}

    assert {"empty-header", "missing-leader", "unknown-card"} <= names
    assert "unknown-leader" not in names


@pytest.mark.parametrize(
    ("name", "count"),
    [("name", "count"), ("cardName", "n"), ("card_name", "Qty"), ("id", "copies")],
)
@pytest.mark.parametrize("path", ["a.json", "a.yaml"])
def test_cards_as_mappings_with_a_name_and_a_count(
    path: str, name: str, count: str
) -> None:
    cards = [{name: "Decoy", count: 2}, {name: "Thaler"}]
    text = json.dumps({"leader": "siegemaster", "cards": cards})
    [report] = Validator("gwent/standard").check_file(DeckText(path, text))

    assert report.deck is not None
    assert report.deck.counts() == {"decoy": 2, "thaler": 1}
