"""`python -m tools.players`: who is how strong, and what decks look like to them.

`--pairs` is how many game pairs of games two players play; those who search play
fewer, by their budget.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tools.players.curve import Place, curve, draw, others
from tools.players.meeting import random_pairs, sample_decks
from tools.players.reports import budgets, cross, decks

PARTS = ("cross", "random", "budgets", "decks", "curve", "others")
RANDOM_DECKS = 14
DECKS_OF = ("heuristic", "learned", "search:64")


def main() -> None:
    """Print the tables, each line as soon as it is known."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.players", description=__doc__
    )
    parser.add_argument("part", nargs="*", choices=[*PARTS, []], help="all by default")
    parser.add_argument("--pairs", type=int, default=2250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drawing", type=Path, default=Path("docs/players.png"))
    options = parser.parse_args()
    pairs, seed = options.pairs, options.seed
    tables = {
        "cross": lambda: cross(pairs, seed, False),
        "random": lambda: cross(pairs, seed, True),
        "budgets": lambda: budgets(pairs, seed),
        "decks": lambda: decks(DECKS_OF, pairs, seed),
        "curve": lambda: both_curves(2 * pairs, seed, options.drawing),
        "others": lambda: others(pairs, seed),
    }
    for part in options.part or PARTS:
        print(f"## {part}\n")
        for line in tables[part]():
            print(line, flush=True)
        print()


def both_curves(games: int, seed: int, drawing: Path) -> Iterator[str]:
    """The curve over sample decks and over random decks, and their drawing."""
    fields: dict[str, list[Place]] = {"sample decks": [], "random decks": []}
    yield from curve(sample_decks(), games, seed, fields["sample decks"])
    yield from ("", f"Of {RANDOM_DECKS} random decks:", "")
    drawn = random_pairs(seed, RANDOM_DECKS // 2)
    yield from curve(drawn, games, seed, fields["random decks"])
    draw(fields, drawing)


if __name__ == "__main__":
    main()
