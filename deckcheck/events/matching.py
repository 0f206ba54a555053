"""Matches lists and players, and reports what does not match."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from deckcheck.cards.names import closest, normalise
from deckcheck.decks import DeckSource, Header, shown_path
from deckcheck.events.event import Group
from deckcheck.events.file import EventFile
from deckcheck.events.names import agrees, file_stem, list_keys, sort_key
from deckcheck.findings import Finding, Position, Related, Severity, Span
from deckcheck.findings.documents import Source
from deckcheck.findings.words import plural, quote
from deckcheck.rules.event_rules import (
    IDENTICAL_LISTS,
    MISSING_LIST,
    OTHER_FILE,
    OTHER_PLAYER,
    REPEATED_PLAYER,
    SEVERAL_DECKS,
    SEVERAL_LISTS,
    UNKNOWN_PLAYER,
)
from deckcheck.validation import DeckReport, FileReport

START = Span(Position(1, 1), Position(1, 1))
NOBODY = "Lists of no player"
OTHERS = "Files that are no lists"
_NAME_IT = "Name the file after its player"
_OUTSIDE = "Keep it outside of the folder of lists"
_WHOSE = "Ask whose list it is, and name the file so, or mend the line `Player`"

_List = tuple[DeckReport, ...]


def match(
    file: EventFile, source: Source, reports: Sequence[DeckReport], folder: str
) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """The players with their lists, in order, and the lists that belong to nobody.

    `reports` are those of all lists, file by file; `folder` is where these lie, as
    findings show it.
    """
    owners = {normalise(name): name for name in reversed(file.players)}
    lists: dict[str, list[_List]] = {name: [] for name in owners.values()}
    strays: list[_List] = []
    for path, decks in groupby(reports, lambda report: report.source.path):
        owner = _owner(path, owners)
        (strays if owner is None else lists[owner]).append(tuple(decks))
    findings = _repeated(file, source, owners)
    for name, own in lists.items():
        findings[name] += _wrong_lists(name, own)
        findings[name] += _other_players(name, own, owners)
        if not own:
            findings[name].append(_missing(name, file, source, folder))
    for name, report in _identical(lists):
        findings[name].append(report)
    players = (
        Group(name, _joined(lists[name]), tuple(findings[name]))
        for name in sorted(lists, key=sort_key)
    )
    unknown = tuple(_unknown(one, owners, source.path) for one in strays)
    others = (Group(NOBODY, _joined(strays), unknown),) if strays else ()
    return tuple(players), others


def other_files(files: Sequence[str], event: EventFile) -> list[FileReport]:
    """What is said of files that are neither called like lists nor like players."""
    owners = {normalise(name): name for name in event.players}
    return [_other_file(shown_path(file), owners) for file in files]


def _other_file(path: str, owners: dict[str, str]) -> FileReport:
    name = Path(path).name
    message = f"{quote(name)} is no list, and named like no player"
    near = _near(path, owners)
    help = f"Did you mean {quote(near)}? {_NAME_IT}" if near else _OUTSIDE
    return _about(OTHER_FILE.at(path, START, message, help=help), name, "")


def _owner(path: str, owners: Mapping[str, str]) -> str | None:
    """The player whose list a file is, by its name."""
    return next((owners[key] for key in list_keys(path) if key in owners), None)


def _near(path: str, owners: dict[str, str]) -> str | None:
    """The player who may be meant by the name of a file, or by that of its folder."""
    folder = owners.get(normalise(Path(path).parent.name))
    near = closest(list_keys(path)[0], list(owners), limit=1)
    return folder or (owners[near[0]] if near else None)


def _joined(lists: Sequence[_List]) -> _List:
    return tuple(deck for decks in lists for deck in decks)


def _about(finding: Finding, name: str, text: str) -> FileReport:
    return FileReport(DeckSource(finding.path), name, (finding,), text)


def _repeated(
    file: EventFile, source: Source, owners: dict[str, str]
) -> defaultdict[str, list[FileReport]]:
    """What is wrong with the names in the event file, by player."""
    files_by_owner: defaultdict[str, list[FileReport]] = defaultdict(list)
    first: dict[str, int] = {}
    for index, name in enumerate(file.players):
        key = normalise(name)
        before = first.setdefault(key, index)
        if before == index:
            continue
        span = source.document.span(("players", before))
        message = f"Player {quote(name)} is registered since line {span.start.line}"
        finding = REPEATED_PLAYER.at(
            source.path,
            source.document.span(("players", index)),
            message,
            help="Remove one of the two, or tell the players apart by a second name",
            related=[Related(span, "first here")],
        )
        owner = owners[key]
        files_by_owner[owner].append(_about(finding, owner, source.document.text))
    return files_by_owner


def _missing(name: str, file: EventFile, source: Source, folder: str) -> FileReport:
    stem = file_stem(name)
    if normalise(stem) != normalise(name):
        stem = name
    finding = MISSING_LIST.at(
        source.path,
        source.document.span(("players", file.players.index(name))),
        f"Player {quote(name)} has no list",
        help=f"Add the list as {quote(f'{folder}/{stem}.deck')}",
    )
    return _about(finding, name, source.document.text)


def _unknown(decks: _List, owners: dict[str, str], event: str) -> FileReport:
    path = decks[0].source.path
    stated = (header.value for header in _player_headers(decks))
    by_header = next(
        (
            name
            for stated_name in stated
            if (name := owners.get(normalise(stated_name)))
        ),
        None,
    )
    near = by_header or _near(path, owners)
    help = f"{_NAME_IT}, or register the player in {quote(event)}"
    if near:
        help = f"Did you mean {quote(near)}? {help}"
    finding = UNKNOWN_PLAYER.at(path, START, "The list belongs to no player", help=help)
    return _about(finding, Path(path).name, decks[0].text)


def _wrong_lists(name: str, lists: Sequence[_List]) -> Iterator[FileReport]:
    """What is wrong with the lists of a player as such: too many of them or in them."""
    for decks in lists[1:]:
        first = quote(lists[0][0].source.path)
        message = f"Player {quote(name)} also has the list {first}"
        help = "Keep one of the two files"
        finding = SEVERAL_LISTS.at(decks[0].source.path, START, message, help=help)
        yield _about(finding, name, decks[0].text)
    for decks in lists:
        if len(decks) > 1 and not _is_one_list(decks):
            place = decks[1].deck.span if decks[1].deck else START
            message = f"The list holds {plural(len(decks), 'deck')}, expected 1"
            help = "Keep one deck, or choose a format with lineups for the event"
            finding = SEVERAL_DECKS.at(decks[0].source.path, place, message, help=help)
            yield _about(finding, name, decks[0].text)


def _player_headers(decks: _List) -> Iterator[Header]:
    """The lines of a list that say whose it is."""
    for report in decks:
        if report.deck is not None:
            yield from report.deck.headers.get("player", ())


def _other_players(
    name: str, lists: Sequence[_List], owners: Mapping[str, str]
) -> Iterator[FileReport]:
    """Lists that say that they are of somebody else than the player of their file.

    Of somebody who is registered is an error; else it may be another way to write the
    name.
    """
    for decks in lists:
        for header in _player_headers(decks):
            other = owners.get(normalise(header.value))
            if other == name or (other is None and agrees(header.value, name)):
                continue
            others = (owner for owner in owners.values() if owner != name)
            other = other or next((n for n in others if agrees(header.value, n)), None)
            message = f"The list is of {quote(header.value)}, its file of {quote(name)}"
            finding = OTHER_PLAYER.at(
                decks[0].source.path, header.span, message, help=_WHOSE
            )
            if other is None:
                finding = replace(finding, severity=Severity.WARNING)
            yield _about(finding, name, decks[0].text)


def _is_one_list(decks: _List) -> bool:
    """Whether the format wants several decks in one file."""
    formats = [report.format for report in decks if report.format is not None]
    return any(fmt.seating.holds != "deck" for fmt in formats)


def _identical(lists: dict[str, list[_List]]) -> Iterator[tuple[str, FileReport]]:
    """Lists with the cards and leaders of an earlier one, by player."""
    first: dict[object, str] = {}
    for player in sorted(lists, key=sort_key):
        for decks in lists[player]:
            content = _content(decks)
            owner = first.setdefault(content, player) if content else player
            if owner != player:
                finding = IDENTICAL_LISTS.at(
                    decks[0].source.path,
                    START,
                    "The list has the same cards and leaders "
                    f"as that of {quote(owner)}",
                    help="Ask both players whether this is intended",
                )
                yield player, _about(finding, player, decks[0].text)


def _content(decks: _List) -> object:
    """What two identical lists share; nothing for a list that cannot be read."""
    decks_of_owner = [report.deck for report in decks if report.deck is not None]
    content = Counter(
        (deck.leader, frozenset(deck.counts().items())) for deck in decks_of_owner
    )
    return frozenset(content.items())
