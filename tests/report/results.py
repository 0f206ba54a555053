"""Finished simulations to lay out, made from tallies that are written down."""

from __future__ import annotations

from functools import cache

from tallies import duel_tally

from deckcheck.playing.kernel import Head, Ints, SeatColumns
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.seating import pair_up
from deckcheck.sim.standings import SimulatedDeck, table_result

__all__ = ["deck", "result_of"]


@cache
def tally() -> Ints:
    """5,000 pairs in which the deck that begins does better."""
    counted = 50 * duel_tally(
        [
            *((28, "A- B-"), (1, "A= B-"), (6, "A- B+"), (23, "A+ B-")),
            *((1, "A+ B="), (1, "A= B+"), (40, "A+ B+")),
        ]
    )
    counted[0, Head.ROUNDS] = 25_000
    counted[0, Head.TURNS] = 240_000
    counted[1:3, SeatColumns.CARDS_LEFT] = 10_000, 5_000
    counted.flags.writeable = False
    return counted


def deck(name: str, policy: str = "heuristic", findings: int = 0) -> SimulatedDeck:
    """A deck of the Northern Realms."""
    leader = "foltest_the_siegemaster"
    path = f"decks/{name.lower().replace(' ', '_')}.deck"
    return SimulatedDeck(name, path, 0, "northern_realms", leader, policy, findings)


def result_of(*decks: SimulatedDeck) -> SimulationResult:
    """A round robin in which every matchup went the same way."""
    tables = tuple(
        table_result((decks[p.a].name, decks[p.b].name), tally())
        for p in pair_up(len(decks), mirror=len(decks) == 1)
    )
    return SimulationResult(
        format="gwent/standard",
        snapshot="2025-10",
        month="2025-10",
        play="duel",
        decks=decks,
        players=tuple(dict.fromkeys(deck.policy for deck in decks)),
        stand_ins=(),
        games=10_000,
        games_played=10_000 * len(tables),
        seed=1,
        checksum="000000000abc",
        digest="0123456789ab",
        changes=(),
        seconds=2.5,
        jobs=1,
        tables=tables,
    )
