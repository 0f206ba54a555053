"""Reads, merges and checks the files of a format."""

from __future__ import annotations

from dataclasses import replace

from deckcheck.cards import CardDatabase, Root, load_database
from deckcheck.cards.cache import Sources
from deckcheck.cards.changes import Change
from deckcheck.cards.errors import list_defects
from deckcheck.findings.documents import Defect, SourceError
from deckcheck.formats.drafts import Draft, Layer, merge
from deckcheck.formats.errors import FormatError
from deckcheck.formats.history import until
from deckcheck.formats.ids import format_files
from deckcheck.formats.layers import read_layers
from deckcheck.formats.models import Format
from deckcheck.formats.resolve import resolve


def read_format(
    id: str, root: Root, snapshot: str | None, as_of: str | None
) -> tuple[Format, Sources]:
    """The format of a known id or of a file, and what it was made from.

    Raises FormatError with every defect, and what `load_format` raises besides.
    """
    defects: list[Defect] = []
    texts: dict[str, str] = {}
    try:
        layers = read_layers(id, format_files(root), defects, texts)
    except SourceError as error:
        raise _error(id, [error.defect]) from None
    if not layers:
        raise _error(id, defects)
    if not defects:
        layers = until(id, layers, snapshot, as_of)
    db = load_database(layers[0].id.partition("/")[0], root)
    merged = _merge(layers, db, defects, texts)
    if merged is None:
        raise _error(id, defects)
    return merged, db.sources.and_files(texts)


def _error(id: str, defects: list[Defect]) -> FormatError:
    return FormatError(list_defects(f"format `{id}`", defects))


def _merge(
    layers: list[Layer], db: CardDatabase, defects: list[Defect], texts: dict[str, str]
) -> Format | None:
    """The format of the layers; None after adding defects."""
    changes: tuple[Change, ...] = ()
    unknown: list[Defect] = []
    before = len(defects)
    if any(layer.file.sets for layer in layers):
        from deckcheck.formats.sets import read_sets

        changes = read_sets(layers, db, defects, texts)
        db = db.with_changes(changes)
    are_whole = len(defects) == before
    named = [_own_words(x, db, defects, unknown) if x.is_own else x for x in layers]
    if are_whole:
        # Else the names may be those of cards in a set that cannot be read.
        defects += unknown
    options = {option.name: option for option in db.game.options}
    draft = Draft()
    for layer in named:
        draft = merge(draft, layer, options, defects)
    fmt = resolve(draft, named[-1], db, defects, are_known=not unknown)
    lineage = tuple(dict.fromkeys(layer.id for layer in reversed(layers)))
    return fmt and replace(fmt, changes=changes, lineage=lineage)


def _own_words(
    layer: Layer, db: CardDatabase, defects: list[Defect], unknown: list[Defect]
) -> Layer:
    from deckcheck.formats.own import is_idle, with_ids

    idle = is_idle(layer)
    # Else what is wrong in the file may change something.
    is_right = all(defect.path != layer.source.path for defect in defects)
    if idle is not None and is_right:
        defects.append(idle)
    return with_ids(layer, db, unknown)
