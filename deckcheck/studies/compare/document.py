"""The JSON document of a comparison."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import (
    Amount,
    Count,
    Difference,
    DifferenceInterval,
    Share,
    one_of,
)
from deckcheck.sim.results.run_document import NamedWinRate, RunDocument, WinRate
from deckcheck.studies.differences import Verdict


class VersionDifference(TypedDict):
    """The difference of two versions of the deck."""

    old: str
    """The name of the version that is compared with."""
    new: str
    """The name of the version that is compared."""
    difference: Difference
    """The win rate of the new version less that of the old one, -1 to 1."""
    interval: DifferenceInterval
    """The difference's interval, -1 to 1; those of all pairs hold together in 95 %."""
    verdict: Annotated[str, one_of(Verdict)]
    """Whether the new version is better, worse, the same within the margin, or open."""
    saved: Amount | None
    """The factor by which shared shuffles save games; null if unknown."""


class OpponentEntry(TypedDict):
    """The versions against one opponent."""

    name: str
    """The name of the opponent."""
    win_rates: list[WinRate]
    """The win rate of each version, in the order of `versions`."""
    differences: list[VersionDifference]
    """The difference of every two versions."""


class ComparisonDocument(RunDocument):
    """The output of `deckcheck compare --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; in 1 each interval held by itself."""
    answer: str
    """The answer in a sentence or two."""
    versions: list[NamedWinRate]
    """The versions with their win rates over the field, in the order given."""
    margin: Share
    """The difference of win rates that does not matter, 0 to 1."""
    looks: Count
    """The number of checkpoints before the games ended; 0 if their number was fixed."""
    ranking: list[str]
    """The names of the versions, the best one first."""
    differences: list[VersionDifference]
    """The difference of every two versions over the field."""
    opponents: list[OpponentEntry]
    """The same against each opponent."""
