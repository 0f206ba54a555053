"""`python -m tools.mutation`: do the tests notice faults?

`faults` puts faults of a list in again; `random` tries random mutants.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_cache_path

from tools.mutation.faults import FAULTS, read_faults, try_faults
from tools.mutation.reaching import NEAREST, Reach
from tools.mutation.running import Copy
from tools.mutation.sampling import (
    PACKAGES,
    Result,
    check_killers,
    draw,
    read_reasons,
    read_results,
    share_noticed,
    try_mutant,
    write_result,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the two; 1 if a fault survives, or a mutant without a reason."""
    options = _parser().parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    copy = Copy(options.folder.resolve())
    return (
        _faults(options, copy) if options.what == "faults" else _random(options, copy)
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutation", description=__doc__
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        default=user_cache_path("deckcheck-mutation", False),
        help="where the copy of the tree, its engine and the results are kept",
    )
    commands = parser.add_subparsers(dest="what", required=True)
    faults = commands.add_parser("faults", help="put the faults of a list in again")
    faults.add_argument("--list", type=Path, default=FAULTS, metavar="FILE")
    some = commands.add_parser("random", help="try random mutants")
    some.add_argument("--number", type=int, default=300, metavar="NUMBER")
    some.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    some.add_argument(
        "--package", nargs="+", choices=PACKAGES, default=list(PACKAGES), metavar="NAME"
    )
    some.add_argument(
        "--budget",
        type=float,
        default=30,
        metavar="SECONDS",
        help="CPU of transcripts, of the nearest test file, and of the others",
    )
    some.add_argument(
        "--least",
        type=float,
        default=None,
        metavar="SHARE",
        help="end with 1 only below this share of mutants that are noticed",
    )
    some.add_argument(
        "--again",
        action="store_true",
        help="try kept survivors and timeouts again, with all tests that reach them",
    )
    return parser


def _faults(options: argparse.Namespace, copy: Copy) -> int:
    missed = 0
    for fault, outcome in try_faults(read_faults(options.list), copy):
        missed += outcome.result not in ("killed", "timeout")
        print(f"{outcome.result:9}  {fault.name} ({outcome.seconds:.0f} s)")
        print(f"{'':9}  {outcome.by}", flush=True)
    print(f"\n{missed} faults went unnoticed")
    return int(missed > 0)


def _random(options: argparse.Namespace, copy: Copy) -> int:
    drawn = draw(copy, options.package, options.number, options.seed)
    path = options.folder / "results.jsonl"
    kept = {
        name: result
        for name, result in read_results(path).items()
        if not (options.again and result.result != "killed")
    }
    new = [(package, mutant) for package, mutant in drawn if mutant.name not in kept]
    reach = Reach(copy.tree, None if options.again else NEAREST)
    if new:
        copy.warm()
    for package, mutant in new:
        result = try_mutant(package, mutant, copy, reach, options.budget)
        write_result(path, result)
        seconds = f"{result.seconds:5.0f} s"
        print(f"{result.result:8}  {seconds}  {result.name}", flush=True)
    tried = read_results(path)
    results = [tried[mutant.name] for _, mutant in drawn]
    check_killers(results, copy)
    is_good = _report(results)
    if options.least is not None:
        is_good = share_noticed(results, read_reasons()) >= options.least
    return int(not is_good)


def _report(results: Sequence[Result]) -> bool:
    """Print the share by package and the survivors; whether all have reasons."""
    print(f"\n{'package':12}  mutants  noticed")
    for name in sorted({result.package for result in results}):
        _print_share(name, [r for r in results if r.package == name])
    _print_share("all", results)
    print(", ".join(f"{n} {w}" for w, n in Counter(r.result for r in results).items()))
    reasons = read_reasons()
    survivors = [result for result in results if result.result == "survived"]
    for result in survivors:
        print(f"\n{result.name} (line {result.line})")
        print(f"    {reasons.get(result.name, 'survived without a reason')}")
    return all(result.name in reasons for result in survivors)


def _print_share(name: str, results: Sequence[Result]) -> None:
    noticed = share_noticed(results, read_reasons())
    print(f"{name:12}  {len(results):7}  {noticed:7.1%}")


if __name__ == "__main__":
    sys.exit(main())
