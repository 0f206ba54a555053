"""`python -m tools.blunders`: how often players of Gwent blunder, and at what.

A blunder is a move that costs more than 10 points of the chance to win, by a judge who
plays moves to the end in hundreds of possible worlds. Of each player `--decisions` are
judged, from games against `learned`, half of them with sample decks and half with
random ones. `--write` keeps the worst ones in `worst.yaml`.
"""

from __future__ import annotations

import argparse
import sys
from time import process_time

from tools.blunders.positions import Blunder, write_blunders
from tools.blunders.tables import Judged, by_kind, by_player, judge_player, worst

PLAYERS = ("heuristic", "learned-1", "learned", "search:64")
SEED = 1


def main() -> None:
    """Judge all players, print the tables, and keep the worst moves if asked to."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.blunders", description=__doc__
    )
    parser.add_argument("--decisions", type=int, default=400, help="of each player")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--policy", action="append", help="a player; else all four")
    parser.add_argument("--write", action="store_true", help="keep the worst moves")
    options = parser.parse_args()
    found: dict[str, list[Judged]] = {}
    kept: list[Blunder] = []
    for player in options.policy or PLAYERS:
        start = process_time()
        found[player] = list(judge_player(player, options.seed, options.decisions))
        kept += worst(player, found[player])
        seconds = process_time() - start
        print(f"{player}: {seconds:.0f} s of CPU", file=sys.stderr, flush=True)
    for line in (*by_player(found), "", *by_kind(found)):
        print(line)
    if options.write:
        write_blunders(kept)


if __name__ == "__main__":
    main()
