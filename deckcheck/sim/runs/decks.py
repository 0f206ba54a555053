"""A deck of a run as `run.json` has it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

from deckcheck.decks import Deck, DeckEntry, DeckSource, Header
from deckcheck.findings import Position, Span
from deckcheck.findings.fields import CLOSED, AtLeast
from deckcheck.sim.study import DECKS
from deckcheck.sim.tables.entrants import Entrant

NOWHERE = Span(Position(1, 1), Position(1, 1))


@dataclass(frozen=True, slots=True)
class StoredDeck:
    """A deck that plays: cards by id with their counts, and who plays it.

    `name` is its name in the run, `title` the one that it gives itself. `role` is what
    it is there for, as the kind of study calls it.
    """

    __pydantic_config__ = CLOSED

    name: str
    title: str
    path: str
    index: int
    format: str | None
    faction: str | None
    leader: str | None
    policy: str
    findings: int
    headers: dict[str, tuple[str, ...]]
    cards: dict[str, Annotated[int, AtLeast(1)]]
    reserves: dict[str, Annotated[int, AtLeast(1)]]
    role: str = DECKS

    @classmethod
    def of(cls, entrant: Entrant, role: str) -> StoredDeck:
        """The deck of an entrant."""
        deck = entrant.deck
        return cls(
            name=entrant.name,
            title=deck.name,
            path=deck.source.path,
            index=deck.source.index,
            format=deck.format,
            faction=deck.faction,
            leader=deck.leader,
            policy=entrant.policy,
            findings=entrant.findings,
            headers={k: tuple(h.value for h in v) for k, v in deck.headers.items()},
            cards=dict(deck.counts()),
            reserves=dict(deck.reserve_counts()),
            role=role,
        )

    def entrant(self) -> Entrant:
        """The entrant; its deck has no places in a file any more."""
        deck = Deck(
            source=DeckSource(self.path, self.index),
            name=self.title,
            format=self.format,
            faction=self.faction,
            leader=self.leader,
            entries=_entries(self.cards),
            span=NOWHERE,
            headers={
                key: tuple(Header(value, NOWHERE) for value in values)
                for key, values in self.headers.items()
            },
            reserves=_entries(self.reserves),
        )
        return Entrant(deck, self.name, self.policy, self.findings)

    @property
    def played(self) -> dict[str, object]:
        """What of it decides games and results: not where its file lies."""
        data = asdict(self)
        del data["path"]
        return data


def _entries(cards: dict[str, int]) -> tuple[DeckEntry, ...]:
    return tuple(DeckEntry(card, count, NOWHERE) for card, count in cards.items())
