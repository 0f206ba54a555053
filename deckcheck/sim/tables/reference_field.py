"""The reference field: the decks that a format comes with, to measure others against.

It is one file of several decks, `card_db/<game>/fields/<format>.deck`, made by
`python -m benchmarks.reference_field`. A format without one has that of the format it
extends, less the decks that its own rules forbid.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from deckcheck.cards import Root
from deckcheck.decks import read_deck_file
from deckcheck.findings import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, plural, quote
from deckcheck.formats import Format, database_of
from deckcheck.formats.ids import format_files
from deckcheck.rules import judge
from deckcheck.sim.defaults import REFERENCE
from deckcheck.validation import DeckReport, Validator

T = TypeVar("T")


class ReferenceField(NamedTuple):
    """The decks of the field that a format allows.

    `format` is the id of the format whose field it is, `forbidden` has the names of its
    decks that the format does not allow.
    """

    format: str
    decks: tuple[DeckReport, ...]
    forbidden: tuple[str, ...]

    @property
    def note(self) -> str:
        """The decks it has, and those that it lacks here."""
        has = f"The field is the reference field of {quote(self.format)}"
        if not self.forbidden:
            return f"{has}, {plural(len(self.decks), 'deck')}"
        missing = choice(self.forbidden, "and")
        return f"{has} without {missing}, which the rules here forbid"


def without_reference(targets: Sequence[T]) -> tuple[list[T], bool]:
    """The targets that are decks, and whether the reference field was named too.

    Raises UsageError where the word may mean a file as well.
    """
    files = [target for target in targets if target != REFERENCE]
    is_named = len(files) < len(targets)
    if is_named:
        check_no_other(Path(REFERENCE))
    return files, is_named


def check_no_other(path: Path) -> None:
    """Refuse the word where a file or folder of that name may be meant."""
    if os.path.lexists(path):
        raise UsageError(
            f"{quote(REFERENCE)} is the field that comes with deckcheck, and here is "
            "a file or folder of that name",
            f"Write {quote(f'./{REFERENCE}')} for yours; rename it to use the other",
        )


def reference_field(fmt: Format, root: Root = None) -> ReferenceField:
    """Return the reference field of a format, else that of what it extends.

    Raises UsageError where there is none, and where all its decks are forbidden.
    """
    is_of_duels = fmt.seating.play in ("duel", "table") and fmt.seating.holds == "deck"
    for id in fmt.lineage if is_of_duels else ():
        file = _file(id, root)
        if file is not None:
            return _read(file, id, fmt, root)
    raise UsageError(
        f"{quote(fmt.id)} has no reference field",
        f"Name opponents with {option('against')}",
    )


def _file(id: str, root: Root) -> Path | None:
    """The file with the field of a format; None if there is none."""
    format_file = format_files(root).get(id)
    if format_file is None:
        return None
    file = format_file.parent.parent / "fields" / f"{format_file.stem}.deck"
    return file if file.is_file() else None


def _read(file: Path, id: str, fmt: Format, root: Root) -> ReferenceField:
    text = read_deck_file(file, f"{REFERENCE}:{id}")
    database = database_of(fmt, root)
    allowed, forbidden = [], []
    for report in Validator(id, root).check_all([text]).reports:
        if report.deck is None:
            raise UsageError(f"The reference field cannot be read: {quote(str(file))}")
        findings = judge(report.deck, fmt, database)
        again = DeckReport(report.source, report.deck, fmt, findings, report.text)
        if again.legal:
            allowed.append(again)
        else:
            forbidden.append(report.deck.name)
    if not allowed:
        raise UsageError(
            f"{quote(fmt.id)} forbids all {plural(len(forbidden), 'deck')} of the "
            f"reference field of {quote(id)}",
            f"Name opponents with {option('against')}",
        )
    return ReferenceField(id, tuple(allowed), tuple(forbidden))
