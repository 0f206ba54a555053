"""The subjects of `report`: a run, the runs of a plan, changes, or a history."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from deckcheck.cards import Root
from deckcheck.findings import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.reads import note_read
from deckcheck.findings.words import plural
from deckcheck.report.html.model import Page
from deckcheck.report.outputs import Writer, Writers
from deckcheck.sim.defaults import LOSSES_SAMPLE
from deckcheck.sim.runs.blocks import BLOCKS
from deckcheck.sim.runs.directory import (
    RunDirectory,
    SimulationRun,
    open_run,
    open_study,
)
from deckcheck.sim.runs.file import read_run_file
from deckcheck.sim.runs.series import RUN, runs_of
from deckcheck.sim.study import SIMULATE
from deckcheck.studies.changes.page import CHANGES
from deckcheck.studies.changes.result import changes_between
from deckcheck.studies.history.page import HISTORY
from deckcheck.studies.history.result import history_of
from deckcheck.studies.losses.play import Watch, losses_of
from deckcheck.studies.losses.tables import LOSSES
from deckcheck.studies.registry import KINDS, page_of, writers_of
from deckcheck.studies.simulate.page import SIMULATION
from deckcheck.studies.simulate.plan_outputs import plan_page, plan_writers


class Reported(NamedTuple):
    """What is reported on, and its writers by their names.

    That is what changed, a history, the run of a simulation, the results of a plan by
    name, or the result of another study.
    """

    what: Any
    writers: Writers


class LossesOf(NamedTuple):
    """Which games are played again: those of a deck, and how many.

    `watch` is told how many they are.
    """

    deck: str
    sample: int = LOSSES_SAMPLE
    watch: Watch | None = None


def reported(
    folders: Sequence[Path],
    card_db: Root = None,
    *,
    compare: bool = False,
    history: bool = False,
    all_matchups: bool = False,
    losses: LossesOf | None = None,
) -> Reported:
    """Read one run, all of a plan, two runs to `compare`, or several for a `history`.

    With `losses` some games of the run are played again. Raises UsageError for another
    number, for a study that is not complete and no simulation, and as `open_run` does.
    """
    if losses is not None and (compare or history):
        raise UsageError(
            f"{option('losses')} says how a deck of one run loses, several were named",
            "Leave it out, or name one run",
        )
    if compare and history:
        raise UsageError(
            f"{option('compare')} and {option('history')} exclude each other",
            f"{option('history')} shows what changed from the first to the last run",
        )
    if history:
        runs_read = [_open(folder, card_db) for folder in folders]
        return Reported(history_of(runs_read), HISTORY.writers())
    wanted = 2 if compare else 1
    if len(folders) != wanted:
        raise UsageError(
            f"Got {plural(len(folders), 'run')}, expected {wanted}",
            "Name the run before and the run after"
            if compare
            else f"Name one run; two go with {option('compare')}, and more with "
            f"{option('history')}",
        )
    if compare:
        before, after = (_open(folder, card_db) for folder in folders)
        return Reported(changes_between(before, after), CHANGES.writers())
    [folder] = folders
    if losses is not None:
        run = _open(folder, card_db)
        found = losses_of(run.study, run.result(), *losses)
        return Reported(found, LOSSES.writers(all_matchups=all_matchups))
    experiments = runs_of(folder)
    if experiments is None:
        return _one(folder, card_db, all_matchups)
    runs = [(name, _open(folder / name, card_db)) for name in experiments]
    played = [(name, run.result()) for name, run in runs]
    return Reported(played, plan_writers(all_matchups=all_matchups))


def run_writers(all_matchups: bool) -> Writers:
    """Every output of a run by its name, see `deckcheck.reporters.Reporter`."""
    return tuple(
        (name, _writer(name, all_matchups)) for name, _ in SIMULATION.writers()
    )


def page_of_reported(what: Any) -> Page:
    """The page of what is reported on."""
    if isinstance(what, RunDirectory):
        # The run says who played it, which may have been another engine.
        return page_of(what.result(), what.file.tool)
    return plan_page(what) if isinstance(what, list) else page_of(what)


def _one(folder: Path, card_db: Root, all_matchups: bool) -> Reported:
    """A run of any kind; UsageError for options that its kind has not."""
    kind = read_run_file(folder).kind
    if kind == SIMULATE:
        return Reported(_open(folder, card_db), run_writers(all_matchups))
    writers = writers_of(kind, {"--all-matchups": all_matchups})
    _note_read(folder)
    return Reported(open_study(folder, KINDS, card_db).outcome(), writers)


def _writer(name: str, all_matchups: bool) -> Writer:
    def write(run: SimulationRun, stream: TextIO, *_: object) -> None:
        writers = SIMULATION.writers(all_matchups=all_matchups, tool=run.file.tool)
        dict(writers)[name](run.result(), stream)

    return write


def _note_read(folder: Path) -> None:
    for name in (RUN, BLOCKS):
        note_read(folder / name)


def _open(folder: Path, card_db: Root) -> SimulationRun:
    _note_read(folder)
    return open_run(folder, card_db, only_read=True)
