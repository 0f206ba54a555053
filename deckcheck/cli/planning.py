"""`simulate --plan`: the experiments of a file, each a simulation of its own."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from deckcheck.cli.entering import Entry, Judging, enter, refuse
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.playing import How, Playable, play_all
from deckcheck.cli.printing import tell
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import relative_path
from deckcheck.findings.words import quote

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.findings.documents import Defect
    from deckcheck.plans import Experiment, Plan
    from deckcheck.sim.simulation import Simulation
    from deckcheck.studies.expect.result import Placed


FINDINGS = 1
IN_THE_PLAN = (
    *("decks", "games", "seed", "policy", "every_policy", "format", "as_of", "rule"),
    *("against", "gauntlet", "mirror", "opponent", "random_decks", "players", "select"),
    *("matchups", "allow_illegal", "until_width", "sprt", "alpha", "beta", "elo"),
    "adaptive",
)
"""Options that a plan has keys for."""


class Place(NamedTuple):
    """Where what is played is kept: a folder or nowhere, and which part is played."""

    run: Path | None
    shard: str | None
    card_db: Root


def play_plan(ctx: typer.Context, file: Path, how: How, place: Place) -> int:
    """Play all experiments of a plan; returns the exit code."""
    from deckcheck.cli.outputs import files_of
    from deckcheck.cli.writing import check_places
    from deckcheck.plans import read_plan

    _check_typed(ctx)
    planned = enter_plan(ctx, read_plan(file), how, place.card_db)
    if planned is None:
        return FINDINGS
    check_places(files_of(how.outputs))
    simulations = {name: simulation for name, (simulation, _) in planned.items()}
    return play_all(kept_or_not(simulations, place), how)


def enter_plan(
    ctx: typer.Context, plan: Plan, how: How, card_db: Root
) -> dict[str, tuple[Simulation, list[Placed]]] | None:
    """The simulations of a plan, and what is expected of each, by name.

    None when decks must not play, which is said. Raises UsageError.
    """
    from deckcheck.plans import plan_error
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.studies.expect.plan import expecting

    planned: dict[str, tuple[Simulation, list[Placed]]] = {}
    defects: list[Defect] = []
    for name, experiment in plan.experiments.items():
        try:
            with plan.checking(name):
                simulation = _simulation(ctx, experiment, card_db, how.quiet)
                expected, simulation = expecting(plan, name, simulation, defects)
        except IllegalDeckError as error:
            refuse(error, sys.stderr, how.color, how.quiet)
            tell(f"Experiment `{name}`: `allow_illegal = true` lets illegal decks play")
            return None
        planned[name] = simulation, expected
    if defects:
        raise plan_error(plan.path, defects)
    return planned


def kept_or_not(
    simulations: dict[str, Simulation], place: Place, check: Path | None = None
) -> list[tuple[str, Playable]]:
    """The simulations, or the run directories that keep them, by name.

    `check` is the plan whose expectations are checked.
    """
    if place.run is None:
        return list(simulations.items())
    from deckcheck.sim.runs.directory import new_run
    from deckcheck.sim.runs.series import begin_series

    begin_series(place.run, list(simulations), check)
    return [
        (
            name,
            new_run(
                place.run / name, simulation, shard=place.shard, card_db=place.card_db
            ),
        )
        for name, simulation in simulations.items()
    ]


def tell_expectations(folder: Path, quiet: int = 0) -> None:
    """Say which command prints a verdict: what is expected stands in a plan alone."""
    from deckcheck.sim.runs.series import checked_plan

    plan = checked_plan(folder)
    if plan is None or quiet:
        return
    here = relative_path(plan) if plan.is_relative_to(Path.cwd()) else str(plan)
    command = shlex.join(["deckcheck", "expect", here, "--run", str(folder)])
    tell(f"note: {quote(command)} says whether what the plan expects holds")


def _check_typed(ctx: typer.Context) -> None:
    """Refuse options on the command line that the plan states itself."""
    invocation = invocation_of(ctx)
    for setting in invocation.settings:
        if setting.name in IN_THE_PLAN and invocation.is_typed(setting.name):
            if setting.name == "decks":
                raise UsageError("Decks belong in the plan", "Write them there")
            option = f"`{setting.opts[0]}`"
            raise UsageError(f"{option} belongs in the plan", "Write it there")


def _simulation(
    ctx: typer.Context, experiment: Experiment, card_db: Root, quiet: int
) -> Simulation:
    """What an experiment asks for; raises IllegalDeckError and UsageError."""
    from deckcheck.plans import request_of

    request = request_of(experiment)
    entry = Entry(
        experiment.decks,
        request,
        Judging(
            experiment.format,
            card_db,
            experiment.rules or (),
            experiment.as_of,
            bool(experiment.allow_illegal),
        ),
        experiment.against,
        experiment.gauntlet,
    )
    return enter(ctx, entry, quiet=quiet > 0)[0]
