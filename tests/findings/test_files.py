"""Opening what the user names: files, and pipes that the shell hands over."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from deckcheck.files import open_file, path_fault


def test_a_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")

    with open_file(tmp_path / "a") as stream:
        assert stream.read() == b"x"


def test_a_named_pipe_is_refused_whether_anybody_writes_or_not(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match="a named pipe, not a file"):
        open_file(tmp_path / "pipe")


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The path of a socket may not be long.
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")

        with pytest.raises(OSError, match="a socket, not a file"):
            open_file("socket")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/dev/zero", "a device, not a file"),
        ("/", "a folder, not a file"),
        ("/nowhere/at/all", "No such file"),
        ("a\0b", "no path can be called so"),
        ("a" * 300, "File name too long"),
    ],
)
def test_what_is_no_file_says_why(path: str, reason: str) -> None:
    with pytest.raises(OSError, match=reason) as error:
        open_file(path)

    assert error.value.strerror


def test_a_pipe_that_the_shell_hands_over_is_read() -> None:
    end, start = os.pipe()
    os.write(start, b"3 Ballista")
    os.close(start)

    with open_file(f"/dev/fd/{end}") as stream:
        assert stream.read() == b"3 Ballista"
    os.close(end)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("./league.yaml", None),
        ("x" * 255, None),
        ("a\0b", r"`a\x00b` holds `\x00`, which no path can"),
        ("\u00e9" * 128, f"`{'é' * 57}...` has a name of 256 bytes, 255 allowed"),
        ("x/" * 3_000, f"`{'x/' * 28}x...` is a path of 6,000 bytes, 4,095 allowed"),
    ],
)
def test_what_no_path_can_be(text: str, fault: str | None) -> None:
    assert path_fault(text) == fault
