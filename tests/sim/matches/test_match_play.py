"""Tournament matches, played with games that fall as their chances say."""

from __future__ import annotations

import fake_games
import numpy as np
import pytest
from fake_games import FakeGames

from deckcheck.engine.gwent.context import GwentMatchRules
from deckcheck.playing.kernel import Head, Ints, ListedGame
from deckcheck.sim import matches as play
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.matches import Lineup, MatchTable, match_result
from deckcheck.sim.selection import Chances, match_value, solve
from deckcheck.sim.standings import MatchResult, checksum_of
from deckcheck.stats import mean_score_interval

SIZES = (3, 3)
TABLE = [
    [Chances(0.5, 0.1), Chances(0.7, 0.0), Chances(0.2, 0.1)],
    [Chances(0.3, 0.0), Chances(0.4, 0.2), Chances(0.8, 0.0)],
    [Chances(0.6, 0.1), Chances(0.1, 0.0), Chances(0.5, 0.0)],
]


RULES = GwentMatchRules()
LINEUPS = [
    Lineup(name, tuple(Entrant(None, f"{name}{i}", "x") for i in range(3)), "fixed")  # type: ignore[arg-type]
    for name in "ab"
]


def tally_of(
    monkeypatch: pytest.MonkeyPatch,
    selections: tuple[str, str],
    pairs: int,
    first: int = 0,
    chances: list[list[Chances]] = TABLE,
) -> Ints:
    games = FakeGames(chances)
    monkeypatch.setattr(play, "play_listed", games)
    plans = solve(chances, RULES) if "optimal" in selections else {}
    table = MatchTable(games.table, SIZES, selections, plans, RULES)
    tally = table.play(1, 0, first, pairs)
    assert len(games.played) == len(set(games.played))
    return tally


def matches_of(
    monkeypatch: pytest.MonkeyPatch,
    selections: tuple[str, str],
    pairs: int,
    chances: list[list[Chances]] = TABLE,
) -> MatchResult:
    tally = tally_of(monkeypatch, selections, pairs, chances=chances)
    return match_result(*LINEUPS, tally, None)


@pytest.mark.parametrize("one", ["optimal", "random", "fixed"])
@pytest.mark.parametrize("other", ["optimal", "random", "fixed"])
def test_every_match_and_every_game_is_counted(
    monkeypatch: pytest.MonkeyPatch, one: str, other: str
) -> None:
    match = matches_of(monkeypatch, (one, other), pairs=60)
    by_decks = np.array([deck.against for deck in match.decks_a])
    won, lost = (p.points.value for p in match.table.performances if p.points)

    assert match.matches == match.wins_a + match.wins_b + match.draws == 120
    assert match.a_first.games == match.b_first.games == 60
    assert sum(match.table.performances[0].scores) == 60
    assert sum(match.table.seats[0].scores) == 60
    assert match.games == by_decks.sum() == match.chose_first.games
    assert match.games_drawn == by_decks[:, :, 1].sum()
    assert round(120 * won) == by_decks[:, :, 2].sum()
    assert round(120 * lost) == by_decks[:, :, 0].sum()
    for decks in (match.decks_a, match.decks_b):
        assert sum(deck.opened for deck in decks) == 120
        assert sum(deck.games for deck in decks) == match.games


def test_chance_decides_who_begins_and_pairs_are_mirrored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever chooses first begins in half of the games, in every game of a match."""
    games = FakeGames(TABLE)
    monkeypatch.setattr(play, "play_listed", games)
    MatchTable(games.table, SIZES, ("fixed", "fixed"), {}, RULES).play(1, 0, 0, 400)
    first = np.array(games.played[: 2 * 400])
    coins, beginners = np.tile([0, 1], 400), first[:, ListedGame.BEGINNER]
    flips = (coins ^ beginners).reshape(-1, 2)
    later = np.array(games.played[2 * 400 :])
    replayed = later[:, ListedGame.STREAM] % (4 * play.LONGEST) // 4 == 1
    again = [
        (row[ListedGame.COUNTER], row[ListedGame.BEGINNER]) for row in later[replayed]
    ]

    assert (flips[:, 0] == flips[:, 1]).all()
    assert 0.4 < flips.mean() < 0.6
    assert 0.4 < np.mean([beginner for _, beginner in again]) < 0.6


def test_random_choices_have_nothing_to_do_with_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither those of both sides, of both matches of a pair, nor of two games."""
    games = FakeGames([[Chances(0.0, 1.0)] * 3] * 3)
    monkeypatch.setattr(play, "play_listed", games)
    monkeypatch.setattr(play, "LONGEST", 40)
    monkeypatch.setattr(fake_games, "LONGEST", 40)
    MatchTable(games.table, SIZES, ("random",) * 2, {}, RULES).play(1, 0, 0, 30)
    contexts = np.array(games.played)[:, ListedGame.CONTEXT].reshape(40, 30, 2)
    decks = np.stack([contexts // 3, contexts % 3])
    pairs = {
        "sides": (decks[0], decks[1]),
        "matches": (decks[:, :, :, 0], decks[:, :, :, 1]),
        "games": (decks[:, :-1], decks[:, 1:]),
    }

    for what, (one, other) in pairs.items():
        assert 0.28 < (one == other).mean() < 0.39, what


def test_other_lineups_play_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = []
    for number in range(2):
        games = FakeGames(TABLE)
        monkeypatch.setattr(play, "play_listed", games)
        table = MatchTable(games.table, SIZES, ("random",) * 2, {}, RULES)
        table.play(1, number, 0, 60)
        streams.append({game[ListedGame.STREAM] // 4 for game in games.played})

    assert len(streams[0]) > 9
    assert not streams[0] & streams[1]


def test_two_games_are_won_in_every_match(monkeypatch: pytest.MonkeyPatch) -> None:
    match = matches_of(monkeypatch, ("random", "random"), pairs=60)
    points = match.table.performances[0].points
    assert points is not None
    won = round(120 * points.value)

    assert 2 * match.wins_a <= won <= 2 * match.wins_a + match.wins_b
    assert match.games <= 3 * 120 + match.games_drawn


def test_fixed_takes_the_decks_in_the_order_of_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = matches_of(monkeypatch, ("fixed", "fixed"), pairs=30)

    for decks in (match.decks_a, match.decks_b):
        assert [deck.opened for deck in decks] == [60, 0, 0]
        assert decks[2].games == 0


def test_the_best_choices_are_worth_what_they_promise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rate = matches_of(monkeypatch, ("optimal", "optimal"), pairs=3000).rate_a
    value = match_value(solve(TABLE, RULES), RULES)

    assert rate.interval.low < value < rate.interval.high


@pytest.mark.parametrize("other", ["random", "fixed"])
def test_optimal_does_not_fall_below_its_worth(
    monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    value = match_value(solve(TABLE, RULES), RULES)
    against = matches_of(monkeypatch, ("optimal", other), pairs=300).rate_a
    from_b = matches_of(monkeypatch, (other, "optimal"), pairs=300).rate_a

    assert against.interval.high > value
    assert from_b.interval.low < value


def test_intervals_of_matches_that_were_looked_at_are_wider(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those of the matches, of who chose first, and of each deck."""
    tally = tally_of(monkeypatch, ("random", "random"), pairs=60)
    fixed, looked = (
        match_result(*LINEUPS, tally, None, anytime=looks) for looks in (False, True)
    )
    pairs = [(fixed.rate_a, looked.rate_a), (fixed.chose_first, looked.chose_first)]
    decks = zip(
        (*fixed.decks_a, *fixed.decks_b),
        (*looked.decks_a, *looked.decks_b),
        strict=True,
    )
    pairs += [(a.rate, b.rate) for a, b in decks if a.rate and b.rate]

    assert len(pairs) == 8
    for narrow, wide in pairs:
        assert wide.value == narrow.value
        (low, high), (lowest, highest) = narrow.interval, wide.interval
        assert lowest < low < high < highest


def test_blocks_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = ("optimal", "random")
    whole = tally_of(monkeypatch, ways, pairs=40)
    parts = tally_of(monkeypatch, ways, pairs=15) + tally_of(monkeypatch, ways, 25, 15)

    assert checksum_of([whole]) == checksum_of([parts])
    whole[0, Head.CHECKSUM] = parts[0, Head.CHECKSUM] = 0
    assert whole.tolist() == parts.tolist()


def test_many_pairs_are_played_a_part_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways = ("random", "random")
    whole = tally_of(monkeypatch, ways, pairs=30)
    monkeypatch.setattr(play, "PAIRS_AT_ONCE", 7)

    assert checksum_of([tally_of(monkeypatch, ways, pairs=30)]) == checksum_of([whole])


def test_a_match_without_end_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = [[Chances(0.0, 1.0)] * 3] * 3
    match = matches_of(monkeypatch, ("fixed", "optimal"), pairs=1, chances=endless)

    assert (match.matches, match.draws) == (2, 2)
    assert match.rate_a.value == 0.5
    assert match.games == 2 * play.LONGEST


def test_the_two_games_of_a_pair_count_as_one_for_a_deck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = matches_of(monkeypatch, ("random", "random"), pairs=100)

    for deck in (*match.decks_a, *match.decks_b):
        assert deck.rate is not None
        counts = (deck.games - deck.wins - deck.draws, deck.draws, deck.wins)
        halved = mean_score_interval([count / 2 for count in counts])
        assert deck.rate.interval == halved
