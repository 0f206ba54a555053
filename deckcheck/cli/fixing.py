"""`deckcheck validate --fix`: repair files before they are checked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath

from deckcheck.cli.printing import tell
from deckcheck.cli.writing import show_changes, write_file
from deckcheck.decks import DeckFile, read_deck_file
from deckcheck.decks.converting import Converter
from deckcheck.decks.fixing import fix_text
from deckcheck.decks.reader import WAYS
from deckcheck.findings.words import plural

__all__ = ["fix_files"]


def fix_files(
    files: Sequence[DeckFile], converter: Converter, *, only_show: bool
) -> bool:
    """Repair text decks, or show how; whether there is anything to repair.

    Standard input and decks that are not text are skipped. Raises UsageError for a
    file that cannot be written.
    """
    changed = 0
    for found in files:
        way = WAYS.get(PurePath(found.path).suffix.lower(), "text")
        if found.file is None or way != "text":
            continue
        changed += _fix(found.file, found.path, converter, only_show)
    if not only_show:
        tell(f"{plural(changed, 'file')} fixed")
    return changed > 0


def _fix(file: Path, path: str, converter: Converter, only_show: bool) -> bool:
    source = read_deck_file(file, path)
    if source.finding is not None:
        return False
    raws = converter.read(source, "text")
    formats = raws[0].headers.get("format", ())
    db = converter.database(formats[0].value.strip().lower() if formats else "")
    text = fix_text(source.text, raws, db)
    if text == source.text:
        return False
    if only_show:
        show_changes(path, source.text, text)
    else:
        write_file(file, text)
    return True
