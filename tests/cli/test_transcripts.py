"""What is looked up, and single games, as before: `python -m tools.transcripts`."""

from pathlib import Path

import pytest
from helpers.outputs import check_schema

from tools.transcripts import check, transcripts


@pytest.mark.usefixtures("one_teller")
@pytest.mark.parametrize("path", transcripts("cli"), ids=lambda path: path.stem)
def test_every_output_is_what_it_was(path: Path) -> None:
    check(path, check_schema)
