"""Outputs of `deckcheck event`: those of `validate`, and the page to publish."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Protocol, TextIO

from deckcheck.events.event import Event, Group
from deckcheck.events.html_page import write_html
from deckcheck.events.markdown_page import write_markdown
from deckcheck.events.verdicts import summarise, verdict_of
from deckcheck.findings.style import PLAIN, Style
from deckcheck.findings.words import printable
from deckcheck.reporters import REPORTERS
from deckcheck.reporters.base import left_out_line, write_object
from deckcheck.validation.finding_data import finding_data

if TYPE_CHECKING:
    from deckcheck.events.document import (
        EventDocument,
        EventEntry,
        ListDocument,
        PlayerDocument,
    )
    from deckcheck.validation.document import FindingDocument


class EventWriter(Protocol):
    """Writes the verdicts of an event to a stream; see `Reporter`."""

    def __call__(
        self, event: Event, stream: TextIO, style: Style, with_summary: bool
    ) -> None: ...


def _write_full(event: Event, stream: TextIO, style: Style, with_summary: bool) -> None:
    """Write the findings of each player below the name."""
    for group in event.groups:
        if group.findings:
            stream.write(f"{style.strong(printable(group.title))}\n\n")
            dict(REPORTERS)["full"](group.run, stream, style, False)
    if with_summary:
        stream.writelines(f"{line}\n" for line in summarise(event, style))


def _write_concise(
    event: Event, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a line per finding, player by player."""
    for group in event.groups:
        dict(REPORTERS)["concise"](group.run, stream, style, False)
    if with_summary:
        lines = (next(summarise(event, style)), *left_out_line(event.run))
        stream.writelines(f"{line}\n" for line in lines)


def _write_github(
    event: Event, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a workflow command per finding."""
    dict(REPORTERS)["github"](event.run, stream, style, False)
    if with_summary:
        stream.write(f"{next(summarise(event, PLAIN))}\n")


def _write_json(event: Event, stream: TextIO, style: Style, with_summary: bool) -> None:
    """Write what `validate` writes, and who the players are."""
    lists: dict[str, ListDocument] = {
        file.path: {
            "path": file.path,
            "sha256": file.sha256,
            "seal": event.seal(file),
        }
        for file in event.files
    }
    about: EventEntry = {
        "path": event.source.path,
        "name": event.file.name,
        "date": event.file.date,
        "format": event.format.id,
        "snapshot": event.format.snapshot,
        "sound": event.is_sound,
        "players": [_player(player, lists) for player in event.players],
        "findings": [one for group in event.others for one in _findings(group)],
    }
    document: EventDocument = {
        **event.run.to_dict(),
        "digest": event.format.digest,
        "event": about,
    }
    write_object(document, stream)


def _player(player: Group, lists: dict[str, ListDocument]) -> PlayerDocument:
    return {
        "name": player.title,
        "verdict": verdict_of(player),
        "lists": [lists[path] for path in player.paths if path in lists],
        "findings": list(_findings(player)),
    }


def _findings(group: Group) -> Iterator[FindingDocument]:
    """What is wrong beyond the decks, which have findings of their own."""
    for report in group.reports:
        yield from map(finding_data, report.findings)


def _write_as_validate(
    name: str, event: Event, stream: TextIO, style: Style, with_summary: bool
) -> None:
    dict(REPORTERS)[name](event.run, stream, style, with_summary)


EVENT_WRITERS: tuple[tuple[str, EventWriter], ...] = (
    ("full", _write_full),
    ("concise", _write_concise),
    ("json", _write_json),
    ("jsonl", partial(_write_as_validate, "jsonl")),
    ("github", _write_github),
    ("gitlab", partial(_write_as_validate, "gitlab")),
    ("sarif", partial(_write_as_validate, "sarif")),
    ("junit", partial(_write_as_validate, "junit")),
    ("rdjson", partial(_write_as_validate, "rdjson")),
    ("markdown", write_markdown),
    ("html", write_html),
)
"""Every output by its name."""
