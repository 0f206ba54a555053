"""`resume`, `merge`, `report`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import tell_expectations
from deckcheck.cli.loading import command_to_resume
from deckcheck.cli.options import (
    CardDb,
    Full,
    GamesTableFile,
    OutputFile,
    ResultFormat,
    group_options,
    outputs_option,
)
from deckcheck.cli.output import (
    check_places,
    files_of,
    read_outputs,
    say,
    tell,
    without_collector,
    write_outputs,
)
from deckcheck.cli.playing import PlayOptions, PlaySettings, check_table, play, play_all
from deckcheck.cli.settings import Color
from deckcheck.files import expand_patterns, only_one
from deckcheck.findings import UsageError
from deckcheck.messages import choice, plural, quote
from deckcheck.sim import LOSSES_SAMPLE
from deckcheck.sim.run_files import read_run_names, resume_command

if TYPE_CHECKING:
    from deckcheck.cli.output import Writer


# `deckcheck resume`: continue a run, extend it, or print its result again


@group_options
def resume(
    ctx: typer.Context,
    run: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="The folder of the run.",
            show_default="the run that was kept last",
        ),
    ] = None,
    *,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            min=1,
            help="Extend the run to this many games of each matchup.",
        ),
    ] = None,
    repair: Annotated[
        bool,
        typer.Option(
            help="Drop damaged lines from the files of the run, and play their games "
            "again."
        ),
    ] = False,
    output_format: ResultFormat = None,
    games_table: GamesTableFile = None,
    options: PlayOptions,
) -> int:
    """Play the games that a run still lacks, and print its result.

    Decks, format and all other settings are those that the run began with, even if
    their files have changed since.
    """
    from deckcheck.sim.kept_runs import find_last_run

    command = command_to_resume(ctx, run)
    run = find_last_run() if run is None else only_one(run)
    names = read_run_names(run)
    if names is not None and games is not None:
        raise UsageError(
            f"{quote(str(run))} holds {plural(len(names), 'run')}",
            f"Extend a single run: `{resume_command(run / names[0])} --games {games}`",
        )
    writers = _list_writers(run, names, options.full, games_table)
    outputs = read_outputs(output_format or (), writers, options.output)
    play_settings = PlaySettings(options, outputs, command, games_table)
    check_table(play_settings, is_plan=bool(names))
    if repair:
        _repair(run, names, options.quiet)
    if names is None:
        return _resume_run(run, games, play_settings)
    return _resume_plan(run, names, play_settings)


def _resume_run(run: Path, games: int | None, play_settings: PlaySettings) -> int:
    """Play the missing games of a run, up to a number of games."""
    from deckcheck.sim.run_directory import open_study
    from deckcheck.studies.registry import KINDS

    study = open_study(run, KINDS, play_settings.options.card_db)
    check_places(files_of(play_settings.outputs))
    if games is not None:
        study = study.with_games(games)
    return play(study, play_settings)


def _resume_plan(folder: Path, names: list[str], play_settings: PlaySettings) -> int:
    """Play the missing games of the runs of a plan."""
    from deckcheck.sim.run_directory import open_run

    runs = [
        (name, open_run(folder / name, play_settings.options.card_db)) for name in names
    ]
    check_places(files_of(play_settings.outputs))
    code = play_all(runs, play_settings)
    tell_expectations(folder, play_settings.options.quiet)
    return code


def _repair(run: Path, names: list[str] | None, quiet: int) -> None:
    """Drop the damaged lines of a run, or of all runs of a plan, and print a note."""
    from deckcheck.sim.run_directory import mend_run

    folders = [run] if names is None else [run / name for name in names]
    for folder in folders:
        dropped = mend_run(folder)
        if dropped and not quiet:
            lines = f"{plural(dropped, 'damaged line')} of {quote(str(folder))}"
            tell(f"note: {lines} dropped, whose games are played again")


def _list_writers(
    run: Path, names: list[str] | None, full: bool, games_table: Path | None
) -> Sequence[tuple[str, Writer[Any]]]:
    """Return the outputs of a run or of a plan. Raises UsageError for other options."""
    from deckcheck.sim.run_settings import read_run_file
    from deckcheck.sim.study import SIMULATE
    from deckcheck.studies.registry import make_writers
    from deckcheck.studies.simulation_page import SIMULATION, plan_writers

    if names is not None:
        return plan_writers(full=full)
    kind = read_run_file(run).kind
    if kind == SIMULATE:
        return SIMULATION.writers(full=full)
    return make_writers(kind, {"--games-table": games_table}, full=full)


# `deckcheck merge`: several shards become a run


def merge(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="FOLDER...", help="Folders of shards, in any order."),
    ],
    *,
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="New folder for the whole run, such as runs/field1 (required).",
        ),
    ] = None,
) -> int:
    """Put the shards of a run together. `resume` prints the result.

    `resume` also plays missing games, such as the games of a lost shard.
    """
    from deckcheck.sim.run_directory import merge_runs, missing_shards

    if run is None:
        raise UsageError("`--run FOLDER` is missing", "Name the folder to write")
    runs = expand_patterns(runs)
    merge_runs(runs, run)
    say(f"{plural(len(runs), 'run')} merged into {quote(str(run))}")
    lost = missing_shards(runs)
    if lost:
        say(f"Not among them: {choice(lost, 'and')}")
    does = "plays the missing games" if lost else "prints the result"
    say(f"{quote(resume_command(run))} {does}")
    return 0


# `deckcheck report`: the result of a run, as a page or in any other output


SECONDS_OF_GAME = 0.06
"""About how long two cores play a game again and observe it."""

GAMES_OF_LINE = 50


def report(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FOLDER...",
            help="Folder of a run or of a plan. With --compare two runs, with "
            "--history two or more, the oldest first.",
            show_default="the run that was kept last",
        ),
    ] = None,
    *,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a web page to this file, which needs no other file.",
        ),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the charts of the page to this folder, as PNG and SVG.",
        ),
    ] = None,
    compare: Annotated[
        bool, typer.Option(help="Show the changes between two runs.")
    ] = False,
    history: Annotated[
        bool,
        typer.Option(help="Show the win rate of each deck over several runs in order."),
    ] = False,
    losses: Annotated[
        str | None,
        typer.Option(
            metavar="DECK",
            help="Show how this deck of the run loses: some of its games are played "
            "again, move by move, and observed.",
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="With --losses: about how many games are played again.",
            show_default=str(LOSSES_SAMPLE),
        ),
    ] = None,
    output_format: Annotated[
        list[str] | None,
        outputs_option(
            completing.outputs("studies.simulation_page:SIMULATION"),
            "the result: table (default), line, json, csv, parquet, markdown or html",
        ),
    ] = None,
    output: OutputFile = None,
    full: Full = False,
    color: Color = "auto",
    card_db: CardDb = None,
) -> None:
    """Report on a run and its figures. `meta` recommends decks to bring.

    No games are played, except with --losses: an unfinished simulation is shown with
    the games it has so far.
    """
    from deckcheck.sim.kept_runs import find_last_run
    from deckcheck.studies.registry import LossesOf, make_reported_page, read_reported

    asked = list(output_format or ())
    if html is not None:
        asked.append(f"html:{html}")
    folders = expand_patterns(runs) if runs else [find_last_run()]
    if sample is not None and losses is None:
        raise UsageError("`--sample` goes with `--losses` only", "Name a deck with it")
    losses_of = None
    if losses is not None:
        losses_of = LossesOf(losses, sample or LOSSES_SAMPLE, SampleProgress())
    with without_collector():
        run_report = read_reported(
            folders,
            card_db,
            compare=compare,
            history=history,
            full=full,
            losses=losses_of,
        )
    outputs = read_outputs(asked, run_report.writers, output)
    check_places(files_of(outputs))
    # `--plots` alone prints nothing.
    prints = plots is None or bool(asked) or output is not None
    if prints:
        with without_collector():
            write_outputs(run_report.what, outputs, color, 0)
    if plots is not None:
        # Last, since drawing may fail where all else can be written.
        from deckcheck.report.plots import write_plots

        write_plots(make_reported_page(run_report.what), plots)
    if prints and not (compare or history) and losses is None:
        tell_expectations(folders[0])


class SampleProgress:
    """Counts the observed games of a sample on a line of a terminal."""

    def __call__(self, observed: int, whole: int) -> None:
        """Show the progress: on a terminal in place, else a line now and then."""
        if observed == 0:
            seconds = max(1, round(whole * SECONDS_OF_GAME))
            about = f"about {plural(seconds, 'second')}"
            tell(f"playing {plural(whole, 'game')} again, {about}")
        elif sys.stderr.isatty():
            end = "\n" if observed == whole else ""
            sys.stderr.write(f"\r{observed:,} of {plural(whole, 'game')}{end}")
            sys.stderr.flush()
        elif observed % GAMES_OF_LINE == 0 and observed < whole:
            tell(f"{observed:,} of {plural(whole, 'game')}")
