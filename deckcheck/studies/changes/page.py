"""The page of what changed from one run to another."""

from __future__ import annotations

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
from deckcheck.studies.changes.result import Changes, changes_report, points

__all__ = ["page_of_changes"]

NOTHING = "Nothing: the settings of both runs are the same."


def page_of_changes(changes: Changes) -> Page:
    """Return the page."""
    differs = Notes(changes.settings or (NOTHING,))
    sections = [
        Section("rates", "Win rates", (_forest(changes),)),
        Section("settings", "What differs", (differs,)),
    ]
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


def _forest(changes: Changes) -> Forest:
    axis = axis_of([each.by for each in changes.rates], 0.0, signed=True)
    return Forest(
        caption="Difference in points of the win rate, the greatest first",
        of="of the one named first",
        axis=axis,
        rate="difference",
        columns=("before", "after"),
        rows=tuple(
            Row(
                each.name,
                points(each.by.value),
                " to ".join(points(end) for end in each.by.interval),
                mark_on(axis, each.by),
                (percent(each.before.value), percent(each.after.value)),
            )
            for each in changes.rates
        ),
        note="The intervals hold all together in 95 of 100 runs. They are a little too "
        "wide where both runs share shuffles.",
    )


CHANGES = Presentation[Changes](
    lambda changes, _all_matchups: changes_report(changes),
    lambda changes, _tool: page_of_changes(changes),
)
