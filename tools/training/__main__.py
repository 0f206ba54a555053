"""`python -m tools.training FOLDER`: train `learned` for a course.

First come the weights by which it values positions, in 15 to 30 minutes, then those by
which it rates moves and answers, if it does so in this course, in two hours. The last
hour of these is practice, which `--only practice` begins from the weights of learned-3.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

from deckcheck.policies.workspace import is_rated
from tools.training.courses import COURSES
from tools.training.rating import train_further, train_ratings
from tools.training.values import train_values

SMALL = 100
"""The divisor of all numbers of games in a small training."""


def main() -> None:
    """Train for the course that is asked for, and print how far it is."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.training", description=__doc__
    )
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--course", choices=COURSES, default="gwent-two")
    parser.add_argument("--small", action="store_true", help="a hundredth of the games")
    parser.add_argument("--only", choices=("values", "ratings", "practice"))
    options = parser.parse_args()
    course, part = COURSES[options.course], SMALL if options.small else 1
    rates_moves = is_rated(course.game, course.variant)
    if options.only in ("ratings", "practice") and not rates_moves:
        parser.error(f"`RATED_VARIANTS` does not name {course.name}")
    options.folder.mkdir(parents=True, exist_ok=True)
    start = perf_counter()

    def tell(line: str) -> None:
        print(f"{perf_counter() - start:6.0f} s  {line}", flush=True)

    if options.only in (None, "values"):
        train_values(course, options.folder, part, tell)
    if options.only in (None, "ratings") and rates_moves:
        train_ratings(course, options.folder, part, tell)
    if options.only == "practice":
        train_further(course, options.folder, part, tell)


if __name__ == "__main__":
    main()
