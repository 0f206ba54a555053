"""Finished simulations to lay out, made from tallies that are written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from deckcheck.engine.tally import Field, new_tally
from deckcheck.sim.pairings import pair_up
from deckcheck.sim.result import SimulatedDeck, SimulationResult
from deckcheck.sim.totals import checksum_of, matchup_of

__all__ = ["deck", "result_of", "tally_of"]


def tally_of(
    pairs: Sequence[int], a_starts: Sequence[int], b_starts: Sequence[int]
) -> NDArray[np.int64]:
    """Tally of pairs by half-points; wins, losses and draws of a by who started."""
    tally = new_tally()
    tally[Field.PAIR_SCORE : Field.PAIR_SCORE + 5] = pairs
    for start, counts in enumerate((a_starts, b_starts)):
        wins, losses, draws = counts
        tally[Field.GAMES + start] = sum(counts)
        tally[Field.WINS_A + start] = wins
        tally[Field.WINS_B + start] = losses
        tally[Field.DRAWS + start] = draws
    games = 2 * sum(pairs)
    tally[Field.PAIRS_APART] = min(sum(a_starts), sum(b_starts))
    tally[Field.ROUNDS] = 5 * games // 2
    tally[Field.CARDS_LEFT_A] = games
    tally[Field.CARDS_LEFT_B] = games // 2
    tally[Field.TURNS] = 24 * games
    tally[Field.CHECKSUM] = 0xABC
    return tally


def deck(name: str, policy: str = "heuristic", findings: int = 0) -> SimulatedDeck:
    """A deck of the Northern Realms."""
    leader = "foltest_the_siegemaster"
    path = f"decks/{name.lower().replace(' ', '_')}.deck"
    return SimulatedDeck(name, path, 0, "northern_realms", leader, policy, findings)


def result_of(*decks: SimulatedDeck) -> SimulationResult:
    """A round robin in which every matchup went the same way."""
    tally = tally_of([800, 100, 1900, 200, 2000], [3200, 1700, 100], [2350, 2600, 50])
    matchup = matchup_of("", "", tally)
    matchups = tuple(
        replace(matchup, a=decks[p.a].name, b=decks[p.b].name)
        for p in pair_up(len(decks), mirror=len(decks) == 1)
    )
    return SimulationResult(
        format="gwent/standard",
        snapshot="2025-10",
        decks=decks,
        games=10_000,
        seed=1,
        matchups=matchups,
        checksum=checksum_of([tally] * len(matchups)),
        digest="0123456789ab",
        seconds=2.5,
        jobs=1,
    )
