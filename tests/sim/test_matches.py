"""Tournament matches: lineups, choices and whole tournaments."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import fakes
from helpers.fakes import FakeGames
from helpers.outputs import assert_tidy

import deckcheck
from deckcheck.cards import load_database
from deckcheck.decks import Deck, DeckSource
from deckcheck.decks.model import Header
from deckcheck.engine.gwent.match import GwentMatchRules, GwentMatchState
from deckcheck.findings import Position, Span, UsageError
from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head, Ints, ListedGame
from deckcheck.sim import MAX_SEED
from deckcheck.sim import matches as play
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.matches import Lineup, MatchResult, MatchTable, line_up, read_matches
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.scheduler import RunTallies, compile_and_play
from deckcheck.sim.seating import Request, Setting
from deckcheck.sim.selection import Chances, match_value, solve
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.stopping import Stopping
from deckcheck.sim.table_results import combine_checksums
from deckcheck.sim.tournament import chances_between, read_chances, recall_chances
from deckcheck.sim.workers import WorkerProcesses
from deckcheck.stats import mean_score_interval
from deckcheck.studies.registry import write_report

# Which decks are a lineup, what it is called, and what is known of its decks.

START = Span(Position(1, 1), Position(1, 1))
FORMAT = load_format("gwent/tournament")


def decks(path: str, *names: str, player: str = "") -> list[Entrant]:
    found = []
    for index, name in enumerate(names):
        headers = {"player": (Header(player, START),)} if player and not index else {}
        source = DeckSource(path, index)
        deck = Deck(source, name, None, None, None, (), START, headers)
        found.append(Entrant(deck, name, "random"))
    return found


ANNA = decks("lists/anna.deck", "A", "B", "C")
BEN = decks("lists/ben.deck", "D", "E", "F", player="Ben Ode")


def line(*entrants: Entrant, ways: tuple[str, ...] = ()) -> list[Lineup]:
    return line_up(FORMAT, entrants, ways)


def names_of(lineups: list[Lineup]) -> list[str]:
    return [lineup.name for lineup in lineups]


def test_the_decks_of_a_file_are_a_lineup() -> None:
    anna, ben = lineups = line(*ANNA, *BEN)
    assert "".join(entrant.name for entrant in anna.entrants) == "ABC"
    assert "".join(entrant.name for entrant in ben.entrants) == "DEF"
    assert names_of(lineups) == ["anna", "Ben Ode"]
    assert (anna.selection, ben.selection) == ("optimal", "optimal")
    assert anna.policies == ("random",)

    # Those of one name are told apart.
    assert names_of(line(*ANNA, *ANNA)) == ["anna (1)", "anna (2)"]
    other = decks("lists/ben_2.deck", "D", "E", "F", player="Ben Ode")
    named = line(*BEN, *other, ways=("random", "fixed"))
    assert names_of(named) == ["Ben Ode (ben.deck)", "Ben Ode (ben_2.deck)"]
    assert [each.selection for each in named] == ["random", "fixed"]

    one_deck = r"Found 1 deck in .lists/ben\.deck., a lineup of gwent/tournament has 3"
    with pytest.raises(UsageError, match=one_deck):
        line(*ANNA, *BEN[:1])
    with pytest.raises(UsageError, match="Found 3 selections for 2 lineups"):
        line(*ANNA, *BEN, ways=("fixed",) * 3)


def test_chances_are_read_from_both_sides(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    matchup = {"a": "D", "b": "A", "wins_a": 5, "wins_b": 3, "draws": 2}
    file.write_text(json.dumps({"matchups": [matchup]}), encoding="utf-8")
    known = recall_chances(read_chances(file))

    assert known["D", "A"] == Chances(0.5, 0.2)
    assert known["A", "D"] == Chances(0.3, 0.2)
    anna, ben = line(*ANNA, *BEN)
    one = Lineup("x", anna.entrants[:1], "fixed")
    other = Lineup("y", ben.entrants[:1], "fixed")
    assert chances_between(known, one, other) == [[Chances(0.3, 0.2)]]
    with pytest.raises(UsageError, match="No win rates are known for `A` against `E`"):
        chances_between(known, anna, ben)
    # A file without matchups is misuse.
    unplayed, wrong = {"wins_a": 0, "wins_b": 0, "draws": 0}, {"wins_a": -1}
    damaged = [{**matchup, **change} for change in (unplayed, wrong)]
    matchups = [3, [{"a": "A"}], *([each] for each in damaged)]
    for content in ([], {}, *({"matchups": each} for each in matchups)):
        file.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(UsageError, match="holds no matchups"):
            read_chances(file)


# Tournament matches, played with games that fall as their chances say.

SIZES = (3, 3)
TABLE = [
    [Chances(0.5, 0.1), Chances(0.7, 0.0), Chances(0.2, 0.1)],
    [Chances(0.3, 0.0), Chances(0.4, 0.2), Chances(0.8, 0.0)],
    [Chances(0.6, 0.1), Chances(0.1, 0.0), Chances(0.5, 0.0)],
]
ENDLESS = [[Chances(0.0, 1.0)] * 3] * 3

RULES = GwentMatchRules()
LINEUPS = [
    Lineup(name, tuple(Entrant(None, f"{name}{i}", "x") for i in range(3)), "fixed")
    for name in "ab"
]


def games_of(
    monkeypatch: pytest.MonkeyPatch, chances: list[list[Chances]] = TABLE
) -> FakeGames:
    """Games that fall as these chances say, in place of the engine's."""
    games = FakeGames(chances)
    monkeypatch.setattr("deckcheck.playing.table.play_listed", games)
    return games


def tally_of(
    monkeypatch: pytest.MonkeyPatch,
    selections: tuple[str, str],
    pairs: int,
    first: int = 0,
    chances: list[list[Chances]] = TABLE,
) -> Ints:
    games = games_of(monkeypatch, chances)
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
    return read_matches(*LINEUPS, tally, None, anytime=False)


def test_chance_decides_who_begins_and_pairs_are_mirrored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever chooses first begins in half of the games, in every game of a match."""
    games = games_of(monkeypatch)
    MatchTable(games.table, SIZES, ("fixed", "fixed"), {}, RULES).play(1, 0, 0, 400)
    first, later = np.split(np.array(games.played), [2 * 400])
    flips = (np.tile([0, 1], 400) ^ first[:, ListedGame.BEGINNER]).reshape(-1, 2)
    assert (flips[:, 0] == flips[:, 1]).all()
    assert 0.4 < flips.mean() < 0.6

    replayed = later[:, ListedGame.STREAM] % (4 * play.MAX_MATCH_GAMES) // 4 == 1
    assert 0.4 < later[replayed, ListedGame.BEGINNER].mean() < 0.6


def test_random_choices_have_nothing_to_do_with_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither those of both sides, of both matches of a pair, nor of two games."""
    games = games_of(monkeypatch, ENDLESS)
    monkeypatch.setattr(play, "MAX_MATCH_GAMES", 40)
    monkeypatch.setattr(fakes, "MAX_MATCH_GAMES", 40)
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


def test_optimal_choices_are_worth_their_value_and_a_match_without_end_a_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rate = matches_of(monkeypatch, ("optimal", "optimal"), pairs=600).rate_a
    value = match_value(solve(TABLE, RULES), RULES)
    assert rate.interval.low < value < rate.interval.high

    match = matches_of(monkeypatch, ("fixed", "optimal"), pairs=1, chances=ENDLESS)
    assert (match.matches, match.draws) == (2, 2)
    assert match.rate_a.value == 0.5
    assert match.games == 2 * play.MAX_MATCH_GAMES


def test_intervals_of_decks_count_pairs_and_are_wider_where_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those of the matches, of who chose first, and of each deck."""
    tally = tally_of(monkeypatch, ("random", "random"), pairs=60)
    fixed, looked = (
        read_matches(*LINEUPS, tally, None, anytime=looks) for looks in (False, True)
    )
    pairs = [(fixed.rate_a, looked.rate_a), (fixed.chose_first, looked.chose_first)]
    decks = (*fixed.decks_a, *fixed.decks_b)
    for deck, again in zip(decks, (*looked.decks_a, *looked.decks_b), strict=True):
        assert deck.rate is not None
        assert again.rate is not None
        counts = (deck.games - deck.wins - deck.draws, deck.draws, deck.wins)
        # The two games of a pair are as one.
        halved = mean_score_interval([count / 2 for count in counts])
        assert deck.rate.interval == halved
        pairs.append((deck.rate, again.rate))

    for narrow, wide in pairs:
        assert wide.value == narrow.value
        (low, high), (lowest, highest) = narrow.interval, wide.interval
        assert lowest < low < high < highest


def test_blocks_add_up_and_other_lineups_play_other_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And many pairs are played a part at a time."""
    ways = ("optimal", "random")
    whole = tally_of(monkeypatch, ways, pairs=40)
    parts = tally_of(monkeypatch, ways, pairs=15) + tally_of(monkeypatch, ways, 25, 15)
    monkeypatch.setattr(play, "PAIRS_AT_ONCE", 7)
    again = tally_of(monkeypatch, ways, pairs=40)
    assert len({combine_checksums([each]) for each in (whole, parts, again)}) == 1
    whole[0, Head.CHECKSUM] = parts[0, Head.CHECKSUM] = 0
    assert whole.tolist() == parts.tolist()

    streams = []
    for number in range(2):
        games = games_of(monkeypatch)
        table = MatchTable(games.table, SIZES, ("random",) * 2, {}, RULES)
        table.play(1, number, 0, 60)
        streams.append({game[ListedGame.STREAM] // 4 for game in games.played})
    assert len(streams[0]) > 9
    assert not streams[0] & streams[1]


# How decks are chosen: no choice is better than `optimal`.

Table = list[list[Chances]]


def random_table(seed: int, draws: float, rows: int = 3, columns: int = 3) -> Table:
    chance = random.Random(seed)

    def cell() -> Chances:
        draw = draws * chance.random()
        return Chances((1 - draw) * chance.random(), draw)

    return [[cell() for _ in range(columns)] for _ in range(rows)]


@pytest.mark.parametrize(
    ("draws", "sizes"), [(0.4, (3, 3)), (0.0, (3, 3)), (0.3, (2, 3)), (0.6, (4, 2))]
)
def test_no_choice_is_better_than_the_chosen_one(
    draws: float, sizes: tuple[int, int]
) -> None:
    """In every state: whatever else is chosen is worth no more to who chooses."""
    rows, columns = sizes
    table = random_table(rows * columns, draws, rows, columns)
    plans = solve(table, RULES)

    def worth(state: GwentMatchState, a: int, b: int) -> float:
        win, draw = table[a][b]
        won = (state.won[0] | {a}, state.won[1])
        lost = (state.won[0], state.won[1] | {b})
        values = [
            1.0 if len(won[0]) == 2 else plans[GwentMatchState(won, 0)].value,
            0.0 if len(lost[1]) == 2 else plans[GwentMatchState(lost, 1)].value,
        ]
        return (win * values[0] + (1 - win - draw) * values[1]) / (1 - draw)

    assert len(plans) == 2 + rows + columns + 2 * rows * columns
    assert 0 <= match_value(plans, RULES) <= 1
    for state, plan in plans.items():
        sign = 1 if state.first == 0 else -1
        decks, others = sizes[state.first], sizes[1 - state.first]
        firsts = RULES.open_decks(state, state.first, decks)
        assert {*firsts} == {*range(decks)} - state.won[state.first]
        closed = {deck for deck in range(decks) if plan.replies[deck] is None}
        assert closed == {*range(decks)} - {*firsts}
        seconds = RULES.open_decks(state, 1 - state.first, others)
        of_first = {}
        for deck in firsts:
            pairs = [(deck, o) if state.first == 0 else (o, deck) for o in seconds]
            replies = {
                pair[1 - state.first]: sign * worth(state, *pair) for pair in pairs
            }
            reply = plan.replies[deck]
            assert reply is not None
            assert replies[reply] == pytest.approx(min(replies.values()))
            of_first[deck] = replies[reply]
        assert of_first[plan.first] == pytest.approx(max(of_first.values()))
        assert plan.value == pytest.approx(sign * of_first[plan.first])


def test_an_unused_deck_is_a_restriction_of_the_winner_alone() -> None:
    table = random_table(1, 0.2)
    rules = GwentMatchRules(wants_unused=True)
    plans = solve(table, rules)

    for state, plan in plans.items():
        assert plan.first not in state.used[state.first]
        loser = 1 - state.first
        assert len(RULES.open_decks(state, loser, 3)) == 3 - len(state.won[loser])


def test_value_of_replays_with_the_same_decks_and_of_equal_choices() -> None:
    """Who only draws is worth half a match, and the first of the file is taken."""
    table = random_table(4, 0.8)
    same = solve(table, GwentMatchRules(replays_decks=True))
    assert match_value(same, RULES) == match_value(solve(table, RULES), RULES)

    plan = solve([[Chances(0.5, 0.0)] * 3] * 3, RULES)[RULES.begin(1)]
    assert match_value(solve(ENDLESS, RULES), RULES) == 0.5
    assert (plan.first, plan.replies) == (0, (0, 0, 0))


# Tournament matches with the real engine: the same however they are played.

FOLDER = Path(__file__).parents[2] / "decks" / "gwent" / "tournament"
KIN, CROWNS = (
    FOLDER / f"{name}.deck" for name in ("kin_of_the_coast", "crowns_and_claws")
)


def simulation_of(*files: Path, games: int = 60, policy: str = "random") -> Simulation:
    decks = [deck for file in files for deck in deckcheck.read(file)]
    entrants = tuple(Entrant(deck, deck.name, policy) for deck in decks)
    fmt, database = load_format("gwent/tournament"), load_database("gwent")
    request = Request(games, 3, (policy,))
    return Simulation(Setting(fmt, database, request), entrants)


def changed(simulation: Simulation, **changes: Any) -> Simulation:
    """The simulation of the same lineups with another request."""
    setting = simulation.setting
    request = replace(setting.request, **changes)
    return replace(simulation, setting=replace(setting, request=request))


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return simulation_of(KIN, CROWNS)


@pytest.fixture(scope="module")
def played_matches(simulation: Simulation) -> SimulationResult:
    return simulation.run()


def test_the_size_of_blocks_changes_no_match(
    simulation: Simulation,
    played_matches: SimulationResult,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time is that of measuring and of matches."""

    def in_a_second(*work: Any, **options: Any) -> RunTallies:
        return replace(compile_and_play(*work, **options), seconds=1.0)

    monkeypatch.setattr("deckcheck.sim.simulation.compile_and_play", in_a_second)
    result = simulation.run(block_sets=7)

    assert result.checksum == played_matches.checksum
    assert result.matches == played_matches.matches
    assert result.seconds == 2


@pytest.mark.slow
def test_workers_change_no_match(
    simulation: Simulation, played_matches: SimulationResult
) -> None:
    workers = WorkerProcesses(2)
    try:
        result = simulation.run(jobs=2, executor=workers, block_sets=10)
    finally:
        workers.stop()

    assert result.checksum == played_matches.checksum
    assert result.matches == played_matches.matches


def test_another_lineup_leaves_the_matches_of_the_others(
    played_matches: SimulationResult,
) -> None:
    three = simulation_of(KIN, CROWNS, FOLDER / "daggers_and_mead.deck").run()

    assert len(three.matches) == 3
    assert three.matches[0] == played_matches.matches[0]
    _, _, overview = write_report(three, "table").partition("3 matches of lineups")
    assert re.findall(r"(\d+) +(\d+) +(\d+)\n", overview) == [
        (str(m.wins_a), str(m.wins_b), str(m.draws)) for m in three.matches
    ]


def test_measured_chances_can_be_read_again(
    simulation: Simulation, played_matches: SimulationResult, tmp_path: Path
) -> None:
    """They are measured only where they are wanted."""
    file = tmp_path / "run.json"
    file.write_text(write_report(played_matches, "json"), encoding="utf-8")
    result = changed(simulation, matchups=read_chances(file)).run()
    without = changed(simulation, selections=("random", "fixed")).run()

    assert result.checksum == played_matches.checksum
    assert result.matches == played_matches.matches
    assert (len(played_matches.matchups), result.matchups) == (9, ())
    assert result.chances_from == str(file)
    assert without.matchups == ()
    assert without.matches[0].value is None
    assert [lineup.selection for lineup in without.lineups] == ["random", "fixed"]


def test_duels_are_measured_in_a_third_as_many_games_as_matches() -> None:
    """No more than is needed to know them well, in shuffles of their own."""
    for matches, pairs in ((61, 31), (4_000, 666), (24_000, 2_000)):
        tournament = simulation_of(KIN, CROWNS, games=matches).tournament
        assert tournament is not None
        assert {job.sets for job in tournament.measuring_jobs()} == {pairs}, matches
    simulations = [changed(simulation_of(KIN, CROWNS), seed=seed) for seed in range(20)]
    seeds = {each.tournament.measuring_seed for each in simulations if each.tournament}
    assert len(seeds) == 20
    assert not seeds & set(range(20))
    assert all(0 <= seed <= MAX_SEED for seed in seeds)


def test_matches_that_a_rule_stopped_say_so(simulation: Simulation) -> None:
    stopping = Stopping(until_width=0.5)
    found = changed(simulation, games=400, stopping=stopping).run()
    [match] = found.matches

    assert found.stopped.reached
    assert match.rate_a.interval.high - match.rate_a.interval.low <= 0.5
    assert all(each.anytime for each in match.table.performances)


@pytest.mark.slow
@pytest.mark.parametrize("lineup", [KIN, CROWNS])
def test_optimal_does_not_lose_to_random(lineup: Path) -> None:
    """The same lineup on both sides, so that choosing alone makes the difference."""
    simulation = simulation_of(lineup, lineup, games=2000)
    ways = ("optimal", "random")
    rate = changed(simulation, selections=ways).run().matches[0].rate_a

    assert rate.interval.high > 0.5
    assert rate.value > 0.49


def test_matches_from_python(played_matches: SimulationResult) -> None:
    result = deckcheck.simulate(str(KIN), CROWNS, games=60, seed=3, policies="random")
    names = [lineup.name for lineup in result.lineups]

    assert result.checksum == played_matches.checksum
    frame = assert_tidy(result)
    rates = frame[frame["metric"] == "match_win_rate"]
    assert list(rates["deck"]) == list(rates["lineup"]) == names


def test_a_deck_picked_out_of_a_lineup_is_refused() -> None:
    """Decks that were read before may be any of their file."""
    message = "Found 1 deck in .*kin_of_the_coast.deck., a lineup of gwent/tournament"
    for picked in deckcheck.read(KIN)[:2]:
        with pytest.raises(deckcheck.UsageError, match=message):
            deckcheck.simulate(picked, CROWNS, games=2, format="gwent/tournament")
