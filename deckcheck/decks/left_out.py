"""Files in folders of decks that are not decks: counted in every summary."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deckcheck.findings.words import printable

if TYPE_CHECKING:
    from deckcheck.decks.document import LeftOutDocument

SHOWN = 12


@dataclass(slots=True)
class LeftOut:
    """The files of folders that are no decks, by the reason why.

    `others` counts those without the suffix of a deck, by their suffix in lower case,
    empty for none. `own` are files of deckcheck's own that say so, and what this run is
    writing; `notes` has a sentence for each. `excluded` is what patterns leave out.
    """

    others: Counter[str] = field(default_factory=Counter)
    own: int = 0
    excluded: int = 0
    notes: list[str] = field(default_factory=list)

    def add_others(self, files: Iterable[str]) -> None:
        """Count files that have no suffix of a deck."""
        self.others.update(os.path.splitext(file)[1].lower() for file in files)

    def add_own(self, note: str) -> None:
        """Count a file of deckcheck's own, and say which."""
        self.own += 1
        self.notes.append(note)

    def __bool__(self) -> bool:
        return bool(self.others or self.own or self.excluded)

    def __str__(self) -> str:
        """`2 .jpg, 1 .zip, 3 excluded, 1 of deckcheck's own`; empty for nothing."""
        suffixes = sorted(
            self.others.items(), key=lambda pattern: (-pattern[1], pattern[0])
        )
        parts = [
            f"{number} {printable(suffix) or 'without suffix'}"
            for suffix, number in suffixes[:SHOWN]
        ]
        rest = sum(number for _, number in suffixes[SHOWN:])
        for number, word in (
            (rest, "of other kinds"),
            (self.excluded, "excluded"),
            (self.own, "of deckcheck's own"),
        ):
            if number:
                parts.append(f"{number} {word}")
        return ", ".join(parts)

    def as_data(self) -> LeftOutDocument:
        """The counts as JSON has them."""
        return {
            "others": dict(sorted(self.others.items())),
            "own": self.own,
            "excluded": self.excluded,
        }
