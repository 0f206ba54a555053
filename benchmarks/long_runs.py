"""What long runs promise, tried at full size: `python -m benchmarks.long_runs`.

A run is killed at many random moments and resumed, played in shards that are merged,
extended from its half, and stopped by a full disk if it may mount one. Each has to end
with the same bytes in every output as a run that nobody disturbed.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

DECKS = Path(__file__).parents[1] / "decks" / "gwent" / "standard"
OUTPUTS = ("table", "json", "csv", "markdown")
CODE = "import sys; from deckcheck.cli import main; sys.exit(main())"
LONGEST_WAIT = 1.5


def start(*words: str) -> subprocess.Popen[bytes]:
    """Start a command of deckcheck."""
    return subprocess.Popen([sys.executable, "-c", CODE, *words, "-q"])


def outputs(run: Path) -> list[bytes]:
    """Every output of a finished run."""
    command = [sys.executable, "-c", CODE, "resume", str(run), "-q", "--output-format"]
    return [subprocess.check_output([*command, name]) for name in OUTPUTS]


def killed(play: list[str], run: Path, times: int, seed: int) -> int:
    """Play with a process that is killed `times` times; returns how often it was."""
    moments = random.Random(seed)
    blocks = run / "blocks.jsonl"
    for number in range(times):
        size = blocks.stat().st_size if blocks.exists() else 0
        process = start(*play, "--run", str(run), "-j", str(1 + number % 2))
        # Every other one may die before it has played anything.
        while number % 2 and process.poll() is None:
            if blocks.exists() and blocks.stat().st_size > size:
                break
            time.sleep(0.01)
        time.sleep(moments.random() * LONGEST_WAIT)
        if process.poll() is not None:
            return number
        process.send_signal(signal.SIGKILL)
        process.wait()
    return times


def main() -> None:
    """Try everything, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--shards", type=int, default=7)
    asked = parser.parse_args()
    play = ["simulate", *map(str, sorted(DECKS.glob("*.deck"))[:5])]
    play += ["--policy", "random", "--games", str(asked.games)]
    with TemporaryDirectory() as folder:
        place = Path(folder)
        assert start(*play, "--run", str(place / "whole")).wait() == 0
        expected = outputs(place / "whole")

        kills = killed(play, place / "killed", asked.kills, seed=1)
        same = outputs(place / "killed") == expected
        print(f"killed {kills} times and resumed: {verdict(same)}")

        shards = [place / f"shard{n}" for n in range(1, asked.shards + 1)]
        for number, shard in enumerate(shards, start=1):
            part = f"{number}/{asked.shards}"
            assert start(*play, "--run", str(shard), "--shard", part).wait() == 0
        random.Random(2).shuffle(shards)
        merge = [sys.executable, "-c", CODE, "merge", *map(str, shards)]
        begun = time.perf_counter()
        subprocess.check_call([*merge, "--run", str(place / "merged")])
        seconds = time.perf_counter() - begun
        same = outputs(place / "merged") == expected
        print(f"{asked.shards} shards merged in {seconds:.1f} s: {verdict(same)}")

        half = [*play, "--games", str(asked.games // 2), "--run", str(place / "half")]
        assert start(*half).wait() == 0
        games = ["--games", str(asked.games)]
        assert start("resume", str(place / "half"), *games).wait() == 0
        print(f"extended from half: {verdict(outputs(place / 'half') == expected)}")


def verdict(same: bool) -> str:
    """In words."""
    return "the same bytes in every output" if same else "DIFFERENT"


if __name__ == "__main__":
    main()
