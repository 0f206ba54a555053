"""The report of changes between two runs: tables, and a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckcheck.messages import plural
from deckcheck.report.blocks import Notes, PageFacts
from deckcheck.report.forests import draw_forest
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import Page, Section
from deckcheck.report.tables import (
    COUNT,
    DIFFERENCE_COLUMN,
    PERCENT,
    WIN_RATE,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    describe_policies,
    games_each,
    list_warnings,
    numbers,
)
from deckcheck.studies.changes import Changes, RunChange

DIFFERENCE_NOTE = (
    "difference: in percentage points, with simultaneous 95% intervals (Bonferroni), "
    "which are narrower for the same shuffles in both runs"
)
DECKS_CAPTION = "Change of mean win rates in percentage points, the largest first"
RATES_CAPTION = "Change of win rates in percentage points, the largest first"
STANDINGS_CAPTION = "Mean win rate after the change; even is 50%"
MAX_TITLE_CARDS = 2
NO_SETTINGS = "Nothing: the settings of both runs are the same."


def make_changes_report(changes: Changes) -> Report:
    """Return the tables of `changes`, their answer first."""
    tables = []
    if changes.standings:
        tables.append(make_standings_table(changes))
    if changes.decks:
        title = "Mean win rates of decks before and after"
        tables.append(make_changes_table(title, changes.decks))
    if changes.open:
        tables.append(make_changes_table("Win rates before and after", changes.open))
    facts = [("differs", setting) for setting in changes.settings]
    facts += [("in one run only", deck) for deck in changes.alone]
    settings = facts or [("differs", "nothing: the settings are the same")]
    return Report(
        tuple(tables),
        tuple(list_changes_warnings(changes)),
        (*settings, *list_played_facts(changes)),
        tuple(changes.answers()),
    )


def list_changes_warnings(changes: Changes) -> Iterator[str]:
    """Yield the warnings of both runs, and to which run each belongs if not to both."""
    before, after = list_warnings(changes.before), list_warnings(changes.after)
    for warning in dict.fromkeys((*before, *after)):
        if warning not in after:
            yield f"Before the change: {warning}"
        elif warning not in before:
            yield f"After the change: {warning}"
        else:
            yield warning


def list_played_facts(changes: Changes) -> Iterator[tuple[str, str]]:
    """Yield how both runs were played, as pairs of a word and a text."""
    runs = changes.before, changes.after
    games = count(sum(run.games_played for run in runs))
    facts: dict[str, dict[str, None]] = {}
    for run in runs:
        for name, text in (
            ("format", f"{run.format}, snapshot {run.month}"),
            ("policies", describe_policies([deck.policy for deck in run.decks])),
            ("games", f"{games} in all, {games_each(run, run.games)}"),
            ("seed", str(run.seed)),
            ("checksum", run.checksum),
            ("rules", f"fingerprint {run.fingerprint}"),
        ):
            facts.setdefault(name, {})[text] = None
    for name, texts in facts.items():
        yield name, " and ".join(texts)
    if changes.checkpoints > 1:
        number = changes.checkpoints
        yield "intervals", f"valid at each of {number} checkpoints (Bonferroni)"


def make_standings_table(changes: Changes) -> ReportTable:
    """Return the decks by their places after the change."""
    has_mix = changes.standings[0].share_after is not None
    columns = [
        Column("deck"),
        WIN_RATE,
        *numbers(PERCENT, "before"),
        *numbers(COUNT, "place before"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for s in changes.standings:
        rows.append((s.deck, s.after, s.before.value, s.place_before))
        if has_mix:
            rows[-1] += (s.share_after, s.share_before)
    note = None
    if has_mix:
        columns += numbers(PERCENT, "in the best mix", "mix before")
        note = "the best mix is a best guess, without an interval"
    return ReportTable(
        "Standings",
        tuple(columns),
        tuple(rows),
        ranked=True,
        note=note,
        before="before",
    )


def make_changes_table(title: str, changes: Sequence[RunChange]) -> ReportTable:
    """Return a table with a row for each rate: before, after, and the difference."""
    columns = (Column(""), *numbers(PERCENT, "before", "after"), DIFFERENCE_COLUMN)
    rows = []
    for change in changes:
        rows.append((change.name, change.before, change.after, change.by))
    return ReportTable(title, columns, tuple(rows), note=DIFFERENCE_NOTE)


def make_changes_page(changes: Changes) -> Page:
    """Return the page of `changes`."""
    after = changes.after
    rates = plural(len(changes.rates), "win rate")
    sections = []
    if changes.standings:
        table = replace(make_standings_table(changes), title=STANDINGS_CAPTION)
        sections.append(Section("standings", "Standings", (draw_forest(table),)))
    if changes.decks:
        table = make_changes_table(DECKS_CAPTION, changes.decks)
        sections.append(Section("decks", "Decks", (draw_forest(table),)))
    if changes.open:
        table = make_changes_table(RATES_CAPTION, changes.open)
        sections.append(Section("rates", "Win rates", (draw_forest(table),)))
    settings = Notes(changes.settings or (NO_SETTINGS,))
    sections.append(Section("settings", "What differs", (settings,)))
    facts = PageFacts(tuple(list_played_facts(changes)))
    sections.append(Section("played", "How it was played", (facts,)))
    if changes.alone:
        alone = Section("alone", "In one run only", (Notes(changes.alone),))
        sections.append(alone)
    return Page(
        title=_describe_cards(changes),
        about=f"{after.format} ({after.month}) · {rates}",
        answers=tuple(changes.answers()),
        warnings=tuple(list_changes_warnings(changes)),
        sections=tuple(sections),
        fingerprint=after.fingerprint,
    )


def _describe_cards(changes: Changes) -> str:
    """Return the changed cards, or how many they are."""
    if not changes.cards:
        return "Before and after"
    if len(changes.cards) > MAX_TITLE_CARDS:
        return f"{plural(len(changes.cards), 'changed card')}, before and after"
    return ", ".join(card.replace("`", "") for card in changes.cards)


CHANGES = Presentation[Changes](
    make_changes_report, lambda changes, _tool: make_changes_page(changes)
)
