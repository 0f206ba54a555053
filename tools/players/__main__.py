"""`python -m tools.players`: how far win rates by each bot are from those by the best.

`--pairs` is the number of game pairs of each matchup by rules of thumb. Slower bots
play fewer.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from platformdirs import user_cache_path

from tools.players.curve import measure_families, measure_fields
from tools.players.families import FAMILIES
from tools.players.promises import check_promises


def main() -> None:
    """Print the tables, each line as soon as it is known."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.players", description=__doc__
    )
    parser.add_argument("--others", action="store_true", help="games other than duels")
    parser.add_argument("--promises", action="store_true", help="of `tune`, `build`")
    parser.add_argument("--pairs", type=int, default=2250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--family",
        action="append",
        choices=FAMILIES,
        help="measure this family of decks alone. Can be given several times",
    )
    parser.add_argument(
        "--factor",
        type=int,
        default=1,
        help="how many times the usual games the second pilot plays",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=user_cache_path("deckcheck-players", False),
        help="where the games of the reference are kept",
    )
    options = parser.parse_args()
    is_other_measure = options.others or options.promises
    if is_other_measure and (options.family or options.factor != 1):
        parser.error("--family and --factor go without --others and --promises")
    if options.factor < 1:
        parser.error(f"--factor is {options.factor}, must be at least 1")
    if options.others:
        lines = measure_fields(options.pairs, options.seed)
    elif options.promises:
        lines = check_promises(options.seed, options.folder)
    else:
        games = 2 * options.pairs
        families = options.family or FAMILIES
        how = options.seed, options.folder, families, options.factor
        lines = measure_families(games, *how)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
