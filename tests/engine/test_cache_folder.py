"""Where compiled code is kept, and what happens when it cannot be."""

from __future__ import annotations

import io
import os
import stat
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from deckcheck.engine import cache


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The system's folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def no_home(tmp_path, monkeypatch):
    """The user's cache folder cannot be made."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))


def become_somebody_else(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)


def test_a_folder_that_can_be_made_is_used(tmp_path):
    assert cache.folder_fault(tmp_path / "a" / "b") is None
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_not_used(tmp_path):
    (tmp_path / "file").write_text("")

    fault = cache.folder_fault(tmp_path / "file" / "cache")
    assert fault == "cannot be written: not a directory"


def test_a_folder_that_cannot_be_written_is_not_used(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)

    assert cache.folder_fault(tmp_path) == "cannot be written: read-only file system"


def test_a_nearly_full_disk_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "FREE_BYTES_NEEDED", 1 << 62)

    assert cache.folder_fault(tmp_path).endswith(" MB left")


def test_a_folder_that_others_may_write_to_is_not_used(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path)

    assert cache.folder_fault(tmp_path / "open") == "is not this user's alone"
    assert cache.folder_fault(tmp_path / "link") == "is not this user's alone"


def test_a_folder_of_another_user_is_not_used(tmp_path, monkeypatch):
    become_somebody_else(monkeypatch)

    assert cache.folder_fault(tmp_path) == "is not this user's alone"


def test_the_users_folder_gets_the_hash_appended(tmp_path, monkeypatch, temporary):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    expected = tmp_path / f"engine-{cache.source_hash()}"
    assert cache.choose_cache_folder() == (expected, "")
    assert not list(temporary.iterdir())


@pytest.mark.usefixtures("no_home")
def test_without_a_usable_home_the_temporary_folder_serves(tmp_path, temporary):
    name = f"engine-{cache.source_hash()}"
    folder, fault = cache.choose_cache_folder()

    assert folder == temporary / f"deckcheck-{os.getuid()}" / name
    assert fault == (f"`{tmp_path / 'file' / name}` cannot be written: not a directory")


@pytest.mark.usefixtures("no_home")
def test_nothing_is_kept_when_no_disk_will_have_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    folder, fault = cache.choose_cache_folder()

    assert folder is None
    assert fault.count("directory") == 2


class TestTheTemporaryFolder:
    """Anybody may put something below the system's temporary folder."""

    def place(self, temporary: Path) -> Path:
        return temporary / f"deckcheck-{os.getuid()}"

    def test_it_is_made_for_the_user_alone(self, temporary):
        folder = cache.private_temporary_folder()

        assert folder == self.place(temporary)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert cache.private_temporary_folder() == folder

    @pytest.mark.parametrize("mode", [0o777, 0o755, 0o710], ids=oct)
    def test_one_that_is_open_to_others_is_not_taken(self, temporary, mode):
        self.place(temporary).mkdir()
        self.place(temporary).chmod(mode)

        self.check_another_is_made(temporary)

    def test_a_link_is_not_taken(self, temporary, tmp_path):
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        self.place(temporary).symlink_to(tmp_path / "elsewhere")

        self.check_another_is_made(temporary)

    def test_a_link_to_nothing_is_not_taken(self, temporary, tmp_path):
        self.place(temporary).symlink_to(tmp_path / "elsewhere")

        self.check_another_is_made(temporary)
        assert not (tmp_path / "elsewhere").exists()

    def test_a_file_is_not_taken(self, temporary):
        self.place(temporary).write_text("")

        self.check_another_is_made(temporary)

    def test_one_of_another_user_is_not_taken(self, temporary, monkeypatch):
        self.place(temporary).mkdir(mode=0o700)
        become_somebody_else(monkeypatch)

        assert cache.private_temporary_folder() != self.place(temporary)

    def check_another_is_made(self, temporary: Path) -> None:
        """It is the user's alone too, and is taken by the next process as well."""
        folder = cache.private_temporary_folder()

        assert folder.parent == temporary
        assert folder != self.place(temporary)
        assert stat.S_IMODE(folder.lstat().st_mode) == 0o700
        assert cache.private_temporary_folder() == folder


@pytest.mark.parametrize(
    ("folder", "fault", "said"),
    [
        (Path("x"), "", "compiling the any engine, once per version (up to a min"),
        (Path("x"), "`y` is full", "note: compiled code is kept in x: `y` is full\n"),
        (
            None,
            "`y` is full",
            "compiling the any engine (up to a minute) ...\n"
            "warning: compiled code cannot be kept, so every run compiles it again: "
            "`y` is full\n",
        ),
    ],
)
def test_where_compiled_code_goes_is_said_if_it_matters(
    monkeypatch, capsys, folder, fault, said
):
    for name, value in {
        "compiled": True,
        "CACHE_FOLDER": folder,
        "FAULTS": fault,
        "SAID": set(),
    }.items():
        monkeypatch.setattr(cache, name, value)

    assert cache.announce_compilation("any")
    assert said in capsys.readouterr().err
    cache.announce_compilation("any")
    assert "`y`" not in capsys.readouterr().err


class Terminal(io.StringIO):
    """A terminal on which somebody waits for a text."""

    def __init__(self, awaited: str) -> None:
        super().__init__()
        self.awaited, self.shown = awaited, threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        super().write(text)
        if self.awaited in self.getvalue():
            self.shown.set()
        return len(text)


def test_a_terminal_counts_the_seconds_of_compiling(monkeypatch):
    terminal = Terminal("3 s")
    monkeypatch.setattr(cache, "SECOND", 0.001)
    monkeypatch.setattr(cache, "CACHE_FOLDER", None)
    monkeypatch.setattr(cache, "SHIPPED", None)
    monkeypatch.setattr(cache, "compiled", True)
    monkeypatch.setattr(sys, "stderr", terminal)

    with cache.compilation_told(["any"]):
        assert terminal.shown.wait(60)

    lines = terminal.getvalue()
    assert lines.startswith("compiling the any engine (up to a minute) ...\n")
    assert "\r1 s \r2 s \r3 s " in lines
    assert lines.endswith("\r       \r")


def test_only_old_code_of_other_versions_is_deleted(tmp_path):
    names = ["engine-old", "engine-recent", "engine-kept", "other"]
    for name in names:
        (tmp_path / name).mkdir()
    month_ago = (tmp_path / "other").stat().st_mtime - 30 * 24 * 3600
    os.utime(tmp_path / "engine-old", (month_ago, month_ago))
    os.utime(tmp_path / "other", (month_ago, month_ago))
    cache.remove_old_folders(tmp_path, keep="engine-kept")

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])
