"""`python -m tools.players`: who is how strong, and what decks look like to them.

`--pairs` is how many game pairs of games two players play; those who search play
fewer, by their budget.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from platformdirs import user_cache_path

from tools.players.curve import measure_families, measure_fields
from tools.players.reports import budgets, cross, decks

PARTS = ("cross", "random", "budgets", "decks", "curve", "others")
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
    parser.add_argument(
        "--folder",
        type=Path,
        default=user_cache_path("deckcheck-players", False),
        help="where the games of `search:256` are kept",
    )
    options = parser.parse_args()
    pairs, seed = options.pairs, options.seed
    tables = {
        "cross": lambda: cross(pairs, seed, False),
        "random": lambda: cross(pairs, seed, True),
        "budgets": lambda: budgets(pairs, seed),
        "decks": lambda: decks(DECKS_OF, pairs, seed),
        "curve": lambda: measure_families(
            2 * pairs, seed, options.folder, options.drawing
        ),
        "others": lambda: measure_fields(pairs, seed),
    }
    for part in options.part or PARTS:
        print(f"## {part}\n")
        for line in tables[part]():
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
