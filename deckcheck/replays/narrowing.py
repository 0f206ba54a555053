"""A part of a replay: some moves, or those of one player."""

from __future__ import annotations

import re
from dataclasses import replace

from deckcheck.findings import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, quote
from deckcheck.replays.model import Replay, ToldGame


def read_moves(text: str | None) -> range | None:
    """The numbers of moves, as `20-30` or `20`; raises UsageError for others."""
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


def narrowed(replay: Replay, moves: range | None, player: str | None) -> Replay:
    """The replay with these moves of that player, all if None.

    Raises UsageError where no game has any.
    """
    if moves is None and player is None:
        return replay
    name = None if player is None else _player(replay, player)
    games = tuple(_part(game, moves, name) for game in replay.games)
    if not any(game.steps for game in games):
        last = max(step.number for game in replay.games for step in game.steps)
        whose = "" if name is None else f" of {name}"
        raise UsageError(f"There are no such moves{whose}: the last move is {last}")
    return replace(replay, games=games)


def _player(replay: Replay, player: str) -> str:
    """The player as the steps name them; the name of a deck will do."""
    names = {
        word.casefold(): name
        for game in replay.games
        for name, seat in game.players.items()
        for word in (seat.name, name)
    }
    if player.strip().casefold() not in names:
        players = choice(list(dict.fromkeys(names.values())), "and")
        raise UsageError(f"No player {quote(player)}", f"Players are {players}")
    return names[player.strip().casefold()]


def _part(game: ToldGame, moves: range | None, player: str | None) -> ToldGame:
    steps = tuple(
        step
        for step in game.steps
        if (moves is None or step.number in moves) and player in (None, step.player)
    )
    return replace(game, steps=steps)
