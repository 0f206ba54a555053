"""Real games from a table: standings, ratings, matchups, and a run beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log
from typing import TypeAlias

import numpy as np
from typing_extensions import TypedDict

from deckcheck.documents.records import Count, DocumentHead, OpenInterval, Share
from deckcheck.findings import UsageError
from deckcheck.markup import document_head
from deckcheck.messages import choice, game_count, nearest, plural, quote, suggestion
from deckcheck.report.blocks import Figures, Notes
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import Page, Section
from deckcheck.report.tables import (
    CHANGE,
    COUNT,
    DIFFERENCE_COLUMN,
    PERCENT,
    Cell,
    Column,
    Report,
    ReportTable,
    difference_with_level,
    rate_with_level,
)
from deckcheck.sim.documents import EffectDocument, WinRate
from deckcheck.sim.figures import ALL, Row, effect, make_document, round_figure, tidy
from deckcheck.stats import Combination, Estimate, average, correlated_difference
from deckcheck.stats.bootstrap import map_estimate
from deckcheck.stats.intervals import DEFAULT_LEVEL, joint_level
from deckcheck.stats.levels import Levels, fit_levels
from deckcheck.stats.ratings import ANY_STRENGTH
from deckcheck.stats.sequential import EVEN_SCORE
from deckcheck.stats.strengths import ELO
from deckcheck.studies.field import Field
from deckcheck.studies.meta import find_clearest_cycle
from deckcheck.studies.real_games_table import GamesTable, RealGame, make_key

MAX_LEVELS = 1500
"""The most levels that are fitted: the work grows with the third power."""
MIN_GAMES = 10
"""The fewest games of two decks that begin to tell them apart."""


# The result


class RealDeckDocument(TypedDict):
    """A deck, or a player, over all games."""

    name: str
    """The name."""
    games: Count
    """The number of games."""
    win_rate: Share
    """The win rate as it was played, 0 to 1; a draw counts half."""
    adjusted: WinRate | None
    """The win rate against the average, all else being equal; null if games do not show
    it. Players are equal for decks, and decks for players, if the file names both."""
    rating: float | None
    """The same in Elo, 0 for the mean of all rated; null without one."""
    rating_interval: OpenInterval
    """The ends of its 95% interval; null without one."""


class RealMatchupDocument(TypedDict):
    """The games of two."""

    a: str
    """The first, whose win rate it is."""
    b: str
    """The second."""
    games: Count
    """The number of games."""
    win_rate: Share
    """The win rate of `a` as it was played, 0 to 1; a draw counts half."""
    adjusted: WinRate | None
    """The win rate of `a` with equal players; null if games do not show it."""
    simulated: WinRate | None
    """The win rate of `a` in the run; null if they did not meet in it."""
    difference: EffectDocument | None
    """The adjusted rate less the simulated rate; null without either."""


class RealGamesDocument(DocumentHead):
    """The output of `deckcheck meta results.csv --output-format json`."""

    path: str
    """The file of the games."""
    format: str
    """The format in the file; empty if it names none."""
    games: Count
    """The number of games."""
    answer: str
    """The answer in sentences."""
    notes: list[str]
    """Peculiarities of the file."""
    decks: list[RealDeckDocument]
    """The decks or players of the first column, the best first."""
    players: list[RealDeckDocument]
    """The players of decks, the best first; empty if the file does not name them."""
    matchups: list[RealMatchupDocument]
    """The games of each two, the pairs with most games first."""
    cycle: list[str]
    """Three; each clearly beats the next; empty if there are none."""
    compared: Count
    """The number of matchups with real and simulated rates."""
    agreeing: Count
    """The number of compared matchups whose interval of the difference contains 0."""
    favourites: EffectDocument | None
    """How much more the favourites of the run win in real games; null without any."""


LevelKey: TypeAlias = tuple[str, ...]
"""The kind of a level, `deck`, `player` or `matchup`, and a name or two."""


@dataclass(frozen=True, slots=True)
class RealStanding:
    """A deck or a player over all games."""

    name: str
    games: int
    win_rate: float
    """The win rate as it was played."""
    adjusted: Estimate | None = None
    """The win rate against the average, all else being equal."""
    rating: Estimate = ANY_STRENGTH
    """The same in Elo."""
    is_clear: bool = False
    """Whether it is clearly above the average, for the best of several."""


@dataclass(frozen=True, slots=True)
class RealMatchup:
    """The games of two, and their games in a run."""

    a: str
    b: str
    games: int
    win_rate: float
    """The win rate of `a` as it was played."""
    adjusted: Estimate | None
    """The win rate of `a` with equal players."""
    share: Combination | None
    """The win rate of `a` in the run."""

    @property
    def simulated(self) -> Estimate | None:
        """The win rate of `a` in the run, with its interval."""
        return None if self.share is None else self.share.estimate()

    @property
    def difference(self) -> Estimate | None:
        """The adjusted rate less the simulated rate."""
        if self.adjusted is None or self.share is None:
            return None
        return correlated_difference(self.adjusted, self.share.estimate(), 0.0)

    @property
    def agrees(self) -> bool:
        """Whether both rates may be the same."""
        if self.difference is None:
            return True
        low, high = self.difference.interval
        return low <= 0 <= high


@dataclass(frozen=True)
class RealGamesResult:
    """What real games show, and whether a run agrees with them."""

    table: GamesTable
    run: Field | None = None

    @cached_property
    def scores(self) -> dict[LevelKey, list[float]]:
        """The scores of each deck, player and matchup."""
        scores: dict[LevelKey, list[float]] = {}
        for game in self.table.games:
            for sides in (_list_sides(game), _list_matchup(game)):
                for key, sign in sides.items():
                    score = game.score if sign > 0 else 1 - game.score
                    scores.setdefault(key, []).append(score)
        return scores

    @cached_property
    def levels(self) -> Levels[LevelKey]:
        """The levels of decks and players in log-odds."""
        games = self.table.games
        return fit_levels(map(_list_sides, games), [game.score for game in games])

    @cached_property
    def matchup_levels(self) -> Levels[LevelKey]:
        """The levels of matchups and players in log-odds."""
        sides = [_list_matchup(game) | _list_players(game) for game in self.table.games]
        return fit_levels(sides, [game.score for game in self.table.games])

    @property
    def standings(self) -> list[RealStanding]:
        """The decks, or the players of a file without decks, the best first."""
        return self._rank("deck")

    @property
    def players(self) -> list[RealStanding]:
        """The players of the decks, the best first."""
        return self._rank("player")

    def _rank(self, kind: str) -> list[RealStanding]:
        scores = {key: row for key, row in self.scores.items() if key[0] == kind}
        levels = self.levels.estimate_each(scores)
        joint = self.levels.estimate_each(scores, joint_level(len(scores)))
        rows: list[RealStanding] = []
        for key, row in scores.items():
            facts = key[1], len(row), sum(row) / len(row)
            if key in levels:
                rate = map_estimate(_to_rate, levels[key])
                rating = map_estimate(lambda odds: ELO * odds, levels[key])
                is_clear = joint[key].interval.low > 0
                rows.append(RealStanding(*facts, rate, rating, is_clear))
            else:
                rows.append(RealStanding(*facts))
        return sorted(rows, key=_order_standing)

    @cached_property
    def matchups(self) -> list[RealMatchup]:
        """The games of each two, the pairs with most games first."""
        matchups: list[RealMatchup] = []
        for key, scores in self.scores.items():
            if key[0] == "matchup":
                _, a, b = key
                rate, share = self._adjust_rate(key), self._find_share(a, b)
                mean = sum(scores) / len(scores)
                matchups.append(RealMatchup(a, b, len(scores), mean, rate, share))
        return sorted(matchups, key=lambda each: (-each.games, each.a, each.b))

    def _adjust_rate(
        self, key: LevelKey, level: float = DEFAULT_LEVEL
    ) -> Estimate | None:
        """Return the win rate of the first deck of a matchup with equal players."""
        games = len(self.scores[key])
        odds = self.matchup_levels.estimate({key: 1.0}, games, level)
        if odds is None:
            return None
        return map_estimate(_to_rate, odds)

    def _find_share(self, a: str, b: str) -> Combination | None:
        """Return the win rate of deck `a` against `b` in the run."""
        if self.run is None:
            return None
        names = {make_key(name): name for name in self.run.players}
        if make_key(a) not in names or make_key(b) not in names:
            return None
        return self.run.share(names[make_key(a)], names[make_key(b)])

    @property
    def compared(self) -> list[RealMatchup]:
        """The matchups with a real and a simulated rate."""
        return [each for each in self.matchups if each.difference is not None]

    @cached_property
    def cycle(self) -> tuple[str, ...]:
        """Three that clearly beat each other in a cycle, with equal players."""
        level = joint_level(len(self.matchups))
        names: set[str] = set()
        rates: list[tuple[tuple[str, str], Estimate]] = []
        for each in self.matchups:
            rate = self._adjust_rate(("matchup", each.a, each.b), level)
            if rate is not None:
                names |= {each.a, each.b}
                rates.append(((each.a, each.b), rate))
        return find_clearest_cycle(sorted(names), rates)

    @cached_property
    def favourites(self) -> Estimate | None:
        """How much more the favourites of the run win in real games, for each game.

        The level by which favourites differ from their rates in the run is fitted
        together with the levels of players.
        """
        known, expected = self._choose_favourites()
        if expected is None:
            return None
        sides: list[dict[LevelKey, float]] = []
        offsets: list[float] = []
        for game in self.table.games:
            side, offset = _list_matchup(game), 0.0
            for key in side.keys() & known.keys():
                sign, odds = known[key]
                offset = side[key] * odds
                side = {("favourites",): side[key] * sign}
            sides.append(side | _list_players(game))
            offsets.append(offset)
        levels = fit_levels(sides, [game.score for game in self.table.games], offsets)
        count = sum(len(self.scores[key]) for key in known)
        change = levels.estimate({("favourites",): 1.0}, count)
        if change is None:
            return None
        mean = _to_odds(expected)
        rate = map_estimate(lambda odds: _to_rate(mean + odds), change)
        return correlated_difference(rate, expected, 0.0)

    def _choose_favourites(
        self,
    ) -> tuple[dict[LevelKey, tuple[float, float]], Estimate | None]:
        """Return the favourite of each matchup, and the mean rate of favourites.

        A favourite has the sign 1 if it is the first deck, and the log-odds of the
        first deck. Half of the games of the run choose the favourite, the other half
        have its rate, since a lucky streak cannot do both.
        """
        games: list[int] = []
        shares: list[Combination] = []
        known: dict[LevelKey, tuple[float, float]] = {}
        generator = np.random.default_rng(1)
        for each in self.matchups:
            if each.share is None:
                continue
            chosen, share = _split_games(each.share, generator)
            sign, favourite_share = 1.0, share
            if chosen.value <= EVEN_SCORE:
                sign, favourite_share = -1.0, share.opposite()
            games.append(each.games)
            shares.append(favourite_share)
            known["matchup", each.a, each.b] = sign, _to_odds(share.estimate())
        if not games:
            return known, None
        return known, average(shares, games).estimate()

    @property
    def answer(self) -> str:
        """Who does best, and whether the run agrees, in sentences."""
        return " ".join(_describe_result(self))

    @property
    def notes(self) -> list[str]:
        """Peculiarities of the file, a sentence each without a full stop."""
        return list(_describe_faults(self))

    def to_dict(self) -> RealGamesDocument:
        """Return the result as `deckcheck schema real-games` describes it."""
        return make_document(
            RealGamesDocument,
            self,
            **document_head(),
            path=self.table.path,
            format=self.table.format,
            games=len(self.table.games),
            decks=[make_document(RealDeckDocument, row) for row in self.standings],
            players=[make_document(RealDeckDocument, row) for row in self.players],
            matchups=list(map(_describe_matchup, self.matchups)),
            compared=len(self.compared),
            agreeing=sum(each.agrees for each in self.compared),
            favourites=self.favourites and effect(self.favourites),
        )

    def to_rows(self) -> list[Row]:
        """Return a tidy row for each figure."""
        rows: list[Row] = []
        for row in (*self.standings, *self.players):
            for metric in ("win_rate", "adjusted", "rating"):
                rows += tidy(metric, getattr(row, metric), row.games, row.name)
        for each in self.matchups:
            for metric in ("win_rate", "adjusted", "simulated", "difference"):
                figure = getattr(each, metric)
                rows += tidy(metric, figure, each.games, each.a, each.b)
        if self.favourites is not None:
            rows += tidy("favourites", self.favourites, self.favourites.games, ALL)
        return rows


def _split_games(
    share: Combination, generator: np.random.Generator
) -> tuple[Combination, Combination]:
    """Return the win rate in half of the game pairs, drawn by chance, and in the rest.

    A single pair is in both.
    """
    [(sample, weight)] = share.weights.items()
    counts = np.array(sample.counts, int)
    drawn = generator.multivariate_hypergeometric(counts, counts.sum() // 2)
    parts = (drawn, counts - drawn)
    if not drawn.any():
        parts = (counts, counts)
    halves: list[Combination] = []
    for half in parts:
        games = round(sample.games * half.sum() / counts.sum())
        found = replace(sample, counts=tuple(half.tolist()), games=games)
        rate = Combination.of(found)
        halves.append(rate if weight > 0 else rate.opposite())
    return halves[0], halves[1]


def _list_players(game: RealGame) -> dict[LevelKey, float]:
    """Return the levels of players in a game, with their signs."""
    signs = zip(game.pilots, (1.0, -1.0), strict=False)
    return {("player", name): sign for name, sign in signs}


def _list_sides(game: RealGame) -> dict[LevelKey, float]:
    """Return the levels of decks and players in a game, with their signs."""
    players = _list_players(game)
    if game.a == game.b:
        return players
    return {("deck", game.a): 1.0, ("deck", game.b): -1.0, **players}


def _list_matchup(game: RealGame) -> dict[LevelKey, float]:
    """Return the level of the matchup of a game, with its sign."""
    if game.a == game.b:
        return {}
    if game.a < game.b:
        return {("matchup", game.a, game.b): 1.0}
    return {("matchup", game.b, game.a): -1.0}


def _to_rate(odds: float) -> float:
    return 1 / (1 + exp(-odds))


def _to_odds(rate: Estimate) -> float:
    """Return the log-odds of a rate, with half a win and half a loss more."""
    wins = rate.value * rate.games
    return log((wins + EVEN_SCORE) / (rate.games - wins + EVEN_SCORE))


def _order_standing(row: RealStanding) -> tuple[bool, float, str]:
    """Return a key that sorts the best first, and those without a rating last."""
    if row.adjusted is None:
        return True, -row.win_rate, row.name
    return False, -round_figure(row.adjusted.value), row.name


def _describe_matchup(each: RealMatchup) -> RealMatchupDocument:
    difference = each.difference and effect(each.difference)
    return make_document(RealMatchupDocument, each, difference=difference)


# The answer in sentences


def _describe_result(result: RealGamesResult) -> Iterator[str]:
    yield _describe_best(result)
    few = sum(each.games < MIN_GAMES for each in result.matchups)
    if few:
        matchups = plural(len(result.matchups), "matchup")
        yield f"{few} of {matchups} cannot be judged: fewer than {MIN_GAMES} games."
    if result.cycle:
        a, b, c = map(quote, result.cycle)
        yield f"{a} beats {b}, {b} beats {c}, and {c} beats {a}."
    if result.compared:
        agreeing = sum(each.agrees for each in result.compared)
        yield (
            f"The run agrees in {agreeing} of {plural(len(result.compared), 'matchup')}"
            ". A run without errors agrees in about 95 of 100."
        )
    gap = result.favourites
    if gap is not None and gap.interval.low > 0:
        yield f"Its favourites win more in real games: {difference_with_level(gap)}."
    elif gap is not None and gap.interval.high < 0:
        yield f"Its favourites win less in real games: {difference_with_level(gap)}."
    elif gap is not None:
        yield (
            "Too few games to judge whether its favourites win as often in real games: "
            f"{difference_with_level(gap)}."
        )


def _describe_best(result: RealGamesResult) -> str:
    """Return the sentence about the best deck."""
    top, noun = result.standings[0], result.table.noun
    count = len(result.table.games)
    games = f"{count:,} real games"
    if count == 1:
        games = "1 real game"
    name = quote(top.name)
    players = len(result.players)
    if top.adjusted is None and players:
        return (
            f"{games} cannot separate decks from players: too few players have played "
            f"several decks. {name} won most, {100 * top.win_rate:.1f}%."
        )
    if top.adjusted is None:
        return f"{games} cannot rank the {noun}s: too few have met."
    rate = rate_with_level(top.adjusted)
    if players and top.is_clear:
        return (
            f"With equal players, {name} would win {rate} of its games against an "
            f"average deck, judging from {games} of {players} players."
        )
    if players:
        return (
            f"Too few games to name the best deck: {games} of {players} players. "
            f"{name} leads: with equal players, it would win {rate} of its games "
            "against an average deck."
        )
    if top.is_clear:
        return (
            f"{name} would win {rate} of its games against an average {noun}, judging "
            f"from {games}."
        )
    return (
        f"Too few games to name the best {noun}: {games} in all. {name} leads: it "
        f"would win {rate} of its games against an average {noun}."
    )


def _describe_faults(result: RealGamesResult) -> Iterator[str]:
    yield from result.table.faults
    standings = result.standings
    for row in standings:
        if row.games == len(result.table.games) and len(standings) > 2:
            yield f"Every game is of {quote(row.name)}: the others have not met"
        if row.adjusted is None and result.table.games[0].pilots:
            name = quote(row.name)
            yield f"{name} has no rating: no games separate it from its players"
        elif row.adjusted is None:
            noun = result.table.noun
            yield f"{quote(row.name)} has no rating: it met no rated {noun}"
    if result.run is None:
        return
    met_in_run = sum(each.share is not None for each in result.matchups)
    unsure = met_in_run - len(result.compared)
    if unsure:
        matchups = plural(unsure, "matchup")
        yield f"{matchups} of the run left out: no games separate decks from players"
    known = set(map(make_key, result.run.players))
    for row in standings:
        if make_key(row.name) not in known:
            help = suggestion(nearest(row.name, result.run.players))
            fault = f"{quote(row.name)} is not in the run"
            if help:
                fault += f": {help[0].lower()}{help[1:]}"
            yield fault


def make_real_games(table: GamesTable, run: Field | None = None) -> RealGamesResult:
    """Return the result of real games, with a run beside them if there is one.

    Raises UsageError if no two decks met in the run, and for too many levels.
    """
    result = RealGamesResult(table, run)
    if len(result.scores) > MAX_LEVELS:
        raise UsageError(
            f"{quote(table.path)} has {len(result.scores):,} {table.noun}s, players "
            f"and matchups together, at most {MAX_LEVELS:,} allowed",
            "Keep the games of fewer players",
        )
    pairs = [key[1:] for key in result.scores if key[0] == "matchup"]
    if run is not None and not any(result._find_share(*pair) for pair in pairs):
        raise UsageError(
            f"No two {table.noun}s of {quote(table.path)} met in the run",
            f"Write the names as in the run, such as {choice(run.players[:3])}",
        )
    return result


# The tables and the page


def make_real_games_report(result: RealGamesResult) -> Report:
    """Return the answer and its tables."""
    table = result.table
    facts = [("games", f"{game_count(len(table.games))} of {quote(table.path)}")]
    if table.format:
        facts.append(("format", table.format))
    players = result.players
    deck_rate = matchup_rate = "equal players"
    if not players:
        deck_rate, matchup_rate = f"average {table.noun}", "estimate"
    tables = [_rank("Standings in real games", table.noun, deck_rate, result.standings)]
    if players:
        tables.append(_rank("Players in real games", "player", "equal decks", players))
    tables.append(_compare_matchups(result, matchup_rate))
    return Report(tuple(tables), tuple(result.notes), tuple(facts), (result.answer,))


def _rank(
    title: str, noun: str, equal: str, standings: Iterable[RealStanding]
) -> ReportTable:
    """Return the table of decks, or of players."""
    rows: list[tuple[Cell, ...]] = []
    for row in standings:
        rows.append((row.name, row.games, row.win_rate, row.adjusted, row.rating))
    columns = (
        Column(noun),
        Column("games", COUNT),
        Column("win rate", PERCENT),
        Column(equal, PERCENT, "95%"),
        Column("rating", CHANGE, "95%"),
    )
    note = f"{equal}: the win rate against an average {noun}; rating: the same in Elo"
    section = (f"{noun}s", f"{noun.capitalize()}s")
    return ReportTable(
        title, columns, tuple(rows), ranked=True, note=note, section=section
    )


def _compare_matchups(result: RealGamesResult, equal: str) -> ReportTable:
    """Return the table of matchups, with the rates of a run beside them."""
    columns: tuple[Column, ...] = (
        Column(""),
        Column("games", COUNT),
        Column("win rate", PERCENT),
        Column(equal, PERCENT, "95%"),
    )
    rows: list[tuple[Cell, ...]] = []
    for each in result.matchups:
        name = f"{each.a} against {each.b}"
        rows.append((name, each.games, each.win_rate, each.adjusted))
    note = None
    if result.compared:
        columns = (*columns, Column("run", PERCENT), DIFFERENCE_COLUMN)
        for i, each in enumerate(result.matchups):
            rows[i] = (*rows[i], each.simulated, each.difference)
        note = f"run: the win rate in the run; difference: {equal} less run"
    return ReportTable(
        "Matchups in real games, those of the most games first",
        columns,
        tuple(rows),
        note=note,
        section=("matchups", "Matchups"),
    )


def make_real_games_page(result: RealGamesResult) -> Page:
    """Return the page of real games."""
    report = make_real_games_report(result)
    sections = [Section(*table.section, (Figures(table),)) for table in report.tables]
    pilots = "Who piloted a deck is not known: a deck of strong players looks strong."
    if result.players:
        pilots = (
            "A player counts as equally good with every deck. Rates of equal players "
            "rest on players who played several decks."
        )
    intervals = "Each interval alone contains the true value in about 95 of 100 cases."
    notes = Notes((pilots, intervals))
    sections.append(Section("limits", "What this does not say", (notes,)))
    return Page(
        title="Real games",
        about=result.table.path,
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        fingerprint="",
    )


REAL_GAMES = Presentation[RealGamesResult](
    make_real_games_report, lambda result, _tool: make_real_games_page(result)
)
