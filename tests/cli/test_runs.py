"""`simulate --run`, `resume` and `merge`: nothing that was played is lost."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.formats import load_format
from deckcheck.sim.interrupts import Interrupts
from deckcheck.sim.run_files import Lock
from deckcheck.sim.warmup import warm_format

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
FIELD = [str(DECKS / name) for name in ("mo_swarm.deck", "nr_siege_masters.deck")]
PLAY = ["simulate", *FIELD, "--games", "400", "--policy", "random"]

Captured = pytest.CaptureFixture[str]
Interrupt = Callable[[int], None]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Compile before anything is looked at: it would be announced on stderr."""
    warm_format(load_format("gwent/standard"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Interrupt:
    """Let Ctrl-C come after so many blocks, once."""

    def after(blocks: int) -> None:
        left = list(range(blocks))

        def check(_: Interrupts) -> None:
            if left and left.pop() == 0:
                raise KeyboardInterrupt

        monkeypatch.setattr(Interrupts, "check", check)

    return after


def test_an_interrupted_run_says_how_to_go_on(
    capsys: Captured, interrupt: Interrupt, tmp_path: Path
) -> None:
    run = "runs/field 1"
    interrupt(1)
    options = ["--jobs", "1", "--output-format", "json:result.json"]
    code = main([*PLAY, "--run", str(tmp_path / run), *options])
    out, err = capsys.readouterr()
    said, hint = err.splitlines()

    assert (code, out) == (130, "")
    assert said.startswith("Interrupted: 128 of 400 games; ")
    command = hint.removeprefix("help: Go on with `").removesuffix("`")
    place = shlex.quote(str(tmp_path / run))
    assert command == (
        f"deckcheck resume {place} --output-format json:result.json --jobs 1"
    )
    assert main(shlex.split(command)[1:]) == 0
    assert main([*PLAY, "--run", "whole", "--output-format", "json"]) == 0
    assert (tmp_path / "result.json").read_text() == capsys.readouterr().out


def test_without_a_folder_an_interrupted_run_prints_what_was_played(
    capsys: Captured, interrupt: Interrupt
) -> None:
    interrupt(1)
    code = main([*PLAY, "--jobs", "1", "--output-format", "json"])
    out, err = capsys.readouterr()
    result = json.loads(out)

    assert code == 130
    assert err.startswith("Interrupted: 128 of 400 games; ")
    assert (result["complete"], result["games"], result["games_played"]) == (
        *(False, 400, 128),
    )
    assert result["matchups"][0]["games"] == 128


def test_a_result_is_printed_again(capsys: Captured) -> None:
    outputs = []
    for name in ("table", "json", "csv", "markdown"):
        for command in ([*PLAY, "--run", "run"], ["resume", "run"]):
            assert main([*command, "--output-format", name]) == 0
            outputs.append(capsys.readouterr().out)

    assert outputs[::2] == outputs[1::2]
    assert "speed" not in outputs[0]


def test_more_games_and_shards(capsys: Captured) -> None:
    assert main([*PLAY, "--run", "long", "-qq"]) == 0
    assert main([*PLAY, "--run", "short", "-qq", "--games", "200"]) == 0
    assert main(["resume", "short", "--games", "400", "-qq"]) == 0
    for number in (1, 2):
        shard = f"{number}/2"
        assert main([*PLAY, "--run", f"s{number}", "-qq", "--shard", shard]) == 0
    capsys.readouterr()

    assert main(["merge", "s2", "--run", "half"]) == 0
    assert capsys.readouterr().out == (
        "1 run merged into `half`\n"
        "Not among them: `1/2`\n"
        "`deckcheck resume half` plays what is missing\n"
    )
    assert main(["merge", "s2", "s1", "--run", "both"]) == 0
    assert capsys.readouterr().out == (
        "2 runs merged into `both`\n`deckcheck resume both` prints the result\n"
    )
    outputs = set()
    for run in ("long", "short", "half", "both"):
        assert main(["resume", run, "-q"]) == 0
        outputs.add(capsys.readouterr().out)
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["resume", "gone"], "error: Run `gone` does not exist"),
        (["resume", "file"], "error: Run `file` is a file, not a folder"),
        ([*PLAY, "--shard", "1/2"], "error: `--shard` goes with `--run FOLDER` only"),
        ([*PLAY, "--run", "r", "--shard", "3/2"], "error: `3/2` is no shard"),
        (["merge", "gone"], "error: `--run FOLDER` is missing"),
        (["merge", "gone", "--run", "r"], "error: Run `gone` does not exist"),
        ([*PLAY, "--run", "file/r"], "error: Cannot write to `file/r`: not a dir"),
        ([*PLAY, "--run", "file"], "error: Run `file` is a file, not a folder"),
    ],
)
def test_misuse_is_one_sentence(
    capsys: Captured, command: list[str], message: str
) -> None:
    Path("file").touch()

    assert main([*command, "-q"] if command[0] != "merge" else command) == 2
    assert capsys.readouterr().err.startswith(message)


def test_another_process_is_named(capsys: Captured) -> None:
    assert main([*PLAY, "--run", "run", "-qq"]) == 0
    lock = Lock(Path("run"))
    code = main(["resume", "run"])
    lock.release()

    assert code == 2
    assert capsys.readouterr().err.startswith("error: `run` is being written by proces")
