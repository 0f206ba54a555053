"""Outputs of commands: to the screen and to files, which replace no input."""

import json
import os
import re
import shutil
import stat
import threading
from pathlib import Path

import pytest
from helpers.commands import run_alone, stderr_of

from deckcheck.cli import main
from deckcheck.cli import output as outputs
from deckcheck.cli.application import load_command
from deckcheck.cli.commands import COMMANDS
from deckcheck.cli.output import read_outputs, write_file
from deckcheck.reporters import OUTPUTS

# `--output` and `--color`, which are the same in every command that has them.

Captured = pytest.CaptureFixture[str]

ROOT = Path(__file__).parents[2]
POSITION = b"""\
rule: gwent 1.5.3
format: gwent/standard
players: {A: {close: [4 impera_brigade_guard]}}
expect: {A: {close: 48}}
"""
DECK = """\
Format: gwent/standard

ballista
ballista
Leader: Foltest, The Siegemaster
"""
EVENT = """\
name = "Cup"
date = "2026-01-01"
format = "gwent/standard"
lists = "lists"
players = ["a"]
"""

PRINTING = (
    "validate a.deck|validate a.deck --statistics|validate a.deck --show-files|"
    "validate a.deck --diff|cards show kambi|cards --output-format json|formats|"
    "formats show gwent/standard|formats diff gwent/standard gwent/advanced|"
    "formats --for a.deck|event event.toml|rule|rule DL103|convert a.deck --to text|"
    "generate gwent/standard|fmt a.deck --diff|fmt a.deck --check|schema cards"
)
PAINTED = {
    *("validate a.deck", "validate a.deck --diff", "cards show kambi", "formats"),
    *("formats show gwent/standard", "event event.toml", "rule DL103"),
    *("formats diff gwent/standard gwent/advanced", "fmt a.deck --diff"),
}
"""Commands with colours."""
SEQUENCE = re.compile("\x1b\\[[0-9;]*m")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "a.deck").write_text(DECK)
    (tmp_path / "lists").mkdir()
    (tmp_path / "event.toml").write_text(EVENT)
    return tmp_path


def contents() -> dict[str, bytes]:
    files = [file for file in sorted(Path().rglob("*")) if file.is_file()]
    return {str(file): file.read_bytes() for file in files}


def run(command: str, *more: str) -> int:
    return main([*command.split(), *more])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", PRINTING.split("|"))
def test_a_file_gets_what_would_be_printed(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    code = run(command)
    printed = capsys.readouterr().out
    assert printed
    assert not SEQUENCE.search(printed)

    assert run(command, "-o", "new.txt") == code
    assert capsys.readouterr().out == ""
    assert Path("new.txt").read_text(encoding="utf-8") == printed

    before = contents()
    assert run(command, "--output", "a.deck/new.txt") == 2
    assert "annot write `a.deck" in capsys.readouterr().err
    assert contents() == before
    if command not in PAINTED:
        return

    run(command, "--color", "always")
    painted = capsys.readouterr().out
    assert SEQUENCE.search(painted)
    assert SEQUENCE.sub("", painted) == printed
    monkeypatch.setenv("FORCE_COLOR", "1")
    run(command)
    assert capsys.readouterr().out == painted
    run(command, "--color", "never")
    assert capsys.readouterr().out == printed
    run(command, "-o", "new.txt")
    assert Path("new.txt").read_text(encoding="utf-8") == printed


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["convert a.deck --to json", "fmt a.deck"])
def test_findings_on_standard_error_have_colours(
    capsys: Captured, command: str
) -> None:
    Path("a.deck").write_text("Format: gwent/standard\n3 Xyzzy\n")

    said = stderr_of(capsys, *command.split(), "--color", "always", code=1)
    assert "\x1b[1;31merror[DC101]\x1b[0m unknown-card" in said


def test_options_of_one_meaning_have_one_name() -> None:
    """Every option of a name has the same letter everywhere."""
    letters: dict[str, set[tuple[str, ...]]] = {}
    for command in COMMANDS:
        settings = [s for s in load_command(command.name).settings if s.is_option]
        assert any("--color" in setting.opts for setting in settings), command
        for setting in settings:
            name = max(setting.opts, key=len)
            letters.setdefault(name, set()).add(tuple(sorted(setting.opts)))

    assert all(len(forms) == 1 for forms in letters.values()), letters
    assert "--out" not in letters
    assert letters["--output"] == {("--output", "-o")}


# No output replaces what the run reads, and no two outputs go to one file.

SWARM = ROOT / "decks" / "gwent" / "standard" / "mo_swarm.deck"


@pytest.fixture
def inputs(here: Path) -> Path:
    """Two decks, two links to one, a format with a set, and a scenario."""
    for name in ("a.deck", "b.deck"):
        shutil.copy(SWARM, name)
    Path("position.yaml").write_bytes(POSITION)
    os.link("a.deck", "hard.deck")
    os.symlink("a.deck", "soft.txt")
    Path("league.yaml").write_text(
        "title: League\nextends: gwent/standard\nsets: [set.yaml]\n"
    )
    Path("set.yaml").write_text("change: {Catapult: {strength: 10}}\n")
    return here


REPLACES = "would replace a file that this run reads\nhelp: Choose another file\n"


@pytest.mark.usefixtures("inputs")
def test_an_input_is_not_replaced(capsys: Captured) -> None:
    """A scenario comes from standard input, and needs a process of its own."""
    before = contents()
    for _ in range(2):  # the second time the format comes from the cache
        words = ("validate", "a.deck", "-f", "./league.yaml", "-o", "set.yaml")
        assert stderr_of(capsys, *words) == f"error: Writing `set.yaml` {REPLACES}"
    for command, code, said in (
        ("scenario - --output-format text --output-format json:out", 0, ": ok\n"),
        ("scenario position.yaml -o position.yaml", 2, REPLACES),
        ("scenario - -o position.yaml", 2, f"Writing `position.yaml` {REPLACES}"),
    ):
        with open("position.yaml", "rb") as source:
            done = run_alone(*command.split(), stdin=source)
        assert done.returncode == code, command
        assert (done.stdout + done.stderr).endswith(said), command
    document = json.loads(Path("out").read_text())
    assert [*document][-1] == "scenarios"
    Path("out").unlink()
    assert contents() == before


@pytest.mark.usefixtures("inputs")
def test_a_report_in_the_folder_of_decks_is_written_anew(capsys: Captured) -> None:
    for _ in range(2):
        assert main(["validate", ".", "--output-format", "json:report.json"]) == 0
    assert "`report.json` is left out" in capsys.readouterr().err
    # A page of a run does not replace a deck.
    played = ("-n", "2", "--policy", "random", "-qq", "--run", "r")
    assert run("simulate a.deck b.deck", *played) == 0
    said = stderr_of(capsys, "report", "r", "--html", "b.deck")
    assert "Writing `b.deck` would replace a deck with" in said


@pytest.mark.usefixtures("inputs")
def test_links_lead_to_the_same_file(capsys: Captured) -> None:
    for file in ("hard.deck", "soft.txt"):
        said = stderr_of(capsys, "validate", "a.deck", "-o", file)
        assert said.startswith(f"error: Writing `{file}` would replace a file that")
    Path("lists").mkdir()
    os.symlink("lists", "link")
    files = ("json:lists/x", "full:link/x")

    said = stderr_of(capsys, "validate", "a.deck", *with_outputs(*files))
    assert said.startswith("error: Two outputs go to `")
    [output] = read_outputs(["deck:b.deck"], [("deck", print)])
    assert output.file == "b.deck"


# Several outputs at once, files, statistics, and the step summary of GitHub.


@pytest.fixture
def bad_deck(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A broken deck, and the working folder that it is in."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    Path("bad.deck").write_text("Format: gwent/standard\n3 Xyzzy\n")
    return here


def validate(*args: str) -> int:
    return main(["validate", "bad.deck", *args])


def with_outputs(*words: str) -> list[str]:
    return [part for word in words for part in ("--output-format", word)]


@pytest.mark.usefixtures("bad_deck")
class TestFiles:
    """`FORMAT:FILE` writes a file, whole or not at all."""

    def test_a_file_gets_the_bytes_of_standard_output(self, capsys: Captured) -> None:
        for name in OUTPUTS:
            validate(*with_outputs(name, f"{name}:out"))
            assert Path("out").read_bytes() == capsys.readouterr().out.encode()
            validate(*with_outputs(f"{name}:out"))
            assert capsys.readouterr() == ("", "")

    def test_colour_only_when_asked_for(
        self, monkeypatch: pytest.MonkeyPatch, capsys: Captured
    ) -> None:
        """What is quiet twice writes files, too."""
        monkeypatch.setenv("FORCE_COLOR", "1")
        validate("--output-format", "full:plain")
        validate("--output-format", "full:painted", "--color", "always")
        assert "\x1b" not in Path("plain").read_text()
        assert "\x1b" in Path("painted").read_text()

        validate("-qq", *with_outputs("full", "concise:out.txt"))
        assert capsys.readouterr().out == ""
        assert "checked" not in Path("out.txt").read_text()

    def test_an_older_file_is_replaced_and_a_link_kept(self) -> None:
        """Others can read a new file."""
        Path("real").write_text("old" * 10_000)
        Path("real").chmod(0o600)
        Path("link").symlink_to("real")
        before = os.umask(0o022)
        validate(*with_outputs("concise:link", "json:out.json"))
        os.umask(before)

        assert Path("link").is_symlink()
        assert "old" not in Path("real").read_text()
        assert stat.S_IMODE(Path("real").stat().st_mode) == 0o600
        assert stat.S_IMODE(Path("out.json").stat().st_mode) == 0o644

    def test_a_pipe_is_written_as_it_stands(self) -> None:
        os.mkfifo("pipe")
        read: list[str] = []
        reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()))
        reader.start()
        validate("--output-format", "concise:pipe")
        reader.join(timeout=10)

        assert "bad.deck:1:9" in read[0]
        assert Path("pipe").is_fifo()

    def test_a_failed_write_leaves_the_old_file(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("out.json").write_text("old")

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.replace", fail)

        assert validate("--output-format", "json:out.json") == 2
        assert sorted(os.listdir()) == ["bad.deck", "out.json"]
        assert Path("out.json").read_text() == "old"


@pytest.mark.usefixtures("bad_deck")
class TestStepSummary:
    """With `github`, the page of the CI job gets tables."""

    def test_is_added_to_the_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        page = Path("page.md")
        page.write_text("# Before\n")
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
        validate("--output-format", "sarif")
        assert page.read_text() == "# Before\n"
        validate("--output-format", "github")

        assert page.read_text().startswith("# Before\n## 1 deck checked, 1 illegal")
        assert "| `bad.deck:2:3` | **error** DC101 unknown-card |" in page.read_text()

    def test_is_cut_between_lines(
        self, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One that cannot be written is misuse."""
        monkeypatch.setattr(outputs, "MAX_PAGE_BYTES", 150)
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", "page.md")
        validate("--output-format", "github")
        lines = Path("page.md").read_text().splitlines()
        assert lines[-2:] == ["", "The rest is left out."]
        assert lines[-3] == "|---|---|---|---|"

        monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/where.md")
        assert validate("--output-format", "github") == 2
        assert "error: Cannot write `no/where.md`: " in capsys.readouterr().err

    @pytest.mark.parametrize("before", [1_000_000, 2**20 - 200, 2**20 - 20, 2**20])
    def test_stays_below_the_limit_over_all_steps(
        self, before: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text = "\n---\n".join("Format: gwent/standard\n9 Nekker" for _ in range(150))
        Path("bad.deck").write_text(text)
        page = Path("page.md")
        page.write_text("x" * before)
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))

        for _ in range(2):
            assert validate("--output-format", "github") == 1
        written = page.read_bytes()
        assert written[:before] == b"x" * before
        assert len(written) < 2**20 or len(written) == before
        assert "note: The page of the job is full" in capsys.readouterr().err


def test_a_name_that_is_not_text_is_written_escaped(here: Path) -> None:
    write_file("names.txt", "\udcff.deck\n")

    assert (here / "names.txt").read_bytes() == b"\\udcff.deck\n"
