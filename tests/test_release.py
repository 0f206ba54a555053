"""What must agree at a release: version, changelog, and the pages that pin it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deckcheck import __version__

ROOT = Path(__file__).resolve().parent.parent
PINNED = re.compile(r"(?:@v|rev: v|ref: v|deckcheck==)(\d+\.\d+\.\d+)")
RELEASE = re.compile(r"^## (\S+)(?: - (\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)


class TestVersion:
    def test_changelog_begins_with_the_version_of_the_package(self) -> None:
        releases = RELEASE.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))

        assert releases[0][0] in (__version__, "Unreleased")

    def test_every_release_has_a_date(self) -> None:
        releases = RELEASE.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))

        assert [name for name, day in releases if not day] in ([], ["Unreleased"])

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
    def test_pages_to_copy_pin_this_version(self, page: str) -> None:
        text = (ROOT / page).read_text(encoding="utf-8")

        assert set(PINNED.findall(text)) == {__version__}
