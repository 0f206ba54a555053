"""Take runs up again, put them together, and play their games again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.api.playing import Playing
from deckcheck.arguments import (
    CardDb,
    Judging,
    Target,
    files_of,
    folder,
    optional_number,
    whole_number,
)
from deckcheck.findings import UsageError

if TYPE_CHECKING:
    from deckcheck.replays.model import Replay
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Progress

__all__ = ["merge", "replay", "resume"]


def resume(
    run: Target,
    *,
    games: int | None = None,
    mend: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> Any:
    """Play what is missing of the run in a folder, and return its result.

    The result is that of the function that began the run: `simulate`, or another one.
    All settings are those that the run began with; only `games` may be more. With
    `mend`, what damaged lines of the run held is played again. `card_db` is the folder
    of card databases if that has moved. Raises UsageError for a folder that holds no
    run, one that is damaged, or one of another version or with other cards; otherwise
    as `simulate`.
    """
    from deckcheck.sim.runs.directory import mend_run, open_study
    from deckcheck.studies.registry import KINDS

    root = Judging.of(None, card_db, (), None).root
    playing = Playing.of(jobs, executor, progress)
    place = _place("run", run)
    if mend:
        mend_run(place)
    study = open_study(place, KINDS, root)
    wanted = optional_number("games", games)
    if wanted is not None:
        study = study.extended(wanted)
    return playing.go_on(study)


def replay(
    run: Target,
    pairing: str | None = None,
    game: int = 1,
    *,
    card_db: CardDb = None,
) -> Replay:
    """Return a game of the run in a folder again, told move by move.

    `pairing` are the names of those who met, with commas, or the number of their table;
    `game` counts their games from 1, in a tournament their matches. The engine that
    tells runs in a process of its own, so that a script must be guarded by
    `if __name__ == "__main__":`. Raises UsageError for what is not there.
    """
    from deckcheck.replays.replay import replay as play_again
    from deckcheck.sim.runs.directory import open_run

    simulation = open_run(_place("run", run), Judging.of(None, card_db, (), None).root)
    number = whole_number("game", game)
    return play_again(simulation.study, pairing, number, records=simulation.part)


def merge(*runs: Target | Sequence[Target], into: Target) -> None:
    """Write the blocks of several run directories into a new one, `into`.

    They are shards of one run, or parts of it that were played apart, in any order.
    `resume` returns the result. Raises UsageError for runs that differ, saying in what,
    and for games that two of them have.
    """
    from deckcheck.sim.runs.merging import merge_runs

    folders = [Path(run) for run in files_of(runs, "merge")]
    merge_runs(folders, _place("into", into))


def _place(name: str, value: Target) -> Path:
    path = folder(name, value)
    if path is None:
        raise UsageError(f"`{name}` is None", "Name a folder")
    return path
