"""Workers in threads, in processes and on Dask."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Future,
    InvalidStateError,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager, suppress
from functools import cache
from math import ceil, inf
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic
from typing import Any, ParamSpec, Protocol, TypeVar

from deckcheck.findings import UsageError
from deckcheck.messages import choice, quote
from deckcheck.sim.errors import NoWorkersError
from deckcheck.sim.interrupts import TERMINAL_SIGNALS, interrupts_held_back

# Blocks played by Dask: on a cluster of this machine, or wherever a scheduler is.

P = ParamSpec("P")
T = TypeVar("T")

COUNTED_EVERY = 5.0
PATIENCE_SECONDS = 15


class DaskWorkers:
    """The workers of a Dask scheduler, by default `jobs` workers of this machine.

    Blocks of a worker that ends go to others. Its length is the number of blocks that
    can be played at once. Raises UsageError if Dask is not installed or nobody answers.
    """

    def __init__(self, jobs: int, scheduler: str | None = None) -> None:
        try:
            from distributed import Client
        except ImportError:
            help = "Install it with `pip install 'dask[distributed]'`"
            raise UsageError("Dask is not installed", help) from None
        # What goes wrong is raised; the rest is of no use to who waits for games.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._cluster = None
        try:
            if scheduler is None:
                self._cluster = _start_local_cluster(jobs)
            self._client = Client(scheduler or self._cluster, timeout=PATIENCE_SECONDS)
        except (OSError, ValueError, ImportError) as error:
            if self._cluster is not None:
                self._cluster.close()
            location = quote(scheduler) if scheduler else "this machine"
            message = (
                f"No Dask scheduler answers at {location}: {_read_first_line(error)}"
            )
            help = "Give its address as `dask scheduler` prints it: tcp://host:8786"
            raise UsageError(message, help) from None
        # Dask would answer the same block from memory if it were declared pure.
        self._executor = self._client.get_executor(pure=False)
        self._size, self._counted = 0, -COUNTED_EVERY

    def __len__(self) -> int:
        if monotonic() - self._counted >= COUNTED_EVERY:
            self._size = sum(self._client.nthreads().values())
            self._counted = monotonic()
        return self._size

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Hand the call to the scheduler."""
        ours: Future[T] = Future()
        theirs = self._executor.submit(fn, *args, **kwargs)
        theirs.add_done_callback(lambda done: _pass_on(done, ours))
        return ours

    def stop(self) -> None:
        """Cancel running blocks, and end the workers started here."""
        self._executor.shutdown(wait=False)
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def _start_local_cluster(jobs: int) -> Any:
    """Return a cluster of processes of this machine."""
    from distributed import LocalCluster

    with interrupts_held_back():
        return LocalCluster(
            n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None
        )


def _pass_on(theirs: Future[T], ours: Future[T]) -> None:
    """Give a result to the future that we wait for, unless nobody waits any more."""
    from distributed import KilledWorker

    with suppress(InvalidStateError):
        if theirs.cancelled():
            ours.set_exception(BrokenExecutor("the scheduler is gone"))
        elif (error := theirs.exception()) is None:
            ours.set_result(theirs.result())
        elif isinstance(error, KilledWorker):
            ours.set_exception(BrokenExecutor(str(error)))
        else:
            ours.set_exception(error)


def _read_first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].strip() or type(error).__name__


# Executors of blocks: this process, its threads, worker processes, or a cluster.
#
# Anything with `submit(function, *arguments)` that returns a
# `concurrent.futures.Future` will do.

EXECUTORS = ("threads", "processes", "dask")
"""Where blocks can be played, the default first."""
MOST_WORKERS = 61 if os.name == "nt" else 10_000
"""How many workers a pool may have: Windows waits for no more than 63 handles."""
CONTROL_GROUP = Path("/sys/fs/cgroup")


class Executor(Protocol):
    """Plays blocks: a `concurrent.futures` executor, or an object with its methods."""

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Start `fn` somewhere and return the future of its result."""


class InProcess:
    """Calls the function at once, in this process."""

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Return a finished future."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class WorkerThreads:
    """A pool of threads of this process, which start at once and share its memory.

    Compiled games release the interpreter, so threads play at the same time. A block
    that is being played when a run is interrupted ends in the background.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="games")

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Hand the call to a thread, and start threads as needed.

        Raises NoWorkersError if the system has no room for them.
        """
        with _explain_failed_starts():
            return self._pool.submit(fn, *args, **kwargs)


@cache
def start_threads(jobs: int) -> WorkerThreads:
    """Return the threads of this process, which stay for all of its runs."""
    return WorkerThreads(jobs)


class WorkerProcesses:
    """A pool of spawned processes that end with this process, however it ends.

    It has `jobs` processes, or as many as the system lets a process wait for.
    `ready` are the names of workers that have loaded the engine and returned a block.
    If `uncompiled`, they play slowly without waiting for a compiler. Raises
    NoWorkersError if the system has no room for them.
    """

    def __init__(self, jobs: int, *, uncompiled: bool = False) -> None:
        self.jobs = jobs
        self._begin = _start_uncompiled if uncompiled else _start_worker
        self.ready: set[str] = set()
        self._start()

    def _start(self) -> None:
        self._others = set(active_children())
        with interrupts_held_back(), _explain_failed_starts():
            self._pool = ProcessPoolExecutor(
                min(self.jobs, MOST_WORKERS),
                mp_context=get_context("spawn"),
                initializer=self._begin,
            )

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Hand the call to a worker, and start workers as needed.

        Raises NoWorkersError if the system has no room for them.
        """
        with interrupts_held_back(), _explain_failed_starts():
            return self._pool.submit(fn, *args, **kwargs)

    def stop(self) -> None:
        """End the workers at once, and lose their blocks."""
        for worker in self.workers():
            worker.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def restart(self) -> None:
        """Replace all workers by new workers, after a worker has died."""
        self.stop()
        self.ready.clear()
        self._start()

    def workers(self) -> set[BaseProcess]:
        """Return the living processes of this pool."""
        return set(active_children()) - self._others


@contextmanager
def chosen_executor(
    name: str, jobs: int, scheduler: str | None
) -> Iterator[Executor | None]:
    """Yield the executor of a name in EXECUTORS, or None for threads.

    A single process is this process, so it has no executor either. `scheduler` is the
    address of a Dask scheduler. Raises UsageError for an unknown name, and if Dask
    cannot be used.
    """
    check_executor(name, scheduler)
    workers: DaskWorkers | WorkerProcesses
    if name == "dask":
        workers = DaskWorkers(jobs, scheduler)
    elif name == "processes" and jobs > 1:
        workers = WorkerProcesses(jobs)
    else:
        yield None
        return

    try:
        yield workers
    finally:
        workers.stop()


def check_executor(name: str, scheduler: str | None) -> None:
    """Refuse an unknown executor, and a scheduler for others than Dask."""
    if name not in EXECUTORS:
        names = choice(list(EXECUTORS), "and")
        raise UsageError(f"Unknown executor {quote(name)}", f"Executors are {names}")
    if scheduler is not None and name != "dask":
        raise UsageError(
            "`scheduler` goes with the executor `dask` only", "Leave it out"
        )


def usable_cores() -> int:
    """Return the number of cores this process may use, at least 1.

    A container may have the time of fewer cores than it sees.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, ceil(min(cores, _read_quota(CONTROL_GROUP))))


def _read_quota(folder: Path) -> float:
    """Return the cores whose time the control group of this process gets, inf for all.

    `folder` has the files of version 2 (`cpu.max`) or of version 1 of control groups:
    microseconds of time in each period.
    """
    with suppress(OSError, ValueError):
        quota, period = (folder / "cpu.max").read_text("ascii").split()
        return inf if quota == "max" else int(quota) / int(period)
    with suppress(OSError, ValueError):
        names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
        quota, period = ((folder / "cpu" / name).read_text("ascii") for name in names)
        return inf if int(quota) < 0 else int(quota) / int(period)
    return inf


@contextmanager
def _explain_failed_starts() -> Iterator[None]:
    """Explain plainly why no process can be started."""
    try:
        yield
    except OSError as error:
        raise NoWorkersError((error.strerror or str(error)).lower()) from error
    except RuntimeError as error:
        if "thread" not in str(error):
            raise
        raise NoWorkersError(str(error)) from error


def _start_worker() -> None:
    # The process that plays ends them; a terminal sends these to all of its processes.
    for number in TERMINAL_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _start_uncompiled() -> None:
    from deckcheck.engine.cache import leave_uncompiled

    _start_worker()
    leave_uncompiled()


def _end_with_parent() -> None:
    """Wait for the parent to end, since a killed parent cannot stop its workers."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
