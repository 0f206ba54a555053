"""Runs kept in the user's cache without being asked for."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar, Unpack

from platformdirs import user_cache_dir

from deckcheck.cards import Root
from deckcheck.files import make_own_folder
from deckcheck.findings import UsageError
from deckcheck.messages import option
from deckcheck.sim.blocks import BlockFile, BlockLine, Blocks, Key, Records
from deckcheck.sim.errors import UnrecordedError
from deckcheck.sim.jobs import Job
from deckcheck.sim.run_directory import RunPart
from deckcheck.sim.run_files import LOCK_FILE, RUN_FILE, Lock, LockedError
from deckcheck.sim.run_settings import RunFile, read_run_file
from deckcheck.sim.study import RunOptions, Study

# The folder of all kept runs, each a run directory named by the fingerprint of its
# games.

MAX_KEPT_RUNS = 20
MAX_KEPT_BYTES = 200 * 2**20
NAME_DIGITS = 16
_NAME_FORM = re.compile(rf"[0-9a-f]{{{NAME_DIGITS}}}")


def kept_runs_folder() -> Path:
    """Return the folder of the kept runs. Raises OSError for a user without a home."""
    folder = Path(user_cache_dir("deckcheck", False))
    if not folder.is_absolute():
        raise OSError("the user has no home, and the folder would be made here")
    return folder / "runs"


def find_last_run() -> Path:
    """Return the folder of the last kept run. Raises UsageError if there is none."""
    folders = list_kept_runs()
    if not folders:
        raise UsageError(
            "No run is kept", f"Play one, or name its folder with {option('run')}"
        )
    return folders[0]


def list_kept_runs() -> list[Path]:
    """Return the folders of all kept runs, the last played first."""
    ages: dict[Path, float] = {}
    with suppress(OSError):
        for folder in kept_runs_folder().iterdir():
            if _NAME_FORM.fullmatch(folder.name) and (folder / RUN_FILE).is_file():
                ages[folder] = (folder / LOCK_FILE).stat().st_mtime
    return sorted(ages, key=lambda folder: -ages[folder])


def drop_oldest_runs() -> None:
    """Delete the oldest runs beyond the limits, except runs in progress."""
    total = 0
    for number, folder in enumerate(list_kept_runs()):
        with suppress(OSError):
            total += sum(file.stat().st_size for file in folder.iterdir())
        if number > 0 and (number >= MAX_KEPT_RUNS or total > MAX_KEPT_BYTES):
            _delete_run(folder)


def _delete_run(folder: Path) -> None:
    with suppress(UsageError), Lock(folder):
        shutil.rmtree(folder, ignore_errors=True)


# A study whose games are kept.

S = TypeVar("S", bound=Study[Any, Any])

LOCKED_MESSAGE = (
    "another process is playing the same games; this one plays them too, and keeps none"
)


class KeptRun(Generic[S]):
    """A study that keeps its blocks, and plays only the missing blocks.

    If nothing can be kept, all games are played. `tell` is called with the reason,
    unless the folder is simply read-only.
    """

    def __init__(
        self,
        study: S,
        card_db: Root = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.study = study
        self._card_db = card_db
        self._tell = tell
        self._recalled: dict[Key, list[range]] = {}
        self._parts: list[_KeptPart] = []

    def run(self, **options: Unpack[RunOptions]) -> Any:
        """Play the missing games, and return the result, see `Study.run`."""
        with self.open() as records:
            return self.study.run(records=records, **options)

    @contextmanager
    def open(self) -> Iterator[Records]:
        """Provide the records of the games, and keep blocks as they are added."""
        with ExitStack() as stack:
            blocks = self._open_blocks(stack)
            self._recalled = {key: blocks.sets(key) for key in blocks.jobs()}

            def record(name: str) -> RunPart:
                is_planned = self.study.TABLES_ARE_PLANNED
                part = _KeptPart(blocks, name, is_planned=is_planned)
                self._parts.append(part)
                return part

            yield record

    def count_games(self) -> tuple[int, int]:
        """Return how many games were kept from before, and how many there are."""
        games: Counter[bool] = Counter()
        for part in self._parts:
            for key, job in part.asked.items():
                sets = self._recalled.get(key, ())
                recalled = sum(len(part) for part in sets if part.stop <= job.sets)
                games[True] += job.games * recalled
                games[False] += job.games * job.sets
        return games[True], games[False]

    def _open_blocks(self, stack: ExitStack) -> Blocks:
        """Return the kept blocks, or none where they can be neither read nor added."""
        file = RunFile.of(self.study, None, self._card_db)
        try:
            folder = kept_runs_folder() / file.identity[:NAME_DIGITS]
            make_own_folder(folder)
            stack.enter_context(Lock(folder))
            if not _holds_more_games(folder, file):
                file.write(folder)
            blocks = _KeptBlocks(folder, file.start, self._tell)
            stack.callback(drop_oldest_runs)
            stack.callback(blocks.close)
        except LockedError:
            self._tell(LOCKED_MESSAGE)
        except (OSError, UsageError, UnrecordedError):
            pass
        else:
            return blocks
        return Blocks()


def _holds_more_games(folder: Path, file: RunFile) -> bool:
    """Report whether the run of a folder asks the same, and for more games."""
    try:
        kept_file = read_run_file(folder)
    except UsageError:
        return False
    games, kept_games = (each.request.get("games") for each in (file, kept_file))
    if games is None or kept_games is None or games >= kept_games:
        return False
    longer = replace(file, request={**file.request, "games": kept_games})
    return not list(kept_file.differences(longer))


class _KeptBlocks(BlockFile):
    """The blocks of a kept run. Blocks stay in memory if they cannot be written."""

    def __init__(self, folder: Path, start: int, tell: Callable[[str], None]) -> None:
        super().__init__(folder, start, repairs=True)
        self._tell = tell
        self.drop_faults()
        self.open_to_add()

    def add(self, lines: Sequence[BlockLine]) -> None:
        """Take blocks, and write them as long as possible."""
        if self._handle is not None:
            try:
                super().add(lines)
            except UnrecordedError as error:
                self._tell(f"games are kept no longer: {error.message}")
                self.close()
            else:
                return
        Blocks.add(self, lines)


class _KeptPart(RunPart):
    """A part of a kept run that notes which games were asked for."""

    def __init__(self, blocks: Blocks, name: str, *, is_planned: bool) -> None:
        super().__init__(blocks, name, is_planned=is_planned)
        self.asked: dict[Key, Job] = {}

    def missing(self, job: Job) -> list[range]:
        """Return the missing sets of `job`."""
        self.asked[self._key(job)] = job
        return super().missing(job)


def records_in_memory(study: Study[Any, Any]) -> Records:
    """Return records that last as long as this process."""
    blocks = Blocks()
    return lambda name: RunPart(blocks, name, is_planned=study.TABLES_ARE_PLANNED)
