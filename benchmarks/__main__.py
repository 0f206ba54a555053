"""`python -m benchmarks`: print all speeds, and beside them those of another commit."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from shutil import copytree
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measuring import Figure, Measurement, measure

ROOT = Path(__file__).resolve().parent.parent
DECKS = ROOT / "decks" / "gwent" / "standard"
PAIRS = 5
"""How often another commit and this one are measured in turns."""
FORM = "{:<36}{:>11} {:<9}{:>10}{:>8}"


def main() -> None:
    """Measure, printing each figure as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="rough figures, soon")
    parser.add_argument("--json", action="store_true", help="a JSON document a line")
    parser.add_argument("--only", metavar="WORD", default="", help="figures so called")
    parser.add_argument(
        "--against", metavar="COMMIT", help="measure a commit, or a tag, as well"
    )
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        if options.against is not None:
            compare(options.against, options.only)
            return
        if not options.json:
            print(FORM.format("", "value", "unit", "ratio", "spread"))
        for found in measured(options.only, quick=options.quick):
            line = json.dumps(asdict(found)) if options.json else _row(found)
            print(line, flush=True)


def measured(word: str, *, quick: bool) -> Iterator[Measurement]:
    """Yield the measurements of all figures with this word in their name."""
    for figure in figures():
        if word in figure.name:
            yield measure(figure, 3 if quick else 7, 0.3 if quick else 1.0)


def figures() -> Iterator[Figure]:
    """Yield all figures; those that need no engine first."""
    from benchmarks.starting import processes

    yield from processes(DECKS)
    from benchmarks.playing import games

    yield from games(DECKS)


def compare(commit: str, word: str) -> None:
    """Print the ratios of another commit and of this one, measured in turns.

    Both are measured by these benchmarks. The change is the median over the pairs, and
    its spread goes from the least to the greatest of them.
    """
    pairs: dict[str, list[tuple[float, float]]] = {}
    with TemporaryDirectory() as folder:
        other = Path(folder) / "other"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", other, commit], check=True)
        try:
            copytree(ROOT / "benchmarks", other / "benchmarks", dirs_exist_ok=True)
            for _ in range(PAIRS):
                before, after = (_ratios(root, word) for root in (other, ROOT))
                for name in after:
                    pairs.setdefault(name, []).append((before[name], after[name]))
        finally:
            subprocess.run([*git, "remove", "--force", other], check=True)
    print(FORM.format("ratios to the loop", commit[:11], "", "here", "change"))
    for name, found in pairs.items():
        print(changed(name, found))


def _ratios(root: Path, word: str) -> dict[str, float]:
    """The ratios of all figures in the checkout at `root`, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks", "--quick", "--json", "--only", word]
    done = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, text=True, check=True
    )
    lines = map(json.loads, done.stdout.splitlines())
    return {f"{line['name']}, {line['unit']}": line["ratio"] for line in lines}


def changed(name: str, pairs: list[tuple[float, float]]) -> str:
    """A row for a figure before and after, as often as it was measured."""
    before, after = (median(ratios) for ratios in zip(*pairs, strict=True))
    changes = [after / before for before, after in pairs]
    row = FORM.format(name, _short(before), "", _short(after), f"{median(changes):.2f}")
    return f"{row}  ({min(changes):.2f} to {max(changes):.2f})"


def _row(m: Measurement) -> str:
    return FORM.format(
        m.name, _short(m.value), m.unit, _short(m.ratio), f"{m.spread:.2f}"
    )


def _short(number: float) -> str:
    return f"{number:,.{0 if number >= 1_000 else 2}f}"


if __name__ == "__main__":
    main()
