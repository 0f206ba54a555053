"""Tables of sample decks to play at, the same for all tests of the engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deckcheck import read
from deckcheck.cards import load_database
from deckcheck.engine.games.gwent.state import new_states
from deckcheck.engine.match import Table, open_table, prepare
from deckcheck.formats import load_format

DECKS = Path(__file__).parents[2] / "decks" / "gwent"


class Tables:
    """Sample decks of Gwent, seated on demand."""

    def __init__(self) -> None:
        self.database = load_database("gwent")
        self.format = load_format("gwent/standard")
        self.decks = read(DECKS / "standard", DECKS / "advanced")

    def seat(
        self,
        a: int,
        b: int,
        *policies: str,
        leaders: tuple[str | None, str | None] = (None, None),
        **options: Any,
    ) -> Table:
        """Decks number `a` and `b`, perhaps with other leaders and options."""
        decks = [self.decks[a % len(self.decks)], self.decks[b % len(self.decks)]]
        for seat, leader in enumerate(leaders):
            if leader is not None:
                decks[seat] = replace(decks[seat], leader=leader)
        fmt = replace(self.format, options={**self.format.options, **options})
        return prepare(fmt, self.database, decks, policies or ("random", "random"))

    def open(self, table: Table) -> tuple[Any, Any]:
        """Two states, the game and a spare one, and the context."""
        _, context = open_table.__wrapped__(table)
        return new_states(2), context


@pytest.fixture(scope="session")
def tables() -> Tables:
    return Tables()
