"""How tests are kept: each module can be read, run and moved alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
# In programs that tests run, too.
IMPORT = re.compile(r"^\s*(?:from|import) +(?:\w+\.)*(test_\w+)\b", re.MULTILINE)
# A clock that is called, or imported to be called by another name.
CLOCK = re.compile(
    r"\b(?:perf_counter|monotonic|process_time|thread_time|time)(?:_ns)?(?:\(| as )"
)


@pytest.mark.parametrize(
    "module", sorted(FOLDER.rglob("*.py")), ids=lambda file: file.stem
)
class TestModules:
    """What several need is in a module without tests, and a clock nobody needs."""

    def test_imports_no_test_module(self, module: Path) -> None:
        assert IMPORT.findall(module.read_text(encoding="utf-8")) == []

    def test_reads_no_clock(self, module: Path) -> None:
        """A busy machine is no defect: what takes long is counted, or waited for."""
        assert CLOCK.findall(module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("elapsed = time.{}() - start", "perf_counter"),
        ("assert {}() - start < 1", "monotonic"),
        ("start = time.{}()", "time"),
        ("from time import {} as clock", "process_time_ns"),
    ],
)
def test_a_clock_is_seen(line: str, clock: str) -> None:
    assert CLOCK.search(line.format(clock))
