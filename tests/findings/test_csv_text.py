"""No text in a CSV is a formula, numbers stay numbers, and texts come back."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.markup import csv_table, guarded, shown, unguarded

FORMULAS = (
    "=1+1",
    "+x",
    "-x",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "＝1",
    "-",
    "'=1",
    "--1",
)
NUMBERS = ("-3", "+4.5", "-1e-05", "-.5", "-12.5%", "-3.")


@pytest.mark.parametrize("text", FORMULAS)
def test_what_begins_as_a_formula_is_guarded(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("text", [*NUMBERS, "", "'", "'x", "x=1", "Roach", "1-2", "3"])
def test_what_is_none_stays(text: str) -> None:
    assert guarded(text) == text


@given(st.text(st.sampled_from("'=+-@\t\r\n ＝1.%eEx"), max_size=6))
def test_a_guarded_text_comes_back(text: str) -> None:
    assert unguarded(guarded(text)) == text


def test_numbers_and_gaps_are_no_texts() -> None:
    assert [shown(value) for value in (-3, -0.5, None)] == [-3, -0.5, None]


def test_a_table() -> None:
    rows = [{"name": "=1\x1b", "lead": -3.5}, {"name": "a,b", "more": None}]
    text = csv_table(rows)

    assert text == 'name,lead,more\n\'=1\\x1b,-3.5,\n"a,b",,\n'
    assert list(csv.reader(io.StringIO(text)))[1] == ["'=1\\x1b", "-3.5", ""]
