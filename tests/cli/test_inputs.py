"""What `deckcheck validate` checks: lists of names, exclusions, `--show-files`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with decks in folders of their own; none is ever read."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.deck", "league/b.deck", "league/old/c.txt", "drafts/d.deck"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


def shown(capsys: Captured, *args: str) -> list[str]:
    """The files that would be checked."""
    assert main(["validate", "--show-files", *args]) == 0
    return capsys.readouterr().out.splitlines()


def refused(capsys: Captured, *args: str) -> str:
    """The first line of what is said about misuse."""
    assert main(["validate", "--show-files", *args]) == 2
    return capsys.readouterr().err.splitlines()[0]


def test_show_files_lists_and_reads_nothing(capsys: Captured) -> None:
    assert shown(capsys, ".") == [
        "a.deck",
        "drafts/d.deck",
        "league/b.deck",
        "league/old/c.txt",
    ]


def test_exclude_leaves_out_names_and_paths(capsys: Captured) -> None:
    assert shown(capsys, ".", "--exclude", "drafts", "--exclude", "league/old/*") == [
        "a.deck",
        "league/b.deck",
    ]
    assert shown(capsys, "**/*.deck", "--exclude", "league") == [
        "a.deck",
        "drafts/d.deck",
    ]


def test_a_named_file_is_checked_all_the_same(capsys: Captured) -> None:
    args = ("a.deck", "drafts/d.deck", "--exclude", "drafts")

    assert shown(capsys, *args) == ["a.deck", "drafts/d.deck"]
    assert shown(capsys, *args, "--force-exclude") == ["a.deck"]


def test_nothing_left_of_a_folder_is_misuse(capsys: Captured) -> None:
    message = refused(capsys, "drafts", "--exclude", "drafts")

    assert message == "error: Every deck is excluded"


def test_nothing_left_of_named_files_is_told(capsys: Captured) -> None:
    args = ["drafts/d.deck", "--exclude", "drafts", "--force-exclude"]

    assert main(["validate", *args]) == 0
    captured = capsys.readouterr()
    assert captured.err == "No deck is checked, because all named ones are excluded\n"


def test_standard_input_is_excluded_by_its_name(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    args = ("-", "--stdin-filename", "drafts/x.deck", "--exclude", "drafts")

    assert shown(capsys, *args) == ["drafts/x.deck"]
    assert shown(capsys, *args, "--force-exclude") == []


@pytest.mark.parametrize("list", ["a.deck\r\n\nleague\n", "a.deck\0league/b.deck\0"])
def test_files_from_a_list(capsys: Captured, folder: Path, list: str) -> None:
    (folder / "list").write_bytes(list.encode())

    assert shown(capsys, "--files-from", "list")[:2] == ["a.deck", "league/b.deck"]


def test_files_from_standard_input(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a.deck\n")))

    assert shown(capsys, "drafts/d.deck", "--files-from", "-") == [
        "drafts/d.deck",
        "a.deck",
    ]


def test_misuse_of_lists(capsys: Captured, folder: Path) -> None:
    (folder / "list").write_text("nowhere.deck\n")
    (folder / "none").write_text("\n")

    assert "`nowhere.deck` does not exist" in refused(capsys, "--files-from", "list")
    assert "`none` lists no file" in refused(capsys, "--files-from", "none")
    assert "Cannot read `gone`" in refused(capsys, "--files-from", "gone")
    assert "both a deck and a list" in refused(capsys, "-", "--files-from", "-")
    assert "No decks given" in refused(capsys)
