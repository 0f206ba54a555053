"""Every code of Gwent does something: no card, leader or option is played as blank.

All codes come from the enumerations and the data, so a new one is tried as well.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import pytest
from gwent_tables import FACTIONS, duels, table
from random_play import GAMES, differs, snapshot, twice

from deckcheck.engine.contract import apply_move, legal_moves
from deckcheck.engine.gwent.codes import (
    USE_LEADER,
    Ability,
    FactionAbility,
    Kind,
    Leader,
    Phase,
    Verb,
)
from deckcheck.engine.gwent.context import PLAYED
from deckcheck.engine.gwent.leaders import ACTIVE_LEADERS, PASSIVE_LEADERS
from deckcheck.engine.primitives import CARD_MASK, VERB_BIT
from deckcheck.engine.registry import UnplayedCode

pytestmark = pytest.mark.compiled

ALWAYS = {"turn", "turns", "history", "rng", "leader_state", "picked", "to_discard"}
"""Fields of a state that change whatever is done, or while a choice is open."""

HAND_AND_PILE = {"hand", "n_hand", "seen", "discard", "n_discard"}
"""Fields that change when a card does nothing but leave the hand for the pile."""


def members(codes: type[IntEnum]) -> list[IntEnum]:
    """The codes that stand for something."""
    return [code for code in codes if code.name != "NONE"]


UNITS = [a for a in Ability if a & PLAYED[Kind.UNIT]]
OTHERS = [a for a in Ability if a & (PLAYED[Kind.SPECIAL] | PLAYED[Kind.WEATHER])]


def test_every_ability_is_one_of_units_or_of_other_cards():
    assert {*UNITS, *OTHERS} == set(Ability)


@pytest.mark.parametrize("ability", UNITS, ids=lambda a: a.name)
def test_units_without_the_ability_play_other_games(ability):
    def without(x):
        x.ability[x.kind <= Kind.HERO] &= ~int(ability)

    # Hope of the Aen Seidhe is what agile units are for.
    leaders = (Leader.NONE, Leader.OPTIMISE_AGILE_ROWS)
    assert differs(twice(t for who in leaders for t in duels(who)), without)


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


@pytest.mark.parametrize("leader", ACTIVE_LEADERS, ids=lambda code: code.name)
def test_the_use_of_a_leader_changes_something(leader):
    assert any(
        changes(s, x, USE_LEADER, ALWAYS)
        for seed in range(GAMES)
        for t in duels(leader)
        for s, x, moves in t.steps(seed)
        if USE_LEADER in moves
    )


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


def test_every_leader_is_active_or_passive():
    assert sorted((*ACTIVE_LEADERS, *PASSIVE_LEADERS)) == members(Leader)


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
