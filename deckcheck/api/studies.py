"""The studies as functions: compare, impact, redraws, tune, build, solve, balance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from deckcheck.api.arguments import (
    Decks,
    EnteredDecks,
    JudgingArguments,
    Playing,
    Target,
    enter_decks,
    read_decks,
    require_path,
    takes,
    validator,
)
from deckcheck.api.runs import Weights, field_weights
from deckcheck.api.simulating import enter
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.messages import quote
from deckcheck.sim import REFERENCE
from deckcheck.specs import (
    BuildSpec,
    CompareSpec,
    CrossCheckSpec,
    ImpactSpec,
    RedrawsSpec,
    SolveSpec,
    TuneSpec,
)

if TYPE_CHECKING:
    from deckcheck.sim.simulation import Simulation
    from deckcheck.sim.study import Study
    from deckcheck.studies.balance.result import BalanceResult
    from deckcheck.studies.changes import Changes
    from deckcheck.studies.compare import ComparisonResult
    from deckcheck.studies.expect import PlanCheck
    from deckcheck.studies.impact_result import ImpactResult
    from deckcheck.studies.lineups_result import LineupsResult
    from deckcheck.studies.redraws_result import RedrawsResult
    from deckcheck.studies.search.result import FoundDeck
    from deckcheck.studies.solve_result import SolveResult

R = TypeVar("R")


def _make_study(
    make: Callable[..., Study[Any, R]],
    decks: EnteredDecks,
    question: Any,
    weights: Weights | None = None,
) -> Study[Any, R]:
    """Return the study of decks against a field, whose decks may have weights."""
    versions, field = decks.groups
    if weights is not None:
        question = replace(question, weights=field_weights(weights, field))
    return make(decks.format, decks.database, versions, field, question)


# Compare versions of a deck or of a format, and weigh cards


@takes(question=CompareSpec, judging=JudgingArguments.of, playing=Playing.of)
def compare(
    *versions: Decks,
    against: Decks = REFERENCE,
    weights: Weights | None = None,
    allow_illegal: bool = False,
    shard: str | None = None,
    question: CompareSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> ComparisonResult:
    """Find out which version of a deck is better against a field of decks.

    All `versions` play the same games against all decks of `against`, until the better
    version and its lead are clear, or until they differ by less than `margin` points.
    With `games`, each version plays this many with each opponent instead. `weights`, a
    CSV file or numbers by name, are how common each opponent is, so that the result is
    the deck to bring to a field that you know. `policies` names a player for all decks,
    or one for the versions and one for the field. Everything else is as in `simulate`.
    """
    from deckcheck.studies.compare import make_comparison

    playing = playing.of_shard(shard)
    decks = enter_decks(
        "compare", judging, versions, field=(against,), allow_illegal=allow_illegal
    )
    study = _make_study(make_comparison, decks, question, weights)
    return playing.play(study, judging)


@takes(question=CompareSpec, judging=JudgingArguments.of, playing=Playing.of)
def compare_formats(
    *decks: Decks,
    new_format: Target,
    against: Decks = (),
    allow_illegal: bool = False,
    question: CompareSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> Changes:
    """Measure the effect of a changed card or rule on decks, which play two formats.

    The decks play `format`, or the formats that they name, and then `new_format` with
    the same shuffles. With `against`, a field of decks, they meet these and not each
    other. Without decks the decks of the field meet each other. Games are played until
    each change is known, or is less than `margin` points. With `games`, each pair of
    decks play this many. Everything else is as in `simulate`.
    """
    from deckcheck.sim.seating import Request
    from deckcheck.studies.field_change import (
        FIRST_GAMES,
        FieldChange,
        RunsFolder,
        refuse_second_bot,
    )

    refuse_second_bot(question)
    field = against
    # Without decks, the decks of the field meet each other.
    if not decks:
        decks, field = (against,), ()
    games = question.games or FIRST_GAMES
    request = Request(games, question.seed, question.policies)

    def enter_in(format_judging: JudgingArguments) -> Simulation:
        return enter(
            decks, request, format_judging, against=field, allow_illegal=allow_illegal
        )

    folder = None
    if playing.run_folder is not None:
        folder = RunsFolder(playing.run_folder, judging.root)
    change = FieldChange(
        before=enter_in(judging),
        after=enter_in(judging.in_format(new_format)),
        games=question.games,
        margin=question.margin,
        folder=folder,
        thorough=question.thorough,
    )
    return change.run(
        jobs=playing.jobs, executor=playing.executor, watch=playing.progress
    )


@takes(question=ImpactSpec, judging=JudgingArguments.of, playing=Playing.of)
def impact(
    deck: Deck | Target,
    *,
    against: Decks = REFERENCE,
    weights: Weights | None = None,
    allow_illegal: bool = False,
    question: ImpactSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> ImpactResult:
    """Measure the value of each card of a deck against a field of decks.

    Each card is replaced by average cards and by the best legal ones, and all versions
    play the same games, `games` of each over the whole field. A first trial chooses the
    replacements, and the figures are from other games. With a `card` only this card is
    explained. It, or else the weakest, is measured again by the player `cross_check`,
    with `cross_check_games` of each version. With None nobody does so. `weights`, a CSV
    file or numbers by name, are how common each opponent is. `policies` names a player
    for all decks, or one for the deck and one for the field. Use `tune` to find the
    card to change. Everything else is as in `simulate`.
    """
    from deckcheck.studies.impact import make_impact

    decks = enter_decks(
        "impact", judging, (deck,), field=(against,), allow_illegal=allow_illegal
    )
    study = _make_study(make_impact, decks, question, weights)
    return playing.play(study, judging)


@takes(question=RedrawsSpec, judging=JudgingArguments.of, playing=Playing.of)
def redraws(
    deck: Deck | Target,
    *,
    against: Decks = REFERENCE,
    hand: Target | Sequence[str] | None = None,
    weights: Weights | None = None,
    allow_illegal: bool = False,
    question: RedrawsSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> RedrawsResult:
    """Find out which cards of the dealt hand to redraw.

    Each card is kept and redrawn first in the same games, `games` of each over the
    whole field. The best redraws are played again in fresh games. With a `hand`, a text
    such as `"Roach, 2 Catapult, ..."`, a file or a list of names, that hand is dealt,
    and all cards that may be redrawn together are compared with keeping it. The player
    `cross_check` plays the best redraws again. Everything else is as in `impact`.
    """
    from deckcheck.studies.redraws import redraws_study

    decks = enter_decks(
        "redraws", judging, (deck,), field=(against,), allow_illegal=allow_illegal
    )
    study = _make_study(partial(redraws_study, hand=hand), decks, question, weights)
    return playing.play(study, judging)


# Find a deck


@takes(question=TuneSpec, judging=JudgingArguments.of, playing=Playing.of)
def tune(
    deck: Deck | Target,
    *,
    against: Decks = REFERENCE,
    weights: Weights | None = None,
    allow_illegal: bool = False,
    question: TuneSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> FoundDeck:
    """Find a better version of a deck, within some changes, against a field of decks.

    Hundreds of legal decks are measured. The figures of the best deck are from fresh
    games that had no part in choosing it. Ctrl-C raises Interrupted, whose `result` is
    the best deck so far. Results depend only on deck, field, format, policies, seed,
    games and the changes allowed.
    """
    from deckcheck.studies.search.study import make_tuning

    decks = enter_decks(
        "tune", judging, (deck,), field=(against,), allow_illegal=allow_illegal
    )
    study = _make_study(make_tuning, decks, question, weights)
    return playing.play(study, judging)


@takes(question=BuildSpec, judging=JudgingArguments.by_rules, playing=Playing.of)
def build(
    format: Target,
    *,
    against: Decks = REFERENCE,
    weights: Weights | None = None,
    allow_illegal: bool = False,
    question: BuildSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> FoundDeck:
    """Build the best deck of a format, from nothing, against a field of decks.

    The search begins with random legal decks and the decks of the field. The figures
    of the deck it finds are from fresh games that had no part in choosing it. Ctrl-C
    raises Interrupted, whose `result` is the best deck so far. Results depend only on
    field, format, factions, policies, seed and games.
    """
    from deckcheck.studies.search.study import make_building

    judging = judging.in_format(format)
    decks = enter_decks(
        "build", judging, (), field=(against,), allow_illegal=allow_illegal
    )
    study = _make_study(make_building, decks, question, weights)
    return playing.play(study, judging)


# The mix of decks or lineups to bring


@takes(question=SolveSpec, judging=JudgingArguments.by_rules, playing=Playing.of)
def solve(
    format: Target,
    *,
    start: Decks = (),
    against: Decks = (),
    allow_illegal: bool = False,
    question: SolveSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> SolveResult | LineupsResult:
    """Find the mix of decks that a strong team would bring.

    It begins with the decks of `start`, or a random deck of each faction. Searches of
    `games` each look for the deck that beats the mix best, which then joins, until none
    gains more than `bound` points, or after `rounds` of them. The mix then meets the
    decks of `against`. In a format of matches, lineups are made of the decks of
    `start`, and the result is the best lineup against the lineups of `against`, or the
    best mix of lineups. In such a format `games` counts the games of the
    whole study. Everything else is as in `build`.
    """
    from deckcheck.studies.lineups import make_solution

    judging = judging.in_format(format)
    starts = (start,) if start else ()
    field = (against,) if against else ()
    decks = enter_decks(
        "solve", judging, starts, field=field, allow_illegal=allow_illegal, alone=True
    )
    study: Study[Any, SolveResult | LineupsResult] = _make_study(
        make_solution, decks, question
    )
    return playing.play(study, judging)


# Balance a field of decks by changes of cards


@takes(question=CrossCheckSpec, judging=JudgingArguments.by_cards, playing=Playing.of)
def balance(
    plan: Target,
    *,
    question: CrossCheckSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> BalanceResult:
    """Find the smallest changes of cards that bring a field to the targets of a plan.

    `plan` is the file of the field, the targets and the bounds. `result.balanced` has
    the changes, `result.set_text()` is the file of a set that makes them. `cross_check`
    is another player who plays the validation games again, with `cross_check_games` of
    each deck, None for nobody. Everything else is as in `simulate`.
    """
    from deckcheck.sim.simulation import playable_format
    from deckcheck.studies.balance.plan import read_balance_plan

    path = require_path("plan", plan, "Name the file of a field to balance")
    balance_plan = read_balance_plan(path)
    judging = judging._replace(
        format=balance_plan.format, as_of=balance_plan.file.as_of
    )
    decks = read_decks((list(balance_plan.decks),), "balance", judging)
    fmt, database = playable_format(decks, validator(judging))
    study = balance_plan.balance(
        fmt,
        database,
        decks,
        cross_check=question.cross_check,
        cross_check_games=question.cross_check_games,
    )
    return playing.play(study, judging)


# Check what a plan expects of win rates


@takes(judging=JudgingArguments.by_cards, playing=Playing.of)
def expect(
    plan: Target,
    *,
    judging: JudgingArguments,
    playing: Playing,
) -> PlanCheck:
    """Play the experiments of a plan file, and check their expectations.

    Only experiments with `expect` are played. `outcomes` of the result counts the
    expectations that hold, fail and are open, `experiments` has each with its win
    rates, and `validation` the findings. With `run`, a folder, all games are kept there
    and nothing is played twice. Everything else is as in `simulate`.
    """
    from deckcheck.plans import make_request, read_plan
    from deckcheck.sim.run_files import begin_series
    from deckcheck.studies.expect import PlanCheck, check_experiments, plan_experiments

    path = require_path("plan", plan, "Name a plan file")
    expectations = read_plan(path)

    def enter_experiment(name: str) -> Simulation:
        experiment = expectations.experiments[name]
        judging_experiment = judging._replace(
            format=experiment.format,
            rules=experiment.rules or (),
            as_of=experiment.as_of,
        )
        return enter(
            experiment.decks,
            make_request(experiment),
            judging_experiment,
            against=experiment.against,
            gauntlet=experiment.gauntlet,
            allow_illegal=bool(experiment.allow_illegal),
        )

    planned = plan_experiments(expectations, expectations.expecting, enter_experiment)
    if not planned:
        raise UsageError(f"Nothing is expected in {quote(str(path))}")
    folder = playing.run_folder
    if folder is not None:
        begin_series(folder, list(planned), path)
    results = {}
    for name, (simulation, _) in planned.items():
        kept = playing
        if folder is not None:
            kept = playing._replace(run_folder=folder / name)
        results[name] = kept.play(simulation, judging)
    checks = check_experiments(results, planned)
    return PlanCheck(expectations.path, expectations.source.document.text, checks)
