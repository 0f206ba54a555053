"""`python -m tools.coverage`: how often what is printed is true."""

from __future__ import annotations

import argparse

from tools.coverage.cases import measured, worst
from tools.coverage.table import HEAD, NUMBERS, every_case, kinds_of, row_of, with_rows


def main() -> None:
    """Print each kind of figure in its worst case, or all; or write them to the page.

    A row is written as soon as it is measured.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.coverage")
    parser.add_argument(
        "--runs", type=int, default=6_000, help="of most cases, fewer of slow ones"
    )
    parser.add_argument("--all", action="store_true", help="show all cases")
    parser.add_argument(
        "--only",
        default="",
        metavar="TEXT",
        help="rows whose command and figure hold this; with --all, cases",
    )
    parser.add_argument(
        "--write", action="store_true", help=f"put the rows into {NUMBERS.name}"
    )
    options = parser.parse_args()
    print(HEAD, end="")
    for kind, cases in kinds_of(every_case()).items():
        name = " ".join(kind)
        if options.all:
            for case in cases:
                if options.only in f"{name}, {case.situation}":
                    print(row_of(measured(case, options.runs)), flush=True)
        elif options.only in name:
            row = row_of(worst([measured(case, options.runs) for case in cases]))
            print(row, flush=True)
            if options.write:
                page = NUMBERS.read_text("utf-8")
                NUMBERS.write_text(with_rows(page, {kind: row}), "utf-8")


if __name__ == "__main__":
    main()
