"""The folder where compiled code is kept, and what is there already.

numba does not notice when a function in another file changes and would run stale
code. The folder is therefore named after a hash of the sources that are compiled. What
is never compiled has no part in it: folders called `host`, `types.py`, `__init__.py`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numba
from platformdirs import user_cache_dir

__all__ = [
    "CACHE_FOLDER",
    "announce_compilation",
    "code_hash",
    "compiled",
    "is_warm",
    "mark_warm",
]

PACKAGE = Path(__file__).resolve().parents[2]
COMPILED_PACKAGES = ("engine", "playing", "policies")
NEVER_COMPILED = frozenset({"host", "types.py", "__init__.py"})
PREFIX = "engine-"
FREE_BYTES_NEEDED = 64 * 1024 * 1024
WARM_MARK = "warm"


def compiled_sources() -> Iterator[Path]:
    """Every source file that compiled code is made of, below `PACKAGE`, in order."""
    for package in COMPILED_PACKAGES:
        for path in sorted((PACKAGE / package).rglob("*.py")):
            if NEVER_COMPILED.isdisjoint(path.relative_to(PACKAGE).parts):
                yield path


def code_hash() -> str:
    """12 hex digits over the sources that are compiled, the same on every machine."""
    digest = hashlib.sha256()
    for path in compiled_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def source_hash() -> str:
    """12 hex digits over the sources that are compiled, and over versions.

    The place of the sources counts too: numba keeps code by the path of its source.
    """
    known = f"{numba.__version__} {sys.version} {PACKAGE} {code_hash()}"
    return hashlib.sha256(known.encode()).hexdigest()[:12]


def cache_parent() -> Path:
    """Where the user wants caches: `NUMBA_CACHE_DIR`, else the user cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else Path(user_cache_dir("deckcheck", False))


def usable(folder: Path) -> bool:
    """Whether `folder` can be made, written to, and has room for compiled code."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 4096)
            probe.flush()
        return shutil.disk_usage(folder).free >= FREE_BYTES_NEEDED
    except OSError:
        return False


def choose_cache_folder() -> Path | None:
    """The folder for this version of the sources, or None when no disk will have it."""
    name = PREFIX + source_hash()
    for parent in (cache_parent(), private_temporary_folder()):
        if usable(parent / name):
            remove_old_folders(parent, keep=name)
            return parent / name
    return None


def private_temporary_folder() -> Path:
    """A folder of this user's own below the system's temporary folder."""
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"deckcheck-{user}"


def remove_old_folders(parent: Path, keep: str) -> None:
    """Delete compiled code of other versions that was not used for a week."""
    try:
        newest = (parent / keep).stat().st_mtime
        for folder in parent.glob(PREFIX + "*"):
            week = 7 * 24 * 3600
            if folder.name != keep and folder.stat().st_mtime < newest - week:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return


compiled = not numba.config.DISABLE_JIT
CACHE_FOLDER = choose_cache_folder() if compiled else None
if CACHE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
if "NUMBA_OPT" not in os.environ:
    # One level higher compiles a tenth longer, and games are no faster.
    numba.config.OPT = type(numba.config.OPT)(2)


def is_warm(what: str) -> bool:
    """Whether `what` was compiled before, so that starting takes no time."""
    if not compiled:
        return True
    return CACHE_FOLDER is not None and (CACHE_FOLDER / f"{WARM_MARK}-{what}").exists()


def mark_warm(what: str) -> None:
    """Remember that `what` is compiled and kept."""
    if CACHE_FOLDER is not None:
        try:
            (CACHE_FOLDER / f"{WARM_MARK}-{what}").touch()
        except OSError:
            return


def announce_compilation(what: str) -> bool:
    """Say on stderr, once per version, that compiling takes a while."""
    if is_warm(what):
        return False
    print(
        f"compiling the {what} engine, once per version (up to a minute) ...",
        file=sys.stderr,
        flush=True,
    )
    return True
