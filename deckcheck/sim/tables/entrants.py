"""The decks of a run, each with a player and a name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from deckcheck.decks import Deck, DeckSource
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import plural
from deckcheck.sim.results.played import SimulatedDeck
from deckcheck.sim.tables.unique_names import unique_names


@dataclass(frozen=True, slots=True)
class Entrant:
    """A deck that takes part: its name in the run, its player, its errors."""

    deck: Deck
    name: str
    policy: str
    findings: int = 0

    @property
    def simulated(self) -> SimulatedDeck:
        """What a result says of it."""
        return SimulatedDeck(
            name=self.name,
            path=self.deck.source.path,
            index=self.deck.source.index,
            faction=self.deck.faction,
            leader=self.deck.leader,
            policy=self.policy,
            findings=self.findings,
        )


def assign_policies(policies: Sequence[str], decks: int) -> list[str]:
    """Return a policy for each deck: one for all, or one for each in order.

    Raises UsageError when the numbers do not fit.
    """
    if len(policies) == 1:
        return list(policies) * decks
    if len(policies) == decks:
        return list(policies)
    raise UsageError(
        f"{plural(len(policies), 'policy')} given for {plural(decks, 'deck')}",
        "Name one policy for all decks, or one for each deck in order",
    )


def by_file(entrants: Sequence[Entrant]) -> list[list[Entrant]]:
    """Return the entrants of each file, in order; a file named twice is two."""
    numbers = file_numbers([entrant.deck.source for entrant in entrants])
    files: list[list[Entrant]] = [[] for _ in range(max(numbers, default=-1) + 1)]
    for entrant, number in zip(entrants, numbers, strict=True):
        files[number].append(entrant)
    return files


def file_numbers(sources: Sequence[DeckSource]) -> list[int]:
    """Return the number of each deck's file, counted from 0; see `by_file`."""
    numbers: list[int] = []
    for i, source in enumerate(sources):
        begins = i == 0 or source.index == 0 or source.path != sources[i - 1].path
        numbers.append((numbers[-1] if numbers else -1) + begins)
    return numbers


def distinct_names(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the entrants with names that tell them apart.

    Decks of the same name get their file added, those of one file their place in it,
    and one deck that several play the policy; see `unique_names`.
    """
    names = [" ".join(entrant.name.split()) or "deck" for entrant in entrants]
    sources = [entrant.deck.source for entrant in entrants]
    told = unique_names(
        names,
        [source.path for source in sources],
        (
            [f"deck {source.index + 1}" for source in sources],
            [entrant.policy for entrant in entrants],
        ),
    )
    return [replace(e, name=n) for e, n in zip(entrants, told, strict=True)]
