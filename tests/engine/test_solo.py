"""Solo against the automa: whole games, and its choices."""

from itertools import product

import pytest
from helpers.census import solo_snapshot
from helpers.play import play_on
from helpers.records import lend
from helpers.samples import AGAINST_AUTOMA, FACTIONS, opened, solo_table

from deckcheck.cards import load_database
from deckcheck.engine.contract import (
    determinize,
    find_seat,
    place,
    points,
    set_up,
    to_move,
)
from deckcheck.engine.gwent.board import rescore_all
from deckcheck.engine.gwent.codes import Ability, Kind
from deckcheck.engine.gwent.solo import automa_turn
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import Seat, card_numbers, load_game
from deckcheck.formats import load_format
from deckcheck.playing.kernel import SeatColumns, start_game
from deckcheck.playing.table import new_states
from deckcheck.policies.registry import Policy

# The automa's choices against all others, tried here one by one (rules 6.2.5).

NUMBERS = card_numbers(load_database("gwent"))
MEDIC = NUMBERS["siege_technician"]
HORN = NUMBERS["commanders_horn"]
PLAIN = (0, int(Ability.TIGHT_BOND))
AUTOMA = 1


def begin(table, seed=1):
    """Two states, the game that has been set up and a spare one, and the context."""
    states, s, x = opened(table)
    start_game(s, x, seed, 0, 0, 0)
    set_up(s, x)
    return states, s, x


@entry
def take_turn(s, x):
    """One turn of the automa."""
    automa_turn(s, x)


@entry
def recount(s, x):
    """All totals anew."""
    rescore_all(s, x)


def lead_of(s):
    return int(s.total[1].sum() - s.total[0].sum())


def lay(s, card, row):
    s.row[AUTOMA, row, s.n_row[AUTOMA, row]] = card
    s.n_row[AUTOMA, row] += 1


def moves_nothing(s, x):
    """Whether no agile unit of the automa could move after the card."""
    cards = [s.row[AUTOMA, row, : s.n_row[AUTOMA, row]] for row in range(3)]
    return not any(x.ability[c] & Ability.AGILE for row in cards for c in row)


def leads_with_medic(s, x, spare):
    """The lead for each unit of the pile that the medic could bring back."""
    pile = {int(card) for card in s.discard[AUTOMA, : s.n_discard[AUTOMA]]}
    for card in [card for card in pile if x.kind[card] == Kind.UNIT]:
        spare[0] = s
        lay(spare[0], MEDIC, 2)
        lay(spare[0], card, int(x.rows[card]).bit_length() - 1)
        recount(spare[0], x)
        yield lead_of(spare[0])


def leads_with_horn(s, x, spare):
    """The lead for each row beside which the horn could lie."""
    for row in range(3):
        if not s.slot[AUTOMA, row]:
            spare[0] = s
            spare[0].slot[AUTOMA, row] = 1
            recount(spare[0], x)
            yield lead_of(spare[0])


def with_plain_pile(s, x):
    """Give the automa a pile of units that do nothing but count."""
    deck = [int(card) for card in s.deck[AUTOMA, : s.n_deck[AUTOMA]]]
    pile = [c for c in deck if x.kind[c] != Kind.UNIT or x.ability[c] in PLAIN][:12]
    s.discard[AUTOMA, : len(pile)] = pile
    s.n_discard[AUTOMA] = len(pile)


@pytest.mark.parametrize("card", [MEDIC, HORN], ids=["medic", "horn"])
def test_no_other_choice_gives_a_greater_lead(card):
    """Random games; in a copy of them the card is on top of the automa's deck."""
    others = leads_with_medic if card == MEDIC else leads_with_horn
    several = 0
    for seed in range(2):
        table = solo_table("skellige", "nilfgaard", leader=seed)
        states, s, x = begin(table, seed)
        spare = lend(new_states(table.game, table.variant, 1))
        for _ in play_on(s, x, 1):
            if not moves_nothing(s, x):
                continue
            states[1] = s
            states[1].deck[AUTOMA, s.n_deck[AUTOMA] - 1] = card
            with_plain_pile(states[1], x)
            leads = list(others(states[1], x, spare))
            take_turn(states[1], x)
            several += len(set(leads)) > 1

            assert not leads or lead_of(states[1]) == max(leads)

    assert several > 8


# Solo alone; what every game must keep is tried in `test_every_game.py`.

FORMATS = ("gwent/solo", "gwent/solo_leader")


@pytest.mark.parametrize("pair", AGAINST_AUTOMA)
@pytest.mark.parametrize("fmt", FORMATS)
def test_the_user_alone_decides_and_one_of_both_loses_every_gem(pair, fmt):
    mine, theirs = (FACTIONS[number] for number in pair)
    _, s, x = begin(solo_table(mine, theirs, fmt, leader=3))
    for _ in play_on(s, x, Policy.RANDOM):
        assert to_move(s) == 0

    assert {place(s, x, 0), place(s, x, 1)} in ({1, 2}, {1})
    assert min(points(s, x, 0), points(s, x, 1)) == 0
    assert s.n_hand[1] == 0


def test_the_automa_begins_but_against_scoiatael():
    _, s, x = begin(solo_table("nilfgaard", "scoiatael"))
    assert [find_seat(s, x, 0), find_seat(s, x, 1)] == [1, 0]

    _, s, x = begin(solo_table("scoiatael", "nilfgaard"))
    assert [find_seat(s, x, 0), find_seat(s, x, 1)] == [0, 1]


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


def test_determinize_hides_all_that_the_automa_has_not_turned_up():
    states, s, x = begin(
        solo_table("nilfgaard", "monsters", "gwent/solo_leader"), seed=7
    )
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
    states, s, x = begin(solo_table("nilfgaard", "monsters"), seed=7)
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
@pytest.mark.parametrize("fmt", FORMATS)
def test_the_heuristic_wins_more_than_a_dummy(fmt):
    won = {}
    for policy in ("random", "sane_random", "heuristic"):
        won[policy] = 0
        for number, (mine, theirs) in enumerate(product(FACTIONS, FACTIONS)):
            table = solo_table(mine, theirs, fmt, leader=number, policy=policy)
            won[policy] += table.play(3, number, 0, 140)[1, SeatColumns.WINS]

    assert won["heuristic"] > 4 * won["sane_random"]
    assert won["sane_random"] > won["random"]
