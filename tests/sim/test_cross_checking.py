"""The cross-check: the first games of a run as another player plays them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.results import make_simulation, tally_of

import deckcheck
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.policies import AUTO
from deckcheck.sim import CROSS_CHECK, NOBODY
from deckcheck.sim.cross_checking import (
    MIN_CROSS_CHECKED_GAMES,
    MIN_SECOND_GAMES,
    compute_second_share,
    count_second_sets,
    find_bot_name,
    find_cross_check,
    usual_games,
)
from deckcheck.sim.figures import (
    DEPENDS_ON_PLAYER,
    Claim,
    describe_dispute,
    join_answer,
)
from deckcheck.sim.run_directory import open_run
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.simulation import _find_cross_check
from deckcheck.sim.study import Interrupted
from deckcheck.sim.table_results import TableResult, make_table_result
from deckcheck.stats import Estimate, Interval, Verdict
from deckcheck.studies.compare import make_comparison_report
from deckcheck.studies.simulation_answers import simulation_answers
from deckcheck.studies.simulation_page import simulation_report

SIEGE = "decks/gwent/standard/nr_siege_masters.deck"
SWARM = "decks/gwent/standard/mo_swarm.deck"
HUNT = "decks/gwent/standard/mo_wild_hunt.deck"


def test_only_many_games_are_played_again_unasked() -> None:
    few, many = MIN_CROSS_CHECKED_GAMES - 2, MIN_CROSS_CHECKED_GAMES
    for games, cross_check, player in (
        *((few, CROSS_CHECK, None), (many, CROSS_CHECK, "learned")),
        *((2, "learned", "learned"), (many, NOBODY, None)),
    ):
        asked = {"games": games, "policies": ("heuristic",)}
        simulation = make_simulation(SIEGE, SWARM, **asked, cross_check=cross_check)
        assert _find_cross_check(simulation) == player, (games, cross_check)
    # Who usually plays.
    usual = {
        "learned": "gwent/standard gwent/tournament",
        "heuristic": "gwent/free_for_all gwent/two_vs_two gwent/solo gwen_t/pool "
        "sg_gwint/approximation deckmaster/standard",
    }
    for player, formats in usual.items():
        for fmt in map(load_format, formats.split()):
            assert find_bot_name(AUTO, fmt) == player, fmt.id
            assert find_bot_name("random", fmt) == "random"


def test_a_second_player_takes_as_long_as_the_first() -> None:
    duel = load_format("gwent/standard")
    for policies, cross_check, games, played in (
        (["heuristic"], "learned-1", 100_000, 5_000),
        (["heuristic"], "learned", 30_000, 3_000),
        (["heuristic"], "learned-1", 10_000, MIN_SECOND_GAMES),
        (["heuristic"], "learned", 400, 400),
        (["random", "learned"], "learned", 10_000, 10_000),
        (["learned"], "search:64", 1_000_000, 6_511),
        (["learned"], "heuristic", 10_000, 10_000),
    ):
        part = compute_second_share(duel, policies, cross_check, games)
        assert count_second_sets(games, part) == played, (policies, cross_check, games)
    # Rounded up; at tables `learned` tries moves and takes longer; validation is short.
    assert [count_second_sets(sets, 0.1) for sets in (1, 10, 11, 30)] == [1, 1, 2, 3]
    table = load_format("gwent/free_for_all")
    assert compute_second_share(table, ["heuristic"], "learned", 100_000) == 0.05
    validations = [usual_games("learned", games) for games in (100, 10**6, 10**9)]
    assert [*validations, usual_games("search:64", 10**9)] == [2, 10_000, 10_000, 1_000]
    both = [usual_games(policy, 80_000) for policy in ("learned", "heuristic")]
    assert both == [800, 8_000]


CROSS_CHECKS = (
    ("gwent/standard", 2, ["heuristic"], CROSS_CHECK, "learned"),
    ("gwent/standard", 2, ["heuristic", "heuristic-1"], CROSS_CHECK, "learned"),
    ("gwent/standard", 2, ["heuristic", "learned"], CROSS_CHECK, None),
    ("gwent/standard", 2, ["learned"], CROSS_CHECK, "heuristic"),
    ("gwent/free_for_all", 3, ["learned"], CROSS_CHECK, "heuristic"),
    ("gwent/standard", 2, ["random"], CROSS_CHECK, None),
    ("gwent/standard", 2, ["learned-3"], CROSS_CHECK, None),
    ("gwent/standard", 2, ["search"], CROSS_CHECK, None),
    ("gwent/solo", 1, ["heuristic"], CROSS_CHECK, None),
    ("gwen_t/pool", 2, ["heuristic"], CROSS_CHECK, None),
    ("gwen_t/pool", 2, ["learned"], CROSS_CHECK, None),
    ("gwent/standard", 2, ["heuristic"], NOBODY, None),
    ("gwent/standard", 2, ["random"], "search:8", "search:8"),
)
"""Formats, seats, bots and what is asked, with the bot of the cross-check."""


def test_learned_and_heuristic_confirm_each_other_in_games_that_both_know() -> None:
    for format, players, policies, cross_check, player in CROSS_CHECKS:
        fmt = load_format(format)
        found = find_cross_check(cross_check, None, fmt, policies, players)
        assert found == player, (format, policies, cross_check)
        if player is None:
            with pytest.raises(UsageError, match="goes with `--cross-check` only"):
                find_cross_check(cross_check, 100, fmt, policies, players)


def played_again(*decks: str, **options: Any) -> deckcheck.SimulationResult:
    options = {
        "games": 60,
        "policies": "heuristic-1",
        "cross_check": "sane_random",
        "cross_check_games": 20,
    } | options
    return deckcheck.simulate(*decks, **options)


def untimed(result: deckcheck.SimulationResult) -> deckcheck.SimulationResult:
    """The result without what differs from run to run, by both players."""
    again = result.cross_checked
    cross_checked = None if again is None else replace(again, seconds=None, jobs=None)
    return replace(result, seconds=None, jobs=None, cross_checked=cross_checked)


def test_it_is_the_first_games_of_the_run_by_another_player(
    of_four: deckcheck.SimulationResult,
) -> None:
    both = played_again(SIEGE, SWARM, HUNT)
    alone = played_again(SIEGE, SWARM, HUNT, cross_check="none", cross_check_games=None)
    few: Any = {"policies": "sane_random", "cross_check": "none"}
    again = deckcheck.simulate(SIEGE, SWARM, HUNT, games=20, **few)
    assert alone.cross_checked is None
    assert both.checksum == alone.checksum
    assert both.cross_checked.checksum == again.checksum
    assert both.cross_checked.games == 20
    assert both.cross_checked.players == ("sane_random",)
    rates = [[m.win_rate(m.a) for m in x.matchups] for x in (both.cross_checked, again)]
    assert rates[0] == rates[1]
    document: Any = both.to_dict()
    assert document["cross_checked"]["checksum"] == again.checksum
    assert "cross_checked" not in alone.to_dict()
    rows = [row for row in both.to_rows() if row["metric"] == "win_rate_cross_checked"]
    assert len(rows) == 3 + 2 * 3
    # At tables of several it is played too.
    again = deckcheck.simulate(CORNERS, games=4, **few)
    assert of_four.cross_checked.checksum == again.checksum


def test_a_rule_that_stops_a_run_stops_what_is_played_again() -> None:
    both = played_again(
        SIEGE, SWARM, games=20_000, cross_check_games=200, until_width="10%"
    )
    assert both.games_played < 20_000
    assert both.cross_checked.games_played == -(-both.games_played // 200) * 2


def test_a_run_keeps_both_and_goes_on_with_either(tmp_path: Path) -> None:
    """Shards play their parts of it."""
    whole = played_again(SIEGE, SWARM)
    folder = tmp_path / "run"
    assert untimed(played_again(SIEGE, SWARM, run=folder)) == untimed(whole)
    assert untimed(open_run(folder).result()) == untimed(whole)

    def stop(progress: Progress) -> None:
        if progress.note:
            raise KeyboardInterrupt

    cut = tmp_path / "cut"
    with pytest.raises(Interrupted) as caught:
        played_again(SIEGE, SWARM, run=cut, progress=stop)
    assert caught.value.result.checksum == whole.checksum
    assert not caught.value.result.complete
    assert untimed(deckcheck.resume(cut)) == untimed(whole)
    shards = [tmp_path / number for number in "123"]
    for shard in shards:
        part = played_again(SIEGE, SWARM, run=shard, shard=f"{shard.name}/3")
        assert part.cross_checked is None
    deckcheck.merge(shards, into=tmp_path / "whole")
    assert untimed(open_run(tmp_path / "whole").result()) == untimed(whole)


def test_an_extended_run_has_the_opinion_of_one_long_run(tmp_path: Path) -> None:
    by: Any = {"policies": "heuristic"}
    deckcheck.simulate(SIEGE, SWARM, games=400, run=tmp_path / "run", **by)
    longer = deckcheck.resume(tmp_path / "run", games=MIN_CROSS_CHECKED_GAMES)
    whole = deckcheck.simulate(SIEGE, SWARM, games=MIN_CROSS_CHECKED_GAMES, **by)
    assert untimed(longer) == untimed(whole)


def at_table(names: str, *won: int) -> TableResult:
    """Thirty sets at a table of three, of which these win the games."""
    places = [[1 if i == winner else 2 for i in range(3)] for winner in won]
    sets = [[(order, (0, 0, 0), i) for i, order in enumerate(places)]] * 30
    return make_table_result(tuple(names), tally_of(sets))


CORNERS = "decks/gwent/free_for_all/four_corners.deck"


@pytest.fixture(scope="module")
def of_four() -> deckcheck.SimulationResult:
    return played_again(CORNERS, games=12, cross_check_games=4)


def test_of_tables_it_depends_on_who_plays_if_another_is_surely_ahead(
    of_four: deckcheck.SimulationResult,
) -> None:
    # The table of which another player comes to the opposite is the second.
    first = at_table("abd", 0, 0, 0)
    for own, again, depends in (
        ((0, 0, 0), (1, 1, 1), True),
        ((0, 0, 0), (0, 0, 0), False),
        ((0, 0, 0), (0, 1, 2), False),  # the second player shows nobody ahead
        ((0, 1, 2), (1, 1, 1), False),  # the first had not said who is
    ):
        tables = (first, at_table("abc", *again))
        second = replace(of_four.cross_checked, players=("learned",), tables=tables)
        tables = (first, at_table("abc", *own))
        result = replace(of_four, tables=tables, cross_checked=second)
        said = [*simulation_answers(result)]
        assert (said[0] == DEPENDS_ON_PLAYER) is depends, (own, again)
        assert ("No clear winner" in said[-1]) is (own == (0, 1, 2)), (own, again)


def test_where_only_rules_of_thumb_know_a_game_every_report_says_so() -> None:
    decks = sorted(map(str, Path("decks/gwen_t/pool").glob("*.deck")))[:3]
    two, many = decks[:2], MIN_CROSS_CHECKED_GAMES
    alone = deckcheck.simulate(*two, games=many)
    assert alone.cross_checked is None
    asked = deckcheck.simulate(*two, games=many, cross_check="none")
    question: dict[str, Any] = {"against": decks[2:], "games": 200}
    change = deckcheck.compare(*two, **question)
    named = deckcheck.compare(*two, **question, cross_check="sane_random")
    reports = [simulation_report(result, full=True) for result in (alone, asked)]
    reports += [make_comparison_report(result) for result in (change, named)]
    *others, last = (dict(report.facts).get("cross-check") for report in reports)

    nobody = "none; `--cross-check` names a bot"
    assert others == [nobody, None, nobody]
    assert not named.only_heuristic_knows
    assert str(last).startswith("sane_random")


def test_opposite_verdicts_on_the_same_are_a_dispute() -> None:
    figure = Estimate(0.0, Interval(-1.0, 1.0), 2)
    for first, second, is_disputed in (
        (Verdict.BETTER, Verdict.WORSE, True),
        (Verdict.BETTER, Verdict.INCONCLUSIVE, False),
        (Verdict.WORSE, Verdict.WORSE, False),
        (Verdict.EQUAL, Verdict.BETTER, False),
    ):
        claims = [
            Claim("a", "b", figure, first, "heuristic"),
            Claim("a", "b", figure, second, "learned"),
        ]
        assert (describe_dispute(claims) == DEPENDS_ON_PLAYER) is is_disputed
        answer = f"{DEPENDS_ON_PLAYER} So." if is_disputed else "So."
        assert join_answer(claims, ["So."]) == answer
        turned = [replace(claims[0], by="learned"), replace(claims[1], by="heuristic")]
        assert join_answer(turned, ["So."]) == "So."
        assert not describe_dispute([claims[0], replace(claims[1], than="c")])


def test_who_is_weaker_is_so_than_all_who_played_before() -> None:
    """Else the warning would go by the order of names."""
    for policies in (["learned", "random"], ["random", "learned"]):
        result = deckcheck.simulate(
            SIEGE, SWARM, games=20, policies=policies, cross_check="heuristic"
        )
        assert [by for by, _ in result.by_bot] == ["random", "heuristic"]
