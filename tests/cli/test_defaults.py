"""What a command does without an option, its function in Python does too."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import Parameter, signature

import pytest

import deckcheck
from deckcheck.cli.commands import COMMANDS

NOT_SHARED = {"jobs", "executor", "progress", "policy"}
"""Python plays in its own process and without a word, and names the player."""

BOTH = [each.name for each in COMMANDS if callable(getattr(deckcheck, each.name, None))]


def defaults(function: Callable[..., object]) -> dict[str, object]:
    """The parameters that need not be given, and what they are then."""
    known = signature(function).parameters.values()
    return {
        each.name: each.default or None
        for each in known
        if each.default is not Parameter.empty and each.name not in NOT_SHARED
    }


def test_there_are_commands_that_are_functions_too() -> None:
    assert {"simulate", "compare", "impact", "tune", "build", "solve"} < set(BOTH)


@pytest.mark.parametrize("name", BOTH)
def test_defaults_are_the_same(name: str) -> None:
    typed = defaults(getattr(import_module(f"deckcheck.cli.{name}"), name))
    called = defaults(getattr(deckcheck, name))

    shared = typed.keys() & called.keys()
    assert {key: typed[key] for key in shared} == {key: called[key] for key in shared}
