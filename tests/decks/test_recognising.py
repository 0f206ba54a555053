"""Files of deckcheck's own among decks: left out of folders, and no decks by name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.decks import find_deck_files
from deckcheck.decks.recognising import not_a_deck

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
GOOD = ROOT / "decks" / "gwent" / "standard" / "mo_swarm.deck"
EXAMPLES = ROOT / "examples"
BAD = ROOT / "decks" / "gwent" / "broken" / "misspelt-card.deck"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two decks."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(GOOD, "a.deck")
    shutil.copy(BAD, "b.deck")
    return tmp_path


def printed(capsys: Captured, *arguments: str) -> str:
    main(list(arguments))
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "arguments"),
    [
        ("json.json", "validate a.deck b.deck --output-format json"),
        ("gitlab.json", "validate b.deck --output-format gitlab"),
        ("clean.json", "validate a.deck --output-format gitlab"),
        ("sarif.json", "validate b.deck --output-format sarif"),
        ("rdjson.json", "validate b.deck --output-format rdjson"),
        ("counts.json", "validate b.deck --statistics --output-format json"),
        ("full.txt", "validate b.deck"),
        ("clean.txt", "validate a.deck"),
        ("concise.txt", "validate b.deck --output-format concise"),
        ("github.txt", "validate b.deck --output-format github"),
        ("page.txt", "validate b.deck --output-format markdown"),
        ("counts.txt", "validate b.deck --statistics"),
        ("schema.json", "schema deck"),
        ("formats.json", "formats list --output-format json"),
        ("legal.json", "formats --for a.deck --output-format json"),
        ("cards.json", "cards list --output-format json"),
        ("sound.txt", f"event {EXAMPLES}/tournament/event.toml"),
        ("event.txt", f"event {EXAMPLES}/troubled-tournament/event.toml"),
        (
            "event-page.txt",
            f"event {EXAMPLES}/tournament/event.toml --output-format markdown",
        ),
        (
            "event.json",
            f"event {EXAMPLES}/tournament/event.toml --output-format json",
        ),
    ],
)
def test_outputs_in_a_folder_are_left_out_with_a_note(
    file: str, arguments: str, capsys: Captured
) -> None:
    Path(file).write_text(printed(capsys, *arguments.split()), encoding="utf-8")

    assert main(["validate", ".", "--show-files"]) == 0

    captured = capsys.readouterr()
    assert captured.out == "a.deck\nb.deck\n"
    kind = "a JSON Schema" if file == "schema.json" else "an output of deckcheck"
    assert captured.err == f"note: `{file}` is left out: {kind}\n"


def test_seals_and_letters_of_an_event_are_left_out(capsys: Captured) -> None:
    event = str(EXAMPLES / "tournament" / "event.toml")
    assert main(["event", event, "--seal", "seal.json", "--letters", ".", "-qq"]) == 0

    assert main(["validate", ".", "--show-files"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "a.deck\nb.deck\n"
    for file in ("seal.json", "anna_nowak.txt", "ben_ito.txt", "carla_rossi.txt"):
        assert f"note: `{file}` is left out: an output of deckcheck\n" in captured.err


@pytest.mark.parametrize(
    "source",
    [
        "card_db/gwent/formats/standard.yaml",
        "card_db/gwen_t/formats/one_round.yaml",
        "card_db/gwent/cards.yaml",
        "card_db/gwent/leaders.yaml",
        "card_db/gwent/game.yaml",
        "card_db/gwent/names/de.yaml",
        "tests/scenarios/gwent/1.2/gems_option.yaml",
    ],
)
def test_data_in_a_folder_are_left_out_with_a_note(source: str) -> None:
    shutil.copy(ROOT / source, "data.yaml")
    notes: list[str] = []

    files = find_deck_files(["."], notes=notes)

    assert [file.path for file in files] == ["a.deck", "b.deck"]
    assert notes == ["`data.yaml` is left out: a format, a scenario or card data"]


@pytest.mark.parametrize("file", sorted((ROOT / "decks").rglob("*.[jyt]*")))
def test_every_deck_of_ours_is_taken_for_one(file: Path) -> None:
    text = file.read_text(encoding="utf-8", errors="replace")

    assert not_a_deck(text, str(file)) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "name: X\nnote: the rules\ncards: {Ballista: 2}\n"),
        ("a.yaml", "format: gwent/standard\nleader: X\n"),
        ("a.json", '{"name": "X", "cards": {"Ballista": 2}}'),
        ("a.txt", "Name: 3 decks checked\n2 Ballista\n"),
        ("a.deck", "error[DL102] too-many-cards: 2\n"),
    ],
)
def test_a_deck_is_taken_for_one(name: str, text: str) -> None:
    assert not_a_deck(text, name) is None


def test_by_name_it_is_one_finding(capsys: Captured) -> None:
    report = printed(capsys, "validate", "b.deck", "--output-format", "json")
    Path("r.json").write_text(report, encoding="utf-8")

    assert main(["validate", "r.json", "--output-format", "concise"]) == 1

    assert capsys.readouterr().out.startswith(
        "r.json:1:1: error[DP202] malformed-deck: "
        "File is an output of deckcheck, not a deck\n1 deck"
    )


def test_a_folder_of_outputs_alone_holds_no_deck(capsys: Captured) -> None:
    Path("out").mkdir()
    Path("out/empty.json").write_text("[]\n", encoding="utf-8")

    assert main(["validate", "out"]) == 2

    assert capsys.readouterr().err == (
        "error: Nothing is left to read: "
        "`out/empty.json` is left out: an output of deckcheck\n"
        "help: Name a deck\n"
    )


@pytest.mark.parametrize("target", [".", "*.*", "all"])
def test_what_this_run_writes_is_not_read(folder: Path, target: str) -> None:
    # The second time the file is there when the shell spreads the pattern.
    for _ in range(2):
        named = sorted(os.listdir(folder)) if target == "all" else [target]
        with open(folder / "rr.json", "w", encoding="utf-8") as stream:
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "deckcheck",
                    "validate",
                    *named,
                    "--output-format",
                    "json",
                ],
                stdout=stream,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                cwd=folder,
            )
        written = (folder / "rr.json").read_text(encoding="utf-8")
        assert done.returncode == 1
        assert '"decks": 2' in written
        assert "rr.json" not in written
    assert done.stderr == "note: `rr.json` is what this run writes to\n"


@pytest.mark.parametrize("name", ["pipe.deck", "pipe.csv"])
def test_a_named_pipe_does_not_hang(name: str, capsys: Captured) -> None:
    os.mkfifo(name)

    assert main(["validate", name]) == 2
    assert capsys.readouterr().err == (
        f"error: Cannot read `{name}`: a named pipe, not a file\n"
        "help: Pass `-` and feed it on standard input\n"
    )
    assert main(["validate", ".", "--show-files"]) == 0
    assert capsys.readouterr().out == "a.deck\nb.deck\n"


@pytest.mark.parametrize("command", ["fmt", "convert --to json", "formats --for"])
def test_no_command_reads_a_device(command: str, capsys: Captured) -> None:
    assert main([*command.split(), "/dev/zero"]) == 2
    assert "a device, not a file" in capsys.readouterr().err


def test_a_list_of_files_is_no_device(capsys: Captured) -> None:
    assert main(["validate", "--files-from", "/dev/zero"]) == 2
    assert capsys.readouterr().err == (
        "error: Cannot read `/dev/zero`: a device, not a file\n"
    )


def test_a_process_substitution_is_read(capsys: Captured) -> None:
    end, start = os.pipe()
    os.write(start, Path("a.deck").read_bytes())
    os.close(start)

    assert main(["validate", f"/dev/fd/{end}", "-q"]) == 0
    os.close(end)
