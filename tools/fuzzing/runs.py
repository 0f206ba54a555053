"""Run folders that are damaged: nothing wrong is ever believed, and nothing is lost."""

from __future__ import annotations

import re
import shutil
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import deckcheck
from deckcheck.findings import UsageError
from deckcheck.sim.blocks import BLOCKS_FILE, BlockFile
from deckcheck.sim.run_directory import mend_run, open_study
from deckcheck.sim.run_files import RUN_FILE, with_crc, without_crc
from deckcheck.sim.run_settings import read_run_file
from deckcheck.studies.registry import KINDS
from tools.fuzzing.mutations import damaged_file
from tools.fuzzing.running import no_longer_than
from tools.fuzzing.targets import ROOT, Target

__all__ = ["Mixed", "run_targets"]

DECKS = ROOT / "decks" / "gwent" / "standard"
SWARM, SIEGE, ARCHERS, SHIPS = (
    DECKS / f"{name}.deck"
    for name in ("mo_swarm", "nr_siege_masters", "st_beautiful_archers", "sk_longships")
)
NEW = ROOT / "examples" / "compare" / "second_horn.deck"
NAMES = ("simulate", "compare", "tune")
SECONDS_TO_READ = 5
SECONDS_TO_PLAY = 300
REPAIRED = 10
"""Of so many refusals of blocks, what one says is done."""
LAST_SET = 1 << 62


def run_targets(folder: Path) -> list[Target]:
    """The files of a simulation, a comparison and a search; their runs go to `folder`.

    Each input takes the place of one file of a run. It has to be refused, with its name
    and the line, or the run has to end with the result that it has undamaged.
    """
    fast: dict[str, Any] = {"policies": "random", "seed": 5}
    deckcheck.simulate(
        SWARM, SIEGE, ARCHERS, games=400, run=folder / "simulate", **fast
    )
    field = [SWARM, SHIPS]
    run = folder / "compare"
    deckcheck.compare(SIEGE, NEW, against=field, games=400, run=run, **fast)
    deckcheck.tune(
        SIEGE, against=SWARM, games=800, changes=1, run=folder / "tune", **fast
    )
    runs = [_Scheduler(folder / name) for name in ("simulate", "compare")]
    runs.append(_Scheduler(folder / "tune", is_slow=True))
    return [
        Target(
            f"{file} of {run.folder.name}",
            (run.files[file],),
            _Fed(run, file),
            damaged_file,
            SECONDS_TO_PLAY,
        )
        for run in runs
        for file in (BLOCKS_FILE, RUN_FILE)
    ]


@dataclass
class _Scheduler:
    """A run that is complete, and its result.

    One that `is_slow` takes seconds to come to its result, even when nothing is left to
    play: it does so once for each set of blocks that is left of it.
    """

    folder: Path
    is_slow: bool = False
    files: dict[str, bytes] = field(init=False)
    result: Any = field(init=False)
    known: set[Hashable] = field(default_factory=set)
    refused: int = 0

    def __post_init__(self) -> None:
        self.files = {
            name: (self.folder / name).read_bytes() for name in (BLOCKS_FILE, RUN_FILE)
        }
        self.result = deckcheck.resume(self.folder)

    def check_result(self) -> None:
        """See that what is left of it leads to the same result."""
        start = read_run_file(self.folder).start
        left = _content(BlockFile(self.folder, start))
        if self.is_slow and left in self.known:
            return
        assert deckcheck.resume(self.folder) == self.result, "another result"
        self.known.add(left)


@dataclass
class _Fed:
    """Replaces one file of a run by bytes, and looks what becomes of it."""

    run: _Scheduler
    file: str

    def __call__(self, data: bytes) -> None:
        with self._restored():
            (self.run.folder / self.file).write_bytes(data)
            try:
                with no_longer_than(SECONDS_TO_READ):
                    assert open_study(self.run.folder, KINDS).blocks
            except UsageError as error:
                self._check_refusal(error)
                raise
            self.run.check_result()

    @contextmanager
    def _restored(self) -> Iterator[None]:
        """Let the folder be as it was before, whatever is added meanwhile."""
        try:
            yield
        finally:
            shutil.rmtree(self.run.folder)
            self.run.folder.mkdir()
            for name, content in self.run.files.items():
                (self.run.folder / name).write_bytes(content)

    def _check_refusal(self, error: UsageError) -> None:
        """See that it says where, and what to do; and that this helps."""
        place = str(self.run.folder / self.file)
        assert error.help, error.message
        if self.file == RUN_FILE:
            assert error.message.startswith(f"`{place}` is damaged"), error.message
            return
        number = error.message.removeprefix(f"{place}:").partition(":")[0]
        assert number.isdecimal(), error.message
        assert "--repair" in error.help, error.help
        self.run.refused += 1
        if self.run.refused % REPAIRED == 0:
            mend_run(self.run.folder)
            self.run.check_result()


OTHERS: dict[str, dict[str, Any]] = {
    "seed": {"seed": 6},
    "player": {"policies": "sane_random"},
    "mirror": {"mirror": True},
    "first": {"shard": "1/2"},
    "second": {"shard": "2/2"},
}
"""Runs that differ from one in something that decides its games."""


class Mixed:
    """A small run, and others of the same decks, of which nothing may be believed."""

    def __init__(self, folder: Path) -> None:
        decks = (SWARM, SIEGE, SHIPS)
        asked: dict[str, Any] = {"games": 4, "policies": "random", "seed": 5}
        for name, others in {"own": {}, **OTHERS}.items():
            deckcheck.simulate(*decks, run=folder / name, **{**asked, **others})
        self.folder = folder / "own"
        names = ("own", *OTHERS)
        self.starts = [read_run_file(folder / name).start for name in names]
        self.blocks = [(folder / name / BLOCKS_FILE).read_bytes() for name in names]
        self.settings = [(folder / name / RUN_FILE).read_bytes() for name in names]

    def targets(self) -> list[Target]:
        """What takes the place of one file of the run; it has to be refused."""
        return [
            Target(f"{name} of others", tuple(files), partial(self.feed, name), damage)
            for name, files, damage in (
                (BLOCKS_FILE, self.blocks, self.mixed_blocks),
                (RUN_FILE, self.settings, self.mixed_settings),
            )
        ]

    def feed(self, name: str, data: bytes) -> None:
        """Replace a file by bytes, and see that they are refused."""
        file = self.folder / name
        whole = file.read_bytes()
        file.write_bytes(data)
        try:
            assert open_study(self.folder, KINDS).blocks
        finally:
            file.write_bytes(whole)
        assert data == whole, "believed"

    def mixed_blocks(self, random: Random, seeds: Sequence[bytes]) -> bytes:
        """The lines of the run with foreign or edited ones, or those of another run."""
        own = seeds[0].splitlines(keepends=True)
        other = random.choice(seeds[1:]).splitlines(keepends=True)
        if random.random() < 0.1:
            return b"".join(other)
        for _ in range(random.choice((1, 1, 2, 3))):
            at = random.randrange(len(own))
            if random.random() < 0.3:
                own[at : at + random.randrange(2)] = [random.choice(other)]
            else:
                own[at] = self._edited(random, random.choice(seeds[0].splitlines(True)))
        return b"".join(own)

    def _edited(self, random: Random, line: bytes) -> bytes:
        """A line with another number, with its old CRC or one that begins elsewhere."""
        text = without_crc(line, self.starts[0])
        edited = text
        while edited == text:
            number = random.choice(list(re.finditer(rb"(?<=[\[,:])\d+", text)))
            digits = str(random.randrange(60)).encode()
            edited = text[: number.start()] + digits + text[number.end() :]
        if random.random() < 0.4:
            return edited[:-1] + line[len(text) - 1 :]
        return with_crc(edited + b"\n", random.choice([0, *self.starts[1:]]))

    def mixed_settings(self, random: Random, seeds: Sequence[bytes]) -> bytes:
        """The settings of another run, or with another seed and the CRC for it."""
        if random.random() < 0.5:
            return random.choice(seeds[1:])
        text = without_crc(seeds[0])[:-1].rstrip() + b"\n}\n"
        seed = random.randrange(6, 1 << 40)
        edited = re.sub(rb'"seed": 5\b', b'"seed": %d' % seed, text)
        assert edited != text
        return with_crc(edited)


def _content(blocks: BlockFile) -> Hashable:
    """All that blocks say: of each job its sets, and their tally."""
    found = []
    for key in blocks.jobs():
        tally = blocks.tally(key, LAST_SET)
        assert tally is not None
        found.append((key, tuple(blocks.sets(key)), tally))
    return tuple(found)
