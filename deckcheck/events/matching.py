"""Which list belongs to which player, and what does not match."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from deckcheck.cards.names import closest, normalise
from deckcheck.decks import DeckSource
from deckcheck.events.event import Group
from deckcheck.events.file import EventFile
from deckcheck.events.names import file_stem, sort_key
from deckcheck.findings import Finding, Position, Related, Span
from deckcheck.findings.documents import Source
from deckcheck.findings.words import plural, quote
from deckcheck.rules.event_rules import (
    IDENTICAL_LISTS,
    MISSING_LIST,
    REPEATED_PLAYER,
    SEVERAL_DECKS,
    SEVERAL_LISTS,
    UNKNOWN_PLAYER,
)
from deckcheck.validation import DeckReport, FileReport

__all__ = ["START", "match"]

START = Span(Position(1, 1), Position(1, 1))
NOBODY = "Lists of no player"

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
        owner = owners.get(normalise(Path(path).stem))
        (strays if owner is None else lists[owner]).append(tuple(decks))
    told = _repeated(file, source, owners)
    for name, own in lists.items():
        told[name] += _wrong_lists(name, own)
        if not own:
            told[name].append(_missing(name, file, source, folder))
    for name, report in _identical(lists):
        told[name].append(report)
    players = (
        Group(name, _joined(lists[name]), tuple(told[name]))
        for name in sorted(lists, key=sort_key)
    )
    unknown = tuple(_unknown(one, owners, source.path) for one in strays)
    others = (Group(NOBODY, _joined(strays), unknown),) if strays else ()
    return tuple(players), others


def _joined(lists: Sequence[_List]) -> _List:
    return tuple(deck for decks in lists for deck in decks)


def _about(finding: Finding, name: str, text: str) -> FileReport:
    return FileReport(DeckSource(finding.path), name, (finding,), text)


def _repeated(
    file: EventFile, source: Source, owners: dict[str, str]
) -> defaultdict[str, list[FileReport]]:
    """What is wrong with the names in the event file, by player."""
    found: defaultdict[str, list[FileReport]] = defaultdict(list)
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
        found[owner].append(_about(finding, owner, source.document.text))
    return found


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
    near = closest(normalise(Path(path).stem), list(owners), limit=1)
    help = f"Name the file after its player, or register the player in {quote(event)}"
    if near:
        help = f"Did you mean {quote(owners[near[0]])}? {help}"
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
    known = [report.deck for report in decks if report.deck is not None]
    content = Counter((deck.leader, frozenset(deck.counts().items())) for deck in known)
    return frozenset(content.items())
