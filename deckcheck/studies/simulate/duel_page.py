"""The page of decks, or lineups, that met two at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from deckcheck.findings.words import quote
from deckcheck.report.html.cutting import MOST_ROWS, with_rest
from deckcheck.report.html.heatmap import heatmap_of
from deckcheck.report.html.model import Figures, Forest, Section, forest_of
from deckcheck.report.units import count, percent, ranged
from deckcheck.sim.results.played import Matchup
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.standings import Standing
from deckcheck.stats import difference
from deckcheck.studies.simulate.by_player import by_player_table
from deckcheck.studies.simulate.duel_tables import (
    matchups_table,
    matrix_table,
    standings_table,
    starts_table,
)
from deckcheck.studies.simulate.table_page import MATRIX_NOTE

LEVEL = 0.95
HALF = 0.5


def duel_answers(result: SimulationResult) -> Iterator[str]:
    """The better deck, in a sentence."""
    if len(result.matchups) == 1:
        yield _match_answer(result.matchups[0])
        return
    ranked = _ranked(result)
    if len(ranked) > 1:
        rate = ranked[0].estimate
        best, second = ranked[0].deck, ranked[1].deck
        answers = (
            f"{quote(best)} does best: it wins {percent(rate.value)} of its games "
            f"over all opponents ({ranged(rate.interval)})"
        )
        near = [
            standing for standing in ranked[1:] if not is_better(ranked[0], standing)
        ]
        if near:
            rest = f"{quote(near[0].deck)} ({percent(near[0].win_rate)}) may be as good"
            yield f"{answers}, but {rest}."
        else:
            next_rate = percent(ranked[1].win_rate)
            yield f"{answers}, ahead of {quote(second)} with {next_rate}."


def _match_answer(matchup: Matchup) -> str:
    rate = matchup.win_rate(matchup.a)
    games = f"{count(matchup.games)} games ({ranged(rate.interval)})"
    shown = f"{percent(rate.value)} of {games}"
    a, b = quote(matchup.a), quote(matchup.b)
    if rate.interval.low > 0.5:
        return f"{a} beats {b}: it wins {shown}."
    if rate.interval.high < 0.5:
        return f"{b} beats {a}, which wins {shown}."
    return f"Neither is better beyond doubt: {a} wins {shown} against {b}."


def duel_sections(result: SimulationResult) -> Iterator[Section]:
    """Standings, the matrix, and every matchup."""
    if len(result.matchups) == 1:
        yield Section("match", "The match", (_starts(result.matchups[0]),))
        return
    standings = result.standings()
    if len(standings) > 1:
        yield Section("standings", "Standings", (_standings(result),))
        by_player = by_player_table(result)
        if by_player.rows:
            yield Section("players", "Deck or player", (Figures(by_player),))
        if not result.challengers:
            heatmap = heatmap_of(matrix_table(result), MATRIX_NOTE)
            yield Section("matrix", "Who beats whom", (heatmap,))
    yield Section("matchups", "Every matchup", (_matchups(result),))


def _ranked(result: SimulationResult) -> list[Standing]:
    """The standings, of a field those of who was to be measured."""
    standings = result.standings()
    chosen = [standing for standing in standings if standing.deck in result.challengers]
    return chosen or standings


def is_better(one: Standing, other: Standing, level: float = LEVEL) -> bool:
    """Whether the mean win rate of the first is higher, beyond doubt.

    No correction is needed to call the best of several the best: S. Gutmann and
    Z. Maymin (1987), Is the selected population the best?, Annals of Statistics 15.
    """
    return difference(one.mean, other.mean).is_above(0.0, level)


def _standings(result: SimulationResult) -> Forest:
    note = (
        "the place is a range where the games do not settle it: each range holds the "
        "true place in 95 of 100 runs"
    )
    table = replace(standings_table(result), note=note)
    return forest_of(table, places=places_of(result.standings()))


def places_of(standings: Sequence[Standing]) -> list[str]:
    """The places that each deck may have: better ones and worse ones are beyond doubt.

    All sentences about a deck hold together (Bonferroni). A deck with a lower rate is
    not better, so that only pairs in the order of the standings are compared.
    """
    count = len(standings)
    level = 1 - (1 - LEVEL) / (count - 1)
    worse = [0] * count
    better = [0] * count
    for first, second in combinations(range(count), 2):
        if is_better(standings[first], standings[second], level):
            worse[first] += 1
            better[second] += 1
    places = []
    for i in range(count):
        first, last = 1 + better[i], count - worse[i]
        places.append(str(first) if first == last else f"{first} to {last}")
    return places


def _matchups(result: SimulationResult) -> Forest:
    """Each matchup from the side of its winner; a filter shows the other side, too."""
    won = [m if m.win_rate_a >= HALF else m.mirrored() for m in result.matchups]
    played = sorted(won, key=lambda m: -m.win_rate_a)
    lost = [m.mirrored() for m in played if m.a != m.b]
    title = "Win rate of the deck named first, the most decisive matchup on top"
    table = matchups_table(result, title, [*played, *lost])
    decks = [(m.a, False) for m in played] + [(m.a, True) for m in lost]
    if len(decks) <= MOST_ROWS:
        return forest_of(table, decks=decks if len(played) > 1 else ())
    table = matchups_table(result, title, played[:MOST_ROWS])
    if len(played) > MOST_ROWS:
        table = replace(table, note=with_rest(table.note or "", len(played)))
    return forest_of(table)


def _starts(matchup: Matchup) -> Forest:
    return forest_of(
        starts_table(f"Win rate of {matchup.a} against {matchup.b}", matchup)
    )
