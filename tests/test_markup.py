"""Texts that nothing in them steers: CSV, JSON and Markdown."""

import csv
import io
import json

import pytest
from helpers.pages import code_in, shown_in
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.markup import (
    MAX_SHOWN_ROWS,
    as_cell,
    bold,
    code,
    csv_table,
    guard_formula,
    html_table,
    json_pieces,
    json_text,
    message,
    plain,
    remove_guard,
    table_row,
)
from deckcheck.messages import printable, quote

# No text in a CSV is a formula, numbers stay numbers, and texts come back.

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
    assert guard_formula(text) == f"'{text}"


@pytest.mark.parametrize("text", [*NUMBERS, "", "'", "'x", "x=1", "Roach", "1-2", "3"])
def test_what_is_none_stays(text: str) -> None:
    assert guard_formula(text) == text


@given(st.text(st.sampled_from("'=+-@\t\r\n ＝1.%eEx"), max_size=6))
def test_a_guarded_text_comes_back(text: str) -> None:
    assert remove_guard(guard_formula(text)) == text


def test_numbers_and_gaps_are_no_texts() -> None:
    assert [as_cell(value) for value in (-3, -0.5, None)] == [-3, -0.5, None]


def test_a_table() -> None:
    rows = [{"name": "=1\x1b", "lead": -3.5}, {"name": "a,b", "more": None}]
    text = csv_table(rows)

    assert text == 'name,lead,more\n\'=1\\x1b,-3.5,\n"a,b",,\n'
    assert list(csv.reader(io.StringIO(text)))[1] == ["'=1\\x1b", "-3.5", ""]


# JSON of outputs: readable, and nothing in it steers a terminal.


@pytest.mark.parametrize("more", [0, 1])
def test_a_long_table_of_html_says_how_many_rows_are_missing(more: int) -> None:
    table = html_table(("n",), [(n,) for n in range(MAX_SHOWN_ROWS + more)], ())

    assert table.count("<td>") == MAX_SHOWN_ROWS
    assert ("more rows" in table) == bool(more)
    assert ("... and 1 more rows" in table) == bool(more)


def test_letters_of_any_language_stand_as_they_are() -> None:
    assert json_text({"name": "Eithné 希里"}) == '{\n  "name": "Eithné 希里"\n}\n'


def test_marks_that_steer_are_escaped_and_come_back() -> None:
    for mark in (
        *("\x1b", "\n", "\x7f", "\x85", "\x9b", "\u2028", "\u202e", "\u2066"),
        *("\u200b", "\xad", "\ufeff", "\U000e0041"),
    ):
        text = json_text([f"a{mark}b"], indent=None)

        assert mark not in text[:-1], mark
        assert json.loads(text) == [f"a{mark}b"], mark


def test_half_of_a_surrogate_pair_can_be_written_as_utf_8() -> None:
    assert json_text(["a\udc80"], indent=None).encode() == b'["a\\udc80"]\n'


def test_a_large_document_is_written_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole text stands nowhere in memory, and the bytes are the same."""
    content = {"rows": [{"name": "a\u202eb", "n": i} for i in range(40)]}
    whole = json_text(content)
    monkeypatch.setattr("deckcheck.markup.PARTS_PER_PIECE", 10)
    pieces = [*json_pieces(content)]

    assert "".join(pieces) == whole
    assert max(map(len, pieces)) < len(whole) / 5
    assert json.loads(whole) == content


# Whatever a text holds, in Markdown it reads as it is and links nothing.

TEXTS = (
    "@name",
    "a@name",
    "mail@example.org",
    "#1",
    "owner/repository#1",
    "GH-1",
    "gh-12",
    "!1 $1 %1 &1 ~1 ^1",
    "https://example.org/x_y_z",
    "ftp://example.org",
    "www.example.org",
    ":tada: :+1:",
    "`code` ``more`` `",
    "``",
    "[link](x) ![image](x) [foot^1]: x [^1]",
    "<b>bold</b> <!-- --> &amp; &#64;name",
    "*a* **b** _c_ ~~d~~ ***",
    "$x^2$ costs $5",
    r"back\slash \| \@name \`x\`",
    "a | b || c",
    "# no heading #",
    "\x1b[2J\u200b\u202e",
    "Eithné 希里 ⚔️",
    "3 + 4 - 5 = 2, 50% at 1:30:00",
)

ANY = st.text(
    st.sampled_from("@#!$%^&~`*_[]()<>|\\:/.-+='\"ghGHw1a \u200b\né希"), max_size=30
)


def one_line(text: str) -> str:
    return " ".join(printable(text).split())


@pytest.mark.parametrize("text", TEXTS)
def test_plain_text_reads_as_it_is(text: str) -> None:
    assert shown_in(plain(text)) == one_line(text)
    assert shown_in(f"# {plain(text)}") == one_line(text)
    assert shown_in(f"before {bold(text)} after") == f"before {one_line(text)} after"


@given(ANY)
def test_any_plain_text_reads_as_it_is(text: str) -> None:
    assert shown_in(f"| {plain(text)}") == f"| {one_line(text)}".rstrip()


@given(ANY)
def test_any_code_reads_as_it_is(text: str) -> None:
    shown = printable(text)
    expected = [shown] if shown.strip() else []
    # A blank at both ends is left out where Markdown is shown.
    assert [each.strip() for each in code_in(f"x {code(text)} x")] == [
        each.strip() for each in expected
    ]


@given(st.lists(ANY, min_size=1, max_size=3))
def test_any_cells_stay_in_their_columns(texts: list[str]) -> None:
    head = table_row(["x"] * 2 * len(texts))
    rule = table_row(["---"] * 2 * len(texts))
    row = table_row([cell for text in texts for cell in (plain(text), code(text))])

    shown = shown_in(f"{head}\n{rule}\n{row}").splitlines()[2 * len(texts) :]
    plains = [one_line(text) for text in texts]
    assert shown[0::2] == plains


@given(ANY, ANY)
def test_what_a_message_quotes_is_code_and_the_rest_is_plain(a: str, b: str) -> None:
    text = f"No {quote(a)} for {quote(b)}: {one_line(a).replace('`', '')}"
    shown = message(text)

    shown_in(shown)
    quoted = [each for each in (quote(a)[1:-1], quote(b)[1:-1]) if each.strip()]
    assert [each.strip() for each in code_in(shown)] == [q.strip() for q in quoted]


def test_a_message_keeps_its_spaces() -> None:
    assert message("Unknown `a`, did you mean `b`?") == "Unknown `a`, did you mean `b`?"
    assert message("`a` beats `b` by *4*", bold) == r"**a** beats **b** by \*4\*"


def test_nothing_is_nothing() -> None:
    assert (plain(""), plain(" "), bold(" "), code(" "), message("")) == ("",) * 5
