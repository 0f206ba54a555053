"""A plugin of pytest that leaves out what is left once tests have spent enough.

Pinned games are played to the last one. Transcripts have a budget of their own, and so
has the first file behind them, the nearest to the module. Of the others none gets more
than a third of theirs, so that an expensive one does not keep out others. Each begins
with what shares a word with the name of the module, as that of a game. Transcripts
begin with those of the command, those of the package, and short ones.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from tools.mutation.hook.limits import TEST, end_after

TRANSCRIPTS = "test_transcripts.py"
"""The name of each file with tests of them."""
PINNED = "tests/engine/test_pinned_games.py"
"""Where the games are that are played uncompiled as those of before."""
BUDGET = float(os.environ.get("MUTATION_BUDGET", "inf"))
apart = {TRANSCRIPTS, PINNED}
"""What has a budget of its own."""
spent: Counter[str] = Counter()
"""Seconds of CPU of each test file, those of processes that have ended as well."""


def group_of(item: pytest.Item) -> str:
    """The test file of an item; all transcripts are one."""
    file = item.location[0]
    return TRANSCRIPTS if file.endswith(f"/{TRANSCRIPTS}") else file


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let what is nearest to the module come first: transcripts, tests of its game."""
    files = dict.fromkeys(map(group_of, items))
    apart.update(islice((name for name in files if name not in apart), 1))
    places = {name: place for place, name in enumerate(files)}
    items.sort(key=lambda item: (places[group_of(item)], distance(item)))


def distance(item: pytest.Item) -> tuple[int, ...]:
    """How far a transcript, or what a test is asked of, is from the module."""
    words = {*re.findall("[a-z]{3,}", os.environ.get("MUTATION_MODULE", ""))}
    asked = item.name.partition("[")[2]
    is_near = not words.isdisjoint(re.findall("[a-z]{3,}", asked))
    if group_of(item) != TRANSCRIPTS:
        return (not is_near,)
    [path] = item.callspec.params.values()  # type: ignore[attr-defined]
    command = os.environ.get("MUTATION_FUNCTION", "").partition(".")[0]
    calls = f"$ deckcheck {command.replace('_', '-')} "
    is_called = bool(command) and calls in path.read_text(encoding="utf-8")
    is_own = path.parts[-3] in words
    return not is_called, not is_near, not is_own, path.stat().st_size


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out a test when its file has spent its share, or all have spent all."""
    group = group_of(item)
    if group == PINNED:
        return
    others = sum(seconds for name, seconds in spent.items() if name not in apart)
    is_spent = spent[group] > BUDGET / 3 or others > BUDGET
    if spent[group] > BUDGET if group in apart else is_spent:
        pytest.skip("the budget is spent")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Count what a test spends, and end the process if that is too much."""
    before = sum(os.times()[:4])
    if math.isfinite(BUDGET):
        end_after(TEST)
    result = yield
    spent[group_of(item)] += sum(os.times()[:4]) - before
    return result
