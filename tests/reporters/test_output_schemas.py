"""What we print fits the schemas that we publish."""

from __future__ import annotations

import json

import jsonschema
import pytest
from closed_schema import closed_schema
from plain_values import other_types

from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.validation import validate_files

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the samples and the broken examples."""
    monkeypatch.chdir(card_db_root().parent)


def printed(capsys: Captured, *args: str) -> str:
    main(
        [
            "validate",
            "examples/broken/gwent",
            "decks/gwent/standard",
            "-f",
            "gwent/standard",
            *args,
        ]
    )
    return capsys.readouterr().out


def fits(schema: dict[str, object], content: object) -> None:
    jsonschema.Draft202012Validator(schema).validate(content)


def test_json(capsys: Captured) -> None:
    content = json.loads(printed(capsys, "--output-format", "json"))

    fits(closed_schema("validate"), content)
    del content["decks"][0]["legal"]
    with pytest.raises(jsonschema.ValidationError, match="'legal' is a required"):
        fits(closed_schema("validate"), content)


def test_the_document_of_python_has_plain_values() -> None:
    document = validate_files(
        ["examples/broken/gwent", "decks/gwent/standard"]
    ).to_dict()

    assert other_types(document) == set()
    fits(closed_schema("validate"), document)


def test_jsonl(capsys: Captured) -> None:
    lines = printed(capsys, "--output-format", "jsonl").splitlines()

    assert len(lines) > 30
    for line in lines:
        fits(closed_schema("validate-jsonl"), json.loads(line))


def test_statistics(capsys: Captured) -> None:
    shown = printed(capsys, "--statistics", "--output-format", "json")

    fits(closed_schema("statistics"), json.loads(shown))
