"""Playing one scenario file."""

from __future__ import annotations

from pathlib import Path

from deckcheck.findings.documents import Location
from deckcheck.findings.finding import Span
from deckcheck.findings.words import quote
from deckcheck.scenarios.contract import Position
from deckcheck.scenarios.errors import BadPosition, Refused, ScenarioError
from deckcheck.scenarios.judging import disagreements, stated
from deckcheck.scenarios.moving import make_move, refusal_of
from deckcheck.scenarios.reading import Reading, fault_at, read_scenario
from deckcheck.scenarios.result import Failure, Refusal, ScenarioResult

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
    refusals, failures = _make_moves(reading, position)
    position.settle("", "")
    failures += _compare(reading, position)
    return ScenarioResult(
        path, scenario.rule, tuple(failures), (), tuple(refusals), position
    )


def _make_moves(
    reading: Reading, position: Position
) -> tuple[list[Refusal], list[Failure]]:
    """Make all moves; a forbidden move that is legal is a failure."""
    scenario, answers = reading.scenario, list(reading.scenario.random)
    refusals: list[Refusal] = []
    failures: list[Failure] = []
    for index, move in enumerate(scenario.moves):
        at: Location = ("moves", index)
        if not move.forbidden:
            used = make_move(position, move, at, answers)
            del answers[:used]
            continue
        refused = refusal_of(position, move, at)
        span = reading.source.document.span((*at, "forbidden"))
        if refused is not None:
            refusals.append(Refusal(span, refused.message, refused.reason))
        failures += _wrong_refusal(move.forbidden, refused, index, span)
    if answers:
        place = ("random", len(scenario.random) - len(answers))
        message = f"random answer {quote(answers[0])} was not used"
        raise BadPosition(place, message, "Remove it")
    return refusals, failures


def _wrong_refusal(
    wanted: bool | str, refused: Refused | None, index: int, span: Span
) -> list[Failure]:
    """The failure of a move that is legal, or refused for another reason."""
    what = f"moves.{index}"
    if refused is None:
        return [Failure(span, what, "forbidden", "allowed")]
    if isinstance(wanted, str) and wanted != refused.reason:
        return [Failure(span, f"{what}.forbidden", wanted, refused.reason)]
    return []


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
