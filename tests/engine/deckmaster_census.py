"""What the conformance suite has to know of Deckmaster: where cards lie."""

from __future__ import annotations

from collections import Counter
from typing import Any


def census(s: Any, x: Any) -> Counter[int]:
    """Every card of the game by number; those fused over or destroyed as 0."""
    deck = Counter(s.deck[: s.n_deck].tolist())
    board = Counter(card for card in s.card.tolist() if card)
    return deck + board + Counter({0: int(s.turns) - board.total()})


def snapshot(s: Any) -> dict[str, Any]:
    """The state; the drawn card is the hand of the player to move."""
    fields = {name: s[name].tolist() for name in s.dtype.names}
    drawn = s.deck[max(s.n_deck - 1, 0) : s.n_deck].tolist()
    fields["hand"] = [drawn if s.turn == player else [] for player in range(2)]
    fields["deck"] = s.deck[: max(s.n_deck - 1, 0)].tolist()
    return fields


def dealt(s: Any, sizes: list[int]) -> Any:
    """What the shuffle has decided: the order of the deck that both share."""
    return s.deck.tolist()
