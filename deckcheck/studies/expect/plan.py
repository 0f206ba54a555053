"""The expectations of a plan: read, with their decks resolved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from deckcheck.findings import Position, Span
from deckcheck.findings.documents import Defect
from deckcheck.findings.words import choice, nearest, quote
from deckcheck.plans.file import Experiment, Plan
from deckcheck.plans.grammar import CHANGE, Fault, Named, read_expectation
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.stopping.expectations import Expectation, WinRate
from deckcheck.studies.expect.change import ExpectedChange
from deckcheck.studies.expect.result import Placed

DEFAULT_CONFIDENCE = 0.95
EVERY = "*"
MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class Meetings:
    """The matchups of an experiment: the entrants of each table.

    `own` are those of whom `*` speaks, `also` other names for entrants: their files.
    """

    tables: tuple[tuple[str, ...], ...]
    own: tuple[str, ...]
    also: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, simulation: Simulation) -> Meetings:
        """Those of a simulation."""
        tournament = simulation.tournament
        if tournament is not None:
            tables = tuple(job.names for job in tournament.jobs({}))
            files = [(e.name, x.deck) for e in tournament.lineups for x in e.entrants]
        else:
            tables = tuple(table.entrants for table in simulation.tables)
            files = [(e.name, e.deck) for e in simulation.entrants]
        also = ((PurePath(deck.source.path).stem, name) for name, deck in files)
        names = tuple(dict.fromkeys(name for table in tables for name in table))
        # An automa is nobody's deck; teams and lineups have names of their own.
        decks = {name for name, _ in files}
        own = tuple(name for name in names if name in decks) or names
        if tournament is None and simulation.challengers:
            own = simulation.challengers
        return cls(tables, own, tuple(dict.fromkeys(also)))

    @property
    def names(self) -> tuple[str, ...]:
        """All entrants."""
        return tuple(dict.fromkeys(name for table in self.tables for name in table))

    def rates(self, deck: str, opponents: Sequence[str] | None) -> Iterator[WinRate]:
        """The rates of a deck that are played: against these opponents, or over all."""
        others = [None] if opponents is None else [o for o in opponents if o != deck]
        for rate in (WinRate(deck, other) for other in others):
            if any(rate.is_at(table) for table in self.tables):
                yield rate


def expecting(
    plan: Plan, name: str, simulation: Simulation, defects: list[Defect]
) -> tuple[list[Placed], Simulation]:
    """What is expected of an experiment, and its simulation that goes on so far.

    Each mistake is added to `found`, at its place.
    """
    experiment = plan.experiments[name]
    confidence = _confidence(plan, name, experiment, defects)
    meetings = Meetings.of(simulation) if experiment.expect else None
    before = _before(plan, name, defects)
    expected = []
    for place, text in enumerate(experiment.expect):
        assert meetings is not None
        span = plan.source.document.span(("experiments", name, "expect", place))
        faults: list[Fault] = []
        expectation = _read(text, meetings, confidence, before, faults)
        defects += [
            Defect(plan.path, _within(span, text, f), f.message) for f in faults
        ]
        if expectation is not None:
            expected.append(Placed(expectation, span))
    if experiment.until_decided and expected:
        return expected, _until_decided(simulation, expected)
    return expected, simulation


def _until_decided(simulation: Simulation, expected: Sequence[Placed]) -> Simulation:
    """The simulation that goes on until all of this is decided."""
    setting, request = simulation.setting, simulation.setting.request
    expectations = tuple(expectation.expectation for expectation in expected)
    stopping = replace(request.stopping, expectations=expectations)
    request = replace(request, stopping=stopping)
    return replace(simulation, setting=replace(setting, request=request))


def _confidence(
    plan: Plan, name: str, experiment: Experiment, defects: list[Defect]
) -> float:
    confidence = experiment.confidence
    if confidence is None:
        return DEFAULT_CONFIDENCE
    if not 0.5 <= confidence < 1:
        message = f"confidence is {confidence:g}, must be 0.5 or more and less than 1"
        defects.append(plan.defect_of(name, "confidence", message))
        return DEFAULT_CONFIDENCE
    return confidence


def _before(plan: Plan, name: str, defects: list[Defect]) -> str | None:
    """The experiment from which changes are measured; each mistake is a defect.

    That is one with the same decks, and with a fixed number of games as this one.
    """
    experiment = plan.experiments[name]
    if experiment.before is None:
        return None
    others = {n: e for n, e in plan.experiments.items() if n != name}
    if experiment.before not in others:
        near = nearest(experiment.before, others)
        help = f"did you mean {choice(near)}?" if near else "name one of this plan"
        message = f"There is no experiment {quote(experiment.before)}: {help}"
        defects.append(plan.defect_of(name, "before", message))
        return None
    before = others[experiment.before]
    for what, is_wrong in (
        ("other decks", _decks(before) != _decks(experiment)),
        (
            "no fixed number of games",
            any(
                e.until_decided or e.until_width or e.sprt or e.adaptive
                for e in (before, experiment)
            ),
        ),
    ):
        if is_wrong:
            message = f"{quote(experiment.before)} and {quote(name)} have {what}"
            defects.append(plan.defect_of(name, "before", message))
    return experiment.before


def _decks(experiment: Experiment) -> tuple[object, ...]:
    """What decides who meets whom."""
    e = experiment
    return e.decks, e.against, e.gauntlet, e.mirror


def _read(
    text: str,
    meetings: Meetings,
    confidence: float,
    before: str | None,
    faults: list[Fault],
) -> Expectation | None:
    """What a text expects; every mistake is added to `faults`."""
    try:
        written = read_expectation(text)
    except Fault as fault:
        faults.append(fault)
        return None
    if written.figure == CHANGE and before is None:
        message = "A change is from another experiment: name it by `before`"
        faults.append(Fault(message, 0, len(text)))
        return None
    meant: list[Sequence[str]] = []
    for deck_rate in written.decks:
        try:
            meant.append(_meant(deck_rate, meetings))
        except Fault as fault:
            faults.append(fault)
    if faults:
        return None
    opponents = meant[1] if len(meant) > 1 else None
    rates = tuple(r for deck in meant[0] for r in meetings.rates(deck, opponents))
    if not rates:
        first, last = written.decks[0], written.decks[-1]
        message = f"{quote(first.name)} meets no other deck here"
        if opponents is not None:
            names = f"{quote(first.name)} and {quote(last.name)}"
            message = f"{names} do not meet in a game of two here"
        faults.append(Fault(message, first.start, last.end))
        return None
    bounds = written.low, written.high
    if written.figure == CHANGE and before is not None:
        return ExpectedChange(text, rates, *bounds, confidence, before)
    return Expectation(text, rates, *bounds, confidence)


def _meant(named: Named, meetings: Meetings) -> Sequence[str]:
    """The entrants that a name stands for: one, or each."""
    if named.name == EVERY:
        return meetings.own if named.is_first else meetings.names
    names: dict[str, list[str]] = {}
    for name in meetings.names:
        names.setdefault(_key(name), []).append(name)
    for other, name in meetings.also:
        if _key(other) not in map(_key, meetings.names):
            names.setdefault(_key(other), []).append(name)
    meanings = list(dict.fromkeys(names.get(_key(named.name), ())))
    if len(meanings) == 1:
        return meanings
    raise Fault(_why_not(named.name, meanings, names), named.start, named.end)


def _why_not(
    name: str, meanings: Sequence[str], names_by_key: dict[str, list[str]]
) -> str:
    if meanings:
        return f"{quote(name)} may be {choice(meanings)}: write one of these names"
    names = list(
        dict.fromkeys(
            meaning for several in names_by_key.values() for meaning in several
        )
    )
    near = nearest(name, [*names, *names_by_key], limit=1)
    meant = names_by_key.get(_key(near[0]), near)[:1] if near else []
    if meant:
        return f"No deck is called {quote(name)}: did you mean {quote(meant[0])}?"
    listed = choice(names[:MOST_LISTED], "and")
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"No deck is called {quote(name)}; decks are {listed}{more}"


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def _within(span: Span, text: str, fault: Fault) -> Span:
    """The place of a fault in the file, where the text stands there as it is."""
    start, end = span
    is_plain = start.line == end.line and end.column - start.column == len(text) + 2
    if not is_plain:
        return span
    first = start.column + 1
    return Span(
        Position(start.line, first + fault.start),
        Position(start.line, first + min(fault.end, len(text))),
    )
