"""A replay as text, as Markdown, as a page, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from deckcheck.findings.json_text import json_text
from deckcheck.findings.markdown_text import bold, plain
from deckcheck.findings.style import Style
from deckcheck.findings.words import printable
from deckcheck.replays.html import page_of_replay
from deckcheck.replays.model import Replay, Step, ToldGame
from deckcheck.replays.words import (
    CHANCES,
    TURNING,
    facts_line,
    heading,
    rounds_of,
    seat_lines,
    step_lines,
    totals_text,
    turning_sentences,
    verdict,
)


@dataclass(frozen=True, slots=True)
class Telling:
    """A replay, and whether the position after every move is to be seen in text."""

    replay: Replay
    positions: bool = False


def _titled(replay: Replay) -> Iterator[tuple[str | None, ToldGame]]:
    """The games; those of a match with their number in it."""
    for number, game in enumerate(replay.games, start=1):
        is_match = replay.noun == "match"
        yield f"Game {number} of the match" if is_match else None, game


def _text(telling: Telling, style: Style) -> Iterator[str]:
    yield style.strong(printable(heading(telling.replay)))
    yield printable(facts_line(telling.replay))
    for title, game in _titled(telling.replay):
        yield ""
        if title is not None:
            yield style.strong(title)
        yield from map(printable, seat_lines(game))
        for name, steps in rounds_of(game):
            yield ""
            yield style.strong(name)
            for step in steps:
                lines = step_lines(step, positions=telling.positions)
                yield from map(printable, lines)
        yield ""
        paint = style.strong if game.crash is None else style.bad
        yield paint(printable(verdict(game)))
        turning = [text for _, text in turning_sentences(game)]
        if turning:
            yield ""
            yield style.strong(TURNING)
            yield from map(printable, turning)
            yield CHANCES


def _markdown(replay: Replay) -> Iterator[str]:
    yield f"## {plain(heading(replay))}"
    yield ""
    yield plain(facts_line(replay))
    for title, game in _titled(replay):
        yield ""
        if title is not None:
            yield from (f"### {title}", "")
        yield from (f"- {plain(line)}" for line in seat_lines(game))
        for name, steps in rounds_of(game):
            yield from ("", f"#### {name}", "")
            for step in steps:
                yield from _markdown_step(step)
        yield from ("", bold(verdict(game)))
        turning = [text for _, text in turning_sentences(game)]
        if turning:
            yield from ("", f"#### {TURNING}", "")
            yield from (f"- {plain(line)}" for line in turning)
            yield from ("", plain(CHANCES))


def _markdown_step(step: Step) -> Iterator[str]:
    indent = ""
    if step.player is not None:
        totals = f" ({totals_text(step)})" if step.totals else ""
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


def _write_html(telling: Telling, stream: TextIO, *_: object) -> None:
    stream.write(page_of_replay(telling.replay))


WRITERS = (
    ("text", _write_text),
    ("markdown", _write_markdown),
    ("html", _write_html),
    ("json", _write_json),
)
"""Every output of a replay by its name; see `deckcheck.reporters.Reporter`."""
