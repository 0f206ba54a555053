"""The weights by which `learned` rates moves, and answers between turns.

First it imitates a player who tries each move and values the position after it: the
ratings of a decision become chances that are near to the moves of high value (policy
distillation: Rusu and others, "Policy Distillation", 2016). Then it plays against
itself, the heuristic and itself as it was, draws its moves by these chances, and makes
those more likely that did better than expected: proximal policy optimisation (Schulman
and others, "Proximal Policy Optimization Algorithms", 2017), by generalised advantage
estimation (Schulman and others, "High-Dimensional Continuous Control Using Generalized
Advantage Estimation", 2016), with a second network, the critic, that learns what to
expect.

Answers to choices between turns are rated as the teacher values them, by other weights
of the same shape. At last it practises with more decks of the kinds it plays worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from deckcheck.policies.players import FIRST_UNITS, WEIGHT_BITS
from deckcheck.policies.workspace import (
    RATED_PARTS,
    RATING_ARRAYS,
    RATING_WEIGHTS,
    weights_file,
)
from tools.training.choices import Choices, Manner, Noted, School, Who
from tools.training.courses import Course
from tools.training.fitting import (
    CAP,
    HELD,
    Adam,
    Fit,
    Floats,
    Tell,
    Weights,
    scale_of,
)
from tools.training.games import Where, plans_of
from tools.training.recording import Plan
from tools.training.rounding import Whole, save
from tools.training.tables import set_odd_tables, set_tables

Ints = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]
Reals = npt.NDArray[np.floating]

SEED = 1
DECKS, PAIRS = 1000, 4000  # random decks, and tables of them
LESSONS, LESSON_SEED = 120_000, 101  # games of the teacher
LESSON = Manner(50, 60, 1)
LESSON_ROOM = 16, 13  # decisions of a game, moves of a decision, at most on average
ANSWERS, ANSWER_SEED = 30_000, 102  # games of the teacher
ANSWER = Manner(50, 100, 1, answering=1)
LESSON_GUESTS = {Who.HEURISTIC: 0.3}  # the part of the games in which it has a seat
IMITATION = Fit(3, 1.5e-3, 1e-3, 0, batch=1024)
TEMPERATURE = 0.03  # of the values of the teacher, as a chance to win
SHARPENING = 2.5  # of the ratings that were imitated: less is left to chance

PRACTICE = Manner(0, 100, 0)
ROOM = 30, 11
GUESTS = {Who.HEURISTIC: 0.25, Who.OLDER: 0.15}
EXPECTING = 2  # rounds at first, in which only the critic learns
CRITIC_RATE = 1e-3
FAR = 0.9  # how much later expectations count beside the next one
CLIP = 0.2  # how far a chance may move in a round
DRIFT = 0.03  # of the chances, after which a round ends early
OPENNESS = 0.004  # the worth of entropy
STEEPEST = 0.5  # gradient
REMEMBERED = 20  # rounds until the weights are kept as an older player

ODD_PAIRS, LEAST_DECKS = 6000, 50
LEAST_BATCH = 64  # decisions
MATCHES, MATCH_SEED = 1000, 9  # of four games, in each comparison
REPORTED = 10  # rounds between comparisons


def train_ratings(course: Course, folder: Path, part: int, tell: Tell) -> None:
    """Imitate, practise, and write the weights, with one of `part` games and rounds."""
    # What a player sees of its seat is by the heuristic of today.
    course = replace(course, heuristic="heuristic")
    tables = set_tables(course, SEED, DECKS // part + 1, PAIRS // part + 1)
    school = School(course, tables)
    choices = lessons(school, ANSWERS // part, ANSWER_SEED, ANSWER)
    answers = imitate(choices, school.stages, smaller(IMITATION, part), tell)
    choices = lessons(school, LESSONS // part, LESSON_SEED, LESSON)
    pupil = imitate(choices, school.stages, smaller(IMITATION, part), tell)
    del choices  # much memory
    report = Report(school, folder / f"{course.name}.npz", MATCHES // part + 1, tell)
    report.add("imitation", pupil, answers.whole())
    pupil.weights["last"] *= np.float32(SHARPENING)
    for rounds in PRACTICES:
        practise(report, pupil, answers.whole(), rounds, part)
    practise_with_odd_decks(course, report, pupil, answers.whole(), part)


def train_further(course: Course, folder: Path, part: int, tell: Tell) -> None:
    """Let the weights of `learned-3` practise, and write them, as `train_ratings`."""
    course = replace(course, heuristic="heuristic")
    school = School(course, set_tables(course, SEED, DECKS // part + 1, 1))
    file = weights_file(course.game, course.variant, RATING_WEIGHTS["learned_3"])
    with np.load(file) as weights:
        turn, choice = (
            {name: weights[f"{network}_{name}"] for name in RATING_ARRAYS}
            for network in RATED_PARTS
        )
    pupil = read_pupil(school, turn)
    report = Report(school, folder / f"{course.name}.npz", MATCHES // part + 1, tell)
    practise_with_odd_decks(course, report, pupil, choice, part)


def practise_with_odd_decks(
    course: Course, report: Report, pupil: Pupil, answers: Whole, part: int
) -> None:
    """Practise with random, lopsided and sample decks, many of them of one faction."""
    decks = max(DECKS // part, LEAST_DECKS)
    school = School(course, set_odd_tables(course, SEED, decks, ODD_PAIRS // part))
    report = replace(report, school=school)
    practise(report, pupil, answers, LAST_PRACTICE, part)


class Rounds(NamedTuple):
    """Rounds of practice, the games of each, and how to learn in them."""

    count: int
    games: int
    how: Fit


PRACTICES = (
    Rounds(20, 8_000, Fit(2, 2e-4, 1e-4, 3, 4096)),
    Rounds(70, 8_000, Fit(2, 6e-4, 1e-4, 5, 4096)),
)
LAST_PRACTICE = Rounds(100, 20_000, Fit(2, 4e-4, 0, 1, 8192))


def practise(
    report: Report, pupil: Pupil, answers: Whole, rounds: Rounds, part: int
) -> None:
    """Practise with these answers between turns, and report on it."""
    count = max(rounds.count // part, 2 * EXPECTING)
    report.school.take_answers(answers)
    how, games = smaller(rounds.how, part), rounds.games // part
    practice = Practice(report.school, pupil, how, count, games)
    for number in range(count):
        drift = practice.play_round(number)
        if (number + 1) % REPORTED == 0 or number + 1 == count:
            name = f"round {number + 1} of {count}, drift {drift:.4f}"
            report.add(name, pupil, answers)


def smaller(how: Fit, part: int) -> Fit:
    """The same with smaller batches, if there is one of `part` games to learn from."""
    return replace(how, batch=max(how.batch // part, LEAST_BATCH))


@dataclass(frozen=True)
class Report:
    """Writes weights, and says how strong they are."""

    school: School
    path: Path
    matches: int
    tell: Tell

    def add(self, name: str, pupil: Pupil, answers: Whole) -> None:
        """Write the weights, and let the player meet the heuristic and its teacher."""
        whole = pupil.whole()
        parts = zip(RATED_PARTS, (whole, answers), strict=True)
        weights = {
            f"{part}_{key}": value
            for part, each in parts
            for key, value in each.items()
        }
        self.tell(f"{name}: fingerprint {save(self.path, weights)}")
        self.school.take(whole, whole)
        self.school.take_answers(answers)
        for samples in (True, False):
            for who in (Who.HEURISTIC, Who.TEACHER):
                where = Where(samples)
                score = self.school.compare(who, self.matches, MATCH_SEED, where)
                other = who.name.lower().replace("_", "-")
                self.tell(f"against {other}, {where}: {score}")


def invite(plans: Ints, host: Who, guests: dict[Who, float], seed: int) -> Ints:
    """Seat the host, and each guest in one seat of its part of the games.

    Only decisions of the host are noted, except where it is the teacher: that values
    those of guests too.
    """
    chance = np.random.default_rng((seed, 1))
    kind = chance.random(len(plans))
    side = chance.integers(0, 2, len(plans))
    plans[:, Plan.FIRST_PLAYER :] = host
    low = 0.0
    for who, part in guests.items():
        games = np.flatnonzero((low <= kind) & (kind < low + part))
        plans[games, Plan.FIRST_PLAYER + side[games]] = who
        if host != Who.TEACHER:
            plans[games, Plan.NOTED] &= ~(1 << side[games])
        low += part
    return plans


# -----------------------------------------------------------------------------
# The networks: one hidden layer, and weights behind it for each stage of a game.
#
# The sums of the hidden layer are those of the position and those of the move, so the
# first ones are worked out once for all moves. The critic has no moves.


class Scales(NamedTuple):
    """The usual sizes of features and traits, by which they are divided."""

    features: Floats
    traits: Floats


@dataclass(frozen=True)
class Pupil:
    """Weights that learn, for features and traits divided by their scales."""

    weights: Weights
    scales: Scales

    def whole(self) -> Whole:
        """Weights for features and traits as they are, in steps of a 2 ** 13th."""
        divided = {"first": self.scales.features, "trait": self.scales.traits}
        found = {}
        for name, value in self.weights.items():
            exact = value.astype(np.float64)
            if name in divided:
                exact = exact / divided[name][:, None]
            found[name] = np.rint(exact * (1 << WEIGHT_BITS)).astype(np.int32)
        return found


def read_pupil(school: School, whole: Whole) -> Pupil:
    """Weights to go on from; traits that they do not know have no weight yet."""
    unknown = np.zeros((school.traits - len(whole["trait"]), FIRST_UNITS), np.int32)
    whole = {**whole, "trait": np.concatenate([whole["trait"], unknown])}
    school.take(whole, whole)
    plans = invite(plans_of(school.tables, MATCHES, SEED), Who.DRAWING, {}, SEED)
    written = school.choices(plans, SEED, PRACTICE, ROOM).written
    scales = Scales(scale_of(written.features), scale_of(written.traits))
    factors = {"first": scales.features, "trait": scales.traits}
    weights = {}
    for name, value in whole.items():
        exact = value / (1 << WEIGHT_BITS)
        if name in factors:
            exact = exact * factors[name][:, None]
        weights[name] = exact.astype(np.float32)
    return Pupil(weights, scales)


def new_ratings(features: int, traits: int, stages: int) -> Weights:
    """Weights to begin with; all stages begin alike."""
    chance = np.random.default_rng(SEED)
    weights = {
        "first": chance.normal(0, (2 / features) ** 0.5, (features, FIRST_UNITS)),
        "first_bias": np.full(FIRST_UNITS, 0.1),
        # About 20 of the traits of a move are not 0.
        "trait": chance.normal(0, 20**-0.5, (traits, FIRST_UNITS)),
        "last": np.repeat(
            chance.normal(0, FIRST_UNITS**-0.5, (1, FIRST_UNITS)), stages, 0
        ),
    }
    return {name: value.astype(np.float32) for name, value in weights.items()}


def new_critic(features: int, stages: int) -> Weights:
    """The same for a network that values a position, as a logit."""
    weights = new_ratings(features, 0, stages)
    del weights["trait"]
    return {**weights, "last_bias": np.zeros(stages, np.float32)}


class Batch:
    """Some decisions: their positions, and all their moves side by side."""

    def __init__(self, choices: Choices, rows: Ints, scales: Scales) -> None:
        """Take decisions by their rows."""
        written = choices.written
        notes = written.notes[rows]
        counts = notes[:, Noted.COUNT]
        self.starts = np.cumsum(counts) - counts
        self.owner = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(counts.sum()) - self.starts[self.owner]
        moves = notes[self.owner, Noted.FIRST] + within
        self.stage = notes[:, Noted.STAGE]
        self.chosen = self.starts + notes[:, Noted.CHOSEN]
        self.positions = written.features[rows].astype(np.float32) / scales.features
        self.moves = written.traits[moves].astype(np.float32) / scales.traits
        self.values = written.values[moves]

    def __len__(self) -> int:
        return len(self.starts)

    def sums(self, terms: Reals) -> Reals:
        """The sum over the moves of each decision."""
        found: Reals = np.add.reduceat(terms, self.starts)
        return found

    def chances(self, ratings: Reals) -> Reals:
        """Of each move within its decision: the softmax of the ratings."""
        most = np.maximum.reduceat(ratings, self.starts)
        odds = np.exp(ratings - most[self.owner])
        chances: Reals = odds / self.sums(odds)[self.owner]
        return chances


class Forward:
    """The sums, the units and the ratings of the moves of a batch."""

    def __init__(self, weights: Weights, batch: Batch) -> None:
        """Rate the moves, as logits in `out`."""
        position = batch.positions @ weights["first"] + weights["first_bias"]
        self.z = batch.moves @ weights["trait"] + position[batch.owner]
        self.h = np.clip(self.z, 0, CAP)
        self.last = weights["last"][batch.stage[batch.owner]]
        self.out = np.einsum("ij,ij->i", self.h, self.last)


def backward(ahead: Forward, batch: Batch, slope: Reals, stages: int) -> Weights:
    """The gradients of a mean over decisions, by its slope along each rating."""
    d_out = (slope / len(batch)).astype(np.float32)[:, None]
    d_z = d_out * ahead.last * ((ahead.z > 0) & (ahead.z < CAP))
    d_position = np.add.reduceat(d_z, batch.starts, axis=0)
    d_last = np.add.reduceat(ahead.h * d_out, batch.starts, axis=0)
    return {
        "first": batch.positions.T @ d_position,
        "first_bias": d_position.sum(axis=0),
        "trait": batch.moves.T @ d_z,
        "last": by_stage(d_last, batch.stage, stages),
    }


def by_stage(terms: Reals, stage: Ints, stages: int) -> Floats:
    """The sums of the rows of each stage."""
    found = np.zeros((stages, *terms.shape[1:]), np.float32)
    for number in range(stages):
        found[number] = terms[stage == number].sum(axis=0)
    return found


def portions(order: Ints, size: int) -> Iterator[Ints]:
    """The rows, `size` at a time and sorted; the rest is left out."""
    for first in range(0, len(order) - size + 1, size):
        yield np.sort(order[first : first + size])


# -----------------------------------------------------------------------------
# Imitation.


def lessons(school: School, games: int, seed: int, how: Manner) -> Choices:
    """Return decisions whose moves the teacher has valued."""
    plans = plans_of(school.tables, games, seed)
    plans = invite(plans, Who.TEACHER, LESSON_GUESTS, seed)
    return school.choices(plans, seed, how, LESSON_ROOM)


def imitate(choices: Choices, stages: int, how: Fit, tell: Tell) -> Pupil:
    """New weights that rate moves as the teacher values them."""
    written = choices.written
    tell(f"{len(choices)} decisions of the teacher")
    scales = Scales(scale_of(written.features), scale_of(written.traits))
    weights = new_ratings(written.features.shape[1], written.traits.shape[1], stages)
    pupil = Pupil(weights, scales)
    train = int(len(choices) * (1 - HELD))
    held = np.arange(train, len(choices))
    adam = Adam(weights, how, how.epochs * (train // how.batch))
    for epoch in range(how.epochs):
        order = np.random.default_rng((how.seed, epoch)).permutation(train)
        for rows in portions(order, how.batch):
            batch = Batch(choices, rows, scales)
            ahead = Forward(weights, batch)
            adam.step(backward(ahead, batch, lesson_slope(ahead, batch), stages))
        portion = min(how.batch, len(held))
        loss = np.mean([*regrets(pupil, choices, held, portion)])
        tell(f"epoch {epoch + 1}: its moves win {100 * loss:.2f}% less")
    return pupil


def lesson_slope(ahead: Forward, batch: Batch) -> Doubles:
    """Of half the cross entropy to the teacher's chances, less half the value."""
    chances = batch.chances(ahead.out)
    wanted = batch.chances(batch.values / TEMPERATURE)
    mean = batch.sums(chances * batch.values)[batch.owner]
    gain = chances * (batch.values - mean) / TEMPERATURE
    return np.asarray(0.5 * (chances - wanted) - 0.5 * gain, np.float64)


def regrets(pupil: Pupil, choices: Choices, rows: Ints, size: int) -> Iterator[float]:
    """By how much the move rated highest is worth less than the best, by portions."""
    for portion in portions(rows, size):
        batch = Batch(choices, portion, pupil.scales)
        out = Forward(pupil.weights, batch).out
        highest = out >= np.maximum.reduceat(out, batch.starts)[batch.owner]
        own = np.maximum.reduceat(np.where(highest, batch.values, 0), batch.starts)
        best = np.maximum.reduceat(batch.values, batch.starts)
        yield float(np.mean(best - own))


# -----------------------------------------------------------------------------
# Practice.


class Experience(NamedTuple):
    """What followed from decisions, and how they were made."""

    target: Doubles  # what the critic should have expected, 0 to 1
    advantage: Doubles  # over what it did expect, in standard deviations
    before: Doubles  # the logarithm of the chance of the move that was made


class Practice:
    """Rounds of games, after each of which the weights are changed a little."""

    def __init__(
        self, school: School, pupil: Pupil, how: Fit, rounds: int, games: int
    ) -> None:
        """Begin with a new critic; the weights of the pupil are changed in place."""
        self.school, self.pupil, self.how, self.games = school, pupil, how, games
        self.critic = new_critic(len(pupil.scales.features), school.stages)
        steps = rounds * how.epochs * max(1, games * ROOM[0] // how.batch)
        self.adam = Adam(pupil.weights, how, steps)
        rate = replace(how, rate=CRITIC_RATE)
        self.critic_adam = Adam(self.critic, rate, steps)
        self.older = [pupil.whole()]

    def play_round(self, number: int) -> float:
        """Play and learn; returns how far the chances drifted."""
        choices = self.play(number)
        found = self.look_back(choices)
        drifts = [0.0]
        for epoch in range(self.how.epochs):
            chance = np.random.default_rng((self.how.seed, number, epoch))
            order = chance.permutation(len(choices))
            for rows in portions(order, min(self.how.batch, len(choices))):
                batch = Batch(choices, rows, self.pupil.scales)
                expect(self.critic, self.critic_adam, batch, found.target[rows])
                if number >= EXPECTING:
                    drifts.append(self.step(batch, found, rows))
            if np.mean(drifts[-10:]) > DRIFT:
                break
        if (number + 1) % REMEMBERED == 0:
            self.older.append(self.pupil.whole())
        return float(np.mean(drifts[-10:]))

    def play(self, number: int) -> Choices:
        """Games of a round, against one of the older players too."""
        seed = 1000 * self.how.seed + number
        past = np.random.default_rng((seed, 2)).integers(len(self.older))
        self.school.take(self.pupil.whole(), self.older[past])
        plans = plans_of(self.school.tables, self.games, seed)
        plans = invite(plans, Who.DRAWING, GUESTS, seed)
        return self.school.choices(plans, seed, PRACTICE, ROOM)

    def look_back(self, choices: Choices) -> Experience:
        """What the critic expected, and what came instead."""
        value, before = np.zeros(len(choices)), np.zeros(len(choices))
        for rows in np.array_split(np.arange(len(choices)), 50):
            batch = Batch(choices, rows, self.pupil.scales)
            value[rows] = chance_of(Expectation(self.critic, batch).out)
            ahead = Forward(self.pupil.weights, batch)
            before[rows] = logarithm(batch.chances(ahead.out))[batch.chosen]
        gained = advantages(choices, value)
        spread = np.clip((gained - gained.mean()) / (gained.std() + 1e-6), -4, 4)
        return Experience(np.clip(value + gained, 0, 1), spread, before)

    def step(self, batch: Batch, found: Experience, rows: Ints) -> float:
        """Change the weights by a batch; returns how far its chances have drifted."""
        ahead = Forward(self.pupil.weights, batch)
        chances = batch.chances(ahead.out)
        change = logarithm(chances)[batch.chosen] - found.before[rows]
        ratio = np.exp(np.clip(change, -2, 2))
        advantage = found.advantage[rows]
        # Where the chance has moved far enough, it gets no further push.
        far = np.where(advantage > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        push = np.where(far, 0, advantage * ratio)
        slope = chances * push[batch.owner]
        slope[batch.chosen] -= push
        slope += OPENNESS * entropy_slope(batch, chances)
        gradients = backward(ahead, batch, slope, self.school.stages)
        size = sum(float((each**2).sum()) for each in gradients.values()) ** 0.5
        shrink = np.float32(min(1, STEEPEST / max(size, STEEPEST)))
        self.adam.step({name: each * shrink for name, each in gradients.items()})
        return float(np.mean(ratio - 1 - np.log(ratio)))


def logarithm(chances: Reals) -> Doubles:
    """Of chances, some of which may be 0."""
    return np.log(chances.astype(np.float64) + 1e-12)


def entropy_slope(batch: Batch, chances: Reals) -> Doubles:
    """The slope of the negative entropy of each decision along its ratings."""
    certainty = logarithm(chances)
    mean = batch.sums(chances * certainty)
    return np.asarray(chances * (certainty - mean[batch.owner]), np.float64)


def advantages(choices: Choices, value: Doubles) -> Doubles:
    """How much better than expected each decision was.

    By the change of what the critic expects to the next decision of the same player,
    or to the points of the game, and by later changes with weights that fall.
    """
    player = 2 * choices.column(Noted.GAME) + choices.column(Noted.PLAYER)
    found = np.zeros(len(choices))
    next_row = -1
    for row in np.argsort(player, kind="stable")[::-1]:
        if next_row < 0 or player[next_row] != player[row]:
            found[row] = choices.points[row] - value[row]
        else:
            found[row] = value[next_row] - value[row] + FAR * found[next_row]
        next_row = row
    return found


class Expectation:
    """The sums, the units and the values of the positions of a batch."""

    def __init__(self, critic: Weights, batch: Batch) -> None:
        """Value the positions, as logits in `out`."""
        self.z = batch.positions @ critic["first"] + critic["first_bias"]
        self.h = np.clip(self.z, 0, CAP)
        self.last = critic["last"][batch.stage]
        self.out = np.einsum("ij,ij->i", self.h, self.last)
        self.out += critic["last_bias"][batch.stage]


def chance_of(logits: Floats) -> Doubles:
    """The sigmoid."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float64)


def expect(critic: Weights, adam: Adam, batch: Batch, target: Doubles) -> None:
    """Let the critic learn what it should have expected."""
    ahead = Expectation(critic, batch)
    slope = (chance_of(ahead.out) - target) / len(batch)
    d_out = slope.astype(np.float32)[:, None]
    d_z = d_out * ahead.last * ((ahead.z > 0) & (ahead.z < CAP))
    stages = len(critic["last"])
    adam.step(
        {
            "first": batch.positions.T @ d_z,
            "first_bias": d_z.sum(axis=0),
            "last": by_stage(ahead.h * d_out, batch.stage, stages),
            "last_bias": by_stage(d_out[:, 0], batch.stage, stages),
        }
    )
