"""The decks that meet in training, and the workspaces of those who play them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from deckcheck import read
from deckcheck.decks import Deck, DeckText
from deckcheck.engine.registry import load_game
from deckcheck.formats import Format, database_of, load_format
from deckcheck.generating import Generator, NoDeckError
from deckcheck.playing.table import seat
from deckcheck.policies.workspace import make_learned_1_record
from deckcheck.validation import Validator
from tools.players.families import EXCESSES, draw_decks
from tools.training.courses import Course, Setting

__all__ = ["Tables", "new_works", "set_odd_tables", "set_tables"]

Ints = npt.NDArray[np.int64]

SAMPLE_TABLES = 2000  # at most, of each setting
LONGEST = 2048  # moves of a game
WEAK_FACTION = "skellige"
"""The faction that `learned-5` played worst, compared with `search:256`."""


@dataclass(frozen=True)
class Tables:
    """Contexts, and of each whether its decks are samples and the sides of its seats.

    `sides` has a row for each context, with -1 after the last seat.
    """

    contexts: Any
    is_sample: npt.NDArray[np.bool_]
    sides: Ints

    def drawn(self, chance: np.random.Generator, count: int, samples: bool) -> Ints:
        """Numbers of contexts, at random."""
        first = int(np.argmin(self.is_sample))
        ends = (0, first) if samples else (first, len(self.is_sample))
        return chance.integers(*ends, count)


def new_works(course: Course) -> Any:
    """Two workspaces, so that two sets of weights can meet."""
    dtype = np.dtype(
        [
            ("dice", np.int64, (4,)),
            ("chosen", np.int64),
            ("course", np.int64, (LONGEST, 2)),  # player, value of the move or -1
            *make_learned_1_record(course.game, course.variant).descr,
        ]
    )
    return np.zeros(2, dtype).view(np.recarray)


def set_tables(course: Course, seed: int, decks: int, pairs: int) -> Tables:
    """Tables of sample decks, then `pairs` of so many random decks, of each setting."""
    chance = Random(seed)
    samples, randoms = [], []
    for setting in course.settings:
        samples += list(sample_tables(course, setting, chance))
        drawn = random_decks(load_format(setting.format), seed, decks)
        for _ in range(pairs):
            met = [chance.choice(drawn) for _ in range(setting.players)]
            randoms.append(seated(course, setting, met))
    contexts = np.concatenate(samples + randoms).view(np.recarray)
    is_sample = np.arange(len(contexts)) < len(samples)
    return Tables(contexts, is_sample, sides_of(course, contexts))


def set_odd_tables(course: Course, seed: int, decks: int, pairs: int) -> Tables:
    """Set tables of sample decks, then `pairs` of random and lopsided decks.

    At half of the tables one seat at least has a deck of `WEAK_FACTION`.
    """
    (setting,) = course.settings
    fmt, chance = load_format(setting.format), Random(seed)
    randoms = random_decks(fmt, seed, decks)
    for rule, number in product(EXCESSES, range(decks // 20)):
        with suppress(NoDeckError):
            randoms += draw_decks((rule,), seed + number, 1)
    tables = []
    for pool, count in ((list(read(setting.decks)), pairs // 4), (randoms, pairs)):
        weak = [deck for deck in pool if deck.faction == WEAK_FACTION]
        for number in range(count):
            met = [chance.choice(weak if number % 2 else pool), chance.choice(pool)]
            chance.shuffle(met)
            tables.append(seated(course, setting, met))
    contexts = np.concatenate(tables).view(np.recarray)
    is_sample = np.arange(len(contexts)) < pairs // 4
    return Tables(contexts, is_sample, sides_of(course, contexts))


def sample_tables(course: Course, setting: Setting, chance: Random) -> Iterator[Any]:
    """All ordered tables of sample decks, or some of them where there are very many."""
    samples = list(read(setting.decks))
    if len(samples) ** setting.players <= SAMPLE_TABLES:
        for met in product(samples, repeat=setting.players):
            yield seated(course, setting, list(met))
    else:
        for _ in range(SAMPLE_TABLES):
            met = [chance.choice(samples) for _ in range(setting.players)]
            yield seated(course, setting, list(met))


def seated(course: Course, setting: Setting, decks: list[Deck]) -> Any:
    """The context of a game of these decks."""
    fmt = load_format(setting.format)
    seats = [seat(deck, course.heuristic) for deck in decks]
    return load_game(course.game).fill_context(database_of(fmt), fmt, seats)


def sides_of(course: Course, contexts: Any) -> Ints:
    """The sides of the seats of each context: everybody for themselves in duels."""
    if "side" not in contexts.dtype.names:
        return np.tile(np.arange(course.players), (len(contexts), 1))
    sides = contexts["side"][:, : course.players].copy()
    beyond = np.arange(course.players) >= contexts["n_players"][:, None]
    sides[beyond] = -1
    return sides


def random_decks(fmt: Format, seed: int, count: int) -> list[Deck]:
    """Random legal decks."""
    validator = Validator(fmt.id)
    generator = Generator(fmt, validator)
    decks = []
    for number in range(count):
        text = DeckText("random.deck", generator.draw_file(seed, number))
        decks += [report.deck for report in validator.check_file(text)]
    return decks
