"""A replay as text, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from deckcheck.findings.columns import width
from deckcheck.findings.json_text import json_text
from deckcheck.findings.markdown_text import bold, plain
from deckcheck.findings.style import Style
from deckcheck.findings.words import printable
from deckcheck.replays.model import Replay, Step, ToldGame

TEXT_COLUMN = 52


@dataclass(frozen=True, slots=True)
class Telling:
    """A replay, and whether the position after every move is to be seen in text."""

    replay: Replay
    positions: bool = False


def heading(replay: Replay) -> str:
    """Which game it is."""
    who = " against ".join(replay.entrants)
    return f"{replay.noun.capitalize()} {replay.number:,} of {who}"


def verdict(game: ToldGame) -> str:
    """What came of a game, in a sentence."""
    if game.crash is not None:
        return f"The game crashed: {game.crash}"
    return "A draw" if game.winner == "draw" else f"{game.winner} wins"


def rounds_of(game: ToldGame) -> Iterator[tuple[str, list[Step]]]:
    """The steps of a game, those of each round below its name."""
    steps: list[Step] = []
    name = "Deal"
    for step in game.steps:
        of_step = f"Round {step.round}" if step.number else "Deal"
        if of_step != name:
            yield name, steps
            name, steps = of_step, []
        steps.append(step)
    yield name, steps


def step_lines(step: Step, *, positions: bool = False) -> Iterator[str]:
    """A step as text: the move and the totals after it, then its consequences."""
    if step.player is not None:
        line = f"{step.number:>3}  {step.player}: {step.text}"
        gap = " " * max(2, TEXT_COLUMN - width(line))
        yield f"{line}{gap}{_totals(step)}".rstrip()
    yield from (f"       {note}" for note in step.notes)
    if positions:
        yield from (f"         {line}" for line in step.lines)


def _facts(replay: Replay) -> str:
    """How it was played."""
    fmt = f"{replay.format}@{replay.snapshot}"
    return f"{fmt}, digest {replay.digest}, seed {replay.seed}"


def _seats(game: ToldGame) -> Iterator[str]:
    """The seats."""
    for player, seat in game.players.items():
        policy = f", played by {seat.policy}" if seat.policy else ""
        yield f"{player}: {seat.name}{policy}"


def _totals(step: Step) -> str:
    return ", ".join(f"{side} {total}" for side, total in step.totals.items())


def _titled(replay: Replay) -> Iterator[tuple[str | None, ToldGame]]:
    """The games; those of a match with their number in it."""
    for number, game in enumerate(replay.games, start=1):
        is_match = replay.noun == "match"
        yield f"Game {number} of the match" if is_match else None, game


def _text(telling: Telling, style: Style) -> Iterator[str]:
    yield style.strong(printable(heading(telling.replay)))
    yield printable(_facts(telling.replay))
    for title, game in _titled(telling.replay):
        yield ""
        if title is not None:
            yield style.strong(title)
        yield from map(printable, _seats(game))
        for name, steps in rounds_of(game):
            yield ""
            yield style.strong(name)
            for step in steps:
                lines = step_lines(step, positions=telling.positions)
                yield from map(printable, lines)
        yield ""
        paint = style.strong if game.crash is None else style.bad
        yield paint(printable(verdict(game)))


def _markdown(replay: Replay) -> Iterator[str]:
    yield f"## {plain(heading(replay))}"
    yield ""
    yield plain(_facts(replay))
    for title, game in _titled(replay):
        yield ""
        if title is not None:
            yield from (f"### {title}", "")
        yield from (f"- {plain(line)}" for line in _seats(game))
        for name, steps in rounds_of(game):
            yield from ("", f"#### {name}", "")
            for step in steps:
                yield from _markdown_step(step)
        yield from ("", bold(verdict(game)))


def _markdown_step(step: Step) -> Iterator[str]:
    indent = ""
    if step.player is not None:
        totals = f" ({_totals(step)})" if step.totals else ""
        move = plain(f"{step.text}{totals}")
        yield f"{step.number}. {bold(step.player)}: {move}"
        indent = "    "
    yield from (f"{indent}- {plain(note)}" for note in step.notes)


def _write_text(telling: Telling, stream: TextIO, style: Style, _: bool) -> None:
    stream.writelines(f"{line}\n" for line in _text(telling, style))


def _write_markdown(telling: Telling, stream: TextIO, *_: object) -> None:
    stream.writelines(f"{line}\n" for line in _markdown(telling.replay))


def _write_json(telling: Telling, stream: TextIO, *_: object) -> None:
    stream.write(json_text(telling.replay.to_dict()))


WRITERS = (("text", _write_text), ("markdown", _write_markdown), ("json", _write_json))
"""Every output of a replay by its name; see `deckcheck.reporters.Reporter`."""
