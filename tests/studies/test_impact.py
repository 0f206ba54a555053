"""What cards are worth, and what is said of it."""

from dataclasses import replace
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers.outputs import assert_tidy
from helpers.results import SHIPS, SIEGE, STANDARD, SWARM

import deckcheck
from deckcheck import simulate
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head, new_tally
from deckcheck.playing.redraws import HandSum as Moment
from deckcheck.report.tables import ReportTable
from deckcheck.sim.figures import DEPENDS_ON_PLAYER
from deckcheck.sim.result import SimulationResult
from deckcheck.stats import Interval
from deckcheck.stats.intervals import student_quantile
from deckcheck.studies import impact as impact_module
from deckcheck.studies.compare import chance_ahead
from deckcheck.studies.duel_tables import make_by_bot_table
from deckcheck.studies.impact_result import (
    CrossCheckResult,
    ImpactResult,
    observed_words,
)
from deckcheck.studies.observed import Observed, _measure_observed
from deckcheck.studies.swaps import (
    HALF_POINTS,
    EffectSums,
    MeasuredEffect,
    Race,
    Swap,
    Trial,
    TriedSwaps,
    choose_average_cards,
    list_legal_swaps,
    measure_effect,
)

# What cards are worth, where a planted card tells what should come out.


def impact(deck: Path = SIEGE, **settings: Any) -> ImpactResult:
    settings = {"against": SWARM, "policies": "sane_random", "games": 20, **settings}
    return deckcheck.impact(deck, **settings)


@pytest.fixture(scope="module")
def result() -> ImpactResult:
    return impact(thorough=True)


def test_swaps_are_judged_by_the_format() -> None:
    fmt = load_format("gwent/standard")
    database = database_of(fmt)
    [deck] = deckcheck.read(SIEGE)
    swaps = list_legal_swaps(deck, fmt, database)
    into = {swap.into for swap in swaps}

    # There are 22 units, the fewest allowed: a special cannot stand in for one.
    assert Swap("ballista", "scorch") not in swaps
    assert Swap("decoy", "scorch") in swaps
    # It has all copies of Catapult, and no card of another faction.
    assert "catapult" not in into
    assert "nekker" not in into
    average = choose_average_cards(deck, swaps, database, 4)
    assert len(average) == 4
    assert {database.cards[card].faction for card in average} == {"northern_realms"}
    strengths = [database.cards[card].strength or 0 for card in average]
    assert strengths == sorted(strengths)


def test_every_card_is_weighed(result: ImpactResult) -> None:
    [deck] = deckcheck.read(SIEGE)

    assert {card.id for card in result.cards} == set(deck.counts())
    assert result.games == 20 < result.games_played
    for card in result.cards:
        low, high = card.impact.interval
        assert low <= card.impact.value <= high
        assert [met.impact for met in card.against] == [card.impact]
        assert 1 <= len(card.alternatives) <= 3
    # By the first trial, in games of which none is told.
    hoped = [card.expected for card in result.cards]
    assert hoped == sorted(hoped, reverse=True)
    assert hoped != [card.impact.value for card in result.cards]
    assert result.cut in {card.id for card in result.cards}
    assert_tidy(result, "copies")


def test_the_answer_says_whether_it_is_clear(result: ImpactResult) -> None:
    for worth, gain, unclear in (
        ((-0.03, 0.01), (-0.01, 0.03), [True, True]),
        ((-0.03, -0.01), (-0.01, 0.03), [False, True]),
        ((-0.03, 0.01), (0.01, 0.03), [True, False]),
        ((-0.03, -0.01), (0.01, 0.03), [False, False]),
    ):
        card = next(each for each in result.cards if each.id == result.cut)
        best = replace(card.alternatives[0], gain=MeasuredEffect(0.02, Interval(*gain)))
        worth_of_it = MeasuredEffect(-0.01, Interval(*worth))
        card = replace(card, impact=worth_of_it, alternatives=(best,))
        sentences = replace(result, cards=(card,)).answer.split(". ")

        assert f"`{card.name}`" in sentences[0], worth
        assert "-1.0 percentage points" in sentences[0], worth
        assert sentences[-1].startswith(
            f"Replacing `{card.name}` by `{best.name}` makes "
        ), worth
        assert "+2.0 percentage points" in sentences[-1], worth
        is_unclear = ["o clear difference" in sentences[place] for place in (0, -1)]
        assert is_unclear == unclear, worth


def test_players_who_disagree_leave_it_open_unless_the_second_is_weaker(
    result: ImpactResult,
) -> None:
    """A card that one player should cut, and another one defends."""
    card = next(each for each in result.cards if each.id == result.cut)
    worth = MeasuredEffect(-0.02, Interval(-0.03, -0.01))
    card = replace(card, impact=worth, alternatives=())
    defended = MeasuredEffect(0.02, Interval(0.01, 0.03))
    again = CrossCheckResult("learned", 100, defended, None)

    sure = replace(result, cards=(card,)).answer
    assert sure.startswith(f"`{card.name}` is worth less than an average card: ")
    disputed = replace(result, cards=(card,), cross_checked=again)
    opinion = "The stronger bot `learned-6` disagrees: +2.0 (1.0 to 3.0)."
    assert disputed.answer == f"{DEPENDS_ON_PLAYER} {sure} {opinion}"
    assert [c.verdict.value for c in disputed.claims] == ["worse", "better"]
    weaker = replace(again, policy="heuristic")
    sure = replace(disputed, players=("learned",), cross_checked=weaker)
    assert sure.answer.startswith(f"`{card.name}` is worth less than")
    assert "The weaker bot `heuristic-3` disagrees: +2.0 (1.0 to 3.0)." in sure.answer


def test_cards_that_dropped_out_of_a_race_rank_before_those_still_open() -> None:
    impacts = {"a": 0.3, "b": 0.0, "c": 0.2, "d": 0.1}
    race: Any = SimpleNamespace(
        trial=SimpleNamespace(means=impacts),
        impact=lambda card: SimpleNamespace(value=impacts[card]),
        open=SimpleNamespace(means="cb"),
        adaptive=True,
    )
    assert impact_module.rank_cards(race) == ["a", "d", "c", "b"]
    race.adaptive = False
    assert impact_module.rank_cards(race) == ["a", "c", "d", "b"]


def test_what_chose_is_not_what_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What looked best in some games is told by others, where it is as it is."""
    trials: list[TriedSwaps] = []

    class Noted(TriedSwaps):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            trials.append(self)

    monkeypatch.setattr(impact_module, "TriedSwaps", Noted)
    result = impact(against=[SWARM, SHIPS], thorough=True)
    first, second = trials
    cards = {card.id: card for card in result.cards}

    for id, card in cards.items():
        assert card.impact == second.impact(id)
        worths = [met.impact for met in card.against]
        assert worths == [second.impact_against(id, i) for i in range(2)]
        leads = [first.impact_against(id, i).value for i in range(2)]
        assert card.most_against == result.opponents[leads.index(max(leads))]
        for each in card.alternatives:
            assert each.gain == second.gain(Swap(id, each.id))
    assert result.cut == min(cards, key=lambda id: first.impact(id).value)
    told = [card.impact for card in cards.values()]
    assert told != [first.impact(id) for id in cards]
    own = [[t[0, Head.CHECKSUM] for t in tried.tallies] for tried in trials]
    assert not {*own[0]} & {*own[1]}


def test_a_race_ends_with_few_cards_that_are_weighed_in_fresh_games() -> None:
    """The number of workers changes nothing."""
    about = {"policies": "learned", "games": 8, "cross_check": None}
    result = impact(**about, jobs=1)
    *others, third, second, last = result.cards
    contenders = [third, second, last]

    assert result.cut == last.id
    assert all(card.alternatives for card in contenders)
    assert not any(card.alternatives for card in others)
    assert [card.games for card in contenders] == [8, 8, 8]
    assert min(card.games for card in others) > 2
    again = impact(**about, jobs=2)
    assert (again.checksum, again.cards) == (result.checksum, result.cards)
    # Without a race all cards are weighed.
    whole = impact(**about, thorough=True)
    assert all(card.alternatives for card in whole.cards)


WORTHS = (-0.3, 0.05, 0.1, 0.1, 0.2)


def raced(chance: np.random.Generator, race: Race, sets: int) -> Race:
    """The race after a round in which cards change games by chance."""
    trial = race.open
    contrasts = [0.0] * len(trial.swaps)
    contrasts += [WORTHS[int(card)] for card in trial.means]
    shares = (1 + np.array(contrasts)) / 2
    drawn = 2 * (chance.random((sets, len(shares))) < shares) - 1
    sums = np.array([drawn.sum(axis=0), (drawn * drawn).sum(axis=0)]) * HALF_POINTS
    sums[1] *= HALF_POINTS
    tally = new_tally(2, 2)
    tally[0, Head.SETS] = sets
    table: Any = SimpleNamespace(sums=lambda _: sums)
    return race.after(TriedSwaps(trial, [table], [tally]))


def test_a_race_drops_cards_that_are_clearly_worth_more() -> None:
    means = {str(i): (Swap(str(i), "average"),) for i in range(len(WORTHS))}
    race = Race(Trial.of(means), "none", adaptive=True)
    chance = np.random.default_rng(1)

    few = raced(chance, race, 8)
    assert list(few.open.means) == list(means)
    many = raced(chance, few, 400)
    assert list(many.open.means) == ["0"]
    # What was played before a card dropped out counts, and what came later.
    last = raced(chance, many, 100)
    sets = {card: last.add_sets(card)[0].sets for card in means}
    assert sets == {"0": 508, "1": 408, "2": 408, "3": 408, "4": 408}
    assert last.impact("0").interval.high < last.impact("4").interval.low


def test_measure_effect_weighs_opponents_that_were_met_once() -> None:
    """40 opponents: 20 of weight 3 with a gain of 0.6, 20 of weight 1 with -0.6."""
    rows = [EffectSums(1, 0.6, 0.36), EffectSums(1, -0.6, 0.36)] * 20
    effect = measure_effect(rows, [3, 1] * 20)

    variance = 20 * ((3 * 0.3) ** 2 + (1 * 0.9) ** 2) / 80**2 * 40 / 39
    low, high = effect.interval
    assert effect.value == pytest.approx(0.3)
    half = student_quantile(0.95, 39) * sqrt(variance)
    assert (high - low) / 2 == pytest.approx(half)


# The band of a deck's win rates with several players.

DECKS = [SWARM, STANDARD / "sk_berserkers.deck", SIEGE]
PLAYERS = ["sane_random", "heuristic"]


def crossed(**options: bool) -> tuple[SimulationResult, ReportTable]:
    result = simulate(*DECKS, policies=PLAYERS, every_policy=True, games=40, **options)
    return result, make_by_bot_table(result)


def test_each_rate_is_that_against_all_other_decks() -> None:
    result, table = crossed()

    assert len(table.rows) == len(DECKS)
    assert {column.name for column in table.columns[1:-1]} == set(PLAYERS)
    for deck, *rates, band in table.rows:
        assert isinstance(band, Interval)
        for column, rate in zip(table.columns[1:-1], rates, strict=True):
            name = f"{deck} ({column.name})"
            met = [
                m.win_rate_a if m.a == name else 1 - m.win_rate_a
                for m in result.matchups
                if name in (m.a, m.b) and not (m.a.startswith(deck) and deck in m.b)
            ]
            assert len(met) == len(PLAYERS) * (len(DECKS) - 1)
            assert rate == pytest.approx(sum(met) / len(met))
            assert band.low < rate < band.high


def test_of_a_field_only_its_challengers_are_shown() -> None:
    _, table = crossed(gauntlet=True)

    assert [row[0] for row in table.rows] == ["The swarm"]


# Sentences that say no more than the games do.


def test_a_small_difference_is_seldom_seen_in_100_games() -> None:
    for new, old, percent in (
        *((0.652, 0.644, 52), (0.6442, 0.644, 47), (0.66, 0.5, 99)),
        *((0.75, 0.25, 100), (0.25, 0.75, 100)),
    ):
        assert round(100 * chance_ahead(new, old)) == percent, (new, old)


# How win rates with a card and without it differ, from sums over game pairs.

PAIRS = 40


def test_a_card_seen_in_one_game_of_each_pair_is_a_paired_difference() -> None:
    """Its interval is that of the mean of differences, with Student's quantile."""
    chance = np.random.default_rng(5)
    seen, unseen = chance.integers(0, 3, (2, PAIRS))
    sums = seen + unseen
    moments = dict.fromkeys(Moment, 0) | {
        Moment.N: PAIRS,
        Moment.H: int(seen.sum()),
        Moment.NN: PAIRS,
        Moment.NH: int(seen.sum()),
        Moment.HH: int((seen * seen).sum()),
        Moment.NS: int(sums.sum()),
        Moment.HS: int((seen * sums).sum()),
    }
    whole = (PAIRS, int(sums.sum()), int((sums * sums).sum()))
    effect = _measure_observed("card", "drawn", [*moments.values()], whole).difference
    differences = (seen - unseen) / 2
    # The pairs that could hold all games with the card decide the quantile.
    freedom = PAIRS // 2 - 1
    reach = student_quantile(0.95, freedom) * np.sqrt(differences.var() / PAIRS)

    assert effect is not None
    assert effect.value == pytest.approx(differences.mean())
    assert effect.interval.high - effect.interval.low == pytest.approx(2 * reach)


def test_an_observed_difference_is_shown_where_it_is_sure() -> None:
    """It is if at most 5 in 100 of those that are shown may be chance."""
    effect = MeasuredEffect(0.1, Interval(0.0, 0.2))
    for rate, shown in (
        *((0.01, "+10.0"), (0.05, "+10.0")),
        *((0.051, "inconclusive"), (None, "inconclusive")),
    ):
        seen = Observed("card", "drawn", 40, 0.6, effect, rate)
        assert observed_words(seen) == shown, rate

    assert observed_words(Observed("card", "drawn", 4, 0.6, None, None)) == "-"
