"""Gwent: its codes and options, set-up, rows, matches, and what seats see."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest
from helpers.boards import DB, FACTIONS, FORMATS, LEADERS, duels, table
from helpers.play import GAMES, differs, snapshot, twice

from deckcheck.engine.contract import apply_move, determinize, legal_moves, set_up
from deckcheck.engine.gwent.codes import (
    PLAY,
    USE_LEADER,
    Ability,
    FactionAbility,
    Kind,
    Leader,
    Phase,
    Verb,
)
from deckcheck.engine.gwent.context import (
    NO_WINNER,
    PLAYED_ABILITIES,
    GwentMatchRules,
    GwentMatchState,
    match_rules,
)
from deckcheck.engine.gwent.leaders import ACTIVE_LEADERS, PASSIVE_LEADERS
from deckcheck.engine.gwent.state import new_states
from deckcheck.engine.primitives import (
    CARD_MASK,
    ROW_BIT,
    VERB_BIT,
    LeaderState,
    RowName,
    seed_generator,
)
from deckcheck.engine.registry import UnplayedCode
from deckcheck.formats import load_format
from deckcheck.playing.kernel import start_game

# Every code of Gwent does something: no card, leader or option is played as blank.
#
# All codes come from the enumerations and the data, so a new one is tried as well.

ALWAYS = {"turn", "turns", "history", "rng", "leader_state", "picked", "to_discard"}
"""Fields of a state that change whatever is done, or while a choice is open."""

HAND_AND_PILE = {"hand", "n_hand", "seen", "discard", "n_discard"}
"""Fields that change when a card does nothing but leave the hand for the pile."""


def members(codes: type[IntEnum]) -> list[IntEnum]:
    """The codes that stand for something."""
    return [code for code in codes if code.name != "NONE"]


UNITS = [a for a in Ability if a & PLAYED_ABILITIES[Kind.UNIT]]
OTHERS = [
    a
    for a in Ability
    if a & (PLAYED_ABILITIES[Kind.SPECIAL] | PLAYED_ABILITIES[Kind.WEATHER])
]


@pytest.mark.compiled
def test_every_ability_is_one_of_units_or_of_other_cards():
    assert {*UNITS, *OTHERS} == set(Ability)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("ability", UNITS, ids=lambda a: a.name)
def test_units_without_the_ability_play_other_games(ability):
    def without(x):
        x.ability[x.kind <= Kind.HERO] &= ~int(ability)

    # Hope of the Aen Seidhe is what agile units are for.
    leaders = (Leader.NONE, Leader.OPTIMISE_AGILE_ROWS)
    assert differs(twice(t for who in leaders for t in duels(who)), without)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("ability", OTHERS, ids=lambda a: a.name)
def test_a_special_changes_more_than_the_hand_and_the_pile(ability):
    assert any(
        changes(s, x, move, ALWAYS | HAND_AND_PILE)
        for seed in range(GAMES)
        for t in duels()
        for s, x, moves in t.steps(seed)
        for move in moves
        if move >> VERB_BIT == Verb.PLAY
        and x.kind[move & CARD_MASK] >= Kind.SPECIAL
        and x.ability[move & CARD_MASK] == ability
    )


def changes(s, x, move, ignored) -> bool:
    """Whether a move, with all choices it asks for, changes other fields."""
    states = np.array([s, s]).view(np.recarray)
    before, after = states
    apply_move(after, x, move)
    while after.phase not in (Phase.PLAY, Phase.OVER) and after.turn == s.turn:
        assert legal_moves(after, x) > 0
        apply_move(after, x, x.moves[0])
    return snapshot(before, ignored) != snapshot(after, ignored)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("leader", ACTIVE_LEADERS, ids=lambda code: code.name)
def test_the_use_of_a_leader_changes_something(leader):
    assert any(
        changes(s, x, USE_LEADER, ALWAYS)
        for seed in range(GAMES)
        for t in duels(leader)
        for s, x, moves in t.steps(seed)
        if USE_LEADER in moves
    )


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("leader", PASSIVE_LEADERS, ids=lambda code: code.name)
def test_games_without_a_passive_leader_are_others(leader):
    other = Leader.CLEAR_WEATHER

    def seated(who):
        def change(x):
            x.leader[0], x.passive[0] = who, who in PASSIVE_LEADERS
            x.leader[1], x.passive[1] = other, 0

        return change

    nobody, him = seated(Leader.NONE), seated(leader)
    assert differs(twice(duels()), him, nobody)


@pytest.mark.compiled
def test_every_leader_is_active_or_passive():
    assert sorted((*ACTIVE_LEADERS, *PASSIVE_LEADERS)) == members(Leader)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("leader", members(Leader), ids=lambda code: code.name)
def test_a_leader_of_the_automa_changes_the_game(leader):
    def only(count):
        def change(x):
            x.n_leaders, x.leaders[0] = count, leader

        return change

    # For the rest of the game: a passive leader seldom turns the round he comes in.
    stays = {"automa_passive_leaders": "game"}
    user = Leader.CLEAR_WEATHER
    tables = (table("solo", first, user, **stays) for first in range(len(FACTIONS)))
    assert differs(twice(tables), only(1), only(0))


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("ability", members(FactionAbility), ids=lambda a: a.name)
@pytest.mark.parametrize("play", ["duel", "table", "teams", "solo"])
def test_the_ability_of_a_faction_changes_the_game(ability, play):
    def all_have(code):
        def change(x):
            x.faction_ability[:] = FactionAbility.NONE
            x.faction_ability[0] = code

        return change

    tables = (table(play, first, Leader.NONE) for first in range(len(FACTIONS)))
    none = all_have(FactionAbility.NONE)
    assert differs(twice(tables), all_have(ability), none)


@pytest.mark.parametrize("is_passive", [0, 1])
def test_a_leader_without_code_ends_the_game(is_passive):
    def unknown(x):
        x.leader[0], x.passive[0] = 99, is_passive

    duel = table("duel", 0, Leader.NONE)
    with pytest.raises(UnplayedCode):
        differs([(duel, duel)], unknown)


@pytest.mark.parametrize("kind", [Kind.SPECIAL, Kind.WEATHER])
def test_a_card_without_code_ends_the_game(kind):
    def unknown(x):
        x.ability[x.kind == kind] = 1 << 30

    duel = table("duel", 0, Leader.NONE)
    with pytest.raises(UnplayedCode):
        differs([(duel, duel)], unknown)


# Every value of every option of Gwent plays other games.
#
# What tables, teams and solo have of their own is tried there. Some of it needs
# positions that random games hardly come to: scenarios show it, see `test_scenarios`.

DUEL = "duel"
RARE = {
    # what random games hardly come to, and scenarios show
    *("target_together", "nobody_can_play"),
    *("automa_aim", "automa_empty_deck", "automa_moves_heroes"),
    *("automa_passive_leaders", "automa_relentless"),
    ("teams", "white_flame", "opponents"),
}


def options(play: str) -> Iterator[tuple[str, object]]:
    """Each value of each option of a way to play but the default.

    A number has two, the least and one more than the default. Other ways to play have
    those only that duels lack.
    """
    defaults = load_format(FORMATS[play][0]).options
    for option in DB.game.options:
        plays = option.plays or (DUEL,)
        if play in plays and (play == DUEL or DUEL not in plays):
            default = defaults[option.name]
            for value in option.values or (option.minimum, default + 1):
                if value != default:
                    yield option.name, value


EVERY_GWENT_OPTION_OTHERS = [
    (play, *each) for play in FORMATS if play != DUEL for each in options(play)
]


def without_side_decks(x):
    x.side_deck[:] = 0


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(("option", "value"), list(options(DUEL)))
def test_another_value_of_an_option_plays_other_games(option, value):
    pairs = [
        (table(DUEL, place, who), table(DUEL, place, who, **{option: value}))
        for place, who in enumerate(LEADERS)
    ]
    pairs += [tuple(t.changed(without_side_decks) for t in pair) for pair in pairs[:5]]

    assert differs(pairs)


@pytest.mark.compiled
@pytest.mark.parametrize(("play", "option", "value"), EVERY_GWENT_OPTION_OTHERS)
def test_the_engine_is_told_of_every_value(play, option, value):
    plain = table(play, 0, Leader.NONE)
    other = table(play, 0, Leader.NONE, **{option: value})

    assert plain.context.tobytes() != other.context.tobytes()


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("play", "option", "value"),
    [each for each in EVERY_GWENT_OPTION_OTHERS if RARE.isdisjoint((each, each[1]))],
)
def test_another_value_plays_other_games_at_tables_and_in_solo(play, option, value):
    pairs = [
        (table(play, place, who), table(play, place, who, **{option: value}))
        for place, who in enumerate(LEADERS)
    ]

    assert differs(pairs)


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
    run_scenarios(ChosenFile(file), str(file))
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
