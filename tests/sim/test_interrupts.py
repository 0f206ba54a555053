"""Ctrl-C is noted when it comes and raised where it can do no harm."""

from __future__ import annotations

import os
import signal

import pytest

from deckcheck.sim.interrupts import Interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals")


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_nothing_is_raised_before_the_check() -> None:
    with Interrupts() as interrupts:
        interrupts.check()
        press()
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()


def test_a_second_one_is_raised_at_once() -> None:
    with Interrupts():
        press()
        with pytest.raises(KeyboardInterrupt):
            press()


def test_the_handler_from_before_comes_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts():
        assert signal.getsignal(signal.SIGINT) != before

    assert signal.getsignal(signal.SIGINT) is before


def test_a_handler_of_the_caller_is_left_alone() -> None:
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(1))
    try:
        with Interrupts() as interrupts:
            press()
            interrupts.check()
    finally:
        signal.signal(signal.SIGINT, before)

    assert pressed == [1]
