"""Turns merged drafts into formats, and checks every word of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from hashlib import sha256
from types import MappingProxyType
from typing import cast, get_args, get_type_hints

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import closest
from deckcheck.findings.documents import Defect, Place, show, structure
from deckcheck.formats.drafts import Draft, DraftConstraint, Layer
from deckcheck.formats.models import Constraint, Format
from deckcheck.formats.vocabulary import CONSTRAINTS, Condition, Entry

__all__ = ["RULES", "resolve"]

DIGEST_LENGTH = 12
_HEAD = ("rule", "statement")

RULES: Mapping[str, type[Entry]] = {
    get_args(get_type_hints(model)["rule"])[0]: model for model in CONSTRAINTS
}
"""The vocabulary, by the word that a file writes for `rule`."""


def resolve(
    draft: Draft, last: Layer, db: CardDatabase, defects: list[Defect]
) -> Format | None:
    """The format of a draft; None after adding defects. `last` is its own file."""
    names = [option.name for option in db.game.options]
    missing = [f"`{name}`" for name in names if name not in draft.options]
    if missing:
        message = f"options without a value: {', '.join(missing)}"
        defects.append(last.source.defect((), message))
    if draft.snapshot is None:
        defects.append(last.source.defect((), "`snapshot` is missing"))
    constraints = [_constraint(c, db, defects) for c in draft.constraints.values()]
    if defects:
        return None
    options = {name: draft.options[name].value for name in names}
    return _finish(draft, last, db, [c for c in constraints if c], options)


def _finish(
    draft: Draft,
    last: Layer,
    db: CardDatabase,
    constraints: list[Constraint],
    options: Mapping[str, object],
) -> Format:
    entries = [(c.name, c.rule, dict(c.settings), c.statement) for c in constraints]
    content = [draft.id, draft.title, draft.snapshot, entries, options, db.digest]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return Format(
        id=draft.id,
        game=db.game.id,
        name=draft.id.partition("/")[2],
        title=draft.title,
        snapshot=draft.snapshot or "",
        constraints=tuple(constraints),
        options=MappingProxyType(cast("dict[str, str | int | bool]", dict(options))),
        digest=sha256(text.encode()).hexdigest()[:DIGEST_LENGTH],
        origin=last.origin,
    )


def _constraint(
    draft: DraftConstraint, db: CardDatabase, defects: list[Defect]
) -> Constraint | None:
    values = {key: setting.value for key, setting in draft.settings.items()}
    rule = values["rule"]
    model = RULES.get(rule) if isinstance(rule, str) else None
    if model is None:
        message = f"unknown rule {show(rule)}, known are {', '.join(RULES)}"
        defects.append(draft.settings["rule"].defect(message))
        return None

    def report(at: Place, message: str, is_key: bool = False) -> None:
        setting = draft.settings.get(str(at[0])) if at else None
        if setting is None:
            defects.append(draft.defect(message))
        else:
            defects.append(setting.defect(message, at[1:], is_key))

    entry = structure(model, values, (), report)
    if entry is None:
        return None
    defects.extend(_unknown_words(draft, entry, db))
    return Constraint(
        name=draft.name,
        rule=entry.rule,
        settings=MappingProxyType(
            {key: getattr(entry, key) for key in values if key not in _HEAD}
        ),
        condition=_condition(entry),
        statement=entry.statement,
        origin=draft.layer.origin,
    )


def _condition(entry: Entry) -> Condition:
    if not isinstance(entry, Condition):
        return Condition()
    return Condition(**{f.name: getattr(entry, f.name) for f in fields(Condition)})


def _unknown_words(
    draft: DraftConstraint, entry: Entry, db: CardDatabase
) -> list[Defect]:
    if not isinstance(entry, Condition):
        return []
    known: dict[str, Collection[str]] = {
        "kinds": db.game.kinds,
        "abilities": db.game.abilities,
        "rows": db.game.rows,
        "factions": db.factions,
        "cards": db.cards,
    }
    defects = []
    for key, allowed in known.items():
        for index, word in enumerate(getattr(entry, key)):
            if word not in allowed:
                close = closest(word, allowed, limit=1)
                hint = f", did you mean `{close[0]}`?" if close else ""
                message = f"unknown word `{word}` in `{key}`{hint}"
                defects.append(draft.settings[key].defect(message, (index,)))
    return defects
