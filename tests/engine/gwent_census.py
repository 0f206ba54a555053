"""What the conformance suite has to know of Gwent: where cards lie, and what counts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from deckcheck.engine.gwent.codes import Phase

ZONES = (("n_hand", "hand"), ("n_deck", "deck"), ("n_discard", "discard"))


def census(s: Any, x: Any) -> Counter[int]:
    """Every card of the game by number, wherever it lies; those removed are 0."""
    cards: Counter[int] = Counter()
    for count, zone in ZONES:
        for owner in range(x.n_sides if zone == "discard" else x.n_players):
            cards.update(int(c) for c in s[zone][owner, : s[count][owner]])
    for side in range(x.n_sides):
        for row in range(3):
            cards.update(int(c) for c in s.row[side, row, : s.n_row[side, row]])
            if s.slot[side, row]:
                cards[int(s.slot_card[side, row])] += 1
    for index in range(4):
        if s.weather[index]:
            cards[int(s.weather_card[index])] += 1
    for player in range(x.n_players):
        for index, copies in enumerate(s.side_deck[player].tolist()):
            cards[int(x.side_card[player, index])] += copies
    # A Decoy that looks for its unit, spies that look for an opponent.
    if s.picked and s.phase in (Phase.DECOY, Phase.RECIPIENT):
        cards[int(s.picked)] += 1
    cards.update(int(card) for card, _, side in s.stack[: s.n_stack] if side < 0)
    return cards


def snapshot(s: Any) -> dict[str, Any]:
    """The state without what lies behind the end of a zone."""
    fields = {name: s[name].copy() for name in s.dtype.names}
    for count, zone in ZONES:
        for owner in range(len(s[count])):
            fields[zone][owner, s[count][owner] :] = 0
    for owner in range(len(s.n_hand)):
        fields["seen"][owner, s.n_hand[owner] :] = 0
        for row in range(3):
            fields["row"][owner, row, s.n_row[owner, row] :] = 0
    fields["weather_card"][s.weather == 0] = 0
    fields["slot_card"][s.slot == 0] = 0
    fields["stack"][:] = 0
    fields["summons"][:] = 0
    return {name: value.tolist() for name, value in fields.items()}


def swapped(fields: dict[str, Any]) -> dict[str, Any]:
    """The snapshot with the two seats exchanged."""
    by_seat = {name for name, value in fields.items() if is_by_seat(name, value)}
    other = {
        name: value[::-1] if name in by_seat else value
        for name, value in fields.items()
    }
    for name in ("turn", "starter", "first"):
        other[name] = 1 - fields[name]
    if fields["winner"] >= 0:
        other["winner"] = 1 - fields["winner"]
    other["next_member"] = [1 - p if p >= 0 else p for p in other["next_member"]]
    other["weather"] = [3 - w if w else 0 for w in fields["weather"]]
    return other


def is_by_seat(name: str, value: Any) -> bool:
    """Whether the first axis of a field counts players or sides."""
    return isinstance(value, list) and len(value) == 2
