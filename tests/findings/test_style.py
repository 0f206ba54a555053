"""When colours are used."""

from __future__ import annotations

import io

import pytest

from deckcheck.terminal import wants_color


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "environ", "on_terminal", "on_file"),
    [
        ("auto", {}, True, False),
        ("auto", {"NO_COLOR": "1"}, False, False),
        ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, True, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ("auto", {"TERM": "dumb"}, False, False),
        ("auto", {"TERM": "xterm"}, True, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, True, True),
        ("never", {"FORCE_COLOR": "1"}, False, False),
    ],
)
def test_option_then_environment_then_terminal(
    choice: str, environ: dict[str, str], on_terminal: bool, on_file: bool
) -> None:
    assert wants_color(choice, Terminal(), environ) is on_terminal
    assert wants_color(choice, io.StringIO(), environ) is on_file
