"""Simulations as text."""

from __future__ import annotations

from results import deck, result_of

from deckcheck.report import write_report

MATCH = """\
Siege masters against The swarm

                      win rate  95 % interval   games   wins  losses  draws
all games               56.2 %   55.1 to 57.4  10,000  5,550   4,300    150
Siege masters starts    65.0 %   63.7 to 66.3   5,000  3,200   1,700    100
The swarm starts        47.5 %   46.1 to 48.9   5,000  2,350   2,600     50

2.50 rounds and 24.0 turns a game; cards left in hand: 1.00 (Siege masters),
0.50 (The swarm)

format    gwent/standard, snapshot 2025-10
policies  heuristic
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


def test_nothing_is_wider_than_the_screen() -> None:
    names = [f"A deck with a name as long as a sentence, {n}" for n in range(15)]
    result = result_of(*map(deck, names))

    for width in (80, 100, 120):
        lines = write_report(result, "table", width).splitlines()
        assert max(map(len, lines)) <= width


def test_a_matrix_too_wide_comes_in_parts() -> None:
    text = text_of(*(f"Deck {n}" for n in range(15)))

    assert text.count("13  Deck 12  ") == 3


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
    assert "policies  random, heuristic" in text


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
