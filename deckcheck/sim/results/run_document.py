"""The parts that JSON documents of runs share: the head, and figures with intervals."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from deckcheck.cards.document import ChangeDocument
from deckcheck.findings.json_schema import (
    Amount,
    Count,
    Digest,
    Interval,
    Ordinal,
    Share,
    ShareInterval,
    Tool,
)


class WinRate(TypedDict):
    """A win rate with its interval; a draw counts half."""

    games: Count
    """The number of games behind the win rate."""
    win_rate: Share
    """The win rate, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the win rate's 95 % interval, 0 to 1."""


class NamedWinRate(WinRate):
    """The win rate of a deck, or against one."""

    name: str
    """The name of the deck."""


class MeanRate(TypedDict):
    """A mean of win rates with its interval."""

    win_rate: Share
    """The mean win rate, 0 to 1."""
    interval: Interval
    """The lower and the upper end of the mean's 95 % interval."""
    games: Count
    """The number of games behind the mean."""


class Effect(TypedDict):
    """A difference of win rates with its interval."""

    difference: float
    """The difference of win rates, -1 to 1; positive is better."""
    interval: Interval
    """The lower and the upper end of the difference's 95 % interval."""


class DeckEntry(TypedDict):
    """A deck that played."""

    name: str
    """The name of the deck, unique within the run."""
    path: str
    """The file of the deck."""
    index: Count
    """The place of the deck within its file, from 0."""
    faction: str | None
    """The id of the deck's faction; null if it has none."""
    leader: str | None
    """The id of the deck's leader; null if it has none."""
    policy: str
    """The policy that played the deck."""
    legal: bool
    """Whether the deck is legal in the format of the run."""
    findings: Count
    """The number of errors that make the deck illegal."""


class StoppedTable(TypedDict):
    """The decision of a stopping rule at one table."""

    sets: Count
    """The number of sets that were played: the same shuffles, each seat beginning."""
    reached: bool
    """Whether the rule was fulfilled at this table."""
    decision: str
    """The decision in words."""
    log_likelihood_ratio: float | None
    """The log-likelihood ratio of a sequential test; null for other rules."""


class StoppingEntry(TypedDict):
    """The decision of a stopping rule."""

    rule: str
    """The rule in words."""
    reached: bool
    """Whether the rule was fulfilled at all tables."""
    not_settled: list[str]
    """The decks whose place in the order is still open, where an order was asked."""
    tables: list[StoppedTable]
    """The decision at each table, in the order of the document's tables."""


class Stopping(TypedDict, total=False):
    """The keys that only runs with a stopping rule have."""

    stopping: StoppingEntry
    """The decision of the stopping rule; only if there was one."""


class Challengers(TypedDict, total=False):
    """The keys that only runs against a field have."""

    challengers: Annotated[list[str], Field(min_length=1)]
    """The decks that played the field and not each other, if there were any."""


class RunOpening(TypedDict):
    """Which games were played."""

    tool: Tool
    """The program that wrote this document."""
    format: str
    """The id of the format, such as `gwent/standard`."""
    snapshot: str
    """The date from which on the format was as it was played."""
    seed: Count
    """The seed that all shuffles follow from."""
    games: Count
    """The number of games at each table, or of matches for each pair of lineups."""
    games_played: Count
    """The number of games of the whole run."""
    policies: dict[str, str]
    """The policy that played each deck, by the name of the deck."""
    policy_versions: dict[str, Count]
    """The version of each policy, by its name."""
    stand_ins: list[str]
    """The policies that do not know the game; the heuristic played in their place."""


class RunClosing(Stopping, Challengers):
    """The facts by which games can be repeated, and the decks that played."""

    checksum: Digest
    """A hash of all games of the run: equal checksums mean equal games."""
    digest: Digest
    """A hash of the format's rules and its cards."""
    changes: list[ChangeDocument]
    """The cards and leaders that the user's own sets add, change or remove."""
    complete: bool
    """Whether all games that were asked for have been played."""
    games_per_second: Amount | None
    """Games per second of wall time; null for a run that was kept in a folder."""
    seconds: Amount | None
    """Wall time in seconds; null for a run that was kept in a folder."""
    jobs: Ordinal | None
    """The number of worker processes; null for a run that was kept in a folder."""
    decks: list[DeckEntry]
    """All decks that played."""


class RunDocument(RunOpening, RunClosing):
    """The beginning of every document about games."""
