"""`replay` and `scenario`: games and positions move by move."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import SeatingOptions, refusing
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.options import (
    CardDb,
    Decks,
    OutputFile,
    group_options,
    outputs_option,
    quiet_option,
)
from deckcheck.cli.output import (
    CLEAN,
    FINDINGS,
    INTERNAL,
    MISUSE,
    read_outputs,
    say,
    style_of,
    tell,
    tell_misuse,
    tell_notes,
    write_outputs,
)
from deckcheck.cli.playing import deciding_options
from deckcheck.cli.settings import Color
from deckcheck.findings import UsageError
from deckcheck.messages import choice, plural, quote
from deckcheck.specs import GamesSpec

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.replays.model import Replay
    from deckcheck.scenarios import ScenarioResult
    from deckcheck.sim.run_directory import SimulationRun
    from deckcheck.terminal import Style


# `deckcheck replay`: any game of a run again, move by move


@group_options
def replay(
    ctx: typer.Context,
    decks: Decks = None,
    *,
    pairing: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="Pairing of the game: the names of its decks, such as 'Siege "
            "masters,The swarm', or the number of its table. Needed if there "
            "are several pairings.",
        ),
    ] = None,
    game: Annotated[
        int,
        typer.Option(
            "--game",
            "--game-number",  # a file may set `game`, which other commands play
            metavar="NUMBER",
            help="Number of the game within its pairing, from 1, or of the match in a "
            "tournament.",
        ),
    ] = 1,
    lost: Annotated[
        bool,
        typer.Option(
            "--lost",
            help="Instead of a number: show the first game that the deck named first "
            "loses.",
        ),
    ] = False,
    closest: Annotated[
        bool,
        typer.Option(
            "--closest",
            help="Instead of a number: show the closest of the first 200 games.",
        ),
    ] = False,
    seating: SeatingOptions,
    question: GamesSpec,
    output_format: Annotated[
        list[str] | None,
        outputs_option(
            completing.outputs("replays.outputs:WRITERS"),
            "the game: text (default), line, markdown, html (a page with the "
            "win probability of both players) or json. line is a "
            "summary of the turning points",
        ),
    ] = None,
    output: OutputFile = None,
    moves: Annotated[
        str | None,
        typer.Option(
            metavar="FIRST-LAST",
            help="Show only these moves, such as 20-30, or 20 for a single move.",
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Show only the moves of this player, such as A."
        ),
    ] = None,
    watch: Annotated[
        bool, typer.Option(help="Step through the game on a terminal.")
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
    """Replay any game of a simulation, move by move.

    Name the folder of a run, or the same decks and options as in the simulation, which
    give the same games again. Tournaments are shown match by match.
    """
    from deckcheck.replays.model import read_moves, select_moves
    from deckcheck.replays.outputs import WRITERS, Telling
    from deckcheck.replays.replay import Shown
    from deckcheck.replays.replay import replay as play_again
    from deckcheck.sim.errors import SimulationError

    outputs = read_outputs(output_format or (), WRITERS, output)
    numbers = read_moves(moves)
    _check_shown(ctx)
    shown: int | Shown = game
    if lost:
        shown = Shown.LOST
    elif closest:
        shown = Shown.CLOSEST
    if watch:
        check_terminal()
    try:
        with refusing(outputs, color, 0):
            run = _open_named_run(ctx, decks or (), card_db)
            records = run.part if run else None
            if run:
                simulation = run.study
            else:
                simulation, _ = seating.build_simulation(
                    ctx, decks or (), card_db, question
                )
            retold = play_again(simulation, pairing, shown, records=records)
    except SimulationError as error:
        tell_misuse(error.message, error.help)
        return INTERNAL
    retold = select_moves(retold, numbers, side)
    if watch:
        step_through(retold, style_of(color))
    else:
        write_outputs(Telling(retold, verbose), outputs, color, 0)
    return CLEAN if retold.crash is None else INTERNAL


def _check_shown(ctx: typer.Context) -> None:
    """Refuse two of the options that choose a game."""
    invocation = invocation_of(ctx)
    typed = [name for name in ("game", "lost", "closest") if invocation.is_typed(name)]
    if len(typed) > 1:
        raise UsageError(
            f"`--{typed[0]}` and `--{typed[1]}` name different games",
            "Leave either out",
        )


def _open_named_run(
    ctx: typer.Context, targets: Sequence[str], card_db: Root
) -> SimulationRun | None:
    """Return the run in the named folder, None where decks were named."""
    if len(targets) != 1 or not os.path.isdir(targets[0]):
        return None
    from deckcheck.sim.run_directory import open_run
    from deckcheck.sim.run_files import RUN_FILE, read_run_names

    folder = Path(targets[0])
    names = read_run_names(folder)
    if names is not None:
        raise UsageError(
            f"{quote(targets[0])} holds {plural(len(names), 'run')}",
            f"Name a single run: {choice([str(folder / name) for name in names])}",
        )
    if not os.path.isfile(folder / RUN_FILE):
        return None
    setting = invocation_of(ctx).find_typed({*deciding_options()} - {"card_db"})
    if setting is not None:
        raise UsageError(
            f"`--{setting.key}` requires decks, {quote(targets[0])} is a run",
            "Leave it out: a run has its own settings",
        )
    return open_run(folder, card_db)


# `replay --watch`: a game on a terminal, a move at a time


LEAVE_WORDS = ("q", "quit")
STEP_HINT = "Press Enter to continue, q to quit"


def check_terminal() -> None:
    """Refuse to wait for keys where there is nobody to press them."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "`--watch` needs a terminal",
            "Leave it out, and the whole game is written at once",
        )


def step_through(replay: Replay, style: Style) -> None:
    """Show the position after each move, and wait for a key."""
    from deckcheck.replays.outputs import heading

    say(heading(replay), style.strong)
    for screen in _split_screens(replay, style):
        for line in screen:
            say(line)
        try:
            answer = input(style.frame(f"{STEP_HINT} > "))
        except EOFError:
            return
        if answer.strip().lower() in LEAVE_WORDS:
            return
        say()


def _split_screens(replay: Replay, style: Style) -> Iterator[list[str]]:
    from deckcheck.replays.outputs import group_rounds, step_lines, verdict

    for number, game in enumerate(replay.games, start=1):
        title = [f"Game {number} of the match"] if replay.noun == "match" else []
        for name, steps in group_rounds(game):
            title.append(name)
            for step in steps:
                yield [*title, *step_lines(step, positions=True)]
                title = []
        say(verdict(game), style.strong)


# `deckcheck scenario`: play positions and check the outcome


def scenario(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|FOLDER...",
            help="Scenario files or folders, a single scenario of a file as "
            "FILE#TITLE, or - for standard input.",
        ),
    ] = None,
    *,
    output_format: Annotated[
        list[str] | None,
        outputs_option(
            completing.outputs("scenarios.result:WRITERS"),
            "the results: text (default) or json",
        ),
    ] = None,
    output: OutputFile = None,
    color: Color = "auto",
    quiet: Annotated[
        int, quiet_option("Print failures only, or nothing if given twice.")
    ] = 0,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Show the final position of every scenario, even of several.",
        ),
    ] = False,
    card_db: CardDb = None,
) -> int:
    """Play positions and check the outcome.

    Exit code 0: every expectation holds, 1: an expectation fails, or a forbidden move
    is legal, 2: a file is wrong, or has a move against the rules.
    """
    from deckcheck.decks.files import shown_path
    from deckcheck.scenarios import run_scenarios
    from deckcheck.scenarios.files import find_scenarios
    from deckcheck.scenarios.result import WRITERS, ScenarioRun

    outputs = read_outputs(output_format or (), WRITERS, output)
    if not paths:
        raise UsageError(
            "No scenarios given", "Name files or folders, or `-` for standard input"
        )
    notes: list[str] = []
    files = find_scenarios(paths, notes)
    tell_notes(notes, quiet=bool(quiet))
    results: list[ScenarioResult] = []
    for chosen in files:
        name = shown_path(chosen.file) if chosen.file else "<stdin>"
        results += run_scenarios(chosen, name, card_db)
    shows_all = verbose or (len(results) == 1 and not quiet)
    write_outputs(ScenarioRun(tuple(results), shows_all), outputs, color, quiet)
    _tell_faults(results)
    if any(result.faults for result in results):
        return MISUSE
    return CLEAN if all(result.ok for result in results) else FINDINGS


def _tell_faults(results: list[ScenarioResult]) -> None:
    for result in results:
        for fault in result.faults:
            tell(f"error: {fault}")
            if fault.help:
                tell(f"help: {fault.help}")
