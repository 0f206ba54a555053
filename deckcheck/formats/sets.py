"""The sets of cards and leaders that a format adds to its game."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.models import Leader
from deckcheck.cards.root import shown_path
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
) -> tuple[tuple[Card, ...], tuple[Leader, ...]]:
    """All that the sets of the layers add, each checked against those before it.

    The text of every file that was read is added to `texts`, by its path.
    """
    cards: dict[str, Card] = {}
    leaders: dict[str, Leader] = {}
    seen: set[str] = set()
    for layer in layers:
        for index, name in enumerate(layer.file.sets):
            folder = Path(layer.id if layer.is_own else db.root / layer.origin).parent
            path = os.path.normpath(folder / name)
            wrong = path_fault(name)
            if path in seen:
                wrong = f"the set `{name}` is added already"
            elif wrong is None and not os.path.isfile(path):
                wrong = f"`{path if layer.is_own else name}` does not exist"
            seen.add(path)
            if wrong is not None:
                defects.append(layer.source.defect(("sets", index), wrong))
                continue
            known = db.with_cards(tuple(cards.values()), tuple(leaders.values()))
            file = Path(path)
            shown = own_id(file) if layer.is_own else shown_path(file, db.root)
            more, heads = _read_set(file, shown, known, defects, texts)
            cards.update((card.id, card) for card in more)
            leaders.update((leader.id, leader) for leader in heads)
    return tuple(cards.values()), tuple(leaders.values())


def _read_set(
    file: Path,
    shown: str,
    db: CardDatabase,
    defects: list[Defect],
    texts: dict[str, str],
) -> tuple[list[Card], list[Leader]]:
    try:
        source = Source.open(file, shown)
    except SourceError as error:
        defects.append(error.defect)
        return [], []
    texts[str(file)] = source.document.text
    if not source.document.data:
        defects.append(source.defect((), "the set has no cards"))
    return read_set(source, db, defects)
