"""What holds for all tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# No test asserts a time: a busy machine is no defect.
settings.register_profile("deckcheck", deadline=None)
settings.load_profile("deckcheck")


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> Iterator[None]:
    """Programs that tests start can be interrupted.

    A shell that runs the tests in the background lets them, and all they start, ignore
    interrupts.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
