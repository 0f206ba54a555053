"""What the conformance suite has to know of SG Gwint: where cards lie, what counts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from deckcheck.engine.sg_gwint.codes import Kind, Phase

ZONES = (("n_hand", "hand"), ("n_deck", "deck"), ("n_discard", "discard"))
IN_THE_AIR = (Phase.LAND, Phase.KLEPNA, Phase.ATTACH)
LISTS = (
    *(("n_sky", "sky"), ("n_below", "below"), ("n_stack", "stack")),
    *(("n_lagers", "lagers"), ("n_moved", "moved")),
)
BY_ROW = ("row", "extra", "ident", "stayed")


def census(s: Any, x: Any) -> Counter[int]:
    """Every card of the game by number; those that left it are 0.

    A leader among the weather is no card.
    """
    cards: Counter[int] = Counter({0: int(s.n_removed)})
    for count, zone in (*ZONES, ("n_linked", "linked")):
        for player in range(2):
            cards.update(int(c) for c in s[zone][player, : s[count][player]])
    for side in range(2):
        for row in range(3):
            cards.update(int(c) for c in s.row[side, row, : s.n_row[side, row]])
            cards[int(s.slot[side, row])] += 1
        for index, copies in enumerate(s.reserves[side].tolist()):
            if copies:
                cards[int(x.reserve_card[side, index])] += copies
    cards.update(int(c) for c in s.sky[: s.n_sky])
    cards.update(int(c) for c in s.below[: s.n_below, 1])
    cards.update(int(c) for c, _, ident, _ in s.stack[: s.n_stack] if ident == 0)
    if s.phase in IN_THE_AIR:
        cards[int(s.picked)] += 1
    cards[0] = int(s.n_removed)
    for number in [number for number in cards if x.kind[number] == Kind.LEADER]:
        del cards[number]
    # A leader that left with the weather counts among those removed.
    cards[0] -= sum(leader_gone(s, x, player) for player in range(2))
    return cards


def leader_gone(s: Any, x: Any, player: int) -> bool:
    """Whether the leader of a player lay among the weather and left."""
    leader = x.leader_card[player]
    lies = leader in s.sky[: s.n_sky] or leader in s.slot
    return bool(leader and s.leader_state[player] == 1 and not lies)


def snapshot(s: Any) -> dict[str, Any]:
    """The state without what lies behind the end of a zone."""
    fields = {name: s[name].copy() for name in s.dtype.names}
    for count, zone in (*ZONES, ("n_linked", "linked")):
        for player in range(2):
            fields[zone][player, s[count][player] :] = 0
    for player in range(2):
        fields["seen"][player, s.n_hand[player] :] = 0
        fields["under_seen"][player, s.n_under[player] :] = 0
        for row in range(3):
            for name in BY_ROW:
                fields[name][player, row, s.n_row[player, row] :] = 0
    for count, zone in LISTS:
        fields[zone][s[count] :] = 0
    return {name: value.tolist() for name, value in fields.items()}
