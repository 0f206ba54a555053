"""Words and quotes of messages."""

from __future__ import annotations

import pytest

from deckcheck.findings.words import (
    choice,
    joined,
    nearest,
    plural,
    printable,
    quote,
    sentence,
)


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


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("fromat", ["format"]),
        ("FORMATT", ["format"]),
        ("out", ["output"]),
        ("files", ["files-from"]),
        ("fo", []),
        ("nope", []),
        ("", []),
    ],
)
def test_the_nearest_word_or_none(word: str, expected: list[str]) -> None:
    assert nearest(word, ["files-from", "format", "output"]) == expected


def test_the_nearest_words_come_in_their_order() -> None:
    known = ["format", "formats", "output"]

    assert nearest("formatss", known, limit=2) == ["formats", "format"]


@pytest.mark.parametrize(
    ("helps", "expected"),
    [
        ([], None),
        ([None, "try it"], "Try it"),
        (["Did you mean `a`?", "Did you mean `a`?"], "Did you mean `a`?"),
        (
            ["Did you mean `a`?", None, "leave it out"],
            "Did you mean `a`? Leave it out.",
        ),
    ],
)
def test_remedies_are_sentences_of_their_own(
    helps: list[str | None], expected: str | None
) -> None:
    assert joined(helps) == expected
