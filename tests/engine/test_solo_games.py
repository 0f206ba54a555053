"""Solo: what every game must keep, tried against automas of every faction."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product

import pytest
from deciding import choose_move, dealt_alike
from gwent_census import census, snapshot
from solo_tables import PAIRS, opened, play_on, seat

from deckcheck.cards import load_database
from deckcheck.engine.contract import (
    apply_move,
    determinize,
    heuristic_move,
    is_over,
    legal_moves,
    place,
    points,
    seat_of,
    to_move,
)
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import load_format
from deckcheck.playing.kernel import SeatColumns

FACTIONS = ("northern_realms", "nilfgaard", "monsters", "scoiatael", "skellige")
FORMATS = ("solo", "solo_leader")

CHECKSUMS = """
import sys
sys.path.insert(0, "tests/engine")
from solo_tables import PAIRS, seat
for number, pair in enumerate(PAIRS):
    for policy in ("random", "sane_random", "heuristic"):
        table = seat(*pair, "solo_leader", leader=number, policy=policy)
        print(pair, policy, table.play(5, number, 0, 3).tolist())
"""


def begin(table, seed=1):
    return opened(table, seed)[1:]


def solo_snapshot(s):
    """The state without what lies behind the end of a zone."""
    fields = snapshot(s)
    fields["hidden"] = fields["hidden"][: s.n_hidden]
    fields["leaders"] = fields["leaders"][: s.n_leaders]
    return fields


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
    automa = game.automa_seat(database, rules, faction).cards
    deck = Seat({}, faction=faction)
    user = game.player_seat(database, rules, deck).cards
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


@pytest.mark.parametrize("pair", PAIRS)
def test_every_legal_move_can_be_played_and_a_copy_is_independent(pair):
    states, s, x = opened(seat(*pair, "solo_leader", leader=1), seed=3)
    for step, count in enumerate(play_on(s, x, 0)):
        if step % 3:
            continue
        before = solo_snapshot(s)
        for move in x.moves[:count].tolist():
            states[1] = states[0]
            apply_move(states[1], x, move)

            assert states[1].turns == s.turns + 1
        assert solo_snapshot(s) == before


@pytest.mark.parametrize("pair", PAIRS)
def test_thinking_changes_nothing(pair):
    _, s, x = opened(seat(*pair, "solo_leader", leader=2), seed=5)
    for count in play_on(s, x, 1):
        before = solo_snapshot(s)
        move = heuristic_move(s, x, count)

        assert solo_snapshot(s) == before
        assert move in x.moves[:count]


@pytest.mark.parametrize("pair", PAIRS[:3])
@pytest.mark.parametrize("policy", [0, 1, 2])
def test_the_user_decides_by_what_can_be_seen(pair, policy):
    """The automa's deck, cards under Decoys and leader pile are dealt anew."""
    states, s, x = opened(seat(*pair, "solo_leader", leader=4), seed=6)
    for step, _ in enumerate(play_on(s, x, 1)):
        if step % 3:
            continue
        chosen = []
        for world in range(3):
            states[1] = states[0]
            if world:
                seed_generator(x.rng, step, world, 0)
                determinize(states[1], x, 0)
                assert solo_census(states[1], x) == solo_census(s, x)
            seed_generator(x.rng, step, 0, 0)
            count = legal_moves(states[1], x)
            chosen.append(int(choose_move(states[1], x, policy, count)))

        assert len(set(chosen)) == 1


@pytest.mark.parametrize("pair", PAIRS[:3])
def test_what_is_known_alone_decides_what_is_dealt_anew(pair):
    states, s, x = opened(seat(*pair, "solo_leader", leader=4), seed=6)
    for step, _ in enumerate(play_on(s, x, 1)):
        one, other = dealt_alike(states, x, 0, solo_snapshot, step)

        assert one == other


def test_determinize_hides_all_that_the_automa_has_not_turned_up():
    states, s, x = opened(seat("nilfgaard", "monsters", "solo_leader"), seed=7)
    s.hidden[0] = (s.deck[1, 3], s.deck[1, 4])
    s.n_hidden = 1
    secrets = {"deck": set(), "hidden": set(), "leaders": set()}
    for world in range(12):
        states[1] = states[0]
        seed_generator(x.rng, 1, world, 0)
        determinize(states[1], x, 0)
        after, before = solo_snapshot(states[1]), solo_snapshot(s)
        for name, seen in secrets.items():
            part = after[name][1] if name == "deck" else after[name]
            seen.add(str(part))
        for name in set(before) - {*secrets, "rng"}:
            assert after[name] == before[name], name
        assert after["hidden"][0][1] == before["hidden"][0][1]

    assert min(len(seen) for seen in secrets.values()) > 3


def test_determinize_hides_the_order_under_decoys_with_an_empty_deck():
    states, s, x = opened(seat("nilfgaard", "monsters"), seed=7)
    s.hidden[0] = (s.deck[1, 0], s.deck[1, 1])
    s.hidden[1] = (s.deck[1, 2], s.deck[1, 3])
    s.n_hidden = 2
    s.n_deck[1] = 0
    seen = set()
    for world in range(12):
        states[1] = states[0]
        seed_generator(x.rng, 1, world, 0)
        determinize(states[1], x, 0)
        seen.add(tuple(states[1].hidden[:2, 0].tolist()))

    first, second = s.deck[1, [0, 2]].tolist()
    assert seen == {(first, second), (second, first)}


@pytest.mark.slow
def test_compiled_and_uncompiled_play_the_same_games():
    outputs = []
    for switch in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", CHECKSUMS],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(done.stdout)

    assert outputs[0].count("\n") == 15
    assert outputs[0] == outputs[1]


@pytest.mark.slow
@pytest.mark.parametrize("fmt", FORMATS)
def test_the_heuristic_wins_more_than_a_dummy(fmt):
    won = {}
    for policy in ("random", "sane_random", "heuristic"):
        won[policy] = 0
        for number, (mine, theirs) in enumerate(product(FACTIONS, FACTIONS)):
            table = seat(mine, theirs, fmt, leader=number, policy=policy)
            won[policy] += table.play(3, number, 0, 40)[1, SeatColumns.WINS]

    assert won["heuristic"] > 4 * won["sane_random"]
    assert won["sane_random"] > won["random"]


@pytest.mark.slow
def test_many_random_games_end():
    for number, mine in enumerate(FACTIONS):
        for other, theirs in enumerate(FACTIONS):
            for fmt in FORMATS:
                table = seat(mine, theirs, fmt, leader=number + other)
                tally = table.play(1, 5 * number + other, 0, 400)
                assert tally[1, SeatColumns.GAMES] == tally[2, SeatColumns.GAMES] == 400
