"""Tournament matches, played with games that fall as their chances say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from lineup_engine import FakeGames

from deckcheck.sim import lineup_play
from deckcheck.sim.lineup_play import LineupTable, play_match_block
from deckcheck.sim.lineup_rules import MatchRules
from deckcheck.sim.lineup_tally import Count, cells, opened
from deckcheck.sim.lineup_totals import checksum_of, match_rate_of
from deckcheck.sim.selection import Chances, match_value, solve

SIZES = (3, 3)
TABLE = [
    [Chances(0.5, 0.1), Chances(0.7, 0.0), Chances(0.2, 0.1)],
    [Chances(0.3, 0.0), Chances(0.4, 0.2), Chances(0.8, 0.0)],
    [Chances(0.6, 0.1), Chances(0.1, 0.0), Chances(0.5, 0.0)],
]


def played(
    monkeypatch: pytest.MonkeyPatch,
    selections: tuple[str, str],
    pairs: int,
    first: int = 0,
    chances: list[list[Chances]] = TABLE,
) -> npt.NDArray[np.int64]:
    games = FakeGames(chances)
    monkeypatch.setattr(lineup_play, "play_block", games)
    plans = solve(chances) if "optimal" in selections else {}
    table = LineupTable(games.table, SIZES, selections, plans, MatchRules())
    return play_match_block(table, 1, 0, first, pairs)


@pytest.mark.parametrize("one", ["optimal", "random", "fixed"])
@pytest.mark.parametrize("other", ["optimal", "random", "fixed"])
def test_every_match_and_every_game_is_counted(
    monkeypatch: pytest.MonkeyPatch, one: str, other: str
) -> None:
    tally = played(monkeypatch, (one, other), pairs=60)
    matches = int(tally[Count.MATCHES : Count.MATCHES + 2].sum())
    results = int(tally[Count.WON : Count.DRAWN + 2].sum())
    won_by_0, won_by_1 = tally[Count.GAMES_WON : Count.GAMES_WON + 2]
    by_decks = np.array(cells(tally, SIZES))

    assert matches == results == 120
    assert tally[Count.PAIR_SCORE : Count.PAIR_SCORE + 5].sum() == 60
    assert tally[Count.FIRST_SCORE : Count.FIRST_SCORE + 5].sum() == 60
    assert tally[Count.GAMES] == by_decks.sum()
    assert tally[Count.GAMES_DRAWN] == by_decks[:, :, 1].sum()
    assert (won_by_0, won_by_1) == (by_decks[:, :, 2].sum(), by_decks[:, :, 0].sum())
    assert tally[Count.CHOSE_FIRST : Count.CHOSE_FIRST + 3].sum() == by_decks.sum()
    for side in range(2):
        assert sum(tally[opened(SIZES, side, deck)] for deck in range(3)) == 120


def test_two_games_are_won_in_every_match(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = played(monkeypatch, ("random", "random"), pairs=60)
    won, lost = (int(tally[f] + tally[f + 1]) for f in (Count.WON, Count.LOST))

    assert tally[Count.GAMES_WON] >= 2 * won
    assert tally[Count.GAMES_WON] <= 2 * won + lost
    assert tally[Count.GAMES] <= 3 * 120 + tally[Count.GAMES_DRAWN]


def test_fixed_takes_the_decks_in_the_order_of_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tally = played(monkeypatch, ("fixed", "fixed"), pairs=30)
    games = np.array(cells(tally, SIZES)).sum(axis=2)

    assert tally[opened(SIZES, 0, 0)] == tally[opened(SIZES, 1, 0)] == 60
    assert games[2].sum() == games[:, 2].sum() == 0


def test_the_best_choices_are_worth_what_they_promise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rate = match_rate_of(played(monkeypatch, ("optimal", "optimal"), pairs=500))

    assert rate.interval.low < match_value(solve(TABLE))
    assert match_value(solve(TABLE)) < rate.interval.high


@pytest.mark.parametrize("other", ["random", "fixed"])
def test_optimal_does_not_fall_below_its_worth(
    monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    value = match_value(solve(TABLE))
    against = match_rate_of(played(monkeypatch, ("optimal", other), pairs=300))
    from_b = match_rate_of(played(monkeypatch, (other, "optimal"), pairs=300))

    assert against.interval.high > value
    assert from_b.interval.low < value


def test_blocks_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = ("optimal", "random")
    whole = played(monkeypatch, ways, pairs=40)
    parts = played(monkeypatch, ways, pairs=15) + played(monkeypatch, ways, 25, 15)

    assert (whole[: Count.CHECKSUM] == parts[: Count.CHECKSUM]).all()
    assert checksum_of([whole]) == checksum_of([parts])


def test_a_match_without_end_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = [[Chances(0.0, 1.0)] * 3] * 3
    tally = played(monkeypatch, ("fixed", "optimal"), pairs=1, chances=endless)

    assert tally[Count.DRAWN : Count.DRAWN + 2].tolist() == [1, 1]
    assert match_rate_of(tally).value == 0.5
