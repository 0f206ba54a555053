"""Tournaments: one file names the players and the folder of their lists."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from deckcheck.cards.names import normalise
from deckcheck.decks import find_deck_files, read_deck_file
from deckcheck.findings import UsageError
from deckcheck.findings.documents.structure import Place, structure
from deckcheck.findings.words import choice, plural, printable, quote
from deckcheck.validation import DeckReport, Validation, Validator

__all__ = ["Event", "EventFile", "changes", "check_event", "seal", "summary"]


@dataclass(frozen=True, slots=True)
class EventFile:
    """What an event file says; `lists` is a folder, seen from that of the file."""

    name: str
    date: str
    format: str
    lists: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A checked event: its lists by player, and what speaks against the event.

    A list has a report for each of its decks: one, or those of a lineup. `notes` are
    worth a look and no problem; `hashes` are those of the lists' bytes, by file name.
    """

    file: EventFile
    reports: dict[str, tuple[DeckReport, ...]]
    run: Validation
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    hashes: dict[str, str]


def check_event(path: Path, root: Path | None = None) -> Event:
    """Read an event file and check its players and lists.

    A list belongs to the player whose name its file has, whatever case, accents, dashes
    or spaces: `anna_nowak.deck` to Anna Nowak. It is one deck, or a whole lineup where
    the format asks for that. Raises UsageError for an event file that
    cannot be read, for a missing folder and an unknown format.
    """
    file = _read(path)
    folder = path.parent / file.lists
    format = file.format
    if format.startswith("."):
        format = str(path.parent / format)
    files = find_deck_files([str(folder)])
    texts = [read_deck_file(each.file, each.path) for each in files]
    run = Validator(format, root, suppressions=False).check_all(texts)
    reports, problems = _assign(file.players, run)
    hashes = {
        each.file.relative_to(folder).as_posix(): _hash(each.file)
        for each in files
        if each.file is not None
    }
    notes = tuple(_identical(reports))
    return Event(file, reports, run, problems, notes, hashes)


def _assign(
    players: tuple[str, ...], run: Validation
) -> tuple[dict[str, tuple[DeckReport, ...]], tuple[str, ...]]:
    """The list of each player, and what of players and lists does not fit."""
    owners = {normalise(name): name for name in reversed(players)}
    reports: dict[str, tuple[DeckReport, ...]] = {}
    problems = [*_repeated_players(players)]
    for path, found in groupby(run.reports, lambda report: report.source.path):
        decks = tuple(found)
        player = owners.get(normalise(Path(path).stem))
        if player is None:
            problems.append(f"{quote(path)} belongs to no player")
        elif player in reports or (len(decks) > 1 and not _is_one_list(decks)):
            problems.append(f"Player {quote(player)} has several lists")
            reports.setdefault(player, decks)
        else:
            reports[player] = decks
    for name in players:
        if name in owners.values() and name not in reports:
            problems.append(f"Player {quote(name)} has no list")
    return reports, tuple(problems)


def _is_one_list(decks: tuple[DeckReport, ...]) -> bool:
    """Whether the format wants several decks in one file."""
    formats = [report.format for report in decks if report.format is not None]
    return any(fmt.seating.holds != "deck" for fmt in formats)


def _read(path: Path) -> EventFile:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"Event file {quote(str(path))} cannot be read: {error.strerror}"
        raise UsageError(message) from None
    except ValueError as error:
        raise UsageError(f"Event file {quote(str(path))}: {error}") from None
    wrong: list[str] = []

    def report(at: Place, message: str, is_key: bool) -> None:
        place = ".".join(map(str, at))
        wrong.append(message if is_key else f"{quote(place)}: {message}")

    file = structure(EventFile, data, (), report)
    if file is None or wrong:
        raise UsageError(f"Event file {quote(str(path))}: {'; '.join(wrong)}")
    return file


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _repeated_players(players: tuple[str, ...]) -> Iterator[str]:
    counts = Counter(normalise(name) for name in players)
    for name in dict.fromkeys(players):
        if counts.pop(normalise(name), 0) > 1:
            yield f"Player {quote(name)} is registered twice"


def _identical(reports: dict[str, tuple[DeckReport, ...]]) -> Iterator[str]:
    """Lists of the same cards and leaders; that is allowed, but worth a look."""
    same: dict[object, list[str]] = {}
    for player, found in reports.items():
        decks = [report.deck for report in found if report.deck is not None]
        if decks:
            content = Counter((d.leader, frozenset(d.counts().items())) for d in decks)
            same.setdefault(frozenset(content.items()), []).append(player)
    for players in same.values():
        if len(players) > 1:
            yield f"Lists are identical: {choice(players, 'and')}"


def summary(event: Event) -> str:
    """The page to publish, as Markdown."""
    file, formats = event.file, event.run.formats
    judged = ", ".join(f"{fmt.id} ({fmt.snapshot})" for fmt in formats)
    lines = [
        f"# {_cell(file.name)}",
        "",
        f"{_cell(file.date)}, {judged or file.format}",
        "",
    ]
    lines += ["| player | deck | verdict |", "|---|---|---|"]
    one_each = {normalise(name): name for name in reversed(file.players)}
    for player in sorted(one_each.values()):
        reports = event.reports.get(player)
        if reports is None:
            cells = (player, "", "no list")
        else:
            names = ", ".join(report.name or "" for report in reports)
            cells = (player, names, "legal" if _is_legal(reports) else "illegal")
        lines.append("| " + " | ".join(map(_cell, cells)) + " |")
    legal = sum(map(_is_legal, event.reports.values()))
    count = plural(len(event.reports), "list")
    return "\n".join([*lines, "", f"{count}, {legal} legal", ""])


def _is_legal(reports: tuple[DeckReport, ...]) -> bool:
    return all(report.legal for report in reports)


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|").replace("<", "&lt;")


def seal(event: Event) -> str:
    """The seal of the lists: JSON with the SHA-256 of each file."""
    document = {"schema_version": 1, "event": event.file.name, "lists": event.hashes}
    return json.dumps(document, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def changes(event: Event, sealed: Path) -> list[str]:
    """What differs from a seal; UsageError when that cannot be read."""
    try:
        before = json.loads(sealed.read_text(encoding="utf-8"))["lists"]
        before = {str(name): str(value) for name, value in before.items()}
    except OSError as error:
        message = f"Seal {quote(str(sealed))} cannot be read: {error.strerror}"
        raise UsageError(message) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise UsageError(f"{quote(str(sealed))} is no seal") from None
    found = []
    for name in sorted({*before, *event.hashes}):
        if before.get(name) != event.hashes.get(name):
            is_gone, is_new = name not in event.hashes, name not in before
            how = "is gone" if is_gone else "is new" if is_new else "has changed"
            found.append(f"{quote(name)} {how} since the seal")
    return found
