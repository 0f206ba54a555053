"""What the conformance suite has to know of Gwen't: where cards lie, what counts."""

from __future__ import annotations

from collections import Counter
from typing import Any

ZONES = (("n_hand", "hand"), ("n_deck", "deck"), ("n_discard", "discard"))


def census(s: Any, x: Any) -> Counter[int]:
    """Every card of the game by number, wherever it lies."""
    cards: Counter[int] = Counter()
    for player in range(s.players):
        for count, zone in ZONES:
            cards.update(int(c) for c in s[zone][player, : s[count][player]])
        for row in range(3):
            cards.update(int(c) for c in s.row[player, row, : s.n_row[player, row]])
    if s.weather:
        cards[int(s.weather)] += 1
    return cards


def snapshot(s: Any) -> dict[str, Any]:
    """The state without what lies behind the end of a zone, by seats that are taken."""
    fields = {name: s[name].copy() for name in s.dtype.names}
    for player in range(s.players):
        for count, zone in ZONES:
            fields[zone][player, s[count][player] :] = 0
        for row in range(3):
            fields["row"][player, row, s.n_row[player, row] :] = 0
            fields["stacked"][player, row, s.n_row[player, row] :] = 0
    fields["order"][s.standing :] = 0
    fields["pass_order"][s.n_passed :] = 0
    if not s.weather:
        fields["weather_by"] = fields["weather_by"] * 0
    return {name: value.tolist() for name, value in fields.items()}


def turned(fields: dict[str, Any], by: int, players: int) -> dict[str, Any]:
    """The snapshot with every player `by` seats further on."""
    other = dict(fields)
    for name, value in fields.items():
        if name in ("order", "pass_order"):
            count = fields["standing" if name == "order" else "n_passed"]
            moved = [(player + by) % players for player in value[:count]]
            other[name] = moved + value[count:]
        elif isinstance(value, list) and name != "rng":
            other[name] = value[-by % players : players] + value[: -by % players]
            other[name] += value[players:]
    for name in ("turn", "first"):
        other[name] = (fields[name] + by) % players
    if fields["weather"]:
        other["weather_by"] = (fields["weather_by"] + by) % players
    if fields["winner"] >= 0:
        other["winner"] = (fields["winner"] + by) % players
    return other
