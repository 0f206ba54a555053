"""Plays a simulation for a command: progress, interrupts, and what stops a run."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import typer

from deckcheck.cli.interrupts import interrupts_end_at_once, tell_interrupt
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.outputs import Output, write_outputs
from deckcheck.cli.printing import tell
from deckcheck.findings.errors import UsageError

if TYPE_CHECKING:
    from deckcheck.cli.progress import ProgressKind, ProgressLine
    from deckcheck.sim.errors import SimulationError
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Watch


LEAST_GAMES = 2
PLAYED, MISUSE, INTERNAL_ERROR = 0, 2, 3
KEPT = "With `--run FOLDER` games are kept, and `deckcheck resume FOLDER` goes on"
AGAIN = (
    *("jobs", "executor", "scheduler"),
    *("output_format", "output", "all_matchups", "quiet", "card_db"),
    *("progress", "games_table"),
)
"""The options that are typed again to go on."""
DECIDING = (
    *("games", "seed", "policy", "every_policy", "format", "as_of", "rule"),
    *("against", "gauntlet"),
    *("mirror", "opponent", "random_decks", "players", "select", "matchups"),
    *("allow_illegal", "card_db"),
)
"""The options that decide which games are played."""


class Playable(Protocol):
    """What can be played: a simulation, one that is kept in a folder, a comparison."""

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Play it and return what came out; see `Simulation.run`."""


@dataclass(frozen=True, slots=True)
class How:
    """How games are played and shown: by whom, in which outputs, how loudly.

    `resume` is the command that goes on with what is kept, empty if nothing is;
    `could_be_kept` says that a folder for it could have been named.
    `replay` the one that tells a game of what is not kept, but for which one.
    """

    jobs: int | None
    executor: str
    scheduler: str | None
    outputs: Sequence[Output[Any]]
    color: str
    quiet: int
    resume: str = ""
    progress: ProgressKind = "auto"
    games_table: Path | None = None
    replay: str = ""
    could_be_kept: bool = False


def play(what: Playable, how: How) -> int:
    """Play one simulation, or what is missing of a run, and write the outputs.

    Returns the exit code. What was played until an interrupt is written too, unless it
    is kept; then the command that goes on with it is printed.
    """
    return _play([("", what)], how, lambda results: results[0][1])


def play_all(parts: Sequence[tuple[str, Playable]], how: How) -> int:
    """The same for the experiments of a plan, by name and one after the other."""
    return _play(parts, how, list)


def _play(
    parts: Sequence[tuple[str, Playable]],
    how: How,
    shown: Callable[[list[tuple[str, Any]]], object],
) -> int:
    results, code = play_parts(parts, how)
    if results and not (code and how.resume):
        write_outputs(shown(results), how.outputs, how.color, how.quiet)
    return code


def play_parts(
    parts: Sequence[tuple[str, Playable]], how: How
) -> tuple[list[tuple[str, Any]], int]:
    """Play what has these names, one after the other, and write nothing.

    Returns what came out, as far as it was played, and the exit code. A run that cannot
    go on has no results.
    """
    from deckcheck.cli.progress import ProgressLine
    from deckcheck.report import width_of
    from deckcheck.sim.errors import SimulationError
    from deckcheck.sim.scheduling.executors import chosen_executor, usable_cores
    from deckcheck.sim.simulation import Interrupted

    results: list[tuple[str, Any]] = []
    code = PLAYED
    jobs = usable_cores() if how.jobs is None else how.jobs
    width = width_of(sys.stderr)
    kind = "none" if how.quiet else how.progress
    with chosen_executor(how.executor, jobs, how.scheduler) as executor:
        for name, what in parts:
            if name and not how.quiet:
                tell(f"{name}:")
            progress = ProgressLine(sys.stderr, kind, width=width)
            watch = progress if kind in {"none", "json"} else _forecast(what, progress)
            try:
                result = _play_one(what, how, jobs, executor, watch)
            except KeyboardInterrupt as stop:
                progress.clear()
                code = tell_interrupt(how.resume, progress.summary())
                if how.could_be_kept:
                    tell(f"help: {KEPT}")
                result = stop.result if isinstance(stop, Interrupted) else None
                if result is not None:
                    results.append((name, result))
                break
            except SimulationError as error:
                progress.clear()
                return [], _tell_failure(how, what, error)
            progress.clear()
            results.append((name, result))
    return results, code


def _forecast(what: Playable, progress: ProgressLine) -> Watch:
    """What watches `what` and says before a long run how long it takes."""
    from deckcheck.cli.forecast import Forecast

    study = getattr(what, "study", what)
    asked = getattr(study, "question", None) or study

    def say(sentence: str) -> None:
        progress.clear()
        tell(sentence)

    games = getattr(asked, "games", None)
    least = getattr(study, "least_games", LEAST_GAMES)
    return Forecast(progress, say, games if isinstance(games, int) else None, least)


def _play_one(
    what: Playable, how: How, jobs: int, executor: Executor | None, watch: Watch
) -> Any:
    from deckcheck.sim.jobs.games_table import GamesTable

    table = {"games_table": GamesTable(how.games_table)} if how.games_table else {}
    return what.run(
        **table,
        jobs=jobs,
        executor=executor,
        watch=watch,
        announces=not how.quiet,
        while_compiling=interrupts_end_at_once(resume=how.resume),
    )


def _tell_failure(how: How, what: Playable, error: SimulationError) -> int:
    from deckcheck.sim.errors import CrashedGameError, NoWorkersError, UnrecordedError

    tell(f"error: {error.message}")
    tell(f"help: {error.help}")
    folder = getattr(what, "folder", None)
    command = how.replay if folder is None else f"deckcheck replay {folder}"
    if isinstance(error, CrashedGameError) and error.pairing and command:
        which = shlex.join(["--pairing", error.pairing, "--game", str(error.game)])
        tell(f"help: `{command} {which}` tells it")
    if isinstance(error, UnrecordedError):
        return MISUSE
    is_limit = isinstance(error, NoWorkersError)
    if how.resume:
        resume = _alone(how.resume) if is_limit else how.resume
        tell(f"help: Go on with `{resume}`")
    return MISUSE if is_limit else INTERNAL_ERROR


def _alone(command: str) -> str:
    """The command without workers."""
    words = shlex.split(command)
    if "--jobs" in words:
        at = words.index("--jobs")
        del words[at : at + 2]
    return shlex.join([*words, "--jobs", "1"])


def check_table(how: How, parts: int = 0) -> None:
    """Refuse a games table that cannot be written, or of several simulations."""
    from deckcheck.sim.jobs.games_table import check_games_table

    if how.games_table is None:
        return
    if parts:
        raise UsageError(
            "`--games-table` is for a single simulation, not for a plan",
            "Keep the plan with `--run FOLDER`, and resume each of its runs with it",
        )
    check_games_table(how.games_table)


def command_to_resume(ctx: typer.Context, folder: Path) -> str:
    """The command that goes on with a run, with the options that were typed."""
    words = invocation_of(ctx).typed_again(AGAIN)
    return shlex.join(["deckcheck", "resume", str(folder), *words])


def command_to_replay(ctx: typer.Context) -> str:
    """The command that tells a game of what was typed, but for which one."""
    invocation = invocation_of(ctx)
    decks = invocation.values.get("decks") or ()
    words = invocation.typed_again(DECIDING)
    return shlex.join(["deckcheck", "replay", *decks, *words])
