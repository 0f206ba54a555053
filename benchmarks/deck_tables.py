"""`python -m benchmarks.deck_tables`: how the sample decks fare under each player.

Every deck meets every other one in mirrored games, both led by the same player. Prints
a table in Markdown, and how well the players agree.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from deckcheck import read
from deckcheck.decks import Deck
from deckcheck.formats import database_of, load_format
from deckcheck.playing.host.table import DUEL_STREAMS, seat, set_table
from deckcheck.playing.tally import Head, Part
from deckcheck.policies.host.registry import policy_label

__all__ = ["share_of_points"]

DECKS = Path(__file__).resolve().parent.parent / "decks" / "gwent" / "standard"
FORMAT = "gwent/standard"
SEED = 1

Rates = npt.NDArray[np.float64]


def main() -> None:
    """Play all pairs of decks under each player and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.deck_tables", description=__doc__
    )
    parser.add_argument("policies", nargs="+", help="a player, or one with its budget")
    parser.add_argument("--pairs", type=int, default=100, help="mirrored, of two decks")
    options = parser.parse_args()
    decks = list(read(DECKS))
    found = [
        share_of_points(decks, policy, options.pairs) for policy in options.policies
    ]
    games = 2 * options.pairs * (len(decks) - 1)
    print(f"{games} games of each deck; 95 % of the figures are within")
    print(f"{100 * 1.96 * 0.5 / games**0.5:.1f} points of the true ones")
    print()
    print("| deck |", " | ".join(policy_label(each) for each in options.policies), "|")
    print("|---|" + "---:|" * len(found))
    for i in np.argsort(-found[0]):
        rates = " | ".join(f"{100 * shares[i]:.1f}" for shares in found)
        print(f"| {decks[i].name} | {rates} |")
    for a, b in combinations(range(len(found)), 2):
        agreement = np.corrcoef(found[a], found[b])[0, 1]
        names = f"{options.policies[a]} and {options.policies[b]}"
        print(f"\nPearson's correlation of {names}: {agreement:.2f}")


def share_of_points(decks: list[Deck], policy: str, pairs: int) -> Rates:
    """The share of the points that each deck wins against all others together."""
    fmt = load_format(FORMAT)
    database = database_of(fmt)
    points, games = np.zeros(len(decks)), 0
    for number, (i, j) in enumerate(combinations(range(len(decks)), 2)):
        seats = [seat(decks[i], policy), seat(decks[j], policy)]
        table = set_table(fmt, database, seats, streams=DUEL_STREAMS)
        tally = table.play(SEED, number, 0, pairs)
        wins, shared = tally[1, Part.WINS], tally[1, Part.SHARED]
        games = int(tally[0, Head.GAMES])
        points[i] += wins + shared / 2
        points[j] += games - wins - shared / 2
    return points / games / (len(decks) - 1)


if __name__ == "__main__":
    main()
