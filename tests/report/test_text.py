"""Simulations as text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from results import deck, result_of
from tallies import duel_tally

from deckcheck import terminal
from deckcheck.sim.standings import table_result
from deckcheck.studies.registry import write_report

MATCH = """\
Siege masters against The swarm

                      win rate  95 % interval   games   wins  losses  draws
all games               56.2 %   55.1 to 57.4  10,000  5,550   4,300    150
Siege masters starts    65.0 %   63.7 to 66.3   5,000  3,200   1,700    100
The swarm starts        47.5 %   46.1 to 48.9   5,000  2,350   2,600     50

2.50 rounds and 24.0 turns a game; cards left in hand: 1.00 (Siege masters),
0.50 (The swarm)

format    gwent/standard, snapshot 2025-10
policies  heuristic 2
games     10,000, in mirrored pairs
seed      1
checksum  000000000abc
digest    0123456789ab
speed     4,000 games/s, 1 process
"""


def text_of(*names: str, width: int = 80) -> str:
    return write_report(result_of(*map(deck, names)), "table", width)


def test_a_match() -> None:
    assert text_of("Siege masters", "The swarm") == MATCH


def test_a_round_robin_has_standings_matrix_and_matchups() -> None:
    text = text_of("Siege masters", "The swarm", "Berserkers")

    assert "over all opponents, 20,000 games each\n" in text
    assert "1  Siege masters    56.2 %   55.4 to 57.1  11,100" in text
    assert "3  Berserkers     43.8  43.8     -\n" in text
    assert "Siege masters against Berserkers" in text


@pytest.mark.parametrize("width", [40, 50, 80, 100, 120])
@pytest.mark.parametrize("decks", [2, 15])
def test_nothing_is_wider_than_the_screen(width: int, decks: int) -> None:
    names = [f"A deck with a 名前 as long as a sentence, {n}" for n in range(decks)]
    lines = text_of(*names, width=width).splitlines()

    assert max(map(terminal.width, lines)) <= width


def test_a_matrix_too_wide_comes_in_parts() -> None:
    text = text_of(*(f"Deck {n}" for n in range(15)))

    assert text.count("13  Deck 12  ") == 3


NARROW = """\
Standings: mean win rate over all opponents,
20,000 games each

  win rate  95 % interval    wins  losses  draws
1  Siege masters
    56.2 %   55.4 to 57.1  11,100   8,600    300
2  The swarm
    50.0 %   49.2 to 50.8   9,850   9,850    300
3  Berserkers
    43.8 %   42.9 to 44.6   8,600  11,100    300

Win rate in % of the deck in the row against the
deck in the column

                     1     2     3
1  Siege masters     -  56.2  56.2
2  The swarm      43.8     -  56.2
3  Berserkers     43.8  43.8     -

Matchups, 10,000 games each

Siege masters against The swarm
  win rate 56.2 %, 95 % 55.1-57.4, wins 5,550,
  losses 4,300, draws 150, first 65.0,
  second 47.5, rounds 2.50, left 1.0/0.5

Siege masters against Berserkers
"""


def test_long_tables_end_where_a_reader_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deckcheck.report.outputs.MOST_ROWS", 4)
    monkeypatch.setattr("deckcheck.report.outputs.MOST_IN_MATRIX", 5)
    result = result_of(*(deck(f"Deck {n}") for n in range(6)))
    text, whole = (
        write_report(result, "table", 80, all_matchups=everything)
        for everything in (False, True)
    )

    assert "2 more rows, which `--output-format html:page.html` has\n" in text
    assert re.search(r"^4  Deck", text, re.MULTILINE)
    assert not re.search(r"^[56]  Deck", text, re.MULTILINE)
    flat = " ".join(text.split())
    assert "in the column: 6 rows, which `--output-format html:page.html` has" in flat
    assert "more rows" not in whole
    assert re.search(r"^6  Deck", whole, re.MULTILINE)


def test_a_round_robin_on_a_narrow_screen() -> None:
    text = text_of("Siege masters", "The swarm", "Berserkers", width=50)

    assert text.startswith(NARROW)


def test_names_that_are_cut_still_differ() -> None:
    files = [f"Berserkers of Skellige ({name}.deck)" for name in ("anna", "ben")]
    lines = text_of("The swarm", *files, width=40).splitlines()

    assert "2  Berser…(anna.deck)   43.8     -  56.2" in lines
    assert "3  Berser…e (ben.deck)  43.8  43.8     -" in lines


def test_of_many_matchups_the_most_decisive_are_shown() -> None:
    decks = [deck(f"Deck {n}") for n in range(6)]
    even = result_of(*decks)
    lost = table_result(("Deck 3", "Deck 5"), duel_tally([(10, "A- B-")]))
    tables = tuple(
        lost if table.entrants == lost.entrants else table for table in even.tables
    )
    text = write_report(replace(even, tables=tables), "table")
    every = write_report(even, "table", all_matchups=True)

    assert "The 10 most decisive of 15 matchups, 10,000 games each\n\n" in text
    [first, *rest] = re.findall(r"Deck \d against Deck \d", text)
    assert first == "Deck 3 against Deck 5"
    assert len(rest) == 9
    assert "all matchups with `--all-matchups`" in " ".join(text.split())
    assert len(re.findall(r"Deck \d against Deck \d", every)) == 15
    assert "--all-matchups" not in every


def test_wide_characters_stay_aligned() -> None:
    lines = text_of("日本語", "Короткое", "Jaskier").splitlines()
    first, second = (next(x for x in lines if name in x) for name in ("日本語", "Кор"))

    assert first.index("56.2 %") + 3 == second.index("50.0 %")


def test_control_characters_do_not_reach_the_screen() -> None:
    assert "\x1b" not in text_of("Siege\x1b[2J", "The swarm")


def test_policies_that_differ_stand_beside_the_decks() -> None:
    result = result_of(deck("Siege masters", "random"), deck("The swarm"))
    text = write_report(result, "table")

    assert "Siege masters (random) against The swarm (heuristic)" in text
    assert "policies  random 1, heuristic 2" in text


def test_a_policy_that_tells_decks_apart_is_not_added_again() -> None:
    first, second = "Swarm (a.deck, random)", "Swarm (a.deck, heuristic)"
    result = result_of(deck(first, "random"), deck(second, "heuristic"))

    assert f"{first} against {second}\n" in write_report(result, "table")


def test_an_illegal_deck_is_told() -> None:
    result = result_of(deck("Siege masters"), deck("The swarm", findings=2))
    text = write_report(result, "table")

    assert "warning: `The swarm` is illegal in gwent/standard (2 errors)" in text


def test_a_deck_against_itself_has_no_standings() -> None:
    text = text_of("Siege masters")

    assert "Siege masters against Siege masters" in text
    assert "Standings" not in text


def test_long_names_are_told_below_each_other_before_half_is_cut() -> None:
    names = ("Longships of Skellige + Smugglers and healers", "Spies + Berserkers")
    text = text_of(*names, "The swarm", width=62)

    assert "\n1  Longships of Skellige + Smugglers and healers\n    " in text
    assert "…" not in text.partition("Win rate in %")[0]
