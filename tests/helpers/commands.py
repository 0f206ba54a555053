"""What commands print, and what they say, in the process of a test."""

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
