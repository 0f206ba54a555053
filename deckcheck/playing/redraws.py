"""Games with watched hands and forced redraws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from deckcheck.engine.registry import CrashedGame, GameDoesNotEnd, UnplayedCode
from deckcheck.playing.kernel import (
    CHECKSUM_MASK,
    GameOutcome,
    Head,
    Ints,
    ListedGame,
    Seen,
    Way,
    new_tally,
    play_redraws,
    watch_games,
)
from deckcheck.playing.table import (
    GameLog,
    TableWithCells,
    cells_below,
    records_of,
)
from deckcheck.playing.versions import ROTATION, VERSION, scores_of
from deckcheck.policies.registry import Policy


@contextmanager
def _naming_crashes() -> Iterator[Ints]:
    """Give the array for the number of the game being played, told if it crashes."""
    at = np.zeros(1, np.int64)
    try:
        yield at
    except (IndexError, GameDoesNotEnd, UnplayedCode) as error:
        raise CrashedGame(f"a game crashed ({error})", int(at[0])) from error


# A table at which the hand of the second player is watched.

CARDS = 4096  # no game has as many
MOST_REDRAWS = 10  # as the options of formats allow


class HandSum(IntEnum):
    """Sums over sets, for a card and a way to see it.

    N are the games of a set that saw it, H the half-points in these, S all of the set.
    """

    N = 0
    H = 1
    NN = 2
    NH = 3
    HH = 4
    NS = 5
    HS = 6


@dataclass(frozen=True)
class Watched(TableWithCells):
    """A table of two, and the cards of its second player that are watched, by number.

    A tally is that of the table, and below it the moments of each card and way.
    """

    cards: tuple[int, ...]

    @property
    def engine(self) -> str:
        """The part of the engine that plays here."""
        return f"{self.table.engine}-watched"

    @property
    def cells(self) -> int:
        """The moments of each card and way."""
        return len(self.cards) * len(Seen) * len(HandSum)

    def play_sets(
        self, seed: int, number: int, sets: Ints, log: GameLog | None
    ) -> tuple[Ints, Ints]:
        """Play the sets and watch the hands."""
        games = self.table.games_of_sets(number, sets)
        if log is not None:
            log.begin(games, games[:, ListedGame.BEGINNER])
        outcomes, seen = self._watch(seed, games)
        if log is not None:
            log.end(outcomes)
        tally = self.table.counted(games, outcomes, ROTATION)
        return tally, _moments(seen, outcomes)

    def moments(self, tally: Ints) -> Ints:
        """The sums `[card, way, moment]` of a tally."""
        return self.cells_of(tally).reshape(-1, len(Seen), len(HandSum))

    def _watch(self, seed: int, games: Ints) -> tuple[Ints, Ints]:
        outcomes = np.empty((len(games), GameOutcome.PLACE + 8), np.int64)
        seen = np.zeros((len(games), len(self.cards), len(Seen)), np.int64)
        slots = np.full(CARDS, -1, np.int64)
        slots[list(self.cards)] = np.arange(len(self.cards))
        held = np.zeros((2, len(self.cards)), np.int64)
        with records_of(self.table) as records, _naming_crashes() as at:
            watch_games(
                *(*records, seed, games, outcomes),
                *(VERSION, slots, seen, held, at),
            )
        return outcomes, seen


def _moments(seen: Ints, outcomes: Ints) -> Ints:
    """The moments of whole sets, one after the other in `seen` and `outcomes`."""
    cards, ways = seen.shape[1:]
    points = scores_of(outcomes, by_game=True)
    flagged = seen.reshape(-1, ROTATION, cards, ways)
    scored = points.reshape(-1, ROTATION)
    n = flagged.sum(axis=1)
    h = (flagged * scored[:, :, None, None]).sum(axis=1)
    s = scored.sum(axis=1)[:, None, None]
    columns = [n, h, n * n, n * h, h * h, n * s, h * s]
    return np.stack([column.sum(axis=0) for column in columns], axis=-1)


# A table at which the second player's redraws are tried, in the same games.


class RedrawSum(IntEnum):
    """Sums for a choice: over games, and over sets with at least one of these.

    N are the games of a set that dealt it, K the half-points in these with the cards
    kept, R those with the cards redrawn.
    """

    SETS = 0
    BY_PLAYER = 1  # games in which the player redraws them unasked
    N = 2
    K = 3
    R = 4
    NN = 5
    NK = 6
    NR = 7
    KK = 8
    KR = 9
    RR = 10


@dataclass(frozen=True)
class Tried:
    """Games played in a way: outcomes, copies dealt, and what was redrawn in order.

    The first column of `redrawn` says how many redraws were made, see `play_redraws`.
    """

    outcomes: Ints
    dealt: Ints
    redrawn: Ints

    @property
    def points(self) -> Ints:
        """The half-points of the player in each game."""
        return scores_of(self.outcomes, by_game=True)


@dataclass(frozen=True)
class Redraws(TableWithCells):
    """A table of two, and what its second player may redraw.

    Without a `hand` each of the `choices` is a card: it is redrawn first, and compared
    with the card kept; other redraws are the player's own. With a `hand` that is the
    one which is dealt, and each choice has all cards that are redrawn of it, compared
    with the whole hand kept. Cards are numbers of the engine. A tally is that of the
    player's own redraws, with the checksum of all games, and below it the number of all
    games and the moments of each choice; then those of the player's own redraws.
    """

    choices: tuple[tuple[int, ...], ...]
    hand: tuple[int, ...] = ()

    @property
    def engine(self) -> str:
        """The part of the engine that plays here."""
        return f"{self.table.engine}-redraws"

    @property
    def cells(self) -> int:
        """The number of all games, and the moments of each choice."""
        return 1 + (len(self.choices) + 1) * len(RedrawSum)

    def play_sets(
        self, seed: int, number: int, sets: Ints, log: GameLog | None
    ) -> tuple[Ints, Ints]:
        """Play the sets in all ways to redraw."""
        games = self.table.games_of_sets(number, sets)
        trial = _Trial(self, seed, games, GameLog() if log is None else log)
        tally, moments = trial.moments()
        return tally, np.concatenate([[trial.games_played], moments.ravel()])

    def moments(self, tally: Ints) -> Ints:
        """The sums `[choice, moment]` of a tally, the player's own redraws last."""
        return self.cells_of(tally)[1:].reshape(-1, len(RedrawSum))

    @property
    def draws_no_lots(self) -> bool:
        """Whether the player makes the same moves again in the same position."""
        policy = self.table.read_contexts()["policy"][0, VERSION]
        return bool(policy == Policy.HEURISTIC)


class _Trial:
    """All ways to redraw in some games; a way that is another one is not played."""

    def __init__(self, table: Redraws, seed: int, games: Ints, log: GameLog) -> None:
        self.table = table
        self.seed = seed
        self.games = games
        self.log = log
        self.games_played = 0
        self.checksum = 0

    def moments(self) -> tuple[Ints, Ints]:
        """The tally of the player's own redraws, and the moments of each choice."""
        own = self._play(self.games, Way.OWN, ())
        tally = self._counted(self.games, own, ROTATION)
        made = own.redrawn[:, 0] - 1
        has_decided = made >= 0
        kept = own.points
        if self.table.hand:
            kept = self._points(Way.ONLY, (), own, has_decided, made == 0)
            rows = [self._of_hand(c, own, kept) for c in self.table.choices]
        else:
            choices = enumerate(self.table.choices)
            rows = [self._of_card(slot, card, own) for slot, [card] in choices]
        rows.append(moments_of(has_decided, made > 0, kept, own.points))
        tally[0, Head.CHECKSUM] = self.checksum & CHECKSUM_MASK
        return tally, np.array(rows)

    def _of_hand(self, choice: tuple[int, ...], own: Tried, kept: Ints) -> Ints:
        """All cards of a choice redrawn and no other, or the whole hand kept."""
        has_decided = own.redrawn[:, 0] > 0
        wanted = np.zeros_like(own.redrawn[0, 1:])
        wanted[: len(choice)] = choice
        is_own = (own.redrawn[:, 1:] == wanted).all(axis=1)
        by_player = (np.sort(own.redrawn[:, 1:]) == np.sort(wanted)).all(axis=1)
        points = self._points(Way.ONLY, choice, own, has_decided, is_own)
        return moments_of(has_decided, by_player, kept, points)

    def _of_card(self, slot: int, card: int, own: Tried) -> Ints:
        """A card redrawn first, or kept."""
        is_dealt = own.dealt[:, slot] > 0
        is_first = own.redrawn[:, 1] == card
        by_player = (own.redrawn[:, 1:] == card).any(axis=1)
        kept = self._points(Way.KEPT, (card,), own, is_dealt, ~by_player)
        redrawn = self._points(Way.FIRST, (card,), own, is_dealt, is_first)
        return moments_of(is_dealt, by_player, kept, redrawn)

    def _points(
        self,
        way: Way,
        cards: tuple[int, ...],
        own: Tried,
        counts: npt.NDArray[np.bool_],
        is_own: npt.NDArray[np.bool_],
    ) -> Ints:
        """The points in a way of the games that count; some are as in the `own` way."""
        points = own.points.copy()
        is_new = counts & ~(is_own & self.table.draws_no_lots)
        games = self.games[is_new]
        if len(games):
            tried = self._play(games, way, cards)
            self._counted(games, tried, 1)
            points[is_new] = tried.points
        return points

    def _play(self, games: Ints, way: Way, cards: tuple[int, ...]) -> Tried:
        self.log.begin(games, games[:, ListedGame.BEGINNER])
        tried = play_way(self.table, self.seed, games, way, cards)
        self.log.end(tried.outcomes)
        self.games_played += len(games)
        return tried

    def _counted(self, games: Ints, tried: Tried, rotation: int) -> Ints:
        """The tally of games, by sets of `rotation`; adds to the checksum of all."""
        tally = self.table.table.counted(games, tried.outcomes, rotation)
        self.checksum += int(tally[0, Head.CHECKSUM])
        return tally


def play_way(
    table: Redraws, seed: int, games: Ints, way: Way, cards: Sequence[int]
) -> Tried:
    """Play games in a way; raises CrashedGame."""
    slots = np.full(CARDS, -1, np.int64)
    tried = list(dict.fromkeys(card for choice in table.choices for card in choice))
    slots[tried] = np.arange(len(tried))
    outcomes = np.empty((len(games), GameOutcome.PLACE + 8), np.int64)
    dealt = np.zeros((len(games), len(tried)), np.int64)
    redrawn = np.zeros((len(games), 1 + MOST_REDRAWS), np.int64)
    hand, wanted = np.array(table.hand, np.int64), np.array(cards, np.int64)
    with records_of(table.table) as records, _naming_crashes() as at:
        play_redraws(
            *(*records, seed, games, outcomes, VERSION, int(way), wanted),
            *(hand, slots, dealt, redrawn, at),
        )
    return Tried(outcomes, dealt, redrawn)


def moments_of(
    counts: npt.NDArray[np.bool_],
    by_player: npt.NDArray[np.bool_],
    kept: Ints,
    redrawn: Ints,
) -> Ints:
    """The moments of whole sets, one after the other."""
    n = counts.reshape(-1, ROTATION).sum(axis=1)
    k = (kept * counts).reshape(-1, ROTATION).sum(axis=1)
    r = (redrawn * counts).reshape(-1, ROTATION).sum(axis=1)
    sets = n > 0
    columns = [n, k, r, n * n, n * k, n * r, k * k, k * r, r * r]
    sums = [column.sum() for column in columns]
    return np.array([sets.sum(), (by_player & counts).sum(), *sums], np.int64)


def games_played(tally: Ints) -> int:
    """How many games were played in all ways together, by the tally of `Redraws`."""
    return int(cells_below(tally, len(new_tally(2, ROTATION)), 1)[0])
