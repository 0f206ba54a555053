"""Matches of several games between lineups: playing and tallying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import PurePath
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import plural, quote
from deckcheck.playing import kernel
from deckcheck.playing.kernel import (
    CHECKSUM_MASK,
    GameOutcome,
    Head,
    Ints,
    ListedGame,
    count_sets,
    count_shares,
)
from deckcheck.playing.table import GameLog, LazyContexts, Table, play_logged
from deckcheck.sim.entrants import Entrant, group_by_file
from deckcheck.sim.jobs import Job
from deckcheck.sim.naming import make_unique
from deckcheck.sim.performances import Performance
from deckcheck.sim.selection import (
    SELECTIONS,
    MatchRules,
    MatchState,
    Plans,
    check_selection,
    choices,
)
from deckcheck.sim.standings import Meeting
from deckcheck.sim.table_results import make_table_result
from deckcheck.stats import (
    Estimate,
    anytime_score_interval,
    mean_score,
    mean_score_interval,
)

# Lineups of a run: which decks belong together, and which lineups meet.

MIN_LINEUPS_OR_DECKS = 2


@dataclass(frozen=True, slots=True)
class Lineup:
    """The decks that a player brings to a tournament, and how they are chosen."""

    name: str
    entrants: tuple[Entrant, ...]
    selection: str

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies, a single word if all decks are played alike."""
        return tuple(dict.fromkeys(entrant.policy for entrant in self.entrants))

    def played_by(self, policy: str) -> Lineup:
        """Return the lineup with all decks piloted by the same bot."""
        entrants = (replace(entrant, policy=policy) for entrant in self.entrants)
        return replace(self, entrants=tuple(entrants))


@dataclass(frozen=True, slots=True)
class SimulatedLineup:
    """A lineup of the run: its name, the names of its decks, how they were chosen."""

    name: str
    decks: tuple[str, ...]
    selection: str


def line_up(
    fmt: Format, entrants: Sequence[Entrant], selections: Sequence[str]
) -> list[Lineup]:
    """Return the lineups of `entrants`, a lineup for the decks of each file.

    A lineup is called by the `Player` of its first deck, else by its file, and lineups
    of the same name by both. `selections` is one way to choose for all, or one for
    each. Raises UsageError unless there are two lineups and the numbers fit.
    """
    files = len(group_by_file(entrants))
    if files < MIN_LINEUPS_OR_DECKS:
        raise UsageError(
            f"Found {plural(files, 'lineup')}, needs at least {MIN_LINEUPS_OR_DECKS}",
            "Name another file, or this one twice to let the lineup meet itself",
        )
    return make_lineups(fmt, entrants, _list_ways(selections or SELECTIONS[:1], files))


def make_lineups(
    fmt: Format, entrants: Sequence[Entrant], ways: Sequence[str]
) -> list[Lineup]:
    """Return the lineups of any number of files, with a way to choose for each.

    Raises UsageError for a lineup with too few decks to win.
    """
    files = group_by_file(entrants)
    for decks in files:
        if len(decks) < MIN_LINEUPS_OR_DECKS:
            raise UsageError(
                f"Found {plural(len(decks), 'deck')} in "
                f"{quote(decks[0].deck.source.path)}, "
                f"a lineup of {fmt.id} has {fmt.seating.min_decks}",
                "Write the decks of a lineup into one file, with a line `---` between "
                "two",
            )
    paths = [decks[0].deck.source.path for decks in files]
    names = make_unique([_name(decks) for decks in files], paths, ())
    lineups = []
    for name, decks, way in zip(names, files, ways, strict=True):
        lineups.append(Lineup(name, tuple(decks), way))
    return lineups


def _list_ways(selections: Sequence[str], lineups: int) -> list[str]:
    ways = [check_selection(name) for name in selections]
    if len(ways) == 1:
        return ways * lineups
    if len(ways) == lineups:
        return ways
    raise UsageError(
        f"Found {plural(len(ways), 'selection')} for {plural(lineups, 'lineup')}",
        "Name one for all lineups, or one for each in order",
    )


def _name(decks: Sequence[Entrant]) -> str:
    deck = decks[0].deck
    headers = deck.headers.get("player", ())
    if headers:
        return headers[0].value
    return PurePath(deck.source.path).stem.replace("_", " ")


# Random numbers that depend on a few words alone, for many matches at once.

Random = npt.NDArray[np.uint64]


def mix_words(start: Random, *words: int | Ints) -> Random:
    """Return a random whole number below 2 ** 64 for each element of `start`.

    Each depends on its start and the words that follow, whole numbers from 0. Source:
    the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014), applied to each
    word in turn.
    """
    state = start
    for word in words:
        state = (state ^ np.asarray(word).astype(np.uint64)) + np.uint64(
            0x9E3779B97F4A7C15
        )
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return state


def derive_number(*words: int) -> int:
    """Return a random whole number below 2 ** 64 that depends on `words` alone."""
    return int(mix_words(np.zeros(1, np.uint64), *words)[0])


# The tally of a block of tournament matches, and the statistics it turns into.
#
# Its first rows are those of a table of two (see `playing.kernel`), counted in matches:
# who chose first in game 1 is in seat 0, rounds are games, points are games won. Then
# follows a row with the cells of `Chosen`, and one with those of `Cell` for each deck
# of side 0 against each of side 1.

PAIRED_GAME_WEIGHT = 0.5
"""What a game of a deck counts: in the worst case both of a pair always end alike."""

TABLE_ROWS, TABLE_COLUMNS = kernel.new_tally(2, 2).shape
CHOSEN_ROW = int(TABLE_ROWS)
"""The row of `Chosen`, behind those of the table."""


class Chosen(IntEnum):
    """Single games, from the side of who chose the deck first."""

    LOST = 0
    DRAWN = 1
    WON = 2
    GAMES = 3
    GAMES_DRAWN = 4


class Cell(IntEnum):
    """Games of two decks, from side 0, and matches that these two opened."""

    LOST = 0
    DRAWN = 1
    WON = 2
    OPENED = 3


def new_tally(sizes: tuple[int, int]) -> Ints:
    """Return an empty tally of lineups of `sizes` decks."""
    return np.zeros((TABLE_ROWS + 1 + sizes[0] * sizes[1], TABLE_COLUMNS), np.int64)


def count_match_games(tally: Ints) -> int:
    """Return the number of games in all matches that `tally` counts."""
    return int(tally[CHOSEN_ROW, Chosen.GAMES])


def count_deck_games(tally: Ints) -> list[int]:
    """Return the games of each deck of side 0 against each of side 1, row by row."""
    cells = tally[CHOSEN_ROW + 1 :, Cell.LOST : Cell.WON + 1]
    games: list[int] = cells.sum(axis=1).tolist()
    return games


@dataclass(frozen=True, slots=True)
class DeckInMatch:
    """A deck of a lineup in the matches against another lineup."""

    name: str
    opened: int
    """The number of matches in which it was chosen for game 1."""
    games: int
    """The number of games in which it was played."""
    wins: int
    draws: int
    rate: Estimate | None
    """Its win rate in these games, or None. A pair of games counts as one game."""
    against: tuple[tuple[int, int, int], ...]
    """The lost, drawn and won games against each deck."""


@dataclass(frozen=True, slots=True)
class MatchResult(Meeting):
    """All matches of lineup `a` against lineup `b`.

    `table` counts matches as a table counts games: the side that chose first in game 1
    is in seat 0, points are games won, and a pair of matches is a set.
    """

    games: int
    """The games of all matches."""
    games_drawn: int
    chose_first: Estimate
    """The win rate in single games of the side that chose first."""
    decks_a: tuple[DeckInMatch, ...]
    decks_b: tuple[DeckInMatch, ...]
    value: float | None
    """The match win rate of a if both sides choose best by the known chances, or None
    without chances.
    """

    @property
    def matches(self) -> int:
        """All matches of the two."""
        return self.table.games

    @property
    def rate_a(self) -> Estimate:
        """The match win rate of a, where a drawn match counts half."""
        return _win_share(self.table.first)

    @property
    def a_first(self) -> Estimate:
        """The match win rate of a in the matches in which a chose first in game 1."""
        return _win_share(self.table.in_seat(0, 0))

    @property
    def b_first(self) -> Estimate:
        """The match win rate of a in the matches in which b chose first in game 1."""
        return _win_share(self.table.in_seat(0, 1))

    @property
    def first_choice(self) -> Estimate:
        """The match win rate of the side that chose first in game 1."""
        return _win_share(self.table.seats[0])


def _win_share(performance: Performance) -> Estimate:
    assert performance.win_share is not None
    return performance.win_share


def read_matches(
    a: Lineup, b: Lineup, tally: Ints, value: float | None, *, anytime: bool
) -> MatchResult:
    """Return the matches of two lineups that `tally` counts.

    `value` is the expected match win rate of `a`. `anytime` is for a tally with
    checkpoints before its end.
    """
    table, chosen = tally[:CHOSEN_ROW], tally[CHOSEN_ROW].tolist()
    columns = len(Cell)
    cells = tally[CHOSEN_ROW + 1 :, :columns]
    cells = cells.reshape(len(a.entrants), len(b.entrants), columns)
    mirrored = cells.transpose(1, 0, 2)[
        :, :, [Cell.WON, Cell.DRAWN, Cell.LOST, Cell.OPENED]
    ]
    return MatchResult(
        table=make_table_result((a.name, b.name), table, anytime=anytime),
        games=chosen[Chosen.GAMES],
        games_drawn=chosen[Chosen.GAMES_DRAWN],
        chose_first=_rate(chosen[Chosen.LOST : Chosen.WON + 1], anytime),
        decks_a=_read_decks(a, cells, anytime),
        decks_b=_read_decks(b, mirrored, anytime),
        value=value,
    )


def _rate(counts: Sequence[int], anytime: bool, worth: float = 1.0) -> Estimate:
    """Return the win rate of lost, drawn and won games.

    Each game counts as `worth` observations.

    The first choice alternates within a pair, so shuffles that both share cancel there.
    """
    interval_of = anytime_score_interval if anytime else mean_score_interval
    interval = interval_of([worth * count for count in counts])
    return Estimate(mean_score(counts), interval, sum(counts))


def _read_decks(lineup: Lineup, cells: Ints, anytime: bool) -> tuple[DeckInMatch, ...]:
    """Return the decks of a lineup, from a row of `cells` each."""
    decks = []
    for entrant, row in zip(lineup.entrants, cells, strict=True):
        lost, drawn, won, opened = row.sum(axis=0).tolist()
        games = lost + drawn + won
        rate = None
        if games:
            rate = _rate((lost, drawn, won), anytime, PAIRED_GAME_WEIGHT)
        decks.append(
            DeckInMatch(
                name=entrant.name,
                opened=opened,
                games=games,
                wins=won,
                draws=drawn,
                rate=rate,
                against=tuple((count[0], count[1], count[2]) for count in row.tolist()),
            )
        )
    return tuple(decks)


# Plays tournament matches, all of a block at once: game 1 of each, game 2 of each, ...
#
# Matches come in game pairs: the same chances, once with each side first to choose.
# Where both matches of a pair come to the same decks in the same game, the shuffles are
# the same and the other side starts.

MAX_MATCH_GAMES = 500
"""Games after which a match that nobody has won is drawn, drawn games counted."""

HASH_FACTOR = 2654435761  # Knuth's multiplicative hash, below 2**32
PAIRS_AT_ONCE = 4096  # bounds the memory of a block
SIDES = 2
DRAWN_MATCH = -1
NOT_CHOSEN = -1
LINEUP_STRIDE = 1 << 12  # more than there are decks in a lineup

T = TypeVar("T")


@dataclass(frozen=True)
class MatchTable:
    """Two lineups that meet, as a worker needs them. It can be pickled."""

    table: Table
    """A table with a context for each deck of side 0 against each of side 1, row by
    row.
    """
    sizes: tuple[int, int]
    selections: tuple[str, str]
    """The way in which each side chooses."""
    plans: Plans
    """The best choices, if a side needs them."""
    rules: MatchRules
    """The rules of the match."""

    @property
    def entrant_in(self) -> tuple[tuple[int, ...], ...]:
        """The decks in the order of a game, which is the order of the sides."""
        return self.table.entrant_in

    @property
    def tally_shape(self) -> tuple[int, int]:
        """The rows and columns of every tally."""
        rows, columns = new_tally(self.sizes).shape
        return rows, columns

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` game pairs of matches and return their tally.

        Every match is a pure function of (table, seed, number, pair, coin). `log` gets
        a row for each of their games.

        Raises:
            CrashedGame: a game could not be played to its end.
        """
        tally = new_tally(self.sizes)
        end = first_set + sets
        for first in range(first_set, end, PAIRS_AT_ONCE):
            pairs = np.arange(first, min(first + PAIRS_AT_ONCE, end))
            tally += _Matches(self, seed, number, pairs, log).play()
        return tally


class _Matches:
    """Game pairs of matches under way, as arrays with an element for each match."""

    def __init__(
        self,
        table: MatchTable,
        seed: int,
        number: int,
        pairs: Ints,
        log: GameLog | None = None,
    ) -> None:
        self.table = table
        self.log = log
        self.seed, self.number = seed, number
        self.pair = np.repeat(pairs, SIDES)
        self.coin = np.tile(np.arange(SIDES), len(pairs))
        chances = mix_words(np.zeros(len(pairs), np.uint64), seed, number, pairs)
        self.chance: Random = np.repeat(chances, SIDES)
        self.course = _MatchCourse(table)
        self.state = self.course.begin(self.coin)
        self.outcomes = np.zeros(
            (len(self.pair), GameOutcome.PLACE + 4 * SIDES), np.int64
        )
        self.tally = new_tally(table.sizes)

    def play(self) -> Ints:
        """Play all matches to their end and return their tally."""
        for game in range(MAX_MATCH_GAMES):
            going = np.flatnonzero(self.course.winner(self.state) == DRAWN_MATCH)
            if not len(going):
                break
            self._play_game(going, game)
        self._count_matches()
        return self.tally

    def _play_game(self, going: Ints, game: int) -> None:
        """Play game number `game` of the matches `going`, from 0."""
        decks = self._choose(going, game)
        half_points, history = self._play_games(going, decks, game)
        self._count_games(going, decks, half_points, game)
        coin = self.coin[going]
        # Each game counts with its place in the match and with its result.
        salt = HASH_FACTOR * (9 * game + 3 * coin + half_points + 1)
        hashes = (history ^ salt) & CHECKSUM_MASK
        self.outcomes[going, GameOutcome.HISTORY] += hashes
        self.state[going] = self.course.after(self.state[going], decks, half_points)

    def _choose(self, going: Ints, game: int) -> Ints:
        """Return the decks of both sides, which choose in turn."""
        state, coin = self.state[going], self.coin[going]
        first = self.course.first(state)
        decks = np.empty((SIDES, len(going)), np.int64)
        opposing = np.full(len(going), NOT_CHOSEN)
        matches = np.arange(len(going))
        for step in range(SIDES):
            side = first ^ step
            number = np.zeros(len(going), np.uint64)
            if "random" in self.table.selections:
                number = mix_words(self.chance[going], coin, game, side)
            opposing = self.course.choose(state, side, opposing, number)
            decks[side, matches] = opposing
        return decks

    def _play_games(self, going: Ints, decks: Ints, game: int) -> tuple[Ints, Ints]:
        """Return half-points of side 0 in a game of each match, and the hashes of the
        games.

        Chance decides which match of the pair gets which game of the mirrored ones.
        """
        cells = self.table.sizes[0] * self.table.sizes[1]
        contexts = decks[0] * self.table.sizes[1] + decks[1]
        flip = (mix_words(self.chance[going], game) & np.uint64(1)).astype(int)
        games = np.empty((len(going), len(ListedGame)), np.int64)
        stream = (self.number * cells + contexts) * MAX_MATCH_GAMES + game
        games[:, ListedGame.CONTEXT] = contexts
        games[:, ListedGame.STREAM] = stream * self.table.table.streams
        games[:, ListedGame.COUNTER] = self.pair[going]
        games[:, ListedGame.BEGINNER] = self.coin[going] ^ flip
        outcomes = play_logged(
            self.table.table, self.seed, games, self.coin[going], self.log
        )
        won = outcomes[:, GameOutcome.PLACE : GameOutcome.PLACE + SIDES] == 1
        return 1 + won[:, 0] - won[:, 1], outcomes[:, GameOutcome.HISTORY]

    def _count_games(
        self, going: Ints, decks: Ints, half_points: Ints, game: int
    ) -> None:
        """Add games to the matches, and to the rows of the decks."""
        rounds, points = GameOutcome.ROUNDS, GameOutcome.PLACE + SIDES
        self.outcomes[going, rounds] += 1
        for side in range(SIDES):
            won = half_points == (2, 0)[side]
            self.outcomes[going, points + side] += won
        row = self.tally[CHOSEN_ROW]
        first = self.course.first(self.state[going])
        by_first = np.where(first == 0, half_points, 2 - half_points)
        row[Chosen.LOST : Chosen.WON + 1] += np.bincount(by_first, minlength=3)
        row[Chosen.GAMES] += len(going)
        row[Chosen.GAMES_DRAWN] += (half_points == 1).sum()
        cells = TABLE_ROWS + 1 + decks[0] * self.table.sizes[1] + decks[1]
        np.add.at(self.tally, (cells, Cell.LOST + half_points), 1)
        if game == 0:
            np.add.at(self.tally[:, Cell.OPENED], cells, 1)

    def _count_matches(self) -> None:
        """Count matches as a table counts games, in `self.tally`."""
        winner = self.course.winner(self.state)
        for side in range(SIDES):
            rank, seat = GameOutcome.PLACE + side, GameOutcome.PLACE + 2 * SIDES + side
            self.outcomes[:, rank] = 1 + (winner == 1 - side)
            self.outcomes[:, seat] = self.coin ^ side
        who = np.tile(np.arange(SIDES), (len(self.pair), 1))
        rows = self.tally[:CHOSEN_ROW]
        numbers = np.zeros_like(self.pair)
        sums = np.zeros_like(rows)
        count_sets(self.outcomes, who, numbers, SIDES, count_shares(SIDES), rows, sums)
        self.tally[0, Head.CHECKSUM] &= CHECKSUM_MASK


class _MatchCourse:
    """The states of matches, numbered as they come up, and the transitions from
    them.
    """

    def __init__(self, table: MatchTable) -> None:
        self.table = table
        self.states: list[MatchState] = []
        self.numbers: dict[MatchState, int] = {}

    def begin(self, coin: Ints) -> Ints:
        """Return the states before game 1."""
        numbers = [self._number(self.table.rules.begin(side)) for side in range(SIDES)]
        return np.array(numbers)[coin]

    def first(self, states: Ints) -> Ints:
        """Return the sides that choose first."""
        return np.array([state.first for state in self.states])[states]

    def winner(self, states: Ints) -> Ints:
        """Return the sides that have won, -1 if the match is not over."""
        winners = [self.table.rules.find_winner(state) for state in self.states]
        results = [DRAWN_MATCH if winner is None else winner for winner in winners]
        return np.array(results)[states]

    def choose(self, states: Ints, side: Ints, opposing: Ints, number: Random) -> Ints:
        """Return the decks that the sides choose. `number` decides among several."""
        decks, index = _map_unique_rows(self._list_choices, states, side, opposing)
        lengths = np.array([len(open) for open in decks], np.uint64)[index]
        widest = max(len(open) for open in decks)
        padded = np.array([open + [0] * (widest - len(open)) for open in decks])
        chosen: Ints = padded[index, (number % lengths).astype(np.int64)]
        return chosen

    def after(self, states: Ints, decks: Ints, half_points: Ints) -> Ints:
        """Return the states after games of `decks`."""
        after, index = _map_unique_rows(self._find_next, states, *decks, half_points)
        return np.array(after)[index]

    def _number(self, state: MatchState) -> int:
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
        return self.numbers[state]

    def _list_choices(self, state: int, side: int, opposing: int) -> list[int]:
        table = self.table
        return choices(
            table.selections[side],
            table.rules,
            self.states[state],
            side,
            table.sizes[side],
            opposing=None if opposing == NOT_CHOSEN else opposing,
            plans=table.plans,
        )

    def _find_next(self, state: int, a: int, b: int, half_points: int) -> int:
        winner = (1, DRAWN_MATCH, 0)[half_points]
        after = self.table.rules.after_game(self.states[state], winner, (a, b))
        return self._number(after)


def _map_unique_rows(
    function: Callable[..., T], *columns: Ints
) -> tuple[list[T], Ints]:
    """Call `function` once for each different row of `columns`.

    Returns the results, and the index of the result for each row.
    """
    key = np.zeros_like(columns[0])
    for column in columns:
        key = key * LINEUP_STRIDE + column + 1
    _, first, index = np.unique(key, return_index=True, return_inverse=True)
    rows = zip(*(column[first].tolist() for column in columns), strict=True)
    return [function(*row) for row in rows], index


# The job of two lineups that play matches.


def match_job(
    number: int,
    sides: tuple[Lineup, Lineup],
    tables: Sequence[Table],
    plans: Plans,
    *,
    rules: MatchRules,
    pairs: int,
) -> Job:
    """Return the job of two lineups that play game pairs of matches.

    `tables` are for each deck of the first against each of the second, row by row.
    """
    a, b = sides
    names = tuple(
        (ours.name, theirs.name) for ours in a.entrants for theirs in b.entrants
    )
    return Job(
        number,
        f"{a.name} against {b.name}",
        MatchTable(
            all_at_one(tables),
            (len(a.entrants), len(b.entrants)),
            (a.selection, b.selection),
            plans,
            rules,
        ),
        ("match", *a.policies, *b.policies),
        pairs,
        noun="matches",
        names=(a.name, b.name),
        decks=names,
    )


def all_at_one(tables: Sequence[Table]) -> Table:
    """Return a table at which all these duels can be played, each by its context."""
    contexts = LazyContexts(
        len(tables), lambda: [table.contexts[0] for table in tables]
    )
    return replace(tables[0], contexts=contexts)
