"""Gather the decks that may meet: read, judged, and of one format."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from deckcheck.cards import Root
from deckcheck.decks import (
    Deck,
    DeckFile,
    LeftOut,
    find_deck_files,
    read_deck_file,
    read_found,
)
from deckcheck.decks.findings import UNKNOWN_CARD
from deckcheck.findings import UsageError, in_order
from deckcheck.formats import Format, database_of
from deckcheck.formats.model import format_files, is_file_name, split_id
from deckcheck.messages import choice, option, plural, quote
from deckcheck.rules import JOINT_RULES, judge
from deckcheck.sim import REFERENCE
from deckcheck.sim.entrants import number_files
from deckcheck.validation import DeckReport, Validator

T = TypeVar("T")


def gather(
    targets: Sequence[str],
    format: str | None = None,
    root: Root = None,
    *,
    rules: Sequence[str] = (),
    as_of: str | None = None,
    left_out: LeftOut | None = None,
    fallback: Callable[[str], tuple[str, str] | None] | None = None,
) -> tuple[list[DeckReport], list[str]]:
    """Read and judge every deck of `targets`: files, folders, globs, `-`.

    `rules` and `as_of` change the formats, `fallback` has the formats of a
    configuration, see `Validator`. Files left out are counted in `left_out`, see
    `find_deck_files`. Returns the reports, and the paths of files that were named again
    and left out: a file meets itself only if no other file is named.
    Raises UsageError for errors that prevent the judging of any deck.
    """
    unique_files = find_deck_files(targets, left_out=left_out)
    files = _repeat_only_file(targets, unique_files)
    texts = [read_found(file) for file in files]
    validator = Validator(
        format,
        root,
        suppressions=False,
        fallback=fallback,
        rules=rules,
        as_of=as_of,
    )
    reports = validator.check_all(texts).reports
    if len(files) > len(unique_files):
        return list(reports), []
    return list(reports), _find_named_again(targets, files)


def _repeat_only_file(
    targets: Sequence[str], files: Sequence[DeckFile]
) -> Sequence[DeckFile]:
    """Return the only file as often as `targets` name it, otherwise the files.

    Standard input is read once.
    """
    if len(files) != 1 or (files[0].file or files[0].text) is None:
        return files
    repeated = []
    for target in targets:
        repeated += find_deck_files([target])
    return repeated if len(repeated) > 1 else files


def judge_again(deck: Deck, validator: Validator, format: str | None) -> DeckReport:
    """Judge a deck again, and return its report.

    It is judged by the format of `validator`, else by `format`, else by its own. Of
    its unreadable lines only how many cards they may mean is known. Raises UsageError
    without a format.
    """
    id = (deck.format or "") if format is None else format
    id = id.strip()
    is_file = is_file_name(split_id(id)[0])
    if not is_file:
        id = id.lower()
    fmt = validator.format
    if validator.bare_name is not None:
        game = validator.load(id).game if is_file else id.partition("/")[0]
        fmt = validator.set_game(game or None, deck.source.path)
    if fmt is None:
        if not id:
            message = f"Deck {quote(deck.name)} names no format"
            raise UsageError(message, "Pass `format`")
        fmt = validator.load(id)
    findings = judge(deck, fmt, database_of(fmt, validator.root))
    if deck.unread:
        message = f"{plural(deck.unread, 'card')} could not be read or resolved"
        if deck.unread > 1:
            message = f"Up to {message}"
        findings = (UNKNOWN_CARD.at(deck.source.path, deck.span, message), *findings)
    return DeckReport(deck.source, deck, fmt, in_order(findings), "")


def find_common_format(reports: Sequence[DeckReport]) -> Format:
    """Return the only format of all decks.

    Raises UsageError if there are none or several.
    """
    formats = {}
    for report in reports:
        fmt = report.format
        if fmt is not None:
            formats[f"{fmt.id}@{fmt.snapshot}"] = fmt
    if len(formats) == 1:
        return next(iter(formats.values()))
    if not formats:
        raise UsageError("No deck has a format", f"Pass {option('format')}")
    names = choice(sorted(formats), "and")
    raise UsageError(
        f"Decks are of {len(formats)} formats: {names}",
        f"Pass {option('format')} to choose the one to play by",
    )


def _find_named_again(targets: Sequence[str], files: Sequence[DeckFile]) -> list[str]:
    """Return the paths of files that the user named more than once.

    A file that is named once, and found in a named folder too, is not among them.
    """
    named = [os.path.abspath(t) for t in targets if os.path.isfile(t)]
    repeated = {path for path in named if named.count(path) > 1}
    return [f.path for f in files if f.file and os.path.abspath(f.file) in repeated]


def drop_joint_findings(reports: Sequence[DeckReport]) -> list[DeckReport]:
    """Return the reports of single decks, whatever else is in their file.

    Findings about the decks of a file together are left out.
    """
    joint = {rule.name for rule in JOINT_RULES}
    judged = []
    for report in reports:
        findings = tuple(f for f in report.findings if f.name not in joint)
        judged.append(replace(report, findings=findings))
    return judged


def select_opponents(
    named: Sequence[DeckReport], field: Sequence[DeckReport]
) -> list[DeckReport]:
    """Return the decks of the field without the named decks.

    Raises UsageError if no deck was named or no opponent is left.
    """
    if not named:
        raise UsageError(
            "No deck is named that could meet the field", "Name one or more decks"
        )
    named_decks = set(map(_identify_deck, named))
    opponents = [r for r in field if _identify_deck(r) not in named_decks]
    if not opponents:
        raise UsageError("The field has no deck but those that are to meet it")
    return opponents


def _identify_deck(report: DeckReport) -> Hashable:
    """Return what only the same deck has: its file, its number in it, and its cards.

    All decks that were read from texts have the same source.
    """
    deck = report.deck
    content = (deck.name, deck.leader, deck.entries) if deck else None
    return os.path.abspath(report.source.path), report.source.index, content


def count_first_file(reports: Sequence[DeckReport]) -> int:
    """Return how many decks are of the first file.

    Raises UsageError without a second file.
    """
    numbers = number_files([report.source for report in reports])
    if not numbers or max(numbers) == 0:
        raise UsageError(
            f"{option('gauntlet')} needs decks to meet",
            f"Name another deck after the first, or a field with {option('against')}",
        )
    return numbers.count(0)


# The reference field: the decks that a format comes with, to measure others against.
#
# It is one file of several decks, `card_db/<game>/fields/<format>.deck`, made by
# `python -m tools.reference_field`. A format without one has that of the format it
# extends, less the decks that its own rules forbid.


class ReferenceField(NamedTuple):
    """The decks of a field that a format allows."""

    format: str
    """The id of the format with the field."""
    decks: tuple[DeckReport, ...]
    forbidden: tuple[str, ...]
    """The names of decks of the field that the format does not allow."""

    @property
    def note(self) -> str:
        """The decks it has, and those that it lacks here."""
        has = f"The field is the reference field of {quote(self.format)}"
        if not self.forbidden:
            return f"{has}, {plural(len(self.decks), 'deck')}"
        missing = choice(self.forbidden, "and")
        return f"{has} without {missing}, which the rules here forbid"


def split_reference(targets: Sequence[T]) -> tuple[list[T], bool]:
    """Return the targets that are decks, and whether the reference field was named.

    Raises UsageError if the word may mean a file as well.
    """
    files = [target for target in targets if target != REFERENCE]
    is_named = len(files) < len(targets)
    if is_named:
        check_no_other(Path(REFERENCE))
    return files, is_named


def check_no_other(path: Path) -> None:
    """Raise UsageError if the word may mean a file or folder of that name."""
    if os.path.lexists(path):
        raise UsageError(
            f"{quote(REFERENCE)} is the field that comes with deckcheck, and here is "
            "a file or folder of that name",
            f"Write {quote(f'./{REFERENCE}')} for yours; rename it to use the other",
        )


def load_reference_field(fmt: Format, root: Root = None) -> ReferenceField:
    """Return the reference field of a format, else of the format that it extends.

    Raises UsageError if there is none, and if all its decks are forbidden.
    """
    seating = fmt.seating
    if seating.play in ("duel", "table") and seating.holds == "deck":
        for id in fmt.lineage:
            file = _find_field_file(id, root)
            if file is not None:
                return _read_reference(file, id, fmt, root)
    raise UsageError(
        f"{quote(fmt.id)} has no reference field",
        f"Name opponents with {option('against')}",
    )


def _find_field_file(id: str, root: Root) -> Path | None:
    """Return the file with the field of a format, if there is one."""
    format_file = format_files(root).get(id)
    if format_file is None:
        return None
    file = format_file.parent.parent / "fields" / f"{format_file.stem}.deck"
    return file if file.is_file() else None


def _read_reference(file: Path, id: str, fmt: Format, root: Root) -> ReferenceField:
    text = read_deck_file(file, f"{REFERENCE}:{id}")
    database = database_of(fmt, root)
    allowed, forbidden = [], []
    for report in Validator(id, root).check_all([text]).reports:
        if report.deck is None:
            raise UsageError(f"The reference field cannot be read: {quote(str(file))}")
        findings = judge(report.deck, fmt, database)
        checked = DeckReport(report.source, report.deck, fmt, findings, report.text)
        if checked.legal:
            allowed.append(checked)
        else:
            forbidden.append(report.deck.name)
    if not allowed:
        raise UsageError(
            f"{quote(fmt.id)} forbids all {plural(len(forbidden), 'deck')} of the "
            f"reference field of {quote(id)}",
            f"Name opponents with {option('against')}",
        )
    return ReferenceField(id, tuple(allowed), tuple(forbidden))
