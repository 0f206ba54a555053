"""Formats of a user, beside the cards of Gwent."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import card_db_root

Formats = Callable[..., Path]


@pytest.fixture
def formats(tmp_path: Path) -> Formats:
    """Write format files into a copy of the database of Gwent; return its root."""

    def write(**texts: str) -> Path:
        root = tmp_path / "db"
        shutil.copytree(card_db_root() / "gwent", root / "gwent")
        for name, text in texts.items():
            file = root / "gwent" / "formats" / f"{name}.yaml"
            file.write_text(text, encoding="utf-8")
        return root

    return write
