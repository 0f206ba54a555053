"""`deckcheck replay`: any game of a run again, move by move."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.entering import enter, refuse
from deckcheck.cli.grouping import grouped
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.options.games import Decks, GameOptions
from deckcheck.cli.options.shared import CardDb, Color, OutputFile
from deckcheck.cli.playing import DECIDING
from deckcheck.cli.printing import style_of, tell
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, plural, quote

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.sim.runs.directory import SimulationRun


CLEAN, FINDINGS, INTERNAL_ERROR = 0, 1, 3


@grouped
def replay(
    ctx: typer.Context,
    decks: Decks = None,
    *,
    pairing: Annotated[
        str | None,
        typer.Option(
            "--pairing",
            metavar="A,B",
            help="Pairing of the game: the names of its decks, such as 'Siege "
            "masters,The swarm', or the number of its table. Needed if there "
            "are several pairings.",
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        int,
        typer.Option(
            "--game",
            "--game-number",  # a file may set `game`, which other commands play
            metavar="NUMBER",
            help="Number of the game within its pairing, from 1; in a tournament, of "
            "the match.",
        ),
    ] = 1,
    asked: GameOptions,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.replay_outputs,
            help="How to write the game: text (default), markdown, html (a page with "
            "the chances of both players) or json. FORMAT:FILE writes a file. Can "
            "be given several times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    moves: Annotated[
        str | None,
        typer.Option(
            "--moves",
            metavar="FIRST-LAST",
            help="Show only these moves, such as 20-30, or 20 for one.",
            show_default=False,
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            "--side",
            metavar="PLAYER",
            help="Show only the moves of this player, such as A.",
            show_default=False,
        ),
    ] = None,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Step through the game on a terminal."),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="Show the position after every move, in text."
        ),
    ] = False,
    color: Color = "auto",
    card_db: CardDb = None,
) -> int:
    """Tell any game of a simulation again, move by move.

    Name the folder of a run, or the same decks and options as in the simulation, which
    give the same games again. Tournaments are shown match by match.
    """
    from deckcheck.cli.outputs import files_of, read_outputs, write_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.replays.narrowing import narrowed, read_moves
    from deckcheck.replays.outputs import WRITERS, Telling
    from deckcheck.replays.replay import replay as play_again
    from deckcheck.sim.errors import IllegalDeckError, SimulationError

    outputs = read_outputs(output_format or (), WRITERS, output)
    numbers = read_moves(moves)
    check_places(files_of(outputs))
    if watch:
        from deckcheck.cli.stepping import check_terminal

        check_terminal()
    entry = asked.entry(decks or (), card_db)
    try:
        kept = _kept(ctx, decks or (), card_db)
        simulation = kept.study if kept else enter(ctx, entry)[0]
        records = kept.part if kept else None
        retold = play_again(simulation, pairing, game, records=records)
    except IllegalDeckError as error:
        refuse(error, sys.stderr, color, 0)
        return FINDINGS
    except SimulationError as error:
        tell(f"error: {error.message}")
        tell(f"help: {error.help}")
        return INTERNAL_ERROR
    retold = narrowed(retold, numbers, side)
    if watch:
        from deckcheck.cli.stepping import step_through

        step_through(retold, style_of(color))
    else:
        write_outputs(Telling(retold, verbose), outputs, color, 0)
    return CLEAN if retold.crash is None else INTERNAL_ERROR


def _kept(
    ctx: typer.Context, targets: Sequence[str], card_db: Root
) -> SimulationRun | None:
    """The run in the folder that was named; None where decks were."""
    if len(targets) != 1 or not os.path.isdir(targets[0]):
        return None
    from deckcheck.sim.runs.directory import open_run
    from deckcheck.sim.runs.series import RUN, runs_of

    folder = Path(targets[0])
    names = runs_of(folder)
    if names is not None:
        raise UsageError(
            f"{quote(targets[0])} holds {plural(len(names), 'run')}",
            f"Name one of them: {choice([str(folder / name) for name in names])}",
        )
    if not os.path.isfile(folder / RUN):
        return None
    invocation = invocation_of(ctx)
    for setting in invocation.settings:
        is_meant = setting.name in DECIDING and setting.name != "card_db"
        if is_meant and invocation.is_typed(setting.name):
            option = max(setting.opts, key=len)
            raise UsageError(
                f"`{option}` goes with decks, {quote(targets[0])} is a run",
                "Leave it out: a run has its own settings",
            )
    return open_run(folder, card_db)
