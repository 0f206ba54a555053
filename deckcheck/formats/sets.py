"""The sets of cards that a format of a user's own adds to its game."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.sets import read_set
from deckcheck.findings.documents import Defect, Source, SourceError
from deckcheck.findings.files import path_fault
from deckcheck.formats.drafts import Layer
from deckcheck.formats.ids import own_id

__all__ = ["read_sets"]


def read_sets(
    layers: Sequence[Layer],
    db: CardDatabase,
    defects: list[Defect],
    texts: dict[str, str],
) -> tuple[Card, ...]:
    """The cards of all sets of the layers, each checked against those before it.

    The text of every file that was read is added to `texts`, by its path.
    """
    extra: list[Card] = []
    seen: set[str] = set()
    for layer in layers:
        for index, name in enumerate(layer.file.sets):
            path = os.path.normpath(Path(layer.id).parent / name)
            wrong = path_fault(name)
            if not layer.is_own:
                wrong = "only a format of your own can add sets"
            elif path in seen:
                wrong = f"the set `{name}` is added already"
            elif wrong is None and not os.path.isfile(path):
                wrong = f"`{path}` does not exist"
            seen.add(path)
            if wrong is not None:
                defects.append(layer.source.defect(("sets", index), wrong))
                continue
            extra += _read_set(Path(path), db.with_cards(extra), defects, texts)
    return tuple(extra)


def _read_set(
    file: Path, db: CardDatabase, defects: list[Defect], texts: dict[str, str]
) -> list[Card]:
    try:
        source = Source.open(file, own_id(file))
    except SourceError as error:
        defects.append(error.defect)
        return []
    texts[str(file)] = source.document.text
    if not source.document.data:
        defects.append(source.defect((), "the set has no cards"))
    return read_set(source, db, defects)
