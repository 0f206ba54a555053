"""The decks that meet in training, and the workspaces of those who play them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from deckcheck import read
from deckcheck.decks import Deck, DeckText
from deckcheck.engine.host.registry import load_game
from deckcheck.formats import Format, database_of, load_format
from deckcheck.generating import Generator
from deckcheck.playing.host.table import seat
from deckcheck.policies.host.learned import learned_dtype
from deckcheck.validation import Validator

__all__ = ["FORMAT", "GAME", "HEURISTICS", "VARIANT", "new_works", "set_tables"]

Ints = npt.NDArray[np.int64]

GAME, VARIANT, FORMAT = "gwent", "two", "gwent/standard"
HEURISTICS = ("heuristic-1",)
"""Opponents by rules of thumb, who do not change; each has tables of its own."""
DECKS = "decks/gwent/standard"
LONGEST = 2048  # moves of a game


@dataclass(frozen=True)
class Tables:
    """Contexts: for each heuristic so many pairs of sample decks, then random ones."""

    contexts: Any
    samples: int

    def drawn(
        self, chance: np.random.Generator, count: int, samples: bool, heuristic: int
    ) -> Ints:
        """Numbers of contexts, at random."""
        each = len(self.contexts) // len(HEURISTICS)
        ends = (0, self.samples) if samples else (self.samples, each)
        return heuristic * each + chance.integers(*ends, count)


def new_works() -> Any:
    """Two workspaces, so that two sets of weights can meet."""
    dtype = np.dtype(
        [
            ("dice", np.int64, (4,)),
            ("chosen", np.int64),
            ("course", np.int64, (LONGEST, 2)),  # player, value of the move or -1
            *learned_dtype(GAME, VARIANT).descr,
        ]
    )
    return np.zeros(2, dtype).view(np.recarray)


def set_tables(seed: int, decks: int, pairs: int) -> Tables:
    """All ordered pairs of sample decks, and `pairs` of so many random decks."""
    fmt = load_format(FORMAT)
    samples = list(read(DECKS))
    randoms = random_decks(fmt, seed, decks)
    chance = Random(seed)
    met = [(a, b) for a in samples for b in samples]
    met += [(chance.choice(randoms), chance.choice(randoms)) for _ in range(pairs)]
    fill, database = load_game(GAME).fill_context, database_of(fmt)
    found = [
        fill(database, fmt, [seat(deck, policy) for deck in pair])
        for policy in HEURISTICS
        for pair in met
    ]
    return Tables(np.concatenate(found).view(np.recarray), len(samples) ** 2)


def random_decks(fmt: Format, seed: int, count: int) -> list[Deck]:
    """Random legal decks."""
    validator = Validator(fmt.id)
    generator = Generator(fmt, validator)
    found = []
    for number in range(count):
        text = DeckText("random.deck", generator.file(seed, number))
        found += [report.deck for report in validator.check_file(text)]
    return found
