"""Run the command line: exit codes, usage errors, crash logs, suggestions."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import platform
import re
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import typer

from deckcheck.cli.application import (
    COMPLETION_VARIABLE,
    complete,
    load_command,
    make_application,
    set_up_completion,
)
from deckcheck.cli.commands import COMMANDS, PROGRAM
from deckcheck.cli.output import (
    CLEAN,
    INTERNAL,
    INTERRUPTED,
    MISUSE,
    close_pipe,
    in_checkout,
    tell,
    tell_misuse,
    write_file,
)
from deckcheck.cli.settings import WrongValuesError, spell_out
from deckcheck.files import note_reads
from deckcheck.findings import UsageError
from deckcheck.messages import choice, nearest, printable, quote, suggestion
from deckcheck.sim.interrupts import Ending
from deckcheck.version import __version__

# The log of an internal error


def write_log(error: BaseException, arguments: Sequence[str]) -> Path | None:
    """Write a log of `error`. Returns None if no folder can be written.

    The log is in the user's log folder, or else in the folder for temporary files.
    """
    text = _describe(error, arguments)
    for folder in _list_known_folders():
        file = folder / f"crash-{os.getpid()}.log"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return file
    return None


def _list_known_folders() -> Iterator[Path]:
    from platformdirs import user_log_path

    # Without a home folder there is none for logs either, and a system that is
    # read-only may have none for temporary files.
    with contextlib.suppress(OSError, RuntimeError):
        yield user_log_path("deckcheck", appauthor=False)
    with contextlib.suppress(OSError):
        yield Path(tempfile.gettempdir())


def _describe(error: BaseException, arguments: Sequence[str]) -> str:
    trace = "".join(traceback.format_exception(error))
    return (
        f"deckcheck {__version__}\n"
        f"Python {sys.version}\n"
        f"{platform.platform()}\n"
        f"arguments: {list(arguments)!r}\n"
        f"folder: {_shown_working_folder()}\n\n{trace}"
    )


def _shown_working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "gone"


# SARIF for code scanning, of a command that could not be carried out


LOGGED_COMMANDS = ("validate", "event")
FORMAT = "--output-format"
OUTPUT = ("-o", "--output")


def log_misuse(arguments: Sequence[str], message: str, help: str | None) -> None:
    """Write the error of a command to its SARIF file.

    The arguments are read as they are, since they may be wrong. Only files of deckcheck
    are replaced.
    """
    if not arguments or arguments[0] not in LOGGED_COMMANDS:
        return
    places = list(_list_sarif_files(arguments))
    if not places:
        return
    from deckcheck.reporters.machine import write_misuse

    stream = io.StringIO()
    write_misuse(message, help, stream)
    for file in places:
        if file is None:
            with contextlib.suppress(OSError):
                sys.stdout.write(stream.getvalue())
        elif _is_ours(file):
            with contextlib.suppress(UsageError):
                write_file(file, stream.getvalue())


def _list_sarif_files(arguments: Sequence[str]) -> Iterator[str | None]:
    """Yield the requested SARIF files, None for standard output."""
    rest = next(_find_option_values(arguments, OUTPUT), "")
    folder = next(_find_option_values(arguments, ("--checkout",)), None)
    checkout = None if folder is None else Path(folder)
    for value in _find_option_values(arguments, (FORMAT,)):
        name, _, file = value.partition(":")
        if name == "sarif" and (file := file or rest):
            with contextlib.suppress(UsageError):
                yield str(in_checkout(checkout, Path(file)))
        elif name == "sarif":
            yield None


def _find_option_values(
    arguments: Sequence[str], names: Sequence[str]
) -> Iterator[str]:
    for index, word in enumerate(arguments):
        if word == "--":
            return
        name, equals, value = word.partition("=")
        if equals and name in names:
            yield value
        elif word in names and index + 1 < len(arguments):
            yield arguments[index + 1]


def _is_ours(place: str) -> bool:
    """Report whether a file does not exist, is empty, or is an output of deckcheck."""
    from deckcheck.decks.generated_files import (
        HEAD_BYTES,
        OUTPUT_KIND,
        find_generated_kind,
    )

    if not os.path.lexists(place):
        return True
    if not os.path.isfile(place):
        return False
    with contextlib.suppress(OSError), open(place, "rb") as stream:
        text = stream.read(HEAD_BYTES).decode("utf-8", errors="replace")
        kind = find_generated_kind(text, f"{Path(place).stem}.json")
        return not text or kind == OUTPUT_KIND
    return False


# Suggestions for unknown commands


_OTHER_WORDS = (
    ("validate", "check, verify, lint, test, judge, legal, ok"),
    ("simulate", "play, run, sim, match, matches, games, duel, battle, winrate"),
    ("scenario", "position, puzzle"),
    ("stats", "odds, curve, probability, probabilities, chance, hand, figures"),
    ("meta", "metagame, nash, equilibrium"),
    ("resume", "continue, restart"),
    ("cards", "search, find, show, list, info"),
    ("formats", "rulesets, snapshots, diff"),
    ("event", "tournament, tourney, seal"),
    ("rule", "explain, why, finding, error, code"),
    ("convert", "export, import, share, to"),
    ("generate", "random, new, make, create, deal"),
    ("fmt", "tidy, clean, fix, prettify, reformat"),
    ("schema", "json-schema"),
    ("warmup", "compile, cache, prepare"),
    ("--help", "help, usage, man, commands"),
    ("--version", "version, about"),
)
"""The words of other programs for a command or option."""


def commands_like(word: str, commands: Sequence[str]) -> list[str]:
    """Return the commands that a word may mean, by its sense or its spelling.

    A file is meant to be validated.
    """
    if os.path.isfile(word):
        return [f"deckcheck validate {word}"]
    named = {}
    for command, words in _OTHER_WORDS:
        for other in words.split(", "):
            named[other] = f"deckcheck {command}" if command[0] == "-" else command
    if word.lower() in named:
        return [named[word.lower()]]
    near = nearest(word, commands, limit=2)
    return near or [named[other] for other in nearest(word, named)]


# The command line: `main` runs a command and turns every ending into an exit code


# Several threads add in another order, and on a busy machine they take longer than one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


MAX_CODE_WITHOUT_SIGNAL = 128
"""A process that a signal ends has this exit code plus the number of the signal."""


def run() -> NoReturn:
    """Run the command line and end the process with its exit code.

    After an interrupt the process ends at once: threads may be playing blocks for which
    nobody waits any more.
    """
    code = main()
    if code > MAX_CODE_WITHOUT_SIGNAL:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):  # full, or closed
                stream.flush()
        os._exit(code)
    sys.exit(code)


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, without any exception.

    0 clean, 1 findings, 2 usage error, 3 internal error, 130 interrupted. After another
    signal that ends a process it is 128 more than the number of the signal.
    """
    _prepare_streams()
    with Ending() as ending:
        code = _run_and_log(list(sys.argv[1:] if args is None else args))
    return ending.code if code == INTERRUPTED else code


def _run_and_log(arguments: list[str]) -> int:
    """Run a command and return its exit code. Failures are printed and logged."""
    try:
        with note_reads():
            code = _run(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        tell_misuse(error.message, error.help)
        log_misuse(arguments, error.message, error.help)
        return MISUSE
    except (KeyboardInterrupt, typer.Abort):
        tell("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        close_pipe(sys.stdout)
        return CLEAN
    except OSError as error:
        return _report_system_error(error, arguments)
    except Exception as error:
        return _report_crash(error, arguments)


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
    if os.environ.get(COMPLETION_VARIABLE):
        return complete()
    name = None
    if arguments and not arguments[0].startswith("-"):
        name = arguments[0]
    if name is not None and name not in {command.name for command in COMMANDS}:
        raise _unknown_command_error(name)
    if arguments[:1] in (["--install-completion"], ["--show-completion"]):
        return set_up_completion(arguments)
    try:
        loaded = None
        if name is not None:
            loaded = load_command(name)
            arguments = list(spell_out(arguments, loaded.settings))
        parse = make_application(loaded).main
        parsed = parse(arguments, prog_name=PROGRAM, standalone_mode=False)
    except WrongValuesError as error:
        raise UsageError(error.message, _point_to_help(name)) from None
    except typer.TyperException as error:
        message, help = _explain(error)
        raise UsageError(message, help or _point_to_help(name)) from None
    try:
        # A command that is ready to run, or the exit code of typer.
        result = parsed() if callable(parsed) else parsed
    except typer.Exit as end:
        return end.exit_code
    if isinstance(result, int):
        return result
    return CLEAN


def _point_to_help(name: str | None) -> str:
    if name is None:
        return f"See `{PROGRAM} --help`"
    return f"See `{PROGRAM} {name} --help`"


def _unknown_command_error(name: str) -> UsageError:
    names = [command.name for command in COMMANDS]
    listed = f"Commands are {choice(names, 'and')}"
    help = suggestion(commands_like(name, names), listed)
    return UsageError(f"No such command {quote(name)}", help)


def _explain(error: Any) -> tuple[str, str | None]:
    """Return the message and remedy for a wrong option or argument in our words."""
    option = getattr(error, "option_name", None)
    message = error.format_message().partition(" (Possible options")[0].rstrip(".")
    message = re.sub(r"'([^']*)'", lambda quoted: quote(quoted[1]), message)
    extra = re.match(r"Got unexpected .*? \((.*)\)$", message, re.DOTALL)
    if extra:
        message = f"Too many arguments: {quote(extra[1])}"
    if option is not None and message.startswith("No such option"):
        message = f"No such option {quote(option)}"
    # The dashes that all options begin with make none of them more likely.
    words = []
    for possibility in getattr(error, "possibilities", None) or ():
        words.append(possibility.lstrip("-"))
    near = nearest((option or "").lstrip("-"), words)
    return message, suggestion(f"--{name}" for name in near)


def _report_system_error(error: OSError, arguments: Sequence[str]) -> int:
    """Return the exit code of a system error: 2 for a full disk or a limit, else 3."""
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return _report_crash(error, arguments)
    close_pipe(sys.stdout)
    return tell_misuse(f"Cannot write: {os.strerror(error.errno).lower()}", None)


def _report_crash(error: Exception, arguments: Sequence[str]) -> int:
    from deckcheck.cli.loading import limit_met

    limit = limit_met(error)
    if limit is not None:
        return tell_misuse(limit.message, limit.help)

    log = write_log(error, arguments)
    kind = f"{type(error).__name__}: {printable(str(error))[:200]}"
    tell(f"internal error: {kind}")
    request = f"attach the log {log}"
    if not log:
        request = "include the command: no log could be written"
    tell(f"help: This is a bug in deckcheck: please report it and {request}")
    return INTERNAL
