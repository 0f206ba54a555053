"""Balance: targets, changes, and the search for them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.balancing import balance_planted, planted_in, write_field
from helpers.outputs import other_types
from helpers.results import SIEGE

import deckcheck
from deckcheck.findings import UsageError
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head
from deckcheck.playing.versions import Versions
from deckcheck.rules import judge
from deckcheck.sim.gathering import find_common_format, gather
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.table_results import combine_checksums
from deckcheck.stats import Estimate, Interval
from deckcheck.stats.intervals import joint_level
from deckcheck.studies.balance import steps as card_steps
from deckcheck.studies.balance.plan import read_balance_plan
from deckcheck.studies.balance.result import BalanceResult
from deckcheck.studies.balance.search import BalanceSearch
from deckcheck.studies.balance.steps import (
    CardStep,
    apply_steps,
    choose_measured_steps,
    fit_deck,
    interpolate_effect,
    list_card_steps,
    sort_steps,
)
from deckcheck.studies.balance.study import Balance
from deckcheck.studies.balance.targets import (
    Aim,
    Targets,
    TargetVerdict,
    judge_target,
    make_gauges,
)
from deckcheck.studies.swaps import list_legal_swaps

# A field with a planted card that is too strong is mended, and that card named.

GAMES = 60


def study(folder: Path, seed: int = 1, games: int = GAMES, more: str = "") -> Balance:
    plan = write_field(folder, planted_in(seed), games, seed)
    plan.write_text(plan.read_text() + more)
    known = read_balance_plan(plan)
    reports, _ = gather(known.decks, known.format)
    fmt = find_common_format(reports)
    return known.balance(fmt, database_of(fmt), reports)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("field")


@pytest.fixture(scope="module")
def played() -> list[Job]:
    """The jobs of `result`, as soon as it has been played."""
    return []


@pytest.fixture(scope="module")
def result(place: Path, played: list[Job]) -> BalanceResult:
    play = GameSession.play

    def note(games: GameSession, work: Sequence[Job], *args: Any, **more: Any) -> None:
        played.extend(work)
        play(games, work, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GameSession, "play", note)
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
    strength = f"`Plain {planted_in(1)} a` from 20 to {change.now.strength}"
    assert f"the strength of {strength}" in result.answer


def test_changes_that_half_of_the_resamples_choose_are_advised(
    result: BalanceResult,
) -> None:
    for share, answer in (
        (0.5, "Change the strength of `"),
        (0.49, "No clear recommendation: changing the strength of `"),
    ):
        chosen = replace(result.choices[0], changes=result.balanced, share=share)
        assert replace(result, choices=(chosen,)).answer.startswith(answer), share


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


def test_validation_games_share_no_shuffles_with_the_search(
    result: BalanceResult, played: list[Job]
) -> None:
    assert result.complete
    numbers = [job.number for job in played]
    streams: dict[str, set[int]] = {}
    for job in played:
        label = job.label.partition(":")[0]
        own = job.table.stream if isinstance(job.table, Versions) else job.number
        streams.setdefault(label, set()).add(own)
    validation = streams.pop("the validation games")

    assert len(set(numbers)) == len(numbers)
    assert {"the field", "cards changed", "changes together"} < streams.keys()
    assert len(validation) == 6
    assert all(not validation & others for others in streams.values())


@pytest.mark.slow
def test_a_field_that_is_even_is_left_alone(tmp_path: Path) -> None:
    plan = write_field(tmp_path, None, 100, 1)
    result = deckcheck.balance(plan, cross_check=None)

    assert result.balanced == ()
    assert result.answer.startswith("Change nothing. ")
    assert result.set_text().endswith("change: {}\n")
    assert all(each.before == each.after for each in result.outcomes)


@pytest.mark.slow
def test_bounds_that_do_not_suffice_are_told(tmp_path: Path) -> None:
    found = study(tmp_path, games=80)
    bounds = replace(found.question.bounds, strength=1, changes=1)
    narrow = replace(found, question=replace(found.question, bounds=bounds)).run()

    assert narrow.verdict is TargetVerdict.MISSED
    assert len(narrow.balanced) <= 1
    assert "No changes within the bounds were found that meet all" in narrow.answer


def test_versions_of_the_cards_play_the_same_games(tmp_path: Path) -> None:
    field = study(tmp_path).balanced
    planted = f"plain_{planted_in(1)}_a"
    step = CardStep(planted, "strength", -10)
    [job, *_] = field.jobs(7, 3, 20, [(), (step,), ()], "all")
    [alone, *_] = field.jobs(9, 3, 20, [(step,)], "alone")
    assert isinstance(job.table, Versions)
    assert isinstance(alone.table, Versions)
    tally = job.table.play(1, 7, 0, 10)
    weaker = alone.table.play(1, 9, 0, 10)

    as_is, other, again = job.table.scores(tally)
    assert as_is == again
    assert [other] == alone.table.scores(weaker)
    assert sum(as_is) == tally[0, Head.SETS] == 10
    [base, *_] = field.jobs(9, 3, 20, [()], "alone")
    own = base.table.play(1, 9, 0, 10)
    assert combine_checksums([tally]) == combine_checksums([own, weaker, own])
    # Sets in two parts are the same sets.
    parts = job.table.play(1, 7, 0, 4) + job.table.play(1, 7, 4, 6)
    assert job.table.scores(parts) == job.table.scores(tally)


def test_only_games_with_a_changed_card_are_played(tmp_path: Path) -> None:
    field = study(tmp_path).balanced
    step = CardStep(f"plain_{planted_in(1)}_a", "strength", -10)
    jobs = field.effect_jobs(0, 20, [step])

    assert len(jobs) == 3
    assert all(planted_in(1) in job.label for job in jobs)


def test_an_unknown_card_is_named_at_its_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"plan.toml:10:10: unknown card `Catapultt`"):
        study(tmp_path, more='cards = ["Catapultt"]\n')


# Which changes are tried next, in a made-up field where effects add up.

STRONG, OTHER = "strong", "other"
STEPS = [
    CardStep(card, "strength", by)
    for card in (STRONG, OTHER)
    for by in (-3, -2, -1, 1, 2)
]
PAIRS = [(0, 1), (0, 2), (1, 2)]


def effect(step: CardStep) -> list[float]:
    """A point of strength moves what its deck wins by two points."""
    if step.card == STRONG:
        return [0.02 * step.by, 0.02 * step.by, 0.0]
    return [0.0, -0.02 * step.by, -0.02 * step.by]


def a_search(rates: list[float], most: int = 5) -> BalanceSearch:
    aims = [
        Aim(each, 0.45, 0.55)
        for each in make_gauges(["a", "b", "c"], [None] * 3, [1, 1, 1], PAIRS)
    ]
    search = BalanceSearch(aims, [0.0] * 3, most, STEPS)
    search.effects = {s: effect(s) for s in STEPS if s.by in (-3, 1, 2)}
    search.record((), rates)
    return search


def test_what_is_tried_next() -> None:
    for rates, came, by in (
        # The card that is too strong is made weaker by no more than needed.
        ([0.58, 0.58, 0.5], None, -2),
        # Only half of what was expected came of it.
        ([0.58, 0.58, 0.5], [0.565, 0.565, 0.5], -3),
        ([0.52, 0.5, 0.5], None, None),
    ):
        search = a_search(rates)
        if came is not None:
            search.record((CardStep(STRONG, "strength", -2),), came)

        assert search.choose_steps() == (
            {CardStep(STRONG, "strength", by)} if by else set()
        ), rates
        assert (search.measure_misses(rates) > 0.02) == (by is not None), rates


def test_the_best_misses_least_and_changes_least() -> None:
    search = a_search([0.6, 0.6, 0.5])
    one, two = CardStep(STRONG, "strength", -3), CardStep(OTHER, "strength", -1)
    search.record((one, two), [0.52, 0.52, 0.5])
    search.record((one,), [0.53, 0.53, 0.5])
    search.record((two,), [0.6, 0.61, 0.5])

    assert search.best == (one,)


def test_no_more_is_changed_than_allowed() -> None:
    assert len(a_search([0.7, 0.7, 0.6], most=1).choose_steps()) == 1


def test_what_lies_beside_is_smaller_and_where_it_misses_a_little_other() -> None:
    search = a_search([0.6, 0.6, 0.5])
    one, two = CardStep(STRONG, "strength", -3), CardStep(OTHER, "strength", -2)
    search.record((one,), [0.53, 0.53, 0.5])
    search.record((one, two), [0.6, 0.6, 0.5])

    assert list(search.list_neighbours((one,))) == [()]
    assert list(search.list_neighbours((one, two))) == [
        (two,),
        (CardStep(STRONG, "strength", -2), two),
        (one,),
        (one, CardStep(OTHER, "strength", -3)),
        (one, CardStep(OTHER, "strength", -1)),
    ]


def test_close_choices_are_told_as_close() -> None:
    """Two that miss the aims alike are chosen alike often, others not at all."""
    search = a_search([0.58, 0.58, 0.5])
    one, two = (CardStep(STRONG, "strength", by) for by in (-2, -3))
    even, wide = (0, 0, 100, 0, 0), (0, 0, 0, 0, 100)
    near = (20, 0, 60, 0, 20)
    for steps, counts in (((), wide), ((one,), near), ((two,), near)):
        search.record(steps, [0.5] * 3, [counts, counts, even])
    found = dict(search.resample_choices(1))

    assert sum(found.values()) == 1
    assert () not in found
    assert search.resample_choices(1) == search.resample_choices(1)


# Changes of single cards within bounds.

FORMAT = load_format("gwent/standard")
DATABASE = database_of(FORMAT)
DECOY, CATAPULT = DATABASE.cards["decoy"], DATABASE.cards["catapult"]


def test_list_card_steps_within_bounds() -> None:
    assert (CATAPULT.strength, CATAPULT.copies) == (8, 2)
    single = replace(CATAPULT, copies=1)
    four = replace(CATAPULT, copies=4)
    for card, reach, most, limits, strengths, copies in (
        (CATAPULT, 2, None, True, [-2, -1, 1, 2], [-1]),
        (CATAPULT, 9, 9, False, [*range(-7, 0), 1], []),
        (DECOY, 2, None, False, [], []),
        # A limit falls to one copy and no further.
        (four, 0, None, True, [], [-3, -2, -1]),
        (single, 0, None, True, [], []),
    ):
        steps = [
            (step.field, step.by)
            for step in list_card_steps(card, reach, most, limits=limits)
        ]
        expected = [("strength", by) for by in strengths]
        expected += [("copies", by) for by in copies]
        assert steps == expected, (card.id, card.copies, reach)


def test_choose_measured_steps_takes_few_in_each_direction() -> None:
    for reach, expected in ((7, [-2, -5, -7, 2, 5, 7]), (1, [-1, 1])):
        steps = list_card_steps(CATAPULT, reach, None, limits=False)
        assert [step.by for step in choose_measured_steps(steps)] == expected


def test_interpolate_effect_in_proportion() -> None:
    known = {-4: -8.0, -2: -2.0, 3: 6.0}
    effects = {-4: -8, -3: -5, -2: -2, -1: -1, 1: 2, 3: 6}

    assert {by: interpolate_effect(by, known) for by in effects} == effects
    with pytest.raises(ValueError, match="5 lies outside"):
        interpolate_effect(5, known)


def test_apply_steps_changes_cards_and_nothing_else() -> None:
    steps = (CardStep("catapult", "strength", -3), CardStep("catapult", "copies", -1))
    found = apply_steps(DATABASE, steps)

    assert found.cards["catapult"] == replace(CATAPULT, strength=5, copies=1)
    assert list(found.cards) == list(DATABASE.cards)
    unlike = [id for id in found.cards if found.cards[id] != DATABASE.cards[id]]
    assert unlike == ["catapult"]
    assert apply_steps(DATABASE, ()) is DATABASE


def test_fit_deck_gives_an_average_legal_card_for_each_copy_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [deck] = deckcheck.read(SIEGE)
    database = apply_steps(DATABASE, (CardStep("catapult", "copies", -1),))
    found = fit_deck(deck, FORMAT, database, ["catapult"])

    assert deck.counts()["catapult"] == 2
    assert found is not None
    assert found.counts()["catapult"] == 1
    assert found.counts().total() == deck.counts().total()
    assert judge(deck, FORMAT, database)
    assert not judge(found, FORMAT, database)
    assert fit_deck(deck, FORMAT, DATABASE, ["catapult"]) is deck

    swaps = list_legal_swaps(deck, FORMAT, database)
    cards = [swap.into for swap in swaps if swap.out == "catapult"][:5]
    monkeypatch.setattr(card_steps, "choose_average_cards", lambda *_: cards)
    found = fit_deck(deck, FORMAT, database, ["catapult"])
    assert found is not None
    assert [*(found.counts() - deck.counts())] == [cards[2]]


def test_sort_steps_in_the_order_of_the_cards() -> None:
    first, second = CardStep("a", "copies", -1), CardStep("a", "strength", 2)
    third = CardStep("b", "strength", 1)
    assert sort_steps([third, second, first], ["a", "b"]) == (first, second, third)


# Win rates of decks and factions, and what is said of a target.

NORTH, SOUTH = ("north", "North"), ("south", "South")
RATES = [0.6, 0.7, 0.8]


def test_make_gauges_of_decks_and_of_factions_that_met_another() -> None:
    """Decks count as often as they come."""
    for factions, copies, expected in (
        (
            [NORTH, NORTH, SOUTH],
            [1, 1, 1],
            {"a": 0.65, "b": 0.6, "c": 0.25, "North": 0.75, "South": 0.25},
        ),
        (
            [NORTH, NORTH, SOUTH],
            [3, 1, 2],
            {"a": 2 / 3, "b": 0.56, "c": 0.275, "North": 0.725, "South": 0.275},
        ),
        ([NORTH] * 3, [1, 1, 1], {"a": 0.65, "b": 0.6, "c": 0.25}),
        ([None] * 3, [1, 1, 1], {"a": 0.65, "b": 0.6, "c": 0.25}),
    ):
        found = make_gauges(["a", "b", "c"], factions, copies, PAIRS)
        values = {gauge.name: gauge.value(RATES) for gauge in found}
        assert values == pytest.approx(expected), (factions, copies)
        members = [(0,), (1,), (2,), (0, 1), (2,)]
        assert [gauge.members for gauge in found] == members[: len(found)]
        for gauge in found:
            assert sum(abs(part) for _, part in gauge.parts) == pytest.approx(1)


def test_estimate_of_a_gauge_is_that_of_the_games_of_its_deck() -> None:
    """The other deck sees the interval from its side."""
    [a, b, _] = make_gauges(["a", "b", "c"], [None] * 3, [1, 1, 1], PAIRS)
    scores = [(10, 20, 40, 20, 10), (0, 0, 0, 0, 100), (100, 0, 0, 0, 0)]
    estimate = a.estimate(scores, 0.95)

    assert estimate.value == pytest.approx(0.75)
    assert estimate.games == 400
    low, high = estimate.interval
    assert 0.7 < low < 0.75 < high < 0.8
    wider = a.estimate(scores, joint_level(20)).interval
    assert wider.low < low < high < wider.high
    assert b.estimate(scores, 0.95).value == pytest.approx(0.25)

    a, b = make_gauges(["a", "b"], [None] * 2, [1, 1], [(0, 1)])
    estimate = a.estimate([(0, 0, 5, 5, 40)], 0.95)
    value, (low, high) = estimate.value, estimate.interval
    assert high - value < value - low
    mirrored = b.estimate([(0, 0, 5, 5, 40)], 0.95).interval
    assert mirrored == pytest.approx((1 - high, 1 - low))


def test_verdict_on_an_interval() -> None:
    [gauge, _] = make_gauges(["a", "b"], [None, None], [1, 1], [(0, 1)])
    verdicts = {
        TargetVerdict.MET: [(0.46, 0.54)],
        TargetVerdict.INCONCLUSIVE: [(0.44, 0.54), (0.46, 0.56)],
        TargetVerdict.MISSED: [(0.40, 0.449), (0.551, 0.6)],
    }
    for verdict, intervals in verdicts.items():
        for interval in intervals:
            estimate = Estimate(sum(interval) / 2, Interval(*interval), 100)
            assert judge_target(Aim(gauge, 0.45, 0.55), estimate) is verdict, interval


def test_narrow_range_of_an_aim_by_half_at_most() -> None:
    [gauge, _] = make_gauges(["a", "b"], [None, None], [1, 1], [(0, 1)])
    for low, margin, expected in (
        (0.45, 0.01, (0.46, 0.54)),
        (0.45, 0.2, (0.475, 0.525)),
        (0.0, 0.01, (0.0, 0.54)),
    ):
        aim = Aim(gauge, low, 0.55)
        assert aim.narrow_range(margin) == pytest.approx(expected)
    assert aim.measure_miss(0.56, 0.01) == pytest.approx(0.02)
    assert aim.measure_miss(0.1) == 0


def test_targets_that_cannot_be() -> None:
    for low, high in ((-10, 60), (0, 45), (0, 50), (50, 100), (45, 101)):
        with pytest.raises(UsageError, match=f"`deck` is {low} to {high}%, must lie"):
            Targets(deck=(low / 100, high / 100))
    assert Targets(deck=(0.0, 1.0)).deck == (0.0, 1.0)
    with pytest.raises(UsageError, match="No target given"):
        Targets()
