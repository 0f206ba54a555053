"""`main`: every ending of the program is an exit code and at most a few lines."""

import errno
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from helpers.commands import stderr_of, stdout_of

from deckcheck import __version__
from deckcheck.cli import commands, main
from deckcheck.cli.application import all_options
from deckcheck.cli.help import SECTION_OPTIONS
from deckcheck.findings import UsageError

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
STANDARD = ("-f", "gwent/standard")


def command_that(monkeypatch: pytest.MonkeyPatch, result: object) -> Callable[[], int]:
    """Let the command `rule` return or raise this; returns how to run it."""

    def rule() -> object:
        if isinstance(result, BaseException):
            raise result
        return result

    monkeypatch.setattr("deckcheck.cli.validate.rule", rule)
    return lambda: main(["rule"])


FULL = OSError(errno.ENOSPC, "No space left on device")
ENDINGS: tuple[tuple[object, int, str], ...] = (
    *((None, 0, ""), (0, 0, ""), (1, 1, ""), (7, 7, ""), (typer.Exit(5), 5, "")),
    (UsageError("no such thing", "try it"), 2, "error: No such thing\nhelp: Try it\n"),
    (UsageError("No"), 2, "error: No\n"),
    (KeyboardInterrupt(), 130, "interrupted\n"),
    (typer.Abort(), 130, "interrupted\n"),
    (BrokenPipeError(), 0, ""),
    (FULL, 2, "error: Cannot write: no space left on device\n"),
)
"""What a command returns or raises, its exit code, and what is said."""


def test_each_ending_has_a_code_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """0 clean, 1 findings, 2 misuse, 3 internal, 130 interrupted."""
    for result, code, said in ENDINGS:
        assert command_that(monkeypatch, result)() == code, result
        assert capsys.readouterr().err == said, result


def test_an_internal_error_is_logged(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path
) -> None:
    """In a home that is read-only among temporary files, or nowhere."""
    folder, nowhere = tmp_path / "logs", tmp_path / "file" / "log"
    (tmp_path / "file").touch()
    folder.mkdir()
    run = command_that(monkeypatch, ZeroDivisionError("oh\x1b[0m \udc80"))
    monkeypatch.setattr("platformdirs.user_log_path", lambda *_, **__: folder)

    assert run() == 3
    first, second = capsys.readouterr().err.splitlines()
    [log] = folder.iterdir()
    assert first == "internal error: ZeroDivisionError: oh\\x1b[0m \\udc80"
    assert "please report it" in second
    assert str(log) in second
    text = log.read_text()
    assert f"deckcheck {__version__}" in text
    assert "arguments: ['rule']" in text
    assert "Traceback" in text
    monkeypatch.setattr("platformdirs.user_log_path", lambda *_, **__: nowhere)
    for temporary, where in (
        (tmp_path, str(tmp_path / "crash-")),
        (nowhere, "no log could be written"),
    ):
        monkeypatch.setattr("tempfile.gettempdir", lambda t=temporary: str(t))
        assert run() == 3
        assert where in capsys.readouterr().err


class TestHelp:
    """Help starts with an example and goes to standard output."""

    def test_of_the_program(self, capsys: Captured) -> None:
        for words in ((), ("-h",), ("--help",)):
            out = stdout_of(capsys, *words)
            assert out.startswith("Example: deckcheck validate decks/gwent/standard\n")
            for command in commands.COMMANDS:
                assert f"  {command.name} " in out
            assert out.endswith(f"\n\nMore: {commands.MANUAL}/index.md\n")
        assert (ROOT / "docs" / "index.md").is_file()
        assert stdout_of(capsys, "--version") == f"deckcheck {__version__}\n"

    @pytest.mark.parametrize("command", commands.COMMANDS, ids=lambda c: c.name)
    def test_of_each_command(self, capsys: Captured, command: commands.Command) -> None:
        out = stdout_of(capsys, command.name, "-h")
        assert out.startswith(f"Example: deckcheck {command.name}")
        if command.name in ("tune", "compare"):
            # Decks cannot be left out.
            argument = "DECK" if command.name == "tune" else "OLD NEW..."
            assert f"Usage: deckcheck {command.name} [OPTIONS] {{{argument}}}\n" in out
            assert "[required]" in out
        assert out.endswith(f"\n\nMore: {commands.MANUAL}/{command.page}\n")
        page = ROOT / "docs" / command.page
        assert f"deckcheck {command.name}" in page.read_text(encoding="utf-8")

    def test_many_options_stand_in_sections(self, capsys: Captured) -> None:
        out = stdout_of(capsys, "simulate", "-h")
        keys = {setting.key for setting in all_options()}

        assert re.findall(r"^(\w.*):$", out, re.MULTILINE) == [
            *("Arguments", "Decks and rules", "Games", "When to stop"),
            *("Work", "Output", "Configuration"),
        ]
        assert {key for keys in SECTION_OPTIONS.values() for key in keys} <= keys


def test_a_closed_pipe_ends_quietly() -> None:
    done = subprocess.run(
        f"{sys.executable} -m deckcheck rule | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_long_word_is_cut_in_messages(capsys: Captured) -> None:
    word = "z" * 10**6
    for words in (
        [f"--{word}"],
        ["rule", f"--{word}"],
        ["rule", "DL103", word],
        [word],
    ):
        error = stderr_of(capsys, *words).partition("\n")[0]
        assert "zzz" in error
        assert len(error) < 100


def test_closed_streams_are_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Standard input that is closed is empty."""
    for stream in ("stdout", "stderr"):
        with monkeypatch.context() as patch:
            patch.setattr(sys, stream, None)
            assert main(["rule", "DL103"]) == 0, stream
    monkeypatch.setattr(sys, "stdin", None)
    assert "empty-deck" in stdout_of(capsys, "validate", "-", *STANDARD, code=1)
