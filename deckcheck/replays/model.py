"""A game that is told: who played, move by move, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Replay", "Seated", "Step", "ToldGame"]


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits in a seat: the name of the deck in the run, its leader, who plays it.

    `policy` is None for an automa, `leader` the id of a leader.
    """

    name: str
    policy: str | None
    leader: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One move, or the deal, whose `player` is None.

    `text` is the move in words, `notes` what came of it, a sentence each. `round` is
    the one in which it was made, `ends` whether that round was over then. `totals` are
    the strengths of the sides after it, or their points where strengths do not add up;
    of a round that ended they are those before it, empty where an automa has moved
    since. `lines` show the position after it, `position` has it for programs.
    """

    number: int
    round: int
    player: str | None
    text: str
    notes: tuple[str, ...]
    totals: Mapping[str, int]
    ends: bool
    lines: tuple[str, ...]
    position: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToldGame:
    """One game. `players` are who sits in each seat, by the name in the steps.

    `winner` is a player, a team, or `draw`, and None where the game crashed; then
    `crash` says why. `outcome` is the row of `playing.kernel.Outcome`, as a run counts
    it.
    """

    players: Mapping[str, Seated]
    steps: tuple[Step, ...]
    winner: str | None
    outcome: tuple[int, ...]
    crash: str | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """A game of a run, or the games of a match, told in the order they were played.

    `entrants` are who met, `number` which of their games it is, from 1, and `noun` what
    is counted: `game` or `match`.
    """

    format: str
    snapshot: str
    digest: str
    seed: int
    entrants: tuple[str, ...]
    noun: str
    number: int
    games: tuple[ToldGame, ...]

    @property
    def crash(self) -> str | None:
        """Why the last game crashed, if it did."""
        return self.games[-1].crash
