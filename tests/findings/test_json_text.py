"""JSON of outputs: readable, and nothing in it steers a terminal."""

from __future__ import annotations

import json

import pytest

from deckcheck.markup import json_pieces, json_text


def test_letters_of_any_language_stand_as_they_are() -> None:
    assert json_text({"name": "Eithné 希里"}) == '{\n  "name": "Eithné 希里"\n}\n'


@pytest.mark.parametrize(
    "mark",
    [
        *("\x1b", "\n", "\x7f", "\x85", "\x9b", "\u2028", "\u202e", "\u2066"),
        *("\u200b", "\xad", "\ufeff", "\U000e0041"),
    ],
)
def test_marks_that_steer_are_escaped_and_come_back(mark: str) -> None:
    text = json_text([f"a{mark}b"], indent=None)

    assert mark not in text[:-1]
    assert json.loads(text) == [f"a{mark}b"]


def test_half_of_a_surrogate_pair_can_be_written_as_utf_8() -> None:
    assert json_text(["a\udc80"], indent=None).encode() == b'["a\\udc80"]\n'


def test_a_large_document_is_written_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole text stands nowhere in memory, and the bytes are the same."""
    content = {"rows": [{"name": "a\u202eb", "n": i} for i in range(40)]}
    whole = json_text(content)
    monkeypatch.setattr("deckcheck.markup.PARTS_AT_ONCE", 10)
    pieces = [*json_pieces(content)]

    assert "".join(pieces) == whole
    assert max(map(len, pieces)) < len(whole) / 5
    assert json.loads(whole) == content
