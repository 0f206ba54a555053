"""What is kept for the next run is believed only if nobody else can have written it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.files import is_own_folder, make_own_folder, read_own, write_own

pytestmark = pytest.mark.skipif(os.name != "posix", reason="users and permissions")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_own_folder(tmp_path / "above" / "own")
    return tmp_path / "above" / "own"


def become_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)


def test_a_folder_that_was_made_is_the_users_alone(folder: Path) -> None:
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert is_own_folder(folder, is_secret=True)


@pytest.mark.parametrize(
    ("mode", "is_own", "is_secret"),
    [
        (0o755, True, False),
        (0o711, True, False),
        (0o775, False, False),
        (0o702, False, False),
    ],
    ids=oct,
)
def test_others_may_not_write_or_in_a_secret_folder_do_anything(
    folder: Path, mode: int, is_own: bool, is_secret: bool
) -> None:
    folder.chmod(mode)

    assert is_own_folder(folder) == is_own
    assert is_own_folder(folder, is_secret=True) == is_secret


def test_a_folder_of_another_user_is_not_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    become_somebody_else(monkeypatch)

    assert not is_own_folder(folder)


def test_a_link_to_an_own_folder_is_not_own_nor_is_a_file(folder: Path) -> None:
    (folder / "link").symlink_to(folder)
    (folder / "file").touch(mode=0o600)

    assert not is_own_folder(folder / "link")
    assert not is_own_folder(folder / "file")


def test_what_is_written_is_read_and_nothing_else_is_left(folder: Path) -> None:
    write_own(folder / "a.bin", b"1")
    write_own(folder / "a.bin", b"\x00\r\n2")

    assert read_own(folder / "a.bin") == b"\x00\r\n2"
    assert stat.S_IMODE((folder / "a.bin").stat().st_mode) == 0o600
    assert os.listdir(folder) == ["a.bin"]


def test_a_write_that_fails_leaves_what_was_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(folder / "a.bin", b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_own(folder / "a.bin", b"new")

    assert os.listdir(folder) == ["a.bin"]
    assert read_own(folder / "a.bin") == b"old"


def let_others_write(file: Path) -> None:
    file.chmod(0o620)


def link(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


def make_a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def make_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("change", [let_others_write, link, make_a_pipe, make_a_folder])
def test_what_others_may_have_written_is_not_read(
    folder: Path, change: Callable[[Path], None]
) -> None:
    write_own(folder / "a.bin", b"1")
    change(folder / "a.bin")

    with pytest.raises(OSError, match=r"not a file of this user|symbolic link"):
        read_own(folder / "a.bin")


def test_a_file_of_another_user_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(folder / "a.bin", b"1")
    become_somebody_else(monkeypatch)

    with pytest.raises(PermissionError, match="not a file of this user alone"):
        read_own(folder / "a.bin")
