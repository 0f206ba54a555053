"""Loading the engine for a command: limits of the system, interrupts, compiling."""

from __future__ import annotations

import errno
import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType

import typer

from deckcheck.cli.invocation import Invocation, invocation_of
from deckcheck.cli.output import INTERRUPTED, tell
from deckcheck.findings import UsageError
from deckcheck.messages import quote
from deckcheck.policies import AUTO
from deckcheck.sim import SIMULATE_GAMES
from deckcheck.sim.interrupts import SIGNALS, Ending
from deckcheck.sim.run_files import is_run

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
    if isinstance(error, MemoryError):
        return UsageError(_OUT_OF_MEMORY, _MORE_MEMORY)
    if not isinstance(error, ImportError | OSError):
        return None
    number = getattr(error, "errno", None)
    if number in _FILE_LIMIT_ERRORS:
        return UsageError(
            "Too many files are open", "Raise the limit: `ulimit -n 1024`"
        )
    if number == errno.ENAMETOOLONG:
        name = quote(os.fsdecode(getattr(error, "filename", None) or ""))
        return UsageError(f"The name {name} is too long", "Choose a shorter name")
    limit = _read_memory_limit()
    # A library without room to load may give any reason.
    if number == errno.ENOMEM or (limit is not None and limit < ENOUGH_MEMORY):
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
RESUME_OPTIONS = tuple(
    """
    jobs executor scheduler output_format output full quiet card_db progress
    games_table config isolated
    """.split()
)
"""The options to repeat in order to go on."""


def command_to_resume(ctx: typer.Context, folder: Path | None) -> str:
    """Return the command that continues a run, with the typed options.

    Without a folder it is the latest kept run.
    """
    words = ["deckcheck", "resume"]
    if folder is not None:
        words.append(str(folder))
    return shlex.join([*words, *invocation_of(ctx).typed_again(RESUME_OPTIONS)])


def tell_interrupt(resume: str, state: str) -> int:
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


# Loading the engine, with or without its compiler.


@contextmanager
def engine_loaded(ctx: typer.Context) -> Iterator[None]:
    """Import the engine. Raises UsageError where the system has no room for it.

    Meanwhile an interrupt ends the process at once: compiled modules print exceptions
    during their import, and fail in ways of their own. Until the end an interrupt is
    reported together with the command that continues a run.
    """
    check_memory()
    invocation = invocation_of(ctx)
    if shows_only(invocation):
        do_without_compiler()
    elif plays_few_games(invocation):
        spare_compiling()
    state = NO_GAME_PLAYED if "jobs" in invocation.values else ""
    with interrupts_end_at_once(state, _resume_command(ctx)):
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
"""Games that take less time uncompiled than compiling takes."""
MAX_DECK_BYTES = 4_000
"""The size of the largest file that is read for a single deck."""
SEVERAL_DECKS = re.compile(rb"""^---|^\s*["']?decks["']?\s*:|^\s*\[""", re.MULTILINE)
"""A sign of several decks in a file: lineups are measured in thousands of games."""
MANY_GAMES_OPTIONS = tuple(
    "plan opponent against gauntlet every_policy random_decks closest".split()
)
"""Options with which more games are played than the decks of a command suggest."""


def plays_few_games(invocation: Invocation) -> bool:
    """Report whether a command plays too few games to be worth compiling.

    Only `simulate` with single decks, each in a file, and `replay` are known to.
    Players who think for long or learned to play need compiled code for a single game.
    """
    values = invocation.values
    if invocation.command not in ("simulate", "replay"):
        return False
    if any(values.get(name) for name in MANY_GAMES_OPTIONS):
        return False
    if not QUICK_PLAYERS.issuperset(values["policy"] or ()):
        return False
    files = [Path(deck) for deck in values["decks"] or ()]
    if not all(map(_is_single_deck, files)):
        return False
    games = 1
    if invocation.command == "simulate":
        games = int(values["games"] or SIMULATE_GAMES)
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
    """Let all games be played uncompiled, here and by processes, if no code is kept."""
    from deckcheck.engine.cache import compiled, is_anything_warm, leave_uncompiled

    if compiled and not _is_engine_loaded() and not is_anything_warm():
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        leave_uncompiled()


def _is_engine_loaded() -> bool:
    return "deckcheck.engine.jit" in sys.modules


def _resume_command(ctx: typer.Context) -> str:
    """Return the command that continues the run, or nothing without a kept run."""
    values = invocation_of(ctx).values
    folder = values.get("run")
    if "jobs" in values and isinstance(folder, Path) and is_run(folder):
        return command_to_resume(ctx, folder)
    return ""
