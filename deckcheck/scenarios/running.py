"""Playing one scenario file."""

from __future__ import annotations

from pathlib import Path

from deckcheck.findings.documents import Location
from deckcheck.findings.words import quote
from deckcheck.scenarios.contract import Position
from deckcheck.scenarios.errors import BadPosition, ScenarioError
from deckcheck.scenarios.judging import disagreements, stated
from deckcheck.scenarios.moving import is_refused, make_move
from deckcheck.scenarios.reading import Reading, fault_at, read_scenario
from deckcheck.scenarios.result import Failure, ScenarioResult

__all__ = ["run_scenario"]


def run_scenario(file: Path, path: str, card_db: Path | None = None) -> ScenarioResult:
    """Play the scenario in `file`, called `path` in messages.

    A file that is wrong gives a result with faults. The engine of the process stays
    uncompiled from then on. Raises UsageError for defects of the card database, and
    where the engine is compiled already.
    """
    try:
        reading = read_scenario(file, path, card_db)
    except ScenarioError as error:
        return ScenarioResult(path, faults=error.faults)
    try:
        return _play(reading, path)
    except BadPosition as error:
        fault = fault_at(reading.source, error)
        return ScenarioResult(path, reading.scenario.rule, faults=(fault,))


def _play(reading: Reading, path: str) -> ScenarioResult:
    scenario = reading.scenario
    position = reading.adapter.set_up(scenario, reading.database, reading.format)
    failures = _make_moves(reading, position)
    position.settle("", "")
    failures += _compare(reading, position)
    return ScenarioResult(path, scenario.rule, tuple(failures), (), position)


def _make_moves(reading: Reading, position: Position) -> list[Failure]:
    """Make all moves; a forbidden move that is legal is a failure."""
    scenario, answers = reading.scenario, list(reading.scenario.random)
    failures = []
    for index, move in enumerate(scenario.moves):
        at: Location = ("moves", index)
        if not move.forbidden:
            used = make_move(position, move, at, answers)
            del answers[:used]
        elif not is_refused(position, move, at):
            span = reading.source.document.span((*at, "forbidden"))
            what = f"moves.{index}"
            failures.append(Failure(span, what, "forbidden", "allowed"))
    if answers:
        place = ("random", len(scenario.random) - len(answers))
        message = f"random answer {quote(answers[0])} was not used"
        raise BadPosition(place, message, "Remove it")
    return failures


def _compare(reading: Reading, position: Position) -> list[Failure]:
    if reading.scenario.expect is None:
        return []
    expected = stated(reading.scenario.expect)
    document = reading.source.document
    failures = [
        Failure(document.span(("expect", *way)), ".".join(way), wanted, came)
        for way, wanted, came in disagreements(expected, position.facts())
    ]
    return sorted(failures, key=lambda failure: failure.span)
