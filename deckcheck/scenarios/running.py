"""Play the scenarios of a file, and compare positions with the expected facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from deckcheck.cards import Root
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source
from deckcheck.findings import Span
from deckcheck.messages import quote
from deckcheck.scenarios.contract import BadPosition, GamePosition, ScenarioError
from deckcheck.scenarios.files import (
    ChosenFile,
    ScenarioFile,
    ScenarioReading,
    fault_at,
    get_title,
)
from deckcheck.scenarios.models import CardCount, Move, ScenarioRecord, expand
from deckcheck.scenarios.moving import (
    NO_MOVE,
    FollowingMove,
    find_refusal,
    make_move,
    settle,
)
from deckcheck.scenarios.result import Failure, OwnAction, Refusal, ScenarioResult


def run_scenarios(chosen: ChosenFile, path: str, card_db: Root) -> list[ScenarioResult]:
    """Play the scenarios of a file, called `path` in messages.

    A wrong scenario or an unreadable file gives a result with faults. The engine of the
    process stays uncompiled from then on. Raises UsageError for an unknown title, for
    defects of the card database, and if the engine is compiled already.
    """
    try:
        file = ScenarioFile(chosen.file, path, card_db)
    except ScenarioError as error:
        return [ScenarioResult(path, faults=error.faults)]
    return [run_scenario(file, source) for source in file.select(chosen.titles)]


def run_scenario(file: ScenarioFile, source: Source) -> ScenarioResult:
    """Play a scenario of a read file, otherwise as `run_scenarios`."""
    title = get_title(source)
    try:
        reading = file.read(source)
    except ScenarioError as error:
        return ScenarioResult(source.path, title, faults=error.faults)
    try:
        return _play(reading)
    except BadPosition as error:
        rule = reading.scenario.rule
        fault = fault_at(source, error)
        return ScenarioResult(source.path, title, rule, faults=(fault,))


def _play(reading: ScenarioReading) -> ScenarioResult:
    position = reading.adapter.set_up(
        reading.scenario, reading.database, reading.format
    )
    course = _Course(reading, position)
    course.make_moves()
    course.failures += _compare(reading, position)
    return ScenarioResult(
        path=reading.source.path,
        title=reading.scenario.title,
        rules=reading.scenario.rule,
        failures=tuple(course.failures),
        refusals=tuple(course.refusals),
        own_actions=tuple(course.own_actions),
        position=position,
    )


class _Course:
    """The moves of a scenario, and the results of making them."""

    def __init__(self, reading: ScenarioReading, position: GamePosition) -> None:
        self.reading = reading
        self.position = position
        self.failures: list[Failure] = []
        self.refusals: list[Refusal] = []
        self.own_actions: list[OwnAction] = []
        self.answers = list(reading.scenario.random)

    def make_moves(self) -> None:
        """Make all moves. A legal forbidden move is a failure."""
        scenario = self.reading.scenario
        for index, move in enumerate(scenario.moves):
            location = ("moves", index)
            if move.forbidden:
                self._try_forbidden(move, index, location)
            else:
                following = self._next_move(index + 1)
                used = make_move(self.position, move, location, self.answers, following)
                self._spend_answers(used, location)
        if all(move.forbidden for move in scenario.moves):
            self._spend_answers(settle(self.position, self.answers), ())
        if self.answers:
            random_location = ("random", len(scenario.random) - len(self.answers))
            message = f"random answer {quote(self.answers[0])} was not used"
            raise BadPosition(random_location, message, "Remove it")

    def _next_move(self, index: int) -> FollowingMove:
        """Return the next permitted move from `index` on."""
        for move in self.reading.scenario.moves[index:]:
            if not move.forbidden:
                verb, _ = move.wish()
                return verb, move.player
        return NO_MOVE

    def _spend_answers(self, used: int, location: Location) -> None:
        """Remove the answers that a move used, and note the game's own actions."""
        del self.answers[:used]
        span = self._find_span(location)
        for action in self.position.actions():
            self.own_actions.append(OwnAction(span, action))

    def _try_forbidden(self, move: Move, index: int, location: Location) -> None:
        """Record the refusal of a forbidden move.

        It is a failure if the move is legal, or refused for a different reason from
        the expected reason.
        """
        refused = find_refusal(self.position, move, location)
        span = self._find_span((*location, "forbidden"))
        subject = f"move {index + 1}"
        if refused is None:
            self.failures.append(Failure(span, subject, "forbidden", "allowed"))
            return
        self.refusals.append(Refusal(span, refused.message, refused.reason))
        expected = move.forbidden
        if isinstance(expected, str) and expected != refused.reason:
            self.failures.append(
                Failure(span, f"{subject}, forbidden", expected, refused.reason)
            )

    def _find_span(self, location: Location) -> Span:
        return self.reading.source.document.span(location)


def _compare(reading: ScenarioReading, position: GamePosition) -> list[Failure]:
    if reading.scenario.expect is None:
        return []
    expected = extract_stated(reading.scenario.expect)
    document = reading.source.document
    failures = []
    for path, wanted, actual in find_disagreements(expected, position.facts()):
        span = document.span(("expect", *path))
        failures.append(Failure(span, ".".join(path), wanted, actual))
    return sorted(failures, key=lambda failure: failure.span)


# Comparing the facts of a position with the expected facts


ORDERED_KEYS = ("deck", "board")
"""Keys whose lists are compared in order."""

FactPath: TypeAlias = tuple[str, ...]
"""The keys that lead to a fact, such as `player`, `hand`."""


def extract_stated(value: Any) -> Any:
    """Return a part of `expect` as plain data, with only the values of the file."""
    if isinstance(value, ScenarioRecord):
        return {
            key: extract_stated(getattr(value, key)) for key in value.model_fields_set
        }
    if isinstance(value, Mapping):
        return {key: extract_stated(part) for key, part in value.items()}
    if isinstance(value, tuple):
        if value and all(isinstance(part, CardCount) for part in value):
            return expand(value)
        return [extract_stated(part) for part in value]
    return value


def find_disagreements(
    expected: Mapping[str, Any], facts: Mapping[str, Any], path: FactPath = ()
) -> Iterator[tuple[FactPath, Any, Any]]:
    """Yield each unmet expectation: its path in the file, and both values."""
    for key, wanted in expected.items():
        actual = facts.get(key)
        fact_path = (*path, key)
        if isinstance(wanted, Mapping) and wanted and isinstance(actual, Mapping):
            yield from find_disagreements(wanted, actual, fact_path)
        elif not _matches_facts(wanted, actual, is_ordered=key in ORDERED_KEYS):
            yield fact_path, wanted, actual


def _matches_facts(wanted: Any, actual: Any, *, is_ordered: bool) -> bool:
    if isinstance(wanted, Mapping) and isinstance(actual, Mapping):
        if not wanted:
            # An empty mapping means that all of its values are empty.
            return not any(actual.values())
        return all(
            key in actual and actual[key] == part for key, part in wanted.items()
        )
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return _match_items(wanted, actual, is_ordered=is_ordered)
    return type(wanted) is type(actual) and bool(wanted == actual)


def _match_items(wanted: Sequence[Any], actual: Any, *, is_ordered: bool) -> bool:
    if not isinstance(actual, Sequence) or len(wanted) != len(actual):
        return False
    if is_ordered:
        return list(wanted) == list(actual)
    left = list(actual)
    for item in wanted:
        for index, other in enumerate(left):
            if _matches_facts(item, other, is_ordered=False):
                del left[index]
                break
        else:
            return False
    return True
