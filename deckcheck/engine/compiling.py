"""Compile the engine with numba, and keep compiled functions safely on disk."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast
from zlib import crc32

from deckcheck.engine.internals import check_internals

check_internals()

import numba
import numpy as np
from llvmlite import binding
from numba import types
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)
from numba.core.typing.templates import (
    infer,
    infer_global,
    make_overload_template,
)

from deckcheck.engine.cache import (
    CACHE_FOLDER,
    SHIPPED_CPU,
    SHIPPED_FOLDER,
    note_recompilation,
    warn_unkept_code,
)
from deckcheck.engine.inner import (
    Pipeline,
    inner_compilation,
    install,
    is_installed,
    link_all,
    mark_inner,
    mark_outer,
    outer_compilation,
)
from deckcheck.files import read_own, write_own

Function = TypeVar("Function", bound=Callable[..., Any])

numba.config.DISABLE_JIT = 0  # `cache.compiled` has decided it
if "NUMBA_OPT" not in os.environ:
    # One level higher compiles a tenth longer, and games are no faster.
    numba.config.OPT = type(numba.config.OPT)(2)
if CACHE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CACHE_FOLDER)

# -----------------------------------------------------------------------------
# Compiled functions on disk, trusted only if they are whole
#
# numba keeps an index for each function and a file for each of its signatures, both
# pickled, so their content is run. So each file has to be the user's own, and begins
# with a checksum over the rest, as a guard against accidents. Machine code with one
# wrong bit ends the process, or worse.

CHECKSUM_START = 1
"""What the checksum begins with: with 0, a file of zeros could pass."""
CHECKSUM_BYTES = 4
MAX_REASON_LENGTH = 200


def with_checksum(body: bytes) -> bytes:
    """Return a file's content with its checksum."""
    return crc32(body, CHECKSUM_START).to_bytes(CHECKSUM_BYTES, "little") + body


class WholeFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The files of a function. A damaged file or one of another user is ignored.

    Each signature's file names the signature. In numba's own, two processes that
    compile at the same time may leave an index that mixes up their code.
    """

    shipped: WholeFiles | None = None
    """The files that came with the package, for code that is not kept."""

    def load(self, key: Any) -> Any:
        """Return the code kept for a signature, or None."""
        name = self._load_index().get(key)
        entry = None if name is None else self._load_kept(self._data_path(name))
        if entry is not None and entry[0] == key:
            return entry[1]
        return self.shipped.load(key) if self.shipped else None

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of a signature."""
        super().save(key, (key, data))

    def _load_index(self) -> dict[Any, str]:
        stamp, names = self._load_kept(self._index_path) or (None, {})
        return names if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._keep(self._index_path, (self._source_stamp, overloads))

    def _save_data(self, name: str, data: Any) -> None:
        self._keep(self._data_path(name), data)

    def _keep(self, path: str, content: Any) -> None:
        write_own(path, with_checksum(self._dump(content)))

    def _read(self, path: str) -> bytes:
        return read_own(path)

    def _load_kept(self, path: str) -> Any:
        try:
            data = self._read(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            note_recompilation(error.strerror or "it cannot be read")
            return None
        body = data[CHECKSUM_BYTES:]
        if data != with_checksum(body):
            note_recompilation("it is damaged")
            return None
        return pickle.loads(body)


class ShippedFiles(WholeFiles):
    """The files of a function that came with the package and have its owner."""

    def load(self, key: Any) -> Any:
        """Return the shipped code for a signature on any processor, or None."""
        signature, _, code = key
        target = (binding.get_process_triple(), SHIPPED_CPU, "")
        return super().load((signature, target, code))

    def _read(self, path: str) -> bytes:
        return read_own(path, like=Path(__file__).stat())


class OurFolder(UserProvidedCacheLocator):  # type: ignore[misc]
    """Keep code in our folder and in no other.

    The folder's name is a hash of the sources, so their path does not matter. numba
    would keep code by path, and might choose other folders.
    """

    def get_cache_path(self) -> str:
        """Return the folder itself, as files are named after their module."""
        # Not that of `numba.config`, which is read again when the environment changes.
        return str(CACHE_FOLDER)

    def get_source_stamp(self) -> str:
        """Return nothing, since the name of the folder has the hash of the sources."""
        return ""


class MachineCode(CompileResultCacheImpl):  # type: ignore[misc]
    """The machine code of a function, kept in our folder and nowhere else."""

    _locator_classes = (OurFolder,)

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._filename_base: str = f"{py_func.__module__}-{self.filename_base}"


class IntermediateCode(MachineCode):
    """The intermediate code of an inner function: it has no machine code."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._filename_base = f"inner-{self.filename_base}"

    def reduce(self, cres: Any) -> Any:
        """Return the compiled function as data that can be pickled."""
        library = cres.library
        link_all(library)
        library.serialize_using_object_code = library.serialize_using_bitcode
        return (*cres._reduce()[:-1], ())


class PatientCache(FunctionCache):  # type: ignore[misc]
    """A cache whose failures cost time, never the run, and are reported once.

    After a full disk or a truncated file the code is compiled again.
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
        if SHIPPED_FOLDER is not None:
            self._cache_file.shipped = ShippedFiles(str(SHIPPED_FOLDER), *rest)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for `sig`, or None if missing or unreadable."""
        try:
            with self.loading():
                return super().load_overload(sig, target_context)
        except Exception as error:
            note_recompilation(f"{type(error).__name__}: {error}"[:MAX_REASON_LENGTH])
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code if it can be written."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warn_unkept_code(error.strerror or str(error))


class InnerCache(PatientCache):
    """Keeps intermediate code, so that it is made once for every caller."""

    _impl_class = IntermediateCode
    loading = staticmethod(inner_compilation)


def keep_code(dispatcher: Any, kind: type[PatientCache] = PatientCache) -> None:
    """Let the code of a function be kept on disk, if there is a place for it."""
    try:
        dispatcher._cache = kind(dispatcher.py_func)
    except RuntimeError:  # of numba, whose locators all failed
        warn_unkept_code("no folder for it can be made")


def keep_inner_code(dispatcher: Any) -> None:
    """Keep the code of a function that only compiled code calls."""
    keep_code(dispatcher, InnerCache)


# -----------------------------------------------------------------------------
# A trial of `inner` with the installed numba: made once, then remembered
#
# The trial runs in a process of its own, since a wrong pointer ends a process.

TRIAL_CODE = """
from deckcheck.engine.inner import install
install()
from deckcheck.engine.jit import run_trial as run
run()
"""
VERDICT_FILE = "inner-code"
WORKS, FAILS = "works", "fails"
TRIAL_SECONDS = 120


def inner_code_works(folder: Path | None = CACHE_FOLDER) -> bool:
    """Return the recorded or shipped verdict, else try inner code."""
    if is_installed():
        return True
    verdict = kept_verdict(folder) or kept_verdict(SHIPPED_FOLDER)
    if verdict is None:
        verdict = WORKS if trial_succeeds() else FAILS
        keep_verdict(folder, verdict)
    return verdict == WORKS


def kept_verdict(folder: Path | None) -> str | None:
    """Return the verdict of an earlier process, or None if there is none."""
    try:
        text = (folder / VERDICT_FILE).read_text("ascii") if folder else ""
    except (OSError, UnicodeDecodeError):
        return None
    return text if text in (WORKS, FAILS) else None


def keep_verdict(folder: Path | None, verdict: str) -> None:
    """Keep the verdict for the next process, if it can be written."""
    if folder is None:
        return
    try:
        with tempfile.NamedTemporaryFile(
            "w", dir=folder, encoding="ascii", delete=False
        ) as new:
            new.write(verdict)
        os.replace(new.name, folder / VERDICT_FILE)
    except OSError:
        return


def trial_succeeds() -> bool:
    """Report whether the trial runs, in a process and a cache folder of its own."""
    try:
        with tempfile.TemporaryDirectory(prefix="deckcheck-") as folder:
            environment = {
                **os.environ,
                "NUMBA_CACHE_DIR": folder,
                "NUMBA_DISABLE_JIT": "0",
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            }
            process = subprocess.run(
                [sys.executable, "-c", TRIAL_CODE],
                env=environment,
                capture_output=True,
                timeout=TRIAL_SECONDS,
                check=False,
            )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        # A system that is read-only may have no temporary folder.
        return False
    return process.returncode == 0


# -----------------------------------------------------------------------------
# How a function is compiled

if inner_code_works():
    install()
COMPILER_OPTIONS: dict[str, Any] = {}
if is_installed():
    COMPILER_OPTIONS["pipeline_class"] = Pipeline

COLLECTOR_THRESHOLD = 20_000
"""The new objects after which the collector works during compilation. 700 is usual."""


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Let the garbage collector work less while code is compiled.

    numba makes millions of objects that live until the end of the compilation, and the
    collector would visit them again and again.
    """
    threshold, *others = gc.get_threshold()
    is_unfrozen = gc.get_freeze_count() == 0
    if is_unfrozen:
        gc.freeze()
    if threshold:  # 0 is a collector that is switched off
        gc.set_threshold(max(threshold, COLLECTOR_THRESHOLD), *others)
    try:
        yield
    finally:
        gc.set_threshold(threshold, *others)
        if is_unfrozen:
            gc.unfreeze()


def compile_quietly(dispatcher: Any) -> None:
    """Keep the collector quiet while a function that Python calls is compiled."""
    compile_for = dispatcher.compile

    def compile_for_types(types_of_arguments: Any) -> Any:
        with quiet_collector():
            return compile_for(types_of_arguments)

    dispatcher.compile = compile_for_types


def compiled_inside(function: Function) -> Function:
    """Compile `function` as a part of the compiled functions that call it."""
    dispatcher = numba.njit(
        boundscheck=True,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        **COMPILER_OPTIONS,
    )(function)
    widen_literals(dispatcher)
    refuse_python(dispatcher)
    mark_inner(dispatcher)
    return cast(Function, dispatcher)


def compiled_for_python(function: Function) -> Function:
    """Compile `function` on its first call from Python, and keep it on disk.

    It releases the interpreter, so that other threads play at the same time.
    """
    dispatcher = numba.njit(
        boundscheck=True, nogil=True, no_cfunc_wrapper=True, **COMPILER_OPTIONS
    )(function)
    widen_literals(dispatcher)
    mark_outer(dispatcher)
    compile_quietly(dispatcher)
    if CACHE_FOLDER is not None:
        keep_code(dispatcher)
    return cast(Function, dispatcher)


def compile_and_keep(function: Function) -> Function:
    """Return `function` compiled inside, with its code kept on disk."""
    dispatcher: Any = compiled_inside(function)
    if CACHE_FOLDER is not None and is_installed():
        keep_inner_code(dispatcher)
    return cast(Function, dispatcher)


def send_calls(caller: Function, choose: Callable[..., Function]) -> None:
    """Let compiled calls of `caller` go to the function that `choose` gives them."""
    template = make_overload_template(caller, choose, {}, False, "never")
    template._get_jit_decorator = lambda self: lambda: compile_and_keep
    infer(template)
    infer_global(caller, types.Function(template))


def record_type(record: np.dtype[np.void]) -> Any:
    """Return the numba type of a record."""
    return numba.from_dtype(record)


def refuse_python(dispatcher: Any) -> None:
    """Make a call from Python an error: there is no wrapper, so it would crash."""

    def refuse(*args: Any, **kws: Any) -> None:
        raise TypeError(
            f"`{dispatcher.__name__}` is for compiled code; decorate it with `entry`"
        )

    dispatcher._insert = lambda *args: None
    dispatcher._compile_for_args = refuse


def widen_literals(dispatcher: Any) -> None:
    """Let `f(s, 0)` and `f(s, n)` share a compiled version of `f`.

    numba would compile `f` again for each literal.
    """
    call_template = dispatcher.get_call_template

    def get_widened_template(args: Any, kws: Any) -> Any:
        return call_template(tuple(types.unliteral(arg) for arg in args), kws)

    dispatcher.get_call_template = get_widened_template
