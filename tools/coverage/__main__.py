"""`python -m tools.coverage`: how often what is printed is true."""

from __future__ import annotations

import argparse

from tools.coverage.cases import Line, measured, worst
from tools.coverage.catalogue import every_case


def main() -> None:
    """Print a table in Markdown: each kind of figure in its worst case, or all."""
    parser = argparse.ArgumentParser(prog="python -m tools.coverage")
    parser.add_argument(
        "--runs", type=int, default=6_000, help="of most cases, fewer of slow ones"
    )
    parser.add_argument("--all", action="store_true", help="show all cases")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="cases whose name holds this"
    )
    options = parser.parse_args()
    print("| command | figure | nominal | true in % | error | worst case |")
    print("|---|---|---:|---:|---:|---|")
    lines = []
    for case in every_case():
        if options.only not in f"{case.command} {case.figure}, {case.situation}":
            continue
        lines.append(measured(case, options.runs))
        if options.all:
            print(_row(lines[-1]), flush=True)
    for line in () if options.all else worst(lines):
        print(_row(line))


def _row(line: Line) -> str:
    case, figures = line.case, (line.share, line.error)
    shown = [f"{100 * case.level:g}", *(f"{100 * figure:.1f}" for figure in figures)]
    return f"| {' | '.join((case.command, case.figure, *shown, case.situation))} |"


if __name__ == "__main__":
    main()
