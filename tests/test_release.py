"""What must agree at a release: version, changelog, and the pages that pin it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.version import Version

from deckcheck import __version__

ROOT = Path(__file__).resolve().parent.parent
PINNED = re.compile(r"(?:@v|rev: v|ref: v|deckcheck==)(\d+\.\d+\.\d+)")
RELEASE = re.compile(r"^## (\S+)(?: - (\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)


def releases() -> list[tuple[str, str]]:
    """The versions of the changelog with their days, the newest first."""
    return RELEASE.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


class TestVersion:
    def test_changelog_begins_with_the_version_of_the_package(self) -> None:
        newest = releases()[0][0]

        assert newest == ("Unreleased" if ".dev" in __version__ else __version__)

    def test_what_is_unreleased_has_a_version_above_the_last_release(self) -> None:
        released = [name for name, day in releases() if day]

        assert Version(__version__) >= Version(released[0])
        assert (__version__ == released[0]) == (".dev" not in __version__)

    def test_every_release_has_a_date(self) -> None:
        assert [name for name, day in releases() if not day] in ([], ["Unreleased"])

    @pytest.mark.parametrize(
        "page",
        [
            "docs/how-to/ci.md",
            "examples/tournament/.github/workflows/decks.yml",
            "examples/tournament/.gitlab-ci.yml",
            "examples/tournament/.pre-commit-config.yaml",
            "templates/deckcheck.yml",
        ],
    )
    def test_pages_to_copy_pin_the_last_release(self, page: str) -> None:
        text = (ROOT / page).read_text(encoding="utf-8")
        released = [name for name, day in releases() if day]

        assert set(PINNED.findall(text)) == {released[0]}
