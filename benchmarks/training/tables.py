"""The decks that meet in training, and the workspaces of those who play them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from deckcheck import read
from deckcheck.decks import DeckText
from deckcheck.engine.host.registry import load_game
from deckcheck.engine.host.seat import Seat
from deckcheck.formats import Format, database_of, load_format
from deckcheck.generating import Generator
from deckcheck.playing.host.table import seat
from deckcheck.policies.host.learned import learned_dtype
from deckcheck.validation import Validator

__all__ = ["FORMAT", "GAME", "VARIANT", "contexts", "new_works", "sample_pairs"]

GAME, VARIANT, FORMAT = "gwent", "two", "gwent/standard"
OPPONENT = "heuristic-1"  # whose figures do not change
DECKS = "decks/gwent/standard"
LONGEST = 2048  # moves of a game


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


def contexts(seed: int, decks: int, pairs: int) -> Any:
    """All ordered pairs of sample decks, then `pairs` of so many random decks."""
    fmt = load_format(FORMAT)
    samples = [seat(deck, OPPONENT) for deck in read(DECKS)]
    randoms = random_seats(fmt, seed, decks)
    chance = Random(seed)
    met = [(a, b) for a in samples for b in samples]
    met += [(chance.choice(randoms), chance.choice(randoms)) for _ in range(pairs)]
    fill, database = load_game(GAME).fill_context, database_of(fmt)
    return np.concatenate([fill(database, fmt, pair) for pair in met]).view(np.recarray)


def sample_pairs() -> int:
    """How many of the contexts are of sample decks."""
    return len(read(DECKS)) ** 2


def random_seats(fmt: Format, seed: int, count: int) -> list[Seat]:
    """Random legal decks with their seats."""
    validator = Validator(fmt.id)
    generator = Generator(fmt, validator)
    found = []
    for number in range(count):
        text = DeckText("random.deck", generator.file(seed, number))
        found += [seat(report.deck, OPPONENT) for report in validator.check_file(text)]
    return found
