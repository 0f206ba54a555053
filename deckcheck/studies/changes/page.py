"""The page of what changed from one run to another."""

from __future__ import annotations

from dataclasses import replace

from deckcheck.findings.words import plural
from deckcheck.report.html.model import Facts, Notes, Page, Section, forest_of
from deckcheck.report.outputs import Presentation
from deckcheck.studies.changes.result import (
    Changes,
    changes_report,
    changes_table,
    played_facts,
    standings_table,
)

DECKS = "Difference in points of the mean win rate, the greatest first"
RATES = "Difference in points of the win rate, the greatest first"
MOST_NAMED = 2
NOTHING = "Nothing: the settings of both runs are the same."


def page_of_changes(changes: Changes) -> Page:
    """Return the page."""
    after, rates = changes.after, plural(len(changes.rates), "win rate")
    differs = Notes(changes.settings or (NOTHING,))
    sections = [] if not changes.standings else [_standings(changes)]
    sections += [
        Section(name, title, (forest_of(changes_table(caption, changes_shown)),))
        for name, title, caption, changes_shown in (
            ("decks", "Decks", DECKS, changes.decks),
            ("rates", "Win rates", RATES, changes.open),
        )
        if changes_shown
    ]
    sections.append(Section("settings", "What differs", (differs,)))
    facts = Facts(tuple(played_facts(changes)))
    sections.append(Section("played", "How it was played", (facts,)))
    if changes.alone:
        alone = Section("alone", "In one run only", (Notes(changes.alone),))
        sections.append(alone)
    return Page(
        title=_title(changes),
        about=f"{after.format} ({after.month}) · {rates}",
        answers=tuple(changes.answers()),
        warnings=(),
        sections=tuple(sections),
        digest=after.digest,
    )


def _title(changes: Changes) -> str:
    """What differs, as far as a line can say it."""
    if not changes.cards:
        return "Before and after"
    if len(changes.cards) > MOST_NAMED:
        return f"{plural(len(changes.cards), 'changed card')}, before and after"
    return ", ".join(card.replace("`", "") for card in changes.cards)


def _standings(changes: Changes) -> Section:
    table = standings_table(changes)
    caption = "Mean win rate after the change; even is 50 %"
    return Section(
        "standings", "Standings", (forest_of(replace(table, title=caption)),)
    )


CHANGES = Presentation[Changes](
    lambda changes, _all_matchups: changes_report(changes),
    lambda changes, _tool: page_of_changes(changes),
)
