"""Finds, reads and resolves formats."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from deckcheck.cards import Card, CardDatabase, card_db_root, load_database
from deckcheck.cards.errors import list_defects
from deckcheck.cards.names import closest
from deckcheck.findings.documents import Defect, SourceError
from deckcheck.findings.words import quote
from deckcheck.formats.drafts import Draft, Layer, merge
from deckcheck.formats.errors import FormatError, SnapshotError
from deckcheck.formats.history import check_date, split_id, until
from deckcheck.formats.layers import is_file_name, read_layers
from deckcheck.formats.models import Format
from deckcheck.formats.resolve import resolve

__all__ = ["database_of", "format_ids", "formats_as_of", "load_format"]


def format_ids(root: Path | None = None) -> list[str]:
    """The ids of all formats of all games, as `gwent/standard`, in order."""
    files = card_db_root(root).glob("*/formats/*.yaml")
    return sorted(f"{file.parent.parent.name}/{file.stem}" for file in files)


def load_format(id: str, root: Path | None = None, as_of: str | None = None) -> Format:
    """Load a format with what it inherits; ours are cached per process and folder.

    `id` is that of one of our formats, or the path of a format file of the user's own
    (`./league.yaml`), with or without a snapshot: `gwent/advanced@2025-10`. Without
    one, `as_of` is the date to judge by (`2025-10-31`), and without that the last
    snapshot counts. `root` is the folder of card databases, see `card_db_root`.

    Raises FormatError for an unknown id, with a suggestion, for a file that does not
    exist, and for defects in its files, all at once; SnapshotError for a snapshot that
    there is not; and DatabaseError for defects in the cards of its game.
    """
    folder = card_db_root(root).resolve()
    name, snapshot = split_id(id)
    month = check_date(as_of) if as_of is not None else None
    if not is_file_name(name):
        return _load(name, folder, snapshot, month)
    if not Path(name).is_file():
        raise FormatError(f"format file {quote(name)} does not exist", "Check the path")
    return _read(name, folder, format_ids(folder), snapshot, month)


def formats_as_of(root: Path | None = None, as_of: str | None = None) -> list[Format]:
    """Every format of ours that there was at a date, by id; without one, all of them.

    Raises SnapshotError for a date at which there was none yet, and what `load_format`
    raises for defects.
    """
    found = []
    ids = format_ids(root)
    for id in ids:
        with suppress(SnapshotError):
            found.append(load_format(id, root, as_of))
    if ids and not found:
        message = f"no format has a snapshot as early as `{as_of}`"
        raise SnapshotError(message, "`deckcheck formats` lists them with their last")
    return found


def database_of(fmt: Format, root: Path | None = None) -> CardDatabase:
    """The cards that decks of a format are made of: its game's and its own sets'."""
    return load_database(fmt.game, root).with_cards(fmt.extra_cards)


@lru_cache(maxsize=64)
def _load(id: str, root: Path, snapshot: str | None, as_of: str | None) -> Format:
    known = format_ids(root)
    if id not in known:
        close = closest(id, known)
        names = ", ".join(f"`{name}`" for name in close or known) or f"none in `{root}`"
        help = f"Did you mean {names}?" if close else f"Known formats: {names}"
        raise FormatError(f"unknown format `{id}`", help)
    return _read(id, root, known, snapshot, as_of)


def _read(
    id: str, root: Path, known: list[str], snapshot: str | None, as_of: str | None
) -> Format:
    defects: list[Defect] = []
    try:
        layers = read_layers(id, root, known, defects)
    except SourceError as error:
        raise _error(id, [error.defect]) from None
    if not defects:
        layers = until(id, layers, snapshot, as_of)
    result = _merge(layers, root, defects) if layers else None
    if result is None:
        raise _error(id, defects)
    return result


def _error(id: str, defects: list[Defect]) -> FormatError:
    return FormatError(list_defects(f"format `{id}`", defects))


def _merge(layers: list[Layer], root: Path, defects: list[Defect]) -> Format | None:
    """The format of the layers; None after adding defects."""
    db = load_database(layers[0].id.partition("/")[0], root)
    extra: tuple[Card, ...] = ()
    if any(layer.file.sets for layer in layers):
        from deckcheck.formats.sets import read_sets

        extra = read_sets(layers, db, defects)
        db = db.with_cards(extra)
    options = {option.name: option for option in db.game.options}
    before = len(defects)
    named = [_own_words(x, db, defects) if x.is_own else x for x in layers]
    are_known = len(defects) == before
    draft = Draft()
    for layer in named:
        draft = merge(draft, layer, options, defects)
    fmt = resolve(draft, named[-1], db, defects, are_known=are_known)
    return fmt and replace(fmt, extra_cards=extra)


def _own_words(layer: Layer, db: CardDatabase, defects: list[Defect]) -> Layer:
    from deckcheck.formats.own import is_idle, with_ids

    idle = is_idle(layer)
    if idle is not None:
        defects.append(idle)
    return with_ids(layer, db, defects)
