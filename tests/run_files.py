"""Files of runs that say something else than they did, with a CRC that is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckcheck.sim.run_files import read_document, write_document

__all__ = ["change_document"]


def change_document(file: Path, **change: Any) -> None:
    """Give keys of a document other values."""
    write_document(file, {**read_document(file), **change})
