"""Makes numba leave out machine code that nobody calls.

A function that only other compiled functions call is linked into each of them and
optimised again there, so its own optimisation and machine code are thrown away. For
such inner functions this module stops numba after the intermediate code. It halves
the time to compile the engine and lets LLVM see whole games at once.

The intermediate code of some is kept on disk (`jit.dispatch`), so that a second
program that needs them, such as games with one more player, is made in a third of the
time.

It also makes an index one unsigned comparison: numba lets negative ones count from the
end, and then compares twice. In our functions they are an IndexError.

numba has no switch for either: this leans on its internals. `cache` makes a trial of
it before it is used; where that fails, numba compiles in its own way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

from deckcheck.engine.internals import check_internals

check_internals()  # before numba itself stumbles over what it lacks

from numba.core import cgutils, codegen, types  # noqa: E402
from numba.core.targetconfig import TargetConfig  # noqa: E402
from numba.np import arrayobj  # noqa: E402


class Compiling(threading.local):
    """The compilations under way in a thread, outermost first: is it an inner one?"""

    def __init__(self) -> None:
        self.inner: list[bool] = []


COMPILING = Compiling()
REPLACED: set[str] = set()


def mark_inner(dispatcher: Any) -> None:
    """Compile this function for other compiled functions only."""
    mark(dispatcher, True)


def mark_outer(dispatcher: Any) -> None:
    """Compile this function so that Python can call it."""
    mark(dispatcher, False)


def mark(dispatcher: Any, inner: bool) -> None:
    """Note for the time of its compilation what kind a function is."""
    if not is_installed():
        return
    compiler = dispatcher._compiler
    compile_core = compiler._compile_core

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


def inner_compilation() -> AbstractContextManager[None]:
    """While the intermediate code of an inner function is loaded."""
    return compilation(True)


def is_inner() -> bool:
    """Whether the innermost compilation under way is an inner one."""
    return bool(COMPILING.inner) and COMPILING.inner[-1]


def is_installed() -> bool:
    """Whether numba leaves out the machine code of inner functions here."""
    return bool(REPLACED)


def install() -> None:
    """Replace the methods of numba; raises AttributeError where one is missing."""
    if is_installed():
        return
    library, unit = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    replace(library, "__init__", with_kind)
    unless_inner(library, "_optimize_final_module", lambda library: None)
    unless_inner(library, "_finalize_final_module", close_library)
    unless_inner(library, "get_pointer_to_function", lambda library, name: 0)
    unless_inner(unit, "set_env", lambda codegen, name, env: None)
    replace(arrayobj, "basic_indexing", with_unsigned_indices)
    replace(cgutils, "do_boundscheck", with_one_comparison)
    # A pass over a function spells out the types of its arguments, again and again.
    replace(types.Record, "__repr__", cache)
    replace(TargetConfig, "__hash__", lambda original: hash_of_kind)
    replace(TargetConfig, "__eq__", with_quick_answer)


def unless_inner(owner: Any, name: str, instead: Callable[..., Any]) -> None:
    """Replace a method of numba by one that does `instead` for inner functions.

    A library says what it was made for; it may be its caller who ends it.
    """
    original = getattr(owner, name)

    def method(self: Any, *args: Any) -> Any:
        if getattr(self, "is_inner", is_inner()):
            return instead(self, *args)
        return original(self, *args)

    setattr(owner, name, method)
    REPLACED.add(name)


def with_kind(original: Callable[..., None]) -> Callable[..., None]:
    """Note in a library whether it is that of an inner function."""

    def init(library: Any, *args: Any) -> None:
        original(library, *args)
        library.is_inner = is_inner()

    return init


def replace(owner: Any, name: str, make: Callable[..., Any]) -> None:
    """Replace a function of numba by what `make` makes of it."""
    setattr(owner, name, make(getattr(owner, name)))
    REPLACED.add(name)


def with_unsigned_indices(original: Callable[..., Any]) -> Callable[..., Any]:
    """Index arrays without wrapping negative indices, where bounds are checked."""

    def unsigned(
        context: Any,
        builder: Any,
        array_type: Any,
        array: Any,
        index_types: Any,
        indices: Any,
        boundscheck: Any = None,
    ) -> Any:
        if COMPILING.inner and boundscheck:
            is_signed = [
                isinstance(kind, types.Integer) and bool(getattr(kind, "signed", True))
                for kind in index_types
            ]
            indices = [
                context.cast(builder, index, kind, types.intp) if signed else index
                for index, kind, signed in zip(
                    indices, index_types, is_signed, strict=True
                )
            ]
            index_types = [
                types.uintp if signed else kind
                for kind, signed in zip(index_types, is_signed, strict=True)
            ]
        rest = array_type, array, index_types, indices, boundscheck
        return original(context, builder, *rest)

    return unsigned


def with_one_comparison(original: Callable[..., Any]) -> Callable[..., Any]:
    """Check bounds by one comparison: as an unsigned number -1 is the greatest."""

    def check(
        context: Any, builder: Any, index: Any, length: Any, axis: Any = None
    ) -> None:
        if not COMPILING.inner:
            original(context, builder, index, length, axis)
            return
        is_outside = builder.icmp_unsigned(">=", index, length)
        with cgutils.if_unlikely(builder, is_outside):
            message = ("index is out of bounds",)
            context.call_conv.return_user_exc(builder, IndexError, message)

    return check


def close_library(library: Any) -> None:
    """End an inner library: it can be linked, and is not machine code."""
    library._finalize_dynamic_globals()
    library._finalized = True


def hash_of_kind(flags: Any) -> int:
    """The hash of the flags of a compilation; numba's own takes long and says no more.

    It is one of the names of all options, and so the same for all.
    """
    return hash(type(flags))


def with_quick_answer(original: Callable[..., Any]) -> Callable[..., Any]:
    """Compare flags of compilations: those that were set alike are equal."""

    def is_equal(flags: Any, other: Any) -> Any:
        return type(flags) is type(other) and (
            flags._values == other._values or original(flags, other)
        )

    return is_equal
