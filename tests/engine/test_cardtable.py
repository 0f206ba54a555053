"""From data to the engine: nothing unknown is ever played as a blank card."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from types import SimpleNamespace

import pytest

from deckcheck.cards.models import CardAbility as AbilityOfCard
from deckcheck.engine.gwent import codes
from deckcheck.engine.gwent import context as vocabulary
from deckcheck.engine.gwent.codes import Ability, FactionAbility, Kind, Leader
from deckcheck.engine.gwent.context import card_numbers, check_vocabulary
from deckcheck.engine.registry import EngineError
from deckcheck.playing.table import seat, set_table


def with_game(database, **changes):
    return SimpleNamespace(
        game=replace(database.game, **changes),
        cards=database.cards,
        leaders=database.leaders,
        factions=database.factions,
    )


def test_every_word_of_the_data_is_known(tables):
    check_vocabulary(tables.database)


def test_every_code_of_the_engine_is_used_by_the_data(tables):
    db = tables.database
    words = {ability.code for card in db.cards.values() for ability in card.abilities}

    assert {a.name.lower() for a in Ability} == words
    assert {k.name.lower() for k in Kind} == {card.kind for card in db.cards.values()}
    assert {x.name.lower() for x in Leader} - {"none"} == {
        leader.ability for leader in db.leaders.values()
    }
    assert {x.name.lower() for x in FactionAbility} - {"none"} == {
        faction.ability for faction in db.factions.values() if faction.ability
    }


@pytest.mark.parametrize("field", ["abilities", "kinds", "rows"])
def test_an_unknown_word_is_refused(tables, field):
    words = (*getattr(tables.database.game, field), "teleport")

    with pytest.raises(EngineError, match=r"does not know the .* `teleport`"):
        check_vocabulary(with_game(tables.database, **{field: words}))


def test_an_unknown_leader_is_refused(tables):
    database = with_game(tables.database)
    leader = next(iter(database.leaders.values()))
    database.leaders = {leader.id: replace(leader, ability="sing")}

    with pytest.raises(EngineError, match="leader ability `sing`"):
        check_vocabulary(database)


def test_an_unknown_option_is_refused(tables):
    option = replace(tables.database.game.options[0], name="dancing")
    options = (*tables.database.game.options, option)

    with pytest.raises(EngineError, match="option `dancing`"):
        check_vocabulary(with_game(tables.database, options=options))


def test_an_unknown_value_of_an_option_is_refused(tables):
    at, option = next(
        (i, each) for i, each in enumerate(tables.database.game.options) if each.values
    )
    options = list(tables.database.game.options)
    options[at] = replace(option, values=(*option.values, "sometimes"))

    with pytest.raises(EngineError, match="`sometimes` as a value of"):
        check_vocabulary(with_game(tables.database, options=options))


def test_a_leader_code_that_nothing_plays_is_refused(tables, monkeypatch):
    names = {code.name: code.value for code in Leader} | {"WIN_AT_ONCE": 99}
    monkeypatch.setattr(codes, "Leader", IntEnum("Leader", names))
    database = with_game(tables.database)
    leader = next(iter(database.leaders.values()))
    database.leaders = {leader.id: replace(leader, ability="win_at_once")}

    with pytest.raises(EngineError, match="does not play the leader ability `win_at_o"):
        check_vocabulary(database)


@pytest.mark.parametrize("is_passive", [True, False])
def test_a_leader_who_would_never_act_is_refused(tables, is_passive):
    database = with_game(tables.database)
    leader = next(x for x in database.leaders.values() if x.passive != is_passive)
    database.leaders = {leader.id: replace(leader, passive=is_passive)}

    with pytest.raises(EngineError, match=r"`.*` is (not )?passive, but `.*` is"):
        check_vocabulary(database)


def test_an_ability_code_that_nothing_plays_is_refused(tables, monkeypatch):
    codes_now = {code.name: code.value for code in Ability} | {"TELEPORT": 1 << 30}
    monkeypatch.setattr(vocabulary, "Ability", IntEnum("Ability", codes_now))
    database = with_game(
        tables.database, abilities=(*tables.database.game.abilities, "teleport")
    )
    card = database.cards["catapult"]
    teleport = AbilityOfCard("teleport")
    database.cards = {card.id: replace(card, abilities=(teleport,))}

    with pytest.raises(EngineError, match="does not play a unit with `teleport`"):
        check_vocabulary(database)


@pytest.mark.parametrize(
    ("card", "changes", "message"),
    [
        ("catapult", {"abilities": ["weather_frost"]}, "a unit with `weather_frost`"),
        ("catapult", {"abilities": ["decoy"]}, "a unit with `decoy`"),
        ("scorch", {"abilities": ["medic"]}, "a special with `medic`"),
        ("scorch", {"abilities": ["scorch", "decoy"]}, "a special with 2 abilities"),
        ("scorch", {"abilities": []}, "a special with 0 abilities"),
        ("biting_frost", {"abilities": ["scorch"]}, "a weather with `scorch`"),
        ("catapult", {"kind": "hero"}, "a hero with `tight_bond`"),
        ("catapult", {"abilities": ["agile"]}, "an agile card with other rows"),
        ("catapult", {"rows": ("close", "siege")}, "a card of several rows"),
    ],
)
def test_a_card_of_which_something_would_not_be_played_is_refused(
    tables, card, changes, message
):
    if "abilities" in changes:
        words = tuple(AbilityOfCard(word) for word in changes["abilities"])
        changes = changes | {"abilities": words}
    database = with_game(tables.database)
    database.cards = {card: replace(database.cards[card], **changes)}

    with pytest.raises(EngineError, match=f"does not play {message}"):
        check_vocabulary(database)


def test_the_way_a_list_is_written_changes_no_game(tables):
    deck, other = tables.decks[0], tables.decks[1]
    turned = replace(deck, entries=deck.entries[::-1])
    seated = [
        set_table(tables.format, tables.database, [seat(d, "random") for d in pair])
        for pair in ((deck, other), (turned, other))
    ]

    assert seated[0] == seated[1]


def test_an_oversized_deck_is_refused(tables):
    deck = tables.decks[0]
    huge = replace(deck, entries=(replace(deck.entries[0], count=500),))

    with pytest.raises(EngineError, match="a deck of 500 cards is too large"):
        set_table(
            tables.format, tables.database, [seat(d, "random") for d in (huge, deck)]
        )


def test_numbers_follow_the_database(tables):
    numbers = card_numbers(tables.database)

    assert list(numbers.values()) == list(range(1, len(tables.database.cards) + 1))
