"""The page of what changed from one run to another."""

from __future__ import annotations

from deckcheck.findings.words import plural
from deckcheck.report.html.model import Notes, Page, Section, forest_of
from deckcheck.report.outputs import Presentation
from deckcheck.studies.changes.result import Changes, changes_report, changes_table

DECKS = "Difference in points of the mean win rate, the greatest first"
RATES = "Difference in points of the win rate, the greatest first"
NOTHING = "Nothing: the settings of both runs are the same."


def page_of_changes(changes: Changes) -> Page:
    """Return the page."""
    differs = Notes(changes.settings or (NOTHING,))
    sections = [
        Section(name, title, (forest_of(changes_table(caption, changes_shown)),))
        for name, title, caption, changes_shown in (
            ("decks", "Decks", DECKS, changes.decks),
            ("rates", "Win rates", RATES, changes.open),
        )
        if changes_shown
    ]
    sections.append(Section("settings", "What differs", (differs,)))
    if changes.alone:
        alone = Section("alone", "In one run only", (Notes(changes.alone),))
        sections.append(alone)
    return Page(
        title="Before and after",
        about=f"{changes.format} · {plural(len(changes.rates), 'win rate')}",
        answers=tuple(changes.answers()),
        warnings=(),
        sections=tuple(sections),
        digest=changes.digest,
    )


CHANGES = Presentation[Changes](
    lambda changes, _all_matchups: changes_report(changes),
    lambda changes, _tool: page_of_changes(changes),
)
