"""An event without errors, in a folder of its own."""

from pathlib import Path

import pytest

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
FILE = """\
name = "Winter cup"
date = "2025-12-06"
format = "gwent/standard"
lists = "lists"
players = ["Anna Nowák", "Ben Ito"]
"""


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the event, which is the working folder too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "lists").mkdir()
    for player, deck in (("anna-nowak", "mo_swarm"), ("ben_ito", "nr_siege_masters")):
        text = (DECKS / "standard" / f"{deck}.deck").read_text(encoding="utf-8")
        (tmp_path / "lists" / f"{player}.deck").write_text(text, encoding="utf-8")
    (tmp_path / "event.toml").write_text(FILE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def troubled(cup: Path) -> Path:
    """The same, with an illegal list, a missing one, and one of nobody."""
    ben = cup / "lists" / "ben_ito.deck"
    deck = ben.read_text(encoding="utf-8")
    assert "2 Ballista" in deck
    ben.write_text(deck.replace("2 Ballista", "5 Ballista"), encoding="utf-8")
    (cup / "lists" / "dora.deck").write_text(deck, encoding="utf-8")
    text = FILE.replace('"Ben Ito"]', '"Ben Ito", "Cleo"]')
    (cup / "event.toml").write_text(text, encoding="utf-8")
    return cup
