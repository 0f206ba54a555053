"""Compiled code on disk: folder, source hash, files, verdict of the trial."""

from __future__ import annotations

import errno
import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from multiprocessing import parent_process
from pathlib import Path
from threading import Event, Thread
from typing import Any
from zlib import crc32

import llvmlite
import numba
from llvmlite import binding
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)
from platformdirs import user_cache_dir

from deckcheck.engine.inner import (
    inner_compilation,
    is_installed,
    link_all,
    outer_compilation,
)
from deckcheck.files import (
    LONGEST_PATH,
    is_own_folder,
    make_own_folder,
    read_own,
    write_own,
)
from deckcheck.messages import printable, quote

# -----------------------------------------------------------------------------
# The folder where compiled code is kept, and what is there already.
#
# numba does not notice when a function in another file changes and would run stale
# code. The folder is therefore named after a hash of the sources that are compiled.
# What is never compiled has no part in it: the files that `NEVER_COMPILED` names.
#
# A release brings code with it that is made for every processor of the last ten years:
# such a folder lies in `SHIPPED_CODE`, for each Python, numba and llvmlite it fits.

PACKAGE = Path(__file__).resolve().parents[1]
COMPILED_PACKAGES = ("engine", "playing", "policies")
NEVER_COMPILED = frozenset(
    {
        *("__init__.py", "cache.py", "internals.py", "context.py"),
        *("weights.py", "table.py", "versions.py", "redraws.py"),
        "workspace.py",
    }
)
PREFIX = "engine-"
FREE_BYTES_NEEDED = 64 * 1024 * 1024
WARM_MARK = "warm"
SECOND = 1.0
OPTIONS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
"""What users can set of numba that decides which code it makes."""
SHIPPED_CODE = PACKAGE / "engine" / "machine_code"
SHIPPED_CPU = "x86-64-v3"
SHIPPED_INLINING = 3000
"""What a function may weigh that LLVM puts into its callers; usual are 225.

Games are a tenth faster, and compiling takes half as long again: where nobody waits.
"""
CPU_NEEDED = (
    *("sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "fma", "f16c"),
    *("bmi", "bmi2", "lzcnt", "movbe", "popcnt", "cx16", "sahf", "xsave"),
)
"""What `SHIPPED_CPU` has, in the words of LLVM."""
SAID: set[str] = set()
"""The notes that were printed in this process, without their reasons."""


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
        # A checkout with the line ends of Windows is the same engine.
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:12]


def source_hash(python: str = sys.version) -> str:
    """12 hex digits over what is compiled, by which versions, with which options."""
    compilers = f"{numba.__version__} {llvmlite.__version__} {python}"
    options = {name: getattr(numba.config, name) for name in OPTIONS}
    whole = f"{compilers} {options} {code_hash()}"
    return hashlib.sha256(whole.encode()).hexdigest()[:12]


def cache_parent() -> Path:
    """Where the user wants caches: `NUMBA_CACHE_DIR`, else the user cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else Path(user_cache_dir("deckcheck", False))


def folder_fault(folder: Path) -> str | None:
    """Why compiled code cannot be kept in `folder`, after its name; None if it can.

    The folder is made if it is missing. One on a read-only disk, as in an image of a
    container, will do if code is in it already.
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
    """The folder for this version of the sources, and why none before it would do.

    It is None when no disk will have it.
    """
    name = PREFIX + source_hash()
    faults = []
    for place in (cache_parent, private_temporary_folder):
        try:
            parent = place()
        except OSError as error:
            faults.append(f"no temporary folder can be made: {error.strerror}")
            continue
        fault = folder_fault(parent / name)
        if fault is None:
            remove_old_folders(parent, keep=name)
            return parent / name, ", ".join(faults)
        faults.append(f"{quote(str(parent / name), LONGEST_PATH)} {fault}")
    return None, ", ".join(faults)


def private_temporary_folder() -> Path:
    """A folder below the system's temporary one, which is this user's alone.

    Anybody may have made one of that name, or put a link there: then it is another.
    Raises OSError where none can be made.
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
    """Delete compiled code of other versions that was not used for a week."""
    try:
        newest = (parent / keep).stat().st_mtime
        for folder in parent.glob(PREFIX + "*"):
            week = 7 * 24 * 3600
            if folder.name != keep and folder.stat().st_mtime < newest - week:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return


def shipped_name() -> str:
    """The name of the folder that a release has for this Python and its packages."""
    python = f"{sys.implementation.cache_tag} {binding.get_process_triple()}"
    return PREFIX + source_hash(f"{python} {SHIPPED_CPU} {SHIPPED_INLINING}")


def find_shipped() -> Path | None:
    """The code that came with the package; None if there is none that fits."""
    folder = SHIPPED_CODE / shipped_name()
    is_chosen = numba.config.CPU_NAME or numba.config.CPU_FEATURES
    if is_chosen or not folder.is_dir():
        return None
    features = binding.get_host_cpu_features()
    return folder if all(features.get(name) for name in CPU_NEEDED) else None


compiled = not numba.config.DISABLE_JIT
if "NUMBA_OPT" not in os.environ:
    # One level higher compiles a tenth longer, and games are no faster.
    numba.config.OPT = type(numba.config.OPT)(2)
CACHE_FOLDER, FAULTS = choose_cache_folder() if compiled else (None, "")
if CACHE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
SHIPPED = find_shipped() if compiled else None


def is_warm(what: str) -> bool:
    """Whether `what` was compiled before, so that starting takes no time."""
    if not compiled:
        return True
    mark = f"{WARM_MARK}-{what}"
    return any((folder / mark).exists() for folder in (CACHE_FOLDER, SHIPPED) if folder)


def is_anything_warm() -> bool:
    """Whether any code is kept, or came with the package."""
    places = (CACHE_FOLDER, SHIPPED)
    return any(any(f.glob(f"{WARM_MARK}-*")) for f in places if f is not None)


def leave_uncompiled() -> None:
    """Let the engine run uncompiled; has to be said before it is loaded."""
    global compiled, CACHE_FOLDER
    numba.config.DISABLE_JIT = True
    compiled, CACHE_FOLDER = False, None


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
    often = "" if CACHE_FOLDER is None else ", once per version"
    say(f"compiling the {what} engine{often} (up to a minute) ...")
    if CACHE_FOLDER is None:
        tell_unkept(FAULTS)
    elif FAULTS:
        say_once(f"note: compiled code is kept in {CACHE_FOLDER}", FAULTS)
    return True


@contextmanager
def compilation_told(parts: Iterable[str]) -> Iterator[None]:
    """Say which of these parts have to be compiled; a terminal counts the seconds."""
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
    """Write how many seconds have gone by over one another, until it is done."""
    with suppress(OSError):
        for seconds in count(1):
            if is_done.wait(SECOND):
                break
            print(f"\r{seconds} s ", end="", file=sys.stderr, flush=True)
        print("\r       \r", end="", file=sys.stderr, flush=True)


def tell_unkept(reason: str) -> None:
    """Say once that compiled code cannot be kept, and why."""
    again = "so every run compiles it again"
    say_once(f"warning: compiled code cannot be kept, {again}", reason)


def tell_again(reason: str) -> None:
    """Say once that kept code is not used, and why: compiling takes a while."""
    again = "and is compiled again (up to a minute)"
    say_once(f"note: compiled code that was kept is not used {again}", reason)


def say_once(text: str, reason: str) -> None:
    """Say something on stderr, for any reason, unless it was said before.

    Workers leave it to the process that started them.
    """
    if text not in SAID and parent_process() is None:
        SAID.add(text)
        say(f"{text}: {reason}")


def say(text: str) -> None:
    """Say something on stderr, if anybody takes it."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(printable(text), file=sys.stderr, flush=True)


# -----------------------------------------------------------------------------
# Compiled functions on disk, trusted only if they are whole.
#
# numba keeps an index for each function and a file for each of its signatures, both
# pickled: what lies there is run. So each file has to be the user's own, and begins
# with a checksum over the rest, as a guard against accidents. Machine code with one
# wrong bit ends the process, or worse.

START = 1
"""What the checksum begins with: with 0, a file of zeros could pass."""
BYTES = 4
LONGEST_REASON = 200


def with_checksum(body: bytes) -> bytes:
    """What is written of a file's content."""
    return crc32(body, START).to_bytes(BYTES, "little") + body


class WholeFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one function: each whole and the user's own, or as good as missing.

    Each signature's file names the signature. In numba's own, two processes that
    compile at the same time may leave an index that gives one the code of another.
    """

    shipped: WholeFiles | None = None
    """The files that came with the package, for what is not kept."""

    def load(self, key: Any) -> Any:
        """What was kept for a signature, None for nothing."""
        name = self._load_index().get(key)
        kept = None if name is None else self._kept(self._data_path(name))
        if kept is not None and kept[0] == key:
            return kept[1]
        return self.shipped.load(key) if self.shipped else None

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of a signature."""
        super().save(key, (key, data))

    def _load_index(self) -> dict[Any, str]:
        stamp, names = self._kept(self._index_path) or (None, {})
        return names if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._keep(self._index_path, (self._source_stamp, overloads))

    def _save_data(self, name: str, data: Any) -> None:
        self._keep(self._data_path(name), data)

    def _keep(self, path: str, content: Any) -> None:
        write_own(path, with_checksum(self._dump(content)))

    def _read(self, path: str) -> bytes:
        return read_own(path)

    def _kept(self, path: str) -> Any:
        try:
            data = self._read(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            tell_again(error.strerror or "it cannot be read")
            return None
        body = data[BYTES:]
        if data != with_checksum(body):
            tell_again("it is damaged")
            return None
        return pickle.loads(body)


class ShippedFiles(WholeFiles):
    """The files of one function that came with the package, and have its owner."""

    def load(self, key: Any) -> Any:
        """What came for a signature, whatever processor this is; None for nothing."""
        signature, _, code = key
        target = (binding.get_process_triple(), SHIPPED_CPU, "")
        return super().load((signature, target, code))

    def _read(self, path: str) -> bytes:
        return read_own(path, like=Path(__file__).stat())


class OurFolder(UserProvidedCacheLocator):  # type: ignore[misc]
    """Our folder, and no other.

    Its name says by which sources code was made, so where these lie does not matter;
    numba would keep code by their places, and turn to other folders.
    """

    def get_cache_path(self) -> str:
        """The folder itself: the files of a function have the name of its module."""
        # Not that of `numba.config`, which is read again when the environment changes.
        return str(CACHE_FOLDER)

    def get_source_stamp(self) -> str:
        """Nothing about the source, which is in the name of the folder."""
        return ""


class MachineCode(CompileResultCacheImpl):  # type: ignore[misc]
    """What is kept of a function, in our folder and nowhere else."""

    _locator_classes = (OurFolder,)

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._filename_base: str = f"{py_func.__module__}-{self.filename_base}"


class IntermediateCode(MachineCode):
    """What is kept of an inner function: it has no machine code."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._filename_base = f"inner-{self.filename_base}"

    def reduce(self, cres: Any) -> Any:
        """The compiled function as data that can be pickled."""
        library = cres.library
        link_all(library)
        library.serialize_using_object_code = library.serialize_using_bitcode
        return (*cres._reduce()[:-1], ())


class PatientCache(FunctionCache):  # type: ignore[misc]
    """A cache whose failures cost time, never the run, and are reported once.

    A disk that fills up while compiled code is written, or a file that was cut
    short, ends in compiling again.
    """

    _impl_class = MachineCode
    loading: Callable[[], AbstractContextManager[None]] = staticmethod(
        outer_compilation
    )

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        locator = self._impl.locator
        rest = self._impl.filename_base, locator.get_source_stamp()
        self._cache_file = WholeFiles(locator.get_cache_path(), *rest)
        if SHIPPED is not None:
            self._cache_file.shipped = ShippedFiles(str(SHIPPED), *rest)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for `sig`, or None when it is missing or unreadable."""
        try:
            with self.loading():
                return super().load_overload(sig, target_context)
        except Exception as error:
            tell_again(f"{type(error).__name__}: {error}"[:LONGEST_REASON])
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code if the disk lets us."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            tell_unkept(error.strerror or str(error))


class InnerCache(PatientCache):
    """Keeps intermediate code, so that it is made once for all who call it."""

    _impl_class = IntermediateCode
    loading = staticmethod(inner_compilation)


def keep_code(dispatcher: Any, kind: type[PatientCache] = PatientCache) -> None:
    """Let the code of a function be kept on disk, if there is a place for it."""
    try:
        dispatcher._cache = kind(dispatcher.py_func)
    except RuntimeError:  # of numba, whose locators all failed
        tell_unkept("no folder for it can be made")


def keep_inner_code(dispatcher: Any) -> None:
    """As `keep_code`, for a function that compiled code alone calls."""
    keep_code(dispatcher, InnerCache)


# -----------------------------------------------------------------------------
# A trial of `inner` with the installed numba: made once, then remembered.
#
# The trial runs in a process of its own, since a wrong pointer ends a process.

TRIAL = """
from deckcheck.engine.inner import install
install()
from deckcheck.engine.jit import run_trial as run
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
