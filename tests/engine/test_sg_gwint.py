"""What no scenario of SG Gwint can show: refusals, hidden knowledge, discards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from deciding import choose_move
from samples import opened, sample_decks
from sg_gwint_census import snapshot

from deckcheck.cards import Card
from deckcheck.cards.models import CardAbility, CardChange
from deckcheck.engine.contract import (
    apply_move,
    determinize,
    discard_moves,
    is_over,
    legal_moves,
    set_up,
    to_move,
)
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import EngineError, Seat
from deckcheck.engine.sg_gwint.codes import Phase, Verb
from deckcheck.engine.sg_gwint.game import fill_context
from deckcheck.engine.sg_gwint.state import DECK, copy_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import seat, set_table

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
    fill_context(CARDS, FORMAT, [Seat({"ghoul": DECK}), Seat({})])

    assert "a deck of 81 cards" in refused(FORMAT, Seat({"ghoul": DECK + 1}))


def with_card(card: Card) -> str:
    database = CARDS.with_changes([CardChange(None, card, "own.yaml", is_own=True)])
    with pytest.raises(EngineError) as error:
        fill_context(database, FORMAT, [Seat({}), Seat({})])
    return error.value.message


def test_abilities_that_a_kind_cannot_have_are_refused() -> None:
    ghoul, scorch = CARDS.cards["ghoul"], CARDS.cards["scorch"]

    for card, code in ((ghoul, "weather"), (ghoul, "attach"), (scorch, "spy")):
        wrong = replace(card, abilities=(CardAbility(code, amount=1, rows=("close",)),))
        assert f"cannot have, `{code}`" in with_card(wrong)


def test_numbers_beyond_the_records_are_refused() -> None:
    strong = replace(CARDS.cards["ghoul"], strength=101)

    assert "a number above 100" in with_card(strong)


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
    for seed in range(5):
        _, s, x = begin(seed, "random", decks)
        while not is_over(s):
            copy_into_trial(s, x)

            assert snapshot(x.trial[0]) == snapshot(s)
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
