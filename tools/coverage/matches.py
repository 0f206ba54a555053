"""Cases of tournament matches, of decks against an automa, and of tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from deckcheck.engine.gwent.match import GwentMatchRules
from deckcheck.playing.kernel import GameOutcome, Ints, ListedGame
from deckcheck.playing.table import Table
from deckcheck.sim.matches import MatchResult, MatchTable, read_matches
from deckcheck.sim.performances import Performance
from deckcheck.sim.selection import Chances, match_value, solve
from deckcheck.sim.standings import Matchup
from deckcheck.sim.table_results import make_table_result
from deckcheck.stats import Estimate
from tools.coverage.cases import (
    ALIKE,
    Case,
    Chance,
    Play,
    Truths,
    alike_games,
    holds,
    tally_of_games,
)

DRAWS = 0.04
MANY = 60_000
"""The pairs of matches that tell how often decks win which choose when to play."""

LINEUPS = {
    "even decks": ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
    "uneven decks": ((0.7, 0.3, 0.5), (0.4, 0.65, 0.2), (0.55, 0.5, 0.8)),
    "a lineup that wins 98%": ((0.93, 0.9, 0.9), (0.9, 0.92, 0.88), (0.9,) * 3),
}

ROUND_TABLE = {
    "place": "mean place",
    "points": "mean points",
    "win_share": "win share",
    "turns": "win share by turn",
}
FIRST_CHOICE = "who chooses first in a game"


def match_cases() -> Iterator[Case]:
    """Every interval of matches, small and large, and lopsided."""
    for name, rates in LINEUPS.items():
        for pairs in (10, 300):
            where = f"{name}, {pairs} pairs"
            play = _match(rates, "optimal", pairs)
            yield Case("simulate", "match win rate", where, play, cost=6)
            for selection in ("optimal", "random"):
                where = f"{name}, chosen {selection}, {pairs} pairs"
                chooser = _decks(rates, selection, pairs, slice(0, 1))
                yield Case("simulate", FIRST_CHOICE, where, chooser, cost=6)
                of_decks = _decks(rates, selection, pairs, slice(1, None))
                yield Case("simulate", "deck in matches", where, of_decks, cost=6)


def table_cases() -> Iterator[Case]:
    """Every interval of tables, and of a deck against an automa."""
    for rate in (0.02, 0.2, 0.5, 0.98):
        for games in (10, 40, 600):
            where = f"{rate}, {games} games"
            yield Case("simulate", "solo, win rate", where, _solo(rate, games))
            for figure in ("place", "points"):
                play = _solo_mean(figure, rate, games)
                yield Case("simulate", f"solo, mean {figure}", where, play)
    for rate in (0.02, 0.2, 0.5):
        for sets in (25, 50, 300):
            where = f"{rate}, {sets} pairs"
            yield Case("simulate", "win rate by who begins", where, _begins(rate, sets))
    for players in (3, 5):
        for sets in (5, 10, 200):
            where = f"table of {players}, {sets} sets"
            for figure, name in ROUND_TABLE.items():
                play = _round_table(figure, players, sets)
                yield Case("simulate", f"{name} at a table", where, play)


class DrawnGames:
    """Stands in for `play_listed`: games fall by chance, some pairs of them alike."""

    def __init__(self, chance: Chance, rates: Sequence[Sequence[float]]) -> None:
        self._chance = chance
        self._rates = np.ravel(rates)

    def __call__(self, table: Table, seed: int, games: Ints) -> Ints:
        keys = games[:, ListedGame.STREAM] * MANY + games[:, ListedGame.COUNTER]
        unique, of_game = np.unique(keys, return_inverse=True)
        shared = self._chance.random(len(unique))[of_game]
        is_alike = (self._chance.random(len(unique)) < ALIKE)[of_game]
        own = np.where(is_alike, shared, self._chance.random(len(games)))
        wins = (1 - DRAWS) * self._rates[games[:, ListedGame.CONTEXT]]
        outcomes = np.zeros((len(games), GameOutcome.PLACE + 8), np.int64)
        outcomes[:, GameOutcome.PLACE] = np.where(own < wins + DRAWS, 1, 2)
        outcomes[:, GameOutcome.PLACE + 1] = np.where(own < wins, 2, 1)
        return outcomes


def _played(
    chance: Chance, rates: Sequence[Sequence[float]], selection: str, pairs: int
) -> tuple[MatchResult, Any]:
    """Matches of two lineups, and what both choosing best is worth."""
    sizes = (len(rates), len(rates[0]))
    chances = [[Chances((1 - DRAWS) * r, DRAWS) for r in row] for row in rates]
    rules = GwentMatchRules()
    plans = solve(chances, rules)
    table = Table("made up", "two", (b"",) * (sizes[0] * sizes[1]), streams=4)
    matches = MatchTable(table, sizes, (selection, selection), plans, rules)
    games = DrawnGames(chance, rates)
    with mock.patch("deckcheck.playing.table.play_listed", games):
        tally = matches.play(1, 0, 0, pairs)
    a, b = (_lineup(name, size) for name, size in zip("ab", sizes, strict=True))
    return read_matches(a, b, tally, None, anytime=False), (plans, rules)


def _lineup(name: str, decks: int) -> Any:
    entrants = [SimpleNamespace(name=f"{name} {i}") for i in range(decks)]
    return SimpleNamespace(name=name, entrants=entrants)


def _match(rates: Sequence[Sequence[float]], selection: str, pairs: int) -> Play:
    def play(chance: Chance) -> Truths:
        match, (plans, rules) = _played(chance, rates, selection, pairs)
        first, second = (plans[rules.begin(coin)].value for coin in range(2))
        return [
            holds(match.rate_a.interval, match_value(plans, rules)),
            holds(match.a_first.interval, first),
            holds(match.b_first.interval, second),
            holds(match.first_choice.interval, (first + 1 - second) / 2),
        ]

    return play


def _rates_of(match: MatchResult) -> list[Estimate | None]:
    decks = (*match.decks_a, *match.decks_b)
    return [match.chose_first, *(deck.rate for deck in decks)]


def _decks(
    rates: Sequence[Sequence[float]], selection: str, pairs: int, which: slice
) -> Play:
    """Win rates of decks in the games for which they were chosen, or of who chose."""
    many: list[list[Estimate | None]] = []

    def play(chance: Chance) -> Truths:
        if not many:
            large = _played(np.random.default_rng(1), rates, selection, MANY)
            many.append(_rates_of(large[0])[which])
        match, _ = _played(chance, rates, selection, pairs)
        return [
            holds(rate.interval, truth.value)
            for rate, truth in zip(_rates_of(match)[which], many[0], strict=True)
            if rate is not None and truth is not None
        ]

    return play


def _against_automa(chance: Chance, rate: float, games: int) -> Performance:
    won = chance.random(games) < rate
    places = np.stack([np.where(won, 1, 2), np.where(won, 2, 1)], axis=1)
    seats = np.tile([0, 1], (games, 1))
    tally = tally_of_games(places, 2 - places, seats, 1)
    return make_table_result(("deck", "automa"), tally).performances[0]


def _solo(rate: float, games: int) -> Play:
    def play(chance: Chance) -> Truths:
        share = _against_automa(chance, rate, games).win_share
        return [share is not None and holds(share.interval, rate)]

    return play


def _solo_mean(figure: str, rate: float, games: int) -> Play:
    """Mean places, or points: one for a win. Points that never vary tell nothing."""

    def play(chance: Chance) -> Truths:
        own = _against_automa(chance, rate, games)
        mean, truth = (own.place, 2 - rate) if figure == "place" else (own.points, rate)
        assert mean is not None
        low, high = mean.interval
        return [holds(mean.interval, truth)] if low < high else []

    return play


def _begins(rate: float, sets: int) -> Play:
    """Of half of the pairs the first deck begins both games: it chose to."""

    def play(chance: Chance) -> Truths:
        won = alike_games(chance, rate, sets).ravel()
        first = np.tile([0, 1], sets)
        first[np.repeat(chance.random(sets) < 0.5, 2)] = 0
        places = np.stack([np.where(won, 1, 2), np.where(won, 2, 1)], axis=1)
        tally = tally_of_games(places, 2 - places, np.stack([first, 1 - first], 1), 2)
        matchup = Matchup(make_table_result(("a", "b"), tally))
        shares = [matchup.a_starts.estimate, matchup.b_starts.estimate]
        return [holds(share.interval, rate) for share in shares if share is not None]

    return play


def _round_table(figure: str, players: int, sets: int) -> Play:
    """Players of whom each is stronger than the next, and points of the order."""
    strengths = np.linspace(0.0, 2.0, players)
    games, entrants = np.indices((sets * players, players))
    seats = (entrants - games) % players
    names = [str(i) for i in range(players)]

    def play(chance: Chance) -> Truths:
        truths = _true_means(figure, players)
        places = _places(chance, strengths, sets * players)
        tally = tally_of_games(places, (players - places) ** 2, seats, players)
        table = make_table_result(names, tally)
        if figure == "turns":
            own = [
                (p.win_share, truths[i])
                for i in range(players)
                for p in table.by_seat[i]
            ]
            means = [*own, *((p.win_share, 1 / players) for p in table.seats)]
        else:
            means = [
                (getattr(p, figure), t)
                for p, t in zip(table.performances, truths, strict=True)
            ]
        return [
            holds(mean.interval, truth) for mean, truth in means if mean is not None
        ]

    return play


@cache
def _true_means(figure: str, players: int) -> Any:
    """The mean of a figure for each player of `_round_table`, of very many games."""
    strengths = np.linspace(0.0, 2.0, players)
    drawn = _places(np.random.default_rng(1), strengths, 400_000 // players)
    values = {"place": drawn, "points": (players - drawn) ** 2}
    return values.get(figure, drawn == 1).mean(axis=0)


def _places(chance: Chance, strengths: Any, games: int) -> Any:
    """The places of players in games, which go by strength and chance."""
    scores = strengths + chance.gumbel(size=(games, len(strengths)))
    return 1 + (-scores).argsort(axis=1).argsort(axis=1)
