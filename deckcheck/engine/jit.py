"""One decorator for what compiled code calls, one for what Python calls too.

`NUMBA_DISABLE_JIT=1` runs the same functions as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.typing.templates import infer, infer_global, make_overload_template

from deckcheck.engine.host.cache import CACHE_FOLDER, compiled
from deckcheck.engine.host.trying import inner_code_works
from deckcheck.engine.inner import (
    inner_compilation,
    install,
    is_installed,
    mark_inner,
    mark_outer,
    outer_compilation,
)

__all__ = ["compiled", "dispatch", "entry", "jit"]

Function = TypeVar("Function", bound=Callable[..., Any])

if compiled and inner_code_works():
    install()


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


class IntermediateCode(CompileResultCacheImpl):  # type: ignore[misc]
    """What is kept of an inner function: it has no machine code."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._filename_base: str = f"inner-{self.filename_base}"

    def reduce(self, cres: Any) -> Any:
        """The compiled function as data that can be pickled."""
        library = cres.library
        library.serialize_using_object_code = library.serialize_using_bitcode
        return (*cres._reduce()[:-1], ())


class InnerCache(PatientCache):
    """Keeps intermediate code, so that it is made once for all who call it."""

    _impl_class = IntermediateCode

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The intermediate code for `sig`, or None when missing or unreadable."""
        try:
            with inner_compilation():
                return FunctionCache.load_overload(self, sig, target_context)
        except Exception:
            return None


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


def dispatch(caller: Function, choose: Callable[..., Function]) -> None:
    """Let compiled calls of `caller` go to the function that `choose` gives them.

    `choose` is called with the types of the arguments. What it returns is compiled
    into those who call it; its intermediate code is kept on disk for the next one.
    """
    template = make_overload_template(caller, choose, {}, False, "never")
    template._get_jit_decorator = lambda self: lambda: kept
    infer(template)
    infer_global(caller, types.Function(template))


def kept(function: Function) -> Function:
    """As `jit`, with its intermediate code kept on disk."""
    dispatcher: Any = jit(function)
    if CACHE_FOLDER is not None and is_installed():
        dispatcher._cache = InnerCache(function)
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
