"""The JSON document of a replay."""

from __future__ import annotations

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Count, Ordinal, Tool

Noun: TypeAlias = Literal["game", "match"]


class SeatedDocument(TypedDict):
    """A player at the table."""

    player: str
    """The player as the steps name them."""
    name: str
    """The name of the deck in the run."""
    policy: str | None
    """The policy that plays; null for an automa."""
    leader: str | None
    """The id of the leader; null without one."""


class StepDocument(TypedDict):
    """One move, or the deal."""

    number: Count
    """The number of the step; 0 is the deal."""
    round: Ordinal
    """The round in which the move was made, from 1."""
    player: str | None
    """The player who moved; null for the deal."""
    text: str
    """The move in words."""
    notes: list[str]
    """The consequences of the move, a sentence each."""
    totals: dict[str, int]
    """The strength of each side after the move, or its points, by the side."""
    ends_round: bool
    """Whether the move ended the round; then the totals are those before it."""
    chances: dict[str, float]
    """The chance of each player to win, 0 to 1, by what that player sees after the
    move and the value of `learned`; empty where it does not know the game, and before
    hands are dealt."""
    position: dict[str, object]
    """The whole position after the move, with the keys of scenarios."""


class TurningPointDocument(TypedDict):
    """A move that changed the chances much."""

    number: Ordinal
    """The number of the move."""
    before: float
    """The chance of the first player before it, 0 to 1: the mean of what both see."""
    after: float
    """The same after it."""


class GameDocument(TypedDict):
    """One game."""

    players: list[SeatedDocument]
    """The players, in the order of their seats."""
    steps: list[StepDocument]
    """The moves, in their order."""
    winner: str | None
    """The player or team that won, or `draw`; null if the game crashed."""
    turning_points: list[TurningPointDocument]
    """The moves that changed the chances most, three at most; in their order."""
    crash: str | None
    """Why the game crashed; null if it did not."""
    places: list[Ordinal]
    """The places of the entrants, from 1."""
    points: list[int]
    """The points of the entrants by the rules of the game."""


class ReplayDocument(TypedDict):
    """The output of `deckcheck replay --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    format: str
    """The id of the format."""
    snapshot: str
    """The date from which on the format was as it was played."""
    digest: str
    """A hash of the format's rules and its cards."""
    seed: Count
    """The seed of the run."""
    entrants: list[str]
    """The decks, teams or lineups that met."""
    noun: Noun
    """Whether games or matches are counted."""
    number: Ordinal
    """The number of the game or match, from 1."""
    games: list[GameDocument]
    """The game, or the games of the match."""
