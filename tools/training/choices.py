"""Games whose decisions are written down: each move, and what is known of it.

Positions and moves are noted as the player `learned` sees them. A teacher can value
all moves of a decision; else what counts is the move that was made, and the outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from math import exp
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from deckcheck.engine.contract import (
    apply_move,
    heuristic_move,
    is_over,
    legal_moves,
    pass_move,
    possible_worlds,
    returns,
    see_move,
    see_turn,
    set_up,
    to_move,
    wins_by_passing,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.primitives import draw_below, seed_generator
from deckcheck.engine.registry import load_game
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import new_states
from deckcheck.policies.players import (
    SURE_CHANCE,
    UNIT_BITS,
    WEIGHT_BITS,
    are_rated_equal,
    best_index,
    rate_moves,
    weigh_moves,
)
from deckcheck.policies.workspace import (
    make_learned_3_record,
    make_learned_record,
    put_rating_weights,
    put_value_weights,
    weights_file,
)
from tools.training.courses import Course
from tools.training.games import Score, Where, mirrored, score_of
from tools.training.recording import STREAM, Plan
from tools.training.tables import Tables

__all__ = ["Choices", "Manner", "Noted", "School", "Who"]

Ints = npt.NDArray[np.int64]

LONGEST_WALK = 40  # moves
RANDOM_MOVES = 25  # per cent of the moves of a walk
LOGIT = 1 << (UNIT_BITS + WEIGHT_BITS)
"""A rating of 1."""
FINE = 1 << 30  # steps of a chance


class Who(IntEnum):
    """Who plays a seat."""

    HEURISTIC = 0
    TEACHER = 1  # the move after which the position has the highest value
    RATING = 2  # the move that is rated highest
    OLDER = 3  # the same by the second weights
    DRAWING = 4  # each move as often as its rating says


class Noted(IntEnum):
    """The columns beside the features of a decision."""

    STAGE = 0
    FIRST = 1  # the row of its first move
    COUNT = 2  # its moves
    CHOSEN = 3  # which of them was made, -1 by a player that does not rate
    PLAYER = 4
    GAME = 5  # the row of the plan


class Written(NamedTuple):
    """Where decisions are written: a row for each of them, or for each move."""

    features: npt.NDArray[np.int16]
    notes: Ints  # `Noted`
    traits: npt.NDArray[np.int16]  # of a move
    values: npt.NDArray[np.float32]  # of a move, by the teacher if there is one


class Manner(NamedTuple):
    """How games are played, and which of their decisions are written down."""

    wandering: int
    """Per cent of the games that begin with a walk, in which some moves are random."""
    keep: int
    """Per cent of the decisions after it that are written down."""
    teaching: int
    """1 if the teacher values the moves of what is written down."""
    answering: int = 0
    """1 if that is answers to choices between turns, 0 if it is moves of turns."""


@entry
def record_choices(
    states: Any,
    contexts: Any,
    works: Any,
    seed: Any,
    plans: Any,
    results: Any,
    written: Any,
    how: Any,
) -> Any:
    """Play `plans`; returns how many decisions were written.

    `results` gets the half-points of each player.
    """
    s, w = states[0], works[0]
    used = 0
    for game in range(plans.shape[0]):
        plan = plans[game]
        x = contexts[plan[Plan.CONTEXT.value]]
        counter, beginner = plan[Plan.COUNTER.value], plan[Plan.BEGINNER.value]
        start_game(s, x, seed, 0, counter, beginner)
        seed_generator(w.dice, seed, STREAM + beginner, counter)
        first = used
        used = record_game(s, x, w, plan, used, written, how)
        for row in range(first, used):
            written.notes[row, Noted.GAME.value] = game
        for player in range(results.shape[1]):
            results[game, player] = returns(s, x, player)
    return used


@jit
def record_game(
    s: Any, x: Any, w: Any, plan: Any, first: Any, written: Any, how: Any
) -> Any:
    """Play a game and write decisions from row `first` on; returns the next row."""
    walk = 0
    if draw_below(w.dice, 100) < how.wandering:
        walk = draw_below(w.dice, LONGEST_WALK)
    set_up(s, x)
    used, step = first, 0
    while not is_over(s):
        player, count = to_move(s), legal_moves(s, x)
        move = x.moves[0]
        if count > 1:
            who = plan[Plan.FIRST_PLAYER.value + player]
            q = rater(w, who)
            stage, stages = rate_moves(s, x, q, count), q.net[0].last.shape[0]
            is_answer = stage >= stages
            noted = step >= walk and plan[Plan.NOTED.value] >> player & 1
            rests = rests_on_lead(s, x, q, who, count)
            if rests or is_answer != how.answering:
                noted = False
            if noted and draw_below(w.dice, 100) >= how.keep:
                noted = False
            if noted and not has_room(written, used, count):
                noted = False
            if who == Who.TEACHER or (noted and how.teaching):
                ask_teacher(s, x, w.learned_3.net, count)
            if noted:
                note_moves(s, x, w, q, written, used, count)
                written.notes[used, Noted.STAGE.value] = stage % stages
            wanders = step < walk and not is_answer
            if wanders and draw_below(w.dice, 100) < RANDOM_MOVES:
                w.chosen = -1
                move = x.moves[draw_below(w.dice, count)]
            elif rests:
                move = pass_move(s, x)
            else:
                move = decide(s, x, w, who, count, is_answer)
            if noted:
                written.notes[used, Noted.CHOSEN.value] = w.chosen
                written.notes[used, Noted.PLAYER.value] = player
                used += 1
        apply_move(s, x, move)
        step += 1
    return used


@jit
def rests_on_lead(s: Any, x: Any, q: Any, who: Any, count: Any) -> Any:
    """Whether a player passes as `learned` does where that wins a round."""
    if who < Who.RATING or pass_move(s, x) < 0 or not wins_by_passing(s, x):
        return False
    return possible_worlds(s, x, x.moves[best_index(q, count)]) <= 1


@jit
def rater(w: Any, who: Any) -> Any:
    """The record of the weights by which a player rates moves."""
    return w.rating[1 if who == Who.OLDER else 0]


@jit
def ask_teacher(s: Any, x: Any, t: Any, count: Any) -> Any:
    """Let the teacher value the moves in `x.moves`."""
    weigh_moves(s, x, t, count)
    for i in range(count):
        x.moves[i] = t.option[i]  # those of trials stood there


@jit
def decide(s: Any, x: Any, w: Any, who: Any, count: Any, is_answer: Any) -> Any:
    """Return the move of a player, and note its place in `w.chosen`.

    Moves have been rated, and valued for the teacher. Between turns the heuristic
    chooses where ratings know nothing of the answers.
    """
    w.chosen = -1
    if who == Who.TEACHER:
        return x.moves[best_index(w.learned_3.net, count)]
    is_unknown = is_answer and are_rated_equal(rater(w, who), count)
    if who == Who.HEURISTIC or is_unknown:
        return heuristic_move(s, x, count)
    if who == Who.DRAWING and not is_answer:
        w.chosen = drawn_index(w, rater(w, who), count)
    else:
        w.chosen = best_index(rater(w, who), count)
    return x.moves[w.chosen]


@jit
def drawn_index(w: Any, q: Any, count: Any) -> Any:
    """A move by chance: its odds are the exponential of its rating."""
    best = q.value[best_index(q, count)]
    total = 0.0
    for i in range(count):
        w.odds[i] = exp((q.value[i] - best) / LOGIT)
        total += w.odds[i]
    left = draw_below(w.dice, FINE) / FINE * total
    for i in range(count):
        left -= w.odds[i]
        if left < 0:
            return i
    return count - 1


@jit
def has_room(written: Any, used: Any, count: Any) -> Any:
    """Whether there is room for another decision, with `count` moves."""
    last = next_move(written, used) + count
    return used < written.features.shape[0] and last <= written.traits.shape[0]


@jit
def next_move(written: Any, used: Any) -> Any:
    """The next free row of moves."""
    if used == 0:
        return 0
    note = written.notes[used - 1]
    return note[Noted.FIRST.value] + note[Noted.COUNT.value]


@jit
def note_moves(
    s: Any, x: Any, w: Any, q: Any, written: Any, used: Any, count: Any
) -> Any:
    """Write what the player sees, and the values of the teacher.

    Each move gets the traits that it shares with the others as well as its own.
    """
    player, first = to_move(s), next_move(written, used)
    see_turn(s, x, q, player, count)
    for j in range(written.features.shape[1]):
        written.features[used, j] = q.features[j]
    for i in range(count):
        for place in range(q.listed):
            written.traits[first + i, q.place[place]] = q.amount[place]
        written.values[first + i] = w.learned_3.net.value[i] / SURE_CHANCE
    for i in range(count):
        see_move(s, x, q, player, i)
        for place in range(q.listed):
            written.traits[first + i, q.place[place]] = q.amount[place]
    written.notes[used, Noted.FIRST.value] = first
    written.notes[used, Noted.COUNT.value] = count


# -----------------------------------------------------------------------------
# The same from outside: decks and players, and games of them.


@dataclass(frozen=True)
class Choices:
    """Decisions as they were written, and the points of their players, 0 to 1."""

    written: Written
    points: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.points)

    def column(self, noted: Noted) -> Ints:
        """A column of the notes."""
        return self.written.notes[:, noted]


class School:
    """Decks, a value of positions as a teacher, and two sets of weights that learn."""

    def __init__(self, course: Course, tables: Tables) -> None:
        """Meet at these tables."""
        self.tables = tables
        self.states = new_states(course.game, course.variant, 1)
        self.works = new_works(course)

    @property
    def traits(self) -> int:
        """How many traits a move has."""
        return int(self.works.rating["net"]["trait"].shape[3])

    @property
    def stages(self) -> int:
        """How many stages a game has."""
        return int(self.works.rating["net"]["last"].shape[3])

    def take(self, weights: dict[str, Any], older: dict[str, Any]) -> None:
        """Seat weights as the first and the second ones."""
        for place, each in enumerate((weights, older)):
            put_rating_weights(self.works["rating"][0, place]["net"][0], each)

    def take_answers(self, weights: dict[str, Any]) -> None:
        """Let all who rate moves answer between turns by these weights."""
        for place in range(2):
            put_rating_weights(self.works["rating"][0, place]["net"][1], weights)

    def choices(
        self, plans: Ints, seed: int, how: Manner, room: tuple[int, int]
    ) -> Choices:
        """Decisions of games; `room` is for how many of a game, and moves of each."""
        features = self.works.rating["features"].shape[2]
        rows = len(plans) * room[0]
        moves = rows * room[1]
        written = Written(
            np.zeros((rows, features), np.int16),
            np.zeros((rows, len(Noted)), np.int64),
            np.zeros((moves, self.traits), np.int16),
            np.zeros(moves, np.float32),
        )
        used, results = self._play(plans, seed, written, how)
        notes = written.notes[:used]
        points = results[notes[:, Noted.GAME], notes[:, Noted.PLAYER]] / 2
        last = int(notes[:, Noted.COUNT].sum())
        found = written.features[:used], notes, written.traits[:last]
        return Choices(Written(*found, written.values[:last]), points)

    def compare(self, other: Who, tables: int, seed: int, where: Where) -> Score:
        """The score of the highest ratings: each table of decks, beginner and side."""
        plans = mirrored(self.tables, (Who.RATING, other), tables, seed, where)
        nothing = Written(
            np.zeros((0, 0), np.int16),
            np.zeros((0, len(Noted)), np.int64),
            np.zeros((0, 0), np.int16),
            np.zeros(0, np.float32),
        )
        _, results = self._play(plans, seed, nothing, Manner(0, 0, 0))
        return score_of(plans, results, Who.RATING)

    def _play(
        self, plans: Ints, seed: int, written: Written, how: Manner
    ) -> tuple[int, Ints]:
        results = np.zeros((len(plans), 2), np.int64)
        used = record_choices(
            *(self.states, self.tables.contexts, self.works, seed),
            *(plans, results, written, how),
        )
        return used, results


def new_works(course: Course) -> Any:
    """The records of the players, in an array of 1; the teacher has its weights."""
    game, variant = course.game, course.variant
    moves = load_game(game).RECORD_TYPES[variant][1]["moves"].shape
    dtype = np.dtype(
        [
            ("dice", np.int64, (4,)),
            ("chosen", np.int64),  # the place of a move
            ("odds", np.float64, moves),
            ("rating", make_learned_record(game, variant), (2,)),
            ("learned_3", make_learned_3_record(game, variant)),
        ]
    )
    works = np.zeros(1, dtype).view(np.recarray)
    teacher = works["learned_3"][0]["net"]
    with np.load(weights_file(game, variant, 2)) as weights:
        put_value_weights(teacher, weights)
    teacher["sure"] = 1
    return works
