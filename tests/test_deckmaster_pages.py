"""The pages on Deckmaster agree with its data."""

from __future__ import annotations

import re
from pathlib import Path

from deckcheck.cards import load_database
from deckcheck.formats import load_format

DOCS = Path(__file__).resolve().parent.parent / "docs"
RULES = (DOCS / "rules" / "deckmaster.md").read_text(encoding="utf-8")
PAGE = (DOCS / "reference" / "games" / "deckmaster.md").read_text(encoding="utf-8")
OPTIONS = load_database("deckmaster").game.options
FORMAT = load_format("deckmaster/standard")

STATEMENT = re.compile(r"^\*\*(\d+\.\d+)\*\*", re.MULTILINE)
NUMBERS = STATEMENT.findall(RULES)


def as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_statements_are_numbered_once_in_order_and_without_gaps() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in NUMBERS]

    assert numbers == sorted(set(numbers))
    assert all(last == 1 or (section, last - 1) in numbers for section, last in numbers)


def test_data_cites_statements_that_exist() -> None:
    cited = {option.statement for option in OPTIONS}
    cited |= {constraint.statement for constraint in FORMAT.constraints}

    assert cited <= {f"deckmaster {number}" for number in NUMBERS}


def test_the_options_table_is_that_of_the_database() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (.*?) \| .*? \| ([\d.]+) \|$", PAGE, re.MULTILINE
    )

    assert [row[0] for row in rows] == [option.name for option in OPTIONS]
    for option, (name, values, statement) in zip(OPTIONS, rows, strict=True):
        stated = re.findall(r"`(\w+)`", values)

        assert stated == [as_text(value) for value in option.values], name
        assert stated[0] == as_text(FORMAT.options[name]), name
        assert f"deckmaster {statement}" == option.statement, name


def test_the_rules_page_names_every_option_with_its_default() -> None:
    for name, value in FORMAT.options.items():
        assert f"`{name}: {as_text(value)}`" in " ".join(RULES.split()), name
