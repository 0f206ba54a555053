"""Ctrl-C is noted when it comes and raised where it can do no harm."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import pytest

from deckcheck.sim.interrupts import Ending, Interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals")


OTHERS = [signal.SIGTERM, signal.SIGHUP] if os.name == "posix" else []


def press(number: int = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


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


@pytest.mark.parametrize("number", [signal.SIGINT, *OTHERS])
def test_other_signals_end_a_process_as_ctrl_c_does(number: int) -> None:
    before = signal.getsignal(number)
    with Ending() as ending:
        with pytest.raises(KeyboardInterrupt):
            press(number)
        assert ending.code == 128 + number
        # `timeout` sends a signal to the process, and once more to its group.
        press(number)

    assert signal.getsignal(number) is before


@pytest.mark.parametrize("number", OTHERS)
def test_other_signals_are_obeyed_between_two_blocks(number: int) -> None:
    with Ending() as ending, Interrupts() as interrupts:
        press(number)
        press(number)
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()

    assert ending.code == 128 + number


@pytest.mark.parametrize("number", [signal.SIGINT, *OTHERS])
def test_an_interrupt_that_was_swallowed_is_raised_again(number: int) -> None:
    with Ending():
        with suppress(KeyboardInterrupt):
            press(number)
        with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt):
            interrupts.check()


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Ending() as ending, Interrupts() as interrupts:
            press(signal.SIGHUP)
            interrupts.check()
    finally:
        signal.signal(signal.SIGHUP, before)

    assert ending.code == 128 + signal.SIGINT


@pytest.mark.parametrize("number", OTHERS)
def test_without_the_command_line_other_signals_are_nobodys(number: int) -> None:
    """A script that plays keeps its own ways to end."""
    before = signal.getsignal(number)
    with Interrupts():
        assert signal.getsignal(number) is before
