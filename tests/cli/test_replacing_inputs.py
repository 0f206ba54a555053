"""No output replaces what the run reads, and no two outputs go to one file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.cli.output import read_outputs

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).resolve().parents[2]
DECK = ROOT / "decks" / "gwent" / "standard" / "mo_swarm.deck"
SIEGE = DECK.with_name("nr_siege_masters.deck")
LINEUPS = ROOT / "decks" / "gwent" / "tournament"
POSITION = ROOT / "tests" / "scenarios" / "gwent" / "1.5" / "four_bonds.yaml"
EVENT = """\
name = "Cup"
date = "2026-01-01"
format = "./league.yaml"
lists = "lists"
players = ["anna"]
"""
LEAGUE = "title: League\nextends: base.yaml\nsets: [set.yaml]\n"
BASE = "title: Base\nextends: gwent/standard\nconstraints:\n  units: {min: 21}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Decks, an event, formats, a set, a configuration, a list of files."""
    monkeypatch.chdir(tmp_path)
    Path("lists").mkdir()
    for name in ("a.deck", "b.deck", "lists/anna.deck"):
        shutil.copy(DECK, name)
    shutil.copy(POSITION, "position.yaml")
    os.link("a.deck", "hard.deck")
    os.symlink("a.deck", "soft.txt")
    Path("event.toml").write_text(EVENT)
    Path("league.yaml").write_text(LEAGUE)
    Path("base.yaml").write_text(BASE)
    Path("set.yaml").write_text("change: {Catapult: {strength: 10}}\n")
    Path("names").write_text("a.deck\n")
    Path("own.toml").write_text("fail-on = 'warning'\n")
    Path("deckcheck.toml").write_text("fail-on = 'warning'\n")
    return tmp_path


def contents() -> dict[str, bytes]:
    files = [file for file in sorted(Path().rglob("*")) if file.is_file()]
    return {str(file): file.read_bytes() for file in files}


def run(command: str) -> tuple[int, str]:
    """The exit code and standard error, in a process of its own as users have it."""
    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", *command.split()],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stderr


COMMANDS = [
    ("validate a.deck -o {}", "a.deck"),
    ("validate a.deck -o {}", "./lists/../a.deck"),
    ("validate a.deck -o {}", "hard.deck"),
    ("validate a.deck -o {}", "soft.txt"),
    ("validate . -o {}", "b.deck"),
    ("validate a.deck --show-files -o {}", "a.deck"),
    ("validate a.deck --statistics -o {}", "a.deck"),
    ("validate a.deck --fix -o {}", "a.deck"),
    ("validate a.deck --fix --diff -o {}", "a.deck"),
    ("validate --files-from names -o {}", "names"),
    ("validate a.deck --config own.toml -o {}", "own.toml"),
    ("validate a.deck -o {}", "deckcheck.toml"),
    ("validate a.deck --output-format json:ok.json --output-format full:{}", "a.deck"),
    ("validate a.deck -f ./league.yaml -o {}", "league.yaml"),
    ("validate a.deck -f ./league.yaml -o {}", "base.yaml"),
    ("validate a.deck -f ./league.yaml -o {}", "set.yaml"),
    ("event event.toml -o {}", "event.toml"),
    ("event event.toml -o {}", "lists/anna.deck"),
    ("event event.toml --output-format html:{}", "league.yaml"),
    (
        "event event.toml --output-format full:x.txt --seal {} --salts s.json",
        "event.toml",
    ),
    ("formats --for a.deck -o {}", "a.deck"),
    ("formats show ./league.yaml -o {}", "set.yaml"),
    ("formats diff ./league.yaml gwent/standard -o {}", "base.yaml"),
    ("generate ./league.yaml -o {}", "league.yaml"),
    ("fmt a.deck -o {}", "a.deck"),
    ("fmt a.deck --check -o {}", "a.deck"),
    ("convert a.deck --to json -o {}", "a.deck"),
    ("convert a.deck --to json --force -f ./league.yaml -o {}", "set.yaml"),
    ("schema cards -o {}", "deckcheck.toml"),
    ("simulate a.deck b.deck -n 2 -o {}", "a.deck"),
    (f"simulate {LINEUPS} -n 2 --matchups names -o {{}}", "names"),
    ("simulate a.deck b.deck -n 2 -f ./league.yaml -o {}", "set.yaml"),
]


@pytest.mark.parametrize(("command", "file"), COMMANDS)
def test_an_input_is_not_replaced(capsys: Captured, command: str, file: str) -> None:
    before = contents()

    assert main(command.format(file).split()) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    notes_and_lines = captured.err.splitlines()
    lines = [line for line in notes_and_lines if not line.startswith("note: ")]
    assert lines[0].startswith("error: ")
    assert f"`{Path(file)}`" in lines[0]
    assert all(line.startswith("help: ") for line in lines[1:])
    assert contents() == before


def test_the_second_time_the_format_comes_from_the_cache() -> None:
    before = contents()
    for _ in range(2):
        code, error = run("validate a.deck -f ./league.yaml -o set.yaml")

        assert code == 2
        assert error == (
            "error: Writing `set.yaml` would replace what this run reads\n"
            "help: Choose another file\n"
        )
    assert contents() == before


def test_a_scenario_is_not_replaced() -> None:
    before = contents()

    code, error = run("scenario position.yaml --output-format json:position.yaml")

    assert code == 2
    assert "`position.yaml` would replace what this run reads" in error
    assert contents() == before


def test_what_standard_input_comes_from_is_not_replaced() -> None:
    before = contents()
    with open("a.deck", "rb") as stream:
        done = subprocess.run(
            [sys.executable, "-m", "deckcheck", "validate", "-", "-o", "a.deck"],
            stdin=stream,
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 2
    assert "`a.deck` would replace what this run reads" in done.stderr
    assert contents() == before


def test_a_report_in_the_folder_of_decks_is_written_anew(capsys: Captured) -> None:
    for _ in range(2):
        assert main(["validate", ".", "--output-format", "json:report.json"]) == 0
    assert "`report.json` is left out" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        "validate a.deck --output-format json:x --output-format full:./x",
        "validate a.deck --output-format json:lists/x --output-format full:link/x",
        "event event.toml -o x --seal x --salts s.json",
        "event event.toml -o mail/anna.txt --letters mail",
    ],
)
def test_two_outputs_do_not_go_to_one_file(capsys: Captured, command: str) -> None:
    os.symlink("lists", "link")
    Path("mail").mkdir()
    before = contents()

    assert main(command.split()) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: Two outputs go to `")
    assert contents() == before


@pytest.mark.parametrize(
    "command",
    [
        "validate a.deck -o gone/x.txt",
        "event event.toml -o gone/x.txt",
        "event event.toml --output-format html:gone/x.txt",
        "event event.toml --seal gone/x.txt --salts s.json",
        "formats -o gone/x.txt",
        "cards -o gone/x.txt",
        "rule -o gone/x.txt",
        "schema cards -o gone/x.txt",
        "fmt a.deck -o gone/x.txt",
        "convert a.deck --to json -o gone/x.txt",
        "generate gwent/standard -o gone/x.txt",
        "simulate a.deck b.deck -n 2 -o gone/x.txt",
    ],
)
def test_a_file_is_written_to_a_folder_that_is_there(
    capsys: Captured, command: str
) -> None:
    before = contents()

    assert main(command.split()) == 2

    assert capsys.readouterr().err == (
        "error: Cannot write `gone/x.txt`: folder `gone` does not exist\n"
        "help: Make the folder, or choose another one\n"
    )
    assert contents() == before
    assert not Path("gone").exists()


def test_what_is_asked_for_replaces_the_deck() -> None:
    Path("a.deck").write_text("Format: gwent/standard\n3 ghoul\n")
    assert main(["fmt", "a.deck"]) == 0
    assert "3 Ghoul\n" in Path("a.deck").read_text()
    assert main(["convert", "a.deck", "--to", "yaml", "--force", "-o", "a.deck"]) == 0
    assert "Ghoul: 3" in Path("a.deck").read_text()


@pytest.mark.parametrize(
    "command",
    [
        "validate a.deck -o b.deck",
        "validate a.deck --output-format json:b.deck",
        "simulate a.deck a.deck -n 2 --output-format json:b.deck",
        "cards -o b.deck",
        "fmt a.deck --check -o b.deck",
        "report run --html b.deck",
    ],
)
def test_a_deck_is_not_replaced_by_what_is_none(capsys: Captured, command: str) -> None:
    if command.startswith("report"):
        kept = "--policy random -qq -j 1 --run run"
        assert main(f"simulate a.deck lists/anna.deck -n 2 {kept}".split()) == 0
    before = contents()

    assert main(command.split()) == 2
    assert "Writing `b.deck` would replace a deck with" in capsys.readouterr().err
    assert contents() == before


@pytest.mark.parametrize(
    ("command", "help"),
    [
        ("validate a.deck -o new.deck", "Choose another file"),
        ("build --faction monsters -o new.deck", "`--deck new.deck` writes the deck"),
        ("solve -o new.deck", "`--decks new.deck` writes the decks"),
    ],
)
def test_only_a_deck_gets_the_name_of_one(
    capsys: Captured, command: str, help: str
) -> None:
    before = contents()

    assert main([*command.split(), "--format", "gwent/standard"]) == 2
    refusal = capsys.readouterr().err
    assert "`new.deck` is the name of a deck, and what goes there is none" in refusal
    assert help in refusal
    assert contents() == before


def test_a_deck_replaces_a_deck(capsys: Captured) -> None:
    assert main(["convert", str(SIEGE), "-o", "b.deck"]) == 0
    assert "Siege masters" in Path("b.deck").read_text(encoding="utf-8")

    [output] = read_outputs(["deck:b.deck"], [("deck", print)])
    assert output.file == "b.deck"
