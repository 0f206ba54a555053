"""A plugin of pytest that leaves out what is left once tests have spent enough.

The first file, the nearest to the module, has a budget of its own. Of the others none
gets more than a third of theirs, so that an expensive one does not keep out others.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

import pytest

BUDGET = float(os.environ.get("MUTATION_BUDGET", "inf"))
spent: dict[str, float] = defaultdict(float)
"""Seconds of CPU of each test file, those of processes that have ended as well."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out a test when its file has spent its share, or all have spent all."""
    file, first = item.location[0], item.session.items[0].location[0]
    others = sum(spent.values()) - spent[first]
    is_spent = spent[file] > BUDGET / 3 or others > BUDGET
    if spent[first] > BUDGET if file == first else is_spent:
        pytest.skip("the budget is spent")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Count what a test spends."""
    before = sum(os.times()[:4])
    result = yield
    spent[item.location[0]] += sum(os.times()[:4]) - before
    return result
