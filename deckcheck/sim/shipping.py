"""Machine code for a wheel: `python -m deckcheck.sim.shipping [FORMAT...]`.

Compiles for every processor that is `SHIPPED_CPU` or newer, and puts the code into the
package, where a build of the wheel finds it. It is loaded by the Python, numba and
llvmlite that this was run with, and by no other.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from deckcheck.engine.host.cache import (
    PREFIX,
    SHIPPED_CODE,
    SHIPPED_CPU,
    SHIPPED_INLINING,
    shipped_name,
    source_hash,
)
from deckcheck.formats import format_ids, load_format
from deckcheck.policies.host.registry import DEFAULT_POLICY
from deckcheck.sim.warmup import compiled_together, warm_format

WARM_UP = f"""
import sys
from llvmlite import binding
binding.set_option("deckcheck", "--inline-threshold={SHIPPED_INLINING}")
from deckcheck.sim.shipping import compile_for
compile_for(sys.argv[1:])
"""
PLAYERS = (DEFAULT_POLICY, "learned")
"""Whose code is shipped; `search` comes with `learned` where that knows the game."""


def compile_for(ids: list[str]) -> None:
    """Compile for games of these formats, or of all, and keep the code."""
    for part in compiled_together(map(load_format, ids or format_ids())):
        for player in PLAYERS:
            warm_format(part[0], policy=player)


def ship(folder: Path, formats: list[str]) -> Path:
    """Compile for these formats in `folder`; returns what was put into the package."""
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(folder),
        "NUMBA_CPU_NAME": SHIPPED_CPU,
        "NUMBA_CPU_FEATURES": "",
    }
    command = [sys.executable, "-c", WARM_UP, *formats]
    subprocess.run(command, env=environment, check=True)
    shipped = SHIPPED_CODE / shipped_name()
    shutil.rmtree(shipped, ignore_errors=True)
    shutil.copytree(folder / f"{PREFIX}{source_hash()}", shipped)
    for file in shipped.iterdir():
        file.chmod(0o644)  # as all files of a package: their owner alone may write
    return shipped


def main() -> None:
    """Compile for the formats that are named, or for all, and say where it lies."""
    with TemporaryDirectory() as folder:
        shipped = ship(Path(folder), sys.argv[1:])
    size = sum(file.stat().st_size for file in shipped.iterdir())
    print(f"{size / 1e6:.1f} MB of machine code in {shipped}")


if __name__ == "__main__":
    main()
