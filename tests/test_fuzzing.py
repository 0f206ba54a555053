"""No reader ends in a traceback, hangs or takes memory without bound.

`python -m benchmarks.fuzzing` feeds 100,000 inputs; these are a sample of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

ROOT = Path(__file__).resolve().parent.parent
MOST_MEGABYTES = 200

PROGRAM = """
import json, sys
from pathlib import Path
from benchmarks.fuzzing.running import fuzz
outcome = fuzz(range(int(sys.argv[2])), 2, Path(sys.argv[1]))
failures = [f"{f.target} {f.number}: {f.trace}" for f in outcome.failures]
print(json.dumps([outcome.inputs, failures, outcome.megabytes]))
"""


def fed(folder: Path, inputs: int) -> tuple[dict[str, int], list[str], float]:
    """Inputs by reader, what failed, and by how many megabytes the process grew."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(inputs)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    inputs_by_reader, failures, megabytes = json.loads(done.stdout)
    return inputs_by_reader, failures, megabytes


@pytest.mark.slow
def test_damaged_inputs_end_in_findings_or_misuse(tmp_path: Path) -> None:
    inputs, failures, megabytes = fed(tmp_path, 2_800)

    assert failures == []
    assert len(inputs) == 14
    assert set(inputs.values()) == {200}
    assert megabytes < MOST_MEGABYTES


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.mark.usefixtures("benchmarks")
def test_an_input_is_made_again_by_its_number() -> None:
    from benchmarks.fuzzing.mutations import damaged

    seeds = [b"Leader: Foltest\n\n2 Ballista\n", b"3 Decoy\n"]
    made = [damaged(Random(f"1 {number}"), seeds) for number in range(50)]

    assert made == [damaged(Random(f"1 {number}"), seeds) for number in range(50)]
    assert len(set(made)) > 40


@pytest.mark.usefixtures("benchmarks")
def test_a_failure_is_kept_with_its_input(tmp_path: Path) -> None:
    from benchmarks.fuzzing.running import Outcome, feed
    from benchmarks.fuzzing.targets import Target

    def fail(data: bytes) -> None:
        raise ValueError("no reader may do this")

    outcome = Outcome()
    feed(Target("broken", (b"2 Ballista\n",), fail), 7, 1, outcome)

    [failure] = outcome.failures
    assert (failure.target, failure.number) == ("broken", 7)
    assert "no reader may do this" in failure.trace
