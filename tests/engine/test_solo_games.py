"""Solo: what every game must keep, tried against automas of every faction."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gwent_census import census

from deckcheck.cards import load_database
from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    place,
    points,
    seat_of,
    set_up,
    to_move,
)
from deckcheck.engine.match import open_table, play_set_block, prepare_seats
from deckcheck.engine.registry import load_game
from deckcheck.engine.set_tally import Part
from deckcheck.engine.sets import start_set_game
from deckcheck.formats import load_format
from deckcheck.policies.registry import policy_number

FACTIONS = ("northern_realms", "nilfgaard", "monsters", "scoiatael", "skellige")
PAIRS = [
    ("nilfgaard", "skellige"),
    ("skellige", "northern_realms"),
    ("monsters", "scoiatael"),
    ("scoiatael", "nilfgaard"),
    ("northern_realms", "monsters"),
]
FORMATS = ("solo", "solo_leader")


def seat(mine, theirs, fmt="solo", leader=0, policy="random", **options):
    """A table of a user with a whole faction and an automa."""
    database, game = load_database("gwent"), load_game("gwent")
    rules = load_format(f"gwent/{fmt}")
    rules = replace(rules, options={**rules.options, **options})
    own = [x.id for x in database.leaders.values() if x.faction == mine]
    deck = {
        "faction": mine,
        "leader": own[leader % len(own)],
        "cards": {},
        "policy": policy_number(policy),
    }
    user = game.player_seat(database, rules, deck)
    automa = game.automa_seat(database, rules, theirs)
    return prepare_seats(rules, database, [user, automa], [(0, 1)], [(0, 1)], 1)


def begin(table, seed=1):
    states, contexts = open_table.__wrapped__(table)
    s, x = states[0], contexts[0]
    start_set_game(s, x, seed, 0, 0, 0)
    set_up(s, x)
    return s, x


def solo_census(s, x):
    """Every card, those under Decoys and the Decoys above them included."""
    cards = census(s, x)
    for i in range(s.n_hidden):
        cards.update(int(card) for card in s.hidden[i])
    return cards


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("fmt", FORMATS)
def test_games_end_and_no_card_is_lost(pair, fmt):
    s, x = begin(seat(*pair, fmt, leader=3))
    before = solo_census(s, x)
    while not is_over(s):
        assert to_move(s) == 0
        count = legal_moves(s, x)
        moves = x.moves[:count].tolist()
        assert len(set(moves)) == count > 0
        apply_move(s, x, moves[(7 * s.turns) % count])
        now = solo_census(s, x)
        assert sum(now.values()) + s.n_removed == sum(before.values())
        assert not now - before

    assert {place(s, x, 0), place(s, x, 1)} in ({1, 2}, {1})
    assert min(points(s, x, 0), points(s, x, 1)) == 0
    assert s.n_hand[1] == 0


def test_the_automa_begins_but_against_scoiatael():
    s, x = begin(seat("nilfgaard", "scoiatael"))
    assert [seat_of(s, x, 0), seat_of(s, x, 1)] == [1, 0]

    s, x = begin(seat("scoiatael", "nilfgaard"))
    assert [seat_of(s, x, 0), seat_of(s, x, 1)] == [0, 1]


@pytest.mark.parametrize("faction", FACTIONS)
def test_decks_are_the_whole_faction(faction):
    database = load_database("gwent")
    game = load_game("gwent")
    rules = load_format("gwent/solo")
    automa = game.automa_seat(database, rules, faction)["cards"]
    deck = {"faction": faction, "leader": None, "cards": {}, "policy": 0}
    user = game.player_seat(database, rules, deck)["cards"]
    cards = database.cards
    expected = {
        id: card.copies
        for id, card in cards.items()
        if card.faction in (faction, "neutral") and card.deckable
    }

    assert automa == expected
    assert {cards[id].kind for id in automa.keys() - user.keys()} == {"weather"}
    assert [id for id in user if cards[id].kind == "weather"] == ["clear_weather"]
    assert all(user[id] == automa[id] for id in user)


@pytest.mark.slow
def test_many_random_games_end():
    for number, mine in enumerate(FACTIONS):
        for other, theirs in enumerate(FACTIONS):
            for fmt in FORMATS:
                table = seat(mine, theirs, fmt, leader=number + other)
                tally = play_set_block(table, 1, 5 * number + other, 0, 400)
                assert tally[1, Part.GAMES] == tally[2, Part.GAMES] == 400
