"""What holds for every game, whatever it is called."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations, product
from pathlib import Path

import numba
import pytest
from helpers.boards import COMBINED, rows_of_pairs, values_of
from helpers.census import gwent_snapshot, gwent_swapped
from helpers.play import (
    choose_move,
    chosen_in_worlds,
    dealt_alike,
    play_on,
    printed_alike,
)
from helpers.samples import EACH_WAY, SAMPLES, opened

import deckcheck
from deckcheck.engine import contract
from deckcheck.engine.contract import (
    apply_move,
    cards_left,
    copy_to,
    determinize,
    find_seat,
    heuristic_move,
    is_over,
    legal_moves,
    pass_move,
    place,
    points,
    returns,
    rounds_played,
    score_margin,
    set_up,
    to_move,
)
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import (
    copy_deck,
    remove_from_deck,
    seed_generator,
    shuffle_deck,
)
from deckcheck.engine.registry import GAMES, load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import CHECKSUM_MASK, Head, SeatColumns, start_game
from deckcheck.playing.table import open_table, seat
from deckcheck.playing.versions import VERSION_SEAT, Versions, seat_versions
from deckcheck.policies.registry import Policy

# What every game must keep, whatever it is called and however many play it.
#
# `samples.py` lists the games; nothing here knows any of them.

every_game = pytest.mark.parametrize("sample", SAMPLES, ids=str)
each_way = pytest.mark.parametrize("sample", EACH_WAY, ids=str)

CHECKSUMS = """
import sys
sys.path.insert(0, "tests")
from helpers.samples import SAMPLES
for number, sample in enumerate(SAMPLES):
    for policy in ("random", "sane_random", "heuristic"):
        tally = sample.table(policy).play(5, number, 0, 1)
        print(sample, policy, tally.tolist())
"""


def begin(sample, *policies, seed=1, beginner=0):
    states, s, x = opened(sample.table(*policies or ("random",)))
    start_game(s, x, seed, 0, 0, beginner)
    set_up(s, x)
    return states, s, x


def sides_of(sample, x):
    """The side of each player; where there are no teams, everybody is one."""
    if "side" not in x.dtype.names:
        return list(range(sample.players))
    return x.side[: sample.players].tolist()


@every_game
def test_a_copy_has_every_field(sample):
    """The first cell of it at least: what lies behind the end of a zone may stay."""
    states, s, x = begin(sample, "random", seed=4)
    for name in s.dtype.names:
        s[name], states[1][name] = 1, 0
    copy_to(s, x, states, 1)

    assert {n for n in s.dtype.names if not (states[1][n] == 1).any()} == set()


@every_game
@pytest.mark.parametrize("policy", ["random", "sane_random", "heuristic"])
def test_games_end_and_moves_are_legal_once_and_no_card_is_lost(sample, policy):
    _, s, x = begin(sample, policy)
    before = sample.census(s, x)

    for count in play_on(s, x):
        moves = x.moves[:count].tolist()
        assert len(set(moves)) == count > 0
        assert pass_move(s, x) in (-1, *moves)
        now = sample.census(s, x)
        assert sum(now.values()) == sum(before.values())
        assert not set(now - before) - {0}

    assert sum(sample.census(s, x).values()) == sum(before.values())
    assert legal_moves(s, x) == 0


@every_game
def test_places_are_shared_by_ties_and_half_points_go_by_the_first(sample):
    """A player wins alone in it, draws who shares it, and has those of a team."""
    for seed in range(4):
        _, s, x = begin(sample, "random", seed=seed, beginner=seed % sample.players)
        for _ in play_on(s, x):
            pass
        sides = sides_of(sample, x)
        for i in range(sample.entrants):
            assert find_seat(s, x, i) == (i - sides[s.first]) % sample.entrants
        places = [int(place(s, x, i)) for i in range(sample.entrants)]
        first = {side for side in sides if places[side] == 1}

        assert places == [1 + sum(p < q for p in places) for q in places]
        assert min(int(points(s, x, i)) for i in range(sample.entrants)) >= 0
        for player, side in enumerate(sides):
            expected = 0 if side not in first else 2 if len(first) == 1 else 1
            assert returns(s, x, player) == expected


@every_game
def test_every_legal_move_can_be_played_and_a_copy_is_independent(sample):
    states, s, x = begin(sample, "random", seed=3)
    for step, count in enumerate(play_on(s, x)):
        if step % 5:
            continue
        before = sample.snapshot(s)
        for move in x.moves[:count].tolist():
            states[1] = states[0]
            apply_move(states[1], x, move)

            assert states[1].turns == s.turns + 1
        assert sample.snapshot(s) == before


@each_way
def test_thinking_changes_nothing(sample):
    _, s, x = begin(sample, "heuristic", "random", seed=5)
    for count in play_on(s, x):
        before, moves = sample.snapshot(s), x.moves[:count].tolist()
        move = heuristic_move(s, x, count)

        assert sample.snapshot(s) == before
        assert move in moves == x.moves[:count].tolist()


@each_way
def test_players_decide_by_what_they_can_see(sample):
    states, s, x = begin(sample, "heuristic", "sane_random", seed=6)
    for step, _ in enumerate(play_on(s, x)):
        if step % 3 == 0:
            for policy in (Policy.RANDOM, Policy.SANE_RANDOM, Policy.HEURISTIC):
                assert len(chosen_in_worlds(states, x, step, policy)) == 1


@each_way
def test_determinize_keeps_what_is_known(sample):
    states, s, x = begin(sample, "random", seed=7)
    changed = 0
    for _ in play_on(s, x):
        states[1] = states[0]
        player = to_move(s)
        determinize(states[1], x, player)
        before, after = sample.snapshot(states[0]), sample.snapshot(states[1])
        for name in before:
            if name not in (*sample.hidden, "rng"):
                assert after[name] == before[name], name

        assert after["hand"][player] == before["hand"][player]
        if sample.decks:
            assert sample.census(states[1], x) == sample.census(s, x)
        changed += after[sample.hidden[0]] != before[sample.hidden[0]]

    assert changed > 0


@each_way
def test_each_card_that_is_hidden_may_be_any_other(sample):
    """At the first decision nothing is known but the own hand and those of mates."""
    states, s, x = begin(sample, "random", seed=7)
    legal_moves(s, x)
    player, sides = to_move(s), sides_of(sample, x)
    worlds = []
    for world in range(20):
        states[1] = states[0]
        seed_generator(x.rng, world, 3, 0)
        determinize(states[1], x, player)
        worlds.append({name: states[1][name].tolist() for name in sample.cards})
    worlds.append({name: s[name].tolist() for name in sample.cards})

    for name, other in product(sample.cards, range(sample.players)):
        count = int(s[f"n_{name}"][other]) if s[f"n_{name}"].ndim else s.n_deck - 1
        rows = [w[name][other] if s[name].ndim > 1 else w[name] for w in worlds]
        seen = [len({row[i] for row in rows}) > 1 for i in range(count)]
        is_known = name == "hand" and sides[other] == sides[player]
        assert seen == [not is_known] * count, (name, other)
    assert s["rng"].tolist() != states[1]["rng"].tolist()


@each_way
def test_what_is_known_alone_decides_what_is_dealt_anew(sample):
    states, s, x = begin(sample, "random", seed=7)
    for step, _ in enumerate(play_on(s, x)):
        player = to_move(s)
        one, other = dealt_alike(states, x, player, sample.snapshot, step)

        assert one == other


@every_game
def test_a_set_has_the_same_shuffles_whoever_begins(sample):
    hands = []
    for beginner in range(sample.players):
        _, s, x = begin(sample, "random", seed=8, beginner=beginner)
        sizes = [int(cards_left(s, x, player)) for player in range(sample.players)]
        hands.append(sample.dealt(s, sizes))
        seats = [int(find_seat(s, x, i)) for i in range(sample.entrants)]

        assert sorted(seats) == list(range(sample.entrants))
        assert rounds_played(s) == 1

    assert all(hand == hands[0] for hand in hands)


def told(sample, left=None):
    """A whole game; every field of the state has `left` before, of an earlier one."""
    _, s, x = opened(sample.table("heuristic", "random"))
    for name in s.dtype.names if left is not None else ():
        s[name] = left
    start_game(s, x, 9, 0, 0, 0)
    set_up(s, x)
    seats = range(sample.players)
    for count in play_on(s, x):
        yield x.moves[:count].tolist(), [int(score_margin(s, x, i)) for i in seats]
    yield sample.census(s, x), [int(returns(s, x, i)) for i in seats]
    yield [(place(s, x, i), points(s, x, i)) for i in range(sample.entrants)]


@each_way
def test_nothing_is_left_of_the_game_before(sample):
    assert [*told(sample, left=1)] == [*told(sample)]


GOES_ON = {
    "deckmaster": set(),
    "gwen_t": {
        *("discard", "hand", "n_deck", "n_discard", "n_hand", "order", "round_no"),
        *("gems", "place", "points", "score", "standing", "history", "turn", "turns"),
        *("row", "stacked", "weather_by", "passed", "pass_order"),
    },
    "gwent": {
        *("deck", "discard", "hand", "n_deck", "n_discard", "n_hand", "seen"),
        *("gained", "gems", "points", "first", "starter", "next_member", "round_no"),
        *("history", "phase", "rng", "turn", "turns", "leader_state", "redraws"),
        *("row", "slot_card", "stack", "weather_card"),
    },
    "sg_gwint": {
        *("deck", "discard", "hand", "n_deck", "n_discard", "n_hand", "n_removed"),
        *("n_under", "reserves", "seen", "lives", "last_winner", "first", "starter"),
        *("active", "stage", "phase", "round_no", "history", "rng", "turns", "tossed"),
        *("asked", "chooser", "choice_spent", "ident", "last_ident", "leader_state"),
        *("redraws", "row", "stack", "sky", "lagers", "acting", "picked"),
        "picked_index",
    },
}
"""What may be another when a round begins: what goes on, and what says nothing then.

Rows, for example, hold no card, as the number of those in them tells.
"""


@pytest.mark.parametrize("game", GAMES)
def test_each_round_begins_as_the_first(game):
    """Unless a card has stayed, each other field is what it was at first."""
    samples = [sample for sample in SAMPLES if sample.format.startswith(f"{game}/")]
    changed = set()
    for sample, seed in product(samples, range(4)):
        _, s, x = begin(sample, "random", seed=seed)
        first, number = None, 0
        for _ in play_on(s, x):
            if rounds_played(s) == number:
                continue
            number = int(rounds_played(s))
            now = {name: s[name].tolist() for name in s.dtype.names}
            first = first or now
            if "n_row" in now and not s.n_row.any():
                changed |= {name for name in now if now[name] != first[name]}

    assert changed == GOES_ON[game]


def test_each_way_to_play_is_tried():
    ways = {(game, way) for game in GAMES for way in load_game(game).RECORD_TYPES}
    tables = [sample.table("random") for sample in EACH_WAY]

    assert {(table.game, table.variant) for table in tables} == ways


@each_way
def test_sets_are_games_of_their_own_in_any_blocks(sample):
    table = sample.table("random")
    ways = [(5, 0, 0), (5, 0, 1), (5, 1, 0), (2, 0, 0)]
    first, second, *others = [table.play(*way, 1) for way in ways]
    added = first + second
    added[0, Head.CHECKSUM] &= CHECKSUM_MASK

    assert table.play(5, 0, 0, 2).tolist() == added.tolist()
    sums = {int(tally[0, Head.CHECKSUM]) for tally in (first, second, *others)}
    assert len(sums) == len(ways)


@pytest.mark.slow
def test_compiled_and_uncompiled_play_the_same_games():
    printed = printed_alike(CHECKSUMS)

    assert printed.count("\n") == 3 * len(SAMPLES)


# All options of a way to play in combination: each two values of two options meet.

COMBINATIONS = """
import sys
sys.path.insert(0, "tests")
from helpers.boards import combined_games
print(*combined_games(), sep="\\n")
"""


@pytest.mark.parametrize("way", COMBINED)
def test_rows_of_options_have_every_pair_of_values(way):
    values = values_of(way)
    rows = rows_of_pairs(values)

    for one, other in combinations(values, 2):
        met = {(row[one], row[other]) for row in rows}
        assert met == set(product(values[one], values[other])), (one, other)


@pytest.mark.slow
def test_options_in_combination_play_the_same_games_compiled():
    """Each of these games ends and keeps its cards, else its program fails."""
    printed = printed_alike(COMBINATIONS)

    assert printed.count("\n") > 200


# Games of Gwent in game pairs; what holds for every game is tried elsewhere.


def conformance_begin(tables, pair, seed=1, policies=("random", "random"), **seating):
    states, context = tables.open(tables.seat(*pair, *policies, **seating))
    s, x = states[0], context[0]
    start_game(s, x, seed, 0, 0, seed % 2)
    set_up(s, x)
    return states, s, x


@pytest.mark.parametrize("pair", [(0, 7), (3, 9), (16, 5)])
def test_exchanged_seats_play_the_mirrored_game(tables, pair):
    """The same moves from exchanged seats give the exchanged position.

    Scripted chance, since shuffles and picks go through the seats in order.
    """
    leaders = (tables.decks[pair[0]].leader, tables.decks[pair[1]].leader)
    games = []
    for seats in (pair, pair[::-1]):
        _, s, x = conformance_begin(
            tables, seats, policies=("sane_random", "sane_random")
        )
        x.scripted = 1
        x.coin = 0 if seats == pair else 1
        set_up(s, x)
        games.append((s, x))
    (s, x), (t, y) = games
    while not is_over(s):
        count = legal_moves(s, x)
        move = int(choose_move(s, x, 1, count))
        mirrored = move ^ (1 << 16) if move >> 24 == 6 else move
        apply_move(s, x, move)
        apply_move(t, y, mirrored)
        left, right = gwent_snapshot(s), gwent_swapped(gwent_snapshot(t))
        left.pop("history"), right.pop("history"), left.pop("rng"), right.pop("rng")

        assert left == right, leaders
        assert score_margin(s, x, 0) == -score_margin(s, x, 1)


# What games offer: the contract, and records that numba never takes for another.

OPTIONAL = (
    *("features", "suppose_plans", "possible_worlds", "within_turn", "is_endgame"),
    *("copy_to", "redrawn_card", "see_turn", "see_move", "judge_pass"),
)
DEFAULTS = (
    *("to_move", "place", "first_player", "rounds_played", "cards_left"),
    *("discard_moves", "count_hand", "count_unplayed", "deal_hand"),
)
"""What the contract answers where a game does not."""


def records() -> list[tuple[str, object]]:
    return [
        (f"{game}-{variant}-{what}", dtype)
        for game in GAMES
        for variant, dtypes in load_game(game).RECORD_TYPES.items()
        for what, dtype in zip(("state", "context"), dtypes, strict=True)
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(a[1], b[1], id=f"{a[0]}-{b[0]}")
        for a, b in permutations(records(), 2)
    ],
)
def test_no_record_starts_like_another(one: object, other: object) -> None:
    """It would be a subtype: compiled code for the other would be called with it."""
    record, wider = numba.from_dtype(one), numba.from_dtype(other)

    assert record.can_convert_to(None, wider) is None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_offers_the_whole_contract(game: str) -> None:
    asked = {
        *(
            name
            for name in contract.__all__
            if name not in ("Game", "register", *OPTIONAL, *DEFAULTS)
        ),
        *contract.Game.__annotations__,
        *(name for name in vars(contract.Game) if not name.startswith("_")),
    }

    assert asked - set(vars(load_game(game))) == set()
    assert {"RECORD_TYPES", "fill_context", "legal_moves"} <= asked


def test_the_page_of_the_engine_names_the_whole_contract() -> None:
    page = Path("docs/explanation/engine.md").read_text("utf-8")
    members = {*contract.__all__, *contract.Game.__annotations__} - {"Game", "register"}

    assert {name for name in members if f"`{name}`" not in page} == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_record_has_what_the_match_loop_needs(game: str) -> None:
    for state, context in load_game(game).RECORD_TYPES.values():
        assert {"rng", "turns", "history"} <= set(state.names)
        assert {"moves", "rng", "coin", "policy"} <= set(context.names)


# Many random games with all decks and all leaders.

RANDOM_GAMES = 1_000_000


def seatings(tables):
    """Every ordered pair of sample decks, with leaders going round the factions."""
    leaders = {
        faction: [
            x.id for x in tables.database.leaders.values() if x.faction == faction
        ]
        for faction in tables.database.factions
    }
    count = len(tables.decks)
    for i in range(count):
        for j in range(count):
            for step in range(5):
                mine = leaders[tables.decks[i].faction]
                yours = leaders[tables.decks[j].faction]
                yield i, j, (mine[(j + step) % 5], yours[(i + 2 * step) % 5])


@pytest.mark.slow
def test_a_million_random_games_end(tables):
    """All pairs of sample decks and all leaders; a crash raises with its seed."""
    places = list(seatings(tables))
    pairs = RANDOM_GAMES // 2 // len(places)
    games = 0
    for number, (i, j, leaders) in enumerate(places):
        tally = tables.seat(i, j, leaders=leaders).play(1, number, 0, pairs)
        games += tally[0, Head.GAMES]
        assert tally[1, SeatColumns.SHARES :].sum() == pairs

    assert len({leaders for *_, leaders in places}) >= 25 * 25 / 2
    assert games == RANDOM_GAMES


# Shuffles by place: lists of other sizes, of which the common cards lie alike.

DECKS = Path(__file__).parents[2] / "decks"
SHUFFLED_PLACES_GAMES = [
    ("gwent/standard", "gwent/standard"),
    ("sg_gwint/approximation", "sg_gwint/approximation"),
    ("gwen_t/pool", "gwen_t/pool"),
]


@entry
def lay_deck(s, x, player):
    copy_deck(s, x, player)


@entry
def shuffle(s, x, player):
    shuffle_deck(s, x, player)


@entry
def remove(s, player, card):
    return remove_from_deck(s, player, card)


def of_sizes(id: str, folder: str, out: int, **other) -> Versions:
    """A deck, and the same without some of its cards, against another one."""
    fmt = load_format(id)
    opponent, deck, *_ = deckcheck.read(DECKS / folder)
    players = [seat(each, "heuristic") for each in (opponent, deck)]
    cards = Counter(players[1].cards)
    cards.subtract(sorted(cards)[:out])
    larger = replace(players[1], **other)
    seats = [larger, replace(larger, cards=dict(+cards))]
    return seat_versions(fmt, database_of(fmt), players[0], seats, [(0, 1)])


def shuffled_places_opened(versions: Versions):
    """The state and the context of each version, before a game."""
    for i in range(len(versions.patches)):
        states, contexts = open_table(versions.of(i))
        start_game(states[0], contexts[0], 1, 0, 0, 0)
        yield states[0], contexts[0]


def deck_of(s) -> list[int]:
    return s.deck[VERSION_SEAT, : s.n_deck[VERSION_SEAT]].tolist()


@pytest.mark.parametrize(("id", "folder"), SHUFFLED_PLACES_GAMES)
def test_common_cards_come_in_the_same_order(id: str, folder: str) -> None:
    """In every shuffle, whatever has left the deck since the one before."""
    (larger, x), (smaller, y) = shuffled_places_opened(of_sizes(id, folder, 2))
    lay_deck(larger, x, VERSION_SEAT)
    lay_deck(smaller, y, VERSION_SEAT)
    gone = set(deck_of(larger)) - set(deck_of(smaller))
    assert larger.n_deck[VERSION_SEAT] == smaller.n_deck[VERSION_SEAT] + 2
    before = deck_of(smaller)
    for _ in range(5):
        shuffle(larger, x, VERSION_SEAT)
        shuffle(smaller, y, VERSION_SEAT)
        both, own = Counter(deck_of(larger)), Counter(deck_of(smaller))
        common = {card for card in own if own[card] == both[card]}
        assert len(common) > 3
        assert [card for card in deck_of(larger) if card in common] == [
            card for card in deck_of(smaller) if card in common
        ]
        assert before != (before := deck_of(smaller))
        # The larger deck draws a card that the smaller one lacks, and the other more.
        top = deck_of(smaller)[-1]
        assert remove(smaller, VERSION_SEAT, top) == 1
        remove(larger, VERSION_SEAT, next(iter(gone), top))
    assert larger.rng.tolist() == smaller.rng.tolist()


@pytest.mark.parametrize(("id", "folder"), SHUFFLED_PLACES_GAMES)
def test_all_cards_but_no_empty_place_are_dealt(id: str, folder: str) -> None:
    versions = of_sizes(id, folder, 3)
    sizes = []
    for s, x in shuffled_places_opened(versions):
        set_up(s, x)
        hand = s.hand[VERSION_SEAT, : s.n_hand[VERSION_SEAT]].tolist()
        sizes.append(len(deck_of(s)) + len(hand))
        assert all(deck_of(s))
        assert all(hand)

    assert sizes[0] == sizes[1] + 3


def test_every_order_is_as_likely() -> None:
    """Of two copies, another card, an empty place and two cards of somebody else."""
    (s, x), _ = shuffled_places_opened(of_sizes(*SHUFFLED_PLACES_GAMES[0], 1))
    x.n_deck[VERSION_SEAT] = 5
    x.deck[VERSION_SEAT, :5] = [1, 0, 1, 1, 2]
    counts: Counter[tuple[int, ...]] = Counter()
    shuffles = 6_000
    for _ in range(shuffles):
        s.n_deck[VERSION_SEAT] = 5
        s.deck[VERSION_SEAT, :5] = [3, 1, 2, 1, 4]
        shuffle(s, x, VERSION_SEAT)
        counts[tuple(deck_of(s))] += 1

    orders = set(permutations([1, 1, 2, 3, 4]))
    assert counts.keys() == orders
    expected = shuffles / len(orders)
    chi = sum((count - expected) ** 2 for count in counts.values()) / expected
    # 59 degrees of freedom: more than 98.3 with a chance of 0.1%.
    assert chi < 98.3


@pytest.mark.compiled
def test_cards_that_come_back_from_others_are_kept() -> None:
    """Crach shuffles spies that lie on the own side into the deck."""
    crach = "crach_an_craite"
    versions = of_sizes(*SHUFFLED_PLACES_GAMES[0], 1, faction="skellige", leader=crach)
    tally = versions.play(1, 0, 0, 20)

    assert versions.joint(tally)[0, 1].sum() == 20
