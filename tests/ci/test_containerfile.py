"""The image of a container: what its file says, and whether its parts would work."""

from __future__ import annotations

import errno
import re
import tempfile
from pathlib import Path

import pytest
from ci_runs import ROOT

from deckcheck.engine import cache

LINES = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()


def test_begins_warm_and_runs_as_a_user_of_its_own() -> None:
    words = [line.split()[0] for line in LINES if re.match("[A-Z]", line)]
    warm = LINES.index("RUN deckcheck warmup")

    assert words[0] == "FROM"
    assert LINES.index("USER player") < warm
    assert LINES[-1] == 'ENTRYPOINT ["deckcheck"]'
    assert not any(line.startswith(("USER root", "ADD", "VOLUME")) for line in LINES)
    assert "ENV NUMBA_CACHE_DIR=/var/cache/deckcheck" in "\n".join(LINES[:warm])


@pytest.mark.parametrize("is_warm", [False, True])
def test_a_read_only_root_uses_what_is_compiled_there(
    tmp_path: Path, is_warm: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only that: with nothing in it the folder is of no use."""
    folder = tmp_path / f"engine-{cache.source_hash()}"
    folder.mkdir(mode=0o700)
    if is_warm:
        (folder / "warm-gwent").touch()

    def no_file(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    def no_folder() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "TemporaryFile", no_file)
    monkeypatch.setattr(tempfile, "gettempdir", no_folder)
    chosen, faults = cache.choose_cache_folder()

    assert chosen == (folder if is_warm else None)
    assert ("cannot be written: read-only file system" in faults) == (not is_warm)
