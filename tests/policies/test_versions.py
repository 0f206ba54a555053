"""Older versions of players play the same games for ever, and results name them."""

from __future__ import annotations

import pytest

import deckcheck
from deckcheck.policies.registry import policy_in_words, policy_label, policy_names
from deckcheck.policies.workspace import stand_ins

STANDARD = "decks/gwent/standard"
PAIR = (f"{STANDARD}/nr_siege_masters.deck", f"{STANDARD}/mo_swarm.deck")
TEAMS = [
    f"decks/gwent/two_vs_two/{name}.deck"
    for name in ("coast_and_forest", "empire_and_isles")
]
TABLES = [
    f"decks/gwent/free_for_all/{name}.deck"
    for name in ("four_corners", "kings_and_beasts")
]
SG_GWINT = [
    f"decks/sg_gwint/approximation/{name}.deck"
    for name in ("wild_hunt", "isles_in_rage")
]
SOLO = ["decks/gwent/solo/mo_full_moon.deck", "decks/gwent/solo/ng_all_legions.deck"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "format", "seed", "games", "checksum"),
    [
        (PAIR, "gwent/standard", 1, 10_000, "00c33ffa5fe2"),
        # Where Scoia'tael decides who begins, a shuffle is played once since 0.3.
        ([STANDARD], "gwent/standard", 11, 20, "735bd5ef219e"),
        (TEAMS, "gwent/two_vs_two", 11, 4, "07c7d4caac28"),
        (TABLES, "gwent/free_for_all", 11, 4, "1f23238c2a8b"),
        (SOLO, "gwent/solo", 11, 4, "99666b15f642"),
        (SG_GWINT, "sg_gwint/approximation", 11, 200, "bf33ccb92fe1"),
    ],
    ids=["pair", "all decks", "teams", "tables", "solo", "sg_gwint"],
)
def test_the_first_heuristic_plays_as_it_always_has(
    files, format, seed, games, checksum
) -> None:
    result = deckcheck.simulate(
        *files, format=format, seed=seed, games=games, policies="heuristic-1"
    )

    assert result.checksum == checksum


@pytest.mark.slow
def test_the_first_search_plays_as_it_always_has():
    result = deckcheck.simulate(
        *PAIR, format="gwent/standard", seed=1, games=20, policies="search-1:16"
    )

    assert result.checksum == "d1c378e2847b"


def test_a_label_has_the_budget_that_was_asked_for() -> None:
    assert policy_label("search-1:64") == "search:64 1"
    assert policy_label("search:64") == "search:64 2"


def test_a_name_with_a_number_is_that_version() -> None:
    assert policy_label("heuristic-1") == "heuristic 1"
    assert len({policy_label(name) for name in policy_names()}) == len(policy_names())


def test_a_style_is_a_player_of_its_own() -> None:
    assert policy_label("spy_averse") == "spy_averse 1"
    assert policy_in_words("spy_averse") == "`spy_averse 1`"
    assert policy_in_words("heuristic-1") == "rules of thumb"

    checksums = {
        name: deckcheck.simulate(*PAIR, games=20, policies=name).checksum
        for name in ("heuristic", "bold", "careful", "spy_averse")
    }
    assert len(set(checksums.values())) == len(checksums)


def test_where_the_heuristic_has_no_styles_the_report_says_so() -> None:
    assert stand_ins(["bold", "heuristic-1"], "gwent", "two") == ()
    assert stand_ins(["bold", "heuristic-1"], "gwent", "many") == ()
    assert stand_ins(["bold", "heuristic-1"], "gwent", "solo") == ("bold",)
    assert stand_ins(["careful"], "sg_gwint", "duel") == ("careful",)


def test_results_say_which_version_played() -> None:
    policies = ("random", "heuristic-1")
    result = deckcheck.simulate(*PAIR, games=2, policies=policies)

    assert result.to_dict()["policy_versions"] == {"random": 1, "heuristic-1": 1}
