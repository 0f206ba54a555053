"""The JSON documents of decks that a search found: those of `tune` and `build`."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import (
    Count,
    Difference,
    DifferenceInterval,
    Share,
    one_of,
)
from deckcheck.sim.results.run_document import RunDocument, WinRate
from deckcheck.studies.differences import Verdict


class CopiesDocument(TypedDict):
    """Copies of a card."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: int
    """The number of copies; in a change negative for copies that are taken out."""


class DifferenceDocument(TypedDict):
    """The difference of the deck and the one that it was made of."""

    difference: Difference
    """The win rate of the deck less that of its base, -1 to 1."""
    interval: DifferenceInterval
    """The lower and the upper end of the difference's 95 % interval, -1 to 1."""
    verdict: Annotated[str, one_of(Verdict)]
    """Whether the deck is better, worse, the same within the margin, or open."""


class StepDocument(TypedDict):
    """One change on the way from the base to the deck."""

    cards: list[CopiesDocument]
    """The cards that go and come; empty for a leader."""
    leader: str | None
    """The name of the new leader; null if the step changes none."""
    gain: DifferenceDocument | None
    """The gain after the steps before it; null if no fresh games were played."""
    so_far: DifferenceDocument | None
    """The gain of it and all steps before it; null if no fresh games were played."""
    confirmed_gain: DifferenceDocument | None
    """The same as `gain` with the other policy; null if none played."""
    confirmed_so_far: DifferenceDocument | None
    """The same as `so_far` with the other policy; null if none played."""


class AgainstDocument(TypedDict):
    """The deck and its base in the same fresh games."""

    win_rate: WinRate
    """The win rate of the deck."""
    win_rate_of_base: WinRate | None
    """The win rate of the deck it was made of; null if there is none."""
    difference: DifferenceDocument | None
    """The difference of both; null without a base."""


class OpponentDocument(AgainstDocument):
    """The same against one opponent."""

    name: str
    """The name of the opponent."""


class ProofDocument(TypedDict):
    """Fresh games that had no part in choosing the deck."""

    policy: str
    """The policy that played the deck and its base."""
    games: Count
    """The number of games of each deck with each opponent."""
    field: AgainstDocument
    """The figures over the whole field; every opponent weighs the same."""
    opponents: list[OpponentDocument]
    """The figures against each opponent."""


class SearchDocument(TypedDict):
    """The search; its games chose the deck, so they flatter it."""

    games: Count
    """The number of games of the search."""
    decks: Count
    """The number of decks that were measured."""
    expected_win_rate: Share
    """The win rate that the search expects of the deck, 0 to 1."""
    expected_win_rate_of_base: Share | None
    """The win rate that it expects of the base, 0 to 1; null if there is none."""


class SearchedDeckDocument(RunDocument):
    """The best deck that a search found."""

    schema_version: Literal[2]
    """The version of this document; 1 had intervals that held one at a time."""
    answer: str
    """The answer in a sentence or two."""
    deck: str
    """The name of the deck; that of the base if nothing better was found."""
    base: str | None
    """The name of the deck it was made of; null if there is none."""
    faction: str | None
    """The id of the deck's faction; null if it has none."""
    leader: str | None
    """The name of the deck's leader; null if it has none."""
    base_leader: str | None
    """The name of the base's leader; null if it has none."""
    cards: list[CopiesDocument]
    """The cards of the deck."""
    swaps: list[CopiesDocument]
    """The differences of the deck from its base."""
    steps: list[StepDocument]
    """The same, change by change, in the order in which to make them."""
    text: str
    """The deck as the text of a deck file."""
    shares: dict[str, Share]
    """The share of each opponent in the field, by name; empty if all come alike."""
    search: SearchDocument
    """The search: its games and decks."""
    proof: ProofDocument | None
    """Fresh games of the deck and its base; null if none were played."""
    confirmed: ProofDocument | None
    """Fresh games played by another policy; null if none was asked for."""


class TuneDocument(SearchedDeckDocument):
    """The output of `deckcheck tune --output-format json`."""


class BuildDocument(SearchedDeckDocument):
    """The output of `deckcheck build --output-format json`."""
