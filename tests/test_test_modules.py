"""How tests are kept: each module can be read, run and moved alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
# In programs that tests run, too.
IMPORT = re.compile(r"^\s*(?:from|import) +(?:\w+\.)*(test_\w+)\b", re.MULTILINE)
CLOCK = re.compile(r"assert.*\b(?:perf_counter|monotonic|process_time|time\.time)\(")


@pytest.mark.parametrize(
    "module", sorted(FOLDER.rglob("*.py")), ids=lambda file: file.stem
)
class TestModules:
    """What several of them need is in a module that holds no tests."""

    def test_imports_no_test_module(self, module: Path) -> None:
        assert IMPORT.findall(module.read_text(encoding="utf-8")) == []

    def test_asserts_no_time(self, module: Path) -> None:
        """A busy machine is no defect."""
        assert CLOCK.findall(module.read_text(encoding="utf-8")) == []
