"""`python -m tools.fuzzing`: feed 100,000 damaged inputs to all readers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.fuzzing.running import KINDS, Outcome, fuzz


def main() -> int:
    """Run, print a table, keep the inputs that failed; 1 if there are any."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzzing", description=__doc__
    )
    parser.add_argument("--inputs", type=int, default=100_000, metavar="NUMBER")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="where inputs that fail are kept"
    )
    parser.add_argument(
        "--only", choices=KINDS, help="files that people write, or those of runs"
    )
    options = parser.parse_args()
    kinds = (options.only,) if options.only else KINDS
    keep = options.keep.resolve() if options.keep else None
    numbers = range(options.first, options.first + options.inputs)
    with TemporaryDirectory() as folder:
        outcome = fuzz(numbers, options.seed, Path(folder), _tell, kinds)
    _print(outcome)
    for failure in outcome.failures[:20]:
        print(f"\n{failure.target}, input {failure.number}\n{failure.trace}")
    if keep is not None and outcome.failures:
        keep.mkdir(parents=True, exist_ok=True)
        for failure in outcome.failures:
            name = f"{failure.target.replace(' ', '-')}-{failure.number}"
            (keep / name).write_bytes(failure.data)
    return int(bool(outcome.failures))


def _tell(outcome: Outcome) -> None:
    done, failed = outcome.inputs.total(), len(outcome.failures)
    print(f"{done:,} inputs, {failed} failed", file=sys.stderr, flush=True)


def _print(outcome: Outcome) -> None:
    print(f"{'reader':20}  {'inputs':>7}  {'misuse':>7}  failed")
    for name, inputs in outcome.inputs.items():
        failed = sum(failure.target == name for failure in outcome.failures)
        print(f"{name:20}  {inputs:7,}  {outcome.misuse[name]:7,}  {failed:6,}")
    seconds, name, number = outcome.slowest
    print(
        f"\n{outcome.inputs.total():,} inputs in {outcome.seconds:.0f} s, "
        f"{len(outcome.failures)} failed; the slowest took {1000 * seconds:.0f} ms "
        f"({name}, input {number}); memory grew by {outcome.megabytes:.0f} MB"
    )


if __name__ == "__main__":
    sys.exit(main())
