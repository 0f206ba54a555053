"""What holds for all tests."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings
from platformdirs import user_cache_dir

from tools.transcripts import FIXED

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

# As the command line has it: on a busy machine threads wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No test reads a clock: a busy machine is no defect. Each run tries other examples.
settings.register_profile("deckcheck", deadline=None, max_examples=50)
settings.load_profile("deckcheck")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Checked cards and formats are kept in a folder of the tests, games nowhere.

    Compiled code stays where it is: it takes a minute to make.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not os.environ.get("NUMBA_CACHE_DIR"):
            patch.setenv("NUMBA_CACHE_DIR", user_cache_dir("deckcheck", False))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        # No test depends on the day: formats are judged by their snapshot of that day.
        patch.setenv("SOURCE_DATE_EPOCH", FIXED["SOURCE_DATE_EPOCH"])
        patch.setenv("DECKCHECK_NO_KEEP", "1")
        # Programs that tests start compile the same modules once, not each time.
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        # A command that plays nothing would load the engine uncompiled, for all tests.
        import_module("deckcheck.engine.jit")
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_once(
    own_cache: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """What workers need at the same time is compiled by one, and loaded by others."""
    if "PYTEST_XDIST_WORKER" not in os.environ or fcntl is None:
        yield
        return
    if not import_module("deckcheck.engine.jit").compiled:
        yield
        return
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    from deckcheck.engine.compiling import PatientCache

    compile, common = Dispatcher.compile, tmp_path_factory.getbasetemp().parent

    def compile_alone(self: Any, sig: Any) -> Any:
        if type(self._cache) is not PatientCache:
            return compile(self, sig)
        name = f"{self.py_func.__qualname__}-{crc32(repr(sig).encode())}.lock"
        with global_compiler_lock, (common / name).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return compile(self, sig)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dispatcher, "compile", compile_alone)
        yield


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> Iterator[None]:
    """Programs that tests start can be interrupted.

    A shell that runs the tests in the background lets them, and all they start, ignore
    interrupts.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def one_teller() -> Iterator[None]:
    """One process tells all replays of the module: to start it takes seconds."""
    from deckcheck.scenarios.contract import play_uncompiled

    context = get_context("spawn")
    with (
        ProcessPoolExecutor(1, context, initializer=play_uncompiled) as process,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(
            "deckcheck.replays.uncompiled.ProcessPoolExecutor",
            lambda *_, **__: nullcontext(process),
        )
        yield


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a test, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
