"""Completion in shells: what a shell asks for, and how it is set up."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import typer

from deckcheck.cli.application import application, load_command
from deckcheck.cli.commands import COMMANDS, PROGRAM
from deckcheck.findings.errors import UsageError

VARIABLE = "_DECKCHECK_COMPLETE"
"""Where the script of a shell says that it wants completions, and for which one."""


def complete() -> int:
    """Print what completes the command line that the shell describes; the exit code.

    Whatever goes wrong, such as a broken card database, means that nothing is offered:
    nobody wants an error message in the middle of a line.
    """
    try:
        _join_assignments()
        with _without_rich():
            name = _begun()
            loaded = None if name is None else load_command(name)
            application(loaded).main([], prog_name=PROGRAM, complete_var=VARIABLE)
    except SystemExit as end:
        # The answer to fish, too, which asks whether there is anything to complete.
        return end.code if isinstance(end.code, int) else 1
    except Exception:
        return 1
    return 0


def _begun() -> str | None:
    """The command on the line that is completed, if it is written out."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    names = {command.name for command in COMMANDS}
    words = line.split()[1:]
    if "COMP_CWORD" in os.environ:
        words = words[: int(os.environ["COMP_CWORD"]) - 1]
    elif not line.endswith((" ", "\n")):
        words = words[:-1]
    return next((word for word in words if word in names), None)


def set_up_completion(arguments: list[str]) -> int:
    """Do what `--install-completion` or `--show-completion` asks; the exit code."""
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            main = application(None).main
            code = main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except OSError as error:
        from deckcheck.cli.writing import unwritable

        raise unwritable(str(error.filename), error) from error
    if code or not said.getvalue():
        raise UsageError(
            "Cannot tell which shell to complete in",
            "Run this in bash, zsh, fish or PowerShell",
        )
    typer.echo(said.getvalue(), nl=False)
    return 0


def _join_assignments() -> None:
    """Let `--format=gwent` be read as `--format gwent`; bash splits it at the sign."""
    if "COMP_WORDS" in os.environ:
        parts = os.environ["COMP_WORDS"].split("\n=\n")
        place = int(os.environ["COMP_CWORD"]) - len(parts) + 1
        os.environ.update(COMP_WORDS="\n".join(parts), COMP_CWORD=str(place))


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
