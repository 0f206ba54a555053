"""What commands print, and what they say: in the process of a test, or in their own."""

import subprocess
import sys
from typing import Any

import pytest

from deckcheck.cli import main


def stdout_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What a command prints, which ends with this exit code."""
    assert main(list(words)) == code
    return capsys.readouterr().out


def stderr_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    """What a command says on standard error, which ends with this exit code."""
    assert main(list(words)) == code
    return capsys.readouterr().err


def run_alone(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own; `options` are those of the process."""
    command = [sys.executable, "-m", "deckcheck", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, **options
    )
