"""Names and players of the decks of a run."""

from __future__ import annotations

import pytest

from deckcheck.decks import Deck
from deckcheck.decks.model import DeckSource
from deckcheck.findings import Position, Span
from deckcheck.findings.errors import UsageError
from deckcheck.sim.entrants import Entrant, assign_policies, distinct_names

START = Span(Position(1, 1), Position(1, 1))


def names_of(*decks: tuple[str, str]) -> list[str]:
    entrants = [
        Entrant(
            Deck(DeckSource(name), name, None, None, None, (), START, {}), name, policy
        )
        for name, policy in decks
    ]
    return [entrant.name for entrant in distinct_names(entrants)]


def test_names_that_differ_stay() -> None:
    assert names_of(("Swarm", "random"), ("Siege", "random")) == ["Swarm", "Siege"]


def test_the_same_deck_under_two_players_is_named_after_them() -> None:
    names = names_of(("Swarm", "random"), ("Swarm", "heuristic"), ("Siege", "random"))

    assert names == ["Swarm (random)", "Swarm (heuristic)", "Siege"]


def test_other_decks_of_one_name_are_numbered() -> None:
    names = names_of(("Swarm", "random"), ("Swarm", "random"), ("Swarm (1)", "random"))

    assert names == ["Swarm (2)", "Swarm (3)", "Swarm (1)"]


def test_line_breaks_do_not_get_into_names() -> None:
    assert names_of((" Siege\n masters ", "random"), ("", "random")) == [
        "Siege masters",
        "deck",
    ]


def test_one_policy_serves_all() -> None:
    assert assign_policies(["random"], 3) == ["random"] * 3


def test_policies_go_in_order() -> None:
    assert assign_policies(["random", "heuristic"], 2) == ["random", "heuristic"]


@pytest.mark.parametrize("given", [["random"] * 2, ["random"] * 4, []])
def test_policies_must_fit_the_decks(given: list[str]) -> None:
    with pytest.raises(UsageError, match=f"{len(given)} policies given for 3 decks"):
        assign_policies(given, 3)


def test_the_only_deck_is_one_deck() -> None:
    with pytest.raises(UsageError, match=r"2 policies given for 1 deck$"):
        assign_policies(["random"] * 2, 1)
