"""How much the win rates of decks depend on who plays them, where that was measured."""

from __future__ import annotations

from deckcheck.report.tables import Cell, Column, Table, numbers
from deckcheck.report.units import IN_PERCENT
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.tables.entrants import is_crossed, without_policy
from deckcheck.stats import Combination, Interval, mean_of

TITLE = "Win rate in % of each deck with each player, against all other decks"
NOTE = (
    "band: all true rates of the row lie in it, in at least 95 of 100 runs; with more "
    "games it gets narrower"
)


def by_player_table(result: SimulationResult) -> Table:
    """The rates of each deck with each player, and the band in which they all lie.

    It has rows only where several decks met, each of them played by each player.
    """
    rates = _rates(result)
    players = tuple(dict.fromkeys(deck.policy for deck in result.decks))
    rows: list[tuple[Cell, ...]] = []
    for deck in dict.fromkeys(deck for deck, _ in rates):
        own = [rates[deck, player] for player in players]
        rows.append((deck, *(rate.value for rate in own), band_of(own)))
    columns = (Column("deck"), *numbers(IN_PERCENT, *players, "band"))
    return Table(TITLE, columns, tuple(rows), note=NOTE)


def band_of(rates: list[Combination]) -> Interval:
    """An interval that holds all true rates in at least 95 of 100 cases.

    It goes from the least end of their intervals to the greatest. It misses a rate only
    where the interval of the least rate lies above it, or that of the greatest below,
    and each of these has a chance of at most 2.5 %.
    """
    intervals = [rate.interval() for rate in rates]
    return Interval(
        min(interval.low for interval in intervals),
        max(interval.high for interval in intervals),
    )


def _rates(result: SimulationResult) -> dict[tuple[str, str], Combination]:
    """The win rate of each deck with each player over all other decks in all hands.

    The decks are in the order of the standings; empty where nobody met so.
    """
    if not is_crossed([(deck.path, deck.index, deck.policy) for deck in result.decks]):
        return {}
    entered = {
        deck.name: (without_policy(deck.name, deck.policy), deck.policy)
        for deck in result.decks
    }
    met: dict[str, list[Combination]] = {s.deck: [] for s in result.standings()}
    for matchup in result.matchups:
        if entered[matchup.a][0] == entered[matchup.b][0]:
            continue
        for name in (matchup.a, matchup.b):
            if name in met:
                met[name].append(matchup.share(name))
    return {entered[name]: mean_of(shares) for name, shares in met.items() if shares}
