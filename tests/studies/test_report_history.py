"""Win rates over several runs, each deck against the same opponents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import deckcheck
from deckcheck.findings import UsageError
from deckcheck.sim.run_directory import open_run
from deckcheck.studies.history import Course, History, history_of
from deckcheck.studies.registry import reported

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
SIEGE, SWARM, BERSERKERS, ARCHERS = DECKS = [
    STANDARD / f"{name}.deck"
    for name in (
        "nr_siege_masters",
        "mo_swarm",
        "sk_berserkers",
        "st_beautiful_archers",
    )
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three runs: the second has another deck, the third another player."""
    folder = tmp_path_factory.mktemp("weeks")
    for number, (decks, policy) in enumerate(
        ((DECKS[:3], "heuristic-1"), (DECKS, "heuristic-1"), (DECKS[:3], "random")), 1
    ):
        deckcheck.simulate(
            *decks, games=100, policies=policy, run=folder / f"week-{number}"
        )
    return [folder / f"week-{number}" for number in (1, 2, 3)]


@pytest.fixture(scope="module")
def history(folders: list[Path]) -> History:
    return history_of([open_run(folder) for folder in folders])


def course(history: History, deck: str) -> Course:
    return next(course for course in history.courses if course.deck == deck)


def test_means_are_over_the_opponents_of_all_runs(
    history: History, folders: list[Path]
) -> None:
    swarm = course(history, "The swarm")
    result = open_run(folders[1]).result()
    rates = [
        result.matchup("The swarm", other).win_rate_a
        for other in ("Siege masters", "Berserkers")
    ]

    assert set(swarm.opponents) == {"Siege masters", "Berserkers"}
    assert swarm.rates["week-2"].value == pytest.approx(sum(rates) / 2)
    assert swarm.rates["week-2"].games == 200
    assert list(swarm.rates) == ["week-1", "week-2", "week-3"]


def test_a_deck_of_a_single_run_is_named(history: History) -> None:
    assert history.alone == ("The beautiful archers",)
    assert len(history.courses) == 3


def test_the_best_of_the_last_run_comes_first(history: History) -> None:
    latest = [course.rates["week-3"].value for course in history.courses]

    assert latest == sorted(latest, reverse=True)


def test_changes_are_those_from_first_to_last(history: History) -> None:
    changed = {change.deck: change for change in history.changes}
    siege = course(history, "Siege masters")

    assert changed["Siege masters"].by.value == pytest.approx(
        siege.rates["week-3"].value - siege.rates["week-1"].value
    )
    assert changed["Siege masters"].is_clear
    assert history.answer.startswith("3 runs, from `week-1` to `week-3`. ")


def test_each_run_says_what_it_changed(history: History) -> None:
    assert history.settings["week-1"] == ()
    assert "decks are 4, not 3" in history.settings["week-2"]
    assert any("random" in line for line in history.settings["week-3"])


def test_runs_of_the_same_games_have_not_changed(folders: list[Path]) -> None:
    history = history_of([open_run(folder) for folder in (folders[0], folders[1])])

    siege, swarm = (
        next(change for change in history.changes if change.deck == deck)
        for deck in ("Siege masters", "The swarm")
    )
    assert tuple(siege.by.interval) == (0.0, 0.0)
    # One of its tables has another number, and with it other shuffles.
    assert swarm.by.interval.low < swarm.by.interval.high


def test_a_gauntlet_has_a_history(tmp_path: Path) -> None:
    for name, field in (("a", [SWARM, BERSERKERS]), ("b", [SWARM, ARCHERS])):
        deckcheck.simulate(
            SIEGE,
            *field,
            gauntlet=True,
            games=20,
            policies="random",
            run=tmp_path / name,
        )
    history = history_of([open_run(tmp_path / name) for name in ("a", "b")])

    assert course(history, "Siege masters").opponents == ("The swarm",)
    assert set(history.alone) == {"Berserkers", "The beautiful archers"}


def test_rows_name_their_run(history: History) -> None:
    frame = history.to_frame()
    rates = frame[frame.metric == "win_rate"]

    assert len(rates) == 9
    assert set(rates["run"]) == {"week-1", "week-2", "week-3"}
    assert set(frame[frame.metric == "difference"]["run"]) == {"(all)"}


def test_python_and_page(folders: list[Path]) -> None:
    document = json.loads(
        deckcheck.report_of(*folders, history=True, output_format="json")
    )
    page = deckcheck.report_of(*folders, history=True)

    assert [run["name"] for run in document["runs"]] == ["week-1", "week-2", "week-3"]
    assert document["alone"] == ["The beautiful archers"]
    assert "3 decks over 3 runs" in page
    assert "What each run changed" in page


def test_what_has_no_history(folders: list[Path], tmp_path: Path) -> None:
    one = open_run(folders[0])
    with pytest.raises(UsageError, match="A history needs two runs"):
        history_of([one])
    with pytest.raises(UsageError, match="`week-1` is named twice"):
        history_of([one, open_run(folders[0])])
    deckcheck.simulate(
        *(SIEGE, ARCHERS), games=2, policies="random", run=tmp_path / "other"
    )
    with pytest.raises(UsageError, match="No deck met the same opponent"):
        history_of([one, open_run(tmp_path / "other")])


def test_compare_and_history_exclude_each_other(folders: list[Path]) -> None:
    with pytest.raises(UsageError, match="exclude each other"):
        reported(folders[:2], compare=True, history=True)
