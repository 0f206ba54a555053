"""A plugin of pytest: what each test file costs, which tests fail, what it executes."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

seconds: dict[str, float] = defaultdict(float)
failed: dict[str, list[str]] = defaultdict(list)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Count what is executed for the file of the test, in its processes as well."""
    file = item.nodeid.partition("::")[0]
    os.environ["MUTATION_CONTEXT"] = file
    measurement = coverage.Coverage.current()
    assert measurement is not None
    measurement.switch_context(file)
    before = sum(os.times()[:4])
    result = yield
    seconds[file] += sum(os.times()[:4]) - before
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that fails without any mutant."""
    if report.failed:
        failed[report.nodeid.partition("::")[0]].append(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write both down."""
    text = json.dumps({"seconds": seconds, "failed": failed})
    Path(os.environ["MUTATION_RECORD"]).write_text(text, encoding="utf-8")
