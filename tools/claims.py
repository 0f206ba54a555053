"""`python -m tools.claims`: whether what `impact` claims holds in fresh games.

The sample decks, and the first ones of the reference field, are weighed against that
field as a user would. Then every claim is measured again with other seeds and many more
games: what the best card instead of each of the weakest gains, and what the redraw
of each card of the dealt hand gains. Printed is how often the interval of the claim
held the value that was measured again, deck by deck and in all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import perf_counter

import deckcheck
from deckcheck.decks import Deck
from deckcheck.stats import Interval
from deckcheck.studies.redraws import RedrawsResult
from deckcheck.studies.swaps import Swap

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "decks" / "gwent" / "standard"
FIELD = ROOT / "card_db" / "gwent" / "fields" / "standard.deck"
FRESH = 1_000_000
"""What is added to a seed for games that had no part in a claim."""

HEADS = ("swaps", "redraws in the first trial", "redraws in fresh games")


@dataclass(frozen=True, slots=True)
class Claim:
    """What was claimed with an interval, and the value that was measured again."""

    kind: str
    value: float
    interval: Interval
    again: float

    @property
    def holds(self) -> bool:
        """Whether the interval has the value that was measured again."""
        return self.interval.low <= self.again <= self.interval.high


def main() -> None:
    """Print a row of Markdown for each deck as it is done, then all decks together."""
    parser = argparse.ArgumentParser(prog="python -m tools.claims")
    parser.add_argument("--games", type=int, default=600, help="of a claim")
    parser.add_argument("--again", type=int, default=30_000, help="of a swap again")
    parser.add_argument("--redraws", type=int, default=6_000, help="of a card again")
    parser.add_argument("--swaps", type=int, default=3, help="claims of each deck")
    parser.add_argument("--decks", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = perf_counter()
    decks = deckcheck.read(*sorted(SAMPLES.glob("*.deck")), FIELD)[: options.decks]
    print(_line(["deck", *HEADS]))
    print(_line(["---", *["---:"] * len(HEADS)]))
    claims: list[Claim] = []
    for deck in decks:
        own = [*_swaps(deck, options), *_redraws(deck, options)]
        print(_line([deck.name, *_held(own)]), flush=True)
        claims += own
    print(_line(["all", *_held(claims)]))
    print()
    for kind in HEADS:
        own = [claim for claim in claims if claim.kind == kind]
        value, again = (
            100 * fmean(numbers)
            for numbers in zip(*((c.value, c.again) for c in own), strict=True)
        )
        print(f"{kind}: {value:+.2f} points claimed, {again:+.2f} measured again")
    print(f"{perf_counter() - start:,.0f} s")


def _swaps(deck: Deck, options: argparse.Namespace) -> Iterator[Claim]:
    """The best card instead of each of the weakest, by its gain."""
    result = deckcheck.impact(deck, games=options.games, confirm=None, **_seed(options))
    cards = [card for card in reversed(result.cards) if card.alternatives]
    for card in cards[: options.swaps]:
        best = card.alternatives[0]
        swapped = Swap(card.id, best.id).of(deck)
        compared = deckcheck.compare(
            *(deck, swapped), games=options.again // 10, **_seed(options, FRESH)
        )
        [difference] = compared.field.differences
        gain = best.gain
        yield Claim(HEADS[0], gain.value, gain.interval, difference.value)


def _redraws(deck: Deck, options: argparse.Namespace) -> Iterator[Claim]:
    """Each card of the dealt hand, and those that were tried again."""
    claimed = _redrawn(deck, options.games, _seed(options))
    again = _redrawn(deck, options.redraws, _seed(options, FRESH))
    truths = {redraw.cards: redraw.gain.value for redraw in again.redraws}
    parts = claimed.redraws, claimed.fresh[0].redraws
    for kind, redraws in zip(HEADS[1:], parts, strict=True):
        for redraw in redraws:
            if redraw.cards in truths:
                gain, truth = redraw.gain, truths[redraw.cards]
                yield Claim(kind, gain.value, gain.interval, truth)


def _redrawn(deck: Deck, games: int, seed: dict[str, int]) -> RedrawsResult:
    return deckcheck.redraws(deck, games=games, confirm=None, **seed)


def _seed(options: argparse.Namespace, more: int = 0) -> dict[str, int]:
    return {"seed": options.seed + more}


def _held(claims: list[Claim]) -> list[str]:
    """Of each kind of claim, how many intervals held what was measured again."""
    texts = []
    for kind in HEADS:
        own = [claim.holds for claim in claims if claim.kind == kind]
        texts.append(f"{sum(own)} of {len(own)}")
    return texts


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
