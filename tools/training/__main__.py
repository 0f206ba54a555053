"""The command line of what trains: a folder, and a run in small."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from tools.training.courses import COURSES, Course

Tell = Callable[[str], None]
SMALL = 100


def run(
    program: str, about: str | None, work: Callable[[Course, Path, int, Tell], None]
) -> None:
    """Do `work` for a course and in the folder that is asked for.

    It gets 1 for all games, or SMALL for one of so many.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=about)
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--course", choices=COURSES, default="gwent-two")
    parser.add_argument("--small", action="store_true", help="a hundredth of the games")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    start = perf_counter()

    def tell(line: str) -> None:
        print(f"{perf_counter() - start:6.0f} s  {line}", flush=True)

    work(COURSES[options.course], options.folder, SMALL if options.small else 1, tell)
