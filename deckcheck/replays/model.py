"""A game as it is told: who played, move by move, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from deckcheck.findings.json_text import tool
from deckcheck.playing.kernel import Outcome
from deckcheck.replays.document import (
    GameDocument,
    Noun,
    ReplayDocument,
    SeatedDocument,
    StepDocument,
    TurningPointDocument,
)


@dataclass(frozen=True, slots=True)
class Seated:
    """The occupant of a seat: the deck's name in the run, its leader, its policy.

    `policy` is None for an automa, `leader` the id of a leader.
    """

    name: str
    policy: str | None
    leader: str | None = None

    def to_dict(self, player: str) -> SeatedDocument:
        """The same as plain data, with the name that the player has in the steps."""
        return {
            "player": player,
            "name": self.name,
            "policy": self.policy,
            "leader": self.leader,
        }


@dataclass(frozen=True, slots=True)
class Step:
    """One move, or the deal, whose `player` is None.

    `text` is the move in words, `notes` its consequences, a sentence each. `round` is
    the one in which it was made, `ends` whether that round was over then. `totals` are
    the strengths of the sides after it, or their points where strengths do not add up;
    of a round that ended they are those before it, empty where an automa has moved
    since. `lines` show the position after it, `position` has it for programs.
    `chances` are those of the players to win from there, see `replays.chances`; empty
    where they are not known.
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
    chances: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> StepDocument:
        """The step as plain data."""
        return {
            "number": self.number,
            "round": self.round,
            "player": self.player,
            "text": self.text,
            "notes": list(self.notes),
            "totals": dict(self.totals),
            "ends_round": self.ends,
            "chances": dict(self.chances),
            "position": dict(self.position),
        }


class TurningPoint(NamedTuple):
    """A move, and the chance of the first player `before` it and `after` it."""

    step: Step
    before: float
    after: float

    def to_dict(self) -> TurningPointDocument:
        """The point as plain data."""
        return {
            "number": self.step.number,
            "before": round(self.before, 4),
            "after": round(self.after, 4),
        }


@dataclass(frozen=True, slots=True)
class ToldGame:
    """One game. `players` are who sits in each seat, by the name in the steps.

    `winner` is a player, a team, or `draw`, and None where the game crashed; then
    `crash` says why. `turning_points` are the moves that changed the chances most.
    `outcome` is the row of `playing.kernel.Outcome`, as a run counts
    it.
    """

    players: Mapping[str, Seated]
    steps: tuple[Step, ...]
    winner: str | None
    outcome: tuple[int, ...]
    crash: str | None = None
    turning_points: tuple[TurningPoint, ...] = ()

    def to_dict(self) -> GameDocument:
        """The game as plain data; places and points are those of the entrants."""
        of_entrants = self.outcome[Outcome.PLACE :]
        entrants = len(of_entrants) // 4
        return {
            "players": [seat.to_dict(player) for player, seat in self.players.items()],
            "steps": [step.to_dict() for step in self.steps],
            "winner": self.winner,
            "turning_points": [point.to_dict() for point in self.turning_points],
            "crash": self.crash,
            "places": list(of_entrants[:entrants]),
            "points": list(of_entrants[entrants : 2 * entrants]),
        }


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
    noun: Noun
    number: int
    games: tuple[ToldGame, ...]

    @property
    def crash(self) -> str | None:
        """Why the last game crashed, if it did."""
        return self.games[-1].crash

    def to_dict(self) -> ReplayDocument:
        """The replay as plain data, as `--output-format json` prints it."""
        return {
            "schema_version": 1,
            "tool": tool(),
            "format": self.format,
            "snapshot": self.snapshot,
            "digest": self.digest,
            "seed": self.seed,
            "entrants": list(self.entrants),
            "noun": self.noun,
            "number": self.number,
            "games": [game.to_dict() for game in self.games],
        }
