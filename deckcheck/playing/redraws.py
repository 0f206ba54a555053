"""Tables at which hands are watched, or redraws are forced, and their moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from deckcheck.playing.kernel import (
    CHECKSUM_MASK,
    HandTrial,
    Head,
    Ints,
    ListedGame,
    Seen,
    Way,
    new_tally,
)
from deckcheck.playing.table import (
    GameLog,
    Table,
    TableWithCells,
    cells_below,
    play_every_game,
)
from deckcheck.playing.versions import ROTATION, VERSION_SEAT, count_half_points
from deckcheck.policies.registry import Policy

MAX_CARD_NUMBERS = 4096  # no game has as many
MAX_REDRAWS = 10  # as the options of formats allow


@dataclass(frozen=True)
class PlayedHands:
    """Games with a watched second player: outcomes, and the course of the cards.

    `seen`, `dealt` and `redrawn` are described at `HandTrial`.
    """

    outcomes: Ints
    seen: Ints
    dealt: Ints
    redrawn: Ints

    @property
    def points(self) -> Ints:
        """The half-points of the player in each game."""
        return count_half_points(self.outcomes, by_game=True)


def play_watched(
    table: Table,
    seed: int,
    games: Ints,
    watched: Sequence[int],
    *,
    way: Way = Way.OWN,
    cards: Sequence[int] = (),
    hand: Sequence[int] = (),
) -> PlayedHands:
    """Play games and watch some cards of the second player.

    The player is dealt the `hand`, if any, and redraws `cards` in a `way`. Raises
    CrashedGame.
    """
    slots = np.full(MAX_CARD_NUMBERS, -1, np.int64)
    slots[list(watched)] = np.arange(len(watched))
    trial = HandTrial(
        player=VERSION_SEAT,
        way=int(way),
        cards=np.array(cards, np.int64),
        hand=np.array(hand, np.int64),
        slots=slots,
        seen=np.zeros((len(games), len(watched), len(Seen)), np.int64),
        dealt=np.zeros((len(games), len(watched)), np.int64),
        redrawn=np.zeros((len(games), 1 + MAX_REDRAWS), np.int64),
        held=np.zeros((2, len(watched)), np.int64),
    )
    outcomes = play_every_game(table, seed, games, trial=trial)
    return PlayedHands(outcomes, trial.seen, trial.dealt, trial.redrawn)


# -----------------------------------------------------------------------------
# A table at which the hand of the second player is watched


class HandSum(IntEnum):
    """Sums over sets, for a card and a way to see it.

    N is the number of games of a set that saw the card, H the half-points in these
    games, S the half-points in all games of the set. NH is the sum of N times H.
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
    """A table of two, and the watched cards of its second player, by number.

    A tally is the tally of the table, and below it the moments of each card and way.
    """

    cards: tuple[int, ...]

    @property
    def cells(self) -> int:
        """The moments of each card and way."""
        return len(self.cards) * len(Seen) * len(HandSum)

    def play_sets(
        self, seed: int, number: int, sets: Ints, log: GameLog | None
    ) -> tuple[Ints, Ints]:
        """Play the sets and watch the hands."""
        games = self.table.list_games(number, sets)
        if log is not None:
            log.begin(games, games[:, ListedGame.BEGINNER])
        hands = self.watch(seed, games)
        if log is not None:
            log.end(hands.outcomes)
        tally = self.table.count_games(games, hands.outcomes, ROTATION)
        return tally, _sum_hands(hands)

    def watch(self, seed: int, games: Ints) -> PlayedHands:
        """Play games and watch the hands. Raises CrashedGame."""
        return play_watched(self.table, seed, games, self.cards)

    def moments(self, tally: Ints) -> Ints:
        """Return the sums `[card, way, moment]` of a tally."""
        return self.flatten_cells(tally).reshape(-1, len(Seen), len(HandSum))


def _sum_hands(hands: PlayedHands) -> Ints:
    """Return the moments `[card, way, HandSum]` of whole sets, one after another."""
    cards, ways = hands.seen.shape[1:]
    flagged = hands.seen.reshape(-1, ROTATION, cards, ways)
    scored = hands.points.reshape(-1, ROTATION)
    n = flagged.sum(axis=1)
    h = (flagged * scored[:, :, None, None]).sum(axis=1)
    s = scored.sum(axis=1)[:, None, None]
    columns = [n, h, n * n, n * h, h * h, n * s, h * s]
    return np.stack([column.sum(axis=0) for column in columns], axis=-1)


# -----------------------------------------------------------------------------
# A table at which the second player's redraws are tried, in the same games


class RedrawSum(IntEnum):
    """Sums for a choice: over games that dealt its cards, and over sets of such games.

    N is the number of games of a set that dealt the cards, K the half-points in these
    games if they are kept, R the half-points if they are redrawn. NK is the sum of N
    times K.
    """

    SETS = 0
    BY_PLAYER = 1  # games in which the player's own choice is to redraw them
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
class Redraws(TableWithCells):
    """A table of two, and the redraws to try for its second player.

    Without a `hand` each of the `choices` is a card. Redrawing the card first is
    compared with keeping it, and the player decides on other redraws. With a `hand`,
    that hand is dealt, and each choice has the cards to redraw. It is compared with
    keeping the whole hand. Cards are numbers of the engine.

    A tally has the tally of the player's own redraws, with the checksum of all games.
    Below it are the number of all games, the moments of each choice, and the moments of
    the player's own redraws.
    """

    choices: tuple[tuple[int, ...], ...]
    hand: tuple[int, ...] = ()

    @property
    def cells(self) -> int:
        """The number of all games, and the moments of each choice."""
        return 1 + (len(self.choices) + 1) * len(RedrawSum)

    def play_sets(
        self, seed: int, number: int, sets: Ints, log: GameLog | None
    ) -> tuple[Ints, Ints]:
        """Play the sets in all ways to redraw."""
        games = self.table.list_games(number, sets)
        trial = _Trial(self, seed, games, GameLog() if log is None else log)
        tally, moments = trial.moments()
        return tally, np.concatenate([[trial.games_played], moments.ravel()])

    def moments(self, tally: Ints) -> Ints:
        """Return the sums `[choice, moment]` of a tally, the player's own last."""
        return self.flatten_cells(tally)[1:].reshape(-1, len(RedrawSum))

    @property
    def draws_no_lots(self) -> bool:
        """Whether the player makes the same moves again in the same position."""
        policy = self.table.read_contexts()["policy"][0, VERSION_SEAT]
        return bool(policy == Policy.HEURISTIC)


class _Trial:
    """All ways to redraw in some games. A way equal to another is not played again."""

    def __init__(self, table: Redraws, seed: int, games: Ints, log: GameLog) -> None:
        self.table = table
        self.seed = seed
        self.games = games
        self.log = log
        self.games_played = 0
        self.checksum = 0

    def moments(self) -> tuple[Ints, Ints]:
        """Return the tally of the player's own redraws, and all moments."""
        usual = self._play(self.games, Way.OWN, ())
        tally = self._count_games(self.games, usual, ROTATION)
        made = usual.redrawn[:, 0] - 1
        has_decided = made >= 0
        kept_points = usual.points
        if self.table.hand:
            kept_points = self._points(Way.ONLY, (), usual, has_decided, made == 0)
            rows = [
                self._try_hand(choice, usual, kept_points)
                for choice in self.table.choices
            ]
        else:
            rows = [
                self._try_card(slot, card, usual)
                for slot, (card,) in enumerate(self.table.choices)
            ]
        rows.append(compute_moments(has_decided, made > 0, kept_points, usual.points))
        tally[0, Head.CHECKSUM] = self.checksum & CHECKSUM_MASK
        return tally, np.array(rows)

    def _try_hand(
        self, choice: tuple[int, ...], usual: PlayedHands, kept_points: Ints
    ) -> Ints:
        """Compare redrawing the cards of a choice with keeping the whole hand."""
        has_decided = usual.redrawn[:, 0] > 0
        redrawn = usual.redrawn[:, 1:]
        wanted = np.zeros_like(redrawn[0])
        wanted[: len(choice)] = choice
        is_usual = (redrawn == wanted).all(axis=1)
        by_player = (np.sort(redrawn) == np.sort(wanted)).all(axis=1)
        points = self._points(Way.ONLY, choice, usual, has_decided, is_usual)
        return compute_moments(has_decided, by_player, kept_points, points)

    def _try_card(self, slot: int, card: int, usual: PlayedHands) -> Ints:
        """Compare redrawing a card first with keeping it."""
        is_dealt = usual.dealt[:, slot] > 0
        is_first = usual.redrawn[:, 1] == card
        by_player = (usual.redrawn[:, 1:] == card).any(axis=1)
        kept_points = self._points(Way.KEPT, (card,), usual, is_dealt, ~by_player)
        redrawn_points = self._points(Way.FIRST, (card,), usual, is_dealt, is_first)
        return compute_moments(is_dealt, by_player, kept_points, redrawn_points)

    def _points(
        self,
        way: Way,
        cards: tuple[int, ...],
        usual: PlayedHands,
        counts: npt.NDArray[np.bool_],
        is_usual: npt.NDArray[np.bool_],
    ) -> Ints:
        """Return the points in a way. Only games unlike `usual` are played."""
        points = usual.points.copy()
        is_new = counts & ~(is_usual & self.table.draws_no_lots)
        games = self.games[is_new]
        if len(games):
            tried = self._play(games, way, cards)
            self._count_games(games, tried, 1)
            points[is_new] = tried.points
        return points

    def _play(self, games: Ints, way: Way, cards: tuple[int, ...]) -> PlayedHands:
        """Play games in a way, and log them."""
        self.log.begin(games, games[:, ListedGame.BEGINNER])
        tried = play_way(self.table, self.seed, games, way, cards)
        self.log.end(tried.outcomes)
        self.games_played += len(games)
        return tried

    def _count_games(self, games: Ints, tried: PlayedHands, rotation: int) -> Ints:
        """Return the tally of games, by sets of `rotation`, and add to the checksum."""
        tally = self.table.table.count_games(games, tried.outcomes, rotation)
        self.checksum += int(tally[0, Head.CHECKSUM])
        return tally


def play_way(
    table: Redraws, seed: int, games: Ints, way: Way, cards: Sequence[int]
) -> PlayedHands:
    """Play games in a way. Raises CrashedGame."""
    choices = list(dict.fromkeys(card for choice in table.choices for card in choice))
    return play_watched(
        table.table, seed, games, choices, way=way, cards=cards, hand=table.hand
    )


def compute_moments(
    counts: npt.NDArray[np.bool_],
    by_player: npt.NDArray[np.bool_],
    kept_points: Ints,
    redrawn_points: Ints,
) -> Ints:
    """Return the sums of `RedrawSum` over whole sets, from the half-points of games.

    `counts` marks the games that dealt the cards.
    """
    n = counts.reshape(-1, ROTATION).sum(axis=1)
    k = (kept_points * counts).reshape(-1, ROTATION).sum(axis=1)
    r = (redrawn_points * counts).reshape(-1, ROTATION).sum(axis=1)
    sets = n > 0
    columns = [n, k, r, n * n, n * k, n * r, k * k, k * r, r * r]
    sums = [column.sum() for column in columns]
    return np.array([sets.sum(), (by_player & counts).sum(), *sums], np.int64)


def games_played(tally: Ints) -> int:
    """Return the number of games in all ways together, from a tally of `Redraws`."""
    return int(cells_below(tally, len(new_tally(2, ROTATION)), 1)[0])
