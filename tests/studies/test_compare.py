"""Comparisons of decks and of formats."""

import json
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.outputs import check_document
from helpers.results import SHIPS, SIEGE, SWARM

import deckcheck
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.formats import database_of
from deckcheck.playing.versions import SCORE_COUNT
from deckcheck.sim.gathering import gather
from deckcheck.specs import CompareSpec
from deckcheck.stats import Interval, Verdict
from deckcheck.studies.compare import ComparisonResult, make_comparison
from deckcheck.studies.duels import (
    VersionDifference,
    combine_differences,
    plan_checkpoints,
)
from deckcheck.studies.search.search import (
    CHANGE_COST,
    DeckSearch,
    SearchOutcome,
    fit_sum,
    list_decks_between,
    path_to,
    undo_idle_changes,
)
from deckcheck.studies.search.space import Candidate, DeckSpace, space_around
from deckcheck.studies.validation_games import Scores
from deckcheck.studies.weights import match_weights

# Comparisons with the real engine: what they find, and that nothing else matters.

ROOT = Path(__file__).parents[2]
NEW = ROOT / "examples" / "compare" / "third_decoy_out.deck"
SCORCH = ROOT / "examples" / "compare" / "second_scorch.deck"
FIELD = [SWARM, SHIPS]


def compare(*versions: Path, **settings: Any) -> ComparisonResult:
    settings = {"against": FIELD, "policies": "sane_random", **settings}
    return deckcheck.compare(*versions, **settings)


@pytest.mark.parametrize(("margin", "is_first"), [(5, False), (99, True)])
def test_intervals_that_were_looked_at_hold_at_every_look(
    margin: float, is_first: bool
) -> None:
    """They are wider than those of as many games that nobody looked at."""
    looked = compare(SIEGE, SCORCH, margin=margin)
    fixed = compare(SIEGE, SCORCH, games=looked.games)

    assert looked.checkpoints > 0
    assert (looked.checkpoints == 1) is is_first
    assert looked.checksum == fixed.checksum
    assert looked.is_clear
    pairs = zip(
        (looked.field, *looked.opponents), (fixed.field, *fixed.opponents), strict=True
    )
    for one, other in pairs:
        rates = zip(one.win_rates, other.win_rates, strict=True)
        differences = zip(one.differences, other.differences, strict=True)
        for wide, narrow in [*rates, *differences]:
            assert wide.value == narrow.value
            assert wide.interval.low < narrow.interval.low
            assert narrow.interval.high < wide.interval.high


def test_a_fixed_number_of_games() -> None:
    result = compare(SIEGE, NEW, games=99)

    assert result.checkpoints == 0
    assert result.games == 100
    assert result.games_played == 400
    rates = [against.win_rates for against in result.opponents]
    for version in range(2):
        mean = sum(rate[version].value for rate in rates) / 2
        assert result.field.win_rates[version].value == pytest.approx(mean)
    old, new = (rate.value for rate in result.field.win_rates)
    assert result.field.differences[0].value == pytest.approx(new - old)


def test_the_games_of_the_second_bot_are_expected_as_they_are_played() -> None:
    reports, _ = gather([str(path) for path in (SIEGE, NEW, *FIELD)])
    fmt = reports[0].format
    assert fmt is not None
    question = CompareSpec(
        seed=1,
        games=100,
        policies=("random",),
        cross_check="sane_random",
        cross_check_games=20,
    )
    study = make_comparison(
        fmt, database_of(fmt, None), reports[:2], reports[2:], question
    )
    expected = study._expect_second_games()
    result = study.run()

    assert result.cross_checked is not None
    assert expected == {"sane_random": result.cross_checked.games_played}


def test_several_versions_are_ranked() -> None:
    result = compare(SIEGE, NEW, SCORCH, games=400)

    assert len(result.field.differences) == 3
    rates = {version.name: version.rate.value for version in result.versions}
    ranked = [rates[name] for name in result.ranking]
    assert ranked == sorted(ranked, reverse=True)
    # Three simultaneous intervals are wider than one alone.
    alone = compare(SIEGE, NEW, games=400).field.differences[0].interval
    together = result.differences[0].interval
    assert together.low < alone.low < alone.high < together.high


def test_a_field_may_be_weighed(tmp_path: Path) -> None:
    """By weights in any unit; who does not come is not met, in a run of its own too."""
    weights = {"The swarm": 3.0, "Longships of Skellige": 1.0}
    result = compare(SIEGE, NEW, SCORCH, games=200, weights=weights)
    even = compare(SIEGE, NEW, SCORCH, games=200)
    alone = compare(SIEGE, NEW, SCORCH, games=200, weights={"the SWARM": 2})

    swarm, ships = (entry.win_rates for entry in result.opponents)
    for place, rate in enumerate(result.field.win_rates):
        mean = 0.75 * swarm[place].value + 0.25 * ships[place].value
        assert rate.value == pytest.approx(mean)
        assert rate.interval.low < mean < rate.interval.high
    assert result.checksum == even.checksum
    assert result.shares == (("The swarm", 0.75), ("Longships of Skellige", 0.25))
    assert [entry.name for entry in alone.opponents] == ["The swarm"]
    document = json.loads(json.dumps(result.to_dict()))
    check_document("compare", document)
    assert document["shares"] == dict(result.shares)

    kept = tmp_path / "run"
    looked = compare(SIEGE, SCORCH, weights=weights, margin=9, run=kept)
    fixed = compare(SIEGE, SCORCH, weights=weights, games=looked.games)
    [wide], [narrow] = looked.field.differences, fixed.field.differences
    assert wide.interval.low < narrow.interval.low
    again = deckcheck.resume(kept)
    assert (again.shares, again.field) == (looked.shares, looked.field)


def test_checkpoints_grow_by_a_quarter() -> None:
    assert [*plan_checkpoints(4, 150)] == [64, 80, 100, 125, 150]
    assert [*plan_checkpoints(1000, 3)] == [1, 2, 3]


# The changes from a deck to a better one: their order, and which are left out.


@cache
def space() -> DeckSpace:
    [report], _ = gather([str(SIEGE)])
    assert report.deck is not None
    assert report.format is not None
    database = database_of(report.format, None)
    return space_around(
        report.deck, report.format, database, changes=4, changes_leader=True
    )


def changed(**copies: int) -> Candidate:
    """The base with so many copies of some cards more."""
    base = space().base
    assert base is not None
    counts = list(base.counts)
    for card, more in copies.items():
        counts[space().cards.index(card)] += more
    return replace(base, counts=tuple(counts))


TUNED = changed(clear_weather=-2, ballista=-1, ves=1)
WORTHS = {"clear_weather": -5.0, "ballista": -1.0, "ves": 0.5}


def rate(candidate: Candidate) -> float:
    """What a deck wins: cards add up."""
    return sum(
        WORTHS.get(card, 0.0) * count
        for card, count in zip(space().cards, candidate.counts, strict=True)
    )


def test_a_path_makes_the_best_change_first() -> None:
    base = changed()
    path = path_to(space(), TUNED, rate)

    assert path == [
        base,
        changed(clear_weather=-1, ves=1),
        changed(clear_weather=-2, ves=1),
        TUNED,
    ]
    assert all(map(space().holds, path))


def test_a_leader_is_a_change_of_its_own() -> None:
    _, other, *_ = space().leaders
    to = replace(TUNED, leader=other)
    path = path_to(space(), to, lambda deck: deck.leader == other)

    assert path[1] == replace(changed(), leader=other)
    assert [one.leader == two.leader for one, two in pairwise(path)] == [
        *(False, True, True, True)
    ]
    assert space().count_changes(to) == 4
    assert space().distance(to) == 3


def test_changes_that_are_legal_only_together_are_made_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if the format forbade a single `Clear Weather`."""
    own = space()
    place = own.cards.index("clear_weather")
    holds = DeckSpace.holds
    monkeypatch.setattr(
        DeckSpace, "holds", lambda self, c: c.counts[place] != 1 and holds(self, c)
    )
    path = path_to(own, TUNED, rate)

    steps = [two.counts[place] - one.counts[place] for one, two in pairwise(path)]
    assert sorted(steps) == [-2, 0]


def test_decks_between_have_some_of_the_changes() -> None:
    """Without `Ves` the deck has too few units to leave a `Ballista` out."""
    between = list_decks_between(space(), TUNED)

    assert between[:2] == [changed(), TUNED]
    assert len(between) == len(set(between))
    assert set(between) == {
        changed(),
        TUNED,
        changed(clear_weather=-1),
        changed(clear_weather=-2),
        changed(ballista=-1, ves=1),
        changed(clear_weather=-1, ves=1),
        changed(clear_weather=-2, ves=1),
        changed(clear_weather=-1, ballista=-1, ves=1),
    }
    changes = [space().distance(deck) for deck in between[1:]]
    assert changes == sorted(changes, reverse=True)


def test_changes_that_gain_too_little_are_undone() -> None:
    def value(deck: Candidate) -> float:
        return rate(deck) - CHANGE_COST * space().count_changes(deck)

    assert undo_idle_changes(space(), TUNED, value) == TUNED
    more = {"trebuchet": -1, "olgierd_von_everec": 1}
    idle = changed(clear_weather=-2, ballista=-1, ves=1, **more)
    assert space().holds(idle)
    assert undo_idle_changes(space(), idle, value) == TUNED
    none = changed(roach=-1, ves=1)
    assert undo_idle_changes(space(), none, lambda deck: -rate(deck)) == changed()


def test_worths_are_learned_from_decks_between() -> None:
    """Also those of changes that were never made alone."""
    decks = list_decks_between(space(), TUNED)
    learned = fit_sum(decks, np.array([3 + rate(deck) for deck in decks]))

    for deck in decks:
        assert learned(deck) == pytest.approx(3 + rate(deck), abs=1e-4)


class Planted:
    """Games that are drawn by chance: what cards are worth is known, in points."""

    smallest = 2

    def __init__(self, worths: dict[str, float], seed: int) -> None:
        self.played = 0
        self.note = ""
        self._worths = worths
        self._chance = np.random.default_rng(seed)

    def play(self, decks: list[Deck], games: int) -> Scores:
        counts = []
        for deck in decks:
            cards = deck.counts()
            worth = sum(by * cards[card] for card, by in self._worths.items())
            drawn = self._chance.binomial(
                SCORE_COUNT - 1, 0.5 + worth / 100, games // 2
            )
            counts.append([np.bincount(drawn, minlength=SCORE_COUNT)])
        self.played += len(decks) * games
        return Scores(np.array(counts), np.ones(1))


def searched(worths: dict[str, float], seed: int) -> SearchOutcome:
    measure: Any = Planted(worths, seed)
    own = replace(space(), leaders=space().leaders[:1])
    return DeckSearch([own], measure, 60_000, seed, undoes=True).run()


def test_a_change_that_does_nothing_is_left_out() -> None:
    """One card is bad, one good; all others do alike, so no more than that is done."""
    worths = {"clear_weather": -4.0, "ves": 3.0, "thaler": 0.2}
    best = searched(worths, 1)
    deck = best.deck.counts()

    assert deck["clear_weather"] == 0
    assert deck["ves"] == 1
    assert space().count_changes(best.candidate) == len(best.path) - 1 == 2
    assert (best.path[0], best.path[-1]) == (best.space.base, best.candidate)


# When enough was played to know a difference.

BETTER = VersionDifference(
    "old", "new", 0.04, Interval(0.021, 0.059), Verdict.BETTER, None
)


def test_a_difference_is_known_to_half_of_it_or_to_the_margin() -> None:
    """And not as long as 0 is in its interval, however wide the margin."""
    for ends, margin, known in (
        # Half of 4 points to each side is 4 points wide.
        ((0.0205, 0.0595), 0.001, True),
        ((0.0195, 0.0605), 0.001, False),
        # So is a margin of 2 points; a greater one allows more.
        ((0.0195, 0.0605), 0.02, False),
        ((0.0195, 0.0605), 0.021, True),
        ((0.0050, 0.0750), 0.036, True),
    ):
        better = replace(BETTER, interval=Interval(*ends))
        assert better.is_known(margin) is known, (ends, margin)
        assert better.opposite().is_known(margin) is known, (ends, margin)

    unsure = {"interval": Interval(-0.001, 0.081), "verdict": Verdict.INCONCLUSIVE}
    assert not replace(BETTER, **unsure).is_known(0.5)
    alike = {"difference": 0.0, "interval": Interval(-0.01, 0.01)}
    assert replace(BETTER, **alike, verdict=Verdict.EQUAL).is_known(0.001)


def test_opponents_count_by_their_shares() -> None:
    """Better by a half-point in a tenth of 100 sets, and in half of 20."""
    rare, often = np.zeros((5, 5), np.int64), np.zeros((5, 5), np.int64)
    rare[2, 2], rare[2, 3] = 90, 10
    often[2, 2], often[2, 3] = 10, 10
    settings = {"margin": 0.0, "anytime": False}
    alone = combine_differences(("old", "new"), [often], **settings)  # type: ignore[arg-type]
    both = combine_differences(
        ("old", "new"), [rare, often], shares=(0.75, 0.25), **settings
    )  # type: ignore[arg-type]

    assert both.value == pytest.approx((0.75 * 0.1 + 0.25 * 0.5) / 4)
    low, high = both.interval
    assert 0 < low < both.value < high < alone.interval.high


# How often each opponent comes.


def test_how_often_each_opponent_is_expected() -> None:
    names = ("One", "Two")
    assert match_weights({"two": 3, "One": 1.5}, names, "deck") == (1.5, 3.0)
    assert match_weights({"Two": 2}, names, "deck") == (0.0, 2.0)
    for given, message in (
        ({"One": 0, "Two": 0}, "`weights` expects nobody: no weight is above 0"),
        ({"One": -1}, "The weight of `One` is -1"),
        ({"One": True}, "The weight of `One` is True"),
        ({"One": float("inf")}, "The weight of `One` is inf"),
        ({"Three": 1}, "No deck of this field is called `Three`"),
    ):
        with pytest.raises(UsageError, match=re.escape(message)):
            match_weights(given, names, "deck")
