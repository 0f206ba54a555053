"""The outputs of `report`: those of a simulation, and a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO, TypeAlias

from deckcheck.cards import Root
from deckcheck.findings.reads import note_read
from deckcheck.report.changes import changes_between, changes_report
from deckcheck.report.formats import NAMES, report_of, width_of, write_report
from deckcheck.report.html.compared import page_of_changes
from deckcheck.report.html.page import page_of, written
from deckcheck.report.markdown import as_markdown
from deckcheck.report.text import as_text
from deckcheck.sim.runs.blocks import BLOCKS
from deckcheck.sim.runs.directory import SimulationRun, open_run
from deckcheck.sim.runs.file import RUN

__all__ = ["Reported", "read_runs", "report_writers"]

Reported: TypeAlias = Sequence[SimulationRun]
"""The run that is reported on; or two, the one before and the one after."""

Writer: TypeAlias = Callable[..., None]


def read_runs(folders: Sequence[Path], card_db: Root = None) -> Reported:
    """Return the runs of these folders; raises UsageError as `open_run` does."""
    for folder in folders:
        for name in (RUN, BLOCKS):
            note_read(folder / name)
    return [open_run(folder, card_db, only_read=True) for folder in folders]


def report_writers(compare: bool, all_matchups: bool) -> tuple[tuple[str, Writer], ...]:
    """Every output of a run by its name, see `deckcheck.reporters.Reporter`."""
    if compare:
        return COMPARING
    plain = tuple((name, _writer(name, all_matchups)) for name in NAMES)
    return (*plain, ("html", _write_page))


def _writer(name: str, all_matchups: bool) -> Writer:
    def write(runs: Reported, stream: TextIO, *_: object) -> None:
        width = width_of(stream)
        result = runs[0].result()
        stream.write(write_report(result, name, width, all_matchups=all_matchups))

    return write


def _write_page(runs: Reported, stream: TextIO, *_: object) -> None:
    run = runs[0]
    result = run.result()
    stream.write(written(page_of(result, report_of(result, True), run.file.tool)))


def _changes_table(runs: Reported, stream: TextIO, *_: object) -> None:
    report = changes_report(changes_between(*runs))
    stream.write(as_text(report, width_of(stream)))


def _changes_markdown(runs: Reported, stream: TextIO, *_: object) -> None:
    stream.write(as_markdown(changes_report(changes_between(*runs))))


def _changes_page(runs: Reported, stream: TextIO, *_: object) -> None:
    before, after = runs
    stream.write(written(page_of_changes(changes_between(before, after), after)))


COMPARING: tuple[tuple[str, Writer], ...] = (
    ("table", _changes_table),
    ("markdown", _changes_markdown),
    ("html", _changes_page),
)
