"""The command line: `main` runs a command and turns every ending into an exit code."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, TextIO

import typer

from deckcheck.cli.application import application, load_command
from deckcheck.cli.commands import COMMANDS, PROGRAM
from deckcheck.cli.declared import WrongValuesError
from deckcheck.cli.limits import limit_met
from deckcheck.cli.path_lists import spelled_out
from deckcheck.cli.printing import tell
from deckcheck.findings.errors import UsageError
from deckcheck.findings.reads import reads_noted
from deckcheck.findings.words import choice, nearest, printable, quote, sentence
from deckcheck.sim.scheduling.interrupts import Ending

__all__ = ["close_pipe", "main", "tell_misuse"]

COMPLETE = "_DECKCHECK_COMPLETE"
"""Where the script of a shell says that it wants completions, and for which one."""

CLEAN, MISUSE, INTERNAL, INTERRUPTED = 0, 2, 3, 130

RENAMED = {
    "check": (
        "`check` is called `expect` now",
        "`deckcheck expect PLAN` tests what a plan expects, `deckcheck validate DECK` "
        "judges a deck",
    )
}
"""Commands of earlier versions: what to say, and what to type."""

# Several threads add in another order, and on a busy machine they take longer than one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; nothing escapes.

    0 clean, 1 findings, 2 misuse, 3 internal error, 130 interrupted; 128 more than its
    number for another signal that ends a process.
    """
    _prepare_streams()
    with Ending() as ending:
        code = _ended(list(sys.argv[1:] if args is None else args))
    return ending.code if code == INTERRUPTED else code


def _ended(arguments: list[str]) -> int:
    """Run a command; how it ended, as an exit code."""
    try:
        with reads_noted():
            code = _run(arguments)
        sys.stdout.flush()
    except UsageError as error:
        code = _misused(arguments, error.message, error.help)
    except (KeyboardInterrupt, typer.Abort):
        tell("interrupted")
        code = INTERRUPTED
    except BrokenPipeError:
        close_pipe(sys.stdout)
        code = CLEAN
    except OSError as error:
        code = _system_error(error, arguments)
    except Exception as error:
        code = _crash(error, arguments)
    return code


def _misused(arguments: list[str], message: str, help: str | None) -> int:
    """Say what was wrong with a command, also where a log of findings was wanted."""
    code = tell_misuse(message, help)
    if any("sarif" in word for word in arguments):
        from deckcheck.cli.misuse import log_misuse

        log_misuse(arguments, message, help)
    return code


def close_pipe(stream: TextIO) -> None:
    """Send `stream` nowhere once nobody reads it, so that the exit is quiet."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _prepare_streams() -> None:
    if sys.stdin is None:
        # Started with `<&-`: there is nothing to read.
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # Started with the stream closed: `>&-`.
            setattr(sys, name, io.StringIO())
        elif hasattr(stream, "reconfigure"):
            # A name that the terminal cannot spell must not end the run.
            stream.reconfigure(errors="backslashreplace")
            if not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
                # Files of ours can be read again, whatever the code page of Windows.
                stream.reconfigure(encoding="utf-8")


def _run(arguments: list[str]) -> int:
    if os.environ.get(COMPLETE):
        from deckcheck.cli.shells import complete

        return complete()
    name = next((word for word in arguments[:1] if not word.startswith("-")), None)
    if name is not None and name not in {command.name for command in COMMANDS}:
        raise _unknown_command(name)
    if arguments[:1] in (["--install-completion"], ["--show-completion"]):
        from deckcheck.cli.shells import set_up_completion

        return set_up_completion(arguments)
    try:
        loaded = load_command(name) if name is not None else None
        if loaded is not None:
            arguments = [*spelled_out(arguments, loaded.settings)]
        parse = application(loaded).main
        parsed = parse(arguments, prog_name=PROGRAM, standalone_mode=False)
    except WrongValuesError as error:
        raise UsageError(error.message, _where_help_is(name)) from None
    except typer.TyperException as error:
        message, help = _explain(error)
        raise UsageError(message, help or _where_help_is(name)) from None
    try:
        result = parsed() if callable(parsed) else parsed
    except typer.Exit as end:
        return end.exit_code
    return result if isinstance(result, int) else CLEAN


def _where_help_is(name: str | None) -> str:
    return f"See `{PROGRAM if name is None else f'{PROGRAM} {name}'} --help`"


def _unknown_command(name: str) -> UsageError:
    from deckcheck.cli.suggesting import commands_like

    if name in RENAMED:
        return UsageError(*RENAMED[name])
    names = [command.name for command in COMMANDS]
    near = commands_like(name, names)
    help = f"Did you mean {choice(near)}?" if near else None
    help = help or f"Commands are {choice(names, 'and')}"
    return UsageError(f"No such command {quote(name)}", help)


def tell_misuse(message: str, help: str | None) -> int:
    """Say on standard error what is wrong and what to do; return the exit code."""
    # A message that starts with a place, `deckcheck.toml:3:1:`, keeps its spelling.
    is_place = message.partition(" ")[0].endswith(":")
    tell(f"error: {message if is_place else sentence(message)}")
    if help:
        tell(f"help: {sentence(help)}")
    return MISUSE


def _explain(error: Any) -> tuple[str, str | None]:
    """What typer says of a wrong option or argument, in our words."""
    import re

    option = getattr(error, "option_name", None)
    message = error.format_message().partition(" (Possible options")[0].rstrip(".")
    message = re.sub(r"'([^']*)'", lambda quoted: quote(quoted[1]), message)
    extra = re.match(r"Got unexpected .*? \((.*)\)$", message, re.DOTALL)
    if extra:
        message = f"Too many arguments: {quote(extra[1])}"
    if option is not None and message.startswith("No such option"):
        message = f"No such option {quote(option)}"
    # The dashes that all options begin with make none of them more likely.
    words = [
        possibility.lstrip("-")
        for possibility in getattr(error, "possibilities", None) or ()
    ]
    near = nearest((option or "").lstrip("-"), words)
    return message, f"Did you mean `--{near[0]}`?" if near else None


def _system_error(error: OSError, arguments: Sequence[str]) -> int:
    """A full disk is the user's problem, as a limit is; anything else is ours."""
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return _crash(error, arguments)
    close_pipe(sys.stdout)
    return tell_misuse(f"Cannot write: {os.strerror(error.errno).lower()}", None)


def _crash(error: Exception, arguments: Sequence[str]) -> int:
    limit = limit_met(error)
    if limit is not None:
        return tell_misuse(limit.message, limit.help)
    from deckcheck.cli.crash import write_log

    log = write_log(error, arguments)
    kind = f"{type(error).__name__}: {printable(str(error))[:200]}"
    tell(f"internal error: {kind}")
    where = (
        f"attach the log {log}" if log else "say what you ran; no log could be written"
    )
    tell(f"help: This is a bug in deckcheck: please report it and {where}")
    return INTERNAL
