"""The choice of a lineup: of legal ones, by the best choices, in games of its own."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deckcheck
from deckcheck.decks import Header
from deckcheck.engine.gwent.match import GwentMatchRules
from deckcheck.findings import UsageError
from deckcheck.formats import database_of, load_format
from deckcheck.rules import judge_together
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.selection import Chances, Values, match_value, solve
from deckcheck.sim.workers import InProcess
from deckcheck.specs import LineupsSpec
from deckcheck.stats import Combination, Interval, Sample
from deckcheck.studies import lineups
from deckcheck.studies.lineup_choice import (
    MAX_OTHER_LINEUPS,
    BestLineups,
    DuelRates,
    LineupsState,
    Members,
    Pool,
    build_pool,
    choose_against,
    choose_mix,
    compute_chances,
    compute_values,
    estimate_lineup,
    resample_shares,
)
from deckcheck.studies.lineups import LineupChoice, lineup_rates, make_lineup_choice
from deckcheck.studies.lineups_result import LineupsResult, list_lineup

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
LINEUPS = DECKS / "tournament"
FILES = sorted(LINEUPS.iterdir())
RULES = GwentMatchRules()
FORMAT = load_format("gwent/tournament")


def entrants(*files: Path, policy: str = "random") -> list[Entrant]:
    """Decks that name the format of one game, as those of a player do."""
    decks = deckcheck.read(*files) if files else []
    named = [
        replace(
            deck,
            headers={**deck.headers, "format": (Header("gwent/advanced", deck.span),)},
        )
        for deck in decks
    ]
    return [Entrant(deck, deck.name, policy) for deck in named]


def study(*against: Path, start: Sequence[Path] = FILES, **more: Any) -> LineupChoice:
    settings = {
        "games": 3_000,
        "cross_check": "sane_random",
        "cross_check_games": 60,
        **more,
    }
    question = LineupsSpec(seed=1, policy="random", **settings)
    decks, field = entrants(*start), entrants(*against)
    return make_lineup_choice(FORMAT, database_of(FORMAT), decks, field, question)


def random_chances(decks: int, seed: int) -> Values:
    wins = np.random.default_rng(seed).random((decks, decks))
    return np.triu(wins, 1) + np.tril(1 - wins.T, -1) + np.eye(decks) / 2


class TestValues:
    """What lineups are worth against each other, all at once."""

    @pytest.mark.parametrize("at_once", [1, 50_000])
    def test_they_are_those_of_the_best_choices(
        self, monkeypatch: pytest.MonkeyPatch, at_once: int
    ) -> None:
        monkeypatch.setattr("deckcheck.studies.lineup_choice.MATCHES_AT_ONCE", at_once)
        chances = random_chances(5, 1)
        own: list[Members] = [*combinations(range(5), 3), (0, 4)]
        others: list[Members] = [(1, 2), (4, 3, 2), (0, 1, 2)]
        values = compute_values(chances, own, others, RULES)

        for (i, a), (j, b) in product(enumerate(own), enumerate(others)):
            table = [[Chances(chances[x, y], 0.0) for y in b] for x in a]
            expected = match_value(solve(table, RULES), RULES)
            assert values[i, j] == pytest.approx(expected, abs=1e-12)


class TestChances:
    """How likely a deck wins a game that is decided."""

    def test_draws_are_taken_out(self) -> None:
        # Of 20 games 10 are won and 4 drawn.
        chances = compute_chances(3, {(0, 2): DuelRates((1, 2, 2, 2, 3), 0.2)})

        assert chances[0, 2] == pytest.approx((0.6 - 0.1) / 0.8)
        assert chances[2, 0] == pytest.approx(1 - chances[0, 2])
        assert chances[1, 1] == 0.5
        assert np.isnan(chances[0, 1])

    def test_games_that_are_all_drawn_decide_nothing(self) -> None:
        chances = compute_chances(2, {(0, 1): DuelRates((0, 0, 5, 0, 0), 1.0)})

        assert np.isnan(chances[0, 1])
        assert compute_values(chances, [(0, 0)], [(1, 1)], RULES) == 0.5

    def test_scores_drawn_again_stay_within_bounds(self) -> None:
        chances = compute_chances(2, {(0, 1): DuelRates((0, 0, 1, 0, 4), 0.5)}, [1.0])

        assert chances[0, 1] == 1.0


class TestChoice:
    """The lineups that are best against a field, or against each other."""

    def test_against_a_field_the_best_mean_counts(self) -> None:
        values = np.array([[0.9, 0.1], [0.6, 0.6], [0.5, 0.4], *[[0.1, 0.1]] * 5])
        choice = choose_against(values)

        assert list(choice.promised)[:3] == [1, 0, 2]
        assert choice.promised[1] == pytest.approx(0.6)
        assert len(choice.promised) == MAX_OTHER_LINEUPS
        assert not choice.shares

    def test_without_one_it_is_the_mix_that_none_beats(self) -> None:
        circle = np.array([[0.5, 0.7, 0.2], [0.3, 0.5, 0.6], [0.8, 0.4, 0.5]])
        values = np.full((4, 4), 0.5)
        values[1:, 1:], values[0, 1:], values[1:, 0] = circle, 0.4, 0.6
        choice = choose_mix(values)

        assert list(choice.shares) == sorted(
            choice.shares, key=lambda i: -choice.shares[i]
        )
        assert set(choice.shares) == {1, 2, 3}
        assert sum(choice.shares.values()) == pytest.approx(1)
        assert list(choice.promised)[-1] == 0
        assert choice.promised[0] == pytest.approx(0.4)
        assert choice.promised[1] == pytest.approx(0.5)

    def test_shares_vary_as_games_are_drawn_again(self) -> None:
        """Three lineups in a circle, each of one deck that is played throughout."""
        met = {
            (0, 1): DuelRates((5, 10, 20, 40, 25), 0.0),
            (0, 2): DuelRates((25, 40, 20, 10, 5), 0.0),
            (1, 2): DuelRates((5, 10, 20, 40, 25), 0.0),
        }
        lineups = [(0, 0), (1, 1), (2, 2)]
        values = compute_values(compute_chances(3, met), lineups, lineups, RULES)
        choice = choose_mix(values)
        intervals = resample_shares(met, lineups, choice, RULES, 1)

        assert set(intervals) == {0, 1, 2}
        for place, (low, high) in intervals.items():
            assert 0 < low < choice.shares[place] < high < 1


class TestPool:
    """The legal lineups of some decks."""

    def test_all_that_the_format_allows_and_no_other(self) -> None:
        database = database_of(FORMAT)
        pool = build_pool(FORMAT, database, entrants(*FILES), [])
        decks = [entrant.deck for entrant in pool.decks]
        legal = [
            members
            for members in combinations(range(len(decks)), 3)
            if not judge_together([decks[i] for i in members], FORMAT, database)
        ]

        assert pool.own == legal
        assert len(legal) == 15
        assert pool.lonely == {}

    def test_a_deck_that_is_named_twice_is_one(self) -> None:
        again = [entrants(FILES[0])[0], *entrants(*FILES), *entrants(FILES[1])]
        pool = build_pool(FORMAT, database_of(FORMAT), again, entrants(*FILES[1:]))

        assert len(pool.decks) == 9
        assert len({entrant.name for entrant in pool.decks}) == 9
        assert len(pool.own) == 15
        assert pool.names == ["daggers and mead", "kin of the coast"]
        # The decks of a field need not meet each other, and none meets itself.
        held = {deck for lineup in pool.against for deck in lineup}
        assert all(a in held or b in held for a, b in pool.meetings)
        assert all(a < b for a, b in pool.meetings)

    def test_decks_that_are_in_no_lineup_are_named(self) -> None:
        more = [*FILES, DECKS / "advanced" / "mo_thin_blood.deck"]
        pool = build_pool(FORMAT, database_of(FORMAT), entrants(*more), [])

        assert {pool.decks[i].name: why for i, why in pool.lonely.items()} == {
            "Thin blood": "`Mysterious Elf` is in 2 decks of a lineup, 1 allowed"
        }

    def test_what_cannot_be_chosen_from(self) -> None:
        for files, message in (
            ([], "No decks to choose from"),
            (FILES[:1], "a single legal lineup, which has nobody to play"),
            (
                sorted((DECKS / "advanced").iterdir()),
                "No legal lineup of gwent/tournament can be made of 5 decks; the",
            ),
            (
                [DECKS / "advanced" / "nr_bonds.deck"],
                "A lineup of gwent/tournament needs at least . decks, found 1",
            ),
        ):
            with pytest.raises(UsageError, match=message):
                build_pool(FORMAT, database_of(FORMAT), entrants(*files), [])

    def test_more_combinations_than_can_be_compared(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("deckcheck.studies.lineup_choice.MAX_COMBINATIONS", 83)
        with pytest.raises(UsageError, match="9 decks can be combined in 84 ways"):
            study()


RATES = {
    (1, 0): Combination.of(Sample((0, 0, 0, 0, 10), 20)),
    (2, 0): Combination.of(Sample((10, 0, 0, 0, 10), 40)),
    (2, 1): Combination.of(Sample((10, 0, 0, 0, 0), 20)),
}


class TestRates:
    """Match win rates of several opponents, by how often each comes."""

    def test_opponents_of_a_field_come_alike(self) -> None:
        rate = estimate_lineup(RATES, 2, [], 2, 0.95)

        assert rate is not None
        assert (rate.value, rate.games) == (0.25, 60)

    def test_those_of_a_mix_by_their_shares(self) -> None:
        rates = [estimate_lineup(RATES, row, [0.8, 0.2], 2, 0.95) for row in range(3)]

        values = [rate.value for rate in rates if rate is not None]
        # The first two are the mix: one wins all matches against the other.
        assert values == pytest.approx([0.4, 0.9, 0.4])

    def test_nothing_is_said_of_half_a_field(self) -> None:
        assert estimate_lineup(RATES, 1, [], 2, 0.95) is None

    def test_a_lineup_that_is_the_whole_mix_has_no_rate(self) -> None:
        assert estimate_lineup({}, 0, [1.0], 1, 0.95) is None


EVEN = Combination.of(Sample((10, 10, 10, 10, 10), 100))


def state_of(shares: dict[int, float]) -> LineupsState:
    """Three lineups, and one of a field or a mix of the first of them."""
    lineups: list[Members] = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    state = LineupsState(Pool(entrants(*FILES), lineups))
    state.choice = BestLineups(dict.fromkeys(range(3), 0.5), shares)
    state.opponents = [lineups[i] for i in shares or (0,)]
    state.share_intervals = dict.fromkeys(shares, Interval(0.0, 1.0))
    state.rates = dict.fromkeys(state.meetings, EVEN)
    return state


def test_intervals_of_lineups_that_follow_hold_together() -> None:
    """That of the first was chosen by other games, and is individual."""
    first, *others = [lineup.fresh for lineup in lineup_rates(state_of({}))]

    assert first == EVEN.estimate(0.95)
    assert others == [EVEN.estimate(0.975)] * 2


def test_all_intervals_against_a_mix_hold_together() -> None:
    first, *others = [lineup.fresh for lineup in lineup_rates(state_of({0: 1.0}))]

    assert first is None
    assert others == [EVEN.estimate(1 - 0.05 / 3)] * 2


def test_lineups_of_a_mix_play_each_other_once() -> None:
    assert state_of({}).meetings == [(0, 0), (1, 0), (2, 0)]
    assert state_of({0: 0.6, 1: 0.4}).meetings == [(1, 0), (2, 0), (2, 1)]


@pytest.fixture(scope="module")
def result() -> LineupsResult:
    return study(*FILES[:2]).run()


def test_the_best_lineup_is_measured_against_each_of_the_field(
    result: LineupsResult,
) -> None:
    best = result.lineups[0]
    promised = [lineup.in_selection for lineup in result.lineups]

    assert promised == sorted(promised, reverse=True)
    assert len(result.lineups) == MAX_OTHER_LINEUPS
    assert (result.decks_to_choose_from, result.lineups_compared) == (9, 15)
    assert result.field == ("crowns and claws", "daggers and mead")
    assert best.fresh is not None
    means = [rate.value for _, rate in result.opponents]
    assert best.fresh.value == pytest.approx(sum(means) / 2)
    assert best.fresh.games == 2 * result.games
    assert best.cross_checked is not None
    assert best.cross_checked.games == 20
    assert result.answer.startswith(("Bring `", "Too few matches to tell which lineup"))
    assert "All decks were piloted by `random-1`. Piloted by " in result.answer


def test_what_was_not_measured_in_fresh_matches_is_said(result: LineupsResult) -> None:
    best, *others = (replace(lineup, fresh=None) for lineup in result.lineups)
    unmeasured = replace(result, lineups=(best, *others))

    assert unmeasured.answer == (
        f"Bring {list_lineup(best.decks)}. The win rate of this lineup was not "
        "measured in fresh matches."
    )
    assert unmeasured.claims == ()


def test_its_lineup_is_legal_as_it_is_written(
    result: LineupsResult, tmp_path: Path
) -> None:
    file = tmp_path / "lineup.deck"
    file.write_text(result.decklists)
    validation = deckcheck.validate(file)

    assert validation.legal
    assert [report.format and report.format.id for report in validation.reports] == [
        "gwent/tournament"
    ] * 3
    names = tuple(report.deck.name for report in validation.reports if report.deck)
    assert names == result.lineups[0].decks


def test_an_opening_begins_as_the_plans_of_the_match_do() -> None:
    """First comes the choice where the coin allows it, then a reply to each deck."""
    asked = study(FILES[0])
    run = lineups._LineupRun(asked, GameSession(1, 1, InProcess()))
    decks, [other] = asked.pool.decks, asked.pool.against
    chances = run.state.chances = random_chances(len(decks), 3)
    values = compute_values(chances, asked.pool.own, [other], RULES)
    run.state.choice = choose_against(values)
    best = run.state.named[0]
    plans = solve([[Chances(chances[a, b], 0.0) for b in other] for a in best], RULES)
    first, second = (plans[RULES.begin(coin)] for coin in (0, 1))
    opening = run._choose_opening("Anna", other)

    assert first.first != second.first
    assert opening.first == decks[best[first.first]].name
    replies = [best[reply] for reply in second.replies if reply is not None]
    assert [(reply.to, reply.deck) for reply in opening.replies] == [
        (decks[a].name, decks[b].name) for a, b in zip(other, replies, strict=True)
    ]


def test_the_mix_of_all_lineups() -> None:
    mix = study(games=4_000).run()

    about_a_field = [mix.field, mix.opponents, mix.openings, mix.meetings]
    assert about_a_field == [(), (), (), ()]
    assert sum(x.share.value for x in mix.mix if x.share) == pytest.approx(1)
    assert mix.lineups[: len(mix.mix)] == mix.mix
    others = mix.lineups[len(mix.mix) :]
    assert len(others) == MAX_OTHER_LINEUPS
    assert all(lineup.fresh and lineup.cross_checked for lineup in others)
    best = max(others, key=lambda lineup: lineup.fresh.value if lineup.fresh else 0)
    for order in (others, others[::-1]):
        answer = replace(mix, lineups=(*mix.mix, *order)).answer
        number, decks = 15 - len(mix.mix), list_lineup(best.decks)
        assert f"The best of the {number} other lineups is {decks}: it wins" in answer


def test_a_budget_below_the_least_is_refused() -> None:
    with pytest.raises(UsageError, match=r"1,439 games .* at least 1,440"):
        study(games=1_439)
