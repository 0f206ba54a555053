"""From data to the engine, and to what `learned` sees."""

from dataclasses import replace
from enum import IntEnum
from importlib import import_module
from types import SimpleNamespace

import pytest
from helpers.boards import FOUR, THREE
from helpers.play import choose_move, play_on

from deckcheck.cards import load_database
from deckcheck.cards.models import CardAbility as AbilityOfCard
from deckcheck.engine.contract import features, legal_moves, set_up
from deckcheck.engine.gwent import context as vocabulary
from deckcheck.engine.gwent.board import KNOWN_TO_ALL, KNOWN_TO_SIDE
from deckcheck.engine.gwent.codes import PASS, Ability, Leader
from deckcheck.engine.gwent.context import check_vocabulary
from deckcheck.engine.gwent.features import LONG_GAME
from deckcheck.engine.registry import EngineError, card_numbers, load_game
from deckcheck.formats import load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import seat, set_table
from deckcheck.policies.registry import Policy
from deckcheck.policies.workspace import new_workspace

# From data to the engine: nothing unknown is ever played as a blank card.


def with_game(database, **changes):
    return SimpleNamespace(
        game=replace(database.game, **changes),
        cards=database.cards,
        leaders=database.leaders,
        factions=database.factions,
    )


def test_every_word_of_the_data_is_known(tables):
    check_vocabulary(tables.database)


@pytest.mark.parametrize("field", ["abilities", "kinds", "rows"])
def test_an_unknown_word_is_refused(tables, field):
    words = (*getattr(tables.database.game, field), "teleport")

    with pytest.raises(EngineError, match=r"does not know the .* `teleport`"):
        check_vocabulary(with_game(tables.database, **{field: words}))


@pytest.mark.parametrize(
    ("game", "field"),
    [
        *(("gwen_t", field) for field in ("abilities", "kinds", "rows")),
        *(("sg_gwint", field) for field in ("abilities", "kinds", "rows")),
        *(("sg_gwint", field) for field in ("leader_abilities", "factions")),
    ],
)
def test_an_unknown_word_of_another_game_is_refused(game, field):
    database = load_database(game)
    check = import_module(f"deckcheck.engine.{game}.context").check_vocabulary
    words = getattr(database.game, field)
    added = replace(words[0], ability="teleport") if field == "factions" else "teleport"

    check(database)
    with pytest.raises(EngineError, match=r"does not know the .* `teleport`"):
        check(with_game(database, **{field: (*words, added)}))


@pytest.mark.parametrize(("play", "players"), [("duel", 3), ("free_for_all", 2)])
def test_sg_gwint_is_played_as_a_duel_alone(play, players):
    fmt = load_format("sg_gwint/approximation")
    fmt = replace(fmt, seating=replace(fmt.seating, play=play))
    with pytest.raises(EngineError, match="does not play sg_gwint/approximation"):
        load_game("sg_gwint").find_variant(fmt, players)


def test_an_unknown_leader_is_refused(tables):
    database = with_game(tables.database)
    leader = next(iter(database.leaders.values()))
    database.leaders = {leader.id: replace(leader, ability="sing")}

    with pytest.raises(EngineError, match="leader ability `sing`"):
        check_vocabulary(database)


def test_an_unknown_option_is_refused(tables):
    option = replace(tables.database.game.options[0], name="dancing")
    options = (*tables.database.game.options, option)

    with pytest.raises(EngineError, match="option `dancing`"):
        check_vocabulary(with_game(tables.database, options=options))


def test_an_unknown_value_of_an_option_is_refused(tables):
    at, option = next(
        (i, each) for i, each in enumerate(tables.database.game.options) if each.values
    )
    options = list(tables.database.game.options)
    options[at] = replace(option, values=(*option.values, "sometimes"))

    with pytest.raises(EngineError, match="`sometimes` as a value of"):
        check_vocabulary(with_game(tables.database, options=options))


def test_a_leader_code_that_nothing_plays_is_refused(tables, monkeypatch):
    names = {code.name: code.value for code in Leader} | {"WIN_AT_ONCE": 99}
    monkeypatch.setattr(vocabulary, "Leader", IntEnum("Leader", names))
    database = with_game(tables.database)
    leader = next(iter(database.leaders.values()))
    database.leaders = {leader.id: replace(leader, ability="win_at_once")}

    with pytest.raises(EngineError, match="does not play the leader ability `win_at_o"):
        check_vocabulary(database)


def test_an_ability_code_that_nothing_plays_is_refused(tables, monkeypatch):
    codes_now = {code.name: code.value for code in Ability} | {"TELEPORT": 1 << 30}
    monkeypatch.setattr(vocabulary, "Ability", IntEnum("Ability", codes_now))
    database = with_game(
        tables.database, abilities=(*tables.database.game.abilities, "teleport")
    )
    card = database.cards["catapult"]
    teleport = AbilityOfCard("teleport")
    database.cards = {card.id: replace(card, abilities=(teleport,))}

    with pytest.raises(EngineError, match="does not play a unit with `teleport`"):
        check_vocabulary(database)


def test_a_special_without_abilities_is_refused(tables):
    database = with_game(tables.database)
    database.cards = {"scorch": replace(database.cards["scorch"], abilities=())}

    with pytest.raises(EngineError, match="does not play a special with 0 abilities"):
        check_vocabulary(database)


def test_the_way_a_list_is_written_changes_no_game(tables):
    deck, other = tables.decks[0], tables.decks[1]
    turned = replace(deck, entries=deck.entries[::-1])
    seated = [
        set_table(tables.format, tables.database, [seat(d, "random") for d in pair])
        for pair in ((deck, other), (turned, other))
    ]

    assert seated[0] == seated[1]


def test_an_oversized_deck_is_refused(tables):
    deck = tables.decks[0]
    huge = replace(deck, entries=(replace(deck.entries[0], count=500),))

    with pytest.raises(EngineError, match="a deck of 500 cards is too large"):
        set_table(
            tables.format, tables.database, [seat(d, "random") for d in (huge, deck)]
        )


def test_numbers_follow_the_database(tables):
    numbers = card_numbers(tables.database)

    assert list(numbers.values()) == list(range(1, len(tables.database.cards) + 1))


# What `learned` sees of a table, and that it lets none wait for ever.


def begin(tables, table, seed):
    mode, numbers = table
    seated = tables.seat_many(mode, numbers, *["heuristic"] * len(numbers))
    states, contexts = tables.open_many(seated)
    s, x = states[0], contexts[0]
    start_game(s, x, seed, 0, 0, 0)
    set_up(s, x)
    return s, x


@pytest.mark.compiled
@pytest.mark.slow
def test_nobody_waits_for_ever(tables):
    """All players may pass in every round, so two who wait would never end."""
    p = new_workspace("gwent", "many", ("learned_1",))[0]
    passes = 0
    for seed in range(4):
        s, x = begin(tables, THREE, seed)
        for count in play_on(s, x):
            if count == 1 or choose_move(s, x, Policy.LEARNED_1, count, p) != PASS:
                continue
            passes += 1
            s.round_no, round_no = LONG_GAME + 1, s.round_no
            assert choose_move(s, x, Policy.LEARNED_1, legal_moves(s, x), p) != PASS
            s.round_no = round_no
    assert passes > 3


@pytest.mark.compiled
@pytest.mark.slow
def test_a_seat_does_not_see_who_looked_at_its_cards(tables):
    """Rules 4.7.2: whoever used the leader "is the only one who knows the cards"."""
    q = new_workspace("gwent", "many", ("learned_1",))[0].learned_1
    s, x = begin(tables, FOUR, 1)
    for step, _ in zip(range(12), play_on(s, x), strict=False):
        player, before = step % 4, s.seen.copy()
        views = []
        for mark in (0, KNOWN_TO_SIDE << x.side[(player + 1) % 4], KNOWN_TO_ALL):
            s.seen[player, : s.n_hand[player]] = mark
            features(s, x, q, player)
            views.append(q.features.tolist())
        s.seen[:] = before

        assert views[0] == views[1]
        assert (views[0] != views[2]) == (s.n_hand[player] > 0)
