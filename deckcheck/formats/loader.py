"""Finds, reads and resolves formats."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from deckcheck.cards import CardDatabase, card_db_root, load_database
from deckcheck.cards.errors import list_defects
from deckcheck.cards.names import closest
from deckcheck.cards.root import shown_path
from deckcheck.findings.documents import Defect, Source, SourceError
from deckcheck.formats.drafts import Draft, Layer, merge
from deckcheck.formats.errors import FormatError
from deckcheck.formats.file import FormatFile
from deckcheck.formats.models import Format
from deckcheck.formats.resolve import resolve

__all__ = ["format_ids", "load_format"]


def format_ids(root: Path | None = None) -> list[str]:
    """The ids of all formats of all games, as `gwent/standard`, in order."""
    files = card_db_root(root).glob("*/formats/*.yaml")
    return sorted(f"{file.parent.parent.name}/{file.stem}" for file in files)


def load_format(id: str, root: Path | None = None) -> Format:
    """Load a format with what it inherits; cached per process and folder.

    `root` is the folder of card databases, see `card_db_root`. Raises FormatError for
    an unknown id, with a suggestion, and for defects in its files, all at once; and
    DatabaseError for defects in the cards of its game.
    """
    return _load(id, card_db_root(root).resolve())


@lru_cache(maxsize=64)
def _load(id: str, root: Path) -> Format:
    known = format_ids(root)
    if id not in known:
        close = closest(id, known)
        names = ", ".join(f"`{name}`" for name in close or known) or f"none in `{root}`"
        help = f"Did you mean {names}?" if close else f"Known formats: {names}"
        raise FormatError(f"unknown format `{id}`", help)
    db = load_database(id.partition("/")[0], root)
    defects: list[Defect] = []
    try:
        layers = _read_layers(id, root, known, defects)
    except SourceError as error:
        raise _error(id, [error.defect]) from None
    result = None if defects else _merge(layers, db, defects)
    if result is None:
        raise _error(id, defects)
    return result


def _error(id: str, defects: list[Defect]) -> FormatError:
    return FormatError(list_defects(f"format `{id}`", defects))


def _read_layers(
    id: str, root: Path, known: list[str], defects: list[Defect]
) -> list[Layer]:
    """The file of the format and those it inherits from, the ancestor first."""
    game = id.partition("/")[0]
    layers: list[Layer] = []
    while id:
        name = id.partition("/")[2]
        origin = f"{game}/formats/{name}.yaml"
        source = Source.open(root / origin, shown_path(root / origin, root))
        file = source.read(FormatFile, source.document.data, (), defects)
        if file is None:
            break
        layers.insert(0, Layer(id, origin, source, file))
        id = ""
        if file.extends is not None:
            id = file.extends if "/" in file.extends else f"{game}/{file.extends}"
            message = _bad_parent(id, game, known, layers)
            if message:
                defects.append(source.defect(("extends",), message))
                break
    return layers


def _bad_parent(
    id: str, game: str, known: list[str], layers: list[Layer]
) -> str | None:
    if any(layer.id == id for layer in layers):
        return f"`{id}` inherits from itself"
    if id not in known:
        close = closest(id, known, limit=1)
        return f"unknown format `{id}`" + (f", did you mean `{close[0]}`?" * len(close))
    if not id.startswith(f"{game}/"):
        return f"`{id}` is a format of another game"
    return None


def _merge(
    layers: list[Layer], db: CardDatabase, defects: list[Defect]
) -> Format | None:
    options = {option.name: option for option in db.game.options}
    draft = Draft()
    for layer in layers:
        draft = merge(draft, layer, options, defects)
    return resolve(draft, layers[-1], db, defects)
