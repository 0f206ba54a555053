"""`python -m tools.refusals`: an illegal move in each of 100,000 positions.

Every move has to be refused for a reason, and no reason may contradict the position or
its own list of legal moves.
"""

from __future__ import annotations

import argparse
import sys

from tools.refusals.running import refuse


def main() -> int:
    """Run, print how often each reason was given; 1 if one was wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.refusals", description=__doc__
    )
    parser.add_argument("--positions", type=int, default=100_000, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    options = parser.parse_args()
    outcome = refuse(options.positions, options.seed, tell=True)
    for format, count in outcome.positions.items():
        print(f"{format:32}  {count:7,} positions")
    print()
    for reason, count in outcome.reasons.most_common():
        print(f"{count:7,}  {reason}")
    for failure in outcome.failures[:20]:
        print(f"\n{failure}")
    print(f"\n{outcome.positions.total():,} positions, {len(outcome.failures)} failed")
    return int(bool(outcome.failures))


if __name__ == "__main__":
    sys.exit(main())
