"""The limits of SG Gwint decks, statement by statement: sg_gwint 1."""

from __future__ import annotations

from collections import Counter

from deckcheck.cards import load_database
from deckcheck.decks import Deck
from deckcheck.formats import database_of, load_format
from deckcheck.reporters.base import name_formats
from deckcheck.validation import validate_text

# 25 bronze units; with five gold ones a deck of 30.
UNITS = (
    *("3 Blue Stripes Commando", "3 Crinfrid Reavers Dragon Hunter", "2 Catapult"),
    *("3 Kaedweni Siege Expert", "2 Trebuchet", "Ballista", "Siege Tower"),
    *("Dun Banner Medic", "4 Poor Infantry", "Ves", "Keira Metz", "Thaler", "Dethmold"),
    "Sabrina Glevissig",
)
GOLD = (
    "Vernon Roche",
    "John Natalis",
    "Esterad Thyssen",
    "Philippa Eilhart",
    "Cirilla",
)
SPECIALS = ("3 Biting Frost", "3 Scorch", "3 Decoy")
HEAD = ("Format: sg_gwint/approximation", "Faction: Northern Realms")
LEADER = "Leader: King Foltest"


def judged(*cards: str, leader: str = LEADER) -> tuple[Deck, list[str]]:
    text = "\n".join([*HEAD, leader, "", *UNITS, *cards])
    report = validate_text(text, "a.deck").reports[0]
    assert report.deck is not None
    return report.deck, [finding.name for finding in report.findings]


def found(*cards: str, leader: str = LEADER) -> list[str]:
    return judged(*cards, leader=leader)[1]


def test_1_1_at_least_30_cards_specials_among_them() -> None:
    assert found(*GOLD) == []
    assert found(*GOLD[:4]) == ["too-few-cards"]
    assert found(*GOLD[:4], "Scorch") == []


def test_1_2_at_most_80_cards() -> None:
    constraint = {c.name: c for c in load_format("sg_gwint/2.1").constraints}["cards"]

    assert constraint.settings["max"] == 80


def test_1_3_at_most_10_specials() -> None:
    assert found(*GOLD, *SPECIALS, "Daybreak") == []
    assert found(*GOLD, *SPECIALS, "2 Daybreak") == ["too-many-cards"]


def test_1_4_at_most_5_gold_units() -> None:
    assert found(*GOLD, "Geralt of Rivia") == ["too-many-cards"]


def test_1_5_one_faction_which_both_players_may_choose() -> None:
    assert found(*GOLD, "Cahir") == ["foreign-card"]
    assert load_format("sg_gwint/2.1").seating.holds == "deck"


def test_1_6_neutral_cards_fit_every_deck() -> None:
    assert found(*GOLD, "Odim", "kráva", "Dandelion") == []


def test_1_7_exactly_one_leader_who_is_no_card() -> None:
    two = f"{LEADER}\nLeader: King Henselt"

    assert found(*GOLD, leader="") == ["missing-leader"]
    assert "too-many-leaders" in found(*GOLD, leader=two)
    assert sum(judged(*GOLD)[0].counts().values()) == 30


def test_1_8_a_leader_of_the_own_faction() -> None:
    assert found(*GOLD, leader="Leader: Brouver Hoog") == ["foreign-leader"]


def test_1_9_reserves_are_no_cards_of_the_deck() -> None:
    deck, names = judged(*GOLD, "Zálohy:", "Klepna", "2 Temnota", "Ves")

    assert names == []
    assert sum(deck.counts().values()) == 30
    assert deck.reserve_counts() == Counter(gossip=1, odims_darkness=2, ves=1)
    assert found(*GOLD, "Temnota") == ["undeckable-card"]


def test_1_10_as_many_copies_as_the_set_prints() -> None:
    assert found(*GOLD, "2 Odim") == ["too-many-copies"]


def test_1_13_factions_by_the_letters_of_the_club() -> None:
    database = load_database("sg_gwint")
    meant = {word: database.find_faction(word).id for word in ["SK", "NR", "SO", "ZA"]}

    assert meant == {
        "SK": "northern_realms",
        "NR": "northern_realms",
        "SO": "skellige",
        "ZA": "witchers",
    }
    assert database.find_faction("Severní království").id == "northern_realms"


def test_1_14_the_witchers_are_banned() -> None:
    text = "Format: sg_gwint/2.1\nFaction: Zaklínači\n\nScorch\n"
    names = [finding.name for finding in validate_text(text, "a.deck").findings]

    assert "banned-faction" in names


def test_1_15_no_deck_is_registered_here() -> None:
    rules = {constraint.rule for constraint in load_format("sg_gwint/2.1").constraints}

    assert rules <= {"one_faction", "leader", "count", "copies", "deckable", "banned"}


def test_1_16_the_month_is_assumed() -> None:
    fmt = load_format("sg_gwint/approximation")
    run = validate_text("\n".join([*HEAD, LEADER, "", *UNITS, *GOLD]), "a.deck")

    assert (fmt.snapshot, fmt.month) == ("2024-01", "2024-01, assumed")
    assert name_formats(run)[0].startswith(f"{fmt.id} (2024-01, assumed), digest ")


def test_names_are_found_in_czech_with_and_without_diacritics() -> None:
    database = database_of(load_format("sg_gwint/approximation"))
    for written, id in (
        ("Štiplavý mráz", "biting_frost"),
        ("stiplavy mraz", "biting_frost"),
        ("SKELLIGSKÁ BOUŘE", "skellige_storm"),
        ("Sezehnuti", "scorch"),
        ("Klepna", "gossip"),
        ("biting_frost", "biting_frost"),
        ("Biting Frost", "biting_frost"),
    ):
        assert database.find_card(written).id == id


def test_names_that_are_not_public_are_noted() -> None:
    assert found(*GOLD, "Rytířství") == ["unpublished-card"]
    deck = validate_text("Format: sg_gwint/2.1\nLeader: Král Henselt\n\nScorch\n")
    names = [finding.name for finding in deck.findings]

    assert names.count("unpublished-card") == 2
