"""`python -m benchmarks`: print all speeds; `--quick` is rough, `--json` for tools."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.measuring import Measurement

DECKS = Path(__file__).resolve().parent.parent / "decks" / "gwent" / "standard"
HEADER = ("", "value", "unit", "ratio", "spread", "reference")


def main() -> None:
    """Measure, printing each figure as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a rough figure, soon")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--cold", action="store_true", help="only the cold start")
    options = parser.parse_args()
    measured = []
    if not options.json:
        print(_line(HEADER))
    for measurement in _measurements(options.quick, options.cold):
        measured.append(measurement)
        if not options.json:
            print(_row(measurement), flush=True)
    if options.json:
        json.dump(_document(measured), sys.stdout, indent=2)
        print()


def _measurements(quick: bool, cold: bool) -> Iterator[Measurement]:
    """Yield all measurements; those that need no engine first."""
    from benchmarks.starting import (
        measure_cold_start,
        measure_validation,
        measure_warm_start,
    )

    if cold:
        yield measure_cold_start()
        return
    rounds, seconds = (3, 0.3) if quick else (7, 1.0)
    yield from measure_validation(DECKS, 1_000 if quick else 10_000, rounds)
    if not quick:
        yield measure_cold_start()
    yield from measure_warm_start(DECKS, rounds)
    from benchmarks.playing import (
        measure_play,
        measure_scaling,
        measure_table,
        pairs_of_policies,
    )

    for policies in pairs_of_policies():
        yield from measure_play(DECKS, policies, seconds, rounds)
    yield from measure_table(DECKS, seconds, rounds)
    yield measure_scaling(DECKS, 3 * seconds, rounds)
    from benchmarks.random_decks import FORMATS, measure_random_decks

    for format in FORMATS:
        for policy in ("random", "heuristic"):
            yield measure_random_decks(format, policy, seconds, rounds)


def _document(measured: list[Measurement]) -> dict[str, object]:
    from deckcheck import __version__

    return {
        "deckcheck": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "measurements": [asdict(measurement) for measurement in measured],
    }


def _row(m: Measurement) -> str:
    digits = 0 if m.value >= 1_000 else 2
    return _line(
        (
            m.name,
            f"{m.value:,.{digits}f}",
            m.unit,
            f"{m.ratio:,.{0 if m.ratio >= 1_000 else 2}f}",
            f"{m.spread:.2f}",
            m.reference,
        )
    )


def _line(cells: tuple[str, ...]) -> str:
    name, value, unit, ratio, spread, reference = cells
    return f"{name:<42}{value:>12} {unit:<10}{ratio:>9}{spread:>8}  {reference}"


if __name__ == "__main__":
    main()
