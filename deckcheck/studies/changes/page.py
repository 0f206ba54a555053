"""The page of what changed from one run to another."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.findings.words import plural
from deckcheck.report.html.model import (
    Forest,
    Notes,
    Page,
    Row,
    Section,
    axis_of,
    mark_on,
)
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import percent
from deckcheck.studies.changes.pairing import Change
from deckcheck.studies.changes.result import Changes, changes_report, note_on, points

DECKS = "Difference in points of the mean win rate, the greatest first"
RATES = "Difference in points of the win rate, the greatest first"
NOTHING = "Nothing: the settings of both runs are the same."


def page_of_changes(changes: Changes) -> Page:
    """Return the page."""
    differs = Notes(changes.settings or (NOTHING,))
    sections = [
        Section(name, title, (_forest(caption, changes_shown),))
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


def _forest(caption: str, changes: Sequence[Change]) -> Forest:
    axis = axis_of([change.by for change in changes], 0.0, signed=True)
    return Forest(
        caption=caption,
        of="of the one named first",
        axis=axis,
        rate="difference",
        columns=("before", "after"),
        rows=tuple(
            Row(
                change.name,
                points(change.by.value),
                " to ".join(points(end) for end in change.by.interval),
                mark_on(axis, change.by),
                (percent(change.before.value), percent(change.after.value)),
            )
            for change in changes
        ),
        note=note_on(changes).capitalize() + ".",
    )


CHANGES = Presentation[Changes](
    lambda changes, _all_matchups: changes_report(changes),
    lambda changes, _tool: page_of_changes(changes),
)
