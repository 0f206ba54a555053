"""A field with a planted card that is too strong is mended, and that card named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plain_values import other_types

import deckcheck
from benchmarks.balancing import (
    balance_planted,
    mend_planted,
    planted_in,
    write_field,
)
from deckcheck.findings import UsageError
from deckcheck.formats import database_of
from deckcheck.playing.kernel import Head
from deckcheck.playing.versions import Retuned
from deckcheck.sim.entrants import common_format, gather
from deckcheck.sim.jobs import Job
from deckcheck.sim.run_directory import new_run
from deckcheck.sim.scheduler import GameSession, Progress
from deckcheck.sim.simulation import Interrupted
from deckcheck.sim.standings import checksum_of
from deckcheck.studies.balance.result import BalanceResult
from deckcheck.studies.balance.search import Worths
from deckcheck.studies.balance.study import Balance, _Balancing, read_balance_plan
from deckcheck.studies.balance.targets import StrengthStep, TargetVerdict

GAMES = 60


def study(folder: Path, seed: int = 1, games: int = GAMES, more: str = "") -> Balance:
    plan = write_field(folder, planted_in(seed), games, seed)
    plan.write_text(plan.read_text() + more)
    known = read_balance_plan(plan)
    reports, _ = gather(known.decks, known.format)
    fmt = common_format(reports)
    return known.balance(fmt, database_of(fmt), reports)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("field")


@pytest.fixture(scope="module")
def played() -> list[Job]:
    """The jobs of `result`, as soon as it has been played."""
    return []


@pytest.fixture(scope="module")
def weighed() -> list[Worths]:
    """What cards were worth, each time that they were weighed for `result`."""
    return []


@pytest.fixture(scope="module")
def result(place: Path, played: list[Job], weighed: list[Worths]) -> BalanceResult:
    play, weigh_cards = GameSession.play, _Balancing._weigh

    def note(games: GameSession, work: Sequence[Job], *args: Any, **more: Any) -> None:
        played.extend(work)
        play(games, work, *args, **more)

    def weigh(search: _Balancing, *args: Any) -> Worths:
        weighed.append(found := weigh_cards(search, *args))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GameSession, "play", note)
        patch.setattr(_Balancing, "_weigh", weigh)
        return balance_planted(place, 1, GAMES)


def test_the_planted_card_is_named_and_made_weaker(result: BalanceResult) -> None:
    planted = f"plain_{planted_in(1)}_a"
    [first, *_] = result.cards

    assert other_types(result.to_dict()) == set()
    assert first.id == planted
    assert first.above.interval.low > 0
    assert first.use == 0.25
    [change] = [each for each in result.balanced if each.was.id == planted]
    assert (change.now.strength or 0) < 20 == change.was.strength
    assert (
        f"`Plain {planted_in(1)} a` to strength {change.now.strength}" in result.answer
    )


def test_the_field_is_flatter_in_games_that_nothing_was_chosen_by(
    result: BalanceResult,
) -> None:
    def spread(rates: list[float]) -> float:
        return max(rates) - min(rates)

    before = [each.before.value for each in result.outcomes]
    after = [each.after.value for each in result.outcomes]
    assert spread(after) < spread(before) / 2
    assert TargetVerdict.MISSED not in {each.verdict for each in result.outcomes}
    assert sum(before) == pytest.approx(sum(after)) == pytest.approx(len(before) / 2)
    for each in result.outcomes:
        assert each.after.games == 3 * 4 * GAMES
        assert each.after.interval.low <= each.after.value <= each.after.interval.high


def test_the_proof_shares_no_shuffles_with_the_search(
    result: BalanceResult, played: list[Job]
) -> None:
    assert result.complete
    numbers = [job.number for job in played]
    streams: dict[str, set[int]] = {}
    for job in played:
        label = job.label.partition(":")[0]
        own = job.table.stream if isinstance(job.table, Retuned) else job.number
        streams.setdefault(label, set()).add(own)
    proof = streams.pop("the proof")

    assert len(set(numbers)) == len(numbers)
    assert {"the field", "cards changed", "changes together"} < streams.keys()
    assert len(proof) == 6
    assert all(not proof & others for others in streams.values())


def test_cards_are_told_by_other_games_than_those_that_chose_them(
    result: BalanceResult, weighed: list[Worths]
) -> None:
    *before, again = weighed

    assert len(before) == 2
    for card in result.cards:
        assert card.worth == again[card.id].effect
        assert all(
            card.worth != each[card.id].effect for each in before if card.id in each
        )


def test_a_field_that_is_even_is_left_alone(tmp_path: Path) -> None:
    plan = write_field(tmp_path, None, 200, 1)
    result = deckcheck.balance(plan, confirm=None)

    assert result.balanced == ()
    assert result.answer.startswith("Change nothing: ")
    assert result.set_text().endswith("change: {}\n")
    assert all(each.before == each.after for each in result.outcomes)


def test_bounds_that_do_not_suffice_are_told(tmp_path: Path) -> None:
    found = study(tmp_path, games=200)
    bounds = replace(found.question.bounds, strength=1, changes=1)
    narrow = replace(found, question=replace(found.question, bounds=bounds)).run()

    assert narrow.verdict is TargetVerdict.MISSED
    assert len(narrow.balanced) <= 1
    assert "No changes within the bounds were found that meet all" in narrow.answer


class Breaking:
    """A user who presses Ctrl-C after so many calls of `watch`."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def __call__(self, _: Progress) -> None:
        self.calls -= 1
        if not self.calls:
            raise KeyboardInterrupt


def test_a_run_that_is_cut_off_comes_to_the_same(
    tmp_path: Path, place: Path, result: BalanceResult
) -> None:
    asked = study(place)
    broken, calls = 0, 30
    while True:
        try:
            kept = new_run(tmp_path / "run", asked)
            found: Any = kept.run(watch=Breaking(calls), block_sets=64)
            break
        except Interrupted:
            broken, calls = broken + 1, 2 * calls

    assert broken > 1
    assert found == replace(result, seconds=None, jobs=None)


@pytest.mark.slow
def test_two_workers_come_to_the_same(place: Path, result: BalanceResult) -> None:
    found = study(place).run(jobs=2, block_sets=50)

    assert replace(found, seconds=None, jobs=None) == replace(
        result, seconds=None, jobs=None
    )


@pytest.mark.slow
def test_other_seeds_name_the_planted_card_too(tmp_path: Path) -> None:
    """Two of those that `python -m benchmarks.balancing` plays."""
    found = mend_planted(tmp_path, (2, 3), 400)

    assert found.first == 2
    assert found.met == 2


def test_versions_of_the_cards_play_the_same_games(tmp_path: Path) -> None:
    field = study(tmp_path).field
    planted = f"plain_{planted_in(1)}_a"
    step = StrengthStep(planted, "strength", -10)
    [job, *_] = field.jobs(7, 3, 20, [(), (step,), ()], "all")
    [alone, *_] = field.jobs(9, 3, 20, [(step,)], "alone")
    assert isinstance(job.table, Retuned)
    assert isinstance(alone.table, Retuned)
    tally = job.table.play(1, 7, 0, 10)
    weaker = alone.table.play(1, 9, 0, 10)

    as_is, other, again = job.table.scores(tally)
    assert as_is == again
    assert [other] == alone.table.scores(weaker)
    assert sum(as_is) == tally[0, Head.SETS] == 10
    [base, *_] = field.jobs(9, 3, 20, [()], "alone")
    own = base.table.play(1, 9, 0, 10)
    assert checksum_of([tally]) == checksum_of([own, weaker, own])
    # Sets in two parts are the same sets.
    parts = job.table.play(1, 7, 0, 4) + job.table.play(1, 7, 4, 6)
    assert job.table.scores(parts) == job.table.scores(tally)


def test_only_games_with_a_changed_card_are_played(tmp_path: Path) -> None:
    field = study(tmp_path).field
    step = StrengthStep(f"plain_{planted_in(1)}_a", "strength", -10)
    jobs = field.effect_jobs(0, 20, [step])

    assert len(jobs) == 3
    assert all(planted_in(1) in job.label for job in jobs)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('cards = ["Catapult"]\n', "No deck of the field holds `Catapult`"),
        ('cards = ["Catapultt"]\n', r"plan.toml:10:10: unknown card `Catapultt`"),
    ],
)
def test_what_does_not_fit(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        study(tmp_path, more=more)


def test_one_deck_is_no_field(tmp_path: Path) -> None:
    plan = read_balance_plan(write_field(tmp_path, planted_in(1), GAMES, 1))
    reports, _ = gather(plan.decks, plan.format)
    fmt = common_format(reports)

    with pytest.raises(UsageError, match="A field needs at least 2 decks"):
        plan.balance(fmt, database_of(fmt), reports[:1])
