"""Text that remembers where it stands."""

from __future__ import annotations


class Placed(str):
    """Text from a file, at `place`: `deckcheck.toml:3:9`."""

    __slots__ = ("place",)

    place: str

    def __new__(cls, text: str, place: str) -> Placed:
        """The text, and its place."""
        placed = super().__new__(cls, text)
        placed.place = place
        return placed
