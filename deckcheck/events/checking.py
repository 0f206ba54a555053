"""Checking an event: its players, their lists, and what of these does not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from deckcheck.cards.names import closest, normalise
from deckcheck.decks import DeckFile, find_deck_files, read_found
from deckcheck.events.file import EventFile, open_event
from deckcheck.findings import Severity, UsageError
from deckcheck.findings.documents import Source
from deckcheck.findings.records import dataclass
from deckcheck.findings.words import choice, quote
from deckcheck.validation import DeckReport, Validation, Validator

__all__ = ["Event", "Lists", "check_event"]

Lists = dict[str, tuple[DeckReport, ...]]
"""The decks of each player's list, by name."""


@dataclass(frozen=True, slots=True)
class Event:
    """A checked event: its lists by player, and what speaks against the event.

    A list has a report for each of its decks: one, or those of a lineup. `notes` are
    worth a look and no problem; `hashes` are those of the lists' bytes, by file name.
    `root` is the folder of card databases.
    """

    file: EventFile
    lists: Lists
    run: Validation
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    hashes: dict[str, str]
    root: Path | None = None

    @property
    def players(self) -> list[str]:
        """Everybody who is registered, once, by name."""
        once = {normalise(name): name for name in reversed(self.file.players)}
        return sorted(once.values())


def check_event(path: Path, root: Path | None = None) -> Event:
    """Read an event file and check its players and lists.

    A list belongs to the player whose name its file has, whatever case, accents, dashes
    or spaces: `anna_nowak.deck` to Anna Nowak. It is one deck, or a whole lineup where
    the format asks for that. Raises UsageError for an event file that cannot be read,
    for a missing folder and an unknown format.
    """
    file, source = open_event(path)
    folder = path.parent / file.lists
    files = _lists_in(folder, source)
    texts = [read_found(each) for each in files]
    run = _validator(path, file, source, root).check_all(texts)
    lists, problems = _assign(file.players, run, source)
    hashes = {
        each.file.relative_to(folder).as_posix(): _hash(each.file)
        for each in files
        if each.file is not None
    }
    return Event(
        file,
        lists,
        run,
        (*_repeated(file.players, source), *problems, *_illegal(run)),
        tuple(_identical(lists)),
        hashes,
        root,
    )


def _lists_in(folder: Path, source: Source) -> list[DeckFile]:
    if not folder.is_dir():
        message = f"the folder {quote(str(folder))} does not exist"
        raise UsageError(str(source.defect(("lists",), message)))
    return find_deck_files([str(folder)])


def _validator(
    path: Path, file: EventFile, source: Source, root: Path | None
) -> Validator:
    format = file.format
    if format.startswith("."):
        format = str(path.parent / format)
    try:
        return Validator(format, root, suppressions=False)
    except UsageError as error:
        message = str(source.defect(("format",), error.message))
        raise UsageError(message, error.help) from None


def _assign(
    players: tuple[str, ...], run: Validation, source: Source
) -> tuple[Lists, list[str]]:
    """The list of each player, and what of players and lists does not fit."""
    owners = {normalise(name): name for name in reversed(players)}
    lists: Lists = {}
    problems = []
    for path, found in groupby(run.reports, lambda report: report.source.path):
        decks = tuple(found)
        stem = normalise(Path(path).stem)
        player = owners.get(stem)
        if player is None:
            near = closest(stem, list(owners), limit=1)
            hint = f", did you mean {quote(owners[near[0]])}?" if near else ""
            problems.append(f"{path}: the list belongs to no player{hint}")
            continue
        if player in lists:
            first = quote(lists[player][0].source.path)
            problems.append(f"{path}: player {quote(player)} has the list {first} too")
        elif len(decks) > 1 and not _is_one_list(decks):
            message = f"player {quote(player)} has {len(decks)} decks, a list is one"
            problems.append(f"{path}: {message}")
        lists.setdefault(player, decks)
    for index, name in enumerate(players):
        if owners[normalise(name)] == name and name not in lists:
            message = f"player {quote(name)} has no list"
            problems.append(str(source.defect(("players", index), message)))
    return lists, problems


def _is_one_list(decks: tuple[DeckReport, ...]) -> bool:
    """Whether the format wants several decks in one file."""
    formats = [report.format for report in decks if report.format is not None]
    return any(fmt.seating.holds != "deck" for fmt in formats)


def _repeated(players: tuple[str, ...], source: Source) -> Iterator[str]:
    seen: dict[str, int] = {}
    for index, name in enumerate(players):
        first = seen.setdefault(normalise(name), index)
        if first != index:
            line = source.document.span(("players", first)).start.line
            message = f"player {quote(name)} is registered since line {line}"
            yield str(source.defect(("players", index), message))


def _illegal(run: Validation) -> Iterator[str]:
    for finding in run.findings:
        if finding.severity is Severity.ERROR:
            start = finding.span.start
            place = f"{finding.path}:{start.line}:{start.column}"
            yield f"{place}: {finding.name}: {finding.message}"


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _identical(lists: Lists) -> Iterator[str]:
    """Lists of the same cards and leaders; that is allowed, but worth a look."""
    same: dict[object, list[str]] = {}
    for player, reports in lists.items():
        decks = [report.deck for report in reports if report.deck is not None]
        if decks:
            content = Counter((d.leader, frozenset(d.counts().items())) for d in decks)
            same.setdefault(frozenset(content.items()), []).append(player)
    for players in same.values():
        if len(players) > 1:
            yield f"Lists are identical: {choice(players, 'and')}"
