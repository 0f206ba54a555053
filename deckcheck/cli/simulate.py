"""`deckcheck simulate`: decks against each other, and their win rates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.entering import enter, refuse
from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.games import Decks, GameOptions
from deckcheck.cli.options.play import PlayOptions
from deckcheck.cli.options.shared import (
    AllMatchups,
    GamesTableFile,
    RunFolder,
    ShardName,
)
from deckcheck.cli.options.stopping import (
    Adaptive,
    Alpha,
    Beta,
    Elo,
    SprtLeads,
    UntilWidth,
)
from deckcheck.cli.planning import Place, play_plan
from deckcheck.cli.playing import (
    check_table,
    command_to_replay,
    command_to_resume,
    play,
)
from deckcheck.cli.printing import tell
from deckcheck.findings.errors import UsageError
from deckcheck.sim.defaults import ALPHA, BETA

if TYPE_CHECKING:
    from deckcheck.sim.simulation import Simulation


FINDINGS = 1


@grouped
def simulate(
    ctx: typer.Context,
    decks: Decks = None,
    *,
    asked: GameOptions,
    until_width: UntilWidth = None,
    sprt: SprtLeads = None,
    alpha: Alpha = ALPHA,
    beta: Beta = BETA,
    elo: Elo = "logistic",
    adaptive: Adaptive = False,
    plan: Annotated[
        Path | None,
        typer.Option(
            "--plan",
            metavar="FILE",
            help="Play the experiments of a plan, such as week7.toml, which names "
            "the decks and the settings of their games.",
            show_default=False,
        ),
    ] = None,
    run: RunFolder = None,
    shard: ShardName = None,
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.simulation_outputs,
            help="How to write the result: table (default), json, csv, parquet, "
            "markdown or html; standings and matrix are tables as CSV. FORMAT:FILE "
            "writes a file. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    all_matchups: AllMatchups = False,
    games_table: GamesTableFile = None,
    options: PlayOptions,
) -> int:
    """Play decks against each other and report win rates.

    Two decks play each other, more play a round robin; other formats seat them at
    tables, in teams, or against an automatic opponent. Results depend only on decks,
    format, policies, seed and games, and not on --jobs or the machine.
    """
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.stopping.rules import parse_stopping
    from deckcheck.studies.simulate.page import SIMULATION
    from deckcheck.studies.simulate.plan_outputs import plan_writers

    if shard is not None and run is None:
        raise UsageError("`--shard` goes with `--run FOLDER` only", "Name a folder")
    writers = SIMULATION.writers if plan is None else plan_writers
    outputs = read_outputs(
        output_format or (), writers(all_matchups=all_matchups), options.output
    )
    command = command_to_resume(ctx, run) if run is not None else ""
    replay = "" if plan else command_to_replay(ctx)
    how = options.how(outputs, command, games_table=games_table, replay=replay)
    check_table(how, plan is not None)
    stopping = parse_stopping(
        until_width, sprt, alpha, beta, elo=elo, adaptive=adaptive
    )
    if plan is not None:
        return play_plan(ctx, plan, how, Place(run, shard, options.card_db))
    entry = asked.entry(decks or (), options.card_db, stopping=stopping)
    try:
        simulation, twice = enter(ctx, entry, quiet=options.quiet > 0)
    except IllegalDeckError as error:
        shows_table = any(o.name == "table" and o.file is None for o in outputs)
        stream = sys.stdout if shows_table else sys.stderr
        refuse(error, stream, options.color, options.quiet)
        return FINDINGS
    check_places(files_of(outputs))
    if not options.quiet:
        _explain(simulation, asked.games, twice)
    if run is None:
        return play(simulation, how)
    from deckcheck.sim.runs.directory import new_run

    return play(new_run(run, simulation, shard=shard, card_db=options.card_db), how)


def _explain(simulation: Simulation, games: int, twice: list[str]) -> None:
    """Say on stderr where the run differs from what was asked for."""
    from deckcheck.findings.words import choice

    if twice:
        tell(f"note: Named more than once, takes part once: {choice(twice, 'and')}")
    games_each = simulation.games_each
    if games_each != games:
        tell(
            f"note: {games:,} games are rounded up to {games_each:,}, "
            f"in {simulation.unit}"
        )
