"""Patterns of paths: names at any depth, paths from a folder on."""

from __future__ import annotations

import pytest

from deckcheck.decks.files import PathPatterns
from deckcheck.findings import UsageError


@pytest.mark.parametrize(
    ("pattern", "path", "is_matched"),
    [
        ("drafts", "/top/drafts/a.deck", True),
        ("drafts", "/top/x/drafts/y/a.deck", True),
        ("drafts/", "/top/x/drafts/a.deck", True),
        ("drafts", "/top/my-drafts/a.deck", False),
        ("top", "/top/a.deck", False),
        ("*.txt", "/top/x/a.txt", True),
        ("*.txt", "/top/x/a.txt.deck", False),
        ("league/*.deck", "/top/league/a.deck", True),
        ("league/*.deck", "/top/league/x/a.deck", False),
        ("league/*.deck", "/top/x/league/a.deck", False),
        ("./league/**", "/top/league/x/a.deck", True),
        ("league/**/a.deck", "/top/league/a.deck", True),
        ("league/**/a.deck", "/top/league/x/y/a.deck", True),
        ("**/old/a?.deck", "/top/x/old/a1.deck", True),
        ("**/old/a?.deck", "/top/x/old/a/.deck", False),
        ("a[0-9].deck", "/top/a1.deck", True),
        ("a[!0-9].deck", "/top/a1.deck", False),
        ("a[!0-9].deck", "/top/ab.deck", True),
        ("a[.deck", "/top/a[.deck", True),
        ("a.deck", "/top/abdeck", False),
        ("/elsewhere/*", "/elsewhere/a.deck", True),
        ("a*b*b.deck", "/top/axbxb.deck", True),
        ("a*b*b.deck", "/top/axb.deck", False),
        ("a*[0-9]?.deck", "/top/a-x1y.deck", True),
        ("*a*", "/top/xax/b.deck", True),
        ("x/**/a/**/a/b.deck", "/top/x/a/a/a/b.deck", True),
        ("x/**/a/**/a/b.deck", "/top/x/a/b.deck", False),
        ("x/**/*a/b*", "/top/x/a/c/ca/bb.deck", True),
        ("x/**/**/b.deck", "/top/x/b.deck", True),
        ("league/**", "/top/league", False),
        ("a**b", "/top/a-b", True),
        ("a**b", "/top/a/b", False),
    ],
)
def test_matching(pattern: str, path: str, is_matched: bool) -> None:
    patterns = PathPatterns([pattern], "/top")

    assert patterns.match(path) == (0 if is_matched else None)


def test_the_first_of_several_patterns_is_told() -> None:
    assert PathPatterns(["x", "a*", "*.deck"], "/top").match("/top/a.deck") == 1


def test_signs_in_the_name_of_the_folder_mean_themselves() -> None:
    patterns = PathPatterns(["a.deck", "x/b.deck"], "/top[1]*")

    assert patterns.match("/top[1]*/a.deck") == 0
    assert patterns.match("/top[1]*/x/b.deck") == 1
    assert patterns.match("/top1x/a.deck") is None


def test_an_impossible_pattern_is_misuse() -> None:
    with pytest.raises(UsageError, match="is not a valid path pattern"):
        PathPatterns(["a[z-a]"], "/top")


def test_a_pattern_that_is_longer_than_any_path_is_misuse() -> None:
    PathPatterns(["a" * 4096], "/top")
    with pytest.raises(UsageError, match="is too long") as info:
        PathPatterns(["a" * 4097], "/top")
    assert info.value.help == "A pattern has at most 4096 characters"


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 40 + "b", "a" * 4_000),
        ("a/" + "**/a/" * 40 + "b", "a/" * 2_000),
        ("**/" + "*a*/" * 20 + "b", "aaaa/" * 500),
    ],
    ids=["stars", "folders", "both"],
)
def test_patterns_of_many_stars_end(pattern: str, path: str) -> None:
    assert PathPatterns([pattern], "/top").match(f"/top/{path}") is None
