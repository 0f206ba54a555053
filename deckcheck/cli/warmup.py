"""`deckcheck warmup`: compile the engine ahead of time."""

from __future__ import annotations

from typing import Annotated

import typer

from deckcheck.cli import completing

__all__ = ["warmup"]


def warmup(
    formats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FORMAT...",
            autocompletion=completing.formats,
            help="Formats to compile for; else the main one of each game.",
            show_default=False,
        ),
    ] = None,
    *,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing when all goes well.")
    ] = False,
) -> int:
    """Compile the engine ahead of time.

    The first simulation after an installation or an update has to compile the engine,
    which takes up to a minute. This does it now; afterwards simulations start at once.
    Modes of a game that are played otherwise are compiled apart: name their formats.
    """
    from deckcheck.cli.interrupts import interrupts_end_at_once
    from deckcheck.engine.host.cache import CACHE_FOLDER, compiled
    from deckcheck.formats import load_format
    from deckcheck.sim.warming import main_formats, warm_format

    chosen = [load_format(id) for id in formats or main_formats()]
    if not compiled:
        typer.echo("nothing to compile: NUMBA_DISABLE_JIT is set")
        return 0
    for fmt in chosen:
        with interrupts_end_at_once():
            seconds, was_warm = warm_format(fmt)
        if not quiet:
            done = "was compiled already, loaded" if was_warm else "compiled"
            typer.echo(f"{fmt.id}: {done} in {seconds:.1f} s")
    if CACHE_FOLDER is None:
        typer.echo("warning: no folder can be written, so nothing is kept", err=True)
    elif not quiet:
        typer.echo(f"kept in {CACHE_FOLDER}")
    return 0
