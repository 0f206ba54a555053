"""The JSON document of what to bring."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import (
    Count,
    Interval,
    Ordinal,
    Share,
    ShareInterval,
    Tool,
)
from deckcheck.sim.results.run_document import WinRate


class AnswerDocument(TypedDict):
    """The player that does best against another."""

    name: str
    """The name of the deck or lineup."""
    win_rate: Share
    """Its win rate against that player, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the win rate's 95 % interval, 0 to 1."""


class MetaPlayerDocument(TypedDict):
    """A deck or lineup of the field."""

    name: str
    """The name of the deck or lineup."""
    share: Share
    """The share of games to bring it to, 0 to 1."""
    share_interval: ShareInterval
    """The middle 95 % of the shares when all games are drawn again, 0 to 1."""
    payoff: Share
    """The win rate against the recommended shares, 0 to 1."""
    rating: float
    """The rating in Elo; the mean of the field is 0."""
    rating_interval: Interval
    """The lower and the upper end of the rating's 95 % interval, in Elo."""
    answer: AnswerDocument
    """The player that does best against it."""
    weight: Share | None
    """Its share of the metagame that was given, 0 to 1; null without one."""
    expected: Share | None
    """The win rate against the metagame that was given, 0 to 1; null without one."""
    expected_interval: ShareInterval | None
    """The 95 % interval of that win rate, 0 to 1; null without a metagame."""


class LevelDocument(TypedDict):
    """A deck, rated over all players, or a player, rated over all decks."""

    name: str
    """The name of the deck, or of the policy."""
    rating: float
    """The mean rating in Elo; the mean of the field is 0."""
    rating_interval: Interval
    """The lower and the upper end of the rating's 95 % interval, in Elo."""


class PlayerLevelDocument(LevelDocument):
    """A player, rated over all decks."""

    same_deck: WinRate
    """The win rate against the other players where both have the same deck."""


class PartDocument(TypedDict):
    """A part of the differences between the ratings of the field, squared."""

    part: Share
    """The part, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the part's 95 % interval, 0 to 1."""


class CrossingDocument(TypedDict):
    """Decks and players apart, where every player played every deck."""

    decks: list[LevelDocument]
    """The decks, the strongest first."""
    players: list[PlayerLevelDocument]
    """The players, the strongest first."""
    deck_part: PartDocument
    """The part of the differences that lies in the deck."""
    player_part: PartDocument
    """The part that lies in the player."""
    both_part: PartDocument
    """The part that lies in how well a deck suits a player."""


class MetaDocument(TypedDict):
    """The output of `deckcheck meta --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 had cycles and misfits partly due to chance."""
    tool: Tool
    """The program that wrote this document."""
    format: str
    """The id of the format, such as `gwent/standard`."""
    snapshot: str
    """The date from which on the format was as it was played."""
    policies: list[str]
    """The policies that played."""
    seed: Count
    """The seed of the run whose games these are."""
    checksum: str
    """A hash of all games of the run."""
    digest: str
    """A hash of the format's rules and its cards."""
    of: Literal["decks", "lineups"]
    """Whether the players are decks or lineups."""
    resamples: Ordinal
    """The number of resamples of all games for the intervals."""
    bootstrap_seed: Count
    """The seed of these resamples."""
    misfit: Share
    """The part of the results that ratings do not explain, 0 to 1."""
    misfit_interval: ShareInterval
    """The lower and the upper end of the misfit's 95 % interval, 0 to 1."""
    cycles: Share
    """The part of the differences that goes round in circles, 0 to 1."""
    cycles_interval: ShareInterval
    """The lower and the upper end of the cycles' 95 % interval, 0 to 1."""
    cycle: list[str]
    """Three players, each of whom clearly beats the next; empty if there are none."""
    players: list[MetaPlayerDocument]
    """The decks or lineups, in the order of the run."""
    crossing: CrossingDocument | None
    """Decks and players apart; null unless every player played every deck."""
