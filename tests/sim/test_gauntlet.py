"""Challengers meet a field, and neither they nor the field meet among themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import deckcheck
from deckcheck.cli import main
from deckcheck.sim.seating import pair_up
from deckcheck.studies.registry import write_report

ROOT = Path(__file__).parents[2] / "decks" / "gwent"
DECKS = ROOT / "standard"
SWARM, SIEGE, SHIPS, ARCHERS = (
    DECKS / f"{name}.deck"
    for name in (
        *("mo_swarm", "nr_siege_masters"),
        *("sk_longships", "st_beautiful_archers"),
    )
)
LINEUPS = ROOT / "tournament"
SETTINGS = {"games": 40, "policies": "random"}


def met(result: deckcheck.SimulationResult) -> list[tuple[str, ...]]:
    return [table.entrants for table in result.tables]


def test_pairings_keep_their_numbers() -> None:
    every = {(p.a, p.b): p.number for p in pair_up(5, mirror=True)}
    some = {(p.a, p.b): p.number for p in pair_up(5, challengers=2)}
    mirrored = {(p.a, p.b) for p in pair_up(5, mirror=True, challengers=2)}

    assert list(some) == [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]
    assert some.items() <= every.items()
    assert mirrored == {*some, (0, 0), (1, 1)}


def test_the_games_are_those_of_a_round_robin() -> None:
    decks = [SWARM, SIEGE, SHIPS, ARCHERS]
    every = deckcheck.simulate(decks, **SETTINGS)  # type: ignore[arg-type]
    result = deckcheck.simulate(decks[:2], against=decks[2:], **SETTINGS)  # type: ignore[arg-type]

    assert met(result) == [
        ("The swarm", "Longships of Skellige"),
        ("The swarm", "The beautiful archers"),
        ("Siege masters", "Longships of Skellige"),
        ("Siege masters", "The beautiful archers"),
    ]
    assert set(result.matchups) <= set(every.matchups)
    assert result.challengers == ("The swarm", "Siege masters")
    assert {each.deck for each in result.standings()} == set(result.challengers)


def test_a_challenger_in_the_field_does_not_meet_itself() -> None:
    result = deckcheck.simulate(SWARM, against=[SWARM, SIEGE], **SETTINGS)  # type: ignore[arg-type]

    assert met(result) == [("The swarm", "Siege masters")]
    with pytest.raises(deckcheck.UsageError, match="no deck but those"):
        deckcheck.simulate(SWARM, against=SWARM, **SETTINGS)  # type: ignore[arg-type]


def test_another_deck_of_its_file_is_an_opponent(tmp_path: Path) -> None:
    file = tmp_path / "two.deck"
    file.write_text(f"{SWARM.read_text()}---\n{SIEGE.read_text()}")
    for number, deck in enumerate(deckcheck.read(file)):
        result = deckcheck.simulate(deck, against=file, **SETTINGS)  # type: ignore[arg-type]

        [names] = met(result)
        assert names == ("The swarm", "Siege masters")[:: -1 if number else 1]


def test_the_first_deck_runs_the_gauntlet() -> None:
    result = deckcheck.simulate(SWARM, SIEGE, SHIPS, gauntlet=True, **SETTINGS)  # type: ignore[arg-type]

    assert [names[0] for names in met(result)] == ["The swarm"] * 2
    with pytest.raises(deckcheck.UsageError, match="needs decks to meet"):
        deckcheck.simulate(SWARM, gauntlet=True, **SETTINGS)  # type: ignore[arg-type]


def test_each_side_may_have_its_player() -> None:
    result = deckcheck.simulate(
        [SWARM, SIEGE],
        against=[SHIPS],
        games=10,
        policies=["random", "sane_random"],
    )

    assert [deck.policy for deck in result.decks] == ["random"] * 2 + ["sane_random"]


def test_lineups_meet_a_field_of_lineups() -> None:
    result = deckcheck.simulate(
        LINEUPS / "kin_of_the_coast.deck",
        against=LINEUPS,
        selections="random",
        **SETTINGS,  # type: ignore[arg-type]
    )

    assert len(result.matches) == 2
    assert len({match.a for match in result.matches}) == 1
    assert len(result.challengers) == 3


def test_tables_have_no_field() -> None:
    one, *others = sorted((ROOT / "free_for_all").glob("*.deck"))
    with pytest.raises(deckcheck.UsageError, match="does not apply"):
        deckcheck.simulate(one, against=others, **SETTINGS)  # type: ignore[arg-type]


def test_the_command_shows_every_matchup(capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(SWARM), "--against", str(DECKS), "--games", "4", "--policy", "random"]
    code = main(["simulate", *words, "-q"])
    out, _ = capsys.readouterr()

    assert code == 0
    assert out.count("The swarm against ") == 14
    assert "Win rate in %" not in out


def test_a_run_keeps_who_meets_whom(tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = deckcheck.simulate(SWARM, against=[SIEGE, SHIPS], run=run, **SETTINGS)  # type: ignore[arg-type]
    again = deckcheck.resume(run)

    assert again == first
    assert json.loads(write_report(again, "json"))["challengers"] == ["The swarm"]
