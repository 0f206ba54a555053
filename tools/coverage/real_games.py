"""Cases of real games: decks and matchups with equal players, and a run beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from deckcheck.studies.real_games import RealGamesResult, make_real_games
from deckcheck.studies.real_games_table import GamesTable, RealGame
from tools.coverage.cases import Case, Chance, Play, Truths, field_of, holds, rates_by

ALL_FIGURES = ("deck", "player", "matchup")
PREFERENCE = 4.0
"""How much more a player likes a deck, in log-odds, that is as strong as the player."""
LOYALTY = 0.6
"""The share of games that a player plays with the favourite deck."""


USUAL_SPREAD = 0.6
"""The level of the best deck, in log-odds."""


@dataclass(frozen=True, slots=True)
class League:
    """Players who differ in strength, and their decks."""

    decks: int
    players: int
    games: int
    """The games of each player."""
    spread: float = USUAL_SPREAD
    """The level of the best deck; the worst has as much less."""
    talent: float = 1.0
    """The standard deviation of the levels of players, in log-odds."""
    draws: float = 0.0
    """The share of the games that the weaker side would win that are draws."""
    has_names: bool = True
    """Whether the file names the players."""

    def describe(self) -> str:
        """Name the situation in the table."""
        who = f"{self.players} players" if self.has_names else "players not named"
        games = self.players * self.games // 2
        parts = [f"{self.decks} decks", who, f"{games} games"]
        if self.spread > USUAL_SPREAD:
            parts.append("the best beats the worst in 98 of 100")
        if self.talent:
            parts.append("strong players prefer strong decks")
        if self.draws:
            parts.append("draws")
        return ", ".join(parts)

    def draw(self, chance: Chance) -> tuple[GamesTable, Any, Any]:
        """Return games, and the levels of decks and of players."""
        decks = np.linspace(self.spread, -self.spread, self.decks)
        players = chance.normal(0, self.talent, self.players)
        liking = np.exp(PREFERENCE * np.outer(players, decks))
        liking = (liking / liking.sum(axis=1, keepdims=True)).cumsum(axis=1)
        favourites = _choose(chance, liking)
        count = self.players * self.games // 2
        first = chance.integers(self.players, size=count)
        second = (first + chance.integers(1, self.players, size=count)) % self.players
        brought = []
        for who in (first, second):
            is_loyal = chance.random(count) < LOYALTY
            others = _choose(chance, liking[who])
            brought.append(np.where(is_loyal, favourites[who], others))
        odds = decks[brought[0]] - decks[brought[1]] + players[first] - players[second]
        rates = 1 / (1 + np.exp(-odds))
        half = self.draws * np.minimum(rates, 1 - rates)
        luck = chance.random(count)
        scores = np.where(
            luck < rates - half, 1.0, np.where(luck < rates + half, 0.5, 0)
        )
        columns = zip(*brought, scores.tolist(), first, second, strict=True)
        games = []
        for a, b, score, one, two in columns:
            pilots = (f"{one}", f"{two}") if self.has_names else ()
            if a != b or pilots:
                games.append(RealGame(f"{a}", f"{b}", score, pilots))
        return GamesTable("made up", "deck", "", tuple(games)), decks, players


def _choose(chance: Chance, sums: Any) -> Any:
    """Choose a deck for each row of running sums of probabilities."""
    drawn = chance.random((len(sums), 1))
    return np.minimum((drawn > sums).sum(axis=1), sums.shape[1] - 1)


LEAGUES = (
    *(League(*sizes) for sizes in product((2, 4), (6, 20), (6, 20))),
    *(League(3, 60, games) for games in (4, 10, 30)),
    League(8, 20, 20),
    League(4, 40, 10, talent=2.0),
    League(4, 20, 20, draws=0.6),
    League(2, 6, 20, spread=2.0),
    League(4, 20, 20, spread=0.0, talent=0.0),
    League(2, 2, 20, talent=0.0, has_names=False),
    League(4, 2, 60, spread=2.0, talent=0.0, has_names=False),
    League(4, 2, 300, draws=0.6, talent=0.0, has_names=False),
)
"""Leagues with few games and many, with draws, and strong decks of strong players."""

COMPARED_LEAGUES = (
    League(4, 6, 20),
    League(4, 20, 6),
    League(3, 60, 10),
    League(4, 20, 20, draws=0.6),
    League(2, 2, 20, talent=0.0, has_names=False),
    League(6, 2, 300, spread=0.0, talent=0.0, has_names=False),
)
"""Leagues whose games are compared with a run of the true rates."""


def real_game_cases() -> Iterator[Case]:
    """What `meta results.csv` says of decks, players and matchups, and of a run."""
    for figure in ALL_FIGURES:
        for league in LEAGUES:
            if league.has_names or figure != "player":
                name = f"{figure}s in real games"
                where = league.describe()
                cost = 6 + league.players // 2
                yield Case("meta", name, where, _measure(league, figure), cost=cost)
    for league, pairs in product(COMPARED_LEAGUES, (50, 1000)):
        where = f"{league.describe()}, a run of {pairs} pairs"
        cost = 6 + league.players // 2
        for figure in ("matchups that agree with a run", "favourites of a run"):
            play = _compare(league, pairs, figure)
            yield Case("meta", figure, where, play, cost=cost)


def _measure(league: League, figure: str) -> Play:
    """Whether the rates of all decks, players or matchups are in their intervals."""

    def play(chance: Chance) -> Truths:
        table, decks, players = league.draw(chance)
        result = make_real_games(table)
        if figure == "matchup":
            return _find_matchups(result, decks)
        rows = result.standings if figure == "deck" else result.players
        rated = [row for row in rows if row.adjusted is not None]
        levels = decks if figure == "deck" else players
        names = [int(row.name) for row in rated]
        centre = levels[names].mean() if names else 0.0
        truths = 1 / (1 + np.exp(centre - levels[names]))
        return [
            row.adjusted is not None and holds(row.adjusted.interval, truth)
            for row, truth in zip(rated, truths, strict=True)
        ]

    return play


def _find_matchups(result: RealGamesResult, decks: Any) -> Truths:
    rates = rates_by(decks)
    return [
        holds(each.adjusted.interval, rates[int(each.a), int(each.b)])
        for each in result.matchups
        if each.adjusted is not None
    ]


def _compare(league: League, pairs: int, figure: str) -> Play:
    """Whether a run with the true rates agrees, and has no bias of its favourites."""

    def play(chance: Chance) -> Truths:
        table, decks, _ = league.draw(chance)
        if all(game.a == game.b for game in table.games):
            return []
        run = field_of(chance, rates_by(decks), pairs)
        result = make_real_games(table, run)
        if figure.startswith("matchups"):
            return [each.agrees for each in result.compared]
        return [result.favourites is None or holds(result.favourites.interval, 0.0)]

    return play
