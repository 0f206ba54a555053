"""`deckcheck warmup`: compile the engine ahead of time."""

from __future__ import annotations

from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.options.games import policy_option
from deckcheck.cli.options.shared import CardDb
from deckcheck.cli.printing import say, tell


def warmup(
    formats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FORMAT...",
            autocompletion=completing.formats,
            help="Formats to compile for (default: every format of every game).",
            show_default=False,
        ),
    ] = None,
    *,
    policy: Annotated[
        str,
        policy_option(
            "Computer player to compile for, such as `learned`, which takes longer "
            "than the others."
        ),
    ] = "heuristic",
    quiet: Annotated[
        int,
        typer.Option(
            "--quiet",
            "-q",
            count=True,
            show_default=False,
            help="Do not say what was compiled.",
        ),
    ] = 0,
    card_db: CardDb = None,
) -> int:
    """Compile the engine ahead of time.

    The first simulation after an installation or an update has to compile the engine,
    which takes up to a minute for each way to play. This does it now; afterwards
    simulations start at once. If the command is interrupted, finished parts are kept.
    """
    from deckcheck.cli.interrupts import interrupts_end_at_once
    from deckcheck.engine.host.cache import CACHE_FOLDER, FAULTS, compiled, tell_unkept
    from deckcheck.formats import format_ids, load_format
    from deckcheck.policies.host.registry import read_policy
    from deckcheck.sim.warmup import compiled_together, warm_format

    read_policy(policy)
    chosen = [load_format(id, card_db) for id in formats or format_ids(card_db)]
    if not compiled:
        say("nothing to compile: NUMBA_DISABLE_JIT is set")
        return 0
    parts = compiled_together(chosen)
    for number, part in enumerate(parts, start=1):
        names = ", ".join(fmt.id for fmt in part)
        if not quiet:
            tell(f"{number} of {len(parts)}: {names}")
        with interrupts_end_at_once("what was compiled before is kept"):
            seconds, was_warm = warm_format(
                part[0], card_db, policy=policy, announces=not quiet
            )
        if not quiet:
            done = "was compiled already, loaded" if was_warm else "compiled"
            say(f"{names}: {done} in {seconds:.1f} s")
    if CACHE_FOLDER is None:
        tell_unkept(FAULTS)
    elif not quiet:
        say(f"kept in {CACHE_FOLDER}")
    return 0
