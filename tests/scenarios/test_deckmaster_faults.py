"""What is said of wrong cards in scenarios of Deckmaster: in the words of the file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("card", ["3 fire ice", "3 fire ice burning", "ice 2 fire"])
def test_a_wrong_card_on_the_board_is_quoted_as_it_stands(
    card: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.yaml"
    board = f'board: ["{card}", "", "", "", "", "", "", "", ""]\n'
    file.write_text("rule: deckmaster 8.6\nformat: deckmaster/standard\n" + board)

    # Scenarios are played uncompiled, for which they need a process of their own.
    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert f":3:9: `{card}` has `" in done.stderr
