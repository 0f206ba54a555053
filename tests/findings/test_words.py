"""Words and quotes of messages."""

from __future__ import annotations

import pytest

from deckcheck.findings.words import choice, plural, printable, quote, sentence


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (1, "card", "1 card"),
        (0, "card", "0 cards"),
        (2, "copy", "2 copies"),
        (1, "copy", "1 copy"),
    ],
)
def test_plural(number: int, noun: str, expected: str) -> None:
    assert expected == plural(number, noun)


def test_long_text_is_cut_in_quotes() -> None:
    quoted = quote("x" * 100)

    assert quoted == f"`{'x' * 57}...`"


def test_quotes_hold_nothing_that_steers_a_terminal() -> None:
    assert quote("a\x1b[31mb\u202ec\n") == "`a\\x1b[31mb\\u202ec\\n`"


def test_accents_are_printable() -> None:
    assert printable("Eithné 希里") == "Eithné 希里"


@pytest.mark.parametrize(
    ("options", "expected"),
    [([], ""), (["a"], "`a`"), (["a", "b"], "`a` or `b`"), ("abc", "`a`, `b` or `c`")],
)
def test_choice(options: list[str], expected: str) -> None:
    assert expected == choice(list(options))


def test_sentence_starts_with_a_capital() -> None:
    assert sentence("unknown game `x`") == "Unknown game `x`"
    assert sentence("") == ""
