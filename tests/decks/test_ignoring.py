"""Suppression comments as they are found in the text of a deck."""

from __future__ import annotations

from bisect import bisect_right

import pytest

from deckcheck.findings import Span
from deckcheck.validation import suppression
from deckcheck.validation.suppression import MAX_IGNORES, find_ignores


def found(text: str, path: str = "a.deck") -> list[tuple[str | None, int | None]]:
    """The name and the line of every suppression."""
    return [(ignore.name, ignore.line) for ignore in find_ignores(text, path)]


@pytest.mark.parametrize(
    "comment",
    [
        "# deckcheck: ignore[too-many-copies]",
        "#deckcheck:ignore[too-many-copies]",
        "// deckcheck: ignore [ too-many-copies ]",
        "# borrowed # deckcheck: ignore[too-many-copies]",
        "# deckcheck: ignore[too-many-copies] borrowed",
    ],
)
def test_ways_of_writing_it(comment: str) -> None:
    assert found(f"3 Ballista {comment}\n") == [("too-many-copies", 1)]


def test_names_are_separated_by_commas_and_have_places() -> None:
    ignores = find_ignores("3 Ballista # deckcheck: ignore[a-b, DL103]\n", "a.deck")

    assert [(ignore.name, ignore.span.start.column) for ignore in ignores] == [
        ("a-b", 32),
        ("DL103", 37),
    ]
    assert ignores[1].span.end.column == 42


def test_alone_at_the_top_it_is_about_the_file() -> None:
    text = "# Swarm\n\n# deckcheck: ignore[a]\nLeader: X\n# deckcheck: ignore[b]\n"

    assert found(text) == [("a", None), ("b", 5)]


@pytest.mark.parametrize(
    ("comment", "is_reported"),
    [
        ("# deckcheck: ignore", True),
        ("# deckcheck: ignore[]", True),
        ("# deckcheck: ignore[a", True),
        ("# deckcheck: disable[a]", True),
        ("# deckcheck: ingore", True),
        ("# deckcheck: it was content", False),
        ("# checked with deckcheck", False),
        ("# deckcheck", False),
    ],
)
def test_what_was_meant_as_one_is_told_from_prose(
    comment: str, is_reported: bool
) -> None:
    assert found(f"Nekker {comment}\n") == ([(None, 1)] if is_reported else [])


def test_in_yaml_a_sign_within_a_value_is_no_comment() -> None:
    text = (
        "---\n"
        "# deckcheck: ignore[a]\n"
        'name: "x # deckcheck: ignore[b]"\n'
        "cards:\n"
        "  Ballista: 3  # deckcheck: ignore[c]\n"
    )

    assert found(text, "a.yaml") == [("a", None), ("c", 5)]


def test_json_has_none() -> None:
    assert found('{"name": "# deckcheck: ignore[a]"}', "a.json") == []


def test_any_end_of_line_counts() -> None:
    text = "Leader: X\r3 A # deckcheck: ignore[a]\r\n3 B # deckcheck: ignore[b]"

    assert found(text) == [("a", 2), ("b", 3)]
    assert found(text, "a.yml") == [("a", 2), ("b", 3)]


class TestHostileTexts:
    """Texts at the size limit, which a reader that goes back would never finish."""

    @pytest.mark.parametrize("path", ["a.deck", "a.yaml"])
    def test_no_more_names_are_read_than_are_kept(
        self, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read = []
        monkeypatch.setattr(
            suppression, "Span", lambda *ends: read.append(ends) or Span(*ends)
        )
        text = "# deckcheck: ignore[" + "a," * 400_000 + "]"

        assert len(find_ignores(text, path)) == MAX_IGNORES
        assert len(read) == MAX_IGNORES

    @pytest.mark.parametrize("path", ["a.deck", "a.yaml"])
    def test_spaces_without_an_end_are_one_finding(self, path: str) -> None:
        text = "# deckcheck: ignore[" + " " * 800_000

        assert found(text, path) == [(None, 1)]

    def test_each_sign_in_a_value_is_looked_up_once(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked_up = []
        monkeypatch.setattr(
            suppression,
            "bisect_right",
            lambda starts, at: looked_up.append(at) or bisect_right(starts, at),
        )
        text = "a: # deckcheck: ignore\n [" + '"a #",' * 120_000 + "]"

        assert found(text, "a.yaml") == [(None, 1)]
        assert len(looked_up) == len(set(looked_up)) == text.count("#")
