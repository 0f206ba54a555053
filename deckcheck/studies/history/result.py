"""Win rates of decks over several runs, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from deckcheck.findings import UsageError
from deckcheck.findings.json_text import tool
from deckcheck.findings.words import plural, quote
from deckcheck.sim.results.figures import Row, ends, rounded, win_rate
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.tabular import Tabular
from deckcheck.sim.results.tidy import ALL, tidy
from deckcheck.sim.runs.directory import SimulationRun
from deckcheck.sim.tables.entrants import short_paths
from deckcheck.stats import Combination, Estimate, mean_of
from deckcheck.stats.multiple import level_of
from deckcheck.studies.changes.pairing import Change, PairedRuns
from deckcheck.studies.changes.result import change_sentence, settings_between
from deckcheck.studies.history.document import HistoryDocument

TWO = 2

Rates = Mapping[str, Mapping[str, Combination]]
"""The win rate of each deck against each that it met."""


@dataclass(frozen=True, slots=True)
class Course:
    """A deck's mean win rate in each run that it took part in, by the run's name.

    All of them are over the same `opponents`, all alike: those that it met in every one
    of these runs.
    """

    deck: str
    opponents: tuple[str, ...]
    rates: Mapping[str, Estimate]


@dataclass(frozen=True, repr=False)
class History(Tabular):
    """Several runs, the oldest first.

    `courses` are the decks of two runs or more, the best of the last run first;
    `changes` are those from the first to the last run of each, the greatest first, and
    their intervals hold together. `settings` is what each run changed of the one before
    it, in words; `alone` are the decks of which two runs have no rate in common.
    """

    runs: Mapping[str, SimulationResult]
    courses: tuple[Course, ...]
    changes: tuple[Change, ...]
    settings: Mapping[str, tuple[str, ...]]
    alone: tuple[str, ...]

    @property
    def answer(self) -> str:
        """What changed from first to last, in sentences."""
        first, *_, last = self.runs
        number = plural(len(self.runs), "run")
        changed = change_sentence(self.changes, "deck")
        return f"{number}, from {quote(first)} to {quote(last)}. {changed}"

    def to_dict(self) -> HistoryDocument:
        """The history as `deckcheck schema history` describes it."""
        return {
            "schema_version": 1,
            "tool": tool(),
            "answer": self.answer,
            "runs": [
                {
                    "name": name,
                    "format": run.format,
                    "snapshot": run.month,
                    "seed": run.seed,
                    "checksum": run.checksum,
                    "digest": run.digest,
                    "settings": list(self.settings[name]),
                }
                for name, run in self.runs.items()
            ],
            "decks": [
                {
                    "deck": course.deck,
                    "opponents": list(course.opponents),
                    "rates": [
                        {"run": run, **win_rate(rate)}
                        for run, rate in course.rates.items()
                    ],
                }
                for course in self.courses
            ],
            "changes": [
                {
                    "deck": change.deck,
                    "difference": rounded(change.by.value),
                    "interval": ends(change.by.interval),
                    "clear": change.is_clear,
                }
                for change in self.changes
            ],
            "alone": list(self.alone),
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows: each rate, with the name of its run, and each change."""
        rows = [
            row
            for course in self.courses
            for run, rate in course.rates.items()
            for row in tidy("win_rate", rate, rate.games, course.deck, run=run)
        ]
        for change in self.changes:
            by = change.by
            rows += tidy("difference", by, by.games, change.deck, run=ALL)
        return rows


def history_of(runs: Sequence[SimulationRun]) -> History:
    """Return the win rates of decks over several runs, the oldest first.

    Decks go by their names. Raises UsageError for a single run, for one that is named
    twice, and for runs in which no deck met the same opponent again.
    """
    results = _named(runs)
    rates = {name: _rates(run) for name, run in results.items()}
    courses, alone = [], []
    for deck in dict.fromkeys(deck for run in rates.values() for deck in run):
        course = _course(deck, rates)
        if course is None:
            alone.append(deck)
        else:
            courses.append(course)
    if not courses:
        raise UsageError(
            "No deck met the same opponent in two of these runs",
            "Name runs of duels or matches in which decks have the same names",
        )
    settings = [(), *(tuple(settings_between(a, b)) for a, b in pairwise(runs))]
    return History(
        results,
        tuple(sorted(courses, key=_latest, reverse=True)),
        tuple(_changes(courses, results)),
        dict(zip(results, settings, strict=True)),
        tuple(alone),
    )


def _named(runs: Sequence[SimulationRun]) -> dict[str, SimulationResult]:
    """The results of runs by the ends of their paths that tell them apart."""
    places = [run.folder.resolve().as_posix() for run in runs]
    if len(runs) < TWO:
        raise UsageError("A history needs two runs or more", "Name the oldest first")
    for place in places:
        if places.count(place) > 1:
            name = quote(Path(place).name)
            raise UsageError(f"{name} is named twice", "Name each run once")
    names = short_paths(places)
    return {name: run.result() for name, run in zip(names, runs, strict=True)}


def _rates(run: SimulationResult) -> Rates:
    """Who met whom, two at a time, with the win rate from both sides."""
    rates: dict[str, dict[str, Combination]] = {}
    for table in run.tables:
        if len(set(table.entrants)) == len(table.entrants) == TWO:
            a, b = table.entrants
            share = table.performances[0].share
            rates.setdefault(a, {})[b] = share
            rates.setdefault(b, {})[a] = share.opposite()
    return rates


def _course(deck: str, rates: Mapping[str, Rates]) -> Course | None:
    """The rates of a deck over the opponents of all its runs; None if there are none.

    A deck of a single run has no course.
    """
    runs = {name: run[deck] for name, run in rates.items() if deck in run}
    if len(runs) < TWO:
        return None
    first, *others = runs.values()
    opponents = [name for name in first if all(name in other for other in others)]
    if not opponents:
        return None
    means = {
        name: mean_of([met[opponent] for opponent in opponents]).estimate()
        for name, met in runs.items()
    }
    return Course(deck, tuple(opponents), means)


def _latest(course: Course) -> float:
    return [*course.rates.values()][-1].value


def _changes(
    courses: Sequence[Course], results: Mapping[str, SimulationResult]
) -> list[Change]:
    """What changed from the first to the last run of each deck, the greatest first."""
    level = level_of(len(courses))
    pairs: dict[tuple[str, str], PairedRuns] = {}
    changes = []
    for course in courses:
        first, *_, last = course.rates
        if (first, last) not in pairs:
            pairs[first, last] = PairedRuns(results[first], results[last], {})
        by = pairs[first, last].change(course.deck, course.opponents, level)
        assert by is not None
        before, after = course.rates[first], course.rates[last]
        changes.append(Change(course.deck, ALL, before, after, by))
    return sorted(changes, key=lambda change: -abs(change.by.value))


def settings_lines(history: History) -> Iterator[tuple[str, str]]:
    """What each run changed of the one before it, a line each."""
    for name, settings in history.settings.items():
        for setting in settings:
            yield name, setting
