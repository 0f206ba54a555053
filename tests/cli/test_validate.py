"""The command `validate`: verdicts, formats, repairs, and files that are watched."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from helpers.commands import stdout_of
from helpers.decks import UNITS

from deckcheck.cli import main
from deckcheck.cli import validate as watching
from deckcheck.cli.validate import keep_checking
from deckcheck.findings import UsageError

# `deckcheck validate` with bytes, pipes and signals, which no transcript has.

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]

LEGAL = f"""\
Name: Legal
Format: gwent/standard
Leader: Foltest, The Siegemaster

{UNITS}"""
ILLEGAL = LEGAL.replace("2 Ballista", "3 Ballista").replace("Legal", "Illegal")


BAD_FILES = {
    "empty.deck": (b"", "empty-deck"),
    "blank.json": (b"  \n", "empty-deck"),
    "binary.deck": (bytes(range(256)), "binary-file"),
    "image.txt": (b"\x89PNG\r\n\x1a\n\0", "binary-file"),
    "utf16.deck": (LEGAL.encode("utf-16-le"), "binary-file"),
    "latin.deck": (LEGAL.encode() + b"Eithn\xe9\n", "undecodable-file"),
    "long.deck": (b"x" * 10_000, "unreadable-line"),
    "many.deck": (b"2 Ballista\n" * 20_000, "oversized-file"),
    "twice.yaml": (b"cards:\n  Ballista: 1\n  Ballista: 1\n", "malformed-document"),
    "deep.json": (b"[" * 100_000, "malformed-document"),
    "list.yaml": (b"- Ballista\n", "malformed-deck"),
    "minus.deck": (LEGAL.replace("2 Bal", "-2 Bal").encode(), "impossible-count"),
    "huge.deck": (
        LEGAL.replace("2 Bal", "2147483648x Bal").encode(),
        "impossible-count",
    ),
    "card.deck": (LEGAL.replace("2 Ballista", "2 Ballsta").encode(), "unknown-card"),
    "format.deck": (LEGAL.replace("standard", "standrad").encode(), "unknown-format"),
    "leader.deck": (
        LEGAL.replace("Foltest, The Siegemaster", "Eredin, Bringer of Death").replace(
            "Format", "Faction: Northern Realms\nFormat"
        ),
        "foreign-leader",
    ),
    "leaders.deck": (
        LEGAL.replace("Leader", "Leader: Foltest, Son of Medell\nLeader"),
        "too-many-leaders",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_input_is_a_finding(capsys: Captured, here: Path, name: str) -> None:
    data, finding = BAD_FILES[name]
    (here / name).write_bytes(data.encode() if isinstance(data, str) else data)

    assert main(["validate", name, "--output-format", "json"]) == 1

    [deck] = json.loads(capsys.readouterr().out)["decks"]
    assert [found["name"] for found in deck["findings"]] == [finding]


def test_a_reader_that_leaves_early_does_not_change_the_verdict(here: Path) -> None:
    (here / "all.deck").write_text("\n---\n".join([ILLEGAL] * 500))
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "deckcheck", "validate", "all.deck"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr == b""


def test_a_name_that_the_stream_cannot_spell(here: Path) -> None:
    (here / "\u5e0c.deck").write_text(LEGAL + "Eithn\u00e9\n")

    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", "validate", "\u5e0c.deck"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 1
    assert b"\\u5e0c.deck" in done.stdout


def test_an_interrupted_run_says_so() -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "deckcheck", "validate", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # More than a pipe holds: writing waits until the program reads.
    assert running.stdin is not None
    running.stdin.write(b"# slow\n" * 50_000)
    running.stdin.flush()
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=30)

    assert running.returncode == 130
    assert errors == b"interrupted\n"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["codes.code", "codes.txt", "codes"])
def test_codes_in_a_file(capsys: Captured, name: str) -> None:
    swarm = "decks/gwent/standard/mo_swarm.deck"
    code = stdout_of(capsys, "convert", str(ROOT / swarm), "--to", "code")
    Path(name).write_text(code * 2)

    assert stdout_of(capsys, "validate", name).startswith("2 decks checked, 2 legal")


# `validate --watch`: what is watched, what is told, how it ends.


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
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
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


def test_without_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)

    assert main(["validate", str(tmp_path), "--watch"]) == 2
    assert capsys.readouterr().err == (
        "error: `--watch` needs the package `watchfiles`\n"
        "help: Install it: pip install watchfiles\n"
    )


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
