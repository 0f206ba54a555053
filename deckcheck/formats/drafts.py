"""Merging a format file into what it inherits; an entry that changes nothing is wrong.

Every setting remembers the file and the place it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, cast

from deckcheck.cards.models import Option
from deckcheck.findings.documents import Defect, Location, Source, did_you_mean, show
from deckcheck.formats.dates import first_day
from deckcheck.formats.file import FormatFile
from deckcheck.formats.seating import SEATING


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


class Setting(NamedTuple):
    """One value, and where it is written."""

    value: object
    source: Source
    at: Location

    def defect(
        self, message: str, below: Location = (), is_key: bool = False
    ) -> Defect:
        """A defect of the value or of a part of it; or of its key."""
        at = (*self.at, *below)
        if is_key:
            return self.source.key_defect(at, message)
        return self.source.defect(at, message)


class DraftConstraint(NamedTuple):
    """A constraint as merged so far; `layer` is the file that changed it last."""

    name: str
    settings: Mapping[str, Setting]
    layer: Layer

    def defect(self, message: str) -> Defect:
        """A defect of the constraint as a whole."""
        at = (*self.layer.at, "constraints", self.name)
        return self.layer.source.key_defect(at, message)


class Draft(NamedTuple):
    """A format as merged so far; `id` is that of the last file."""

    id: str = ""
    title: str = ""
    snapshot: str | None = None
    snapshot_assumed: bool = False
    constraints: Mapping[str, DraftConstraint] = MappingProxyType({})
    options: Mapping[str, Setting] = MappingProxyType({})
    seating: Mapping[str, Setting] = MappingProxyType({})


def merge(
    parent: Draft, layer: Layer, options: Mapping[str, Option], defects: list[Defect]
) -> Draft:
    """What `layer` makes of `parent`; defects are added to the list."""
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
        _merge_options(parent, layer, options, defects),
        _merge_seating(parent, layer, defects),
    )


def _idle(parent: Draft, what: str) -> str:
    return f"`{what}` changes nothing, `{parent.id}` has it already"


def _is_same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _merge_constraints(
    parent: Draft, layer: Layer, defects: list[Defect]
) -> dict[str, DraftConstraint]:
    merged = dict(parent.constraints)
    for name, entry in layer.file.constraints.items():
        at = (*layer.at, "constraints", name)
        own = {k: Setting(v, layer.source, (*at, k)) for k, v in (entry or {}).items()}
        new = DraftConstraint(name, own, layer)
        old = merged.get(name)
        if "rule" in own:
            if old is not None and _values(old) == _values(new):
                defects.append(new.defect(_idle(parent, name)))
            merged[name] = new
        elif old is None:
            message = (
                f"`{name}` has no `rule`, and no constraint of that name is inherited"
            )
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
    own: Mapping[str, Setting],
    defects: list[Defect],
) -> dict[str, Setting]:
    changed = dict(old.settings)
    for key, setting in own.items():
        inherited = old.settings.get(key)
        if setting.value is None and inherited is not None:
            del changed[key]
        elif setting.value is None:
            message = (
                f"`{key}` is not set in `{parent.id}`, removing it changes nothing"
            )
            defects.append(setting.defect(message))
        else:
            if inherited is not None and _is_same(inherited.value, setting.value):
                text = show(setting.value).strip("`")
                defects.append(setting.defect(_idle(parent, f"{key}: {text}")))
            changed[key] = _with_inherited(setting, inherited, defects)
    return changed


def _with_inherited(
    setting: Setting, inherited: Setting | None, defects: list[Defect]
) -> Setting:
    """Points of cards are set one by one, and those of null are removed."""
    is_map = inherited is not None and isinstance(inherited.value, dict)
    if inherited is None or not is_map or not isinstance(setting.value, dict):
        return setting
    old = dict(cast("dict[str, object]", inherited.value))
    for card, worth in setting.value.items():
        if (worth is None and card not in old) or old.get(card, _NONE) == worth:
            message = f"`{card}` changes nothing, it is so already"
            defects.append(setting.defect(message, (card,), is_key=True))
    merged = {**old, **setting.value}
    kept = {card: worth for card, worth in merged.items() if worth is not None}
    return setting._replace(value=kept)


_NONE = object()


def _merge_options(
    parent: Draft,
    layer: Layer,
    options: Mapping[str, Option],
    defects: list[Defect],
) -> dict[str, Setting]:
    merged = dict(parent.options)
    for name, value in layer.file.options.items():
        setting = Setting(value, layer.source, (*layer.at, "options", name))
        option = options.get(name)
        if option is None:
            message = f"unknown option `{name}`{did_you_mean(name, options)}"
            defects.append(layer.source.key_defect(setting.at, message))
            continue
        inherited = merged.get(name)
        if not option.allows(value):
            message = f"`{name}` is {show(value)}, must be {option.describe()}"
            defects.append(setting.defect(message))
        elif inherited is not None and _is_same(inherited.value, value):
            text = show(value).strip("`")
            defects.append(setting.defect(_idle(parent, f"{name}: {text}")))
        merged[name] = setting
    return merged


def _merge_seating(
    parent: Draft, layer: Layer, defects: list[Defect]
) -> dict[str, Setting]:
    """The words of seating; what no file says is that of a duel."""
    merged = dict(parent.seating)
    for name, value in layer.file.seating.items():
        setting = Setting(value, layer.source, (*layer.at, "seating", name))
        if name not in SEATING:
            message = f"unknown key `{name}`{did_you_mean(name, SEATING)}"
            defects.append(layer.source.key_defect(setting.at, message))
            continue
        inherited = merged[name].value if name in merged else SEATING[name]
        if parent.id and _is_same(inherited, value):
            text = show(value).strip("`")
            defects.append(setting.defect(_idle(parent, f"{name}: {text}")))
        merged[name] = setting
    return merged
