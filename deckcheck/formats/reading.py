"""Turn merged format files into formats, and check every word."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, cast

from deckcheck.cards import Card, CardDatabase, Root, load_database
from deckcheck.cards.models import CardChange, Condition, fold_changes
from deckcheck.cards.names import Lookup
from deckcheck.cards.sets import read_set
from deckcheck.cards.storage import Sources, list_defects, shown_path
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source, SourceDefect, SourceError
from deckcheck.documents.records import did_you_mean, show
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
from deckcheck.messages import choice

# Checks of a user's own formats: names of cards, and idle bans.


class _Finder(NamedTuple):
    """Finds ids by the names of a layer. `instead` replaces an unknown name."""

    noun: str
    find: Callable[[str], Lookup]
    find_removal: Callable[[str], CardChange | None]
    instead: str | None
    source: Source
    defects: list[SourceDefect]

    def id(self, word: object, location: Location, *, is_key: bool = False) -> object:
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
        return self.instead

    def points(
        self, points: Mapping[str, object], location: Location
    ) -> dict[str, object]:
        """Return points by the ids of cards. Two names of a card are a defect."""
        prices: dict[str, object] = {}
        for word, worth in points.items():
            id = self.id(word, (*location, word), is_key=True)
            if str(id) in prices and id != self.instead:
                message = f"`{word}` is given twice"
                self.defects.append(self.source.key_defect((*location, word), message))
            prices[str(id)] = worth
        return prices


def with_ids(
    layer: Layer, database: CardDatabase, defects: list[SourceDefect]
) -> Layer:
    """Return the layer with ids for the names in its lists of cards and leaders.

    Some known id replaces an unknown name, so that the rest can be checked.
    """
    finders = {
        "cards": _Finder(
            "card", database.find_card, database.find_removal,
            next(iter(database.cards), None), layer.source, defects,
        ),
        "leaders": _Finder(
            "leader", database.find_leader, lambda _: None,
            next(iter(database.leaders), None), layer.source, defects,
        ),
    }  # fmt: skip
    constraints = dict(layer.file.constraints)
    for name, stated in constraints.items():
        if not stated:
            continue
        entry = constraints[name] = dict(stated)
        location = (*layer.location, "constraints", name)
        points = entry.get("points")
        if isinstance(points, dict):
            entry["points"] = finders["cards"].points(points, (*location, "points"))
        for key, finder in finders.items():
            words = entry.get(key)
            if isinstance(words, list):
                entry[key] = [
                    finder.id(word, (*location, key, index))
                    for index, word in enumerate(words)
                ]
    return layer._replace(file=replace(layer.file, constraints=constraints))


def idle_bans(
    draft: Draft, constraints: list[Constraint], database: CardDatabase
) -> Iterator[SourceDefect]:
    """Yield the defects of constraints in files of a user that concern no card."""
    resolved = {c.name: c for c in constraints}
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
            yield from _idle_words(part, constraint, banned, database)
        if constraint.rule == "banned":
            leaders = (_leader(id) for id in constraint.leaders)
            banned.update(dict.fromkeys((*constraint.condition.cards, *leaders), name))


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


def _idle_words(
    part: DraftConstraint,
    constraint: Constraint,
    banned: dict[str, str],
    database: CardDatabase,
) -> Iterator[SourceDefect]:
    yield from _idle_leaders(part, constraint.leaders, banned, database)
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


def _leader(id: str) -> str:
    """Return the word for a leader among banned cards. Ids have no spaces."""
    return f"leader {id}"


def _idle_leaders(
    part: DraftConstraint,
    ids: Sequence[str],
    banned: Mapping[str, str],
    database: CardDatabase,
) -> Iterator[SourceDefect]:
    for index, id in enumerate(ids):
        reason = None
        if id in ids[:index]:
            reason = "is given twice"
        elif _leader(id) in banned:
            bans = banned[_leader(id)]
            reason = f"changes nothing, `{bans}` bans the leader already"
        if reason:
            message = f"`{database.leaders[id].full_name}` {reason}"
            yield part.settings["leaders"].defect(message, (index,))


# Turning merged drafts into formats, with checks of every word.

_ENTRY_HEAD = ("rule", "statement")


def resolve(
    draft: Draft,
    last: Layer,
    database: CardDatabase,
    defects: list[SourceDefect],
    *,
    are_known: bool,
) -> Format | None:
    """Make the format of a draft, or return None after adding defects.

    `last` is the layer of its own file. After a defect, nothing is called missing: an
    unknown key may be a misspelt key. `are_known` is false if names of cards were
    replaced, see `with_ids`.
    """
    is_sound = not defects
    seating = _seating(draft, defects)
    names = _options(draft, last, database, seating, defects) if seating else []
    missing = [f"`{name}`" for name in names if name not in draft.options]
    if missing and is_sound:
        message = f"options without a value: {', '.join(missing)}"
        defects.append(last.source.defect((), message))
    if draft.snapshot is None and is_sound:
        defects.append(last.source.defect((), "`snapshot` is missing"))
    drafts = draft.constraints.values()
    read = (_constraint(each, database, defects) for each in drafts)
    constraints = [constraint for constraint in read if constraint is not None]
    if are_known and any(each.layer.is_own for each in drafts):
        defects += idle_bans(draft, constraints, database)
    if defects or seating is None:
        return None
    options = {name: draft.options[name].value for name in names}
    result = Format(
        id=draft.id,
        game=database.game.id,
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
    return replace(result, fingerprint=_fingerprint(result, database))


def _options(
    draft: Draft,
    last: Layer,
    database: CardDatabase,
    seating: Seating,
    defects: list[SourceDefect],
) -> list[str]:
    """Return the options for this way to play, and add defects for other options.

    An inherited option for other ways to play is left out silently.
    """
    names = []
    for option in database.game.options:
        setting = draft.options.get(option.name)
        if not option.plays or seating.play in option.plays:
            names.append(option.name)
        elif setting is not None and setting.source is last.source:
            plays = " and ".join(f"`{play}`" for play in option.plays)
            message = f"`{option.name}` is for {plays}, not for `{seating.play}`"
            defects.append(last.source.key_defect(setting.location, message))
    return names


def _seating(draft: Draft, defects: list[SourceDefect]) -> Seating | None:
    """Return the seating of a draft, or None after adding defects."""
    from deckcheck.documents.records import read_record

    values = {name: setting.value for name, setting in draft.seating.items()}
    seating, wrongs = read_record(Seating, values)
    for wrong in wrongs:
        defects.append(draft.seating[str(wrong.location[0])].defect(wrong.message))
    if seating is None or wrongs:
        return None
    faults = list(contradictions(seating))
    for key, reason in faults:
        last = draft.seating.get(key) or list(draft.seating.values())[-1]
        defects.append(last.defect(reason))
    return None if faults else seating


def _fingerprint(fmt: Format, database: CardDatabase) -> str:
    """Return a short hash of the format and the cards of its game."""
    entries = [(c.name, c.rule, dict(c.settings), c.statement) for c in fmt.constraints]
    head: list[object] = [fmt.id, fmt.title, fmt.snapshot]
    seating = {k: v for k, v in asdict(fmt.seating).items() if v != DEFAULT_SEATING[k]}
    if seating:
        head.append(seating)
    return short_digest([*head, entries, dict(fmt.options), database.fingerprint])


def _constraint(
    draft: DraftConstraint, database: CardDatabase, defects: list[SourceDefect]
) -> Constraint | None:
    values = {key: setting.value for key, setting in draft.settings.items()}
    rule = values["rule"]
    legality = VOCABULARY.get(rule) if isinstance(rule, str) else None
    if legality is None:
        message = f"unknown rule {show(rule)}, rules are {', '.join(VOCABULARY)}"
        defects.append(draft.settings["rule"].defect(message))
        return None
    wrong_parts = list(_wrong_settings(draft, legality))
    entry = _read_entry(draft, values, wrong_parts)
    if entry is not None:
        wrong_parts += _wrong_words(draft, entry, database)
    defects.extend(wrong_parts)
    if entry is None or wrong_parts:
        return None
    return Constraint(
        name=draft.name,
        rule=entry.rule,
        settings=MappingProxyType(
            {key: getattr(entry, key) for key in values if key not in _ENTRY_HEAD}
        ),
        condition=Condition(**{key: getattr(entry, key) for key in CONDITION_KEYS}),
        statement=entry.statement,
        origin=draft.layer.origin,
    )


def _read_entry(
    draft: DraftConstraint, values: dict[str, object], defects: list[SourceDefect]
) -> ConstraintEntry | None:
    from deckcheck.documents.records import read_record

    settings = {k: v for k, v in values.items() if k in _ENTRY_FIELDS and v is not None}
    entry, wrongs = read_record(ConstraintEntry, settings)
    for wrong in wrongs:
        setting = draft.settings[str(wrong.location[0])]
        below = wrong.location[1:]
        defects.append(setting.defect(wrong.message, below, wrong.is_key))
    return entry


_ENTRY_FIELDS = frozenset(ConstraintEntry.__dataclass_fields__)


def _wrong_settings(
    draft: DraftConstraint, legality: Legality
) -> Iterator[SourceDefect]:
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


def _wrong_words(
    draft: DraftConstraint, entry: ConstraintEntry, database: CardDatabase
) -> Iterator[SourceDefect]:
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


# The sets that a format names, and their changes to the cards of its game.


def read_sets(
    layers: Sequence[Layer],
    database: CardDatabase,
    defects: list[SourceDefect],
    texts: dict[str, str],
) -> tuple[CardChange, ...]:
    """Read the changes of all sets, each checked against the sets before it.

    Adds the text of every file to `texts`, by its path.
    """
    changes: list[CardChange] = []
    seen: set[str] = set()
    for layer in layers:
        folder = Path(layer.id if layer.is_own else database.root / layer.origin).parent
        for index, name in enumerate(layer.file.sets):
            path = os.path.normpath(folder / name)
            fault = _find_set_fault(layer, name, path, database)
            if fault is None and path in seen:
                fault = f"the set `{name}` is added already"
            seen.add(path)
            if fault is not None:
                location = (*layer.location, "sets", index)
                defects.append(layer.source.defect(location, fault))
                continue
            changed = database.with_changes(fold_changes(changes))
            changes += _read_set(Path(path), layer, changed, defects, texts)
    return fold_changes(changes)


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


def _read_set(
    file: Path,
    layer: Layer,
    database: CardDatabase,
    defects: list[SourceDefect],
    texts: dict[str, str],
) -> list[CardChange]:
    shown = own_id(file) if layer.is_own else shown_path(file, database.root)
    try:
        source = Source.open(file, shown)
    except SourceError as error:
        defects.append(error.defect)
        return []
    texts[str(file)] = source.document.text
    return read_set(source, database, defects, is_own=layer.is_own)


# Reads, merges and checks the files of a format.


def read_format(
    id: str, root: Root, snapshot: str | None, as_of: str | None
) -> tuple[Format, Sources]:
    """Read the format of a known id or of a file, and return its sources.

    Raises FormatError with every defect, and the other errors of `load_format`.
    """
    defects: list[SourceDefect] = []
    texts: dict[str, str] = {}
    try:
        layers = read_layers(id, format_files(root), defects, texts)
    except SourceError as error:
        raise _error(id, [error.defect]) from None
    if not layers:
        raise _error(id, defects)
    if not defects:
        layers = until(id, layers, snapshot, as_of)
    database = load_database(layers[0].id.partition("/")[0], root)
    merged = _merge(layers, database, defects, texts)
    if merged is None:
        raise _error(id, defects)
    return merged, database.sources.and_files(texts)


def _error(id: str, defects: list[SourceDefect]) -> FormatError:
    return FormatError(list_defects(f"format `{id}`", defects))


def _merge(
    layers: list[Layer],
    database: CardDatabase,
    defects: list[SourceDefect],
    texts: dict[str, str],
) -> Format | None:
    """Merge the layers to a format, or return None after adding defects."""
    changes: tuple[CardChange, ...] = ()
    unknown: list[SourceDefect] = []
    before = len(defects)
    if any(layer.file.sets for layer in layers):
        changes = read_sets(layers, database, defects, texts)
        database = database.with_changes(changes)
    are_whole = len(defects) == before
    named = [_own_words(each, database, defects, unknown) for each in layers]
    if are_whole:
        # Otherwise the names may be of cards in an unreadable set.
        defects += unknown
    options = {option.name: option for option in database.game.options}
    draft = Draft()
    for layer in named:
        draft = merge(draft, layer, options, defects)
    fmt = resolve(draft, named[-1], database, defects, are_known=not unknown)
    lineage = tuple(dict.fromkeys(layer.id for layer in reversed(layers)))
    return fmt and replace(fmt, changes=changes, lineage=lineage)


def _own_words(
    layer: Layer,
    database: CardDatabase,
    defects: list[SourceDefect],
    unknown: list[SourceDefect],
) -> Layer:
    """Return a layer with ids for names, if it is of a file of the user."""
    if not layer.is_own:
        return layer
    file = layer.file
    changes = (file.constraints, file.options, file.seating, file.history, file.sets)
    # After a defect, the wrong part may change something.
    is_right = all(defect.path != layer.source.path for defect in defects)
    if is_right and not (file.snapshot or any(changes)):
        message = "the file changes nothing but the title"
        defects.append(layer.source.defect((), message))
    return with_ids(layer, database, unknown)
