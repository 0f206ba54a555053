"""The Python examples of the pages about cards and formats."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.mark.parametrize("page", ["card-database.md", "formats.md"])
def test_examples(page: str) -> None:
    failed, attempted = doctest.testfile(str(DOCS / page), module_relative=False)

    assert attempted > 0
    assert failed == 0
