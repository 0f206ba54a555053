"""Places of lists in the folder of lists, so that running twice changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path, PurePath
from typing import NamedTuple

from deckcheck.events.intake.ledger import Kept, Ledger, hash_of
from deckcheck.events.intake.pieces import Piece
from deckcheck.events.names import file_stem

UNKNOWN = "unknown"
"""The folder of lists that belong to nobody, and the end of their names."""


class Placed(NamedTuple):
    """The file of a list in the folder of lists, and what is done to it."""

    file: str
    done: str
    is_another: bool


class Placing:
    """Chooses files for lists; `writes` and `removed` are what has to be done.

    A list that somebody else wrote, or changed since it was collected, is never
    replaced.
    """

    def __init__(self, folder: Path, old: Ledger) -> None:
        self.folder = folder
        self.old = old
        self.lists = dict(old.lists)
        self.writes: dict[str, bytes] = {}
        self.removed: list[str] = []
        self.taken: set[str] = set()

    def place(
        self, piece: Piece, player: str | None, suffix: str, data: bytes
    ) -> Placed:
        """The file of a list; the second one of a player lies in a folder `2`."""
        for number, path in enumerate(_paths(piece, player, suffix)):
            done = None if path in self.taken else self._done(path, piece, data)
            if done is None:
                continue
            self.taken.add(path)
            if done != "kept as you have changed it":
                self.writes[path] = data
                kept = Kept(piece.place, player, hash_of(piece.data), hash_of(data))
                self.lists[path] = kept
            return Placed(path, done, player is not None and number > 0)
        raise AssertionError("there is always another folder")

    def _done(self, path: str, piece: Piece, data: bytes) -> str | None:
        """What happens to a file; None if it is not to be touched."""
        now, kept = self._now(path), self.old.lists.get(path)
        if now is None:
            return "new"
        if now == data:
            return "unchanged"
        if kept is not None and kept.written == hash_of(now):
            return "replaces an earlier list"
        if kept is not None and kept.arrived == hash_of(piece.data):
            return "kept as you have changed it"
        return None

    def _now(self, path: str) -> bytes | None:
        file = self.folder / path
        return file.read_bytes() if file.is_file() else None

    def remove_stale(self, places: Collection[str], players: Collection[str]) -> None:
        """Take away lists that were collected and are not what arrived any more.

        That is what came from the same place and is another list now, and an earlier
        list of a player of whom a list arrived.
        """
        for path, kept in self.old.lists.items():
            now = self._now(path)
            if now is None and path not in self.taken:
                del self.lists[path]
            elif path not in self.taken and now is not None:
                is_meant = kept.place in places or kept.player in players
                if is_meant and hash_of(now) == kept.written:
                    self.removed.append(path)
                    del self.lists[path]


def _paths(piece: Piece, player: str | None, suffix: str) -> Iterator[str]:
    if player is not None:
        home, stem = PurePath(), file_stem(player)
    else:
        # By its own name it might be the list of a player after all.
        home, stem = (
            PurePath(UNKNOWN),
            f"{file_stem(PurePath(piece.name).stem)}_{UNKNOWN}",
        )
    for number in count(1):
        folder = home if number == 1 else home / str(number)
        yield (folder / f"{stem}{suffix}").as_posix()
