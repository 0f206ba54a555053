"""The formats on the pages pass the schema that editors get, and are read."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest

from deckcheck.documents.readers import read_yaml
from deckcheck.formats.schemas import format_schema

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "docs" / "reference" / "formats.md",
    ROOT / "docs" / "how-to" / "house-rules.md",
]
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(
        r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL
    )
    if block.startswith("title:")
]


def test_there_are_some() -> None:
    assert len(BLOCKS) >= 5


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_an_example_passes_the_schema(block: str) -> None:
    data = read_yaml(block).data
    schema = format_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    assert [error.message for error in validator.iter_errors(data)] == []


@pytest.mark.parametrize(
    "block",
    [
        "title: A\nconstraint: {}\n",
        "title: A\nconstraints:\n  a: {rule: points, points: {decoy: 0}, max: 3}\n",
        "title: A\nconstraints:\n  a: {rule: points, points: {decoy: 1}}\n",
        "title: A\nhistory:\n- {snapshot: 2026-01, constraints: {a: {rule: none}}}\n",
    ],
)
def test_what_is_wrong_does_not_pass(block: str) -> None:
    validator = jsonschema.Draft202012Validator(format_schema())

    assert list(validator.iter_errors(read_yaml(block).data))
