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

# The result of a scenario.


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that does not hold."""

    span: Span
    """The place of the expectation in the file."""
    what: str
    """The path of the value in the file, for example `A.close`."""
    expected: Any
    actual: Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """A forbidden move, and its refusal."""

    span: Span
    """The place of the move in the file."""
    message: str
    """Why the move is refused, in a sentence."""
    reason: str | None
    """The same in a word that the file expects, or None for a move without one."""


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
    """The mistakes in the file, because of which it could not be played."""
    refusals: tuple[Refusal, ...] = ()
    own_actions: tuple[OwnAction, ...] = ()
    position: GamePosition | None = None
    """The final position, or None if the scenario has a fault."""

    @property
    def ok(self) -> bool:
        """Whether the file has no faults, and all its expectations hold."""
        return not self.failures and not self.faults

    @property
    def name(self) -> str:
        """The path with the title: `medics.yaml#medic_finds_nobody`."""
        if self.title is None:
            return self.path
        return f"{self.path}#{self.title}"


# Results of scenarios as text and as JSON.


def as_text(
    results: Sequence[ScenarioResult], *, shows_all: bool = False, style: Style = PLAIN
) -> str:
    """Return failed expectations as lines. `shows_all` adds every final position."""
    return "".join(f"{line}\n" for line in _write_lines(results, shows_all, style))


def summarise_results(results: Sequence[ScenarioResult]) -> str:
    """Return how many scenarios were played, and how many of them failed.

    For example: `3 scenarios: 1 failed`.
    """
    failed = sum(bool(result.failures and not result.faults) for result in results)
    unplayed = sum(bool(result.faults) for result in results)
    parts = []
    if failed:
        parts.append(f"{failed} failed")
    if unplayed:
        parts.append(f"{unplayed} could not be played")
    if not parts:
        parts.append("ok" if len(results) == 1 else "all ok")
    return f"{plural(len(results), 'scenario')}: {', '.join(parts)}"


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
    stream.write(as_text(played.results, shows_all=played.shows_all, style=style))
    if with_summary:
        stream.write(f"{summarise_results(played.results)}\n")


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
                text = str(value["card"])
                if "by" in value:
                    text += f" by {value['by']}"
                return text
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
    results: Sequence[ScenarioResult], shows_all: bool, style: Style
) -> Iterator[str]:
    for result in results:
        for failure in result.failures:
            start = failure.span.start
            location = f"{result.path}:{start.line}:{start.column}"
            sentence = printable(_describe_failure(failure))
            yield f"{printable(location)}: {style.bad(sentence)}"
        if shows_all and result.position is not None:
            if len(results) > 1:
                verdict = style.good("ok") if result.ok else style.bad("failed")
                yield f"{printable(result.name)}: {verdict}"
            for line, message in _order_events(result):
                yield f"line {line}: {printable(message)}"
            yield from map(printable, result.position.lines())
            yield ""


def _order_events(result: ScenarioResult) -> list[tuple[int, str]]:
    """Return refusals and the game's own actions, in the order of the lines."""
    events = []
    for refusal in result.refusals:
        events.append((refusal.span.start.line, refusal.message))
    for own_action in result.own_actions:
        events.append((own_action.span.start.line, own_action.action.text))
    return sorted(events, key=lambda event: event[0])


def _describe_failure(failure: Failure) -> str:
    expected, got = show_value(failure.expected), show_value(failure.actual)
    return f"{failure.what}: expected {expected}, got {got}"


def _result_entry(result: ScenarioResult) -> dict[str, Any]:
    """Return a scenario for JSON.

    The keys `came` and `automa` are older than the names of the fields, and are kept
    for programs that read them.
    """
    failures: list[dict[str, Any]] = []
    for failure in result.failures:
        entry = {"what": failure.what, "expected": failure.expected}
        failures.append({**_place(failure.span), **entry, "came": failure.actual})
    refusals: list[dict[str, Any]] = []
    for refusal in result.refusals:
        entry = {"message": refusal.message, "reason": refusal.reason}
        refusals.append({**_place(refusal.span), **entry})
    own_actions: list[dict[str, Any]] = []
    for note in result.own_actions:
        entry = {"line": note.span.start.line, "text": note.action.text}
        own_actions.append({**entry, **note.action.words})
    faults: list[dict[str, Any]] = []
    for fault in result.faults:
        entry = {"message": fault.message, "help": fault.help}
        faults.append({**_place(fault.span), **entry})
    document: dict[str, Any] = {
        "file": result.path,
        "title": result.title,
        "ok": result.ok,
        "rules": list(result.rules),
        "failures": failures,
        "refusals": refusals,
        "automa": own_actions,
        "faults": faults,
    }
    if result.position is not None:
        document.update(result.position.describe())
    return document


def _place(span: Span) -> dict[str, Any]:
    return {"line": span.start.line, "column": span.start.column}
