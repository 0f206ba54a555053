"""Whatever stands in a file, reading it ends and says where it went wrong."""

from __future__ import annotations

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from deckcheck.decks import DeckText, decode_deck, parse_decks
from deckcheck.reporters import REPORTERS, Style
from deckcheck.reporters.base import split_lines
from deckcheck.validation import Validation, Validator

PATHS = st.sampled_from(["a.deck", "a.txt", "a.yaml", "a.json"])
WORDS = st.sampled_from(
    [
        *("Name:", "Leader:", "Faction:", "Format: gwent/standard", "Units:", "---"),
        *("Foltest", "Ballista", "Ballsta", "Crone: Brewess", "3", "x2", "-1", "0x"),
        *("#", "//", "(5)", "\t", "\u3000", "\uff13", "\x1b[31m", "\r", "\n", "\0"),
        *("3 fire up", "2x 5 ice", "fier", "none", "6", "up up", "x2 1"),
        *("cards:", "{", "}", "[", "- ", '"', "decks:", "&a", "*a", "!!x", ": 3"),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map(" ".join))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["cards", "decks", "name", "x"]), inner)
    ),
    max_leaves=12,
)


def check(data: bytes, path: str, format: str = "gwent/standard") -> Validation:
    """Check a file; every finding must point into its text."""
    source = decode_deck(data, path)
    point_into(source, Validator("deckmaster/standard").check_all([source]))
    run = Validator(format).check_all([source])
    point_into(source, run)
    for _, write in REPORTERS:
        shown = io.StringIO()
        write(run, shown, Style(color=False), True)
        assert "\x1b" not in shown.getvalue()
    return run


def point_into(source: DeckText, run: Validation) -> None:
    assert run.reports
    lines = split_lines(source.text)
    for finding in run.findings:
        start, end = finding.span.start, finding.span.end
        assert 1 <= start.line <= end.line <= len(lines)
        assert 1 <= start.column <= len(lines[start.line - 1]) + 1
        assert start <= end
        assert finding.message


@given(st.binary(max_size=400), PATHS)
def test_any_bytes(data: bytes, path: str) -> None:
    check(data, path)


@given(TEXTS, PATHS)
def test_any_text(text: str, path: str) -> None:
    check(text.encode("utf-8", errors="replace"), path)


@given(TEXTS)
def test_any_text_in_utf_16(text: str) -> None:
    check(text.encode("utf-16", errors="replace"), "a.deck")


@given(VALUES, st.sampled_from(["a.yaml", "a.json"]))
def test_any_values(value: object, path: str) -> None:
    check(json.dumps(value).encode(), path)


@given(st.lists(TEXTS, max_size=5), st.sampled_from(["tournament", "two_vs_two"]))
def test_any_decks_together(texts: list[str], format: str) -> None:
    data = "\n---\n".join(texts).encode("utf-8", errors="replace")
    check(data, "a.deck", f"gwent/{format}")


@given(st.lists(TEXTS, max_size=3))
def test_reading_twice_gives_the_same(texts: list[str]) -> None:
    data = "\n---\n".join(texts).encode("utf-8", errors="replace")
    source = decode_deck(data, "a.deck")

    assert parse_decks(source) == parse_decks(source)
