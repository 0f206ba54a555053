"""No reader ends in a traceback, hangs or takes memory without bound.

`python -m tools.fuzzing` feeds 100,000 inputs; these are a sample of them.
"""

import json
import subprocess
import sys
from operator import ne
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

import deckcheck
from deckcheck.playing.kernel import Head
from deckcheck.sim.blocks import read_line, write_line
from deckcheck.sim.playing_blocks import PackedTally
from deckcheck.sim.run_settings import read_run_file
from tools.fuzzing import runs
from tools.fuzzing.mutations import damaged, damaged_file
from tools.fuzzing.running import Outcome, feed
from tools.fuzzing.targets import Target

ROOT = Path(__file__).parents[2]
MOST_MEGABYTES = 500

PROGRAM = """
import json, resource, sys
from pathlib import Path
from tools.fuzzing.running import fuzz
outcome = fuzz(range(int(sys.argv[2])), 2, Path(sys.argv[1]), sys.argv[3])
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([outcome.inputs, outcome.failures, megabytes]))
"""


def fed(
    folder: Path, inputs: int, kind: str = "readers"
) -> tuple[dict[str, int], list[str], float]:
    """Inputs by reader, what failed, and the most memory that they took."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(inputs), kind],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    inputs_by_reader, failures, megabytes = json.loads(done.stdout)
    return inputs_by_reader, failures, megabytes


@pytest.mark.slow
def test_damaged_inputs_end_in_findings_or_misuse(tmp_path: Path) -> None:
    inputs, failures, megabytes = fed(tmp_path, 2_800)

    assert failures == []
    assert len(inputs) == 14
    assert set(inputs.values()) == {200}
    assert megabytes < MOST_MEGABYTES


@pytest.mark.slow
@pytest.mark.compiled
def test_damaged_runs_are_refused_or_come_to_the_same_result(tmp_path: Path) -> None:
    inputs, failures, _ = fed(tmp_path, 24, "runs")

    assert failures == []
    assert len(inputs) == 6
    assert set(inputs.values()) == {4}


def test_an_input_is_made_again_by_its_number() -> None:
    seeds = [b"Leader: Foltest\n\n2 Ballista\n", b"3 Decoy\n"]
    made = [damaged(Random(f"1 {number}"), seeds) for number in range(50)]

    assert made == [damaged(Random(f"1 {number}"), seeds) for number in range(50)]
    assert len(set(made)) > 40


def test_a_failure_is_told_with_its_input() -> None:
    def fail(data: bytes) -> None:
        raise ValueError("no reader may do this")

    outcome = Outcome()
    feed(Target("broken", (b"2 Ballista\n",), fail), 7, 1, outcome)

    [failure] = outcome.failures
    assert failure.startswith("broken, input 7: b'")
    assert "no reader may do this" in failure


def test_a_file_is_damaged_each_time() -> None:
    whole = b'{"a":1}\n{"b":2}\n'
    made = [damaged_file(Random(f"1 {number}"), [whole]) for number in range(200)]

    assert whole not in made
    assert b'{"b":2}\n{"a":1}\n' in made
    assert b'{"b":2}\n' in made
    assert any(data.count(b'{"a":1}') > 1 for data in made)
    assert any(whole.startswith(data) for data in made)
    assert any(
        len(data) == len(whole) and sum(map(ne, data, whole)) == 1 for data in made
    )


@pytest.mark.compiled
@pytest.mark.parametrize("many", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_nothing_of_another_run_is_believed(
    tmp_path: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Foreign files and lines, other shards, edited counts, and CRCs computed anew."""

    targets, outcome = runs.Mixed(tmp_path).targets(), Outcome()
    for target in targets:
        target.feed(target.seeds[0])
    for number in range(many):
        # One in ten takes the place of the settings.
        feed(targets[number % 10 == 0], number, 1, outcome)

    assert outcome.failures == []
    assert outcome.misuse.total() == outcome.inputs.total() == many
    with monkeypatch.context() as patch:
        patch.setattr(runs, "open_study", lambda *_: SimpleNamespace(blocks=True))
        with pytest.raises(AssertionError, match="believed"):
            targets[0].feed(targets[0].seeds[1])


def test_a_run_that_is_believed_wrongly_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a CRC that nobody looks at, and a count that nothing else contradicts."""
    decks = runs.SWARM, runs.SIEGE
    deckcheck.simulate(*decks, games=40, policies="random", run=tmp_path / "run")
    fed_to = runs._Fed(runs._Scheduler(tmp_path / "run"), "blocks.jsonl")
    start = read_run_file(tmp_path / "run").start
    line = read_line(fed_to.run.files["blocks.jsonl"], start)
    tally = line.tally.unpack()
    tally[0, Head.TURNS] += 1
    line = line._replace(tally=PackedTally.of(tally))

    with pytest.raises(AssertionError, match="another result"):
        fed_to(write_line(line, start))
    with pytest.raises(deckcheck.UsageError, match=r"blocks\.jsonl:1: "):
        fed_to(write_line(line, start)[:-5] + b"x" + write_line(line, start)[-4:])
    with monkeypatch.context() as patch:
        patch.setattr(runs, "open_study", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            fed_to(b"")
    fed_to(fed_to.run.files["blocks.jsonl"])
