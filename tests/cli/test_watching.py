"""`validate --watch`: what is watched, what is told, how it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.cli import validate as watching
from deckcheck.cli.validate import keep_checking
from deckcheck.findings import UsageError

Captured = pytest.CaptureFixture[str]
Watch = Callable[..., Iterator[set[tuple[int, str]]]]


def play_changes(
    monkeypatch: pytest.MonkeyPatch, *steps: Sequence[str]
) -> dict[str, object]:
    """Let those files change, step by step, then Ctrl-C; returns what was asked for."""
    asked: dict[str, object] = {}

    def watch(
        *folders: str, watch_filter: Callable[[object, str], bool]
    ) -> Iterator[set[tuple[int, str]]]:
        asked["folders"], asked["filter"] = folders, watch_filter
        for paths in steps:
            yield {(1, path) for path in paths}
        raise KeyboardInterrupt

    monkeypatch.setattr(watching, "_watcher", lambda: watch)
    return asked


def test_checks_again_after_each_change_until_interrupted(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: Captured,
) -> None:
    monkeypatch.chdir(tmp_path)
    here = str(tmp_path)
    play_changes(
        monkeypatch,
        [f"{here}/b.deck", f"{here}/a.deck"],
        [f"{here}/{name}.deck" for name in "abcd"],
    )
    runs: list[int] = []

    code = keep_checking(lambda: runs.append(1) or 1, ["."])

    assert (code, len(runs)) == (130, 3)
    assert capsys.readouterr().err == (
        "Watching for changes, Ctrl-C stops\n"
        "\n`a.deck` and `b.deck` changed\n"
        "\n4 files changed\n"
    )


def test_a_later_misuse_is_told_and_waited_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    play_changes(monkeypatch, ["a.deck"], ["a.deck"])
    results = iter([0, UsageError("`a.deck` does not exist", "look"), 0])

    def check() -> int:
        result = next(results)
        if isinstance(result, UsageError):
            raise result
        return result

    assert keep_checking(check, [str(tmp_path)]) == 130
    assert "error: `a.deck` does not exist\nhelp: Look" in capsys.readouterr().err
    assert list(results) == []


def test_what_is_watched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("lists", "other", "cups/a"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("other/mine.txt", "other/not.txt", "league.yaml"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    asked = play_changes(monkeypatch)

    targets = ["lists", "other/mine.txt", "cups/*/*.deck"]
    keep_checking(lambda: 0, targets, "league.yaml")

    here = str(tmp_path)
    assert asked["folders"] == tuple(
        sorted([here, f"{here}/cups", f"{here}/lists", f"{here}/other"])
    )
    matters = asked["filter"]
    assert callable(matters)
    wanted = ["lists/a.deck", "lists/b/c.JSON", "other/mine.txt", "league.yaml"]
    for name in [*wanted, "cups/b/new.deck"]:
        assert matters(1, f"{here}/{name}"), name
    for name in ["lists/a.md", "lists/.a.deck.swp", "other/not.txt", "x.deck"]:
        assert not matters(1, f"{here}/{name}"), name


def test_standard_input_is_not_watched(capsys: Captured) -> None:
    assert main(["validate", "-", "--watch"]) == 2
    assert "Standard input cannot be watched" in capsys.readouterr().err


def test_without_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)

    assert main(["validate", str(tmp_path), "--watch"]) == 2
    assert capsys.readouterr().err == (
        "error: `--watch` needs the package `watchfiles`\n"
        "help: Install it: pip install watchfiles\n"
    )


def test_the_first_run_ends_with_misuse(tmp_path: Path, capsys: Captured) -> None:
    assert main(["validate", str(tmp_path / "no.deck"), "--watch"]) == 2
    assert "does not exist" in capsys.readouterr().err


PROGRAM = """
import sys
from deckcheck.cli import main
sys.exit(main(["validate", ".", "--watch", "-q"]))
"""


@pytest.mark.slow
def test_a_process_sees_changes_and_ends_quietly(tmp_path: Path) -> None:
    deck = tmp_path / "a.deck"
    deck.write_text("Format: gwent/standard\n1 Ballista\n")
    seen = threading.Event()

    def keep_changing() -> None:
        while not seen.wait(0.3):
            deck.write_text("Format: gwent/standard\n99 Ballista\n")

    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "Watching for changes, Ctrl-C stops\n"
        threading.Thread(target=keep_changing).start()
        told = [process.stderr.readline(), process.stderr.readline()]
        seen.set()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert told == ["\n", "`a.deck` changed\n"]
    assert process.returncode == 130
    assert "error" not in err
    assert "interrupted" not in err
    assert "missing-leader" in out
