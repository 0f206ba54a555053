"""A table at which the second player's redraws are tried, in the same games."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from deckcheck.engine.errors import CrashedGame, GameDoesNotEnd, UnplayedCode
from deckcheck.playing.counting import count_sets
from deckcheck.playing.host.cells import TableWithCells, cells_below, with_cells
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import records_of
from deckcheck.playing.host.versions import ROTATION, VERSION, scores_of
from deckcheck.playing.host.watched import CARDS
from deckcheck.playing.kernel import Game, Outcome
from deckcheck.playing.redrawing import Way, play_redraws
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Ints, new_tally, whole
from deckcheck.policies.codes import Policy


class Moment(IntEnum):
    """What is summed of a card: over games, and over sets with at least one of these.

    N are the games of a set that dealt it, K the half-points in these with the card
    kept, R those with the card sent back.
    """

    SETS = 0
    BY_PLAYER = 1  # games in which the player sends it back unasked
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
    """Games played in a way: outcomes, copies dealt, and what was sent back when."""

    outcomes: Ints
    dealt: Ints
    sent: Ints

    @property
    def points(self) -> Ints:
        """The half-points of the player in each game."""
        return scores_of(self.outcomes, by_game=True)


@dataclass(frozen=True)
class Redraws(TableWithCells):
    """A table of two, and the cards of its second player that are sent back or kept.

    With a `hand` that is the one which is dealt, and a card that is sent back first is
    compared with the whole hand kept; otherwise with the card kept. Cards are numbers
    of the engine. A tally is that of the player's own redraws, with the checksum of all
    games, and below it the number of all games and the moments of each card; then those
    of the player's own redraws in the place of a card that is sent back.
    """

    cards: tuple[int, ...]
    hand: tuple[int, ...] = ()

    @property
    def engine(self) -> str:
        """The part of the engine that plays here."""
        return f"{self.table.engine}-redraws"

    @property
    def cells(self) -> int:
        """The number of all games, and the moments of each card."""
        return 1 + (len(self.cards) + 1) * len(Moment)

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets from `first_set` on; tallies are added by `+`.

        Raises CrashedGame for a game that could not be played to its end.
        """
        numbers = np.arange(first_set, first_set + sets)
        games = self.table.games_of_sets(number, numbers)
        trial = _Trial(self, seed, games, GameLog() if log is None else log)
        tally, moments = trial.moments()
        cells = np.concatenate([[trial.games_played], moments.ravel()])
        return with_cells(tally, cells)

    def moments(self, tally: Ints) -> Ints:
        """The sums `[card, moment]` of a tally, the player's own redraws last."""
        return self.cells_of(tally)[1:].reshape(-1, len(Moment))

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
        """The tally of the player's own redraws, and the moments of each card."""
        own = self._play(self.games, Way.OWN)
        tally = self._counted(self.games, own, ROTATION)
        has_decided = own.sent[:, -1] > 0
        points = own.points
        kept = points
        if self.table.hand:
            keeps = own.sent[:, -1] == 1
            kept = self._points(Way.ALL_KEPT, 0, has_decided, points, keeps)
        rows = [
            self._of_card(slot, card, own, kept)
            for slot, card in enumerate(self.table.cards)
        ]
        rows.append(moments_of(has_decided, own.sent[:, -1] > 1, kept, points))
        tally[0, Head.CHECKSUM] = self.checksum & CHECKSUM_MASK
        return tally, np.array(rows)

    def _of_card(self, slot: int, card: int, own: Tried, kept: Ints) -> Ints:
        is_dealt = own.dealt[:, slot] > 0
        sent = own.sent[:, slot]
        points = own.points
        if not self.table.hand:
            kept = self._points(Way.KEPT, card, is_dealt, points, sent == 0)
        back = self._points(Way.SENT, card, is_dealt, points, sent == 1)
        return moments_of(is_dealt, sent > 0, kept, back)

    def _points(
        self,
        way: Way,
        card: int,
        counts: npt.NDArray[np.bool_],
        own: Ints,
        is_own: npt.NDArray[np.bool_],
    ) -> Ints:
        """The points in a way of the games that count; some are as in the `own` way."""
        points = own.copy()
        is_new = counts & ~(is_own & self.table.draws_no_lots)
        games = self.games[is_new]
        if len(games):
            tried = self._play(games, way, card)
            self._counted(games, tried, 1)
            points[is_new] = tried.points
        return points

    def _play(self, games: Ints, way: Way, card: int = 0) -> Tried:
        table, cards = self.table.table, self.table.cards
        self.log.begin(games, games[:, Game.BEGINNER])
        outcomes = np.empty((len(games), Outcome.PLACE + 8), np.int64)
        dealt = np.zeros((len(games), len(cards)), np.int64)
        sent = np.zeros((len(games), len(cards) + 1), np.int64)
        slots = np.full(CARDS, -1, np.int64)
        slots[list(cards)] = np.arange(len(cards))
        hand = np.array(self.table.hand, np.int64)
        at = np.zeros(1, np.int64)
        try:
            with records_of(table) as records:
                play_redraws(
                    *(*records, self.seed, games, outcomes, VERSION, int(way), card),
                    *(hand, slots, dealt, sent, at),
                )
        except (IndexError, GameDoesNotEnd, UnplayedCode) as error:
            raise CrashedGame(f"a game crashed ({error})", int(at[0])) from error
        self.log.end(outcomes)
        self.games_played += len(games)
        return Tried(outcomes, dealt, sent)

    def _counted(self, games: Ints, tried: Tried, rotation: int) -> Ints:
        """The tally of games, by sets of `rotation`; adds to the checksum of all."""
        tally = new_tally(2, ROTATION)
        who = np.array(self.table.entrant_in, np.int64)[games[:, Game.CONTEXT]]
        sums = np.zeros_like(tally)
        of_set = games[:, Game.COUNTER]
        count_sets(tried.outcomes, who, of_set, rotation, whole(2), tally, sums)
        self.checksum += int(tally[0, Head.CHECKSUM])
        return tally


def moments_of(
    counts: npt.NDArray[np.bool_],
    by_player: npt.NDArray[np.bool_],
    kept: Ints,
    back: Ints,
) -> Ints:
    """The moments of whole sets, one after the other."""
    n = counts.reshape(-1, ROTATION).sum(axis=1)
    k = (kept * counts).reshape(-1, ROTATION).sum(axis=1)
    r = (back * counts).reshape(-1, ROTATION).sum(axis=1)
    sets = n > 0
    columns = [n, k, r, n * n, n * k, n * r, k * k, k * r, r * r]
    sums = [column.sum() for column in columns]
    return np.array([sets.sum(), (by_player & counts).sum(), *sums], np.int64)


def games_played(tally: Ints) -> int:
    """How many games were played in all ways together, by the tally of `Redraws`."""
    return int(cells_below(tally, len(new_tally(2, ROTATION)), 1)[0])
