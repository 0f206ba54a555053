"""Entrants: the decks of a run, each with a policy and a unique name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from deckcheck.decks import (
    Deck,
    DeckSource,
)
from deckcheck.findings import Severity, UsageError
from deckcheck.messages import option, plural, quote
from deckcheck.sim.naming import make_unique
from deckcheck.sim.result_header import SimulatedDeck
from deckcheck.validation import DeckReport


@dataclass(frozen=True, slots=True)
class Entrant:
    """A deck that takes part: its name in the run, its player, its errors."""

    deck: Deck
    name: str
    policy: str
    findings: int = 0

    @property
    def simulated(self) -> SimulatedDeck:
        """The deck in the form of a result."""
        return SimulatedDeck(
            name=self.name,
            path=self.deck.source.path,
            index=self.deck.source.index,
            faction=self.deck.faction,
            leader=self.deck.leader,
            policy=self.policy,
            findings=self.findings,
        )


def assign_policies(
    policies: Sequence[str], number: int, noun: str = "deck"
) -> list[str]:
    """Return a policy for each deck, or player: the same for all, or each its own.

    Raises UsageError if the numbers do not fit.
    """
    if len(policies) == 1:
        return [*policies] * number
    if len(policies) == number:
        return [*policies]
    help = f"Name one policy for all {noun}s, or one for each {noun} in order"
    if noun == "deck":
        help += f"; with {option('every-policy')} each of them plays each deck"
    raise UsageError(
        f"{plural(len(policies), 'policy')} given for {plural(number, noun)}", help
    )


def group_by_file(entrants: Sequence[Entrant]) -> list[list[Entrant]]:
    """Return the entrants of each file, in order. A file named twice is two."""
    numbers = number_files([entrant.deck.source for entrant in entrants])
    files: list[list[Entrant]] = [[] for _ in range(max(numbers, default=-1) + 1)]
    for entrant, number in zip(entrants, numbers, strict=True):
        files[number].append(entrant)
    return files


def number_files(sources: Sequence[DeckSource]) -> list[int]:
    """Return the number of each deck's file, counted from 0, see `group_by_file`."""
    numbers: list[int] = []
    number = -1
    for index, source in enumerate(sources):
        is_same_path = index > 0 and source.path == sources[index - 1].path
        if source.index == 0 or not is_same_path:
            number += 1
        numbers.append(number)
    return numbers


def name_distinctly(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the entrants with distinct names.

    Decks of the same name get their file added, decks of a file their place in it, and
    a deck with several players the policy, see `make_unique`.
    """
    sources = [entrant.deck.source for entrant in entrants]
    names = make_unique(
        [" ".join(entrant.name.split()) or "deck" for entrant in entrants],
        paths=[source.path for source in sources],
        marks=(
            [f"deck {source.index + 1}" for source in sources],
            [entrant.policy for entrant in entrants],
        ),
    )
    return [replace(e, name=name) for e, name in zip(entrants, names, strict=True)]


def enter(reports: Sequence[DeckReport], policies: Sequence[str]) -> list[Entrant]:
    """Return the decks with their players, each with a unique name.

    Raises UsageError if the number of policies does not fit, and for a deck that could
    not be read at all.
    """
    players = assign_policies(policies, len(reports))
    entrants = []
    for report, player in zip(reports, players, strict=True):
        if report.deck is None:
            raise UsageError(
                f"{quote(report.source.path)} holds no deck that could be read",
                "`deckcheck validate` says why",
            )
        entrants.append(
            Entrant(report.deck, report.deck.name, player, count_errors(report))
        )
    return name_distinctly(entrants)


def count_errors(report: DeckReport) -> int:
    """Return how many findings make the deck illegal."""
    return sum(f.severity is Severity.ERROR for f in report.findings)
