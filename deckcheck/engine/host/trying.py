"""A trial of `inner` with the installed numba: made once, then remembered.

The trial runs in a process of its own, since a wrong pointer ends a process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from deckcheck.engine.host.cache import CACHE_FOLDER, SHIPPED
from deckcheck.engine.inner import is_installed

TRIAL = """
from deckcheck.engine.inner import install
install()
from deckcheck.engine.trial import run
run()
"""
VERDICT = "inner-code"
WORKS, FAILS = "works", "fails"
SECONDS = 120


def inner_code_works(folder: Path | None = CACHE_FOLDER) -> bool:
    """The verdict that was kept or came along, else that of a trial."""
    if is_installed():
        return True
    verdict = kept_verdict(folder) or kept_verdict(SHIPPED)
    if verdict is None:
        verdict = WORKS if trial_succeeds() else FAILS
        keep_verdict(folder, verdict)
    return verdict == WORKS


def kept_verdict(folder: Path | None) -> str | None:
    """What an earlier process found, None if none has tried."""
    try:
        text = (folder / VERDICT).read_text("ascii") if folder else ""
    except (OSError, UnicodeDecodeError):
        return None
    return text if text in (WORKS, FAILS) else None


def keep_verdict(folder: Path | None, verdict: str) -> None:
    """Keep the verdict for the next process, if the disk lets us."""
    if folder is None:
        return
    try:
        with tempfile.NamedTemporaryFile(
            "w", dir=folder, encoding="ascii", delete=False
        ) as new:
            new.write(verdict)
        os.replace(new.name, folder / VERDICT)
    except OSError:
        return


def trial_succeeds() -> bool:
    """Run the trial in a process and a cache folder of its own; False if it cannot."""
    try:
        with tempfile.TemporaryDirectory(prefix="deckcheck-") as folder:
            environment = {
                **os.environ,
                "NUMBA_CACHE_DIR": folder,
                "NUMBA_DISABLE_JIT": "0",
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            }
            done = subprocess.run(
                [sys.executable, "-c", TRIAL],
                env=environment,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        # A system that is read-only may have no temporary folder.
        return False
    return done.returncode == 0
