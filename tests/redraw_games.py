"""Games whose redraws are an experiment, as several tests need them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import deckcheck
from deckcheck.engine.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import GameOutcome, Ints, Way, play_redraws
from deckcheck.playing.redraws import Redraws
from deckcheck.playing.table import records_of, seat
from deckcheck.playing.versions import VERSION, numbers_of, seat_version

DECKS = Path(__file__).parents[1] / "decks"
STANDARD = DECKS / "gwent" / "standard"
SETS = 60


def a_table(format: str = "gwent/standard", policy: str = "heuristic") -> Redraws:
    """A table at which every card of the second deck is tried."""
    fmt = load_format(format)
    database = database_of(fmt)
    files = sorted((DECKS / format).glob("*.deck"))
    if format == "gwent/standard":
        files = [STANDARD / "mo_swarm.deck", STANDARD / "nr_siege_masters.deck"]
    opponent, own = deckcheck.read(*files[:2])
    table = seat_version(fmt, database, seat(opponent, policy), seat(own, policy))
    numbers = load_game(fmt.game).card_numbers(database)
    place = numbers_of(table, numbers, own.counts())
    return Redraws(table, tuple(place.values()))


def played(
    table: Redraws, way: Way, card: int = 0, sets: int = SETS
) -> tuple[Ints, Ints, Ints]:
    """The outcomes of some games, what was dealt, and what was sent back."""
    games = table.table.games_of_sets(0, np.arange(sets))
    outcomes = np.empty((len(games), GameOutcome.PLACE + 8), np.int64)
    dealt = np.zeros((len(games), len(table.cards)), np.int64)
    sent = np.zeros((len(games), len(table.cards) + 1), np.int64)
    slots = np.full(4096, -1, np.int64)
    slots[list(table.cards)] = np.arange(len(table.cards))
    hand, at = np.array(table.hand, np.int64), np.zeros(1, np.int64)
    with records_of(table.table) as records:
        play_redraws(
            *(*records, 1, games, outcomes, VERSION, int(way), card),
            *(hand, slots, dealt, sent, at),
        )
    return outcomes, dealt, sent


def tried(table: Redraws) -> list[list[int]]:
    """What each way makes of a dealt card in a pair of games, as numbers to compare."""
    lines = []
    _, dealt, _ = played(table, Way.OWN, sets=1)
    card = table.cards[int(dealt[0].argmax())]
    for way in Way:
        outcomes, dealt, sent = played(table, way, card, sets=1)
        lines += [[int(way), *map(int, row.ravel())] for row in (outcomes, dealt, sent)]
    return lines
