"""The pieces that arrive: a file, an attachment, a row of a form."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from deckcheck.decks.files import MAX_BYTES


class Hint(NamedTuple):
    """Something that may say whose a list is: `by` the file name, the sender, a row."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One list as it arrived.

    `place` says where, `mail.eml: list.txt`; `name` is that of its file, whose suffix
    tells how it is written. `remarks` say what was done to it, `fault` why nothing can
    be read of it.
    """

    place: str
    name: str
    data: bytes = field(repr=False)
    hints: tuple[Hint, ...] = ()
    remarks: tuple[str, ...] = ()
    fault: str | None = None

    def noting(self, remark: str) -> Piece:
        """The piece with one more remark."""
        return replace(self, remarks=(*self.remarks, remark))


@dataclass(slots=True)
class Budget:
    """How much of archives and mails is unpacked, over all that they hold."""

    pieces: int = 2_000
    bytes: int = 64 * MAX_BYTES
    depth: int = 4

    def spend(self, size: int) -> bool:
        """Whether another piece of this size may be unpacked."""
        self.pieces -= 1
        self.bytes -= size
        return self.pieces >= 0 and self.bytes >= 0
