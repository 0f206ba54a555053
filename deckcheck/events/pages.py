"""Outputs of an event: verdicts, the page to publish as HTML and Markdown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TextIO

from deckcheck.cards.models import describe_changes
from deckcheck.events.event import Event, PlayerGroup
from deckcheck.findings import Finding, Severity
from deckcheck.formats import Format, database_of
from deckcheck.formats.wording import describe_limits
from deckcheck.markup import code, message, plain, table_row
from deckcheck.messages import plural, printable
from deckcheck.pages import render
from deckcheck.reporters import REPORTERS
from deckcheck.reporters.base import count_severities, left_out_line, write_object
from deckcheck.rules import OTHER_PLAYER, SEVERAL_DECKS, SEVERAL_LISTS
from deckcheck.terminal import PLAIN, Style
from deckcheck.validation import DeckReport, FileReport
from deckcheck.validation.verdicts import finding_data

if TYPE_CHECKING:
    from deckcheck.validation.documents import (
        EventDocument,
        EventEntry,
        FindingDocument,
        ListDocument,
        PlayerDocument,
        PlayerVerdict,
    )


# The state of an event: a word for each player, and a summary of all.

LEGAL_VERDICT: Final = "legal"
ILLEGAL_VERDICT: Final = "illegal"
MISSING_VERDICT: Final = "no list"
GONE_VERDICT: Final = "does not play"
SEVERAL_VERDICT: Final = "several lists"
FOREIGN_VERDICT: Final = "of another player"
ADMITTED_STATE = "admitted"
REFUSED_STATE = "not admitted"


def names_other_player(finding: Finding) -> bool:
    """Report whether a finding is about the list of another registered player."""
    is_error = finding.severity is Severity.ERROR
    return is_error and finding.code == OTHER_PLAYER.code


def judge_player(player: PlayerGroup) -> PlayerVerdict:
    """Return the verdict on a player's list for the page."""
    if not player.lists and player.departure is None:
        return MISSING_VERDICT
    if not player.lists:
        return GONE_VERDICT
    if any(map(names_other_player, player.findings)):
        return FOREIGN_VERDICT
    if not all(deck.legal for deck in player.decks):
        return ILLEGAL_VERDICT
    codes = {finding.code for finding in player.findings}
    if SEVERAL_LISTS.code in codes or SEVERAL_DECKS.code in codes:
        return SEVERAL_VERDICT
    return LEGAL_VERDICT


def describe_admission(player: PlayerGroup) -> str:
    """Return the state of a player for the page before the event."""
    if not player.lists:
        return player.departure or MISSING_VERDICT
    if any(finding.severity is Severity.ERROR for finding in player.findings):
        return REFUSED_STATE
    return ADMITTED_STATE


def summarise(event: Event, style: Style) -> Iterator[str]:
    """Yield `Winter cup: 3 players, ... (1 error)`, the format, and its own sets."""
    severities = count_severities(event.run)
    yield f"{printable(event.file.name)}: {count(event, style)}{severities}"
    fmt = event.format
    yield from left_out_line(event.run)
    yield printable(f"{fmt.id} ({fmt.month}), rules fingerprint {fmt.fingerprint}")
    yield from map(printable, describe_changes(fmt.own_changes))


def count(event: Event, style: Style) -> str:
    """Return `3 players, 2 lists, 2 legal, 1 missing, 1 without a player`.

    A list without a player, or of another player, is counted once only.
    """
    tally: Counter[str] = Counter()
    for player in event.players:
        verdict = judge_player(player)
        for decks in player.lists:
            if verdict == FOREIGN_VERDICT:
                tally[FOREIGN_VERDICT] += 1
            elif all(deck.legal for deck in decks):
                tally[LEGAL_VERDICT] += 1
            else:
                tally[ILLEGAL_VERDICT] += 1
        if verdict == MISSING_VERDICT:
            tally["missing"] += 1
    number = tally[LEGAL_VERDICT] + tally[ILLEGAL_VERDICT] + tally[FOREIGN_VERDICT]
    tally["without a player"] = sum(len(group.lists) for group in event.others)
    playing = sum(player.departure is None for player in event.players)
    counts = [plural(playing, "player"), plural(number, "list")]
    if tally[LEGAL_VERDICT]:
        counts.append(style.good(f"{tally[LEGAL_VERDICT]} legal"))
    for word in (ILLEGAL_VERDICT, FOREIGN_VERDICT, "missing", "without a player"):
        if tally[word]:
            counts.append(style.severity(Severity.ERROR, f"{tally[word]} {word}"))
    return ", ".join(counts)


def verdict_rows(event: Event) -> Iterator[dict[str, object]]:
    """Yield a row for each list, and for each player without a list."""
    for group in event.groups:
        player = group.title if group in event.players else ""
        others = _join_findings(group.reports)
        # Notes on the event file and on files that are not lists have no row.
        if player and not group.lists:
            yield _make_verdict_row(player, group, (), others)
        for decks in group.lists:
            findings = _join_findings(decks)
            path = decks[0].source.path
            findings += [finding for finding in others if finding.path == path]
            yield _make_verdict_row(player, group, decks, findings)


def _join_findings(reports: Iterable[DeckReport | FileReport]) -> list[Finding]:
    return list(chain.from_iterable(report.findings for report in reports))


def _make_verdict_row(
    player: str,
    group: PlayerGroup,
    decks: Sequence[DeckReport],
    findings: Sequence[Finding],
) -> dict[str, object]:
    """Return the row of a list with its findings, or of a player without a list."""
    errors = [f for f in findings if f.severity is Severity.ERROR]
    is_legal = bool(decks) and not errors
    return {
        "player": player,
        "list": decks[0].source.path if decks else "",
        "deck": ", ".join(deck.name or "" for deck in decks),
        "legal": "yes" if is_legal else "no",
        "codes": " ".join(dict.fromkeys(f.code for f in findings)),
        "reason": group.departure or (errors[0].message if errors else ""),
    }


# The page to publish: a row for every player, and the rules of the event.


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row of the table, without the decks before the event is revealed."""

    player: str
    """The name of the player."""
    verdict: str
    """Whether the player is admitted, and why not."""
    decks: tuple[str, ...] = ()
    """The names of the decks."""
    factions: tuple[str, ...] = ()
    """The faction of each deck."""
    leaders: tuple[str, ...] = ()
    """The leader of each deck."""
    seals: tuple[str, ...] = ()
    """The seals of salted lists."""
    salts: tuple[str, ...] = ()
    """Their salts."""


def list_rows(event: Event) -> list[PageRow]:
    """List the players by name, with all that may be published."""
    return [_make_row(player, event) for player in event.players]


def _make_row(player: PlayerGroup, event: Event) -> PageRow:
    """Return the row of a player, with decks and salts once they are revealed."""
    files = [file for file in event.files if file.path in player.paths]
    seals = tuple(filter(None, map(event.seal, files)))
    if not event.is_revealed:
        return PageRow(player.title, describe_admission(player), seals=seals)
    decks, factions, leaders = [], [], []
    for report in player.decks:
        faction, leader = _find_names(report, event)
        decks.append(report.name or "")
        factions.append(faction)
        leaders.append(leader)
    return PageRow(
        player=player.title,
        verdict=player.departure or judge_player(player),
        decks=tuple(decks),
        factions=tuple(factions),
        leaders=tuple(leaders),
        seals=seals,
        salts=tuple(filter(None, map(event.salt, files))),
    )


def format_line(fmt: Format) -> str:
    """Return `Gwent, standard (gwent/standard, 2025-10)`."""
    return f"{fmt.title} ({fmt.id}, {fmt.month})"


def _list_groups(event: Event) -> list[PlayerGroup]:
    """List the groups with findings, once the event is revealed."""
    if not event.is_revealed:
        return []
    return [group for group in event.groups if group.findings]


def list_limits(event: Event) -> list[str]:
    """List the limits of a legal list in sentences."""
    return describe_limits(event.format, database_of(event.format, event.root))


def _find_names(report: DeckReport, event: Event) -> tuple[str, str]:
    """Return the names of faction and leader of a deck, empty where it has none."""
    if report.deck is None or report.format is None:
        return "", ""
    database = database_of(report.format, event.root)
    faction, leader = "", ""
    if report.deck.faction is not None:
        faction = database.factions[report.deck.faction].name
    if report.deck.leader is not None:
        leader = database.leaders[report.deck.leader].full_name
    return faction, leader


def write_html(event: Event, stream: TextIO, style: Style, with_summary: bool) -> None:
    """Write a page for a screen and for paper."""
    rows = list_rows(event)
    factions: Counter[str] = Counter()
    for row in rows:
        factions.update(filter(None, row.factions))
    page = render(
        Path(__file__).with_name("page.html"),
        name=event.file.name,
        date=event.file.date,
        format=format_line(event.format),
        allowed=list_limits(event),
        rows=rows,
        count=count(event, PLAIN),
        left_out=left_out_line(event.run),
        revealed=event.is_revealed,
        seals=any(row.seals for row in rows),
        salts=any(row.salts for row in rows),
        leaders=any(any(row.leaders) for row in rows),
        factions=sorted(factions.items(), key=lambda item: (-item[1], item[0])),
        groups=_list_groups(event),
        fingerprint=event.format.fingerprint,
    )
    stream.write(page)


def write_markdown(
    event: Event, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write title, format, a table of players, and the rules.

    A revealed event has the findings about lists too.
    """
    stream.writelines(f"{line}\n" for line in _list_lines(event))


def _list_lines(event: Event) -> Iterator[str]:
    """Yield the lines of the page as Markdown."""
    yield f"# {plain(event.file.name)}"
    yield f"\n{plain(event.file.date)}, {plain(format_line(event.format))}"
    yield from _write_table(event)
    yield f"\n{count(event, PLAIN)}"
    for line in left_out_line(event.run):
        yield f"\n{message(line)}"
    groups = _list_groups(event)
    if groups:
        yield "\n## Problems and notes"
    for group in groups:
        yield f"\n### {plain(group.title)}\n"
        yield from map(_write_item, group.findings)
    yield "\n## Legal lists\n"
    for line in list_limits(event):
        yield f"- {message(line)}"


def _write_table(event: Event) -> Iterator[str]:
    """Yield the table of players, with a column for everything that anybody has."""
    state = "verdict" if event.is_revealed else "list"
    columns: dict[str, list[str]] = defaultdict(list)
    for row in list_rows(event):
        columns["player"].append(plain(row.player))
        columns["deck"].append(plain(", ".join(row.decks)))
        columns[state].append(row.verdict)
        columns["seal"].append(" ".join(map(code, row.seals)))
        columns["salt"].append(" ".join(map(code, row.salts)))
    shown = {head: cells for head, cells in columns.items() if any(cells)}
    yield f"\n{table_row(shown)}"
    yield f"{'|---' * len(shown)}|"
    yield from map(table_row, zip(*shown.values(), strict=True))


def _write_item(finding: Finding) -> str:
    item = f"- {code(finding.place)}: {finding.severity} {finding.name}: "
    item += message(finding.message)
    if finding.help:
        item += f". {message(finding.help)}"
    return item


# Outputs of `deckcheck event`: the outputs of `validate`, and the page to publish.


class EventWriter(Protocol):
    """Writes the verdicts of an event to a stream, like a `Reporter`."""

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
    """Write the output of `validate`, and the players."""
    lists: dict[str, ListDocument] = {}
    for file in event.files:
        lists[file.path] = {
            "path": file.path,
            "sha256": file.sha256,
            "seal": event.seal(file),
        }
    other_findings: list[FindingDocument] = []
    for group in event.others:
        other_findings += _list_findings(group)
    about: EventEntry = {
        "path": event.source.path,
        "name": event.file.name,
        "date": event.file.date,
        "format": event.format.id,
        "snapshot": event.format.snapshot,
        "sound": event.is_sound,
        "players": [_player_document(player, lists) for player in event.players],
        "findings": other_findings,
    }
    document: EventDocument = {
        **event.run.to_dict(),
        "fingerprint": event.format.fingerprint,
        "event": about,
    }
    write_object(document, stream)


def _player_document(
    player: PlayerGroup, lists: dict[str, ListDocument]
) -> PlayerDocument:
    return {
        "name": player.title,
        "verdict": judge_player(player),
        "lists": [lists[path] for path in player.paths if path in lists],
        "findings": list(_list_findings(player)),
    }


def _list_findings(group: PlayerGroup) -> Iterator[FindingDocument]:
    """Yield the findings besides decks."""
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
