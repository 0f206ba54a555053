"""Real games from a table: standings, ratings, matchups, and a run beside them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from deckcheck.cards.names import normalise
from deckcheck.documents.records import Count, DocumentHead, OpenInterval
from deckcheck.files import read_input
from deckcheck.findings import UsageError
from deckcheck.markup import document_head
from deckcheck.messages import choice, nearest, plural, quote, suggestion
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import Figures, Notes, Page, Section
from deckcheck.report.tables import (
    CHANGE,
    COUNT,
    DIFFERENCE,
    PERCENT,
    WIN_RATE,
    Cell,
    Column,
    Report,
    ReportTable,
    difference_text,
)
from deckcheck.sim.documents import EffectDocument, WinRate
from deckcheck.sim.figures import ALL, Row, effect, finite, round_figure, tidy, win_rate
from deckcheck.stats import Combination, Estimate, difference, mean_of
from deckcheck.stats.sequential import EVEN_SCORE
from deckcheck.studies.meta import Field, Met, Origin, find_cycle, rate_players

TABLE_SUFFIXES = (".csv", ".tsv")
"""The suffixes of tables of real games."""

MAX_TABLE_BYTES = 2**24
MIN_GAMES = 10
"""The fewest games of two decks that begin to tell them apart."""
_FIRST_COLUMNS = ("deck", "player")
_DRAW_WORDS = ("draw", "drawn", "tie", "tied", "-")
_HELP = "Begin the file with `deck,opponent,winner`, and write a line for each game"


# Reading the table


@dataclass(frozen=True, slots=True)
class RealGame:
    """A game that people played."""

    a: str
    b: str
    winner: str | None
    """The winner, or None for a draw."""
    format: str
    date: str


@dataclass(frozen=True, slots=True)
class GamesTable:
    """The games of a file."""

    path: str
    noun: str
    """The heading of the first column, `deck` or `player`."""
    games: tuple[RealGame, ...]
    mirrors: int
    """The number of games of a deck against itself, which are left out."""


def read_games(file: Path) -> GamesTable:
    """Read a table of games. Raises UsageError with the line of a fault."""
    try:
        text = read_input(file, MAX_TABLE_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{quote(str(file))} is no text in UTF-8", _HELP) from None
    first = text.lstrip().partition("\n")[0]
    delimiter = next((mark for mark in ";\t" if mark in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [(reader.line_num, row) for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise UsageError(f"{file}:{reader.line_num}: {error}", _HELP) from None
    heading = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    noun = next((word for word in _FIRST_COLUMNS if word in heading), None)
    if noun is None or not {"opponent", "winner"} <= set(heading):
        message = f"{quote(str(file))} has no columns `deck`, `opponent` and `winner`"
        raise UsageError(message, _HELP)
    games: list[RealGame] = []
    spellings: dict[str, str] = {}
    for line, row in rows[1:]:
        cells = dict(zip(heading, map(str.strip, row), strict=False))
        games.append(_read_game(f"{file}:{line}:", cells, noun, spellings))
    played = tuple(game for game in games if game.a != game.b)
    _check_games(file, played)
    return GamesTable(str(file), noun, played, len(games) - len(played))


def _read_game(
    place: str, cells: dict[str, str], noun: str, spellings: dict[str, str]
) -> RealGame:
    """Return the game of a row, with each name as it was first spelt."""

    def find_name(column: str) -> str:
        text = cells.get(column, "")
        if not text:
            raise UsageError(f"{place} The {column} is missing", _HELP)
        return spellings.setdefault(normalise(text), text)

    a, b = find_name(noun), find_name("opponent")
    text = cells.get("winner", "")
    names = {normalise(a): a, normalise(b): b}
    winner = names.get(normalise(text)) if text else None
    if winner is None and text.lower() not in _DRAW_WORDS:
        said = f"the winner is {quote(text)}" if text else "the winner is missing"
        raise UsageError(
            f"{place} {said[0].upper()}{said[1:]}",
            f"Write {quote(a)}, {quote(b)} or `draw`",
        )
    return RealGame(a, b, winner, cells.get("format", ""), cells.get("date", ""))


def _check_games(file: Path, games: Sequence[RealGame]) -> None:
    """Refuse a table without games, and games of several formats."""
    if not games:
        raise UsageError(f"{quote(str(file))} has no game of two decks", _HELP)
    formats = list(dict.fromkeys(game.format for game in games))
    if len(formats) > 1:
        named = choice([name or "none" for name in formats[:3]], "and")
        raise UsageError(
            f"{quote(str(file))} has games of {len(formats)} formats: {named}",
            "Keep the games of each format in a file of its own",
        )


# The result


class RealDeckDocument(WinRate):
    """A deck, or a player, over all games."""

    name: str
    """The name."""
    rating: float | None
    """The rating in Elo, 0 for the mean of all rated; null without one."""
    rating_interval: OpenInterval
    """The ends of its 95% interval; null for an end without a bound."""


class RealMatchupDocument(WinRate):
    """The games of two."""

    a: str
    """The first, whose win rate it is."""
    b: str
    """The second."""
    simulated: float | None
    """The win rate of `a` in the run; null where they did not meet in it."""
    difference: EffectDocument | None
    """The real rate less the simulated rate; null without a run."""


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
    """The decks or players, the highest win rate first."""
    matchups: list[RealMatchupDocument]
    """The games of each two, those of the most games first."""
    cycle: list[str]
    """Three; each clearly beats the next; empty if there are none."""
    compared: Count
    """The number of matchups with real and simulated games."""
    agreeing: Count
    """The number of these whose difference is within its interval of 95%."""
    favourites: EffectDocument | None
    """How much more the favourites of the run win in real games; null without any."""


@dataclass(frozen=True)
class RealMatchup:
    """The games of two, and their games in a run."""

    met: Met
    simulated: Combination | None = None

    @property
    def gap(self) -> Combination | None:
        """The real win rate less the simulated one."""
        if self.simulated is None:
            return None
        return difference(self.met.share, self.simulated)

    @property
    def agrees(self) -> bool:
        """Whether both rates may be the same."""
        low, high = self.gap.estimate().interval if self.gap else (0.0, 0.0)
        return low <= 0 <= high


@dataclass(frozen=True)
class RealGamesResult:
    """What real games show, and whether a run agrees with them."""

    table: GamesTable
    field: Field
    matchups: tuple[RealMatchup, ...]
    seed: int
    unknown: tuple[str, ...] = ()
    """The names that are not in the run, with what they may mean."""

    @cached_property
    def standings(self) -> list[tuple[str, Estimate, Estimate | None]]:
        """The name, win rate and rating of each, the highest win rate first."""
        ratings: Sequence[Estimate | None]
        try:
            ratings = rate_players(self.field, self.seed).ratings
        except ValueError:
            ratings = [None] * len(self.field.players)
        rows: list[tuple[str, Estimate, Estimate | None]] = []
        for name, rating in zip(self.field.players, ratings, strict=True):
            rows.append((name, self._share_of(name).estimate(), rating))
        return sorted(rows, key=lambda row: (-row[1].value, row[0]))

    def _share_of(self, name: str) -> Combination:
        """Return the win rate of one in all games."""
        shares: list[Combination] = []
        for met in self.field.met:
            if met.a == name:
                shares.append(met.share)
            elif met.b == name:
                shares.append(met.share.opposite())
        return mean_of(shares, [share.games for share in shares])

    @cached_property
    def cycle(self) -> tuple[str, ...]:
        """Three of which each clearly beats the next."""
        return find_cycle(self.field)

    @property
    def compared(self) -> list[RealMatchup]:
        """The matchups that the run has too."""
        return [each for each in self.matchups if each.simulated is not None]

    @cached_property
    def favourites(self) -> Estimate | None:
        """How much more the favourites of the run win in real games, for each game."""
        gaps: list[Combination] = []
        games: list[int] = []
        for each in self.compared:
            simulated, gap = each.simulated, each.gap
            if simulated is None or gap is None or simulated.value == EVEN_SCORE:
                continue
            gaps.append(gap if simulated.value > EVEN_SCORE else _reverse(each))
            games.append(each.met.games)
        return mean_of(gaps, games).estimate() if gaps else None

    @property
    def answer(self) -> str:
        """Who does best, and whether the run agrees, in sentences."""
        name, rate, _ = self.standings[0]
        games = len(self.table.games)
        noun = self.table.noun
        low, high = rate.interval
        shown = f"{100 * rate.value:.1f}% ({100 * low:.1f} to {100 * high:.1f})"
        played = plural(games, "real game")
        if low > EVEN_SCORE:
            sentences = [f"{quote(name)} wins most in {played}: {shown}."]
        else:
            sentences = [
                f"It is not clear which {noun} wins most in {played}: {quote(name)} "
                f"comes first with {shown}."
            ]
        few = sum(each.met.games < MIN_GAMES for each in self.matchups)
        if few:
            sentences.append(
                f"Too few games to tell two {noun}s apart (fewer than {MIN_GAMES}): "
                f"{few} of {plural(len(self.matchups), 'matchup')}."
            )
        if self.cycle:
            a, b, c = map(quote, self.cycle)
            sentences.append(f"{a} beats {b}, {b} beats {c}, and {c} beats {a}.")
        if self.compared:
            agreeing = sum(each.agrees for each in self.compared)
            sentences.append(
                f"The run agrees in {agreeing} of "
                f"{plural(len(self.compared), 'matchup')}; a true run would in about "
                "95 of 100."
            )
        if self.favourites is not None:
            gap = difference_text(self.favourites)
            low, high = self.favourites.interval
            if low <= 0 <= high:
                text = "It is not clear whether its favourites win as often in reality"
            elif high < 0:
                text = "Its favourites win less in reality"
            else:
                text = "Its favourites win more in reality"
            sentences.append(f"{text}: {gap}.")
        return " ".join(sentences)

    @property
    def notes(self) -> list[str]:
        """Peculiarities of the file, a sentence each without a full stop."""
        return list(_describe_faults(self))

    def to_dict(self) -> RealGamesDocument:
        """Return the result as `deckcheck schema real-games` describes it."""
        return {
            **document_head(),  # type: ignore[typeddict-item]
            "path": self.table.path,
            "format": self.table.games[0].format,
            "games": len(self.table.games),
            "answer": self.answer,
            "notes": self.notes,
            "decks": [_describe_deck(*row) for row in self.standings],
            "matchups": [_describe_matchup(each) for each in self.matchups],
            "cycle": list(self.cycle),
            "compared": len(self.compared),
            "agreeing": sum(each.agrees for each in self.compared),
            "favourites": effect(self.favourites) if self.favourites else None,
        }

    def to_rows(self) -> list[Row]:
        """Return a tidy row for each figure."""
        rows: list[Row] = []
        for name, rate, rating in self.standings:
            rows += tidy("win_rate", rate, rate.games, name)
            if rating is not None:
                rows += tidy("rating", rating, rating.games, name)
        for each in self.matchups:
            met, n = each.met, each.met.games
            rows += tidy("win_rate", met.share.estimate(), n, met.a, met.b)
            if each.simulated is not None and each.gap is not None:
                rows += tidy("simulated", each.simulated.value, n, met.a, met.b)
                rows += tidy("difference", each.gap.estimate(), n, met.a, met.b)
        if self.favourites is not None:
            rows += tidy("favourites", self.favourites, self.favourites.games, ALL)
        return rows


def _reverse(matchup: RealMatchup) -> Combination:
    """Return the real rate less the simulated one, of the second of two."""
    assert matchup.simulated is not None
    return difference(matchup.met.share.opposite(), matchup.simulated.opposite())


def _describe_deck(
    name: str, rate: Estimate, rating: Estimate | None
) -> RealDeckDocument:
    document: RealDeckDocument = {
        **win_rate(rate),
        "name": name,
        "rating": None,
        "rating_interval": [None, None],
    }
    if rating is not None:
        document["rating"] = finite(rating.value)
        document["rating_interval"] = [finite(end) for end in rating.interval]
    return document


def _describe_matchup(matchup: RealMatchup) -> RealMatchupDocument:
    simulated, gap = matchup.simulated, matchup.gap
    return {
        **win_rate(matchup.met.share.estimate()),
        "a": matchup.met.a,
        "b": matchup.met.b,
        "simulated": None if simulated is None else round_figure(simulated.value),
        "difference": None if gap is None else effect(gap.estimate()),
    }


def _describe_faults(result: RealGamesResult) -> Iterator[str]:
    table = result.table
    if table.mirrors:
        games = plural(table.mirrors, "game")
        yield f"{games} of a {table.noun} against itself left out"
    twice = sum(count - 1 for count in Counter(table.games).values())
    if twice and any(game.date for game in table.games):
        lines = plural(twice, "line")
        yield f"{lines} with the same game and date as a line before, and counted"
    for name, rate, _ in result.standings:
        if rate.value in (0.0, 1.0):
            word = "won" if rate.value else "lost"
            yield f"{quote(name)} has {word} every game: its rating has no bound"
    yield from result.unknown


# From the table to the result


def make_real_games(
    table: GamesTable, run: Field | None, seed: int = 1
) -> RealGamesResult:
    """Return the result of real games, with a run beside them if there is one.

    Raises UsageError if no name is that of a deck of the run.
    """
    scores: dict[tuple[str, str], list[int]] = {}
    for game in table.games:
        pair = min(game.a, game.b), max(game.a, game.b)
        points = 2 if game.winner is None else 4 * (game.winner == pair[0])
        scores.setdefault(pair, [0] * 5)[points] += 1
    names = tuple(sorted({name for pair in scores for name in pair}))
    met = [Met(*pair, tuple(row), games=sum(row)) for pair, row in scores.items()]
    met.sort(key=lambda each: (-each.games, each.a, each.b))
    origin = Origin(table.games[0].format, "", (), seed, "", "")
    field = Field(names, tuple(met), "deck", "game", origin)
    matchups = tuple(RealMatchup(each) for each in met)
    result = RealGamesResult(table, field, matchups, seed)
    return result if run is None else _compare_run(result, run)


def _compare_run(result: RealGamesResult, run: Field) -> RealGamesResult:
    """Return the result with the rates of a run beside the real rates."""
    known = {normalise(name): name for name in run.players}
    unknown: list[str] = []
    for name in result.field.players:
        if normalise(name) not in known:
            help = suggestion(nearest(name, run.players))
            end = f": {help[0].lower()}{help[1:]}" if help else ""
            unknown.append(f"{quote(name)} is not in the run{end}")
    matchups: list[RealMatchup] = []
    for each in result.matchups:
        names = [known.get(normalise(name)) for name in (each.met.a, each.met.b)]
        simulated = None
        if names[0] is not None and names[1] is not None:
            simulated = run.share(names[0], names[1])
        matchups.append(replace(each, simulated=simulated))
    if not any(each.simulated for each in matchups):
        raise UsageError(
            f"No two {result.table.noun}s of {quote(result.table.path)} met in the run",
            f"Write the names as in the run, such as {choice(run.players[:3])}",
        )
    return replace(result, matchups=tuple(matchups), unknown=tuple(unknown))


# The tables and the page


def real_games_report(result: RealGamesResult) -> Report:
    """Return the answer and its tables."""
    noun, games = result.table.noun, len(result.table.games)
    facts = [("games", f"{plural(games, 'game')} of {quote(result.table.path)}")]
    if result.table.games[0].format:
        facts.append(("format", result.table.games[0].format))
    facts.append(("seed", str(result.seed)))
    tables = (_standings_table(result, noun), _matchups_table(result))
    return Report(tables, tuple(result.notes), tuple(facts), (result.answer,))


def _standings_table(result: RealGamesResult, noun: str) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    for name, rate, rating in result.standings:
        rows.append((name, rate.games, rate, rating))
    columns = (
        Column(noun),
        Column("games", COUNT),
        WIN_RATE,
        Column("rating", CHANGE, "95%"),
    )
    note = "rating: in Elo, 0 for the mean; it allows for who met whom"
    return ReportTable(
        "Standings in real games",
        columns,
        tuple(rows),
        ranked=True,
        note=note,
        section=("standings", "Standings"),
    )


def _matchups_table(result: RealGamesResult) -> ReportTable:
    rows: list[tuple[Cell, ...]] = []
    for each in result.matchups:
        met = each.met
        row: tuple[Cell, ...] = (
            f"{met.a} against {met.b}",
            met.games,
            met.share.estimate(),
        )
        if result.compared:
            simulated = each.simulated.value if each.simulated else None
            row = (*row, simulated, each.gap.estimate() if each.gap else None)
        rows.append(row)
    columns: tuple[Column, ...] = (Column(""), Column("games", COUNT), WIN_RATE)
    note = None
    if result.compared:
        columns = (*columns, Column("run", PERCENT), DIFFERENCE)
        note = (
            "run: the win rate in the run; difference: how much more is won in reality"
        )
    title = "Matchups in real games, those of the most games first"
    section = ("matchups", "Matchups")
    return ReportTable(title, columns, tuple(rows), note=note, section=section)


def real_games_page(result: RealGamesResult) -> Page:
    """Return the page of real games."""
    report = real_games_report(result)
    sections = [Section(*table.section, (Figures(table),)) for table in report.tables]
    limits = (
        "Who played a deck is not taken into account: a deck of strong players looks "
        "strong.",
        "Each interval holds in 95 of 100 cases, and that is said of each alone.",
    )
    sections.append(Section("limits", "What this does not say", (Notes(limits),)))
    return Page(
        title="Real games",
        about=result.table.path,
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        digest="",
    )


REAL_GAMES = Presentation[RealGamesResult](
    real_games_report, lambda result, _tool: real_games_page(result)
)
