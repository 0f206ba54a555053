"""The same decks under two formats: what a changed card or rule does to a field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Unpack

from deckcheck.cards import Root
from deckcheck.findings import UsageError
from deckcheck.findings.options import check_range, option
from deckcheck.findings.words import quote
from deckcheck.formats.comparing import compare
from deckcheck.playing.tally import Ints
from deckcheck.sim.defaults import COMPARE_MARGIN, MOST_GAMES
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.jobs.record import Played, Record, Records
from deckcheck.sim.runs.directory import gaps, new_run
from deckcheck.sim.runs.series import begin_series
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.study import RunOptions
from deckcheck.studies.changes.result import Changes, changes_of, format_differences

BEFORE, AFTER = "before", "after"
FIRST_GAMES = 200
GROWTH = 4
LOOKS = 5


class Place(NamedTuple):
    """The folder that keeps both runs, and the cards that they play with."""

    folder: Path
    card_db: Root = None


@dataclass(frozen=True)
class FormatChange:
    """Decks that play under two formats, the same shuffles in both.

    `games` are those of every two decks; without a number they are played until each
    change is known, or is surely less than `margin`, in points. At each of the LOOKS
    games are GROWTH times as many, and intervals hold at all of them (Bonferroni).
    Raises UsageError for decks that do not meet in the same way in both, and where
    nothing differs.
    """

    before: Simulation
    after: Simulation
    games: int | None = None
    margin: float = COMPARE_MARGIN
    place: Place | None = None

    def __post_init__(self) -> None:
        if self.games is not None:
            check_range("games", self.games, 1, MOST_GAMES)
        ways = [simulation.setting.format.seating for simulation in self._both]
        if ways[0] != ways[1]:
            raise UsageError(
                "The two formats are for different numbers of players",
                "Name two that seat decks in the same way",
            )
        old, new = (simulation.setting.format for simulation in self._both)
        if not any(compare(old, new)):
            raise UsageError(
                f"Nothing differs between {quote(old.id)} and {quote(new.id)}",
                f"Name a format with another card or rule for {option('new-format')}",
            )

    @property
    def _both(self) -> tuple[Simulation, Simulation]:
        return self.before, self.after

    def run(self, **options: Unpack[RunOptions]) -> Changes:
        """Play both, and return what changed; see `Study.run`."""
        old, new = (simulation.setting.format for simulation in self._both)
        settings, cards = format_differences(old, new)
        with ExitStack() as stack:
            records = self._records(stack)
            for games, looks in self._schedule():
                results = []
                for simulation, record in zip(self._both, records, strict=True):
                    results.append(
                        simulation.extended(games).run(records=record, **options)
                    )
                    # The engine is loaded, or compiled, once.
                    options.pop("while_compiling", None)
                before, after = results
                changes = changes_of(before, after, settings, cards=cards, looks=looks)
                if changes.is_known(self.margin / 100):
                    break
        return changes

    def _schedule(self) -> Iterator[tuple[int, int]]:
        """The games of every two decks at each look, and how many looks there are."""
        if self.games is not None:
            yield self.games, 1
            return
        for look in range(LOOKS):
            yield FIRST_GAMES * GROWTH**look, LOOKS

    def _records(self, stack: ExitStack) -> list[Records]:
        """What remembers the games of each run: memory, or its folder."""
        if self.place is None:
            return [Memory().part, Memory().part]
        folder, card_db = self.place
        begin_series(folder, [BEFORE, AFTER])
        most = [games for games, _ in self._schedule()][-1]
        runs = [
            new_run(folder / name, simulation.extended(most), card_db=card_db)
            for name, simulation in zip((BEFORE, AFTER), self._both, strict=True)
        ]
        for run in runs:
            stack.enter_context(run.kept_open())
        return [run.part for run in runs]


class Memory:
    """The record of a run in memory, by the names of its parts."""

    def __init__(self) -> None:
        self._parts: dict[str, Remembered] = defaultdict(Remembered)

    def part(self, name: str) -> Record:
        """The record of a part."""
        return self._parts[name]


@dataclass
class Remembered:
    """The record of a part in memory: the sets of each job, and their tally."""

    sets: dict[int, list[range]] = field(default_factory=dict)
    tallies: dict[int, Ints] = field(default_factory=dict)

    def played(self, job: Job) -> tuple[int, Ints | None]:
        """How many sets of `job` were played before, and their tally."""
        sets = self.sets.get(job.number, [])
        return sum(map(len, sets)), self.tallies.get(job.number)

    def missing(self, job: Job) -> list[range]:
        """The sets of `job` that are to be played."""
        return gaps(range(job.sets), self.sets.get(job.number, []))

    def add(self, played: Played) -> None:
        """Remember blocks that were played."""
        for block, tally in played:
            number = block.job.number
            sets = range(block.first_set, block.first_set + block.sets)
            own = [*self.sets.get(number, []), sets]
            self.sets[number] = sorted(own, key=lambda part: part.start)
            before = self.tallies.get(number)
            self.tallies[number] = tally if before is None else before + tally
