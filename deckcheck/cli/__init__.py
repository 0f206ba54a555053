"""The command line: `main` runs a command and turns every ending into an exit code."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated, TextIO

import typer

from deckcheck.cli.commands import PROGRAM, CommandGroup, new_app
from deckcheck.cli.completing import asked_to_complete, complete
from deckcheck.cli.limits import limit_met
from deckcheck.cli.printing import tell
from deckcheck.cli.values import plainly
from deckcheck.findings.errors import UsageError
from deckcheck.findings.reads import reads_noted
from deckcheck.findings.words import nearest, printable, sentence
from deckcheck.sim.scheduling.interrupts import Ending

__all__ = ["close_pipe", "main", "tell_misuse"]

CLEAN, MISUSE, INTERNAL, INTERRUPTED = 0, 2, 3, 130

# Several threads add in another order, and on a busy machine they take longer than one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

app = new_app(name="deckcheck", cls=CommandGroup)


def _show_version(ctx: typer.Context, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from deckcheck.version import __version__

        typer.echo(f"deckcheck {__version__}")
        raise typer.Exit(CLEAN)


@app.callback()
def deckcheck(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            callback=_show_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Validate decklists, and measure them by fast, reproducible play."""


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
        code = tell_misuse(error.message, error.help)
    except typer.TyperException as error:
        code = tell_misuse(*_explain(error))
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
    group = typer.main.get_command(app)
    if asked_to_complete():
        return complete(group, PROGRAM)
    try:
        if not arguments:
            arguments = ["--help"]
        with group.make_context(PROGRAM, arguments) as context:
            result = group.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return result if isinstance(result, int) else CLEAN


def tell_misuse(message: str, help: str | None) -> int:
    """Say on standard error what is wrong and what to do; return the exit code."""
    # A message that starts with a place, `deckcheck.toml:3:1:`, keeps its spelling.
    is_place = message.partition(" ")[0].endswith(":")
    tell(f"error: {message if is_place else sentence(message)}")
    if help:
        tell(f"help: {sentence(help)}")
    return MISUSE


def _explain(error: typer.TyperException) -> tuple[str, str | None]:
    """What typer says of a wrong option or argument, in our words."""
    import re

    option = getattr(error, "option_name", None)
    message = plainly(error)
    message = re.sub(
        r"^Got unexpected .* \((.*)\)$", r"Too many arguments: `\1`", message
    )
    if option is not None and message.startswith("No such option"):
        message = f"No such option `{printable(option)}`"
    # The dashes that all options begin with make none of them more likely.
    words = [each.lstrip("-") for each in getattr(error, "possibilities", None) or ()]
    near = nearest((option or "").lstrip("-"), words)
    if near:
        return message, f"Did you mean `--{near[0]}`?"
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "deckcheck"
    return message, f"See `{path} --help`"


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
