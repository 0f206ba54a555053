"""Make numba compile less, and in fewer steps, than it does for any function.

A function that only other compiled functions call is linked into each of them and
optimised there, so its own optimisation and machine code are thrown away. For such
inner functions this module stops numba after the intermediate code. A function that
Python calls links all below it once. So LLVM sees whole games at once.

The intermediate code of some is kept on disk (`jit.dispatch`), so that a second
program that needs them, such as games with another player, takes a third of the time.

A cell of an array in a record, such as `s.hand[player, i]`, becomes an address and a
comparison for each index. numba would make an array first. As an index is unsigned, a
negative index is an IndexError. numba lets it count from the end.

Passes, times and counts of references that our functions have no use for are left out.

numba has no switch for most of it, so this module changes its internals. `compiling`
makes a trial first. If it fails, numba compiles in its own way.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

from deckcheck.engine.internals import check_internals

check_internals()  # before numba itself stumbles over what it lacks

from llvmlite import ir  # noqa: E402
from llvmlite.binding import Linkage  # noqa: E402
from llvmlite.ir.instructions import InsertValue  # noqa: E402
from numba import types  # noqa: E402
from numba.core import (  # noqa: E402
    cgutils,
    codegen,
    event,
    typed_passes,
    untyped_passes,
)
from numba.core.compiler import CompilerBase  # noqa: E402
from numba.core.compiler_machinery import PassManager  # noqa: E402
from numba.core.datamodel import default_manager  # noqa: E402
from numba.core.imputils import (  # noqa: E402
    lower_builtin,
    lower_constant,
    lower_getattr_generic,
)
from numba.core.lowering import Lower  # noqa: E402
from numba.core.postproc import PostProcessor  # noqa: E402
from numba.core.registry import cpu_target  # noqa: E402
from numba.core.targetconfig import TargetConfig  # noqa: E402
from numba.core.transforms import canonicalize_cfg  # noqa: E402
from numba.experimental import function_type  # noqa: E402
from numba.np import arrayobj  # noqa: E402


class Compiling(threading.local):
    """Whether each compilation under way in a thread is inner, outermost first.

    `is_late` is set during one of the `LATE_PASSES`.
    """

    def __init__(self) -> None:
        self.inner: list[bool] = []
        self.is_late = False


COMPILATION_STATE = Compiling()
REPLACED_PARTS: set[str] = set()


def mark_inner(dispatcher: Any) -> None:
    """Compile this function for other compiled functions only."""
    mark(dispatcher, True)


def mark_outer(dispatcher: Any) -> None:
    """Compile this function so that Python can call it."""
    mark(dispatcher, False)


def mark(dispatcher: Any, inner: bool) -> None:
    """Note whether a function is inner, while it is compiled."""
    if not is_installed():
        return
    compiler = dispatcher._compiler
    compile_core = compiler._compile_core

    def noted(args: Any, return_type: Any) -> Any:
        register_cells()
        with compilation(inner):
            return compile_core(args, return_type)

    compiler._compile_core = noted


@contextmanager
def compilation(inner: bool) -> Iterator[None]:
    """While an inner (or outer) function is compiled."""
    COMPILATION_STATE.inner.append(inner)
    try:
        yield
    finally:
        COMPILATION_STATE.inner.pop()


def outer_compilation() -> AbstractContextManager[None]:
    """While code that Python may call is loaded, even for an inner function."""
    return compilation(False)


def inner_compilation() -> AbstractContextManager[None]:
    """While the intermediate code of an inner function is loaded."""
    return compilation(True)


def is_inner() -> bool:
    """Report whether the innermost compilation in progress is of an inner function."""
    return bool(COMPILATION_STATE.inner) and COMPILATION_STATE.inner[-1]


def is_installed() -> bool:
    """Report whether numba leaves out machine code of inner functions here."""
    return bool(REPLACED_PARTS)


def install() -> None:
    """Replace the methods of numba. Raises AttributeError if a method is missing."""
    if is_installed():
        return
    library, unit = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    library.is_inner = False
    replace(library, "__init__", with_kind)
    replace(library, "finalize", with_all_libraries)
    unless_inner(library, "_optimize_final_module", lambda library: None)
    unless_inner(library, "_optimize_functions", lay_out)
    unless_inner(library, "_finalize_final_module", close_library)
    unless_inner(library, "get_pointer_to_function", lambda library, name: 0)
    unless_inner(unit, "set_env", lambda codegen, name, env: None)
    replace(arrayobj, "basic_indexing", with_unsigned_indices)
    replace(cgutils, "do_boundscheck", with_one_comparison)
    for count in ("incref", "decref"):
        replace(Lower, count, unless_free)
    replace(Lower, "storevar", with_plain_store)
    replace(Lower, "delvar", unless_nothing_is_owned)
    replace(PostProcessor, "run", with_late_analysis)
    replace(types.BaseFunction, "get_call_type", with_memory)
    for tell in ("start_event", "end_event"):
        replace(event, tell, without_locks)
    # A pass over a function spells out the types of its arguments, again and again.
    replace(types.Record, "__repr__", cache)
    replace(TargetConfig, "__hash__", lambda original: hash_flags)
    replace(TargetConfig, "__eq__", with_quick_answer)


def unless_inner(owner: Any, name: str, instead: Callable[..., Any]) -> None:
    """Replace a method of numba by `instead` for inner functions.

    The library knows whether it is inner, since its caller may finish it.
    """
    original = getattr(owner, name)

    def method(self: Any, *args: Any) -> Any:
        if getattr(self, "is_inner", is_inner()):
            return instead(self, *args)
        return original(self, *args)

    setattr(owner, name, method)
    REPLACED_PARTS.add(name)


def with_kind(original: Callable[..., None]) -> Callable[..., None]:
    """Note in a library whether its function is inner."""

    def init(library: Any, *args: Any) -> None:
        original(library, *args)
        library.is_inner = is_inner()

    return init


def replace(owner: Any, name: str, make: Callable[..., Any]) -> None:
    """Replace a function of numba by the result of `make`."""
    setattr(owner, name, make(getattr(owner, name)))
    REPLACED_PARTS.add(name)


# -----------------------------------------------------------------------------
# Libraries, which are linked, optimised and made machine code.


def lay_out(library: Any, module: Any) -> None:
    """Leave functions as they are: they are optimised where they are linked."""
    module.data_layout = library.codegen._data_layout


def close_library(library: Any) -> None:
    """End an inner library: it can be linked, and is not machine code."""
    for function in library._final_module.functions:
        if not function.is_declaration and function.linkage == Linkage.external:
            function.linkage = "linkonce_odr"
    library._shared_module = library._final_module
    library._finalize_dynamic_globals()
    library._finalized = True


def with_all_libraries(original: Callable[..., None]) -> Callable[..., None]:
    """Link all callees, direct or not, into the outer library, once."""

    def finalize(library: Any) -> None:
        if library.is_inner:
            close_library(library)
            return
        library._linking_libraries = list(reached(library))
        original(library)

    return finalize


def reached(library: Any) -> Iterator[Any]:
    """Yield the libraries below `library` that were not yielded yet, callers first."""
    seen = {library}
    waiting = list(reversed(library._linking_libraries))
    while waiting:
        other = waiting.pop()
        if other in seen:
            continue
        seen.add(other)
        yield other
        if other.is_inner:
            waiting += reversed(other._linking_libraries)


def link_all(library: Any) -> None:
    """Put into an inner library all that it calls, so that it is complete."""
    for other in reached(library):
        module = other._get_module_for_linking()
        library._final_module.link_in(module, preserve=True)
        if hasattr(library, "_reload_init"):  # not in all versions of numba
            library._reload_init.update(other._reload_init)
    library._linking_libraries = []


# -----------------------------------------------------------------------------
# Passes and analyses that our functions need, without times of locks.


class Passes(PassManager):  # type: ignore[misc]
    """Passes that note no times, after which nothing is computed on the off chance."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:
        before, COMPILATION_STATE.is_late = (
            COMPILATION_STATE.is_late,
            isinstance(step, LATE_PASSES),
        )
        step.analysis = self._analysis
        try:
            step.run_initialization(state)
            step.run_pass(state)
            step.run_finalizer(state)
        finally:
            COMPILATION_STATE.is_late = before


COMPILER_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""What numba does for a function, without what ours do not need.

They have no closures, `with`, `try`, arithmetic on arrays, errors with parts that are
known later, and nothing that is inlined before its types are known.
"""


LATE_PASSES = (
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.PreLowerStripPhis,
)
"""The passes that compute lifetimes of variables, which only lowering uses."""


@cache
def passes() -> PassManager:
    """Return the pipeline of all functions."""
    manager = Passes("deckcheck")
    for step in COMPILER_PASSES:
        manager.add_pass(step, step.__name__)
    manager.finalize()
    return manager


class Pipeline(CompilerBase):  # type: ignore[misc]
    """The compiler of our functions: numba's with fewer passes."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the pipelines to try, in order."""
        return [passes()]


def with_late_analysis(original: Callable[..., None]) -> Callable[..., None]:
    """Leave out lifetimes of variables until they are used."""

    def run(self: Any, emit_dels: bool = False, **kws: Any) -> None:
        function = self.func_ir
        if not COMPILATION_STATE.is_late or emit_dels or function.is_generator:
            original(self, emit_dels, **kws)
            return
        function.blocks = canonicalize_cfg(function.blocks)
        function.generator_info = None

    return run


NUMBA_LOCKS = frozenset({"numba:llvm_lock", "numba:compiler_lock"})


def without_locks(original: Callable[..., None]) -> Callable[..., None]:
    """Leave out the events of locks, whose times each compilation would add up."""

    def tell(kind: Any, *args: Any, **kws: Any) -> None:
        if not (COMPILATION_STATE.inner and kind in NUMBA_LOCKS):
            original(kind, *args, **kws)

    return tell


NUMBER_TYPES = (types.Number, types.Boolean, types.IntegerLiteral)


def with_memory(original: Callable[..., Any]) -> Callable[..., Any]:
    """Remember the result types of operators. numba tries each operator again."""

    def call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
        if not COMPILATION_STATE.inner or kws or not are_plain(args):
            return original(function, context, args, kws)
        args = tuple(map(types.unliteral, args))
        known = vars(function).setdefault("known_calls", {})
        found = known.get(args)
        if found is None:
            found = known[args] = original(function, context, args, kws)
        return found

    return call_type


def are_plain(args: tuple[Any, ...]) -> bool:
    """Report whether types are numbers, or an array in a record and its index."""
    is_array = bool(args) and isinstance(args[0], types.NestedArray)
    for arg in args:
        kinds = arg.types if is_array and isinstance(arg, types.BaseTuple) else (arg,)
        for kind in kinds:
            number = kind.dtype if isinstance(kind, types.NestedArray) else kind
            if not isinstance(number, NUMBER_TYPES):
                return False
    return True


def hash_flags(flags: Any) -> int:
    """Return a cheap hash of the flags of a compilation.

    It covers the names of all options, and so is the same for all.
    """
    return hash(type(flags))


def with_quick_answer(original: Callable[..., Any]) -> Callable[..., Any]:
    """Compare flags of compilations: equal settings are equal flags."""

    def is_equal(flags: Any, other: Any) -> Any:
        return type(flags) is type(other) and (
            flags._values == other._values or original(flags, other)
        )

    return is_equal


# -----------------------------------------------------------------------------
# Variables and values that own nothing.


@cache
def is_free(kind: Any) -> bool:
    """Report whether values of a type own nothing that must be reference counted."""
    if isinstance(kind, types.NestedArray):  # a part of its record
        return True
    return not default_manager[kind].contains_nrt_meminfo()


def unless_free(original: Callable[..., None]) -> Callable[..., None]:
    """Count no references to a type that owns nothing."""

    def count(lower: Any, kind: Any, value: Any) -> None:
        if not (COMPILATION_STATE.inner and is_free(kind)):
            original(lower, kind, value)

    return count


def unless_nothing_is_owned(original: Callable[..., None]) -> Callable[..., None]:
    """Leave variables be that own nothing: numba sets them to 0 after their use."""

    def delete(lower: Any, name: str) -> None:
        if not (COMPILATION_STATE.inner and is_free(lower.typeof(name))):
            original(lower, name)

    return delete


def with_plain_store(original: Callable[..., None]) -> Callable[..., None]:
    """Store without reading the old value, unless references are counted."""

    def store(lower: Any, value: Any, name: str, argidx: Any = None) -> None:
        kind = lower.typeof(name)
        if (
            not COMPILATION_STATE.inner
            or argidx is not None
            or lower._disable_sroa_like_opt
            or name in lower._singly_assigned_vars
            or not is_free(kind)
        ):
            original(lower, value, name, argidx)
            return
        lower._alloca_var(name, kind)
        lower.builder.store(value, lower.getvar(name))

    return store


def no_address(context: Any, builder: Any, kind: Any, function: Any) -> Any:
    """Return the value of a compiled function that compiled code calls by name."""
    if COMPILATION_STATE.inner:
        return context.get_dummy_value()
    return function_type.lower_constant_dispatcher(context, builder, kind, function)


# -----------------------------------------------------------------------------
# Indices: arrays that hold records, and cells of arrays in records.


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
        if COMPILATION_STATE.inner and boundscheck:
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
    """Check bounds by a single comparison: as an unsigned number -1 is the largest."""

    def check(
        context: Any, builder: Any, index: Any, length: Any, axis: Any = None
    ) -> None:
        if not COMPILATION_STATE.inner:
            original(context, builder, index, length, axis)
            return
        check_index(context, builder, index, length)

    return check


def part(builder: Any, whole: Any, place: int) -> Any:
    """Return a part of a composed value as it was put in."""
    built = whole
    while isinstance(built, InsertValue):
        if list(built.indices) == [place]:
            return built.value
        built = built.aggregate
    return builder.extract_value(whole, place)


@cache
def array_without_address(kind: Any) -> tuple[Any, int]:
    """Return the known facts of an array in a record and its offset."""
    model = default_manager[kind]
    whole = model.get_value_type()
    known = {
        "nitems": kind.nitems,
        "itemsize": kind.size,
        "shape": kind.shape,
        "strides": kind.strides,
    }
    parts = []
    for name, kind_of_part in zip(model._fields, whole.elements, strict=True):
        value = known.get(name)  # None is a null pointer, or zeros
        if isinstance(value, tuple):
            value = [ir.Constant(kind_of_part.element, number) for number in value]
        parts.append(ir.Constant(kind_of_part, value))
    return ir.Constant(whole, parts), model._fields.index("data")


def get_field(context: Any, builder: Any, kind: Any, record: Any, name: str) -> Any:
    """Lower `record.name`. An array in the record becomes its address."""
    field = kind.typeof(name)
    if not (COMPILATION_STATE.inner and isinstance(field, types.NestedArray)):
        return arrayobj.record_getattr(context, builder, kind, record, name)
    context.sentry_record_alignment(kind, name)
    cell = context.get_data_type(field.dtype)
    data = cgutils.get_record_member(builder, record, kind.offset(name), cell)
    array, index = array_without_address(field)
    return builder.insert_value(array, data, index)


def cell_address(
    context: Any, builder: Any, kind: Any, array: Any, index_types: Any, indices: Any
) -> Any:
    """Return the address of a cell, or None if numba has to compute it."""
    is_cell = len(index_types) == kind.ndim and all(
        isinstance(index, types.Integer) for index in index_types
    )
    if not (COMPILATION_STATE.inner and context.enable_boundscheck and is_cell):
        return None
    data = part(builder, array, array_without_address(kind)[1])
    flat = None
    for given, given_type, length in zip(indices, index_types, kind.shape, strict=True):
        index = context.cast(builder, given, given_type, types.intp)
        check_index(context, builder, index, length)
        if flat is None:
            flat = index
        else:
            flat = builder.add(builder.mul(flat, index.type(length)), index)
    return builder.gep(data, [flat])


def check_index(context: Any, builder: Any, index: Any, length: Any) -> None:
    """Go on if an index is below a length, a plain number or a value, else end."""
    if isinstance(length, int):
        if isinstance(index, ir.Constant) and 0 <= index.constant < length:
            return
        length = index.type(length)
    inside = builder.append_basic_block(builder.block.name + ".in")
    is_inside = builder.icmp_unsigned("<", index, length)
    branch = builder.cbranch(is_inside, inside, error_block(context, builder))
    branch.set_weights([99, 1])
    builder.position_at_end(inside)


def error_block(context: Any, builder: Any) -> Any:
    """Return the block that raises IndexError for all indices of a function."""
    function = builder.function
    block = getattr(function, "index_error", None)
    if block is None:
        block = function.index_error = builder.append_basic_block("index_error")
        with builder.goto_block(block):
            message = ("index is out of bounds",)
            context.call_conv.return_user_exc(builder, IndexError, message)
    return block


def get_cell(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Lower `array[i]` of an array in a record."""
    kind, index = sig.args
    array, value = args
    address = cell_address(context, builder, kind, array, (index,), (value,))
    if address is None:
        return arrayobj.getitem_arraynd_intp(context, builder, sig, args)
    return arrayobj.load_item(context, builder, kind, address)


def get_cell_of_table(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Lower `array[i, j]` of an array in a record."""
    kind, index = sig.args
    array, value = args
    values = [part(builder, value, i) for i in range(len(index))]
    address = cell_address(context, builder, kind, array, index.types, values)
    if address is None:
        return arrayobj.getitem_array_tuple(context, builder, sig, args)
    return arrayobj.load_item(context, builder, kind, address)


def set_cell(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Lower `array[i] = value` and `array[i, j] = value` of an array in a record."""
    kind, index, given = sig.args
    array, value, new = args
    if isinstance(index, types.BaseTuple):
        index_types = index.types
        values = [part(builder, value, i) for i in range(len(index))]
    else:
        index_types, values = (index,), [value]
    address = cell_address(context, builder, kind, array, index_types, values)
    if address is None:
        return arrayobj.setitem_array(context, builder, sig, args)
    new = context.cast(builder, new, given, kind.dtype)
    return arrayobj.store_item(context, builder, kind, new, address)


@cache
def register_cells() -> None:
    """Let numba lower these so, after it has loaded its own ways."""
    cpu_target.target_context.refresh()
    lower_constant(types.Dispatcher)(no_address)
    lower_getattr_generic(types.Record)(get_field)
    lower_builtin(operator.getitem, types.NestedArray, types.Integer)(get_cell)
    lower_builtin(operator.getitem, types.NestedArray, types.BaseTuple)(
        get_cell_of_table
    )
    lower_builtin(operator.setitem, types.NestedArray, types.Any, types.Any)(set_cell)
