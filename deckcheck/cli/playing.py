"""Playing for a command: progress, interrupts, and all that stops a run."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar

import typer

from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.loading import (
    command_to_resume,
    interrupts_end_at_once,
    tell_interrupt,
)
from deckcheck.cli.options import CardDb, Full, OutputFile, quiet_option
from deckcheck.cli.output import (
    CLEAN,
    INTERNAL,
    MISUSE,
    Output,
    tell,
    tell_misuse,
    tell_painted,
    write_outputs,
)
from deckcheck.cli.settings import Color
from deckcheck.findings import UsageError
from deckcheck.messages import game_count, printable
from deckcheck.options import iterate_options
from deckcheck.sim import MAX_JOBS
from deckcheck.specs import GamesSpec

if TYPE_CHECKING:
    from deckcheck.cli.progress import ProgressLine
    from deckcheck.sim.errors import SimulationError
    from deckcheck.sim.kept_runs import KeptRun
    from deckcheck.sim.scheduler import Watch
    from deckcheck.sim.study import Study
    from deckcheck.sim.workers import Executor


LEAST_GAMES = 2
GO_ON = "The same command goes on, and so does `deckcheck resume`"
SEATING_OPTIONS = ("format", "as_of", "rule", "against", "gauntlet", "allow_illegal")
"""The options that decide the opponents."""


def deciding_options() -> tuple[str, ...]:
    """Return the options that decide which games are played."""
    games = (option.parameter for option in iterate_options(GamesSpec))
    return (*games, *SEATING_OPTIONS, "card_db")


S = TypeVar("S", bound="Study[Any, Any]")


class Playable(Protocol):
    """Anything that plays: a simulation, a kept run, a comparison."""

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Play it and return the result, see `Simulation.run`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """The workers that play games, and the way to show progress.

    Only `card_db` changes a result.
    """

    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="NUMBER",
            min=1,
            max=MAX_JOBS,
            help="Workers to use at most, such as 4. Their number changes no result.",
            show_default="cores",
        ),
    ] = None
    executor: Annotated[
        Literal["threads", "processes", "dask"],
        typer.Option(
            help="What the workers are: threads of this process, other processes, or "
            "a Dask cluster."
        ),
    ] = "threads"
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="With --executor dask: address of the Dask scheduler, such as "
            "tcp://host:8786. Default: this machine does the work.",
        ),
    ] = None
    output: OutputFile = None
    full: Full = False
    progress: Annotated[
        Literal["auto", "bar", "lines", "json", "none"],
        typer.Option(
            help="How to show progress on standard error: auto is a bar on a "
            "terminal, and lines elsewhere."
        ),
    ] = "auto"
    color: Color = "auto"
    quiet: Annotated[
        int,
        quiet_option(
            "Show no progress and no notes, or nothing at all if given twice."
        ),
    ] = 0
    card_db: CardDb = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepOptions(PlayOptions):
    """The options of playing, and whether games are kept."""

    no_keep: Annotated[
        bool,
        typer.Option(
            "--no-keep",
            help="Play all games anew, and keep none. By default games are kept in the "
            "cache of the user, so that the same command does not play them again.",
        ),
    ] = False

    def play(
        self,
        ctx: typer.Context,
        study: Study[Any, Any],
        outputs: Sequence[Output[Any]],
        run: Path | None,
        shard: str | None = None,
    ) -> int:
        """Play a study, kept in the folder `run` if named, see `play`."""
        resume = "" if run is None else command_to_resume(ctx, run)
        return play(self.keep(study, run, shard), PlaySettings(self, outputs, resume))

    def keep(
        self, study: Study[Any, Any], run: Path | None = None, shard: str | None = None
    ) -> Playable:
        """Return the run that plays a study and keeps its games, unless --no-keep."""
        from deckcheck.sim.run_directory import new_run

        if run is not None:
            return new_run(run, study, shard=shard, card_db=self.card_db)
        if self.no_keep:
            return study
        return self.keep_in_cache(study)

    def keep_in_cache(self, study: S) -> KeptRun[S]:
        """Return the run that plays a study and keeps its games in the user's cache."""
        from deckcheck.sim.kept_runs import KeptRun

        def tell_note(sentence: str) -> None:
            if not self.quiet:
                tell(f"note: {sentence}")

        return KeptRun(study, self.card_db, tell_note)


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """How a command plays games, and the outputs that it writes."""

    options: PlayOptions
    outputs: Sequence[Output[Any]]
    resume: str
    """The command that continues a run in a folder of its own."""
    games_table: Path | None = None
    replay: str = ""
    """The command that replays a game of any other run, without its number."""


def play(playable: Playable, play_settings: PlaySettings) -> int:
    """Play a simulation, or the missing games of a run, and write the outputs.

    Returns the exit code. The games before an interrupt are written too.
    """
    results, code = play_parts([("", playable)], play_settings)
    for _, result in results:
        _write_result(result, play_settings)
    return code


def play_all(parts: Sequence[tuple[str, Playable]], play_settings: PlaySettings) -> int:
    """Play the experiments of a plan by name, in order, and write the outputs."""
    results, code = play_parts(parts, play_settings)
    if results:
        _write_result(results, play_settings)
    return code


def _write_result(result: object, play_settings: PlaySettings) -> None:
    options = play_settings.options
    write_outputs(result, play_settings.outputs, options.color, options.quiet)


def play_parts(
    parts: Sequence[tuple[str, Playable]], play_settings: PlaySettings
) -> tuple[list[tuple[str, Any]], int]:
    """Play simulations by name, in order, without writing outputs.

    Returns the results so far, and the exit code. A run that cannot go on has no
    results.
    """
    from deckcheck.cli.progress import ProgressLine
    from deckcheck.report import measure_width
    from deckcheck.sim.errors import SimulationError
    from deckcheck.sim.study import Interrupted
    from deckcheck.sim.workers import chosen_executor, usable_cores

    results: list[tuple[str, Any]] = []
    code = CLEAN
    options = play_settings.options
    jobs = options.jobs
    if jobs is None:
        jobs = usable_cores()
    width = measure_width(sys.stderr)
    kind = "none" if options.quiet else options.progress
    with chosen_executor(options.executor, jobs, options.scheduler) as executor:
        for name, playable in parts:
            if name and not options.quiet:
                tell(f"{name}:")
            progress = ProgressLine(sys.stderr, kind, width=width)
            watch: Watch = progress
            if kind not in {"none", "json"}:
                watch = _add_forecast(playable, progress)
            try:
                result = _play_one(playable, play_settings, jobs, executor, watch)
            except KeyboardInterrupt as stop:
                progress.clear()
                code = tell_interrupt(play_settings.resume, progress.summary())
                if recalled_runs(playable):
                    tell(f"help: {GO_ON}")
                if isinstance(stop, Interrupted) and stop.result is not None:
                    results.append((name, stop.result))
                break
            except SimulationError as error:
                progress.clear()
                return [], _tell_failure(play_settings, playable, error)
            progress.clear()
            results.append((name, result))
            if not options.quiet:
                tell_recalled_games(recalled_runs(playable))
    return results, code


def recalled_runs(playable: Playable) -> Sequence[KeptRun[Any]]:
    """Return the runs in the cache that keep the games."""
    from deckcheck.sim.kept_runs import KeptRun

    if isinstance(playable, KeptRun):
        return (playable,)
    return getattr(playable, "cached_runs", None) or ()


def tell_recalled_games(runs: Sequence[KeptRun[Any]]) -> None:
    """Print how many of the games were kept from before, if any."""
    recalled, whole = 0, 0
    for run in runs:
        recalled_of_run, games_of_run = run.count_games()
        recalled += recalled_of_run
        whole += games_of_run
    if recalled and recalled == whole:
        tell(
            "note: All games were kept from before, none was played. `--no-keep` "
            "plays them again"
        )
    elif recalled:
        tell(f"note: {recalled:,} of {game_count(whole)} were kept from before")


def _add_forecast(playable: Playable, progress: ProgressLine) -> Watch:
    """Return the progress with a forecast of the time that a long run takes."""
    from deckcheck.cli.progress import Forecast

    study = getattr(playable, "study", playable)
    asked = getattr(study, "question", None) or study

    def say(sentence: str) -> None:
        progress.clear()
        tell(sentence)

    games = getattr(asked, "games", None)
    if not isinstance(games, int):
        games = None
    least = getattr(study, "least_games", LEAST_GAMES)
    return Forecast(progress, say, games, least)


def _play_one(
    playable: Playable,
    play_settings: PlaySettings,
    jobs: int,
    executor: Executor | None,
    watch: Watch,
) -> Any:
    from deckcheck.sim.games_table import GamesTable

    table = {}
    if play_settings.games_table is not None:
        table["games_table"] = GamesTable(play_settings.games_table)
    return playable.run(
        **table,
        jobs=jobs,
        executor=executor,
        watch=watch,
        announces=not play_settings.options.quiet,
        while_compiling=_announce_compiling(playable, play_settings),
    )


@contextmanager
def _announce_compiling(
    playable: Playable, play_settings: PlaySettings
) -> Iterator[None]:
    """Print a first answer while the engine is loaded or compiled."""
    from deckcheck.cli.progress import preliminary_figures

    def say(sentence: str) -> None:
        # A terminal counts the seconds on this line.
        start = "\r" if sys.stderr.isatty() else ""
        tell_painted(start + printable(sentence))

    options = play_settings.options
    with ExitStack() as stack:
        stack.enter_context(interrupts_end_at_once(resume=play_settings.resume))
        if not options.quiet and options.progress not in ("json", "none"):
            study = getattr(playable, "study", playable)
            stack.enter_context(preliminary_figures(study, say))
        yield


def _tell_failure(
    play_settings: PlaySettings, playable: Playable, error: SimulationError
) -> int:
    from deckcheck.sim.errors import CrashedGameError, NoWorkersError, UnrecordedError

    tell_misuse(error.message, error.help)
    folder = getattr(playable, "folder", None)
    command = play_settings.replay
    if folder is not None:
        command = f"deckcheck replay {folder}"
    if isinstance(error, CrashedGameError) and error.pairing and command:
        words = shlex.join(["--pairing", error.pairing, "--game", str(error.game)])
        tell(f"help: Show the game with `{command} {words}`")
    if isinstance(error, UnrecordedError):
        return MISUSE
    has_workers = not isinstance(error, NoWorkersError)
    resume = play_settings.resume
    if resume and not has_workers:
        resume = _drop_workers(resume)
    if resume:
        tell(f"help: Continue with `{resume}`")
    return INTERNAL if has_workers else MISUSE


def _drop_workers(command: str) -> str:
    """Return the command without workers."""
    words = shlex.split(command)
    if "--jobs" in words:
        index = words.index("--jobs")
        del words[index : index + 2]
    return shlex.join([*words, "--jobs", "1"])


def check_table(play_settings: PlaySettings, *, is_plan: bool) -> None:
    """Refuse a games table that cannot be written, or of several simulations."""
    from deckcheck.sim.games_table import check_games_table

    if play_settings.games_table is None:
        return
    if is_plan:
        raise UsageError(
            "`--games-table` is for a single simulation, not for a plan",
            "Keep the plan with `--run FOLDER`, and resume each of its runs with it",
        )
    check_games_table(play_settings.games_table)


def command_to_replay(ctx: typer.Context) -> str:
    """Return the command that replays a game of this command, without its number."""
    invocation = invocation_of(ctx)
    decks = invocation.values.get("decks") or ()
    words = invocation.typed_again({*deciding_options(), "config", "isolated"})
    return shlex.join(["deckcheck", "replay", *decks, *words])
