"""The same decks under two formats: what a changed card or rule does to a field."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Unpack

from deckcheck.cards import Root
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.formats.wording import compare_formats, list_changed_cards
from deckcheck.messages import check_range, option, quote
from deckcheck.sim import CROSS_CHECK, MAX_GAMES, NOBODY
from deckcheck.sim.blocks import Records
from deckcheck.sim.kept_runs import KeptRun, records_in_memory
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import new_run
from deckcheck.sim.run_files import begin_series
from deckcheck.sim.scheduler import Progress, Watch
from deckcheck.sim.simulation import Simulation, usual_games_each
from deckcheck.sim.study import RunOptions
from deckcheck.specs import CompareSpec
from deckcheck.studies.changes import Changes, find_changes, find_untouched

BEFORE_FOLDER, AFTER_FOLDER = "before", "after"
FIRST_GAMES = 200
GAMES_GROWTH = 4
MAX_CHECKPOINTS = 5


class RunsFolder(NamedTuple):
    """The folder that keeps both runs, and the cards that they play with."""

    folder: Path
    card_db: Root


def refuse_second_bot(question: CompareSpec) -> None:
    """Raise UsageError for a second bot, which does not play two formats."""
    names_bot = question.cross_check not in (None, CROSS_CHECK, NOBODY)
    if names_bot or question.cross_check_games is not None:
        raise UsageError(
            f"{option('cross-check')} does not work with {option('new-format')}: one "
            "bot plays both formats",
            f"Leave it out, or name that bot with {option('policy')}",
        )


@dataclass(frozen=True)
class FieldChange:
    """Decks that play under two formats, the same shuffles in both.

    At each of at most `MAX_CHECKPOINTS` checkpoints games are `GAMES_GROWTH` times as
    many, and intervals hold at all of them (Bonferroni). Raises UsageError for decks
    that do not meet in the same way in both, and if nothing differs.
    """

    before: Simulation
    after: Simulation
    games: int | None
    """The games of each pair of decks, None to play until each change is known."""
    margin: float
    """The change in points that does not matter."""
    folder: RunsFolder | None
    """The folder that keeps both runs."""
    cached_runs: tuple[KeptRun[Simulation], KeptRun[Simulation]] | None = None
    """The runs in the user's cache."""
    thorough: bool = False
    """Whether more than the usual number of games may be played."""

    def __post_init__(self) -> None:
        if self.games is not None:
            check_range("games", self.games, 1, MAX_GAMES)
        old, new = self._formats
        if old.seating != new.seating:
            raise UsageError(
                "The two formats are for different numbers of players",
                "Name two that seat decks in the same way",
            )
        if not any(compare_formats(old, new)):
            raise UsageError(
                f"Nothing differs between {quote(old.id)} and {quote(new.id)}",
                f"Name a format with another card or rule for {option('new-format')}",
            )

    @property
    def _formats(self) -> tuple[Format, Format]:
        return self.before.setting.format, self.after.setting.format

    def run(self, **options: Unpack[RunOptions]) -> Changes:
        """Play in both formats, and return the changes; see `Study.run`."""
        settings, cards = list_format_differences(*self._formats)
        untouched = find_untouched(self.before, self.after)
        with ExitStack() as stack:
            records_before, records_after = self._open_records(stack)
            schedule = self._schedule()
            for number, games in enumerate(schedule, 1):
                until = ""
                if len(schedule) > 1:
                    until = f"checkpoint {number} of {len(schedule)}"
                simulation = self.before.with_games(games)
                before = _play(simulation, records_before, options, until, following=1)
                # The engine is loaded, or compiled, once.
                options.pop("while_compiling", None)
                simulation = self.after.with_games(games)
                after = _play(simulation, records_after, options, until, following=0)
                changes = find_changes(
                    before,
                    after,
                    settings,
                    cards=cards,
                    untouched=untouched,
                    checkpoints=len(schedule),
                )
                if changes.is_known(self.margin / 100):
                    break
        return changes

    def _schedule(self) -> list[int]:
        """Return the games of each pair of decks at each checkpoint."""
        if self.games is not None:
            return [self.games]
        numbers = [FIRST_GAMES * GAMES_GROWTH**i for i in range(MAX_CHECKPOINTS)]
        if self.thorough:
            return numbers
        most = usual_games_each(self.before, runs=2)
        return [games for games in numbers if games <= most] or [most]

    def _open_records(self, stack: ExitStack) -> list[Records]:
        """Return the records of each run: in a folder, in the cache, or in memory."""
        if self.cached_runs is not None:
            return [stack.enter_context(run.open()) for run in self.cached_runs]
        if self.folder is None:
            return [records_in_memory(self.before), records_in_memory(self.after)]
        folder, card_db = self.folder
        begin_series(folder, [BEFORE_FOLDER, AFTER_FOLDER])
        most = self._schedule()[-1]
        runs = []
        for name, simulation in (
            (BEFORE_FOLDER, self.before),
            (AFTER_FOLDER, self.after),
        ):
            study = simulation.with_games(most)
            runs.append(new_run(folder / name, study, card_db=card_db))
        for run in runs:
            stack.enter_context(run.kept_open())
        return [run.part for run in runs]


def _play(
    simulation: Simulation,
    records: Records,
    options: RunOptions,
    until: str,
    *,
    following: int,
) -> SimulationResult:
    """Play a run, which `following` more runs of that length follow."""
    watch = options.get("watch")
    if watch is not None:
        options = {**options, "watch": _wrap_watch(watch, until, following)}
    return simulation.run(records=records, **options)


def _wrap_watch(watch: Watch, until: str, following: int) -> Watch:
    """Wrap `watch` so that the time left includes `following` more runs."""

    def pass_on(progress: Progress) -> None:
        left = progress.seconds_left
        if left is not None:
            left += following * (progress.seconds + left)
        watch(replace(progress, seconds_left=left, until=until))

    return pass_on


def list_format_differences(old: Format, new: Format) -> tuple[list[str], list[str]]:
    """Return the differences of two formats in words: all, and of cards alone."""
    cards = list_changed_cards(old.changes, new.changes)
    differences = list(cards)
    for d in compare_formats(old, new):
        if d.about not in ("card", "leader"):
            values = f"{d.new or 'none'}, not {d.old or 'none'}"
            differences.append(f"{d.about} {quote(d.name)}: {values}")
    if old.id != new.id:
        differences.append(f"format is {new.id}, not {old.id}")
    return differences, cards
