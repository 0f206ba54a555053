"""The data of Gwent against what is known of it: counts, sums, shapes."""

from __future__ import annotations

from collections import Counter

import pytest

from deckcheck.cards import Card, CardDatabase, load_database


@pytest.fixture(scope="module")
def db() -> CardDatabase:
    return load_database("gwent")


def faction(db: CardDatabase, id: str) -> list[Card]:
    return [card for card in db.cards.values() if card.faction == id]


def copies(cards: list[Card], **wanted: object) -> int:
    return sum(
        card.copies
        for card in cards
        if all(getattr(card, key) == value for key, value in wanted.items())
    )


def with_ability(cards: list[Card], code: str) -> int:
    return sum(card.copies for card in cards if card.has(code))


def test_size(db: CardDatabase) -> None:
    assert len(db.cards) == 163
    assert len(db.leaders) == 25
    assert sum(card.copies for card in db.cards.values()) == 239


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        # Cards; copies of units, heroes, specials, weather and side-deck cards.
        ("northern_realms", (25, 33, 4, 0, 0, 0)),
        ("nilfgaard", (29, 33, 4, 0, 0, 0)),
        ("monsters", (35, 37, 4, 0, 0, 0)),
        ("scoiatael", (23, 34, 4, 0, 0, 0)),
        ("skellige", (27, 32, 3, 3, 0, 5)),
        ("neutral", (24, 12, 5, 9, 15, 2)),
    ],
)
def test_copies(db: CardDatabase, id: str, expected: tuple[int, ...]) -> None:
    cards = faction(db, id)

    assert expected == (
        len(cards),
        copies(cards, kind="unit", deckable=True),
        copies(cards, kind="hero", deckable=True),
        copies(cards, kind="special"),
        copies(cards, kind="weather"),
        copies(cards, deckable=False),
    )


@pytest.mark.parametrize(
    ("id", "spies", "medics", "strength"),
    [
        ("northern_realms", 3, 1, 172),
        ("nilfgaard", 3, 4, 181),
        ("monsters", 0, 0, 182),
        ("scoiatael", 0, 3, 185),
        ("skellige", 0, 1, 174),
        ("neutral", 1, 1, 92),
    ],
)
def test_spies_medics_and_strength(
    db: CardDatabase, id: str, spies: int, medics: int, strength: int
) -> None:
    cards = [card for card in faction(db, id) if card.deckable]

    assert with_ability(cards, "spy") == spies
    assert with_ability(cards, "medic") == medics
    assert sum((card.strength or 0) * card.copies for card in cards) == strength


def test_numbers_are_permanent(db: CardDatabase) -> None:
    """They follow the order of the first edition of the file; never reuse one."""
    assert [card.number for card in db.cards.values()] == list(range(1, 164))
    assert [lead.number for lead in db.leaders.values()] == list(range(1, 26))
    assert db.cards["vernon_roche"].number == 1
    assert db.cards["letho_of_gulet"].number == 26
    assert db.cards["clear_weather"].number == 163
    assert db.leaders["eist_tuirseach_king_of_cintra"].number == 25


def test_agile_means_two_rows(db: CardDatabase) -> None:
    for card in db.cards.values():
        assert card.has("agile") == (card.rows == ("close", "ranged")), card.id


def test_bonds_and_musters_of_the_same_name_have_copies(db: CardDatabase) -> None:
    for card in db.cards.values():
        for ability in card.abilities:
            alone = ability.group is None and ability.target is None
            if ability.code in ("tight_bond", "muster") and alone:
                assert card.copies > 1, card.id


def test_transformations_lead_to_the_side_deck(db: CardDatabase) -> None:
    for card in db.cards.values():
        for ability in card.abilities:
            if ability.code in ("berserker", "summon_avenger"):
                assert ability.target is not None
                assert not db.cards[ability.target].deckable


def test_families(db: CardDatabase) -> None:
    groups = Counter(
        ability.group
        for card in db.cards.values()
        for ability in card.abilities
        if ability.group
    )

    assert groups == {"crone": 3, "vampire": 5}


def test_one_way_musters(db: CardDatabase) -> None:
    targets = {
        card.id: ability.target
        for card in db.cards.values()
        for ability in card.abilities
        if ability.code == "muster" and ability.target
    }

    assert targets == {
        "arachas_behemoth": "arachas",
        "cerys": "clan_drummond_shield_maiden",
        "geralt_of_rivia": "roach",
        "cirilla_fiona_elen_riannon": "roach",
        "gaunter_odimm": "gaunter_odimm_darkness",
    }


def test_side_deck(db: CardDatabase) -> None:
    assert {
        card.id: card.copies for card in db.cards.values() if not card.deckable
    } == {
        "hemdall": 1,
        "transformed_vildkaarl": 1,
        "transformed_young_vildkaarl": 3,
        "bovine_defense_force": 2,
    }


def test_five_leaders_each(db: CardDatabase) -> None:
    per_faction = Counter(leader.faction for leader in db.leaders.values())
    passive = {lead.title for lead in db.leaders.values() if lead.passive}

    assert set(per_faction.values()) == {5}
    assert len({leader.ability for leader in db.leaders.values()}) == 25
    assert passive == {
        "The White Flame",
        "Invader of the North",
        "The Treacherous",
        "Daisy of the Valley",
        "The Unifier",
    }


def test_every_ability_is_used(db: CardDatabase) -> None:
    used = {ability.code for card in db.cards.values() for ability in card.abilities}

    assert used == set(db.game.abilities)


def test_faction_abilities(db: CardDatabase) -> None:
    assert {faction.id: faction.ability for faction in db.factions.values()} == {
        "northern_realms": "draw_after_win",
        "nilfgaard": "win_ties",
        "monsters": "keep_one_unit",
        "scoiatael": "choose_starter",
        "skellige": "return_two_units",
        "neutral": None,
    }
