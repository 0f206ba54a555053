"""Blocks played by Dask: on a cluster of this machine, or wherever a scheduler is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import suppress
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.sim.scheduling.interrupts import interrupts_held_back

P = ParamSpec("P")
T = TypeVar("T")

COUNTED_EVERY = 5.0
PATIENCE = 15


class DaskWorkers:
    """The workers of a Dask scheduler; without its address, `jobs` of this machine.

    Blocks of a worker that ends go to others. Its length is how many blocks can be
    played at once. Raises UsageError where Dask is not installed or nobody answers.
    """

    def __init__(self, jobs: int, scheduler: str | None = None) -> None:
        try:
            from distributed import Client
        except ImportError:
            help = "Install it with `pip install 'dask[distributed]'`"
            raise UsageError("Dask is not installed", help) from None
        # What goes wrong is raised; the rest is of no use to who waits for games.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            self._client = Client(scheduler or _local(jobs), timeout=PATIENCE)
        except (OSError, ValueError, ImportError) as error:
            place = quote(scheduler) if scheduler else "this machine"
            message = f"No Dask scheduler answers at {place}: {_first_line(error)}"
            help = "Give its address as `dask scheduler` prints it: tcp://host:8786"
            raise UsageError(message, help) from None
        self._cluster = self._client.cluster if scheduler is None else None
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
        """Cancel what is under way, and end what was started here."""
        self._executor.shutdown(wait=False)
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def _local(jobs: int) -> Any:
    """A cluster of processes of this machine."""
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


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].strip() or type(error).__name__
