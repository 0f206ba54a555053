"""Sheets for the table: a page for each player, with all that a judge counts."""

import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.commands import stdout_of
from helpers.events import edit, read
from helpers.pages import browser

from deckcheck.cli import main
from deckcheck.events import Event, check_event
from deckcheck.events.event import PlayerGroup
from deckcheck.events.pairings import Pairing, make_round_sheets, pair_players
from deckcheck.events.table_sheets import TableSheet, event_sheets
from deckcheck.studies.real_games_table import read_games

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
PAPER = {"A4": (21.0, 29.7), "Letter": (21.59, 27.94)}


def make_sheet(player: str) -> TableSheet:
    sheets = event_sheets(check_event(Path("event.toml")))
    return next(sheet for sheet in sheets if sheet.player == player)


def test_every_copy_has_a_box_and_totals_add_up(cup: Path) -> None:
    [deck] = make_sheet("Ben Ito").decks

    assert [(part.title, part.total) for part in deck.parts] == [
        *(("Units", 15), ("Heroes", 7), ("Specials", 5)),
        ("Weather", 2),
    ]
    assert deck.total == 29
    for part in deck.parts:
        assert sum(row.count for row in part.rows) == part.total
    main(["event", "event.toml", "--sheets", "sheets.html", "-qq"])
    page = read("sheets.html")
    assert "http://" not in page.replace("http-equiv", "")
    ben = page.partition("<h1>Ben Ito</h1>")[2]
    assert ben.count('<span class="box"></span>') == 29 + 1
    decoy = next(line for line in ben.splitlines() if ">Decoy<" in line)
    assert decoy.count('class="box"') == 3
    assert "Seal" not in page


def test_what_to_look_for(cup: Path) -> None:
    Path("league.yaml").write_text(
        "title: League\nextends: gwent/standard\nsnapshot: 2025-11\nconstraints:\n"
        "  bans: {rule: banned, cards: [Dandelion]}\n"
        "  few: {rule: restricted, cards: [Decoy], max: 2}\n"
    )
    edit("event.toml", "gwent/standard", "./league.yaml")
    [deck] = make_sheet("Ben Ito").decks

    assert deck.limits == (
        ("a", "At least 22 unit and hero cards; here 22"),
        ("b", "At most 10 special and weather cards; here 7"),
        ("c", "Banned: Dandelion"),
        ("d", "At most 2 copies of each of these: Decoy; here 3"),
    )
    marks = {row.name: row.marks for part in deck.parts for row in part.rows}
    assert (marks["Decoy"], marks["Scorch"], marks["Ballista"]) == ("bd", "b", "")


def test_names_in_the_language_of_the_player(cup: Path) -> None:
    edit("event.toml", '"Ben Ito"]', '"Ben Ito"]\nlanguages = {"Ben Ito" = "de"}')
    [deck] = make_sheet("Ben Ito").decks
    rows = {row.name: row.own_name for part in deck.parts for row in part.rows}

    assert rows["Ballista"] == "Balliste"
    assert rows["Villentretenmerth"] is None


def test_convert_writes_the_sheet_of_a_deck(cup: Path, capsys: Captured) -> None:
    """One without a format has no limits."""
    words = ("convert", "lists/ben_ito.deck", "--to", "sheet")
    page = stdout_of(capsys, *words)
    assert "<h1>Siege masters</h1>" in page
    assert page.count('<span class="box"></span>') == 29 + 1
    assert "At most 10 special and weather cards; here 7" in page

    text = "Name: <b>A</b>\nLeader: Foltest, The Siegemaster\n3 Decoy\n"
    Path("lists/ben_ito.deck").write_text(text)
    page = stdout_of(capsys, *words, "--game", "gwent")
    assert '<div class="limits">' not in page
    assert "<h1>&lt;b&gt;A&lt;/b&gt;</h1>" in page


def test_the_more_cards_the_smaller_the_letters(cup: Path) -> None:
    small, lineups = make_sheet("Ben Ito"), ROOT / "decks" / "gwent" / "tournament"
    shutil.copy(min(lineups.glob("*.deck")), "lists/ben_ito.deck")
    edit("event.toml", "/standard", "/tournament")
    large = make_sheet("Ben Ito")

    assert (small.columns, large.columns) == (2, 3)
    assert small.size > large.size > 7


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPER)
def test_each_player_has_one_page_on_paper(paper: str, cup: Path) -> None:
    """A deck of one copy of every card, a lineup, and one that is missing."""
    from deckcheck.cards import load_database

    cards = "\n".join(card.name for card in load_database("gwent").cards.values())
    Path("lists/ben_ito.deck").write_text(f"Name: All\n{cards}\n", encoding="utf-8")
    lineups = ROOT / "decks" / "gwent" / "tournament"
    shutil.copy(min(lineups.glob("*.deck")), "lists/anna-nowak.deck")
    edit("event.toml", "/standard", "/tournament")
    edit("event.toml", '"]', '", "Cleo"]')
    assert main(["event", "event.toml", "--sheets", "sheets.html", "-qq"]) == 1

    with browser() as shown:
        shown.open(Path("sheets.html").resolve())
        pdf = shown.printed(*PAPER[paper])
        cut = shown.run(
            "return [...document.querySelectorAll('.decks')].filter(d =>"
            " d.scrollWidth > d.clientWidth + 1 || d.scrollHeight > d.clientHeight + 1)"
            ".map(d => d.scrollWidth + ' ' + d.scrollHeight)"
        )
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 3
    assert cut == []


# Pairings and results.


def pair_numbers(cup: Path, count: int) -> tuple[Event, list[Pairing]]:
    """Pair so many players, with one more who does not play."""
    players = tuple(PlayerGroup(f"Player {n}") for n in range(count))
    gone = PlayerGroup("Gone", departure="ill")
    event = replace(check_event(cup / "event.toml"), players=(*players, gone))
    return event, pair_players(event)


ROUNDS = {0: 0, 1: 1, 2: 1, 3: 3, 4: 3, 9: 9, 10: 9, 11: 4, 16: 4, 17: 5}
"""The number of rounds for a number of players."""


@pytest.mark.parametrize("count", ROUNDS)
def test_pair_players_lets_nobody_meet_twice(count: int, cup: Path) -> None:
    _, pairings = pair_numbers(cup, count)
    met = Counter(frozenset((p.first.player, p.second.player)) for p in pairings)

    assert set(met.values()) <= {1}
    assert len(pairings) == ROUNDS[count] * (count // 2)
    for number in range(1, ROUNDS[count] + 1):
        tables = [each for each in pairings if each.round == number]
        names = [s.player for each in tables for s in (each.first, each.second)]
        assert len(set(names)) == len(names) == count // 2 * 2
        assert [each.table for each in tables] == list(range(1, count // 2 + 1))


def test_round_sheets_have_all_tables_and_who_rests(cup: Path) -> None:
    event, pairings = pair_numbers(cup, 37)
    pages = make_round_sheets(event, "rounds.csv")

    assert sum(len(page.pairings) for page in pages) == len(pairings) == 6 * 18
    assert [len(page.pairings) for page in pages[:2]] == [16, 2]
    assert len({page.resting for page in pages}) == 6


def test_results_typed_into_the_table_are_read(cup: Path) -> None:
    pair = ["event", "event.toml", "--pairings", "rounds.html", "-qq"]
    assert main(pair) == 0
    results = Path("rounds.csv")
    line = re.compile(r"^(\d+,\d+,([^,]*),.*?),,", flags=re.MULTILINE)
    filled = line.sub(r"\1,\2,", results.read_text())
    results.write_text(filled)

    [game] = read_games(results).games
    assert (game.pilots, game.score) == (("Anna Nowák", "Ben Ito"), 1)
    # Another run would replace what was typed.
    assert main(pair) == 2
    assert results.read_text() == filled


def test_pages_of_rounds_show_decks_once_revealed(cup: Path) -> None:
    main(["event", "event.toml", "--pairings", "rounds.html", "-qq"])
    hidden = read("rounds.html")
    deck = read("rounds.csv").splitlines()[1].split(",")[3]
    Path("rounds.csv").unlink()
    main(["event", "event.toml", "--pairings", "rounds.html", "--reveal", "-qq"])

    assert deck
    assert deck not in hidden
    assert deck in read("rounds.html")
