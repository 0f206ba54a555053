"""Compiled functions on disk, trusted only if they are whole.

numba keeps an index for each function and a file for each of its signatures, both
pickled: what lies there is run. So each file has to be the user's own, and begins with
a checksum over the rest, as a guard against accidents. Machine code with one wrong bit
ends the process, or worse.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from zlib import crc32

from llvmlite import binding
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)

from deckcheck.engine.host.cache import (
    CACHE_FOLDER,
    SHIPPED,
    SHIPPED_CPU,
    tell_again,
    tell_unkept,
)
from deckcheck.engine.inner import inner_compilation, outer_compilation
from deckcheck.findings.own_files import read_own, write_own

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
