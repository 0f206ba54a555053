"""Whatever a text holds, in Markdown it reads as it is and links nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_down import code_in, shown_in

from deckcheck.markup import bold, code, message, plain, table_row
from deckcheck.messages import printable, quote

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
    "3 + 4 - 5 = 2, 50 % at 1:30:00",
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
