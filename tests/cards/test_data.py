"""The data of the games against what is known of them."""

from collections import Counter

from deckcheck.cards import Card, CardDatabase, load_database
from deckcheck.decks import DeckText
from deckcheck.decks.rewriting import Converter
from deckcheck.formats import load_format

# The pool of Gwen't against what is known of it, and a game without factions.


POOL = load_database("gwen_t")


def test_the_pool_has_36_cards_of_14_kinds() -> None:
    """Statement 2.1."""
    kinds = Counter(card.kind for card in POOL.cards.values())
    copies = Counter[str]()
    for card in POOL.cards.values():
        copies.update({card.rows[0] if card.rows else "weather": card.copies})

    assert kinds == {"unit": 10, "weather": 4}
    assert copies == {"close": 11, "ranged": 9, "siege": 9, "weather": 7}


def test_there_are_no_factions_and_no_leaders() -> None:
    assert POOL.factions == {}
    assert POOL.leaders == {}
    assert {card.faction for card in POOL.cards.values()} == {None}


def test_the_format_wants_25_cards() -> None:
    """Statement 2.5; the number is a limit that a format may change."""
    fmt = load_format("gwen_t/pool")
    limits = {entry.name: dict(entry.settings) for entry in fmt.constraints}

    assert limits == {"cards": {"min": 25, "max": 25}, "copies": {}}


def test_a_deck_without_a_format_is_of_the_game_that_knows_its_cards() -> None:
    for text, game in {
        "2 Rocket\nWinter\n": "gwen_t",
        "2 Grenadeer Division\n": "gwen_t",
        "Ves\n": "gwent",
    }.items():
        converter = Converter()
        _, found, _ = converter.sheets(converter.read_decks(DeckText("a.deck", text)))
        assert found.game.id == game, text


# The data of Gwent against what is known of it: counts, sums, shapes.


GWENT = load_database("gwent")


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


def test_size() -> None:
    assert len(GWENT.cards) == 163
    assert len(GWENT.leaders) == 25
    assert sum(card.copies for card in GWENT.cards.values()) == 239


COPIES = {
    # Cards; copies of units, heroes, specials, weather and side-deck cards.
    "northern_realms": (25, 33, 4, 0, 0, 0),
    "nilfgaard": (29, 33, 4, 0, 0, 0),
    "monsters": (35, 37, 4, 0, 0, 0),
    "scoiatael": (23, 34, 4, 0, 0, 0),
    "skellige": (27, 32, 3, 3, 0, 5),
    "neutral": (24, 12, 5, 9, 15, 2),
}
SUMS = {
    # Spies, medics and strength of cards that can be in a deck.
    "northern_realms": (3, 1, 172),
    "nilfgaard": (3, 4, 181),
    "monsters": (0, 0, 182),
    "scoiatael": (0, 3, 185),
    "skellige": (0, 1, 174),
    "neutral": (1, 1, 92),
}


def test_copies_and_sums_of_each_faction() -> None:
    for id, expected in COPIES.items():
        cards = faction(GWENT, id)
        found = (
            len(cards),
            copies(cards, kind="unit", deckable=True),
            copies(cards, kind="hero", deckable=True),
            copies(cards, kind="special"),
            copies(cards, kind="weather"),
            copies(cards, deckable=False),
        )
        assert found == expected, id
        cards = [card for card in cards if card.deckable]
        strength = sum((card.strength or 0) * card.copies for card in cards)
        spies, medics = with_ability(cards, "spy"), with_ability(cards, "medic")
        assert (spies, medics, strength) == SUMS[id], id


def test_numbers_are_permanent() -> None:
    """They follow the order of the first edition of the file; never reuse one."""
    assert [card.number for card in GWENT.cards.values()] == list(range(1, 164))
    assert [lead.number for lead in GWENT.leaders.values()] == list(range(1, 26))
    assert GWENT.cards["vernon_roche"].number == 1
    assert GWENT.cards["letho_of_gulet"].number == 26
    assert GWENT.cards["clear_weather"].number == 163
    assert GWENT.leaders["eist_tuirseach_king_of_cintra"].number == 25


def test_abilities_fit_their_cards() -> None:
    for card in GWENT.cards.values():
        assert card.has("agile") == (card.rows == ("close", "ranged")), card.id
        for ability in card.abilities:
            # Bonds and musters of the same name have copies.
            alone = ability.group is None and ability.target is None
            if ability.code in ("tight_bond", "muster") and alone:
                assert card.copies > 1, card.id
            # Transformations lead to the side deck.
            if ability.code in ("berserker", "summon_avenger"):
                assert ability.target is not None, card.id
                assert not GWENT.cards[ability.target].deckable, card.id
