"""`python -m tools.fuzzing`: feed 100,000 damaged inputs to all readers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.fuzzing.running import KINDS, fuzz


def main() -> int:
    """Run, print a table and the inputs that failed; 1 if there are any."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzzing", description=__doc__
    )
    parser.add_argument("--inputs", type=int, default=100_000, metavar="NUMBER")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help="what is read")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.inputs)
    with TemporaryDirectory() as folder:
        outcome = fuzz(numbers, options.seed, Path(folder), options.kind)
    for name, inputs in outcome.inputs.items():
        print(f"{name:20}  {inputs:7,} inputs, {outcome.misuse[name]:7,} misuse")
    print(*outcome.failures[:20], f"{len(outcome.failures)} failed", sep="\n\n")
    return int(bool(outcome.failures))


if __name__ == "__main__":
    sys.exit(main())
