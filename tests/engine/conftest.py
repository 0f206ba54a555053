"""Tables of sample decks to play at, the same for all tests of the engine."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.records import lend

from deckcheck import read
from deckcheck.cards import load_database
from deckcheck.engine.gwent.state import new_states
from deckcheck.engine.jit import compiled
from deckcheck.formats import load_format
from deckcheck.playing.table import DUEL_STREAMS, Table, open_table, seat, set_table
from deckcheck.playing.table import new_states as fresh_states

DECKS = Path(__file__).parents[2] / "decks" / "gwent"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the rules of play where they would be compiled.

    Each asks the engine in ways of its own, which takes minutes to compile.
    """
    if not compiled:
        return
    for item in items:
        is_ours = item.path.is_relative_to(Path(__file__).parent)
        if is_ours and item.get_closest_marker("compiled") is None:
            item.add_marker(pytest.mark.rules)


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
        for place, leader in enumerate(leaders):
            if leader is not None:
                decks[place] = replace(decks[place], leader=leader)
        fmt = replace(self.format, options={**self.format.options, **options})
        names = policies or ("random", "random")
        seats = [seat(deck, name) for deck, name in zip(decks, names, strict=True)]
        return set_table(fmt, self.database, seats, streams=DUEL_STREAMS)

    def seat_many(
        self,
        mode: str,
        numbers: Sequence[int],
        *policies: str,
        leaders: Sequence[str | None] = (),
        **options: Any,
    ) -> Table:
        """Sample decks in a format for three and more; the seats stay in order."""
        fmt = load_format(f"gwent/{mode}")
        fmt = replace(fmt, options={**fmt.options, **options})
        count = len(numbers)
        decks = [self.decks[number % len(self.decks)] for number in numbers]
        for place, leader in enumerate(leaders):
            if leader is not None:
                decks[place] = replace(decks[place], leader=leader)
        named = policies or ("random",) * count
        seats = [seat(deck, name) for deck, name in zip(decks, named, strict=True)]
        entrants = 2 if mode == "two_vs_two" else count
        who = [tuple(range(entrants))]
        return set_table(fmt, self.database, seats, entrant_in=who, rotation=count)

    def open_many(self, table: Table) -> tuple[Any, Any]:
        """Two states and the context of a table of `seat_many`."""
        _, contexts = open_table(table)
        return lend(fresh_states(table.game, table.variant, 2)), lend(contexts)

    def open(self, table: Table) -> tuple[Any, Any]:
        """Two states, the game and a spare one, and the context."""
        _, context = open_table(table)
        return lend(new_states(2)), lend(context)


@pytest.fixture(scope="session")
def tables() -> Tables:
    return Tables()
