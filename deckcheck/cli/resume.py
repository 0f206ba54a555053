"""`deckcheck resume`: go on with a run, extend it, or print its result again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deckcheck.cli.grouping import grouped
from deckcheck.cli.options import AllMatchups, GamesTableFile, ResultFormat
from deckcheck.cli.planning import tell_check
from deckcheck.cli.play_options import PlayOptions
from deckcheck.cli.playing import check_table, command_to_resume, play, play_all
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import plural, quote

if TYPE_CHECKING:
    from deckcheck.cli.outputs import Writer

__all__ = ["resume"]


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
            help="Extend the run to so many games of each matchup.",
            show_default=False,
        ),
    ] = None,
    output_format: ResultFormat = None,
    all_matchups: AllMatchups = False,
    games_table: GamesTableFile = None,
    options: PlayOptions,
) -> int:
    """Play what is missing of a run, and print its result.

    Decks, format and all other settings are those that the run began with, whatever
    has become of their files.
    """
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.kinds import KINDS
    from deckcheck.report import plan_writers
    from deckcheck.sim.runs.directory import open_run, open_study
    from deckcheck.sim.runs.file import read_run_file
    from deckcheck.sim.runs.series import runs_of

    names = runs_of(run)
    if names is not None and games is not None:
        raise UsageError(
            f"{quote(str(run))} holds {plural(len(names), 'run')}",
            f"Extend one of them: `deckcheck resume {run / names[0]} --games {games}`",
        )
    known: Sequence[tuple[str, Writer[Any]]] = (
        plan_writers(all_matchups=all_matchups)
        if names is not None
        else _writers(read_run_file(run).kind, all_matchups, games_table)
    )
    outputs = read_outputs(output_format or (), known, options.output)
    command = command_to_resume(ctx, run)
    how = options.how(outputs, command, games_table=games_table)
    check_table(how, len(names or ()))
    if names is not None:
        runs = [(name, open_run(run / name, options.card_db)) for name in names]
        check_places(files_of(outputs))
        code = play_all(runs, how)
        tell_check(run, options.quiet)
        return code
    found = open_study(run, KINDS, options.card_db)
    check_places(files_of(outputs))
    if games is not None:
        found = found.extended(games)
    return play(found, how)


def _writers(
    kind: str, all_matchups: bool, games_table: Path | None
) -> Sequence[tuple[str, Writer[Any]]]:
    """The outputs of a kind of study; UsageError for options that it has not."""
    from deckcheck.report import writers
    from deckcheck.report.kinds import writers_of
    from deckcheck.sim.study import SIMULATE

    if kind == SIMULATE:
        return writers(all_matchups=all_matchups)
    given = {"--all-matchups": all_matchups, "--games-table": games_table}
    return writers_of(kind, given)
