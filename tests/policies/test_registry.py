"""Players: their names, their order and their workspace."""

import json
from hashlib import sha256
from itertools import combinations, permutations
from math import sqrt

import numba
import numpy as np
import pytest

import deckcheck
from deckcheck.engine.gwent.weights import find_figures
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.registry import (
    BOLD,
    CAREFUL,
    GAMES,
    LATEST_VERSION,
    SPY_AVERSE,
    UnplayedCode,
    load_game,
)
from deckcheck.findings import UsageError
from deckcheck.playing.table import _seat_policy, seat_random_deck
from deckcheck.policies.players import has_record, if_seated
from deckcheck.policies.registry import (
    PLAYERS,
    Policy,
    policy_in_words,
    policy_label,
    policy_names,
    read_policy,
)
from deckcheck.policies.workspace import (
    EXTRA_PLAYERS,
    extra_players,
    new_workspace,
    played_as,
)

# Players as users name them.


def test_a_budget_stands_behind_the_name() -> None:
    for text, budget in (("search", 256), ("search:1", 1), ("search:1000", 1000)):
        assert read_policy(text) == PLAYERS["search-2"]._replace(budget=budget)
        assert read_policy(text).policy == Policy.SEARCH


def test_a_version_of_a_player_goes_by_the_same_rules_of_thumb() -> None:
    """Who goes by others is another version, as figures of this one are published."""
    assert {name: player.heuristic for name, player in PLAYERS.items()} == {
        **dict.fromkeys(("random-1", "sane_random-1", "no_pass-1"), LATEST_VERSION),
        "heuristic-3": LATEST_VERSION,
        "heuristic-2": 2,
        "heuristic-1": 1,
        "bold-1": BOLD,
        "careful-1": CAREFUL,
        "spy_averse-1": SPY_AVERSE,
        "learned-6": 2,
        "learned-3": 2,
        "learned-1": 2,
        "search-2": 2,
    }


def test_the_printed_name_of_a_bot_has_its_version_and_budget() -> None:
    for text, label in (
        ("learned", "learned-6"),
        ("learned-3", "learned-3"),
        ("heuristic-1", "heuristic-1"),
        ("spy_averse", "spy_averse-1"),
        ("search", "search-2:256"),
        ("search:64", "search-2:64"),
        ("search-2:1", "search-2:1"),
    ):
        assert policy_label(text) == label


def test_every_printed_name_is_accepted_and_means_the_same_bot() -> None:
    for name in policy_names():
        label = policy_label(name)
        assert read_policy(label) == read_policy(name)
        assert policy_label(label) == label
        assert policy_in_words(name) == f"`{label}`"


def test_a_name_without_a_version_is_the_latest() -> None:
    for player in PLAYERS.values():
        assert read_policy(player.name).version >= player.version


def test_a_sentence_compares_a_bot_with_another() -> None:
    for text, instead, words in (
        ("heuristic", "learned", "the weaker bot `heuristic-3`"),
        ("learned", "heuristic", "the stronger bot `learned-6`"),
        ("bold", "heuristic", "`bold-1`"),
    ):
        assert policy_in_words(text, instead) == words


BUDGET_HELP = "games it may play on trial"


def test_what_cannot_be_is_refused() -> None:
    for text, message, remedy in (
        ("serach", "unknown policy `serach`", "Did you mean `search`?"),
        ("lerned-4", "unknown policy `lerned-4`", "Did you mean `learned-6`?"),
        ("learned-9", "unknown policy `learned-9`", "Did you mean `learned-6`?"),
        ("search-1:8", "unknown policy `search-1`", "Did you mean `search-2`?"),
        ("", "unknown policy ``", "Choose `auto`, `random`, "),
        ("heuristic:5", "`heuristic` has no budget", "write `heuristic`"),
        ("random:", "`random` has no budget", "write `random`"),
        (
            "search:",
            "the budget of `search` is ``, must be",
            "for a move: `search:256`",
        ),
        ("search:0", "is `0`, must be a number from 1 to 1,000,000", "`search:256`"),
        ("search:-1", "is `-1`, must be", BUDGET_HELP),
        ("search:abc", "is `abc`, must be", BUDGET_HELP),
        ("search:1_0", "is `1_0`, must be", BUDGET_HELP),
        ("search:٣", "is `٣`, must be", BUDGET_HELP),
        ("search:1000001", "is `1000001`, must be", BUDGET_HELP),
        ("search:" + "9" * 5000, "must be a number", BUDGET_HELP),
    ):
        with pytest.raises(UsageError) as error:
            read_policy(text)
        assert message in str(error.value), text
        assert remedy in (error.value.help or ""), text


def test_the_figures_of_a_version_stay() -> None:
    # Other figures play otherwise: they are a version of their own.
    for version, digest in (
        (1, "e3ad39333986"),
        (2, "49a65db1ef93"),
        (LATEST_VERSION, "81c95c4d6605"),
        (BOLD, "fec356e04039"),
        (CAREFUL, "8a965a6f0213"),
        (SPY_AVERSE, "75e31e64d5fa"),
    ):
        figures = json.dumps(find_figures(version), sort_keys=True)
        assert sha256(figures.encode()).hexdigest()[:12] == digest, version


# In which order decks are named decides nothing: no choice falls to the first one.

STANDARD = "decks/gwent/standard"
SCOIATAEL = "st_beautiful_archers"
OTHERS = ("mo_swarm", "nr_siege_masters")
NAMING_ORDER_GAMES = 4_000
DEVIATIONS = 4
"""A difference that chance makes once in 16,000 comparisons."""


@pytest.mark.parametrize("policy", ["heuristic", "learned"])
@pytest.mark.parametrize("other", OTHERS)
def test_who_chooses_the_starter_does_so_whoever_is_named_first(policy, other) -> None:
    first, second = (f"{STANDARD}/{name}.deck" for name in (SCOIATAEL, other))
    how = {"games": 20, "policies": policy, "cross_check": "none"}
    [named_first] = deckcheck.simulate(first, second, **how).matchups
    [named_second] = deckcheck.simulate(second, first, **how).matchups

    assert named_first.a_starts.games == named_second.b_starts.games == 0


@pytest.mark.slow
def test_the_seats_of_a_table_may_be_named_in_any_order() -> None:
    names = ("st_beautiful_archers", "mo_swarm", "nr_siege_masters")

    compare_shares("gwent/free_for_all", [f"{STANDARD}/{n}.deck" for n in names])


@pytest.mark.slow
def test_teams_may_be_named_in_any_order() -> None:
    names = ("coast_and_forest", "empire_and_isles")

    compare_shares(
        "gwent/two_vs_two", [f"decks/gwent/two_vs_two/{n}.deck" for n in names]
    )


def compare_shares(format, entrants) -> None:
    """Win shares in one order and in the other: no further apart than chance makes."""
    here = win_shares(format, entrants)
    there = win_shares(format, entrants[::-1])
    for (share, error), (other, other_error) in zip(here, there[::-1], strict=True):
        assert abs(share - other) < DEVIATIONS * sqrt(error**2 + other_error**2)


def win_shares(format, entrants) -> list[tuple[float, float]]:
    """The win share of each, with its standard error."""
    result = deckcheck.simulate(*entrants, format=format, games=NAMING_ORDER_GAMES)
    shares = [each.win_share for each in result.tables[0].performances]
    return [
        (share.value, (share.interval[1] - share.interval[0]) / 2 / 1.96)
        for share in shares
    ]


# The players' workspace: data of those who are compiled only when they are seated.


def players_of(game: str, variant: str) -> list[str]:
    """The extra players who know this variant of a game."""
    return [
        name
        for name in sorted(EXTRA_PLAYERS)
        if played_as(Policy[name.upper()], game, variant) == Policy[name.upper()]
    ]


def test_a_stand_in_plays_where_a_bot_knows_no_variant() -> None:
    """`set_table` seats the policy that really plays."""
    for game, variant, policy in (
        ("gwent", "two", Policy.LEARNED),
        ("sg_gwint", "duel", Policy.LEARNED_1),
        ("deckmaster", "two", Policy.HEURISTIC),
    ):
        seated = _seat_policy(seat_random_deck("learned"), game, variant)
        assert seated.policy == policy, game


KINDS = [
    (game, variant, extras)
    for game in GAMES
    for variant in load_game(game).RECORD_TYPES
    for size in range(len(EXTRA_PLAYERS) + 1)
    for extras in combinations(players_of(game, variant), size)
]


def test_basic_players_need_no_workspace() -> None:
    assert extra_players([Policy.RANDOM, Policy.HEURISTIC], "gwent", "many") == ()
    assert new_workspace("gwent", "many", ()).dtype.itemsize == 8


def test_rules_of_thumb_are_compiled_with_those_who_rate_moves() -> None:
    """So they play again what these played, and nothing is compiled for it."""
    for policy in (Policy.HEURISTIC, Policy.LEARNED):
        assert extra_players([policy], "gwent", "two") == ("learned",)
    with_older = extra_players([Policy.LEARNED_3], "gwent", "two")
    assert with_older == ("learned_3",)


def test_extra_players_are_named_once_and_in_order() -> None:
    policies = [Policy.SEARCH, Policy.RANDOM, Policy.SEARCH]

    assert extra_players(policies, "deckmaster", "two") == ("search",)


@pytest.mark.parametrize("policy", [Policy.SEARCH, Policy.LEARNED_1])
def test_search_and_the_value_it_asks_for_come_together_where_both_know_the_game(
    policy: Policy,
) -> None:
    """So they are compiled once for both."""
    assert extra_players([policy], "gwent", "two") == ("learned_1", "search")
    assert extra_players([Policy.SEARCH], "gwent", "many") == ("search",)


def test_search_asks_for_values_only_where_it_is_advised() -> None:
    """Beside `learned-1`, too: its games would depend on who sits at the table."""
    advised = new_workspace("gwent", "two", ("learned_1", "search"))[0].search
    alone = new_workspace("gwent", "many", ("search",))[0].search

    assert "solver" in advised.dtype.names
    assert "solver" not in alone.dtype.names
    assert has_record(np.dtype([("search", advised.dtype)]), "search.solver")
    assert not has_record(np.dtype([("search", alone.dtype)]), "search.solver")


def test_no_workspace_starts_like_another() -> None:
    """It would be a subtype: games without a player would be played with him."""
    kinds = {new_workspace(*kind).dtype: kind for kind in KINDS}
    types = [numba.from_dtype(np.dtype(list(dtype.descr))) for dtype in kinds]

    assert len(types) > len(EXTRA_PLAYERS)
    for one, other in permutations(types, 2):
        assert one.can_convert_to(None, other) is None


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_a_player_is_named_after_it(game: str) -> None:
    for variant in load_game(game).RECORD_TYPES:
        workspace = new_workspace(game, variant, ("search",))

        assert workspace.dtype.names == ("players_search", "search")


@jit
def seven(s, x, p, count):
    return 7 * p.search.candidate.shape[0]


choose = if_seated("search", seven)


@entry
def ask(p):
    return choose(p, p, p, 1)


def test_who_is_not_seated_cannot_be_asked() -> None:
    """Nor is it compiled: `seven` needs a record that is not there."""
    moves = load_game("deckmaster").RECORD_TYPES["two"][1]["moves"].shape[0]

    assert ask(new_workspace("deckmaster", "two", ("search",))[0]) == 7 * moves
    with pytest.raises(UnplayedCode):
        ask(new_workspace("deckmaster", "two", ())[0])
