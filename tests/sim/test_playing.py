"""Simulations with the real engine, from decks to figures."""

import csv
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.fakes import jobs_of
from helpers.results import SETS, a_table, played, tried

import deckcheck
from deckcheck import UsageError, simulate
from deckcheck.cards import load_database
from deckcheck.engine.registry import (
    CrashedGame,
    EngineError,
    GameDoesNotEnd,
    UnplayedCode,
    load_game,
)
from deckcheck.formats import database_of, load_format
from deckcheck.playing import table as table_module
from deckcheck.playing.kernel import Head, Ints, Way, play_games
from deckcheck.playing.redraws import HandSum, Redraws, Watched, games_played
from deckcheck.playing.table import (
    DUEL_STREAMS,
    GameLog,
    Table,
    play_listed,
    seat,
    set_table,
)
from deckcheck.playing.versions import (
    VERSION_SEAT,
    retune_table,
    seat_version,
    seat_versions,
)
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.jobs import Job
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.scheduler import GameSession, Progress
from deckcheck.sim.seating import Request, Setting
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.workers import InProcess, WorkerProcesses
from deckcheck.studies.duel_tables import make_duel_report
from deckcheck.studies.observed import SEEN_WAYS, measure_observed_cards, watch_cards

# Shuffles of which both games would be the same are played once, and counted so.

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SWARM, SIEGE = STANDARD / "mo_swarm.deck", STANDARD / "nr_siege_masters.deck"
ARCHERS = STANDARD / "st_beautiful_archers.deck"
HEALERS = STANDARD / "st_smugglers_and_healers.deck"


def simulated(*decks: Path, games: int = 60, **more: object) -> SimulationResult:
    options = {"policies": "heuristic-1", **more}
    return deckcheck.simulate(*decks, games=games, **options)


def test_it_is_where_one_player_chooses_and_nobody_draws_lots() -> None:
    for a, b, policy, is_once in (
        (ARCHERS, SWARM, "heuristic-1", True),
        (SWARM, ARCHERS, "heuristic", True),
        (ARCHERS, HEALERS, "heuristic", False),
        (SIEGE, SWARM, "heuristic", False),
        (ARCHERS, SWARM, "random", False),
        (ARCHERS, SWARM, "search:2", False),
    ):
        table = table_of(a, b, policy)
        assert table.beginner_matters.tolist() == [not is_once], (a, b, policy)


def table_of(a: Path, b: Path, policy: str = "heuristic") -> Table:
    [first], [second] = deckcheck.read(a), deckcheck.read(b)
    seats = [seat(first, policy), seat(second, policy)]
    return set_table(load_format("gwent/standard"), load_database("gwent"), seats)


def test_both_games_would_have_been_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "beginner_matters", np.ones(1, np.bool_))
    for other in (SWARM, SIEGE):
        table, log = table_of(other, ARCHERS), GameLog()
        both = table.play(1, 0, 0, 50, log)
        once = replace(table, once=True).play(1, 0, 0, 50)
        games = log.outcomes

        assert (games[::2] == games[1::2]).all()
        assert np.array_equal(once[1:3, 9:], both[1:3, 9:])


def test_studies_play_them_once_too_and_count_the_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Against Scoia'tael half of the games, against others all: the same tallies."""
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    decks = deckcheck.read(ARCHERS, HEALERS, SIEGE, SWARM)
    archers, healers, *versions = (seat(each, "heuristic-1") for each in decks)
    played = []

    def play(*args: Any) -> None:
        played.append(len(args[4]))
        play_games(*args)

    monkeypatch.setattr(table_module, "play_games", play)
    tallies = []
    for matters in (Table.beginner_matters, np.ones(1, np.bool_)):
        monkeypatch.setattr(Table, "beginner_matters", matters)
        seats = [*versions, healers]
        against = seat_versions(fmt, database, archers, seats, [(0, 1)])
        tallies.append(against.play(1, 0, 0, 40))
    assert played == [40 + 40 + 80, 3 * 80]
    assert (tallies[0] == tallies[1]).all()


def test_a_crash_names_the_game_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is counted among all that were asked for, copies included."""
    table = table_of(SWARM, ARCHERS)
    for error in (IndexError(), GameDoesNotEnd(), UnplayedCode("a card")):

        def crash(*args: Any, error: Exception = error) -> None:
            args[-1][0] = 3
            raise error

        monkeypatch.setattr(table_module, "play_games", crash)
        with pytest.raises(CrashedGame, match="game 3, beginner 0") as crashed:
            play_listed(table, 1, table.list_games(0, np.arange(5)))
        assert crashed.value.index == 6, error


def test_every_game_is_counted_once_and_the_report_says_so(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    result = simulated(SWARM, ARCHERS, SIEGE, games_table=file)
    with open(file, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    games = [each.games for each in result.matchups]

    assert games == [30, 60, 30]
    assert result.games_played == sum(games) == len(rows)
    for each in result.matchups:
        assert each.wins_a + each.wins_b + each.draws == each.games
        assert each.a_starts.games + each.b_starts.games == each.games
        assert sum(each.pairs) == 30
        points = sum(i * pairs for i, pairs in enumerate(each.pairs))
        assert points == (2 * each.wins_a + each.draws) * 60 / each.games
    first = [row for row in rows if row["table"] == "1"]
    assert [int(row["game"]) for row in first] == list(range(1, 31))
    assert sum(row["winner"] == "The swarm" for row in first) == (
        result.matchups[0].wins_a
    )
    facts = dict(make_duel_report(result).facts)
    alone = dict(make_duel_report(simulated(SWARM, ARCHERS)).facts)
    assert facts["one game"].startswith("in 2 of 3 matchups: an ability decides")
    assert alone["one game"].startswith("an ability decides who begins")
    assert "one game" not in dict(make_duel_report(simulated(SWARM, SIEGE)).facts)


# Redraws as an experiment wants them, in games that are the same but for these.

UNCOMPILED = """
from helpers.results import a_table, tried
for line in tried(a_table("gwent/standard", "sane_random")):
    print(*line)
"""


def a_hand(table: Redraws) -> tuple[int, ...]:
    """The first ten cards of the list, among them copies."""
    cards = Counter(table.table.read_contexts()[0]["deck"][VERSION_SEAT].tolist())
    return tuple(sorted(card for card in cards.elements() if card))[8:18]


def usual_redraws(table: Redraws) -> tuple[int, ...]:
    """The two cards that the player mostly redraws, in their order."""
    own = played(table, Way.OWN).redrawn[:, 1:3]
    return Counter(map(tuple, own.tolist())).most_common(1)[0][0]


@pytest.fixture(scope="module")
def table() -> Redraws:
    return a_table()


@pytest.fixture(scope="module")
def tally(table: Redraws) -> Ints:
    return table.play(1, 0, 0, SETS)


def test_own_redraws_change_no_game(table: Redraws, tally: Ints) -> None:
    """And both games of a pair deal the same hand."""
    plain = table.table.play(1, 0, 0, SETS)
    counted = tally[: len(plain)].copy()
    counted[0, Head.CHECKSUM] = plain[0, Head.CHECKSUM]

    np.testing.assert_array_equal(counted, plain)
    assert tally[0, Head.CHECKSUM] != plain[0, Head.CHECKSUM]
    dealt = played(table, Way.OWN).dealt
    np.testing.assert_array_equal(dealt[::2], dealt[1::2])
    assert (dealt.sum(axis=1) == 10).all()
    assert len({tuple(row) for row in dealt.tolist()}) > SETS / 2


def test_a_card_is_kept_or_redrawn_first(table: Redraws) -> None:
    natural = played(table, Way.OWN, sets=20)
    for slot, [card] in enumerate(table.choices):
        kept = played(table, Way.KEPT, card, sets=20)
        has = kept.dealt[:, slot] > 0
        np.testing.assert_array_equal(kept.dealt, natural.dealt)
        assert not (kept.redrawn[has, 1:] == card).any()
        first = played(table, Way.FIRST, card, sets=20)
        np.testing.assert_array_equal(first.dealt, natural.dealt)
        assert (first.redrawn[has, 1] == card).all()
        # The others are the player's own choice, two in all.
        assert first.redrawn[has, 0].max() <= 3
    assert natural.redrawn[:, 0].max() == 3
    assert (played(table, Way.ONLY).redrawn[:, 0] == 1).all()


def test_a_certain_hand_is_dealt(table: Redraws) -> None:
    hand = a_hand(table)
    dealt, counts = replace(table, hand=hand), Counter(hand)
    first = played(dealt, Way.FIRST, hand[0])
    of_hand = tuple(counts[card] for [card] in table.choices)
    assert all(tuple(row) == of_hand for row in first.dealt)
    assert (first.redrawn[:, 1] == hand[0]).all()
    # What is drawn for it is not always the same card: the rest is shuffled.
    own = played(dealt, Way.OWN).redrawn
    assert len({tuple(row) for row in own.tolist()}) > 1

    # These cards are redrawn and no others.
    for choice in [*combinations(hand, 1), *combinations(hand, 2)]:
        redrawn = played(dealt, Way.ONLY, *choice, sets=2).redrawn
        size = len(choice)
        assert redrawn[:, : 2 + size].tolist() == [[1 + size, *choice, 0]] * 4
    # A hand of another size tells nothing.
    nine = replace(table, hand=hand[:9])
    tally = nine.play(1, 0, 0, 4)
    assert not nine.moments(tally).any()
    assert games_played(tally) == 8


def test_games_that_would_be_the_same_are_not_played_again(
    table: Redraws, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt = replace(table, hand=a_hand(table))
    of_hand = replace(dealt, choices=(usual_redraws(dealt),))
    for each in (table, of_hand):
        few = each.play(1, 0, 0, SETS)
        with monkeypatch.context() as patch:
            patch.setattr(Redraws, "draws_no_lots", False)
            every = each.play(1, 0, 0, SETS)
        np.testing.assert_array_equal(each.moments(few), each.moments(every))
        assert games_played(few) < games_played(every)


def expected_moments(has: Ints, by_player: Ints, kept: Ints, redrawn: Ints) -> Ints:
    """The moments of the games that `has`, summed over their pairs."""
    n, k, r = (part[::2] + part[1::2] for part in (has, kept * has, redrawn * has))
    columns = [n, k, r, n * n, n * k, n * r, k * k, k * r, r * r]
    first = [(n > 0).sum(), (by_player & has).sum()]
    return np.array([*first, *(column.sum() for column in columns)])


def test_moments_are_those_of_single_games(table: Redraws, tally: Ints) -> None:
    """Blocks add up."""
    moments = table.moments(tally)
    parts = table.play(1, 0, 0, 20) + table.play(1, 0, 20, SETS - 20)
    np.testing.assert_array_equal(moments, table.moments(parts))
    assert games_played(tally) == games_played(parts)

    own = played(table, Way.OWN)
    for slot, [card] in list(enumerate(table.choices))[:4]:
        kept, first = (played(table, way, card).points for way in (Way.KEPT, Way.FIRST))
        has = (own.dealt[:, slot] > 0).astype(int)
        by_player = (own.redrawn[:, 1:] == card).any(axis=1).astype(int)
        expected = expected_moments(has, by_player, kept, first)
        assert moments[slot].tolist() == expected.tolist()


@pytest.mark.compiled
def test_uncompiled_games_are_the_same() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", UNCOMPILED],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[1],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        text=True,
    )
    lines = [[int(word) for word in line.split()] for line in ran.stdout.splitlines()]

    assert lines == tried(a_table(policy="sane_random"))


def test_sg_gwint_redraws_in_the_same_ways() -> None:
    """There cards go under the deck; each way has outcomes, hands and redraws."""
    table = a_table("sg_gwint/approximation", "sane_random")
    cards, lines = [card for [card] in table.choices], tried(table)
    for way, dealt, redrawn in zip(Way, lines[1::3], lines[2::3], strict=True):
        hands = np.array(dealt[1:]).reshape(2, len(cards))
        rows = np.array(redrawn[1:]).reshape(2, -1)
        card = cards[int(hands[0].argmax())]
        assert (hands.sum(axis=1) == 10).all()
        assert rows[:, 0].min() >= 1
        assert rows[:, 0].max() <= 3
        if way is Way.FIRST:
            assert (rows[:, 1] == card).all()
        if way is Way.KEPT:
            assert not (rows[:, 1:] == card).any()
        if way is Way.ONLY:
            assert rows[:, :3].tolist() == [[2, card, 0]] * 2


# Games at tables, from decks to result: reproducible, or refused.

SOLO = STANDARD.parent / "solo_built" / "nr_bonds.deck"
CROSSROADS = STANDARD.parents[1] / "deckmaster" / "standard" / "crossroads.deck"


def play(*decks: Path, **options: Any) -> SimulationResult:
    return simulate(*decks, **{"games": 60, "policies": "random", **options})


def test_a_solo_deck_meets_the_factions_named_or_all() -> None:
    """The same run elsewhere has the same checksum."""
    solo = play(SOLO, opponents=["monsters", "Nilfgaard"])
    assert [table.entrants[1] for table in solo.tables] == [
        *("automa (Monsters)", "automa (Nilfgaard)")
    ]
    assert [(table.games, table.sets) for table in solo.tables] == [(60, 60)] * 2
    assert len(play(SOLO, games=2).tables) == 5

    worker = WorkerProcesses(1)
    try:
        opponents = ["Monsters", "nilfgaard", "monsters"]
        again = play(SOLO, opponents=opponents, executor=worker)
    finally:
        worker.stop()
    assert (again.checksum, again.tables) == (solo.checksum, solo.tables)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    large.write_text(
        "title: L\nextends: deckmaster/standard\n"
        "constraints: {cards: {min: 70, max: 70}}\n"
    )
    pool = {"format": "gwen_t/pool", "random_decks": True}
    both = {"format": "deckmaster/standard", "random_decks": True}
    for decks, options, message in (
        ([], {**pool, "format": "gwent/free_for_all"}, "deals no random decks"),
        ([], {**pool, "players": 3, "policies": ["random"] * 2}, "for 3 players"),
        ([], {**pool, "players": 0}, "Found 0 players, gwen_t/pool is for 2 to 6"),
        ([], {**both, "players": 3}, "Found 3 players, deckmaster/standard is for 2"),
        ([], {**both, "format": large}, "1 to 60 cards, this one has 70"),
        ([CROSSROADS], both, "Both decks and `random_decks` were given"),
        ([], {"format": "gwent/standard"}, "got no deck"),
        (
            [SWARM] * 2,
            {"format": "gwent/free_for_all", "allow_illegal": True},
            "gwent/free_for_all is for 3 to 5",
        ),
    ):
        with pytest.raises((UsageError, EngineError), match=message):
            play(*decks, **options)


# Tables of two at which the cards differ: all else is as it was.


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    """A deck against two others that differ in one card."""
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    third = STANDARD.parents[2] / "examples" / "compare" / "third_decoy_out.deck"
    swarm, *others = deckcheck.read(SWARM, SIEGE, third)
    seats = [[seat(deck, "random") for deck in (swarm, other)] for other in others]
    return [set_table(fmt, database, each, streams=DUEL_STREAMS) for each in seats]


def test_a_version_is_the_table_with_these_cards_and_games_of_its_stream(
    tables: list[Table],
) -> None:
    """Common cards lie in the same places. The job changes no game: a later step of a
    search plays the same games."""
    base, other = tables
    found = retune_table(base, [other], stream=3)
    expected = other.read_contexts()[0]
    own, version = (found.of(i).read_contexts()[0] for i in range(2))
    assert (own["deck"] != version["deck"]).sum(axis=1).tolist() == [0, 1]
    assert sorted(version["deck"][1]) == sorted(expected["deck"][1])
    version["deck"] = expected["deck"]
    assert version.tobytes() == expected.tobytes()

    tally = found.play(5, 1, 0, 10)
    np.testing.assert_array_equal(found.play(5, 2, 0, 10), tally)
    later = retune_table(base, [other], stream=4).play(5, 1, 0, 10)
    assert later[0, 0] != tally[0, 0]


# What a session of games knows of the jobs that it played.


def test_each_job_has_sets_of_its_own() -> None:
    [one], [*_, other] = jobs_of(2, 8), jobs_of(3, 5)
    games = GameSession(7, 1, InProcess())
    assert games.find_played(one) == (0, None)
    games.play([one], ())
    games.play([other], ())

    for job in (one, other):
        sets, tally = games.find_played(job)
        assert tally is not None
        assert sets == tally.unpack()[0] == job.sets
        assert games.missing(job) == [range(job.sets, job.sets)]


def test_a_part_has_an_expected_time_before_its_first_block(
    tables: list[Table],
) -> None:
    first, second = (
        Job(number, "", table, ("random", "random"), 8)
        for number, table in enumerate(tables)
    )
    told: list[Progress] = []
    games = GameSession(7, 1, InProcess(), watch=told.append)
    games.expect({"random": 16, "learned": 32})
    games.play([first], ())
    games._games[second.number] = second.games
    games._bots[second.number] = "learned"
    tell = games._wrap_watch(told.append, [second])
    assert tell is not None
    tell(Progress(0, 16, 1.0, second, None))
    assert (told[-1].games, told[-1].games_total) == (16, 48)
    assert told[-1].seconds_left == games._speeds.expect({"learned": 32})
    assert told[-1].seconds_left


# Simulations with the real engine: the same however they are played.


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    policies = ("heuristic", "random", "sane_random")
    decks = deckcheck.read(SWARM, SIEGE, ARCHERS)
    entrants = tuple(
        Entrant(deck, deck.name, policy)
        for deck, policy in zip(decks, policies, strict=True)
    )
    fmt = load_format("gwent/standard")
    setting = Setting(fmt, load_database("gwent"), Request(400, 5, policies))
    return Simulation(setting, entrants)


@pytest.fixture(scope="module")
def expected(simulation: Simulation) -> SimulationResult:
    return simulation.run()


def test_blocks_change_no_result_and_another_seed_does(
    simulation: Simulation, expected: SimulationResult
) -> None:
    for block_sets in (1, 33):
        result = simulation.run(block_sets=block_sets)
        assert result.checksum == expected.checksum
        assert result.matchups == expected.matchups
    request = replace(simulation.setting.request, seed=6)
    setting = replace(simulation.setting, request=request)
    assert replace(simulation, setting=setting).run().checksum != expected.checksum


# Watched games are the games of the table, and what is seen adds up.

WATCHED_SETS = 300


CARDS = [*deckcheck.read(SIEGE)[0].counts()]


@pytest.fixture(scope="module")
def watched() -> tuple[Watched, Ints]:
    """A table at which all cards are watched, and the tally of its games."""
    fmt = load_format("gwent/standard")
    seats = [seat(deck, "sane_random") for deck in deckcheck.read(SWARM, SIEGE)]
    table = seat_version(fmt, database_of(fmt), *seats)
    numbers = load_game("gwent").card_numbers(database_of(fmt))
    found = watch_cards(table, numbers, CARDS)
    return found, found.play(5, 3, 0, WATCHED_SETS)


def test_watching_changes_no_game(watched: tuple[Watched, Ints]) -> None:
    """Blocks add up."""
    table, tally = watched
    plain = table.table.play(5, 3, 0, WATCHED_SETS)
    np.testing.assert_array_equal(tally[: len(plain)], plain)

    parts = table.play(5, 3, 0, 100) + table.play(5, 3, 100, WATCHED_SETS - 100)
    np.testing.assert_array_equal(table.moments(tally), table.moments(parts))


def test_a_difference_is_that_of_two_win_rates(watched: tuple[Watched, Ints]) -> None:
    table, tally = watched
    moments = table.moments(tally)
    total = sum(score * int(tally[1, 9 + score]) for score in range(5))
    for each in measure_observed_cards(CARDS, [table], [tally]):
        if each.difference is None:
            continue
        own = moments[CARDS.index(each.card), SEEN_WAYS.index(each.way)]
        with_it = own[HandSum.H] / (2 * own[HandSum.N])
        without = (total - own[HandSum.H]) / (2 * (2 * WATCHED_SETS - own[HandSum.N]))
        low, high = each.difference.interval

        assert each.win_rate == pytest.approx(with_it)
        assert each.difference.value == pytest.approx(with_it - without)
        # About as wide as for games that are independent.
        games = [own[HandSum.N], 2 * WATCHED_SETS - own[HandSum.N]]
        plain = 1.96 * np.sqrt(sum(0.25 / n for n in games))
        assert 0.4 * plain < (high - low) / 2 < 1.5 * plain
