"""A format solved as far as a small search can: same result, however it was played."""

import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers.results import HEAD, SWARM

import deckcheck
from deckcheck.findings import UsageError
from deckcheck.formats import database_of, load_format
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.run_directory import new_run
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.workers import InProcess
from deckcheck.specs import SolveSpec
from deckcheck.stats import Estimate, Interval
from deckcheck.studies import solve as solving
from deckcheck.studies.payoff import (
    Meetings,
    combine_gains,
    field_against,
    find_mixture,
    rate_pair,
)
from deckcheck.studies.search.search import SearchOutcome, find_best
from deckcheck.studies.solve import Solve, make_solve
from deckcheck.studies.solve_result import FieldDeck, Response, SolveResult
from deckcheck.studies.validation_games import Measure

GAMES = 3_000


def study(**more: Any) -> Solve:
    fmt = load_format("gwent/standard")
    settings = {"games": GAMES, "bound": 12.0, "rounds": 3, **more}
    question = SolveSpec(seed=2, policy="sane_random", **settings)
    [deck] = deckcheck.read(SWARM)
    against = [Entrant(deck, deck.name, "sane_random")]
    database = database_of(fmt)
    question = replace(question, factions=("monsters", "skellige"))
    return make_solve(fmt, database, [], against, question)


@pytest.fixture(scope="module")
def searches() -> list[tuple[int, range]]:
    """The seeds and jobs of the searches of `result`, once it has been played."""
    return []


@pytest.fixture(scope="module")
def result(searches: list[tuple[int, range]]) -> SolveResult:
    def find(spaces: Any, measure: Measure, budget: int, seed: int) -> SearchOutcome:
        first = measure.next_job
        found = find_best(spaces, measure, budget, seed)
        searches.append((seed, range(first, measure.next_job)))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solving, "find_best", find)
        return study().run()


def test_no_search_is_a_copy_of_another(
    result: SolveResult, searches: list[tuple[int, range]]
) -> None:
    """Other chance, and other games."""
    assert len(searches) == result.searches > 1
    for (seed, jobs), (other_seed, others) in combinations(searches, 2):
        assert seed != other_seed
        assert jobs.stop <= others.start


def test_a_field_begins_with_decks_drawn_apart() -> None:
    """Even if two spaces are the same one, and with others for another seed."""
    fields = []
    for seed in (1, 2):
        asked = study()
        asked = replace(asked, question=replace(asked.question, seed=seed))
        asked.__dict__["spaces"] = asked.spaces[:1] * 2
        begun = solving._Solving(asked, GameSession(seed, 1, InProcess()))
        begun._begin()
        fields += [entrant.deck.counts() for entrant in begun._meetings.entrants]

    assert len(fields) == 4
    assert all(one != other for one, other in combinations(fields, 2))


@pytest.mark.parametrize("thorough", [False, True])
def test_a_faster_bot_searches_for_learned(thorough: bool) -> None:
    asked = study(thorough=thorough)
    question = replace(asked.question, policy="learned")

    assert asked.search_policy == "sane_random"
    expected = "learned" if thorough else "heuristic"
    assert replace(asked, question=question).search_policy == expected


def test_the_faster_bot_plays_both_sides_of_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[Measure] = []

    def find(spaces: Any, measure: Measure, budget: int, seed: int) -> SearchOutcome:
        searched.append(measure)
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "find_best", find)
    monkeypatch.setattr(Solve, "search_policy", "random")
    with pytest.raises(KeyboardInterrupt):
        study().run()
    [measure] = searched
    players = {measure.policy, *(opponent.policy for opponent in measure.opponents)}
    assert players == {"random"}


def test_the_mix_is_one(result: SolveResult) -> None:
    assert sum(deck.share.value for deck in result.field) == pytest.approx(1)
    shares = [deck.share.value for deck in result.field]
    assert shares == sorted(shares, reverse=True)
    for deck in result.field:
        low, high = deck.share.interval
        assert low <= deck.share.value <= high
        # In its own games no deck of the mix is worse than another.
        assert deck.payoff == pytest.approx(0.5, abs=0.02)
    assert result.against is not None
    [met] = result.opponents
    assert (met.name, met.rate) == ("The swarm", result.against)


def test_what_joined_gained_more_than_the_bound(result: SolveResult) -> None:
    assert result.rounds[0].joined
    for each in result.rounds:
        assert each.joined is (each.answer.gain.value > result.bound)
    decks = [each.decks for each in result.rounds]
    assert decks == sorted(decks)
    assert decks[0] == 2
    assert result.games == GAMES // 100
    assert result.searches >= len(result.rounds)


def test_its_decks_are_legal_as_they_are_written(
    result: SolveResult, tmp_path: Path
) -> None:
    file = tmp_path / "field.txt"
    file.write_text(result.text)
    found = deckcheck.validate(file)

    assert found.legal
    names = [report.deck.name for report in found.reports if report.deck]
    assert names == [deck.name for deck in result.field]


def test_it_is_not_played_in_shards(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="of `solve` cannot be played in shards"):
        new_run(tmp_path / "run", study(), shard="1/2")


def answer_that_gains(gain: float) -> Response:
    found = Estimate(gain, Interval(gain - 0.01, gain + 0.01), 60)
    return Response(study().against[0], gain, found)


@pytest.mark.parametrize(
    ("won", "is_solved"), [((0, 0, 30, 0, 0), True), ((0, 0, 0, 0, 30), False)]
)
def test_it_is_solved_if_fresh_games_say_so(
    monkeypatch: pytest.MonkeyPatch, won: tuple[int, ...], is_solved: bool
) -> None:
    """The search found no answer, by games that its last answers are played again."""
    asked = study()
    ending = solving._Solving(asked, GameSession(1, 1, InProcess()))
    ending._meetings.entrants.append(asked.against[0])
    ending.shares = (1.0,)
    ending.answers = [answer_that_gains(0.0)]
    ending.is_solved = True
    monkeypatch.setattr(ending, "_play_against_mix", lambda *_: {0: won})
    ending._play_validation()

    assert ending.is_solved is is_solved
    assert ending.answers[0].gain.value == (0.0 if is_solved else 0.5)


@pytest.mark.parametrize(
    ("gains", "is_solved"), [((0.0, 0.1), True), ((0.0, 0.2), False)]
)
def test_it_is_solved_if_no_faction_has_an_answer(
    monkeypatch: pytest.MonkeyPatch, gains: tuple[float, ...], is_solved: bool
) -> None:
    checking = solving._Solving(study(), GameSession(1, 1, InProcess()))
    found = [(answer_that_gains(gain), {}) for gain in gains]
    left = iter(found)
    monkeypatch.setattr(checking, "_search", lambda *_: None)
    monkeypatch.setattr(checking, "_try", lambda _: next(left))
    monkeypatch.setattr(checking, "_meet", lambda: None)
    checking._check_factions()

    assert checking.is_solved is is_solved
    told = [answer for answer, _ in found]
    assert checking.answers == (told if is_solved else [])


@pytest.mark.slow
def test_a_bound_that_is_wide_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "SHORT_SEARCH_LEVELS", 0)
    few = {"games": 800, "cross_check": "random", "cross_check_games": 20}
    found = study(bound=49.0, rounds=20, **few).run()

    assert found.solved
    # The mix, one answer of all, one around the mix, then one of each faction.
    names = [each.entrant.name for each in found.answers]
    assert len(set(names) - {each.name for each in found.field}) >= 4
    assert found.most_gained is not None
    assert found.most_gained >= max(each.gain.interval.high for each in found.answers)
    assert found.most_gained >= 0
    best = found.best
    assert best is not None
    assert best.gain.value == max(each.gain.value for each in found.answers)
    assert "No counter-deck that was found wins more than" in found.answer
    own = {each.name for each in found.field}
    for each in found.answers:
        if each.entrant.name in own:
            continue
        assert each.cross_checked is not None
        assert each.cross_checked.games >= 20
        # Four times the games of a pair, and fresh.
        assert each.gain.games >= 4 * found.games


def test_what_is_said_is_what_the_intervals_show() -> None:
    """No bound lies below the table, or below nothing."""
    other: Any = SimpleNamespace(name="other")
    again = Estimate(0.031, Interval(-0.01, 0.07), 100)
    whole = Estimate(1.0, Interval(1, 1), 1)
    bound = "No counter-deck that was found wins more than"
    alone = "of its games against `own`: `other`, the best, wins 53.4%"
    for ends, is_solved, most, sentence in (
        ([(-0.02, 0.088), (-0.01, 0.058)], True, 0.088, f"{bound} 58.8% {alone}"),
        ([(-0.3, -0.121)], True, 0.0, f"{bound} 50.0% "),
        ([(-0.02, 0.088)], False, 0.088, "Whether a counter-deck beats it is "),
        ([(0.01, 0.088)], False, 0.088, "No stable mix yet: `other` wins 54.9% "),
        ([], False, None, "Best guess so far: `own`. No counter-deck was tested."),
    ):
        gains = [Estimate(sum(e) / 2, Interval(*e), 100) for e in ends]
        result = SolveResult(
            **HEAD,
            field=(FieldDeck("own", None, None, whole, 0.5, ()),),
            answers=tuple(Response(other, 0.0, gain, again) for gain in gains),
            bound=0.05,
            solved=is_solved,
            cross_check="learned",
        )

        assert result.most_gained == most, ends
        assert len(result.claims) == 2 * bool(ends)
        assert sentence in result.answer
        assert result.answer.startswith("Bring `own`.") == is_solved
        second = "it is not clear: `other` wins 53.1% (95% CI 49.0 to 57.0)."
        assert result.answer.endswith(second) == bool(ends)


def test_answer_of_solve_advises_games_of_each_search() -> None:
    other: Any = SimpleNamespace(name="other")
    gain = Estimate(0.05, Interval(-0.05, 0.15), 100)
    result = SolveResult(
        **HEAD,
        field=(FieldDeck("own", None, None, gain, 0.5, ()),),
        answers=(Response(other, 0.0, gain),),
        search_games=1_000,
    )

    assert "Too few games to tell; try `--games 8000`." in result.answer


def test_the_mixture_of_rock_paper_and_scissors_leaves_out_the_worst() -> None:
    rates = np.array(
        [
            [0.5, 1.0, 0.0, 0.9],
            [0.0, 0.5, 1.0, 0.9],
            [1.0, 0.0, 0.5, 0.9],
            [0.1, 0.1, 0.1, 0.5],
        ]
    )
    assert find_mixture(rates) == pytest.approx((1 / 3, 1 / 3, 1 / 3, 0))


def test_a_gain_counts_each_deck_by_its_share() -> None:
    counts = (5, 5, 15, 5, 20)
    rate = rate_pair(counts)
    gain = combine_gains([rate, None], (0.5, 0.5))
    low, high = rate.interval()

    assert gain.value == pytest.approx((rate.value - 0.5) / 2)
    assert gain.interval() == pytest.approx(((low - 0.5) / 2, (high - 0.5) / 2))
    assert gain.games == 100
    mean = field_against({(0, 0): rate, (0, 1): rate_pair(counts)}, (1.0, 0.0))
    assert mean.value == pytest.approx(rate.value)
    # Two that are independent are known better than one, by the root of 2.
    reach = (mean.interval.high - mean.interval.low) / (high - low)
    assert reach == pytest.approx(1 / math.sqrt(2), abs=0.02)


def test_pairs_that_have_met_are_not_missing() -> None:
    asked = study()
    deck = asked.against[0]
    met = Meetings(asked.format, asked.database, [deck, deck, deck])
    met.counts[0, 2] = (0, 0, 1, 2, 3)

    assert met.missing() == [(0, 1), (1, 2)]
    assert met.rates()[0, 2] == pytest.approx(5 / 6)
    assert met.rates()[2, 0] == pytest.approx(1 / 6)


def test_what_cannot_be_asked() -> None:
    for settings, message in (
        ({"games": 100}, "100 games are too few to search with"),
        ({"bound": 0.0}, "`--bound` is 0, must be more than 0"),
    ):
        with pytest.raises(UsageError, match=message):
            study(**settings)
