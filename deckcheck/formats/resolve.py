"""Turns merged drafts into formats, and checks every word of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import cast

from deckcheck.cards import CardDatabase
from deckcheck.findings.digest import short_digest
from deckcheck.findings.documents import Defect, did_you_mean, show
from deckcheck.formats.drafts import Draft, DraftConstraint, Layer
from deckcheck.formats.models import Constraint, Format
from deckcheck.formats.seating import SEATING, Seating, contradictions
from deckcheck.formats.vocabulary import (
    CONDITION,
    VOCABULARY,
    Condition,
    Entry,
    Settings,
)

_HEAD = ("rule", "statement")


def resolve(
    draft: Draft,
    last: Layer,
    db: CardDatabase,
    defects: list[Defect],
    *,
    are_known: bool,
) -> Format | None:
    """The format of a draft; None after adding defects. `last` is its own file.

    Where something is wrong already, nothing is called missing: it may be what is
    meant by an unknown key. `are_known` says whether all names of cards were; else
    others stand for them, see `with_ids`.
    """
    is_sound = not defects
    seating = _seating(draft, defects)
    names = _options(draft, last, db, seating, defects) if seating else []
    missing = [f"`{name}`" for name in names if name not in draft.options]
    if missing and is_sound:
        message = f"options without a value: {', '.join(missing)}"
        defects.append(last.source.defect((), message))
    if draft.snapshot is None and is_sound:
        defects.append(last.source.defect((), "`snapshot` is missing"))
    constraints = [_constraint(c, db, defects) for c in draft.constraints.values()]
    if are_known and any(c.layer.is_own for c in draft.constraints.values()):
        from deckcheck.formats.own import idle_bans

        defects += idle_bans(draft, [c for c in constraints if c], db)
    if defects or seating is None:
        return None
    options = {name: draft.options[name].value for name in names}
    result = Format(
        id=draft.id,
        game=db.game.id,
        name=Path(last.origin).stem,
        title=draft.title,
        snapshot=draft.snapshot or "",
        snapshot_assumed=draft.snapshot_assumed,
        constraints=tuple(c for c in constraints if c),
        options=MappingProxyType(cast("dict[str, str | int | bool]", options)),
        digest="",
        origin=last.origin,
        seating=seating,
    )
    return replace(result, digest=_digest(result, db))


def _options(
    draft: Draft, last: Layer, db: CardDatabase, seating: Seating, defects: list[Defect]
) -> list[str]:
    """The options for this way to play; defects for others.

    An inherited option that is for other ways to play is left out without a word.
    """
    names = []
    for option in db.game.options:
        setting = draft.options.get(option.name)
        if not option.plays or seating.play in option.plays:
            names.append(option.name)
        elif setting is not None and setting.source is last.source:
            plays = " and ".join(f"`{play}`" for play in option.plays)
            message = f"`{option.name}` is for {plays}, not for `{seating.play}`"
            defects.append(last.source.key_defect(setting.at, message))
    return names


def _seating(draft: Draft, defects: list[Defect]) -> Seating | None:
    """The seating of a draft; None after adding defects."""
    from deckcheck.findings.documents.validating import validated

    values = {name: setting.value for name, setting in draft.seating.items()}
    seating, wrongs = validated(Seating, values)
    wrong_seats = [draft.seating[str(w.at[0])].defect(w.message) for w in wrongs]
    for key, why in contradictions(seating) if seating is not None else ():
        last = draft.seating.get(key) or list(draft.seating.values())[-1]
        wrong_seats.append(last.defect(why))
    defects += wrong_seats
    return None if wrong_seats else seating


def _digest(fmt: Format, db: CardDatabase) -> str:
    """A short hash of the format and the cards of its game."""
    entries = [(c.name, c.rule, dict(c.settings), c.statement) for c in fmt.constraints]
    own = {k: v for k, v in asdict(fmt.seating).items() if v != SEATING[k]}
    head = [fmt.id, fmt.title, fmt.snapshot, *([own] if own else [])]
    return short_digest([*head, entries, dict(fmt.options), db.digest])


def _constraint(
    draft: DraftConstraint, db: CardDatabase, defects: list[Defect]
) -> Constraint | None:
    values = {key: setting.value for key, setting in draft.settings.items()}
    rule = values["rule"]
    settings = VOCABULARY.get(rule) if isinstance(rule, str) else None
    if settings is None:
        message = f"unknown rule {show(rule)}, rules are {', '.join(VOCABULARY)}"
        defects.append(draft.settings["rule"].defect(message))
        return None
    wrong_parts = list(_wrong_settings(draft, settings))
    entry = _read_entry(draft, values, wrong_parts)
    if entry is not None:
        wrong_parts += _wrong_words(draft, entry, db)
    defects.extend(wrong_parts)
    if entry is None or wrong_parts:
        return None
    return Constraint(
        name=draft.name,
        rule=entry.rule,
        settings=MappingProxyType(
            {key: getattr(entry, key) for key in values if key not in _HEAD}
        ),
        condition=Condition(**{key: getattr(entry, key) for key in CONDITION}),
        statement=entry.statement,
        origin=draft.layer.origin,
    )


def _read_entry(
    draft: DraftConstraint, values: dict[str, object], defects: list[Defect]
) -> Entry | None:
    from deckcheck.findings.documents.validating import validated

    settings = {k: v for k, v in values.items() if k in _FIELDS and v is not None}
    entry, wrongs = validated(Entry, settings)
    for wrong in wrongs:
        setting = draft.settings[str(wrong.at[0])]
        defects.append(setting.defect(wrong.message, wrong.at[1:], wrong.is_key))
    return entry


_FIELDS = frozenset(Entry.__dataclass_fields__)


def _wrong_settings(draft: DraftConstraint, settings: Settings) -> Iterator[Defect]:
    given = draft.settings
    if "statement" not in given and not draft.layer.is_own:
        yield draft.defect("`statement` is missing")
    for name, setting in given.items():
        if name not in _HEAD and name not in settings.names:
            hint = did_you_mean(name, settings.names)
            yield setting.defect(f"unknown key `{name}`{hint}", is_key=True)
        elif setting.value is None:
            yield setting.defect(f"`{name}` has no value")
    for name in settings.required:
        if name not in given:
            yield draft.defect(f"`{name}` is missing")
    if settings.any_of and not any(name in given for name in settings.any_of):
        names = " or ".join(f"`{name}`" for name in settings.any_of)
        yield draft.defect(f"{names} is missing")


def _wrong_words(
    draft: DraftConstraint, entry: Entry, db: CardDatabase
) -> Iterator[Defect]:
    if entry.min is not None and entry.max is not None and entry.min > entry.max:
        yield draft.defect(f"`min` {entry.min} is greater than `max` {entry.max}")
    words: dict[str, Collection[str]] = {
        "kinds": db.game.kinds,
        "abilities": db.game.abilities,
        "rows": db.game.rows,
        "factions": db.factions,
        # A ban of a card that a set removes is inherited like any other.
        "cards": (*db.cards, *db.gone),
        "leaders": db.leaders,
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
