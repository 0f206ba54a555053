"""Matching lists with the players of an event, and findings about the rest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path

from deckcheck.cards.names import closest, normalise
from deckcheck.decks import (
    Header,
    shown_path,
)
from deckcheck.documents.readers import Source
from deckcheck.events.event import (
    EventFile,
    PlayerGroup,
    file_stem,
    list_keys,
    may_name,
    sort_key,
)
from deckcheck.findings import START, Related, Severity
from deckcheck.messages import plural, quote
from deckcheck.rules import (
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

STRAY_GROUP = "Lists without a player"
OTHER_GROUP = "Files other than lists"
_NAME_IT = "Name the file after its player"
_KEEP_OUTSIDE = "Keep it outside of the folder of lists"
_ASK_WHOSE = "Ask whose list it is, and rename the file, or correct the line `Player`"

_List = tuple[DeckReport, ...]


def match_lists(
    file: EventFile, source: Source, reports: Sequence[DeckReport], folder: str
) -> tuple[tuple[PlayerGroup, ...], tuple[PlayerGroup, ...]]:
    """Return the players with their lists, in order, and the lists without a player.

    `reports` has the decks of all lists, file by file. `folder` is the folder of the
    lists, as findings show it.
    """
    owners = file.keys
    departed = {owners[normalise(name)]: why for name, why in file.gone.items()}
    lists: dict[str, list[_List]] = {name: [] for name in owners.values()}
    strays: list[_List] = []
    for path, decks in groupby(reports, lambda report: report.source.path):
        keys = [key for key in list_keys(path) if key in owners]
        if keys:
            lists[owners[keys[0]]].append(tuple(decks))
        else:
            strays.append(tuple(decks))
    for name in departed:
        lists[name] = []  # they do not play, so their lists are not judged
    findings = _find_repeated(file, source, owners)
    for name, player_lists in lists.items():
        findings[name] += _check_lists(name, player_lists)
        findings[name] += _check_headers(name, player_lists, owners)
        if not player_lists and name not in departed:
            findings[name].append(_report_missing(name, file, source, folder))
    for name, report in _find_identical(lists):
        findings[name].append(report)
    players = []
    for name in sorted(lists, key=sort_key):
        all_decks = _join_lists(lists[name])
        player_findings = tuple(findings[name])
        group = PlayerGroup(name, all_decks, player_findings, departed.get(name))
        players.append(group)
    if not strays:
        return tuple(players), ()
    unknown = tuple(_report_unknown(decks, owners, source.path) for decks in strays)
    return tuple(players), (PlayerGroup(STRAY_GROUP, _join_lists(strays), unknown),)


def report_other_files(files: Sequence[str], event: EventFile) -> Iterator[FileReport]:
    """Yield a note for each file without the name of a list or of a player."""
    owners = event.keys
    for path in map(shown_path, files):
        name = Path(path).name
        near = _find_near_player(path, owners)
        message = f"{quote(name)} is not a list, nor named after a player"
        help = _KEEP_OUTSIDE
        if near is not None:
            help = f"Did you mean {quote(near)}? {_NAME_IT}"
        yield FileReport.of(OTHER_FILE.at(path, START, message, help=help), name, "")


def _find_near_player(path: str, owners: Mapping[str, str]) -> str | None:
    """Find the player whom the folder of a file names, or the file itself nearly."""
    folder = normalise(Path(path).parent.name)
    if folder in owners:
        return owners[folder]
    near_keys = closest(list_keys(path)[0], list(owners), limit=1)
    return owners[near_keys[0]] if near_keys else None


def _join_lists(lists: Sequence[_List]) -> _List:
    return tuple(chain.from_iterable(lists))


def _find_repeated(
    file: EventFile, source: Source, owners: Mapping[str, str]
) -> defaultdict[str, list[FileReport]]:
    """Report names that the event file has twice, by player."""
    findings: defaultdict[str, list[FileReport]] = defaultdict(list)
    first: dict[str, int] = {}
    for index, name in enumerate(file.players):
        key = normalise(name)
        if key not in first:
            first[key] = index
            continue
        span = source.document.span(("players", first[key]))
        message = (
            f"Player {quote(name)} is already registered in line {span.start.line}"
        )
        finding = REPEATED_PLAYER.at(
            source.path,
            source.document.span(("players", index)),
            message,
            help="Remove either, or add a second name to each player",
            related=[Related(span, "first here")],
        )
        report = FileReport.of(finding, owners[key], source.document.text)
        findings[owners[key]].append(report)
    return findings


def _report_missing(
    name: str, file: EventFile, source: Source, folder: str
) -> FileReport:
    stem = file_stem(name)
    if normalise(stem) != normalise(name):
        stem = name
    replaced = {new: old for old, new in file.replaced.items()}
    if name in replaced:
        span = source.document.span(("replaced", replaced[name]))
    else:
        span = source.document.span(("players", file.players.index(name)))
    finding = MISSING_LIST.at(
        source.path,
        span,
        f"Player {quote(name)} has no list",
        help=f"Add the list as {quote(f'{folder}/{stem}.deck')}",
    )
    return FileReport.of(finding, name, source.document.text)


def _report_unknown(decks: _List, owners: Mapping[str, str], event: str) -> FileReport:
    path = decks[0].source.path
    near = _guess_player(decks, owners)
    help = f"{_NAME_IT}, or register the player in {quote(event)}"
    if near is not None:
        help = f"Did you mean {quote(near)}? {help}"
    finding = UNKNOWN_PLAYER.at(path, START, "The list belongs to no player", help=help)
    return FileReport.of(finding, Path(path).name, decks[0].text)


def _guess_player(decks: _List, owners: Mapping[str, str]) -> str | None:
    """Find the player whom a list names, or else its path, if any is registered."""
    for header in _find_player_headers(decks):
        key = normalise(header.value)
        if key in owners:
            return owners[key]
    return _find_near_player(decks[0].source.path, owners)


def _check_lists(name: str, lists: Sequence[_List]) -> Iterator[FileReport]:
    """Report several lists of a player, and several decks in a list."""
    for decks in lists[1:]:
        first = quote(lists[0][0].source.path)
        message = f"{quote(name)} has another list, {first}"
        help = "Keep one of the two files, and remove the other"
        finding = SEVERAL_LISTS.at(decks[0].source.path, START, message, help=help)
        yield FileReport.of(finding, name, decks[0].text)
    for decks in lists:
        if len(decks) > 1 and not _is_one_list(decks):
            second = decks[1].deck
            position = START if second is None else second.span
            message = f"The list holds {plural(len(decks), 'deck')}, expected 1"
            help = "Keep a single deck, or choose a format with lineups"
            finding = SEVERAL_DECKS.at(
                decks[0].source.path, position, message, help=help
            )
            yield FileReport.of(finding, name, decks[0].text)


def _find_player_headers(decks: _List) -> Iterator[Header]:
    """Yield the headers of a list that name its player."""
    for report in decks:
        if report.deck is not None:
            yield from report.deck.headers.get("player", ())


def _check_headers(
    name: str, lists: Sequence[_List], owners: Mapping[str, str]
) -> Iterator[FileReport]:
    """Report lists that name a different player from their file.

    The name of another registered player is an error. Any other name may be a different
    spelling.
    """
    for decks in lists:
        for header in _find_player_headers(decks):
            other = owners.get(normalise(header.value))
            if other == name or (other is None and may_name(header.value, name)):
                continue
            severity = None
            if other is None and not any(
                may_name(header.value, owner) for owner in owners.values()
            ):
                severity = Severity.WARNING
            message = f"The list is of {quote(header.value)}, its file of {quote(name)}"
            path = decks[0].source.path
            finding = OTHER_PLAYER.at(
                path, header.span, message, help=_ASK_WHOSE, severity=severity
            )
            yield FileReport.of(finding, name, decks[0].text)


def _is_one_list(decks: _List) -> bool:
    """Report whether the format wants several decks in a file."""
    formats = [report.format for report in decks if report.format is not None]
    return any(fmt.seating.holds != "deck" for fmt in formats)


def _find_identical(lists: dict[str, list[_List]]) -> Iterator[tuple[str, FileReport]]:
    """Report lists with the cards and leaders of an earlier list, by player.

    Of a lineup, each deck is compared as well: two players may share one of them.
    """
    first_owners: dict[object, str] = {}
    for player in sorted(lists, key=sort_key):
        for decks in lists[player]:
            parts = {"The list": decks}
            for number, deck in enumerate(decks, start=1):
                parts[f"Deck {number} of the list"] = (deck,)
            shared = []
            for part, part_decks in parts.items():
                content = _make_content(part_decks)
                owner = first_owners.setdefault(content, player)
                if content and owner != player:
                    shared.append((part, owner))
            if shared:
                part, owner = shared[0]
                yield player, _report_identical(player, decks, part, owner)


def _report_identical(player: str, decks: _List, part: str, owner: str) -> FileReport:
    finding = IDENTICAL_LISTS.at(
        decks[0].source.path,
        START,
        f"{part} has the same cards and leaders as that of {quote(owner)}",
        help="Ask both players whether this is intended",
    )
    return FileReport.of(finding, player, decks[0].text)


def _make_content(decks: _List) -> object:
    """Return a value that identical lists share, empty for an unreadable list."""
    content: Counter[object] = Counter()
    for report in decks:
        deck = report.deck
        if deck is not None and deck.entries:
            content[deck.leader, frozenset(deck.counts().items())] += 1
    return frozenset(content.items())
