"""One decorator for all compiled code, and the folder where its results are kept.

numba does not notice when a function in another file changes and would run stale
code. The cache folder is therefore named after a hash of the sources that are
compiled. `NUMBA_DISABLE_JIT=1` runs the same functions as plain Python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core.caching import FunctionCache
from platformdirs import user_cache_dir

from deckcheck.engine.inner import mark_inner, mark_outer, outer_compilation

__all__ = [
    "CACHE_FOLDER",
    "announce_compilation",
    "compiled",
    "entry",
    "is_warm",
    "jit",
]

Function = TypeVar("Function", bound=Callable[..., Any])

SOURCES = Path(__file__).resolve().parent.parent
COMPILED_PACKAGES = ("engine", "policies")
PREFIX = "engine-"
FREE_BYTES_NEEDED = 64 * 1024 * 1024
WARM_MARK = "warm"


def source_hash() -> str:
    """12 hex digits over every source file that may be compiled, and over versions.

    The place of the sources counts too: numba keeps code by the path of its source.
    """
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {SOURCES}".encode())
    for package in COMPILED_PACKAGES:
        for path in sorted((SOURCES / package).rglob("*.py")):
            digest.update(path.relative_to(SOURCES).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


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


class PatientCache(FunctionCache):  # type: ignore[misc]
    """A cache whose failures cost time, never the run.

    A disk that fills up while compiled code is written, or a file that was cut
    short, ends in compiling again.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for `sig`, or None when it is missing or unreadable."""
        try:
            with outer_compilation():
                return super().load_overload(sig, target_context)
        except Exception:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code if the disk lets us."""
        try:
            super().save_overload(sig, data)
        except OSError:
            return


compiled = not numba.config.DISABLE_JIT
CACHE_FOLDER = choose_cache_folder() if compiled else None
if CACHE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CACHE_FOLDER)


def jit(function: Function) -> Function:
    """Compile `function` when compiled code first calls it; it becomes part of that.

    Bounds are checked. State in records, one integer width and no functions as
    arguments: see `docs/architecture.md` for why. What Python calls needs `entry`.
    """
    if not compiled:
        return function
    dispatcher = numba.njit(
        boundscheck=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
    widen_literals(dispatcher)
    refuse_python(dispatcher)
    mark_inner(dispatcher)
    return cast(Function, dispatcher)


def entry(function: Function) -> Function:
    """Compile `function` on its first call from Python, and keep it on disk."""
    if not compiled:
        return function
    dispatcher = numba.njit(boundscheck=True, no_cfunc_wrapper=True)(function)
    widen_literals(dispatcher)
    mark_outer(dispatcher)
    if CACHE_FOLDER is not None:
        dispatcher._cache = PatientCache(function)
    return cast(Function, dispatcher)


def refuse_python(dispatcher: Any) -> None:
    """Make a call from Python an error: there is no wrapper, so it would crash."""

    def refuse(*args: Any, **kws: Any) -> None:
        raise TypeError(
            f"`{dispatcher.__name__}` is for compiled code; decorate it with `entry`"
        )

    dispatcher._insert = lambda *args: None
    dispatcher._compile_for_args = refuse


def widen_literals(dispatcher: Any) -> None:
    """Let `f(s, 0)` and `f(s, n)` share one compiled version of `f`.

    numba would compile `f` anew for each literal it is called with.
    """
    call_template = dispatcher.get_call_template

    def widened(args: Any, kws: Any) -> Any:
        return call_template(tuple(types.unliteral(arg) for arg in args), kws)

    dispatcher.get_call_template = widened


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
