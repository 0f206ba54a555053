"""Every process of a test run imports this as it starts: its limit, the mutant.

What to do stands in the environment, which worker processes inherit.
"""

from __future__ import annotations

import os
import sys

if "MUTATION_SECONDS" in os.environ:
    import resource

    seconds = int(os.environ["MUTATION_SECONDS"])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

if "MUTATION_MODULE" in os.environ:
    from importlib.abc import MetaPathFinder
    from importlib.machinery import ModuleSpec, SourceFileLoader
    from importlib.util import spec_from_file_location
    from pathlib import Path
    from types import CodeType

    MODULE = os.environ["MUTATION_MODULE"]
    FILE = os.environ["MUTATION_FILE"]
    TEXT = Path(os.environ["MUTATION_TEXT"])

    class MutantLoader(SourceFileLoader):
        """Loads the mutant in place of the file, and keeps no bytecode of it."""

        def get_code(self, fullname: str) -> CodeType:
            return compile(TEXT.read_bytes(), FILE, "exec", dont_inherit=True)

    class MutantFinder(MetaPathFinder):
        """Finds the one module that is mutated."""

        def find_spec(
            self, fullname: str, path: object, target: object = None
        ) -> ModuleSpec | None:
            if fullname != MODULE:
                return None
            loader = MutantLoader(fullname, FILE)
            return spec_from_file_location(fullname, FILE, loader=loader)

    sys.meta_path.insert(0, MutantFinder())
