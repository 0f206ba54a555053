"""What changed between runs, and over several of them."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import stderr_of
from helpers.fakes import Breaking
from helpers.findings import validate_files
from helpers.outputs import assert_tidy, check_document
from helpers.results import SHIPS, SIEGE, STANDARD, SWARM

import deckcheck
from deckcheck.cards import load_database
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.sim.entrants import enter
from deckcheck.sim.run_directory import open_run
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.seating import Request, Setting
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.study import Interrupted
from deckcheck.specs import ImpactSpec
from deckcheck.stats import Interval, Verdict
from deckcheck.studies import changes as changing
from deckcheck.studies import field_change
from deckcheck.studies.changes import (
    Changes,
    PairedRuns,
    _describe_mix,
    compare_runs,
    find_untouched,
)
from deckcheck.studies.changes_report import make_changes_page, make_changes_report
from deckcheck.studies.history import DeckHistory, History, make_history
from deckcheck.studies.impact import make_impact
from deckcheck.studies.impact_result import FLATTERED_NOTE, ImpactResult
from deckcheck.studies.registry import write_report
from deckcheck.validation import DeckReport

# What changed between two runs, paired by their shuffles.

ROOT = Path(__file__).parents[2]
BERSERKERS = STANDARD / "sk_berserkers.deck"
ARCHERS = STANDARD / "st_beautiful_archers.deck"
DECKS = [SIEGE, SWARM, BERSERKERS]
WHAT_IF = ROOT / "examples" / "what_if" / "what_if.yaml"


def changes_of(*decks: Path, **settings: Any) -> Changes:
    settings = {"policies": "sane_random", "new_format": WHAT_IF, **settings}
    return deckcheck.compare_formats(*decks, **settings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("changes") / "run"


@pytest.fixture(scope="module")
def changes(folder: Path) -> Changes:
    """The same decks and shuffles, with Catapult at 8 and at 10."""
    return changes_of(*DECKS, games=100, policies="heuristic-1", run=folder)


def test_compare_formats_refuses_a_second_bot() -> None:
    for settings in ({"cross_check": "heuristic"}, {"cross_check_games": 10}):
        with pytest.raises(UsageError, match="one bot plays both formats"):
            changes_of(*DECKS, games=2, **settings)


def test_what_holds_no_changed_card_has_the_same_games(changes: Changes) -> None:
    same = [each.name for each in changes.rates if each.same_games]

    assert same == ["The swarm against Berserkers"]
    assert all(change.is_paired for change in changes.rates)
    assert "1 matchup had the same games with the same results in both runs." in (
        list(changes.answers())
    )


def test_equal_counts_are_not_the_same_games_where_a_change_can_act(
    changes: Changes,
) -> None:
    """A changed card that was not drawn in a few games may be drawn in others."""
    run = changes.before
    pairs = PairedRuns(run, run, {}, ("The swarm", "Berserkers"))
    by = {rate.name: rate for rate in pairs.list_rates()}
    same, other = (
        by["The swarm against Berserkers"],
        by["Siege masters against The swarm"],
    )

    assert (same.by.interval, same.verdict) == (Interval(0, 0), Verdict.EQUAL)
    assert other.by.value == 0 > other.by.interval.low
    assert other.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("change", "decks"),
    [
        ({}, {"Siege masters", "The swarm", "Berserkers"}),
        ({"options": {"redraws": 3}}, set()),
        (
            {"policies": ("random", "heuristic", "random")},
            {"Siege masters", "Berserkers"},
        ),
    ],
)
def test_what_differs_can_act_on(change: dict[str, Any], decks: set[str]) -> None:
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    own = reports(*DECKS)

    def simulation(policies: Any = ("random",) * 3, options: Any = None) -> Simulation:
        other = replace(fmt, options={**fmt.options, **(options or {})})
        setting = Setting(other, database, Request(10, 1, policies))
        return Simulation(setting, tuple(enter(own, policies)))

    assert find_untouched(simulation(), simulation(**change)) == decks


def test_answer_advises_as_many_games_as_make_a_change_clear() -> None:
    """The number is that of `--games`, not that of all games of both runs."""

    def change_policy(games: int) -> Changes:
        before, after = (
            deckcheck.simulate(SIEGE, SWARM, games=games, policies=("random", policy))
            for policy in ("random", "sane_random")
        )
        return changing.find_changes(before, after, ("policies",))

    few = change_policy(30)
    advice = re.search(
        r"Too few games to tell; try `--games (\d+)` in both", few.answer
    )
    assert advice is not None
    assert not few.rates[0].is_clear
    assert 60 < int(advice[1]) < 240
    assert change_policy(int(advice[1])).rates[0].is_clear


def test_it_is_what_report_says_of_the_two_runs(changes: Changes, folder: Path) -> None:
    runs = [open_run(folder / name) for name in ("before", "after")]
    reported = compare_runs(*runs)

    assert reported.rates == changes.rates
    assert reported.decks == changes.decks
    assert reported.standings == changes.standings


def test_a_warning_names_the_run_to_which_it_belongs(changes: Changes) -> None:
    unfinished = replace(changes.before, complete=False)
    warned = replace(changes, before=unfinished)
    [warning] = make_changes_report(warned).warnings

    assert warning.startswith("Before the change: ")
    assert make_changes_page(warned).warnings == (warning,)
    assert make_changes_report(replace(warned, after=unfinished)).warnings == (
        warning.removeprefix("Before the change: "),
    )


def test_games_end_when_the_change_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_change, "FIRST_GAMES", 20)
    monkeypatch.setattr(field_change, "MAX_CHECKPOINTS", 2)
    early = changes_of(DECKS[0], against=DECKS[1], margin=100)
    late = changes_of(DECKS[0], against=DECKS[1], margin=0.01)
    fixed = changes_of(DECKS[0], against=DECKS[1], games=80)

    assert (early.after.games, late.after.games) == (20, 80)
    assert late.after.checksum == fixed.after.checksum
    assert late.before.tables == fixed.before.tables
    [looked], [unlooked] = late.rates, fixed.rates
    assert looked.by.value == unlooked.by.value
    low, high = looked.by.interval
    assert high - low > unlooked.by.interval.high - unlooked.by.interval.low


def test_a_mix_names_its_most_frequent_deck_first() -> None:
    assert _describe_mix({"a": 0.25, "b": None, "c": 0.75}) == "`c` 75.0%, `a` 25.0%"


def test_what_cannot_be_compared(capsys: pytest.CaptureFixture[str]) -> None:
    for format, message in (
        ("gwent/free_for_all", "different numbers of players"),
        ("gwent/standard", "Nothing differs between"),
    ):
        words = [*map(str, DECKS), "--new-format", format, "-n", "2"]
        assert message in stderr_of(capsys, "compare", *words), format


# Comparisons and impact whose blocks are kept: what was played is not played again.

FIELD = [SWARM, SHIPS]
PLAYER = ("sane_random",)


def reports(*paths: Path) -> list[DeckReport]:
    return list(validate_files([str(path) for path in paths]).reports)


def an_impact() -> Any:
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    question = ImpactSpec(seed=1, policies=PLAYER, games=64, thorough=True)
    return make_impact(fmt, database, reports(SIEGE), reports(*FIELD), question)


def test_progress_knows_all_games_of_an_impact_from_the_start() -> None:
    study, seen = an_impact(), []
    whole = study.run(watch=seen.append, block_sets=16)
    played = [progress.games for progress in seen]

    [total] = {progress.games_total for progress in seen}
    assert played == sorted(played)
    assert played[-1] == whole.games_played
    assert 0.9 * total <= whole.games_played <= total


def test_an_impact_that_is_interrupted_tells_what_it_can() -> None:
    games: list[Progress] = []
    whole = an_impact().run(watch=games.append, block_sets=16)
    first = [progress for progress in games if progress.job.number < len(FIELD)]
    told = []
    for stop_at in (1, len(first), len(games) - 1):
        with pytest.raises(Interrupted) as stop:
            an_impact().run(watch=Breaking(stop_at), block_sets=16)
        told.append(stop.value.result)

    assert told[0] is None
    early, last = told[1:]
    assert isinstance(early, ImpactResult)
    assert not early.complete
    assert not early.measured
    assert early.cut == whole.cut
    assert early.answer.startswith("It is too early to tell what `")
    assert early.answer.endswith(FLATTERED_NOTE)
    check_document("impact", early.to_dict())
    assert isinstance(last, ImpactResult)
    assert last.measured
    assert not last.complete
    assert last.games_played < whole.games_played
    assert last.cards == tuple(replace(card, observed=()) for card in whole.cards)
    assert not any(card.observed for card in last.cards)
    text = write_report(last, "table")
    assert "not all games were played" in text
    assert "Observed" not in text
    frame = assert_tidy(last)
    assert (frame["metric"] == "copies").sum() == len(last.cards)
    check_document("impact", last.to_dict())


# Win rates over several runs, each deck against the same opponents.


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three runs: the second has another deck, the third another player."""
    folder = tmp_path_factory.mktemp("weeks")
    for number, (decks, policy) in enumerate(
        ((DECKS, "heuristic-1"), ([*DECKS, ARCHERS], "heuristic-1"), (DECKS, "random")),
        1,
    ):
        deckcheck.simulate(
            *decks, games=100, policies=policy, run=folder / f"week-{number}"
        )
    return [folder / f"week-{number}" for number in (1, 2, 3)]


@pytest.fixture(scope="module")
def history(folders: list[Path]) -> History:
    return make_history([open_run(folder) for folder in folders])


def find_deck(history: History, name: str) -> DeckHistory:
    return next(deck for deck in history.decks if deck.deck == name)


def test_means_are_over_the_opponents_of_all_runs(
    history: History, folders: list[Path]
) -> None:
    swarm = find_deck(history, "The swarm")
    result = open_run(folders[1]).result()
    rates = [
        result.matchup("The swarm", other).win_rate_a
        for other in ("Siege masters", "Berserkers")
    ]

    assert set(swarm.opponents) == {"Siege masters", "Berserkers"}
    assert swarm.by_run["week-2"].value == pytest.approx(sum(rates) / 2)
    assert swarm.by_run["week-2"].games == 200
    assert list(swarm.by_run) == ["week-1", "week-2", "week-3"]


def test_steps_are_tested_together_with_the_whole(
    history: History, folders: list[Path]
) -> None:
    """Three decks over three runs: six changes from run to run, and three in all."""
    spans = [("week-1", "week-2"), ("week-2", "week-3")]
    alone = make_history([open_run(folder) for folder in (folders[0], folders[2])])
    by_step = {(s.deck, s.before): s for s in history.steps}
    whole = {change.deck: change for change in history.changes}

    assert [(s.before, s.after) for s in history.steps] == spans * 3
    for change in alone.changes:
        own = whole[change.deck].by
        parts = [by_step[change.deck, run].by.value for run, _ in spans]
        assert own.value == change.by.value == pytest.approx(sum(parts))
        assert own.interval.low < change.by.interval.low
    assert not alone.steps
    clear = [step for step in history.steps if step.clear]
    assert f"The largest of {len(clear)} clear changes" in history.answer
    assert "from `week-2` to `week-3`" in history.answer
    assert "policies is random, not heuristic-1" in history.answer


def test_runs_of_the_same_games_have_not_changed(folders: list[Path]) -> None:
    history = make_history([open_run(folder) for folder in (folders[0], folders[1])])

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
    history = make_history([open_run(tmp_path / name) for name in ("a", "b")])

    assert find_deck(history, "Siege masters").opponents == ("The swarm",)
    assert set(history.alone) == {"Berserkers", "The beautiful archers"}


def test_what_has_no_history(folders: list[Path], tmp_path: Path) -> None:
    one = open_run(folders[0])
    with pytest.raises(UsageError, match="A history needs two runs"):
        make_history([one])
    with pytest.raises(UsageError, match="`week-1` is named twice"):
        make_history([one, open_run(folders[0])])
    deckcheck.simulate(
        *(SIEGE, ARCHERS), games=2, policies="random", run=tmp_path / "other"
    )
    with pytest.raises(UsageError, match="No deck met the same opponent"):
        make_history([one, open_run(tmp_path / "other")])
