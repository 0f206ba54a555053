"""Run folders that are damaged: nothing wrong is ever believed, and nothing is lost."""

from __future__ import annotations

import shutil
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import deckcheck
from deckcheck.findings import UsageError
from deckcheck.sim.run_directory import BLOCKS, BlockFile, mend_run, open_study
from deckcheck.sim.run_files import RUN
from deckcheck.sim.run_settings import read_run_file
from deckcheck.studies.registry import KINDS
from tools.fuzzing.limits import no_longer_than
from tools.fuzzing.mutations import damaged_file
from tools.fuzzing.targets import ROOT, Target

__all__ = ["run_targets"]

DECKS = ROOT / "decks" / "gwent" / "standard"
SWARM, SIEGE, ARCHERS, SHIPS = (
    DECKS / f"{name}.deck"
    for name in ("mo_swarm", "nr_siege_masters", "st_beautiful_archers", "sk_longships")
)
NEW = ROOT / "examples" / "compare" / "second_horn.deck"
NAMES = ("simulate", "compare", "tune")
SECONDS_TO_READ = 5
SECONDS_TO_PLAY = 300
MENDED = 10
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
        for file in (BLOCKS, RUN)
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
        self.files = {name: (self.folder / name).read_bytes() for name in (BLOCKS, RUN)}
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
    """Puts bytes in the place of one file of a run, and looks what becomes of it."""

    run: _Scheduler
    file: str

    def __call__(self, data: bytes) -> None:
        with self._restored():
            (self.run.folder / self.file).write_bytes(data)
            try:
                with no_longer_than(SECONDS_TO_READ):
                    open_study(self.run.folder, KINDS)
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
        if self.file == RUN:
            assert error.message.startswith(f"`{place}` is damaged"), error.message
            return
        number = error.message.removeprefix(f"{place}:").partition(":")[0]
        assert number.isdecimal(), error.message
        assert "--mend" in error.help, error.help
        self.run.refused += 1
        if self.run.refused % MENDED == 0:
            mend_run(self.run.folder)
            self.run.check_result()


def _content(blocks: BlockFile) -> Hashable:
    """All that blocks say: of each job its sets, and their tally."""
    found = []
    for key in blocks.jobs():
        tally = blocks.tally(key, LAST_SET)
        assert tally is not None
        found.append((key, tuple(blocks.sets(key)), tally.tobytes()))
    return tuple(found)
