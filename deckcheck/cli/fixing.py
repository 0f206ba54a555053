"""`deckcheck validate --fix`: repair files before they are checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from deckcheck.cli.printing import tell
from deckcheck.cli.writing import show_changes, write_file
from deckcheck.decks import DeckFile, DeckText, read_deck_file
from deckcheck.decks.converting import Converter
from deckcheck.decks.fixing import fix_text
from deckcheck.decks.reader import WAYS
from deckcheck.findings.style import Style
from deckcheck.findings.words import plural


def fix_files(
    files: Sequence[DeckFile], converter: Converter, *, quiet: bool = False
) -> None:
    """Repair text decks, and unless `quiet` say how many.

    Standard input and decks that are not text are skipped. Raises UsageError for a
    file that cannot be written.
    """
    changed = 0
    for file, _, old, new in _fixed(files, converter):
        if new != old:
            write_file(file, new, replaces_input=True)
            changed += 1
    if not quiet:
        tell(f"{plural(changed, 'file')} fixed")


def show_fixes(files: Sequence[DeckFile], converter: Converter, style: Style) -> bool:
    """Print how text decks would be repaired; whether there is anything to repair."""
    changed = False
    for _, path, old, new in _fixed(files, converter):
        if new != old:
            show_changes(path, old, new, style)
            changed = True
    return changed


def _fixed(
    files: Sequence[DeckFile], converter: Converter
) -> Iterator[tuple[Path, str, str, str]]:
    """Each text deck: its file, the path to show, its text, and the text repaired."""
    for deck_file in files:
        way = WAYS.get(PurePath(deck_file.path).suffix.lower(), "text")
        if deck_file.file is None or way != "text":
            continue
        source = read_deck_file(deck_file.file, deck_file.path)
        if source.finding is None:
            text = source.text
            yield deck_file.file, deck_file.path, text, _repaired(source, converter)


def _repaired(source: DeckText, converter: Converter) -> str:
    raws = converter.read(source, "text")
    formats = raws[0].headers.get("format", ())
    db = converter.database(formats[0].value.strip().lower() if formats else "")
    return fix_text(source.text, raws, db)
