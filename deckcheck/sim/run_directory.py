"""A study kept in a folder: continue it, add games, drop lines, merge folders."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Generic, TypeAlias, TypeVar, Unpack, cast

from deckcheck.cards import Root
from deckcheck.files import usable
from deckcheck.findings import UsageError
from deckcheck.messages import game_count, quote
from deckcheck.sim.blocks import (
    BLOCKS_FILE,
    MEASURING_PART,
    BlockFile,
    BlockLine,
    Blocks,
    Key,
    Played,
    find_gaps,
    fingerprint_table,
    read_line,
    write_line,
)
from deckcheck.sim.jobs import Job
from deckcheck.sim.playing_blocks import PackedTally
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_files import (
    LOCK_FILE,
    RUN_FILE,
    Lock,
    ReadOnlyError,
    Shard,
    begin_series,
    draft_path,
    read_run_names,
    read_shard,
    replace_file,
    resume_command,
)
from deckcheck.sim.run_settings import Kinds, RunFile, question_data, read_run_file
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.study import RunOptions, Study

# A run directory: a study, and the blocks of it that were played.

S_co = TypeVar("S_co", bound=Study[Any, Any], covariant=True)
S = TypeVar("S", bound=Study[Any, Any])
R = TypeVar("R")


class RunDirectory(Generic[S_co]):
    """A folder with `run.json` and `blocks.jsonl`, to which `kept_open` adds blocks."""

    def __init__(self, folder: Path, file: RunFile, study: S_co) -> None:
        self.folder = folder
        self.file = file
        self.study = study
        self.refusal: UsageError | None = None

    @cached_property
    def blocks(self) -> BlockFile:
        """The finished blocks, read on first use."""
        return BlockFile(self.folder, self.file.start)

    @property
    def shard(self) -> Shard | None:
        """The share of the games to be played here, None for all."""
        return read_shard(self.file.shard) if self.file.shard else None

    def part(self, name: str) -> RunPart:
        """Return the record of a part of the run, for `play_jobs`."""
        # What decides how all go on is measured in each shard.
        shard = None if name == MEASURING_PART else self.shard
        is_planned = self.study.TABLES_ARE_PLANNED
        return RunPart(self.blocks, name, shard, self.refusal, is_planned=is_planned)

    def with_games(self, games: int) -> RunDirectory[S_co]:
        """Return the same run with more games.

        Raises UsageError for fewer, for a shard, and for a study that cannot have more.
        """
        study = self.study.with_games(games)
        before = self.file.request["games"]
        if before is None:  # by default, as many as its question usually plays
            before = self.study.spec.question.budget
        if games == before:
            return self
        name = quote(str(self.folder))
        if games < before:
            raise UsageError(
                f"{name} has {game_count(before)}, and cannot have {games:,}",
                "Name a greater number, or begin another run",
            )
        if self.shard is not None:
            raise UsageError(
                f"{name} is shard {self.shard}, and cannot be extended alone",
                "Merge all shards, and extend the run that this gives",
            )
        file = replace(self.file, request=question_data(study.spec.question))
        directory = RunDirectory(self.folder, file, study)
        directory.blocks.jobs()  # raises UsageError for damage before anything changes
        with Lock(self.folder):
            file.write(self.folder)
        return directory

    def run(self: RunDirectory[Study[Any, R]], **options: Unpack[RunOptions]) -> R:
        """Play the missing games, see `Study.run`."""
        with self.kept_open():
            return self.study.run(records=self.part, **options)

    def outcome(self: RunDirectory[Study[Any, R]]) -> R:
        """Return the result of a study of any kind, or raise UsageError early."""
        self.refusal = UsageError(
            f"{quote(str(self.folder))} is not complete",
            f"`{resume_command(self.folder)}` plays the missing games",
        )
        return self.study.run(records=self.part)

    def result(self: RunDirectory[Simulation]) -> SimulationResult:
        """Return the result of all games so far, or raise UsageError without any."""
        result = self.study.recall(self.part)
        if result is None:
            raise UsageError(
                f"No game of {quote(str(self.folder))} has been played",
                f"`{resume_command(self.folder)}` plays it",
            )
        return result

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Let blocks be added here and by no other process.

        A complete run can be read even in a read-only folder.
        """
        try:
            lock = Lock(self.folder)
        except ReadOnlyError as error:
            self.refusal = UsageError(
                f"{error.message}; the run is not complete",
                "Copy the folder, and resume the copy",
            )
            yield
            return
        with lock:
            # Another process may have added some before we had the lock.
            vars(self).pop("blocks", None)
            try:
                self.blocks.open_to_add()
                yield
            finally:
                self.blocks.close()


SimulationRun: TypeAlias = RunDirectory[Simulation]


class RunPart:
    """A part of a run as a `BlockRecord`: the games, or the duels measured before them.

    Raises `refusal` when games are missing that may not be played. Where tables are
    planned, the number of a job names its table. Otherwise earlier games decide which
    tables there are, so that a block is identified by its tables as well.
    """

    def __init__(
        self,
        blocks: Blocks,
        name: str,
        shard: Shard | None = None,
        refusal: UsageError | None = None,
        *,
        is_planned: bool = False,
    ) -> None:
        self._blocks = blocks
        self._name = name
        self._shard = shard
        self._refusal = refusal
        self._is_planned = is_planned
        self._keys: dict[int, Key] = {}

    def find_played(self, job: Job) -> tuple[int, PackedTally | None]:
        """Return how many sets of `job` were played before, and their tally."""
        key = self._key(job)
        count = sum(map(len, self._list_usable_sets(job)))
        return count, self._blocks.tally(key, job.sets)

    def missing(self, job: Job) -> list[range]:
        """Return the missing sets of `job`.

        Raises the refusal, if there is a refusal and sets are missing.
        """
        sets = range(job.sets)
        wanted = self._shard.of(sets) if self._shard else sets
        stretches = find_gaps(wanted, self._list_usable_sets(job))
        if stretches and self._refusal is not None:
            raise self._refusal
        return stretches

    def add(self, played: Played) -> None:
        """Write blocks down."""
        lines = []
        for block, tally in played:
            sets = range(block.first_set, block.first_set + block.sets)
            lines.append(BlockLine(self._key(block.job), sets, tally))
        self._blocks.add(lines)

    def _list_usable_sets(self, job: Job) -> list[range]:
        """Return the sets of the blocks that end with the last set of `job` or before.

        A longer question may have left blocks that reach beyond it.
        """
        sets = self._blocks.sets(self._key(job))
        return [stretch for stretch in sets if stretch.stop <= job.sets]

    def _key(self, job: Job) -> Key:
        if job.number not in self._keys:
            table = "" if self._is_planned else fingerprint_table(job.table)
            self._keys[job.number] = Key(self._name, job.number, table)
        return self._keys[job.number]


def new_run(
    folder: Path, study: S, *, shard: str | None = None, card_db: Root = None
) -> RunDirectory[S]:
    """Begin a run in `folder`, or continue the same run.

    Raises UsageError if the folder holds another run, with the difference, or other
    files, and for a shard of a study that cannot be played in shards.
    """
    part = read_shard(shard) if shard else None
    if part is not None:
        study.check_shards(part.shards)
    file = RunFile.of(study, str(part) if part else None, card_db)
    if os.path.isfile(folder):
        raise UsageError(
            f"Run {quote(str(folder))} is a file, not a folder",
            "Name an empty folder, or one that does not exist",
        )
    with usable("write to", folder):
        folder.mkdir(parents=True, exist_ok=True)
        holds = set(os.listdir(folder)) - {
            LOCK_FILE,
            draft_path(folder / RUN_FILE).name,
        }
    if RUN_FILE in holds:
        there = read_run_file(folder)
        _check_same(folder, there, file, study)
        file = replace(file, identity=there.identity)
    elif holds:
        raise UsageError(
            f"{quote(str(folder))} holds files that are not a run",
            "Name an empty folder, or one that does not exist",
        )
    run = RunDirectory(folder, file, study)
    if RUN_FILE not in holds:
        with Lock(folder):
            file.write(folder)
    return run


def open_run(
    folder: Path, card_db: Root = None, *, only_read: bool = False
) -> SimulationRun:
    """Return the simulation in `folder`, or raise UsageError if it cannot be played.

    With `only_read`, another engine or other cards may have played it.
    """
    kinds = {Simulation.KIND: Simulation}
    return cast(SimulationRun, open_study(folder, kinds, card_db, only_read=only_read))


def open_study(
    folder: Path, kinds: Kinds, card_db: Root = None, *, only_read: bool = False
) -> RunDirectory[Study[Any, Any]]:
    """Return the study in `folder`, which has any of these kinds, see `open_run`."""
    file = read_run_file(folder)
    study = file.study(folder, kinds, card_db, only_read=only_read)
    return RunDirectory(folder, file, study)


def mend_run(folder: Path) -> int:
    """Drop the damaged lines of a run, and return their number.

    Lines that repeat sets of an earlier line are dropped, too. Raises UsageError if
    there is no run, and while another process writes it.
    """
    file = read_run_file(folder)
    with Lock(folder):
        return BlockFile(folder, file.start, repairs=True).drop_faults()


def _check_same(
    folder: Path, there: RunFile, spec: RunFile, study: Study[Any, Any]
) -> None:
    name = quote(str(folder))
    differences = list(there.differences(spec))
    if not differences:
        return
    games, wanted = (file.request.get("games") for file in (there, spec))
    only_games = replace(spec, request={**spec.request, "games": games})
    is_same = not list(there.differences(only_games))
    if is_same and games and wanted and wanted > games and _is_possible(study, wanted):
        raise UsageError(
            f"{name} has {game_count(games)}, not {wanted:,}",
            f"`{resume_command(folder)} --games {wanted}` extends it",
        )
    raise UsageError(
        f"{name} holds another run: {differences[0]}",
        f"Name another folder, or continue it: `{resume_command(folder)}`",
    )


def _is_possible(study: Study[Any, Any], games: int) -> bool:
    try:
        study.with_games(games)
    except UsageError:
        return False
    return True


# Several run directories become one: shards, or parts that were played apart.

_ONLY_PARTS = "Only parts of the same run can be merged"


def merge_runs(folders: Sequence[Path], into: Path) -> None:
    """Write the blocks of all `folders` into the new run directory `into`.

    The order does not matter. Folders of several runs are merged run by run. Raises
    UsageError for runs that differ in more than their shard, with the difference, and
    for games in two folders.
    """
    series = [read_run_names(folder) for folder in folders]
    names = series[0]
    for folder, run in zip(folders, series, strict=True):
        if run != names:
            both = " and ".join(quote(str(path)) for path in (folders[0], folder))
            raise UsageError(f"{both} hold different experiments", _ONLY_PARTS)
    if names is None:
        _merge(folders, into)
        return
    begin_series(into, names)
    for name in names:
        _merge([folder / name for folder in folders], into / name)


def _merge(folders: Sequence[Path], into: Path) -> None:
    files = [read_run_file(folder) for folder in folders]
    whole = replace(files[0], shard=None)
    for folder, file in zip(folders, files, strict=True):
        differences = list(whole.differences(replace(file, shard=None)))
        if differences:
            names = " and ".join(quote(str(path)) for path in (folders[0], folder))
            raise UsageError(
                f"{names} are of different runs: {differences[0]}", _ONLY_PARTS
            )
    pairs = zip(folders, files, strict=True)
    blocks = [BlockFile(folder, file.start) for folder, file in pairs]
    _check_apart(folders, blocks)
    _write(into, whole, _read_lines(blocks, whole.start))


def missing_shards(folders: Sequence[Path]) -> list[str]:
    """Return the shards that none of the folders holds, such as `3/8`."""
    present: set[str] = set()
    for folder in folders:
        for name in read_run_names(folder) or ("",):
            shard = read_run_file(folder / name).shard
            if shard:
                present.add(shard)
    missing = []
    for shards in {read_shard(shard).shards for shard in present}:
        for number in range(1, shards + 1):
            shard = str(Shard(number, shards))
            if shard not in present:
                missing.append(shard)
    return missing


def _check_apart(folders: Sequence[Path], blocks: Sequence[BlockFile]) -> None:
    """Refuse games that are in two folders. Measured duels are the same in all."""
    owners: dict[Key, list[tuple[range, Path]]] = defaultdict(list)
    for folder, file in zip(folders, blocks, strict=True):
        for key in file.jobs():
            if key.part != MEASURING_PART:
                owners[key] += [(sets, folder) for sets in file.sets(key)]
    for owner in owners.values():
        owner.sort(key=lambda line: (line[0].start, line[0].stop))
        for (before, earlier), (after, later) in pairwise(owner):
            if after.start < before.stop:
                names = " and ".join(quote(str(folder)) for folder in (earlier, later))
                raise UsageError(
                    f"{names} have the same games: sets {after.start} to "
                    f"{min(before.stop, after.stop) - 1} of a table are in both",
                    "Leave one of them out",
                )


def _count_measured_sets(blocks: BlockFile) -> int:
    """Return the number of sets that measure decks before matches are played."""
    number = 0
    for key in blocks.jobs():
        if key.part == MEASURING_PART:
            number += sum(map(len, blocks.sets(key)))
    return number


def _read_lines(blocks: Sequence[BlockFile], start: int) -> Iterator[bytes]:
    """Yield the lines of all files, and the most complete measurements.

    Their CRCs begin with `start`, the start of the merged run.
    """
    measured = [_count_measured_sets(file) for file in blocks]
    best = measured.index(max(measured))
    for number, file in enumerate(blocks):
        for text in file.lines():
            line = read_line(text, file.start)
            if number == best or line.key.part != MEASURING_PART:
                yield write_line(line, start)


def _write(into: Path, file: RunFile, lines: Iterator[bytes]) -> None:
    """Make the folder, whole or not at all."""
    with usable("write", into):
        if os.path.lexists(into) and (not os.path.isdir(into) or os.listdir(into)):
            name = quote(str(into))
            raise UsageError(
                f"{name} already exists", "Name a folder that does not exist"
            )
        into.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(prefix=f".{into.name}.", dir=into.parent))
        try:
            draft.chmod(0o777 & ~_read_umask())
            replace_file(draft / BLOCKS_FILE, lines)
            file.write(draft)
            if os.path.isdir(into):
                os.rmdir(into)  # which is empty; Windows puts no folder in its place
            os.replace(draft, into)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise


def _read_umask() -> int:
    """Return the permission bits that the user's new files withhold from others."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
