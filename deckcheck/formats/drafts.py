"""Format files as they stand: layers, inheritance, changes over time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple, cast

from deckcheck.cards.models import GameOption, Identifier, Name
from deckcheck.cards.storage import shown_path
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source, SourceDefect
from deckcheck.documents.records import did_you_mean, show
from deckcheck.fields import CLOSED, Either, Form
from deckcheck.files import file_fault, path_fault
from deckcheck.formats.model import (
    DATE,
    SEATING,
    SnapshotError,
    first_day,
    formats_like,
    is_file_name,
    last_day,
    own_id,
)
from deckcheck.messages import choice, quote

# The content of one format file, before anything is inherited.

Snapshot = Annotated[str, Form(DATE, "a date such as `2025-10` or `2025-10-31`")]
Value = Annotated[bool | int | str, Either("true or false or a whole number or text")]


@dataclass(frozen=True, slots=True)
class DatedChange:
    """A change at one date: entries as in the file, about what it said before."""

    __pydantic_config__ = CLOSED

    snapshot: Snapshot
    """The date of the change."""
    constraints: dict[Identifier, dict[str, object] | None] = field(
        default_factory=dict
    )
    """The constraints that change."""
    options: dict[Identifier, Value] = field(default_factory=dict)
    """The options of play that change."""
    sets: tuple[Name, ...] = ()
    """The files of sets that change cards from that date on."""


@dataclass(frozen=True, slots=True)
class FormatFile:
    """One file of `card_db/<game>/formats/`; with `extends`, only the differences.

    An entry of `constraints` that names a rule is new or replaces the inherited one
    of that name; one without a rule changes single settings of it, where nothing
    removes a setting; nothing at all repeals it.
    """

    __pydantic_config__ = CLOSED

    title: Name
    """The title of the format."""
    extends: str | None = None
    """The format that this one builds on: an id or a file."""
    snapshot: Snapshot | None = None
    """The date from which on the format is like this."""
    snapshot_assumed: bool = False
    """Whether no source gives the date."""
    constraints: dict[Identifier, dict[str, object] | None] = field(
        default_factory=dict
    )
    """The constraints that decks are judged by."""
    options: dict[Identifier, Value] = field(default_factory=dict)
    """The options of play, each set by its name."""
    seating: dict[Identifier, Value] = field(default_factory=dict)
    """The words of seating, each set by its name."""
    history: tuple[DatedChange, ...] = ()
    """Later changes, the earliest first."""
    sets: tuple[Name, ...] = ()
    """The files of sets that change cards, seen from the folder of this file."""


# Merging a format file into what it inherits; an entry that changes nothing is wrong.
#
# Every setting remembers the file and the place it comes from.


class Layer(NamedTuple):
    """One format file as read; `origin` is how notes of findings name it.

    `is_own` is for a file of the user's own: its entries need no statement. `at` is
    the place of its entries: that of a change in the file's history, or empty.
    """

    id: str
    origin: str
    source: Source
    file: FormatFile
    is_own: bool = False
    at: Location = ()


class DraftSetting(NamedTuple):
    """One value, and where it is written."""

    value: object
    source: Source
    at: Location

    def defect(
        self, message: str, below: Location = (), is_key: bool = False
    ) -> SourceDefect:
        """Return a defect of the value, of a part of it, or of its key."""
        at = (*self.at, *below)
        if is_key:
            return self.source.key_defect(at, message)
        return self.source.defect(at, message)


class DraftConstraint(NamedTuple):
    """A constraint as merged so far; `layer` is the file that changed it last."""

    name: str
    settings: Mapping[str, DraftSetting]
    layer: Layer

    def defect(self, message: str) -> SourceDefect:
        """Return a defect of the constraint as a whole."""
        at = (*self.layer.at, "constraints", self.name)
        return self.layer.source.key_defect(at, message)


class Draft(NamedTuple):
    """A format as merged so far; `id` is that of the last file."""

    id: str = ""
    title: str = ""
    snapshot: str | None = None
    snapshot_assumed: bool = False
    constraints: Mapping[str, DraftConstraint] = MappingProxyType({})
    options: Mapping[str, DraftSetting] = MappingProxyType({})
    seating: Mapping[str, DraftSetting] = MappingProxyType({})


def merge(
    parent: Draft,
    layer: Layer,
    options: Mapping[str, GameOption],
    defects: list[SourceDefect],
) -> Draft:
    """Merge `layer` into `parent`; defects are added to the list."""
    file = layer.file
    for key in ("title", "snapshot") if not layer.at else ():
        value = getattr(file, key)
        if value is not None and value == getattr(parent, key):
            message = _idle(parent, f"{key}: {value}")
            defects.append(layer.source.defect((key,), message))
    if file.snapshot_assumed and file.snapshot is None:
        message = "`snapshot_assumed` goes with a `snapshot`"
        defects.append(layer.source.key_defect(("snapshot_assumed",), message))
    # The later of both counts.
    is_later = first_day(file.snapshot or "") > first_day(parent.snapshot or "")
    dated = file if is_later else parent
    return Draft(
        layer.id,
        file.title,
        dated.snapshot,
        dated.snapshot_assumed,
        _merge_constraints(parent, layer, defects),
        _merge_values(parent, layer, "options", options, defects),
        _merge_values(parent, layer, "seating", SEATING, defects),
    )


def _idle(parent: Draft, what: str) -> str:
    return f"`{what}` changes nothing, `{parent.id}` has it already"


def _idle_setting(parent: Draft, name: str, setting: DraftSetting) -> SourceDefect:
    value = show(setting.value).strip("`")
    return setting.defect(_idle(parent, f"{name}: {value}"))


def _are_equal(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _merge_constraints(
    parent: Draft, layer: Layer, defects: list[SourceDefect]
) -> dict[str, DraftConstraint]:
    merged = dict(parent.constraints)
    for name, entry in layer.file.constraints.items():
        at, values = (*layer.at, "constraints", name), (entry or {}).items()
        own = {k: DraftSetting(v, layer.source, (*at, k)) for k, v in values}
        new = DraftConstraint(name, own, layer)
        old = merged.get(name)
        if "rule" in own:
            if old is not None and _values(old) == _values(new):
                defects.append(new.defect(_idle(parent, name)))
            merged[name] = new
        elif old is None:
            message = f"`{name}` has no `rule`"
            message += ", and no constraint of that name is inherited"
            defects.append(new.defect(message))
        elif entry is None:
            del merged[name]
        else:
            if not entry:
                defects.append(new.defect(_idle(parent, name)))
            changed = _change(parent, old, own, defects)
            if layer.is_own and "statement" not in own:
                # The rulebook does not say what a league has changed.
                changed.pop("statement", None)
            merged[name] = DraftConstraint(name, changed, layer)
    return merged


def _values(constraint: DraftConstraint) -> dict[str, object]:
    return {key: setting.value for key, setting in constraint.settings.items()}


def _change(
    parent: Draft,
    old: DraftConstraint,
    own: Mapping[str, DraftSetting],
    defects: list[SourceDefect],
) -> dict[str, DraftSetting]:
    changed = dict(old.settings)
    for key, setting in own.items():
        inherited = old.settings.get(key)
        if setting.value is None and inherited is not None:
            del changed[key]
        elif setting.value is None:
            message = f"`{key}` is not set in `{parent.id}`"
            defects.append(setting.defect(f"{message}, removing it changes nothing"))
        else:
            if inherited is not None and _are_equal(inherited.value, setting.value):
                defects.append(_idle_setting(parent, key, setting))
            changed[key] = _with_inherited(setting, inherited, defects)
    return changed


def _with_inherited(
    setting: DraftSetting, inherited: DraftSetting | None, defects: list[SourceDefect]
) -> DraftSetting:
    """Points of cards are set one by one, and those of null are removed."""
    is_map = inherited is not None and isinstance(inherited.value, dict)
    if inherited is None or not is_map or not isinstance(setting.value, dict):
        return setting
    old = dict(cast("dict[str, object]", inherited.value))
    for card, worth in setting.value.items():
        if (worth is None and card not in old) or old.get(card, _NO_WORTH) == worth:
            message = f"`{card}` has no effect, it is so already"
            defects.append(setting.defect(message, (card,), is_key=True))
    merged = {**old, **setting.value}
    priced = {card: worth for card, worth in merged.items() if worth is not None}
    return setting._replace(value=priced)


_NO_WORTH = object()


def _merge_values(
    parent: Draft,
    layer: Layer,
    key: str,
    known: Mapping[str, object],
    defects: list[SourceDefect],
) -> dict[str, DraftSetting]:
    """Merge options or words of seating; `known` has the ones that exist.

    A word of seating is known with its value in a duel, which it has if no file says
    another one.
    """
    merged: dict[str, DraftSetting] = dict(getattr(parent, key))
    for name, value in getattr(layer.file, key).items():
        setting = DraftSetting(value, layer.source, (*layer.at, key, name))
        if name not in known:
            what = "option" if key == "options" else "key"
            message = f"unknown {what} `{name}`{did_you_mean(name, known)}"
            defects.append(setting.defect(message, is_key=True))
            continue
        option = known[name]
        inherited = merged[name].value if name in merged else option
        if isinstance(option, GameOption) and not option.allows(value):
            message = f"`{name}` is {show(value)}, must be {option.describe()}"
            defects.append(setting.defect(message))
        elif parent.id and _are_equal(inherited, value):
            defects.append(_idle_setting(parent, name, setting))
        merged[name] = setting
    return merged


# Formats over time: the ordered changes of a file, and which of them count.


def unfold(layer: Layer, defects: list[SourceDefect]) -> list[Layer]:
    """Split a file into its layers over time: its first state, then each change.

    Snapshots that are not in order are defects.
    """
    layers = [layer]
    last = layer.file.snapshot
    for index, change in enumerate(layer.file.history):
        at = ("history", index)
        if last is not None and first_day(change.snapshot) <= first_day(last):
            message = f"`{change.snapshot}` does not come after `{last}`"
            defects.append(layer.source.defect((*at, "snapshot"), message))
        if not (change.constraints or change.options or change.sets):
            message = f"the snapshot `{change.snapshot}` changes nothing"
            defects.append(layer.source.defect(at, message))
        last = change.snapshot
        file = FormatFile(
            title=layer.file.title,
            snapshot=change.snapshot,
            constraints=change.constraints,
            options=change.options,
            sets=change.sets,
        )
        layers.append(layer._replace(file=file, at=at))
    return layers


def until(
    id: str, layers: Sequence[Layer], snapshot: str | None, as_of: str | None
) -> list[Layer]:
    """Return the layers that count at a snapshot, by the end of a date, or at last.

    `snapshot`, which goes before `as_of`, must be one that the format has. Raises
    SnapshotError when the format has none of that name, or none so early.
    """
    if snapshot is None and as_of is None:
        return list(layers)
    snapshots = {x.file.snapshot for x in layers if x.file.snapshot is not None}
    starts = (x.file.snapshot or "" for x in layers if not x.at)
    first = max(starts, key=first_day, default="")
    valid = sorted(x for x in snapshots if first_day(x) >= first_day(first))
    if snapshot is not None and snapshot not in valid:
        message = f"format {quote(id)} has no snapshot {quote(snapshot)}"
        raise SnapshotError(message, f"Snapshots are {choice(valid, 'and')}")
    last = last_day(as_of or "") if snapshot is None else first_day(snapshot)
    if last < first_day(first):
        date = quote(snapshot or as_of or "")
        message = f"format {quote(id)} has no snapshot as early as {date}"
        raise SnapshotError(message, f"The first is `{first}`", first)
    return [x for x in layers if first_day(x.file.snapshot or "") <= last]


# Reading a format file and those it inherits from.

UNTITLED = {"title": "without a title"}
SET_NOT_FORMAT = (
    "this is a set of cards, not a format: name it under `sets` of a format"
)


class _LayerPlace(NamedTuple):
    """Where a format is written; `is_own` for a file of the user."""

    id: str
    file: Path
    path: str
    origin: str
    is_own: bool


def read_layers(
    format: str,
    paths: Mapping[str, Path],
    defects: list[SourceDefect],
    texts: dict[str, str],
) -> list[Layer]:
    """Read the file of the format and the files it extends, the ancestor first.

    `format` is a known id or the path of a file; `known` has the files of ours by id.
    Raises SourceError for a file that cannot be read; other defects are added to the
    list. No layer is returned if one would be missing. The text of every file is added
    to `texts`, by its path.
    """
    place = _own(Path(format)) if is_file_name(format) else _ours(format, paths)
    layers: list[Layer] = []
    seen: list[_LayerPlace] = []
    while True:
        seen.append(place)
        source = Source.open(place.file, place.path)
        texts[str(place.file)] = source.document.text
        if _is_set(source):
            defects.append(source.defect((), SET_NOT_FORMAT))
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
    """Report whether the file has keys of sets that no format has."""
    data = source.document.data
    return isinstance(data, dict) and not data.keys().isdisjoint(("cards", "leaders"))


def _is_left_out(file: FormatFile, source: Source) -> bool:
    """Report whether the file names its parent, though not as text."""
    data = source.document.data
    return file.extends is None and isinstance(data, dict) and "extends" in data


def _ours(id: str, paths: Mapping[str, Path]) -> _LayerPlace:
    origin = f"{id.replace('/', '/formats/', 1)}.yaml"
    file = paths.get(id, Path(origin))
    shown = shown_path(file, file.parent.parent.parent)
    return _LayerPlace(id, file, shown, origin, False)


def _own(file: Path) -> _LayerPlace:
    id = own_id(file)
    return _LayerPlace(id, file, id, id, True)


def _parent(name: str, child: _LayerPlace, paths: Mapping[str, Path]) -> _LayerPlace:
    if child.is_own:
        if is_file_name(name):
            return _own(Path(os.path.normpath(child.file.parent / name)))
        return _ours(name, paths)
    game = child.id.partition("/")[0]
    return _ours(name if "/" in name else f"{game}/{name}", paths)


def _wrong_parent(
    parent: _LayerPlace, seen: list[_LayerPlace], ids: Iterable[str]
) -> str | None:
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
