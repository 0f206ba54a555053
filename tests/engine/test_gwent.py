"""Gwent: its codes and options, set-up, rows, matches, and what seats see."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.boards import table
from helpers.play import play_on
from helpers.records import lend

from deckcheck.engine.contract import apply_move, determinize, legal_moves, set_up
from deckcheck.engine.gwent.codes import PLAY, USE_LEADER, Kind, Leader, Phase
from deckcheck.engine.gwent.leaders import ACTIVE_LEADERS, PASSIVE_LEADERS
from deckcheck.engine.gwent.match import (
    NO_WINNER,
    GwentMatchRules,
    GwentMatchState,
    match_rules,
)
from deckcheck.engine.gwent.state import new_states
from deckcheck.engine.primitives import ROW_BIT, LeaderState, RowName, seed_generator
from deckcheck.engine.registry import UnplayedCode
from deckcheck.formats import load_format
from deckcheck.playing.kernel import start_game
from deckcheck.policies.registry import Policy

# Scenarios show what each code and each value of an option does.


def test_every_leader_is_active_or_passive():
    codes = [code for code in Leader if code != Leader.NONE]

    assert sorted((*ACTIVE_LEADERS, *PASSIVE_LEADERS)) == codes


@pytest.mark.parametrize("what", ["active", "passive", Kind.SPECIAL, Kind.WEATHER])
def test_a_leader_or_card_without_code_ends_the_game(what):
    duel = table("duel", 0, Leader.NONE)
    s, x = lend(duel.state.copy())[0], lend(duel.context.copy())[0]
    if what in ("active", "passive"):
        x.leader[0], x.passive[0] = 99, what == "passive"
    else:
        x.ability[x.kind == what] = 1 << 30
    with pytest.raises(UnplayedCode):
        play_random_games(s, x)


def play_random_games(s, x):
    for seed in range(60):
        start_game(s, x, seed, 0, 0, 0)
        set_up(s, x)
        for _ in play_on(s, x, Policy.RANDOM):
            pass


# Who may choose which deck in a tournament match, and who first: gwent 3.4 to 3.8.

DECKS = 3
RULES = GwentMatchRules()


def after(
    *games: tuple[int, int], coin: int = 0, rules: GwentMatchRules = RULES
) -> GwentMatchState:
    """The state after games of equal decks, each as its winner and the deck."""
    state = rules.begin(coin)
    for winner, deck in games:
        state = rules.after_game(state, winner, (deck, deck))
    return state


def choices(state: GwentMatchState) -> tuple[list[int], list[int]]:
    return RULES.open_decks(state, 0, DECKS), RULES.open_decks(state, 1, DECKS)


@pytest.mark.parametrize(
    ("games", "winner"),
    [
        ((), None),
        (((0, 0),), None),
        (((0, 0), (1, 0)), None),
        (((0, 0), (0, 1)), 0),
        (((1, 2), (1, 0)), 1),
        (((0, 0), (1, 0), (1, 2)), 1),
        (((0, 0), (NO_WINNER, 0), (NO_WINNER, 0)), None),
    ],
)
def test_3_4_two_games_of_three_win_the_match(
    games: tuple[tuple[int, int], ...], winner: int | None
) -> None:
    assert RULES.find_winner(after(*games)) == winner


@pytest.mark.parametrize("coin", [0, 1])
def test_3_5_a_coin_decides_who_is_first_to_choose(coin: int) -> None:
    state = RULES.begin(coin)

    assert state.first == coin
    assert choices(state) == ([0, 1, 2], [0, 1, 2])


@pytest.mark.parametrize("coin", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
def test_3_6_the_winner_takes_a_new_deck_and_chooses_first(
    coin: int, winner: int
) -> None:
    state = after((winner, 1), coin=coin)

    assert state.first == winner
    assert choices(state)[winner] == [0, 2]
    assert choices(state)[1 - winner] == [0, 1, 2]


def test_3_6_a_deck_that_has_lost_may_come_back() -> None:
    # Side 0 lost with deck 1 or another, then won with deck 0.
    state = after((1, 2), (0, 0))

    assert choices(state) == ([1, 2], [0, 1])
    assert state.first == 0


def test_3_7_a_deck_that_has_won_cannot_be_used_again() -> None:
    state = after((0, 2), (1, 0))

    assert choices(state) == ([0, 1], [1, 2])


@pytest.mark.parametrize("games", [(), ((0, 1),), ((0, 1), (1, 1))])
def test_3_8_a_drawn_game_is_replayed_with_a_free_choice(
    games: tuple[tuple[int, int], ...],
) -> None:
    before = after(*games)

    assert after(*games, (NO_WINNER, 0)) == before


def test_3_8_a_format_may_replay_with_the_same_decks() -> None:
    rules = GwentMatchRules(replays_decks=True)
    drawn = after((0, 1), (NO_WINNER, 2), rules=rules)

    assert choices(drawn) == ([2], [2])
    assert choices(rules.after_game(drawn, 1, (2, 2))) == ([0, 2], [0, 1])


def test_3_6_a_format_may_want_a_deck_that_was_not_used() -> None:
    rules = GwentMatchRules(wants_unused=True)
    state = after((1, 1), (0, 0), rules=rules)

    # Side 0 has used decks 1 and 0 and must take 2; the loser is free.
    assert choices(state) == ([2], [0, 2])
    assert choices(after((1, 1), (0, 0))) == ([1, 2], [0, 2])


def test_3_6_a_deck_of_a_drawn_game_was_not_used() -> None:
    rules = GwentMatchRules(wants_unused=True)

    assert choices(after((NO_WINNER, 0), (1, 1), (0, 2), rules=rules)) == ([0], [0, 2])


def test_options_of_the_format_decide() -> None:
    fmt = load_format("gwent/tournament")
    options = {**fmt.options, "drawn_match_game": "same_decks", "new_deck": "unused"}

    assert match_rules(fmt) == RULES
    assert match_rules(replace(fmt, options=options)) == GwentMatchRules(True, True)


# The total of a row is kept, and not counted at each look: it is always right.

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, sys
from importlib import import_module
from pathlib import Path
from deckcheck.scenarios.files import ChosenFile
from deckcheck.scenarios.running import run_scenarios

game = sys.argv[1]
adapter = import_module(f"deckcheck.scenarios.{game}")
scoring = import_module(f"deckcheck.engine.{game}.board")
position = {"gwent": "GwentPosition", "sg_gwint": "SgGwintPosition"}[game]
position = getattr(adapter, position)
apply, looks, wrong = position.apply, 0, []

def apply_and_count(self, move):
    global looks
    apply(self, move)
    s, x = self.s, self.x
    for side, rows in enumerate(s.total.tolist()):
        for row, total in enumerate(rows):
            cards = range(s.n_row[side, row])
            strengths = [int(scoring.unit_strength(s, x, side, row, i)) for i in cards]
            looks += len(strengths)
            if total != sum(strengths):
                wrong.append([str(file), move.text, side, row, int(total), strengths])

position.apply = apply_and_count
for file in sorted(Path("tests/scenarios", game).rglob("*.yaml")):
    run_scenarios(ChosenFile(file), str(file), None)
print(json.dumps([looks, wrong]))
"""


@pytest.mark.parametrize("game", ["gwent", "sg_gwint"])
def test_totals_are_the_strengths_of_all_cards_after_every_move(game: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, game],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    looks, wrong = json.loads(done.stdout)

    assert looks > 500
    assert wrong == []


# What a seat has seen stays in the other's hand in every world that is dealt.

VIEWER, OTHER = 0, 1
CLOSE = 0
WORLDS = 20


def begin(tables, leader=None):
    """A game in which it is the turn of `OTHER`, and the number of a card by its id."""
    table = tables.seat(0, 1, leaders=(leader, None))
    states, (x,) = new_states(2), tables.open(table)[1]
    start_game(states[0], x, 1, 0, 0, 0)
    set_up(states[0], x)
    states[0].phase, states[0].turn = Phase.PLAY, OTHER
    numbers = {card: i for i, card in enumerate(tables.database.cards, 1)}
    return states, x, numbers


def worlds(states, x):
    """The other's hand in some worlds that may be, as the viewer sees it."""
    hands = []
    for world in range(WORLDS):
        states[1] = states[0]
        seed_generator(x.rng, 1, world, 0)
        determinize(states[1], x, VIEWER)
        hands.append(states[1].hand[OTHER, : states[1].n_hand[OTHER]].tolist())
    return hands


def test_what_the_emperor_saw_stays_until_it_is_played(tables):
    states, x, _ = begin(tables, "emhyr_emperor_of_nilfgaard")
    s = states[0]
    s.turn, s.leader_state[VIEWER] = VIEWER, LeaderState.READY
    legal_moves(s, x)
    apply_move(s, x, USE_LEADER)
    marks = s.seen[OTHER, : s.n_hand[OTHER]].astype(bool)
    known = s.hand[OTHER, : s.n_hand[OTHER]][marks].tolist()

    assert len(known) == 3
    for hand in worlds(states, x):
        assert all(hand.count(card) >= known.count(card) for card in known)


# Whether the deck is shuffled, which no scenario can show.


@pytest.mark.parametrize(("fetched", "shuffles"), [("ghoul", True), (None, False)])
def test_a_muster_in_vain_shuffles_and_a_leader_in_vain_does_not(
    tables, fetched, shuffles
):
    """Statements 1.8.1 and 1.9.8."""
    (s, _), x, numbers = begin(tables, "eredin_king_of_the_wild_hunt")
    plain = [numbers[name] for name in ("fiend", "werewolf", "griffin", "forktail")]
    s.phase, s.turn, s.n_deck[0], s.n_hand[0] = Phase.PLAY, 0, 4 * len(plain), 1
    s.deck[0, : s.n_deck[0]] = sorted(4 * plain)
    s.hand[0, 0] = numbers[fetched or "fiend"]
    before = s.deck[0].tolist()
    row = RowName.CLOSE << ROW_BIT
    apply_move(s, x, PLAY | row | s.hand[0, 0] if fetched else USE_LEADER)

    assert (s.deck[0].tolist() != before) == shuffles
    assert sorted(s.deck[0].tolist()) == sorted(before)
