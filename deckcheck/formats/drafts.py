"""Format files: layers, inheritance, changes over time."""

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
from deckcheck.documents.records import did_you_mean
from deckcheck.fields import CLOSED, Either, Form
from deckcheck.files import file_fault, path_fault
from deckcheck.formats.model import (
    DATE_PATTERN,
    DEFAULT_SEATING,
    SnapshotError,
    first_day,
    formats_like,
    is_file_name,
    last_day,
    own_id,
)
from deckcheck.messages import choice, describe_value, quote

# The content of a format file, before anything is inherited

Snapshot = Annotated[
    str, Form(DATE_PATTERN, "a date such as `2025-10` or `2025-10-31`")
]
Value = Annotated[bool | int | str, Either("true or false or a whole number or text")]


@dataclass(frozen=True, slots=True)
class DatedChange:
    """A change at a date: entries as in the file, relative to the state before."""

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
    """A file of `card_db/<game>/formats/`, with `extends` only the differences.

    An entry of `constraints` with a rule is new, or replaces the inherited entry of
    that name. An entry without a rule changes single settings, and removes a setting by
    `null`. An empty entry repeals the inherited entry.
    """

    __pydantic_config__ = CLOSED

    title: Name
    """The title of the format."""
    extends: str | None = None
    """The format to build on: an id or a file."""
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


# Merging a format file into its parent. An entry that changes nothing is wrong.
#
# Every setting remembers its file and its place there.


class Layer(NamedTuple):
    """A format file as read."""

    id: str
    origin: str
    """The name of the file in notes of findings."""
    source: Source
    file: FormatFile
    is_own: bool = False
    """A file of the user's own, whose entries need no statement."""
    location: Location = ()
    """The place of its entries: a change in the history of the file, or empty."""


class DraftSetting(NamedTuple):
    """A value, and its place in a file."""

    value: object
    source: Source
    location: Location

    def defect(
        self, message: str, below: Location = (), is_key: bool = False
    ) -> SourceDefect:
        """Return a defect of the value, of a part of it, or of its key."""
        location = (*self.location, *below)
        if is_key:
            return self.source.key_defect(location, message)
        return self.source.defect(location, message)


class DraftConstraint(NamedTuple):
    """A constraint as merged so far. `layer` is the file that changed it last."""

    name: str
    settings: Mapping[str, DraftSetting]
    layer: Layer

    def defect(self, message: str) -> SourceDefect:
        """Return a defect of the constraint as a whole."""
        location = (*self.layer.location, "constraints", self.name)
        return self.layer.source.key_defect(location, message)


class Draft(NamedTuple):
    """A format as merged so far, with the id of the last file."""

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
    """Merge `layer` into `parent`, and add defects to the list."""
    file = layer.file
    for key in ("title", "snapshot"):
        value = getattr(file, key)
        is_repeated = value is not None and value == getattr(parent, key)
        if is_repeated and not layer.location:
            message = _describe_repetition(parent, f"{key}: {value}")
            defects.append(layer.source.defect((key,), message))
    if file.snapshot_assumed and file.snapshot is None:
        message = "`snapshot_assumed` requires a `snapshot`"
        defects.append(layer.source.key_defect(("snapshot_assumed",), message))
    # The later of both counts.
    is_later = first_day(file.snapshot or "") > first_day(parent.snapshot or "")
    dated = file if is_later else parent
    return Draft(
        id=layer.id,
        title=file.title,
        snapshot=dated.snapshot,
        snapshot_assumed=dated.snapshot_assumed,
        constraints=_merge_constraints(parent, layer, defects),
        options=_merge_values(parent, layer, "options", options, defects),
        seating=_merge_values(parent, layer, "seating", DEFAULT_SEATING, defects),
    )


def _describe_repetition(parent: Draft, entry: str) -> str:
    """Return the message about an entry that its parent has already."""
    return f"`{entry}` changes nothing, `{parent.id}` has it already"


def _idle_setting(parent: Draft, name: str, setting: DraftSetting) -> SourceDefect:
    value = describe_value(setting.value).strip("`")
    return setting.defect(_describe_repetition(parent, f"{name}: {value}"))


def _are_equal(first: object, second: object) -> bool:
    return type(first) is type(second) and first == second


def _merge_constraints(
    parent: Draft, layer: Layer, defects: list[SourceDefect]
) -> dict[str, DraftConstraint]:
    """Return the constraints of the parent with the changes of a layer."""
    merged = dict(parent.constraints)
    for name, entry in layer.file.constraints.items():
        settings: dict[str, DraftSetting] = {}
        for key, value in (entry or {}).items():
            location = (*layer.location, "constraints", name, key)
            settings[key] = DraftSetting(value, layer.source, location)
        new = DraftConstraint(name, settings, layer)
        old = merged.get(name)
        if "rule" in settings:
            if old is not None and _read_values(old) == _read_values(new):
                defects.append(new.defect(_describe_repetition(parent, name)))
            merged[name] = new
        elif old is None:
            message = f"`{name}` has no `rule`"
            message += ", and no constraint of that name is inherited"
            defects.append(new.defect(message))
        elif entry is None:
            del merged[name]
        else:
            if not entry:
                defects.append(new.defect(_describe_repetition(parent, name)))
            changed = _change(parent, old, settings, defects)
            if layer.is_own and "statement" not in settings:
                # The rulebook does not cover the change of a league.
                changed.pop("statement", None)
            merged[name] = DraftConstraint(name, changed, layer)
    return merged


def _read_values(constraint: DraftConstraint) -> dict[str, object]:
    return {key: setting.value for key, setting in constraint.settings.items()}


def _change(
    parent: Draft,
    old: DraftConstraint,
    settings: Mapping[str, DraftSetting],
    defects: list[SourceDefect],
) -> dict[str, DraftSetting]:
    """Return the settings of a constraint with the changes of an entry."""
    changed = dict(old.settings)
    for key, setting in settings.items():
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
    """Return the setting with the points of other cards. Points of null are removed."""
    is_map = inherited is not None and isinstance(inherited.value, dict)
    if inherited is None or not is_map or not isinstance(setting.value, dict):
        return setting
    old = dict(cast("dict[str, object]", inherited.value))
    for card, worth in setting.value.items():
        if (worth is None and card not in old) or old.get(card, _NO_WORTH) == worth:
            message = f"`{card}` changes nothing, it has this value already"
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
    """Merge options or words of seating, `key`, into the values of the parent.

    `known` has the options of the game by name, or the values of a duel by the word of
    seating, which are the default.
    """
    merged: dict[str, DraftSetting] = dict(getattr(parent, key))
    for name, value in getattr(layer.file, key).items():
        setting = DraftSetting(value, layer.source, (*layer.location, key, name))
        if name not in known:
            noun = "option" if key == "options" else "key"
            message = f"unknown {noun} `{name}`{did_you_mean(name, known)}"
            defects.append(setting.defect(message, is_key=True))
            continue
        option = known[name]
        inherited = merged[name].value if name in merged else option
        if isinstance(option, GameOption) and not option.allows(value):
            found = describe_value(value)
            message = f"`{name}` is {found}, must be {option.describe()}"
            defects.append(setting.defect(message))
        elif parent.id and _are_equal(inherited, value):
            defects.append(_idle_setting(parent, name, setting))
        merged[name] = setting
    return merged


# Formats over time: the ordered changes of a file, and the changes in force


def unfold(layer: Layer, defects: list[SourceDefect]) -> list[Layer]:
    """Split a file into its layers over time: its first state, then each change.

    Snapshots out of order are defects.
    """
    layers = [layer]
    last = layer.file.snapshot
    for index, change in enumerate(layer.file.history):
        location = ("history", index)
        if last is not None and first_day(change.snapshot) <= first_day(last):
            message = f"`{change.snapshot}` does not come after `{last}`"
            defects.append(layer.source.defect((*location, "snapshot"), message))
        if not (change.constraints or change.options or change.sets):
            message = f"the snapshot `{change.snapshot}` changes nothing"
            defects.append(layer.source.defect(location, message))
        last = change.snapshot
        file = FormatFile(
            title=layer.file.title,
            snapshot=change.snapshot,
            constraints=change.constraints,
            options=change.options,
            sets=change.sets,
        )
        layers.append(layer._replace(file=file, location=location))
    return layers


def until(
    id: str, layers: Sequence[Layer], snapshot: str | None, as_of: str | None
) -> list[Layer]:
    """Return the layers in force at a snapshot, at the end of a date, or at last.

    `snapshot` takes precedence over `as_of`. Raises SnapshotError for an unknown
    snapshot, and for a date before the first snapshot.
    """
    if snapshot is None and as_of is None:
        return list(layers)
    snapshots = {x.file.snapshot for x in layers if x.file.snapshot is not None}
    starts = (x.file.snapshot or "" for x in layers if not x.location)
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


# Reading a format file and its ancestors

DEFAULT_TITLE = {"title": "without a title"}
SET_NOT_FORMAT = (
    "this is a set of cards, not a format: name it under `sets` of a format"
)


class _LayerFile(NamedTuple):
    """The file of a format. `is_own` for a file of the user."""

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

    `format` is a known id or the path of a file, `paths` the built-in files by id.
    Raises SourceError for an unreadable file, and adds other defects to the list.
    Returns no layer if any is missing. Adds the text of every file to `texts`, by path.
    """
    if is_file_name(format):
        next_file = _find_own(Path(format))
    else:
        next_file = _find_built_in(format, paths)
    layers: list[Layer] = []
    seen: list[_LayerFile] = []
    while True:
        layer_file = next_file
        seen.append(layer_file)
        source = Source.open(layer_file.file, layer_file.path)
        texts[str(layer_file.file)] = source.document.text
        if _is_set(source):
            defects.append(source.defect((), SET_NOT_FORMAT))
            return []
        file = source.read_valid_parts(FormatFile, defects, DEFAULT_TITLE)
        if file is None or _is_left_out(file, source):
            return []
        is_own = layer_file.is_own
        layer = Layer(layer_file.id, layer_file.origin, source, file, is_own)
        layers[:0] = unfold(layer, defects)
        if file.extends is None:
            if is_own:
                message = f"`extends` is missing, known formats are {choice([*paths])}"
                defects.append(source.defect((), message))
                return []
            return layers
        fault = path_fault(file.extends)
        if fault is None:
            next_file = _find_parent(file.extends, layer_file, paths)
            fault = _find_parent_fault(next_file, seen, paths)
        if fault is not None:
            defects.append(source.defect(("extends",), fault))
            return []


def _is_set(source: Source) -> bool:
    """Report whether the file has keys of sets that no format has."""
    data = source.document.data
    return isinstance(data, dict) and not data.keys().isdisjoint(("cards", "leaders"))


def _is_left_out(file: FormatFile, source: Source) -> bool:
    """Report whether the file names its parent, though not as text."""
    data = source.document.data
    return file.extends is None and isinstance(data, dict) and "extends" in data


def _find_built_in(id: str, paths: Mapping[str, Path]) -> _LayerFile:
    origin = f"{id.replace('/', '/formats/', 1)}.yaml"
    file = paths.get(id, Path(origin))
    shown = shown_path(file, file.parent.parent.parent)
    return _LayerFile(id, file, shown, origin, False)


def _find_own(file: Path) -> _LayerFile:
    id = own_id(file)
    return _LayerFile(id, file, id, id, True)


def _find_parent(name: str, child: _LayerFile, paths: Mapping[str, Path]) -> _LayerFile:
    if child.is_own and is_file_name(name):
        return _find_own(Path(os.path.normpath(child.file.parent / name)))
    if not child.is_own and "/" not in name:
        name = f"{child.id.partition('/')[0]}/{name}"
    return _find_built_in(name, paths)


def _find_parent_fault(
    parent: _LayerFile, seen: list[_LayerFile], ids: Iterable[str]
) -> str | None:
    if any(layer_file.id == parent.id for layer_file in seen):
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
