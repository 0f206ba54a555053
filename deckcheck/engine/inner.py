"""Make numba compile our functions faster, by leaving out work that they do not need.

A function that only other compiled functions call is linked into each of them and
optimised there, so its own optimisation and machine code are thrown away. For such
inner functions this module stops numba after the intermediate code. A function that
Python calls is linked once with all functions below it. So LLVM sees whole games.

The intermediate code of some functions is kept on disk (`jit.dispatch`), so that a
second program that needs them, such as games with another player, takes a third of the
time.

A cell of an array in a record, such as `s.hand[player, i]`, becomes an address and a
comparison for each index. numba would make an array first. As an index is unsigned, a
negative index is an IndexError. numba lets it count from the end.

Passes, times and counts of references that our functions have no use for are left out,
and so are the types of all variables, which numba keeps for who looks at them.

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

from llvmlite import ir
from llvmlite.binding import Linkage, create_new_function_pass_manager
from llvmlite.ir.instructions import InsertValue
from numba import types
from numba.core import (
    cgutils,
    codegen,
    event,
    typed_passes,
    untyped_passes,
)
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.datamodel import default_manager
from numba.core.imputils import (
    lower_builtin,
    lower_constant,
    lower_getattr_generic,
)
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.experimental import function_type
from numba.np import arrayobj


class Compiling(threading.local):
    """The compilations of our functions that are under way in a thread."""

    def __init__(self) -> None:
        self.under_way: list[bool] = []
        """Whether each of them is inner, outermost first."""
        self.is_late = False
        """Whether one of the `LATE_PASSES` runs."""


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

    def compile_marked(args: Any, return_type: Any) -> Any:
        register_cells()
        with note_compilation(inner):
            result = compile_core(args, return_type)
        # The types of variables take much memory, and nobody looks at them any more.
        result.fndesc.typemap = result.fndesc.calltypes = None
        return result

    compiler._compile_core = compile_marked


@contextmanager
def note_compilation(inner: bool) -> Iterator[None]:
    """Note that an inner (or outer) function is being compiled."""
    COMPILATION_STATE.under_way.append(inner)
    try:
        yield
    finally:
        COMPILATION_STATE.under_way.pop()


def outer_compilation() -> AbstractContextManager[None]:
    """Note that code which Python may call is loaded, even for an inner function."""
    return note_compilation(False)


def inner_compilation() -> AbstractContextManager[None]:
    """Note that the intermediate code of an inner function is loaded."""
    return note_compilation(True)


def is_inner() -> bool:
    """Report whether the innermost compilation under way is of an inner function."""
    under_way = COMPILATION_STATE.under_way
    return bool(under_way) and under_way[-1]


def is_installed() -> bool:
    """Report whether numba leaves out machine code of inner functions here."""
    return bool(REPLACED_PARTS)


def install() -> None:
    """Replace the methods of numba. Raises AttributeError if a method is missing."""
    if is_installed():
        return
    library = codegen.JITCodeLibrary
    library.is_inner = False

    # Inner functions get no machine code, which their callers would not use. Their
    # libraries know that they are inner, and are linked where the outer library ends.
    replace(library, "__init__", mark_library)
    replace(library, "finalize", link_libraries_once)
    replace_for_inner(library, "_optimize_final_module", lambda library: None)
    replace_for_inner(library, "_optimize_functions", shrink_functions)
    replace_for_inner(library, "_finalize_final_module", close_library)
    replace(library, "_finalize_final_module", check_calls)
    # Without machine code there is neither an address nor an environment to set.
    replace_for_inner(library, "get_pointer_to_function", lambda library, name: 0)
    replace_for_inner(codegen.JITCPUCodegen, "set_env", lambda unit, name, env: None)

    # Negative indices need no second comparison, and are errors.
    replace(arrayobj, "basic_indexing", index_as_unsigned)
    replace(cgutils, "do_boundscheck", check_bounds_once)

    # Numbers and records own nothing: LLVM would have to find out and remove the calls.
    replace(Lower, "incref", skip_uncounted_references)
    replace(Lower, "decref", skip_uncounted_references)
    replace(Lower, "storevar", store_without_reading)
    replace(Lower, "delvar", skip_deleting)

    # These save time alone. Without them numba computes the same again and again.
    replace(PostProcessor, "run", delay_analysis)
    replace(types.BaseFunction, "get_call_type", cache_call_types)
    replace(event, "start_event", skip_lock_events)
    replace(event, "end_event", skip_lock_events)
    replace(types.Record, "__repr__", cache)
    replace(TargetConfig, "__hash__", lambda original: hash_flags)
    replace(TargetConfig, "__eq__", compare_flags_quickly)


def replace_for_inner(owner: Any, name: str, instead: Callable[..., Any]) -> None:
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


def mark_library(original: Callable[..., None]) -> Callable[..., None]:
    """Note in each library whether its function is inner."""

    def init(library: Any, *args: Any) -> None:
        original(library, *args)
        library.is_inner = is_inner()

    return init


def replace(owner: Any, name: str, make: Callable[..., Any]) -> None:
    """Replace a function of numba by the result of `make`."""
    setattr(owner, name, make(getattr(owner, name)))
    REPLACED_PARTS.add(name)


# -----------------------------------------------------------------------------
# Libraries, which are linked, optimised and made machine code


def shrink_functions(library: Any, module: Any) -> None:
    """Keep variables in registers, and combine instructions: nothing else yet.

    Functions are optimised where they are linked. That takes less time and memory if
    they are small by then, which these cheap passes achieve.
    """
    module.data_layout = library.codegen._data_layout
    builder = library.codegen._pass_builder()
    manager = create_new_function_pass_manager()
    manager.add_simplify_cfg_pass()
    manager.add_sroa_pass()
    manager.add_instruction_combine_pass()
    for function in module.functions:
        manager.run(function, builder)


def close_library(library: Any) -> None:
    """Finish an inner library, so that it can be linked, without machine code."""
    for function in library._final_module.functions:
        if not function.is_declaration and function.linkage == Linkage.external:
            function.linkage = "linkonce_odr"
    library._shared_module = library._final_module
    library._finalize_dynamic_globals()
    library._finalized = True


def link_libraries_once(original: Callable[..., None]) -> Callable[..., None]:
    """Link each direct or indirect callee into the outer library, once."""

    def finalize(library: Any) -> None:
        if library.is_inner:
            close_library(library)
            return
        library._linking_libraries = list_libraries(library)
        original(library)

    return finalize


def list_libraries(library: Any) -> list[Any]:
    """Return each library below `library` once, after all the libraries that call it.

    LLVM links a function only into a module that calls it by then. A caller may have
    lost a call that is never made, so a callee must wait for all of its callers.
    """
    seen = {library}
    callees_first = []

    def visit(caller: Any) -> None:
        if caller is library or caller.is_inner:
            for callee in reversed(caller._linking_libraries):
                if callee not in seen:
                    seen.add(callee)
                    visit(callee)
        callees_first.append(caller)

    visit(library)
    return callees_first[-2::-1]


COMPILED_PREFIX = "_ZN"
"""The beginning of the names that numba gives to compiled functions."""


def check_calls(original: Callable[..., None]) -> Callable[..., None]:
    """Raise LookupError before machine code would call a function that is missing.

    Functions of other programs may call what numba knows from elsewhere.
    """

    def finalize(library: Any) -> None:
        if COMPILATION_STATE.under_way and not library.is_inner:
            for function in library._final_module.functions:
                name = function.name
                if function.is_declaration and name.startswith(COMPILED_PREFIX):
                    raise LookupError(f"{library.name} calls a missing {name}")
        original(library)

    return finalize


def link_all(library: Any) -> None:
    """Link all callees into an inner library, so that it is complete."""
    for other in list_libraries(library):
        module = other._get_module_for_linking()
        library._final_module.link_in(module, preserve=True)
        if hasattr(library, "_reload_init"):  # not in all versions of numba
            library._reload_init.update(other._reload_init)
    library._linking_libraries = []


# -----------------------------------------------------------------------------
# Passes and analyses that our functions need, without the times of locks


class Passes(PassManager):  # type: ignore[misc]
    """Passes without a record of their times and without unneeded analyses."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:
        was_late = COMPILATION_STATE.is_late
        COMPILATION_STATE.is_late = isinstance(step, LATE_PASSES)
        step.analysis = self._analysis
        try:
            step.run_initialization(state)
            step.run_pass(state)
            step.run_finalizer(state)
        finally:
            COMPILATION_STATE.is_late = was_late


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
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""The passes of numba that our functions need.

Our functions have no closures, `with`, `try`, arithmetic on arrays, errors whose
message is known only later, and nothing that is inlined before its types are known.
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


def delay_analysis(original: Callable[..., None]) -> Callable[..., None]:
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


def skip_lock_events(original: Callable[..., None]) -> Callable[..., None]:
    """Leave out the events of locks, whose times each compilation would add up."""

    def send_event(kind: Any, *args: Any, **kws: Any) -> None:
        if not (COMPILATION_STATE.under_way and kind in NUMBA_LOCKS):
            original(kind, *args, **kws)

    return send_event


NUMBER_TYPES = (types.Number, types.Boolean, types.IntegerLiteral)


def cache_call_types(original: Callable[..., Any]) -> Callable[..., Any]:
    """Remember the result types of operators, which numba would find each time."""

    def call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
        if not COMPILATION_STATE.under_way or kws or not are_plain(args):
            return original(function, context, args, kws)
        args = tuple(map(types.unliteral, args))
        known_calls = vars(function).setdefault("known_calls", {})
        if known_calls.get(args) is None:
            known_calls[args] = original(function, context, args, kws)
        return known_calls[args]

    return call_type


def are_plain(args: tuple[Any, ...]) -> bool:
    """Report whether types are of numbers, or of an array in a record and its index."""
    is_array = bool(args) and isinstance(args[0], types.NestedArray)
    for arg in args:
        kinds = arg.types if is_array and isinstance(arg, types.BaseTuple) else (arg,)
        for kind in kinds:
            number = kind.dtype if isinstance(kind, types.NestedArray) else kind
            if not isinstance(number, NUMBER_TYPES):
                return False
    return True


def hash_flags(flags: Any) -> int:
    """Return a cheap hash of the flags of a compilation, the same for all flags."""
    return hash(type(flags))


def compare_flags_quickly(original: Callable[..., Any]) -> Callable[..., Any]:
    """Compare the settings of flags first, as equal settings are equal flags."""

    def is_equal(flags: Any, other: Any) -> Any:
        return type(flags) is type(other) and (
            flags._values == other._values or original(flags, other)
        )

    return is_equal


# -----------------------------------------------------------------------------
# Variables and values that own nothing


@cache
def is_free(kind: Any) -> bool:
    """Report whether values of a type own nothing that must be reference counted."""
    if isinstance(kind, types.NestedArray):  # a part of its record
        return True
    return not default_manager[kind].contains_nrt_meminfo()


def skip_uncounted_references(original: Callable[..., None]) -> Callable[..., None]:
    """Count no references to a type that owns nothing."""

    def count(lower: Any, kind: Any, value: Any) -> None:
        if not (COMPILATION_STATE.under_way and is_free(kind)):
            original(lower, kind, value)

    return count


def skip_deleting(original: Callable[..., None]) -> Callable[..., None]:
    """Leave used variables that own nothing as they are. numba would set them to 0."""

    def delete(lower: Any, name: str) -> None:
        if not (COMPILATION_STATE.under_way and is_free(lower.typeof(name))):
            original(lower, name)

    return delete


def store_without_reading(original: Callable[..., None]) -> Callable[..., None]:
    """Store without reading the old value, unless references are counted."""

    def store(lower: Any, value: Any, name: str, argidx: Any = None) -> None:
        kind = lower.typeof(name)
        if (
            not COMPILATION_STATE.under_way
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


def lower_function(context: Any, builder: Any, kind: Any, function: Any) -> Any:
    """Return a dummy for a compiled function, as our code calls it by its name."""
    if COMPILATION_STATE.under_way:
        return context.get_dummy_value()
    return function_type.lower_constant_dispatcher(context, builder, kind, function)


# -----------------------------------------------------------------------------
# Indices: arrays that hold records, and cells of arrays in records


def index_as_unsigned(original: Callable[..., Any]) -> Callable[..., Any]:
    """Index arrays without wrapping negative indices, where bounds are checked."""

    def index_unsigned(
        context: Any,
        builder: Any,
        array_type: Any,
        array: Any,
        index_types: Any,
        indices: Any,
        boundscheck: Any = None,
    ) -> Any:
        if COMPILATION_STATE.under_way and boundscheck:
            cast_indices = []
            cast_types = []
            for index, kind in zip(indices, index_types, strict=True):
                is_integer = isinstance(kind, types.Integer)
                if is_integer and getattr(kind, "signed", True):
                    cast_indices.append(context.cast(builder, index, kind, types.intp))
                    cast_types.append(types.uintp)
                else:
                    cast_indices.append(index)
                    cast_types.append(kind)
            indices, index_types = cast_indices, cast_types
        rest = array_type, array, index_types, indices, boundscheck
        return original(context, builder, *rest)

    return index_unsigned


def check_bounds_once(original: Callable[..., Any]) -> Callable[..., Any]:
    """Check bounds by a single comparison, as -1 is the largest unsigned number."""

    def check(
        context: Any, builder: Any, index: Any, length: Any, axis: Any = None
    ) -> None:
        if not COMPILATION_STATE.under_way:
            original(context, builder, index, length, axis)
            return
        check_index(context, builder, index, length)

    return check


def get_member(builder: Any, aggregate: Any, index: int) -> Any:
    """Return a member of an aggregate: without an instruction if just inserted."""
    built = aggregate
    while isinstance(built, InsertValue):
        if list(built.indices) == [index]:
            return built.value
        built = built.aggregate
    return builder.extract_value(aggregate, index)


@cache
def array_without_address(kind: Any) -> tuple[Any, int]:
    """Return the known facts of an array in a record and its offset."""
    model = default_manager[kind]
    array_type = model.get_value_type()
    known = {
        "nitems": kind.nitems,
        "itemsize": kind.size,
        "shape": kind.shape,
        "strides": kind.strides,
    }
    members = []
    for name, member_type in zip(model._fields, array_type.elements, strict=True):
        value = known.get(name)  # None is a null pointer, or zeros
        if isinstance(value, tuple):
            value = [ir.Constant(member_type.element, number) for number in value]
        members.append(ir.Constant(member_type, value))
    return ir.Constant(array_type, members), model._fields.index("data")


def get_field(context: Any, builder: Any, kind: Any, record: Any, name: str) -> Any:
    """Lower `record.name`. An array in the record becomes its address."""
    field = kind.typeof(name)
    if not (COMPILATION_STATE.under_way and isinstance(field, types.NestedArray)):
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
    if not (COMPILATION_STATE.under_way and context.enable_boundscheck and is_cell):
        return None
    data = get_member(builder, array, array_without_address(kind)[1])
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
    """Raise IndexError, in compiled code, unless 0 <= `index` < `length`.

    `length` is a number of Python or a value of compiled code.
    """
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
    if not hasattr(function, "index_error"):
        function.index_error = builder.append_basic_block("index_error")
        with builder.goto_block(function.index_error):
            message = ("index is out of bounds",)
            context.call_conv.return_user_exc(builder, IndexError, message)
    return function.index_error


def get_cell(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Lower `array[i]` of an array in a record."""
    kind, index = sig.args
    array, value = args
    address = cell_address(context, builder, kind, array, (index,), (value,))
    if address is None:
        return arrayobj.getitem_arraynd_intp(context, builder, sig, args)
    return arrayobj.load_item(context, builder, kind, address)


def get_table_cell(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Lower `array[i, j]` of an array in a record."""
    kind, index = sig.args
    array, value = args
    values = [get_member(builder, value, i) for i in range(len(index))]
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
        values = [get_member(builder, value, i) for i in range(len(index))]
    else:
        index_types, values = (index,), [value]
    address = cell_address(context, builder, kind, array, index_types, values)
    if address is None:
        return arrayobj.setitem_array(context, builder, sig, args)
    new = context.cast(builder, new, given, kind.dtype)
    return arrayobj.store_item(context, builder, kind, new, address)


@cache
def register_cells() -> None:
    """Let numba lower records and their cells by the functions above."""
    cpu_target.target_context.refresh()  # loads numba's own, which come first
    lower_constant(types.Dispatcher)(lower_function)
    lower_getattr_generic(types.Record)(get_field)
    lower_builtin(operator.getitem, types.NestedArray, types.Integer)(get_cell)
    lower_builtin(operator.getitem, types.NestedArray, types.BaseTuple)(get_table_cell)
    lower_builtin(operator.setitem, types.NestedArray, types.Any, types.Any)(set_cell)
