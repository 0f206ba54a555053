"""Players of Gwent who think: `search` and `heuristic` in chosen positions."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from helpers.endgames import (
    FILE,
    HARD,
    LIMIT,
    open_position,
    read,
    value_of,
    winning_moves,
)
from helpers.play import (
    LATE_GAMES,
    SEED,
    choose_move,
    late,
    moves_chosen,
    printed_alike,
)

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    set_up,
    suppose_plans,
    to_move,
)
from deckcheck.engine.gwent.board import KNOWN_TO_ALL
from deckcheck.engine.gwent.codes import (
    KEEP_HAND,
    PASS,
    PLAY,
    REDRAW,
    START,
    USE_LEADER,
    Leader,
    Phase,
)
from deckcheck.engine.gwent.evaluation import mardroeme_gain, scorch_gain
from deckcheck.engine.primitives import (
    CARD_MASK,
    ROW_BIT,
    WHO_BIT,
    LeaderState,
    seed_generator,
)
from deckcheck.playing.kernel import start_game
from deckcheck.policies.players import SURE_CHANCE, UNKNOWN_VALUE, WON_VALUE, is_decided
from deckcheck.policies.registry import Policy, read_policy
from deckcheck.policies.workspace import extra_players, new_workspace

# Endgames with open hands, solved exactly: who finds a move that wins?

CARDS_IN_DECK = 5


@cache
def solved(file=FILE):
    """The positions of a file, each with the moves that win in it."""
    positions = read(file)
    return [
        (position, winning_moves(*open_position(position))) for position in positions
    ]


def share_of_wins_found(name: str, file: Path) -> float:
    """In how many of the positions a player makes a move that wins."""
    chosen = zip(moves_chosen(name, file), solved(file), strict=True)
    return sum(move in winning for move, (_, winning) in chosen) / len(solved(file))


@pytest.mark.slow
@pytest.mark.parametrize(("file", "part"), [(FILE, 1), (HARD, 3)])
def test_there_are_a_hundred_positions_in_which_few_moves_win(file, part) -> None:
    for position, winning in solved(file):
        states, x = open_position(position)
        count = legal_moves(states[0], x)

        assert 0 < part * len(winning) <= count
        assert len(winning) < count
    assert len(solved(file)) == 100


@pytest.mark.slow
def test_who_plays_the_solution_wins_and_who_misses_it_may_lose() -> None:
    """The solver is right: its wins are won against rules of thumb, move by move."""
    for position, _ in solved()[:12]:
        states, x = open_position(position)
        s, player = states[0], int(to_move(states[0]))
        while not is_over(s):
            if to_move(s) == player:
                move = winning_moves(states, x)[0]
            else:
                move = heuristic_move(s, x, legal_moves(s, x))
            apply_move(s, x, move)

        assert returns(s, x, player) == WON_VALUE


@pytest.mark.parametrize(
    ("number", "limit", "least"),
    [(20, 100, 10), pytest.param(100, LIMIT, 100, marks=pytest.mark.slow)],
)
def test_the_value_of_one_side_is_what_the_other_is_denied(
    number, limit, least
) -> None:
    known = 0
    for position in read(FILE)[:number]:
        states, x = open_position(position)
        values = [value_of(states, x, player, limit) for player in range(2)]

        known += UNKNOWN_VALUE not in values
        assert UNKNOWN_VALUE in values or sum(values) == WON_VALUE
        assert values[to_move(states[0])] in (WON_VALUE, UNKNOWN_VALUE)
    assert known >= least


CHOSEN = """
import sys
sys.path.insert(0, "tests")
from helpers.endgames import HARD
from helpers.play import moves_chosen
print(moves_chosen("search:64", HARD, 6))
"""


@pytest.mark.slow
def test_compiled_and_uncompiled_it_solves_alike() -> None:
    assert printed_alike(CHOSEN)


@pytest.mark.slow
@pytest.mark.parametrize("known", [0, KNOWN_TO_ALL])
def test_an_endgame_is_decided_by_what_can_be_seen(known: int) -> None:
    """With cards in the decks, whose order is hidden: dealt anew, the same move."""
    player = read_policy("search:64")
    p = new_workspace("gwent", "two", extra_players([player.policy], "gwent", "two"))[0]
    for number, position in enumerate(read(HARD)[:12]):
        states, x = open_position(position)
        s = states[0]
        s.n_deck[:] = CARDS_IN_DECK  # those that were set aside
        s.seen[:] = known
        x.budget[:] = player.budget
        chosen = set()
        for world in range(3):
            if world:
                seed_generator(x.rng, number, world, 0)
                determinize(s, x, to_move(s))
            seed_generator(x.rng, SEED, number, 0)
            count = legal_moves(s, x)
            chosen.add(int(choose_move(s, x, player.policy, count, p)))

        assert len(chosen) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "file", "least", "most"),
    [
        ("search:256", FILE, 0.95, 1.0),
        ("learned-1", FILE, 0.85, 1.0),
        ("learned", FILE, 0.98, 1.0),
        ("random", HARD, 0.15, 0.4),
        ("heuristic", HARD, 0.6, 0.8),
        ("learned-1", HARD, 0.8, 0.95),
        ("learned", HARD, 0.98, 1.0),
        ("search:256", HARD, 0.97, 1.0),
    ],
)
def test_players_find_a_move_that_wins_as_often_as_they_are_strong(
    player: str, file: Path, least: float, most: float
) -> None:
    assert least <= share_of_wins_found(player, file) <= most


# What the rule-of-thumb player of Gwent knows to do, on boards made by hand.

SIEGE_MASTERS, ARCHERS = "Siege masters", "The beautiful archers"
CLOSE, RANGED = 0, 1


@pytest.fixture
def number(tables):
    """The number of a card in the engine, by its English name."""
    names = {card.name: i for i, card in enumerate(tables.database.cards.values(), 1)}
    return names.__getitem__


def begin(tables, a, b, policy="heuristic"):
    """A game of two decks, at its first decision."""
    numbers = [[deck.name for deck in tables.decks].index(name) for name in (a, b)]
    states, contexts = tables.open(tables.seat(*numbers, policy, policy))
    start_game(states[0], contexts[0], 1, 0, 0, 0)
    set_up(states[0], contexts[0])
    return states[0], contexts[0]


def decide(s, x):
    return int(heuristic_move(s, x, legal_moves(s, x)))


def give(s, player, *cards):
    """These cards are the hand of a player."""
    s.n_hand[player] = len(cards)
    s.hand[player, : len(cards)] = sorted(cards)
    s.seen[player, : len(cards)] = 0


def other_has_passed(tables, number, card, *, gems, strength=10):
    """The player's turn; the other has passed with this strength, one card is left."""
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS)
    s.phase, s.turn, s.passed[1] = Phase.PLAY, 0, 1
    s.gems[:] = gems
    s.leader_state[:] = 1
    s.row[1, CLOSE, 0], s.n_row[1, CLOSE] = number("Geralt of Rivia"), 1
    s.total[1, CLOSE] = strength
    give(s, 0, number(card))
    return s, x


@pytest.mark.parametrize("decks", [(ARCHERS, SIEGE_MASTERS), (SIEGE_MASTERS, ARCHERS)])
def test_who_may_choose_lets_the_other_begin(tables, decks):
    s, x = begin(tables, *decks)

    assert s.phase == Phase.STARTER
    assert decide(s, x) == START | (1 - s.turn) << WHO_BIT


@pytest.mark.parametrize("decks", [(ARCHERS, SIEGE_MASTERS), (SIEGE_MASTERS, ARCHERS)])
def test_the_first_version_lets_the_first_seat_begin(tables, decks):
    s, x = begin(tables, *decks, policy="heuristic-1")

    assert decide(s, x) == START


def test_a_card_that_wins_the_match_is_not_too_dear(tables, number):
    hero = "Cirilla Fiona Elen Riannon"
    s, x = other_has_passed(tables, number, hero, gems=(2, 1))

    assert decide(s, x) == PLAY | CLOSE << ROW_BIT | number(hero)


def test_nothing_is_spent_on_a_round_that_cannot_be_won(tables, number):
    hero = "Cirilla Fiona Elen Riannon"
    board = other_has_passed(tables, number, hero, gems=(2, 1), strength=40)

    assert decide(*board) == PASS


def test_on_the_last_gem_a_spy_may_draw_what_wins(tables, number):
    spy = "Prince Stennis"
    s, x = other_has_passed(tables, number, spy, gems=(1, 1))

    assert decide(s, x) == PLAY | CLOSE << ROW_BIT | number(spy)


def first_turn(tables, number, policy, *hand, leader=Leader.NONE):
    """The first turn of a game; the rows and discard piles are empty."""
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS, policy)
    s.phase, s.turn, s.leader[0] = Phase.PLAY, 0, leader
    s.leader_state[0] = LeaderState.READY if leader else LeaderState.USED
    for player in range(2):
        give(s, player, *map(number, hand))
    return s, x


@pytest.mark.parametrize(
    "leader",
    [
        Leader.TAKE_FROM_ENEMY_DISCARD,
        Leader.RESTORE_OWN_DISCARD,
        Leader.DISCARD_TWO_PICK_ONE,
    ],
    ids=str,
)
def test_a_leader_who_brings_nothing_yet_waits_since_version_3(tables, number, leader):
    hand = 5 * ("Geralt of Rivia",)
    for policy, move in (
        ("heuristic-2", USE_LEADER),
        ("heuristic", PLAY | CLOSE << ROW_BIT | number("Geralt of Rivia")),
    ):
        board = first_turn(tables, number, policy, *hand, leader=leader)

        assert decide(*board) == move


@pytest.mark.parametrize(("berserker", "row"), [("", CLOSE), ("Young ", RANGED)])
def test_a_mardroeme_goes_where_berserkers_may_lie(tables, number, berserker, row):
    card = number("Mardroeme")
    for policy, lies in (("heuristic-2", CLOSE), ("heuristic", row)):
        hand = (f"{berserker}Berserker", "Mardroeme")
        s, x = first_turn(tables, number, policy, *hand)
        moves = [
            move for move in x.moves[: legal_moves(s, x)] if move & CARD_MASK == card
        ]
        x.moves[: len(moves)] = moves

        assert len(moves) == 3
        assert heuristic_move(s, x, len(moves)) == PLAY | lies << ROW_BIT | card


@pytest.mark.parametrize(
    ("name", "gain"), [("Berserker", 2 * 10), ("Young Berserker", 2 * 6 + 2 * 8)]
)
def test_of_what_berserkers_become_the_young_are_bound(tables, number, name, gain):
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS)
    s.row[0, CLOSE, :2], s.n_row[0, CLOSE] = number(name), 2

    assert mardroeme_gain(s, x, 0, CLOSE) == gain


def test_a_unit_that_scorches_is_not_counted_itself(tables, number):
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS)
    for side, cards in enumerate((("Ballista", "Catapult"), ("Catapult",))):
        s.row[side, CLOSE, : len(cards)] = [number(card) for card in cards]
        s.n_row[side, CLOSE] = len(cards)

    assert scorch_gain(s, x, 0, 1, CLOSE) == 8
    assert scorch_gain(s, x, 0, -1, -1) == 0


def test_spies_are_not_given_back(tables, number):
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS)
    assert s.phase == Phase.REDRAW
    give(s, s.turn, number("Prince Stennis"), number("Thaler"))

    assert decide(s, x) == KEEP_HAND


def test_the_weakest_card_is_given_back(tables, number):
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS)
    weak = number("Kaedweni Siege Expert")
    give(s, s.turn, weak, number("Geralt of Rivia"))

    assert decide(s, x) == REDRAW | weak


# `search`: honest, the same in every block and uncompiled, and in every game.

DECISIONS = """
import sys
sys.path.insert(0, "tests")
from helpers.play import LATE_GAMES as GAMES, decisions
for game in GAMES:
    print(game, decisions(game))
"""


@pytest.mark.slow
@pytest.mark.parametrize("sample", LATE_GAMES, ids=str)
def test_it_decides_by_what_it_can_see(sample):
    states, s, x, p = late(sample, 16)
    step = 0
    while not is_over(s):
        chosen = []
        for world in range(3):
            states[1] = states[0]
            if world:
                seed_generator(x.rng, step, world, 0)
                determinize(states[1], x, to_move(s))
            seed_generator(x.rng, step, 0, 0)
            count = legal_moves(states[1], x)
            chosen.append(int(choose_move(states[1], x, Policy.SEARCH, count, p)))
        assert len(set(chosen)) == 1
        count = legal_moves(s, x)
        apply_move(s, x, choose_move(s, x, Policy.RANDOM, count))
        step += 1

    assert step > 3


@pytest.mark.slow
@pytest.mark.parametrize("sample", LATE_GAMES, ids=str)
def test_thinking_changes_nothing_but_its_own_chance(sample):
    _, s, x, p = late(sample, 16)
    before, policy = sample.snapshot(s), x.policy.tolist()
    choose_move(s, x, Policy.SEARCH, legal_moves(s, x), p)

    assert sample.snapshot(s) == before
    assert x.policy.tolist() == policy


@pytest.mark.slow
def test_it_does_not_know_who_the_other_is():
    """The other's plans differ: those of the first heuristic, and of today's."""
    decided = []
    for other in ("heuristic-1", "heuristic"):
        _, s, x, p = late(LATE_GAMES[0], 32, other)
        while not is_over(s):
            count = legal_moves(s, x)
            policy = Policy.RANDOM if to_move(s) else Policy.SEARCH
            decided.append(int(choose_move(s, x, policy, count, p)))
            apply_move(s, x, decided[-1])

    half = len(decided) // 2
    assert half > 3
    assert decided[:half] == decided[half:]


def test_in_every_second_world_the_other_plays_as_the_first_heuristic_does():
    _, s, x, _ = late(LATE_GAMES[0], 32, "heuristic")
    for world in range(4):
        suppose_plans(s, x, 0, world)
        assert x.figures[0] != x.first_figures
        assert (x.figures[1] == x.first_figures) == (world % 2 == 1)
        assert (x.figures[1] == x.figures[0]) == (world % 2 == 0)


@pytest.mark.parametrize(
    ("lead", "alive", "left", "decided"),
    [
        *((14, 2, 42, True), (12, 2, 42, False), (-14, 2, 42, True)),
        *((14, 4, 42, False), (1, 2, 0, True), (0, 2, 1, False)),
    ],
)
def test_the_last_two_are_tried_until_one_is_far_ahead(lead, alive, left, decided):
    scores = np.zeros(1, [("score", np.int64, (2,))]).view(np.recarray)[0]
    scores.score[:] = (20 * SURE_CHANCE, (20 - lead) * SURE_CHANCE)
    compute = getattr(is_decided, "py_func", is_decided)

    assert compute(scores, alive, left) == decided


HALVES = """
import sys
sys.path.insert(0, "tests")
from collections import Counter
from helpers.play import late
from helpers.samples import SAMPLES
from deckcheck.engine.contract import legal_moves, set_up
from deckcheck.playing.kernel import start_game
from deckcheck.policies import players
sample = next(s for s in SAMPLES if s.format == "gwen_t/pool")
tried = []
players.try_candidates = lambda s, y, q, alive, world: tried.append((alive, world))
players.is_decided = lambda q, alive, left: False
for budget in (1, 64, 1000):
    _, s, x, p = late(sample, budget)
    start_game(s, x, 9, 0, 0, 0)
    set_up(s, x)
    tried.clear()
    players.tried_move(s, x, p, legal_moves(s, x))
    assert [world for _, world in tried] == list(range(len(tried)))
    print(budget, *Counter(int(alive) for alive, _ in tried).items())
"""


def test_the_better_half_is_tried_in_more_worlds() -> None:
    """Each round of halving costs as much, and every candidate meets all its worlds."""
    done = subprocess.run(
        [sys.executable, "-c", HALVES],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines() == [
        "1 (11, 1) (6, 1) (3, 1) (2, 1)",
        "64 (11, 1) (6, 2) (3, 5) (2, 8)",
        "1000 (11, 22) (6, 41) (3, 83) (2, 125)",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("sample", LATE_GAMES, ids=str)
def test_a_game_does_not_depend_on_those_before(sample):
    table = sample.table("search:2", "heuristic")
    whole = table.play(5, 0, 0, 3)
    parts = [table.play(5, 0, first, 1) for first in (2, 0, 1)]

    assert sum(part[0, 0] for part in parts) % (1 << 48) == whole[0, 0]
    assert sum(parts)[1:].tolist() == whole[1:].tolist()


@pytest.mark.slow
def test_compiled_and_uncompiled_it_decides_the_same():
    printed = printed_alike(DECISIONS)

    assert printed.count("\n") == len(LATE_GAMES)
