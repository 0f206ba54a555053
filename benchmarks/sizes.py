"""What large fields cost: seconds of CPU and the most memory of whole processes.

Each command runs alone, with one worker. A size is twice the one before it, so that the
logarithm of a ratio, to the base of 2, is the exponent of the growth.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from math import log2
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEGABYTE = 1024


def main() -> None:
    """Print a row for each command and size."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=200, help="the largest field")
    parser.add_argument("--lists", type=int, default=10_000, help="lists to validate")
    arguments = parser.parse_args()
    before: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for what, size, words, output in _commands(arguments.decks, arguments.lists):
            seconds, memory = _cost(words)
            row = f"{what:<42} {size:>6,} {seconds:7.1f} s {memory:6.0f} MB"
            if output is not None:
                row += f" {output.stat().st_size / 1e6:6.2f} MB written"
            if what in before:
                row += f"  exponent {log2(seconds / before[what]):.1f}"
            before[what] = seconds
            print(row, flush=True)


def _commands(
    decks: int, lists: int
) -> Iterator[tuple[str, int, list[str], Path | None]]:
    """What is measured, for how many decks, and what it writes."""
    generate = ["generate", "gwent/standard", "--seed", "1"]
    yield "generate", decks, [*generate, "-n", str(decks), "-o", "decks"], None
    files = sorted(map(str, Path("decks").iterdir()))
    for size in (decks // 4, decks // 2, decks):
        run = f"run-{size}"
        play = ["simulate", *files[:size], "--policy", "random", "-q", "-j", "1"]
        few = [*play, "-n", "2", "--seed", "1", "--run", run]
        yield "round robin, 2 random games a pair", size, few, None
        yield "resume of it, playing nothing", size, ["resume", run, "-q"], None
        yield "report of it", size, ["report", run], None
        page = Path(f"{run}.html")
        yield "page of it", size, ["report", run, "--html", str(page)], page
        more = [*play, "-n", "20", "--seed", "1", "--run", f"more-{size}"]
        yield "round robin, 20 random games a pair", size, more, None
        yield "meta of it", size, ["meta", f"more-{size}"], None
    broken = sorted((ROOT / "examples" / "broken" / "gwent").glob("*.deck"))
    legal = sorted((ROOT / "decks" / "gwent" / "standard").glob("*.deck"))
    for name, sources in (("legal", legal), ("broken", broken)):
        for size in (lists // 2, lists):
            folder = Path(f"{name}-{size}")
            folder.mkdir()
            for copy in range(size):
                shutil.copyfile(sources[copy % len(sources)], folder / f"{copy}.deck")
            for output in ("table",) if name == "legal" else ("json", "sarif"):
                words = ["validate", str(folder), "--exit-zero"]
                words += [] if name == "legal" else ["--output-format", output]
                yield f"validate, {name}, {output}", size, words, None


def _cost(words: list[str]) -> tuple[float, float]:
    """Seconds of CPU and megabytes at most of a command."""
    command = [sys.executable, "-m", "deckcheck", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words[:3])}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MEGABYTE


if __name__ == "__main__":
    main()
