"""A replay as a page: the chances of the players as a drawing, then every move."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deckcheck.pages import render
from deckcheck.replays.chances import chance_of_first
from deckcheck.replays.model import Replay, Step, ToldGame
from deckcheck.replays.words import (
    facts_line,
    heading,
    percent,
    rounds_of,
    seat_lines,
    turning_sentences,
    verdict,
)

LEFT, WIDTH, TOP, HEIGHT = 48, 900, 20, 220
"""Where the drawing of the chances lies, in units of its own."""


def page_of_replay(replay: Replay) -> str:
    """Return the page: one file that needs no other."""
    return render(
        Path(__file__).with_name("page.html"),
        title=heading(replay),
        about=facts_line(replay),
        digest=replay.digest,
        games=[_game(number, game) for number, game in enumerate(replay.games, 1)],
    )


def _game(number: int, game: ToldGame) -> dict[str, Any]:
    """The texts and lines of a game."""
    players = list(game.players)
    sides = list(game.steps[-1].totals) if game.steps else []
    return {
        "id": f"game-{number}",
        "verdict": _verdict(game),
        "turning": [(step.number, text) for step, text in turning_sentences(game)],
        "seats": [line.split(": ", 1) for line in seat_lines(game)],
        "first": players[0],
        "second": players[-1],
        "sides": sides,
        "chart": _chart(game) if any(step.chances for step in game.steps) else None,
        "deal": [n for step in game.steps if not step.number for n in step.notes],
        "rounds": [
            (name, [_row(step, sides) for step in steps])
            for name, steps in rounds_of(game)
            if steps[0].number
        ],
    }


def _verdict(game: ToldGame) -> str:
    """Who won, and with what."""
    winner = game.players.get(game.winner or "")
    return verdict(game) + (f" with {winner.name}" if winner else "")


def _row(step: Step, sides: Sequence[str]) -> dict[str, Any]:
    """The texts of a move."""
    return {
        "number": step.number,
        "player": step.player or "",
        "text": step.text,
        "notes": step.notes,
        "totals": [step.totals.get(side, "") for side in sides],
        "chance": percent(chance_of_first(step)) if step.chances else "",
    }


def _chart(game: ToldGame) -> dict[str, Any]:
    """The lines of the chances of the first player, and the marks on them."""
    steps = [step for step in game.steps if step.chances]
    apart = (WIDTH - LEFT) / max(len(steps) - 1, 1)
    places = {step.number: LEFT + apart * i for i, step in enumerate(steps)}
    by_seat = [tuple(step.chances.values()) for step in steps]
    begins: dict[int, float] = {}
    for step in steps[1:]:
        begins.setdefault(step.round, round(places[step.number] - apart, 1))
    return {
        "left": LEFT,
        "width": WIDTH,
        "rounds": [(x, f"round {number}") for number, x in begins.items()],
        "own": _path(places.values(), [own for own, _ in by_seat]),
        "other": _path(places.values(), [1 - other for _, other in by_seat]),
        "mean": _path(places.values(), [chance_of_first(step) for step in steps]),
        "turns": [
            (
                round(places[step.number], 1),
                _y(chance_of_first(step)),
                step.number,
                text,
            )
            for step, text in turning_sentences(game)
        ],
    }


def _path(places: Any, chances: Sequence[float]) -> str:
    """A line through the chances."""
    points = (
        f"{x:.1f} {_y(chance)}" for x, chance in zip(places, chances, strict=True)
    )
    return "M" + "L".join(points)


def _y(chance: float) -> float:
    return round(TOP + HEIGHT * (1 - chance), 1)
