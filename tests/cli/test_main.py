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
from deckcheck.cli.application import SECTION_OPTIONS, all_options
from deckcheck.findings import UsageError

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]


def command_that(
    monkeypatch: pytest.MonkeyPatch, does: Callable[[], object]
) -> Callable[[], int]:
    """Replace the command `rule` by one that calls `does`; returns how to run it."""

    def rule() -> object:
        return does()

    monkeypatch.setattr("deckcheck.cli.validate.rule", rule)
    return lambda: main(["rule"])


def raising(error: BaseException) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


class TestExitCodes:
    """0 clean, 1 findings, 2 misuse, 3 internal, 130 interrupted."""

    @pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (1, 1), (7, 7)])
    def test_a_command_returns_its_code(
        self, monkeypatch: pytest.MonkeyPatch, result: object, code: int
    ) -> None:
        assert command_that(monkeypatch, lambda: result)() == code
        assert command_that(monkeypatch, raising(typer.Exit(5)))() == 5

    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (("no such thing", "try it"), "error: No such thing\nhelp: Try it\n"),
            (("No",), "error: No\n"),
        ],
    )
    def test_misuse(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capsys: Captured,
        error: tuple[str, ...],
        said: str,
    ) -> None:
        assert command_that(monkeypatch, raising(UsageError(*error)))() == 2
        assert capsys.readouterr().err == said

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), typer.Abort()])
    def test_interrupted(
        self, monkeypatch: pytest.MonkeyPatch, capsys: Captured, error: BaseException
    ) -> None:
        assert command_that(monkeypatch, raising(error))() == 130
        assert capsys.readouterr().err == "interrupted\n"

    def test_internal_error(
        self, monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("platformdirs.user_log_path", lambda *_, **__: tmp_path)

        assert (
            command_that(monkeypatch, raising(ZeroDivisionError("oh\x1b[0m \udc80")))()
            == 3
        )

        first, second = capsys.readouterr().err.splitlines()
        [log] = tmp_path.iterdir()
        assert first == "internal error: ZeroDivisionError: oh\\x1b[0m \\udc80"
        assert "please report it" in second
        assert str(log) in second
        text = log.read_text()
        assert f"deckcheck {__version__}" in text
        assert "arguments: ['rule']" in text
        assert "Traceback" in text

    @pytest.mark.parametrize("has_folder", [True, False])
    def test_an_internal_error_in_a_read_only_home(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capsys: Captured,
        tmp_path: Path,
        has_folder: bool,
    ) -> None:
        (tmp_path / "file").write_text("")
        nowhere = tmp_path / "file" / "log"
        folder = tmp_path if has_folder else nowhere
        monkeypatch.setattr("platformdirs.user_log_path", lambda *_, **__: nowhere)
        monkeypatch.setattr("tempfile.gettempdir", lambda: str(folder))

        assert command_that(monkeypatch, raising(ValueError("x")))() == 3
        where = str(tmp_path / "crash-") if has_folder else "no log could be written"
        assert where in capsys.readouterr().err


class TestHelp:
    """Help starts with an example and goes to standard output."""

    @pytest.mark.parametrize("args", [[], ["-h"], ["--help"]])
    def test_of_the_program(self, capsys: Captured, args: list[str]) -> None:
        out = stdout_of(capsys, *args)
        assert out.startswith("Example: deckcheck validate decks/gwent/standard\n")
        for command in commands.COMMANDS:
            assert f"  {command.name} " in out
        assert out.endswith(f"\n\nMore: {commands.MANUAL}/index.md\n")
        assert (ROOT / "docs" / "index.md").is_file()

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

    def test_version(self, capsys: Captured) -> None:
        assert stdout_of(capsys, "--version") == f"deckcheck {__version__}\n"


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


@pytest.mark.parametrize(
    "words",
    [
        [f"--{'z' * 10**6}"],
        ["rule", f"--{'z' * 10**6}"],
        ["rule", "DL103", "z" * 10**6],
        ["z" * 10**6],
    ],
)
def test_a_long_word_is_cut_in_messages(words: list[str], capsys: Captured) -> None:
    error = stderr_of(capsys, *words).partition("\n")[0]
    assert "zzz" in error
    assert len(error) < 100


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (BrokenPipeError(), 0, ""),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            2,
            "error: Cannot write: no space left on device\n",
        ),
    ],
)
def test_a_broken_pipe_is_no_error_and_a_full_disk_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    error: OSError,
    code: int,
    said: str,
) -> None:
    assert command_that(monkeypatch, raising(error))() == code
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_error(
    monkeypatch: pytest.MonkeyPatch, stream: str
) -> None:
    monkeypatch.setattr(sys, stream, None)

    assert main(["rule", "DL103"]) == 0


def test_closed_standard_input_is_empty(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(sys, "stdin", None)

    assert main(["validate", "-", "-f", "gwent/standard"]) == 1
    assert "empty-deck" in capsys.readouterr().out
