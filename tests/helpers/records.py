"""Records in which tests play."""

from typing import Any

from deckcheck.engine.jit import compiled
from deckcheck.engine.records import Records


def lend(array: Any) -> Any:
    """Return an array as compiled games need it, or fast records where none are."""
    return array if compiled else Records(array)
