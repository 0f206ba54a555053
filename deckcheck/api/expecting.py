"""Check what a plan expects of win rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from deckcheck.api.playing import Playing
from deckcheck.api.simulating import enter
from deckcheck.arguments import CardDb, Judging, Target, folder, in_python
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote

if TYPE_CHECKING:
    from deckcheck.plans import Plan
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Progress
    from deckcheck.sim.simulation import Simulation
    from deckcheck.studies.expect.result import Placed, PlanCheck

__all__ = ["expect"]


@in_python
def expect(
    plan: Target,
    *,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> PlanCheck:
    """Play the experiments of a plan file, and say whether what they expect holds.

    Only experiments with `expect` are played. `outcomes` of the result counts the
    expectations that hold, fail and are open, `experiments` has each with its win
    rates, and `validation` the findings. With `run`, a folder, all of it is kept there
    and nothing is played twice. Everything else is as in `simulate`.
    """
    from deckcheck.plans import read_plan
    from deckcheck.studies.expect.result import PlanCheck, checked

    file = folder("plan", plan)
    if file is None:
        raise UsageError("`plan` is None", "Name a plan file")
    playing = Playing.of(jobs, executor, progress, run)
    judging = Judging.of(None, card_db, (), None)
    expectations = read_plan(file)
    planned = _planned(expectations, judging)
    if not planned:
        raise UsageError(f"Nothing is expected in {quote(str(file))}")
    if playing.place is not None:
        from deckcheck.sim.runs.series import begin_series

        begin_series(playing.place, list(planned), file)
    results = {
        name: playing._replace(
            place=None if playing.place is None else playing.place / name
        ).play(simulation, judging)
        for name, (simulation, _) in planned.items()
    }
    checks = checked(results, {name: own for name, (_, own) in planned.items()})
    return PlanCheck(expectations.path, expectations.source.document.text, checks)


def _planned(
    plan: Plan, judging: Judging
) -> dict[str, tuple[Simulation, list[Placed]]]:
    """The simulations of which something is expected, and what that is."""
    from deckcheck.findings.documents import Defect
    from deckcheck.plans import plan_error, request_of
    from deckcheck.studies.expect.plan import expecting

    planned: dict[str, tuple[Simulation, list[Placed]]] = {}
    defects: list[Defect] = []
    for name, experiment in plan.experiments.items():
        if name not in plan.expecting:
            continue
        own = judging._replace(
            format=experiment.format,
            rules=experiment.rules or (),
            as_of=experiment.as_of,
        )
        with plan.checking(name):
            simulation = enter(
                experiment.decks,
                request_of(experiment),
                own,
                against=experiment.against,
                gauntlet=experiment.gauntlet,
                allow_illegal=bool(experiment.allow_illegal),
            )
            expected, simulation = expecting(plan, name, simulation, defects)
        planned[name] = simulation, expected
    if defects:
        raise plan_error(plan.path, defects)
    return planned
