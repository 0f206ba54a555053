"""A replay as text, Markdown, JSON, HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from deckcheck.markup import bold, json_text, plain
from deckcheck.messages import printable
from deckcheck.pages import render
from deckcheck.policies.registry import policy_label
from deckcheck.replays.model import Replay, Step, ToldGame
from deckcheck.replays.narration import MIN_CHANGE, average_first_chance
from deckcheck.terminal import Style, width

# The words of a replay that all its outputs share

TEXT_COLUMN = 52
TURNING_TITLES = {"move": "Costliest moves", "draw": "Draws that changed most"}
CHANCES_NOTE = (
    "Win probabilities are estimates by `learned-1`, each from what that player sees: "
    "both need not add up to 100%."
)
NO_COSTLY_MOVE = f"No move cost its player {100 * MIN_CHANGE:.0f} points or more."


def heading(replay: Replay) -> str:
    """Return the heading with the number of the game."""
    who = " against ".join(replay.entrants)
    return f"{replay.noun.capitalize()} {replay.number:,} of {who}"


def verdict(game: ToldGame) -> str:
    """Return the result of a game in a sentence."""
    if game.crash is not None:
        return f"The game crashed: {game.crash}"
    return "A draw" if game.winner == "draw" else f"{game.winner} wins"


def describe_turning_points(game: ToldGame) -> dict[str, list[tuple[Step, str]]]:
    """Return the turning points by the titles of their kinds, each with a sentence."""
    sentences: dict[str, list[tuple[Step, str]]] = {}
    for point in game.turning_points:
        step = point.step
        verb = "raises" if point.change > 0 else "lowers"
        change = f"from {percent(point.before)} to {percent(point.after)}"
        sentence = (
            f"Move {step.number} {verb} the win probability of {step.player} {change}: "
            f"{step.text}"
        )
        title = TURNING_TITLES["draw" if step.is_draw else "move"]
        sentences.setdefault(title, []).append((step, sentence))
    return sentences


def describe_turning_notes(game: ToldGame) -> Iterator[str]:
    """Yield notes on the chances, and on a game without costly moves."""
    if not (game.turning_points or any(step.chances for step in game.steps)):
        return
    if all(point.step.is_draw for point in game.turning_points):
        yield NO_COSTLY_MOVE
    if game.turning_points:
        yield CHANCES_NOTE


def percent(chance: float) -> str:
    """Return a chance without decimals, since it is not a measurement."""
    return f"{100 * chance:.0f}%"


def group_rounds(game: ToldGame) -> Iterator[tuple[str, list[Step]]]:
    """Yield the name of each round of a game with its steps."""
    steps: list[Step] = []
    name = "Deal"
    for step in game.steps:
        of_step = f"Round {step.round}" if step.number else "Deal"
        if of_step != name:
            if steps:
                yield name, steps
            name = of_step
            steps = []
        steps.append(step)
    if steps:
        yield name, steps


def step_lines(step: Step, *, positions: bool) -> Iterator[str]:
    """Yield a step as text: the move and the totals after it, then its consequences."""
    if step.player is not None:
        line = f"{step.number:>3}  {step.player}: {step.text}"
        gap = " " * max(2, TEXT_COLUMN - width(line))
        yield f"{line}{gap}{totals_text(step)}".rstrip()
    yield from (f"       {note}" for note in step.notes)
    if positions:
        yield from (f"         {line}" for line in step.lines)


def describe_facts(replay: Replay) -> str:
    """Return the settings of the game in a line."""
    fmt = f"{replay.format}@{replay.snapshot}"
    return f"{fmt}, rules fingerprint {replay.fingerprint}, seed {replay.seed}"


def seat_lines(game: ToldGame) -> Iterator[str]:
    """Yield the seats."""
    for player, seat in game.players.items():
        policy = f", played by {policy_label(seat.policy)}" if seat.policy else ""
        yield f"{player}: {seat.name}{policy}"


def totals_text(step: Step) -> str:
    """Return the totals after a move."""
    return ", ".join(f"{side} {total}" for side, total in step.totals.items())


# A replay as a page: the chances of the players as a drawing, then every move

CHART_LEFT, CHART_WIDTH, CHART_TOP, CHART_HEIGHT = 48, 900, 20, 220
"""Where the drawing of the chances lies, in units of its own."""


def render_replay(replay: Replay) -> str:
    """Return the page as a single file without dependencies."""
    games = []
    for number, game in enumerate(replay.games, start=1):
        games.append(_game_texts(number, game))
    return render(
        Path(__file__).with_name("page.html"),
        title=heading(replay),
        about=describe_facts(replay),
        fingerprint=replay.fingerprint,
        games=games,
    )


def _game_texts(number: int, game: ToldGame) -> dict[str, Any]:
    """Return the texts and lines of a game."""
    players = list(game.players)
    sides: list[str] = []
    for step in game.steps:
        sides = list(step.totals) or sides
    sentence = verdict(game)
    winner = game.players.get(game.winner or "")
    if winner is not None:
        sentence += f" with {winner.name}"
    turning = []
    for title, points in describe_turning_points(game).items():
        turning.append((title, [(step.number, text) for step, text in points]))
    deal: list[str] = []
    rounds = []
    for name, steps in group_rounds(game):
        if steps[0].number:
            rounds.append((name, [_move_texts(step, sides) for step in steps]))
        else:
            for step in steps:
                deal += step.notes
    has_chances = any(step.chances for step in game.steps)
    return {
        "id": f"game-{number}",
        "verdict": sentence,
        "turning": turning,
        "shown": {step.number for step in game.steps},
        "seats": [line.split(": ", 1) for line in seat_lines(game)],
        "first": players[0],
        "second": players[-1],
        "sides": sides,
        "chart": _draw_chart(game) if has_chances else None,
        "deal": deal,
        "rounds": rounds,
    }


def _move_texts(step: Step, sides: Sequence[str]) -> dict[str, Any]:
    """Return the texts of a move."""
    return {
        "number": step.number,
        "player": step.player or "",
        "text": step.text,
        "notes": step.notes,
        "totals": [step.totals.get(side, "") for side in sides],
        "chance": percent(average_first_chance(step)) if step.chances else "",
    }


def _draw_chart(game: ToldGame) -> dict[str, Any]:
    """Return the lines of the first player's chances, and the marks on them."""
    steps = [step for step in game.steps if step.chances]
    apart = (CHART_WIDTH - CHART_LEFT) / max(len(steps) - 1, 1)
    places = {step.number: CHART_LEFT + apart * i for i, step in enumerate(steps)}
    first_chances, second_chances, means = [], [], []
    for step in steps:
        first, second = step.chances.values()
        first_chances.append(first)
        second_chances.append(1 - second)
        means.append(average_first_chance(step))
    begins: dict[int, float] = {}
    for step in steps[1:]:
        begins.setdefault(step.round, round(places[step.number] - apart, 1))
    turns = []
    for points in describe_turning_points(game).values():
        for step, text in points:
            if step.number in places:
                x = round(places[step.number], 1)
                y = _chart_height(average_first_chance(step))
                turns.append((x, y, step.number, text))
    return {
        "left": CHART_LEFT,
        "width": CHART_WIDTH,
        "rounds": [(x, f"round {number}") for number, x in begins.items()],
        "own": _draw_line(places.values(), first_chances),
        "other": _draw_line(places.values(), second_chances),
        "mean": _draw_line(places.values(), means),
        "turns": turns,
    }


def _draw_line(places: Any, chances: Sequence[float]) -> str:
    """Return a line through the chances."""
    points = []
    for x, chance in zip(places, chances, strict=True):
        points.append(f"{x:.1f} {_chart_height(chance)}")
    return "M" + "L".join(points)


def _chart_height(chance: float) -> float:
    return round(CHART_TOP + CHART_HEIGHT * (1 - chance), 1)


# A replay as text, as Markdown, as a page, and as JSON


@dataclass(frozen=True, slots=True)
class Telling:
    """A replay, and whether the position after every move is to be seen in text."""

    replay: Replay
    positions: bool


def _number_games(replay: Replay) -> Iterator[tuple[str, ToldGame]]:
    """Yield the games with their titles, which are empty for a single game."""
    for number, game in enumerate(replay.games, start=1):
        title = ""
        if replay.noun == "match":
            title = f"Game {number} of the match"
        yield title, game


def _write_text(telling: Telling, style: Style) -> Iterator[str]:
    yield style.strong(printable(heading(telling.replay)))
    yield printable(describe_facts(telling.replay))
    for title, game in _number_games(telling.replay):
        yield ""
        if title:
            yield style.strong(title)
        yield from map(printable, seat_lines(game))
        for name, steps in group_rounds(game):
            yield ""
            yield style.strong(name)
            for step in steps:
                lines = step_lines(step, positions=telling.positions)
                yield from map(printable, lines)
        yield ""
        paint = style.strong if game.crash is None else style.bad
        yield paint(printable(verdict(game)))
        for kind, points in describe_turning_points(game).items():
            yield from ("", style.strong(kind))
            yield from (printable(text) for _, text in points)
        yield from describe_turning_notes(game)


def _write_markdown(replay: Replay) -> Iterator[str]:
    yield f"## {plain(heading(replay))}"
    yield ""
    yield plain(describe_facts(replay))
    for title, game in _number_games(replay):
        yield ""
        if title:
            yield from (f"### {title}", "")
        yield from (f"- {plain(line)}" for line in seat_lines(game))
        for name, steps in group_rounds(game):
            yield from ("", f"#### {name}", "")
            for step in steps:
                yield from _write_markdown_step(step)
        yield from ("", bold(verdict(game)))
        for kind, points in describe_turning_points(game).items():
            yield from ("", f"#### {kind}", "")
            yield from (f"- {plain(text)}" for _, text in points)
        for note in describe_turning_notes(game):
            yield from ("", plain(note))


def _write_markdown_step(step: Step) -> Iterator[str]:
    indent = ""
    if step.player is not None:
        totals = f" ({totals_text(step)})" if step.totals else ""
        move = plain(f"{step.text}{totals}")
        yield f"{step.number}. {bold(step.player)}: {move}"
        indent = "    "
    yield from (f"{indent}- {plain(note)}" for note in step.notes)


def _summarise_game(replay: Replay) -> str:
    """Return a game in a line: its end, each round, the costliest move and draw."""
    sentences = []
    for title, game in _number_games(replay):
        parts = [verdict(game)]
        for step in game.steps:
            if step.ends_round:
                parts.append(f"round {step.round}: {totals_text(step)}")
        for points in describe_turning_points(game).values():
            parts.append(points[0][1])
        if title:
            parts[0] = f"{title}: {parts[0]}"
        sentences.append("; ".join(parts))
    return printable(f"{heading(replay)}: {'. '.join(sentences)}") + "\n"


def _make_writer(text: Callable[[Telling, Style], str]) -> Callable[..., None]:
    def write(telling: Telling, stream: TextIO, style: Style, _: bool) -> None:
        stream.write(text(telling, style))

    return write


def _join_lines(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


WRITERS = (
    (
        "text",
        _make_writer(lambda telling, style: _join_lines(_write_text(telling, style))),
    ),
    ("line", _make_writer(lambda telling, _: _summarise_game(telling.replay))),
    (
        "markdown",
        _make_writer(lambda telling, _: _join_lines(_write_markdown(telling.replay))),
    ),
    ("html", _make_writer(lambda telling, _: render_replay(telling.replay))),
    ("json", _make_writer(lambda telling, _: json_text(telling.replay.to_dict()))),
)
"""The writers of a replay by name, see `deckcheck.reporters.Reporter`."""
