"""The parts of numba beyond its documented interface that the engine needs.

A release of numba without a part would fail in the middle of a compilation, or compile
something else without a warning.
"""

from __future__ import annotations

from importlib import import_module

import numba

from deckcheck.engine.registry import EngineError

NUMBA_INTERNALS = (
    "numba.core.typing.templates:infer",
    "numba.core.typing.templates:infer_global",
    "numba.core.typing.templates:make_overload_template",
    "numba.core.codegen:JITCodeLibrary._get_module_for_linking",
    "numba.core.codegen:JITCodeLibrary._optimize_functions",
    "numba.core.codegen:JITCPUCodegen._pass_builder",
    "numba.core.cgutils:do_boundscheck",
    "numba.core.cgutils:get_record_member",
    "numba.core.compiler_machinery:PassManager._runPass",
    "numba.core.datamodel:default_manager",
    "numba.core.event:start_event",
    "numba.core.event:end_event",
    "numba.core.lowering:Lower.storevar",
    "numba.core.lowering:Lower.delvar",
    "numba.core.postproc:PostProcessor.run",
    "numba.core.targetconfig:TargetConfig.values",
    "numba.core.types:Record.__repr__",
    "numba.core.types:BaseFunction.get_call_type",
    "numba.experimental.function_type:lower_constant_dispatcher",
    "numba.np.arrayobj:basic_indexing",
    "numba.np.arrayobj:record_getattr",
    "numba.np.arrayobj:load_item",
    "numba.np.arrayobj:store_item",
    "numba.core.caching:CompileResultCacheImpl",
    "numba.core.caching:FunctionCache",
    "numba.core.caching:IndexDataCacheFile",
    "numba.core.caching:UserProvidedCacheLocator",
    "numba.core.dispatcher:Dispatcher._insert",
    "numba.core.dispatcher:Dispatcher._compile_for_args",
    "numba.core.dispatcher:Dispatcher.get_call_template",
)


def check_internals(names: tuple[str, ...] = NUMBA_INTERNALS) -> None:
    """Raise EngineError if the installed numba lacks any of these."""
    for name in names:
        module, _, path = name.partition(":")
        try:
            part: object = import_module(module)
            for attribute in path.split(".") if path else ():
                part = getattr(part, attribute)
        except (ImportError, AttributeError):
            missing = name.replace(":", ".")
            raise EngineError(
                f"numba {numba.__version__} has no `{missing}`, which the engine is "
                "compiled with",
                "Install a version of numba that deckcheck allows: `pip install "
                "--upgrade deckcheck` does",
            ) from None
