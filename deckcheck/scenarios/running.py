"""Playing one scenario file."""

from __future__ import annotations

from pathlib import Path

from deckcheck.cards import Root
from deckcheck.findings.documents import Location
from deckcheck.findings.finding import Span
from deckcheck.findings.words import quote
from deckcheck.scenarios.contract import Position
from deckcheck.scenarios.errors import BadPosition, Refused, ScenarioError
from deckcheck.scenarios.judging import disagreements, stated
from deckcheck.scenarios.models import Move
from deckcheck.scenarios.moving import END, Next, make_move, refusal_of, settle
from deckcheck.scenarios.reading import Reading, fault_at, read_scenario
from deckcheck.scenarios.result import Failure, OwnDeed, Refusal, ScenarioResult


def run_scenario(file: Path | None, path: str, card_db: Root = None) -> ScenarioResult:
    """Play the scenario in `file`, called `path` in messages; None is standard input.

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
    position = reading.adapter.set_up(
        reading.scenario, reading.database, reading.format
    )
    course = _Course(reading, position)
    course.make_moves()
    course.failures += _compare(reading, position)
    return ScenarioResult(
        path,
        reading.scenario.rule,
        tuple(course.failures),
        (),
        tuple(course.refusals),
        tuple(course.own_deeds),
        position,
    )


class _Course:
    """The moves of one scenario, and what is noted while they are made."""

    def __init__(self, reading: Reading, position: Position) -> None:
        self.reading, self.position = reading, position
        self.failures: list[Failure] = []
        self.refusals: list[Refusal] = []
        self.own_deeds: list[OwnDeed] = []
        self.answers = list(reading.scenario.random)

    def make_moves(self) -> None:
        """Make all moves; a forbidden move that is legal is a failure."""
        scenario = self.reading.scenario
        for index, move in enumerate(scenario.moves):
            at = ("moves", index)
            if move.forbidden:
                self._try(move, index, at)
            else:
                following = self._following(index + 1)
                used = make_move(self.position, move, at, self.answers, following)
                self._spend(used, at)
        if all(move.forbidden for move in scenario.moves):
            self._spend(settle(self.position, self.answers), ())
        if self.answers:
            place = ("random", len(scenario.random) - len(self.answers))
            message = f"random answer {quote(self.answers[0])} was not used"
            raise BadPosition(place, message, "Remove it")

    def _following(self, index: int) -> Next:
        """The next move from this one on that is made."""
        rest = self.reading.scenario.moves[index:]
        made = (move for move in rest if not move.forbidden)
        return next(((move.wish()[0], move.player) for move in made), END)

    def _spend(self, used: int, at: Location) -> None:
        """Note the answers used by a move, and what the game's own player did."""
        del self.answers[:used]
        span = self._span(at)
        self.own_deeds += [OwnDeed(span, deed) for deed in self.position.deeds()]

    def _try(self, move: Move, index: int, at: Location) -> None:
        refused = refusal_of(self.position, move, at)
        span = self._span((*at, "forbidden"))
        if refused is not None:
            self.refusals.append(Refusal(span, refused.message, refused.reason))
        self.failures += _wrong_refusal(move.forbidden, refused, index, span)

    def _span(self, at: Location) -> Span:
        return self.reading.source.document.span(at)


def _wrong_refusal(
    wanted: bool | str, refused: Refused | None, index: int, span: Span
) -> list[Failure]:
    """The failure of a move that is legal, or refused for another reason."""
    what = f"move {index + 1}"
    if refused is None:
        return [Failure(span, what, "forbidden", "allowed")]
    if isinstance(wanted, str) and wanted != refused.reason:
        return [Failure(span, f"{what}, forbidden", wanted, refused.reason)]
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
