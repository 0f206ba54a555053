"""Drawings as files: every one of a page, whole, and the same every time."""

from __future__ import annotations

import importlib.util
import os
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import deckcheck
from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
NAMES = ("nr_siege_masters", "sk_berserkers")
SVG = "{http://www.w3.org/2000/svg}"
MISSING = importlib.util.find_spec("matplotlib") is None
needs_matplotlib = pytest.mark.skipif(
    MISSING and not os.environ.get("CI"), reason="matplotlib is not installed"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three decks, one of which has a name that means something elsewhere."""
    folder = tmp_path_factory.mktemp("plots")
    text = (STANDARD / "mo_swarm.deck").read_text(encoding="utf-8")
    odd = folder / "odd.deck"
    odd.write_text(text.replace("The swarm", "<$5 & \\frac$>"), encoding="utf-8")
    decks = [odd, *(STANDARD / f"{name}.deck" for name in NAMES)]
    deckcheck.simulate(decks, run=folder / "run", games=40, policies="random")
    return folder


@needs_matplotlib
def test_every_drawing_of_the_page_is_a_file(folder: Path, capsys: Captured) -> None:
    assert main(["report", str(folder / "run"), "--plots", str(folder / "a")]) == 0
    assert capsys.readouterr().out == ""
    files = {file.name for file in (folder / "a").iterdir()}
    names = ("standings", "matrix", "bring", "matchups", "endings-1", "endings-2")

    assert files == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}
    for file in (folder / "a").glob("*.png"):
        data = file.read_bytes()
        assert data.startswith(b"\x89PNG\r\n")
        assert data.endswith(b"IEND\xaeB`\x82")
    for file in (folder / "a").glob("*.svg"):
        assert ET.parse(file).getroot().tag == f"{SVG}svg"


@needs_matplotlib
def test_they_are_the_same_every_time(folder: Path) -> None:
    for place in ("b", "c"):
        words = ["report", str(folder / "run"), "--plots", str(folder / place)]
        assert main(words) == 0
    both = [
        {file.name: file.read_bytes() for file in (folder / place).iterdir()}
        for place in ("b", "c")
    ]

    assert both[0] == both[1]


@needs_matplotlib
def test_the_report_is_written_too_if_it_is_asked_for(
    folder: Path, capsys: Captured
) -> None:
    words = ["report", str(folder / "run"), "--plots", str(folder / "d")]
    assert main([*words, "--output-format", "csv"]) == 0

    assert capsys.readouterr().out.startswith("deck,opponent,starts,metric")
    assert (folder / "d" / "matrix.svg").is_file()


@needs_matplotlib
def test_a_folder_that_is_a_file_is_refused(folder: Path, capsys: Captured) -> None:
    place = folder / "odd.deck"
    before = place.read_bytes()

    assert main(["report", str(folder / "run"), "--plots", str(place)]) == 2
    assert f"Cannot write to `{place}`" in capsys.readouterr().err
    assert place.read_bytes() == before


def test_without_matplotlib_a_sentence_says_what_to_do(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    place = folder / "none"

    assert main(["report", str(folder / "run"), "--plots", str(place)]) == 2
    told = capsys.readouterr().err
    assert "Plots need the package `matplotlib`" in told
    assert "pip install matplotlib" in told
    assert not place.exists()
