"""Completion in shells: answers to their requests, and its set-up."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import typer

from deckcheck.cli.application import load_command, make_application
from deckcheck.cli.commands import COMMANDS, PROGRAM
from deckcheck.files import unusable
from deckcheck.findings import UsageError

COMPLETION_VARIABLE = "_DECKCHECK_COMPLETE"
"""The variable in which the script of a shell names itself and asks for completions."""


def complete() -> int:
    """Print the completions of the shell's command line, and return the exit code.

    Any failure, such as a broken card database, means that nothing is offered, since
    nobody wants an error message in the middle of a line.
    """
    try:
        _join_assignments()
        with _without_rich():
            loaded = None
            name = _find_command()
            if name is not None:
                loaded = load_command(name)
            make_application(loaded).main(
                [], prog_name=PROGRAM, complete_var=COMPLETION_VARIABLE
            )
    except SystemExit as end:
        # fish asks by a call of its own whether there is anything to complete.
        return end.code if isinstance(end.code, int) else 1
    except Exception:
        return 1
    return 0


def _find_command() -> str | None:
    """Return the command on the completed line, if it is written out."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    names = {command.name for command in COMMANDS}
    words = line.split()[1:]
    if "COMP_CWORD" in os.environ:
        words = words[: int(os.environ["COMP_CWORD"]) - 1]
    elif not line.endswith((" ", "\n")):
        words = words[:-1]
    return next((word for word in words if word in names), None)


def set_up_completion(arguments: list[str]) -> int:
    """Carry out `--install-completion` or `--show-completion`, with an exit code."""
    message = io.StringIO()
    try:
        with redirect_stdout(message):
            main = make_application(None).main
            code = main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except OSError as error:
        raise unusable("write", str(error.filename), error) from error
    if code or not message.getvalue():
        raise UsageError(
            "Unknown shell for completion",
            "Run this in bash, zsh, fish or PowerShell",
        )
    typer.echo(message.getvalue(), nl=False)
    return 0


def _join_assignments() -> None:
    """Read `--format=gwent` as `--format gwent`, since bash splits it at the sign."""
    if "COMP_WORDS" in os.environ:
        parts = os.environ["COMP_WORDS"].split("\n=\n")
        index = int(os.environ["COMP_CWORD"]) - len(parts) + 1
        os.environ.update(COMP_WORDS="\n".join(parts), COMP_CWORD=str(index))


@contextmanager
def _without_rich() -> Iterator[None]:
    """Let typer find no rich, which takes longer to import than all else here.

    It would also wrap our plain help texts, and take brackets in them for markup.
    """
    missing: Any = None
    if "rich" in sys.modules:
        yield
        return
    sys.modules["rich"] = missing
    try:
        yield
    finally:
        del sys.modules["rich"]
