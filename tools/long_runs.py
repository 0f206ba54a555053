"""What long runs promise, tried at full size: `python -m tools.long_runs`.

A run is killed at many random moments and resumed, played in shards that are merged,
and extended from its half. Each has to end with the same bytes in every output as a run
that nobody disturbed. `--dask` compares the speeds of worker processes and of Dask.
"""

from __future__ import annotations

import argparse
import json
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
    return subprocess.Popen([sys.executable, "-c", CODE, *words, "-qq"])


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
    parser.add_argument("--dask", action="store_true", help="compare speeds instead")
    asked = parser.parse_args()
    if asked.dask:
        compare_with_dask(asked.games)
        return
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


def compare_with_dask(games: int) -> None:
    """Play a match on two worker processes and on two workers of Dask, in turns."""
    play = ["simulate", *map(str, sorted(DECKS.glob("*.deck"))[:2]), "-j", "2"]
    play += ["--games", str(games), "--output-format", "json"]
    for _ in range(2):
        rates = []
        for executor in ("processes", "dask"):
            command = [*play, "--executor", executor, "-q"]
            text = subprocess.check_output([sys.executable, "-c", CODE, *command])
            result = json.loads(text)
            rates.append(result["games_per_second"])
            print(f"{executor}: {rates[-1]:,.0f} games/s, {result['checksum']}")
        print(f"dask to processes: {rates[1] / rates[0]:.2f}")


def verdict(same: bool) -> str:
    """In words."""
    return "the same bytes in every output" if same else "DIFFERENT"


if __name__ == "__main__":
    main()
