"""What the rules of thumb of each game make of a position, in numbers.

A move that is chosen shows little of the figures behind it. So they are asked for all
that they weigh, and for what they would do with other leads than the one there is.
"""

from collections.abc import Callable
from typing import Any

from deckcheck.engine.deckmaster import game as deckmaster
from deckcheck.engine.gwen_t import game as gwen_t
from deckcheck.engine.gwent import evaluation
from deckcheck.engine.gwent import heuristic as gwent
from deckcheck.engine.gwent.board import has_many_sides, players
from deckcheck.engine.gwent.codes import Phase
from deckcheck.engine.primitives import side_total
from deckcheck.engine.sg_gwint import heuristic as sg_gwint
from deckcheck.engine.sg_gwint.codes import Phase as SgGwintPhase

LEADS = (*range(-45, 45, 6), 100)
"""Leads with which a player is asked whether to pass."""
MISSING = (-30, -15, -5, 0)
"""Leads with which a player is asked to answer a pass."""


def weigh(game: str, s: Any, x: Any, count: int) -> list[Any]:
    """What the player to move thinks of the `count` moves in `x.moves`."""
    weighed = plain(WEIGHED[game](s, x, count))
    assert isinstance(weighed, list)
    return weighed


def plain(value: Any) -> Any:
    """A value of nested lists and tuples, with numbers of Python alone."""
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return round(float(value), 6)


def weigh_gwent(s: Any, x: Any, count: int) -> list[Any]:
    """Worths, and gains of moves; when and how the player would leave a round."""
    player, moves = s.turn, x.moves[:count].tolist()
    side, hand = x.side[player], s.hand[player, : s.n_hand[player]]
    weighed = [
        [evaluation.card_worth(s, x, player, card) for card in hand],
        [gwent.hand_worth(s, x, player, card) for card in hand],
        evaluation.situation(s, x, side),
    ]
    if s.phase != Phase.PLAY:
        return [*weighed, gwent.redraw_move(s, x, player, count)]
    play = evaluation.best_play(s, x, player, count)
    weighed += [[evaluation.later_gain(s, x, player, move) for move in moves[1:]], play]
    if has_many_sides(s, x):
        return weighed + weigh_table(s, x, player, count, play)
    held = gwent.average_strength(s, x, side)
    return [
        *weighed,
        [gwent.should_pass(s, x, player, play, ahead) for ahead in LEADS],
        [gwent.answer_to_pass(s, x, player, count, ahead) for ahead in MISSING],
        (held, gwent.threat(s, x, player, held), gwent.wins_ties(s, x, side)),
        gwent.lead_to_rest(s, x, player, play[3], held),
    ]


def weigh_table(s: Any, x: Any, player: int, count: int, play: Any) -> list[Any]:
    """The same of a player among several sides."""
    best, gain, reserve, _ = play
    everybody = range(players(s, x))
    totals = [side_total(s, x.side[who]) for who in everybody]
    return [
        totals,
        [
            [gwent.count_beaten(s, x, who, more) for more in (0, 5, 12)]
            for who in everybody
        ],
        [
            gwent.should_leave_round(s, x, player, best, gain, reserve + more)
            for more in LEADS
        ],
        weigh_leaving(s, x, player, play),
        gwent.last_player_move(s, x, player, count),
        (gwent.lead_over_active(s, x, player), gwent.strength_to_next(s, x, player)),
        (gwent.someone_wins(s, x, player), gwent.nobody_scores(s, x)),
    ]


def weigh_leaving(s: Any, x: Any, player: int, play: Any) -> list[bool]:
    """Whether the player would leave if each opponent alone had not passed.

    Hands are small, so that a lead can be out of reach.
    """
    passed, hands = s.passed.copy(), s.n_hand.copy()
    weighed = []
    for other in range(players(s, x)):
        s.passed[:], s.n_hand[:] = True, 2
        s.passed[other], s.n_hand[other] = False, 0
        weighed.append(gwent.should_leave_round(s, x, player, *play[:3]))
    s.passed[:], s.n_hand[:] = passed, hands
    return weighed


def weigh_sg_gwint(s: Any, x: Any, count: int) -> list[Any]:
    """Worths, and gains of moves; when and how the player would leave a round."""
    player, moves = s.turn, x.moves[:count].tolist()
    hand = s.hand[player, : s.n_hand[player]].tolist()
    weighed = [
        [sg_gwint.card_worth(s, x, player, card) for card in hand],
        [sg_gwint.hand_worth(s, x, player, card) for card in hand],
        [sg_gwint.position_value(s, x, who) for who in range(2)],
        sg_gwint.counted_lead(s, x, player),
    ]
    if s.phase == SgGwintPhase.REDRAW:
        return [*weighed, sg_gwint.redraw_move(s, x, player, count)]
    if s.phase != SgGwintPhase.PLAY:
        return weighed
    sg_gwint.keep_moves(x, 0, count)
    best, gain, reserve = sg_gwint.best_play(s, x, player, count)
    return [
        *weighed,
        (best, gain, reserve, sg_gwint.best_trash(s, x, player, count)),
        [sg_gwint.move_gain(s, x, player, move) for move in moves],
        [sg_gwint.move_worth(s, x, player, move) for move in moves],
        [sg_gwint.is_spy(s, x, player, move) for move in moves],
        [sg_gwint.should_pass(s, player, best, gain, reserve, a) for a in LEADS],
        [sg_gwint.answer_to_pass(s, x, player, count, a) for a in MISSING],
    ]


def weigh_gwen_t(s: Any, x: Any, count: int) -> list[Any]:
    """Worths and gains of cards, and the moves of every plan with several leads."""
    player = s.turn
    hand = s.hand[player, : s.n_hand[player]].tolist()
    plans: tuple[Callable[..., int], ...] = (
        gwen_t.careful_move,
        gwen_t.answer_to_passes,
        gwen_t.must_win_move,
        final_move_gwen_t,
    )
    return [
        [gwen_t.card_gain(s, x, player, card) for card in hand],
        [gwen_t.card_worth(s, x, player, card) for card in hand],
        (gwen_t.free_cards(s, x, player), gwen_t.find_reach(s, player)),
        (gwen_t.is_final(s), gwen_t.spare_move(s, x, player, count)),
        [[plan(s, x, player, count, a) for a in LEADS] for plan in plans if count > 1],
    ]


def final_move_gwen_t(s: Any, x: Any, player: int, count: int, ahead: int) -> int:
    """The move of the last round, which no lead changes."""
    move: int = gwen_t.final_move(s, x, player, count)
    return move


def weigh_deckmaster(s: Any, x: Any, count: int) -> list[Any]:
    """What threatens each space, and the best reply."""
    spaces = range(len(s.card))
    return [[deckmaster.threat(s, x, i) for i in spaces], deckmaster.best_reply(s, x)]


WEIGHED = {
    "deckmaster": weigh_deckmaster,
    "gwen_t": weigh_gwen_t,
    "gwent": weigh_gwent,
    "sg_gwint": weigh_sg_gwint,
}
