"""Win rates over several runs: the tables and the page."""

from __future__ import annotations

from dataclasses import replace

from deckcheck.findings.words import plural, quote
from deckcheck.report.html.model import Facts, Notes, Page, Section, forest_of
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import Report, policies_of_decks, warnings_of
from deckcheck.report.tables import Column, Table, numbers
from deckcheck.report.units import COUNT, PERCENT, POINTS
from deckcheck.studies.history.result import History, settings_lines

RATES = "Mean win rate in each run, over the opponents of all runs of a deck"
ALONE = "in a single run, or never against the same opponents"
CHANGES = "From the first to the last run of each deck"


def history_report(history: History) -> Report:
    """Return the tables of a history."""
    warnings = [
        f"{quote(name)}: {warning}"
        for name, run in history.runs.items()
        for warning in warnings_of(run)
    ]
    facts = [*settings_lines(history), *_played(history)]
    if history.alone:
        facts.append(("left out", f"{', '.join(history.alone)}: {ALONE}"))
    tables = (changes_table(history), rates_table(history))
    return Report(tables, tuple(warnings), tuple(facts), (history.answer,))


def rates_table(history: History) -> Table:
    """Each deck in each run, a row each."""
    columns = (
        Column("deck"),
        Column("run"),
        Column("win rate", PERCENT, "95 % interval"),
        *numbers(COUNT, "opponents", "games"),
    )
    rows = tuple(
        (course.deck, run, rate, len(course.opponents), rate.games)
        for course in history.courses
        for run, rate in course.rates.items()
    )
    return Table(RATES, columns, rows)


def changes_table(history: History) -> Table:
    """By how much each deck changed in all."""
    columns = (
        Column("deck"),
        *numbers(PERCENT, "before", "after"),
        Column("difference", POINTS, "interval"),
    )
    rows = tuple(
        (change.deck, change.before.value, change.after.value, change.by)
        for change in history.changes
    )
    note = "points of the win rate; the intervals hold all together in 95 of 100 runs"
    return Table(CHANGES, columns, rows, note=note)


def history_page(history: History) -> Page:
    """Return the page of a history."""
    report = history_report(history)
    rates, changes = rates_table(history), changes_table(history)
    decks = [(str(deck), False) for deck, *_ in rates.rows]
    named = replace(
        rates,
        columns=(Column("deck and run"), *rates.columns[2:]),
        rows=tuple((f"{deck}, {run}", *rest) for deck, run, *rest in rates.rows),
    )
    sections = [
        Section("changes", "First and last", (forest_of(changes),)),
        Section("rates", "Run by run", (forest_of(named, decks=decks),)),
    ]
    settings = [f"{quote(name)}: {line}" for name, line in settings_lines(history)]
    differs = Notes(tuple(settings or ["Nothing: the settings of all are the same."]))
    sections.append(Section("settings", "What each run changed", (differs,)))
    if history.alone:
        alone = Notes(tuple(f"{deck}: {ALONE}" for deck in history.alone))
        sections.append(Section("alone", "Decks that are left out", (alone,)))
    facts = Facts(tuple(_played(history)))
    sections.append(Section("played", "How they were played", (facts,)))
    [*_, last] = history.runs.values()
    number = plural(len(history.runs), "run")
    return Page(
        title=f"{plural(len(history.courses), 'deck')} over {number}",
        about=f"{last.format} ({last.month})",
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        digest=last.digest,
    )


def _played(history: History) -> list[tuple[str, str]]:
    """How each run was played."""
    return [
        (
            name,
            f"{run.format}, snapshot {run.month}; "
            f"{policies_of_decks(run.decks)}; "
            f"{run.games_played:,} games, seed {run.seed}, checksum {run.checksum}",
        )
        for name, run in history.runs.items()
    ]


HISTORY = Presentation[History](
    lambda history, _all_matchups: history_report(history),
    lambda history, _tool: history_page(history),
)
