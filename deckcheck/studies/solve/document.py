"""The JSON document of a mix of decks to bring."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Count, Interval, Ordinal, Share
from deckcheck.sim.results.run_document import Effect, MeanRate, RunDocument


class GainDocument(Effect):
    """The gain of a deck against the mix: its win rate less a half."""

    games: Count
    """The number of games behind the gain."""


class AnswerDocument(TypedDict):
    """A deck that might gain against the mix."""

    name: str
    """The name of the deck."""
    hoped: float
    """The gain in the games by which the deck was chosen, -0.5 to 0.5."""
    gain: GainDocument
    """The gain in fresh games."""
    confirmed: GainDocument | None
    """The gain in fresh games of another policy; null if none was asked for."""


class RoundDocument(AnswerDocument):
    """One search for a deck that gains against the mix of that time."""

    decks: Count
    """The number of decks that had met before the search."""
    mixed: Count
    """The number of decks in the mix."""
    joined: bool
    """Whether the deck that was found gained enough to join."""


class FieldDeckDocument(TypedDict):
    """A deck of the mix."""

    name: str
    """The name of the deck."""
    faction: str | None
    """The name of the deck's faction; null if it has none."""
    leader: str | None
    """The name of the deck's leader; null if it has none."""
    share: Share
    """The share of games to bring the deck to, 0 to 1."""
    share_interval: Interval
    """The middle 95 % of the shares when all games are drawn again, 0 to 1."""
    payoff: Share
    """The win rate of the deck against the mix, 0 to 1."""
    cards: dict[str, Ordinal]
    """The number of copies of each card, by the name of the card."""


class OpponentRate(MeanRate):
    """The win rate of the mix against one deck."""

    name: str
    """The name of the deck."""


class SolveDocument(RunDocument):
    """The output of `deckcheck solve --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 had the answers of the last searches alone."""
    answer: str
    """The answer in a sentence or two."""
    solved: bool
    """Whether no deck that was found gains more than the bound."""
    bound: Share
    """The gain above which a deck counts as an answer, 0 to 1."""
    gain: GainDocument | None
    """The gain of the best answer in fresh games; null if none was measured."""
    most_gained: Share | None
    """The gain that no deck that was found exceeds, 0 to 1; null if not measured."""
    searches: Count
    """The number of searches."""
    search_games: Ordinal
    """The number of games of each search."""
    decks_searched: Count
    """The number of decks that all searches measured."""
    factions: list[str]
    """The ids of the factions that decks were searched in; empty for all."""
    confirm: str | None
    """The policy that played the answers again; null if none was asked for."""
    field: list[FieldDeckDocument]
    """The decks of the mix, the most frequent first."""
    answers: list[AnswerDocument]
    """The decks that might gain against the mix, the best first."""
    rounds: list[RoundDocument]
    """The searches that led to the mix, in their order."""
    against: MeanRate | None
    """The win rate of the mix against the decks of `--against`; null without them."""
    opponents: list[OpponentRate]
    """The same against each of these decks."""
