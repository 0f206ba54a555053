"""`replay --watch`: a game on a terminal, a move at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from deckcheck.cli.printing import say
from deckcheck.findings.errors import UsageError
from deckcheck.findings.style import Style
from deckcheck.replays.model import Replay
from deckcheck.replays.words import heading, rounds_of, step_lines, verdict

LEAVE = ("q", "quit")
HINT = "Enter goes on, q leaves"


def check_terminal() -> None:
    """Refuse to wait for keys where there is nobody to press them."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "`--watch` needs a terminal",
            "Leave it out, and the whole game is written at once",
        )


def step_through(replay: Replay, style: Style) -> None:
    """Show the position after each move, and wait for a key."""
    say(heading(replay), style.strong)
    for screen in _screens(replay, style):
        for line in screen:
            say(line)
        try:
            answer = input(style.frame(f"{HINT} > "))
        except EOFError:
            return
        if answer.strip().lower() in LEAVE:
            return
        say()


def _screens(replay: Replay, style: Style) -> Iterator[list[str]]:
    for number, game in enumerate(replay.games, start=1):
        title = [f"Game {number} of the match"] if replay.noun == "match" else []
        for name, steps in rounds_of(game):
            title.append(name)
            for step in steps:
                yield [*title, *step_lines(step, positions=True)]
                title = []
        say(verdict(game), style.strong)
