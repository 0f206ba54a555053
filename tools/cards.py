"""`python -m tools.cards`: what cards cause beside what is observed of them.

The cards of each sample deck are weighed against the other decks. Of each deck two rows
tell its best card and the one to cut, and how well what is observed of all its
cards agrees with what they cause.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import deckcheck
from deckcheck.report.tables import points
from deckcheck.studies.impact import CardImpact
from deckcheck.studies.swaps import WAYS, MeasuredEffect

DECKS = Path(__file__).parents[1] / "decks" / "gwent" / "standard"
HEADS = ("deck", "card", "caused", "95 %", *WAYS)


def main() -> None:
    """Print both tables as Markdown, a deck after the other as they are done."""
    parser = argparse.ArgumentParser(prog="python -m tools.cards")
    parser.add_argument("--games", type=int, default=1400, help="of each version")
    parser.add_argument("--policy", default="heuristic-1")
    parser.add_argument("--decks", type=int, default=None, help="only the first ones")
    options = parser.parse_args()
    files = sorted(DECKS.glob("*.deck"))
    agreements = []
    print(_line(HEADS))
    print(_line(["---", "---", *["---:"] * (len(HEADS) - 2)]))
    for file in files[: options.decks]:
        found = deckcheck.impact(
            file,
            against=[other for other in files if other != file],
            games=options.games,
            policies=options.policy,
        )
        cut = next(card for card in found.cards if card.id == found.cut)
        for name, card in ((found.deck, found.cards[0]), ("", cut)):
            seen = [_seen(each.difference) for each in card.observed]
            print(_line([name, card.name, *_caused(card), *seen]), flush=True)
        agreements.append((found.deck, _agreement(found)))
    print()
    print(_line(["deck", *WAYS]))
    print(_line(["---", *["---:"] * len(WAYS)]))
    for name, each in agreements:
        print(_line([name, *(f"{value:.2f}" for value in each)]))
    mean = np.mean([each for _, each in agreements], axis=0)
    print(_line(["mean", *(f"{value:.2f}" for value in mean)]))


def _agreement(found: deckcheck.ImpactResult) -> list[float]:
    """The correlation, over the cards of a deck, of each way to see with the cause."""
    values = []
    for way in range(len(WAYS)):
        both = [
            (card.worth.value, effect.value)
            for card in found.cards
            if (effect := card.observed[way].difference) is not None
        ]
        values.append(float(np.corrcoef(np.array(both).T)[0, 1]))
    return values


def _caused(card: CardImpact) -> tuple[str, str]:
    low, high = map(points, card.worth.interval)
    return points(card.worth.value), f"{low} to {high}"


def _seen(effect: MeasuredEffect | None) -> str:
    return "-" if effect is None else points(effect.value)


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
