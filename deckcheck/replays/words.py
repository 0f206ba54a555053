"""The words of a replay that all its outputs share."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings.columns import width
from deckcheck.replays.model import Replay, Step, ToldGame

TEXT_COLUMN = 52
TURNING = "Turning points"
CHANCES = "chances by the value of `learned`: the mean of what both players could see"


def heading(replay: Replay) -> str:
    """Which game it is."""
    who = " against ".join(replay.entrants)
    return f"{replay.noun.capitalize()} {replay.number:,} of {who}"


def verdict(game: ToldGame) -> str:
    """What came of a game, in a sentence."""
    if game.crash is not None:
        return f"The game crashed: {game.crash}"
    return "A draw" if game.winner == "draw" else f"{game.winner} wins"


def turning_sentences(game: ToldGame) -> list[tuple[Step, str]]:
    """The moves that changed the chances most, each with a sentence; or none."""
    first = next(iter(game.players))
    return [
        (
            step,
            f"Move {step.number}, {step.player}: {step.text}: the chance of {first} "
            f"goes from {percent(before)} to {percent(after)}",
        )
        for step, before, after in game.turning_points
    ]


def percent(chance: float) -> str:
    """A chance without decimals: its value is no measurement."""
    return f"{100 * chance:.0f} %"


def rounds_of(game: ToldGame) -> Iterator[tuple[str, list[Step]]]:
    """The steps of a game, those of each round below its name."""
    steps: list[Step] = []
    name = "Deal"
    for step in game.steps:
        of_step = f"Round {step.round}" if step.number else "Deal"
        if of_step != name:
            if steps:
                yield name, steps
            name, steps = of_step, []
        steps.append(step)
    yield name, steps


def step_lines(step: Step, *, positions: bool = False) -> Iterator[str]:
    """A step as text: the move and the totals after it, then its consequences."""
    if step.player is not None:
        line = f"{step.number:>3}  {step.player}: {step.text}"
        gap = " " * max(2, TEXT_COLUMN - width(line))
        yield f"{line}{gap}{totals_text(step)}".rstrip()
    yield from (f"       {note}" for note in step.notes)
    if positions:
        yield from (f"         {line}" for line in step.lines)


def facts_line(replay: Replay) -> str:
    """How it was played."""
    fmt = f"{replay.format}@{replay.snapshot}"
    return f"{fmt}, digest {replay.digest}, seed {replay.seed}"


def seat_lines(game: ToldGame) -> Iterator[str]:
    """The seats."""
    for player, seat in game.players.items():
        policy = f", played by {seat.policy}" if seat.policy else ""
        yield f"{player}: {seat.name}{policy}"


def totals_text(step: Step) -> str:
    """The totals after a move."""
    return ", ".join(f"{side} {total}" for side, total in step.totals.items())
