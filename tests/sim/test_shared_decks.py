"""One deck for both players, and random decks, from the deck to the figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.engine.registry import EngineError
from deckcheck.findings import UsageError
from deckcheck.formats import database_of, load_format
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import simulation_from_reports
from deckcheck.validation import validate_files

DECKS = Path(__file__).parents[2] / "decks" / "deckmaster" / "standard"
FORMAT = load_format("deckmaster/standard")
DATABASE = database_of(FORMAT)


def request(*policies: str, games: int = 2, random_decks: bool = False) -> Request:
    return Request(games, 1, policies or ("random",), random_decks=random_decks)


def test_each_deck_is_played_on_its_own_and_named() -> None:
    reports = validate_files([DECKS]).reports
    result = simulation_from_reports(
        FORMAT, DATABASE, reports, request("heuristic", "random")
    ).run()
    seats = [table.entrants for table in result.tables]

    assert len(seats) == len(reports)
    for names, report in zip(seats, reports, strict=True):
        assert names == (
            f"player 1 (heuristic), {report.name}",
            f"player 2 (random), {report.name}",
        )


@pytest.mark.slow
def test_the_better_player_wins_with_any_deck() -> None:
    reports = validate_files([DECKS]).reports
    wanted = request("heuristic", "random", games=200)
    result = simulation_from_reports(FORMAT, DATABASE, reports, wanted).run()

    for table in result.tables:
        first, second = table.performances
        assert first.wins + second.wins + first.shared == 200
        assert first.wins > 2 * second.wins


def test_random_decks_need_no_deck() -> None:
    result = simulation_from_reports(
        FORMAT, DATABASE, (), request(random_decks=True)
    ).run()

    assert [table.entrants for table in result.tables] == [
        ("player 1 (random)", "player 2 (random)")
    ]


def test_random_decks_have_a_policy_for_each_player() -> None:
    wanted = request("heuristic", "random", random_decks=True)
    result = simulation_from_reports(FORMAT, DATABASE, (), wanted).run()

    assert [table.entrants for table in result.tables] == [
        ("player 1 (heuristic)", "player 2 (random)")
    ]


@pytest.mark.parametrize(
    ("format", "players", "policies", "message"),
    [
        ("deckmaster/standard", 3, 1, "Found 3 players, deckmaster/standard is for 2"),
        ("gwen_t/pool", 0, 1, "Found 0 players, gwen_t/pool is for 2 to 6"),
        ("gwen_t/pool", 3, 2, "2 policies given for 3 players"),
    ],
)
def test_random_decks_need_players_that_fit(
    format: str, players: int, policies: int, message: str
) -> None:
    fmt = load_format(format)
    wanted = Request(2, 1, ("random",) * policies, random_decks=True, players=players)

    with pytest.raises(UsageError, match=message):
        simulation_from_reports(fmt, database_of(fmt), (), wanted).run()


def test_random_decks_that_are_too_large_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    file.write_text(
        "title: L\nextends: deckmaster/standard\n"
        "constraints: {cards: {min: 70, max: 70}}\n"
    )
    fmt = load_format(str(file))

    with pytest.raises(EngineError, match="1 to 60 cards, this one has 70"):
        simulation_from_reports(fmt, DATABASE, (), request(random_decks=True)).run()


def test_named_decks_and_random_ones_exclude_each_other() -> None:
    reports = validate_files([DECKS / "crossroads.deck"]).reports

    with pytest.raises(UsageError, match="Both decks and `--random-decks` were given"):
        simulation_from_reports(FORMAT, DATABASE, reports, request(random_decks=True))
