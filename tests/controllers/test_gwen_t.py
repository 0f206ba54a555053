"""The course of a game of Gwen't for its user: statements 3.1, 3.2 and 6."""

import doctest
from itertools import pairwise
from pathlib import Path

import pytest

from deckcheck.controllers.gwen_t import (
    RANDOM_NAMES,
    Controller,
    IllegalTransition,
    State,
)

DOCS = Path(__file__).parents[2] / "docs"

ACTIONS = {
    "new_game": (),
    "back": (),
    "set_name": ("Ann",),
    "add_enemy": ("Bob",),
    "random_enemies": (2,),
    "start": (),
    "select_card": (),
    "pass_round": (),
    "play": ("rocket",),
    "wait": (),
    "finish_round": (),
}
ALLOWED = {
    State.MAIN_MENU: {"new_game"},
    State.GAME_CONFIGURATION: {
        *("back", "set_name", "add_enemy", "random_enemies", "start")
    },
    State.IDLE: {"select_card", "pass_round"},
    State.CARD_SELECTION: {"play"},
    State.PASSED: {"wait"},
    State.END_OF_ROUND: {"finish_round"},
}


def started(seed=1, name="Ann", enemies=1):
    controller = Controller(seed)
    controller.new_game()
    controller.set_name(name)
    controller.random_enemies(enemies)
    controller.start()
    return controller


def in_state(state):
    controller = Controller(3)
    if state is State.MAIN_MENU:
        return controller
    controller.new_game()
    if state is State.GAME_CONFIGURATION:
        return controller
    controller.start()
    if state is State.CARD_SELECTION:
        controller.select_card()
    elif state is not State.IDLE:
        controller.pass_round()
        if state is State.END_OF_ROUND:
            controller.wait()
    return controller


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("action", ACTIONS)
def test_what_a_state_allows(state, action):
    """Statements 6.1 to 6.6: any other transition is an error, and changes nothing."""
    controller = in_state(state)

    assert controller.state is state
    arguments = ACTIONS[action]
    if action == "play" and state is State.CARD_SELECTION:
        arguments = (controller.hand[0],)
    if action in ALLOWED[state]:
        getattr(controller, action)(*arguments)
    else:
        with pytest.raises(IllegalTransition, match=f"`{action}` is not allowed in"):
            getattr(controller, action)(*arguments)
        assert controller.state is state


def test_nothing_set_is_a_random_name_and_one_enemy():
    """Statement 3.1."""
    controller = in_state(State.IDLE)

    assert len(controller.players) == 2
    assert set(controller.players) <= set(RANDOM_NAMES)
    assert controller.name in controller.players


@pytest.mark.parametrize(
    ("name", "asked", "come"),
    [("Ann", 5, 5), ("Ann", 3, 3), (None, 5, 4), ("Japan", 5, 4), (None, 2, 2)],
)
def test_random_names_run_out(name, asked, come):
    """Statement 3.2."""
    controller = Controller(2)
    controller.new_game()
    if name:
        controller.set_name(name)
    controller.random_enemies(asked)
    controller.start()

    assert len(controller.players) == 1 + come
    assert len(set(controller.players)) == 1 + come


def test_named_enemies_and_random_ones():
    controller = Controller(2)
    controller.new_game()
    controller.add_enemy("Japan")
    controller.add_enemy("Bob")
    controller.random_enemies(1)
    controller.start()

    assert len(controller.players) == 4
    assert {"Japan", "Bob"} < set(controller.players)


def test_duplicate_names_are_refused():
    """Statement 3.1."""
    controller = in_state(State.GAME_CONFIGURATION)
    controller.add_enemy("Bob")
    with pytest.raises(ValueError, match="the name `Bob` is taken"):
        controller.add_enemy("Bob")
    with pytest.raises(ValueError, match="the name `Bob` is taken"):
        controller.set_name("Bob")
    controller.set_name("Ann")
    with pytest.raises(ValueError, match="the name `Ann` is taken"):
        controller.add_enemy("Ann")
    with pytest.raises(ValueError, match="a name has a letter"):
        controller.add_enemy(" ")


def test_numbers_of_enemies():
    controller = in_state(State.GAME_CONFIGURATION)
    for count in (-1, 6):
        with pytest.raises(ValueError, match="0 to 5 random enemies"):
            controller.random_enemies(count)
    controller.random_enemies(0)
    with pytest.raises(ValueError, match="1 to 5 enemies, found 0"):
        controller.start()
    for name in ("B", "C", "D", "E", "F"):
        controller.add_enemy(name)
    with pytest.raises(ValueError, match="at most 5 enemies"):
        controller.add_enemy("G")
    controller.random_enemies(1)
    with pytest.raises(ValueError, match="1 to 5 enemies, found 6"):
        controller.start()


def test_all_random_names_for_enemies():
    controller = in_state(State.GAME_CONFIGURATION)
    for name in RANDOM_NAMES:
        controller.add_enemy(name)
    with pytest.raises(ValueError, match="all random names are taken"):
        controller.start()


def test_enemies_before_the_user_play_on_entry():
    """Statement 6.3; and those after the user when he has played (6.4)."""
    places = set()
    for seed in range(12):
        controller = started(seed, enemies=4)
        place = controller.players.index("Ann")
        places.add(place)
        cards = dict.fromkeys(controller.players, 10)

        def played(controller=controller):
            hands = controller._s.n_hand[: len(controller.players)].tolist()
            return [10 - hand for hand in hands]

        assert cards["Ann"] == len(controller.hand)
        assert played() == [1] * place + [0] * (5 - place)

        controller.select_card()
        controller.play(controller.hand[0])

        assert played() == [2] * place + [1] * (5 - place)

    assert len(places) > 2


def test_a_card_that_is_not_in_the_hand():
    controller = in_state(State.CARD_SELECTION)
    missing = next(
        c
        for c in ("rocket", "spring", "winter", "aircraft", "summer")
        if c not in controller.hand
    )
    with pytest.raises(ValueError, match="is not in the hand"):
        controller.play(missing)
    with pytest.raises(ValueError, match="`Ves` is not in the hand"):
        controller.play("Ves")

    assert controller.state is State.CARD_SELECTION


def test_without_a_card_selecting_is_passing():
    """Statement 6.3."""
    controller = started()
    for _ in range(10):
        controller.select_card()
        controller.play(controller.hand[0])
    assert controller.state is State.IDLE
    controller.select_card()
    assert controller.state is State.PASSED
    controller.wait()

    assert controller.state is State.END_OF_ROUND


def play_to_the_end(controller, cards):
    """The user plays that many cards in each round; yields the states."""
    while controller.state is not State.MAIN_MENU:
        for _ in range(cards):
            if controller.state is State.IDLE and controller.hand:
                controller.select_card()
            if controller.state is State.CARD_SELECTION:
                controller.play(controller.hand[0])
        if controller.state is State.IDLE:
            controller.pass_round()
        controller.wait()
        yield dict(controller.gems)
        controller.finish_round()


def test_games_end_in_the_main_menu():
    """Statement 6.6."""
    ends = set()
    for seed in range(12):
        controller = started(seed, enemies=seed % 5 + 1)
        gems = [dict.fromkeys(controller.players, 2)]
        gems += play_to_the_end(controller, cards=seed % 4 * 2)
        for before, after in pairwise(gems):
            lost = [before[n] - after[n] for n in before if before[n]]
            assert lost.count(0) <= 1
        won = controller.winner == "Ann"
        ends.add(won)

        assert won or "Ann" in controller.defeated

        controller.new_game()
        assert controller.state is State.GAME_CONFIGURATION

    assert ends == {True, False}
    games = [list(play_to_the_end(started(9, enemies=3), 4)) for _ in range(2)]
    assert games[0] == games[1]


def test_active_passed_and_defeated():
    controller = started(4, enemies=3)
    names = set(controller.players)

    assert set(controller.active) == names
    controller.pass_round()
    assert controller.passed == ["Ann"]
    assert set(controller.active) == names - {"Ann"}
    controller.wait()
    assert controller.gems["Ann"] == 1
    assert sum(controller.gems.values()) in {4, 5}
    controller.finish_round()
    controller.pass_round()
    controller.wait()
    assert "Ann" in controller.defeated
    assert "Ann" not in {*controller.active, *controller.passed}
    controller.finish_round()
    assert controller.state is State.MAIN_MENU
    assert controller.winner != "Ann"


def test_the_user_may_bring_a_deck():
    controller = Controller(1, deck={"rocket": 3, "infantry_division": 4})
    controller.new_game()
    controller.start()

    assert sorted(controller.hand) == ["infantry_division"] * 4 + ["rocket"] * 3


def test_the_example_of_the_page():
    page = DOCS / "reference" / "games" / "gwen_t.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)

    assert attempted > 10
    assert failed == 0
