"""First steps of all commands that play, or read what was played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import typer

from deckcheck.cli.interrupts import NOTHING, interrupts_end_at_once, tell_interrupt
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.limits import check_memory
from deckcheck.cli.playing import command_to_resume
from deckcheck.sim.runs.series import is_run


@contextmanager
def engine_loaded(ctx: typer.Context) -> Iterator[None]:
    """Import the engine; UsageError where the system has no room for it.

    Meanwhile an interrupt ends the process at once: compiled modules print what is
    raised while they are imported, and fail in ways of their own. Until the end an
    interrupt is reported together with the command that goes on with a run.
    """
    check_memory()
    plays = "jobs" in invocation_of(ctx).values
    with interrupts_end_at_once(NOTHING if plays else "", _resume(ctx)):
        import_module("deckcheck.sim.scheduling.scheduler")
    try:
        yield
    except KeyboardInterrupt:
        resume = _resume(ctx)
        if not resume:
            raise
        raise typer.Exit(tell_interrupt(resume, "")) from None


def _resume(ctx: typer.Context) -> str:
    """The command that goes on with what is played; nothing while no run is kept."""
    values = invocation_of(ctx).values
    folder = values.get("run") if "jobs" in values else None
    if not isinstance(folder, Path) or not is_run(folder):
        return ""
    return command_to_resume(ctx, folder)
