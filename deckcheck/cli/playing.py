"""Plays a simulation for a command: progress, interrupts, and what stops a run."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from deckcheck.cli.outputs import Output, write_outputs
from deckcheck.cli.printing import tell

if TYPE_CHECKING:
    from deckcheck.sim.result import SimulationResult
    from deckcheck.sim.runs.directory import RunDirectory
    from deckcheck.sim.simulation import Simulation

__all__ = ["How", "command_to_resume", "play"]

PLAYED, MISUSE, INTERNAL_ERROR, INTERRUPTED = 0, 2, 3, 130
AGAIN = (
    *("jobs", "executor", "scheduler"),
    *("output_format", "output", "all_matchups", "quiet", "card_db"),
)
"""The options that are typed again to go on."""


@dataclass(frozen=True, slots=True)
class How:
    """How games are played and shown: by whom, in which outputs, how loudly."""

    jobs: int | None
    executor: str
    scheduler: str | None
    outputs: Sequence[Output[SimulationResult]]
    color: str
    quiet: int


def play(
    simulation: Simulation, run: RunDirectory | None, how: How, resume: str = ""
) -> int:
    """Play what is missing, write the outputs, and return the exit code.

    What was played until an interrupt is written too, unless it is kept in `run`; then
    `resume` is the command that goes on with it, and is told instead.
    """
    from deckcheck.cli.interrupts import interrupts_end_at_once
    from deckcheck.cli.progress import ProgressLine
    from deckcheck.report import width_of
    from deckcheck.sim.errors import SimulationError, UnrecordedError
    from deckcheck.sim.executors import chosen_executor, usable_cores
    from deckcheck.sim.simulation import Interrupted

    progress = ProgressLine(sys.stderr, quiet=how.quiet > 0, width=width_of(sys.stderr))
    jobs = usable_cores() if how.jobs is None else how.jobs
    hint = f"help: Go on with `{resume}`" if resume else None
    try:
        with chosen_executor(how.executor, jobs, how.scheduler) as executor:
            result = (run.play if run else simulation.run)(
                jobs=jobs,
                executor=executor,
                watch=progress,
                announces=not how.quiet,
                while_compiling=interrupts_end_at_once(
                    "no game was played" + (f"\n{hint}" if hint else "")
                ),
            )
    except Interrupted as stop:
        progress.clear()
        tell(f"Interrupted: {progress.summary()}")
        if hint:
            tell(hint)
        elif stop.result is not None:
            write_outputs(stop.result, how.outputs, how.color, how.quiet)
        return INTERRUPTED
    except SimulationError as error:
        progress.clear()
        tell(f"error: {error.message}")
        tell(f"help: {error.help}")
        if isinstance(error, UnrecordedError):
            return MISUSE
        if hint:
            tell(hint)
        return INTERNAL_ERROR
    progress.clear()
    write_outputs(result, how.outputs, how.color, how.quiet)
    return PLAYED


def command_to_resume(ctx: typer.Context, folder: Path) -> str:
    """The command that goes on with a run, with the options that were typed."""
    words = ["deckcheck", "resume", str(folder)]
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        if param.name in AGAIN and source and source.name == "COMMANDLINE":
            words += _typed(max(param.opts, key=len), ctx.params[param.name])
    return shlex.join(words)


def _typed(option: str, value: Any) -> list[str]:
    """An option as it was typed: a flag, one that is counted, or one with values."""
    if isinstance(value, list):
        return [word for each in value for word in (option, str(each))]
    if value is True:
        return [option]
    if option == "--quiet":
        return [option] * value
    return [option, str(value)]
