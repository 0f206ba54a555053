"""From data to the engine: nothing unknown is ever played as a blank card."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.gwent.codes import Ability, FactionAbility, Kind, Leader
from deckcheck.engine.games.gwent.host.cardtable import card_numbers, check_vocabulary
from deckcheck.engine.match import prepare


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


def test_the_way_a_list_is_written_changes_no_game(tables):
    deck, other = tables.decks[0], tables.decks[1]
    turned = replace(deck, entries=deck.entries[::-1])
    seated = [
        prepare(tables.format, tables.database, [first, other], ("random", "random"))
        for first in (deck, turned)
    ]

    assert seated[0] == seated[1]


def test_an_oversized_deck_is_refused(tables):
    deck = tables.decks[0]
    huge = replace(deck, entries=(replace(deck.entries[0], count=500),))

    with pytest.raises(EngineError, match="a deck of 500 cards is too large"):
        prepare(tables.format, tables.database, [huge, deck], ("random", "random"))


def test_numbers_follow_the_database(tables):
    numbers = card_numbers(tables.database)

    assert list(numbers.values()) == list(range(1, len(tables.database.cards) + 1))
