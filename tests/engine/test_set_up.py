"""Set-up, redraws and who begins; scenarios deal nothing and cannot show them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deckcheck.engine.contract import apply_move, legal_moves, set_up, to_move
from deckcheck.engine.gwent.codes import LeaderState, Phase, Verb
from deckcheck.engine.primitives import encode
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import seat, set_table

KEEP = encode(int(Verb.KEEP_HAND))


def by_name(tables, name):
    return next(
        i for i, deck in enumerate(tables.decks) if deck.source.path.endswith(name)
    )


@pytest.fixture
def start(tables):
    def begin(a, b, coin=0, leaders=(None, None), **options):
        table = tables.seat(
            by_name(tables, a), by_name(tables, b), leaders=leaders, **options
        )
        states, context = tables.open(table)
        start_game(states[0], context[0], 1, 0, 0, coin)
        set_up(states[0], context[0])
        return states[0], context[0]

    return begin


NR, MO, ST = "nr_siege_masters.deck", "mo_swarm.deck", "st_beautiful_archers.deck"


def test_two_gems_one_leader_an_empty_pile(start):
    """Statement 1.2.1."""
    s, x = start(NR, MO)

    assert s.gems.tolist() == [2, 2]
    assert s.n_discard.tolist() == [0, 0]
    assert (s.leader > 0).all()
    assert set(s.leader_state.tolist()) <= {LeaderState.READY, LeaderState.PASSIVE}
    assert (s.n_deck + s.n_hand).tolist() == x.n_deck.tolist()


@pytest.mark.parametrize("coin", [0, 1])
def test_the_coin_decides_who_begins(start, coin):
    """Statement 1.2.2."""
    s, _ = start(NR, MO, coin)

    assert s.first == s.starter == to_move(s) == coin


@pytest.mark.parametrize("chosen", [0, 1])
def test_scoiatael_decide_who_begins(start, chosen):
    """Statement 1.7.4: before the cards are drawn."""
    s, x = start(NR, ST, 0)

    assert s.phase == Phase.STARTER
    assert to_move(s) == 1
    assert s.n_hand.tolist() == [0, 0]

    apply_move(s, x, encode(int(Verb.START), who=chosen))

    assert s.first == to_move(s) == chosen
    assert s.n_hand.tolist() == [10, 10]


def test_two_scoiatael_take_the_coin(start):
    """Statement 1.7.4: both Scoia'tael: the coin."""
    s, _ = start(ST, "st_smugglers_and_healers.deck", 1)

    assert s.phase == Phase.REDRAW
    assert s.first == 1


def test_ten_cards_and_eleven_for_daisy(start):
    """Statements 1.2.3 and 1.9.6: 11 opening cards, still 2 redraws."""
    daisy = "francesca_daisy_of_the_valley"
    s, x = start(ST, MO, leaders=(daisy, None))
    apply_move(s, x, encode(int(Verb.START), who=0))

    assert s.n_hand.tolist() == [11, 10]
    assert s.redraws.tolist() == [2, 2]


def test_white_flame_voids_daisy(start):
    """Statement 1.9.5: the passive leaders too."""
    leaders = ("francesca_daisy_of_the_valley", "emhyr_the_white_flame")
    s, x = start(ST, "ng_brigade_and_cavalry.deck", leaders=leaders)
    apply_move(s, x, encode(int(Verb.START), who=0))

    assert s.n_hand.tolist() == [10, 10]


def test_up_to_two_redraws_one_after_the_other(start):
    """Statement 1.2.4; the deck keeps its size, the new card may be given back."""
    s, x = start(NR, MO)
    size = s.n_deck.tolist()
    for left in (1, 0):
        assert to_move(s) == 0
        card = int(s.hand[0, 0])
        apply_move(s, x, encode(int(Verb.REDRAW), card))
        assert s.redraws[0] == left

    assert s.n_deck.tolist() == size
    assert s.n_hand.tolist() == [10, 10]
    assert to_move(s) == 1

    apply_move(s, x, KEEP)

    assert s.phase == Phase.PLAY
    assert to_move(s) == 0


def test_redraws_are_decided_unseen(start):
    """Statement 1.2.5: what the first player redrew is not known to the second."""
    s, x = start(NR, MO)
    moves = x.moves[: legal_moves(s, x)].tolist()
    apply_move(s, x, moves[1])
    apply_move(s, x, KEEP)

    assert not s.seen.any()
    assert to_move(s) == 1


@pytest.mark.parametrize(("redraws", "phase"), [(0, Phase.PLAY), (1, Phase.REDRAW)])
def test_redraws_are_an_option(start, redraws, phase):
    s, _ = start(NR, MO, redraws=redraws)

    assert s.phase == phase


def test_gems_and_hand_are_options(start):
    s, _ = start(NR, MO, gems=3, hand_size=7)

    assert s.gems.tolist() == [3, 3]
    assert s.n_hand.tolist() == [7, 7]


def test_a_deck_shorter_than_a_hand_is_drawn_whole(tables):
    deck = tables.decks[0]
    short = replace(deck, entries=deck.entries[:2])
    table = set_table(
        tables.format, tables.database, [seat(d, "random") for d in (short, deck)]
    )
    states, context = tables.open(table)
    start_game(states[0], context[0], 1, 0, 0, 0)
    set_up(states[0], context[0])

    assert states[0].n_hand[0] == sum(short.counts().values())
    assert states[0].n_deck[0] == 0
