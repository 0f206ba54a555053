"""Work for an uncompiled engine, in other processes where this one is compiled."""

from __future__ import annotations

import copyreg
import io
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import MappingProxyType
from typing import Any, TypeVar

from deckcheck.scenarios.contract import ENGINE_MODULE, play_uncompiled
from deckcheck.sim.errors import WorkerDiedError

T = TypeVar("T")


def run_uncompiled(work: Callable[[bytes], T], scripts: Sequence[object]) -> T:
    """Return the result of `work` for pickled scripts, in an uncompiled engine.

    See `iterate_uncompiled`, which does the same in parts.
    """
    [result] = iterate_uncompiled(work, [scripts], 1)
    return result


def iterate_uncompiled(
    work: Callable[[bytes], T], parts: Sequence[Sequence[object]], processes: int
) -> Iterator[T]:
    """Yield the result of `work` for each part, in order, in an uncompiled engine.

    If the engine of this process is compiled, others are started: a script that calls
    this must be guarded by `if __name__ == "__main__":`.
    """
    if not sys.modules[ENGINE_MODULE].compiled:
        for part in parts:
            yield work(_pickle_scripts(part))
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=play_uncompiled) as pool:
        try:
            futures = [pool.submit(work, _pickle_scripts(part)) for part in parts]
            for future in futures:
                yield future.result()
        except BrokenProcessPool as error:
            raise WorkerDiedError from error


def _pickle_scripts(scripts: Sequence[object]) -> bytes:
    """Pickle scripts with read-only mappings, which pickle does not know."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    reducers: dict[type, Any] = {**copyreg.dispatch_table}
    reducers[MappingProxyType] = lambda values: (_freeze, (dict(values),))
    pickler.dispatch_table = reducers
    pickler.dump(list(scripts))
    return stream.getvalue()


def _freeze(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """Return a read-only mapping, when it is read from a pickle."""
    return MappingProxyType(values)
