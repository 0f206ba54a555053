"""Every study by the name of its command, and what `report` is about.

A study is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TextIO, TypeVar

from deckcheck.cards import Root
from deckcheck.files import note_read
from deckcheck.findings import UsageError
from deckcheck.messages import option, plural, quote
from deckcheck.report.outputs import USUAL_WIDTH, Presentation, Writer, Writers
from deckcheck.report.page import Page
from deckcheck.report.tables import Report
from deckcheck.sim.blocks import BLOCKS_FILE
from deckcheck.sim.provenance import Program
from deckcheck.sim.run_directory import (
    RunDirectory,
    SimulationRun,
    open_run,
    open_study,
)
from deckcheck.sim.run_files import RUN_FILE, read_run_names
from deckcheck.sim.run_settings import Kinds, read_run_file
from deckcheck.sim.study import SIMULATE
from deckcheck.studies import BY_NAME, ENTRIES, Entry, named

if TYPE_CHECKING:
    from deckcheck.studies.losses import Watch

# Every study by the name of its command: what plays it, and how it is shown


T = TypeVar("T")


class Lazy(Mapping[str, T], Generic[T]):
    """Values by name, each made when it is first asked for."""

    def __init__(
        self, entries: Mapping[str, Entry], make: Callable[[Entry], T]
    ) -> None:
        self._entries, self._make = entries, make

    def __getitem__(self, name: str) -> T:
        return self._make(self._entries[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


KINDS: Kinds = Lazy(BY_NAME, lambda entry: named(entry.study))
"""Every study that run directories may hold, by its name."""

STUDIES: Mapping[str, Presentation[Any]] = Lazy(
    BY_NAME, lambda entry: named(entry.presentation)
)
"""How the results of each of them are shown."""

_PRESENTATIONS = {
    **{entry.result.partition(":")[2]: entry.presentation for entry in ENTRIES},
    "Changes": "studies.changes_report:CHANGES",
    "History": "studies.history:HISTORY",
    "Losses": "studies.losses:LOSSES",
    "MetaResult": "studies.meta_report:META",
}
"""How each kind of result is shown, by the name of its class."""


def find_presentation(result: object) -> Presentation[Any]:
    """Return the presentation of `result`. Raises UsageError for any other object."""
    for kind in type(result).__mro__:
        if kind.__module__.startswith("deckcheck.") and kind.__name__ in _PRESENTATIONS:
            presentation: Presentation[Any] = named(_PRESENTATIONS[kind.__name__])
            return presentation
    raise UsageError(
        f"A {type(result).__name__} has no report", "Give it a result of deckcheck"
    )


def make_report(result: object, full: bool = False) -> Report:
    """Return the tables of a result of any study."""
    return find_presentation(result).make_report(result, full=full)


def make_page(result: object, tool: Program | None = None) -> Page:
    """Return the page of a result; `tool` is the program that played, or this one."""
    return find_presentation(result).make_page(result, tool or Program.here())


def write_report(
    result: object,
    name: str,
    width: int = USUAL_WIDTH,
    *,
    full: bool = False,
) -> str:
    """Return `result` in the output `name`; `width` is for the table alone.

    Of many matchups, tables or matches, `table` and `markdown` show all in an overview
    and ten in detail, unless `full`, and `table` is cut to a screen.
    """
    presentation = find_presentation(result)
    return presentation.text(result, name, width, full=full)


def make_writers(
    kind: str, simulation_options: Mapping[str, object], *, full: bool
) -> Writers:
    """Return the outputs of a study that is no simulation, by name.

    `simulation_options` are options that only simulations have, and their values.
    Raises UsageError for one that was given, and for a study that is not known.
    """
    for given, value in simulation_options.items():
        if value:
            raise UsageError(
                f"`{given}` is for simulations, this is a run of {quote(kind)}",
                "Leave it out",
            )
    if kind not in STUDIES:
        raise UsageError(
            f"This version does not support runs of {quote(kind)}",
            "Install the version that played it",
        )
    return STUDIES[kind].writers(full=full)


# The subjects of `report`: a run, the runs of a plan, changes, or a history


class Reported(NamedTuple):
    """A result to report on, and its writers by their names.

    That is what changed, a history, the run of a simulation, the results of a plan by
    name, or the result of another study.
    """

    what: Any
    writers: Writers


class LossesOf(NamedTuple):
    """Which games are played again: those of a deck, and how many.

    `watch` hears how many they are.
    """

    deck: str
    sample: int
    watch: Watch | None = None


def read_reported(
    folders: Sequence[Path],
    card_db: Root,
    *,
    compare: bool = False,
    history: bool = False,
    full: bool = False,
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
        from deckcheck.studies.history import HISTORY, make_history

        runs_read = [_open(folder, card_db) for folder in folders]
        return Reported(make_history(runs_read), HISTORY.writers(full=full))
    wanted = 2 if compare else 1
    if len(folders) != wanted:
        help = "Name the run before and the run after"
        if not compare:
            help = (
                f"Name one run; two go with {option('compare')}, and more with "
                f"{option('history')}"
            )
        raise UsageError(f"Got {plural(len(folders), 'run')}, expected {wanted}", help)
    if compare:
        from deckcheck.studies.changes import compare_runs
        from deckcheck.studies.changes_report import CHANGES

        before, after = (_open(folder, card_db) for folder in folders)
        return Reported(compare_runs(before, after), CHANGES.writers(full=full))
    [folder] = folders
    if losses is not None:
        from deckcheck.studies.losses import LOSSES, observe_losses

        run = _open(folder, card_db)
        found = observe_losses(run.study, run.result(), *losses)
        return Reported(found, LOSSES.writers(full=full))
    experiments = read_run_names(folder)
    if experiments is None:
        return _make_report(folder, card_db, full)
    from deckcheck.studies.simulation_page import plan_writers

    runs = [(name, _open(folder / name, card_db)) for name in experiments]
    played = [(name, run.result()) for name, run in runs]
    return Reported(played, plan_writers(full=full))


def run_writers(full: bool) -> Writers:
    """Return every output of a run by its name, see `deckcheck.reporters.Reporter`."""
    from deckcheck.studies.simulation_page import SIMULATION

    return tuple((name, _find_writer(name, full)) for name, _ in SIMULATION.writers())


def make_reported_page(what: Any) -> Page:
    """Return the page of a read_reported result."""
    from deckcheck.studies.simulation_page import plan_page

    if isinstance(what, RunDirectory):
        # The run says who played it, which may have been another engine.
        return make_page(what.result(), what.file.tool)
    return plan_page(what) if isinstance(what, list) else make_page(what)


def _make_report(folder: Path, card_db: Root, full: bool) -> Reported:
    """Return a run of any kind. Raises UsageError for options that its kind does not
    have.
    """
    kind = read_run_file(folder).kind
    if kind == SIMULATE:
        return Reported(_open(folder, card_db), run_writers(full))
    writers = make_writers(kind, {}, full=full)
    _note_read(folder)
    return Reported(open_study(folder, KINDS, card_db).outcome(), writers)


def _find_writer(name: str, full: bool) -> Writer:
    from deckcheck.studies.simulation_page import SIMULATION

    def write(run: SimulationRun, stream: TextIO, *_: object) -> None:
        writers = SIMULATION.writers(full=full, tool=run.file.tool)
        dict(writers)[name](run.result(), stream)

    return write


def _note_read(folder: Path) -> None:
    for name in (RUN_FILE, BLOCKS_FILE):
        note_read(folder / name)


def _open(folder: Path, card_db: Root) -> SimulationRun:
    _note_read(folder)
    return open_run(folder, card_db, only_read=True)
