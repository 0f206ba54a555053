"""Several outputs at once, files, statistics, and the step summary of GitHub."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest
from read_findings import found_in

from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.cli import output as outputs
from deckcheck.reporters import OUTPUTS

Captured = pytest.CaptureFixture[str]

DECKS = card_db_root().parent / "decks" / "gwent"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the legal and the broken sample decks."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "bad.deck").write_text("Format: gwent/standard\n3 Xyzzy\n")
    return tmp_path


def validate(*args: str) -> int:
    return main(["validate", "bad.deck", *args])


def with_outputs(*words: str) -> list[str]:
    return [part for word in words for part in ("--output-format", word)]


class TestFiles:
    """`FORMAT:FILE` writes a file, whole or not at all."""

    def test_several_outputs_at_once(self, capsys: Captured, folder: Path) -> None:
        code = validate(*with_outputs("concise", "sarif:out.sarif", "junit:out.xml"))

        assert code == 1
        assert capsys.readouterr().out.startswith("bad.deck:1:9: error[")
        log = json.loads((folder / "out.sarif").read_text())
        assert log["version"] == "2.1.0"
        assert ElementTree.parse(folder / "out.xml").getroot().tag == "testsuites"
        assert sorted(os.listdir()) == ["bad.deck", "out.sarif", "out.xml"]

    def test_only_files_leave_standard_output_empty(self, capsys: Captured) -> None:
        validate("--output-format", "json:out.json")

        assert capsys.readouterr() == ("", "")

    def test_a_file_gets_the_bytes_of_standard_output(
        self, capsys: Captured, folder: Path
    ) -> None:
        for name in OUTPUTS:
            validate(*with_outputs(name, f"{name}:out"))
            assert (folder / "out").read_bytes() == capsys.readouterr().out.encode()

    def test_quiet_twice_still_writes_files(
        self, capsys: Captured, folder: Path
    ) -> None:
        validate("-qq", *with_outputs("full", "concise:out.txt"))

        assert capsys.readouterr().out == ""
        assert "checked" not in (folder / "out.txt").read_text()

    def test_colour_only_when_asked_for(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        validate("--output-format", "full:plain")
        validate("--output-format", "full:painted", "--color", "always")

        assert "\x1b" not in (folder / "plain").read_text()
        assert "\x1b" in (folder / "painted").read_text()

    def test_an_older_file_is_replaced_and_a_link_kept(self, folder: Path) -> None:
        (folder / "real").write_text("old" * 10_000)
        (folder / "link").symlink_to("real")
        validate("--output-format", "concise:link")

        assert (folder / "link").is_symlink()
        assert "old" not in (folder / "real").read_text()

    def test_a_new_file_can_be_read_by_others(self, folder: Path) -> None:
        before = os.umask(0o022)
        validate("--output-format", "json:out.json")
        os.umask(before)

        assert stat.S_IMODE((folder / "out.json").stat().st_mode) == 0o644

    def test_a_pipe_is_written_as_it_stands(self, folder: Path) -> None:
        os.mkfifo(folder / "pipe")
        read: list[str] = []
        reader = threading.Thread(
            target=lambda: read.append((folder / "pipe").read_text())
        )
        reader.start()
        validate("--output-format", "concise:pipe")
        reader.join(timeout=10)

        assert "bad.deck:1:9" in read[0]
        assert (folder / "pipe").is_fifo()

    @pytest.mark.parametrize(
        ("file", "reason", "help"),
        [
            (
                "no/where.json",
                "folder `no` does not exist",
                "Make the folder, or choose another one",
            ),
            (".", "it is a folder", "Name a file in it"),
        ],
    )
    def test_an_unwritable_file_is_misuse(
        self, capsys: Captured, file: str, reason: str, help: str
    ) -> None:
        assert validate("--output-format", f"json:{file}") == 2
        assert capsys.readouterr().err == (
            f"error: Cannot write `{file}`: {reason}\nhelp: {help}\n"
        )

    def test_a_failed_write_leaves_the_old_file(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "out.json").write_text("old")

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.replace", fail)

        assert validate("--output-format", "json:out.json") == 2
        assert sorted(os.listdir()) == ["bad.deck", "out.json"]
        assert (folder / "out.json").read_text() == "old"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sarf"], "error: Unknown output `sarf`\nhelp: Did you mean `sarif`?\n"),
        (["x"], "error: Unknown output `x`\nhelp: Outputs are `full`, `concise`, "),
        (["json:"], "error: Output `json:` names no file\n"),
        (["full", "json"], "error: Only one output can go to standard output\n"),
        (["json:a", "sarif:./a"], "error: Two outputs go to `a`\n"),
    ],
)
def test_misuse_is_told_instead_of_findings(
    capsys: Captured, words: list[str], message: str
) -> None:
    assert validate(*with_outputs(*words)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(message)


class TestStatistics:
    """`--statistics` counts on standard output; files keep the findings."""

    def test_counts_instead_of_findings(self, capsys: Captured, folder: Path) -> None:
        code = validate("--statistics", *with_outputs("full", "jsonl:all.jsonl"))

        assert code == 1
        shown = capsys.readouterr().out
        assert "1  error[DC101] unknown-card\n" in shown
        assert "-->" not in shown
        assert '"DC101"' in (folder / "all.jsonl").read_text()

    def test_as_json(self, capsys: Captured) -> None:
        validate("--statistics", "--output-format", "json")

        counts = json.loads(capsys.readouterr().out)
        assert {"DC101"} <= {count["code"] for count in counts}

    def test_not_as_anything_else(self, capsys: Captured) -> None:
        assert validate("--statistics", "--output-format", "sarif") == 2
        assert "`--statistics` cannot be written as `sarif`" in capsys.readouterr().err


class TestStepSummary:
    """With `github`, the page of the CI job gets tables."""

    def test_is_added_to_the_page(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = folder / "page.md"
        page.write_text("# Before\n")
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
        validate("--output-format", "github")

        assert page.read_text().startswith("# Before\n## 1 deck checked, 1 illegal")
        assert "| `bad.deck:2:3` | **error** DC101 unknown-card |" in page.read_text()

    def test_only_with_github(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "page.md"))
        validate("--output-format", "sarif")

        assert not (folder / "page.md").exists()

    def test_is_cut_between_lines(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(outputs, "LONGEST_SUMMARY", 120)
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "page.md"))
        validate("--output-format", "github")

        lines = (folder / "page.md").read_text().splitlines()
        assert lines[-2:] == ["", "The rest is left out."]
        assert lines[-3] == "|---|---|---|---|"

    def test_an_unwritable_page_is_misuse(
        self, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/where.md")

        assert validate("--output-format", "github") == 2
        assert "error: Cannot write `no/where.md`: " in capsys.readouterr().err


def test_every_output_has_the_same_findings_and_the_same_bytes_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(DECKS.parents[1])
    args = [
        "validate",
        "examples/broken/gwent",
        "decks/gwent/standard",
        "-f",
        "gwent/standard",
    ]
    for run in ("a", "b"):
        files = [f"{name}:{folder}/{name}.{run}" for name in OUTPUTS]
        assert main([*args, *with_outputs(*files)]) == 1

    for name in OUTPUTS:
        text = (folder / f"{name}.a").read_text()
        assert text == (folder / f"{name}.b").read_text()
        found = found_in(name, text)
        assert found == found_in("json", (folder / "json.a").read_text()), name
        assert found.total() > 30
