"""`deckcheck schema`: our own files fit, broken ones do not."""

from __future__ import annotations

import json

import jsonschema
import pytest

from deckcheck.cards import card_db_root
from deckcheck.cli.schema import SCHEMAS, schema
from deckcheck.findings.documents import read_yaml
from deckcheck.findings.errors import UsageError


def printed(what: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    schema(what)
    result = json.loads(capsys.readouterr().out)
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize("what", [name for name, _, _ in SCHEMAS])
def test_is_a_schema(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema.Draft202012Validator.check_schema(printed(what, capsys))


@pytest.mark.parametrize(
    ("what", "file"),
    [
        ("game", "game.yaml"),
        ("cards", "cards.yaml"),
        ("leaders", "leaders.yaml"),
        ("format", "formats/standard.yaml"),
        ("format", "formats/advanced.yaml"),
        ("format", "formats/free_for_all.yaml"),
    ],
)
def test_our_files_fit(
    what: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = read_yaml((card_db_root() / "gwent" / file).read_bytes()).data

    jsonschema.Draft202012Validator(printed(what, capsys)).validate(data)


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("card", "{id: x}"),
        ("cards", "{}"),
        ("format", "{title: x, constraints: {spies: {max: two}}}"),
        ("format", "{title: x, constraints: {spies: {rule: limit}}}"),
        ("format", "{title: x, constraints: {spies: {}}}"),
        ("format", "{title: x, colour: red}"),
        ("format", "{title: x, seating: {play: chess}}"),
        ("format", "{title: x, seating: {min_decks: 0}}"),
        ("format", "{title: x, seating: {chairs: 3}}"),
    ],
)
def test_broken_files_do_not(
    what: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    validator = jsonschema.Draft202012Validator(printed(what, capsys))

    assert not validator.is_valid(read_yaml(text).data)


@pytest.mark.parametrize(
    "text",
    ["[medic]", "[muster: {group: crone}]", "[{muster: {target: roach}}]", "[]"],
)
def test_abilities_as_written(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    card = {
        "id": "x",
        "number": 1,
        "name": "X",
        "faction": "f",
        "kind": "unit",
        "copies": 1,
        "provenance": "p",
        "abilities": read_yaml(text).data,
    }

    jsonschema.Draft202012Validator(printed("card", capsys)).validate(card)


def test_unknown_word() -> None:
    with pytest.raises(UsageError, match="there is no schema `cat`"):
        schema("cat")
