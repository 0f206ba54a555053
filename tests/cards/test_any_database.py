"""Whatever the files of a database hold, nothing but a DatabaseError comes out."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckcheck.cards import DatabaseError, load_database
from deckcheck.documents.readers import read_yaml
from deckcheck.formats import FormatError, load_format

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "unit", ""]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "muster", "target"]), inner, max_size=2)
    ),
    max_leaves=3,
)
GAME = """\
{id: g, name: G, edition: e, factions: [{id: a, name: A}], neutral: a, kinds: [unit],
unit_kinds: [unit], rows: [a], abilities: [muster], provenances: [a],
parameters: [{ability: muster, may: [target]}],
options: [{name: gems, minimum: 1, maximum: 3, statement: g 1}]}
"""
CARD = """\
{id: a, number: 1, name: A, faction: a, kind: unit, rows: [a], strength: 1,
abilities: [muster: {target: a}], copies: 1, provenance: a}
"""
FORMAT = """\
{title: F, snapshot: 2025-10, options: {gems: 1}, constraints: {a: {rule: count,
kinds: [unit], min: 1, max: 2, statement: g 1}}}
"""
FIELDS = [*read_yaml(CARD).data, "aliases", "deckable", "colour"]  # type: ignore[misc]
folders = count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any")


def write(folder: Path, cards: object, format: object) -> Path:
    root = folder / str(next(folders))
    (root / "g" / "formats").mkdir(parents=True)
    (root / "g" / "game.yaml").write_text(GAME, encoding="utf-8")
    (root / "g" / "leaders.yaml").write_text("[]", encoding="utf-8")
    (root / "g" / "cards.yaml").write_text(json.dumps(cards), encoding="utf-8")
    file = root / "g" / "formats" / "f.yaml"
    file.write_text(json.dumps(format), encoding="utf-8")
    return root


def data(text: str) -> dict[str, object]:
    result = read_yaml(text).data
    assert isinstance(result, dict)
    return result


def test_the_samples_are_sound(folder: Path) -> None:
    root = write(folder, [data(CARD)], data(FORMAT))

    assert load_format("g/f", root).options == {"gems": 1}


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=2), VALUES)
def test_cards(folder: Path, changes: dict[str, object], other: object) -> None:
    root = write(folder, [{**data(CARD), **changes}, other], data(FORMAT))

    with pytest.raises(DatabaseError):
        load_database("g", root)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["title", "snapshot", "options", "extends", "constraints"]),
        VALUES | st.dictionaries(st.just("a"), VALUES, min_size=1),
        min_size=1,
        max_size=2,
    )
)
def test_formats(folder: Path, changes: dict[str, object]) -> None:
    root = write(folder, [data(CARD)], {**data(FORMAT), **changes})

    with suppress(FormatError):
        assert load_format("g/f", root).id == "g/f"
