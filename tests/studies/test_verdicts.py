"""What headlines claim: every study's answer against its own table."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import combinations, pairwise, product
from random import Random
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers.changes import another
from helpers.results import HEAD, duel_tally, tally_of

from deckcheck.cards import load_database
from deckcheck.cli.schema import OUTPUTS
from deckcheck.report.tables import PERCENT, Column, ReportTable, advise_games, words
from deckcheck.sim.figures import ALL, round_figure
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.result_header import SimulatedDeck
from deckcheck.sim.table_results import make_table_result
from deckcheck.stats import Estimate, Interval, Verdict, find_verdict, games_needed
from deckcheck.stats.intervals import joint_level, merge_verdicts
from deckcheck.studies import BY_NAME
from deckcheck.studies.balance.result import (
    BalanceChange,
    BalanceResult,
    ChoiceDocument,
    TargetDocument,
)
from deckcheck.studies.balance.targets import Aim, Gauge, judge_target
from deckcheck.studies.changes import Changes, RunChange
from deckcheck.studies.changes_report import make_changes_report
from deckcheck.studies.compare import ComparisonResult
from deckcheck.studies.duels import OVER_FIELD, OpponentEntry, VersionDifference
from deckcheck.studies.field import Field, Meeting, Origin
from deckcheck.studies.history import (
    DeckChange,
    DeckHistory,
    History,
    HistoryRun,
    RateInRun,
    StepChange,
    make_history_report,
)
from deckcheck.studies.impact_result import (
    AVERAGE_CARD,
    Alternative,
    CardImpact,
    CrossCheckResult,
    ImpactResult,
    OpponentEffect,
)
from deckcheck.studies.lineups_result import LineupRate, LineupsResult
from deckcheck.studies.losses import LOSS_SIGNS, Contrast, Losses, LossSign
from deckcheck.studies.meta import make_meta
from deckcheck.studies.meta_report import make_meta_report
from deckcheck.studies.meta_result import MetaResult
from deckcheck.studies.redraws import choose_best_redraws, make_fresh, rank_redraws
from deckcheck.studies.redraws_result import Redraw, RedrawsResult
from deckcheck.studies.registry import make_report
from deckcheck.studies.search.result import CopiesChange, DeckStep, FoundDeck
from deckcheck.studies.simulation_answers import simulation_answers
from deckcheck.studies.solve_result import MIX_NAME, FieldDeck, Response, SolveResult
from deckcheck.studies.swaps import MeasuredEffect
from deckcheck.studies.validation_games import Gain, ValidationGames


def test_an_interval_has_one_of_four_words() -> None:
    for low, high, margin, word in (
        (0.001, 0.05, 0.01, Verdict.BETTER),
        (-0.05, -0.001, 0.01, Verdict.WORSE),
        (-0.009, 0.009, 0.01, Verdict.EQUAL),
        (-0.01, 0.009, 0.01, Verdict.INCONCLUSIVE),
        (0.0, 0.05, 0.01, Verdict.INCONCLUSIVE),
        (-0.05, 0.0, 0.0, Verdict.INCONCLUSIVE),
        (0.001, 0.002, 0.01, Verdict.BETTER),
    ):
        assert find_verdict(Interval(low, high), margin) is word, low
        assert find_verdict(Interval(-high, -low), margin) is word.opposite, low
        assert find_verdict(Interval(low + 0.5, high + 0.5), margin, 0.5) is word, low


@pytest.mark.parametrize("both", [*product(Verdict, repeat=2)])
def test_only_who_is_sure_of_the_opposite_disagrees(both: tuple[Verdict, ...]) -> None:
    first, other = both
    is_disputed = set(both) == {Verdict.BETTER, Verdict.WORSE}

    assert merge_verdicts(first, other) is (
        Verdict.INCONCLUSIVE if is_disputed else first
    )
    assert merge_verdicts(first, Verdict.EQUAL, other) is merge_verdicts(first, other)


def test_games_needed_has_twice_the_games_that_would_just_suffice() -> None:
    for value, low, high, margin, games in (
        (0.01, -0.01, 0.04, 0.0, 8_000),  # twice as narrow would just show the better
        (0.0, -0.02, 0.02, 0.01, 8_000),  # and here that they are equal
        (0.0, -0.02, 0.02, 0.0, None),
        (0.001, -0.02, 0.022, 0.01, 11_000),
        (1e-6, -0.5, 0.5, 0.0, None),
        (0.01, 0.0, 0.02, 0.0, 2_000),
    ):
        figure = Estimate(value, Interval(low, high), 1_000)
        other = Interval(-high, -low)
        assert games_needed(value, figure.interval, 1_000, margin) == games, value
        assert games_needed(-value, other, 1_000, margin) == games, value
        advice = advise_games(figure, 1_000, margin)
        option = f"; try `--games {games}`." if games else "."
        assert advice == f"Too few games to tell{option}", value


# Results of a chosen truth, and what their answers claim of it.

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir")
EVEN = 0.5


@pytest.fixture(autouse=True)
def signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let losses have a sign of each name."""
    for name in NAMES:
        monkeypatch.setitem(LOSS_SIGNS, name, LossSign(name, name, len))


@dataclass
class World:
    """Draws what is measured of a chosen truth, with simultaneous intervals."""

    chance: Random
    truths: dict[tuple[str, str], float] = field(default_factory=dict)

    def truth(self, about: str, than: str = "", spread: float = 0.03) -> float:
        """The truth of a pair, chosen when it is first asked for."""
        if (than, about) in self.truths:
            return -self.truths[than, about]
        if (about, than) not in self.truths:
            worth = self.chance.choice([0.0, self.chance.gauss(0, spread)])
            self.truths[about, than] = worth
        return self.truths[about, than]

    def seen(self, truth: float, together: int = 1, error: float = 0.01) -> Estimate:
        """What games say of it; the intervals of `together` are simultaneous."""
        value = self.chance.gauss(truth, error)
        reach = error * NormalDist().inv_cdf((1 + joint_level(together)) / 2)
        return Estimate(value, Interval(value - reach, value + reach), 400)

    def effect(self, truth: float, together: int = 1) -> MeasuredEffect:
        """The same, as trials of cards have it."""
        seen = self.seen(truth, together)
        return MeasuredEffect(seen.value, seen.interval)

    def gap(self, old: str, new: str, truth: float, together: int = 1) -> Any:
        seen = self.seen(truth, together)
        word = find_verdict(seen.interval, MARGIN)
        return VersionDifference(old, new, seen.value, seen.interval, word, None)


MARGIN = 0.015


def compared(world: World) -> ComparisonResult:
    names = NAMES[: world.chance.choice([2, 2, 4])]
    rates = [EVEN + world.truth(name) for name in names]
    pairs = list(combinations(range(len(names)), 2))
    # Differences of versions are those of what was seen, or no order is like them.
    seen = [world.seen(rate, len(pairs), 0.007) for rate in rates]
    gaps = []
    for a, b in pairs:
        value, reach = seen[b].value - seen[a].value, 2**0.5 * _reach(seen[a])
        ends = Interval(value - reach, value + reach)
        word = find_verdict(ends, MARGIN)
        gaps.append(VersionDifference(names[a], names[b], value, ends, word, None))
    field = OpponentEntry(OVER_FIELD, tuple(seen), tuple(gaps))
    return ComparisonResult(**HEAD, names=names, field=field, margin=MARGIN)


def _reach(estimate: Estimate) -> float:
    return estimate.interval.high - estimate.value


def found(world: World, base: str | None) -> FoundDeck:
    gained = world.truth("New", base or "")
    changes = NAMES[:3] if base else ()
    steps = [DeckStep((CopiesChange(n.lower(), n, 1),)) for n in changes]
    validations = []
    players = world.chance.sample(("heuristic", "learned"), world.chance.choice([1, 2]))
    for policy in players:
        rates = [world.seen(EVEN + gained)] if base is None else [world.seen(EVEN)] * 2
        gaps = (world.gap("0", "1", gained),) if base else ()
        gains = [
            world.gap("0", "1", world.truth(step.description), len(steps))
            for step in steps
        ]
        validations.append(
            ValidationGames(
                policy,
                400,
                OpponentEntry(OVER_FIELD, tuple(rates), gaps),
                gains=tuple(Gain(gain, gain) for gain in gains),
            )
        )
    own = {"deck": "New", "base": base, "path": tuple(steps)}
    return FoundDeck(
        **HEAD, **own, validation=validations[0], cross_checked=(*validations, None)[1]
    )


def weighed(world: World, names: Sequence[str] = NAMES) -> ImpactResult:
    """Cards of which a first trial chose the one that is told."""
    cards = []
    for name in names:
        worth = world.truth(name, AVERAGE_CARD)
        other = f"{name}wood"
        better = Alternative(other, other, world.effect(world.truth(other, name)))
        expected = world.seen(worth).value
        cards.append(
            CardImpact(
                *(name, name, 1, 400, own := world.effect(worth), "Other"),
                (),
                *((OpponentEffect("Other", own),), (better,), expected),
            )
        )
    cut = min(cards, key=lambda card: card.expected)
    again = CrossCheckResult(
        "learned",
        400,
        world.effect(world.truth(cut.name, AVERAGE_CARD)),
        world.effect(world.truth(cut.alternatives[0].name, cut.name)),
    )
    about = {"deck": "Own", "cards": tuple(cards)}
    cross_checked = world.chance.choice([None, again])
    return ImpactResult(**HEAD, **about, cut=cut.name, cross_checked=cross_checked)


def redrawn(world: World, hand: tuple[str, ...] = ()) -> RedrawsResult:
    """Cards of the dealt hand, or pairs; those that look best are played again."""
    rate = Estimate(EVEN, Interval(0.4, 0.6), 400)
    choices: list[tuple[str, ...]] = [(name,) for name in NAMES]
    choices = list(combinations(NAMES, 2)) if hand else choices

    def redraw(cards: tuple[str, ...], together: int) -> Redraw:
        gain = world.effect(world.truth(" + ".join(cards)), together)
        return Redraw(cards, cards, 400, 0, rate, rate, gain)

    redraws = rank_redraws([redraw(cards, len(choices)) for cards in choices])
    best = choose_best_redraws(redraws)
    fresh = tuple(
        make_fresh(policy, [redraw(cards, len(best)) for cards in best])
        for policy in ("heuristic", "learned")[: world.chance.choice([1, 2])]
    )
    own = {"deck": "Own", "hand": hand, "redraws": redraws}
    return RedrawsResult(**HEAD, **own, fresh=fresh)


def solved_for(world: World) -> SolveResult:
    """A mix of two decks, and three that might beat it."""
    answers = []
    for name in NAMES[2:]:
        gain = world.truth(name, MIX_NAME)
        entrant: Any = SimpleNamespace(name=name)
        again = world.chance.choice([None, world.seen(gain)])
        answers.append(Response(entrant, 0.0, world.seen(gain, 3), again))
    share = Estimate(EVEN, Interval(0.2, 0.8), 400)
    return SolveResult(
        **HEAD,
        field=tuple(FieldDeck(n, None, None, share, EVEN, ()) for n in NAMES[:2]),
        answers=tuple(answers),
        bound=0.02,
        solved=max(answer.gain.interval.high for answer in answers) <= 0.02,
        search_policy="heuristic",
        cross_check="learned",
    )


def balanced(world: World) -> BalanceResult:
    """A changed card, and win rates that are to lie in a range."""
    card = load_database("gwent").cards["catapult"]
    change = BalanceChange(card, replace(card, strength=7))
    share = world.chance.random()
    choices = ChoiceDocument((change,), share), ChoiceDocument((), 1 - share)
    outcomes = []
    for name in NAMES:
        rate = EVEN + world.truth(name, spread=0.06)
        seen = world.seen(rate, len(NAMES))
        word = judge_target(Aim(Gauge("deck", name, (), ()), *TARGET), seen)
        outcomes.append(
            TargetDocument("deck", name, TARGET, word, seen, seen, None, None)
        )
    own = {"balanced": (change,), "choices": choices, "outcomes": tuple(outcomes)}
    return BalanceResult(**HEAD, **own, tried=3, offered=2)


TARGET = (0.46, 0.54)


def mixed(world: World) -> MetaResult:
    """Four decks that all meet, of which each beats some and is beaten by others."""
    names, met, rates = NAMES[:4], [], np.full((4, 4), EVEN)
    for a, b in combinations(range(4), 2):
        rates[a, b] = EVEN + world.chance.gauss(0, 0.1)
        rates[b, a] = 1 - rates[a, b]
        won = sum(world.chance.random() < rates[a, b] for _ in range(300))
        met.append(Meeting(names[a], names[b], (300 - won, 0, 0, 0, won)))
    weights = [world.chance.random() for _ in names]
    origin = Origin("gwent/standard", "2025-10", ("heuristic-2",), 1, "abc", "def")
    field = Field(names, tuple(met), "deck", "game", origin)
    return make_meta(field, weights, resamples=40)


def lined_up(world: World, field: tuple[str, ...]) -> LineupsResult:
    """Lineups of two decks by their win rates, against a field or a mix."""
    lineups = []
    for place, names in enumerate(combinations(NAMES[:4], 2)):
        rate = EVEN + world.truth(", ".join(names))
        share = Estimate(0.9, Interval(0.85, 1.0), 400) if place == 0 else None
        fresh = world.seen(rate, 1 if field else 6)
        shown = None if field else share
        lineups.append(LineupRate(names, shown, 0.5, fresh, world.seen(rate)))
    own = {"lineups": tuple(lineups), "field": field, "cross_check": "learned"}
    return LineupsResult(**HEAD, **own, lineups_compared=6)


def lost_games(world: World) -> Losses:
    """Signs that are in more losses than wins, or are not."""
    rate = Estimate(EVEN, Interval(0.4, 0.6), 400)
    signs = [
        Contrast(name, name, rate, rate, world.seen(world.truth(name), len(NAMES)))
        for name in NAMES
    ]
    return Losses(**HEAD, deck="Own", wins=200, losses=200, signs=tuple(signs))


def changed(world: World) -> Changes:
    """Win rates of two runs."""
    own = SimulationResult(**HEAD)
    rate = Estimate(EVEN, Interval(0.4, 0.6), 400)
    number = world.chance.choice([1, 5])
    seen = [
        RunChange(n, ALL, rate, rate, world.seen(world.truth(n), number))
        for n in NAMES[:number]
    ]
    seen.sort(key=lambda change: -abs(change.by.value))
    return Changes((), (), (), own, own, decks=tuple(seen))


def course(world: World) -> History:
    """Win rates over three runs: changes from the first to the last, and between."""
    runs = ("r1", "r2", "r3")
    rate = Estimate(EVEN, Interval(0.4, 0.6), 400)
    number = world.chance.choice([1, 5])

    def change(name: str, than: str = "") -> RunChange:
        by = world.seen(world.truth(name, than), 3 * number)
        return RunChange(name, ALL, rate, rate, by)

    rates = tuple(RateInRun(run, rate) for run in runs)
    decks = tuple(DeckHistory(name, ("X",), rates) for name in NAMES[:number])
    changes = [DeckChange(change(name)) for name in NAMES[:number]]
    changes.sort(key=lambda change: -abs(change.by.value))
    steps = [
        StepChange(change(name, before), before, after)
        for name in NAMES[:number]
        for before, after in pairwise(runs)
    ]
    results = tuple(HistoryRun(run, SimulationResult(**HEAD)) for run in runs)
    return History(results, decks, tuple(changes), tuple(steps), ())


def played(world: World, names: Sequence[str] = NAMES[:2]) -> SimulationResult:
    """Decks that all met, now and then played by a second bot too."""
    rates, tables = np.full((len(names),) * 2, EVEN), []
    for a, b in combinations(range(len(names)), 2):
        rates[a, b] += world.truth(names[a], names[b], 0.1)
        rates[b, a] = 1 - rates[a, b]
    for _ in range(2):
        met = []
        for a, b in combinations(range(len(names)), 2):
            won = sum(world.chance.random() < rates[a, b] for _ in range(200))
            tally = duel_tally([(won, "A+ B+"), (200 - won, "A- B-")])
            met.append(make_table_result((names[a], names[b]), tally))
        tables.append(tuple(met))
    return _by_two(world, "duel", names, tables)


def seated(world: World) -> SimulationResult:
    """Three decks at a table, now and then played by a second bot too."""
    names = NAMES[:3]
    strengths = np.exp([world.truth(name, spread=0.8) for name in names])
    shares = strengths / strengths.sum()
    tables = []
    for _ in range(2):
        winners = world.chance.choices(range(3), shares, k=120)
        games = [[1 if i == won else 2 for i in range(3)] for won in winners]
        sets = [
            [(places, (0, 0, 0), j) for j, places in enumerate(games[i : i + 3])]
            for i in range(0, len(games), 3)
        ]
        tables.append((make_table_result(names, tally_of(sets)),))
    return _by_two(world, "free for all", names, tables)


def _by_two(
    world: World, play: str, names: Sequence[str], tables: Sequence[tuple[Any, ...]]
) -> SimulationResult:
    """A result of tables, and in some worlds what a second bot makes of them."""
    decks = [SimulatedDeck(n, n, 0, None, None, "heuristic", 0) for n in names]
    own, again = (
        SimulationResult(
            **{**HEAD, "decks": tuple(decks), "play": play, "players": (policy,)},
            tables=of,
        )
        for policy, of in zip(("heuristic", "learned"), tables, strict=True)
    )
    return replace(own, cross_checked=world.chance.choice([None, again]))


WORLDS: dict[str, Callable[[World], Any]] = {
    "compare": compared,
    "impact": weighed,
    "impact of a card": partial(weighed, names=NAMES[:1]),
    "redraws": redrawn,
    "redraws of a hand": partial(redrawn, hand=NAMES),
    "tune": partial(found, base="Old"),
    "build": partial(found, base=None),
    "simulate": played,
    "simulate of a field": partial(played, names=NAMES[:3]),
    "simulate of a table": seated,
    "solve": solved_for,
    "lineups": partial(lined_up, field=()),
    "lineups against a field": partial(lined_up, field=("Other",)),
    "balance": balanced,
    "meta": mixed,
    "losses": lost_games,
    "changes": changed,
    "history": course,
}
SLOW = ("meta", "simulate of a field")


# The checker: it reads the claims of the document, and holds them against the tables.

UNSURE = re.compile(
    "not clear|[Nn]o clear|[Tt]oo few|Not enough|[Bb]est guess|may be chance"
    "|[Nn]o .* clearly|The largest difference is"
)
"""The words of a sentence about figures that are not clear."""
UPWARD = ("beats", "better than", "more than")
COMPARED = (
    r"`([^`]+)`[^`]* (beats|better than|worse than|more than|less than) `([^`]+)`"
)


def faults(
    document: dict[str, Any], answers: str, tables: Sequence[ReportTable]
) -> Iterator[str]:
    """What an answer claims that its tables do not bear out."""
    for claim in document["claims"]:
        low, high = claim["interval"]
        bottom, top = _evens(claim, document)
        is_above, is_below = low > top, high < bottom
        if (claim["verdict"] == "better") > is_above:
            yield f"{claim} is not better"
        if (claim["verdict"] == "worse") > is_below:
            yield f"{claim} is not worse"
        is_open = (
            claim["verdict"] == "inconclusive" and "bootstrap_seed" not in document
        )
        if is_open and (is_above or is_below):
            yield f"{claim} is clear"
        rows = [(table.title, *row) for table in tables for row in table.rows]
        again = document.get("cross_checked") or {}
        ends = [(again.get(key) or {}).get("interval") for key in ("impact", "gain")]
        if claim["interval"] not in ends and not any(
            _bears_out(row, claim) for row in rows
        ):
            yield f"{claim} stands in no table"
    for sentence in re.split(r"(?<=[.]) (?=[A-Z`0-9])", answers):
        yield from _unfounded(sentence, document)


def _evens(claim: dict[str, Any], document: dict[str, Any]) -> tuple[float, float]:
    """Between which values it is neither better nor worse."""
    if "targets" in document:
        return TARGET
    is_rate = {"lineups", "base"} & {*document} and 0.3 < claim["value"] < 0.7
    is_rate = is_rate or len(document.get("matchups", ())) == 1
    return (EVEN, EVEN) if is_rate else (0.0, 0.0)


def _bears_out(row: Sequence[Any], claim: dict[str, Any]) -> bool:
    """Whether a row is about it, with the same interval, or seen from the other."""
    words = " ".join(cell for cell in row if isinstance(cell, str))
    named = [name for name in (claim["about"], claim["than"]) if name in words]
    figures = [cell for cell in row if hasattr(cell, "interval")]
    ends = [list(map(round_figure, figure.interval)) for figure in figures]
    low, high = claim["interval"]
    return any(named) and any(e in ([low, high], [-high, -low]) for e in ends)


def _unfounded(sentence: str, document: dict[str, Any]) -> Iterator[str]:
    """Names that a sentence has without a claim, or without one that is clear."""
    quoted = re.findall(r"`([^`]+)`", sentence)
    names = {name for name in quoted if not re.match(r"(learned|heuristic)[ -]", name)}
    names -= {"Own", "Other"}
    open_yet = UNSURE.search(sentence)
    # What a mix consists of, or what is to be changed, is no figure.
    mix = [part for part in document.get("field", ()) if isinstance(part, dict)]
    parts = {part["name"] for part in mix}
    for lineup in document.get("lineups", ()):
        parts |= {*lineup["decks"]} if lineup["share"] is not None else set()
    parts |= {change["name"] for change in document.get("balanced", ())}
    parts |= {run["name"] for run in document.get("runs", ())}
    claims = [c for c in document["claims"] if (names - parts) & _names(c)]
    unsure = names - set().union(*map(_names, claims)) - parts
    if unsure and not open_yet:
        yield f"no claim is about {unsure}: {sentence}"
    verdicts = {claim["verdict"] for claim in claims}
    bound = document.get("solved") and "wins more than" in sentence
    compares = r"\b(more|less|better|worse) than|beats|ahead of|games .*against `"
    tells_rate = re.search(r"\bit wins|wins? [\d.]+ ?%", sentence)
    tells_rate = bound or (tells_rate and not re.search(compares, sentence))
    if not open_yet:
        yield from _overdone(sentence, claims, document)
    if verdicts == {"inconclusive"} and not open_yet and not tells_rate:
        yield f"not said to be unclear: {sentence}"
    if verdicts == {"equal"} and "equal" not in sentence:
        yield f"not said to be equal: {sentence}"
    if sentence.startswith("Bring ") and not document.get("solved", True):
        yield f"advice that is not borne out: {sentence}"
    chosen = [choice["share"] for choice in document.get("choices", ())]
    if sentence.startswith("Change ") and chosen and chosen[0] < EVEN:
        yield f"few resamples choose that: {sentence}"


def _overdone(
    sentence: str, claims: Sequence[dict[str, Any]], document: dict[str, Any]
) -> Iterator[str]:
    """What a sentence says of the best, of two, or of a mix, against its claims."""
    own = [claim for claim in claims if claim["by"] == claims[0]["by"]]
    is_best = re.search("is best of|is the best of|does best:", sentence)
    if is_best and "inconclusive" in {claim["verdict"] for claim in own}:
        yield f"not said to be unclear of one: {sentence}"
    said = re.search(COMPARED, sentence)
    for claim in own if said else ():
        pair = claim["about"], claim["than"]
        if said and {*pair} == {said[1], said[3]}:
            is_up = (said[2] in UPWARD) == (pair[0] == said[1])
            if claim["verdict"] != ("better" if is_up else "worse"):
                yield f"said the other way round: {sentence}"
    verdicts = {claim["verdict"] for claim in document["claims"]}
    if (
        re.search("is beaten|No stable mix|The clearest", sentence)
        and "better" not in verdicts
    ):
        yield f"nothing is known to be so: {sentence}"
    fresh = [lineup["fresh"] for lineup in document.get("lineups", ())]
    rates = [rate["win_rate"] for rate in fresh if rate and document.get("field")]
    if sentence.startswith("Bring ") and rates and rates[0] < max(rates):
        yield f"another one wins more: {sentence}"


def _names(claim: dict[str, Any]) -> set[str]:
    """The names in a claim, and those of a lineup or of cards redrawn together."""
    parts = re.split(r", | \+ ", claim["about"])
    return {*parts, claim["about"], claim["than"], *claim["than"].split(", ")}


def shown(result: Any) -> tuple[str, Sequence[ReportTable]]:
    """What is said of a result, and its tables."""
    if isinstance(result, SimulationResult):
        return " ".join(simulation_answers(result)), [*map(_figures, result.by_bot)]
    if isinstance(result, History):
        return result.answer, make_history_report(result).tables
    if isinstance(result, Changes):
        return result.answer, make_changes_report(result).tables
    if isinstance(result, MetaResult):
        report = make_meta_report(result)
        return " ".join(report.answers[:2]), report.tables
    report = make_report(result)
    return " ".join(report.answers), report.tables


def _figures(played: tuple[str, SimulationResult]) -> ReportTable:
    """Win rates of matchups, and leads of decks, as they are measured."""
    by, result = played
    rows = [(m.a, m.b, m.win_rate(m.a)) for m in result.matchups]
    ranked = [standing.deck for standing in result.standings()]
    rows += [(a, b, result.lead(a, b)) for a, b in combinations(ranked, 2)]
    if result.play != "duel":
        for table in result.tables:
            names = [table.names_from(i) for i in range(len(table.entrants))]
            rows += [
                (n[0], ", ".join(n[1:]), table.lead(i)) for i, n in enumerate(names)
            ]
    columns = (*words("a", "b"), Column("win rate", PERCENT, "95% interval"))
    return ReportTable(by, columns, tuple(rows))


@pytest.mark.parametrize("name", WORLDS)
def test_answers_claim_what_their_tables_bear_out(name: str) -> None:
    sure = 0
    for seed in range(10 if name in SLOW else 40):
        result = WORLDS[name](World(Random(seed)))
        answers, tables = shown(result)
        assert answers.endswith("."), answers
        found = [*faults(result.to_dict(), answers, tables)]
        assert found == [], (seed, answers)
        sure += any(claim.verdict.is_sure for claim in result.claims)

    assert sure > 1


def test_history_claims_the_largest_clear_step() -> None:
    for seed in range(20):
        result = course(World(Random(seed)))
        clear = [abs(step.by.value) for step in result.steps if step.clear]
        claimed = [abs(claim.figure.value) for claim in result.claims[1:]]
        assert claimed == sorted(clear)[-1:], seed


def test_every_study_is_held_against_its_tables() -> None:
    """What has an answer has to be among the worlds, and has to have claims."""
    studies = {name.partition(" of ")[0].partition(" against ")[0] for name in WORLDS}
    texts = {kind.name: kind.file.read_text("utf-8") for kind in OUTPUTS}
    answering, claiming = (
        {
            name.removeprefix("solve-")
            for name, text in texts.items()
            if f'"{key}"' in text
        }
        for key in ("answer", "claims")
    )
    # What is expected is not a headline: each line has an interval and a verdict.
    # Real games are not played: they have a test of their own with known rates.
    assert studies == (answering | claiming) - {"expect", "real-games"} >= {*BY_NAME}
    assert answering - {"real-games"} <= claiming


OTHERWISE = {
    *("MeasuredEffect.interval", "ComparisonResult.ranking", "MetaResult.answer"),
    *("CardImpact.id", "CardImpact.name", "VersionDifference.saved"),
}
"""Fields with a unit, an order or a shape of their own."""


def fields_of(document: Any, record: Any, name: str) -> Iterator[tuple[str, Any, Any]]:
    """The plain fields that a document and its record have, with both values."""
    own = getattr(record, "value", record)
    if isinstance(document, dict):
        of = type(record).__name__
        for key in document.keys() & {*dir(record)} if record is not None else ():
            yield from fields_of(document[key], getattr(record, key), f"{of}.{key}")
    elif isinstance(document, list) and isinstance(record, tuple | list):
        for part, of_record in zip(document, record, strict=False):
            yield from fields_of(part, of_record, name)
    elif isinstance(document, PLAIN) and isinstance(own, PLAIN):
        yield name, document, own


PLAIN = bool | int | float | str


@pytest.mark.parametrize("name", WORLDS)
def test_each_field_of_a_document_is_that_of_the_result(name: str) -> None:
    """None is taken for its neighbour: values of neighbours differ."""
    seen = set()
    for seed in range(3):
        result = WORLDS[name](World(Random(seed)))
        for at, said, own in fields_of(result.to_dict(), result, ""):
            is_number = isinstance(own, float) and not isinstance(said, str)
            expected = pytest.approx(own, abs=1e-6) if is_number else own
            assert at in OTHERWISE or said == expected, at
            seen.add(at)
    assert len(seen) > 7


RENAMED = {"tried": "sets_tried", "offered": "cards_tried"}
"""Keys of documents by the fields that they are made of."""
ELSEWHERE = {
    *(
        "month",
        "play",
        "only_heuristic_knows",
        "text",
        "decklists",
        "checkpoints",
        "measured",
        "cut",
    ),
    *("cross_check", "largest_sample", "budget", "cut"),
}
"""Fields that have no key of their own, or name what has to be there."""
SUMMED_UP = {"answer", "claims", "games_per_second", "sample"}
"""Keys that are made of several fields."""


@pytest.mark.parametrize("name", WORLDS)
def test_each_number_and_text_of_a_result_has_a_key_of_its_own(name: str) -> None:
    result = WORLDS[name](World(Random(1)))
    renamed = RENAMED | ({"seed": "bootstrap_seed"} if name == "meta" else {})
    before = result.to_dict()
    for own in (each.name for each in fields(result)):
        value = getattr(result, own)
        if not isinstance(value, PLAIN) or own in ELSEWHERE:
            continue
        after = replace(result, **{own: another(value)}).to_dict()
        changed = {key for key in before if after[key] != before[key]}
        assert changed - SUMMED_UP == {renamed.get(own, own)}
