"""The cards of the web game gwent-classic: its numbers and ours."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

from deckcheck.cards import CardDatabase
from deckcheck.findings.errors import UsageError

FACTIONS = {
    "realms": "northern_realms",
    "nilfgaard": "nilfgaard",
    "monsters": "monsters",
    "scoiatael": "scoiatael",
    "skellige": "skellige",
}
"""Our factions by the words of gwent-classic."""


class ClassicIndex:
    """The cards and leaders by their numbers; a card may have several numbers."""

    def __init__(self, file: Path) -> None:
        self.ids: dict[str, dict[int, str]] = {"card": {}, "leader": {}}
        self.numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
        with file.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                kind, number, id = row["kind"], int(row["index"]), row["id"]
                self.ids[kind][number] = id
                self.numbers[kind, id].append(number)


def load_index(db: CardDatabase) -> ClassicIndex:
    """The numbers of gwent-classic; UsageError if the game has none."""
    file = db.root / db.game.id / "gwent_classic.csv"
    if not file.is_file():
        raise UsageError(f"The web game gwent-classic does not play `{db.game.id}`")
    return _load(file)


@lru_cache(maxsize=4)
def _load(file: Path) -> ClassicIndex:
    return ClassicIndex(file)
