"""SG Gwint: what no scenario shows, and what `learned` sees."""

from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from helpers.census import sg_gwint_snapshot
from helpers.play import choose_move
from helpers.samples import opened, sample_decks

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    discard_moves,
    is_over,
    legal_moves,
    set_up,
    to_move,
)
from deckcheck.engine.features import Lane
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import EngineError, Seat, card_numbers
from deckcheck.engine.sg_gwint.board import (
    count_unit_lagers,
    lead,
    rescore_all,
    strongest,
)
from deckcheck.engine.sg_gwint.codes import Phase, Verb
from deckcheck.engine.sg_gwint.context import find_lane, find_role
from deckcheck.engine.sg_gwint.features import Role, gain, look
from deckcheck.engine.sg_gwint.game import fill_context
from deckcheck.engine.sg_gwint.heuristic import card_worth
from deckcheck.engine.sg_gwint.state import MAX_DECK, copy_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import seat, set_table
from deckcheck.policies.workspace import make_learned_1_record

# What no scenario of SG Gwint can show: refusals, hidden knowledge, discards.

FORMAT = load_format("sg_gwint/approximation")
CARDS = database_of(FORMAT)
NAMES = load_format("sg_gwint/2.1")
CLUB = load_format("examples/sg_gwint/club.yaml")


def begin(seed: int, policy: str, decks: Sequence[int] = (0, 2)) -> Any:
    """A game between two sample decks; the first one is Scoia'tael."""
    sheets = [sample_decks("sg_gwint")[number] for number in decks]
    seats = [seat(sheet, policy) for sheet in sheets]
    states, s, x = opened(set_table(FORMAT, CARDS, seats))
    start_game(s, x, seed, 0, 0, seed % 2)
    set_up(s, x)
    return states, s, x


def refused(fmt: Any, *seats: Seat) -> str:
    with pytest.raises(EngineError) as error:
        fill_context(database_of(fmt), fmt, [*seats, Seat({})][:2])
    return error.value.message


def test_cards_that_are_not_public_cannot_be_played() -> None:
    message = refused(NAMES, Seat({"cirilla": 1}))

    assert message == "`Cirilla` cannot be played: what it does is not public"


def test_leaders_that_are_not_public_cannot_be_played() -> None:
    seat = Seat({}, faction="northern_realms", leader="king_henselt")

    assert refused(FORMAT, seat).startswith("`King Henselt` cannot be played")


def test_cards_under_others_cannot_be_played_until_a_set_says_what_they_do() -> None:
    assert "not public" in refused(FORMAT, Seat({"chivalry": 1}))

    fill_context(database_of(CLUB), CLUB, [Seat({"chivalry": 1}), Seat({})])


def test_a_deck_of_81_cards_is_refused() -> None:
    fill_context(CARDS, FORMAT, [Seat({"ghoul": MAX_DECK}), Seat({})])

    assert "a deck of 81 cards" in refused(FORMAT, Seat({"ghoul": MAX_DECK + 1}))


@pytest.mark.parametrize("policy", ["no_pass", "sane_random"])
def test_players_without_a_plan_never_discard(policy: str) -> None:
    _, s, x = begin(3, policy)
    discards = 0
    while not is_over(s):
        count = legal_moves(s, x)
        discards += discard_moves(s, x, count)
        move = int(choose_move(s, x, x.policy[to_move(s)], count))

        assert move >> 24 != Verb.DISCARD
        apply_move(s, x, move)

    assert discards > 0


@entry
def copy_into_trial(s, x):
    """What the heuristic player does before it tries a move."""
    copy_game(x.trial[0], s, x)


@pytest.mark.parametrize("decks", [(0, 2), (1, 3), (4, 3)])
def test_moves_are_tried_on_copies_that_lack_nothing(decks: Sequence[int]) -> None:
    for seed in range(2):
        _, s, x = begin(seed, "random", decks)
        while not is_over(s):
            copy_into_trial(s, x)

            assert sg_gwint_snapshot(x.trial[0]) == sg_gwint_snapshot(s)
            count = legal_moves(s, x)
            apply_move(s, x, int(choose_move(s, x, x.policy[to_move(s)], count)))


def test_to_discard_is_one_move_of_many_to_a_random_player() -> None:
    _, s, x = begin(4, "random")
    while s.phase != Phase.PLAY:
        apply_move(s, x, x.moves[legal_moves(s, x) - 1])
    count = legal_moves(s, x)
    discards = discard_moves(s, x, count)
    seed_generator(x.rng, 1, 2, 3)
    drawn = [int(choose_move(s, x, 0, count)) >> 24 for _ in range(4000)]
    share = drawn.count(Verb.DISCARD) / len(drawn)

    assert discards > 5
    assert abs(share - 1 / (count - discards + 1)) < 0.02


def test_the_coin_is_hidden_until_it_is_tossed() -> None:
    states, s, x = begin(5, "random")
    seen: dict[bool, set[int]] = {False: set(), True: set()}
    while s.phase != Phase.PLAY:
        for world in range(20):
            states[1] = states[0]
            seed_generator(x.rng, world, 1, 1)
            determinize(states[1], x, to_move(s))
            seen[bool(s.tossed)].add(int(states[1].coin))
        apply_move(s, x, x.moves[legal_moves(s, x) - 1])

    assert seen == {False: {0, 1}, True: {int(x.coin)}}


def test_search_keeps_the_cards_that_a_player_has_put_under_his_deck() -> None:
    states, s, x = begin(6, "random", (1, 2))
    player = to_move(s)
    put = []
    while s.phase == Phase.REDRAW and to_move(s) == player:
        legal_moves(s, x)
        put.append(int(x.moves[1]) & 4095)
        apply_move(s, x, x.moves[1])
    bottoms = {0: set(), 1: set()}
    for world in range(20):
        for who in range(2):
            states[1] = states[0]
            seed_generator(x.rng, world, 1, 1)
            determinize(states[1], x, who)
            bottoms[who].add(tuple(states[1].deck[player, : len(put)].tolist()))
            assert sorted(states[1].deck[who]) == sorted(s.deck[who])

    assert len(put) == 2
    assert bottoms[player] == {tuple(put[::-1])}
    assert len(bottoms[1 - player]) > 5


def test_search_keeps_a_card_under_a_deck_that_the_opponent_has_seen() -> None:
    """It was known in the hand; the one that went below it later was not."""
    states, s, x = begin(6, "random", (1, 2))
    player = to_move(s)
    s.seen[player, 0] = 1
    put = []
    for place in (0, 3):
        count = legal_moves(s, x)
        card = int(s.hand[player, place])
        [move] = [move for move in x.moves[:count] if int(move) & 4095 == card]
        apply_move(s, x, move)
        put.append(card)
    worlds = []
    for world in range(20):
        states[1] = states[0]
        seed_generator(x.rng, world, 1, 1)
        determinize(states[1], x, 1 - player)
        worlds.append(tuple(states[1].deck[player, :2].tolist()))

    assert {seen for _, seen in worlds} == {put[0]}
    assert len({unseen for unseen, _ in worlds}) > 5


# What `learned` sees of a board of SG Gwint is what the rules make of it.

NUMBERS = card_numbers(CARDS)
SEEDS = 2
ROWS = [(side, row) for side in range(2) for row in range(3)]


@entry
def look_at(s, x, q, player):
    """What a player sums up of a position."""
    look(s, x, q, player)


@entry
def total_under(s, x, place, sky_rows, slot):
    """The total of a row if this weather and this card of its slot worked on it."""
    side, row = place
    t = x.trial[0]
    copy_game(t, s, x)
    t.sky_rows = sky_rows
    t.slot[side, row] = slot
    rescore_all(t, x)
    return t.total[side, row]


@entry
def strongest_in(s, x, side, row):
    """The strongest unit of a row by the rules."""
    return strongest(s, x, side, row)


@entry
def lagers_in(s, x, side, row):
    """How many lagers units have brought to a row."""
    return count_unit_lagers(s, x, side, row, 0)


@entry
def gain_of(s, x, q, player, card):
    """What a card is said to bring."""
    return gain(s, x, q, player, card)


@entry
def gain_by(s, x, player, move):
    """What a move brings."""
    copy_game(x.trial[0], s, x)
    apply_move(x.trial[0], x, move)
    return lead(x.trial[0], player) - lead(s, player)


@entry
def estimate_worth(s, x, player, card):
    """What the rule-of-thumb player takes a card for."""
    return card_worth(s, x, player, card)


@pytest.fixture(scope="module")
def view() -> Any:
    return np.zeros(1, make_learned_1_record("sg_gwint", "duel")).view(np.recarray)[0]


def positions(view: Any) -> Iterator[tuple[Any, Any]]:
    """The positions of some games, each with what the player at turn sums up of it."""
    for seed in range(SEEDS):
        decks = sample_decks("sg_gwint")
        seats = [seat(decks[(seed + i) % len(decks)], "sane_random") for i in range(2)]
        _, s, x = opened(set_table(FORMAT, CARDS, seats))
        start_game(s, x, seed, 0, 0, seed % 2)
        set_up(s, x)
        while not is_over(s):
            look_at(s, x, view, s.turn)
            yield s, x
            count = legal_moves(s, x)
            apply_move(s, x, int(choose_move(s, x, x.policy[s.turn], count)))


def test_what_cards_are_usually_worth_stays() -> None:
    """Other figures play otherwise: they are a version of their own."""
    _, _, x = begin(1, "heuristic")
    worths = {name: int(x.worth[number]) for name, number in NUMBERS.items()}
    assert worths["decoy"] == 6
    assert crc32(str(sorted(worths.items())).encode()) == 2863665682


def test_it_sees_what_is_strongest_and_what_weather_would_change(view: Any) -> None:
    lager = NUMBERS["mahakam_lager"]
    seen = {"fade": 0, "lift": 0}
    for s, x in positions(view):
        for side, row in ROWS:
            assert view.best[side, row] == max(strongest_in(s, x, side, row), 0)
            bit, slot, total = 1 << row, s.slot[side, row], s.total[side, row]
            if x.kind[slot] == 0 or slot == lager:
                other = total_under(s, x, (side, row), s.sky_rows ^ bit, slot)
                assert view.fade[side, row] == abs(total - other)
                seen["fade"] += total != other
            if slot == 0 and lagers_in(s, x, side, row) == 0:
                other = total_under(s, x, (side, row), s.sky_rows, lager)
                assert view.lift[side, row] == other - total
                seen["lift"] += total != other

    assert min(seen.values()) > 50


def test_what_plain_units_bring_is_what_they_say(view: Any) -> None:
    compared = 0
    for s, x in positions(view):
        player, count = s.turn, legal_moves(s, x)
        found: dict[int, int] = {}
        for move in x.moves[:count].tolist():
            card = move & 4095
            if move >> 24 == Verb.PLAY and x.role[card] <= Role.AGILE:
                best = found.get(card, -1)
                found[card] = max(best, int(gain_by(s, x, player, move)))
        for card, most in found.items():
            assert gain_of(s, x, view, player, card) == most
            compared += 1

    assert compared > 50


@pytest.mark.parametrize(
    ("id", "role", "lane"),
    [
        ("letho_of_gulet", Role.SHIELDED, Lane.APART),
        ("griffin", Role.CLOSE, Lane.CLOSE),
        ("odim", Role.BRINGER, Lane.SIEGE),
        ("biting_frost", Role.FROST, Lane.AGILE),
        ("skellige_storm", Role.STORM, Lane.AGILE),
        ("mahakam_lager", Role.LAGER, Lane.AGILE),
        ("yennefer_of_vengerberg", Role.MEDIC, Lane.APART),
    ],
)
def test_a_card_has_the_role_that_decides_its_use(
    id: str, role: Role, lane: Lane
) -> None:
    assert (find_role(CARDS.cards[id]), find_lane(CARDS.cards[id])) == (role, lane)


def test_cards_in_company_are_worth_more(view: Any) -> None:
    s, x = next(positions(view))
    crone, infantry = NUMBERS["crone_whispess"], NUMBERS["poor_infantry"]
    s.n_deck[0], s.n_hand[0] = 2, 2
    s.deck[0, :2] = [NUMBERS["crone_brewess"], NUMBERS["crone_weavess"]]
    s.hand[0, :2] = infantry
    together = x.strength[s.deck[0, :2]].sum()

    assert x.worth[crone] == x.strength[crone]
    assert estimate_worth(s, x, 0, crone) == x.strength[crone] + together
    assert estimate_worth(s, x, 0, infantry) == 2 * x.strength[infantry]


def test_a_card_that_is_laid_is_not_valued_by_sums_of_another_game(view: Any) -> None:
    """What a muster finds is summed for hands and decks; this one is in neither."""
    s, x = next(positions(view))
    musters = np.flatnonzero(x.role == Role.MUSTER)
    for card in musters[:6].tolist():
        called = []
        for before in (0, 50):
            view.called[:] = before
            s.picked = card
            look_at(s, x, view, 0)
            called.append(int(view.called[0, x.calls[card]]))
        s.picked = 0

        assert called[0] == called[1]
    assert len(musters) > 0
