"""What `tune` gains on each sample deck, and how long that takes.

    python -m tools.tuned_decks

Each sample deck is tuned against the field of all of them, by a process of its own as
a user would. Printed are the gain on fresh games with its interval, the time, and what
`validate` says of the deck in another process; then the median of the gains. With
`--confirm learned` gains are those by that player, of whom the search knew nothing.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "decks" / "gwent" / "standard"


@dataclass(frozen=True, slots=True)
class Tuned:
    """The gain in points with its interval, seconds of the clock and of all cores.

    `is_legal` is the verdict of another process.
    """

    name: str
    gain: float
    low: float
    high: float
    seconds: float
    cpu: float
    is_legal: bool


def deckcheck(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "deckcheck", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def tune(deck: Path, field: str, folder: Path, options: list[str]) -> Tuned:
    """Tune a deck; raises RuntimeError if the command fails."""
    file = folder / deck.name
    words = ["tune", str(deck), "--against", field, "--output-format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    done = deckcheck(*words, "--deck", str(file), "-q", *options)
    seconds = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(done.stderr)
    document = json.loads(done.stdout)
    proof = document["confirmed"] or document["proof"]
    found = proof and proof["field"]["difference"]
    low, high = found["interval"] if found else (0.0, 0.0)
    return Tuned(
        document["base"],
        100 * found["difference"] if found else 0.0,
        100 * low,
        100 * high,
        seconds,
        after.ru_utime - before.ru_utime,
        deckcheck("validate", str(file)).returncode == 0,
    )


def _lines(given: argparse.Namespace) -> Iterator[str]:
    options = ["--changes", str(given.changes), "--seed", str(given.seed)]
    options += ["--games", str(given.games), "--policy", given.policy]
    options += ["--jobs", str(given.jobs)] if given.jobs else []
    options += ["--confirm", given.confirm]
    if given.confirm_games:
        options += ["--confirm-games", str(given.confirm_games)]
    found = []
    with TemporaryDirectory() as name:
        for deck in sorted(SAMPLES.glob("*.deck"))[: given.decks]:
            each = tune(deck, given.field, Path(name), options)
            found.append(each)
            yield (
                f"{each.name:28} {each.gain:+5.1f} ({each.low:.1f} to {each.high:.1f}) "
                f"{each.seconds:4.0f} s, {each.cpu:4.0f} s of all cores, "
                f"{'legal' if each.is_legal else 'ILLEGAL'}"
            )
    gains = [each.gain for each in found]
    slowest = max(each.seconds for each in found)
    busiest = max(each.cpu for each in found)
    yield f"median {median(gains):+.1f}, least {min(gains):+.1f}, of {len(gains)} decks"
    yield f"slowest {slowest:.0f} s, {busiest:.0f} s of all cores"
    worse = sum(each.high < 0 for each in found)
    legal = sum(each.is_legal for each in found)
    yield f"clearly worse: {worse}; legal: {legal}"


def main() -> None:
    """Tune the sample decks one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--field", default=str(SAMPLES), help="or `reference`")
    parser.add_argument("--decks", type=int, default=None, help="only so many")
    parser.add_argument("--changes", type=int, default=8)
    parser.add_argument("--games", type=int, default=600_000)
    parser.add_argument("--policy", default="heuristic")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--confirm", default="none", help="who plays the proof again")
    parser.add_argument("--confirm-games", type=int, default=None)
    for line in _lines(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
