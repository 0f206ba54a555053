"""Results of scenarios, as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TextIO

from deckcheck.findings import Span
from deckcheck.markup import document_head, json_text
from deckcheck.messages import plural, printable
from deckcheck.scenarios.contract import GamePosition, ScenarioAction, ScenarioFault
from deckcheck.terminal import PLAIN, Style

# The result of a scenario


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that does not hold."""

    span: Span
    what: str
    """The path of the value in the file, for example `A.close`."""
    expected: Any
    actual: Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """A forbidden move, and its refusal."""

    span: Span
    message: str
    """The reason in a sentence."""
    reason: str | None


@dataclass(frozen=True, slots=True)
class OwnAction:
    """An action of the game's own player in answer to the move at `span`."""

    span: Span
    action: ScenarioAction


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """The result of a scenario."""

    path: str
    """The path of the file."""
    title: str | None = None
    """The title of the scenario in the file."""
    rules: tuple[str, ...] = ()
    """The statements that it cites."""
    failures: tuple[Failure, ...] = ()
    faults: tuple[ScenarioFault, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    own_actions: tuple[OwnAction, ...] = ()
    position: GamePosition | None = None
    """The final position, or None if the scenario has a fault."""

    @property
    def ok(self) -> bool:
        """Whether the file is sound and all that it expects came."""
        return not self.failures and not self.faults

    @property
    def name(self) -> str:
        """The path with the title: `medics.yaml#medic_finds_nobody`."""
        return self.path if self.title is None else f"{self.path}#{self.title}"


# Results of scenarios as text and as JSON


def as_text(
    results: Sequence[ScenarioResult], *, verbose: bool = False, style: Style = PLAIN
) -> str:
    """Return failed expectations as lines. `verbose` adds every final position."""
    return "".join(f"{line}\n" for line in _write_lines(results, verbose, style))


def summary(results: Sequence[ScenarioResult]) -> str:
    """Return a sentence with the number of scenarios and of those that failed."""
    bad = [result for result in results if not result.ok]
    wrong = sum(bool(result.faults) for result in bad)
    parts = []
    if len(bad) > wrong:
        parts.append(f"{len(bad) - wrong} failed")
    if wrong:
        parts.append(f"{wrong} could not be played")
    outcome = ", ".join(parts) or ("ok" if len(results) == 1 else "all ok")
    return f"{plural(len(results), 'scenario')}: {outcome}"


def as_json(results: Sequence[ScenarioResult]) -> str:
    """Return the JSON of `docs/how-to/judge-a-ruling.md`, an entry a scenario."""
    entries = [_result_entry(result) for result in results]
    return json_text({**document_head(), "scenarios": entries})


@dataclass(frozen=True, slots=True)
class ScenarioRun:
    """The results of scenarios."""

    results: tuple[ScenarioResult, ...]
    shows_all: bool
    """Whether to show their final positions."""


def _write_text(
    played: ScenarioRun, stream: TextIO, style: Style, with_summary: bool
) -> None:
    stream.write(as_text(played.results, verbose=played.shows_all, style=style))
    if with_summary:
        stream.write(f"{summary(played.results)}\n")


def _write_json(
    played: ScenarioRun, stream: TextIO, _: Style, _with_summary: bool
) -> None:
    stream.write(as_json(played.results))


WRITERS = (("text", _write_text), ("json", _write_json))
"""The writers of scenarios by name, see `deckcheck.reporters.Reporter`."""


def show_value(value: Any) -> str:
    """Return a value as a file states it: `[ves, 2 ghoul]`, `nothing` for None."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case Mapping():
            if "card" in value:
                by = f" by {value['by']}" if "by" in value else ""
                return f"{value['card']}{by}"
            inner = [f"{key}: {show_value(part)}" for key, part in value.items()]
            return "{" + ", ".join(inner) + "}"
        case list() | tuple():
            return f"[{', '.join(_show_items(value))}]"
    return str(value)


def _show_items(values: Sequence[Any]) -> list[str]:
    if any(isinstance(value, str) and not value[:1].isalpha() for value in values):
        # `2 3 fire` is ambiguous: two cards of power 3, or a card of power 2.
        return [json.dumps(value, ensure_ascii=False) for value in values]
    shown = []
    for value, run in groupby(values):
        count = len(list(run))
        if isinstance(value, str) and count > 1:
            shown.append(f"{count} {value}")
        else:
            shown += [show_value(value)] * count
    return shown


def _write_lines(
    results: Sequence[ScenarioResult], verbose: bool, style: Style
) -> Iterator[str]:
    for result in results:
        for failure in result.failures:
            start = failure.span.start
            location = f"{result.path}:{start.line}:{start.column}"
            sentence = printable(_describe_failure(failure))
            yield f"{printable(location)}: {style.bad(sentence)}"
        if verbose and result.position is not None:
            if len(results) > 1:
                verdict = style.good("ok") if result.ok else style.bad("failed")
                yield f"{printable(result.name)}: {verdict}"
            for line, message in _order_events(result):
                yield f"line {line}: {printable(message)}"
            yield from map(printable, result.position.lines())
            yield ""


def _order_events(result: ScenarioResult) -> list[tuple[int, str]]:
    """Return refusals and the game's own actions, in the order of the lines."""
    refused = [
        (refusal.span.start.line, refusal.message) for refusal in result.refusals
    ]
    notes = [(note.span.start.line, note.action.text) for note in result.own_actions]
    return sorted([*refused, *notes], key=lambda entry: entry[0])


def _describe_failure(failure: Failure) -> str:
    expected, got = show_value(failure.expected), show_value(failure.actual)
    return f"{failure.what}: expected {expected}, got {got}"


def _result_entry(result: ScenarioResult) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "file": result.path,
        "title": result.title,
        "ok": result.ok,
        "rules": list(result.rules),
        "failures": [
            {
                **_place(failure.span),
                "what": failure.what,
                "expected": failure.expected,
                "came": failure.actual,
            }
            for failure in result.failures
        ],
        "refusals": [
            {
                **_place(refusal.span),
                "message": refusal.message,
                "reason": refusal.reason,
            }
            for refusal in result.refusals
        ],
        "automa": [
            {
                "line": note.span.start.line,
                "text": note.action.text,
                **note.action.words,
            }
            for note in result.own_actions
        ],
        "faults": [
            {**_place(fault.span), "message": fault.message, "help": fault.help}
            for fault in result.faults
        ],
    }
    if result.position is not None:
        entry.update(result.position.describe())
    return entry


def _place(span: Span) -> dict[str, Any]:
    return {"line": span.start.line, "column": span.start.column}
