"""The pages of Gwen't and their tables agree with the card database."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deckcheck.cards import load_database
from deckcheck.controllers.gwen_t import Controller, State
from deckcheck.formats import format_ids, load_format

DOCS = Path(__file__).resolve().parent.parent / "docs"
RULES = (DOCS / "rules" / "gwen_t.md").read_text(encoding="utf-8")
PAGE = (DOCS / "reference" / "games" / "gwen_t.md").read_text(encoding="utf-8")
DB = load_database("gwen_t")

STATEMENT = re.compile(r"^\*\*(\d+\.\d+)\*\*", re.MULTILINE)


def table(heading: str) -> dict[str, list[str]]:
    """The rows of the table whose first column is called `heading`, by that column."""
    start = PAGE.index(f"| {heading} |")
    lines = PAGE[start:].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row[1:] for row in rows}


def as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_statements_are_numbered_without_gaps() -> None:
    numbers = [tuple(map(int, n.split("."))) for n in STATEMENT.findall(RULES)]
    last = {section: 0 for section, _ in numbers}
    for section, number in numbers:
        assert number == last[section] + 1
        last[section] = number

    assert list(last) == list(range(1, 8))


def test_data_cites_statements_that_exist() -> None:
    cited = {option.statement for option in DB.game.options}
    for entry in load_format("gwen_t/pool").constraints:
        cited.add(entry.statement)

    assert cited <= {f"gwen_t {number}" for number in STATEMENT.findall(RULES)}


def test_the_formats_table_is_complete() -> None:
    own = [id for id in format_ids() if id.startswith("gwen_t/")]

    assert sorted(table("format")) == sorted(own)


def test_the_options_table_is_that_of_the_database() -> None:
    stated = table("option")
    defaults = load_format("gwen_t/pool").options

    assert list(stated) == [option.name for option in DB.game.options]
    for option in DB.game.options:
        values, _, statement = stated[option.name]
        listed = re.findall(r"`(\w+)`", values)
        if option.values:
            assert listed == [as_text(value) for value in option.values]
        else:
            assert f"or {option.minimum} to {option.maximum}" in values
        assert listed[0] == as_text(defaults[option.name])
        assert f"gwen_t {statement}" == option.statement


@pytest.mark.parametrize("name", [option.name for option in DB.game.options])
def test_the_rules_name_every_option_with_its_default(name: str) -> None:
    value = load_format("gwen_t/pool").options[name]

    assert f"`{name}: {as_text(value)}`" in " ".join(RULES.split())


def test_the_states_table_is_that_of_the_controller() -> None:
    stated = table("state")
    methods = {word for row in stated.values() for word in re.findall(r"\w+", row[0])}

    assert list(stated) == [state.value for state in State]
    assert all(callable(getattr(Controller, name)) for name in methods)
