"""Several run directories become one: shards, or parts that were played apart."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp

from deckcheck.findings import UsageError
from deckcheck.findings.files import unusable
from deckcheck.findings.words import quote
from deckcheck.sim.jobs.record import MEASURING
from deckcheck.sim.runs.blocks import BLOCKS, BlockFile, Key
from deckcheck.sim.runs.file import RunFile, read_run_file
from deckcheck.sim.runs.lines import read_line
from deckcheck.sim.runs.series import begin_series, runs_of
from deckcheck.sim.runs.shard import Shard, read_shard

_ONLY_PARTS = "Only parts of the same run can be merged"


def merge_runs(folders: Sequence[Path], into: Path) -> None:
    """Write the blocks of all `folders` into the new run directory `into`.

    The order does not matter; folders of several runs are merged run by run. Raises
    UsageError for runs that differ in more than their shard, saying in what, and for
    games that two of them have.
    """
    series = [runs_of(folder) for folder in folders]
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
        _check_same(folders[0], whole, folder, file)
    blocks = [BlockFile(folder) for folder in folders]
    _check_apart(folders, blocks)
    _write(into, whole, _lines(blocks))


def missing_shards(folders: Sequence[Path]) -> list[str]:
    """The shards that are in none of the folders, such as `3/8`."""
    runs = [folder / name for folder in folders for name in runs_of(folder) or ("",)]
    present = {file.shard for run in runs if (file := read_run_file(run)).shard}
    shards = {read_shard(shard).shards for shard in present if shard}
    every = [str(Shard(n + 1, count)) for count in shards for n in range(count)]
    return [shard for shard in every if shard not in present]


def _check_same(first: Path, whole: RunFile, folder: Path, file: RunFile) -> None:
    differences = list(whole.differences(replace(file, shard=None)))
    if differences:
        names = " and ".join(quote(str(folder)) for folder in (first, folder))
        raise UsageError(
            f"{names} are of different runs: {differences[0]}",
            _ONLY_PARTS,
        )


def _check_apart(folders: Sequence[Path], blocks: Sequence[BlockFile]) -> None:
    """Refuse games that are in two folders; what was measured is the same in all."""
    owners: dict[Key, list[tuple[range, Path]]] = defaultdict(list)
    for folder, file in zip(folders, blocks, strict=True):
        for key in file.jobs():
            if key.part != MEASURING:
                owners[key] += [(sets, folder) for sets in file.sets(key)]
    for owner in owners.values():
        owner.sort(key=lambda line: (line[0].start, line[0].stop))
        for (before, one), (after, other) in pairwise(owner):
            if after.start < before.stop:
                names = " and ".join(quote(str(folder)) for folder in (one, other))
                raise UsageError(
                    f"{names} have the same games: sets {after.start} to "
                    f"{min(before.stop, after.stop) - 1} of a table are in both",
                    "Leave one of them out",
                )


def _lines(blocks: Sequence[BlockFile]) -> Iterator[bytes]:
    """The lines of all files; of what each has measured, those of the most complete."""
    measured = [sum(_sets(file, key) for key in file.jobs()) for file in blocks]
    best = measured.index(max(measured))
    for number, file in enumerate(blocks):
        for text in file.lines():
            if number == best or read_line(text).part != MEASURING:
                yield text


def _sets(file: BlockFile, key: Key) -> int:
    return sum(map(len, file.sets(key))) if key.part == MEASURING else 0


def _write(into: Path, file: RunFile, lines: Iterator[bytes]) -> None:
    """Make the folder, whole or not at all."""
    name = quote(str(into))
    try:
        if os.path.lexists(into) and (not os.path.isdir(into) or os.listdir(into)):
            raise UsageError(
                f"{name} is there already", "Name a folder that does not exist"
            )
        into.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(prefix=f".{into.name}.", dir=into.parent))
        try:
            draft.chmod(0o777 & ~_umask())
            with open(draft / BLOCKS, "wb") as stream:
                stream.writelines(lines)
                stream.flush()
                os.fsync(stream.fileno())
            file.write(draft)
            if os.path.isdir(into):
                os.rmdir(into)  # which is empty; Windows puts no folder in its place
            os.replace(draft, into)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    except OSError as error:
        raise unusable("write", into, error) from None


def _umask() -> int:
    """What the user's new files keep from others."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
