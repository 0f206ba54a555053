"""Three and more at a table: free-for-all and two against two."""

from collections import Counter

import pytest
from helpers.boards import FIVE, FOUR, NOBODY_CHOOSES, TEAMS, THREE
from helpers.census import gwent_snapshot
from helpers.play import choose_move, chosen_in_worlds, dealt_alike, play_on

from deckcheck.cards import load_database
from deckcheck.engine.contract import (
    apply_move,
    determinize,
    is_over,
    legal_moves,
    place,
    set_up,
    to_move,
)
from deckcheck.engine.gwent.board import KNOWN_TO_ALL
from deckcheck.engine.gwent.codes import Phase, Verb
from deckcheck.engine.gwent.rounds import best_scorer
from deckcheck.engine.gwent.state import (
    MANY_CONTEXT,
    MANY_STATE,
    new_context,
    new_states,
)
from deckcheck.engine.jit import Context, Player, State, entry
from deckcheck.engine.primitives import LeaderState, seed_generator
from deckcheck.engine.registry import EngineError, Seat, card_numbers
from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head, SeatColumns, count_shares, start_game
from deckcheck.playing.table import set_table

# Free-for-all and two against two: what every game must keep, and who sees what.

BY_PLAYER = ("passed", "redraws", "leader", "leader_state", "extra_card", "returning")
BY_SEAT = (
    *BY_PLAYER,
    *("gems", "points", "gained", "half_weather", "n_hand", "hand", "n_deck", "deck"),
    *("side_deck", "n_discard", "discard", "n_row", "row", "slot", "slot_card"),
    *("leader_horn", "total", "morale", "horns"),
)


def begin(tables, table, seed=1, policy="random", **seating):
    mode, numbers = table
    policies = [policy] * len(numbers)
    seated = tables.seat_many(mode, numbers, *policies, **seating)
    states, contexts = tables.open_many(seated)
    s, x = states[0], contexts[0]
    start_game(s, x, seed, 0, 0, seed % len(numbers))
    set_up(s, x)
    return states, s, x


@pytest.mark.parametrize("table", [THREE, TEAMS])
def test_who_has_seen_cards_knows_them_and_nobody_else(tables, table):
    """What all others decide, and what is dealt to them anew, is not changed by it."""
    leaders = ("emhyr_emperor_of_nilfgaard", *[None] * (len(table[1]) - 1))
    states, s, x = begin(tables, table, 6, "heuristic", leaders=leaders)
    for step, _ in enumerate(play_on(s, x)):
        player = to_move(s)
        if step % 4 == 0:
            assert len(chosen_in_worlds(states, x, step, x.policy[player])) == 1
        one, other = dealt_alike(states, x, player, gwent_snapshot, step)
        assert one == other


@pytest.mark.parametrize("table", [THREE, FIVE, TEAMS])
def test_cards_that_came_back_from_the_table_stay_in_hand(tables, table):
    """Everybody saw them, so nobody thinks of them as somewhere else."""
    known = 0
    for seed in range(6):
        states, s, x = begin(tables, table, seed)
        for _ in play_on(s, x):
            viewer = to_move(s)
            states[1] = s
            determinize(states[1], x, viewer)
            for player, count in enumerate(s.n_hand):
                open_cards = Counter(
                    int(s.hand[player, i])
                    for i in range(count)
                    if s.seen[player, i] & KNOWN_TO_ALL
                )
                thought = Counter(states[1].hand[player, :count].tolist())
                assert open_cards <= thought
                known += player != viewer and open_cards.total()

    assert known > 20


def test_partners_see_each_others_hands(tables):
    """Statement 5.2: the partner's hand is known, those of the other team are not."""
    states, s, x = begin(tables, NOBODY_CHOOSES)
    hands = {0: set(), 1: set(), 2: set(), 3: set()}
    for world in range(10):
        states[1] = s
        seed_generator(x.rng, 1, world, 0)
        determinize(states[1], x, 0)
        for player, seen in hands.items():
            seen.add(tuple(states[1].hand[player].tolist()))

    assert [len(seen) > 1 for seen in hands.values()] == [False, True, False, True]


def test_what_the_emperor_sees_only_he_knows(tables):
    """Statement 4.7.2: the cards seen stay hidden from the other opponents."""
    leaders = ("emhyr_emperor_of_nilfgaard", None, None)
    states, s, x = begin(tables, ("free_for_all", (0, 1, 2)), leaders=leaders)
    s.phase, s.turn = Phase.OPPONENT, 0
    move = next(m for m in x.moves[: legal_moves(s, x)] if (m >> 16) & 255 == 1)
    apply_move(s, x, move)
    known = [int(c) for c, mark in zip(s.hand[1], s.seen[1], strict=True) if mark]
    held = []
    for viewer in (0, 2):
        worlds = []
        for world in range(12):
            states[1] = s
            seed_generator(x.rng, 2, world, 0)
            determinize(states[1], x, viewer)
            worlds.append(states[1].hand[1, : s.n_hand[1]].tolist())
        held.append(all(not set(known) - set(hand) for hand in worlds))

    assert len(known) == 3
    assert held == [True, False]


def turned(fields, count, step=1):
    """The snapshot of a free-for-all with everybody `step` seats further."""

    def roll(values):
        return values[count - step : count] + values[: count - step] + values[count:]

    def marks(mark):
        sides = [mark >> (1 + side) & 1 for side in range(count)]
        return mark & 1 | sum(bit << 1 + i for i, bit in enumerate(roll(sides)))

    other = {**fields, **{name: roll(fields[name]) for name in BY_SEAT}}
    other["seen"] = [[marks(m) for m in hand] for hand in roll(fields["seen"])]
    for name in ("turn", "starter", "first"):
        other[name] = (fields[name] + step) % count
    other["weather"] = [
        1 + (w - 1 + step) % count if w else 0 for w in fields["weather"]
    ]
    names = ("history", "rng", "winner", "next_member", "voiding", "picked_row")
    return {name: value for name, value in other.items() if name not in names}


@pytest.mark.parametrize("table", [THREE, FOUR, FIVE])
def test_turned_seats_play_the_turned_game(tables, table):
    """The same moves one seat further give the same position one seat further."""
    mode, decks = table
    count = len(decks)
    games = []
    for step in range(2):
        numbers = decks[count - step :] + decks[: count - step]
        _, s, x = begin(tables, (mode, numbers))
        x.scripted = 1
        x.coin = s.first = s.starter = step
        set_up(s, x)
        games.append((s, x))
    (s, x), (t, y) = games
    while not is_over(s):
        move = int(choose_move(s, x, 1, legal_moves(s, x)))
        who = (move >> 16) & 255
        speaks_of_who = move >> 24 in (Verb.START, Verb.VOID) or s.phase in (
            *(Phase.ENEMY_DISCARD, Phase.OPPONENT, Phase.RECIPIENT),
        )
        after = (who + 1) % count if speaks_of_who else who
        apply_move(s, x, move)
        apply_move(t, y, move ^ (who ^ after) << 16)

        assert turned(gwent_snapshot(s), count) == turned(gwent_snapshot(t), count, 0)
    for player in range(count):
        assert place(s, x, player) == place(t, y, (player + 1) % count)


def test_a_useless_card_does_not_keep_a_table_for_ever(tables):
    """Whoever holds the last card plays it in the end, even if it costs strength."""
    mode, decks = "free_for_all", (0, 1, 2)
    option = {"decoy_without_target": "allowed"}
    _, s, x = begin(tables, (mode, decks), policy="heuristic", **option)
    s.n_deck[:], s.n_hand[:], s.leader_state[:] = 0, 0, LeaderState.USED
    s.hand[0, 0], s.n_hand[0] = card_numbers(tables.database)["decoy"], 1
    s.phase, s.turn, s.starter = Phase.PLAY, 0, 0
    for _ in play_on(s, x):
        assert s.round_no < 3
        assert s.n_stack == 0 or s.phase != Phase.PLAY

    assert s.n_hand.tolist() == [0] * len(s.n_hand)


def test_too_many_players_are_refused():
    fmt, database = load_format("gwent/free_for_all"), load_database("gwent")
    nobody = Seat({})

    with pytest.raises(EngineError, match="up to 5 players here, not with 6"):
        set_table(fmt, database, [nobody] * 6)


def all_tables(tables):
    """Sample decks and leaders of all factions, at all tables."""
    leaders = {
        faction: [
            x.id for x in tables.database.leaders.values() if x.faction == faction
        ]
        for faction in tables.database.factions
    }
    for step in range(25):
        for mode, count in (
            ("free_for_all", 3),
            ("free_for_all", 4),
            ("free_for_all", 5),
            ("two_vs_two", 4),
        ):
            numbers = [(step + 7 * k + step * k) % 20 for k in range(count)]
            chosen = [
                leaders[tables.decks[number].faction][(step + k) % 5]
                for k, number in enumerate(numbers)
            ]
            yield mode, numbers, chosen


@pytest.mark.slow
def test_thousands_of_random_games_end(tables):
    """A crash raises with its seed."""
    games = 0
    for number, (mode, numbers, leaders) in enumerate(all_tables(tables)):
        table = tables.seat_many(mode, numbers, leaders=leaders)
        games += table.play(1, number, 0, 100)[0, Head.GAMES]

    assert games == 25 * 100 * (3 + 4 + 5 + 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "count", "least"),
    [
        ("free_for_all", 3, 0.65),
        ("free_for_all", 4, 0.45),
        ("free_for_all", 5, 0.33),
        ("two_vs_two", 4, 0.85),
    ],
)
def test_heuristic_beats_sane_random(tables, mode, count, least):
    """One against all at a table of n wins far more than 1/n; two beat two."""
    shares = games = 0
    for number, (other, numbers, _) in enumerate(all_tables(tables)):
        if (other, len(numbers)) != (mode, count):
            continue
        weak = ["sane_random"] * count
        weak[0] = "heuristic"
        if mode == "two_vs_two":
            weak[2] = "heuristic"
        tally = tables.seat_many(mode, numbers, *weak).play(3, number, 0, 8)
        counts = tally[1, SeatColumns.SHARES :].tolist()
        full = count_shares(2 if mode == "two_vs_two" else count)
        shares += sum(share * times for share, times in enumerate(counts)) / full
        games += int(tally[0, Head.GAMES])

    assert shares / games > least


# Who begins a round at a table, where a lot decides (gwent 4.7.5).


@entry
def next_starter(s: State, x: Context) -> Player:
    """Whom the rules let begin."""
    return best_scorer(s, x)


def test_a_lot_chooses_any_of_the_best_scorers_and_nobody_else() -> None:
    s, x = new_states(1, MANY_STATE)[0], new_context(MANY_CONTEXT)[0]
    x.n_players = x.n_sides = 4
    x.tied_starter_by_lot = 1
    s.gained[:4] = [0, 2, 1, 2]
    begins = []
    for number in range(40):
        seed_generator(s.rng, 5, 0, number)
        begins.append(int(next_starter(s, x)))

    assert set(begins) == {1, 3}
    assert 8 < begins.count(1) < 32
