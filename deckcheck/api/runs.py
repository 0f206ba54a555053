"""The functions of the Python API that read runs: resume, replay, merge, meta ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from deckcheck.api.arguments import (
    CardDb,
    JudgingArguments,
    Playing,
    Target,
    check_text,
    flag,
    folder,
    in_python,
    list_files,
    require_path,
    whole_number,
)
from deckcheck.findings import UsageError
from deckcheck.messages import choice, nearest, quote, suggestion
from deckcheck.sim import LOSSES_SAMPLE, SEED

if TYPE_CHECKING:
    import pandas as pd

    from deckcheck.cards import Root
    from deckcheck.replays.model import Replay
    from deckcheck.sim.figures import Row, Tabular
    from deckcheck.sim.result import SimulationResult
    from deckcheck.sim.scheduler import Progress
    from deckcheck.sim.workers import Executor
    from deckcheck.studies.field import Field
    from deckcheck.studies.meta_result import MetaResult
    from deckcheck.validation import DeckReport


# Continued runs, merged runs, and games played again


@in_python
def resume(
    run: Target,
    *,
    games: int | None = None,
    repair: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> Any:
    """Play the missing games of the run in a folder, and return its result.

    The result has the type that the function which began the run returns, for example
    `simulate`. All settings stay the same, and only `games` may grow. With `repair`,
    the games of damaged lines are played again. `card_db` is the folder of card
    databases if it has moved. Raises UsageError for a folder without a run, a damaged
    run, or a run of another version or with other cards. Otherwise it raises as
    `simulate`.
    """
    from deckcheck.sim.run_directory import mend_run, open_study
    from deckcheck.studies.registry import KINDS

    root = JudgingArguments.by_cards(card_db).root
    playing = Playing.of(None, jobs, executor, progress)
    run_folder = require_path("run", run)
    if repair:
        mend_run(run_folder)
    study = open_study(run_folder, KINDS, root)
    if games is not None:
        study = study.with_games(whole_number("games", games))
    return playing.go_on(study)


@in_python
def replay(
    run: Target,
    pairing: str | None = None,
    game: int = 1,
    *,
    lost: bool = False,
    closest: bool = False,
    card_db: CardDb = None,
) -> Replay:
    """Play a game of a run again, and return it move by move.

    `run` is the folder of the run. `pairing` has the names of the entrants, with
    commas, or the number of their table.
    `game` counts their games from 1, in a tournament their matches. With `lost` it is
    the first game that the deck named first loses, with `closest` the closest of the
    first 200. The game is replayed in another process, so a script must be guarded by
    `if __name__ == "__main__":`. Raises UsageError for an unknown run, pairing or game.
    """
    from deckcheck.replays.replay import Shown
    from deckcheck.replays.replay import replay as play_again
    from deckcheck.sim.run_directory import open_run

    simulation = open_run(
        require_path("run", run), JudgingArguments.by_cards(card_db).root
    )
    shown: int | Shown = whole_number("game", game)
    if flag("lost", lost):
        shown = Shown.LOST
    elif flag("closest", closest):
        shown = Shown.CLOSEST
    return play_again(simulation.study, pairing, shown, records=simulation.part)


@in_python
def merge(*runs: Target | Sequence[Target], into: Target) -> None:
    """Write the blocks of several run directories into a new folder, `into`.

    They are shards of the same run, or separately played parts of it, in any order.
    `resume` returns the result. Raises UsageError for runs that differ, with the
    difference, and for games that two of them have.
    """
    from deckcheck.sim.run_directory import merge_runs

    folders = [Path(run) for run in list_files(runs, "merge")]
    merge_runs(folders, require_path("into", into))


# Answers and figures from finished runs

Weights: TypeAlias = Target | Mapping[str, float]
"""The expected field: a CSV file, or how common each deck is, in any unit."""


@in_python
def meta(
    run: Target | SimulationResult,
    *,
    weights: Weights | None = None,
    seed: int = SEED,
    card_db: CardDb = None,
) -> MetaResult:
    """Find the decks to bring, from games in which all decks met.

    `run` is the folder of a run, the JSON of a simulation, or its result. With
    `weights`, a CSV file or numbers by name, each deck also gets its win rate against
    the expected field. `seed` draws the resamples for the intervals. Raises UsageError
    for a run in which some decks have not met.
    """
    from deckcheck.studies.meta import make_meta

    field = _open_field(run, card_db)
    shares = _match_weights(weights, field)
    return make_meta(field, shares, seed=whole_number("seed", seed))


@in_python
def report_of(
    *what: Target | SimulationResult | Any,
    output_format: str = "html",
    history: bool = False,
    full: bool = False,
    losses: str | None = None,
    sample: int = LOSSES_SAMPLE,
    card_db: CardDb = None,
) -> str:
    """Return the report of a run, or of a result, as text.

    `what` is the folder of a run or of a plan, or a result of `simulate`, `compare`,
    `impact`, `meta`, `tune`, `build`, `solve` or `balance`. For the folders of two runs
    the report shows the changes from the first to the second. With `history`, for two
    or more runs, it shows the win rate of each deck from run to run. `output_format` is
    `html`, a page that needs no other file, `table`, `markdown`, `csv` or `json`. With
    `losses`, a deck of the run, it shows how this deck loses: about `sample` of its
    games are played again. Raises UsageError for anything else.
    """
    import io

    from deckcheck.report import report_names
    from deckcheck.studies.registry import LossesOf, read_reported, write_report

    name = check_text("output_format", output_format)
    if name not in report_names():
        listed = f"Outputs are {choice(report_names(), 'and')}"
        help = suggestion(nearest(name, report_names()), listed)
        raise UsageError(f"Unknown output {quote(name)}", help)
    if len(what) == 1 and hasattr(what[0], "to_dict") and losses is None:
        return write_report(what[0], name, full=flag("full", full))
    paths = [folder("report_of", run) for run in what]
    folders = [path for path in paths if path is not None]
    losses_of = None
    if losses is not None:
        losses_of = LossesOf(
            check_text("losses", losses), whole_number("sample", sample)
        )
    root = JudgingArguments.by_cards(card_db).root
    run_report = read_reported(
        folders,
        root,
        compare=len(folders) > 1 and not history,
        history=flag("history", history),
        full=flag("full", full),
        losses=losses_of,
    )
    write = dict(run_report.writers)[name]
    stream = io.StringIO()
    write(run_report.what, stream)
    return stream.getvalue()


@in_python
def frame(
    *runs: Target | Tabular, card_db: CardDb = None, **named: Target | Tabular
) -> pd.DataFrame:
    """Return the values of several runs in a single frame, a row for each.

    A run is a result of any function here, or the folder of a run or of a plan. The
    columns are as in `to_frame`: `deck`, `opponent`, `starts` (`any`, or the player
    who moves first), `metric`, `value`, the ends `low` and `high` of its interval, and
    the `n` games behind it, then words that some results have, and `run`: the given
    name, the folder, or its number. Raises UsageError for anything else.
    """
    from deckcheck.sim.figures import tidy_frame, whole

    if not runs and not named:
        raise UsageError("`frame` got no run", "Give it results, or folders of runs")
    root = JudgingArguments.by_cards(card_db).root
    by_name: dict[str, Target | Tabular] = {}
    for number, run in enumerate(runs, start=1):
        # A result is named by its number, a folder by its path.
        by_name[str(number if hasattr(run, "to_rows") else run)] = run
    if len(by_name) < len(runs) or by_name.keys() & named.keys():
        raise UsageError("`frame` got a run twice", "Give each run a name: `old=...`")
    rows: list[Row] = []
    for name, run in {**by_name, **named}.items():
        rows += [{**row, "run": name} for row in _read_rows(run, root)]
    return tidy_frame(whole(rows))


def _read_rows(run: object, root: Root) -> list[Row]:
    """Return the tidy rows of a result, or of the folder of a run or of a plan."""
    from deckcheck.sim.figures import Tabular
    from deckcheck.sim.run_directory import RunDirectory
    from deckcheck.studies.registry import read_reported
    from deckcheck.studies.simulation_page import plan_rows

    if isinstance(run, Tabular):
        return run.to_rows()
    what = read_reported([require_path("frame", run)], root).what
    if isinstance(what, list):
        return plan_rows(what)
    result: Tabular = what.result() if isinstance(what, RunDirectory) else what
    return result.to_rows()


def _open_field(run: object, card_db: CardDb) -> Field:
    from deckcheck.sim.result import SimulationResult
    from deckcheck.studies.field import make_result_field, read_field

    if isinstance(run, SimulationResult):
        return make_result_field(run)
    path = require_path("run", run, "Give a folder, a file, or a result")
    return read_field(path, JudgingArguments.by_cards(card_db).root)


def field_weights(
    given: Weights | None, opponents: Sequence[DeckReport]
) -> tuple[float, ...]:
    """Return how common each opponent is, () if all are. Raises UsageError."""
    from deckcheck.studies.duels import find_weights

    if given is None or isinstance(given, Mapping):
        return find_weights(given, opponents)
    return find_weights(folder("weights", given), opponents)


def _match_weights(given: Weights | None, field: Field) -> tuple[float, ...] | None:
    from deckcheck.studies.weights import match_weights, read_weights

    if given is None:
        return None
    if isinstance(given, Mapping):
        return match_weights(given, field.players, field.noun)
    return read_weights(require_path("weights", given), field.players, field.noun)
