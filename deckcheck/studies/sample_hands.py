"""Sample hands of a deck: as they are dealt, and after the redraws of the heuristic."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deckcheck.cards import CardDatabase, Root
from deckcheck.engine.contract import legal_moves, redrawn_card, set_up, to_move
from deckcheck.findings import UsageError
from deckcheck.formats import Format, database_of
from deckcheck.messages import option, plural, printable, quote
from deckcheck.playing.kernel import make_move, start_game
from deckcheck.playing.table import Table, open_table, seat, set_table
from deckcheck.policies.players import choose_move
from deckcheck.policies.registry import policy_label
from deckcheck.policies.workspace import new_workspace
from deckcheck.replays.uncompiled import run_uncompiled
from deckcheck.scenarios.contract import load_adapter
from deckcheck.studies.deck_stats import DeckStats, SampleHand
from deckcheck.studies.duels import check_meetings
from deckcheck.terminal import wrap

HAND_POLICY = "heuristic"
"""The player who redraws: it knows every game with hands, and answers at once."""


class HandsRequest(NamedTuple):
    """The hands to deal."""

    format: Format
    database: CardDatabase
    table: Table
    """A table at which the deck meets itself."""
    leader: str | None
    """The leader of the deck."""
    redraws: int
    """The number of cards that may be redrawn."""
    seed: int
    hands: int
    """The number of hands."""


def deal_hands(
    stats: DeckStats, hands: int, seed: int, root: Root = None
) -> list[SampleHand]:
    """Deal hands of a deck, each at the start of a game against itself.

    A hand depends only on deck, format, seed and its number. Raises UsageError for a
    game without hands, and for a deck that cannot be played.
    """
    deck, fmt, opening = stats.report.deck, stats.report.format, stats.opening
    assert deck is not None
    assert fmt is not None
    if opening is None:
        raise UsageError(
            f"No hands are dealt in {quote(fmt.id)}", f"Leave out {option('hands')}"
        )
    check_meetings(fmt)
    database = database_of(fmt, root)
    table = set_table(fmt, database, [seat(deck, HAND_POLICY)] * 2)
    request = HandsRequest(
        fmt, database, table, deck.leader, opening.redraws, seed, hands
    )
    return [
        _describe_hand(hand, database) for hand in run_uncompiled(_deal_all, [request])
    ]


class DealtHand(NamedTuple):
    """The ids of the cards of a hand."""

    dealt: list[str]
    redrawn: list[str]
    """The cards that the player sends back, one after the other."""
    after: list[str]
    """The hand after the redraws."""


def _describe_hand(hand: DealtHand, database: CardDatabase) -> SampleHand:
    """Return a hand with its strength, and the cards drawn in place of the redrawn."""
    # The hand after the redraws is: dealt - redrawn + drawn.
    drawn = Counter(hand.after) + Counter(hand.redrawn)
    drawn.subtract(hand.dealt)
    return SampleHand(
        hand.dealt,
        hand.redrawn,
        list(drawn.elements()),
        sum(database.cards[card].strength or 0 for card in hand.dealt),
        sum(database.cards[card].strength or 0 for card in hand.after),
    )


def _deal_all(requests: bytes) -> list[DealtHand]:
    """Deal all hands in an uncompiled engine, for `run_uncompiled`."""
    [request] = pickle.loads(requests)
    return [_deal_hand(request, number) for number in range(request.hands)]


def _deal_hand(request: HandsRequest, number: int) -> DealtHand:
    """Return the hand of the first player before and after the redraws."""
    table = request.table
    states, contexts = open_table(table)
    s, x = states[0], contexts[0]
    workspace = new_workspace(table.game, table.variant, ())[0]
    # Stream 0, and the first player wins the toss.
    start_game(s, x, request.seed, 0, number, 0)
    set_up(s, x)
    position = load_adapter(table.game).make_position(
        states, contexts, request.database, request.format, [request.leader] * 2
    )

    def read_hand() -> list[str]:
        hand: Iterable[str] = position.facts()[position.players[0]]["hand"]
        return list(hand)

    # `redrawn_card` is the card, 0 for keeping the hand, -1 for any other decision.
    count = legal_moves(s, x)
    while request.redraws > 0 and redrawn_card(s, x.moves[0]) < 0:
        make_move(s, x, choose_move(s, x, workspace, x.policy[to_move(s)], count))
        count = legal_moves(s, x)
    dealt = read_hand()
    redrawn: list[str] = []
    while redrawn_card(s, x.moves[0]) >= 0:
        move = choose_move(s, x, workspace, x.policy[to_move(s)], count)
        if to_move(s) == 0 and redrawn_card(s, move) > 0:
            redrawn.append(position.in_words(move).words["card"])
        make_move(s, x, move)
        count = legal_moves(s, x)
    return DealtHand(dealt, redrawn, read_hand())


# The hands in words


def describe_hands(stats: DeckStats, seed: int, room: int) -> Iterator[str]:
    """Yield the lines of the hands of a deck, `room` columns wide at most."""
    cards = stats.composition.database.cards

    def name_cards(ids: Sequence[str]) -> str:
        counted: list[str] = []
        for card, count in Counter(ids).items():
            name = cards[card].name
            counted.append(name if count == 1 else f"{count} {name}")
        return ", ".join(counted)

    has_redraws = stats.opening is not None and stats.opening.redraws > 0
    title = f"{plural(len(stats.hands), 'hand')} dealt with seed {seed}"
    if has_redraws:
        title += f", redrawn as {policy_label(HAND_POLICY)} does"
    yield title
    for number, hand in enumerate(stats.hands, start=1):
        text = f"{name_cards(hand.dealt)}; strength {hand.strength}"
        yield from wrap(printable(text), room, f"{number:>3}  ")
        if not has_redraws:
            continue
        text = "keeps the hand"
        if hand.redrawn:
            out, new = name_cards(hand.redrawn), name_cards(hand.drawn)
            text = f"redraws {out}, gets {new}; strength {hand.strength_after}"
        yield from wrap(printable(text), room, "     ")
