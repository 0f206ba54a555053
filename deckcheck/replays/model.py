"""A replay: its events, document, script, and cutting it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from typing_extensions import TypedDict

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import Count, Ordinal, Tool
from deckcheck.engine.registry import CrashedGame
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.markup import tool
from deckcheck.messages import choice, option, quote
from deckcheck.playing.kernel import MAX_TURNS, GameOutcome, Ints, ListedGame
from deckcheck.playing.table import Table, play_listed
from deckcheck.sim.figures import make_document
from deckcheck.sim.seating import Setting

# The JSON document of a replay

Noun: TypeAlias = Literal["game", "match"]


class SeatedDocument(TypedDict):
    """A player at the table."""

    player: str
    """The player as the steps name them."""
    name: str
    """The name of the deck in the run."""
    policy: str | None
    """The policy that plays, or null for an automa."""
    leader: str | None
    """The id of the leader, or null without one."""


class ReplayStepDocument(TypedDict):
    """A move, or the deal."""

    number: Count
    """The number of the step, where 0 is the deal."""
    round: Ordinal
    """The round in which the move was made, from 1."""
    player: str | None
    """The player who moved, or null for the deal."""
    text: str
    """The move in words."""
    notes: list[str]
    """The consequences of the move, a sentence each."""
    totals: dict[str, int]
    """The strength of each side after the move, or its points, by the side."""
    ends_round: bool
    """Whether the move ended the round. If so, the totals are from before its end."""
    chances: dict[str, float]
    """The win probability of each player, 0 to 1, from the player's view after the move
    and by the value of `learned`. Empty if it does not know the game, and before hands
    are dealt.
    """
    position: dict[str, object]
    """The whole position after the move, with the keys of scenarios."""


class TurningPointDocument(TypedDict):
    """A move that changed the chance of the player who made it."""

    number: Ordinal
    """The number of the move."""
    kind: Literal["move", "draw"]
    """Whether the move cost win probability, or the cards that it drew changed it."""
    before: float
    """The player's win probability before it as they see it, 0 to 1."""
    after: float
    """The same after it."""


class GameDocument(TypedDict):
    """A game."""

    players: list[SeatedDocument]
    """The players, in the order of their seats."""
    steps: list[ReplayStepDocument]
    """The moves, in their order."""
    winner: str | None
    """The player or team that won, or `draw`, or null if the game crashed."""
    turning_points: list[TurningPointDocument]
    """At most three moves that changed the win probabilities most, in order."""
    crash: str | None
    """The reason of a crash, or null."""
    places: list[Ordinal]
    """The places of the entrants, from 1."""
    points: list[int]
    """The points of the entrants by the rules of the game."""


class ReplayDocument(TypedDict):
    """The output of `deckcheck replay --output-format json`."""

    schema_version: Literal[1]
    """The version of this document, which rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    format: str
    """The id of the format."""
    snapshot: str
    """The date from which on the format was as it was played."""
    fingerprint: str
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


# A game move by move: the players, the moves and the outcome


@dataclass(frozen=True, slots=True)
class Seated:
    """The occupant of a seat."""

    name: str
    """The name of the deck in the run."""
    policy: str | None
    """The policy, or None for an automa."""
    leader: str | None = None
    """The id of the leader, if there is one."""

    def to_dict(self, player: str) -> SeatedDocument:
        """Return the seat as plain data, with the player's name in the steps."""
        return make_document(SeatedDocument, self, player=player)


@dataclass(frozen=True, slots=True)
class Step:
    """A move, or the deal."""

    number: int
    round: int
    """The round in which it was made."""
    player: str | None
    """The player who moved, or None for the deal."""
    text: str
    """The move in words."""
    notes: tuple[str, ...]
    """Its consequences, a sentence each."""
    totals: Mapping[str, int]
    """The strengths of the sides after it, or their points where strengths do not add
    up. At the end of a round they are the strengths before it, or empty if an automa
    has moved since.
    """
    ends_round: bool
    """Whether it ended the round."""
    lines: tuple[str, ...]
    """The position after it as text."""
    position: Mapping[str, Any]
    """The position after it for programs."""
    chances: Mapping[str, float] = field(default_factory=dict)
    """The win probabilities from there, see `replays.narration`, empty if unknown."""

    @property
    def is_draw(self) -> bool:
        """Whether a player drew cards."""
        openings = tuple(f"{player} draws " for player in self.chances)
        return any(note.startswith(openings) for note in self.notes)

    def to_dict(self) -> ReplayStepDocument:
        """Return the step as plain data."""
        return make_document(ReplayStepDocument, self)


class TurningPoint(NamedTuple):
    """A move, and the player's win probability before and after it from their view."""

    step: Step
    before: float
    after: float

    @property
    def change(self) -> float:
        """The rise of the win probability, negative if it fell."""
        return self.after - self.before

    def to_dict(self) -> TurningPointDocument:
        """Return the turning point as plain data."""
        return {
            "number": self.step.number,
            "kind": "draw" if self.step.is_draw else "move",
            "before": round(self.before, 4),
            "after": round(self.after, 4),
        }


@dataclass(frozen=True, slots=True)
class ToldGame:
    """A game move by move."""

    players: Mapping[str, Seated]
    """The occupants of the seats, by the names in the steps."""
    steps: tuple[Step, ...]
    winner: str | None
    """A player, a team or `draw`, or None if the game crashed."""
    outcome: tuple[int, ...]
    """The row of `playing.kernel.GameOutcome`, as a run counts it."""
    crash: str | None = None
    """The reason of a crash, if there was one."""
    turning_points: tuple[TurningPoint, ...] = ()
    """The moves that changed the win probabilities most."""

    def to_dict(self) -> GameDocument:
        """Return the game as plain data, with the places and points of the entrants."""
        of_entrants = self.outcome[GameOutcome.PLACE :]
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
    """A game of a run, or the games of a match in the order they were played."""

    format: str
    snapshot: str
    fingerprint: str
    seed: int
    entrants: tuple[str, ...]
    """The entrants who met."""
    noun: Noun
    """The counted unit: `game` or `match`."""
    number: int
    """The number of the game or match, from 1."""
    games: tuple[ToldGame, ...]

    @property
    def crash(self) -> str | None:
        """Why the last game crashed, if it did."""
        return self.games[-1].crash

    def to_dict(self) -> ReplayDocument:
        """Return the replay as plain data, as `--output-format json` prints it."""
        games = [game.to_dict() for game in self.games]
        made = {"schema_version": 1, "tool": tool(), "games": games}
        return make_document(ReplayDocument, self, **made)


# A part of a replay: some moves, or the moves of a player


def read_moves(text: str | None) -> range | None:
    """Return the numbers of moves in `20-30` or `20`, or raise UsageError."""
    if text is None:
        return None
    ends = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", text, re.ASCII)
    if ends is None:
        raise UsageError(
            f"{option('moves')} is {quote(text)}, which names no moves",
            "Write the first and the last, such as `20-30`, or one",
        )
    first, last = int(ends[1]), int(ends[2] or ends[1])
    if first > last:
        raise UsageError(
            f"{option('moves')} is {quote(text)}, and {first} comes after {last}",
            f"Write `{last}-{first}`",
        )
    return range(first, last + 1)


def select_moves(replay: Replay, moves: range | None, player: str | None) -> Replay:
    """Return the replay with only these moves of that player, None for all.

    Raises UsageError if no game has such a move.
    """
    if moves is None and player is None:
        return replay
    name = None if player is None else _find_player(replay, player)
    games = tuple(_tell_part(game, moves, name) for game in replay.games)
    if not any(game.steps for game in games):
        last = max(step.number for game in replay.games for step in game.steps)
        whose = "" if name is None else f" of {name}"
        raise UsageError(f"There are no such moves{whose}: the last move is {last}")
    return replace(replay, games=games)


def _find_player(replay: Replay, player: str) -> str:
    """Return the player by the name in the steps, or by the name of the deck."""
    names = {}
    for game in replay.games:
        for name, seat in game.players.items():
            names[seat.name.casefold()] = name
            names[name.casefold()] = name
    if player.strip().casefold() not in names:
        players = choice(list(dict.fromkeys(names.values())), "and")
        raise UsageError(f"No player {quote(player)}", f"Players are {players}")
    return names[player.strip().casefold()]


def _tell_part(game: ToldGame, moves: range | None, player: str | None) -> ToldGame:
    steps = []
    for step in game.steps:
        if (moves is None or step.number in moves) and player in (None, step.player):
            steps.append(step)
    return replace(game, steps=tuple(steps))


# The script of a game, by which it is played once more

NO_MOVE = -1


@dataclass(frozen=True)
class Script:
    """A replayed game: seats, deal and all moves."""

    database: CardDatabase
    format: Format
    table: Table
    """The table, with the context of this game alone."""
    seats: tuple[Seated, ...]
    seed: int
    game: tuple[int, ...]
    """A `ListedGame` row."""
    moves: tuple[int, ...]
    outcome: tuple[int, ...] | None
    """A `GameOutcome` row, or None if the game crashed."""
    crash: str | None
    """The reason of a crash, if there was one."""


def write_script(
    setting: Setting, table: Table, seats: Sequence[Seated], seed: int, game: Ints
) -> Script:
    """Play a game again, a `ListedGame` row, and note its moves."""
    alone = replace(table, contexts=(table.contexts[game[ListedGame.CONTEXT]],))
    row = game.copy()
    row[ListedGame.CONTEXT] = 0
    moves = np.full(MAX_TURNS + 1, NO_MOVE)
    outcome, crash = None, None
    try:
        outcome = tuple(play_listed(alone, seed, row[np.newaxis], moves)[0].tolist())
    except CrashedGame as error:
        crash = str(error.__cause__)
    made = moves[moves != NO_MOVE].tolist()
    return Script(
        database=setting.database,
        format=setting.format,
        table=alone,
        seats=tuple(seats),
        seed=seed,
        game=tuple(row.tolist()),
        moves=tuple(made),
        outcome=outcome,
        crash=crash,
    )
