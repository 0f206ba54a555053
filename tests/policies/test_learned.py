"""Players who have learned, and older versions of players."""

import json
import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from itertools import product
from zlib import crc32

import numpy as np
import pytest
from helpers.learned import KNOWN, judge_by_passing, judged
from helpers.records import lend

import deckcheck
from deckcheck import read
from deckcheck.engine.contract import (
    apply_move,
    legal_moves,
    pass_move,
    set_up,
    to_move,
)
from deckcheck.engine.features import FEATURE_LIMIT
from deckcheck.engine.gwent.codes import FactionAbility, Role
from deckcheck.engine.gwent.traits import Answer, Trait
from deckcheck.engine.registry import GAMES, load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head, SeatColumns, new_tally, start_game
from deckcheck.playing.table import new_states, seat, set_table
from deckcheck.policies.players import SURE_CHANCE
from deckcheck.policies.workspace import (
    RATED_PARTS,
    RATING_ARRAYS,
    VALUE_ARRAYS,
    chances,
    is_learned,
    is_rated,
    new_workspace,
    replaced_by_heuristic,
    weights_file,
)

# The player who has learned what a position is worth: its eyes, weights, strength.

DIGESTS = {
    ("gwent", "two", 1): "48f8b5689f27f3ef",
    ("gwent", "two", 2): "45757aa820f9fdcf",
    ("gwent", "two", 4): "53d9a4a2651c8acc",
    ("gwent", "two", 6): "89a89f1553f44b62",
    ("gwent", "many", 1): "93cd0e2aae4f9c79",
    ("sg_gwint", "duel", 1): "4ef3021bfb13b223",
}
"""Of the weights, by game, variant and version."""

PLAYED_BY = {1: "learned-1", 2: "learned-3", 4: "learned-3", 6: "learned-6"}
"""A player that uses weights of this version."""

SEEN = {
    ("gwent", "two"): "71f21b0b",
    ("gwent", "many"): "4200df7b",
    ("sg_gwint", "duel"): "6c6865b0",
}
"""Checksums of what is seen and chosen in some positions, by game and variant."""

FORMAT = load_format("gwent/standard")
CHECKSUM = """
import sys
sys.path.insert(0, "tests")
from helpers.learned import KNOWN
for way in KNOWN[GAME]:
    print(way.table(["PLAYER", "heuristic"], rotation=1).play(5, 0, 0, 1).tolist())
"""

every_weights = pytest.mark.parametrize(("game", "variant", "version"), DIGESTS)


def python(*arguments: str, uncompiled: bool) -> str:
    """What a process of its own prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": str(int(uncompiled)),
            "PYTHONPATH": "tests",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module", params=KNOWN, ids="-".join)
def positions(request):
    program = ("-m", "helpers.learned")
    lines = python(*program, *request.param, uncompiled=True)
    return [json.loads(line) for line in lines.splitlines()]


def test_its_games_are_those_with_weights():
    assert {(game, variant) for game, variant, _ in DIGESTS} == set(KNOWN)
    for game in GAMES:
        for variant in load_game(game).RECORD_TYPES:
            assert is_learned(game, variant) == ((game, variant) in KNOWN)


def test_it_sees_nothing_that_is_hidden(positions):
    """Whatever the enemy holds and however the decks lie, it looks the same."""
    assert sum(position["differs"] for position in positions) > len(positions) / 2
    assert all(position["same"] for position in positions)


def test_hidden_cards_change_no_move(positions):
    moves = [position["moves"] for position in positions if position["moves"]]

    assert len(moves) > 5
    assert all(here == there for here, there in moves)


def test_every_answer_between_turns_is_seen_by_what_its_player_knows(positions):
    """No hidden card changes a trait, and one answer at most keeps the hand."""
    seen = [position["between"] for position in positions if any(position["between"])]

    assert bool(seen) == any(any(position["traits"]) for position in positions)
    for here, there in seen:
        assert here == there
        assert sum(traits[Answer.KEEP] for traits in here) <= 1
        assert any(traits[Answer.IS_BEST] for traits in here)
        assert max(abs(value) for traits in here for value in traits) <= FEATURE_LIMIT


def test_a_match_that_a_pass_wins_is_won(positions):
    won = {each["won"] for each in positions if each["won"] is not None}

    assert won == {SURE_CHANCE}


def test_a_pass_is_judged_by_what_comes_of_it(positions):
    verdicts = [each["verdicts"] for each in positions if "verdicts" in each]

    assert all(verdict == truth for verdict, truth in verdicts)
    rates_moves = any(any(position["traits"]) for position in positions)
    found = {verdict for verdict, _ in verdicts}
    assert found == ({-1, 0, 1} if rates_moves else set())


def test_a_pass_is_judged_by_totals_gems_and_ties():
    """Nilfgaard wins a tied round, unless both players are of Nilfgaard."""
    table = KNOWN["gwent", "two"][0].table(["random"])
    states = lend(new_states(table.game, table.variant, 3))
    s, x = states[0], lend(table.read_contexts())[0]
    start_game(s, x, 1, 0, 0, 0)
    set_up(s, x)
    while pass_move(s, x) < 0:
        legal_moves(s, x)
        apply_move(s, x, x.moves[0])
    enemy = 1 - to_move(s)
    abilities = (FactionAbility.NONE, FactionAbility.WIN_TIES)
    verdicts = Counter()
    for lead, gems, ties, passed in product(
        (-1, 0, 1),
        product((1, 2), repeat=2),
        product(abilities, repeat=2),
        (False, True),
    ):
        s.total[:] = 0
        s.total[enemy, 0], s.total[1 - enemy, 0] = 5, 5 + lead
        s.gems[:2], x.faction_ability[:2], s.passed[enemy] = gems, ties, passed
        verdict = judged(s, x)

        assert verdict == judge_by_passing(states, x), (lead, gems, ties, passed)
        verdicts[verdict] += 1
    assert all(verdicts[verdict] > 5 for verdict in (-1, 0, 1)), verdicts


def test_a_pass_that_wins_is_made_and_one_that_loses_the_game_is_not(positions):
    """A round that a pass wins is won, unless the best move draws cards."""
    rests = [each["rests"] for each in positions if "rests" in each]

    assert all(rests)
    assert bool(rests) == any(any(position["traits"]) for position in positions)


def test_every_feature_is_written_within_its_limits(positions):
    assert all(position["written"] for position in positions)
    assert 100 < max(position["largest"] for position in positions) <= FEATURE_LIMIT


def test_what_is_seen_and_chosen_stays(positions, request):
    """Other eyes need other weights, and both are a version of their own."""
    way = request.node.callspec.params["positions"]
    assert f"{crc32(json.dumps(positions).encode()):08x}" == SEEN[way]


def names_of(version: int) -> tuple[str, ...]:
    """Return the names of weights, which rate moves from the fourth version on."""
    if version < 4:
        return VALUE_ARRAYS
    return tuple(f"{part}_{name}" for part in RATED_PARTS for name in RATING_ARRAYS)


def test_every_move_of_a_turn_is_seen_by_what_its_player_knows(positions):
    """No hidden card changes a trait, and one move at most passes."""
    seen = [position["traits"] for position in positions if any(position["traits"])]
    if not seen:
        assert not is_rated("gwent", "many")
        assert not is_rated("sg_gwint", "duel")
        return
    for here, there in seen:
        assert here == there
        assert max(abs(value) for traits in here for value in traits) <= FEATURE_LIMIT
        shared, *moves = here
        assert all(not shared[place] for place in range(Trait.PASS, len(shared)))
        assert sum(traits[Trait.PASS] for traits in moves) <= 1
        for traits in moves:
            assert not any(traits[: Trait.PASS])
            roles = traits[Trait.ROLE : Trait.ROLE + len(Role)]
            assert sum(roles) + traits[Trait.PASS] + traits[Trait.LEADER] == 1
            gains = traits[Trait.GAIN : Trait.PASS_RETURN]
            assert traits[Trait.PASS] or not any(traits[Trait.PASS_RETURN :])
            assert traits[Trait.NO_GAIN] == (not any(gains)) - traits[Trait.PASS]


@every_weights
def test_the_weights_are_those_of_the_training(game, variant, version):
    digest = sha256()
    with np.load(weights_file(game, variant, version)) as weights:
        for name in names_of(version):
            digest.update(np.ascontiguousarray(weights[name]).tobytes())

    assert digest.hexdigest()[:16] == DIGESTS[game, variant, version]
    assert weights_file(game, variant, version).stat().st_size < 200_000


def test_each_version_goes_by_its_own_weights():
    names = ("learned", "learned_1", "learned_3")
    workspace = new_workspace("gwent", "two", names)[0]
    nets = {
        (1, "first"): workspace.learned_1,
        (2, "first"): workspace.learned_3.net,
        (4, "turn_first"): workspace.learned_3.rating.net[0],
        (4, "choice_first"): workspace.learned_3.rating.net[1],
        (6, "turn_first"): workspace.learned.net[0],
        (6, "choice_first"): workspace.learned.net[1],
    }
    for (version, name), net in nets.items():
        with np.load(weights_file("gwent", "two", version)) as weights:
            assert (net.first == weights[name]).all()
        # Compiled, sums go on from those of no features.
        assert (net.first_sum == net.first_bias).all()
        assert not net.summed.any()


@every_weights
def test_no_sum_of_the_first_layer_needs_more_than_32_bits(game, variant, version):
    parts = [""] if version < 4 else [f"{part}_" for part in RATED_PARTS]
    for part in parts:
        with np.load(weights_file(game, variant, version)) as weights:
            names = [f"{part}{name}" for name in ("first", "trait")]
            inputs = [weights[name] for name in names if name in weights]
            sizes = np.abs(np.concatenate(inputs).astype(np.int64))
            largest = FEATURE_LIMIT * sizes.sum(axis=0) + np.abs(
                weights[f"{part}first_bias"]
            )

        assert largest.max() < 2**31


def test_the_table_of_chances_is_even_and_rises():
    table = np.array(chances())

    assert (np.diff(table) >= 0).all()
    assert np.abs(table[:-1] + table[-2::-1] - SURE_CHANCE).max() <= 1
    assert table[len(table) // 2 - 1] == SURE_CHANCE // 2


def test_the_heuristic_stands_in_where_it_knows_no_game():
    assert replaced_by_heuristic(["learned", "random"], "gwen_t", "two") == ("learned",)
    assert replaced_by_heuristic(["learned-3", "search"], "gwen_t", "two") == (
        "learned-3",
    )
    assert replaced_by_heuristic(["learned", "random"], "gwent", "two") == ()
    assert not is_learned("gwent", "solo")


def test_a_game_that_it_does_not_know_is_played_by_the_heuristic():
    fmt = load_format("gwen_t/pool")
    decks = read("decks/gwen_t/pool")[:2]
    tables = [
        set_table(fmt, database_of(fmt), [seat(deck, policy) for deck in decks])
        for policy in ("learned", "heuristic")
    ]

    assert tables[0].extras == ()
    assert tables[0].contexts == tables[1].contexts


@pytest.mark.slow
@every_weights
def test_compiled_and_uncompiled_it_plays_the_same_game(game, variant, version):
    player = PLAYED_BY[version]
    program = CHECKSUM.replace("GAME", str((game, variant))).replace("PLAYER", player)
    outputs = {python("-c", program, uncompiled=each) for each in (False, True)}

    assert len(outputs) == 1


def score(player: str, other: str, sets: int) -> float:
    """The share of points against another player, each sample deck on both sides."""
    decks, database = read("decks/gwent/standard"), database_of(FORMAT)
    total = new_tally(2, 2)
    for i, first in enumerate(decks):
        for step in (0, 4, 7, 11):
            second = decks[(i + step) % len(decks)]
            table = set_table(
                FORMAT, database, [seat(first, player), seat(second, other)]
            )
            total += table.play(11, i, 0, sets)
    wins, shared = total[1, SeatColumns.WINS], total[1, SeatColumns.SHARED]
    return (wins + shared / 2) / total[0, Head.GAMES]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "other", "least"),
    [
        ("learned-1", "heuristic-1", 0.62),
        ("learned-1", "sane_random", 0.90),
        ("learned-3", "learned-1", 0.5),
        ("learned", "heuristic", 0.65),
        ("learned", "learned-1", 0.5),
    ],
)
def test_it_is_as_good_as_the_page_says(player, other, least):
    assert score(player, other, sets=10) > least


# Older versions of players play the same games for ever, and results name them.

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
    ("player", "files", "seed", "games", "checksum"),
    [
        ("heuristic-1", PAIR, 1, 10_000, "00c33ffa5fe2"),
        # Where Scoia'tael decide who begins, a shuffle is played once since 0.3.
        ("heuristic-1", [STANDARD], 11, 20, "735bd5ef219e"),
        ("heuristic-1", TEAMS, 11, 4, "07c7d4caac28"),
        ("heuristic-1", TABLES, 11, 4, "1f23238c2a8b"),
        ("heuristic-1", SOLO, 11, 4, "99666b15f642"),
        ("heuristic-1", SG_GWINT, 11, 200, "bf33ccb92fe1"),
        ("heuristic-2", [STANDARD], 11, 20, "29abf21c4278"),
        ("heuristic-2", TEAMS, 11, 4, "0da3ef3cac5c"),
        ("heuristic-2", TABLES, 11, 4, "6b22259f24cd"),
        ("learned-3", PAIR, 1, 1_000, "2630640f30c0"),
    ],
)
def test_an_older_version_plays_as_it_always_has(
    player, files, seed, games, checksum
) -> None:
    result = deckcheck.simulate(*files, seed=seed, games=games, policies=player)

    assert result.checksum == checksum


def test_a_style_is_a_player_of_its_own() -> None:
    checksums = {
        name: deckcheck.simulate(*PAIR, games=20, policies=name).checksum
        for name in ("heuristic", "bold", "careful", "spy_averse")
    }
    assert len(set(checksums.values())) == len(checksums)


def test_where_the_heuristic_has_no_styles_the_report_says_so() -> None:
    assert replaced_by_heuristic(["bold", "heuristic-1"], "gwent", "two") == ()
    assert replaced_by_heuristic(["bold", "heuristic-1"], "gwent", "many") == ()
    assert replaced_by_heuristic(["bold", "heuristic-1"], "gwent", "solo") == ("bold",)
    assert replaced_by_heuristic(["careful"], "sg_gwint", "duel") == ("careful",)


def test_results_say_which_version_played() -> None:
    policies = ("random", "heuristic-1")
    result = deckcheck.simulate(*PAIR, games=2, policies=policies)

    assert result.to_dict()["policy_versions"] == {"random": 1, "heuristic-1": 1}
