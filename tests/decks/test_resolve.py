"""Names of cards, factions and leaders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deckcheck.cards import CardDatabase, load_database
from deckcheck.decks import Deck, DeckText, parse_decks, resolve
from deckcheck.findings import Finding, Position, Severity


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
