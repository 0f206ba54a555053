"""The page of an event as HTML: whole, safe and alone."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).resolve().parents[2] / "decks" / "gwent"
FILE = """\
name = "Winter <b>cup</b> & more"
date = 2025-12-06
format = "gwent/standard"
lists = "lists"
players = ["Zoë <script>", "Ben", "Cleo"]
"""
EMPTY = {"meta", "br", "link", "img"}


class Page(HTMLParser):
    """The elements, texts and cells of a page; refuses one that is not well formed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.rows: list[list[str]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in EMPTY:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data.strip()
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())


@pytest.fixture
def page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """The page of an event with a good list, a broken one and a missing one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists").mkdir()
    good = (DECKS / "standard" / "mo_swarm.deck").read_text(encoding="utf-8")
    (tmp_path / "lists" / "ben.deck").write_text(good, encoding="utf-8")
    broken = "Name: <i>Nine & more</i>\nLeader: The Siegemaster\n\nScorch\n"
    (tmp_path / "lists" / "zoë script.deck").write_text(broken, encoding="utf-8")
    (tmp_path / "event.toml").write_text(FILE, encoding="utf-8")
    args = ["event", "event.toml", "--output-format", "html", "-o", "page.html"]
    assert main([*args, "--reveal"]) == 1
    assert capsys.readouterr().out == ""
    return (tmp_path / "page.html").read_text(encoding="utf-8")


def test_every_player_has_a_row(page: str) -> None:
    assert Page(page).rows == [
        ["Player", "Verdict", "Deck", "Faction", "Leader"],
        [
            "Ben",
            "legal",
            "The swarm",
            "Monsters",
            "Eredin, Commander of the Red Riders",
        ],
        ["Cleo", "no list", "", "", ""],
        [
            "Zoë <script>",
            "illegal",
            "<i>Nine & more</i>",
            "Northern Realms",
            "Foltest, The Siegemaster",
        ],
    ]


def test_names_are_text_and_no_markup(page: str) -> None:
    found = Page(page)

    assert {"script", "b", "i"} & set(found.tags) == set()
    assert found.texts["h1"] == ["Winter <b>cup</b> & more"]


def test_problems_and_factions_show(page: str) -> None:
    texts = Page(page).texts

    assert texts["h3"] == ["Cleo", "Zoë <script>"]
    assert "Player “Cleo” has no list" in texts["li"]
    assert "0 unit cards, at least 22 required" in texts["li"]
    assert any(
        line == "event.toml:5:35, missing-list. Add the list as “lists/cleo.deck”"
        for line in texts["div"]
    )
    assert texts["dt"] == ["Monsters", "Northern Realms"]
    assert "3 players, 2 lists, 1 legal, 1 illegal, 1 missing" in texts["p"]


def test_the_page_says_what_is_legal(page: str) -> None:
    texts = Page(page).texts

    assert "2025-12-06 · Gwent, standard (gwent/standard, 2025-10)" in texts["p"]
    assert "What is legal" in texts["h2"]
    assert "At most 10 special and weather cards" in texts["li"]


def test_the_page_needs_no_other_file(page: str) -> None:
    found = Page(page)

    assert {"link", "img", "script", "iframe"} & set(found.tags) == set()
    assert {"src", "onload"} & {name for name, _ in found.attributes} == set()
    links = [value or "" for name, value in found.attributes if name == "href"]
    assert all(link.startswith("#") for link in links)
    assert "url(" not in page
    assert "@import" not in page


def test_a_game_without_factions_and_leaders_has_no_such_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists").mkdir()
    folder = DECKS.parent / "deckmaster" / "standard"
    deck = sorted(folder.glob("*.deck"))[0].read_text(encoding="utf-8")
    (tmp_path / "lists" / "ben.deck").write_text(deck, encoding="utf-8")
    text = FILE.replace("gwent/standard", "deckmaster/standard")
    text = text.replace('"Zoë <script>", "Ben", "Cleo"', '"Ben"')
    (tmp_path / "event.toml").write_text(text, encoding="utf-8")

    args = ["event", "event.toml", "--output-format", "html", "-o", "page.html"]
    assert main([*args, "--reveal"]) == 0
    head, _ = Page((tmp_path / "page.html").read_text(encoding="utf-8")).rows
    assert head == ["Player", "Verdict", "Deck"]
