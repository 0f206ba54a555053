"""One decorator for what compiled code calls, one for what Python calls too.

`NUMBA_DISABLE_JIT=1` runs the same functions as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba import types

from deckcheck.engine.host.internals import check_internals

check_internals()

from numba.core.typing.templates import (  # noqa: E402
    infer,
    infer_global,
    make_overload_template,
)

from deckcheck.engine.host.cache import CACHE_FOLDER, compiled  # noqa: E402
from deckcheck.engine.host.keeping import keep_code, keep_inner_code  # noqa: E402
from deckcheck.engine.host.trying import inner_code_works  # noqa: E402
from deckcheck.engine.inner import (  # noqa: E402
    install,
    is_installed,
    mark_inner,
    mark_outer,
)

Function = TypeVar("Function", bound=Callable[..., Any])

if compiled and inner_code_works():
    install()


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
        keep_code(dispatcher)
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
        keep_inner_code(dispatcher)
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
