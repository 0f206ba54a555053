"""A pytest plugin: measures coverage by test, and how long each test takes."""

import os

import pytest
from coverage import Coverage


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Count what is executed from here on as executed by this test."""
    coverage = Coverage.current()
    if coverage is not None:
        coverage.switch_context(item.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the seconds of a part of a test in the file that `TEST_SECONDS` names."""
    with open(os.environ["TEST_SECONDS"], "a", encoding="utf-8") as file:
        file.write(f"{report.nodeid} {report.duration:.3f}\n")
