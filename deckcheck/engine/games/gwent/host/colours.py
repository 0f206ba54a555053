"""Neutral cards in the colours of the factions at the table (rules 5.6.4).

"Each faction has its own set of the neutral cards" (1.1.1), and in a team it matters
whose card it is. A neutral card of a deck becomes a card of its own, alike but for its
colour.
"""

from __future__ import annotations

from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.gwent.state import CARDS
from deckcheck.engine.types import Context

COLUMNS = (
    *("strength", "kind", "rows", "ability", "family", "calls", "becomes"),
    *("summoned", "side_index"),
)


def dye_neutral_cards(x: Context, cards: int) -> None:
    """Give every neutral card of a deck or side deck the colour of its deck.

    `cards` is how many cards the database has; the new ones get the numbers above.
    """
    numbers: dict[tuple[int, int], int] = {}
    for player in range(x.n_players):
        colour = int(x.own_colour[player])
        for zone in (x.deck[player, : x.n_deck[player]], x.side_card[player]):
            for place, card in enumerate(zone.tolist()):
                if card and colour and not x.colour[card]:
                    free = cards + len(numbers) + 1
                    zone[place] = numbers.setdefault((card, colour), free)
    if cards + len(numbers) >= CARDS:
        raise EngineError(f"the Gwent engine plays at most {CARDS - 1} different cards")
    for (card, colour), number in numbers.items():
        dye(x, card, number, colour)


def dye(x: Context, card: int, number: int, colour: int) -> None:
    """Enter a card of the table once more, with a colour."""
    for name in COLUMNS:
        x[name][number] = x[name][card]
    x.plain[number] = card
    x.colour[number] = colour
