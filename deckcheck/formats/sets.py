"""The sets that a format names: what they do to the cards of its game."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from deckcheck.cards import CardDatabase
from deckcheck.cards.changes import Change, folded
from deckcheck.cards.root import shown_path
from deckcheck.cards.sets import read_set
from deckcheck.findings.documents import Defect, Source, SourceError
from deckcheck.findings.files import file_fault, path_fault
from deckcheck.formats.drafts import Layer
from deckcheck.formats.ids import own_id


def read_sets(
    layers: Sequence[Layer],
    db: CardDatabase,
    defects: list[Defect],
    texts: dict[str, str],
) -> tuple[Change, ...]:
    """What the sets of the layers do, each checked against those before it.

    The text of every file that was read is added to `texts`, by its path.
    """
    changes: list[Change] = []
    seen: set[str] = set()
    for layer in layers:
        folder = Path(layer.id if layer.is_own else db.root / layer.origin).parent
        for index, name in enumerate(layer.file.sets):
            path = os.path.normpath(folder / name)
            wrong = _wrong(layer, name, path, db)
            if wrong is None and path in seen:
                wrong = f"the set `{name}` is added already"
            seen.add(path)
            if wrong is not None:
                at = (*layer.at, "sets", index)
                defects.append(layer.source.defect(at, wrong))
                continue
            changed = db.with_changes(folded(changes))
            changes += _read_set(Path(path), layer, changed, defects, texts)
    return folded(changes)


def _wrong(layer: Layer, name: str, path: str, db: CardDatabase) -> str | None:
    """What is wrong with a path, if anything is."""
    if db.game.attributes:
        return f"decks write out the cards of {db.game.name}: it has no sets"
    if (fault := path_fault(name)) is not None:
        return fault
    if not layer.is_own:
        home = db.root / db.game.id / "sets"
        if not Path(path).is_relative_to(home):
            return f"`{name}` is not in the folder `{db.game.id}/sets`"
    fault = file_fault(path)
    return f"`{path if layer.is_own else name}` {fault}" if fault else None


def _read_set(
    file: Path,
    layer: Layer,
    db: CardDatabase,
    defects: list[Defect],
    texts: dict[str, str],
) -> list[Change]:
    shown = own_id(file) if layer.is_own else shown_path(file, db.root)
    try:
        source = Source.open(file, shown)
    except SourceError as error:
        defects.append(error.defect)
        return []
    texts[str(file)] = source.document.text
    return read_set(source, db, defects, is_own=layer.is_own)
