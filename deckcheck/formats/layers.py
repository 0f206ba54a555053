"""Reading a format file and those it inherits from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards.root import shown_path
from deckcheck.findings.documents import Defect, Source
from deckcheck.findings.files import file_fault, path_fault
from deckcheck.findings.words import choice
from deckcheck.formats.drafts import Layer
from deckcheck.formats.file import FormatFile
from deckcheck.formats.history import unfold
from deckcheck.formats.ids import formats_like, is_file_name, own_id

UNTITLED = {"title": "without a title"}
SET = "this is a set of cards, not a format: name it under `sets` of a format"


class _Place(NamedTuple):
    """Where a format is written; `is_own` for a file of the user."""

    id: str
    file: Path
    path: str
    origin: str
    is_own: bool


def read_layers(
    format: str,
    paths: Mapping[str, Path],
    defects: list[Defect],
    texts: dict[str, str],
) -> list[Layer]:
    """The file of the format and those it inherits from, the ancestor first.

    `format` is a known id or the path of a file; `known` has the files of ours by id.
    Raises SourceError for a file that cannot be read; other defects are added to the
    list. No layer is returned if one would be missing. The text of every file is added
    to `texts`, by its path.
    """
    place = _own(Path(format)) if is_file_name(format) else _ours(format, paths)
    layers: list[Layer] = []
    seen: list[_Place] = []
    while True:
        seen.append(place)
        source = Source.open(place.file, place.path)
        texts[str(place.file)] = source.document.text
        if _is_set(source):
            defects.append(source.defect((), SET))
            return []
        file = source.read_what_is_right(FormatFile, defects, UNTITLED)
        if file is None or _is_left_out(file, source):
            return []
        layer = Layer(place.id, place.origin, source, file, place.is_own)
        layers[:0] = unfold(layer, defects)
        if file.extends is None:
            if place.is_own:
                message = f"`extends` is missing, known formats are {choice([*paths])}"
                defects.append(source.defect((), message))
                return []
            return layers
        wrong = path_fault(file.extends)
        if wrong is None:
            place = _parent(file.extends, place, paths)
            wrong = _wrong_parent(place, seen, paths)
        if wrong is not None:
            defects.append(source.defect(("extends",), wrong))
            return []


def _is_set(source: Source) -> bool:
    """Whether the file has what sets have and formats have not."""
    data = source.document.data
    return isinstance(data, dict) and not data.keys().isdisjoint(("cards", "leaders"))


def _is_left_out(file: FormatFile, source: Source) -> bool:
    """Whether the file names what it inherits from, though not as text."""
    data = source.document.data
    return file.extends is None and isinstance(data, dict) and "extends" in data


def _ours(id: str, paths: Mapping[str, Path]) -> _Place:
    origin = f"{id.replace('/', '/formats/', 1)}.yaml"
    file = paths.get(id, Path(origin))
    return _Place(id, file, shown_path(file, file.parent.parent.parent), origin, False)


def _own(file: Path) -> _Place:
    id = own_id(file)
    return _Place(id, file, id, id, True)


def _parent(name: str, child: _Place, paths: Mapping[str, Path]) -> _Place:
    if child.is_own:
        if is_file_name(name):
            return _own(Path(os.path.normpath(child.file.parent / name)))
        return _ours(name, paths)
    game = child.id.partition("/")[0]
    return _ours(name if "/" in name else f"{game}/{name}", paths)


def _wrong_parent(parent: _Place, seen: list[_Place], ids: Iterable[str]) -> str | None:
    if any(place.id == parent.id for place in seen):
        return f"`{parent.id}` inherits from itself"
    if parent.is_own:
        fault = file_fault(parent.file)
        return f"`{parent.id}` {fault}" if fault else None
    if parent.id not in ids:
        near = formats_like(parent.id, ids)
        hint = f", did you mean {choice(near)}?" if near else ""
        return f"unknown format `{parent.id}`{hint}"
    child = seen[-1]
    game = child.id.partition("/")[0]
    if not child.is_own and not parent.id.startswith(f"{game}/"):
        return f"`{parent.id}` is a format of another game"
    return None
