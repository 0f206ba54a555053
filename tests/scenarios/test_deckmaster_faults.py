"""What is said of wrong cards in scenarios of Deckmaster: in the words of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main


@pytest.mark.parametrize("card", ["3 fire ice", "3 fire ice burning", "ice 2 fire"])
def test_a_wrong_card_on_the_board_is_quoted_as_it_stands(
    card: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.yaml"
    board = f'board: ["{card}", "", "", "", "", "", "", "", ""]\n'
    file.write_text("rule: deckmaster 8.6\nformat: deckmaster/standard\n" + board)

    assert main(["scenario", str(file)]) == 2

    message = f":3:9: `{card}` has `"
    assert message in capsys.readouterr().err
