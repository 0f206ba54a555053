"""Find the folder for compiled code and announce compilation, without numba."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from itertools import count
from multiprocessing import parent_process
from pathlib import Path
from threading import Event, Thread

from platformdirs import user_cache_dir

from deckcheck.files import MAX_PATH_BYTES, is_own_folder, make_own_folder
from deckcheck.messages import printable, quote

# -----------------------------------------------------------------------------
# The folder where compiled code is kept, and what is there already
#
# numba does not notice when a function in another file changes and would run stale
# code. The folder is therefore named after a hash of the sources that are compiled.
# The files that `NEVER_COMPILED` names have no part in the hash.
#
# A release brings code that is made for every processor of the last ten years. The
# folder `SHIPPED_CODE` has such a folder for each Python, numba and llvmlite it fits.

PACKAGE_FOLDER = Path(__file__).resolve().parents[1]
COMPILED_PACKAGES = ("engine", "playing", "policies")
NEVER_COMPILED = frozenset(
    (
        "__init__.py",
        "cache.py",
        "context.py",
        "internals.py",
        "match.py",
        "records.py",
        "redraws.py",
        "table.py",
        "versions.py",
        "weights.py",
        "workspace.py",
    )
)
FOLDER_PREFIX = "engine-"
FREE_BYTES_NEEDED = 64 * 1024 * 1024
WARM_MARK = "warm"
WAIT_SECONDS = 1.0
CODE_VARIABLES = (
    "NUMBA_OPT",
    "NUMBA_BOUNDSCHECK",
    "NUMBA_DEBUGINFO",
    "NUMBA_LOOP_VECTORIZE",
    "NUMBA_SLP_VECTORIZE",
)
"""The settings of numba by users that change the code it makes."""
CPU_VARIABLES = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
SHIPPED_CODE = PACKAGE_FOLDER / "engine" / "machine_code"
SHIPPED_CPU = "x86-64-v3"
SHIPPED_INLINING = 3000
"""The largest cost of a function that LLVM puts into its callers. 225 is usual.

Games are a tenth faster, but compiling takes half as long again. So only shipped code,
for which nobody waits, is made like this.
"""
CPU_NEEDED = tuple(
    """
    sse3 ssse3 sse4.1 sse4.2 avx avx2 fma f16c bmi bmi2 lzcnt movbe popcnt cx16 sahf
    xsave
    """.split()
)
"""The features of `SHIPPED_CPU` by the names of LLVM."""
PRINTED_NOTES: set[str] = set()
"""The notes that were printed in this process, without their reasons."""


def compiled_sources() -> Iterator[Path]:
    """Yield every compiled source file below `PACKAGE_FOLDER`, in order."""
    for package in COMPILED_PACKAGES:
        for path in sorted((PACKAGE_FOLDER / package).rglob("*.py")):
            if NEVER_COMPILED.isdisjoint(path.relative_to(PACKAGE_FOLDER).parts):
                yield path


def code_hash() -> str:
    """Return a hash of the compiled sources, 12 hex digits equal on every machine."""
    digest = hashlib.sha256()
    for path in compiled_sources():
        digest.update(path.relative_to(PACKAGE_FOLDER).as_posix().encode())
        # A checkout with the line ends of Windows is the same engine.
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:12]


def source_hash(python: str = sys.version) -> str:
    """Return a hash of sources, versions and compiler options in 12 hex digits."""
    compilers = f"{version('numba')} {version('llvmlite')} {python}"
    options = {name: os.environ.get(name) for name in CODE_VARIABLES}
    whole = f"{compilers} {options} {code_hash()}"
    return hashlib.sha256(whole.encode()).hexdigest()[:12]


def cache_parent() -> Path:
    """Return the folder for caches: `NUMBA_CACHE_DIR`, else the user's."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else Path(user_cache_dir("deckcheck", False))


def folder_fault(folder: Path) -> str | None:
    """Return why `folder` cannot keep compiled code, or None if it can.

    The folder is made if it is missing. A folder on a read-only disk, as in the image
    of a container, is good enough if it already contains code.
    """
    try:
        make_own_folder(folder)
        if not is_own_folder(folder):
            return "is not this user's alone"
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 4096)
            probe.flush()
        if shutil.disk_usage(folder).free < FREE_BYTES_NEEDED:
            return f"has less than {FREE_BYTES_NEEDED // 2**20} MB left"
    except OSError as error:
        if error.errno == errno.EROFS and any(folder.glob(f"{WARM_MARK}-*")):
            return None
        return f"cannot be written: {(error.strerror or 'unknown reason').lower()}"
    return None


def choose_cache_folder() -> tuple[Path | None, str]:
    """Return the folder for these sources, and why others were refused.

    The folder is None if no disk can keep it.
    """
    name = FOLDER_PREFIX + source_hash()
    faults = []
    for find_parent in (cache_parent, private_temporary_folder):
        try:
            parent = find_parent()
        except OSError as error:
            faults.append(f"no temporary folder can be made: {error.strerror}")
            continue
        fault = folder_fault(parent / name)
        if fault is None:
            remove_old_folders(parent, keep=name)
            return parent / name, ", ".join(faults)
        faults.append(f"{quote(str(parent / name), MAX_PATH_BYTES)} {fault}")
    return None, ", ".join(faults)


def private_temporary_folder() -> Path:
    """Return a temporary folder that only this user can write.

    Another name is taken if somebody else made a folder or a link of this name.
    Raises OSError if no folder can be made.
    """
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    usual = Path(tempfile.gettempdir()) / f"deckcheck-{user}"
    with suppress(OSError):
        make_own_folder(usual)
    for folder in (usual, *sorted(usual.parent.glob(f"{usual.name}-*"))):
        with suppress(OSError):
            if is_own_folder(folder, is_secret=True):
                return folder
    return Path(tempfile.mkdtemp(prefix=f"{usual.name}-"))


def remove_old_folders(parent: Path, keep: str) -> None:
    """Delete compiled code of other versions, unused for a week."""
    try:
        newest = (parent / keep).stat().st_mtime
        for folder in parent.glob(FOLDER_PREFIX + "*"):
            week = 7 * 24 * 3600
            if folder.name != keep and folder.stat().st_mtime < newest - week:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return


def shipped_name() -> str:
    """Return the folder name of a release for this Python and its packages."""
    from llvmlite import binding

    python = f"{sys.implementation.cache_tag} {binding.get_process_triple()}"
    return FOLDER_PREFIX + source_hash(f"{python} {SHIPPED_CPU} {SHIPPED_INLINING}")


def find_shipped() -> Path | None:
    """Return the folder of the packaged machine code, or None if none fits."""
    is_chosen = any(os.environ.get(name) for name in CPU_VARIABLES)
    if is_chosen or not SHIPPED_CODE.is_dir():
        return None  # without loading the compiler to know its name
    from llvmlite import binding

    folder = SHIPPED_CODE / shipped_name()
    if not folder.is_dir():
        return None
    features = binding.get_host_cpu_features()
    return folder if all(features.get(name) for name in CPU_NEEDED) else None


compiled = os.environ.get("NUMBA_DISABLE_JIT", "0").strip() in ("", "0")
CACHE_FOLDER, CACHE_FAULTS = choose_cache_folder() if compiled else (None, "")
SHIPPED_FOLDER = find_shipped() if compiled else None


def is_warm(what: str) -> bool:
    """Report whether `what` was compiled before and so starts at once."""
    if not compiled:
        return True
    mark = f"{WARM_MARK}-{what}"
    return any(
        (folder / mark).exists() for folder in (CACHE_FOLDER, SHIPPED_FOLDER) if folder
    )


def is_anything_warm() -> bool:
    """Report whether any machine code is kept or came with the package."""
    places = (CACHE_FOLDER, SHIPPED_FOLDER)
    return any(any(f.glob(f"{WARM_MARK}-*")) for f in places if f is not None)


def leave_uncompiled() -> None:
    """Let the engine run as plain Python. Call this before the engine is loaded."""
    global compiled, CACHE_FOLDER, SHIPPED_FOLDER
    compiled, CACHE_FOLDER, SHIPPED_FOLDER = False, None, None


def mark_warm(what: str) -> None:
    """Remember that `what` is compiled and kept."""
    if CACHE_FOLDER is not None:
        try:
            (CACHE_FOLDER / f"{WARM_MARK}-{what}").touch()
        except OSError:
            return


def announce_compilation(what: str) -> bool:
    """Announce on stderr, once per version, that compiling takes a while."""
    if is_warm(what):
        return False
    often = "" if CACHE_FOLDER is None else ", once per version"
    print_line(f"compiling the {what} engine{often} (up to a minute) ...")
    if CACHE_FOLDER is None:
        warn_unkept_code(CACHE_FAULTS)
    elif CACHE_FAULTS:
        print_note_once(f"note: compiled code is kept in {CACHE_FOLDER}", CACHE_FAULTS)
    return True


@contextmanager
def announce_compilations(parts: Iterable[str]) -> Iterator[None]:
    """Announce which parts have to be compiled and count seconds on a terminal."""
    is_cold = [announce_compilation(part) for part in parts]
    if not any(is_cold) or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    is_done = Event()
    counter = Thread(target=count_seconds, args=(is_done,), daemon=True)
    counter.start()
    try:
        yield
    finally:
        is_done.set()
        counter.join()


def count_seconds(is_done: Event) -> None:
    """Write the seconds gone by, each over the last, until it is done."""
    with suppress(OSError):
        for seconds in count(1):
            if is_done.wait(WAIT_SECONDS):
                break
            print(f"\r{seconds} s ", end="", file=sys.stderr, flush=True)
        print("\r       \r", end="", file=sys.stderr, flush=True)


def warn_unkept_code(reason: str) -> None:
    """Warn once that compiled code cannot be kept, and why."""
    consequence = "so every run compiles it again"
    print_note_once(f"warning: compiled code cannot be kept, {consequence}", reason)


def note_recompilation(reason: str) -> None:
    """Announce once that kept code is compiled again, and why."""
    consequence = "and is compiled again (up to a minute)"
    print_note_once(
        f"note: compiled code that was kept is not used {consequence}", reason
    )


def print_note_once(text: str, reason: str) -> None:
    """Print a note on stderr with its reason, unless it was printed before.

    Workers leave it to the process that started them.
    """
    if text not in PRINTED_NOTES and parent_process() is None:
        PRINTED_NOTES.add(text)
        print_line(f"{text}: {reason}")


def print_line(text: str) -> None:
    """Print a line on stderr and ignore a closed pipe."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(printable(text), file=sys.stderr, flush=True)
