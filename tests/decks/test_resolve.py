"""Names and descriptions resolved to cards, leaders and factions."""

import json
from dataclasses import replace

from deckcheck.cards import CardDatabase, load_database
from deckcheck.decks import Deck, DeckText, parse_decks, read_deck, resolve
from deckcheck.decks.rewriting import Converter, write_decks
from deckcheck.findings import Finding

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


def test_a_name_that_is_not_known_is_not_guessed() -> None:
    for text, name in {
        "Faction: Northern Relams\nBallista\n": "unknown-faction",
        "Leader: Foltest\nBallista\n": "ambiguous-leader",
        "Faction: Monsters\nLeader: Foltest\nKayran\n": "ambiguous-leader",
        "Leader: Foltest, Siegemister\nBallista\n": "unknown-leader",
        "3 Ballsta\n2 Catapult\n": "unknown-card",
        # Below the first card everything is a card.
        "Roach\nLeadr: Foltest\n": "unknown-card",
        "Crone: Brewes\nRoach\n": "unknown-card",
        "Leadr: Foltest\nRoach\n": "unknown-header",
    }.items():
        deck, findings = resolved(text)
        assert only(findings).name == name, text
        assert name != "unknown-faction" or deck.faction is None, text
        assert not name.endswith("-leader") or deck.leader is None, text
        unread = 3 if "3" in text else int(name == "unknown-card")
        assert deck.unread == unread, text


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


DESCRIBED = {
    (1, "3 fire up left"): "3 fire up left",
    (2, "5 ice"): "2x 5 ice|2 x 5 ice|2\u00d7 5 ice|2x5 ice|x2 5 ice|5 ice x2|5 ice 2x",
    (1, "1 none"): "1 none|1",
    (12, "1 none"): "12x 1",
    (1, "4 up down"): "4 None Down, UP",
}


def test_a_count_needs_its_x() -> None:
    for (count, name), lines in DESCRIBED.items():
        for line in lines.split("|"):
            assert cards(f"{HEAD}{line}\n") == {name: count}, line


def test_every_way_of_writing_keeps_the_deck() -> None:
    converter = Converter("deckmaster")
    text = HEAD + "2x 3 fire up left\n20x 1\n5 poison down right left up\n"
    sheets, db, _ = converter.sheets(converter.read_decks(DeckText("a.deck", text)))
    for way in ("text", "yaml", "json", "csv", "code"):
        suffix = {"text": "deck"}.get(way, way)
        source = DeckText(f"b.{suffix}", write_decks(way, sheets, db).text)
        again, _, found = converter.sheets(converter.read_decks(source, way))
        assert (again[0].cards, found) == (sheets[0].cards, ()), way


def test_a_deck_without_a_format_is_known_by_its_cards() -> None:
    converter = Converter()
    raws = converter.read_decks(DeckText("a.deck", "3 fire up left\n2x 5 ice\n"))

    assert converter.sheets(raws)[1].game.id == "deckmaster"


def test_cards_as_mappings_with_a_name_and_a_count() -> None:
    cards = [{"name": "Decoy", "count": 2}, {"name": "Thaler"}]
    text = json.dumps({"leader": "siegemaster", "cards": cards})
    for path in ("a.json", "a.yaml"):
        [raw] = parse_decks(DeckText(path, text))
        deck, _ = resolve(read_deck(raw, GWENT), GWENT)
        assert deck.counts() == {"decoy": 2, "thaler": 1}, path
