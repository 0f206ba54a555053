"""The example of Gwen't step by step: statements 3.1, 3.2 and 6."""

import doctest
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "examples" / "gwen_t"))
example = import_module("controller")
Controller, State = example.Controller, example.State

ARGUMENTS = {
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
    State.MAIN_MENU: "new_game",
    State.GAME_CONFIGURATION: "back set_name add_enemy random_enemies start",
    State.IDLE: "select_card pass_round",
    State.CARD_SELECTION: "play",
    State.PASSED: "wait",
    State.END_OF_ROUND: "finish_round",
}
STEPS = {
    State.MAIN_MENU: "",
    State.GAME_CONFIGURATION: "new_game",
    State.IDLE: "new_game start",
    State.CARD_SELECTION: "new_game start select_card",
    State.PASSED: "new_game start pass_round",
    State.END_OF_ROUND: "new_game start pass_round wait",
}
"""How a user comes to each state."""


def bring_to(state):
    controller = Controller(3)
    for step in STEPS[state].split():
        getattr(controller, step)()
    assert controller.state is state
    return controller


def start_game(seed=1, name="Ann", enemies=1):
    controller = Controller(seed)
    controller.new_game()
    if name:
        controller.set_name(name)
    controller.random_enemies(enemies)
    controller.start()
    return controller


@pytest.mark.parametrize("state", State)
def test_each_state_allows_its_actions_alone(state):
    """Statements 6.1 to 6.6: any other transition is an error, and changes nothing."""
    for action, arguments in ARGUMENTS.items():
        controller = bring_to(state)
        if action in ALLOWED[state].split():
            is_play = action == "play"
            getattr(controller, action)(*controller.hand[:1] if is_play else arguments)
            continue
        with pytest.raises(example.IllegalTransition, match=f"allowed in `{state}`"):
            getattr(controller, action)(*arguments)
        assert controller.state is state


def test_random_names_run_out():
    """Statement 3.2."""
    for name, asked, come in (
        *(("Ann", 5, 5), ("Ann", 3, 3), ("Japan", 5, 4)),
        *(("", 5, 4), ("", 2, 2)),
    ):
        players = start_game(2, name, asked).players

        assert len(players) == len(set(players)) == 1 + come, (name, asked)


def test_names_and_numbers_of_enemies():
    """Statement 3.1."""
    nobody = bring_to(State.IDLE).players
    assert len(nobody) == 2
    assert set(nobody) <= {*example.RANDOM_NAMES.split(",")}

    controller = bring_to(State.GAME_CONFIGURATION)
    for name in "BCDE":
        controller.add_enemy(name)
    controller.set_name("Ann")
    for method, argument, message in (
        ("add_enemy", "B", "the name `B` is taken"),
        ("set_name", "B", "the name `B` is taken"),
        ("add_enemy", "Ann", "the name `Ann` is taken"),
        ("add_enemy", " ", "a name has a letter"),
        ("random_enemies", 6, "0 to 5 random enemies"),
    ):
        with pytest.raises(ValueError, match=message):
            getattr(controller, method)(argument)
    controller.add_enemy("F")
    with pytest.raises(ValueError, match="at most 5 enemies"):
        controller.add_enemy("G")
    controller.random_enemies(1)
    with pytest.raises(ValueError, match="1 to 5 enemies, found 6"):
        controller.start()


def test_enemies_before_the_user_play_on_entry():
    """Statement 6.3, and those after the user when the user has played (6.4)."""
    places = set()
    for seed in range(12):
        controller = start_game(seed, enemies=4)
        place = controller.players.index("Ann")
        places.add(place)
        hands = controller._s.n_hand
        assert hands[:5].tolist() == [9] * place + [10] * (5 - place)
        controller.select_card()
        with pytest.raises(ValueError, match="`Ves` is not in the hand"):
            controller.play("Ves")
        controller.play(controller.hand[0])
        assert hands[:5].tolist() == [8] * place + [9] * (5 - place)
    assert len(places) > 2


def play_to_the_end(controller, cards):
    """Play that many cards in each round, and yield the gems after it."""
    while controller.state is not State.MAIN_MENU:
        for _ in range(cards):
            if controller.state is State.IDLE:
                controller.select_card()
            if controller.state is State.CARD_SELECTION:
                controller.play(controller.hand[0])
        if controller.state is State.IDLE:
            controller.pass_round()
        controller.wait()
        yield controller.gems
        controller.finish_round()


def test_games_end_in_the_main_menu():
    """Statement 6.6, and 6.3: without a card, selecting is passing."""
    ends = set()
    for seed in range(12):
        controller = start_game(seed, enemies=seed % 5 + 1)
        gems = [dict.fromkeys(controller.players, 2)]
        gems += play_to_the_end(controller, cards=seed % 4 * 4)
        for before, after in pairwise(gems):
            assert [before[n] - after[n] for n in before if before[n]].count(0) <= 1
        won = controller.winner == "Ann"
        ends.add(won)
        assert won or gems[-1]["Ann"] == 0
    assert ends == {True, False}
    games = [list(play_to_the_end(start_game(9, enemies=3), 4)) for _ in range(2)]
    assert games[0] == games[1]


def test_the_example_of_the_page():
    page = ROOT / "docs" / "reference" / "games" / "gwen_t.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)

    assert attempted > 10
    assert failed == 0
