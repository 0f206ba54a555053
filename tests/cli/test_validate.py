"""`deckcheck validate`: inputs, outputs, exit codes."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]

LEGAL = """\
Name: Legal
Format: gwent/standard
Leader: Foltest, The Siegemaster

3 Blue Stripes Commando
3 Crinfrid Reavers Dragon Hunter
3 Kaedweni Siege Expert
2 Ballista
2 Catapult
2 Trebuchet
2 Redanian Foot Soldier
Siege Tower
Dethmold
Keira Metz
Ves
Vernon Roche
"""
ILLEGAL = LEGAL.replace("2 Ballista", "3 Ballista").replace("Legal", "Illegal")
WARNED = "Colour: blue\n" + LEGAL


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a legal deck, an illegal one and one with a warning."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("b", LEGAL), ("a", ILLEGAL), ("w", WARNED)):
        (tmp_path / f"{name}.deck").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["b.deck"], 0),
        (["a.deck"], 1),
        (["."], 1),
        (["w.deck"], 0),
        (["w.deck", "--fail-on", "warning"], 1),
        (["b.deck", "--fail-on", "warning"], 0),
        ([".", "--exit-zero"], 0),
        (["nowhere.deck"], 2),
        (["*.yaml"], 2),
        (["b.deck", "--format", "gwent/standart"], 2),
        (["b.deck", "--card-db", "nowhere"], 2),
        ([], 2),
    ],
)
def test_exit_codes(capsys: Captured, args: list[str], code: int) -> None:
    assert main(["validate", *args]) == code


def test_misuse_is_told_on_standard_error_alone(capsys: Captured) -> None:
    main(["validate", "nowhere.deck"])

    captured = capsys.readouterr()
    assert captured.out == ""
    assert (
        captured.err == "error: `nowhere.deck` does not exist\nhelp: Check the path\n"
    )


def test_full_output_is_the_default(capsys: Captured) -> None:
    main(["validate", "a.deck", "b.deck"])

    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith(
        "error[DL103] too-many-copies: 3 copies of `Ballista`, at most 2 allowed\n"
        " --> a.deck:8:3\n"
        "  |\n"
        "8 | 3 Ballista\n"
        "  |   ^^^^^^^^\n"
        "  |\n"
        "  = note: Rule `copies` of gwent/standard (2025-10), gwent 1.1.5, from "
    )
    assert "2 decks checked, 1 legal, 1 illegal (1 error)\n" in captured.out


def test_a_legal_deck_gets_a_line(capsys: Captured) -> None:
    main(["validate", "b.deck"])

    assert capsys.readouterr().out.startswith("1 deck checked, 1 legal\n")


def test_decks_are_sorted_by_path(capsys: Captured) -> None:
    main(["validate", "w.deck", "b.deck", "a.deck", "--output-format", "json"])

    decks = json.loads(capsys.readouterr().out)["decks"]
    assert [deck["path"] for deck in decks] == ["a.deck", "b.deck", "w.deck"]
    assert [deck["legal"] for deck in decks] == [False, True, True]


@pytest.mark.parametrize("output", ["full", "concise", "json", "github"])
def test_equal_input_gives_equal_bytes(capsys: Captured, output: str) -> None:
    shown = []
    for _ in range(2):
        main(["validate", ".", "--output-format", output])
        shown.append(capsys.readouterr().out)

    assert shown[0]
    assert shown[0] == shown[1]


def test_quiet_shows_findings_only_and_twice_nothing(capsys: Captured) -> None:
    assert main(["validate", ".", "-q", "--output-format", "concise"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main(["validate", ".", "-qq"]) == 1
    assert capsys.readouterr().out == ""


def test_verbose_says_how_formats_were_chosen(capsys: Captured) -> None:
    main(["validate", "b.deck", "-v"])
    shown = capsys.readouterr().err
    assert shown == "1 deck in 1 file\nb.deck: format gwent/standard from its header\n"

    main(["validate", "b.deck", "-v", "-f", "gwent/advanced"])
    assert "b.deck: format gwent/advanced from the option\n" in capsys.readouterr().err


def test_standard_input(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ILLEGAL.encode())))

    assert main(["validate", "-", "--stdin-filename", "x.deck"]) == 1
    assert " --> x.deck:8:3\n" in capsys.readouterr().out


def test_standard_input_takes_its_syntax_from_its_name(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"cards: [\n")))

    assert main(["validate", "-", "--stdin-filename", "x.yaml"]) == 1
    assert "malformed-document" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "environ", "is_painted"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    environ: dict[str, str],
    is_painted: bool,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    main(["validate", "a.deck", *args])

    assert ("\x1b[" in capsys.readouterr().out) is is_painted


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
def test_bad_input_is_a_finding(capsys: Captured, folder: Path, name: str) -> None:
    data, finding = BAD_FILES[name]
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)

    assert main(["validate", name, "--output-format", "json"]) == 1

    [deck] = json.loads(capsys.readouterr().out)["decks"]
    assert [found["name"] for found in deck["findings"]] == [finding]


def test_fifty_megabytes_are_not_read_whole(capsys: Captured, folder: Path) -> None:
    with (folder / "big.deck").open("wb") as stream:
        stream.truncate(50 * 2**20)

    assert main(["validate", "big.deck"]) == 1
    assert "File has 52,428,800 bytes, 1,048,576 allowed" in capsys.readouterr().out


def test_a_reader_that_leaves_early_does_not_change_the_verdict(folder: Path) -> None:
    (folder / "all.deck").write_text("\n---\n".join([ILLEGAL] * 500))
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


def test_a_name_that_the_stream_cannot_spell(folder: Path) -> None:
    (folder / "\u5e0c.deck").write_text(LEGAL + "Eithn\u00e9\n")

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
