"""Names and players of the decks of a run."""

from __future__ import annotations

import pytest

from deckcheck.decks import Deck
from deckcheck.decks.model import DeckSource
from deckcheck.findings import Position, Span, UsageError
from deckcheck.sim.entrants import Entrant, assign_policies, distinct_names

START = Span(Position(1, 1), Position(1, 1))


def entrant(name: str, path: str, index: int = 0, policy: str = "random") -> Entrant:
    source = DeckSource(path, index)
    deck = Deck(source, name, None, None, None, (), START, {})
    return Entrant(deck, name, policy)


def names_of(*entrants: Entrant) -> list[str]:
    return [entrant.name for entrant in distinct_names(entrants)]


def test_names_that_differ_stay() -> None:
    names = names_of(entrant("Swarm", "a.deck"), entrant("Siege", "b.deck"))

    assert names == ["Swarm", "Siege"]


def test_decks_of_one_name_are_told_apart_by_their_files() -> None:
    names = names_of(
        entrant("Swarm", "lists/anna.deck"),
        entrant("Swarm", "lists/ben.deck", policy="heuristic"),
        entrant("Siege", "lists/ben.deck", 1),
    )

    assert names == ["Swarm (anna.deck)", "Swarm (ben.deck)", "Siege"]


def test_files_of_one_name_are_told_apart_by_their_folders() -> None:
    files = ("spring/anna/1.deck", "autumn/anna/1.deck", "anna/2.deck")

    assert names_of(*(entrant("Swarm", file) for file in files)) == [
        "Swarm (spring/anna/1.deck)",
        "Swarm (autumn/anna/1.deck)",
        "Swarm (anna/2.deck)",
    ]


def test_decks_of_one_name_in_one_file_are_told_apart_by_their_place() -> None:
    names = names_of(
        entrant("Swarm", "anna.deck"),
        entrant("Swarm", "anna.deck", 1),
        entrant("Swarm", "ben.deck"),
    )

    assert names == [
        "Swarm (anna.deck, deck 1)",
        "Swarm (anna.deck, deck 2)",
        "Swarm (ben.deck, deck 1)",
    ]


def test_the_same_deck_under_two_players_is_named_after_them() -> None:
    names = names_of(
        entrant("Swarm", "swarm.deck"),
        entrant("Swarm", "swarm.deck", policy="heuristic"),
        entrant("Siege", "siege.deck"),
    )

    assert names == ["Swarm (random)", "Swarm (heuristic)", "Siege"]


def test_the_same_deck_twice_is_numbered() -> None:
    names = names_of(
        entrant("Swarm", "swarm.deck"),
        entrant("Swarm", "swarm.deck"),
        entrant("Swarm (1)", "first.deck"),
    )

    assert names == ["Swarm (2)", "Swarm (3)", "Swarm (1)"]


def test_line_breaks_do_not_get_into_names() -> None:
    names = names_of(entrant(" Siege\n masters ", "a.deck"), entrant("", "b.deck"))

    assert names == ["Siege masters", "deck"]


def test_one_policy_serves_all() -> None:
    assert assign_policies(["random"], 3) == ["random"] * 3


def test_policies_go_in_order() -> None:
    assert assign_policies(["random", "heuristic"], 2) == ["random", "heuristic"]


@pytest.mark.parametrize("given", [["random"] * 2, ["random"] * 4, []])
def test_policies_must_fit_the_decks(given: list[str]) -> None:
    with pytest.raises(UsageError, match=f"{len(given)} policies given for 3 decks"):
        assign_policies(given, 3)


def test_the_only_deck_is_one_deck() -> None:
    with pytest.raises(UsageError, match=r"2 policies given for 1 deck\."):
        assign_policies(["random"] * 2, 1)
