"""`python -m tools.shares`: how often the intervals of `meta` hold the truth.

Fields of known win rates are drawn at random, a run of each is played by chance alone,
and the intervals of its shares are compared with the equilibrium of the true rates.
"""

from __future__ import annotations

import argparse

import numpy as np

from deckcheck.stats.optimising import Matrix, equilibrium
from deckcheck.studies.meta import Field, Met, Origin, meta_of

ORIGIN = Origin("made up", "none", ("chance",), 0, "none", "none")
SPREAD = 0.08


def main() -> None:
    """Print, for fields of several sizes, how many shares lay in their intervals."""
    parser = argparse.ArgumentParser(prog="python -m tools.shares")
    parser.add_argument("--runs", type=int, default=100, help="fields of each size")
    parser.add_argument("--pairs", type=int, default=2000, help="for each two decks")
    parser.add_argument("--resamples", type=int, default=200)
    options = parser.parse_args()
    print("decks  in the mix  others")
    for decks in (3, 5, 8):
        inside = covered(decks, options.runs, options.pairs, options.resamples)
        chosen, rest = (f"{100 * np.mean(each):.1f} %" for each in inside)
        print(f"{decks:>5}  {chosen:>10}  {rest:>6}", flush=True)


def covered(
    decks: int, runs: int, pairs: int, resamples: int
) -> tuple[list[bool], list[bool]]:
    """Whether each share lay in its interval: of decks in the true mix, and others."""
    chance = np.random.default_rng(decks)
    chosen: list[bool] = []
    rest: list[bool] = []
    for seed in range(runs):
        rates = drawn_rates(decks, chance)
        meta = meta_of(played(rates, pairs, chance), seed=seed, resamples=resamples)
        truth = equilibrium(rates).shares
        for share, player in zip(truth, meta.players, strict=True):
            low, high = player.share.interval
            (chosen if share else rest).append(low <= share <= high)
    return chosen, rest


def drawn_rates(decks: int, chance: np.random.Generator) -> Matrix:
    """Win rates around one half, of which not all run one way."""
    half = chance.normal(0, SPREAD, (decks, decks))
    return np.clip(0.5 + (half - half.T) / 2**0.5, 0.05, 0.95)


def played(rates: Matrix, pairs: int, chance: np.random.Generator) -> Field:
    """What `pairs` mirrored pairs of independent games of each two came to."""
    names = tuple(f"deck {i}" for i in range(len(rates)))
    met = []
    for a in range(len(rates)):
        for b in range(a + 1, len(rates)):
            won = chance.binomial(2, rates[a, b], pairs)
            scores = np.bincount(2 * won, minlength=5)
            met.append(Met(names[a], names[b], tuple(map(int, scores))))
    return Field(names, tuple(met), "deck", "game", ORIGIN)


if __name__ == "__main__":
    main()
