"""Makes numba leave out machine code that nobody calls.

A function that only other compiled functions call is linked into each of them and
optimised again there, so its own optimisation and machine code are thrown away. For
such inner functions this module stops numba after the intermediate code. It halves
the time to compile the engine and lets LLVM see whole games at once.

numba has no switch for it: this leans on its internals, checks that they are there,
and does nothing where they are not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from numba.core import codegen

__all__ = ["mark_inner", "mark_outer", "outer_compilation"]

LIBRARY = getattr(codegen, "JITCodeLibrary", None)
CODEGEN = getattr(codegen, "JITCPUCodegen", None)
REPLACED = (
    (LIBRARY, "_optimize_final_module"),
    (LIBRARY, "_finalize_final_module"),
    (LIBRARY, "_finalize_dynamic_globals"),
    (LIBRARY, "get_pointer_to_function"),
    (CODEGEN, "set_env"),
)
SUPPORTED = all(hasattr(owner, name) for owner, name in REPLACED)


class Compiling(threading.local):
    """The compilations under way in a thread, outermost first: is it an inner one?"""

    def __init__(self) -> None:
        self.inner: list[bool] = []


COMPILING = Compiling()


def mark_inner(dispatcher: Any) -> None:
    """Compile this function for other compiled functions only."""
    mark(dispatcher, True)


def mark_outer(dispatcher: Any) -> None:
    """Compile this function so that Python can call it."""
    mark(dispatcher, False)


def mark(dispatcher: Any, inner: bool) -> None:
    """Note for the time of its compilation what kind a function is."""
    compiler: Any = getattr(dispatcher, "_compiler", None)
    compile_core = getattr(compiler, "_compile_core", None)
    if not SUPPORTED or compile_core is None:
        return

    def noted(args: Any, return_type: Any) -> Any:
        with compilation(inner):
            return compile_core(args, return_type)

    compiler._compile_core = noted


@contextmanager
def compilation(inner: bool) -> Iterator[None]:
    """While an inner (or outer) function is compiled."""
    COMPILING.inner.append(inner)
    try:
        yield
    finally:
        COMPILING.inner.pop()


def outer_compilation() -> AbstractContextManager[None]:
    """While code that Python may call is loaded, even for an inner function."""
    return compilation(False)


def is_inner() -> bool:
    """Whether the innermost compilation under way is an inner one."""
    return bool(COMPILING.inner) and COMPILING.inner[-1]


def unless_inner(owner: Any, name: str, instead: Callable[..., Any]) -> None:
    """Replace a method of numba by one that does `instead` for inner functions."""
    original = getattr(owner, name)

    def method(self: Any, *args: Any) -> Any:
        if is_inner():
            return instead(self, *args)
        return original(self, *args)

    setattr(owner, name, method)


def close_library(library: Any) -> None:
    """End an inner library: it can be linked, and is no machine code."""
    library._finalize_dynamic_globals()
    library._finalized = True


if SUPPORTED:
    unless_inner(LIBRARY, "_optimize_final_module", lambda library: None)
    unless_inner(LIBRARY, "_finalize_final_module", close_library)
    unless_inner(LIBRARY, "get_pointer_to_function", lambda library, name: 0)
    unless_inner(CODEGEN, "set_env", lambda codegen, name, env: None)
