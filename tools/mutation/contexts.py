"""A pytest plugin: measures coverage by test, and how long each test takes."""

import os

import pytest
from coverage import Coverage


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Count what is executed from here on as executed by this test.

    A process that is started may serve other tests: what it executes is executed by
    all tests of the file.
    """
    coverage = Coverage.current()
    if coverage is not None:
        coverage.switch_context(item.nodeid)
        coverage.set_option("run:context", item.nodeid.partition("::")[0])
        os.environ["COVERAGE_PROCESS_CONFIG"] = coverage.config.serialize()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the seconds of a part of a test in the file that `TEST_SECONDS` names."""
    with open(os.environ["TEST_SECONDS"], "a", encoding="utf-8") as file:
        file.write(f"{report.nodeid} {report.duration:.3f}\n")
