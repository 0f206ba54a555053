"""Playing for a command: loading, interrupts, limits."""

from __future__ import annotations

import errno
import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar

import typer

from deckcheck.cli.invocation import Invocation, invocation_of
from deckcheck.cli.options import CardDb, Full, OutputFile, quiet_option
from deckcheck.cli.output import (
    CLEAN,
    INTERNAL,
    INTERRUPTED,
    MISUSE,
    Output,
    tell,
    tell_misuse,
    tell_painted,
    write_outputs,
)
from deckcheck.cli.settings import Color
from deckcheck.findings import UsageError
from deckcheck.messages import game_count, printable, quote
from deckcheck.options import iterate_options
from deckcheck.policies import AUTO
from deckcheck.sim import MAX_JOBS, SIMULATE_GAMES
from deckcheck.sim.interrupts import SIGNALS, Ending
from deckcheck.sim.run_files import is_run
from deckcheck.specs import GamesSpec

if TYPE_CHECKING:
    from deckcheck.cli.progress import ProgressLine
    from deckcheck.sim.errors import SimulationError
    from deckcheck.sim.kept_runs import KeptRun
    from deckcheck.sim.scheduler import Watch
    from deckcheck.sim.study import Study
    from deckcheck.sim.workers import Executor


# Limits that the system sets a process: too little memory, too few open files.

ENOUGH_MEMORY = 500 * 2**20
"""Bytes of address space for the smallest run, by measurement."""

_OUT_OF_MEMORY = "Memory ran out"
_MORE_MEMORY = "Use fewer workers, or raise the limit: `ulimit -v unlimited`"
_FILE_LIMIT_ERRORS = (errno.EMFILE, errno.ENFILE)


def check_memory() -> None:
    """Raise UsageError where memory is too limited to play a single game.

    Otherwise the compiler ends the process without a message.
    """
    limit = _read_memory_limit()
    if limit is not None and limit < ENOUGH_MEMORY:
        raise UsageError(
            f"Memory is limited to {limit >> 20} MB, and playing games takes "
            f"{ENOUGH_MEMORY >> 20} MB",
            "Raise the limit: `ulimit -v unlimited`",
        )


def limit_met(error: BaseException) -> UsageError | None:
    """Return the error for users where a system limit was met, None otherwise."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or number == errno.ENOMEM:
        return UsageError(_OUT_OF_MEMORY, _MORE_MEMORY)
    if number in _FILE_LIMIT_ERRORS:
        return UsageError(
            "Too many files are open", "Raise the limit: `ulimit -n 1024`"
        )
    if number == errno.ENAMETOOLONG and isinstance(error, OSError):
        name = quote(os.fsdecode(error.filename or ""))
        return UsageError(f"The name {name} is too long", "Choose a shorter name")
    limit = _read_memory_limit()
    is_short = limit is not None and limit < ENOUGH_MEMORY
    if is_short and isinstance(error, ImportError | OSError):
        # A library without room to load may give any reason.
        return UsageError(_OUT_OF_MEMORY, _MORE_MEMORY)
    return None


def _read_memory_limit() -> int | None:
    """Return the limit of bytes for this process, None without a limit."""
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    return limit


# The message after Ctrl-C and other endings of a run.

NO_GAME_PLAYED = "no game was played"


def tell_interrupt(resume: str, state: str = NO_GAME_PLAYED) -> int:
    """Print the state of a run and how to resume it, and return the exit code."""
    tell(_describe_interrupt(resume, state))
    return INTERRUPTED


@contextmanager
def interrupts_end_at_once(
    state: str = NO_GAME_PLAYED, resume: str = ""
) -> Iterator[None]:
    """Let Ctrl-C end the process without raising KeyboardInterrupt.

    The message is the same as of `tell_interrupt`. The compiler calls back into Python
    where an exception is printed and lost, so that the interrupt would be both noisy
    and without effect.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _frame: FrameType | None) -> None:
        message = _describe_interrupt(resume, state)
        os.write(sys.stderr.fileno(), f"{message}\n".encode())
        os._exit(128 + number)

    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    for ending in handlers.values():
        if isinstance(ending, Ending):
            ending.check()
    before = {}
    for number, handler in handlers.items():
        if number == signal.SIGINT or isinstance(handler, Ending):
            before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _describe_interrupt(resume: str, state: str) -> str:
    message = "interrupted"
    if state:
        message = f"Interrupted: {state}"
    if resume:
        message += f"\nhelp: Continue with `{resume}`"
    return message


# Playing a simulation for a command: progress, interrupts, and all that stops a run.

LEAST_GAMES = 2
GO_ON = "The same command goes on, and so does `deckcheck resume`"
RESUME_OPTIONS = tuple(
    """
    jobs executor scheduler output_format output full quiet card_db progress
    games_table config isolated
    """.split()
)
"""The options to repeat in order to go on."""
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
        return study if self.no_keep else self.keep_in_cache(study)

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
    resume: str = ""
    """The command that continues a run in a folder of its own."""
    games_table: Path | None = None
    replay: str = ""
    """The command that replays a game of any other run, without its number."""


def play(playable: Playable, play_settings: PlaySettings) -> int:
    """Play a simulation, or the missing games of a run, and write the outputs.

    Returns the exit code. The games before an interrupt are written too.
    """
    return _play([("", playable)], play_settings, lambda results: results[0][1])


def play_all(parts: Sequence[tuple[str, Playable]], play_settings: PlaySettings) -> int:
    """Play the experiments of a plan by name, in order, and write the outputs."""
    return _play(parts, play_settings, list)


def _play(
    parts: Sequence[tuple[str, Playable]],
    play_settings: PlaySettings,
    shown: Callable[[list[tuple[str, Any]]], object],
) -> int:
    results, code = play_parts(parts, play_settings)
    if results:
        o = play_settings.options
        write_outputs(shown(results), play_settings.outputs, o.color, o.quiet)
    return code


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
    o = play_settings.options
    jobs = usable_cores() if o.jobs is None else o.jobs
    width = measure_width(sys.stderr)
    kind = "none" if o.quiet else o.progress
    with chosen_executor(o.executor, jobs, o.scheduler) as executor:
        for name, playable in parts:
            if name and not o.quiet:
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
                result = stop.result if isinstance(stop, Interrupted) else None
                if result is not None:
                    results.append((name, result))
                break
            except SimulationError as error:
                progress.clear()
                return [], _tell_failure(play_settings, playable, error)
            progress.clear()
            results.append((name, result))
            if not o.quiet:
                tell_recalled_games(recalled_runs(playable))
    return results, code


def recalled_runs(playable: Playable) -> Sequence[KeptRun[Any]]:
    """Return the runs in the cache that keep the games."""
    from deckcheck.sim.kept_runs import KeptRun

    if isinstance(playable, KeptRun):
        return (playable,)
    return getattr(playable, "kept", None) or ()


def tell_recalled_games(runs: Sequence[KeptRun[Any]]) -> None:
    """Print how many of the games were kept from before, if any."""
    counts = [run.count_games() for run in runs]
    recalled = sum(count for count, _ in counts)
    whole = sum(count for _, count in counts)
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
    least = getattr(study, "least_games", LEAST_GAMES)
    return Forecast(progress, say, games if isinstance(games, int) else None, least)


def _play_one(
    playable: Playable,
    play_settings: PlaySettings,
    jobs: int,
    executor: Executor | None,
    watch: Watch,
) -> Any:
    from deckcheck.sim.games_table import GamesTable

    table = (
        {"games_table": GamesTable(play_settings.games_table)}
        if play_settings.games_table
        else {}
    )
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

    o = play_settings.options
    is_shown = not o.quiet and o.progress not in ("json", "none")
    first = preliminary_figures(getattr(playable, "study", playable), say)
    with (
        interrupts_end_at_once(resume=play_settings.resume),
        first if is_shown else nullcontext(),
    ):
        yield


def _tell_failure(
    play_settings: PlaySettings, playable: Playable, error: SimulationError
) -> int:
    from deckcheck.sim.errors import CrashedGameError, NoWorkersError, UnrecordedError

    tell_misuse(error.message, error.help)
    folder = getattr(playable, "folder", None)
    command = play_settings.replay if folder is None else f"deckcheck replay {folder}"
    if isinstance(error, CrashedGameError) and error.pairing and command:
        words = shlex.join(["--pairing", error.pairing, "--game", str(error.game)])
        tell(f"help: Show the game with `{command} {words}`")
    if isinstance(error, UnrecordedError):
        return MISUSE
    is_limit = isinstance(error, NoWorkersError)
    if play_settings.resume:
        resume = (
            _drop_workers(play_settings.resume) if is_limit else play_settings.resume
        )
        tell(f"help: Continue with `{resume}`")
    return MISUSE if is_limit else INTERNAL


def _drop_workers(command: str) -> str:
    """Return the command without workers."""
    words = shlex.split(command)
    if "--jobs" in words:
        index = words.index("--jobs")
        del words[index : index + 2]
    return shlex.join([*words, "--jobs", "1"])


def check_table(play_settings: PlaySettings, parts: int = 0) -> None:
    """Refuse a games table that cannot be written, or of several simulations."""
    from deckcheck.sim.games_table import check_games_table

    if play_settings.games_table is None:
        return
    if parts:
        raise UsageError(
            "`--games-table` is for a single simulation, not for a plan",
            "Keep the plan with `--run FOLDER`, and resume each of its runs with it",
        )
    check_games_table(play_settings.games_table)


def command_to_resume(ctx: typer.Context, folder: Path | None) -> str:
    """Return the command that continues a run, with the typed options.

    Without a folder it is the latest kept run.
    """
    words = invocation_of(ctx).typed_again(RESUME_OPTIONS)
    named = [] if folder is None else [str(folder)]
    return shlex.join(["deckcheck", "resume", *named, *words])


def command_to_replay(ctx: typer.Context) -> str:
    """Return the command that replays a game of this command, without its number."""
    invocation = invocation_of(ctx)
    decks = invocation.values.get("decks") or ()
    words = invocation.typed_again({*deciding_options(), "config", "isolated"})
    return shlex.join(["deckcheck", "replay", *decks, *words])


# First steps of all commands that play games, or read them


@contextmanager
def engine_loaded(ctx: typer.Context) -> Iterator[None]:
    """Import the engine. Raises UsageError where the system has no room for it.

    Meanwhile an interrupt ends the process at once: compiled modules print exceptions
    during their import, and fail in ways of their own. Until the end an interrupt is
    reported together with the command that continues a run.
    """
    check_memory()
    plays = "jobs" in invocation_of(ctx).values
    if shows_only(invocation_of(ctx)):
        do_without_compiler()
    elif plays_few_games(invocation_of(ctx)):
        spare_compiling()
    with interrupts_end_at_once(NO_GAME_PLAYED if plays else "", _resume_command(ctx)):
        import_module("deckcheck.sim.scheduler")
    try:
        yield
    except KeyboardInterrupt:
        resume = _resume_command(ctx)
        if not resume:
            raise
        raise typer.Exit(tell_interrupt(resume, "")) from None


QUICK_PLAYERS = frozenset({AUTO, "random", "sane_random", "no_pass", "heuristic"})
"""Players whose games are played quickly uncompiled."""
MAX_UNCOMPILED_GAMES = 100
"""The most games that take less time uncompiled than compiling takes."""
MAX_DECK_BYTES = 4_000
"""The most bytes of a file with a single deck."""
SEVERAL_DECKS = re.compile(rb"""^---|^\s*["']?decks["']?\s*:|^\s*\[""", re.MULTILINE)
"""A sign of several decks in a file: lineups are measured in thousands of games."""


def plays_few_games(invocation: Invocation) -> bool:
    """Report whether a command plays too few games to be worth compiling.

    Only `simulate` with single decks, each in a file, and `replay` are known to.
    Players who think for long or learned to play need compiled code for a single game.
    """
    values = invocation.values
    if invocation.command not in ("simulate", "replay") or values.get("plan"):
        return False
    more = ("opponent", "against", "gauntlet", "every_policy", "random_decks")
    if any(values.get(name) for name in more):
        return False
    if not QUICK_PLAYERS.issuperset(values["policy"] or ()):
        return False
    files = [Path(deck) for deck in values["decks"] or ()]
    if not all(map(_is_single_deck, files)):
        return False
    if values.get("closest"):
        return False
    games = (
        1 if invocation.command == "replay" else int(values["games"] or SIMULATE_GAMES)
    )
    pairs = len(files) * (len(files) - 1) // 2
    if values["mirror"]:
        pairs += len(files)
    return 0 < games * pairs <= MAX_UNCOMPILED_GAMES


def _is_single_deck(file: Path) -> bool:
    try:  # A pipe can be read once only.
        if not file.is_file() or file.stat().st_size >= MAX_DECK_BYTES:
            return False
        return SEVERAL_DECKS.search(file.read_bytes()) is None
    except OSError:  # reported where decks are read
        return False


def shows_only(invocation: Invocation) -> bool:
    """Report whether a command only shows earlier games."""
    return invocation.command == "report" and invocation.values["losses"] is None


def do_without_compiler() -> None:
    """Load no compiler with the engine: it takes 0.4 seconds and 140 MB."""
    from deckcheck.engine.cache import leave_uncompiled

    if not _is_engine_loaded():
        leave_uncompiled()


def spare_compiling() -> None:
    """Let all games be played uncompiled, here and by workers, if no code is kept."""
    from deckcheck.engine.cache import compiled, is_anything_warm, leave_uncompiled

    if compiled and not _is_engine_loaded() and not is_anything_warm():
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        leave_uncompiled()


def _is_engine_loaded() -> bool:
    return "deckcheck.engine.jit" in sys.modules


def _resume_command(ctx: typer.Context) -> str:
    """Return the command that continues the run, or nothing without a kept run."""
    values = invocation_of(ctx).values
    folder = values.get("run") if "jobs" in values else None
    if not isinstance(folder, Path) or not is_run(folder):
        return ""
    return command_to_resume(ctx, folder)
