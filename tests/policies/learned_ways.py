"""The games that `learned` knows, each with a few tables at which they are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deckcheck import read
from deckcheck.engine.host.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.host.table import Table, seat, set_table

DECKS = Path(__file__).parents[2] / "decks"


@dataclass(frozen=True)
class Way:
    """Sample decks of a folder, by name, at a table; in solo against an automa."""

    format: str
    folder: str
    decks: tuple[str, ...]
    automa: str | None = None

    def table(self, policies: Sequence[str], rotation: int | None = None) -> Table:
        """The decks in order, played by the policies in turn."""
        fmt = load_format(self.format)
        database = database_of(fmt)
        decks = {deck.name: deck for deck in read(DECKS / self.folder)}
        seats = [
            seat(decks[name], policies[i % len(policies)])
            for i, name in enumerate(self.decks)
        ]
        if self.automa is None:
            return set_table(fmt, database, seats, rotation=rotation)
        game = load_game(fmt.game)
        own = game.player_seat(database, fmt, seats[0])
        automa = game.automa_seat(database, fmt, self.automa)
        return set_table(fmt, database, [own, automa], rotation=1)


def duels(format: str, *pairs: tuple[str, str]) -> tuple[Way, ...]:
    """Duels with sample decks of a format."""
    return tuple(Way(format, format, pair) for pair in pairs)


KNOWN = {
    ("gwent", "two"): duels(
        "gwent/standard",
        ("The swarm", "Archers in the rain"),
        ("Berserkers", "Smugglers and healers"),
    ),
    ("sg_gwint", "duel"): duels(
        "sg_gwint/approximation",
        ("Wild Hunt", "Isles in rage"),
        ("Imperial bonds", "Dwarves and elves"),
    ),
}
"""By game and variant."""
