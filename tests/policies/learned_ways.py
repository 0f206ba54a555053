"""The games that `learned` knows, each with a few tables at which they are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deckcheck import read
from deckcheck.formats import database_of, load_format
from deckcheck.playing.table import Table, seat, set_table

DECKS = Path(__file__).parents[2] / "decks"
TEAMS = 2


@dataclass(frozen=True)
class Way:
    """Sample decks of a folder, by name, at a table of a format."""

    format: str
    folder: str
    decks: tuple[str, ...]

    def table(self, policies: Sequence[str], rotation: int | None = None) -> Table:
        """The decks in order, played by the policies in turn."""
        fmt = load_format(self.format)
        decks = {deck.name: deck for deck in read(DECKS / self.folder)}
        seats = [
            seat(decks[name], policies[i % len(policies)])
            for i, name in enumerate(self.decks)
        ]
        sides = TEAMS if fmt.seating.play == "teams" else len(seats)
        return set_table(
            *(fmt, database_of(fmt), seats),
            entrant_in=[tuple(range(sides))],
            rotation=rotation,
        )


def duels(format: str, *pairs: tuple[str, str]) -> tuple[Way, ...]:
    """Duels with sample decks of a format."""
    return tuple(Way(format, format, pair) for pair in pairs)


def tables(format: str, *tables: tuple[str, ...]) -> tuple[Way, ...]:
    """Tables of several players, with sample decks of Gwent."""
    return tuple(Way(format, "gwent/standard", decks) for decks in tables)


KNOWN = {
    ("gwent", "two"): duels(
        "gwent/standard",
        ("The swarm", "Archers in the rain"),
        ("Berserkers", "Smugglers and healers"),
    ),
    ("gwent", "many"): (
        *tables(
            "gwent/free_for_all",
            ("The swarm", "Archers in the rain", "Berserkers"),
            ("Spies and medics", "Siege masters", "The Wild Hunt", "The swarm"),
            (
                *("Smugglers and healers", "Heroes in the frost", "Berserkers"),
                *("Commandos and Reavers", "Night of the vampires"),
            ),
        ),
        *tables(
            "gwent/two_vs_two",
            ("The swarm", "Spies and medics", "Berserkers", "Archers in the rain"),
        ),
    ),
    ("sg_gwint", "duel"): duels(
        "sg_gwint/approximation",
        ("Wild Hunt", "Isles in rage"),
        ("Imperial bonds", "Dwarves and elves"),
    ),
}
"""By game and variant."""
