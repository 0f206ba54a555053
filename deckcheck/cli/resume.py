"""`deckcheck resume`: go on with a run, extend it, or print its result again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.play import PlayOptions
from deckcheck.cli.options.shared import AllMatchups, GamesTableFile, ResultFormat
from deckcheck.cli.outputs import files_of, read_outputs
from deckcheck.cli.planning import tell_expectations
from deckcheck.cli.playing import How, check_table, command_to_resume, play, play_all
from deckcheck.cli.printing import tell
from deckcheck.cli.writing import check_places
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import only_one
from deckcheck.findings.words import plural, quote
from deckcheck.sim.runs.series import runs_of

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.cli.outputs import Writer


@grouped
def resume(
    ctx: typer.Context,
    run: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder of the run.")
    ],
    *,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            min=1,
            help="Extend the run to this many games of each matchup.",
            show_default=False,
        ),
    ] = None,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend",
            help="Drop damaged lines from the files of the run, and play their games "
            "again.",
        ),
    ] = False,
    output_format: ResultFormat = None,
    all_matchups: AllMatchups = False,
    games_table: GamesTableFile = None,
    options: PlayOptions,
) -> int:
    """Play the games that a run still lacks, and print its result.

    Decks, format and all other settings are those that the run began with, even if
    their files have changed since.
    """
    run = only_one(run)
    command = command_to_resume(ctx, run)
    names = runs_of(run)
    if names is not None and games is not None:
        again = f"deckcheck resume {run / names[0]} --games {games}"
        raise UsageError(
            f"{quote(str(run))} holds {plural(len(names), 'run')}",
            f"Extend one of them: `{again}`",
        )
    writers = _writers(run, names, all_matchups, games_table)
    outputs = read_outputs(output_format or (), writers, options.output)
    how = options.how(outputs, command, games_table=games_table)
    check_table(how, len(names or ()))
    if mend:
        _mend(run, names, options.quiet)
    if names is None:
        return _resume(run, games, how, options.card_db)
    return _resume_all(run, names, how, options.card_db)


def _resume(run: Path, games: int | None, how: How, card_db: Root) -> int:
    """Play what is missing of one run, or of as many games."""
    from deckcheck.sim.runs.directory import open_study
    from deckcheck.studies.registry import KINDS

    study = open_study(run, KINDS, card_db)
    check_places(files_of(how.outputs))
    if games is not None:
        study = study.extended(games)
    return play(study, how)


def _resume_all(folder: Path, names: list[str], how: How, card_db: Root) -> int:
    """Play what is missing of the runs of a plan."""
    from deckcheck.sim.runs.directory import open_run

    runs = [(name, open_run(folder / name, card_db)) for name in names]
    check_places(files_of(how.outputs))
    code = play_all(runs, how)
    tell_expectations(folder, how.quiet)
    return code


def _mend(run: Path, names: list[str] | None, quiet: int) -> None:
    """Drop what is damaged of a run, or of all runs of a plan, and say so."""
    from deckcheck.sim.runs.directory import mend_run

    for folder in [run] if names is None else [run / name for name in names]:
        dropped = mend_run(folder)
        if dropped and not quiet:
            lines = f"{plural(dropped, 'damaged line')} of {quote(str(folder))}"
            tell(f"note: {lines} dropped, whose games are played again")


def _writers(
    run: Path, names: list[str] | None, all_matchups: bool, games_table: Path | None
) -> Sequence[tuple[str, Writer[Any]]]:
    """The outputs of a run, or of a plan; UsageError for options that it has not."""
    from deckcheck.sim.runs.file import read_run_file
    from deckcheck.sim.study import SIMULATE
    from deckcheck.studies.registry import writers_of
    from deckcheck.studies.simulate.page import SIMULATION
    from deckcheck.studies.simulate.plan_outputs import plan_writers

    if names is not None:
        return plan_writers(all_matchups=all_matchups)
    kind = read_run_file(run).kind
    if kind == SIMULATE:
        return SIMULATION.writers(all_matchups=all_matchups)
    given = {"--all-matchups": all_matchups, "--games-table": games_table}
    return writers_of(kind, given)
