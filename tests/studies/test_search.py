"""The search for better decks: its space, its model and its validation games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import Any, get_type_hints

import numpy as np
import pytest
from helpers.leagues import NEAR, find_best_deck, measure_gap, write_league
from helpers.outputs import assert_tidy, check_document, other_types
from helpers.results import HEAD, SHIPS, SIEGE, SWARM

import deckcheck
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.formats import Format, database_of, load_format
from deckcheck.playing.kernel import CHECKSUM_MASK, Head, Ints, new_tally
from deckcheck.playing.versions import ROTATION, SCORE_COUNT, Versions
from deckcheck.rules import judge
from deckcheck.sim import SEARCH_GAMES
from deckcheck.sim.entrants import Entrant, enter
from deckcheck.sim.figures import DEPENDS_ON_PLAYER
from deckcheck.sim.gathering import gather
from deckcheck.sim.jobs import Job
from deckcheck.sim.run_directory import new_run
from deckcheck.sim.scheduler import GameSession, Progress
from deckcheck.sim.study import Interrupted
from deckcheck.sim.workers import InProcess
from deckcheck.specs import BuildSpec, TuneSpec
from deckcheck.stats import Estimate, Interval, Verdict
from deckcheck.stats.intervals import bounded_interval
from deckcheck.studies.duels import OVER_FIELD, OpponentEntry, VersionDifference
from deckcheck.studies.registry import make_report
from deckcheck.studies.search import study as study_module
from deckcheck.studies.search.model import Observation, WinRates
from deckcheck.studies.search.result import CopiesChange, DeckStep, FoundDeck
from deckcheck.studies.search.search import (
    DeckSearch,
    SearchOutcome,
    climb,
    find_best,
    rank_changes,
)
from deckcheck.studies.search.space import (
    MAX_WANDERED_CHANGES,
    Candidate,
    DeckSpace,
    make_spaces,
    space_around,
)
from deckcheck.studies.search.study import make_building, make_tuning
from deckcheck.studies.swaps import HALF_POINTS, Swap, Trial, TriedSwaps
from deckcheck.studies.validation_games import Gain, Measure, Scores, ValidationGames

# What is said of both players of validation games.


def test_a_change_in_words() -> None:
    for copies, leader, words in (
        ((-1, 2), None, "2 B for A"),
        ((-2, 1), "Crach", "Crach as leader, B for 2 A"),
        ((-2,), None, "2 A out"),
        ((1,), None, "A in"),
        ((), "Crach", "Crach as leader"),
    ):
        cards = [CopiesChange(x, x, n) for x, n in zip("AB", copies, strict=False)]
        assert DeckStep(tuple(cards), leader).description == words


def validation(policy: str, gain: float, verdict: Verdict) -> ValidationGames:
    reach = 0.01 if verdict in (Verdict.BETTER, Verdict.WORSE) else 0.1
    ends = Interval(gain - reach, gain + reach)
    rates = [Estimate(0.6 + by, Interval(0.5, 0.7), 100) for by in (0.0, gain)]
    difference = VersionDifference("old", "new", gain, ends, verdict, None)
    field = OpponentEntry(OVER_FIELD, tuple(rates), (difference,))
    gains = (Gain(difference, difference),)
    return ValidationGames(policy, 100, field, (field,) * 10, gains)


BETTER = FoundDeck(
    **HEAD,
    deck="New",
    base="Old",
    validation=validation("heuristic", 0.104, Verdict.BETTER),
)


def test_answer_of_tune_ends_with_the_result_of_the_second_bot() -> None:
    for gain, verdict, opinion in (
        (0.056, Verdict.BETTER, "`learned-6` agrees: +5.6 (4.6 to 6.6)."),
        (-0.02, Verdict.WORSE, "`learned-6` disagrees: -2.0 (-3.0 to -1.0)."),
        (0.01, Verdict.INCONCLUSIVE, "is not clear: +1.0 (-9.0 to 11.0)."),
    ):
        again = validation("learned", gain, verdict)
        answer = replace(BETTER, cross_checked=again).answer

        assert answer.startswith(DEPENDS_ON_PLAYER) == (verdict is Verdict.WORSE)
        assert (
            "`New` wins 70.4% of its games, 10.4 percentage points more than `Old` "
            "(95% CI 9.4 to 11.4)."
        ) in answer
        assert answer.endswith(opinion)


def test_only_a_better_deck_says_what_to_change() -> None:
    path = (DeckStep((CopiesChange("a", "A", 1),)),)
    for verdict, title in (
        (Verdict.BETTER, "Old: what to change, in this order"),
        (Verdict.INCONCLUSIVE, "Old: changes that were tried, in this order"),
        (Verdict.WORSE, "Old: changes that were tried, in this order"),
    ):
        played = validation("heuristic", 0.104, verdict)
        steps, *_ = make_report(replace(BETTER, validation=played, path=path)).tables

        assert steps.title == title, verdict
        is_better = verdict is Verdict.BETTER
        assert ("With only some of the cards" in str(steps.note)) is is_better


def test_answer_of_tune_advises_games_of_the_whole_command() -> None:
    unclear = validation("heuristic", 0.05, Verdict.INCONCLUSIVE)
    answer = replace(BETTER, validation=unclear, budget=1_000).answer

    # Four times the games halve 10 points to 5, and twice as many settle it.
    assert "Too few games to tell; try `--games 8000`." in answer


# What is said of a deck that was found, and what is known when a search is stopped.

FIELD = [SWARM, SHIPS]
GAMES = 3_000


@pytest.fixture(scope="module")
def played() -> list[tuple[Job, Ints]]:
    """The jobs of `cross_checked` with their tallies, once they have been played."""
    return []


@pytest.fixture(scope="module")
def cross_checked(played: list[tuple[Job, Ints]]) -> FoundDeck:
    play = GameSession.play

    def note(games: GameSession, work: Sequence[Job], *args: Any, **more: Any) -> None:
        play(games, work, *args, **more)
        played.extend((job, games.tallies[job.number]) for job in work)

    settings = {"games": GAMES, "policies": "sane_random"}
    again = {"cross_check": "random", "cross_check_games": 40}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GameSession, "play", note)
        return deckcheck.tune(SIEGE, against=FIELD, **settings, **again)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def tuned(cross_checked: FoundDeck) -> FoundDeck:
    """As if nobody had cross-checked it."""
    return replace(cross_checked, cross_checked=None)


def test_a_tuned_deck(tuned: FoundDeck) -> None:
    assert tuned.validation is not None
    [difference] = tuned.validation.field.differences

    assert tuned.is_new
    assert tuned.complete
    assert other_types(tuned.to_dict()) == set()
    assert difference.value > 0
    assert "`Siege masters, tuned`" in tuned.answer.partition(". ")[0]
    assert sum(each.copies for each in tuned.swaps if each.copies > 0) <= 4
    assert len(assert_tidy(tuned, "win_rate", "difference")) == 1 + 3 * 3
    assert tuned.games_played <= 1.3 * GAMES
    assert [deck.name for deck in tuned.decks[:2]] == [
        "Siege masters",
        "Siege masters, tuned",
    ]


def test_each_change_has_its_gain(cross_checked: FoundDeck) -> None:
    """They add up to that of the deck, by both players, and to its cards."""
    assert cross_checked.validation is not None
    assert cross_checked.cross_checked is not None
    assert len(cross_checked.steps) > 1
    for validation in (cross_checked.validation, cross_checked.cross_checked):
        [whole] = validation.field.differences
        assert len(validation.gains) == len(cross_checked.steps)
        assert sum(gain.step.value for gain in validation.gains) == pytest.approx(
            whole.value
        )
        assert validation.gains[-1].so_far.value == pytest.approx(whole.value)
        assert validation.gains[0].step == validation.gains[0].so_far
    changed = Counter[str]()
    for step in cross_checked.steps:
        changed.update({card.id: card.copies for card in step.cards})
    assert {card.id: card.copies for card in cross_checked.swaps} == {
        card: copies for card, copies in changed.items() if copies
    }
    [first, *_] = cross_checked.to_dict()["steps"]
    assert first["gain"] is not None
    assert first["cross_checked_gain"] is not None
    assert first["gain"] != first["cross_checked_gain"]


def test_the_checksum_is_over_all_games(
    cross_checked: FoundDeck, played: list[tuple[Job, Ints]]
) -> None:
    """Those of the search, of the validation games, and of the validation games played
    again.
    """
    total = 0
    for job, tally in played:
        assert isinstance(job.table, Versions)
        total += int(tally[0, Head.CHECKSUM])
    numbers = [job.number for job, _ in played]

    assert len(set(numbers)) == len(numbers)
    assert cross_checked.games_played == sum(job.games * job.sets for job, _ in played)
    assert cross_checked.checksum == f"{total & CHECKSUM_MASK:012x}"


@pytest.fixture
def tuned_by_learned(tuned: FoundDeck) -> FoundDeck:
    """A clear gain of 10.4 points by `learned`."""
    decks = tuple(replace(deck, policy="learned") for deck in tuned.decks)
    fresh = validation("learned", 0.104, Verdict.BETTER)
    steps = tuned.path[:1]
    return replace(tuned, decks=decks, path=steps, validation=fresh, cross_checked=None)


def test_the_first_interval_holds_the_error_of_the_bot(
    tuned_by_learned: FoundDeck,
) -> None:
    found, promise = tuned_by_learned, tuned_by_learned.promise
    assert found.bot_error is not None
    assert promise is not None
    margin = hypot(0.01, 1.96 * found.bot_error.points / 100)
    assert promise.interval == pytest.approx((0.104 - margin, 0.104 + margin), abs=1e-5)
    ends = [f"{100 * end:.1f}" for end in promise.interval]
    assert f"(95% CI {ends[0]} to {ends[1]}, bot error included)." in found.answer
    assert found.answer.endswith("For this bot alone the 95% CI is 9.4 to 11.4.")
    document = found.to_dict()
    check_document("tune", document)
    assert document["bot_error"]["figure"] == "gain"
    assert document["promise"]["value"] == 0.104
    assert document["promise"]["interval"] == pytest.approx(promise.interval, abs=1e-6)


def test_a_gain_that_the_bot_error_may_undo_is_doubted(
    tuned_by_learned: FoundDeck,
) -> None:
    fresh = validation("learned", 0.0105, Verdict.BETTER)
    found = replace(tuned_by_learned, validation=fresh)
    assert found.promise is not None
    assert found.promise.interval.low < 0
    assert found.answer.endswith("may find no gain; try `--cross-check search`.")
    by_search = validation("search", 0.0105, Verdict.BETTER)
    assert "may find" not in replace(found, cross_checked=by_search).answer
    by_rules = validation("heuristic", 0.0105, Verdict.BETTER)
    assert "may find" in replace(found, cross_checked=by_rules).answer


def test_the_error_of_a_built_deck_depends_on_the_factions_of_its_field(
    tuned_by_learned: FoundDeck,
) -> None:
    built = replace(tuned_by_learned, base=None, path=())
    names = [deck.name for deck in built.decks if deck.name != built.deck]
    factions = ["Monsters", "Skellige", "Nilfgaard"]
    errors = []
    for shares, shown_factions in (
        ((0.5, 0.3, 0.2), factions),
        ((0.9, 0.1, 0.0), factions),
        ((0.5, 0.3, 0.2), ["Monsters"] * 3),
        ((1.0, 0.0, 0.0), factions),
    ):
        by_name = dict(zip(names, shown_factions, strict=True))
        decks = tuple(
            replace(deck, faction=by_name.get(deck.name)) for deck in built.decks
        )
        pairs = tuple(zip(names, shares, strict=True))
        weighted = replace(built, decks=decks, shares=pairs)
        assert weighted.bot_error is not None
        assert weighted.bot_error.figure == "win_rate"
        assert weighted.promise is not None
        errors.append(weighted.bot_error.points)
    assert errors[0] < errors[1] < errors[2]
    assert errors[2] == pytest.approx(errors[3])


def test_only_a_clear_gain_is_promised(
    tuned: FoundDeck, tuned_by_learned: FoundDeck
) -> None:
    for verdict in (Verdict.WORSE, Verdict.EQUAL, Verdict.INCONCLUSIVE):
        fresh = validation("learned", -0.03, verdict)
        found = replace(tuned_by_learned, validation=fresh)
        assert found.promise is None
        assert found.to_dict()["promise"] is None
        assert found.to_dict()["bot_error"]["figure"] == "matchup"
        assert "bot error" not in found.answer
    assert tuned.promise is None, "the error of its gains was not measured"


def test_nothing_better_is_said_plainly(tuned: FoundDeck) -> None:
    same = replace(tuned, deck=str(tuned.base), validation=None)

    assert same.answer == ("No deck within 4 changes of `Siege masters` is better.")
    assert not same.is_new


def test_what_is_known_without_fresh_games(tuned: FoundDeck) -> None:
    early = replace(tuned, validation=None, complete=False)

    assert "decks so far, but no fresh games have tested it. The search" in early.answer
    assert early.answer.endswith("since the same games chose the deck.")
    assert len(early.to_rows()) == 1
    assert early.to_dict()["validation"] is None


def test_a_search_that_is_stopped_tells_its_best_deck() -> None:
    notes: list[str] = []

    def stop(progress: Progress) -> None:
        notes.append(progress.note)
        if progress.games > GAMES / 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        deckcheck.build(
            "gwent/standard",
            against=FIELD,
            factions="monsters",
            games=GAMES,
            policies="sane_random",
            progress=stop,
        )
    result = stopped.value.result

    assert isinstance(result, FoundDeck)
    assert not result.complete
    assert result.deck == "Monsters, built"
    assert result.validation is None
    assert "best of" in result.answer
    assert any(note.startswith("best so far ") for note in notes)


def test_a_search_that_is_stopped_before_it_knew_a_deck_has_no_result() -> None:
    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        deckcheck.tune(SIEGE, against=SWARM, policies="sane_random", progress=stop)
    assert stopped.value.result is None


# The best deck of a small league, known by enumeration, is found.


def test_the_best_of_few_decks_is_found(tmp_path: Path) -> None:
    planted = write_league(tmp_path)
    best, count = find_best_deck(planted)

    assert count == 45
    assert best.counts()["planted_brother"] == 2
    assert measure_gap(planted, best, 5_000, 4_000) <= NEAR


# The regression learns what cards and pairs of them are worth.


def space() -> DeckSpace:
    fmt = load_format("gwen_t/pool")
    [found] = make_spaces(fmt, database_of(fmt, None))
    return found


def truth(candidate: Candidate) -> float:
    """A win rate in points: one card is good, one bad, two are good together."""
    first, second, third, fourth, *_ = candidate.counts
    return 40 + 4.0 * first - 3.0 * second + 2.0 * (third > 0) * (fourth > 0)


def observed(decks: DeckSpace, count: int) -> list[Observation]:
    chance = Random(3)
    found = [decks.draw_deck(chance) for _ in range(count)]
    return [
        Observation(each, truth(each) + chance.gauss(0, 0.5), 0.25, i % 3)
        for i, each in enumerate(found)
        if each is not None
    ]


def test_it_learns_what_was_planted() -> None:
    decks = space()
    model = WinRates(decks, observed(decks, 300))
    [likely] = model.draws(0, 1)
    tops = [decks.draw_deck(Random(100 + i)) for i in range(30)]
    rows = [model.encoding.row(each) for each in tops if each]
    heights = [likely.height(row) for row in rows]
    level = sum(heights) / len(heights)
    rates = [truth(each) for each in tops if each]
    mean = sum(rates) / len(rates)

    for height, rate in zip(heights, rates, strict=True):
        assert height - level == pytest.approx(rate - mean, abs=1.5)


def test_changes_come_in_the_order_of_the_heights_they_lead_to() -> None:
    decks = space()
    model = WinRates(decks, observed(decks, 60))
    landscape = model.draws(1, 5)[1]
    start = decks.draw_deck(Random(9))
    assert start is not None
    height = landscape.height(model.encoding.row(start))
    moves = list(rank_changes(decks, model.encoding, landscape, start))
    gains = [landscape.height(model.encoding.row(to)) - height for to in moves]

    for gain, next_gain in pairwise(gains):
        assert gain > next_gain - 1e-6
    middle = len(moves) // 2
    least = (gains[middle - 1] + gains[middle]) / 2
    best = rank_changes(decks, model.encoding, landscape, start, least)
    assert list(best) == moves[:middle]


def test_no_move_leads_too_far_away() -> None:
    decks = space()
    model = WinRates(decks, observed(decks, 60))
    base = decks.draw_deck(Random(9))
    assert base is not None
    near = replace(decks, base=base, changes=2)
    for seed in range(8):
        start = near.draw_deck(Random(seed))
        assert start is not None
        every = rank_changes(decks, model.encoding, model.draws(0, 1)[0], start)
        moves = rank_changes(near, model.encoding, model.draws(0, 1)[0], start)

        assert list(moves) == [to for to in every if near.distance(to) <= 2]


def test_a_climb_ends_at_a_legal_deck_that_is_no_worse() -> None:
    decks = space()
    model = WinRates(decks, observed(decks, 200))
    [likely] = model.draws(0, 1)
    start = decks.draw_deck(Random(2))
    assert start is not None
    top = climb(decks, model.encoding, likely, start)

    assert decks.holds(top)
    assert truth(top) >= truth(start)
    assert top.counts[0] == min(decks.most[0], sum(top.counts))
    assert top.counts[1] == 0


def test_likely_rates_lie_between_what_was_seen_and_what_cards_let_expect() -> None:
    decks = space()
    seen = observed(decks, 200)
    lucky = Observation(seen[0].candidate, seen[0].rate + 30, 400.0, 9)
    expected = WinRates(decks, [*seen, lucky]).expected()

    assert expected[seen[0].candidate] == pytest.approx(truth(seen[0].candidate), abs=2)


# The decks that a search may come to are legal, and near enough.


def siege() -> tuple[Deck, Format]:
    [report], _ = gather([str(SIEGE)])
    assert report.deck is not None
    assert report.format is not None
    return report.deck, report.format


def around(**settings: object) -> DeckSpace:
    deck, fmt = siege()
    db = database_of(fmt, None)
    return space_around(deck, fmt, db, **{"changes": 3, **settings})  # type: ignore[arg-type]


def test_random_decks_near_a_deck_are_legal_and_near() -> None:
    space = around(kept=["geralt_of_rivia"])
    deck, fmt = siege()
    kept = deck.counts()["geralt_of_rivia"]
    found = [space.draw_deck(Random(seed)) for seed in range(30)]
    assert kept > 0

    for candidate in found:
        assert candidate is not None
        assert space.holds(candidate)
        other = space.deck(candidate)
        assert judge(other, fmt, space.database) == ()
        assert other.counts()["geralt_of_rivia"] == kept
        assert other.leader == deck.leader
        assert (other.counts() - deck.counts()).total() <= 3
        assert (deck.counts() - other.counts()).total() <= 3
    assert max(space.distance(each) for each in found if each) == 3


def test_a_deck_names_its_format_unless_it_is_a_file(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("title: Own\nextends: gwent/standard\noptions: {redraws: 3}\n")
    formats = {"gwent/standard": True, str(own): False}
    for name, is_named in formats.items():
        fmt = load_format(name)
        [space] = make_spaces(fmt, database_of(fmt, None), ["monsters"])

        assert ("format" in space.template.headers) is is_named
        assert "faction" in space.template.headers


def test_the_leader_changes_only_if_he_may() -> None:
    deck, _ = siege()
    other = Candidate("foltest_son_of_medell", around().base.counts)  # type: ignore[union-attr]

    assert not around().holds(other)
    assert around(changes_leader=True).holds(other)
    assert around(changes_leader=True).leaders[0] == deck.leader


@pytest.mark.parametrize(
    ("format", "spaces"),
    [("gwent/standard", 5), ("gwent/advanced", 5), ("gwen_t/pool", 1)],
)
def test_each_faction_has_a_space(format: str, spaces: int) -> None:
    fmt = load_format(format)
    found = make_spaces(fmt, database_of(fmt, None))

    assert len(found) == spaces
    for space in found:
        candidate = space.draw_deck(Random(1))
        assert candidate is not None
        assert judge(space.deck(candidate), fmt, space.database) == ()
        assert (space.template.faction is None) == (space.leaders == (None,))


def test_random_decks_are_near_strong_ones_of_the_space() -> None:
    """Each is made of one of them, but for a part that owes nothing to any."""
    deck, fmt = siege()
    [strange], _ = gather([str(SWARM)])
    [plain] = make_spaces(fmt, database_of(fmt, None), ["northern_realms"])
    assert strange.deck is not None
    space = plain.beginning_with([strange.deck, deck, deck])
    [strong] = space.strong

    assert space.deck(strong).counts() == deck.counts()
    assert space.deck(strong).leader == deck.leader
    drawn = [space.draw_deck(Random(seed)) for seed in range(60)]
    apart = [
        sum(map(abs, map(int.__sub__, strong.counts, candidate.counts)))
        for candidate in drawn
        if candidate is not None and space.holds(candidate)
    ]
    assert len(apart) == len(drawn)
    near = sum(changes <= 2 * MAX_WANDERED_CHANGES for changes in apart)
    assert 0.5 < near / len(apart) < 0.95
    assert plain.draw_deck(Random(1)) != space.draw_deck(Random(1))


def test_a_faction_without_decks_is_refused() -> None:
    fmt = load_format("sg_gwint/2.1")

    with pytest.raises(UsageError, match="No legal deck of `witchers` was found"):
        make_spaces(fmt, database_of(fmt, None), ["witchers"])


# Searches find better decks, and the same ones from the same seed.

POLICY = "sane_random"
BUDGET = 8_000


def field() -> tuple[Format, list[Entrant]]:
    reports, _ = gather([*map(str, (SIEGE, *FIELD))])
    fmt = reports[0].format
    assert fmt is not None
    return fmt, enter(reports, [POLICY])


def search(
    spaces: list[DeckSpace] | None = None, block_sets: int | None = None
) -> tuple[SearchOutcome, Measure]:
    fmt, (own, *others) = field()
    db = database_of(fmt, None)
    spaces = spaces or [space_around(own.deck, fmt, db, changes=4)]
    games = GameSession(1, 1, InProcess(), block_sets=block_sets)
    measure = Measure(fmt, db, others, POLICY, games)
    return find_best(spaces, measure, BUDGET, 1), measure


@pytest.fixture(scope="module")
def searched() -> tuple[SearchOutcome, Measure]:
    return search()


def test_it_finds_a_better_deck(searched: tuple[SearchOutcome, Measure]) -> None:
    found, measure = searched
    fmt, (own, *others) = field()
    games = GameSession(99, 1, InProcess())
    fresh = Measure(fmt, measure.database, others, POLICY, games)
    base, best = fresh.play([own.deck, found.deck], 3_000).rates

    assert not found.is_base
    assert found.space.holds(found.candidate)
    assert best > base + 0.05
    assert found.base_rate == pytest.approx(base, abs=0.05)
    assert 0.8 * BUDGET < found.played == measure.played < 1.2 * BUDGET


def test_the_same_seed_finds_the_same_deck_whatever_the_blocks(
    searched: tuple[SearchOutcome, Measure],
) -> None:
    again, _ = search(block_sets=3)

    assert again == searched[0]


def test_a_run_with_the_usual_games_cannot_have_fewer(tmp_path: Path) -> None:
    reports, _ = gather([str(SIEGE), str(SWARM)])
    fmt = reports[0].format
    assert fmt is not None
    question = BuildSpec(seed=1, policies=(POLICY,), factions=("Monsters",))
    building = make_building(fmt, database_of(fmt, None), [], reports, question)
    run = new_run(tmp_path / "run", building)

    assert run.with_games(SEARCH_GAMES[0]) is run
    with pytest.raises(UsageError, match="has 90,000 games, and cannot have 80,000"):
        run.with_games(80_000)
    assert run.with_games(100_000).file.request["games"] == 100_000


PLANNED: dict[str, Any] = {
    "policies": "random",
    "cross_check": "none",
    "games": 12_000,
    "jobs": 1,
}
STUDIES = {
    "tune": lambda: deckcheck.tune(SIEGE, against=FIELD, **PLANNED),
    "build": lambda: deckcheck.build(
        "gwent/standard", factions=["Monsters"], against=FIELD, **PLANNED
    ),
    "impact": lambda: deckcheck.impact(
        SIEGE, against=FIELD, **{**PLANNED, "games": 20}
    ),
}


@pytest.mark.parametrize("kind", STUDIES)
def test_the_games_planned_at_first_are_about_those_that_are_played(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[int] = []
    expect = GameSession.expect

    def note_plan(self: GameSession, later: Counter[str]) -> None:
        planned.append(sum(later.values()))
        expect(self, later)

    monkeypatch.setattr(GameSession, "expect", note_plan)
    result = STUDIES[kind]()

    assert planned[0] == pytest.approx(result.games_played, rel=0.35)


@pytest.mark.parametrize("spec", [TuneSpec, BuildSpec])
def test_help_names_the_usual_games(spec: type[TuneSpec | BuildSpec]) -> None:
    [declaration] = get_type_hints(spec, include_extras=True)["games"].__metadata__
    usual, thorough = spec.BUDGETS

    assert declaration.shown == f"{usual:,}; {thorough:,} with --thorough"


class CountedMeasure:
    """Counts the decks and the games of each call. All win half of their games."""

    smallest, played, note = 20, 0, ""

    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []

    def play(self, decks: Sequence[Deck], games: int) -> Scores:
        self.calls.append((len(decks), games))
        self.played += len(decks) * games
        counts = np.zeros((len(decks), 1, SCORE_COUNT), np.int64)
        counts[:, 0, HALF_POINTS // 2] = games // ROTATION
        return Scores(counts, np.ones(1))


@pytest.mark.parametrize("undoes", [False, True])
def test_many_decks_play_few_games_each_before_the_race(undoes: bool) -> None:
    measure: Any = CountedMeasure()
    DeckSearch([around(changes=4)], measure, 72_000, 1, undoes=undoes).run()
    design, *generations = measure.calls[:7]

    assert design == (108, 100)
    assert generations == [(54, 100)] * 6
    # Without an undoing the race has its games. This search undoes nothing.
    expected = 72_000 if not undoes else 0.85 * 72_000
    assert measure.played == pytest.approx(expected, rel=0.06)


@pytest.mark.parametrize(
    ("kind", "thorough", "player"),
    [
        ("tune", False, "learned"),
        ("build", False, "heuristic"),
        ("build", True, "learned"),
    ],
)
def test_a_faster_bot_begins_the_search_of_build_alone(
    kind: str, thorough: bool, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports, _ = gather([str(SIEGE), str(SWARM)])
    fmt = reports[0].format
    assert fmt is not None
    db = database_of(fmt, None)
    how: Any = {"seed": 1, "policies": ("learned",), "thorough": thorough}
    study: Any = make_building(fmt, db, [], reports, BuildSpec(**how))
    if kind == "tune":
        study = make_tuning(fmt, db, reports[:1], reports, TuneSpec(**how))
    searched: list[tuple[Measure, Any]] = []

    class NoSearch:
        def __init__(
            self, spaces: object, measure: Measure, *_: Any, judge: Any, **__: Any
        ) -> None:
            searched.append((measure, judge))
            raise KeyboardInterrupt

    monkeypatch.setattr(study_module, "DeckSearch", NoSearch)
    with pytest.raises(KeyboardInterrupt):
        study.answer(GameSession(1, 1, InProcess()))
    [(measure, judge)] = searched
    players = {measure.policy, *(opponent.policy for opponent in measure.opponents)}
    assert players == {player}
    if player == "learned":
        assert judge is None
    else:
        judges = {judge.policy, *(opponent.policy for opponent in judge.opponents)}
        assert judges == {"learned"}


def test_a_rate_is_as_sure_as_its_sets_and_shares() -> None:
    """Spread 1/4 of 16 sets against one, spread 1/16 of 4 sets against the other."""
    counts = np.array([[[8, 0, 0, 0, 8], [0, 2, 0, 2, 0]]])
    scores = Scores(counts, np.array([0.25, 0.75]))

    assert scores.rates == pytest.approx([0.5])
    assert scores.variances == pytest.approx(
        [0.25**2 * (1 / 4) / 16 + 0.75**2 * (1 / 16) / 4]
    )


def test_shares_weigh_the_field() -> None:
    fmt, (own, *others) = field()
    db = database_of(fmt, None)
    games = GameSession(1, 1, InProcess())
    measure = Measure(fmt, db, others, POLICY, games, shares=(3.0, 1.0))
    scores = measure.play([own.deck], 400)
    one_met = Measure(fmt, db, others, POLICY, games, shares=(0.0, 3.0))
    points = scores.counts[0] @ [0, 1, 2, 3, 4] / 4
    sets = scores.counts[0].sum(axis=1)

    assert [each.name for each in one_met.opponents] == ["Longships of Skellige"]
    assert one_met.shares == [1.0]
    assert sets.tolist() == [150, 50]
    assert scores.rates[0] == pytest.approx(points @ (0.75 / 150, 0.25 / 50))


# The effect of a swap, from sums over the sets with each opponent.

SWAP = Swap("out", "in")


class Sums:
    """Stands in for a table: the gain of one swap in each set, in half-points."""

    def __init__(self, *gains: int) -> None:
        self.gains = gains

    def sums(self, _: Ints) -> Ints:
        return np.array([[sum(self.gains)], [sum(gain**2 for gain in self.gains)]])


def test_chance_is_that_within_the_sets_of_each_opponent() -> None:
    for gains in (
        *([(4, 0), (1, -2)], [(2, 0, 1, 1), (0, 3, -1, 0)], [(1, 1), (0, 2), (2, 2)]),
        *([(0, 2, 1, 1)], [(0, 0, 0, 0, 0, 0)]),
    ):
        tallies = [new_tally(2, 2) for _ in gains]
        for tally, own in zip(tallies, gains, strict=True):
            tally[0, Head.SETS] = len(own)
        tables: Any = [Sums(*own) for own in gains]
        effect = TriedSwaps(Trial((SWAP,), {}), tables, tallies).gain(SWAP)

        rates = [[gain / HALF_POINTS for gain in own] for own in gains]
        value = fmean(fmean(own) for own in rates)
        error = sum(variance(own) / len(own) for own in rates) / len(rates) ** 2
        sets = sum(map(len, rates))
        expected = bounded_interval(value, error * sets, sets, sets - len(rates))
        assert effect.value == pytest.approx(value), gains
        assert effect.interval == pytest.approx(expected), gains
