"""Read the files of a format, merge them, and check every word."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import cast

from deckcheck.cards import Card, CardDatabase, Root, load_database
from deckcheck.cards.models import CardChange, Condition, fold_changes
from deckcheck.cards.names import Lookup
from deckcheck.cards.sets import read_set
from deckcheck.cards.storage import Sources, list_defects, shown_path
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source, SourceDefect, SourceError
from deckcheck.documents.records import did_you_mean
from deckcheck.files import file_fault, path_fault, short_digest
from deckcheck.formats.drafts import (
    Draft,
    DraftConstraint,
    Layer,
    merge,
    read_layers,
    until,
)
from deckcheck.formats.model import (
    CONDITION_KEYS,
    DEFAULT_SEATING,
    Constraint,
    ConstraintEntry,
    Format,
    FormatError,
    Seating,
    contradictions,
    format_files,
    own_id,
)
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Legality
from deckcheck.messages import choice, describe_value

# The files of a format


def read_format(
    name: str, root: Root, snapshot: str | None, as_of: str | None
) -> tuple[Format, Sources]:
    """Read the format of a known id or of a file, and return its sources.

    Raises FormatError with every defect, and the other errors of `load_format`.
    """
    defects: list[SourceDefect] = []
    texts: dict[str, str] = {}
    try:
        layers = read_layers(name, format_files(root), defects, texts)
    except SourceError as error:
        raise _format_error(name, [error.defect]) from None
    if not layers:
        raise _format_error(name, defects)
    if not defects:
        layers = until(name, layers, snapshot, as_of)
    database = load_database(layers[0].id.partition("/")[0], root)
    fmt = _FormatReader(database, defects, texts).merge_layers(layers)
    if fmt is None:
        raise _format_error(name, defects)
    return fmt, database.sources.and_files(texts)


def _format_error(name: str, defects: list[SourceDefect]) -> FormatError:
    return FormatError(list_defects(f"format `{name}`", defects))


# Formats of merged files

_ENTRY_HEAD = ("rule", "statement")
_ENTRY_FIELDS = frozenset(ConstraintEntry.__dataclass_fields__)


class _FormatReader:
    """Makes a format of its layers.

    `database` gets the changes of the sets. Defects of the files are added to
    `defects`, and the text of each set to `texts`, by its path.
    """

    def __init__(
        self,
        database: CardDatabase,
        defects: list[SourceDefect],
        texts: dict[str, str],
    ) -> None:
        self.database = database
        self.defects = defects
        self.texts = texts

    def merge_layers(self, layers: list[Layer]) -> Format | None:
        """Return the format of the layers, the ancestor first. None with defects."""
        changes: tuple[CardChange, ...] = ()
        before = len(self.defects)
        if any(layer.file.sets for layer in layers):
            changes = self._read_sets(layers)
            self.database = self.database.with_changes(changes)
        are_sets_whole = len(self.defects) == before
        unknown: list[SourceDefect] = []
        resolved: list[Layer] = []
        for layer in layers:
            if not layer.is_own:
                resolved.append(layer)
                continue
            self._check_has_changes(layer)
            with_ids, unknown_names = replace_names_by_ids(layer, self.database)
            resolved.append(with_ids)
            unknown += unknown_names
        if are_sets_whole:
            # Otherwise the names may be of cards in an unreadable set.
            self.defects += unknown
        options = {option.name: option for option in self.database.game.options}
        draft = Draft()
        for layer in resolved:
            draft = merge(draft, layer, options, self.defects)
        fmt = self._resolve(draft, resolved[-1], are_names_known=not unknown)
        if fmt is None:
            return None
        lineage = tuple(dict.fromkeys(layer.id for layer in reversed(layers)))
        return replace(fmt, changes=changes, lineage=lineage)

    def _check_has_changes(self, layer: Layer) -> None:
        """Check that the file of a user changes more than the title."""
        file = layer.file
        changes = file.constraints, file.options, file.seating, file.history, file.sets
        # After a defect, the wrong part may change something.
        is_right = all(defect.path != layer.source.path for defect in self.defects)
        if is_right and not (file.snapshot or any(changes)):
            message = "the file changes nothing but the title"
            self.defects.append(layer.source.defect((), message))

    def _resolve(
        self, draft: Draft, last: Layer, *, are_names_known: bool
    ) -> Format | None:
        """Return the format of a draft. None with defects.

        `last` is the layer of its own file. After a defect, nothing is called missing:
        an unknown key may be a misspelt key. Without `are_names_known` some names of
        cards were replaced, see `replace_names_by_ids`.
        """
        defects = self.defects
        is_sound = not defects
        seating = self._read_seating(draft)
        names = self._list_options(draft, last, seating) if seating else []
        missing = [f"`{name}`" for name in names if name not in draft.options]
        if missing and is_sound:
            message = f"options without a value: {', '.join(missing)}"
            defects.append(last.source.defect((), message))
        if draft.snapshot is None and is_sound:
            defects.append(last.source.defect((), "`snapshot` is missing"))
        constraints: list[Constraint] = []
        for part in draft.constraints.values():
            constraint = self._read_constraint(part)
            if constraint is not None:
                constraints.append(constraint)
        has_own = any(part.layer.is_own for part in draft.constraints.values())
        if are_names_known and has_own:
            defects += find_idle_entries(draft, constraints, self.database)
        if defects or seating is None:
            return None
        options = {name: draft.options[name].value for name in names}
        fmt = Format(
            id=draft.id,
            game=self.database.game.id,
            name=Path(last.origin).stem,
            title=draft.title,
            snapshot=draft.snapshot or "",
            snapshot_assumed=draft.snapshot_assumed,
            constraints=tuple(constraints),
            options=MappingProxyType(cast("dict[str, str | int | bool]", options)),
            fingerprint="",
            origin=last.origin,
            seating=seating,
        )
        return replace(fmt, fingerprint=_hash_format(fmt, self.database))

    def _read_seating(self, draft: Draft) -> Seating | None:
        """Return the seating of a draft. None with defects."""
        from deckcheck.documents.records import read_record

        values = {name: setting.value for name, setting in draft.seating.items()}
        seating, wrongs = read_record(Seating, values)
        for wrong in wrongs:
            setting = draft.seating[str(wrong.location[0])]
            self.defects.append(setting.defect(wrong.message))
        if seating is None or wrongs:
            return None
        faults = list(contradictions(seating))
        for key, reason in faults:
            last = draft.seating.get(key) or list(draft.seating.values())[-1]
            self.defects.append(last.defect(reason))
        return None if faults else seating

    def _list_options(self, draft: Draft, last: Layer, seating: Seating) -> list[str]:
        """Return the options for this way to play. Other options are defects.

        An inherited option for other ways to play is left out silently.
        """
        names = []
        for option in self.database.game.options:
            setting = draft.options.get(option.name)
            if not option.plays or seating.play in option.plays:
                names.append(option.name)
            elif setting is not None and setting.source is last.source:
                plays = " and ".join(f"`{play}`" for play in option.plays)
                message = f"`{option.name}` is for {plays}, not for `{seating.play}`"
                self.defects.append(last.source.key_defect(setting.location, message))
        return names

    def _read_constraint(self, draft: DraftConstraint) -> Constraint | None:
        """Return the constraint of a draft. None with defects."""
        values = {key: setting.value for key, setting in draft.settings.items()}
        rule = values["rule"]
        legality = VOCABULARY.get(rule) if isinstance(rule, str) else None
        if legality is None:
            names = ", ".join(VOCABULARY)
            message = f"unknown rule {describe_value(rule)}, rules are {names}"
            self.defects.append(draft.settings["rule"].defect(message))
            return None
        before = len(self.defects)
        self.defects += _find_wrong_settings(draft, legality)
        entry = self._read_entry(draft, values)
        if entry is not None:
            self.defects += _find_wrong_words(draft, entry, self.database)
        if entry is None or len(self.defects) > before:
            return None
        settings = {key: getattr(entry, key) for key in values}
        for key in _ENTRY_HEAD:
            settings.pop(key, None)
        return Constraint(
            name=draft.name,
            rule=entry.rule,
            settings=MappingProxyType(settings),
            condition=Condition(**{key: getattr(entry, key) for key in CONDITION_KEYS}),
            statement=entry.statement,
            origin=draft.layer.origin,
        )

    def _read_entry(
        self, draft: DraftConstraint, values: dict[str, object]
    ) -> ConstraintEntry | None:
        """Return the record of the known settings of a constraint. None if invalid."""
        from deckcheck.documents.records import read_record

        known: dict[str, object] = {}
        for key, value in values.items():
            if key in _ENTRY_FIELDS and value is not None:
                known[key] = value
        entry, wrongs = read_record(ConstraintEntry, known)
        for wrong in wrongs:
            setting = draft.settings[str(wrong.location[0])]
            below = wrong.location[1:]
            self.defects.append(setting.defect(wrong.message, below, wrong.is_key))
        return entry

    def _read_sets(self, layers: Sequence[Layer]) -> tuple[CardChange, ...]:
        """Return the changes of all sets, each checked against the sets before it."""
        changes: list[CardChange] = []
        seen: set[str] = set()
        for layer in layers:
            file = Path(layer.id if layer.is_own else self.database.root / layer.origin)
            for index, name in enumerate(layer.file.sets):
                path = os.path.normpath(file.parent / name)
                fault = _find_set_fault(layer, name, path, self.database)
                if fault is None and path in seen:
                    fault = f"the set `{name}` is added already"
                seen.add(path)
                if fault is not None:
                    location = (*layer.location, "sets", index)
                    self.defects.append(layer.source.defect(location, fault))
                    continue
                changed = self.database.with_changes(fold_changes(changes))
                changes += self._read_set(Path(path), layer, changed)
        return fold_changes(changes)

    def _read_set(
        self, file: Path, layer: Layer, database: CardDatabase
    ) -> list[CardChange]:
        """Return the changes that the set in a file makes to `database`."""
        shown = own_id(file) if layer.is_own else shown_path(file, database.root)
        try:
            source = Source.open(file, shown)
        except SourceError as error:
            self.defects.append(error.defect)
            return []
        self.texts[str(file)] = source.document.text
        return read_set(source, database, self.defects, is_own=layer.is_own)


def _hash_format(fmt: Format, database: CardDatabase) -> str:
    """Return a short hash of the format and the cards of its game."""
    entries = [(c.name, c.rule, dict(c.settings), c.statement) for c in fmt.constraints]
    head: list[object] = [fmt.id, fmt.title, fmt.snapshot]
    seating = {k: v for k, v in asdict(fmt.seating).items() if v != DEFAULT_SEATING[k]}
    if seating:
        head.append(seating)
    return short_digest([*head, entries, dict(fmt.options), database.fingerprint])


def _find_wrong_settings(
    draft: DraftConstraint, legality: Legality
) -> Iterator[SourceDefect]:
    """Yield the defects of missing, unknown and empty settings."""
    given = draft.settings
    if "statement" not in given and not draft.layer.is_own:
        yield draft.defect("`statement` is missing")
    for name, setting in given.items():
        if name not in _ENTRY_HEAD and name not in legality.settings:
            hint = did_you_mean(name, legality.settings)
            yield setting.defect(f"unknown key `{name}`{hint}", is_key=True)
        elif setting.value is None:
            yield setting.defect(f"`{name}` has no value")
    for name in legality.required:
        if name not in given:
            yield draft.defect(f"`{name}` is missing")
    if legality.any_of and not any(name in given for name in legality.any_of):
        names = " or ".join(f"`{name}`" for name in legality.any_of)
        yield draft.defect(f"{names} is missing")


def _find_wrong_words(
    draft: DraftConstraint, entry: ConstraintEntry, database: CardDatabase
) -> Iterator[SourceDefect]:
    """Yield the defects of limits in the wrong order, and of unknown words."""
    if entry.min is not None and entry.max is not None and entry.min > entry.max:
        yield draft.defect(f"`min` {entry.min} is greater than `max` {entry.max}")
    words: dict[str, Collection[str]] = {
        "kinds": database.game.kinds,
        "abilities": database.game.abilities,
        "rows": database.game.rows,
        "factions": database.factions,
        # A ban of a card that a set removes is inherited like any other.
        "cards": (*database.cards, *database.removals),
        "leaders": database.leaders,
    }
    for key, allowed in words.items():
        for index, word in enumerate(getattr(entry, key)):
            if word not in allowed:
                hint = did_you_mean(word, allowed)
                message = f"unknown word `{word}` in `{key}`{hint}"
                yield draft.settings[key].defect(message, (index,))
    for card in entry.points or ():
        if card not in words["cards"]:
            message = f"unknown card `{card}`{did_you_mean(card, words['cards'])}"
            yield draft.settings["points"].defect(message, (card,), is_key=True)


def _find_set_fault(
    layer: Layer, name: str, path: str, database: CardDatabase
) -> str | None:
    """Return why a path is wrong, or None."""
    if database.game.attributes:
        return f"decks write out the cards of {database.game.name}: it has no sets"
    if (fault := path_fault(name)) is not None:
        return fault
    if not layer.is_own:
        home = database.root / database.game.id / "sets"
        if not Path(path).is_relative_to(home):
            return f"`{name}` is not in the folder `{database.game.id}/sets`"
    fault = file_fault(path)
    if fault is None:
        return None
    shown = path if layer.is_own else name
    return f"`{shown}` {fault}"


# Names of cards and leaders in a user's own formats


@dataclass(frozen=True)
class _NameFinder:
    """Finds ids by the names in a layer, and adds unknown names to `defects`."""

    noun: str
    find: Callable[[str], Lookup]
    find_removal: Callable[[str], CardChange | None]
    stand_in: str | None
    """An id in place of an unknown name."""
    source: Source
    defects: list[SourceDefect]

    def find_id(
        self, word: object, location: Location, *, is_key: bool = False
    ) -> object:
        """Return the id that a word names, a value or a key at a place."""
        if not isinstance(word, str):
            return word
        lookup = self.find(word)
        if lookup.id is not None:
            return lookup.id
        removal = self.find_removal(word)
        if removal is not None:
            return removal.record.id
        hint = ""
        if lookup.candidates:
            hint = f", it may be {choice(lookup.candidates)}"
        elif lookup.suggestions:
            hint = f", did you mean {choice(lookup.suggestions)}?"
        defect = self.source.key_defect if is_key else self.source.defect
        self.defects.append(defect(location, f"unknown {self.noun} `{word}`{hint}"))
        return self.stand_in

    def prices_by_id(
        self, points: Mapping[str, object], location: Location
    ) -> dict[str, object]:
        """Return points by the ids of cards. Two names of a card are a defect."""
        prices: dict[str, object] = {}
        for word, worth in points.items():
            card = self.find_id(word, (*location, word), is_key=True)
            if str(card) in prices and card != self.stand_in:
                message = f"`{word}` is given twice"
                self.defects.append(self.source.key_defect((*location, word), message))
            prices[str(card)] = worth
        return prices


def replace_names_by_ids(
    layer: Layer, database: CardDatabase
) -> tuple[Layer, list[SourceDefect]]:
    """Return the layer with ids for names of cards and leaders, and the unknown names.

    Some known id replaces an unknown name, so that the rest can be checked.
    """
    defects: list[SourceDefect] = []
    cards = _NameFinder(
        noun="card",
        find=database.find_card,
        find_removal=database.find_removal,
        stand_in=next(iter(database.cards), None),
        source=layer.source,
        defects=defects,
    )
    leaders = _NameFinder(
        noun="leader",
        find=database.find_leader,
        find_removal=lambda _: None,
        stand_in=next(iter(database.leaders), None),
        source=layer.source,
        defects=defects,
    )
    constraints = dict(layer.file.constraints)
    for name, stated in constraints.items():
        if not stated:
            continue
        entry = dict(stated)
        constraints[name] = entry
        location = (*layer.location, "constraints", name)
        points = entry.get("points")
        if isinstance(points, dict):
            entry["points"] = cards.prices_by_id(points, (*location, "points"))
        for key, finder in (("cards", cards), ("leaders", leaders)):
            words = entry.get(key)
            if isinstance(words, list):
                ids = []
                for index, word in enumerate(words):
                    ids.append(finder.find_id(word, (*location, key, index)))
                entry[key] = ids
    file = replace(layer.file, constraints=constraints)
    return layer._replace(file=file), defects


# Entries of a user's own formats that change nothing


def find_idle_entries(
    draft: Draft, constraints: list[Constraint], database: CardDatabase
) -> Iterator[SourceDefect]:
    """Yield the defects of constraints in files of a user that concern no card."""
    resolved = {constraint.name: constraint for constraint in constraints}
    banned: dict[str, str] = {}
    for name, part in draft.constraints.items():
        constraint = resolved.get(name)
        if constraint is None:
            continue
        if constraint.rule in ("count", "sum") and part.layer.is_own:
            yield from _find_impossible_limits(part, constraint, database)
        if constraint.rule not in ("banned", "restricted"):
            continue
        if part.layer.is_own:
            yield from _find_idle_leaders(part, constraint.leaders, banned, database)
            yield from _find_idle_cards(part, constraint, banned, database)
        if constraint.rule == "banned":
            leaders = (_leader_key(id) for id in constraint.leaders)
            banned.update(dict.fromkeys((*constraint.condition.cards, *leaders), name))


def _leader_key(id: str) -> str:
    """Return the key of a leader among banned cards. Ids have no spaces."""
    return f"leader {id}"


def _find_impossible_limits(
    part: DraftConstraint, constraint: Constraint, database: CardDatabase
) -> Iterator[SourceDefect]:
    """Yield the defects of numbers of cards that no card can fit."""
    condition = constraint.condition
    if condition.is_empty or database.description is not None:
        return
    if any(id in database.removals for id in condition.cards):
        return
    if not any(c.deckable and condition.matches(c) for c in database.cards.values()):
        is_asked = constraint.settings.get("min")
        never = "can never hold" if is_asked else "changes nothing"
        yield part.defect(f"`{part.name}` {never}, it fits no card of a deck")


def _find_idle_cards(
    part: DraftConstraint,
    constraint: Constraint,
    banned: Mapping[str, str],
    database: CardDatabase,
) -> Iterator[SourceDefect]:
    """Yield the defects of cards in a ban or restriction that changes nothing."""
    if constraint.condition.is_empty:
        return
    fitting = [c for c in database.cards.values() if constraint.condition.matches(c)]
    cards = constraint.condition.cards
    is_about_removed = any(id in database.removals for id in cards)
    if not is_about_removed and not any(card.deckable for card in fitting):
        yield part.defect(f"`{part.name}` changes nothing, it fits no card of a deck")
        return
    limit = constraint.settings.get("max")
    for index, id in enumerate(cards):
        # The set may belong to a format that extends the one with the ban.
        card = database.cards.get(id) or database.removals[id].record
        if not isinstance(card, Card):
            continue
        reason = None
        if id in cards[:index]:
            reason = "is given twice"
        elif not card.deckable:
            reason = "changes nothing, the card is never allowed in a deck"
        elif id in banned:
            reason = f"changes nothing, `{banned[id]}` bans the card already"
        elif isinstance(limit, int) and limit >= card.copies:
            reason = f"changes nothing, at most {card.copies} can be in a deck"
        if reason:
            yield part.settings["cards"].defect(f"`{card.name}` {reason}", (index,))


def _find_idle_leaders(
    part: DraftConstraint,
    ids: Sequence[str],
    banned: Mapping[str, str],
    database: CardDatabase,
) -> Iterator[SourceDefect]:
    """Yield the defects of leaders in a ban that changes nothing."""
    for index, id in enumerate(ids):
        reason = None
        if id in ids[:index]:
            reason = "is given twice"
        elif _leader_key(id) in banned:
            bans = banned[_leader_key(id)]
            reason = f"changes nothing, `{bans}` bans the leader already"
        if reason:
            message = f"`{database.leaders[id].full_name}` {reason}"
            yield part.settings["leaders"].defect(message, (index,))
